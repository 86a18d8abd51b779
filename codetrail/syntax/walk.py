"""One walk over a syntax tree that sorts the nodes of chosen kinds into buckets, in the order of the text.

A tree cursor visits each node once, whatever the depth, and without recursion. Measured on a third of the
standard library, a walk costs 0.4 of the parse and its buckets are in order, where a query with the same
captures costs 0.5 and gives them in no order. It must not know what the kinds mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Language, Node, Tree


class Buckets:
    """The nodes of a tree by kind, and the spans (bytes) of its leaves by kind, each in the text's order."""

    __slots__ = ("_phrases", "leaves")

    def __init__(
        self, phrases: Mapping[str, list[Node]], leaves: Mapping[str, list[tuple[int, int]]]
    ) -> None:
        self._phrases = phrases
        self.leaves = leaves

    def __getitem__(self, kind: str) -> list[Node]:
        return self._phrases[kind]


def collect(
    tree: Tree, language: Language, root: str, phrases: Iterable[str], leaves: Iterable[str]
) -> Buckets:
    """Sort the named nodes of the given kinds; ``root`` is the kind of a whole file.

    Grammars number the kinds of tokens below that of the root, which comes first of the others (the order
    in which tree-sitter writes a parser's tables); so most nodes need one comparison.
    """
    found = Buckets({kind: [] for kind in phrases}, {kind: [] for kind in leaves})
    inner = {language.id_for_node_kind(kind, True): found[kind] for kind in phrases}
    spans = {language.id_for_node_kind(kind, True): found.leaves[kind] for kind in leaves}
    first_phrase = language.id_for_node_kind(root, True) or 0
    cursor = tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node: Node = cursor.node  # type: ignore[assignment]  # a cursor inside a tree always has one
        kind = node.kind_id
        if kind < first_phrase:
            if kind in spans:
                spans[kind].append(node.byte_range)
        else:
            if kind in inner:
                inner[kind].append(node)
            if down():
                continue
        while not right():
            if not up():
                return found
