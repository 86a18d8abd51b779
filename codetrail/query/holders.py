"""Where the calls that a definition makes stand: its extents, read as contract §5 has it.

Of a callable those that it makes itself, of a class or module all within, of everything else none. This
module must not know occurrences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codetrail.model import kinds
from codetrail.model.interiors import interior_start
from codetrail.query.groups import Group, ParserDefinition
from codetrail.query.snapshot import Part, View
from codetrail.store.read_documents import DocumentRow, ExtentRow, extents, extents_of
from codetrail.store.read_symbols import definitions

_HOLDS_ALL = kinds.TYPES | kinds.MODULES
"""Kinds of definitions of which all calls in the extent count, whoever in it makes them."""
_MAKES_CALLS = _HOLDS_ALL | kinds.CALLABLE | {kinds.NUMBERS["property"]}


class Holder(NamedTuple):
    """What of a document makes a definition's calls: the callables with the extents ``own``, and all that
    stands in ``spans`` of classes and modules (half-open, from line and column to line and column).

    ``first`` (line and column) and ``last`` (line) bound all of it.
    """

    part: Part
    document: DocumentRow
    own: frozenset[int]
    spans: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    first: tuple[int, int]
    last: int

    def takes(self, line: int, column: int, encl: int) -> bool:
        """Tell whether a call at a place in the callable ``encl`` is one of the definition's."""
        if encl in self.own:
            return True
        return any(start <= (line, column) < end for start, end in self.spans)


def holders_of(view: View, group: Group) -> list[Holder]:
    """Return where the calls made inside a definition stand, in the order of path; of locals nowhere."""
    found: list[Holder] = []
    if group.parser is not None:
        for part, document in view.holding(group.parser.path):
            if document.sha256 == group.parser.sha256:
                found += _holder(part, document, _extents_of_parser(part, document, group.parser))
    for part, row in group.members:
        for doc in sorted({one.doc for one in definitions(part.shard, row.id)}):
            document_there = part.document(doc)
            if document_there is not None:
                found += _holder(part, document_there, extents_of(part.shard, doc, row.id))
    found.sort(key=lambda holder: holder.document.path)
    return found


def _extents_of_parser(part: Part, document: DocumentRow, known: ParserDefinition) -> list[ExtentRow]:
    return [
        one
        for one in extents(part.shard, document.id)
        if not one.symbol and one.name_range == known.name_range and one.name == known.name
    ]


def _holder(part: Part, document: DocumentRow, found: Sequence[ExtentRow]) -> list[Holder]:
    """Return where the calls of a definition with these extents stand; a variable makes none."""
    found = [one for one in found if one.kind in _MAKES_CALLS]
    if not found:
        return []
    own = frozenset(one.n for one in found if one.kind not in _HOLDS_ALL)
    starts = [interior_start(one.body, one.name_range, document.language) for one in found]
    spans = [(start, one.body[2:]) for start, one in zip(starts, found, strict=True) if one.n not in own]
    last = max(one.body.end_line for one in found)
    return [Holder(part, document, own, tuple(spans), min(starts), last)]
