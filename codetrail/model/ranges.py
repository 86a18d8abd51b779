"""Positions in source text: where lines end, and what a column counts.

Inside CodeTrail lines and columns are 0-based and columns count Unicode code points; public output adds one
(contract §4). Producers count UTF-8 bytes, UTF-16 units or code points; tree-sitter counts bytes. This module
converts between them against the text and knows nothing of where the text came from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

UTF8 = 1
UTF16 = 2
UTF32 = 3
"""Column units, numbered as SCIP's PositionEncoding (scip-wire.md)."""

_LINE_END = re.compile(rb"\r\n|\n|\r")


class Range(NamedTuple):
    """A half-open span: 0-based lines, columns in code points, ``end`` is the first position after."""

    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, line: int, column: int) -> bool:
        """Tell whether a position lies inside (start included, end excluded)."""
        return (self.line, self.column) <= (line, column) < (self.end_line, self.end_column)


FILE_START = Range(0, 0, 0, 0)
"""Where a file defines its own symbol; no definition that people write has an empty name."""


class LineIndex:
    """Lines of one file's bytes, and conversion between byte offsets, columns and code points.

    Lines end at ``\\n``, ``\\r\\n`` and ``\\r`` only (architecture §3). The bytes are read as UTF-8; a byte
    that is no UTF-8 counts as one code point and one UTF-16 unit for each replacement character that Python's
    ``errors="replace"`` gives, which is how Pyright and Node read it too. A byte-order mark belongs to no
    column: offsets on line 0 start after it.
    """

    __slots__ = ("_ascii", "_ends", "_starts", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        first = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        if b"\r" in data:
            starts, ends = [first], []
            for match in _LINE_END.finditer(data):
                ends.append(match.start())
                starts.append(match.end())
            ends.append(len(data))
        else:  # nearly every file, and a third of the time
            after = list(accumulate([len(line) + 1 for line in data.split(b"\n")]))
            starts = [first, *after[:-1]]
            ends = [end - 1 for end in after]
        self._starts = starts
        self._ends = ends
        self._ascii = data.isascii()

    def __len__(self) -> int:
        """Count the lines; a file that ends in a line end has a last, empty line."""
        return len(self._starts)

    def line_bytes(self, line: int) -> bytes:
        """Return a line (0-based) without its end. Raises IndexError outside the file."""
        if line < 0:
            raise IndexError(line)
        return self.data[self._starts[line] : self._ends[line]]

    def line_text(self, line: int) -> str:
        """Return a line (0-based) without its end as text."""
        return self.line_bytes(line).decode("utf-8", "replace")

    def position(self, offset: int) -> tuple[int, int]:
        """Turn a byte offset into (line, column in code points)."""
        line = bisect_right(self._starts, offset) - 1
        if line < 0:
            return 0, 0
        start = self._starts[line]
        if self._ascii:
            return line, offset - start
        piece = self.data[start:offset]
        return line, len(piece) if piece.isascii() else len(piece.decode("utf-8", "replace"))

    def offset(self, line: int, column: int, unit: int = UTF32) -> int | None:
        """Turn (line, column in ``unit``) into a byte offset, or None when the file has no such place.

        A column inside a UTF-8 sequence or a surrogate pair has no place either.
        """
        if not 0 <= line < len(self._starts) or column < 0:
            return None
        start, end = self._starts[line], self._ends[line]
        if self._ascii or unit == UTF8 or (text := self.data[start:end]).isascii():
            if start + column > end:
                return None
            if unit == UTF8 and not self._ascii and start + column < end:
                return None if self.data[start + column] & 0xC0 == 0x80 else start + column
            return start + column
        decoded = text.decode("utf-8", "replace")
        points = column if unit == UTF32 else points_of_utf16(decoded, column)
        if points is None or points > len(decoded):
            return None
        if "\ufffd" in decoded:
            return start + _bytes_of_points(text, points)
        return start + len(decoded[:points].encode("utf-8"))

    def column(self, line: int, column: int, unit: int) -> int | None:
        """Turn a column in ``unit`` into a column in code points, or None when there is no such place."""
        offset = self.offset(line, column, unit)
        return None if offset is None else self.position(offset)[1]

    def slice(self, span: Range) -> str | None:
        """Return the text of a range, or None when it lies outside the file."""
        start = self.offset(span.line, span.column)
        end = self.offset(span.end_line, span.end_column)
        if start is None or end is None or end < start:
            return None
        return self.data[start:end].decode("utf-8", "replace")


def points_of_utf16(text: str, units: int) -> int | None:
    """Count the code points in the first ``units`` UTF-16 units of ``text``.

    None when that ends inside a surrogate pair or beyond the text.
    """
    seen = 0
    for index, char in enumerate(text):
        if seen == units:
            return index
        seen += 2 if char > "\uffff" else 1
        if seen > units:
            return None
    return len(text) if seen == units else None


def _bytes_of_points(text: bytes, points: int) -> int:
    """Count the bytes of the first ``points`` code points of text that is not all UTF-8."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if len(text[:middle].decode("utf-8", "replace")) < points:
            low = middle + 1
        else:
            high = middle
    while (
        low < len(text)
        and text[low] & 0xC0 == 0x80
        and len(text[: low + 1].decode("utf-8", "replace")) == points
    ):
        low += 1
    return low
