"""Calls made inside the definitions that were asked for (contract §5).

Of files without a precise layer ``parser_rows`` has rows. This module must not import syntax.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codetrail.model.answers import Note, Question
from codetrail.model.calls import CallRow
from codetrail.query.call_rows import CallRows, is_still_made, parser_rows
from codetrail.query.edges import Edges
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, is_of_other_version
from codetrail.query.holders import holders_of
from codetrail.query.nodes import Nodes
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides


class Calls:
    """Makes the rows of ``calls``; one object serves one question."""

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        sources: Sources,
        nodes: Nodes,
        overrides: Overrides | None = None,
    ) -> None:
        self._view = nodes.view
        everything = question.scope.is_everything
        self._edges = Edges(nodes.view, everything, test, freshness, nodes.locals, overrides)
        self._rows = CallRows(question, freshness, nodes)
        self._parsed = parser_rows(question, test, freshness, sources, nodes)
        self._nodes = nodes
        self._elsewhere = 0
        self.other_versions = 0

    @property
    def dropped(self) -> int:
        """Return how many rows were left out because their lines are gone, or in another callable now."""
        return self._rows.dropped + self._elsewhere

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, CallRow]]:
        """Yield the rows of all groups in order, from behind ``after`` on."""
        first = after.rank if after is not None else 0
        for rank in range(first, len(groups)):
            start = after if after is not None and rank == first else None
            found = self._precise(rank, groups[rank], start)
            yield from found if self._parsed is None else self._parsed.calls(rank, groups[rank], found, start)

    def _precise(self, rank: int, group: Group, start: Position | None) -> Iterator[tuple[Position, CallRow]]:
        for edge in self._edges.outgoing(group, start):
            row = self._rows.row(rank, edge)
            if row is not None and row.freshness and not is_still_made(self._nodes, edge, row.caller):
                self._elsewhere += 1
            elif row is not None:
                self.other_versions += is_of_other_version(edge.callee, edge.member)
                yield Position.of(rank, edge.path, edge.range, edge.symbol), row

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the rows of the first ``most`` groups without making them."""
        return list(map(self._count, groups[:most]))

    def _count(self, group: Group) -> Counts:
        counted = self._edges.count_outgoing(group)
        return counted if self._parsed is None else counted.plus(self._parsed.count_calls(group))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say what was left out of the rows of files without a precise layer."""
        return () if self._parsed is None else self._parsed.notes

    def open_calls(self, groups: Groups, most: int) -> int | None:
        """Count the calls, in scope, whose target no compiler told; None where that is not known cheaply."""
        if not groups or len(groups) > most:
            return None
        parsed = self._parsed
        skip = parsed.is_open if parsed is not None else None
        counted = [self._edges.count_open(group, skip) for group in groups]
        if None in counted:
            return None
        return sum(filter(None, counted)) + (parsed.count_open(groups) if parsed is not None else 0)

    def paths(self, groups: Groups, most: int) -> set[str]:
        """Return the files in which the first ``most`` groups can make calls."""
        callers = groups[:most]
        paths = {one.document.path for group in callers for one in holders_of(self._view, group)}
        return paths | {group.place[0] for group in callers if group.place is not None}
