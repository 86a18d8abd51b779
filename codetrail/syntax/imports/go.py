"""Imports of Go: packages, under their last part unless named otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports.binding import ImportBinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KINDS = ("import_spec",)


def read(data: bytes, node: Node) -> Iterator[ImportBinding]:
    """Yield the name under which one package is known here; ``_`` binds none."""
    path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    if path is None:
        return
    module = data[path.start_byte : path.end_byte].decode("utf-8", "replace").strip('"`')
    local = module.rpartition("/")[2]
    if name is not None:
        local = data[name.start_byte : name.end_byte].decode("utf-8", "replace")
    if local == ".":
        yield ImportBinding("", module, "*", node.start_byte)
    elif local != "_":
        yield ImportBinding(local, module, None, node.start_byte)
