"""The source of definitions (``--include-code``): which lines a row shows, and which rows show any.

A block is lines: those of the definition, from its decorators to its end where its extent is known, else that
of its name; and ``--code-context`` lines before and after, as far as the file goes. At most
``--code-max-lines`` are shown. The definition goes first: from its first line on, or, where the line of its
name would not be reached so, from that one on and then the ones before it. Only around a whole definition is
there context, a line before and a line after in turn. This module must not know how definitions were found;
it is loaded when source is asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import islice

from codetrail.model.answers import Question, Row, SymbolRow
from codetrail.model.ranges import Range
from codetrail.model.source_block import SourceBlock
from codetrail.query.freshness import Freshness
from codetrail.query.sources import Sources, SourceText, window

MOST_CANDIDATES = 3
"""Symbols that carry source where more match (contract §4)."""

LONGEST_LINE = 1_000
"""Code points of a line that a block holds: of the line of the name a window around it, else the first."""

LARGEST_BLOCK = 200_000
"""Bytes (UTF-8) of a block; its first line stands in any case."""

LARGEST_PAGE = 4_000_000
"""Bytes (UTF-8) of source on a page that ``--max-bytes`` does not bound; the next page goes on."""


class SourceBlocks:
    """Adds source to the rows of one question, which come group by group.

    ``capped`` tells whether a row was left without, because better candidates carry source.
    """

    def __init__(self, question: Question, freshness: Freshness, sources: Sources) -> None:
        self._context = question.code_context
        self._most_lines = question.code_max_lines
        # A page of N bytes has room for one block at least, also when it is written as JSON.
        half_a_page = (question.max_bytes or 2 * LARGEST_BLOCK) // 2
        self._most_bytes = min(LARGEST_BLOCK, half_a_page)
        self._freshness = freshness
        self._sources = sources
        self._candidates: set[int] = set()
        self.capped = False

    def pass_over(self, ranks: Iterable[int]) -> None:
        """Take note of the groups that earlier pages gave rows of; looks at the first few only."""
        self._candidates.update(islice(ranks, MOST_CANDIDATES))

    def with_source(self, row: SymbolRow, sha256: bytes | None) -> SymbolRow | None:
        """Return the row with its source if it is one of the best candidates.

        None when the file is not, or cannot be read as, the one with the hash that the row was made from, if
        one is given.
        """
        path, name = row.node.path, row.node.range
        if path is None or name is None:
            return row
        if row.of not in self._candidates and len(self._candidates) >= MOST_CANDIDATES:
            self.capped = True
            return row
        text = self._sources.text(path, sha256)
        if text is None:
            self._freshness.mark_changed(path)
            return None
        self._candidates.add(row.of)
        block = cut_block(path, text, name, row.body, self._context, self._most_lines, self._most_bytes)
        return row._replace(source=block)


def cut_block(
    path: str,
    text: SourceText,
    name: Range,
    body: Range | None,
    context: int,
    most_lines: int,
    most_bytes: int = LARGEST_BLOCK,
) -> SourceBlock | None:
    """Cut the block of a definition out of its file's text; None where the file has no such line."""
    if name.line >= text.line_count:
        return None
    own = _own_lines(name, body, text.line_count)
    asked = range(max(0, own.start - context), min(text.line_count, own.stop + context))
    growing = _Growing(text, name, own.start, most_lines, most_bytes)
    growing.to(own.stop)
    if growing.stop <= name.line:
        growing = _Growing(text, name, name.line, most_lines, most_bytes)
        growing.to(own.stop)
        growing.around(own)
    if (growing.start, growing.stop) == (own.start, own.stop):
        growing.around(asked)
    whole = (growing.start, growing.stop) == (asked.start, asked.stop) and not growing.shortened
    return SourceBlock(path, growing.start, tuple(growing.lines), not whole)


def source_size(row: Row) -> int:
    """Count the bytes (UTF-8) of source that a row carries."""
    block = row.source if isinstance(row, SymbolRow) else None
    return sum(len(line.encode()) + 1 for line in block.lines) if block is not None else 0


def _own_lines(name: Range, body: Range | None, count: int) -> range:
    """Return the lines of a definition; an extent that does not hold its name is not believed."""
    extent = body if body is not None and body.contains(name.line, name.column) else name
    # A range that ends before the first character of a line holds nothing of that line.
    last = extent.end_line - (extent.end_column == 0 and extent.end_line > extent.line)
    return range(extent.line, min(last, count - 1) + 1)


class _Growing:
    """A block that grows line by line: it holds the lines from ``start`` to before ``stop``."""

    def __init__(self, text: SourceText, name: Range, start: int, most_lines: int, most_bytes: int) -> None:
        self._text = text
        self._name = name
        self._lines_left = most_lines
        self._bytes_left = most_bytes
        self.start = self.stop = start
        self.lines: deque[str] = deque()
        self.shortened = False

    def to(self, stop: int) -> None:
        """Add lines at the end, to before ``stop`` or until one does not fit."""
        while self._add_after(stop):
            pass

    def around(self, asked: range) -> None:
        """Add lines before and after in turn, on each side to its end or until one does not fit."""
        before = after = True
        while before or after:
            before = before and self._add_before(asked.start)
            after = after and self._add_after(asked.stop)

    def _add_before(self, start: int) -> bool:
        line = self._fitting(self.start - 1) if self.start > start else None
        if line is None:
            return False
        self.lines.appendleft(line)
        self.start -= 1
        return True

    def _add_after(self, stop: int) -> bool:
        line = self._fitting(self.stop) if self.stop < stop else None
        if line is None:
            return False
        self.lines.append(line)
        self.stop += 1
        return True

    def _fitting(self, number: int) -> str | None:
        """Return a line of the file, a long one shortened, or None where it does not fit."""
        if not self._lines_left:
            return None
        line = whole = self._text.line(number)
        if len(whole) > LONGEST_LINE:
            at = self._name if number == self._name.line else Range(number, 0, number, 0)
            line = window(whole, at, LONGEST_LINE)
        size = len(line.encode()) + 1
        if size > self._bytes_left and self.lines:
            return None
        self._lines_left -= 1
        self._bytes_left -= size
        self.shortened = self.shortened or len(line) < len(whole)
        return line
