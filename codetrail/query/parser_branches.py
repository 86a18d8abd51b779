"""Branches of call hierarchies that only names and imports tell, beside those of compilers (contract §5).

A place that has a compiler's edge never gets another. Which edges there are is ``parser_edges``' business.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from codetrail.model import facts
from codetrail.model.answers import Node
from codetrail.model.calls import PARSER
from codetrail.model.hierarchy import INCOMING
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group
from codetrail.query.hierarchy_spots import Child
from codetrail.query.inheritance import Inheritance
from codetrail.query.nodes import Nodes
from codetrail.query.parser_edges import ParserEdge, ParserEdges
from codetrail.query.parser_rows import caller_of, node_of
from codetrail.query.parser_targets import Target
from codetrail.query.scoping import PathTest
from codetrail.query.sources import Sources
from codetrail.workspace.languages import language_of

_CONSTRUCT = facts.USES.index("construct")


class ParserBranches:
    """Finds such branches for one question."""

    def __init__(self, freshness: Freshness, sources: Sources, nodes: Nodes) -> None:
        self._nodes = nodes
        self._edges = ParserEdges(nodes.view, freshness, sources)
        self._inheritance = Inheritance(nodes.view)
        self._groups: dict[Target, Group] = {}

    @property
    def is_cut(self) -> bool:
        """Tell whether files were left out that could have given some."""
        return self._edges.files.cut

    def is_open(self, path: str) -> bool:
        """Tell whether the calls in the file at ``path`` are answered for here."""
        files = self._edges.files
        return files.is_open(path) and files.calls(path) is not None

    def children(
        self, group: Group, direction: str, seen: Collection[tuple[str, Range]], test: PathTest
    ) -> Iterator[Child]:
        """Yield callers or callees of a symbol, with their call sites in files in scope but for ``seen``."""
        incoming = direction == INCOMING
        found: dict[tuple[str, str], Child] = {}
        for edge in self._edges.incoming(group) if incoming else self._edges.outgoing(group):
            if (edge.path, edge.range) in seen or not test(edge.path, edge.language):
                continue
            child = self._caller(edge) if incoming else self._callee(edge)
            found.setdefault((child.key, child.path), child).ranges.append(edge.range)
        yield from found.values()

    def count_open(self, group: Group, test: PathTest) -> int:
        """Count the calls inside a definition, in such files in scope, whose target is not known."""
        paths = self._edges.open_paths(group)
        return sum(
            self._edges.count_open(path, group) for path in paths if test(path, language_of(path) or "")
        )

    def _caller(self, edge: ParserEdge) -> Child:
        if edge.caller is None:
            return Child(f"\0{edge.path}\0-1", None, caller_of(edge), edge.path, None, [], basis=PARSER)
        group = self._group(edge.caller)
        return Child(group.key, group, self._node(group, edge.caller), edge.path, None, [], basis=PARSER)

    def _callee(self, edge: ParserEdge) -> Child:
        group = self._group(edge.target)
        node = self._node(group, edge.target)
        run = self._inheritance.run_by(group) if edge.use == _CONSTRUCT and group.members else ()
        if run:
            group = run[0]
            node = self._nodes.callee(group)
        return Child(group.key, group, node, edge.path, None, [], basis=PARSER)

    def _group(self, target: Target) -> Group:
        if target not in self._groups:
            self._groups[target] = self._edges.callee(target)
        return self._groups[target]

    def _node(self, group: Group, target: Target) -> Node:
        return self._nodes.callee(group) if group.members else node_of(target)
