"""Definitions, calls and imports of a file in any language but Python, read with the tables of ``languages``.

Parser facts for files that no compiler covers: names, kinds and owners as far as syntax tells. Variables
inside functions are no definitions. It must not know any one language.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from codetrail.model.facts import USES
from codetrail.syntax.callbacks import CALLBACK, callbacks
from codetrail.syntax.file_syntax import MAX_OWNERS, Extent
from codetrail.syntax.spans import start_of_ending, starts_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from codetrail.syntax.languages import Outline
    from codetrail.syntax.walk import Buckets

IMPORT, DECORATOR, CONSTRUCT, CALL, WRITE, TYPE = map(
    USES.index, ("import", "decorator", "construct", "call", "write", "type")
)

_CALLABLE = frozenset({"constructor", "function", "getter", "macro", "method", "setter"})
_TYPES = frozenset({"class", "enum", "interface", "object", "struct", "trait", "union"})
_DOTTED = ("member_expression", "nested_identifier", "nested_type_identifier")
_NAME_FIELDS = ("name", "property", "key", "left", "pattern")


def phrases(outline: Outline) -> list[str]:
    """Return the kinds of nodes that this module reads."""
    return sorted(
        {
            *outline.definitions,
            *outline.variables,
            *outline.bodies,
            *outline.function_values,
            *outline.members,
            *outline.owners,
            *outline.calls,
            *outline.constructions,
            *outline.imports,
            *outline.types,
            *outline.bases,
            *outline.decorators,
            *outline.elements,
            *outline.writes,
        }
    )


def outline_tokens(nodes: Buckets, outline: Outline) -> list[tuple[int, int]]:
    """Return the spans (bytes, ascending) of the tokens that name something."""
    spans = [span for kind in outline.names for span in nodes.leaves[kind] if span[0] < span[1]]
    return sorted(spans)


def outline_uses(
    data: bytes, nodes: Buckets, tokens: list[tuple[int, int]], outline: Outline
) -> dict[int, int]:
    """Map first bytes of tokens to indexes in USES, as far as the outline tells; what decides comes last."""
    starts = [start for start, _ in tokens]
    uses = dict.fromkeys(_types(nodes, tokens, starts, outline), TYPE)
    uses.update(dict.fromkeys(_writes(nodes, tokens, starts, outline), WRITE))
    for table, use in ((outline.calls, CALL), (outline.constructions, CONSTRUCT)):
        for kind, place in table.items():
            for node, first in nodes.phrases[kind]:
                callee = first if place is None else node.child_by_field_name(place)
                if callee is not None and callee.type in outline.wrappers:
                    callee = _within(callee, outline)
                if callee is not None and callee.type in outline.constructors:
                    uses[callee.start_byte] = use
                elif callee is not None:
                    start = start_of_ending(callee.end_byte, tokens, starts)
                    if start is not None and start >= callee.start_byte:
                        uses[start] = use
    for kind, place in outline.elements.items():
        for node in nodes.nodes(kind):
            name = node.child_by_field_name(place)
            start = _name_of(name, tokens, starts) if name is not None else None
            if name is not None and start is not None:
                small = not name.child_count and data[start : start + 1].islower()
                if not small:
                    uses[start] = CALL
    for kind in outline.decorators:
        for decorator in nodes.nodes(kind):
            for inner in decorator.named_children[:1]:
                called = inner.type in outline.calls and inner.named_child_count
                start = _name_of(inner.named_children[0] if called else inner, tokens, starts)
                if start is not None:
                    uses[start] = DECORATOR
    for kind in outline.imports:
        spans = [node.byte_range for node in nodes.nodes(kind)]
        uses.update(dict.fromkeys(starts_within(spans, starts), IMPORT))
    return uses


def _within(callee: Node, outline: Outline) -> Node | None:
    """Return what is called, out of all that may stand around it; None where that has no name."""
    node = callee
    misread: tuple[str, ...] = ()
    while node.type in outline.wrappers or node.type in misread:
        parts = [part for part in node.named_children if part.type != "comment"]
        if not parts:
            return None
        if node.type in misread:
            node = parts[-1]
        else:
            misread = outline.misread.get(node.type, ())
            node = parts[outline.wrappers[node.type]]
    return node if not node.child_count or node.type in _DOTTED else None


def _types(
    nodes: Buckets, tokens: list[tuple[int, int]], starts: list[int], outline: Outline
) -> Iterator[int]:
    for kind in outline.types:
        yield from starts_within([node.byte_range for node in nodes.nodes(kind)], starts)
    for kind in outline.type_names:
        yield from (start for start, _ in nodes.leaves[kind])
    for kind in outline.bases:
        for node in nodes.nodes(kind):
            for base in node.named_children[:1]:
                start = _name_of(base, tokens, starts)
                if start is not None:
                    yield start


def _writes(
    nodes: Buckets, tokens: list[tuple[int, int]], starts: list[int], outline: Outline
) -> Iterator[int]:
    for kind, place in outline.writes.items():
        for node, first in nodes.phrases[kind]:
            target = first if place is None else node.child_by_field_name(place)
            pending = [target] if target is not None else []
            while pending:
                inner = pending.pop()
                if inner.type not in outline.targets:
                    start = _name_of(inner, tokens, starts)
                    if start is not None:
                        yield start
                else:
                    pending += _parts_of(inner)


def _parts_of(pattern: Node) -> list[Node]:
    """Return where a pattern binds: in the value of a pair, and in what stands before a default."""
    if pattern.type == "pair_pattern":
        return pattern.children_by_field_name("value")
    if pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        return pattern.children_by_field_name("left")
    return pattern.named_children


def _name_of(node: Node, tokens: list[tuple[int, int]], starts: list[int]) -> int | None:
    """Return the first byte of the token that a plain or dotted name ends in, None for other nodes."""
    if node.child_count and node.type not in _DOTTED:
        return None
    start = start_of_ending(node.end_byte, tokens, starts)
    return start if start is not None and start >= node.start_byte else None


def outline_extents(data: bytes, nodes: Buckets, outline: Outline) -> tuple[tuple[Extent, ...], bool]:
    """Return the extents of a file, ascending by start, the wider first; and whether any was left out."""
    return _Reader(data, nodes, outline).read()


class _Scope:
    """Something around the place being read: an extent, an owner, or a body that makes variables local.

    ``index`` is that of the extent that owns what is defined here, ``around`` that of the innermost extent:
    a callback owns nothing but callbacks.
    """

    __slots__ = ("around", "depth", "end", "index", "is_type", "local", "outer", "owner")

    def __init__(self, end: int, index: int, outer: _Scope | None, *, is_type: bool, local: bool) -> None:
        self.end = end
        self.index = index
        self.around = index
        self.outer = outer
        self.is_type = is_type
        self.local = local
        self.owner = ""
        self.depth: int = outer.depth + 1 if outer is not None else 0


class _Reader:
    __slots__ = ("_callbacks", "_cut", "_data", "_extents", "_nodes", "_outline", "_scope")

    def __init__(self, data: bytes, nodes: Buckets, outline: Outline) -> None:
        self._data = data
        self._nodes = nodes
        self._outline = outline
        self._extents: list[Extent] = []
        self._scope = _Scope(len(data) + 1, -1, None, is_type=False, local=False)
        calls = {**outline.calls, **outline.constructions}
        self._callbacks = callbacks(data, nodes, outline.functions, calls)
        self._cut = False

    def read(self) -> tuple[tuple[Extent, ...], bool]:
        outline = self._outline
        kinds = {**dict.fromkeys(outline.bodies), **dict.fromkeys(outline.owners)}
        kinds |= dict.fromkeys([*outline.members, *outline.function_values, *outline.variables])
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
        if kind in outline.definitions:
            self._read_definition(kind, node)
        elif kind in outline.variables or kind in outline.function_values:
            self._read_value(kind, node)
        elif kind in outline.members:
            for child in node.named_children:
                if child.type in outline.names:
                    self._add(child, [child], outline.members[kind], self._scope.owner)
        elif kind in outline.owners:
            owner = self._owner_name(node.child_by_field_name(outline.owners[kind]))
            self._enter(node, self._scope.index, is_type=True, local=False)
            self._scope.owner = owner
        else:
            around = self._scope.around
            named = kind in outline.functions and self._read_callback(node)
            self._enter(node, self._scope.index, is_type=False, local=True)
            self._scope.around = len(self._extents) - 1 if named else around

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
        if word == "property" and self._holds_function(node):
            word = "method"
        owner = self._scope.owner
        if kind in outline.owners:
            owner = self._owner_name(node.child_by_field_name(outline.owners[kind]))
        if self._add(node, names, word, owner):
            index = len(self._extents) - 1
            self._enter(node, index, is_type=word in _TYPES, local=word in _CALLABLE)

    def _read_value(self, kind: str, node: Node) -> None:
        outline = self._outline
        if self._holds_function(node):
            word = "method" if self._scope.is_type else "function"
            names = self._names(node)[:1]
        elif kind in outline.function_values or self._scope.local:
            return
        else:
            word, names = outline.variables[kind], self._names(node)
        if self._add(node, names, word, self._scope.owner):
            index = len(self._extents) - 1
            self._enter(node, index, is_type=False, local=word in _CALLABLE)

    def _holds_function(self, node: Node) -> bool:
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return value is not None and value.type in self._outline.functions

    def _names(self, node: Node) -> list[Node]:
        """Return the tokens that a definition binds: its name, its names, or those in its pattern."""
        for field in _NAME_FIELDS:
            found = node.children_by_field_name(field)
            if found:
                return [name for target in found for name in self._bound(target)]
        return [child for child in node.named_children if child.type in self._outline.names][:1]

    def _bound(self, target: Node) -> Iterator[Node]:
        names = self._outline.names
        if target.type in names:
            yield target
        elif target.type in ("member_expression", "nested_identifier"):
            name = target.child_by_field_name("property")
            if name is not None:
                yield name
        elif target.type.endswith("_pattern"):
            pending = [target]
            while pending:
                node = pending.pop()
                if node.type in names:
                    yield node
                else:
                    pending += reversed(_parts_of(node))

    def _owner_name(self, node: Node | None) -> str:
        """Return the name of the type that an ``impl`` or a receiver is about, without its arguments."""
        while node is not None and node.type not in self._outline.names:
            inner = node.child_by_field_name("type") or node.child_by_field_name("name")
            node = inner or next(iter(node.named_children), None)
        return self._text(node) if node is not None else ""

    def _add(self, node: Node, names: list[Node], kind: str, owner: str) -> bool:
        names = [name for name in names if name.start_byte < name.end_byte]  # error recovery makes some up
        if self._scope.depth > MAX_OWNERS:
            self._cut = self._cut or bool(names)
            return False
        start, end, parent = node.start_byte, node.end_byte, self._scope.index
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
