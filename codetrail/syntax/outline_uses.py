"""What each identifier token of a file in any language but Python does at its place, read with an outline.

The words and their precedence are contract §5's; whether a called name is a type, and its call so a
construction, is not known here. A use that cannot be told has none: it is a value. It must not know any one
language, nor definitions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codetrail.model.facts import USES
from codetrail.syntax.spans import start_of_ending, starts_within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from codetrail.syntax.outline import Outline, Place
    from codetrail.syntax.walk import Buckets

IMPORT, DECORATOR, CONSTRUCT, CALL, WRITE, TYPE = map(
    USES.index, ("import", "decorator", "construct", "call", "write", "type")
)

_NO_PARTS = frozenset(
    {"block_comment", "comment", "line_comment", "modifiers", "multiline_comment", "type_arguments"}
)
_SURELY_TYPES = re.compile(
    rb"(\[|\*|map\[|chan |func\(|struct\b|interface\b)|"
    rb"(any|bool|byte|comparable|complex(64|128)|error|float(32|64)|rune|string|u?int(8|16|32|64)?|uintptr)$"
)
_FUNCTION_WORD = re.compile(rb"(?:#!?\[|\bfn\s+)$")
_WORD = re.compile(rb"[A-Za-z_]\w*")


def outline_uses(
    data: bytes, nodes: Buckets, tokens: list[tuple[int, int]], outline: Outline
) -> tuple[dict[int, int], tuple[int, ...]]:
    """Map first bytes of tokens, and of keywords that are called, to indexes in USES.

    Return with it the last bytes of what is called through no name (``FileSyntax.nameless_calls``).
    """
    reader = _Reader(data, nodes, tokens, outline)
    return reader.read(), tuple(sorted(reader.nameless))


class _Reader:
    __slots__ = ("_data", "_nodes", "_outline", "_starts", "_tokens", "nameless")

    def __init__(self, data: bytes, nodes: Buckets, tokens: list[tuple[int, int]], outline: Outline) -> None:
        self._data = data
        self._nodes = nodes
        self._outline = outline
        self._tokens = tokens
        self._starts = [start for start, _ in tokens]
        self.nameless: list[int] = []

    def read(self) -> dict[int, int]:
        outline = self._outline
        uses = dict.fromkeys(self._types(), TYPE)
        for kind in outline.conversions:
            for node in self._nodes.nodes(kind):
                self._read_conversion(node, uses)
        uses.update(dict.fromkeys(self._writes(), WRITE))
        uses.update(dict.fromkeys(self._called(outline.calls), CALL))
        uses.update(dict.fromkeys(self._called_elements(), CALL))
        uses.update(dict.fromkeys(self._called_in_tokens(), CALL))
        uses.update(dict.fromkeys(self._called(outline.constructions), CONSTRUCT))
        uses.update(dict.fromkeys(self._decorating(), DECORATOR))
        for kind in outline.imports:
            spans = [node.byte_range for node, _ in self._pairs(kind)]
            uses.update(dict.fromkeys(starts_within(spans, self._starts), IMPORT))
        return uses

    def _pairs(self, kind: str) -> Iterable[tuple[Node, Node]]:
        pairs = self._nodes.phrases[kind]
        needed = self._outline.where.get(kind)
        if needed is None:
            return pairs
        return [pair for pair in pairs if has_child(pair[0], needed)]

    def _placed(self, table: Mapping[str, Place]) -> Iterator[Node]:
        """Give the nodes at the places that a table tells."""
        for kind, place in table.items():
            if place is None:
                yield from (first for _, first in self._pairs(kind))
            else:
                for node, _ in self._pairs(kind):
                    found = node_at(node, place)
                    if found is not None:
                        yield found

    def _types(self) -> Iterator[int]:
        outline = self._outline
        for kind in outline.types:
            yield from starts_within([node.byte_range for node in self._nodes.nodes(kind)], self._starts)
        for kind in outline.type_names:
            yield from (start for start, _ in self._nodes.leaves[kind])
        for kind in outline.bases:
            for node in self._nodes.nodes(kind):
                for base in node.named_children[:1]:
                    start = self._name_of(base)
                    if start is not None:
                        yield start

    def _writes(self) -> Iterator[int]:
        for target in self._placed(self._outline.writes):
            pending = [target]
            while pending:
                inner = pending.pop()
                if inner.type in self._outline.targets:
                    pending += parts_of(inner)
                else:
                    start = self._name_of(inner)
                    if start is not None:
                        yield start

    def _called(self, table: Mapping[str, Place]) -> Iterator[int]:
        tokens, starts = self._tokens, self._starts
        for callee in self._placed(table):
            start = start_of_ending(callee.end_byte, tokens, starts)
            if start is None or start < callee.start_byte:
                start = self._name_within(callee)
            if start is not None:
                yield start
            elif self._outline.nameless and not self._is_part_of_around(callee):
                # The place must be outside of a function that has a name and is called where it is written.
                is_function = callee.child_by_field_name("body") is not None
                self.nameless.append(callee.end_byte - (not is_function))

    def _is_part_of_around(self, callee: Node) -> bool:
        """Tell whether what is called is a nameless function or class that stands in the call, or a keyword.

        The calls in it are made by what is around; one that has a name makes them itself.
        """
        outline = self._outline
        while callee.type in outline.wrappers and callee.named_children:
            callee = callee.named_children[outline.wrappers[callee.type]]
        if callee.type in outline.functions or callee.type in outline.classes:
            return callee.child_by_field_name("name") is None
        return not callee.named_child_count

    def _called_elements(self) -> Iterator[int]:
        for name in self._placed(self._outline.elements):
            start = self._name_of(name)
            if start is not None and (name.child_count or not self._data[start : start + 1].islower()):
                yield start

    def _called_in_tokens(self) -> Iterator[int]:
        """Give the tokens in macro arguments that are called: what is in them is text to the grammar.

        A name in front of a bracket is a call wherever it means a function; one in upper case may as well be
        a pattern, and one after ``fn`` is being defined.
        """
        data = self._data
        spans = [
            arguments.byte_range
            for kind in self._outline.invocations
            for node in self._nodes.nodes(kind)
            for arguments in node.named_children[-1:]
        ]
        spans.sort(key=lambda span: (span[0], -span[1]))
        for start in starts_within(spans, self._starts):
            word = _WORD.match(data, start)
            end = word.end() if word is not None else start
            after = data[end : end + 1]
            if after == b"!":
                if data[end + 1 : end + 2] in (b"(", b"[", b"{"):
                    yield start
            elif (
                after == b"("
                and not data[start : start + 1].isupper()
                and _FUNCTION_WORD.search(data, max(0, start - 8), start) is None
            ):
                yield start

    def _read_conversion(self, node: Node, uses: dict[int, int]) -> None:
        """Tell ``f[int](x)`` from ``handlers[i](x)``: all are conversions to the grammar.

        A list of several types, or one that can be nothing but types, makes it a call (of a function or a
        type); in any other case nothing is known of the names.
        """
        kind = node.child_by_field_name("type")
        arguments = kind.child_by_field_name("type_arguments") if kind is not None else None
        if kind is None or arguments is None:
            return
        given = [one for one in arguments.named_children if one.type not in _NO_PARTS]
        start = self._name_within(kind)
        if start is None:
            return
        if len(given) > 1 or any(
            _SURELY_TYPES.match(self._data, one.start_byte, one.end_byte) for one in given
        ):
            uses[start] = CALL
            return
        for unknown in starts_within([kind.byte_range], self._starts):
            uses.pop(unknown, None)

    def _decorating(self) -> Iterator[int]:
        outline = self._outline
        for kind, most in outline.decorators.items():
            for decorator in self._nodes.nodes(kind):
                parts = decorator.named_children
                for inner in parts[:most]:
                    called = inner.type in outline.calls and inner.child_count
                    start = self._name_within(inner.children[0] if called else inner)
                    if start is not None:
                        yield start
                if outline.derive and len(parts) > 1:
                    yield from self._derived(parts[0], parts[1])

    def _derived(self, name: Node, arguments: Node) -> Iterator[int]:
        """Give the last name of each path in the arguments of a decorator that adds what they name."""
        if self._data[name.start_byte : name.end_byte] != self._outline.derive.encode():
            return
        inner = arguments.children
        for number, node in enumerate(inner[:-1]):
            if node.type in self._outline.names and inner[number + 1].type != "::":
                yield node.start_byte

    def _name_within(self, node: Node) -> int | None:
        """Return the first byte of the name of what is called, out of all that may stand around it."""
        outline = self._outline
        misread: tuple[str, ...] = ()
        while node.type in outline.wrappers or node.type in misread:
            inner = [part for part in node.named_children if part.type not in _NO_PARTS]
            if not inner:
                return None
            if node.type in misread:
                node = inner[-1]
            else:
                misread = outline.misread.get(node.type, ())
                node = inner[outline.wrappers[node.type]]
        if node.type in outline.constructors:
            return node.start_byte
        return self._name_of(node)

    def _name_of(self, node: Node) -> int | None:
        """Return the first byte of the token that a plain or dotted name ends in, None for other nodes.

        A member may be named by a string: then it is the first byte of its text.
        """
        if node.type in self._outline.subscripts:
            return _text_of_string(node.child_by_field_name(self._outline.subscripts[node.type]))
        if node.child_count and node.type not in self._outline.dotted:
            return None
        start = start_of_ending(node.end_byte, self._tokens, self._starts)
        return start if start is not None and start >= node.start_byte else None


def _text_of_string(node: Node | None) -> int | None:
    """Return the first byte of what stands in a string without escapes; None for other nodes."""
    if node is None or node.type != "string" or node.named_child_count != 1:
        return None
    (text,) = node.named_children
    return text.start_byte if text.type == "string_fragment" else None


def has_child(node: Node, kinds: tuple[str, ...]) -> bool:
    """Tell whether a child of a node, named or not, is of one of these kinds."""
    return any(child.type in kinds for child in node.children)


def node_at(node: Node, place: str | int) -> Node | None:
    """Return the child in a field or with a number among the named ones."""
    if isinstance(place, str):
        return node.child_by_field_name(place)
    inner = [child for child in node.named_children if child.type not in _NO_PARTS]
    return inner[place] if place < len(inner) else None


def parts_of(pattern: Node) -> list[Node]:
    """Return where a pattern binds: in the value of a pair, and in what stands before a default or type."""
    if pattern.type == "pair_pattern":
        return pattern.children_by_field_name("value")
    if pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        return pattern.children_by_field_name("left")
    if pattern.type == "variable_declaration":
        return pattern.named_children[:1]
    return pattern.named_children
