"""What a question costs in a fresh process, and a build that finds nothing to do, over ``python -c pass``.

Usage: ``python -m benchmarks.cold_process PROJECT NAME [FRESHNESS]``: an indexed folder (one that is not
is indexed first), a name in it, and what ``--freshness`` the questions have (``full`` is the default). Python
must be allowed to keep its bytecode; the first run of each command, which may compile, does not count.
"""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.figures import Figure, show
from benchmarks.timing import compare

_CONTROL = (sys.executable, "-c", "pass")
_CODETRAIL = (sys.executable, "-m", "codetrail")

QUESTIONS = (
    ("refs, 100 rows", ("refs", "--limit", "100"), 9.0),
    ("defs", ("defs",), 9.0),
    ("symbols", ("symbols",), 9.0),
)


def figures(project: str, name: str, freshness: str = "full", runs: int = 15) -> list[Figure]:
    """Measure questions about ``name`` as JSON, and ``index build`` with nothing changed."""
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        raise SystemExit(
            "unset PYTHONDONTWRITEBYTECODE: without bytecode every process compiles all it loads"
        )
    if not os.path.isdir(os.path.join(project, ".codetrail")):
        subprocess.run([*_CODETRAIL, "index", "build"], cwd=project, check=True, stdout=subprocess.DEVNULL)
    found = []
    for title, words, budget in QUESTIONS:
        line = [*_CODETRAIL, *words, "--output", "json", "--freshness", freshness, "--", name]
        found += _figures(f"{title} ÷ python -c pass", line, budget, project, runs)
    if freshness == "full":
        line = [*_CODETRAIL, "index", "build"]
        found += _figures("index build, nothing changed ÷ python -c pass", line, 20.0, project, runs)
    return found


def _figures(title: str, line: list[str], budget: float, project: str, runs: int) -> list[Figure]:
    cost = compare(line, _CONTROL, folder=project, runs=runs)
    return [Figure(title, cost.ratio, budget), Figure("  its peak memory, MiB", cost.command.peak / 2**20)]


if __name__ == "__main__":
    project, name, *freshness = sys.argv[1:]
    show(figures(project, name, freshness[0] if freshness else "full"))
