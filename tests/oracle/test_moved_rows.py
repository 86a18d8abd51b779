"""Rows of an edited package are those of the next index, as far as their lines are unchanged.

The edits change no meaning: comments between the statements that Python's own parser sees, and comments
behind statements, which change a line and nothing else. So the new index is what moved rows must agree with,
in their places, the callables around them and the extents of definitions.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, ReferenceRow, Row, SymbolRow
from codetrail.model.calls import CallRow
from codetrail.model.ranges import Range
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.store.read_symbols import all_symbols, definitions
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.root import Root, find_root
from tests import downloads

SEED = 20
ASKED = 60
LEAST_MOVED = 400
CHANGED = "  # Changed."

Seen = tuple[object, ...]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    """Return a copy of httpx that is indexed; a build in the test uses the same engine."""
    tree = tmp_path_factory.mktemp("moved") / "httpx"
    shutil.copytree(downloads.sdist("httpx"), tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODETRAIL_PYTHON", str(downloads.interpreter()))
        build_whole(tree)
        yield find_root(str(tree))


def build_whole(tree: Path) -> None:
    report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows


def edit(file: Path, chance: random.Random) -> None:
    """Put comments before some statements and behind others, where nothing but a statement's end stands."""
    text = file.read_text(encoding="utf-8")
    lines = text.split("\n")
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    simple = [node for node in statements if node.lineno == node.end_lineno]
    for node in sorted(statements, key=lambda node: -node.lineno):
        before = lines[node.lineno - 1]
        if before[: node.col_offset].strip() or getattr(node, "decorator_list", None) or "else" in before:
            continue
        if node in simple and chance.random() < 0.1 and node.end_col_offset == len(before.encode()):
            lines[node.lineno - 1] += CHANGED
        elif chance.random() < 0.1:
            lines.insert(node.lineno - 1, before[: node.col_offset] + f"# {chance.random()}")
    edited = "\n".join(lines)
    assert ast.dump(ast.parse(edited)) == ast.dump(ast.parse(text))
    file.write_text(edited, encoding="utf-8")


def symbols(root: Root) -> list[str]:
    """Return every symbol that the index defines."""
    with closing(open_snapshot(root.path)) as snapshot:
        shards = [snapshot.shard(entry) for entry in snapshot.manifest.shards_for()]
        return sorted(
            row.string
            for shard in shards
            for row in all_symbols(shard, limit=100_000)
            if definitions(shard, row.id)
        )


def seen(row: Row) -> Seen:
    """Return all of a row that an edit without meaning may not change."""
    if isinstance(row, SymbolRow):
        return (row.node.path, row.node.range, row.node.qualified_name, row.node.symbol, row.body)
    assert isinstance(row, ReferenceRow | CallRow)
    around = row.enclosing if isinstance(row, ReferenceRow) else row.caller
    return (row.path, row.range, row.text, row.use, around.qualified_name, around.range, around.symbol)


def _place(row: Row) -> tuple[str, Range]:
    if isinstance(row, SymbolRow):
        assert row.node.path is not None
        assert row.node.range is not None
        return row.node.path, row.node.range
    assert isinstance(row, ReferenceRow | CallRow)
    return row.path, row.range


def rows(root: Root, verb: str, symbol: str) -> list[Row]:
    found: list[Row] = []
    cursor = None
    while True:
        question = Question(verb, symbol, limit=1000, cursor=cursor, input_mode="strict")
        given = answer(question, root)
        found += given.rows
        cursor = given.page.next_cursor
        if cursor is None:
            return found


def test_rows_of_an_edited_package(root: Root) -> None:
    chance = random.Random(SEED)
    for file in sorted(Path(root.path).rglob("*.py")):
        if file.stat().st_size:
            edit(file, chance)
    asked = [
        (verb, symbol)
        for symbol in chance.sample(symbols(root), ASKED)
        for verb in ("defs", "refs", "callers", "calls")
    ]
    before = [rows(root, *one) for one in asked]
    moved = [row for found in before for row in found if getattr(row, "freshness", None)]
    assert len(moved) >= LEAST_MOVED
    assert {getattr(row, "freshness", None) for found in before for row in found} <= {"moved", None}
    build_whole(Path(root.path))
    lines = {
        file.relative_to(root.path).as_posix(): file.read_text(encoding="utf-8").split("\n")
        for file in Path(root.path).rglob("*.py")
    }

    def is_changed(row: Row) -> bool:
        path, span = _place(row)
        return lines[path][span.line].endswith(CHANGED)

    for one, found in zip(asked, before, strict=True):
        now = [seen(row) for row in rows(root, *one) if not is_changed(row)]
        told = [seen(row) for row in found if getattr(row, "reliability", "") != "parser_fact"]
        assert told == now, one
