"""Callers of every symbol of real packages are the direct calls that Python's own parser sees at its uses.

Both ways: a use that Python calls is a row of ``callers``, a row of ``callers`` is a use that Python calls;
and the rows of ``calls`` of all modules together are the same edges again. What differs must be explained by
one of the rules named below, which look at what the symbol is, never at our answer.
"""

from __future__ import annotations

import ast
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, ReferenceRow
from codetrail.model.calls import CallRow
from codetrail.model.reports import BuildOptions
from codetrail.output.shapes import query_input
from codetrail.query.engine import answer
from codetrail.store.read_symbols import all_symbols
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.root import Root, find_root
from tests import downloads

Place = tuple[str, int, int]
"""Path, line and column (0-based, code points) of a name."""

PACKAGES = ("httpx", "rich")
LEAST_CALLS = {"httpx": 3_500, "rich": 3_000}
"""Calls of each package that a compiler binds, at least: so that the test looks at something."""


LEAST_CALLERS = 500


class Seen(NamedTuple):
    """What Python's parser sees in a tree: the names that are called, and those that decorate."""

    called: set[Place]
    decorating: set[Place]


@pytest.fixture(scope="module", params=PACKAGES)
def package(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Root:
    """Return a copy of a package that is indexed."""
    tree = tmp_path_factory.mktemp("calls") / request.param
    shutil.copytree(downloads.sdist(request.param), tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODETRAIL_PYTHON", str(downloads.interpreter()))
        report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    return find_root(str(tree))


def seen_by_python(root: Root) -> Seen:
    """Read every file with Python's own parser."""
    seen = Seen(set(), set())
    for file in sorted(Path(root.path).rglob("*.py")):
        path = file.relative_to(root.path).as_posix()
        text = file.read_text(encoding="utf-8")
        lines = text.split("\n")
        nodes = list(ast.walk(ast.parse(text)))
        decorators = [one for node in nodes for one in getattr(node, "decorator_list", ())]
        names = (one.func if isinstance(one, ast.Call) else one for one in decorators)
        seen.decorating.update(place for name in names for place in _place(name, path, lines))
        applied = set(map(id, decorators))
        for node in nodes:
            if isinstance(node, ast.Call) and id(node) not in applied:
                seen.called.update(_place(node.func, path, lines))
    return seen


def _place(name: ast.expr, path: str, lines: list[str]) -> Iterator[Place]:
    """Give the place of the name that an expression ends with; of other expressions none."""
    if isinstance(name, ast.Name):
        line, column = name.lineno, name.col_offset
    elif isinstance(name, ast.Attribute):
        assert name.end_lineno is not None
        assert name.end_col_offset is not None
        line, column = name.end_lineno, name.end_col_offset - len(name.attr.encode())
    else:
        return
    yield path, line - 1, len(lines[line - 1].encode()[:column].decode())


def all_rows(root: Root, verb: str, identifier: str) -> list[ReferenceRow | CallRow]:
    """Return the rows of all pages, which are as many as every page says."""
    rows: list[ReferenceRow | CallRow] = []
    cursor = None
    while True:
        given = answer(
            Question(verb, identifier, limit=1000, cursor=cursor, freshness="off", input_mode="strict"), root
        )
        rows += [row for row in given.rows if isinstance(row, ReferenceRow | CallRow)]
        cursor = given.page.next_cursor
        if cursor is None:
            assert given.page.total == len(rows), identifier
            return rows


def symbols(root: Root) -> list[str]:
    """Return every symbol of the index, also those that other packages define."""
    found: set[str] = set()
    with closing(open_snapshot(root.path)) as snapshot:
        for entry in snapshot.manifest.shards_for():
            shard = snapshot.shard(entry)
            after = 0
            while rows := all_symbols(shard, after=after, limit=1000):
                found |= {row.string for row in rows}
                after = rows[-1].id
    return sorted(found)


def is_constructor(symbol: str) -> bool:
    """Constructions of a class are calls of its constructor too; ``refs`` knows them as uses of the class."""
    return symbol.endswith(("#__init__().", "#__new__()."))


def is_property(rows: list[ReferenceRow]) -> bool:
    """What is called at a property is the value that it gives."""
    return any(row.definition is not None and row.definition.kind == "property" for row in rows)


def test_callers_are_the_calls_that_python_sees(package: Root) -> None:
    seen = seen_by_python(package)
    bound: set[Place] = set()
    edges: set[tuple[Place, str]] = set()
    unlike: list[tuple[str, str, Place]] = []
    for symbol in symbols(package):
        uses = [row for row in all_rows(package, "refs", symbol) if isinstance(row, ReferenceRow)]
        rows = [row for row in all_rows(package, "callers", symbol) if isinstance(row, CallRow)]
        if is_constructor(symbol):
            rows = [row for row in rows if row.use != "construct"]
        places = {_of(row) for row in uses}
        for kind, ours, theirs in (
            ("called", {_of(row) for row in rows if row.use != "decorator"}, places & seen.called),
            ("decorating", {_of(row) for row in rows if row.use == "decorator"}, places & seen.decorating),
        ):
            if is_property(uses):
                assert not ours, (symbol, ours)
                continue
            unlike += [(symbol, f"{kind}, by Python only", place) for place in sorted(theirs - ours)]
            unlike += [(symbol, f"{kind}, by us only", place) for place in sorted(ours - theirs)]
        bound |= places & seen.called
        edges |= {(_of(row), symbol) for row in rows}
    assert unlike == []
    assert len(bound) > LEAST_CALLS[Path(package.path).name]
    assert made_in_all_modules(package, symbols(package)) == edges


def test_every_caller_pastes_back_and_lists_its_calls(package: Root) -> None:
    made: dict[str, set[tuple[Place, str | None]]] = {}
    for symbol in symbols(package):
        for row in all_rows(package, "callers", symbol):
            if isinstance(row, CallRow):
                made.setdefault(query_input(row.caller), set()).add((_of(row), row.callee.symbol))
    assert len(made) > LEAST_CALLERS
    for caller, calls in made.items():
        given = [row for row in all_rows(package, "calls", caller) if isinstance(row, CallRow)]
        assert calls <= {(_of(row), row.callee.symbol) for row in given}, caller


def made_in_all_modules(root: Root, known: list[str]) -> set[tuple[Place, str]]:
    """Return the rows of ``calls`` of every module; a local that is called has no symbol elsewhere."""
    return {
        (_of(row), row.callee.symbol or "")
        for symbol in known
        if symbol.endswith("/__init__:")
        for row in all_rows(root, "calls", symbol)
        if isinstance(row, CallRow) and not (row.callee.symbol or "").startswith("local ")
    }


def _of(row: ReferenceRow | CallRow) -> Place:
    return row.path, row.range.line, row.range.column
