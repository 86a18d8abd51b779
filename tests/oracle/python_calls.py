"""Calls in Python sources as Python's own parser sees them: line, use, name and the function around each.

It sees syntax alone: a construction is a call here, and a name is what is written, save one that an import
renames.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


class Call(NamedTuple):
    """One call: its 1-based line, ``call`` or ``decorator``, the last name of the callee, and the caller.

    ``caller`` is the dotted name of the innermost named function, or of a callback; ``""`` for the module.
    """

    line: int
    use: str
    name: str
    caller: str


def calls(source: str) -> list[Call]:
    """Return the calls of a source whose callee has a name."""
    tree = ast.parse(source)
    renamed = {
        one.asname: one.name.rpartition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
        if one.asname
    }
    return [call._replace(name=renamed.get(call.name, call.name)) for call in _within(tree, "", "")]


def _within(node: ast.AST, caller: str, owner: str) -> Iterator[Call]:
    """Give the calls below a node; ``owner`` is the dotted name of what holds definitions there."""
    if isinstance(node, _FUNCTIONS | ast.ClassDef):
        yield from _decorators(node, caller, owner)
        name = f"{owner}.{node.name}".lstrip(".")
        inside = caller if isinstance(node, ast.ClassDef) else name
        for child in ast.iter_child_nodes(node):
            if child not in node.decorator_list:
                yield from _within(child, inside, name)
        return
    if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Lambda):
        (target,) = node.targets if isinstance(node, ast.Assign) else (node.target,)
        yield from _within(node.value, f"{owner}.{_name(target)}".lstrip("."), owner)
        return
    callback = ""
    if isinstance(node, ast.Call):
        name = _name(node.func)
        if name:
            yield Call(node.func.end_lineno or 0, "call", name, caller)
        first = node.args[0] if node.args else None
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            holder = f"{caller}." if caller else ""
            callback = f'{holder}{ast.unparse(node.func)}("{first.value}")'
    for child in ast.iter_child_nodes(node):
        passed = callback and isinstance(child, ast.Lambda)
        yield from _within(child, callback if passed else caller, owner)


def _decorators(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, caller: str, owner: str
) -> Iterator[Call]:
    for decorator in node.decorator_list:
        applied = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = _name(applied)
        if name:
            yield Call(applied.end_lineno or 0, "decorator", name, caller)
        for child in ast.iter_child_nodes(decorator):
            yield from _within(child, caller, owner)


def _name(expression: ast.expr) -> str:
    if isinstance(expression, ast.Name):
        return expression.id
    return expression.attr if isinstance(expression, ast.Attribute) else ""
