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
    """The nodes of a tree by kind, each list in pre-order; and the spans of its identifier tokens."""

    __slots__ = ("_by_name", "tokens")

    def __init__(self, by_name: Mapping[str, list[Node]], tokens: list[tuple[int, int]]) -> None:
        self._by_name = by_name
        self.tokens = tokens

    def __getitem__(self, kind: str) -> list[Node]:
        return self._by_name[kind]


def collect(tree: Tree, language: Language, kinds: Iterable[str], *, token: str) -> Buckets:
    """Sort the named nodes of the given kinds; ``token`` is the kind whose spans (bytes) are wanted."""
    by_name: dict[str, list[Node]] = {kind: [] for kind in kinds}
    by_id = {language.id_for_node_kind(kind, True): nodes for kind, nodes in by_name.items()}
    token_id = language.id_for_node_kind(token, True)
    tokens: list[tuple[int, int]] = []
    cursor = tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    found = Buckets(by_name, tokens)
    while True:
        node: Node = cursor.node  # type: ignore[assignment]  # a cursor inside a tree always has one
        kind = node.kind_id
        if kind == token_id:
            tokens.append(node.byte_range)
        elif kind in by_id:
            by_id[kind].append(node)
        if down():
            continue
        while not right():
            if not up():
                return found
