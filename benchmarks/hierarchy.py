"""What a node of a deep tree of calls costs over a node of a flat one.

Usage: ``python -m benchmarks.hierarchy PROJECT NAME``: an indexed folder and a name in it. All trees are
asked in one warm process, in turn, without the look at the files that every question begins with.
"""

from __future__ import annotations

import statistics
import sys
import time

from benchmarks.figures import Figure, show
from codetrail.model.answers import Answer, Question
from codetrail.model.hierarchy import HierarchyRow
from codetrail.query.engine import answer
from codetrail.workspace.root import find_root

_DEEP = 4


def figures(project: str, name: str, runs: int = 21) -> list[Figure]:
    """Measure the trees around ``name`` with one level and with four, of at most 1,000 nodes."""
    root = find_root(project)
    flat = Question("call-hierarchy", name, freshness="off", depth=1, limit=1000)
    costs: tuple[list[float], ...] = ([], [])
    nodes = [0, 0]
    for number in range(runs + 1):
        for at, question in enumerate((flat, flat._replace(depth=_DEEP))):
            begun = time.process_time()
            nodes[at] = _nodes(answer(question, root))
            if number:
                costs[at].append(time.process_time() - begun)
    one, deep = (statistics.median(cost) / max(count, 1) for cost, count in zip(costs, nodes, strict=True))
    return [
        Figure(f"a node of {nodes[1]}, {_DEEP} levels ÷ a node of {nodes[0]}, one level", deep / one, 3.0),
        Figure("one level, warm, ms a node", one * 1000),
    ]


def _nodes(found: Answer) -> int:
    return sum(row.nodes for row in found.rows if isinstance(row, HierarchyRow))


if __name__ == "__main__":
    project, name = sys.argv[1:]
    show(figures(project, name))
