"""How often symbols are used, from the sums that shards hold less what does not count any more.

Sums are of all documents of a shard; uses in documents that are masked, in files that are gone, or on lines
that are, are found document by document and taken off. This module must not know rows or what is printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from codetrail.model import facts
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, Member
from codetrail.query.snapshot import Part
from codetrail.store.read_documents import document_by_id, extents
from codetrail.store.read_occurrences import documents_of, occurrences_in

_IMPORT = facts.USES.index("import")
_CALLS = frozenset(facts.USES.index(use) for use in ("call", "construct", "decorator"))
_LAST_LINE = 1 << 60


class Tally(NamedTuple):
    """Places that use a symbol, and of these: calls, places in test files, imports, other uses inside it."""

    places: int = 0
    calls: int = 0
    tests: int = 0
    imports: int = 0
    inside: int = 0

    @property
    def refs(self) -> int:
        """Return the uses that are no import and not inside the symbol itself."""
        return self.places - self.imports - self.inside

    def plus(self, other: Tally) -> Tally:
        """Add two tallies."""
        return Tally(*(one + more for one, more in zip(self, other, strict=True)))

    def minus(self, other: Tally) -> Tally:
        """Take one tally off another."""
        return Tally(*(one - less for one, less in zip(self, other, strict=True)))


class Tallies:
    """Gives the tallies of symbols; one object serves one question."""

    def __init__(self, freshness: Freshness) -> None:
        self._freshness = freshness
        self._by_document: dict[tuple[str, int], dict[int, Tally]] = {}

    def of(self, group: Group) -> Tally:
        """Return the tally of a symbol over all shards, of uses whose lines are still there."""
        total = Tally()
        for member in group.members:
            total = total.plus(self._of_member(member))
        return total

    def _of_member(self, member: Member) -> Tally:
        part, row = member
        total = Tally(row.references, row.calls, row.tests, row.imports, row.inside)
        if not (part.entry.masked or self._freshness.anything_differs):
            return total
        for doc, _ in documents_of(part.shard, row.id, without_roles=facts.ROLE_DEFINITION):
            document = part.document(doc)
            if document is None or self._freshness.known_stale(document.path):
                total = total.minus(self._lost_in(part, doc).get(row.id, Tally()))
        return total

    def counts(self, part: Part, doc: int, span: Range) -> bool:
        """Tell whether a use in a document counts: that is not masked, and the use's line is still there."""
        document = part.document(doc)
        if document is None:
            return False
        if not self._freshness.known_stale(document.path):
            return True
        return self._freshness.moved(part, document, span) is not None

    def _lost_in(self, part: Part, doc: int) -> dict[int, Tally]:
        key = (part.shard.file, doc)
        if key not in self._by_document:
            self._by_document[key] = _tally(part, doc, lambda span: not self.counts(part, doc, span))
        return self._by_document[key]


def _tally(part: Part, doc: int, is_lost: Callable[[Range], bool]) -> dict[int, Tally]:
    """Tally uses of one document by symbol id, as ``store.inside_uses`` and ``shard_symbols`` do."""
    document = document_by_id(part.shard, doc)
    in_test = int(document is not None and bool(document.flags & facts.DOC_TEST))
    own: dict[int, list[Range]] = {}
    for extent in extents(part.shard, doc):
        if extent.symbol:
            own.setdefault(extent.symbol, []).append(extent.body)
    found: dict[int, Tally] = {}
    for row in occurrences_in(part.shard, doc, 0, _LAST_LINE):
        if row.roles & facts.ROLE_DEFINITION or not is_lost(Range(*row[2:6])):
            continue
        is_import = row.use == _IMPORT
        bodies = () if is_import else own.get(row.symbol, ())
        inside = any(body.contains(row.line, row.column) for body in bodies)
        use = Tally(1, int(row.use in _CALLS), in_test, int(is_import), int(inside))
        found[row.symbol] = found.get(row.symbol, Tally()).plus(use)
    return found
