"""Which identifier tokens of a tree name something a compiler could bind.

It must not know what a token does at its place.
"""

from __future__ import annotations

import keyword
from bisect import insort
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codetrail.syntax.walk import Buckets

KINDS = ("future_import_statement",)
"""The kinds of nodes that this module reads."""

_PYTHON_KEYWORDS = frozenset(word.encode() for word in keyword.kwlist)


def python_tokens(data: bytes, nodes: Buckets, *, errors: bool) -> list[tuple[int, int]]:
    """Return the spans (bytes, ascending) of the tokens that name something.

    ``errors``: the tree has errors, so tokens that the parser made up (no bytes), keywords that recovery
    took for names and runs that are no identifier are looked for and left out.
    """
    spans = nodes.tokens
    if errors:
        spans = [(start, end) for start, end in spans if _names_something(data[start:end])]
    for statement in nodes["future_import_statement"]:
        for child in statement.children:
            if child.type == "__future__":  # a module's name, though a keyword of the grammar
                insort(spans, child.byte_range)
    return spans


def _names_something(text: bytes) -> bool:
    return text not in _PYTHON_KEYWORDS and text.decode("utf-8", "replace").isidentifier()
