"""Uses of exactly the symbols that were asked for: compiler facts only, never text, never the parser's.

Rows come group by group, and inside a group in the order path, range, symbol, merged over all shards by
seeking, so that a late page costs what the first one does. This module must not import syntax.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from typing import TYPE_CHECKING, NamedTuple

from codetrail.errors import UsageError
from codetrail.model import facts
from codetrail.model.answers import Question, ReferenceRow
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, LocalSymbol, Member
from codetrail.query.nodes import Nodes, provenance
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part
from codetrail.query.sources import Sources, shown_line, written
from codetrail.store.read_documents import DocumentRow, first_document_from
from codetrail.store.read_occurrences import (
    ALL_USES,
    BEFORE_ALL,
    Place,
    documents_of,
    occurrences,
    uses_set,
)

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides, Related

_FIRST_CHUNK = 128
_CHUNK = 1024
_LAST_DOC = 1 << 60
_MOST_JOINED = 200_000
"""Places that one question looks at to count those of several symbols once; beyond, no total is known."""


class Wanted(NamedTuple):
    """Which occurrences count as rows: a bit set of uses, and roles that no row may have."""

    uses: int
    without_roles: int

    def takes(self, roles: int, use: int) -> bool:
        """Tell whether an occurrence with these roles and this use is a row."""
        return bool(1 << use & self.uses) and not roles & self.without_roles


class _Found(NamedTuple):
    """One occurrence, with what orders it; ``related`` is whose it is, if not of the symbol asked about."""

    path: str
    range: Range
    symbol: str
    member: Member | LocalSymbol
    document: DocumentRow
    roles: int
    use: int
    encl: int
    related: Related | None = None


def wanted_of(question: Question) -> Wanted:
    """Return which occurrences the question wants. Raises UsageError ``invalid_argument`` for no such use."""
    unknown = [use for use in question.uses if use not in facts.USES[1:]]
    if unknown:
        raise UsageError(f"a use is one of {', '.join(facts.USES[1:])}", code="invalid_argument")
    uses = uses_set(map(facts.USES.index, question.uses)) if question.uses else ALL_USES
    if question.include_definitions:
        return Wanted(uses | 1, 0)
    return Wanted(uses, facts.ROLE_DEFINITION)


class References:
    """Makes the rows of ``refs``; one object serves one question."""

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        sources: Sources,
        nodes: Nodes,
        overrides: Overrides | None = None,
    ) -> None:
        self._overrides = overrides
        self._left_to_join = _MOST_JOINED
        self._wanted = wanted_of(question)
        self._explain = question.explain
        self._everything = question.scope.is_everything
        self._test = test
        self._freshness = freshness
        self._sources = sources
        self._nodes = nodes
        self._documents: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}
        self.dropped = 0
        self.other_versions = 0

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, ReferenceRow]]:
        """Yield the rows of all groups in order, from behind ``after`` on."""
        first = after.rank if after is not None else 0
        for rank in range(first, len(groups)):
            start = after if after is not None and rank == first else None
            yield from self._rows_of(groups[rank], rank, start)

    def _rows_of(
        self, group: Group, rank: int, after: Position | None
    ) -> Iterator[tuple[Position, ReferenceRow]]:
        last = (after.path, after.range) if after is not None else None
        for found in self._found(group, after):
            if (found.path, found.range) == last:
                continue
            last = (found.path, found.range)
            if not self._test(found.path, found.document.language):
                continue
            row = self._row(group, rank, found)
            if row is not None:
                yield Position.of(rank, found.path, found.range, found.symbol), row

    def _found(self, group: Group, after: Position | None) -> Iterator[_Found]:
        if group.local is not None:
            return self._local(group.local, after)
        streams = [self._of_member(member, after) for member in group.members if self._may_have(member)]
        streams += [
            self._of_member(member, after, related)
            for related in self._related(group)
            for member in related.group.members
            if self._may_have(member)
        ]
        if not streams:
            return iter(())
        if len(streams) == 1:
            return streams[0]
        return merge(*streams, key=_order)

    def _related(self, group: Group) -> tuple[Related, ...]:
        return self._overrides.of(group) if self._overrides is not None else ()

    def _may_have(self, member: Member) -> bool:
        """Tell whether a symbol can have rows: thousands of one name may have none."""
        return member.row.references > 0 or not self._wanted.without_roles

    def _of_member(
        self, member: Member, after: Position | None, related: Related | None = None
    ) -> Iterator[_Found]:
        place = _place_after(member.part, after)
        if self._everything:
            yield from self._between(member, place, _LAST_DOC, related)
            return
        # Files out of scope may hold most uses: whole runs of them are passed over by seeking.
        for first, last in self._runs_in_scope(member):
            if last >= place.doc:
                start = place if first <= place.doc else _end_of(first - 1)
                yield from self._between(member, start, last, related)

    def _runs_in_scope(self, member: Member) -> list[tuple[int, int]]:
        """Return the spans of document ids that hold uses and no file out of scope with any."""
        runs: list[tuple[int, int]] = []
        open_run = False
        for doc, _ in self._documents_of(member):
            document = member.part.document(doc)
            inside = document is not None and self._test(document.path, document.language)
            if inside and open_run:
                runs[-1] = (runs[-1][0], doc)
            elif inside:
                runs.append((doc, doc))
            open_run = inside
        return runs

    def _documents_of(self, member: Member) -> tuple[tuple[int, int], ...]:
        """Return document ids of a symbol with the number of rows in each; one scan of its occurrences."""
        key = (member.part.shard.file, member.row.id)
        if key not in self._documents:
            self._documents[key] = documents_of(
                member.part.shard,
                member.row.id,
                uses=self._wanted.uses,
                without_roles=self._wanted.without_roles,
            )
        return self._documents[key]

    def _between(
        self, member: Member, place: Place, last_doc: int, related: Related | None = None
    ) -> Iterator[_Found]:
        part, row = member
        limit = _FIRST_CHUNK
        while True:
            chunk = occurrences(
                part.shard,
                row.id,
                after=place,
                last_doc=last_doc,
                limit=limit,
                uses=self._wanted.uses,
                without_roles=self._wanted.without_roles,
            )
            for _, doc, line, column, end_line, end_column, roles, use, encl in chunk:
                document = part.document(doc)
                if document is not None:
                    span = Range(line, column, end_line, end_column)
                    yield _Found(document.path, span, row.string, member, document, roles, use, encl, related)
            if len(chunk) < limit:
                return
            place = Place(*chunk[-1][1:6])
            limit = _CHUNK

    def _local(self, local: LocalSymbol, after: Position | None) -> Iterator[_Found]:
        document = local.part.document(local.doc)
        if document is None:
            return
        found, _ = local.part.locals(local.doc)
        for number, span, roles, use, encl in found:
            if number != local.number or not self._wanted.takes(roles, use):
                continue
            if after is None or (document.path, span) > (after.path, after.range):
                yield _Found(document.path, span, f"local {number}", local, document, roles, use, encl)

    def _row(self, group: Group, rank: int, found: _Found) -> ReferenceRow | None:
        """Make a row, or None when the file is not the one that was indexed."""
        document = found.document
        if not self._freshness.is_fresh(found.path, document.sha256):
            self.dropped += 1
            return None
        text = self._sources.text(found.path, document.sha256)
        if text is None:
            self._freshness.mark_changed(found.path)
            self.dropped += 1
            return None
        part = found.member.part
        related = found.related
        owner = group if related is None else related.group
        return ReferenceRow(
            name=owner.name,
            symbol=found.symbol,
            language=document.language,
            path=found.path,
            range=found.range,
            text=shown_line(text, found.range),
            use=facts.USES[found.use] or None,
            roles=found.roles,
            enclosing=self._nodes.enclosing(part, document, found.encl),
            definition=self._nodes.definition(owner),
            reliability=self._reliability(owner, found),
            of=rank,
            alias=written(text, found.range) if found.roles & facts.ROLE_ALIAS else None,
            provenance=provenance(self._nodes.view, part, document) if self._explain else None,
            via=None if related is None else related.via(found.symbol),
        )

    def _reliability(self, group: Group, found: _Found) -> str:
        """Label a row: a use of another version of the package is a candidate (architecture §3)."""
        if found.related is not None and not found.related.certain:
            return facts.INFERRED_CANDIDATE
        if isinstance(found.member, LocalSymbol) or not group.versions:
            return facts.PRECISE_FACT
        package = found.member.row.package
        if package is None or not package.version or package.version in group.versions:
            return facts.PRECISE_FACT
        self.other_versions += 1
        return facts.INFERRED_CANDIDATE

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the rows of the first ``most`` groups without making them."""
        return list(map(self._counts, groups[:most]))

    def _counts(self, group: Group) -> Counts:
        """Count the rows of a group.

        The sums that shards hold serve where nothing is left out; else one scan of the group's occurrences.
        """
        if group.local is not None:
            return self._counts_of_local(group.local)
        members = list(group.members)
        if related := self._related(group):
            members += [member for one in related for member in one.group.members]
            self._left_to_join -= sum(member.row.references + 1 for member in members)
            if self._left_to_join >= 0:
                return self._counts_of_places(members)
        total = Counts(exact=not related)
        for part, row in members:
            if self._sums_serve(part):
                total = total.plus(Counts(row.references))
                continue
            for doc, times in self._documents_of(Member(part, row)):
                total = total.plus(self._counted(part.document(doc), times))
        return total

    def _counts_of_places(self, members: Iterable[Member]) -> Counts:
        """Count the rows of several symbols: a place that several of them share is one row."""
        places: dict[str, tuple[DocumentRow, set[Range]]] = {}
        for member in members:
            for found in self._between(member, BEFORE_ALL, _LAST_DOC):
                places.setdefault(found.path, (found.document, set()))[1].add(found.range)
        total = Counts()
        for document, ranges in places.values():
            total = total.plus(self._counted(document, len(ranges)))
        return total

    def _sums_serve(self, part: Part) -> bool:
        return (
            self._everything
            and not part.entry.masked
            and not self._freshness.anything_differs
            and self._wanted == Wanted(ALL_USES, facts.ROLE_DEFINITION)
        )

    def _counts_of_local(self, local: LocalSymbol) -> Counts:
        document = local.part.document(local.doc)
        times = sum(1 for _ in self._local(local, None))
        return self._counted(document, times)

    def _counted(self, document: DocumentRow | None, times: int) -> Counts:
        if document is None:
            return Counts()
        if not self._test(document.path, document.language):
            return Counts(outside=times)
        if self._freshness.known_stale(document.path):
            return Counts(dropped=times)
        return Counts(times)


def _order(found: _Found) -> tuple[str, Range, bool, str]:
    """Order rows as contract §3 does; of those at one place the use of the very symbol comes first."""
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
