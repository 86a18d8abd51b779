"""Call edges of real TypeScript are those of the compiler's own checker, or differ for a named reason.

Every call of every file is compared with ``calls``, and every symbol that anybody calls with ``callers``.
Each rule that explains a difference looks at what the checker and the source say, not at our answer.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Node, Question
from codetrail.model.calls import CallRow
from codetrail.model.ranges import Range
from codetrail.model.reports import BuildOptions
from codetrail.model.symbols import is_local
from codetrail.query.engine import answer
from codetrail.workspace.root import Root, find_root
from tests import downloads
from tests.oracle.compiler_calls import Call, compiler_calls
from tests.oracle.language_service import Place

Target = Place | str
"""What is called: where its name is defined, or its name alone where that is outside the workspace."""


class Difference(NamedTuple):
    """A call site of which the two sides say different things; ``theirs`` is None where they see no call."""

    at: Place
    text: str
    ours: frozenset[Target]
    theirs: Call | None


class Indexed(NamedTuple):
    """The built package, what each side says of each call site, and the call sites of each symbol.

    Locals have no symbol of their own that could be asked for.
    """

    root: Root
    theirs: dict[Place, Call]
    ours: dict[Place, frozenset[Target]]
    symbols: dict[str, set[Place]]


def _is_super(found: Difference) -> bool:
    """To the checker ``super`` names the class above; what it calls is the constructor that was chosen."""
    return found.text == "super" and found.theirs is not None and found.ours == {found.theirs.signature}


RULES: tuple[Callable[[Difference], bool], ...] = (_is_super,)


@pytest.fixture(scope="module")
def rxjs(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """Build the index of a copy of rxjs, and ask both sides for every call."""
    source = downloads.npm_source("rxjs")
    tree = tmp_path_factory.mktemp("calls") / "rxjs"
    # What the package was built into is left out: a checkout has the sources alone.
    shutil.copytree(source, tree, symlinks=True, ignore=lambda at, _: ["dist"] if Path(at) == source else [])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODETRAIL_TYPESCRIPT", str(downloads.typescript_folder()))
        report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    theirs = {call.at: call for call in compiler_calls(tree)}
    root = find_root(str(tree))
    ours: dict[Place, set[Target]] = defaultdict(set)
    symbols: dict[str, set[Place]] = defaultdict(set)
    for path in sorted({place.path for place in theirs}):
        for row in _rows(root, "calls", f"{path}:1#{path.rpartition('/')[2]}"):
            site = _place(root, row.path, row.range)
            ours[site].add(_target(root, row.callee))
            if row.callee.symbol and not is_local(row.callee.symbol):
                symbols[row.callee.symbol].add(site)
    return Indexed(root, theirs, {site: frozenset(found) for site, found in ours.items()}, symbols)


def test_calls_are_those_that_the_compiler_resolves(rxjs: Indexed) -> None:
    assert len(rxjs.theirs) > 1000
    differences = [
        Difference(place, _text(rxjs.root, place), rxjs.ours.get(place, frozenset()), rxjs.theirs.get(place))
        for place in sorted(rxjs.theirs.keys() | rxjs.ours.keys())
        if not _agree(rxjs.ours.get(place, frozenset()), rxjs.theirs.get(place))
    ]
    unexplained = [_told(one, rxjs.root) for one in differences if not any(rule(one) for rule in RULES)]
    assert unexplained == [], "\n".join(unexplained)
    idle = [rule.__name__ for rule in RULES if not any(map(rule, differences))]
    assert idle == []


def _agree(ours: frozenset[Target], theirs: Call | None) -> bool:
    """Tell whether the checker says just what we say, of a symbol with several declarations the first."""
    if theirs is None:
        return not ours
    if theirs.declared:
        return bool(ours) and ours <= set(theirs.declared)
    return ours == (frozenset() if theirs.external is None else {theirs.external})


def test_callers_are_the_calls_turned_round(rxjs: Indexed) -> None:
    assert len(rxjs.symbols) > 300
    wrong = []
    for symbol, sites in sorted(rxjs.symbols.items()):
        # A constructor is called where its class is constructed too: there the class is the callee.
        callers = {
            _place(rxjs.root, row.path, row.range)
            for row in _rows(rxjs.root, "callers", symbol)
            if row.callee.symbol == symbol
        }
        wrong += [f"{symbol}: only calls: {site}" for site in sorted(sites - callers)]
        wrong += [f"{symbol}: only callers: {site}" for site in sorted(callers - sites)]
    assert wrong == [], "\n".join(wrong)


def _rows(root: Root, verb: str, identifier: str) -> Iterator[CallRow]:
    """Yield all rows of an answer; the files of the package do not change meanwhile."""
    cursor: str | None = None
    while True:
        question = Question(verb, identifier, limit=1000, cursor=cursor, freshness="answer")
        page = answer(question, root)
        assert page.page.coverage.state in ("complete", "partial"), page.page
        for row in page.rows:
            assert isinstance(row, CallRow)
            yield row
        cursor = page.page.next_cursor
        if cursor is None:
            return


def _target(root: Root, callee: Node) -> Target:
    if callee.path is None or callee.range is None:
        return callee.name
    return _place(root, callee.path, callee.range)


def _place(root: Root, path: str, span: Range) -> Place:
    """Turn a range in code points into a place in UTF-16 units."""
    text = _line(root, Place(path, span.line, 0, 0))
    start, end = (len(text[:column].encode("utf-16-le")) // 2 for column in (span.column, span.end_column))
    return Place(path, span.line, start, end)


def _text(root: Root, place: Place) -> str:
    units = _line(root, place).encode("utf-16-le")
    return units[2 * place.start : 2 * place.end].decode("utf-16-le")


def _line(root: Root, place: Place) -> str:
    return _lines(root.path, place.path)[place.line]


@cache
def _lines(root: str, path: str) -> list[str]:
    return (Path(root) / path).read_text(encoding="utf-8-sig").split("\n")


def _told(found: Difference, root: Root) -> str:
    theirs = found.theirs and (found.theirs.declared or found.theirs.external)
    line = _line(root, found.at).strip()
    return (
        f"{found.at.path}:{found.at.line + 1}: {found.text}: ours {set(found.ours)}, theirs {theirs}: {line}"
    )
