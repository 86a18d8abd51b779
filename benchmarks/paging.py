"""What the last page of a symbol with very many references costs, and its callers, over the first page.

Usage: ``python -m benchmarks.paging PROJECT NAME``: an indexed folder and a name in it. All pages are asked
in one warm process, in turn, without the look at the tree that every question begins with.
"""

from __future__ import annotations

import statistics
import sys
import time

from benchmarks.figures import Figure, show
from codetrail.model.answers import Question
from codetrail.query.engine import answer
from codetrail.workspace.root import Root, find_root


def figures(project: str, name: str, runs: int = 21) -> list[Figure]:
    """Measure pages of 100 references to ``name``."""
    root = find_root(project)
    first = Question("refs", name, freshness="off")
    last, rows = _last_page(first, root)
    callers = first._replace(verb="callers")
    costs: tuple[list[float], ...] = ([], [], [])
    for number in range(runs + 1):
        for kept, question in zip(costs, (first, last, callers), strict=True):
            begun = time.process_time()
            answer(question, root)
            if number:
                kept.append(time.process_time() - begun)
    one, late, calling = map(statistics.median, costs)
    return [
        Figure(f"last page of {rows} references ÷ first page", late / one, 1.2),
        Figure("first page of callers ÷ first page of references", calling / one, 1.2),
        Figure("first page, warm, ms", one * 1000),
    ]


def _last_page(first: Question, root: Root) -> tuple[Question, int]:
    """Walk through all rows; return the question for the last full page, and how many rows there are."""
    page = first
    rows = 0
    cursors: list[str] = []
    while True:
        found = answer(page, root)
        rows += len(found.rows)
        if found.page.next_cursor is None:
            return first._replace(cursor=cursors[-2] if len(cursors) > 1 else None), rows
        cursors.append(found.page.next_cursor)
        page = first._replace(cursor=cursors[-1])


if __name__ == "__main__":
    project, name = sys.argv[1:]
    show(figures(project, name))
