"""Imports and exports of JavaScript and TypeScript: ES modules, ``require`` and ``module.exports``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.syntax.imports.binding import DEFAULT, ImportBinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

KINDS = ("import_statement", "variable_declarator")
EXPORT_KINDS = ("assignment_expression", "export_statement")

_NAMES = ("identifier", "property_identifier", "shorthand_property_identifier", "type_identifier", "string")
_FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_LONGEST = 400
"""Bytes of a target that are read; a longer one is none of a module."""
_DECLARES = frozenset({"variable_declarator"})


def read(data: bytes, node: Node) -> Iterator[ImportBinding]:
    """Yield what one import, or one variable that takes what ``require`` gives, binds."""
    if node.type == "variable_declarator":
        yield from _required(data, node)
        return
    at = node.start_byte
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            if source is not None and clause.named_children:
                local = _text(data, clause.named_children[0])
                yield ImportBinding(local, _string(data, source), None, at, is_default=True)
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = _string(data, source)
    for clause in (child for child in node.named_children if child.type == "import_clause"):
        for part in clause.named_children:
            if part.type == "identifier":
                yield ImportBinding(_text(data, part), module, DEFAULT, at, is_default=True)
            elif part.type == "namespace_import" and part.named_children:
                yield ImportBinding(_text(data, part.named_children[0]), module, None, at)
            elif part.type == "named_imports":
                for name, alias in _specifiers(data, part):
                    yield ImportBinding(alias, module, name, at, is_default=name == DEFAULT)


Given = str | int | ImportBinding
"""What a module gives: its name in the module, the first byte of its name, or what another module gives."""


def exports(data: bytes, nodes: list[Node]) -> dict[str, Given]:
    """Map the names that a module gives to what it gives under them.

    ``nodes`` are those of ``EXPORT_KINDS``. A name that is given twice, or something unknown, is left out.
    """
    found: dict[str, Given | None] = {}
    twice = set()
    for node in nodes:
        read_one = _exported if node.type == "export_statement" else _assigned
        for name, local in read_one(data, node):
            if found.get(name, local) != local:
                twice.add(name)
            found[name] = local
    return {name: local for name, local in found.items() if local is not None and name not in twice}


def _required(data: bytes, node: Node) -> Iterator[ImportBinding]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or value is None or value.type != "call_expression":
        return
    called = value.child_by_field_name("function")
    given = value.child_by_field_name("arguments")
    if called is None or given is None or _text(data, called) != "require":
        return
    strings = given.named_children
    if len(strings) != 1 or strings[0].type != "string":
        return
    module, at = _string(data, strings[0]), node.start_byte
    if name.type == "identifier":
        yield ImportBinding(_text(data, name), module, None, at, is_default=True)
    elif name.type == "object_pattern":
        for part in name.named_children:
            if part.type == "shorthand_property_identifier_pattern":
                text = _text(data, part)
                yield ImportBinding(text, module, text, at)
            elif part.type == "pair_pattern":
                key, local = part.child_by_field_name("key"), part.child_by_field_name("value")
                if key is not None and local is not None and local.type == "identifier":
                    yield ImportBinding(_text(data, local), module, _text(data, key), at)


def _exported(data: bytes, node: Node) -> Iterator[tuple[str, Given | None]]:
    source = node.child_by_field_name("source")
    is_default = any(child.type == "default" for child in node.children)
    declared = node.child_by_field_name("declaration")
    value = node.child_by_field_name("value")
    if is_default:
        given = declared if declared is not None else value
        name = None
        if given is not None:
            name = given if given.type == "identifier" else given.child_by_field_name("name")
        if name is not None:
            yield DEFAULT, _text(data, name)
        return
    if declared is not None:
        name = declared.child_by_field_name("name")
        if name is not None:
            yield _text(data, name), _text(data, name)
        for child in declared.named_children:
            bound = child.child_by_field_name("name") if child.type in _DECLARES else None
            if bound is not None and bound.type == "identifier":
                yield _text(data, bound), _text(data, bound)
        return
    for clause in (child for child in node.named_children if child.type == "export_clause"):
        for name_text, alias in _specifiers(data, clause):
            if source is None:
                yield alias, name_text
            else:
                module = _string(data, source)
                is_theirs = name_text == DEFAULT
                yield alias, ImportBinding("", module, name_text, node.start_byte, is_default=is_theirs)


def _assigned(data: bytes, node: Node) -> Iterator[tuple[str, Given | None]]:
    """Yield what an assignment to ``module.exports`` or a member of it gives; None for what is not known."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "member_expression":
        return
    if left.end_byte - left.start_byte > _LONGEST:
        return
    target = "".join(_text(data, left).split()).split(".")
    if target == ["module", "exports"]:
        if right.type == "object":
            yield from _members(data, right)
        else:
            yield DEFAULT, _value(data, right, left.child_by_field_name("property"))
    elif target[:-1] in (["exports"], ["module", "exports"]):
        yield target[-1], _value(data, right, left.child_by_field_name("property"))


def _value(data: bytes, value: Node, name: Node | None) -> Given | None:
    """Return how a value is known in the module: a name for it, or where a function is named by ``name``."""
    if value.type == "identifier":
        return _text(data, value)
    return name.start_byte if value.type in _FUNCTIONS and name is not None else None


def _members(data: bytes, given: Node) -> Iterator[tuple[str, Given | None]]:
    for part in given.named_children:
        key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
        name = part.child_by_field_name("name")
        if part.type == "shorthand_property_identifier":
            yield _text(data, part), _text(data, part)
        elif part.type == "method_definition" and name is not None:
            yield _text(data, name), name.start_byte
        elif key is not None and value is not None:
            yield _text(data, key), _value(data, value, key)


def _specifiers(data: bytes, node: Node) -> Iterator[tuple[str, str]]:
    """Yield the name that the module gives and the name here (or outside) of each specifier."""
    for part in node.named_children:
        name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
        if name is not None and name.type in _NAMES:
            yield _text(data, name), _text(data, alias if alias is not None else name)


def _string(data: bytes, node: Node) -> str:
    return _text(data, node).strip("'\"`")


def _text(data: bytes, node: Node) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")
