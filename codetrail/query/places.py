"""Find the symbol that a place in a file means, in the four steps of contract §3.

Symbols defined or occurring there; the innermost definition around the line; the only definition of the name
in that file; the only one in the workspace. A given name must match at every step, and every step after the
first says so in the variant. A file that changed has no stored place any more: there the parser's definitions
of the present text serve, which whoever asks must bring (references may not).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from codetrail.model import facts, kinds
from codetrail.model.answers import Variant
from codetrail.model.identifiers import (
    AS_TYPED,
    QUALIFIED,
    SIGNATURE_CUT,
    TRIMMED,
    Place,
    name_variants,
    nfkc,
    split_owners,
    without_signature,
)
from codetrail.model.ranges import FILE_START, Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, ParserDefinition, bears, names_of
from codetrail.query.local_groups import LocalGroups
from codetrail.query.matching import CurrentDefinitions, join, match_name, parser_group, stored_definition
from codetrail.query.moved import FileDefinitions
from codetrail.query.snapshot import Part, View
from codetrail.store.read_documents import DocumentRow, ExtentRow, extents
from codetrail.store.read_occurrences import occurrences_at
from codetrail.store.read_symbols import SymbolRow, definitions_in, symbol
from codetrail.workspace.languages import language_of

if TYPE_CHECKING:
    pass

ENCLOSING = "place_enclosing"
IN_FILE = "place_in_file"
ELSEWHERE = "place_elsewhere"

_EXACT = frozenset({AS_TYPED, TRIMMED, SIGNATURE_CUT, QUALIFIED})
_EVERY_LINE = 1 << 60
_MODULES = frozenset(kinds.NUMBERS[word] for word in ("file", "module", "namespace", "package"))


class PlaceFinder:
    """Finds the groups that places mean; one object serves one question.

    ``present`` brings what the parser says of files as they now are; ``in_file`` and ``current`` bring what
    may answer for what no compiler knows (None: nothing may).
    ``callbacks`` tells whether a place inside a callback means it, or the definition around it.
    """

    def __init__(
        self,
        view: View,
        freshness: Freshness,
        present: FileDefinitions,
        local_groups: LocalGroups,
        in_file: FileDefinitions | None,
        current: CurrentDefinitions | None,
        *,
        callbacks: bool,
    ) -> None:
        self._callbacks = callbacks
        self._view = view
        self._freshness = freshness
        self._present = present
        self._local_groups = local_groups
        self._in_file = in_file
        self._current = current
        self._normalises = False

    def find(self, place: Place, path: str, *, strict: bool = False) -> list[Group]:
        """Return the groups that ``place`` means; ``path`` is its root-relative path.

        Several mean that the place does not settle which. ``strict`` takes the first step only.
        """
        self._normalises = language_of(path) == "python"
        fresh = [
            (part, document)
            for part, document in self._view.holding(path)
            if self._freshness.is_fresh(path, document.sha256)
        ]
        found = [group for part, document in fresh for group in self._there(part, document, place)]
        around = [group for part, document in fresh for group in self._around(part, document, place)]
        if not fresh:
            found = [*self._moved_there(path, place), *self._defined_now(path, place)]
            around = self._around_now(path, place)
        if place.is_frame and place.name is not None and around:
            # A frame names the function that runs there, never a namesake that the line uses.
            running = {group.key for group in around}
            found = [group for group in found if group.key in running]
        if found or strict:
            return _distinct(self._exact(found, place))
        if around:
            return _marked(around, ENCLOSING, place.name or "")
        if place.name is None:
            return []
        inside = self._in_that_file(path, place.name, bool(fresh))
        if inside:
            return _marked(self._exact(inside, place), IN_FILE, place.name)
        exact = [variant for variant in name_variants(place.name) if variant.kind in _EXACT]
        elsewhere = match_name(self._view, exact, self._current)
        return _marked(self._exact(elsewhere, place), ELSEWHERE, place.name)

    def _there(self, part: Part, document: DocumentRow, place: Place) -> list[Group]:
        """Return what is defined or occurs at the place; what a bare line defines goes before its uses."""
        shard, line = part.shard, place.line
        rows = occurrences_at(shard, document.id, line, place.column)
        defined_at = {row.symbol: Range(*row[2:6]) for row in rows if row.roles & facts.ROLE_DEFINITION}
        if place.column is None:
            defined_at |= {row.symbol: row.name for row in definitions_in(shard, document.id, line, line)}
        # On a bare line what else stands at a name that is defined there (the member an interface asks for)
        # is not meant; who points at the very name may mean either.
        names = set(defined_at.values()) if place.column is None else set()
        used = {row.symbol for row in rows if Range(*row[2:6]) not in names} - defined_at.keys()
        found: list[tuple[bool, Group]] = []
        of_file: list[tuple[bool, Group]] = []
        for number in [*defined_at, *sorted(used)]:
            row = symbol(shard, number)
            if row is not None and self._row_fits(place.name, row):
                kept = of_file if defined_at.get(number) == FILE_START else found
                kept.append((number in defined_at, join(self._view, part, row)))
        for extent in extents(shard, document.id):
            span = extent.name_range
            if span.line == line and (place.column is None or span.contains(line, place.column)):
                if extent.kind == kinds.CALLBACK and place.name is None and not self._callbacks:
                    continue
                definition = stored_definition(part, extent)
                if definition and self._name_fits(place.name, definition.qualified, definition.name):
                    kept_in = self._local_groups.kept(part, document, definition)
                    found.append((True, kept_in or parser_group(definition)))
        defining = {group.key for _, group in found}
        locals_there = [one for one in self._locals(part, document, place) if one.key not in defining]
        if place.name is not None and place.column is None:
            # A coordinate leads to what is defined there, though the line may use a namesake (contract §4).
            meant = {group.key for group in self._exact([group for _, group in found + of_file], place)}
            for kept in (found, of_file):
                defined = [group for defines, group in kept if defines and group.key in meant]
                if defined:
                    return defined + locals_there
        if not found and not locals_there:
            found = of_file
        if place.name is None:
            # A module that a line imports from answers only where nothing else stands.
            others = [pair for pair in found if pair[0] or pair[1].kind not in _MODULES]
            found = others if others or locals_there else found
            defined = [group for defines, group in found if defines]
            if defined and place.column is None:
                return defined
        return [group for _, group in found] + locals_there

    def _moved_there(self, path: str, place: Place) -> Iterator[Group]:
        """Yield what was indexed at a place of a changed file whose line is unchanged."""
        for part, document in self._view.holding(path):
            line = self._freshness.line_then(part, document, place.line)
            if line is not None:
                there = self._there(part, document, place._replace(line=line))
                # What only syntax knew is what it sees there now.
                yield from (group for group in there if group.parser is None or group.local is not None)

    def _locals(self, part: Part, document: DocumentRow, place: Place) -> list[Group]:
        places, _ = part.locals(document.id)
        there = {
            one.symbol
            for one in places
            if one.range.line == place.line
            and (place.column is None or one.range.contains(place.line, place.column))
        }
        groups = [self._local_groups.group(part, document, number) for number in sorted(there)]
        return [group for group in groups if self._name_fits(place.name, group.qualified, group.name)]

    def _around(self, part: Part, document: DocumentRow, place: Place) -> list[Group]:
        """Return the innermost definition around the place that bears the name."""
        for found in reversed(extents(part.shard, document.id)):
            if not _is_around(found.body, place):
                continue
            if place.name is None and (found.name_range == FILE_START or not found.name):
                continue
            if found.kind == kinds.CALLBACK and not self._callbacks:
                continue
            if self._name_fits(place.name, found.qualified, found.name):
                group = self._group_of_extent(part, found)
                if group is not None:
                    return [group]
        return []

    def _group_of_extent(self, part: Part, found: ExtentRow) -> Group | None:
        row = symbol(part.shard, found.symbol) if found.symbol else None
        if row is not None:
            return join(self._view, part, row)
        definition = stored_definition(part, found)
        return parser_group(definition) if definition else None

    def _in_that_file(self, path: str, name: str, fresh: bool) -> list[Group]:
        """Return what bears the qualified name in the file: of what was indexed, else of the present text."""
        found = list(self._stored(path, name))
        for part, document in self._view.holding(path) if fresh else ():
            for extent in extents(part.shard, document.id):
                definition = stored_definition(part, extent)
                if definition and self._name_fits(name, definition.qualified, definition.name):
                    found.append(parser_group(definition))
        if not found:
            found += [
                parser_group(definition)
                for definition in self._now(path)
                if self._name_fits(name, definition.qualified, definition.name)
            ]
        return found

    def _defined_now(self, path: str, place: Place) -> list[Group]:
        return [
            parser_group(definition)
            for definition in self._now(path)
            if definition.name_range.line == place.line
            and (place.column is None or definition.name_range.contains(place.line, place.column))
            and self._name_fits(place.name, definition.qualified, definition.name)
        ]

    def _around_now(self, path: str, place: Place) -> list[Group]:
        """Return the innermost definition around a place of the present text that bears the name.

        It is the symbol that was indexed under its whole name, else one that only syntax knows, if such may
        answer.
        """
        for definition in reversed(self._present(path)):
            if definition.kind == kinds.CALLBACK and not self._callbacks:
                continue
            if _is_around(definition.body, place) and self._name_fits(
                place.name, definition.qualified, definition.name
            ):
                stored = self._stored(path, definition.name)
                known = [one for one in stored if bears(one.members[0].row, definition.qualified)]
                return known or [parser_group(one) for one in self._now(path) if one == definition]
        return []

    def _stored(self, path: str, name: str) -> Iterator[Group]:
        """Yield the symbols of that name that a file defined when it was indexed."""
        for part, document in self._view.holding(path):
            numbers = {row.symbol for row in definitions_in(part.shard, document.id, 0, _EVERY_LINE)}
            for number in sorted(numbers):
                row = symbol(part.shard, number)
                if row is not None and self._row_fits(name, row):
                    yield join(self._view, part, row)

    def _row_fits(self, given: str | None, row: SymbolRow) -> bool:
        """Tell whether a given name is the symbol's, before it is joined over the shards."""
        names, _ = names_of(row)
        return self._name_fits(given, ".".join(names), row.display or names[-1])

    def _name_fits(self, given: str | None, qualified: str, name: str) -> bool:
        if given is None or _fits(given, qualified, name):
            return True
        if not self._normalises or (given.isascii() and qualified.isascii()):
            return False
        return _fits(nfkc(given), nfkc(qualified), nfkc(name))

    def _exact(self, groups: list[Group], place: Place) -> list[Group]:
        """Leave out namesakes with other owners where a symbol's whole qualified name was given.

        As it was typed first: ``on("click")`` is the callback, not the ``on`` that it is passed to. The name
        of a traceback's frame is never whole, so it settles nothing.
        """
        if place.name is None or place.is_frame or len(groups) < 2:
            return groups
        for given in (place.name, without_signature(place.name)):
            if found := [group for group in groups if self._is_called(given, group.qualified)]:
                return found
        return groups

    def _is_called(self, given: str, qualified: str) -> bool:
        return given == qualified or (self._normalises and nfkc(given) == nfkc(qualified))

    def _now(self, path: str) -> Sequence[ParserDefinition]:
        return self._in_file(path) if self._in_file is not None else ()


def _is_around(body: Range, place: Place) -> bool:
    """Tell whether an extent holds a place; of one without a column, whether it holds a part of the line."""
    if place.column is not None:
        return body.contains(place.line, place.column)
    return body.line <= place.line and (place.line, 0) < (body.end_line, body.end_column)


def _fits(given: str, qualified: str, name: str) -> bool:
    """Tell whether a given name is the symbol's: its name, or its qualified name or an inner part of that."""
    if given in (name, qualified):
        return True
    bare = without_signature(given)
    if bare in (name, qualified):
        return True
    parts = split_owners(bare)
    own = tuple(qualified.split("."))
    return len(parts) > 1 and own[-len(parts) :] == parts


def _distinct(groups: list[Group]) -> list[Group]:
    return list({group.key: group for group in groups}.values())


def _marked(groups: list[Group], kind: str, value: str) -> list[Group]:
    return [group._replace(variant=Variant(kind, value or group.qualified)) for group in _distinct(groups)]
