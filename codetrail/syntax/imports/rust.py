"""Imports of Rust: trees of ``use``, each leaf a member of the path before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports.binding import ImportBinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KINDS = ("use_declaration",)
_PATHS = frozenset({"crate", "identifier", "scoped_identifier", "self", "super"})
_DEEPEST = 50
"""Lists in lists that are read; nobody nests more."""


def read(data: bytes, node: Node) -> Iterator[ImportBinding]:
    """Yield what one ``use`` binds; ``a::{self, f as g}`` are ``a`` and ``f`` of ``a``."""
    at = node.start_byte
    argument = node.child_by_field_name("argument")
    pending = [("", argument, 0)] if argument is not None else []
    while pending:
        prefix, part, depth = pending.pop()
        kind = part.type
        if kind in _PATHS:
            path = _joined(prefix, _path(data, part))
            yield _binding(path, _named(path), at)
        elif kind == "use_as_clause":
            inner, alias = part.child_by_field_name("path"), part.child_by_field_name("alias")
            if inner is not None and alias is not None:
                yield _binding(_joined(prefix, _path(data, inner)), _path(data, alias), at)
        elif kind == "use_wildcard":
            inside = _path(data, part.named_children[0]) if part.named_children else ""
            yield ImportBinding("", _joined(prefix, inside), "*", at)
        elif kind in ("scoped_use_list", "use_list") and depth < _DEEPEST:
            inner = part.child_by_field_name("path")
            below = prefix if inner is None else _joined(prefix, _path(data, inner))
            given = part.child_by_field_name("list") if kind == "scoped_use_list" else part
            if given is not None:
                pending += [(below, child, depth + 1) for child in reversed(given.named_children)]


def _binding(path: str, local: str, at: int) -> ImportBinding:
    module, _, member = path.removesuffix("::self").rpartition("::")
    if not module:
        return ImportBinding(local, member, None, at)
    return ImportBinding(local, module, member, at)


def _named(path: str) -> str:
    return path.removesuffix("::self").rpartition("::")[2]


def _joined(prefix: str, path: str) -> str:
    return f"{prefix}::{path}" if prefix and path else prefix or path


def _path(data: bytes, node: Node) -> str:
    return "".join(data[node.start_byte : node.end_byte].decode("utf-8", "replace").split())
