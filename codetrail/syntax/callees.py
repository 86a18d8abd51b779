"""Read the calls of one file, and what each calls in it or of what it imports, as far as names tell.

A bare name means what its innermost scope binds it to; ``self.m`` a method of the class around; ``x.m`` a
member of a class of this file or of what an import gives. A call of anything else has no callee here, nor
has one from the first statement on that does not parse (contract §5). This module must not know other files:
what an import leads to, whoever asks finds out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codetrail.model.facts import USES
from codetrail.syntax.arity import arities
from codetrail.syntax.extract import extract, tree_of
from codetrail.syntax.file_calls import Call, Callee, FileCalls, callee_of, children_of, only_member
from codetrail.syntax.imports import exports_of, imports_of
from codetrail.syntax.imports.binding import ImportBinding
from codetrail.syntax.scope_reader import read_scopes
from codetrail.syntax.scopes import CLASS, CLOSED, FOREIGN, FUNCTION, OPAQUE, Bound, Scopes
from codetrail.syntax.scoping_of_languages import SCOPINGS
from codetrail.syntax.spans import start_of_ending
from codetrail.syntax.walk import collect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Language, Tree

    from codetrail.syntax.file_syntax import Extent
    from codetrail.syntax.scoping import Scoping

CALLS = frozenset(map(USES.index, ("call", "construct", "decorator")))
"""The uses that are calls, as indexes of ``USES``."""

_QUALIFIER = re.compile(r"[\w$]+(?:\s*(?:\.|\?\.|::)\s*[\w$]+)*")
_PARTS = re.compile(r"[\w$]+")
_LONGEST = 400
"""Bytes of a qualifier that are read; a longer one is no name."""
_PATHS = frozenset({"crate", "self", "super"})
_BEFORE_MEMBER = re.compile(rb"(?:(?<!\.)\.|\?\.|::)\s*$")
_NEAR = 40
"""Bytes before a name that are looked at for what makes it a member."""
_PACKAGE = re.compile(rb"^\s*package\s+([\w.`]+)", re.MULTILINE)
_PACKAGED = ("java", "kotlin")


def read_calls(data: bytes, language: str, path: str) -> FileCalls | None:
    """Read the calls of a file; None where it cannot be parsed, or not within the bounds of ``extract``."""
    scoping = SCOPINGS.get(language)
    syntax = extract(data, language, path=path)
    parsed = tree_of(data, language, path=path) if scoping is not None and syntax.tokens else None
    if parsed is None or scoping is None:
        return None if syntax.is_missing else FileCalls(language, syntax.extents, (), {}, None)
    tree, grammar = parsed
    imports = imports_of(data, tree, grammar, language)
    scopes = read_scopes(data, tree, grammar, scoping, syntax.extents, imports)
    qualifiers = _qualifiers(tree, grammar, scoping, syntax.tokens)
    reader = _Reader(data, scoping, scopes, syntax.extents, qualifiers)
    numbers = arities(data, tree, grammar, language, syntax.tokens)
    ends = dict(syntax.tokens)
    sound = _sound_until(tree) if syntax.errors else len(data)

    def callee(start: int) -> Callee | None:
        return reader.callee(start, ends[start]) if start in ends and start < sound else None

    calls = tuple(
        Call(start, ends.get(start, start), use, callee(start), numbers.given.get(start))
        for start, use in sorted(syntax.uses.items())
        if use in CALLS
    )
    exports = exports_of(data, tree, grammar, language)
    package = _PACKAGE.search(data) if language in _PACKAGED else None
    named = package[1].decode("utf-8", "replace").replace("`", "") if package else ""
    return FileCalls(language, syntax.extents, calls, exports, scopes, named, numbers.taken)


def _sound_until(tree: Tree) -> int:
    """Return the byte where the first part of a file begins that does not parse: from there on all may be
    misread."""
    cursor = tree.walk()
    more = cursor.goto_first_child()
    while more and cursor.node is not None:
        if cursor.node.has_error or cursor.node.is_missing:
            return cursor.node.start_byte
        more = cursor.goto_next_sibling()
    return tree.root_node.end_byte


class _Reader:
    __slots__ = ("_by_name", "_children", "_data", "_extents", "_owned", "_qualifiers", "_scopes", "_scoping")

    def __init__(
        self,
        data: bytes,
        scoping: Scoping,
        scopes: Scopes,
        extents: tuple[Extent, ...],
        qualifiers: dict[int, tuple[int, int]],
    ) -> None:
        self._data = data
        self._scoping = scoping
        self._scopes = scopes
        self._extents = extents
        self._qualifiers = qualifiers
        self._children = children_of(extents)
        self._by_name = {extent.name_start: index for index, extent in enumerate(extents)}
        self._owned: dict[tuple[str, str], list[int]] = {}
        for index, extent in enumerate(extents):
            if extent.owner:
                self._owned.setdefault((extent.owner, extent.name), []).append(index)

    def callee(self, start: int, end: int) -> Callee | None:
        """Return what the name at ``start`` calls; None where names do not tell."""
        name = self._data[start:end].decode("utf-8", "replace")
        chain = self._chain(start)
        if chain is None:
            return None
        found = self._bare(name, start) if not chain else self._qualified([*chain, name], start)
        if found is None or found.extent < 0:
            return found
        is_macro = self._data[end : end + 1] == b"!"
        return found if (self._extents[found.extent].kind == "macro") == is_macro else None

    def _bare(self, name: str, at: int) -> Callee | None:
        found = self._scopes.find(name, at, called=True)
        if found is None and self._scoping.apart:
            found = self._scopes.find(name, at, called=False)  # a class that is constructed
        if found is None:
            return None
        bound, _ = found
        if bound.imported is not None and bound.imported.is_dotted:
            return None
        if bound.extent >= 0 and self._is_outer_module(bound.extent):
            return None
        return callee_of(bound)

    def _chain(self, start: int) -> list[str] | None:
        """Return the names before the one that calls; none for a bare name, None where they are not names."""
        if start not in self._qualifiers:
            before = self._data[max(0, start - _NEAR) : start]
            is_open = _BEFORE_MEMBER.search(before) or before.endswith(self._scoping.elements)
            return None if is_open else []
        begin, end = self._qualifiers[start]
        if end - begin > _LONGEST:
            return None
        text = self._data[begin:end].decode("utf-8", "replace")
        return _PARTS.findall(text) if _QUALIFIER.fullmatch(text) else None

    def _qualified(self, names: list[str], at: int) -> Callee | None:
        first = names[0]
        if first in self._scoping.receivers:
            if len(names) == 2:
                is_path = first == "self" and self._data[at - 2 : at] == b"::"
                return None if is_path else self._of_receiver(first, names[1], at)
            if first not in _PATHS:
                return None
        if self._is_path(first):
            return self._of_path(names, at)
        dotted = [
            one
            for one in self._scopes.dotted(first, at)
            if one.is_dotted and names[: one.module.count(".") + 1] == one.module.split(".")
        ]
        if dotted:
            longest = max(dotted, key=lambda one: len(one.module))
            taken = tuple(names[longest.module.count(".") + 1 :])
            return Callee(imported=longest, members=taken) if taken else None
        found = self._scopes.find(first, at, called=False)
        if found is None:
            return None
        bound, scope = found
        if bound.extent < 0 and self._scopes.all[scope].receiver == first and len(names) == 2:
            return self._of_owner(self._scopes.all[scope].owner, names[1])
        if bound.imported is not None:
            return None if bound.imported.is_dotted else Callee(-1, bound.imported, tuple(names[1:]))
        if bound.extent < 0:
            return None
        if self._is_outer_module(bound.extent):
            return Callee(-1, ImportBinding(first, "self", first), tuple(names[1:]))
        return self._inside(bound.extent, names[1:])

    def _is_path(self, first: str) -> bool:
        return first in _PATHS and "Self" in self._scoping.receivers

    def _of_path(self, names: list[str], at: int) -> Callee | None:
        """Follow ``crate::a::f``, and ``super::f`` inside a module of this very file."""
        depth = 0
        while names[depth] == "super" and depth < len(names) - 1:
            depth += 1
        closed = [index for index in self._scopes.around(at) if self._scopes.all[index].kind == CLOSED]
        if names[0] == "crate" or (not closed and depth):
            return Callee(-1, ImportBinding("", "::".join(names[:-1])), (names[-1],))
        if not depth or depth > len(closed):
            return None
        scopes = [*closed, 0]
        bound = self._scopes.inside(scopes[depth], names[depth])
        if bound is None or bound.extent < 0 or self._is_outer_module(bound.extent):
            return None
        return self._inside(bound.extent, names[depth + 1 :])

    def _is_outer_module(self, extent: int) -> bool:
        """Tell ``mod m;``, whose text is another file."""
        one = self._extents[extent]
        return one.kind == "module" and self._data[one.start : one.end].endswith(b";")

    def _inside(self, extent: int, names: list[str]) -> Callee | None:
        for name in names:
            found = only_member(self._children, self._extents, extent, name)
            if found is None:
                return None
            extent = found
        return Callee(extent)

    def _of_receiver(self, receiver: str, name: str, at: int) -> Callee | None:
        """Return the method ``name`` of the class around, not of those that it inherits from."""
        scope = self._class_around(receiver, at)
        if scope is None:
            return None
        known = self._scopes.all[scope]
        if known.owner:
            return self._of_owner(known.owner, name)
        extent = self._by_name.get(known.name_start)
        found_member = None if extent is None else only_member(self._children, self._extents, extent, name)
        return None if found_member is None else Callee(found_member)

    def _of_owner(self, owner: str, name: str) -> Callee | None:
        found = self._owned.get((owner, name), [])
        return Callee(found[0]) if len(found) == 1 else None

    def _class_around(self, receiver: str, at: int) -> int | None:
        if receiver in ("self", "cls") and self._scoping.members == "directly":
            # A parameter of a method, by its usual name, that nothing else of that name hides.
            found = self._scopes.find(receiver, at, called=False)
            if found is None or found[0] != Bound(is_parameter=True):
                return None
            method = self._scopes.all[found[1]]
            is_method = method.kind == FUNCTION and method.parent >= 0
            return method.parent if is_method and self._scopes.all[method.parent].kind == CLASS else None
        for index in self._scopes.around(at):
            scope = self._scopes.all[index]
            if scope.kind == CLASS:
                return index
            is_member = scope.parent >= 0 and self._scopes.all[scope.parent].kind == CLASS
            if scope.kind in (OPAQUE, FOREIGN) or (scope.kind == FUNCTION and not is_member):
                return None
        return None


def _qualifiers(
    tree: Tree, grammar: Language, scoping: Scoping, tokens: Sequence[tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """Map the first byte of a name to the span of what stands before it in a qualified name.

    Of longer names that no table tells apart the span is that of all, which is no qualifier.
    """
    kinds = [*scoping.qualified, *scoping.longer]
    nodes = collect(tree, grammar, tree.root_node.type, kinds, ())
    starts = [start for start, _ in tokens]
    found: dict[int, tuple[int, int]] = {}
    for kind, (before, last) in scoping.qualified.items():
        for node, first in nodes.phrases[kind]:
            if last:
                name, qualifier = node.child_by_field_name(last), node.child_by_field_name(before)
                if name is not None and qualifier is not None:
                    found[name.start_byte] = qualifier.byte_range
            else:
                start = start_of_ending(node.end_byte, tokens, starts)
                if start is not None and start >= first.end_byte:
                    found[start] = first.byte_range
    for kind in scoping.longer:
        for node in nodes.nodes(kind):
            start = start_of_ending(node.end_byte, tokens, starts)
            if start is not None and start > node.start_byte:
                found[start] = (node.start_byte, node.start_byte + _LONGEST + 1)
    return found
