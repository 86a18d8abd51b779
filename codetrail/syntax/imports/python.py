"""Imports of Python: ``import a.b``, ``import a.b as c``, ``from .a import b as c``, ``from a import *``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports.binding import ImportBinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KINDS = ("import_statement", "import_from_statement")


def read(data: bytes, node: Node) -> Iterator[ImportBinding]:
    """Yield what one statement binds."""
    at = node.start_byte
    module = node.child_by_field_name("module_name")
    if module is None and node.type == "import_from_statement":
        return
    source = _dotted(data, module) if module is not None else ""
    if any(child.type == "wildcard_import" for child in node.named_children):
        yield ImportBinding("", source, "*", at)
    for name in node.children_by_field_name("name"):
        alias = name.child_by_field_name("alias")
        dotted = name.child_by_field_name("name") if alias is not None else name
        if dotted is None:
            continue
        text = _dotted(data, dotted)
        local = text if alias is None else _dotted(data, alias)
        if module is not None:
            yield ImportBinding(local, source, text, at)
        else:
            first = local.partition(".")[0]
            yield ImportBinding(first, text, None, at, is_dotted=alias is None and "." in text)


def _dotted(data: bytes, node: Node) -> str:
    return "".join(data[node.start_byte : node.end_byte].decode("utf-8", "replace").split())
