"""Call edges: calls of a symbol from anywhere, and calls made inside a definition (contract §5).

An edge is a compiler's occurrence that syntax shows to be called, constructed or used as a decorator; it
belongs to the innermost callable around it. Edges come in the order path, range, symbol and are found by
seeking; whether their files still are as they were indexed is not looked at. This module must not know rows,
nor import syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import merge
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import facts, kinds
from codetrail.model.overrides import OVERRIDDEN, OVERRIDES, Via
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, LocalSymbol, Member
from codetrail.query.holders import Holder, holders_of
from codetrail.query.inheritance import Inheritance
from codetrail.query.local_groups import LocalGroups
from codetrail.query.matching import join, parser_group, stored_definition
from codetrail.query.paging import Counts, Position
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part, View
from codetrail.query.unresolved import is_unfound_import
from codetrail.query.uses import CALLS, Use, Uses, Wanted
from codetrail.store.read_documents import DocumentRow, extent
from codetrail.store.read_occurrences import occurrences_from, open_calls
from codetrail.store.read_symbols import symbol

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides

_CONSTRUCT = 1 << facts.USES.index("construct")
_VARIABLE = kinds.NUMBERS["variable"]
_CALLS = Wanted(CALLS)
_CONSTRUCTIONS = Wanted(_CONSTRUCT)


class Edge(NamedTuple):
    """One call site in ``document``, in the callable with the extent ``encl`` (-1: the file itself).

    ``symbol`` orders the edges of one place. ``via`` is given where the place names another symbol than the
    one that the edge is about (``model.calls.CallRow``).
    """

    path: str
    range: Range
    symbol: str
    member: Member | LocalSymbol
    document: DocumentRow
    use: int
    encl: int
    callee: Group
    via: Via | None = None

    @property
    def part(self) -> Part:
        """Return the part that holds the call site."""
        return self.member.part


class _Site(NamedTuple):
    """A place that calls, its callee not looked up: the id of a global symbol, or 0 and that of a local."""

    range: Range
    global_: int
    local: int
    use: int
    encl: int


class _Tally(NamedTuple):
    edges: int
    unfound: int


class Edges:
    """Finds call edges of one snapshot; one object serves one question and remembers symbols.

    ``wanted`` are the uses that make edges of ``incoming``; scope options are about the call site.
    """

    def __init__(
        self,
        view: View,
        everything: bool,
        test: PathTest,
        freshness: Freshness,
        locals_: LocalGroups,
        overrides: Overrides | None = None,
        wanted: Wanted = _CALLS,
    ) -> None:
        self._view = view
        self._test = test
        self._freshness = freshness
        self._overrides = overrides
        self._uses = Uses(wanted, everything, test, freshness, overrides, self._constructions)
        self._globals: dict[tuple[str, int], tuple[Member, Group] | None] = {}
        self._locals = locals_
        self._callers: dict[tuple[str, int, int], Group | None] = {}
        self._tallies: dict[tuple[object, ...], _Tally] = {}
        self._unfound: dict[tuple[str, int], bool] = {}
        self._inheritance = Inheritance(view) if wanted.uses & _CONSTRUCT else None

    def incoming(self, group: Group, after: Position | None = None) -> Iterator[Edge]:
        """Yield the calls of a symbol in files in scope, one for each place, from behind ``after`` on.

        The constructions of a class are calls of the constructor that it declares or inherits, too; the class
        stays the callee.
        """
        return map(_edge_of, self._uses.of(group, after))

    def count_incoming(self, group: Group) -> Counts:
        """Count the edges of ``incoming``."""
        return self._uses.count(group)

    def outgoing(self, group: Group, after: Position | None = None) -> Iterator[Edge]:
        """Yield the calls made inside a definition in files in scope, from behind ``after`` on.

        Of a callable those it makes itself, of a class or module all in its extents. A place that names
        several symbols gives an edge for each. With overrides, what overrides a callee is called there too.
        """
        behind = (after.path, after.range, after.symbol) if after is not None else None
        for holder in holders_of(self._view, group):
            document = holder.document
            if behind is not None and document.path < behind[0]:
                continue
            if not self._test(document.path, document.language):
                continue
            start = holder.first
            if behind is not None and document.path == behind[0]:
                start = max(start, behind[1][:2])
            for edge in self._edges(holder, start):
                if behind is None or (edge.path, edge.range, edge.symbol) > behind:
                    yield edge

    def count_outgoing(self, group: Group) -> Counts:
        """Count the edges of ``outgoing``, and those in files out of scope."""
        total = Counts()
        for holder in holders_of(self._view, group):
            times = self._tally(holder).edges
            document = holder.document
            if not self._test(document.path, document.language):
                total = total.plus(Counts(outside=times))
            elif self._freshness.known_stale(document.path):
                # Which of them are still there, and made by the same callable, only their rows tell.
                total = total.plus(Counts(exact=False))
            else:
                total = total.plus(Counts(times))
        return total

    def count_open(self, group: Group, skip: Callable[[str], bool] | None = None) -> int | None:
        """Count the calls inside a definition whose target nobody told, in scope; None where files changed.

        A call of what an import names that found nothing is one of these, and an edge to that name. Files
        that ``skip`` takes are counted elsewhere.
        """
        times = 0
        for holder in holders_of(self._view, group):
            document = holder.document
            if not self._test(document.path, document.language):
                continue
            if skip is not None and skip(document.path):
                continue
            if self._freshness.known_stale(document.path):
                return None
            opened = open_calls(holder.part.shard, document.id, holder.first[0], holder.last)
            times += sum(1 for one in opened if holder.takes(*one)) + self._tally(holder).unfound
        return times

    def _tally(self, holder: Holder) -> _Tally:
        """Count the edges of a document, and those of names whose import found nothing; one scan."""
        key = (holder.part.shard.file, holder.document.id, holder.own, holder.spans)
        if key not in self._tallies:
            unfound = [self._is_unfound(holder, site) for site in self._sites(holder, holder.first)]
            edges = len(unfound)
            if self._overrides is not None:
                edges = sum(1 for _ in self._edges(holder, holder.first))
            self._tallies[key] = _Tally(edges, sum(unfound))
        return self._tallies[key]

    def _is_unfound(self, holder: Holder, site: _Site) -> bool:
        """Tell whether a call is one of a global name that only an import defines which found nothing."""
        known = self._global(holder.part, site.global_) if site.global_ else None
        if known is None or known[1].kind != _VARIABLE:
            return False
        key = (holder.part.shard.file, site.global_)
        if key not in self._unfound:
            self._unfound[key] = is_unfound_import(holder.part, site.global_)
        return self._unfound[key]

    def caller(self, edge: Edge) -> Group | None:
        """Return the callable that makes a call; None where the file itself does."""
        key = (edge.part.shard.file, edge.document.id, edge.encl)
        if key not in self._callers:
            self._callers[key] = self._caller(edge.part, edge.document, edge.encl)
        return self._callers[key]

    def _caller(self, part: Part, document: DocumentRow, encl: int) -> Group | None:
        found = extent(part.shard, document.id, encl) if encl >= 0 else None
        if found is None:
            return None
        if found.symbol:
            known = self._global(part, found.symbol)
            return known[1] if known is not None else None
        definition = stored_definition(part, found)
        if definition is None:
            return None
        return self._locals.kept(part, document, definition) or parser_group(definition)

    def _edges(self, holder: Holder, start: tuple[int, int]) -> Iterator[Edge]:
        """Yield the edges of a document in order, from a place on."""
        for _, there in groupby(self._sites(holder, start), key=lambda site: site.range):
            found: dict[str, Edge] = {}
            for edge in filter(None, (self._edge(holder, site) for site in there)):
                found[edge.symbol] = edge
            if self._overrides is not None:
                for edge in list(found.values()):
                    for related in self._overriding(edge):
                        found.setdefault(related.symbol, related)
            yield from sorted(found.values(), key=lambda edge: edge.symbol)

    def _overriding(self, edge: Edge) -> Iterator[Edge]:
        """Yield what a call may reach instead of the callee that a compiler named: what overrides it."""
        if self._overrides is None:
            return
        for related in self._overrides.of(edge.callee):
            if related.kind == OVERRIDDEN:
                via = Via(OVERRIDES, edge.symbol)
                yield edge._replace(symbol=related.group.symbol, callee=related.group, via=via)

    def _sites(self, holder: Holder, start: tuple[int, int]) -> Iterator[_Site]:
        shard, doc = holder.part.shard, holder.document.id
        rows = occurrences_from(
            shard, doc, start, holder.last, uses=_CALLS.uses, without_roles=_CALLS.without_roles
        )
        global_ = (
            _Site(Range(*row[2:6]), row.symbol, -1, row.use, row.encl)
            for row in rows
            if holder.takes(row.line, row.column, row.encl)
        )
        places, _ = holder.part.locals(doc)
        local = [
            _Site(one.range, 0, one.symbol, one.use, one.encl)
            for one in places
            if one.range[:2] >= start
            and _CALLS.takes(one.roles, one.use)
            and holder.takes(*one.range[:2], one.encl)
        ]
        return merge(global_, sorted(local), key=lambda site: site.range)

    def _edge(self, holder: Holder, site: _Site) -> Edge | None:
        document = holder.document
        if site.global_:
            known = self._global(holder.part, site.global_)
            if known is None:
                return None
            member, callee = known
            string = member.row.string
            return Edge(document.path, site.range, string, member, document, site.use, site.encl, callee)
        callee = self._locals.group(holder.part, document, site.local)
        local = LocalSymbol(holder.part, document.id, site.local)
        string = f"local {site.local}"
        return Edge(document.path, site.range, string, local, document, site.use, site.encl, callee)

    def _global(self, part: Part, number: int) -> tuple[Member, Group] | None:
        key = (part.shard.file, number)
        if key not in self._globals:
            row = symbol(part.shard, number)
            self._globals[key] = None if row is None else (Member(part, row), join(self._view, part, row))
        return self._globals[key]

    def _constructions(self, group: Group) -> list[tuple[Group, Wanted]]:
        if self._inheritance is None:
            return []
        return [(one, _CONSTRUCTIONS) for one in self._inheritance.constructed(group)]


def _edge_of(found: Use) -> Edge:
    via = None if found.related is None else found.related.via(found.symbol)
    return Edge(
        found.path,
        found.range,
        found.symbol,
        found.member,
        found.document,
        found.use,
        found.encl,
        found.owner,
        via,
    )
