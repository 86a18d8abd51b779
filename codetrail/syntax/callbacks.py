"""Nameless functions that are passed to a call whose first argument is a string, named after that call.

``it("adds", () => …)``, ``app.get("/x", …)``: contract §5 makes each a node of its own, so that tests, routes
and event handlers can be told apart. Serves every grammar. It must not know what else a file defines.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tree_sitter import Node

    from codetrail.syntax.outline import Place
    from codetrail.syntax.walk import Buckets

CALLBACK = "callback"
"""The kind of such an extent. SCIP has no word for it."""

LONGEST = 80
"""Most code points that a callback's name keeps of the string, and of what is called."""

_STRINGS = frozenset(
    {
        "concatenated_string",
        "interpreted_string_literal",
        "raw_string_literal",
        "string",
        "string_literal",
        "template_string",
    }
)
_AROUND_ARGUMENTS = frozenset(
    {
        "annotated_lambda",
        "argument_list",
        "arguments",
        "as_expression",
        "call_suffix",
        "keyword_argument",
        "parenthesized_expression",
        "reference_expression",
        "satisfies_expression",
        "value_argument",
        "value_arguments",
    }
)
_NO_ARGUMENTS = frozenset({"block_comment", "comment", "line_comment", "multiline_comment", "type_arguments"})
_CURRIED = 5
"""How many calls are looked through for the name of what is called: ``it.each([…])("adds %i", …)``."""

_DOTTED = re.compile(r"([\w$#]+(?:\s*(?:!?\?{0,2}\.|!!\.|::)\s*[\w$#]+)*)[\s!]*(?:(?:::\s*)?<.*)?", re.DOTALL)
_LAST = re.compile(r"[\w$#]+$")
_SPACE = re.compile(r"\s+")
_OPENING = re.compile("[A-Za-z]{0,2}#*(\"\"\"|'''|[\"'`])")


class Callback(NamedTuple):
    """What a nameless function is called, and the span (bytes) of the string that names it."""

    name: str
    name_start: int
    name_end: int


def callbacks(
    data: bytes, nodes: Buckets, functions: Iterable[str], calls: Mapping[str, Place]
) -> dict[int, Callback]:
    """Map the first bytes of nameless functions to what they are called, for those that are callbacks.

    ``functions`` are the kinds of nodes that are functions without a name; ``calls`` those of calls and
    constructions, with the place of what is called; those that are called by what stands between operands,
    as infix calls are, pass nothing here.
    """
    kinds = frozenset(functions)
    starts = sorted(node.start_byte for kind in kinds for node, _ in nodes.phrases[kind])
    found: dict[int, Callback] = {}
    if not starts:
        return found
    for kind, place in calls.items():
        if isinstance(place, int):
            continue
        for call, first in nodes.phrases[kind]:
            inside = bisect_left(starts, call.start_byte)
            if inside == len(starts) or starts[inside] >= call.end_byte:
                continue
            arguments = list(_arguments(call))
            if len(arguments) < 2 or arguments[0].type not in _STRINGS:
                continue
            passed = [node for node in arguments[1:] if node.type in kinds and not _has_name(node)]
            if passed:
                string = arguments[0]
                name = f'{_called(data, call, first, place, calls)}("{_content(data, string)}")'
                callback = Callback(name, *string.byte_range)
                found.update((node.start_byte, callback) for node in passed)
    return found


def _arguments(call: Node) -> Iterator[Node]:
    """Give what a call is passed, in order, out of what stands around arguments."""
    given = call.child_by_field_name("arguments")
    if given is None and call.child_count:
        given = call.children[-1]
    pending = [given] if given is not None else []
    while pending:
        node = pending.pop()
        if node.type in _AROUND_ARGUMENTS:
            pending += reversed(node.named_children)
        elif node.type not in _NO_ARGUMENTS:
            yield node


def _has_name(function: Node) -> bool:
    return function.child_by_field_name("name") is not None


def _called(data: bytes, call: Node, first: Node, place: Place, calls: Mapping[str, Place]) -> str:
    """Return what is called as a dotted name, or the last name of a longer expression; may be empty."""
    callee = first
    for _ in range(_CURRIED):
        if place is not None or callee.type not in calls or not callee.child_count:
            break
        callee = callee.children[0]
    start, end = callee.byte_range
    if isinstance(place, str):
        field = call.child_by_field_name(place)
        if field is None:
            return ""
        start = call.start_byte if place == "name" else field.start_byte
        end = field.end_byte
    if end - start <= 4 * LONGEST:
        dotted = _DOTTED.fullmatch(_text(data, start, end))
        name = _SPACE.sub("", dotted[1]) if dotted else ""
        if 0 < len(name) <= LONGEST:
            return name
    last = _LAST.search(_text(data, max(start, end - LONGEST), end))
    return last[0] if last else ""


def _content(data: bytes, string: Node) -> str:
    """Return the text of a string literal without its quotes, escapes as written, its first line."""
    parts = [string]
    if string.type == "concatenated_string":
        parts = [part for part in string.named_children if part.type == "string"]
    text = "".join(_unquoted(_text(data, part.start_byte, part.end_byte)) for part in parts)
    lines = text.strip().splitlines() or [""]
    shown = lines[0][:LONGEST]
    return shown if len(lines) == 1 and shown == lines[0] else f"{shown.rstrip()}…"


def _unquoted(text: str) -> str:
    opening = _OPENING.match(text)
    if opening is None:
        return text
    ending = opening[1] + "#" * opening[0].count("#")
    return text[opening.end() :].removesuffix(ending)


def _text(data: bytes, start: int, end: int) -> str:
    return data[start:end].decode("utf-8", "replace")
