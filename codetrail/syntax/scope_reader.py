"""Read the scopes of a file, and the names that each binds, from its tree by the tables of ``scoping``.

Whatever binds a name is kept, so that one bound in two ways is known as such. This module must not know what
a name is used for.
"""

from __future__ import annotations

import sys
from operator import itemgetter
from typing import TYPE_CHECKING

from codetrail.syntax.scopes import (
    BLOCK,
    CLASS,
    CLOSED,
    FILE,
    FOREIGN,
    FUNCTION,
    KEEPER,
    OPAQUE,
    Bound,
    Scope,
    Scopes,
)
from codetrail.syntax.scoping import FIRST, OPEN, START
from codetrail.syntax.walk import collect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Language, Node, Tree

    from codetrail.syntax.file_syntax import Extent
    from codetrail.syntax.imports.binding import ImportBinding
    from codetrail.syntax.scoping import Scoping

MAX_DEPTH = 200

_SIGNATURES = frozenset({"function_signature"})
_MOST = 60
"""Ways to bind a name in one scope that are kept: more than one already leaves its meaning open."""
_PARAMETERS = frozenset({"parameters"})
_NESTED = frozenset({"case_pattern", "record_pattern_component"})
"""Patterns in patterns of their own kind: the outer one has bound all there is."""
_DECLARED_AROUND = 2
"""Nodes between a name that is declared and its statement: it may be one of several that are taken apart."""
_MACRO_TEXT = "token_tree"


def read_scopes(
    data: bytes,
    tree: Tree,
    grammar: Language,
    scoping: Scoping,
    extents: Sequence[Extent],
    imports: Sequence[ImportBinding],
) -> Scopes:
    """Read the scopes of a file and everything that they bind."""
    return _Reader(data, scoping, extents).read(tree, grammar, imports)


