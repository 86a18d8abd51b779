"""Imports of Java and Kotlin: a class, a member, all of a package (which binds nothing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports.binding import ImportBinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KINDS = ("import_declaration", "import_header")
_STARS = frozenset({"asterisk", "wildcard_import"})
_DOTTED = frozenset({"identifier", "scoped_identifier"})


def read(data: bytes, node: Node) -> Iterator[ImportBinding]:
    """Yield what one import binds; ``import static a.C.m`` is the member ``m`` of ``a.C``."""
    at = node.start_byte
    dotted = next((child for child in node.named_children if child.type in _DOTTED), None)
    if dotted is None:
        return
    text = "".join(_text(data, dotted).replace("`", "").split())
    if any(child.type in _STARS for child in node.named_children):
        yield ImportBinding("", text, "*", at)
        return
    module, _, last = text.rpartition(".")
    if any(child.type == "static" for child in node.children):
        yield ImportBinding(last, module, last, at)
        return
    alias = next((child for child in node.named_children if child.type == "import_alias"), None)
    named = alias.named_children if alias is not None else []
    yield ImportBinding(_text(data, named[-1]) if named else last, text, None, at)


def _text(data: bytes, node: Node) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")
