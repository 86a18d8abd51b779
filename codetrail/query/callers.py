"""Call sites whose target is the symbol that was asked for (contract §5).

Calls, constructions and decorators; uses as a value on request, and else counted apart. Of files without a
precise layer ``parser_rows`` has rows. This module must not import syntax.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codetrail.errors import UsageError
from codetrail.model import facts, kinds
from codetrail.model.answers import Note, Question
from codetrail.model.calls import CALL_USES, CALLER_USES, CallRow
from codetrail.query.call_rows import CallRows, parser_rows
from codetrail.query.edges import Edges
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, is_of_other_version
from codetrail.query.nodes import Nodes
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources
from codetrail.query.uses import Uses, Wanted
from codetrail.store.read_occurrences import uses_set

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides

_VALUE = "value"


class Callers:
    """Makes the rows of ``callers``; one object serves one question."""

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        sources: Sources,
        nodes: Nodes,
        overrides: Overrides | None = None,
    ) -> None:
        uses = question.uses or CALL_USES
        if not set(uses) <= set(CALLER_USES):
            raise UsageError(f"a caller's use is one of {', '.join(CALLER_USES)}", code="invalid_argument")
        everything = question.scope.is_everything
        wanted = Wanted(uses_set(map(facts.USES.index, uses)))
        self._edges = Edges(nodes.view, everything, test, freshness, nodes.locals, overrides, wanted)
        self._values = None
        if _VALUE not in uses:
            as_value = Wanted(1 << facts.USES.index(_VALUE))
            self._values = Uses(as_value, everything, test, freshness, overrides)
        self._rows = CallRows(question, freshness, nodes)
        self._parsed = parser_rows(question, test, freshness, sources, nodes)
        self.other_versions = 0

    @property
    def dropped(self) -> int:
        """Return how many rows were left out because their lines are not there any more."""
        return self._rows.dropped

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, CallRow]]:
        """Yield the rows of all groups in order, from behind ``after`` on."""
        first = after.rank if after is not None else 0
        for rank in range(first, len(groups)):
            start = after if after is not None and rank == first else None
            found = self._precise(rank, groups[rank], start)
            yield from (
                found if self._parsed is None else self._parsed.callers(rank, groups[rank], found, start)
            )

    def _precise(self, rank: int, group: Group, start: Position | None) -> Iterator[tuple[Position, CallRow]]:
        for edge in self._edges.incoming(group, start):
            row = self._rows.row(rank, edge)
            if row is not None:
                self.other_versions += is_of_other_version(edge.callee, edge.member)
                yield Position.of(rank, edge.path, edge.range, edge.symbol), row

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the rows of the first ``most`` groups without making them."""
        return list(map(self._count, groups[:most]))

    def _count(self, group: Group) -> Counts:
        counted = self._edges.count_incoming(group)
        return counted if self._parsed is None else counted.plus(self._parsed.count_callers(group))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say what was left out of the rows of files without a precise layer."""
        return () if self._parsed is None else self._parsed.notes

    def value_uses(self, groups: Groups, most: int) -> int | None:
        """Count the uses as a value, in scope; None where they are rows or not known cheaply."""
        if self._values is None or not groups or len(groups) > most:
            return None
        if any(group.parser and not group.local and group.kind != kinds.CALLBACK for group in groups):
            return None  # syntax has no uses of what it alone knows; a zero would say that there are none
        counted = self._values.counts(groups, most)
        if not all(counts.exact and not counts.dropped for counts in counted):
            return None
        return sum(counts.rows for counts in counted)
