"""Join what a compiler said of one document with what its syntax shows: extents, and the use of each place.

An extent's body is the union of a definition's name and enclosing range; where the producer gave no enclosing
range, syntax gives one. Definitions that only syntax knows are added, labelled as such. This module must not
know how SCIP is decoded or how facts are stored.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from codetrail.index.columns import SourceLines
from codetrail.index.document_symbols import DocumentSymbols
from codetrail.index.places import Place, body_of, name_at
from codetrail.index.symbol_names import SymbolName
from codetrail.model import kinds
from codetrail.model.documents import Extent
from codetrail.model.facts import (
    ORIGIN_SCIP,
    ORIGIN_SYNTAX,
    ROLE_DEFINITION,
    ROLE_IMPORT,
    ROLE_WRITE,
    USES,
)
from codetrail.model.interiors import interior_start
from codetrail.model.ranges import Range
from codetrail.model.symbols import is_local
from codetrail.syntax.file_syntax import Extent as SyntaxExtent
from codetrail.syntax.file_syntax import FileSyntax

_IMPORT, _CONSTRUCT, _CALL, _WRITE, _VALUE = map(
    USES.index, ("import", "construct", "call", "write", "value")
)
_FUNCTION = kinds.NUMBERS["function"]
_PROPERTY = kinds.NUMBERS["property"]
_PARAMETERS = frozenset(
    kinds.NUMBERS[word] for word in ("parameter", "selfparameter", "thisparameter", "typeparameter")
)
_HOLDS = kinds.MODULES | kinds.TYPES | kinds.CALLABLE
_SYNTAX_CALLABLE = frozenset(kinds.WORDS[number] for number in kinds.CALLABLE)
"""Kinds of extents of syntax that hold calls."""
_PYTHON_CALLABLE = _SYNTAX_CALLABLE | {"property"}
"""In Python a property is a function; elsewhere it is a field."""
_LONGEST_QUALIFIED = 2000
_WORD = re.compile(r"[\w$]+")
_MOST_WORDS = 1_000_000
_LONGEST_WORD = 4096


class Candidate(NamedTuple):
    """An extent before it has its place among the others; ``holds`` tells whether it can hold calls."""

    body: Range
    name_range: Range
    symbol: str
    kind: int
    name: SymbolName
    origin: int
    holds: bool


class Extents(NamedTuple):
    """The extents of a document, and for each whether it can hold calls."""

    extents: tuple[Extent, ...]
    holds: tuple[bool, ...]


def build_extents(
    places: Iterable[Place],
    unit: int,
    lines: SourceLines,
    syntax: FileSyntax | None,
    language: str,
    symbols: DocumentSymbols,
) -> Extents:
    """Make the extents of a document from its definitions and from its syntax.

    A definition becomes an extent when it has a body or is a type, a callable or a module; parameters never
    do. So does a function that is assigned to what this document defines elsewhere.
    """
    syntax_extents = () if syntax is None else syntax.extents
    syntax_callable = _PYTHON_CALLABLE if language == "python" else _SYNTAX_CALLABLE
    by_name: dict[int, SyntaxExtent] = {}
    for known in syntax_extents:
        by_name.setdefault(known.name_start, known)
    candidates: list[Candidate] = []
    defined: set[int] = set()
    own: set[str] = set()
    referring: dict[int, Place] = {}
    for place in places:
        symbol = place[4]
        if not place[5] & ROLE_DEFINITION:
            referring[place[6]] = place
            continue
        own.add(symbol)
        empty = place[:2] == place[2:4]
        if not empty:
            defined.add(place[6])
        if symbol.endswith((")", "]")):
            continue
        drawn = None if empty else by_name.get(place[6])
        body = body_of(place, lines, unit)
        whole = empty and place[:2] == (0, 0)
        bare = body is None and drawn is None and not whole
        if bare and _is_term(symbol) and symbols.said_kind(symbol) not in _HOLDS:
            continue  # most definitions: a variable that holds nothing, whose name need not be known
        name_range = Range(*place[:4])
        kind, name = symbols.kind_and_name(symbol, name_at(place, lines))
        if kind in _PARAMETERS:
            continue
        if body is None and drawn is not None:
            body = _union(name_range, _range(drawn.start, drawn.end, lines))
        if body is None and whole:
            body = Range(0, 0, *lines.end())
        if body is None:
            if kind not in _HOLDS:
                continue
            body = name_range
        shown_callable = drawn is not None and drawn.kind in syntax_callable
        holds = kind in kinds.CALLABLE or shown_callable or (kind == _PROPERTY and language == "python")
        if shown_callable and kind not in _HOLDS and kind != _PROPERTY:
            kind = _FUNCTION
        candidates.append(Candidate(body, name_range, symbol, kind, name, ORIGIN_SCIP, holds))
    for known, qualified in zip(syntax_extents, _qualified(syntax_extents), strict=True):
        if known.name_start in defined:
            continue
        assigned = referring.get(known.name_start)
        if assigned is not None and known.kind not in syntax_callable:
            continue  # it looks like a definition, and a compiler said that it is the name of another thing
        symbol, name, kind = (
            "",
            SymbolName(known.name, qualified, 0),
            kinds.NUMBERS.get(known.kind, _FUNCTION),
        )
        written = syntax is not None and syntax.uses.get(known.name_start) == _WRITE
        if written and assigned is not None and assigned[4] in own and not is_local(assigned[4]):
            symbol, name = assigned[4], symbols.kind_and_name(assigned[4], name_at(assigned, lines))[1]
        candidates.append(
            Candidate(
                _range(known.start, known.end, lines),
                _range(known.name_start, known.name_end, lines),
                symbol,
                kind,
                name,
                ORIGIN_SYNTAX,
                known.kind in syntax_callable,
            )
        )
    return _nested(candidates)


def _is_term(symbol: str) -> bool:
    return symbol.endswith(".") and not symbol.endswith(").")


def _nested(candidates: list[Candidate]) -> Extents:
    """Sort extents, outer first, and find the parent of each; one that ends after its parent ends with it."""
    candidates.sort(key=_order)
    extents: list[Extent] = []
    open_: list[int] = []
    for candidate in candidates:
        body = candidate.body
        while open_ and extents[open_[-1]].body[2:] <= body[:2]:
            open_.pop()
        parent = open_[-1] if open_ else -1
        if parent >= 0 and extents[parent].body[2:] < body[2:]:
            body = Range(*body[:2], *extents[parent].body[2:])
        if body[:2] < body[2:]:
            open_.append(len(extents))
        extents.append(
            Extent(
                candidate.symbol,
                candidate.kind,
                candidate.name.name,
                candidate.name.qualified,
                parent,
                candidate.name_range,
                body,
                candidate.origin,
            )
        )
    return Extents(tuple(extents), tuple(candidate.holds for candidate in candidates))


def _order(candidate: Candidate) -> tuple[int, int, int, int, Range, str, int]:
    body = candidate.body
    return (
        body.line,
        body.column,
        -body.end_line,
        -body.end_column,
        candidate.name_range,
        candidate.symbol,
        candidate.kind,
    )


_FAR = (1 << 62, 0)


class Interior(NamedTuple):
    """The part of an extent whose places belong to it, and the extent's number."""

    start: tuple[int, int]
    end: tuple[int, int]
    extent: int


