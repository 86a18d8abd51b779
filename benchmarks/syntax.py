"""What reading the syntax of source costs over a bare tree-sitter parse of it, language by language.

Usage: ``python -m benchmarks.syntax FOLDER…``: all source files below these folders. Each file is parsed and
read in turn, in one process, so that what else the machine does weighs on both alike.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import partial

from tree_sitter import Parser

from benchmarks.figures import Figure, show
from codetrail.syntax.extract import MAX_BYTES, extract
from codetrail.syntax.grammars import grammar
from codetrail.workspace.languages import language_of

_BUDGET = 2.3


def figures(folders: Iterable[str], runs: int = 3) -> list[Figure]:
    """Measure each language with files below ``folders``: the median of the runs' sums over all its files."""
    found = []
    for language, paths in sorted(_sources(folders).items()):
        ratios = [_ratio(language, paths) for _ in range(runs)]
        size = sum(map(os.path.getsize, paths))
        what = f"{language}: {len(paths)} files, {size / 1e6:.1f} MB"
        found.append(Figure(what, statistics.median(ratios), _BUDGET))
    return found


def _sources(folders: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                language = language_of(name)
                if language and grammar(_grammar(path, language)) and os.path.getsize(path) <= MAX_BYTES:
                    found[_grammar(path, language)].append(path)
    return found


def _grammar(path: str, language: str) -> str:
    return "tsx" if language == "typescript" and path.endswith(".tsx") else language


def _ratio(name: str, paths: list[str]) -> float:
    loaded = grammar(name)
    if loaded is None:
        raise SystemExit(f"there is no grammar for {name}")
    language = "typescript" if name == "tsx" else name
    spent = [0.0, 0.0]
    gc.disable()  # as an ingest does
    for number, path in enumerate(paths):
        with open(path, "rb") as file:
            text = file.read()
        work = (partial(Parser(loaded).parse, text), partial(extract, text, language, path=path))
        for at in (0, 1) if number % 2 else (1, 0):  # the second finds the text in the cache
            begun = time.process_time()
            work[at]()
            spent[at] += time.process_time() - begun
        gc.collect(0)
    gc.enable()
    return spent[1] / spent[0]


if __name__ == "__main__":
    show(figures(sys.argv[1:]))
