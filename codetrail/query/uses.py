"""Where symbols are used: occurrences read by seeking, merged over all shards, in the order of contract §3.

A late page costs what the first one does, and files out of scope are passed over in whole runs. What a use is
shown as is the business of who asks: this module must not know rows, nor import syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import facts
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, LocalSymbol, Member
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part
from codetrail.store.read_documents import DocumentRow, first_document_from
from codetrail.store.read_occurrences import (
    ALL_USES,
    BEFORE_ALL,
    Place,
    count_occurrences,
    documents_of,
    occurrences,
    uses_set,
)

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides, Related

CALLS = uses_set(map(facts.USES.index, ("call", "construct", "decorator")))
"""The uses that call: a bit set as ``Wanted`` holds one."""

_SUMMED = CALLS | 1 | 1 << facts.USES.index("import")
"""The uses that shards hold sums of, and definitions."""

_FIRST_CHUNK = 128
_CHUNK = 1024
_LAST_DOC = 1 << 60
_MOST_JOINED = 200_000
"""Places that one question looks at to count those of several symbols once; beyond, no total is known."""


class Wanted(NamedTuple):
    """Which occurrences count: a bit set of uses, and roles that none of them may have."""

    uses: int
    without_roles: int = facts.ROLE_DEFINITION

    def takes(self, roles: int, use: int) -> bool:
        """Tell whether an occurrence with these roles and this use counts."""
        return bool(1 << use & self.uses) and not roles & self.without_roles


class Use(NamedTuple):
    """One occurrence, with what orders it.

    ``owner`` is whose symbol stands there: the group asked about, or another whose uses count as its own.
    ``related`` is given where that other one is a relative by overriding.
    """

    path: str
    range: Range
    symbol: str
    member: Member | LocalSymbol
    document: DocumentRow
    roles: int
    use: int
    encl: int
    owner: Group
    related: Related | None = None


class Source(NamedTuple):
    """A symbol of one shard, and which of its uses count for a group; the rest is as in ``Use``."""

    member: Member
    wanted: Wanted
    owner: Group
    related: Related | None = None


Also = Callable[[Group], Sequence[tuple[Group, Wanted]]]
"""Gives other groups some uses of which count as uses of a group, and which uses."""


class Uses:
    """Finds the uses of groups of symbols; one object serves one question."""

    def __init__(
        self,
        wanted: Wanted,
        everything: bool,
        test: PathTest,
        freshness: Freshness,
        overrides: Overrides | None = None,
        also: Also | None = None,
    ) -> None:
        self._wanted = wanted
        self._everything = everything
        self._test = test
        self._freshness = freshness
        self._overrides = overrides
        self._also = also
        self._left_to_join = _MOST_JOINED
        self._documents: dict[tuple[str, int, Wanted], tuple[tuple[int, int], ...]] = {}

    def of(self, group: Group, after: Position | None = None) -> Iterator[Use]:
        """Yield the uses of a group in files in scope, one for each place, from behind ``after`` on."""
        last = (after.path, after.range) if after is not None else None
        for found in self._found(group, after):
            if (found.path, found.range) == last:
                continue
            last = (found.path, found.range)
            if self._test(found.path, found.document.language):
                yield found

    def ranked(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[int, Group, Use]]:
        """Yield the uses of all groups in order, each with the rank of its group and the group."""
        first = after.rank if after is not None else 0
        for rank in range(first, len(groups)):
            start = after if after is not None and rank == first else None
            for found in self.of(groups[rank], start):
                yield rank, groups[rank], found

    def _found(self, group: Group, after: Position | None) -> Iterator[Use]:
        if group.local is not None:
            return self._local(group, group.local, after)
        streams = [self._of_source(source, after) for source in self._sources(group) if _may_have(source)]
        if not streams:
            return iter(())
        if len(streams) == 1:
            return streams[0]
        return merge(*streams, key=_order)

    def _sources(self, group: Group) -> list[Source]:
        found = [Source(member, self._wanted, group) for member in group.members]
        if self._also is not None:
            found += [
                Source(member, wanted, other)
                for other, wanted in self._also(group)
                for member in other.members
            ]
        if self._overrides is not None:
            found += [
                Source(member, self._wanted, related.group, related)
                for related in self._overrides.of(group)
                for member in related.group.members
            ]
        return found

    def _of_source(self, source: Source, after: Position | None) -> Iterator[Use]:
        place = _place_after(source.member.part, after)
        if self._everything:
            yield from self._between(source, place, _LAST_DOC)
            return
        # Files out of scope may hold most uses: whole runs of them are passed over by seeking.
        for first, last in self._runs_in_scope(source):
            if last >= place.doc:
                start = place if first <= place.doc else _end_of(first - 1)
                yield from self._between(source, start, last)

    def _runs_in_scope(self, source: Source) -> list[tuple[int, int]]:
        """Return the spans of document ids that hold uses and no file out of scope with any."""
        runs: list[tuple[int, int]] = []
        open_run = False
        for doc, _ in self._documents_of(source):
            document = source.member.part.document(doc)
            inside = document is not None and self._test(document.path, document.language)
            if inside and open_run:
                runs[-1] = (runs[-1][0], doc)
            elif inside:
                runs.append((doc, doc))
            open_run = inside
        return runs

    def _documents_of(self, source: Source) -> tuple[tuple[int, int], ...]:
        """Return document ids of a symbol with the number of uses in each; one scan of its occurrences."""
        member, wanted = source.member, source.wanted
        key = (member.part.shard.file, member.row.id, wanted)
        if key not in self._documents:
            self._documents[key] = documents_of(
                member.part.shard, member.row.id, uses=wanted.uses, without_roles=wanted.without_roles
            )
        return self._documents[key]

    def _between(self, source: Source, place: Place, last_doc: int) -> Iterator[Use]:
        part, row = source.member
        limit = _FIRST_CHUNK
        while True:
            chunk = occurrences(
                part.shard,
                row.id,
                after=place,
                last_doc=last_doc,
                limit=limit,
                uses=source.wanted.uses,
                without_roles=source.wanted.without_roles,
            )
            for _, doc, line, column, end_line, end_column, roles, use, encl in chunk:
                document = part.document(doc)
                if document is not None:
                    span = Range(line, column, end_line, end_column)
                    yield Use(
                        document.path,
                        span,
                        row.string,
                        source.member,
                        document,
                        roles,
                        use,
                        encl,
                        source.owner,
                        source.related,
                    )
            if len(chunk) < limit:
                return
            place = Place(*chunk[-1][1:6])
            limit = _CHUNK

    def _local(self, group: Group, local: LocalSymbol, after: Position | None) -> Iterator[Use]:
        document = local.part.document(local.doc)
        if document is None:
            return
        found, _ = local.part.locals(local.doc)
        for number, span, roles, use, encl in found:
            if number != local.number or not self._wanted.takes(roles, use):
                continue
            if after is None or (document.path, span) > (after.path, after.range):
                yield Use(document.path, span, f"local {number}", local, document, roles, use, encl, group)

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the uses of the first ``most`` groups, as ``of`` gives them."""
        return list(map(self.count, groups[:most]))

    def count(self, group: Group) -> Counts:
        """Count the uses of a group.

        The sums of whole shards serve where nothing is left out; else one scan of the group's occurrences.
        """
        if group.local is not None:
            return self._counts_of_local(group, group.local)
        sources = self._sources(group)
        several = any(source.owner is not group for source in sources)
        if several:
            self._left_to_join -= sum(source.member.row.references + 1 for source in sources)
            if self._left_to_join >= 0:
                return self._counts_of_places(sources)
        total = Counts(exact=not several)
        for source in sources:
            known = self._known_sum(source)
            if known is not None:
                total = total.plus(Counts(known))
                continue
            for doc, times in self._documents_of(source):
                document = source.member.part.document(doc)
                if document is None or not self._freshness.known_stale(document.path):
                    total = total.plus(self._counted(document, times))
                    continue
                there = [found.range for found in self._between(source, _end_of(doc - 1), doc)]
                total = total.plus(self._counted_now(source.member.part, document, there))
        return total

    def _counts_of_places(self, sources: Iterable[Source]) -> Counts:
        """Count the uses of several symbols: a place that several of them share counts once."""
        places: dict[str, tuple[Part, DocumentRow, set[Range]]] = {}
        for source in sources:
            part = source.member.part
            for found in self._between(source, BEFORE_ALL, _LAST_DOC):
                places.setdefault(found.path, (part, found.document, set()))[2].add(found.range)
        total = Counts()
        for part, document, ranges in places.values():
            total = total.plus(self._counted_now(part, document, ranges))
        return total

    def _known_sum(self, source: Source) -> int | None:
        """Return how many such uses the shard holds, None where not all of them count."""
        (part, row), wanted = source.member, source.wanted
        if not self._everything or part.entry.masked or self._freshness.anything_differs:
            return None
        if wanted == Wanted(ALL_USES):
            return row.references
        if wanted == Wanted(CALLS):
            return row.calls
        if not wanted.uses & _SUMMED and row.references == row.calls + row.imports:
            return 0
        return count_occurrences(part.shard, row.id, uses=wanted.uses, without_roles=wanted.without_roles)

    def _counts_of_local(self, group: Group, local: LocalSymbol) -> Counts:
        document = local.part.document(local.doc)
        there = [found.range for found in self._local(group, local, None)]
        return Counts() if document is None else self._counted_now(local.part, document, there)

    def _counted_now(self, part: Part, document: DocumentRow, there: Collection[Range]) -> Counts:
        """Count places in a document; of a file known to have changed only those that are still there."""
        counted = self._counted(document, len(there))
        if not counted.rows or not self._freshness.known_stale(document.path):
            return counted
        still = sum(1 for span in there if self._freshness.moved(part, document, span) is not None)
        return Counts(still, dropped=len(there) - still)

    def _counted(self, document: DocumentRow | None, times: int) -> Counts:
        if document is None:
            return Counts()
        return Counts(times) if self._test(document.path, document.language) else Counts(outside=times)


def _may_have(source: Source) -> bool:
    """Tell whether a symbol can have uses that count: thousands of one name may have none."""
    row, wanted = source.member.row, source.wanted
    if not wanted.without_roles & facts.ROLE_DEFINITION:
        return True
    return (row.calls if not wanted.uses & ~CALLS else row.references) > 0


def _order(found: Use) -> tuple[str, Range, bool, str]:
    """Order uses as contract §3 does; of those at one place the use of the very symbol comes first."""
    return found.path, found.range, found.related is not None, found.symbol


def _place_after(part: Part, after: Position | None) -> Place:
    """Turn a position into one of this shard: its own document, or the end of the one before."""
    if after is None:
        return BEFORE_ALL
    doc = first_document_from(part.shard, after.path)
    document = part.document(doc)
    if document is not None and document.path == after.path:
        return Place(doc, *after.range)
    return _end_of(doc - 1)


def _end_of(doc: int) -> Place:
    """Return a place behind everything in a document."""
    return Place(doc, *(1 << 60,) * 4)
