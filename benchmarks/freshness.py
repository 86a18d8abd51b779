"""What it costs to see that no file changed, over a bare ``scandir`` and ``stat`` of the same tree.

Usage: ``python -m benchmarks.freshness PROJECT``: an indexed folder, unchanged since. The index is open; both
run in turn in one process; the control looks at every file and folder, save CodeTrail's and git's own.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from contextlib import closing

from benchmarks.figures import Figure, show
from codetrail.query.freshness import Freshness
from codetrail.query.snapshot import View, open_view
from codetrail.query.sources import Sources
from codetrail.workspace.root import Root, find_root


def figures(project: str, runs: int = 21) -> list[Figure]:
    """Measure the check that every question makes."""
    root = find_root(project)
    costs: tuple[list[float], list[float]] = ([], [])
    with closing(open_view(root)) as view:
        for number in range(runs + 1):
            for kept, look in zip(costs, (_check, _bare), strict=True):
                begun = time.process_time()
                files = look(root, view)
                if number:
                    kept.append(time.process_time() - begun)
    ratio = statistics.median(costs[0]) / statistics.median(costs[1])
    return [
        Figure("freshness check ÷ bare scandir and stat", ratio, 1.6),
        Figure("files in the tree", files),
    ]


def _check(root: Root, view: View) -> int:
    with Sources(root) as sources:
        freshness = Freshness(root, view, "full", sources)
    if freshness.anything_differs or not freshness.checked:
        raise SystemExit("the tree is not as it was indexed")
    return 0


def _bare(root: Root, _: View) -> int:
    files = 0
    folders = [root.path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)
                if not entry.is_dir(follow_symlinks=False):
                    files += 1
                elif entry.name not in (".codetrail", ".git"):
                    folders.append(entry.path)
    return files


if __name__ == "__main__":
    show(figures(sys.argv[1]))
