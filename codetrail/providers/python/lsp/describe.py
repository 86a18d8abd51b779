"""What a definition looks like to a reader: kind, signature as written, first paragraph of its docstring.

Read from the syntax tree alone: a class is a protocol or an enumeration only where its own bases say so. This
module must not know symbols or occurrences.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from codetrail.model.kinds import NUMBERS
from codetrail.providers.python.lsp.scopes import Mention, Scope
from codetrail.providers.python.lsp.source import Source

_MOST_SIGNATURE = 1000
_MOST_VARIABLE = 200
_MOST_DOCUMENTATION = 2000
_CONSTANT = re.compile(r"_*[A-Z][A-Z0-9_]*")
_SUNDER = re.compile(r"_.*_")
_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty", "setter", "getter", "deleter"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "EnumMeta", "EnumType"})

MODULE = NUMBERS["module"]
NAMESPACE = NUMBERS["namespace"]


def kind_of(one: Mention) -> int:
    """Return the SCIP kind of what is bound at a mention."""
    match one.kind:
        case "function":
            return NUMBERS[_function_kind(one)]
        case "class":
            return NUMBERS[_class_kind(one.node)]
        case "type":
            return NUMBERS["typealias"]
        case "type_parameter":
            return NUMBERS["typeparameter"]
        case "parameter":
            return NUMBERS["parameter"]
        case "member" | "field":
            return NUMBERS["field"]
        case _:
            return NUMBERS[_variable_kind(one)]


def is_overload(one: Mention) -> bool:
    """Tell whether a function is declared by ``@overload``."""
    return "overload" in _decorators(one.node)


def extent(one: Mention, source: Source) -> tuple[int, int] | None:
    """Return the offsets of the whole definition, decorators included; None for what has no extent."""
    if one.kind in ("function", "class", "type"):
        return head_start(one, source, decorated=True), _end(one.node, source)
    in_class = one.kind == "name" and one.scope.owner_of(one.name).kind == "class"
    return one.statement if in_class or (one.kind == "name" and one.lambda_value) else None


def signature_of(one: Mention, source: Source) -> str:
    """Return the head of a function or class, or the first line of a variable's statement."""
    node = one.node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        start = head_start(one, source, decorated=False)
        return clip(source.text[start : _head_end(node, one, source)].rstrip(), _MOST_SIGNATURE)
    if one.kind in ("type", "type_parameter"):
        return clip(
            source.text[head_start(one, source, decorated=False) : _end(node, source)], _MOST_SIGNATURE
        )
    if one.kind == "field":
        return ""
    start, end = one.statement or (one.start, one.end)
    if one.kind == "parameter":
        return clip(source.text[start:end], _MOST_SIGNATURE)
    return clip(source.text[start:end].split("\n", 1)[0], _MOST_VARIABLE)


def documentation_of(node: ast.AST | None) -> str:
    """Return the first paragraph of the docstring of a module, class or function."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return ""
    lines = [line.strip() for line in (ast.get_docstring(node, clean=False) or "").strip().split("\n")]
    end = lines.index("") if "" in lines else len(lines)
    return clip("\n".join(lines[:end]), _MOST_DOCUMENTATION)


def head_start(one: Mention, source: Source, *, decorated: bool) -> int:
    """Return where a definition begins, with or without its decorators."""
    node = one.node
    assert node is not None
    start = source.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
    decorators = getattr(node, "decorator_list", ()) if decorated else ()
    if decorators:
        first = source.offset(decorators[0].lineno, decorators[0].col_offset)
        start = max(source.text.rfind("@", 0, first), 0)
    return start


def _function_kind(one: Mention) -> str:
    if one.scope.kind != "class":
        return "function"
    names = set(_decorators(one.node))
    if names & _PROPERTIES:
        return "property"
    return "staticmethod" if "staticmethod" in names else "method"


def _class_kind(node: ast.AST | None) -> str:
    bases = {last_name(base) for base in getattr(node, "bases", ())}
    bases |= {last_name(item.value) for item in getattr(node, "keywords", ()) if item.arg == "metaclass"}
    if "Protocol" in bases:
        return "protocol"
    return "enum" if bases & _ENUMS else "class"


def _variable_kind(one: Mention) -> str:
    if one.annotation == "TypeAlias":
        return "typealias"
    scope: Scope = one.scope.owner_of(one.name)
    constant = _CONSTANT.fullmatch(one.name) is not None or one.annotation == "Final"
    if scope.kind == "class":
        if one.assigned and not _SUNDER.fullmatch(one.name) and _class_kind(scope.node) == "enum":
            return "enummember"
        return "constant" if constant else "field"
    return "constant" if scope.kind == "module" and constant else "variable"


def _decorators(node: ast.AST | None) -> Iterable[str]:
    for item in getattr(node, "decorator_list", ()):
        yield last_name(item.func if isinstance(item, ast.Call) else item)


def last_name(node: ast.AST) -> str:
    """Return ``b`` of ``a.b[c]``; "" of anything that ends in no name."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _head_end(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, one: Mention, source: Source
) -> int:
    """Return where the colon of a head stands: the first one after everything that is in it."""
    parts: list[ast.AST] = list(getattr(node, "type_params", ()))
    if isinstance(node, ast.ClassDef):
        parts += [*node.bases, *node.keywords]
    else:
        parts += [*ast.iter_child_nodes(node.args), *([node.returns] if node.returns else [])]
    ends = [_end(part, source) for part in parts if hasattr(part, "end_lineno")]
    colon = source.text.find(":", max([one.end, *ends]))
    return colon if colon >= 0 else one.end


def _end(node: ast.AST | None, source: Source) -> int:
    return source.offset(node.end_lineno, node.end_col_offset)  # type: ignore[union-attr]


def clip(text: str, limit: int) -> str:
    """Cut a text to ``limit`` code points."""
    return text[:limit] + "…" if len(text) > limit else text
