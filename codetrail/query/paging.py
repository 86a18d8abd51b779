"""Pages: which rows one answer holds, and the opaque cursor that says where the next one begins.

A cursor is bound to its snapshot and its question and names a position in the order of contract §3 by values
that every machine agrees on, never by an id or a count of rows. This module must not know how rows are made.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from codetrail.errors import UsageError
from codetrail.model.answers import Question
from codetrail.model.ranges import Range

Row = TypeVar("Row")

_VERSION = 1
_LONGEST = 16_384
_CHECKED = 6
"""Bytes of the check sum: it finds damage, it is no secret, and a forged cursor can do no harm."""

_LARGEST = 2**31


class Position(NamedTuple):
    """Where a row stands in the whole answer: group, path, range, symbol (contract §3)."""

    rank: int
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    symbol: str

    @classmethod
    def of(cls, rank: int, path: str, span: Range, symbol: str) -> Position:
        """Name the position of a row."""
        return cls(rank, path, *span, symbol)

    @property
    def range(self) -> Range:
        """Return the range of the row."""
        return Range(self.line, self.column, self.end_line, self.end_column)


class Cursor(NamedTuple):
    """The end of a page: the snapshot it was read from, the digest of its question, its last row."""

    snapshot: str
    question: str
    position: Position


class Counts(NamedTuple):
    """Rows of the whole answer: in scope and fresh, in files that changed, and left out by the scope.

    ``exact``: each place counts once; else places of several symbols may have been counted for each of them.
    """

    rows: int = 0
    dropped: int = 0
    outside: int = 0
    exact: bool = True

    def plus(self, other: Counts) -> Counts:
        """Add two counts."""
        return Counts(
            self.rows + other.rows,
            self.dropped + other.dropped,
            self.outside + other.outside,
            self.exact and other.exact,
        )


def question_digest(question: Question) -> str:
    """Digest what decides the rows and their order; page sizes and fields may differ between pages."""
    deciding = [
        question.verb,
        question.identifier,
        list(question.scope),
        question.input_mode,
        question.include_definitions,
        question.include_overrides,
        sorted(question.uses),
        question.direction,
        question.depth,
        question.to,
        question.counts,
        question.typed_from,
    ]
    text = json.dumps(deciding, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def encode_cursor(cursor: Cursor) -> str:
    """Write a cursor as URL-safe base64 without padding."""
    value = [_VERSION, cursor.snapshot, cursor.question, *cursor.position]
    return seal(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


def seal(value: bytes) -> str:
    """Write bytes as text with a check sum in front, by which ``_parse`` knows a text that was damaged."""
    return urlsafe_b64encode(_check_sum(value) + value).rstrip(b"=").decode("ascii")


def _check_sum(value: bytes) -> bytes:
    return hashlib.sha256(value).digest()[:_CHECKED]


def decode_cursor(text: str, question: str) -> Cursor:
    """Read a cursor and hold it against the digest of the question.

    Raises UsageError ``invalid_cursor`` for text that is no cursor of ours and ``cursor_scope_mismatch`` for
    one of another question.
    """
    cursor = _parse(text)
    if cursor is None:
        raise UsageError(
            "the cursor is not one that CodeTrail gave",
            code="invalid_cursor",
            hint="ask again without a cursor",
        )
    if cursor.question != question:
        raise UsageError(
            "the cursor belongs to another question or scope",
            code="cursor_scope_mismatch",
            hint="repeat the very question that gave the cursor, or ask without a cursor",
        )
    return cursor


def _parse(text: str) -> Cursor | None:
    if len(text) > _LONGEST or not text.isascii():
        return None
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))[_CHECKED:]
        if seal(raw) != text:
            return None
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, list) or len(value) != 10 or value[0] != _VERSION:
        return None
    _, snapshot, question, rank, path, line, column, end_line, end_column, symbol = value
    words = (snapshot, question, path, symbol)
    numbers = (rank, line, column, end_line, end_column)
    if not all(isinstance(word, str) and _is_text(word) for word in words):
        return None
    if not all(type(number) is int and 0 <= number < _LARGEST for number in numbers):
        return None
    return Cursor(snapshot, question, Position(rank, path, line, column, end_line, end_column, symbol))


def _is_text(word: str) -> bool:
    try:
        word.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in word


def cut_page(
    rows: Iterable[tuple[Position, Row]],
    limit: int,
    max_bytes: int | None = None,
    size: Callable[[Row], int] | None = None,
) -> tuple[tuple[Row, ...], tuple[Position, ...], bool]:
    """Take one page off ``rows``: at most ``limit``, and at most ``max_bytes`` as ``size`` measures a row.

    Returns the rows, where each stands, and whether more follow. The first row is always taken, so that a
    page makes progress however small it is.
    """
    taken: list[Row] = []
    positions: list[Position] = []
    used = 0
    for position, row in rows:
        grown = used + (size(row) if size is not None else 0)
        if taken and (len(taken) >= limit or (max_bytes is not None and grown > max_bytes)):
            return tuple(taken), tuple(positions), True
        taken.append(row)
        positions.append(position)
        used = grown
    return tuple(taken), tuple(positions), False
