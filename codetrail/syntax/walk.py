"""One walk over a syntax tree that sorts the nodes of chosen kinds into lists, in the order of the text.

A tree cursor visits each node once, whatever the depth, and without recursion. Measured on a third of the
standard library: the walk costs 0.4 of the parse; a query with the same captures costs 0.5, gives them in no
order, and on deep trees needs time in proportion to depth and size. Asking a node for a child costs as much
as eight visits, so each node comes with its first child. This module must not know what the kinds mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Language, Node, Tree

_PLAIN_STRING = 4
"""A string with nothing in it to visit is itself, its quotes and its content."""


class Buckets:
    """What a walk found, each list in the order of the text.

    ``phrases`` are nodes by kind, each with its first child (itself, if it has none). ``leaves`` are spans
    of tokens by kind, in bytes.
    """

    __slots__ = ("leaves", "phrases")

    def __init__(self, phrases: Iterable[str], leaves: Iterable[str]) -> None:
        self.phrases: dict[str, list[tuple[Node, Node]]] = {kind: [] for kind in phrases}
        self.leaves: dict[str, list[tuple[int, int]]] = {kind: [] for kind in leaves}

    def nodes(self, kind: str) -> list[Node]:
        """Return the nodes of a kind without their first children."""
        return [node for node, _ in self.phrases[kind]]


def collect(
    tree: Tree, language: Language, root: str, phrases: Iterable[str], leaves: Iterable[str]
) -> Buckets:
    """Sort the named nodes of the given kinds; ``root`` is the kind of a whole file.

    Grammars number the kinds of tokens below that of the root, which comes first of the others (the order
    in which tree-sitter writes a parser's tables); so most nodes need one comparison.
    """
    found = Buckets(phrases, leaves)
    wanted = {language.id_for_node_kind(kind, True): nodes for kind, nodes in found.phrases.items()}
    spans = {language.id_for_node_kind(kind, True): ranges for kind, ranges in found.leaves.items()}
    first_phrase = language.id_for_node_kind(root, True) or 0
    string = language.id_for_node_kind("string", True)
    cursor = tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node: Node = cursor.node  # type: ignore[assignment]  # a cursor inside a tree always has one
        kind = node.kind_id
        if kind < first_phrase:
            if kind in spans:
                spans[kind].append(node.byte_range)
        elif kind in wanted:
            below = down()
            wanted[kind].append((node, cursor.node))  # type: ignore[arg-type]
            if below:
                continue
        elif kind in spans:  # a token under another name, which gets a number of its own
            spans[kind].append(node.byte_range)
        elif (kind != string or node.descendant_count > _PLAIN_STRING) and down():
            continue
        while not right():
            if not up():
                return found
