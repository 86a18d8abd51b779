"""Lines, columns and their units (architecture §3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.model.ranges import UTF8, UTF16, UTF32, LineIndex, Range, points_of_utf16

BOM = b"\xef\xbb\xbf"
TEXT = "aé\U0001d11ez"
"""One character each of 1, 2, 4 and 1 bytes; the third is two UTF-16 units."""


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        pytest.param(b"", [""], id="empty"),
        pytest.param(b"a\nb\r\nc\rd", ["a", "b", "c", "d"], id="three-ends"),
        pytest.param(b"a\n", ["a", ""], id="final-end"),
        pytest.param(b"\r\n\n\r", ["", "", "", ""], id="only-ends"),
        pytest.param("a\x0cb\u2028c\x85d\x0be".encode(), ["a\x0cb\u2028c\x85d\x0be"], id="no-other-ends"),
        pytest.param(BOM + b"a\nb", ["a", "b"], id="bom"),
        pytest.param(BOM, [""], id="only-bom"),
        pytest.param(b"a\xffb\nc", ["a\ufffdb", "c"], id="invalid"),
    ],
)
def test_lines(data: bytes, lines: list[str]) -> None:
    index = LineIndex(data)
    assert [index.line_text(line) for line in range(len(index))] == lines


@pytest.mark.parametrize("line", [-1, 2])
def test_lines_outside_the_file(line: int) -> None:
    with pytest.raises(IndexError):
        LineIndex(b"a\nb").line_text(line)


@pytest.mark.parametrize(
    ("unit", "columns"),
    [
        pytest.param(UTF8, {0: 0, 1: 1, 3: 2, 7: 3, 8: 4}, id="utf-8"),
        pytest.param(UTF16, {0: 0, 1: 1, 2: 2, 4: 3, 5: 4}, id="utf-16"),
        pytest.param(UTF32, {0: 0, 1: 1, 2: 2, 3: 3, 4: 4}, id="utf-32"),
    ],
)
@pytest.mark.parametrize("head", [b"", BOM], ids=["plain", "bom"])
def test_columns_become_code_points(head: bytes, unit: int, columns: dict[int, int]) -> None:
    index = LineIndex(head + TEXT.encode() + b"\nx")
    found = {column: index.column(0, column, unit) for column in range(12)}
    assert {column: points for column, points in found.items() if points is not None} == columns


@pytest.mark.parametrize("unit", [UTF8, UTF16, UTF32])
def test_places_outside_the_file(unit: int) -> None:
    index = LineIndex("é\n".encode())
    assert index.offset(0, 3, unit) is None
    assert index.offset(2, 0, unit) is None
    assert index.offset(-1, 0, unit) is None
    assert index.offset(0, -1, unit) is None
    assert index.offset(1, 0, unit) == 3


def test_positions_after_a_byte_order_mark() -> None:
    index = LineIndex(BOM + "éb".encode())
    assert index.position(3) == (0, 0)
    assert index.position(5) == (0, 1)
    assert index.offset(0, 1) == 5


def test_slice() -> None:
    index = LineIndex(f"{TEXT}\nsecond".encode())
    assert index.slice(Range(0, 2, 0, 3)) == "\U0001d11e"
    assert index.slice(Range(0, 3, 1, 3)) == "z\nsec"
    assert index.slice(Range(1, 3, 0, 3)) is None
    assert index.slice(Range(0, 0, 0, 9)) is None


@pytest.mark.parametrize(
    ("text", "units", "points"),
    [
        ("a\U0001d11eb", 0, 0),
        ("a\U0001d11eb", 1, 1),
        ("a\U0001d11eb", 2, None),
        ("a\U0001d11eb", 3, 2),
        ("a", 2, None),
    ],
)
def test_utf16_units(text: str, units: int, points: int | None) -> None:
    assert points_of_utf16(text, units) == points


@pytest.mark.parametrize(
    ("line", "column", "inside"), [(1, 2, True), (1, 1, False), (2, 3, True), (2, 4, False), (0, 9, False)]
)
def test_a_range_is_half_open(line: int, column: int, inside: bool) -> None:
    assert Range(1, 2, 2, 4).contains(line, column) is inside


@given(st.text(alphabet="aé\U0001d11e\r\n\u2028\ufeff", max_size=30), st.booleans())
def test_every_character_has_one_place_in_every_unit(text: str, marked: bool) -> None:
    data = (BOM if marked else b"") + text.encode()
    index = LineIndex(data)
    for line in range(len(index)):
        content = index.line_text(line)
        for points in range(len(content) + 1):
            before = content[:points]
            offset = index.offset(line, points)
            assert offset is not None
            assert index.position(offset) == (line, points)
            assert index.column(line, len(before.encode()), UTF8) == points
            assert index.column(line, len(before.encode("utf-16-le")) // 2, UTF16) == points


@given(st.binary(max_size=24).map(lambda raw: raw.replace(b"\n", b" ").replace(b"\r", b" ")))
def test_bytes_that_are_no_text_keep_their_order(raw: bytes) -> None:
    index = LineIndex(raw)
    content = index.line_text(0)
    offsets = [index.offset(0, points) for points in range(len(content) + 1)]
    known = [offset for offset in offsets if offset is not None]
    assert len(known) == len(offsets)
    assert known == sorted(set(known))
    assert [index.position(offset) for offset in known] == [(0, points) for points in range(len(offsets))]
