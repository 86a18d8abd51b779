"""What a definition calls and who calls it, beside its source (``--include-code``).

Call sites of the whole workspace count, whatever the scope of the question: it is about the definition. This
module must not import syntax; it is loaded when source is asked for.
"""

from __future__ import annotations

from codetrail.model.answers import Question
from codetrail.model.hierarchy import INCOMING, OUTGOING, Relations
from codetrail.model.scope import Scope
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group
from codetrail.query.hierarchy import Hierarchies
from codetrail.query.nodes import Nodes
from codetrail.query.sources import Sources

MOST_RELATED = 12
"""Callers, and callees, that a definition is shown with (contract §4)."""
_MOST_SITES = 20_000


class RelatedCalls:
    """Finds the relations of the definitions of one question."""

    def __init__(self, question: Question, freshness: Freshness, sources: Sources, nodes: Nodes) -> None:
        everywhere = question._replace(scope=Scope())
        self._trees = Hierarchies(everywhere, _anywhere, freshness, sources, nodes, most_sites=_MOST_SITES)
        self._known: dict[str, Relations] = {}

    def of(self, group: Group) -> Relations | None:
        """Return the relations of a symbol; None for what no compiler knows by a name."""
        if not group.members:
            return None
        if group.key not in self._known:
            calls, more_calls = self._trees.neighbours(group, OUTGOING, MOST_RELATED)
            callers, more_callers = self._trees.neighbours(group, INCOMING, MOST_RELATED)
            self._known[group.key] = Relations(calls, callers, more_calls, more_callers)
        return self._known[group.key]


def _anywhere(_path: str, _language: str) -> bool:
    return True
