"""Read expressions into mentions: names, members, arguments, what is written to, types and fields in strings.

Every place is checked against the text before it is taken: ``ast`` gives wrong places inside f-strings before
Python 3.12, and names that are part of a larger node have no place of their own. This module must not know
statements, symbols or the server.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable

from codetrail.providers.python.lsp.scopes import Mention, Scope
from codetrail.providers.python.lsp.source import Source, same

_OLD_STRINGS = sys.version_info < (3, 12)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FIELD_MAKERS = frozenset(
    {"namedtuple", "NamedTuple", "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
)
_QUOTED_TYPES = frozenset({"cast", "TypeVar", "NewType", "assert_type", "ParamSpec", "TypeAliasType"})
_TYPE_COMMENT = re.compile(r"#[ \t]*type:[ \t]*(?!ignore\b)([^\n#]{1,1000})")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_LONGEST_TYPE = 1000
_QUOTES = ('"""', "'''", '"', "'")


class Expressions:
    """Visits expressions; statements are for whoever builds on it to read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.module = Scope("module", None)
        self.mentions: list[Mention] = []
        self._formatted = 0
        self._annotation = 0
        self._subscript = 0

    def visit(self, node: ast.AST, scope: Scope) -> None:
        """Read a node and what is in it."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is not None:
            method(node, scope)
        elif isinstance(node, _COMPREHENSIONS):
            self._new_comprehension(node, scope)
        else:
            self._children(node, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child, scope)

    def _visit_all(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    # Places

    def _start(self, node: ast.AST) -> int:
        return self.source.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]

    def _end(self, node: ast.AST) -> int:
        return self.source.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]

    def _span(self, node: ast.AST) -> tuple[int, int]:
        return self._start(node), self._end(node)

    def _add(
        self, kind: str, name: str, place: tuple[int, int] | None, scope: Scope, node: ast.AST | None = None
    ) -> Mention | None:
        """Add a mention if its name really stands there."""
        if place is None or not same(self.source.text[place[0] : place[1]], name):
            return None
        if self._formatted and kind not in ("use", "member", "keyword"):
            return None
        one = Mention(kind, name, *place, scope, node)
        self.mentions.append(one)
        return one

    # Expressions

    def _Name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self._add("use", node.id, self._span(node), scope, node)
        else:
            self._target(node, scope, "write")

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> None:
        self.visit(node.value, scope)
        self._member(node, scope, "")

    def _member(
        self, node: ast.Attribute, scope: Scope, use: str, statement: tuple[int, int] | None = None
    ) -> None:
        place = self.source.identifier_ending(node.attr, self._end(node))
        one = self._add("member", node.attr, place, scope, node)
        if one is not None:
            one.use, one.statement = use, statement or self._span(node)

    def _new_comprehension(self, node: ast.AST, scope: Scope) -> None:
        self._children(node, Scope("comprehension", scope, node=node))

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> None:
        self.visit(node.value, scope)
        self._subscript += 1
        self.visit(node.slice, scope)
        self._subscript -= 1

    def type_comments(self) -> None:
        """Read types in comments; the server knows which of them are."""
        for match in _TYPE_COMMENT.finditer(self.source.text):
            for start, end in self.source.identifiers(*match.span(1)):
                self._add("quoted", self.source.text[start:end], (start, end), self.module)

    def _Call(self, node: ast.Call, scope: Scope) -> None:
        self.visit(node.func, scope)
        quoted = last_name(node.func) in _QUOTED_TYPES
        for item in [*node.args, *node.keywords]:
            if quoted:
                self._annotated(item, scope)
            else:
                self.visit(item, scope)

    def _keyword(self, node: ast.keyword, scope: Scope) -> None:
        if node.arg is not None:
            start = self._start(node)
            self._add("keyword", node.arg, self.source.identifier(node.arg, start), scope, node)
        self.visit(node.value, scope)

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> None:
        self._formatted += _OLD_STRINGS
        self._children(node, scope)
        self._formatted -= _OLD_STRINGS

    def _annotated(self, node: ast.AST | None, scope: Scope) -> None:
        """Read an expression in which strings may be types."""
        if node is not None:
            self._annotation += 1
            self.visit(node, scope)
            self._annotation -= 1

    def _Constant(self, node: ast.Constant, scope: Scope) -> None:
        """Names inside a quoted type are put to the server, which knows whether it is one."""
        if self._formatted or not isinstance(node.value, str) or len(node.value) > _LONGEST_TYPE:
            return
        if not self._annotation and not (self._subscript and _DOTTED.fullmatch(node.value)):
            return
        place = self._content(node)
        if place is not None:
            for start, end in self.source.identifiers(*place):
                self._add("quoted", self.source.text[start:end], (start, end), scope, node)

    def _content(self, node: ast.Constant) -> tuple[int, int] | None:
        """Return where the content of a string stands, if it is written as it reads."""
        start, end = self._span(node)
        text = self.source.text[start:end]
        quote = next((one for one in _QUOTES if text.startswith(one)), None)
        if quote is None or text[len(quote) : -len(quote)] != node.value:
            return None
        return start + len(quote), end - len(quote)

    def _target(
        self,
        node: ast.expr,
        scope: Scope,
        use: str,
        statement: tuple[int, int] | None = None,
        lambda_value: bool = False,
    ) -> None:
        """Read an expression that a statement writes to or deletes."""
        if isinstance(node, ast.Tuple | ast.List):
            for item in node.elts:
                self._target(item, scope, use, statement, lambda_value)
        elif isinstance(node, ast.Starred):
            self._target(node.value, scope, use, statement, lambda_value)
        elif isinstance(node, ast.Name):
            one = self._add("name", node.id, self._span(node), scope, node)
            if one is not None:
                one.use, one.statement = use, statement
                one.assigned, one.lambda_value = statement is not None and use == "write", lambda_value
        elif isinstance(node, ast.Attribute):
            self.visit(node.value, scope)
            self._member(node, scope, use, statement)
        else:
            self._children(node, scope)

    # Fields that strings name

    def _made_fields(self, node: ast.expr, target: ast.Name | None, scope: Scope) -> None:
        """Read ``namedtuple("P", ["x"])`` and its like: fields of what they are bound to."""
        if not isinstance(node, ast.Call) or last_name(node.func) not in _FIELD_MAKERS:
            return
        for item in node.args[1:]:
            self._string_fields(item, scope, target)

    def _string_fields(self, node: ast.expr, scope: Scope, target: ast.Name | None) -> None:
        if isinstance(node, ast.Tuple | ast.List):
            for item in node.elts:
                pair = isinstance(item, ast.Tuple | ast.List) and item.elts
                self._string_field(item.elts[0] if pair else item, scope, target)  # type: ignore[attr-defined]
        elif isinstance(node, ast.Dict):
            for key in node.keys:
                if key is not None:
                    self._string_field(key, scope, target)
        else:
            self._string_field(node, scope, target)

    def _string_field(self, node: ast.expr, scope: Scope, target: ast.Name | None) -> None:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return
        place = self._content(node)
        if place is None or not node.value.isidentifier():
            return
        one = self._add("field", node.value, place, scope, node)
        if one is not None:
            one.quote = self._start(node)
            one.annotation = target.id if target is not None else ""


def last_name(node: ast.AST | None) -> str:
    """Return ``b`` of ``a.b[c]``, ``""`` of anything that ends in no name."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
