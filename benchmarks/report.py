"""Run the benchmarks and write what they found as tables for ``docs/performance.md``.

Usage: ``python -m benchmarks.report FOLDER``. In FOLDER lie, for each project, ``src/NAME`` (a tree that was
indexed) and ``keep/NAME/python.scip`` (what ``index build --keep-scip`` kept of it), and folders
``synthetic-N`` that ``benchmarks.synthetic`` made with N occurrences. Prints Markdown; what could not be
measured is said in the place of its table.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import cold_process, driver, freshness, ingest, paging
from benchmarks.figures import Figure, number
from codetrail.errors import CodeTrailError

_NAMES = {"django": "get", "rich": "Console", "httpx": "get"}
"""A name to ask for in each project."""


def report(folder: str) -> Iterator[str]:
    """Yield the lines of all tables, each as soon as it is measured."""
    for project in sorted(os.listdir(os.path.join(folder, "src"))):
        tree = os.path.join(folder, "src", project)
        scip = os.path.join(folder, "keep", project, "python.scip")
        name = _NAMES.get(project.partition("-")[0], project)
        yield from _table(f"cold_process {project} {name}", partial(cold_process.figures, tree, name))
        yield from _table(f"freshness {project}", partial(freshness.figures, tree))
        yield from _table(f"ingest {project} python.scip", partial(ingest.figures, tree, scip, runs=3))
        yield from _table(f"driver {project}", partial(driver.figures, tree))
    for synthetic in sorted(one for one in os.listdir(folder) if one.startswith("synthetic-")):
        tree = os.path.join(folder, synthetic, "tree")
        scip = os.path.join(folder, synthetic, "index.scip")
        cold = partial(cold_process.figures, tree, "hot", "answer")
        yield from _table(f"cold_process {synthetic} hot answer", cold)
        yield from _table(f"paging {synthetic} hot", partial(paging.figures, tree, "hot"))
        yield from _table(f"ingest {synthetic} index.scip", partial(ingest.figures, tree, scip, runs=1))


def _table(command: str, measure: Callable[[], list[Figure]]) -> Iterator[str]:
    yield f"`python -m benchmarks.{command}`"
    yield ""
    try:
        found = measure()
    except (CodeTrailError, OSError, RuntimeError, SystemExit, subprocess.SubprocessError) as reason:
        yield f"Not measured: {reason}."
        yield ""
        return
    yield "| what | figure | budget | |"
    yield "|---|---|---|---|"
    for figure in found:
        budget = "" if figure.budget is None else f"≤ {figure.budget:g}"
        yield f"| {figure.what.strip()} | {number(figure.value)} | {budget} | {figure.verdict} |"
    yield ""


if __name__ == "__main__":
    for line in report(sys.argv[1]):
        print(line, flush=True)
