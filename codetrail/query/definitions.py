"""Where symbols are defined: compiler facts first, labelled rows of the parser where there is no such fact.

A group of symbols gives a row for each of its definitions in files that are as they were indexed; a group of
the parser gives its one row. This module must not know how groups were found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import facts, kinds
from codetrail.model.answers import Node, Question, SymbolRow
from codetrail.model.ranges import FILE_START, Range
from codetrail.query.freshness import MOVED, Freshness
from codetrail.query.groups import Group, Member, ParserDefinition, bears, is_of_other_version
from codetrail.query.nodes import Nodes, kind_word, provenance
from codetrail.query.paging import Counts, Position
from codetrail.query.parser_provenance import parser_provenance
from codetrail.query.ranked import Carded, Groups, Ranked
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part
from codetrail.store.read_documents import DocumentRow
from codetrail.store.read_symbols import definitions, symbol

if TYPE_CHECKING:
    from codetrail.query.counts import Counting
    from codetrail.query.relations import RelatedCalls
    from codetrail.query.source_blocks import SourceBlocks


class _Defined(NamedTuple):
    path: str
    range: Range
    symbol: str
    body: Range | None
    member: Member
    document: DocumentRow


class Definitions:
    """Makes the rows of ``defs`` and ``symbols``; one object serves one question.

    ``blocks`` and ``related`` are given where rows shall carry source and, with it, calls; ``counting`` where
    they shall carry counts.
    """

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        nodes: Nodes,
        blocks: SourceBlocks | None = None,
        counting: Counting | None = None,
        related: RelatedCalls | None = None,
    ) -> None:
        self._counting = counting
        self._explain = question.explain
        self._test = test
        self._freshness = freshness
        self._nodes = nodes
        self._blocks = blocks
        self._related = related
        self.dropped = 0
        self.other_versions = 0

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, SymbolRow]]:
        """Yield the rows of all groups in order, from behind ``after`` on."""
        first = after.rank if after is not None else 0
        if self._blocks is not None:
            self._blocks.pass_over(rank for rank in range(first) if self._counts(groups[rank]).rows)
        for rank in range(first, len(groups)):
            start = after if after is not None and rank == first else None
            for position, row in self._rows_of(groups[rank], rank):
                if start is None or position[1:6] > start[1:6]:
                    yield position, row

    def _rows_of(self, group: Group, rank: int) -> Iterator[tuple[Position, SymbolRow]]:
        if group.local is not None:
            yield from self._local_row(group, rank)
        elif group.parser is not None:
            yield from self._parser_row(group, rank)
        else:
            yield from self._precise_rows(group, rank)

    def _precise_rows(self, group: Group, rank: int) -> Iterator[tuple[Position, SymbolRow]]:
        last: tuple[str, Range] | None = None
        for found in _defined(group):
            if (found.path, found.range) == last or not self._test(found.path, found.document.language):
                continue
            last = (found.path, found.range)
            shown = self._now(found)
            if shown is None:
                self.dropped += 1
                continue
            part = found.member.part
            moved = self._freshness.known_stale(found.path)
            label = self._reliability(group, found.member)
            row = SymbolRow(
                node=self._nodes.of_member(found.member, found.document, shown.range),
                body=shown.body,
                reliability=facts.INFERRED_CANDIDATE if moved else label,
                callable=bool(found.member.row.flags & facts.SYM_CALLABLE),
                of=rank,
                variant=group.variant,
                freshness=MOVED if moved else None,
                origin=part.entry.origin or None,
                provenance=provenance(self._nodes.view, part, found.document) if self._explain else None,
                counts=self._counting.of(group) if self._counting is not None else None,
            )
            position = Position.of(rank, found.path, found.range, found.symbol)
            yield from self._with_source(position, row, None if moved else found.document.sha256, group)

    def _now(self, found: _Defined) -> _Defined | None:
        """Return where a definition stands now, None where it does not.

        In a changed file under its own names only, with the extent that syntax sees there.
        """
        # Where source is shown, the very bytes are looked at in any mode.
        if self._blocks is None and self._freshness.is_fresh(found.path, found.document.sha256):
            return found
        standing = self._freshness.stands(found.member.part, found.document, found.range)
        if standing is None or not standing.moved:
            return found if standing is not None else None
        if found.range == FILE_START:
            index = standing.text.index
            return found._replace(body=Range(0, 0, *index.position(len(standing.text.data))))
        now = self._nodes.moved.definition(found.path, standing.range)
        if now is not None and not bears(found.member.row, now.qualified):
            return None
        return found._replace(range=standing.range, body=self._body_now(found, now))

    def _body_now(self, found: _Defined, now: ParserDefinition | None) -> Range | None:
        """Return the extent of a definition in a changed file.

        Where syntax sees one, its end is on the line that syntax says: lines may have come behind the last.
        """
        if found.body is None:
            return None
        line, column, end_line, end_column = found.body
        start, end = (
            self._freshness.moved(found.member.part, found.document, Range(*place, *place))
            for place in ((line, column), (end_line, end_column))
        )
        if now is None:
            return Range(*start[:2], *end[:2]) if start is not None and end is not None else None
        first = start if start is not None else now.body
        last = end if end is not None and end.end_line == now.body.end_line else now.body
        return Range(*first[:2], *last[2:])

    def _with_source(
        self, position: Position, row: SymbolRow, sha256: bytes | None, group: Group | None = None
    ) -> Iterator[tuple[Position, SymbolRow]]:
        """Yield a row, with its source where that was asked for; nothing where its bytes are gone.

        ``sha256`` is None for a row that was found in the present text. With the source come the calls of
        ``group``.
        """
        shown = row if self._blocks is None else self._blocks.with_source(row, sha256)
        if shown is None:
            self.dropped += 1
            return
        if self._related is not None and group is not None and shown.source is not None:
            shown = shown._replace(relations=self._related.of(group))
        yield position, shown

    def _reliability(self, group: Group, member: Member) -> str:
        if not is_of_other_version(group, member):
            return facts.PRECISE_FACT
        self.other_versions += 1
        return facts.INFERRED_CANDIDATE

    def _local_row(self, group: Group, rank: int) -> Iterator[tuple[Position, SymbolRow]]:
        local = group.local
        document = local.part.document(local.doc) if local is not None else None
        if local is None or document is None or not self._test(document.path, document.language):
            return
        node = self._nodes.definition(group)
        if node is None or node.path is None or node.range is None:
            self.dropped += 1
            return
        moved = self._freshness.known_stale(document.path)
        row = SymbolRow(
            node=node,
            body=group.parser.body if group.parser is not None and not moved else None,
            reliability=facts.INFERRED_CANDIDATE if moved else facts.PRECISE_FACT,
            callable=group.kind in kinds.CALLABLE,
            of=rank,
            variant=group.variant,
            freshness=MOVED if moved else None,
            origin=local.part.entry.origin or None,
            provenance=provenance(self._nodes.view, local.part, document) if self._explain else None,
        )
        if self._counting is not None:
            row = row._replace(counts=self._counting.of(group))
        position = Position.of(rank, node.path, node.range, node.symbol or "")
        yield from self._with_source(position, row, None if moved else document.sha256)

    def _parser_row(self, group: Group, rank: int) -> Iterator[tuple[Position, SymbolRow]]:
        found = group.parser
        if found is None or not self._test(found.path, found.language):
            return
        if not self._freshness.is_fresh_or_current(found.path, found.sha256):
            self.dropped += 1
            return
        node = Node(
            kind_word(found.kind),
            found.name,
            found.qualified,
            None,
            found.language,
            found.path,
            found.name_range,
        )
        row = SymbolRow(
            node,
            found.body,
            facts.PARSER_FACT,
            found.kind in kinds.CALLABLE,
            rank,
            variant=group.variant,
            provenance=parser_provenance(self._nodes.view, found.path, found.sha256)
            if self._explain
            else None,
        )
        yield from self._with_source(Position.of(rank, found.path, found.name_range, ""), row, found.sha256)

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count rows without making them; beyond the first ``most`` groups only where cards suffice."""
        if isinstance(groups, Ranked):
            cards = map(groups.card, range(len(groups)))
            return [
                self._counts(groups[rank]) if card is None else self._counts_of_card(card)
                for rank, card in enumerate(cards)
            ]
        return list(map(self._counts, groups[:most]))

    def _counts_of_card(self, card: Carded) -> Counts:
        total = [0, 0, 0]
        for doc, times in card.definitions.items():
            document = card.part.document(doc)
            if document is None:
                continue
            if not self._test(document.path, document.language):
                total[2] += times
            elif not self._freshness.known_stale(document.path):
                total[0] += times
            else:
                still = self._still(card.part, card.symbol, document)
                total[0] += still
                total[1] += times - still
        return Counts(total[0], total[1], total[2])

    def _still(self, part: Part, number: int, document: DocumentRow) -> int:
        """Count the definitions of a symbol in a changed file that still stand there."""
        row = symbol(part.shard, number)
        member = Member(part, row) if row is not None else None
        return sum(
            1
            for one in definitions(part.shard, number)
            if member is not None
            and one.doc == document.id
            and self._now(_Defined(document.path, one.name, "", one.body, member, document)) is not None
        )

    def _counts(self, group: Group) -> Counts:
        if group.parser is not None and group.local is None:
            if not self._test(group.parser.path, group.parser.language):
                return Counts(outside=1)
            stands = self._freshness.is_fresh_or_current(group.parser.path, group.parser.sha256)
            return Counts(rows=1) if stands else Counts(dropped=1)
        if group.local is not None:
            document = group.local.part.document(group.local.doc)
            if document is None:
                return Counts()
            if not self._test(document.path, document.language):
                return Counts(outside=1)
            stands = self._nodes.definition(group) is not None
            return Counts(rows=1) if stands else Counts(dropped=1)
        total = Counts()
        last: tuple[str, Range] | None = None
        for found in _defined(group):
            if (found.path, found.range) == last:
                continue
            last = (found.path, found.range)
            if not self._test(found.path, found.document.language):
                total = total.plus(Counts(outside=1))
            elif self._freshness.known_stale(found.path) and self._now(found) is None:
                total = total.plus(Counts(dropped=1))
            else:
                total = total.plus(Counts(rows=1))
        return total


def _defined(group: Group) -> list[_Defined]:
    """Return every definition of a group in the order path, range, symbol."""
    found = []
    for member in group.members:
        for one in definitions(member.part.shard, member.row.id):
            document = member.part.document(one.doc)
            if document is not None:
                found.append(_Defined(document.path, one.name, member.row.string, one.body, member, document))
    found.sort(key=lambda one: one[:3])
    return found