def interiors(extents: Extents, language: str) -> list[Interior]:
    """Return the insides of all extents that can hold calls, sorted by start."""
    found = []
    for number, extent in enumerate(extents.extents):
        if not extents.holds[number]:
            continue
        start = interior_start(extent.body, extent.name_range, language)
        if start < extent.body[2:]:
            found.append(Interior(start, extent.body[2:], number))
    found.sort()
    return found


class Enclosing:
    """Finds the innermost callable extent around places that come in ascending order; -1 where none is.

    The answer for a place holds for all places up to ``until``, so ``current`` and ``until`` may be used
    without a call. An extent does not hold its own name; where it begins before that, ask ``outside``.
    """

    __slots__ = ("_next", "_open", "_waiting", "current", "until")

    def __init__(self, waiting: list[Interior]) -> None:
        self._waiting = waiting
        self._next = 0
        self._open: list[Interior] = []
        self.current = -1
        self.until = waiting[0].start if waiting else _FAR

    def find(self, start: tuple[int, int]) -> int:
        """Return the number of the extent around a place."""
        waiting, stack = self._waiting, self._open
        while self._next < len(waiting) and waiting[self._next].start <= start:
            interior = waiting[self._next]
            while stack and stack[-1].end <= interior.start:
                stack.pop()
            stack.append(interior)
            self._next += 1
        while stack and stack[-1].end <= start:
            stack.pop()
        self.until = waiting[self._next].start if self._next < len(waiting) else _FAR
        self.current = -1
        if stack:
            self.current = stack[-1].extent
            self.until = min(self.until, stack[-1].end)
        return self.current

    def outside(self) -> int:
        """Return the number of the extent around the current one."""
        return self._open[-2].extent if len(self._open) > 1 else -1