class _Reader:
    __slots__ = (
        "_assigned",
        "_bound",
        "_by_name",
        "_companions",
        "_data",
        "_declared",
        "_extents",
        "_patterns",
        "_scopes",
        "_scoping",
        "_top",
    )

    def __init__(self, data: bytes, scoping: Scoping, extents: Sequence[Extent]) -> None:
        self._data = data
        self._scoping = scoping
        self._extents = extents
        self._by_name: dict[int, int] = {}
        for index, extent in enumerate(extents):
            self._by_name.setdefault(extent.name_start, index)
        self._scopes = [Scope(0, len(data) + 1, FILE, -1)]
        self._bound: dict[tuple[int, str], list[Bound]] = {}
        self._assigned: list[tuple[int, str, int]] = []
        self._declared: dict[int, Node] = {}
        self._companions: set[int] = set()
        self._patterns = 0
        self._top = 0

    def read(self, tree: Tree, grammar: Language, imports: Sequence[ImportBinding]) -> Scopes:
        scoping = self._scoping
        nodes = collect(tree, grammar, tree.root_node.type, scoping.phrases(), ())
        found: list[tuple[int, int, int, Node | ImportBinding]] = [
            (node.start_byte, -node.end_byte, 1, node) for kind in nodes.phrases for node in nodes.nodes(kind)
        ]
        imported = {one.start for one in imports}
        found += [(one.start, -one.start - 1, 0, one) for one in imports]
        found.sort(key=itemgetter(0, 1, 2))
        stars = []
        for start, _, _, one in found:
            while self._scopes[self._top].end <= start:
                self._top = self._scopes[self._top].parent
            if isinstance(one, tuple):
                if one.local:
                    self._add(self._top, one.local, Bound(imported=one))
                elif one.member == "*":
                    stars.append((self._top, one))
            else:
                self._read_node(one, is_import=start in imported)
        for scope, name, at in self._assigned:
            self._assign(scope, name, at)
        return Scopes(self._scopes, self._bound, stars, self._extents, scoping)

    def _read_node(self, node: Node, *, is_import: bool) -> None:
        scoping, kind = self._scoping, node.type
        if kind in _NESTED:
            if node.end_byte <= self._patterns:
                return
            self._patterns = node.end_byte
        body = node.child_by_field_name("body") if kind in scoping.declared else None
        if kind in scoping.declared and body is None:
            body = next((child for child in node.named_children if child.type in scoping.classes), None)
        if body is not None:
            self._declared[body.start_byte] = node
        if kind in scoping.outer and not (is_import and kind == "variable_declarator"):
            is_signature = kind in _SIGNATURES
            # A function of another type is not called by its bare name.
            is_extension = node.child_by_field_name("receiver") is not None
            since, open_from = self._holds(node)
            for name, start in self._names(node, scoping.outer[kind]):
                index = -1 if is_extension else self._by_name.get(start, -1)
                announces = is_signature or self._is_overload(start)
                self._add(
                    self._top,
                    name,
                    Bound(index, None, announces, kind in _PARAMETERS, since, open_from),
                )
                if kind in scoping.everywhere:
                    self._add(0, name, Bound())
                if self._top in self._companions:
                    self._add(self._scopes[self._top].parent, name, Bound())
        if kind in scoping.hoisted:
            self._hoist(node)
        if kind in scoping.assigned:
            self._assigned += [(self._top, *found) for found in self._names(node, scoping.assigned[kind])]
        self._enter(node)
        if kind in scoping.inner:
            for name, _ in self._names(node, scoping.inner[kind]):
                self._add(self._top, name, Bound())

    def _holds(self, node: Node) -> tuple[int, int]:
        """Return from which byte on a node binds, and from which on it is open whether it does."""
        scoping, kind = self._scoping, node.type
        if kind in scoping.textual:
            return node.end_byte, sys.maxsize
        word = scoping.later.get(kind)
        if word is None or self._scopes[self._top].kind in (CLASS, FILE):
            return 0, sys.maxsize
        if word != OPEN:
            return (node.start_byte if word == START else node.end_byte), sys.maxsize
        around = node.parent
        for _ in range(_DECLARED_AROUND):
            if around is None or around.type in scoping.statements:
                break
            around = around.parent
        if around is None or around.type not in scoping.statements:
            return node.start_byte, sys.maxsize
        return around.end_byte, node.start_byte

    def _is_overload(self, name_start: int) -> bool:
        extent = self._extents[self._by_name[name_start]] if name_start in self._by_name else None
        return extent is not None and b"overload" in self._data[extent.start : name_start][:4096]

    def _enter(self, node: Node) -> None:
        scoping, kind = self._scoping, node.type
        start, end, parent = node.start_byte, node.end_byte, self._top
        around = self._scopes[parent]
        if around.kind == OPAQUE:
            return
        if kind in scoping.functions:
            scope = self._function(node, parent)
        elif kind in scoping.classes:
            scope = self._class(node, parent)
        elif kind in scoping.closed and node.child_by_field_name("body") is not None:
            scope = Scope(start, end, CLOSED, parent)
        elif kind in scoping.blocks:
            scope = Scope(start, end, BLOCK, parent)
        elif kind in scoping.opaque:
            inside = self._macro_text(node)
            if inside is None:
                return
            scope = Scope(inside, end, OPAQUE, parent)
        else:
            return
        scope = scope._replace(depth=around.depth + 1)
        self._scopes.append(scope if scope.depth < MAX_DEPTH else scope._replace(kind=OPAQUE))
        self._top = len(self._scopes) - 1

    def _function(self, node: Node, parent: int) -> Scope:
        scoping, kind = self._scoping, node.type
        body = node.child_by_field_name("body")
        scope = Scope(
            node.start_byte,
            node.end_byte,
            KEEPER if kind in scoping.keepers else FUNCTION,
            parent,
            body=body.start_byte if body is not None else -1,
        )
        receiver = node.child_by_field_name("receiver")
        wants = scoping.foreign.get(kind)
        if wants is not None and not any(child.type == wants for child in node.named_children):
            return scope._replace(kind=FOREIGN)
        if receiver is None:
            return scope
        first = receiver.named_children[0] if receiver.named_children else receiver
        name = first.child_by_field_name("name")
        if name is None:
            is_typed = first.child_by_field_name("type") is not None
            return scope if is_typed else scope._replace(kind=FOREIGN)
        return scope._replace(receiver=self._text(name), owner=self._type_name(first))

    def _macro_text(self, node: Node) -> int | None:
        """Return where the text that a macro takes begins, unless it is known to hold plain expressions."""
        name = node.child_by_field_name("macro")
        if name is None:
            return node.start_byte
        if self._text(name) in self._scoping.plain and b"|" not in self._data[name.end_byte : node.end_byte]:
            return None
        inside = [child for child in node.named_children if child.type == _MACRO_TEXT]
        return inside[-1].start_byte if inside else None

    def _class(self, node: Node, parent: int) -> Scope:
        """Read a class scope: the node names itself, or the declaration that it is the body of does."""
        declared = self._declared.get(node.start_byte, node)
        start, end = node.start_byte, node.end_byte
        if node.type == "impl_item":
            return Scope(start, end, CLASS, parent, owner=self._type_name(node))
        name = declared.child_by_field_name("name")
        parts = declared.named_children if declared is not node else []
        if name is None:
            name = next((child for child in parts if child.type == "type_identifier"), None)
        if declared.type in self._scoping.companions:
            self._companions.add(len(self._scopes))
        inherits = name is None or any(child.type in self._scoping.bases for child in parts)
        return Scope(
            start, end, CLASS, parent, name.start_byte if name is not None else -1, inherits=inherits
        )

    def _type_name(self, around: Node) -> str:
        """Return the name of the type that an ``impl`` or a receiver is about, without its arguments."""
        node = around.child_by_field_name("type")
        while node is not None and node.type not in self._scoping.names:
            inner = node.child_by_field_name("type") or node.child_by_field_name("name")
            node = inner or next(iter(node.named_children), None)
        return self._text(node) if node is not None else ""

    def _names(self, node: Node, part: str) -> Iterator[tuple[str, int]]:
        """Yield the names, with their first bytes, that a part of a node binds."""
        scoping = self._scoping
        if part.startswith(FIRST):
            pending = [child for child in node.named_children if child.type == part[1:]][:1]
        else:
            pending = node.children_by_field_name(part) if part else [node]
        while pending:
            inner = pending.pop()
            if inner.type in scoping.names:
                if inner.start_byte < inner.end_byte:
                    yield self._text(inner), inner.start_byte
            elif inner.type not in scoping.passed and inner.child_count:
                skipped = {
                    child.id for name in scoping.unbound for child in inner.children_by_field_name(name)
                }
                if inner.type == "pair_pattern":
                    pending += inner.children_by_field_name("value")
                else:
                    pending += [child for child in inner.named_children if child.id not in skipped]

    def _hoist(self, node: Node) -> None:
        """Bind what ``var`` declares in the function around, too."""
        scope = self._top
        while self._scopes[scope].kind == BLOCK:
            scope = self._scopes[scope].parent
        if scope == self._top:
            return
        for child in node.named_children:
            if child.type == "variable_declarator":
                for name, _ in self._names(child, "name"):
                    self._add(scope, name, Bound())

    def _assign(self, scope: int, name: str, at: int) -> None:
        while scope > 0 and not self._is_bound(scope, name, at):
            scope = self._scopes[scope].parent
        if (scope, name) in self._bound:
            self._add(scope, name, Bound())

    def _is_bound(self, scope: int, name: str, at: int) -> bool:
        return any(one.since <= at for one in self._bound.get((scope, name), ()))

    def _add(self, scope: int, name: str, bound: Bound) -> None:
        known = self._bound.setdefault((scope, name), [])
        if len(known) < _MOST and bound not in known:
            known.append(bound)

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")
