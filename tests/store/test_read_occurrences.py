"""Any facts that are written are read back, and any pages put together are the whole."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetrail.model import facts
from codetrail.model.documents import Definition, DocumentFacts, Occurrence, Relation
from codetrail.model.ranges import Range
from codetrail.model.symbols import join_key
from codetrail.store import read_documents, read_names, read_symbols
from codetrail.store.read_occurrences import (
    ALL_USES,
    BEFORE_ALL,
    OccurrenceRow,
    Place,
    count_occurrences,
    documents_of,
    locals_of,
    occurrences,
    occurrences_at,
    occurrences_in,
    uses_set,
)
from codetrail.store.shard_reader import Shard, open_shard
from tests.store.builders import CALL, CLASS, FUNCTION, VALUE, cart, span, write

UNIT = "python:."
SYMBOLS = (
    "codetrail-python python shop 1.0 `shop.cart`/Cart#",
    "codetrail-python python shop 2.0 `shop.cart`/Cart#",
    "codetrail-python python Shop_X 1.0 `shop.cart`/Cart#add().",
    "codetrail-python python . . `shop`/__init__:",
    "rust-analyzer cargo a  b 0.1 `größe`/Ωmega!",
    "scip-ts npm @x/y 1.0 src/`a b.ts`/f().(p)",
    "s   m p  q   v a/b#[T]",
    "s . . . x.",
    "not a symbol at all",
    "",
    "local-looking nothing",
    "s m p v a`b/",
)

ranges = st.builds(
    lambda line, column, lines, width: Range(line, column, line + lines, width if lines else column + width),
    st.integers(0, 30),
    st.integers(0, 20),
    st.sampled_from([0, 0, 0, 1]),
    st.integers(0, 9),
)
occurrence = st.builds(
    Occurrence,
    st.sampled_from(SYMBOLS),
    ranges,
    st.sampled_from([0, 1, 2, 8, 1 << 16]),
    st.integers(0, 7),
    st.just(-1),
)
definition = st.builds(Definition, st.sampled_from(SYMBOLS), ranges, st.none())
relation = st.builds(
    Relation, st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS), st.integers(0, 15), st.booleans()
)
characters = st.characters(codec="utf-8")
paths = st.text(characters, min_size=1, max_size=8)


@st.composite
def trees(draw: st.DrawFn) -> list[DocumentFacts]:
    """Draw documents in the order of their paths' bytes."""
    names = draw(st.lists(paths, unique=True, max_size=6))
    return [
        DocumentFacts(
            path=path,
            language=draw(st.sampled_from(["python", "go"])),
            sha256=draw(st.binary(min_size=32, max_size=32)),
            size=draw(st.integers(0, 1 << 40)),
            flags=draw(st.integers(0, 7)),
            state=draw(st.integers(0, 6)),
            occurrences=tuple(draw(st.lists(occurrence, max_size=25))),
            definitions=tuple(draw(st.lists(definition, max_size=4))),
            relations=tuple(draw(st.lists(relation, max_size=4))),
            unbound=draw(
                st.dictionaries(
                    st.text(characters, min_size=1),
                    st.integers(1, 9),
                    max_size=4,
                )
            ),
        )
        for path in sorted(names, key=str.encode)
    ]


def id_of(shard: Shard, symbol: str) -> int | None:
    """Return the id of the very symbol."""
    found = [
        row.id for row in read_symbols.symbols_by_key(shard, join_key(symbol, UNIT)) if row.string == symbol
    ]
    assert len(found) < 2
    return found[0] if found else None


def expected_rows(documents: list[DocumentFacts], symbol: str) -> list[tuple[int, ...]]:
    """Say in plain Python what the rows of a symbol must be."""
    merged: dict[tuple[int, Range], tuple[int, int]] = {}
    for doc, document in enumerate(documents, 1):
        for found in document.occurrences:
            if found.symbol != symbol:
                continue
            roles, use = merged.get((doc, found.range), (0, 0))
            uses = [one for one in (use, found.use) if one]
            merged[doc, found.range] = (roles | found.roles, min(uses, default=0))
        for definition in document.definitions:
            if definition.symbol == symbol:
                roles, use = merged.get((doc, definition.name), (0, 0))
                merged[doc, definition.name] = (roles | facts.ROLE_DEFINITION, use)
    return [(doc, *place, roles, use, -1) for (doc, place), (roles, use) in sorted(merged.items())]


