"""Definitions, callbacks and tokens of a file in any language but Python, read with an outline.

Parser facts for files that no compiler covers, and extents where a compiler gave none: names, kinds and
owners as far as syntax tells. Variables inside functions are no definitions. It must not know any one
language.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from codetrail.syntax.callbacks import CALLBACK, callbacks
from codetrail.syntax.file_syntax import MAX_OWNERS, Extent
from codetrail.syntax.outline_uses import has_child, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from codetrail.syntax.outline import Outline
    from codetrail.syntax.walk import Buckets

_CALLABLE = frozenset({"constructor", "function", "getter", "macro", "method", "setter"})
_TYPES = frozenset({"class", "enum", "interface", "object", "struct", "trait", "union"})
_NAME_FIELDS = ("name", "property", "key", "left", "pattern", "field")
_SINGLE = frozenset({"expression_list", "literal_element", "parenthesized_expression"})
"""What may stand around one value that is bound to one name."""


def outline_tokens(nodes: Buckets, outline: Outline) -> list[tuple[int, int]]:
    """Return the spans (bytes, ascending) of the tokens that name something."""
    spans = [span for kind in outline.names for span in nodes.leaves[kind] if span[0] < span[1]]
    return sorted(spans)


def outline_extents(data: bytes, nodes: Buckets, outline: Outline) -> tuple[tuple[Extent, ...], bool]:
    """Return the extents of a file, ascending by start, the wider first; and whether any was left out."""
    return _Reader(data, nodes, outline).read()


class _Scope:
    """Something around the place being read: an extent, an owner, or a body that makes variables local.

    ``index`` is that of the extent that owns what is defined here, ``around`` that of the innermost extent:
    a callback owns nothing but callbacks. ``property`` is the name of the last property defined here.
    """

    __slots__ = ("around", "depth", "end", "index", "is_type", "local", "outer", "owner", "property")

    def __init__(self, end: int, index: int, outer: _Scope | None, *, is_type: bool, local: bool) -> None:
        self.end = end
        self.index = index
        self.around = index
        self.outer = outer
        self.is_type = is_type
        self.local = local
        self.owner = ""
        self.property: Node | None = None
        self.depth: int = outer.depth + 1 if outer is not None else 0


class _Reader:
    __slots__ = ("_callbacks", "_cut", "_data", "_extents", "_held", "_nodes", "_outline", "_scope")

    def __init__(self, data: bytes, nodes: Buckets, outline: Outline) -> None:
        self._data = data
        self._nodes = nodes
        self._outline = outline
        self._extents: list[Extent] = []
        self._scope = _Scope(len(data) + 1, -1, None, is_type=False, local=False)
        self._cut = False
        self._held: set[int] = set()
        """Where functions and classes begin that are bound to a name."""
        calls = {**outline.calls, **outline.constructions}
        self._callbacks = callbacks(data, nodes, outline.functions, calls)

    def read(self) -> tuple[tuple[Extent, ...], bool]:
        outline = self._outline
        kinds = dict.fromkeys([*outline.function_values, *outline.variables, *outline.bodies])
        kinds |= dict.fromkeys([*outline.owners, *outline.members, *outline.accessors, *outline.parameters])
        kinds |= dict.fromkeys(outline.definitions)
        found = [
            (node.start_byte, -node.end_byte, step, number, kind, node)
            for step, kind in enumerate(kinds)
            for number, node in enumerate(self._nodes.nodes(kind))
        ]
        found.sort(key=itemgetter(0, 1, 2, 3))
        for start, _, _, _, kind, node in found:
            while self._scope.end <= start and self._scope.outer is not None:
                self._scope = self._scope.outer
            self._read_node(kind, node)
        return tuple(self._extents), self._cut

    def _read_node(self, kind: str, node: Node) -> None:
        outline = self._outline
        if kind in outline.functions or kind in outline.classes:
            self._read_expression(kind, node)
        elif kind in outline.definitions:
            self._read_definition(kind, node)
        elif kind in outline.variables or kind in outline.function_values:
            self._read_value(kind, node)
        elif kind in outline.parameters:
            self._read_parameter(kind, node)
        elif kind in outline.accessors:
            self._read_accessor(kind, node)
        elif kind in outline.members:
            for child in node.named_children:
                if child.type in outline.names:
                    self._add(child, [child], outline.members[kind], self._scope.owner)
        elif kind in outline.owners:
            owner = self._owner_name(node.child_by_field_name(outline.owners[kind]))
            self._enter(node, self._scope.index, is_type=True, local=False)
            self._scope.owner = owner
        else:
            self._enter(node, self._scope.index, is_type=False, local=True)

    def _read_expression(self, kind: str, node: Node) -> None:
        """Read a function or class that stands where a value does: it may be bound, passed or have a name."""
        outline = self._outline
        is_type = kind in outline.classes
        index, around = self._scope.index, self._scope.around
        if node.start_byte in self._held:
            pass
        elif self._read_callback(node):
            around = len(self._extents) - 1
        elif kind in outline.definitions:
            names = self._bound_in_fields(node)
            if self._add(node, names, outline.definitions[kind], self._scope.owner):
                index = around = len(self._extents) - 1
        self._enter(node, index, is_type=is_type, local=not is_type)
        self._scope.around = around

    def _read_callback(self, node: Node) -> bool:
        """Add a nameless function that is named after the call it is passed to."""
        found = self._callbacks.get(node.start_byte)
        if found is None or self._scope.depth > MAX_OWNERS:
            self._cut = self._cut or found is not None
            return False
        name, name_start, name_end = found
        start, end, parent = node.start_byte, node.end_byte, self._scope.around
        self._extents.append(Extent(start, end, name_start, name_end, CALLBACK, name, parent))
        return True

    def _read_definition(self, kind: str, node: Node) -> None:
        outline = self._outline
        names = self._names(node)
        word = outline.definitions[kind]
        if any(key[0] == kind for key in outline.variants):
            inside = {child.type for child in node.children}
            word = next((w for (k, key), w in outline.variants.items() if k == kind and key in inside), word)
        if word == "function" and self._scope.is_type:
            word = "method"
        if (
            word == "method"
            and names
            and self._data[names[0].start_byte : names[0].end_byte] == b"constructor"
        ):
            word = "constructor"
        if word == "property":
            held = self._held_value(node)
            word = word if held is None else self._word_of(held)
        owner = self._scope.owner
        if kind in outline.owners:
            owner = self._owner_name(node.child_by_field_name(outline.owners[kind]))
        if self._add(node, names, word, owner):
            self._enter(node, len(self._extents) - 1, is_type=word in _TYPES, local=word in _CALLABLE)
        elif word in _TYPES:
            self._enter(node, self._scope.index, is_type=True, local=False)

    def _read_value(self, kind: str, node: Node) -> None:
        outline = self._outline
        held = self._held_value(node)
        if held is not None:
            word, names = self._word_of(held), self._names(node)[:1]
        elif kind in outline.function_values or self._scope.local:
            return
        else:
            word, names = outline.variables[kind], self._names(node)
        if names and outline.accessors:
            self._scope.property = names[0]
        if self._add(node, names, word, self._scope.owner):
            index = len(self._extents) - 1
            self._enter(node, index, is_type=word in _TYPES, local=word in _CALLABLE)

    def _read_parameter(self, kind: str, node: Node) -> None:
        """Add a parameter that is a member too: of a class's own list, or of its constructor's."""
        needed = self._outline.where.get(kind)
        if needed is not None and not has_child(node, needed):
            return
        scope: _Scope | None = self._scope
        if scope is not None and not scope.is_type and needed is not None:
            scope = scope.outer
        if scope is not None and scope.is_type and scope.index >= 0:
            self._add(node, self._names(node), self._outline.parameters[kind], "", scope.index)

    def _read_accessor(self, kind: str, node: Node) -> None:
        """Add what reads or writes a property, named like it: the name stands before."""
        name = self._scope.property
        if name is None and self._scope.outer is not None:
            name = self._scope.outer.property
        if name is not None and self._add(node, [name], kind, self._scope.owner):
            self._enter(node, len(self._extents) - 1, is_type=False, local=True)
        else:
            self._enter(node, self._scope.index, is_type=False, local=True)

    def _held_value(self, node: Node) -> Node | None:
        """Return the function or class that a node binds to a name, if any, and note where it begins."""
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        if value is None and node.type in self._outline.values_last and node.named_child_count:
            value = node.named_children[-1]
        while value is not None and value.type in _SINGLE and value.named_child_count == 1:
            value = value.named_children[0]
        if value is None or (
            value.type not in self._outline.functions and value.type not in self._outline.classes
        ):
            return None
        self._held.add(value.start_byte)
        return value

    def _word_of(self, held: Node) -> str:
        if held.type in self._outline.classes:
            return "class"
        return "method" if self._scope.is_type else "function"

    def _names(self, node: Node) -> list[Node]:
        """Return the tokens that a definition binds: its name, its names, or those in its pattern."""
        word = self._outline.named_by.get(node.type)
        if word is not None:
            return [child for child in node.children if child.type == word][:1]
        found = self._bound_in_fields(node)
        if found:
            return found
        for child in node.named_children:
            found = list(self._bound(child))
            if found:
                return found
        return []

    def _bound_in_fields(self, node: Node) -> list[Node]:
        for field in _NAME_FIELDS:
            found = node.children_by_field_name(field)
            if found:
                return [name for target in found for name in self._bound(target)]
        return []

    def _bound(self, target: Node) -> Iterator[Node]:
        """Give the names that a target binds: itself, those in its pattern, or the last of a dotted one."""
        outline = self._outline
        pending = [target]
        while pending:
            node = pending.pop()
            if node.type in outline.names:
                yield node
            elif node.type in outline.targets or node.type.endswith("_pattern"):
                pending += reversed(parts_of(node))
            elif node.type in outline.dotted and node is target:
                last = node
                while last.named_child_count:
                    last = last.named_children[-1]
                if last.type in outline.names:
                    yield last

    def _owner_name(self, node: Node | None) -> str:
        """Return the name of the type that an ``impl`` or a receiver is about, without its arguments."""
        while node is not None and node.type not in self._outline.names:
            inner = node.child_by_field_name("type") or node.child_by_field_name("name")
            node = inner or next(iter(node.named_children), None)
        return self._text(node) if node is not None else ""

    def _add(self, node: Node, names: list[Node], kind: str, owner: str, parent: int | None = None) -> bool:
        names = [name for name in names if name.start_byte < name.end_byte]  # error recovery makes some up
        if self._scope.depth > MAX_OWNERS:
            self._cut = self._cut or bool(names)
            return False
        start, end = node.start_byte, node.end_byte
        parent = self._scope.index if parent is None else parent
        for name in names:
            text = self._text(name)
            self._extents.append(
                Extent(start, end, name.start_byte, name.end_byte, kind, text, parent, owner)
            )
        return bool(names)

    def _enter(self, node: Node, index: int, *, is_type: bool, local: bool) -> None:
        local = local or (self._scope.local and not is_type)
        self._scope = _Scope(node.end_byte, index, self._scope, is_type=is_type, local=local)

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")
