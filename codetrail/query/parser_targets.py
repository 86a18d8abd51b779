"""What a call of a file without a precise layer means: a definition of the file, or of what it imports.

A guess by name, and none where names leave it open (contract §5). This module must not know who asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import kinds
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, ParserDefinition
from codetrail.query.matching import join, parser_group
from codetrail.query.module_files import ModuleFiles
from codetrail.query.open_files import OpenFiles
from codetrail.query.snapshot import View
from codetrail.store.read_symbols import definitions_in, symbol
from codetrail.workspace.languages import is_test_path, language_of

if TYPE_CHECKING:
    from codetrail.syntax.file_calls import Call, Callee, FileCalls

_NOT_CALLED = {kinds.NUMBERS[word] for word in ("accessor", "getter", "setter", "typealias")}
_TARGETS = (kinds.CALLABLE | kinds.TYPES) - _NOT_CALLED
_DEEPEST = 5
"""Files that a name is followed through, each giving what another gives."""


class Target(NamedTuple):
    """A definition that a call means: its file, its qualified name, its place and kind."""

    path: str
    qualified: str
    name: str
    range: Range
    body: Range
    kind: int


class ParserTargets:
    """Finds such definitions; one object serves one question and remembers what it found."""

    def __init__(self, view: View, freshness: Freshness, files: OpenFiles) -> None:
        self._view = view
        self._freshness = freshness
        self._files = files
        self._modules = ModuleFiles(view, freshness)
        self._resolved: dict[tuple[str, int], tuple[str, int] | None] = {}
        self._definitions: dict[tuple[str, int], Target | None] = {}

    def of(self, path: str, calls: FileCalls, call: Call) -> Target | None:
        """Return what a call in the file at ``path`` means; None where that is open, or is not called."""
        key = (path, call.start)
        if key not in self._resolved:
            self._resolved[key] = self._follow(path, calls, call.callee, 0)
        found = self._resolved[key]
        there = None if found is None else self._files.calls(found[0])
        if found is None or there is None or not there.takes(found[1], call.values):
            return None
        target = self.definition(*found)
        return target if target is not None and target.kind in _TARGETS else None

    def definition(self, path: str, extent: int) -> Target | None:
        """Return a definition of the file at ``path``."""
        key = (path, extent)
        if key not in self._definitions:
            self._definitions[key] = self._definition(path, extent)
        return self._definitions[key]

    def _definition(self, path: str, extent: int) -> Target | None:
        calls = self._files.calls(path)
        if calls is None:
            return None
        one = calls.extents[extent]
        return Target(
            path,
            calls.qualified(extent),
            one.name,
            self._files.span(path, one.name_start, one.name_end),
            self._files.span(path, one.start, one.end),
            kinds.NUMBERS[one.kind],
        )

    def group(self, target: Target) -> Group:
        """Return the group of a target: a compiler's symbol where its file has a precise layer."""
        for part in self._view.parts:
            document = part.document_at(target.path)
            if document is None or self._freshness.known_stale(target.path):
                continue
            line = target.range.line
            for one in definitions_in(part.shard, document.id, line, line):
                row = symbol(part.shard, one.symbol) if one.name == target.range else None
                if row is not None:
                    return join(self._view, part, row)
        source = self._files.text(target.path)
        language = language_of(target.path) or ""
        return parser_group(
            ParserDefinition(
                target.path,
                language,
                target.kind,
                target.name,
                target.qualified,
                target.range,
                target.body,
                is_test_path(target.path, language),
                source.sha256 if source is not None else b"",
            )
        )

    def _follow(
        self, path: str, calls: FileCalls, callee: Callee | None, depth: int
    ) -> tuple[str, int] | None:
        """Follow a callee to a definition: its file and extent; None where that is open."""
        if callee is None or depth > _DEEPEST:
            return None
        if callee.imported is None:
            return (path, callee.extent)
        one = callee.imported
        members = callee.members
        if one.is_default and one.member is None and not members:
            members = ("default",)
        found = self._modules.find(path, calls.language, one.module, one.member, members)
        if found is None or not found.members:
            return None
        there = self._files.calls(found.path)
        if there is None or (found.package is not None and found.package != there.package):
            return None
        return self._in_module(found.path, found.members, depth)

    def _in_module(self, path: str, names: tuple[str, ...], depth: int) -> tuple[str, int] | None:
        there = self._files.calls(path)
        if there is None:
            return None
        given = there.top(names[0])
        if given is None:
            is_free = there.language == "python" and not there.binds(names[0])
            below = self._modules.submodule(path, names[0]) if is_free else None
            if below is None or below == path or len(names) == 1 or depth > _DEEPEST:
                return None
            return self._in_module(below, names[1:], depth + 1)
        if given.imported is not None:
            longer = given._replace(members=(*given.members, *names[1:]))
            return self._follow(path, there, longer, depth + 1)
        extent = given.extent
        for name in names[1:]:
            inner = there.member(extent, name)
            if inner is None:
                return None
            extent = inner
        return path, extent