@settings(max_examples=60, deadline=None)
@given(trees(), st.integers(1, 7))
def test_what_is_written_is_read(documents: list[DocumentFacts], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        record = write(Path(folder), documents)
        shard = open_shard(f"{folder}/{record.sha256}.db")
        try:
            check_rows(shard, documents, limit)
        finally:
            shard.close()


def check_rows(shard: Shard, documents: list[DocumentFacts], limit: int) -> None:
    rows = list(read_documents.documents(shard))
    assert [(row.path, row.language, row.sha256, row.size, row.flags, row.state) for row in rows] == [
        (one.path, one.language, one.sha256, one.size, one.flags, one.state) for one in documents
    ]
    for symbol in SYMBOLS:
        number = id_of(shard, symbol)
        wanted = expected_rows(documents, symbol)
        if number is None:
            assert not wanted
            continue
        assert [tuple(row)[1:] for row in paged(shard, number, limit)] == wanted
        row = read_symbols.symbol(shard, number)
        assert row is not None
        used = [one for one in wanted if not one[5] & facts.ROLE_DEFINITION]
        assert (
            row.references
            == len(used)
            == count_occurrences(shard, number, without_roles=facts.ROLE_DEFINITION)
        )
        assert row.tests == sum(bool(documents[one[0] - 1].flags & facts.DOC_TEST) for one in used)
        counted = dict(documents_of(shard, number))
        assert sum(counted.values()) == len(wanted)
        defined = sorted(
            {
                (doc, one.name)
                for doc, d in enumerate(documents, 1)
                for one in d.definitions
                if one.symbol == symbol
            }
        )
        assert [(one.doc, one.name) for one in read_symbols.definitions(shard, number)] == defined
        for doc, place in defined:
            there = read_symbols.definitions_in(shard, doc, place.line, place.line)
            assert (number, place) in [(one.symbol, one.name) for one in there]
        assert (row.doc, row.line) == ((defined[0][0], defined[0][1].line) if defined else (-1, -1))
        related: dict[str, int] = {}
        for document in documents:
            for relation in document.relations:
                if relation.symbol == symbol:
                    related[relation.other] = related.get(relation.other, 0) | relation.flags
        for other in read_symbols.relations_from(shard, number):
            string = read_symbols.symbol(shard, other.other)
            assert string is not None
            assert related.pop(string.string) == other.flags
            assert other in read_symbols.relations_to(shard, other.other)
        assert not related
    for doc, document in enumerate(documents, 1):
        for name, count in document.unbound.items():
            assert read_names.unbound(shard, read_names.names_exact(shard, name))[doc] == count


def paged(shard: Shard, symbol: int, limit: int) -> list[OccurrenceRow]:
    """Put together pages of ``limit`` rows."""
    found: list[OccurrenceRow] = []
    after = BEFORE_ALL
    while True:
        page = occurrences(shard, symbol, after=after, limit=limit)
        assert len(page) <= limit
        found += page
        if len(page) < limit:
            return found
        after = Place(*page[-1][1:6])


MakeShard = Callable[..., Shard]


@pytest.fixture
def shop(shard_of: MakeShard) -> Shard:
    """Return a shard of five files; all use ``total``."""
    return shard_of(*[cart(path=path) for path in ("a/x.py", "a/y.py", "a0.py", "b/x.py", "b/z/x.py")])


@pytest.mark.parametrize(
    ("folder", "paths"),
    [
        ("", ["a/x.py", "a/y.py", "a0.py", "b/x.py", "b/z/x.py"]),
        ("a", ["a/x.py", "a/y.py"]),
        ("b", ["b/x.py", "b/z/x.py"]),
        ("b/z", ["b/z/x.py"]),
        ("a0.py", []),
        ("c", []),
        ("A", []),
    ],
)
def test_documents_below_a_folder_are_one_span(shop: Shard, folder: str, paths: list[str]) -> None:
    first, last = read_documents.documents_below(shop, folder)
    assert [row.path for row in read_documents.documents(shop, first=first, last=last)] == paths
    number = id_of(shop, FUNCTION)
    assert number is not None
    assert count_occurrences(shop, number, first_doc=first, last_doc=last) == 3 * len(paths)
    rows = occurrences(shop, number, after=Place(first, -1, -1, -1, -1), last_doc=last, limit=100)
    assert {read_documents.path_of(shop, row.doc) for row in rows} == set(paths)


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({}, [2, 4, 6]),
        ({"uses": uses_set([CALL])}, [2, 6]),
        ({"uses": uses_set([VALUE])}, []),
        ({"uses": uses_set([0])}, [4]),
        ({"uses": ALL_USES, "without_roles": facts.ROLE_DEFINITION}, [2, 6]),
        ({"without_roles": facts.ROLE_READ}, [4]),
        ({"last_doc": 0}, []),
    ],
)
def test_occurrences_by_use_and_role(shard_of: MakeShard, options: dict[str, Any], lines: list[int]) -> None:
    shard = shard_of(cart())
    number = id_of(shard, FUNCTION)
    assert number is not None
    assert [row.line for row in occurrences(shard, number, limit=100, **options)] == lines
    assert count_occurrences(shard, number, **options) == len(lines)


@pytest.mark.parametrize(
    ("line", "column", "symbols"),
    [
        (0, None, [CLASS]),
        (0, 6, [CLASS]),
        (0, 9, [CLASS]),
        (0, 10, []),
        (0, 5, []),
        (3, None, []),
        (99, 0, []),
    ],
)
def test_occurrences_at_a_place(
    shard_of: MakeShard, line: int, column: int | None, symbols: list[str]
) -> None:
    shard = shard_of(cart())
    rows = occurrences_at(shard, 1, line, column)
    assert [read_symbols.symbol(shard, row.symbol).string for row in rows] == symbols  # type: ignore[union-attr]


def test_an_empty_range_is_found_at_its_place(shard_of: MakeShard) -> None:
    shard = shard_of(cart(occurrences=(Occurrence(CLASS, Range(0, 0, 0, 0), 1, 0, -1),)))
    assert len(occurrences_at(shard, 1, 0, 0)) == 1
    assert occurrences_at(shard, 1, 0, 1) == ()


def test_occurrences_in_lines_come_in_order(shard_of: MakeShard) -> None:
    shard = shard_of(cart())
    assert [row.line for row in occurrences_in(shard, 1, 1, 4)] == [1, 2, 4]
    assert occurrences_in(shard, 2, 0, 99) == ()


def test_a_document_without_locals(shard_of: MakeShard) -> None:
    assert locals_of(shard_of(cart()), 1) == ((), ())


def test_a_symbol_nobody_knows(shard_of: MakeShard) -> None:
    shard = shard_of(cart())
    assert occurrences(shard, 999, limit=5) == ()
    assert read_symbols.symbol(shard, 999) is None
    assert occurrences_at(shard, 1, span(0).line, 999) == ()
