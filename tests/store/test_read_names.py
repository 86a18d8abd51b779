"""Looking up names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from codetrail.model.documents import Extent
from codetrail.model.ranges import Range
from codetrail.store import read_names
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
    assert texts(shard, read_names.names_containing(shard, "NDER", limit=9)) == {"finder", "ünder"}
    assert texts(shard, read_names.names_containing(shard, "UseR", limit=9)) == {
        "find_user",
        "findUser",
        "FINDUSER",
        "find-user",
    }
    assert read_names.names_containing(shard, "%", limit=9) == ()
    everything = read_names.names_containing(shard, "", limit=1000)
    pages: list[int] = []
    while page := read_names.names_containing(shard, "", limit=4, after=pages[-1] if pages else 0):
        pages += page
    assert tuple(pages) == everything
    assert list(map(read_names.name_text, [shard] * len(pages), pages)) == sorted(texts(shard, everything))


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


def test_unbound_tokens_per_document(shard_of: Callable[..., Shard]) -> None:
    shard = shard_of(
        cart(path="a.py", unbound={"x": 2, "y": 1}), cart(path="b.py", unbound={"x": 5}), cart(path="c.py")
    )
    ids = read_names.names_exact(shard, "x") + read_names.names_exact(shard, "y")
    assert read_names.unbound(shard, ids) == {1: 3, 2: 5}
    assert read_names.unbound_total(shard, ids) == 8
    assert read_names.unbound_total(shard, []) == 0
