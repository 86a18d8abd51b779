"""Read occurrences: of a symbol in pages, at a place, inside a range, and of document-local symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from codetrail.errors import IndexUnusable
from codetrail.store.shard_reader import REBUILD, Shard

if TYPE_CHECKING:
    from codetrail.model.documents import LocalOccurrence

_OF_SYMBOL = """SELECT sym, doc, line, col, line + dline, ecol, roles, use, encl FROM occ
    WHERE sym = ? AND (doc, line, col, dline, ecol) > (?, ?, ?, ?, ?) AND doc <= ?
    AND (1 << use) & ? AND NOT roles & ?
    ORDER BY doc, line, col, dline, ecol LIMIT ?"""
_COUNT = (
    """SELECT count(*) FROM occ WHERE sym = ? AND doc BETWEEN ? AND ? AND (1 << use) & ? AND NOT roles & ?"""
)
_DOCUMENTS = """SELECT doc, count(*) FROM occ WHERE sym = ? AND (1 << use) & ? AND NOT roles & ?
    GROUP BY doc ORDER BY doc"""
_IN_LINES = """SELECT sym, doc, line, col, line + dline, ecol, roles, use, encl FROM occ
    WHERE doc = ? AND line BETWEEN ? AND ? ORDER BY line, col, dline, ecol, sym"""
_FROM_PLACE = """SELECT sym, doc, line, col, line + dline, ecol, roles, use, encl FROM occ
    WHERE doc = ? AND (line, col, dline, ecol, sym) > (?, ?, ?, ?, ?) AND line <= ?
    AND (1 << use) & ? AND NOT roles & ?
    ORDER BY line, col, dline, ecol, sym LIMIT ?"""
_OPEN_CALLS = """SELECT line, col, encl FROM opencall WHERE doc = ? AND line BETWEEN ? AND ?
    ORDER BY line, col"""
_LOCALS = "SELECT packed FROM local WHERE doc = ?"

SELECTS = (
    ("occurrences of a symbol", _OF_SYMBOL, False),
    ("count of occurrences", _COUNT, False),
    ("documents of a symbol", _DOCUMENTS, False),
    ("occurrences in lines", _IN_LINES, False),
    ("occurrences from a place", _FROM_PLACE, False),
    ("open calls", _OPEN_CALLS, False),
    ("locals", _LOCALS, False),
)

ALL_USES = 0xFFFF
"""Every use, also none: the bit set that ``uses`` of the functions below is made of (1 << number)."""
_LAST = 1 << 62


class OccurrenceRow(NamedTuple):
    """One place of a symbol id in a document id: 0-based lines, columns in code points; ``encl`` is the
    number of the innermost callable extent, or -1."""

    symbol: int
    doc: int
    line: int
    column: int
    end_line: int
    end_column: int
    roles: int
    use: int
    encl: int


class OpenCallRow(NamedTuple):
    """Call syntax whose target no compiler told, as ``model.documents.OpenCall``."""

    line: int
    column: int
    encl: int


class Place(NamedTuple):
    """Where a page ended: a document id and a range. BEFORE_ALL precedes every place."""

    doc: int
    line: int
    column: int
    end_line: int
    end_column: int


BEFORE_ALL = Place(-1, -1, -1, -1, -1)


def uses_set(uses: Iterable[int]) -> int:
    """Return the bit set of use numbers."""
    bits = 0
    for use in uses:
        bits |= 1 << use
    return bits


def occurrences(
    shard: Shard,
    symbol: int,
    *,
    after: Place = BEFORE_ALL,
    last_doc: int = _LAST,
    limit: int,
    uses: int = ALL_USES,
    without_roles: int = 0,
) -> tuple[OccurrenceRow, ...]:
    """Return at most ``limit`` occurrences of a symbol id after a place, in the order of path and range.

    Up to ``last_doc`` inclusive (see ``read_documents.documents_below``), of the given uses, and with none of
    the roles in ``without_roles``. Relies on occ's key: a seek, then rows in order.
    """
    key = (after.doc, after.line, after.column, after.end_line - after.line, after.end_column)
    rows = shard.rows(_OF_SYMBOL, (symbol, *key, last_doc, uses, without_roles, limit))
    return tuple(map(OccurrenceRow._make, rows))


def count_occurrences(
    shard: Shard,
    symbol: int,
    *,
    first_doc: int = 0,
    last_doc: int = _LAST,
    uses: int = ALL_USES,
    without_roles: int = 0,
) -> int:
    """Count occurrences of a symbol id in a span of documents: one range scan of its rows."""
    ((count,),) = shard.rows(_COUNT, (symbol, first_doc, last_doc, uses, without_roles))
    return int(count)


def documents_of(
    shard: Shard, symbol: int, *, uses: int = ALL_USES, without_roles: int = 0
) -> tuple[tuple[int, int], ...]:
    """Return (document id, number of occurrences) of every document where a symbol id occurs, in order."""
    return tuple(shard.rows(_DOCUMENTS, (symbol, uses, without_roles)))


def occurrences_in(shard: Shard, doc: int, first: int, last: int) -> tuple[OccurrenceRow, ...]:
    """Return all global occurrences that start on lines ``first`` to ``last`` (0-based, inclusive)."""
    return tuple(map(OccurrenceRow._make, shard.rows(_IN_LINES, (doc, first, last))))


def occurrences_from(
    shard: Shard,
    doc: int,
    start: tuple[int, int],
    last: int,
    *,
    uses: int,
    without_roles: int,
    chunk: int = 1024,
) -> Iterator[OccurrenceRow]:
    """Yield the occurrences of a document from line and column ``start`` on, to line ``last`` inclusive, that
    have one of the uses and none of the roles, in the order of range and symbol id.

    Read ``chunk`` at a time, so that only what is taken is paid for. Relies on occ_place.
    """
    after = (*start, -1, -1, -1)
    while True:
        rows = shard.rows(_FROM_PLACE, (doc, *after, last, uses, without_roles, chunk))
        yield from map(OccurrenceRow._make, rows)
        if len(rows) < chunk:
            return
        symbol, _, line, column, end_line, end_column, *_ = rows[-1]
        after = (line, column, end_line - line, end_column, symbol)


def occurrences_at(shard: Shard, doc: int, line: int, column: int | None = None) -> tuple[OccurrenceRow, ...]:
    """Return the occurrences on a line, or of them those whose range holds the column (its end excluded,
    unless the range is empty)."""
    found = occurrences_in(shard, doc, line, line)
    if column is None:
        return found
    return tuple(
        [
            row
            for row in found
            if row.column <= column
            and (row.end_line > line or column < row.end_column or row.column == column == row.end_column)
        ]
    )


def open_calls(shard: Shard, doc: int, first: int, last: int) -> tuple[OpenCallRow, ...]:
    """Return the calls whose target no compiler told on lines ``first`` to ``last`` (0-based, inclusive)."""
    return tuple(map(OpenCallRow._make, shard.rows(_OPEN_CALLS, (doc, first, last))))


def locals_of(shard: Shard, doc: int) -> tuple[tuple[LocalOccurrence, ...], tuple[int, ...]]:
    """Return the occurrences of document-local symbols and the kind of each such symbol."""
    rows = shard.rows(_LOCALS, (doc,))
    if not rows:
        return (), ()
    # Loaded only for coordinates on local symbols: it brings dataclasses with it.
    from codetrail.store import locals as packed_locals

    try:
        return packed_locals.unpack(rows[0][0])
    except (ValueError, TypeError) as error:
        raise IndexUnusable("A shard of the index is damaged.", hint=REBUILD) from error
