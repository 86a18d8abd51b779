"""Packing of document-local symbols."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.model.documents import LocalOccurrence
from codetrail.model.ranges import Range
from codetrail.store.locals import pack, unpack


@st.composite
def local_occurrences(draw: st.DrawFn) -> LocalOccurrence:
    line = draw(st.integers(0, 300))
    column = draw(st.integers(0, 300))
    lines = draw(st.integers(0, 3))
    width = draw(st.integers(0, 1 << 31))
    span = Range(line, column, line + lines, width if lines else column + width)
    symbol = draw(st.integers(0, 400))
    roles = draw(st.sampled_from([0, 1, 8, 1 << 16, 1 << 30]))
    return LocalOccurrence(symbol, span, roles, draw(st.integers(0, 7)), draw(st.integers(-1, 500)))


@given(st.lists(local_occurrences(), unique_by=lambda o: (o.symbol, o.range)), st.lists(st.integers(0, 90)))
def test_what_is_packed_is_unpacked_in_order_of_place(found: list[LocalOccurrence], kinds: list[int]) -> None:
    unpacked, unpacked_kinds = unpack(pack(found, kinds))
    assert list(unpacked) == sorted(found, key=lambda o: (o.range, o.symbol))
    assert list(unpacked_kinds) == kinds


@given(st.lists(local_occurrences(), max_size=20), st.randoms(use_true_random=False))
def test_bytes_do_not_depend_on_the_order(found: list[LocalOccurrence], random: object) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert pack(shuffled, [1]) == pack(found, [1])


def test_the_same_place_twice_is_one() -> None:
    place = Range(1, 2, 1, 5)
    first = LocalOccurrence(0, place, 8, 7, 3)
    second = LocalOccurrence(0, place, 1, 0, -1)
    assert unpack(pack([first, second], []))[0] == (LocalOccurrence(0, place, 9, 7, 3),)


@pytest.mark.parametrize(
    "occurrence",
    [
        pytest.param(LocalOccurrence(0, Range(2, 0, 1, 0), 0, 0, -1), id="ends on an earlier line"),
        pytest.param(LocalOccurrence(0, Range(2, 5, 2, 4), 0, 0, -1), id="ends before its start"),
        pytest.param(LocalOccurrence(-1, Range(2, 5, 2, 6), 0, 0, -1), id="negative symbol"),
        pytest.param(LocalOccurrence(0, Range(2, 5, 2, 6), 0, 8, -1), id="use that does not fit"),
        pytest.param(LocalOccurrence(0, Range(-1, 5, -1, 6), 0, 0, -1), id="negative line"),
    ],
)
def test_impossible_occurrences_are_refused(occurrence: LocalOccurrence) -> None:
    with pytest.raises(ValueError, match=r"local occurrence|beyond"):
        pack([occurrence], [])


WHOLE = pack([LocalOccurrence(3, Range(200, 1, 200, 4), 8, 7, 2)], [17, 61])


@pytest.mark.parametrize("length", range(len(WHOLE)))
def test_a_cut_blob_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="packed"):
        unpack(WHOLE[:length])


@pytest.mark.parametrize(
    "blob",
    [
        pytest.param(WHOLE + b"\0", id="goes on"),
        pytest.param(b"\x00\xff\xff\x03" + b"\0" * 50, id="promises more than it holds"),
        pytest.param(b"\xff" * 30, id="endless number"),
    ],
)
def test_other_bytes_are_refused(blob: bytes) -> None:
    with pytest.raises(ValueError, match="packed"):
        unpack(blob)
