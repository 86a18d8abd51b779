"""Counts of every symbol of a real package equal what counting the rows of ``refs`` gives, sort by sort."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Answer, Question, ReferenceRow, SymbolRow
from codetrail.model.counts import SymbolCounts
from codetrail.model.ranges import Range
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.workspace.languages import is_test_path
from codetrail.workspace.root import Root, find_root
from tests import downloads

CALLS = {"call", "construct", "decorator"}


@pytest.fixture(scope="module")
def httpx(tmp_path_factory: pytest.TempPathFactory) -> Root:
    """Return a copy of httpx that is indexed."""
    tree = tmp_path_factory.mktemp("counts") / "httpx"
    shutil.copytree(downloads.sdist("httpx"), tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODETRAIL_PYTHON", str(downloads.interpreter()))
        report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    return find_root(str(tree))


def listed(root: Root, limit: int = 1000) -> list[SymbolRow]:
    """Return all rows of ``symbols --counts``."""
    rows: list[SymbolRow] = []
    cursor = None
    while True:
        page = answer(Question("symbols", "", counts=True, limit=limit, cursor=cursor), root)
        rows += [row for row in page.rows if isinstance(row, SymbolRow)]
        cursor = page.page.next_cursor
        if cursor is None:
            return rows


def uses(root: Root, symbol: str, freshness: str) -> tuple[list[ReferenceRow], Answer]:
    """Return all rows of ``refs --include-overrides``, and an answer that has its coverage."""
    rows: list[ReferenceRow] = []
    cursor = None
    while True:
        question = Question("refs", symbol, limit=1000, include_overrides=True, freshness=freshness)
        page = answer(question._replace(cursor=cursor), root)
        rows += [row for row in page.rows if isinstance(row, ReferenceRow)]
        cursor = page.page.next_cursor
        if cursor is None:
            dropped = any(reason.dropped_rows for reason in page.page.coverage.reasons)
            assert page.page.total == (None if dropped else len(rows))
            return rows, page


def is_inside(row: ReferenceRow, bodies: list[tuple[str, Range]]) -> bool:
    return any(path == row.path and body[:2] <= row.range[:2] < body[2:] for path, body in bodies)


def counted(root: Root, symbol: str, bodies: list[tuple[str, Range]], freshness: str = "off") -> SymbolCounts:
    """Count the rows of ``refs``, one by one."""
    wider, whole = uses(root, symbol, freshness)
    rows = [row for row in wider if row.via is None]
    others = [row for row in rows if row.use != "import"]
    bases = [row for row in wider if row.via is not None and row.via.kind == "overrides"]
    return SymbolCounts(
        refs=sum(not is_inside(row, bodies) for row in others),
        calls=sum(row.use in CALLS for row in rows),
        imports=len(rows) - len(others),
        tests=sum(is_test_path(row.path, row.language) for row in rows),
        via_base=sum(row.use != "import" and not is_inside(row, bodies) for row in bases),
        unresolved=whole.page.coverage.unresolved or 0,
    )


def assignment(root: Root, row: SymbolRow, *, is_first: bool) -> Range:
    """Return the whole statement that assigns a name, for whose definition compilers give no body."""
    assert row.node.path is not None
    assert row.node.range is not None
    name = row.node.range
    source = (Path(root.path) / row.node.path).read_text(encoding="utf-8")
    line = source.split("\n")[name.line]
    end = (name.line + 1, len(line[: name.end_column].encode()))
    for node in ast.walk(ast.parse(source)):
        if is_first and isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any((target.end_lineno, target.end_col_offset) == end for target in targets):
                return Range(node.lineno - 1, node.col_offset, (node.end_lineno or 1) - 1, 1 << 30)
    return name


def bodies_of(root: Root, rows: list[SymbolRow]) -> dict[str, list[tuple[str, Range]]]:
    """Return where the definitions of each symbol stand whole; what only the parser knows has no counts."""
    bodies: dict[str, list[tuple[str, Range]]] = {}
    for row in rows:
        if row.node.symbol is None:
            assert row.counts is None
            continue
        assert row.node.path is not None
        own = bodies.setdefault(row.node.symbol, [])
        # Of several assignments of a name the first one stands for it.
        own.append((row.node.path, row.body or assignment(root, row, is_first=not own)))
    return bodies


def test_counts_are_those_of_the_rows_of_refs(httpx: Root) -> None:
    rows = listed(httpx)
    bodies = bodies_of(httpx, rows)
    given = {row.node.symbol: row.counts for row in rows}
    different = []
    for symbol, own in bodies.items():
        counts = given[symbol]
        assert counts is not None
        assert not counts.at_least
        expected = counted(httpx, symbol, own)
        if counts._replace(decorated=False) != expected:
            different.append((symbol, counts, expected))
    assert different == []
    found = [counts for counts in given.values() if counts is not None]
    assert len(found) > 3000
    for field in ("refs", "calls", "imports", "tests", "via_base", "unresolved"):
        assert sum(getattr(counts, field) > 0 for counts in found) > 20, field


def test_pages_of_the_list_are_the_list(httpx: Root) -> None:
    rows = listed(httpx)
    assert listed(httpx, limit=193) == rows
    ranks = [row.counts.refs if row.counts is not None else 1 << 62 for row in rows]
    assert ranks == sorted(ranks)


def test_counts_of_a_changed_workspace_are_those_of_the_rows_that_are_left(httpx: Root) -> None:
    file = Path(httpx.path) / "httpx" / "_client.py"
    known = file.read_bytes()
    bodies = bodies_of(httpx, listed(httpx))
    before = {row.node.symbol: row.counts for row in listed(httpx)}
    # Every other line is another one now; none stands elsewhere, so that extents are where they were.
    file.write_bytes(b"".join(line + b"#" * (n % 2) + b"\n" for n, line in enumerate(known.split(b"\n"))))
    try:
        after = {row.node.symbol: row.counts for row in listed(httpx)}
        kept = [symbol for symbol in bodies if symbol in after]
        fewer = [symbol for symbol in kept if _refs(before[symbol]) > _refs(after[symbol])]
        changed = []
        for symbol in fewer[::5] + kept[::97]:
            counts = after[symbol]
            assert counts is not None
            assert counts.at_least
            expected = counted(httpx, symbol, bodies[symbol], "full")
            if counts._replace(decorated=False, at_least=False) != expected:
                changed.append((symbol, counts, expected))
        assert changed == []
        assert len(fewer) > 100
    finally:
        file.write_bytes(known)


def _refs(counts: SymbolCounts | None) -> int:
    assert counts is not None
    return counts.refs
