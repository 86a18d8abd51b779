"""How many values calls give and functions take, in languages where one name is several functions by that.

A call that gives another number than a definition takes means one that is defined elsewhere: inherited, or of
the language's own. This module must not know what a name means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.syntax.spans import start_of_ending
from codetrail.syntax.walk import collect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Language, Node, Tree

ANY = 1 << 30
"""No bound on the number of values."""

_JAVA = ("method_invocation", "method_declaration")
_KOTLIN = ("call_expression", "function_declaration")
_COMMENTS = frozenset({"block_comment", "line_comment", "multiline_comment"})
_TAKEN = frozenset({"formal_parameter", "parameter", "spread_parameter"})


class Arities(NamedTuple):
    """Numbers of values, by the first byte of a name: given by a call; at least and at most of a function.

    A name that is not in them gives or takes any number.
    """

    given: dict[int, int]
    taken: dict[int, tuple[int, int]]


def arities(
    data: bytes, tree: Tree, grammar: Language, language: str, tokens: Sequence[tuple[int, int]]
) -> Arities:
    """Read the numbers of a file of Java or Kotlin; of other languages none are needed."""
    found = Arities({}, {})
    if language == "java":
        nodes = collect(tree, grammar, "program", _JAVA, ())
        for node in nodes.nodes("method_invocation"):
            name, values = node.child_by_field_name("name"), node.child_by_field_name("arguments")
            if name is not None and values is not None:
                found.given[name.start_byte] = _count(values)
        for node in nodes.nodes("method_declaration"):
            name, taken = node.child_by_field_name("name"), node.child_by_field_name("parameters")
            if name is not None and taken is not None:
                found.taken[name.start_byte] = _bounds(data, taken)
    elif language == "kotlin":
        nodes = collect(tree, grammar, "source_file", _KOTLIN, ())
        starts = [start for start, _ in tokens]
        for node, first in nodes.phrases["call_expression"]:
            start = start_of_ending(first.end_byte, tokens, starts)
            suffix = node.named_children[-1] if node.named_child_count else None
            if start is not None and suffix is not None and suffix.type == "call_suffix":
                found.given[start] = _count_suffix(suffix)
        for node in nodes.nodes("function_declaration"):
            names = [child for child in node.named_children if child.type == "simple_identifier"]
            lists = [child for child in node.named_children if child.type == "function_value_parameters"]
            if names and lists:
                found.taken[names[0].start_byte] = _bounds(data, lists[0])
    return found


def _count(values: Node) -> int:
    return sum(1 for child in values.named_children if child.type not in _COMMENTS)


def _count_suffix(suffix: Node) -> int:
    """Count the values of a Kotlin call, the function that may stand behind its parentheses among them."""
    return sum(
        _count(child) if child.type == "value_arguments" else child.type == "annotated_lambda"
        for child in suffix.named_children
    )


def _bounds(data: bytes, parameters: Node) -> tuple[int, int]:
    """Return how many values a list of parameters takes: those with a default may be left out."""
    least = most = 0
    for child in parameters.children:
        if child.type in _TAKEN:
            least, most = least + 1, most + 1
        elif child.type == "=":
            least -= 1
        if child.type == "spread_parameter" or (
            child.type == "parameter_modifiers" and b"vararg" in data[child.start_byte : child.end_byte]
        ):
            most = ANY
    if most >= ANY:
        least = 0
    return least, most
