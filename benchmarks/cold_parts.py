"""Where the time of a question in a fresh process goes, over ``python -c pass``.

Usage: ``python -m benchmarks.cold_parts PROJECT NAME``: an indexed folder and a name in it. Each line is one
process that goes a little further than the one before; the differences are the parts.
"""

from __future__ import annotations

import sys

from benchmarks.figures import Figure, show
from benchmarks.timing import compare

_PYTHON = sys.executable
_CONTROL = (_PYTHON, "-c", "pass")

_IMPORTS = (
    ("the interpreter without site-packages", ("-S", "-c", "pass")),
    ("what the standard library gives", ("-c", "import re, json, typing, hashlib, hmac, contextlib, enum")),
    ("SQLite's binding", ("-c", "import apsw")),
    ("command line", ("-c", "import codetrail.cli.app, codetrail.cli.queries")),
    ("reading and answering", ("-c", "import codetrail.cli.queries, codetrail.query.references")),
    (
        "printing JSON",
        ("-c", "import codetrail.cli.queries, codetrail.query.references, codetrail.output.public"),
    ),
)


def figures(project: str, name: str, runs: int = 21) -> list[Figure]:
    """Measure each step."""
    found = []
    for title, words in _IMPORTS:
        cost = compare((_PYTHON, *words), _CONTROL, folder=project, runs=runs)
        found.append(Figure(f"load: {title}", cost.ratio))
    for freshness in ("off", "answer", "full"):
        line = ("-m", "codetrail", "refs", "--output", "json", "--freshness", freshness, "--", name)
        cost = compare((_PYTHON, *line), _CONTROL, folder=project, runs=runs)
        found.append(Figure(f"whole: refs, --freshness {freshness}", cost.ratio))
    return found


if __name__ == "__main__":
    project, name = sys.argv[1:]
    show(figures(project, name))
