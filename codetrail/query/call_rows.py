"""Rows of call edges, shown from the very bytes that their facts were made from (contract §4, call rows).

Which edges there are is ``edges``' business. This module must not import syntax.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.model import facts
from codetrail.model.answers import Node, Question
from codetrail.model.calls import CALL_USES, SCIP, CallRow
from codetrail.query.edges import Edge
from codetrail.query.freshness import MOVED, Freshness
from codetrail.query.nodes import Nodes, provenance
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources, shown_line

if TYPE_CHECKING:
    from codetrail.query.parser_rows import ParserRows

EVIDENCE = "occurrence + call syntax"
"""What an edge rests on (``--explain``): a compiler's occurrence, and that it is called there."""
CUT = "parser_edges_cut"
LEFT_OUT = "more files without precise facts hold the name than are parsed for one question"
"""The note of an answer without the rows of some files that have no precise layer."""
_OCCURRENCE = "occurrence"
_PRECISE = facts.DOC_STATES.index("precise")


def parser_rows(
    question: Question, test: PathTest, freshness: Freshness, sources: Sources, nodes: Nodes
) -> ParserRows | None:
    """Return what makes the rows of files without a precise layer; None, and nothing loaded, without any."""
    if not may_be_open(freshness, nodes):
        return None
    from codetrail.query.parser_rows import ParserRows

    return ParserRows(question, test, freshness, sources, nodes)


def may_be_open(freshness: Freshness, nodes: Nodes) -> bool:
    """Tell whether there can be files without a precise layer."""
    stored = (row for part in nodes.view.parts for row in part.imprecise_documents())
    return freshness.anything_differs or any(row.state != _PRECISE for row in stored)


def is_still_made(nodes: Nodes, edge: Edge, caller_now: Node) -> bool:
    """Tell whether a call in a changed file is still made by the callable that made it, by its name."""
    return nodes.enclosing(edge.part, edge.document, edge.encl).qualified_name == caller_now.qualified_name


class CallRows:
    """Makes rows of one question; ``dropped`` counts those whose place is not in the file any more."""

    def __init__(self, question: Question, freshness: Freshness, nodes: Nodes) -> None:
        self._explain = question.explain
        self._freshness = freshness
        self._nodes = nodes
        self.dropped = 0

    def row(self, rank: int, edge: Edge) -> CallRow | None:
        """Return the row of an edge of the group at ``rank``, or None when its line is not there any more."""
        document = edge.document
        standing = self._freshness.stands(edge.part, document, edge.range)
        if standing is None:
            self.dropped += 1
            return None
        text, span, moved = standing
        said = None
        if self._explain:
            evidence = EVIDENCE if facts.USES[edge.use] in CALL_USES else _OCCURRENCE
            said = provenance(self._nodes.view, edge.part, document)._replace(evidence=evidence)
        return CallRow(
            caller=self._nodes.enclosing(edge.part, document, edge.encl, span if moved else None),
            callee=self._nodes.callee(edge.callee),
            language=document.language,
            path=edge.path,
            range=span,
            text=shown_line(text, span),
            use=facts.USES[edge.use],
            basis=SCIP,
            of=rank,
            freshness=MOVED if moved else None,
            origin=edge.part.entry.origin or None,
            provenance=said,
            via=edge.via,
        )
