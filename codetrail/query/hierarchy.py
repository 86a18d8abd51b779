"""Trees of callers and callees around the symbols that were asked for (contract §4, hierarchy rows).

A tree grows breadth first until it has as many nodes as a page may hold; work for each node is that of one
question for its callers or calls. This module must not import syntax.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from codetrail.model import facts, kinds
from codetrail.model.answers import Answer, Note, Provenance, Question, Row
from codetrail.model.hierarchy import (
    BOTH,
    CYCLE,
    INCOMING,
    OUTGOING,
    REPEATED,
    Branch,
    HierarchyRow,
    trimmed,
)
from codetrail.model.ranges import Range
from codetrail.query.call_rows import CUT, EVIDENCE, is_still_made, may_be_open
from codetrail.query.edges import Edge, Edges
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group
from codetrail.query.hierarchy_spots import Child, Spot, branch_of, branches_of, is_callable, keep, leading
from codetrail.query.inheritance import Inheritance
from codetrail.query.nodes import Nodes, provenance
from codetrail.query.paging import Counts, Position
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides

MOST_SITES = 100_000
"""Call sites that one question looks at; a tree is cut there and says so."""
_MOST_SEARCHED = 10_000
"""Nodes of a tree in which the way to a symbol (``--to``) is looked for."""

CAPPED = "hierarchy_capped"
NOT_FOUND = "to_not_found"

_CONSTRUCT = facts.USES.index("construct")
_LEAVES = kinds.TYPES | kinds.MODULES


class Hierarchies:
    """Makes the rows of ``call-hierarchy``; one object serves one question.

    ``sought`` are the keys of the groups that branches must lead to; None keeps all branches.
    """

    def __init__(
        self,
        question: Question,
        test: PathTest,
        freshness: Freshness,
        sources: Sources,
        nodes: Nodes,
        overrides: Overrides | None = None,
        sought: Collection[str] | None = None,
        most_sites: int = MOST_SITES,
    ) -> None:
        everything = question.scope.is_everything
        self._test = test
        self._parsed = None
        if may_be_open(freshness, nodes):
            from codetrail.query.parser_branches import ParserBranches

            self._parsed = ParserBranches(freshness, sources, nodes)
        self._question = question
        self._freshness = freshness
        self._nodes = nodes
        self._inheritance = Inheritance(nodes.view)
        self._edges = Edges(nodes.view, everything, test, freshness, nodes.locals, overrides)
        self._sought = sought
        self._sites = most_sites
        self._known: dict[tuple[str, str], list[Child]] = {}
        self._opened: dict[str, int | None] = {}
        self.dropped = 0
        self.other_versions = 0

    @property
    def is_capped(self) -> bool:
        """Tell whether more call sites were there than are looked at."""
        return self._sites <= 0

    @property
    def is_cut(self) -> bool:
        """Tell whether more files without a precise layer were there than are parsed."""
        return self._parsed is not None and self._parsed.is_cut

    @property
    def finds_nothing(self) -> bool:
        """Tell whether branches were to lead to something that is not there."""
        return self._sought is not None and not self._sought

    @property
    def open_calls(self) -> int | None:
        """Count the calls, in the callables whose callees are shown, whose target no compiler told.

        None where the callees of none are, or where it is not known of one.
        """
        known = [number for number in self._opened.values() if number is not None]
        return sum(known) if known and len(known) == len(self._opened) else None

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, HierarchyRow]]:
        """Yield a tree for each group, from behind ``after`` on; together they have ``limit`` nodes."""
        first = after.rank + 1 if after is not None else 0
        left = self._question.limit
        for rank in range(first, len(groups)):
            row = self._row(groups[rank], rank, max(left, 1))
            left -= row.nodes
            where = row.root.range or Range(0, 0, 0, 0)
            yield Position.of(rank, row.root.path or "", where, groups[rank].symbol), row

    def neighbours(self, group: Group, direction: str, most: int) -> tuple[tuple[Branch, ...], int]:
        """Return the first callers or callees of a symbol, not expanded, and how many more there are."""
        found = self._find(group, direction)
        shown = tuple(branch_of(Spot(child, direction, None)) for child in found[:most])
        return shown, max(len(found) - most, 0)

    def counts(self, groups: Groups, most: int) -> list[Counts]:
        """Count the rows of the first ``most`` groups: each has one tree."""
        return [Counts(1)] * len(groups[:most])

    def _row(self, group: Group, rank: int, most: int) -> HierarchyRow:
        root = Child(group.key, group, self._nodes.callee(group), "", None, [])
        asked = self._question.direction
        sides = {side: Spot(root, side, None) for side in (INCOMING, OUTGOING) if asked in (side, BOTH)}
        self._grow(list(sides.values()), most if self._sought is None else _MOST_SEARCHED)
        if self._sought is not None:
            for spot in sides.values():
                keep(spot, leading(spot, self._sought))
        branches = {side: branches_of(spot) for side, spot in sides.items()}
        row = HierarchyRow(
            root=root.node,
            callable=is_callable(group),
            incoming=branches.get(INCOMING),
            outgoing=branches.get(OUTGOING),
            of=rank,
            truncated=sum(spot.truncated for spot in sides.values()),
            origin=_origin(group),
            provenance=self._provenance(group),
        )
        return row if self._sought is None else trimmed(row, most)

    def _grow(self, waiting: list[Spot], most: int) -> None:
        """Expand nodes breadth first until a tree has ``most`` nodes; what is left out then is counted."""
        queue = deque(waiting)
        expanded = {(spot.direction, spot.child.key) for spot in waiting}
        nodes = 1
        while queue:
            spot = queue.popleft()
            spot.children = []
            for child in self._children(spot):
                if nodes >= most:
                    spot.truncated += 1
                    continue
                nodes += 1
                below = Spot(child, spot.direction, spot)
                spot.children.append(below)
                key = (spot.direction, child.key)
                if below.is_below(child.key):
                    below.mark = CYCLE
                elif key in expanded:
                    below.mark = REPEATED
                elif below.depth < self._question.depth and _is_expandable(child.group):
                    expanded.add(key)
                    queue.append(below)

    def _children(self, spot: Spot) -> list[Child]:
        """Return the callers or callees of a node in the order of their first call site."""
        group = spot.child.group
        if group is None:
            return []
        key = (spot.direction, group.key)
        if key not in self._known:
            self._known[key] = self._find(group, spot.direction)
        return self._known[key]

    def _find(self, group: Group, direction: str) -> list[Child]:
        incoming = direction == INCOMING
        found: dict[tuple[str, str, str], Child] = {}
        for edge in self._edges.incoming(group) if incoming else self._edges.outgoing(group):
            if self._sites <= 0:
                break
            self._sites -= 1
            span = self._freshness.range_now(edge.part, edge.document, edge.range)
            moved = self._freshness.known_stale(edge.path)
            if span is None or (moved and not incoming and not self._is_still_made(edge, span)):
                self.dropped += 1
                continue
            child = self._caller(edge, span if moved else None) if incoming else self._callee(edge)
            if child is not None:
                via = child.via.symbol if child.via is not None else ""
                kept = found.setdefault((child.key, child.path, via), child._replace(moved=moved))
                kept.ranges.append(span)
        if not incoming:
            self._opened.setdefault(group.key, self._count_open(group))
        if self._parsed is None:
            return list(found.values())
        seen = {(child.path, span) for child in found.values() for span in child.ranges}
        for child in self._parsed.children(group, direction, seen, self._test):
            if self._sites <= 0:
                break
            self._sites -= len(child.ranges)
            found[child.key, child.path, child.basis] = child
        return sorted(found.values(), key=lambda child: (child.path, child.ranges[0]))

    def _count_open(self, group: Group) -> int | None:
        if self._parsed is None:
            return self._edges.count_open(group)
        known = self._edges.count_open(group, self._parsed.is_open)
        return None if known is None else known + self._parsed.count_open(group, self._test)

    def _is_still_made(self, edge: Edge, span_now: Range) -> bool:
        now = self._nodes.enclosing(edge.part, edge.document, edge.encl, span_now)
        return is_still_made(self._nodes, edge, now)

    def _caller(self, edge: Edge, span_now: Range | None) -> Child:
        group = self._edges.caller(edge)
        node = self._nodes.enclosing(edge.part, edge.document, edge.encl, span_now)
        key = group.key if group is not None else f"\0{edge.path}\0{edge.encl}"
        if span_now is not None and (group is None or group.qualified != node.qualified_name):
            # Another callable stands around the call now, of which only syntax knows: it leads no further.
            group, key = None, f"\0{edge.path}\0{node.qualified_name}"
        return Child(key, group, node, edge.path, edge.via, [])

    def _callee(self, edge: Edge) -> Child | None:
        """Return what a call leads to; None for a local that is no function, which is no node."""
        group = edge.callee
        if group.local is not None and group.parser is None:
            return None
        if edge.use == _CONSTRUCT:
            run = self._inheritance.run_by(group)
            group = run[0] if run else group
        return Child(group.key, group, self._nodes.callee(group), edge.path, edge.via, [])

    def _provenance(self, group: Group) -> Provenance | None:
        if not self._question.explain or not group.members:
            return None
        part, row = group.members[0]
        document = part.document(row.doc)
        if document is None:
            return None
        return provenance(self._nodes.view, part, document)._replace(evidence=EVIDENCE)


def _origin(group: Group) -> str | None:
    """Return how the facts of a root came here where no provider of this machine made them."""
    return next((part.entry.origin for part, _ in group.members if part.entry.origin), None)


def nodes_of(row: Row) -> int:
    """Count the nodes of a tree."""
    return row.nodes if isinstance(row, HierarchyRow) else 1


def fitted_tree(given: Answer, excess: Callable[[Answer], int]) -> Answer:
    """Cut the tree of an answer with one row until the answer is within its bytes; the root stays."""
    row = given.rows[0]
    while isinstance(row, HierarchyRow) and row.nodes > 1 and excess(given) > 0:
        row = trimmed(row, row.nodes * 3 // 4)
        given = Answer((row,), given.page._replace(truncated=True))
    return given


def tree_notes(maker: Hierarchies) -> tuple[Note, ...]:
    """Say why trees hold less than was asked for."""
    notes = []
    if maker.is_capped:
        notes.append(Note(CAPPED, f"no more than {MOST_SITES} call sites are looked at; trees end there"))
    if maker.is_cut:
        notes.append(
            Note(CUT, "more files without precise facts hold the name than are parsed for one question")
        )
    if maker.finds_nothing:
        notes.append(Note(NOT_FOUND, "no symbol matches what --to names, so no branch leads there"))
    return tuple(notes)


def _is_expandable(group: Group | None) -> bool:
    """Tell whether a node can have children: files, classes and what is outside the workspace are leaves."""
    return group is not None and group.place is not None and group.kind not in _LEAVES
