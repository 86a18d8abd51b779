"""What a question costs in a fresh process, and a build that finds nothing to do, over ``python -c pass``.

Usage: ``python -m benchmarks.cold_process PROJECT``: a folder with Python files; it is indexed if it is not.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.timing import compare

_PYTHON = sys.executable
_CONTROL = (_PYTHON, "-c", "pass")
_CODETRAIL = (_PYTHON, "-m", "codetrail")

BUDGETS = (
    ("refs, 100 rows, JSON", ("refs", "--output", "json", "--limit", "100", "--", "{name}"), 9.0),
    ("defs, JSON", ("defs", "--output", "json", "--", "{name}"), 9.0),
    ("symbols, JSON", ("symbols", "--output", "json", "--", "{name}"), 9.0),
    ("index build, nothing changed", ("index", "build"), 20.0),
)


def main(project: str, name: str) -> None:
    """Print one line a command: its ratio, the budget (architecture §4), its peak memory."""
    subprocess.run([*_CODETRAIL, "index", "build"], cwd=project, check=True, stdout=subprocess.DEVNULL)
    for title, arguments, budget in BUDGETS:
        line = [*_CODETRAIL, *(part.format(name=name) for part in arguments)]
        found = compare(line, _CONTROL, folder=project)
        print(f"{title:32} {found.ratio:6.1f} x  (budget {budget:g})  {found.command.peak >> 20} MiB")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "get")
