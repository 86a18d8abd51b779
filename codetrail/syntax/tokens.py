"""Which identifier tokens of a Python tree name something a compiler could bind.

The grammar still reads Python 2, and takes some ordinary names for its keywords; they are put back here. It
must not know what a token does at its place.
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from codetrail.syntax.walk import Buckets

KINDS = ("exec_statement", "future_import_statement", "print_statement", "type_alias_statement")
"""The kinds of nodes that this module reads."""

_KEYWORDS = frozenset(word.encode() for word in keyword.kwlist)


def python_tokens(data: bytes, nodes: Buckets, *, errors: bool) -> list[tuple[int, int]]:
    """Return the spans (bytes, ascending) of the tokens that name something.

    ``errors``: the tree has errors, so tokens that the parser made up (no bytes), keywords that recovery
    took for names and runs that are no identifier are looked for and left out.
    """
    spans = nodes.leaves["identifier"]
    if errors or not data.isascii():
        judged = _Judged()
        spans = [(start, end) for start, end in spans if judged[data[start:end]]]
    taken = list(_taken_for_keywords(nodes))
    return sorted(spans + taken) if taken else spans


def is_misread_call(alias: Node) -> bool:
    """Tell ``type(x).y = z``, which the grammar takes for a type statement, from a real one."""
    left = alias.child_by_field_name("left")
    named = left.named_children if left is not None else []
    return bool(named) and named[0].type not in ("identifier", "generic_type")


def _taken_for_keywords(nodes: Buckets) -> Iterator[tuple[int, int]]:
    for kind, word in (("print_statement", "print"), ("exec_statement", "exec")):
        for statement in nodes.nodes(kind):
            yield statement.start_byte, statement.start_byte + len(word)
    for alias in nodes.nodes("type_alias_statement"):
        if is_misread_call(alias):
            yield alias.start_byte, alias.start_byte + len("type")
    for statement in nodes.nodes("future_import_statement"):
        for child in statement.children:
            if child.type == "__future__":
                yield child.byte_range


class _Judged(dict[bytes, bool]):
    """Whether a text names something, judged once for all the tokens that are written like it."""

    def __missing__(self, text: bytes) -> bool:
        judged = self[text] = text not in _KEYWORDS and text.decode("utf-8", "replace").isidentifier()
        return judged
