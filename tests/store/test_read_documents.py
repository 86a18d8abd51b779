"""What a shard says of files."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codetrail.model import facts, kinds, symbols
from codetrail.model.documents import Diagnostic
from codetrail.model.ranges import Range
from codetrail.store import read_documents, read_names, read_symbols
from codetrail.store.shard_reader import Shard
from tests.store.builders import CLASS, FUNCTION, METHOD, cart, span

MakeShard = Callable[..., Shard]


def test_a_document_by_path_and_id(shard_of: MakeShard) -> None:
    torn = cart(path="shop/torn.py", flags=facts.DOC_SYNTAX_ERRORS)
    shard = shard_of(cart(), cart(path="shop/more.py", reason="x", state=3), torn)
    row = read_documents.document(shard, "shop/more.py")
    assert row == read_documents.document_by_id(shard, 2)
    assert row == (2, "shop/more.py", "python", bytes(range(32)), 400, 0, 3, "x", 30, 28)
    assert read_documents.document(shard, "shop/MORE.py") is None
    assert read_documents.path_of(shard, 2) == "shop/more.py"
    assert read_documents.path_of(shard, 4) == ""
    assert [one.path for one in read_documents.imprecise_documents(shard)] == ["shop/more.py", "shop/torn.py"]


def test_more_documents_than_a_page(shard_of: MakeShard) -> None:
    paths = [f"{number:05d}.py" for number in range(2003)]
    shard = shard_of(
        *[cart(path=path, occurrences=(), definitions=(), extents=(), symbols=()) for path in paths]
    )
    assert [row.path for row in read_documents.documents(shard)] == paths
    assert [row.id for row in read_documents.documents(shard, first=999, last=1001)] == [999, 1000, 1001]


def test_extents_are_read_as_written(shard_of: MakeShard) -> None:
    document = cart()
    shard = shard_of(document)
    rows = read_documents.extents(shard, 1)
    for row, extent in zip(rows, document.extents, strict=True):
        assert row == read_documents.extent(shard, 1, row.n)
        assert (row.kind, row.name, row.qualified, row.parent) == extent[1:5]
        assert (row.name_range, row.body, row.origin) == extent[5:]
        symbol = read_symbols.symbol(shard, row.symbol)
        assert (symbol.string if symbol else "") == extent.symbol
    assert read_documents.extent(shard, 1, 9) is None
    method = rows[1].symbol
    assert read_documents.extents_of(shard, 1, method) == (rows[1],)


@pytest.mark.parametrize(
    ("line", "column", "names"),
    [
        (2, 8, ["add", "Cart"]),
        (1, 3, ["Cart"]),
        (1, 4, ["add", "Cart"]),
        (3, 0, []),
        (7, 4, ["Hidden", "total"]),
        (8, 0, []),
        (99, 0, []),
    ],
)
def test_extents_around_a_place_innermost_first(
    shard_of: MakeShard, line: int, column: int, names: list[str]
) -> None:
    assert [row.name for row in read_documents.extents_around(shard_of(cart()), 1, line, column)] == names


def test_import_edges_both_ways(shard_of: MakeShard) -> None:
    other = cart(path="shop/other.py", imports=(("shop/base.py", True), ("shop/base.py", False)))
    shard = shard_of(cart(), other)
    assert read_documents.imports(shard, 1) == (("shop/base.py", True), ("stripe", False))
    assert read_documents.imports(shard, 2) == (("shop/base.py", True),)
    assert read_documents.importers(shard, "shop/base.py") == (1, 2)
    assert read_documents.importers(shard, "stripe") == (1,)


def test_diagnostics_come_in_order_and_once(shard_of: MakeShard) -> None:
    remarks = (Diagnostic(4, 0, "b", "x"), Diagnostic(1, 2, "a", "y"), Diagnostic(4, 0, "b", "x"))
    shard = shard_of(cart(diagnostics=remarks))
    assert read_documents.diagnostics(shard, 1) == ((1, 2, "a", "y"), (4, 0, "b", "x"))


def test_line_hashes(shard_of: MakeShard) -> None:
    assert read_documents.line_hashes(shard_of(cart()), 1) == bytes(range(40))


def test_definitions_of_a_symbol_and_in_lines(shard_of: MakeShard) -> None:
    shard = shard_of(cart())
    named = {}
    for row in read_documents.extents(shard, 1)[:3]:
        (definition,) = read_symbols.definitions(shard, row.symbol)
        named[read_symbols.symbol(shard, row.symbol).string] = definition  # type: ignore[union-attr]
    assert named[CLASS].body == Range(0, 0, 3, 0)
    assert named[FUNCTION].body is None
    assert named[METHOD].name == span(1, 8)
    assert [row.name.line for row in read_symbols.definitions_in(shard, 1, 1, 4)] == [1, 4]


def test_symbols_in_order(shard_of: MakeShard) -> None:
    shard = shard_of(cart())
    pages: list[read_symbols.SymbolRow] = []
    while page := read_symbols.all_symbols(shard, after=pages[-1].id if pages else 0, limit=2):
        pages += page
    assert [row.string for row in pages] == sorted(row.string for row in pages)
    assert len(pages) == shard.meta["symbols"]


@pytest.mark.parametrize("used", [False, True], ids=["defined here", "used here too"])
def test_symbols_of_a_list(shard_of: MakeShard, used: bool) -> None:
    shard = shard_of(cart())
    listed = {one.descr: one for one in read_symbols.listed_symbols(shard, used=used)}
    defined = {"`shop.cart`/Cart#", "`shop.cart`/Cart#add().", "`shop.cart`/total()."}
    assert listed.keys() == (defined | {"`requests.api`/get()."} if used else defined)
    assert listed["`shop.cart`/Cart#"].kind == kinds.NUMBERS["class"]
    assert read_names.packages(shard)[listed["`shop.cart`/Cart#"].package] == symbols.parse(CLASS).package
    assert [listed[name].uses for name in ("`shop.cart`/Cart#", "`shop.cart`/total().")] == [0, 1]
    assert (listed["`shop.cart`/total()."].doc, listed["`shop.cart`/total()."].line) == (1, 4)


def test_definitions_that_only_syntax_knows(shard_of: MakeShard) -> None:
    shard = shard_of(cart())
    assert read_names.all_syntax_definitions(shard) == [(1, 3)]
