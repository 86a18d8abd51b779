"""Looking up names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from codetrail.model.documents import Extent
from codetrail.model.kinds import CALLBACK
from codetrail.model.ranges import Range
from codetrail.store import read_documents, read_names, read_symbols
from codetrail.store.shard_reader import Shard
from tests.store.builders import cart, span

NAMES = ("find_user", "findUser", "FINDUSER", "find-user", "finder", "Straße", "STRASSE", "ﬁnd", "ünder")


@pytest.fixture
def shard(shard_of: Callable[..., Shard]) -> Shard:
    """Return a shard that knows NAMES."""
    return shard_of(cart(unbound=dict.fromkeys(NAMES, 1)))


def texts(shard: Shard, ids: tuple[int, ...]) -> set[str]:
    return {read_names.name_text(shard, name) for name in ids}


@pytest.mark.parametrize(
    ("find", "text", "found"),
    [
        (read_names.names_exact, "findUser", {"findUser"}),
        (read_names.names_exact, "finduser", set()),
        (read_names.names_fold, "finduser", {"findUser", "FINDUSER"}),
        (read_names.names_fold, "strasse", {"Straße", "STRASSE"}),
        (read_names.names_fold, "FIND", {"ﬁnd"}),
        (read_names.names_style, "find_User", {"find_user", "findUser", "FINDUSER", "find-user"}),
        (read_names.names_style, "finder", {"finder"}),
    ],
)
def test_forms_of_names(
    shard: Shard, find: Callable[[Shard, str], tuple[int, ...]], text: str, found: set[str]
) -> None:
    assert texts(shard, find(shard, text)) == found


def test_names_containing_a_text(shard: Shard) -> None:
    assert set(read_names.names_containing(shard, "NDER").values()) == {"finder", "ünder"}
    assert set(read_names.names_containing(shard, "UseR").values()) == {
        "find_user",
        "findUser",
        "FINDUSER",
        "find-user",
    }
    assert read_names.names_containing(shard, "%") == {}
    everything = read_names.names_containing(shard, "")
    assert {**everything} == {number: read_names.name_text(shard, number) for number in everything}
    assert {"Cart", "add", *NAMES} <= set(everything.values())


def test_cards_are_what_is_known_of_symbols(shard: Shard) -> None:
    names = read_names.names_containing(shard, "")
    cards = read_names.cards(shard, names)
    assert {names[card.name] for card in cards} == {"Cart", "add", "total"}
    for card in cards:
        row = read_symbols.symbol(shard, card.symbol)
        assert row is not None
        assert (card.doc, card.line, card.kind) == (row.doc, row.line, row.kind)
        assert (card.flags, card.descr) == (row.flags, row.descr)
        assert read_names.packages(shard)[card.package] == row.package
    assert read_names.cards(shard, []) == []


def test_spread_counts_the_definitions_of_each_symbol(shard: Shard) -> None:
    every = [row.id for row in read_symbols.all_symbols(shard, limit=1000)]
    expected = {
        number: Counter(one.doc for one in read_symbols.definitions(shard, number)) for number in every
    }
    assert read_names.spread(shard, every) == {number: docs for number, docs in expected.items() if docs}
    assert len(read_names.spread(shard, every)) == 3


def test_definitions_that_only_syntax_knows(shard: Shard) -> None:
    hidden = read_names.names_containing(shard, "iDD")
    assert [(hidden[name], doc, n) for name, doc, n in read_names.syntax_cards(shard, hidden)] == [
        ("Hidden", 1, 3)
    ]
    assert read_names.syntax_cards(shard, read_names.names_containing(shard, "cart")) == []


def test_symbols_by_name_and_owner(shard: Shard) -> None:
    (add,) = read_names.names_exact(shard, "add")
    (cart_name,) = read_names.names_exact(shard, "Cart")
    (base,) = read_names.names_exact(shard, "Base")
    every = read_names.symbols_named(shard, add)
    assert {(row.owner, row.doc, row.line, row.column) for row in every} == {
        (cart_name, 1, 1, 8),
        (base, -1, -1, -1),
    }
    assert [row.owner for row in read_names.symbols_named(shard, add, cart_name)] == [cart_name]
    assert read_names.symbols_named(shard, add, 0) == ()


def test_definitions_only_syntax_knows(shard: Shard) -> None:
    (hidden,) = read_names.names_exact(shard, "Hidden")
    (total,) = read_names.names_exact(shard, "total")
    assert read_names.syntax_definitions(shard, hidden) == ((1, 3, total),)
    assert read_names.syntax_definitions(shard, hidden, total) == ((1, 3, total),)
    assert read_names.syntax_definitions(shard, hidden, 0) == ()
    assert read_names.syntax_definitions(shard, total) == ()


def test_a_nameless_extent_bears_no_name(shard_of: Callable[..., Shard]) -> None:
    shard = shard_of(cart(extents=(Extent("", 17, "", "", -1, span(0), Range(0, 0, 9, 0), 1),)))
    assert read_names.names_exact(shard, "") == ()


def test_a_callback_is_found_by_place_and_owns_nothing(shard_of: Callable[..., Shard]) -> None:
    body = Range(0, 0, 9, 0)
    extents = (
        Extent("", 17, "outer", "outer", -1, span(0), body, 1),
        Extent("", CALLBACK, 'it("a")', 'outer.it("a")', 0, span(1), body, 1),
        Extent("", 17, "inner", "outer.inner", 1, span(2), body, 1),
    )
    shard = shard_of(cart(extents=extents))
    names = {read_names.name_text(shard, name): name for name in read_names.names_containing(shard, "")}
    assert read_names.syntax_definitions(shard, names["inner"]) == ((1, 2, names["outer"]),)
    assert read_names.syntax_definitions(shard, names['it("a")']) == ()
    assert [(made.name, made.kind) for made in read_documents.extents(shard, 1)][1] == ('it("a")', CALLBACK)


def test_unbound_tokens_per_document(shard_of: Callable[..., Shard]) -> None:
    shard = shard_of(
        cart(path="a.py", unbound={"x": 2, "y": 1}), cart(path="b.py", unbound={"x": 5}), cart(path="c.py")
    )
    ids = read_names.names_exact(shard, "x") + read_names.names_exact(shard, "y")
    assert read_names.unbound(shard, ids) == {1: 3, 2: 5}
    assert read_names.unbound_total(shard, ids) == 8
    assert read_names.unbound_total(shard, []) == 0
