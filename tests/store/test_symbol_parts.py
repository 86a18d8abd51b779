"""Taking sorted symbols apart gives what parsing each of them gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from codetrail.model import symbols
from codetrail.store.packages import package_key
from codetrail.store.symbol_parts import parts_of

UNIT = "python:."
heads = st.sampled_from(
    [
        "s m p 1 ",
        "s m p 1",
        "s m p  1 ",
        "s m  p 1 ",
        "s m p  ",
        "s . . . ",
        "local ",
        "local a b c ",
        "",
        "x",
        "s m p 2 ",
    ]
)
plain = "a/ a# b# a. a(). a(+1). [T] (p) a: a! __init__: anon0: 1: a-b/ $x."
odd = "`a`b`# `a``b`# `a` ` é# +# a ( ) . ``/ a( (+1)."
pieces = st.sampled_from([*plain.split(), *odd.split(), " ", "  ", "`a b`/", "local "])
texts = st.builds(lambda head, parts: head + "".join(parts), heads, st.lists(pieces, max_size=5))


@example(["s m p 1 T#", "s m p 1 T#n/", "s m p 1 T#n/x."])
@example(["s m p 1 `a.b`/__init__:", "s m p 1 `a.b`/__init__:x."])
@example(["s m p 1 a#f().", "s m p 1 a#f().(p)", "s m p 1 a#f().(p]", "s m p 1 a#f().[p)", "s m p 1 a#[T]"])
@example(["s m p 1 a().", "s m p 1 a().anon0:", "s m p 1 a().anon0:1:x.", "s m p 1 a().anon0:b()."])
@given(st.lists(texts, unique=True, max_size=40))
def test_neighbours_change_nothing(found: list[str]) -> None:
    ordered = sorted(found)
    for symbol, parts in zip(ordered, parts_of(ordered, UNIT), strict=True):
        assert parts.join_key == symbols.join_key(symbol, UNIT)
        try:
            parsed = symbols.parse(symbol)
        except symbols.SymbolError:
            assert (parts.package, parts.key, parts.descr, parts.name, parts.kind) == (
                None,
                None,
                symbol,
                "",
                0,
            )
            continue
        assert (parts.package, parts.descr) == (parsed.package, parsed.descr)
        assert parts.key == package_key(parsed.package)
        names = symbols.names(parsed.descriptors)
        assert parts.name == names[-1]
        assert parts.owner_name == (names[-2] if len(names) > 1 else "")
        assert parts.owner in (0, *range(1, len(ordered) + 1))
        owners = [
            number
            for number, other in enumerate(ordered, 1)
            if symbol.startswith(other) and descriptors_of(other) == parsed.descriptors[:-1]
        ]
        canonical = symbol.endswith(symbols.format_descriptor(parsed.descriptors[-1]))
        assert parts.owner == (owners[0] if owners and canonical else 0)


def descriptors_of(symbol: str) -> tuple[symbols.Descriptor, ...] | None:
    try:
        return symbols.parse(symbol).descriptors
    except symbols.SymbolError:
        return None


@pytest.mark.parametrize(
    ("symbol", "owner"),
    [
        ("s m p 1 a/B#c().", "s m p 1 a/B#"),
        ("s m p 1 a/B#c().(d)", "s m p 1 a/B#c()."),
        ("s m p 1 a/B#[T]", "s m p 1 a/B#"),
        ("s m p 1 `x y`/`a b`#", "s m p 1 `x y`/"),
        ("s m p 1 a/", ""),
        ("s m p 1 a/`B`#", ""),
    ],
    ids=["method", "parameter", "type parameter", "backticks", "outermost", "needless backticks"],
)
def test_the_owner_is_the_symbol_without_its_last_descriptor(symbol: str, owner: str) -> None:
    ordered = sorted({"s m p 0 z#", symbol, owner} - {""})
    found = dict(zip(ordered, parts_of(ordered, UNIT), strict=True))
    assert found[symbol].owner == (ordered.index(owner) + 1 if owner else 0)
    (alone,) = parts_of([symbol], UNIT)
    assert alone.owner == 0
    assert alone[:6] == found[symbol][:6]
