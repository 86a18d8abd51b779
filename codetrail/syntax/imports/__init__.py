"""What the imports of a file bind, as facts, for each language that has a grammar.

Each module reads the nodes of one language; here they are chosen. What a module's text leads to is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports import go, jvm, python, rust, script
from codetrail.syntax.imports.binding import ImportBinding
from codetrail.syntax.walk import collect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Language, Node, Tree

    Read = Callable[[bytes, Node], Iterator[ImportBinding]]

_READERS: dict[str, tuple[tuple[str, ...], Read]] = {
    "go": (go.KINDS, go.read),
    "java": (jvm.KINDS, jvm.read),
    "javascript": (script.KINDS, script.read),
    "kotlin": (jvm.KINDS, jvm.read),
    "python": (python.KINDS, python.read),
    "rust": (rust.KINDS, rust.read),
    "typescript": (script.KINDS, script.read),
}


def imports_of(data: bytes, tree: Tree, grammar: Language, language: str) -> tuple[ImportBinding, ...]:
    """Return what all imports of a file bind, in the order of the text within each kind of import."""
    if language not in _READERS:
        return ()
    kinds, read = _READERS[language]
    nodes = collect(tree, grammar, tree.root_node.type, kinds, ())
    return tuple(one for kind in kinds for node in nodes.nodes(kind) for one in read(data, node))


def exports_of(data: bytes, tree: Tree, grammar: Language, language: str) -> dict[str, script.Given]:
    """Return what a module of JavaScript or TypeScript gives, by name; of other languages nothing."""
    if language not in ("javascript", "typescript"):
        return {}
    nodes = collect(tree, grammar, tree.root_node.type, script.EXPORT_KINDS, ())
    found = [node for kind in script.EXPORT_KINDS for node in nodes.nodes(kind)]
    return script.exports(data, found)
