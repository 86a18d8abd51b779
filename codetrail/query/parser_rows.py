"""Rows of call edges that only names and imports tell, among those of compilers (contract §5).

A place that has a compiler's row never gets another. Which edges there are is ``parser_edges``' business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge

from codetrail.model import facts
from codetrail.model.answers import Node, Note, Question
from codetrail.model.calls import CALL_USES, PARSER, SCIP, CallRow
from codetrail.model.ranges import FILE_START
from codetrail.query.call_rows import CUT, LEFT_OUT
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group
from codetrail.query.nodes import Nodes, kind_word
from codetrail.query.paging import Counts, Position
from codetrail.query.parser_edges import ParserEdge, ParserEdges
from codetrail.query.parser_provenance import parser_provenance
from codetrail.query.parser_targets import Target
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources, shown_line
from codetrail.workspace.languages import language_of

EVIDENCE = "call syntax + name"
"""What such an edge rests on (``--explain``)."""

Placed = tuple[Position, CallRow]


class ParserRows:
    """Makes such rows for one question."""

    def __init__(
        self, question: Question, test: PathTest, freshness: Freshness, sources: Sources, nodes: Nodes
    ) -> None:
        self._explain = question.explain
        self._uses = {facts.USES.index(use) for use in question.uses or CALL_USES if use in CALL_USES}
        self._test = test
        self._sources = sources
        self._nodes = nodes
        self._edges = ParserEdges(nodes.view, freshness, sources)
        self._callees: dict[Target, Node] = {}

    @property
    def notes(self) -> tuple[Note, ...]:
        """Say what was left out."""
        if not self._edges.files.cut:
            return ()
        return (Note(CUT, LEFT_OUT),)

    def is_open(self, path: str) -> bool:
        """Tell whether the calls in the file at ``path`` are answered for here."""
        files = self._edges.files
        return files.is_open(path) and files.calls(path) is not None

    def callers(
        self, rank: int, group: Group, precise: Iterable[Placed], after: Position | None
    ) -> Iterator[Placed]:
        """Yield compilers' rows of ``callers``, and among them those made here, from behind ``after`` on."""
        return self._among(rank, group, self._incoming(group), precise, after)

    def calls(
        self, rank: int, group: Group, precise: Iterable[Placed], after: Position | None
    ) -> Iterator[Placed]:
        """Yield compilers' rows of ``calls``, and among them those made here, from behind ``after`` on."""
        return self._among(rank, group, self._edges.outgoing(group), precise, after)

    def count_callers(self, group: Group) -> Counts:
        """Count the rows made here of ``callers``."""
        return self._count(self._incoming(group))

    def count_calls(self, group: Group) -> Counts:
        """Count the rows made here of ``calls``."""
        return self._count(self._edges.outgoing(group))

    def count_open(self, groups: Iterable[Group]) -> int:
        """Count the calls inside definitions, in open files in scope, whose target is not known."""
        times = 0
        for group in groups:
            for path in self._edges.open_paths(group):
                if self._test(path, language_of(path) or ""):
                    times += self._edges.count_open(path, group)
        return times

    def _incoming(self, group: Group) -> list[ParserEdge]:
        return [edge for edge in self._edges.incoming(group) if edge.use in self._uses]

    def _count(self, edges: Iterable[ParserEdge]) -> Counts:
        rows = outside = 0
        for edge in edges:
            if self._test(edge.path, edge.language):
                rows += 1
            else:
                outside += 1
        return Counts(rows, outside=outside, exact=not self._edges.files.cut)

    def _among(
        self,
        rank: int,
        group: Group,
        edges: Iterable[ParserEdge],
        precise: Iterable[Placed],
        after: Position | None,
    ) -> Iterator[Placed]:
        ours = (
            (Position.of(rank, edge.path, edge.range, group.symbol), edge)
            for edge in edges
            if self._test(edge.path, edge.language)
        )
        behind = ((position, edge) for position, edge in ours if after is None or position > after)
        made = ((position, self._row(rank, edge)) for position, edge in behind)
        last: Position | None = None
        for position, row in merge(precise, made, key=_by_place):
            if row.basis == SCIP:
                last = position
            elif last is not None and last[:6] == position[:6]:
                continue
            yield position, row

    def _row(self, rank: int, edge: ParserEdge) -> CallRow:
        text = self._edges.files.text(edge.path)
        said = None
        if self._explain and text is not None:
            said = parser_provenance(self._nodes.view, edge.path, text.sha256, EVIDENCE)
        return CallRow(
            caller=caller_of(edge),
            callee=self._callee(edge.target),
            language=edge.language,
            path=edge.path,
            range=edge.range,
            text=shown_line(text, edge.range) if text is not None else "",
            use=facts.USES[edge.use],
            basis=PARSER,
            of=rank,
            provenance=said,
        )

    def _callee(self, target: Target) -> Node:
        if target not in self._callees:
            group = self._edges.callee(target)
            known = self._nodes.callee(group) if group.members else None
            self._callees[target] = known or node_of(target)
        return self._callees[target]


def _by_place(placed: Placed) -> tuple[tuple[object, ...], bool]:
    position, row = placed
    return position[:6], row.basis == PARSER


def caller_of(edge: ParserEdge) -> Node:
    """Return the node of who calls: a definition, or the file itself."""
    if edge.caller is not None:
        return node_of(edge.caller)
    name = edge.path.rpartition("/")[2]
    return Node("module", name, name, None, edge.language, edge.path, FILE_START)


def node_of(target: Target) -> Node:
    """Return the node of a definition that only syntax knows."""
    language = language_of(target.path)
    return Node(
        kind_word(target.kind), target.name, target.qualified, None, language, target.path, target.range
    )
