"""Uses of exactly the symbols that were asked for: compiler facts only, never text, never the parser's.

Rows come group by group, and inside a group in the order path, range, symbol. Where uses are found is
``uses``' business; this module must not import syntax.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from codetrail.errors import UsageError
from codetrail.model import facts
from codetrail.model.answers import Question, ReferenceRow
from codetrail.query.freshness import MOVED, Freshness
from codetrail.query.groups import Group, is_of_other_version
from codetrail.query.nodes import Nodes, provenance
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.sources import shown_line, written
from codetrail.query.uses import Use, Uses, Wanted
from codetrail.store.read_occurrences import ALL_USES, uses_set

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides


def wanted_of(question: Question) -> Wanted:
    """Return which occurrences the question wants. Raises UsageError ``invalid_argument`` for no such use."""
    unknown = [use for use in question.uses if use not in facts.USES[1:]]
    if unknown:
        raise UsageError(f"a use is one of {', '.join(facts.USES[1:])}", code="invalid_argument")
    uses = uses_set(map(facts.USES.index, question.uses)) if question.uses else ALL_USES
    if question.include_definitions:
        return Wanted(uses | 1, 0)
    return Wanted(uses)


class References:
    """Makes the rows of ``refs``; one object serves one question."""

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        nodes: Nodes,
        overrides: Overrides | None = None,
    ) -> None:
        everything = question.scope.is_everything
        self._uses = Uses(wanted_of(question), everything, test, freshness, overrides)
        self._explain = question.explain
        self._freshness = freshness
        self._nodes = nodes
        self.dropped = 0
        self.other_versions = 0

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, ReferenceRow]]:
        """Yield the rows of all groups in order, from behind ``after`` on."""
        for rank, _, found in self._uses.ranked(groups, after):
            row = self._row(rank, found)
            if row is not None:
                yield Position.of(rank, found.path, found.range, found.symbol), row

    def _row(self, rank: int, found: Use) -> ReferenceRow | None:
        """Make a row, or None when the file is not the one that was indexed."""
        document, part = found.document, found.member.part
        standing = self._freshness.stands(part, document, found.range)
        if standing is None:
            self.dropped += 1
            return None
        text, span, moved = standing
        label = self._reliability(found.owner, found)
        related = found.related
        return ReferenceRow(
            name=found.owner.name,
            symbol=found.symbol,
            language=document.language,
            path=found.path,
            range=span,
            text=shown_line(text, span),
            use=facts.USES[found.use] or None,
            roles=found.roles,
            enclosing=self._nodes.enclosing(part, document, found.encl, span if moved else None),
            definition=self._nodes.definition(found.owner),
            reliability=facts.INFERRED_CANDIDATE if moved else label,
            of=rank,
            alias=written(text, span) if found.roles & facts.ROLE_ALIAS else None,
            freshness=MOVED if moved else None,
            origin=part.entry.origin or None,
            provenance=provenance(self._nodes.view, part, document) if self._explain else None,
            via=None if related is None else related.via(found.symbol),
        )

    def _reliability(self, group: Group, found: Use) -> str:
        """Label a row: a use of another version of the package is a candidate (architecture §3)."""
        if found.related is not None and not found.related.certain:
            return facts.INFERRED_CANDIDATE
        if not is_of_other_version(group, found.member):
            return facts.PRECISE_FACT
        self.other_versions += 1
        return facts.INFERRED_CANDIDATE

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the rows of the first ``most`` groups without making them."""
        return self._uses.counts(groups, most)
