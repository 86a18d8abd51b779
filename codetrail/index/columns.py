"""The text of one document by lines, and what its producer's columns mean in it.

A producer may count bytes, UTF-16 units or code points and mostly does not say which. The text decides: most
ranges of global symbols read as the symbol's name, so a unit under which they do not is the wrong one
(architecture §3). This module must not know SCIP's roles nor syntax.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from codetrail.model.ranges import UTF8, UTF16, UTF32

_BOM = b"\xef\xbb\xbf"
_UNITS = (UTF16, UTF8, UTF32)
"""In the order of preference where the text does not tell them apart: most producers count as editors do."""
_CHARACTERS_KEPT = 8_000_000
"""How much of long lines is kept measured: every place on such a line would measure it again otherwise."""
_LONG = 2000


class _Table(NamedTuple):
    """A line that is not ASCII: its text, and for each code point the bytes and UTF-16 units before it."""

    text: str
    bytes_before: array[int]
    units_before: array[int]


class SourceLines:
    """The lines of a file as bytes without their ends, and the byte offset at which each begins.

    ``wide`` are the numbers of the lines that are not ASCII: in all others a column is the same in every
    unit. Lines, byte-order mark and bytes that are not UTF-8 are read as ``model.ranges.LineIndex`` does.
    """

    __slots__ = ("_room", "_tables", "_texts", "lines", "starts", "wide")

    def __init__(self, data: bytes) -> None:
        lines = data.splitlines()
        if not lines or data.endswith((b"\n", b"\r")):
            lines.append(b"")
        if b"\r" in data:
            starts = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
        else:
            starts = [0, *accumulate([len(line) + 1 for line in lines])]
        del starts[len(lines) :]
        if data.startswith(_BOM):
            lines[0] = lines[0][len(_BOM) :]
            starts[0] = len(_BOM)
        self.lines = lines
        self.starts = starts
        self.wide = (
            frozenset[int]()
            if data.isascii()
            else frozenset(number for number, line in enumerate(lines) if not line.isascii())
        )
        self._tables: dict[int, _Table] = {}
        self._texts: dict[int, str] = {}
        self._room = _CHARACTERS_KEPT

    def text(self, line: int) -> str:
        """Return a line as text."""
        if line in self.wide:
            return self._table(line).text
        if len(self.lines[line]) < _LONG:
            return self.lines[line].decode("ascii")
        text = self._texts.get(line)
        if text is None:
            text = self.lines[line].decode("ascii")
            self._make_room(len(text))
            self._texts[line] = text
        return text

    def slice(self, line: int, column: int, end_column: int, longest: int) -> str | None:
        """Return a part of a line (code points), or None where it is longer than ``longest``."""
        return self.text(line)[column:end_column] if end_column - column <= longest else None

    def points(self, line: int, column: int, unit: int) -> int | None:
        """Turn a column in ``unit`` into code points, or None where the line has no such place."""
        if line not in self.wide:
            return column if column <= len(self.lines[line]) else None
        table = self._table(line)
        if unit == UTF32:
            return column if column <= len(table.text) else None
        before = table.bytes_before if unit == UTF8 else table.units_before
        place = bisect_left(before, column)
        return place if place < len(before) and before[place] == column else None

    def offset(self, line: int, points: int) -> int:
        """Turn a valid (line, column in code points) into a byte offset."""
        if line in self.wide:
            return self.starts[line] + self._table(line).bytes_before[points]
        return self.starts[line] + points

    def length(self, line: int) -> int:
        """Count the code points of a line."""
        return len(self._table(line).text) if line in self.wide else len(self.lines[line])

    def end(self) -> tuple[int, int]:
        """Return the place after the last character: (line, code points)."""
        last = len(self.lines) - 1
        return last, self.length(last)

    def position(self, offset: int) -> tuple[int, int]:
        """Turn a byte offset into (line, column in code points); inside a character, the place before it."""
        line = max(bisect_left(self.starts, offset + 1) - 1, 0)
        column = max(offset - self.starts[line], 0)
        if line not in self.wide:
            return line, min(column, len(self.lines[line]))
        before = self._table(line).bytes_before
        place = bisect_left(before, column)
        if place == len(before):
            return line, place - 1
        return line, place if before[place] == column else place - 1

    def _table(self, line: int) -> _Table:
        table = self._tables.get(line)
        if table is None:
            table = _measure(self.lines[line])
            self._make_room(len(table.text))
            self._tables[line] = table
        return table

    def _make_room(self, characters: int) -> None:
        self._room -= characters
        if self._room < 0:
            self._tables.clear()
            self._texts.clear()
            self._room = _CHARACTERS_KEPT - characters


def _measure(line: bytes) -> _Table:
    text = line.decode("utf-8", "replace")
    bytes_before = array("I", [0])
    units_before = array("I", [0])
    seen = units = 0
    for char in text:
        if char < "\x80":
            seen += 1
        elif char < "\u0800":
            seen += 2
        elif char == "\ufffd":
            seen += _replaced(line[seen : seen + 4])
        else:
            seen += 3 if char <= "\uffff" else 4
        units += 2 if char > "\uffff" else 1
        bytes_before.append(seen)
        units_before.append(units)
    return _Table(text, bytes_before, units_before)


def _replaced(window: bytes) -> int:
    """Count the bytes that one U+FFFD stands for: its own three, or those of a broken sequence."""
    try:
        window.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start == 0:
            return error.end
    return 3


class Named(NamedTuple):
    """A range on one line, in the producer's unit, of a symbol that reads as ``name``."""

    line: int
    column: int
    end_column: int
    name: str


def settle_unit(lines: SourceLines, named: Iterable[Named], known: int) -> int:
    """Choose the column unit of a document: ``known`` (0: unknown) unless the text speaks clearly against it.

    Only ranges on lines that are not ASCII tell units apart. Another unit is taken when more than twice as
    many names read right under it; against a known unit, names of one character tell nothing.
    """
    if not lines.wide:
        return known or UTF16
    hits = dict.fromkeys(_UNITS, 0)
    shortest = 2 if known in hits else 1
    for line, column, end_column, name in named:
        if line not in lines.wide or len(name) < shortest:
            continue
        for unit in _UNITS:
            start = lines.points(line, column, unit)
            end = lines.points(line, end_column, unit)
            if start is None or end is None:
                continue
            if lines.slice(line, start, end, len(name)) == name:
                hits[unit] += 1
    best = max(_UNITS, key=hits.__getitem__)
    if known not in hits:
        return best
    return best if hits[best] > 2 * hits[known] else known