def is_inside(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """Tell whether an offset lies in one of spans that ascend and do not touch each other's insides."""
    at = bisect_right(spans, offset, key=itemgetter(0)) - 1
    return at >= 0 and offset < spans[at][1]


def use_of(roles: int, shown: int, is_type: bool) -> int:
    """Return the use of a place that is no definition: the first in contract §5's order that applies.

    ``shown`` is what syntax shows, ``is_type`` whether the symbol is a type, whose call is a construction.
    """
    use = shown
    if use == _CALL and is_type:
        use = _CONSTRUCT
    if roles & ROLE_WRITE:
        use = min(use, _WRITE)
    return _IMPORT if roles & ROLE_IMPORT else use


def count_tokens(syntax: FileSyntax | None, bound: set[int], data: bytes) -> tuple[int, int, dict[str, int]]:
    """Count the identifier tokens of a file, those that begin at a byte in ``bound``, and the others by name.

    Names are NFC-normalised. Where a file has no syntax because it is too large or too slow to parse, every
    word outside ``bound`` counts by name, in strings and comments too, and the number of tokens is not known
    (0).
    """
    from unicodedata import normalize

    if syntax is None:
        return 0, 0, {}
    if syntax.is_missing:
        return 0, 0, count_words(data, bound)
    free = Counter(data[start:end] for start, end in syntax.tokens if start not in bound)
    unbound: Counter[str] = Counter()
    for name, times in free.items():
        unbound[normalize("NFC", name.decode("utf-8", "replace"))] += times
    total = len(syntax.tokens)
    return total, total - free.total(), dict(sorted(unbound.items()))


def count_words(data: bytes, bound: Iterable[int] = ()) -> dict[str, int]:
    """Count the words of a text by NFC-normalised name, without numbers and those at bytes in ``bound``.

    Of a text with more than a million different words those that come later are left out.
    """
    from unicodedata import normalize

    def composed(part: bytes) -> str:
        return normalize("NFC", part.decode("utf-8", "replace"))

    found: dict[str, int] = {}
    for match in _WORD.finditer(composed(data)):
        word = match.group()
        if word in found:
            found[word] += 1
        elif len(found) < _MOST_WORDS and not word[0].isdigit():
            found[word] = 1
    for offset in bound:
        taken = _WORD.match(composed(data[offset : offset + _LONGEST_WORD]))
        if taken is not None and taken.group() in found:
            found[taken.group()] -= 1
    return {word: times for word, times in sorted(found.items()) if times > 0}


def kind_of_locals(kinds_said: Mapping[str, int], symbols: Iterable[str]) -> tuple[int, ...]:
    """Return the kind of each local symbol; what nobody told is a variable."""
    variable = kinds.NUMBERS["variable"]
    return tuple(kinds_said.get(symbol) or variable for symbol in symbols)


def _qualified(extents: Sequence[SyntaxExtent]) -> list[str]:
    """Join the names of owners to each extent's own; a name that would grow too long stays alone.

    Otherwise one long name with many members would multiply.
    """
    found: list[str] = []
    for number, extent in enumerate(extents):
        own = f"{extent.owner}.{extent.name}" if extent.owner else extent.name
        whole = f"{found[extent.parent]}.{own}" if 0 <= extent.parent < number else own
        found.append(whole if len(whole) <= _LONGEST_QUALIFIED else own)
    return found


def _range(start: int, end: int, lines: SourceLines) -> Range:
    return Range(*lines.position(start), *lines.position(end))


def _union(one: Range, other: Range) -> Range:
    return Range(*min(one[:2], other[:2]), *max(one[2:], other[2:]))
