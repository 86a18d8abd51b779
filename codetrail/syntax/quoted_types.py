"""Where a Python file writes types in quotes or comments: a name that a compiler finds there is a type use.

The grammar sees text there, so no token of it is in the tree. It must not know what compilers say of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codetrail.syntax.uses import BASES, name_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from codetrail.syntax.walk import Buckets

_COMMENT = re.compile(rb"#\s*type:(?!\s*ignore\b)")
_ALIAS = b"TypeAlias"
_TAKES_TYPES = {b"cast": (0,), b"NewType": (1,), b"assert_type": (1,), b"TypeVar": range(1, 1000)}
"""Functions of ``typing``, whatever that is called here, and the places of their arguments that are types."""
_KEYWORDS = {b"TypeVar": (b"bound", b"default")}


def quoted_types(data: bytes, nodes: Buckets) -> tuple[tuple[int, int], ...]:
    """Return the spans (bytes, ascending, apart) of strings in type positions and of type comments."""
    spans = list(_commented(data, nodes))
    done = 0
    for node in _type_nodes(data, nodes):
        if node.start_byte >= done:
            done = node.end_byte
            spans.extend(_strings(node))
    spans.sort()
    return tuple(spans)


def _commented(data: bytes, nodes: Buckets) -> Iterator[tuple[int, int]]:
    if b"type:" in data:
        for start, end in nodes.leaves["comment"]:
            if _COMMENT.match(data, start, end):
                yield start, end


def _type_nodes(data: bytes, nodes: Buckets) -> list[Node]:
    """Return the nodes that stand for a type and hold a quote, ascending, the wider first."""
    found = [node for node in nodes.nodes("type") if _has_quote(data, node)]
    for definition in nodes.nodes("class_definition"):
        bases = definition.child_by_field_name("superclasses")
        if bases is not None and _has_quote(data, bases):
            found.extend(base for base in bases.named_children if base.type in BASES)
    if _ALIAS in data:
        found.extend(_aliased(data, nodes))
    ends = {end for word in _TAKES_TYPES for end in _ends_of(word, data)}
    if ends:
        found.extend(_arguments(data, nodes, ends))
    found.sort(key=lambda node: (node.start_byte, -node.end_byte))
    return found


def _ends_of(word: bytes, data: bytes) -> Iterator[int]:
    at = data.find(word)
    while at >= 0:
        yield at + len(word)
        at = data.find(word, at + len(word))


def _has_quote(data: bytes, node: Node) -> bool:
    start, end = node.byte_range
    return data.find(b'"', start, end) >= 0 or data.find(b"'", start, end) >= 0


def _aliased(data: bytes, nodes: Buckets) -> Iterator[Node]:
    """Give the value of each ``name: TypeAlias = "…"``."""
    for node, _ in nodes.phrases["assignment"]:
        kind, value = node.child_by_field_name("type"), node.child_by_field_name("right")
        if kind is not None and value is not None and data[kind.start_byte : kind.end_byte].endswith(_ALIAS):
            yield value


def _arguments(data: bytes, nodes: Buckets, ends: set[int]) -> Iterator[Node]:
    """Give the arguments that are a string and are read as a type; ``ends`` are those of the words."""
    for call, callee in nodes.phrases["call"]:
        if callee.end_byte not in ends:
            continue
        token, arguments = name_token(callee), call.child_by_field_name("arguments")
        name = data[token.start_byte : token.end_byte] if token is not None else b""
        if name not in _TAKES_TYPES or arguments is None:
            continue
        place = 0
        for argument in arguments.named_children:
            if argument.type == "keyword_argument":
                word, value = argument.child_by_field_name("name"), argument.child_by_field_name("value")
                known = word is not None and data[word.start_byte : word.end_byte] in _KEYWORDS.get(name, ())
                if known and value is not None and value.type == "string":
                    yield value
            elif argument.type != "comment":
                if argument.type == "string" and place in _TAKES_TYPES[name]:
                    yield argument
                place += 1


def _strings(node: Node) -> Iterator[tuple[int, int]]:
    """Give the spans of the strings in a type; arguments of a call in it are values."""
    pending = [node]
    while pending:
        inner = pending.pop()
        if inner.type == "string":
            if all(child.type != "interpolation" for child in inner.children):
                yield inner.byte_range
        elif inner.type == "call":
            pending.extend(filter(None, [inner.child_by_field_name("function")]))
        else:
            pending.extend(inner.named_children)
