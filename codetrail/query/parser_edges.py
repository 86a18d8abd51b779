"""Call edges of files without a precise layer: who calls what as far as names and imports tell (contract §5).

The target is a guess by name: a definition of the very file, or of the one file that an import of it leads
to (``parser_targets``); never one that merely bears the name. Compilers' edges are ``edges``' business. This
module must not know rows.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import facts, kinds
from codetrail.model.interiors import interior_start
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, ParserDefinition
from codetrail.query.inheritance import Inheritance
from codetrail.query.open_files import OpenFiles
from codetrail.query.parser_targets import ParserTargets, Target
from codetrail.query.snapshot import View
from codetrail.query.sources import Sources
from codetrail.store.read_symbols import definitions
from codetrail.workspace.languages import family_of, language_of

if TYPE_CHECKING:
    from codetrail.syntax.file_calls import Call, Callee, FileCalls

_CALL = facts.USES.index("call")
_CONSTRUCT = facts.USES.index("construct")
_HOLDS_ALL = kinds.TYPES | kinds.MODULES
_CONSTRUCTORS = frozenset({"__init__", "__new__"})
_CONSTRUCTOR = kinds.NUMBERS["constructor"]
_CONVERTING = frozenset({"go"})
"""Languages in which the call of a type converts."""


class _Wanted(NamedTuple):
    """A definition asked about: the only uses that count of it (empty: all), its names (empty: not known)."""

    uses: tuple[int, ...]
    names: frozenset[Range]

    def takes(self, edge: ParserEdge) -> bool:
        """Tell whether an edge to the file and qualified name is one to this definition."""
        if self.uses and edge.use not in self.uses:
            return False
        return not self.names or edge.target.range in self.names


class ParserEdge(NamedTuple):
    """One call site: in the definition ``caller`` (None: the file itself), of ``target``."""

    path: str
    language: str
    range: Range
    use: int
    caller: Target | None
    target: Target


class ParserEdges:
    """Finds such edges; one object serves one question and remembers what it read."""

    def __init__(
        self, view: View, freshness: Freshness, sources: Sources, files: OpenFiles | None = None
    ) -> None:
        self.files = files if files is not None else OpenFiles(view, freshness, sources)
        self._view = view
        self._freshness = freshness
        self._sources = sources
        self._inheritance = Inheritance(view)
        self._targets = ParserTargets(view, freshness, self.files)
        self._incoming: dict[str, tuple[ParserEdge, ...]] = {}
        self._outgoing: dict[str, tuple[ParserEdge, ...]] = {}
        self._edges: dict[tuple[str, int], ParserEdge | None] = {}

    def incoming(self, group: Group) -> tuple[ParserEdge, ...]:
        """Return the calls of a symbol or definition from open files, ordered by path and range.

        The constructions of a class are calls of its constructor too.
        """
        if group.key not in self._incoming:
            found = {(edge.path, edge.range): edge for edge in self._of_targets(group)}
            self._incoming[group.key] = tuple(found[place] for place in sorted(found))
        return self._incoming[group.key]

    def outgoing(self, group: Group) -> tuple[ParserEdge, ...]:
        """Return the calls made inside a definition in open files, as far as their targets are known."""
        if group.key not in self._outgoing:
            found = {
                (path, call.start): self._edge(path, calls, call)
                for path, calls, extent in self._holders(group)
                for call in self._made_by(calls, extent)
            }
            self._outgoing[group.key] = tuple(filter(None, (found[place] for place in sorted(found))))
        return self._outgoing[group.key]

    def callee(self, target: Target) -> Group:
        """Return the group of a target: a compiler's symbol where its file has a precise layer."""
        return self._targets.group(target)

    def open_paths(self, group: Group) -> list[str]:
        """Return the open files that hold the definition of a group."""
        return list(dict.fromkeys(path for path, _, _ in self._holders(group)))

    def count_open(self, path: str, group: Group) -> int:
        """Count the calls inside a definition, in the open file at ``path``, without a known target."""
        made = {
            (call, where)
            for where, calls, extent in self._holders(group)
            if where == path
            for call in self._made_by(calls, extent)
            if self._edge(path, calls, call) is None
        }
        return len(made)

    def _of_targets(self, group: Group) -> Iterator[ParserEdge]:
        wanted = self._wanted(group)
        if not wanted:
            return
        names = {qualified.rpartition(".")[2] for _, qualified in wanted}
        mentions = self._default_modules(wanted)
        for path in self.files.holding(names, family_of(group.language), mentions):
            calls = self.files.calls(path)
            if calls is None:
                continue
            for call in calls.calls:
                if call.callee is None or not _may_mean(call.callee, calls, names):
                    continue
                edge = self._edge(path, calls, call)
                if edge is None:
                    continue
                meant = wanted.get((edge.target.path, edge.target.qualified))
                if meant is not None and meant.takes(edge):
                    yield edge

    def _wanted(self, group: Group) -> dict[tuple[str, str], _Wanted]:
        """Return the definitions asked about, by path and qualified name."""
        if group.local is not None or group.kind not in kinds.CALLABLE | kinds.TYPES:
            return {}
        wanted = {(path, group.qualified): _Wanted((), names) for path, names in self._places(group).items()}
        for constructed in self._inheritance.constructed(group):
            for path, names in self._places(constructed).items():
                wanted[path, constructed.qualified] = _Wanted((_CONSTRUCT,), names)
        if group.parser is not None and self._constructs_alone(group.parser):
            of_class = group.qualified.rpartition(".")[0]
            wanted[group.parser.path, of_class] = _Wanted((_CONSTRUCT,), frozenset())
        return wanted

    def _constructs_alone(self, known: ParserDefinition) -> bool:
        """Tell whether a definition is the only constructor of its class."""
        calls = self.files.calls(known.path)
        if calls is None or (known.kind != _CONSTRUCTOR and known.name not in _CONSTRUCTORS):
            return False
        same = [
            index
            for index, one in enumerate(calls.extents)
            if one.name == known.name and calls.qualified(index) == known.qualified
        ]
        return len(same) == 1 and "." in known.qualified

    def _places(self, group: Group) -> dict[str, frozenset[Range]]:
        """Return the files that define a group, ascending, with the places of its names where those hold."""
        if group.parser is not None:
            known = group.parser
            is_now = self._sources.text(known.path, known.sha256) is not None
            return {known.path: frozenset({known.name_range} if is_now else ())}
        found: dict[str, set[Range]] = {}
        for part, row in group.members:
            for one in definitions(part.shard, row.id):
                document = part.document(one.doc)
                if document is not None:
                    found.setdefault(document.path, set()).add(one.name)
        return {
            path: frozenset() if self._freshness.known_stale(path) else frozenset(found[path])
            for path in sorted(found)
        }

    def _default_modules(self, wanted: dict[tuple[str, str], _Wanted]) -> set[str]:
        """Return what the text of a script must hold that imports one of these without naming it."""
        found = set()
        for path, qualified in wanted:
            if language_of(path) not in ("javascript", "typescript") or "." in qualified:
                continue
            calls = self.files.calls(path)
            given = calls.exports.get("default") if calls is not None else None
            if given == qualified:
                folder, name = posixpath.split(path)
                stem = name.partition(".")[0]
                found.add(posixpath.basename(folder) or stem if stem == "index" else stem)
        return found - {""}

    def _holders(self, group: Group) -> Iterator[tuple[str, FileCalls, int]]:
        """Yield the definitions of a group in open files: path, the file's calls, extent (-1: all of it)."""
        if group.local is not None:
            return
        for path in self._places(group):
            if not self.files.is_open(path):
                continue
            calls = self.files.calls(path)
            if calls is None:
                continue
            if group.kind in kinds.MODULES and group.members:
                yield path, calls, -1
                continue
            known = group.parser
            source = self._sources.text(path)
            is_exact = known is not None and source is not None and source.sha256 == known.sha256
            for index, extent in enumerate(calls.extents):
                if extent.name != group.name or calls.qualified(index) != group.qualified:
                    continue
                if is_exact and known is not None and self.files.span(path, *extent[2:4]) != known.name_range:
                    continue
                yield path, calls, index

    def _made_by(self, calls: FileCalls, extent: int) -> Iterator[Call]:
        """Yield the calls inside an extent: of a callable those it makes itself."""
        if extent < 0:
            yield from calls.calls
            return
        one = calls.extents[extent]
        kind = kinds.NUMBERS[one.kind]
        if kind not in kinds.CALLABLE | _HOLDS_ALL and one.kind != "property":
            return
        begin = self._interior(calls, extent)
        for call in calls.calls:
            if begin <= call.start < one.end and (
                kind in _HOLDS_ALL or self._caller(calls, call.start) == extent
            ):
                yield call

    def _caller(self, calls: FileCalls, at: int) -> int:
        """Return the innermost callable whose inside holds a byte, -1 where there is none."""
        index = bisect_right(calls.starts, at) - 1
        while index >= 0:
            one = calls.extents[index]
            is_callable = kinds.NUMBERS[one.kind] in kinds.CALLABLE or one.kind == "property"
            if is_callable and at < one.end and self._interior(calls, index) <= at:
                return index
            index = calls.around[index]
        return -1

    def _interior(self, calls: FileCalls, extent: int) -> int:
        one = calls.extents[extent]
        body = Range(0, one.start, 0, one.end)
        name = Range(0, one.name_start, 0, one.name_end)
        return interior_start(body, name, calls.language)[1]

    def _edge(self, path: str, calls: FileCalls, call: Call) -> ParserEdge | None:
        key = (path, call.start)
        if key not in self._edges:
            self._edges[key] = self._make_edge(path, calls, call)
        return self._edges[key]

    def _make_edge(self, path: str, calls: FileCalls, call: Call) -> ParserEdge | None:
        target = self._targets.of(path, calls, call)
        if target is None:
            return None
        use = call.use
        if use == _CALL and target.kind in kinds.TYPES:
            if calls.language in _CONVERTING:
                return None
            use = _CONSTRUCT
        caller = self._caller(calls, call.start)
        made_by = None if caller < 0 else self._targets.definition(path, caller)
        span = self.files.span(path, call.start, call.end)
        return ParserEdge(path, calls.language, span, use, made_by, target)


def _may_mean(callee: Callee, calls: FileCalls, names: set[str]) -> bool:
    """Tell, before any file is looked for, whether a callee can bear one of the names in the end."""
    if callee.extent >= 0:
        return calls.extents[callee.extent].name in names
    one = callee.imported
    if one is None or one.is_default:
        return True
    last = callee.members[-1] if callee.members else one.member or one.module.rpartition(".")[2]
    return last in names
