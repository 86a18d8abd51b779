"""Turn the ranges of one SCIP document into verified places in its text.

Each range is converted to code points, must exist in the file, and must either read as its symbol's name or
begin and end at token borders of its line; anything else is left out and counted (architecture §3). What
comes out is sorted and holds each (range, symbol) once. This module knows neither syntax nor how facts are
stored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from codetrail.index.columns import Named, SourceLines, settle_unit
from codetrail.index.symbol_names import LeafCache, reads_as
from codetrail.model.facts import (
    ROLE_ALIAS,
    ROLE_DEFINITION,
    ROLE_FORWARD_DEFINITION,
    ROLE_UNIT_CORRECTED,
)
from codetrail.model.ranges import Range
from codetrail.model.symbols import is_local
from codetrail.scip.documents import ScipDocument, ScipOccurrence
from codetrail.scip.quirks import Profile

Place = tuple[int, int, int, int, str, int, int, tuple[int, ...], bool]
"""A verified occurrence: line, column, end line, end column (code points), symbol, roles, the byte offset of
its start, the enclosing range as the producer wrote it or ``()``, and whether the symbol is local."""

_KNOWN_ROLES = 127
_LONGEST_NAME = 1000
"""Code points of a range that may read as a name: hostile ranges could each hold a line of megabytes."""
_WORD = re.compile(rb"(?<![A-Za-z0-9_$])[A-Za-z0-9_$]+")
_WORD_BYTES = frozenset(
    bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"
)
_WORD_CHARACTERS = frozenset(byte.decode() for byte in _WORD_BYTES)


class Placed(NamedTuple):
    """The places of a document, the column unit they were read in, and what was left out, by reason."""

    places: list[Place]
    unit: int
    counts: Counter[str]


def place_document(
    document: ScipDocument, lines: SourceLines, profile: Profile, names: LeafCache, added_roles: int
) -> Placed:
    """Verify every occurrence of a document against its text; ``added_roles`` are set on each.

    A forward definition is a definition site too, so it gets that role.
    """
    known = document.unit or profile.column_unit
    counts: Counter[str] = Counter()
    occurrences = document.occurrences
    occurrences.sort()
    displays = {info.symbol: info.display for info in document.symbols if info.display}
    unit = settle_unit(lines, _named(occurrences, lines, names), known)
    if known and unit != known:
        counts["unit_corrected"] += 1
        added_roles |= ROLE_UNIT_CORRECTED
    text_of, wide = lines.lines, lines.wide
    starts, count = lines.starts, len(lines.lines)
    known_name, find, local = names.known.get, names.find, LeafCache.LOCAL
    match_word = _WORD.fullmatch
    places: list[Place] = []
    last: ScipOccurrence = (-1, 0, 0, 0, "", 0, ())
    for occurrence in occurrences:
        line, column, end_line, end_column, symbol, roles, enclosing = occurrence
        if end_line >= count:
            counts["range_outside"] += 1
            continue
        if column == last[1] and occurrence[:5] == last[:5]:
            _merge(places, occurrence, lines, unit)
            counts["occurrence_repeated"] += 1
            continue
        last = occurrence
        roles = roles & _KNOWN_ROLES | added_roles
        if roles & ROLE_FORWARD_DEFINITION:
            roles |= ROLE_DEFINITION
        name = known_name(symbol)
        if name is None:
            name = find(symbol)
        if line == end_line and line not in wide:
            text = text_of[line]
            width = end_column - column
            if name is local:
                plain = (
                    width < _LONGEST_NAME
                    and match_word(text, column, end_column) is not None
                    and text[end_column : end_column + 1] not in _WORD_BYTES
                )
            else:
                plain = width == len(name) > 0 and text.startswith(name, column)
            if plain:
                offset = starts[line] + column
                places.append(
                    (line, column, line, end_column, symbol, roles, offset, enclosing, name is local)
                )
                continue
        span = _convert(occurrence, lines, unit)
        if span is None:
            counts["range_outside"] += 1
            continue
        alias = _judge(span, symbol, roles, lines, displays, profile)
        if alias is None:
            counts["range_not_a_token"] += 1
            continue
        offset = lines.offset(span.line, span.column)
        places.append((*span, symbol, roles | alias, offset, enclosing, name is local))
    if wide:
        places.sort()
    return Placed(places, unit, counts)


def name_at(place: Place, lines: SourceLines) -> str:
    """Return the text of a place, ``""`` where it is none that could be a name."""
    if place[0] != place[2]:
        return ""
    return lines.slice(place[0], place[1], place[3], _LONGEST_NAME) or ""


def body_of(place: Place, lines: SourceLines, unit: int) -> Range | None:
    """Return the union of a definition's name and its enclosing range, or None where it has none.

    An enclosing range that goes on after the end of a line or of the file ends there; one that is turned
    round is none.
    """
    enclosing = place[7]
    if len(enclosing) != 4:
        return None
    start = _clamped(enclosing[0], enclosing[1], lines, unit)
    end = _clamped(enclosing[2], enclosing[3], lines, unit)
    if start is None or end is None or end < start:
        return None
    start = min(start, (place[0], place[1]))
    end = max(end, (place[2], place[3]))
    return Range(*start, *end)


def _named(occurrences: list[ScipOccurrence], lines: SourceLines, names: LeafCache) -> Iterator[Named]:
    if not lines.wide:
        return
    for line, column, end_line, end_column, symbol, _, _ in occurrences:
        if line in lines.wide and line == end_line and not is_local(symbol):
            yield Named(line, column, end_column, names.find(symbol).decode("utf-8", "replace"))


def _merge(places: list[Place], repeated: ScipOccurrence, lines: SourceLines, unit: int) -> None:
    """Add the roles of a repeated occurrence to the place that its first one became, if it became one."""
    span = _convert(repeated, lines, unit)
    if not places or span is None or places[-1][:5] != (*span, repeated[4]):
        return
    last = places[-1]
    roles = last[5] | repeated[5] & _KNOWN_ROLES
    if roles & ROLE_FORWARD_DEFINITION:
        roles |= ROLE_DEFINITION
    places[-1] = (*last[:5], roles, last[6], last[7] or repeated[6], last[8])


def _convert(occurrence: ScipOccurrence, lines: SourceLines, unit: int) -> Range | None:
    line, column, end_line, end_column = occurrence[:4]
    start = lines.points(line, column, unit)
    end = lines.points(end_line, end_column, unit)
    return None if start is None or end is None else Range(line, start, end_line, end)


def _judge(
    span: Range,
    symbol: str,
    roles: int,
    lines: SourceLines,
    displays: Mapping[str, str],
    profile: Profile,
) -> int | None:
    """Return 0 where a range reads as its symbol, ROLE_ALIAS where it may stay, None where it may not."""
    local = is_local(symbol)
    if (span.line, span.column) == (span.end_line, span.end_column):
        return ROLE_ALIAS if roles & ROLE_DEFINITION and not local else None
    text = lines.text(span.line)
    if span.line == span.end_line:
        part = lines.slice(span.line, span.column, span.end_column, _LONGEST_NAME)
        if part is not None:
            if not local and reads_as(symbol, part, displays.get(symbol, ""), profile.numbered_keys):
                return 0
            if part.isspace():
                return None
    if not _border(text, span.column) or not _border(lines.text(span.end_line), span.end_column):
        return None
    return 0 if local else ROLE_ALIAS


def _border(text: str, column: int) -> bool:
    """Tell whether no word goes on over this place of a line."""
    return not (0 < column < len(text) and _in_word(text[column - 1]) and _in_word(text[column]))


def _in_word(char: str) -> bool:
    return char in _WORD_CHARACTERS if char < "\x80" else char.isalnum() or ("a" + char).isidentifier()


def _clamped(line: int, column: int, lines: SourceLines, unit: int) -> tuple[int, int] | None:
    if line < 0 or column < 0:
        return None
    if line >= len(lines.lines):
        return lines.end()
    points = lines.points(line, column, unit)
    return (line, lines.length(line)) if points is None else (line, points)
