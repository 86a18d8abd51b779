"""Read one syntax tree into scopes and mentions: definitions, statements that bind, patterns, imports.

This module must not know symbols or the server.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from codetrail.providers.python.lsp.expressions import Expressions, last_name
from codetrail.providers.python.lsp.scopes import DECLARING, Import, Mention, Reading, Scope
from codetrail.providers.python.lsp.source import Source


def read(source: Source) -> Reading:
    """Parse and read a file. Raises SyntaxError, ValueError, RecursionError or MemoryError from ``ast``."""
    tree = ast.parse(source.text)
    reader = _Reader(source)
    reader.statements(tree.body, reader.module)
    reader.type_comments()
    reader.mentions.sort(key=lambda one: (one.start, one.end))
    _bind(reader.mentions)
    return Reading(tree, reader.module, reader.mentions)


def _bind(mentions: Iterable[Mention]) -> None:
    """Enter bound names into their scopes: first as written, then where ``global`` and its like move them."""
    bindings = [one for one in mentions if one.is_binding()]
    for one in bindings:
        if one.name not in one.scope.moved:
            one.scope.bound.setdefault(one.name, []).append(one)
    for one in bindings:
        if one.name in one.scope.moved:
            one.scope.owner_of(one.name).bound.setdefault(one.name, []).append(one)
    for one in bindings:
        if one.kind in DECLARING:
            one.scope.owner_of(one.name).declared.setdefault(one.name, set()).add(DECLARING[one.kind])


class _Reader(Expressions):
    def statements(self, body: Sequence[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self.visit(statement, scope)

    # Definitions

    def _FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> None:
        self._visit_all(node.decorator_list, scope)
        inner = Scope("function", scope, node.name, node)
        place = self.source.identifier(node.name, self._start(node))
        one = self._add("function", node.name, place, scope, node)
        if one is not None:
            one.inner = inner
        self._type_parameters(node, inner, scope, one)
        self._parameters(node.args, inner, scope)
        self._annotated(node.returns, scope)
        self.statements(node.body, inner)

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        self._visit_all(node.decorator_list, scope)
        inner = Scope("class", scope, node.name, node)
        scope.classes.setdefault(node.name, inner)
        place = self.source.identifier(node.name, self._start(node))
        one = self._add("class", node.name, place, scope, node)
        if one is not None:
            one.inner = inner
        self._type_parameters(node, inner, scope, one)
        self._visit_all([*node.bases, *node.keywords], scope)
        for base in node.bases:
            self._made_fields(base, None, inner)
        self.statements(node.body, inner)

    def _TypeAlias(self, node: ast.AST, scope: Scope) -> None:
        target: ast.Name = node.name  # type: ignore[attr-defined]
        one = self._add("type", target.id, self._span(target), scope, node)
        self._type_parameters(node, None, scope, one)
        self.visit(node.value, scope)  # type: ignore[attr-defined]

    def _type_parameters(
        self, node: ast.AST, inner: Scope | None, scope: Scope, owner: Mention | None
    ) -> None:
        for item in getattr(node, "type_params", ()):
            place = self.source.identifier(item.name, self._start(item))
            one = self._add("type_parameter", item.name, place, scope, item)
            if one is not None:
                one.inner, one.owner = inner, owner
            self._children(item, scope)

    def _parameters(self, arguments: ast.arguments, inner: Scope, outer: Scope) -> None:
        self._visit_all([*arguments.defaults, *arguments.kw_defaults], outer)
        stars = [item for item in (arguments.vararg, arguments.kwarg) if item is not None]
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults: dict[ast.arg, ast.expr | None] = dict(
            zip(reversed(plain), reversed(arguments.defaults), strict=False)
        )
        defaults.update(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
        for item in [*plain, *arguments.kwonlyargs, *stars]:
            inner.parameters.add(item.arg)
            place = self.source.identifier(item.arg, self._start(item))
            one = self._add("parameter", item.arg, place, inner, item)
            if one is not None:
                one.statement = (self._before_stars(item), self._end(defaults.get(item) or item))
                one.positional = item in arguments.posonlyargs or item in stars
            self._annotated(item.annotation, outer)

    def _before_stars(self, item: ast.arg) -> int:
        start = self._start(item)
        text = self.source.text[:start].rstrip()
        return len(text.rstrip("*")) if text.endswith("*") else start

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> None:
        inner = Scope("lambda", scope, node=node)
        self._parameters(node.args, inner, scope)
        self.visit(node.body, inner)

    # Statements that bind

    def _Assign(self, node: ast.Assign, scope: Scope) -> None:
        for target in node.targets:
            self._target(target, scope, "write", self._span(node), isinstance(node.value, ast.Lambda))
            if isinstance(target, ast.Name):
                self._made_fields(node.value, target, scope)
                self._exported(target, node.value, scope)
                if target.id == "__slots__" and scope.kind == "class":
                    self._string_fields(node.value, scope, None)
        self.visit(node.value, scope)

    def _AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        span = self._span(node)
        use = "write" if node.value is not None else "declare"
        before = len(self.mentions)
        self._target(node.target, scope, use, span, isinstance(node.value, ast.Lambda))
        for one in self.mentions[before:]:
            one.annotation = last_name(node.annotation)
        self._annotated(node.annotation, scope)
        self._visit_all([node.value], scope)

    def _AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        self._target(node.target, scope, "augment")
        self._exported(node.target, node.value, scope)
        self.visit(node.value, scope)

    def _exported(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        """Read the names in ``__all__``."""
        if scope.kind != "module" or not isinstance(target, ast.Name) or target.id != "__all__":
            return
        for item in value.elts if isinstance(value, ast.List | ast.Tuple) else ():
            if isinstance(item, ast.Constant) and isinstance(item.value, str):
                self._add("exported", item.value, self._content(item), scope, item)

    def _For(self, node: ast.For, scope: Scope) -> None:
        self._target(node.target, scope, "write")
        self.visit(node.iter, scope)
        self.statements([*node.body, *node.orelse], scope)

    _AsyncFor = _For

    def _comprehension(self, node: ast.comprehension, scope: Scope) -> None:
        self._target(node.target, scope, "write")
        self._visit_all([node.iter, *node.ifs], scope)

    def _withitem(self, node: ast.withitem, scope: Scope) -> None:
        self.visit(node.context_expr, scope)
        if node.optional_vars is not None:
            self._target(node.optional_vars, scope, "write")

    def _Delete(self, node: ast.Delete, scope: Scope) -> None:
        for target in node.targets:
            self._target(target, scope, "delete")

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> None:
        owner = scope
        while owner.kind == "comprehension" and owner.parent is not None:
            owner = owner.parent
        one = self._add("name", node.target.id, self._span(node.target), owner, node.target)
        if one is not None:
            one.use, one.walrus = "write", owner is not scope
        self.visit(node.value, scope)

    def _ExceptHandler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        self._visit_all([node.type], scope)
        if node.name and node.type is not None:
            self._bind_name(node.name, self.source.identifier(node.name, self._end(node.type)), scope, node)
        self.statements(node.body, scope)

    def _Global(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        word = "global" if isinstance(node, ast.Global) else "nonlocal"
        at = self._start(node) + len(word)
        for name in node.names:
            if scope.kind != "module":
                scope.moved[name] = word
            place = self.source.identifier(name, at)
            self._add("declaration", name, place, scope, node)
            at = place[1] if place else at

    _Nonlocal = _Global

    def _bind_name(
        self, name: str, place: tuple[int, int] | None, scope: Scope, node: ast.AST | None = None
    ) -> None:
        one = self._add("name", name, place, scope, node)
        if one is not None:
            one.use = "write"

    # Patterns

    def _MatchAs(self, node: ast.MatchAs, scope: Scope) -> None:
        self._visit_all([node.pattern], scope)
        if node.name:
            at = self._end(node.pattern) if node.pattern else self._start(node)
            self._bind_name(node.name, self.source.identifier(node.name, at), scope, node)

    def _MatchStar(self, node: ast.MatchStar, scope: Scope) -> None:
        if node.name:
            self._bind_name(node.name, self.source.identifier(node.name, self._start(node)), scope, node)

    def _MatchMapping(self, node: ast.MatchMapping, scope: Scope) -> None:
        self._children(node, scope)
        if node.rest:
            at = self._end(node.patterns[-1]) if node.patterns else self._start(node)
            self._bind_name(node.rest, self.source.identifier(node.rest, at), scope, node)

    def _MatchClass(self, node: ast.MatchClass, scope: Scope) -> None:
        self.visit(node.cls, scope)
        self._visit_all(node.patterns, scope)
        at = self._end(node.patterns[-1] if node.patterns else node.cls)
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            self._add("keyword", name, self.source.identifier(name, at), scope, node)
            self.visit(pattern, scope)
            at = self._end(pattern)

    # Imports

    def _Import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            module = Import(0)
            before = len(self.mentions)
            at = self._module_parts(alias.name, self._start(alias), module, scope, alias)
            if alias.asname:
                place = self.source.identifier(alias.asname, at)
                bound = self._imported(alias.asname, place, scope, alias, module)
                if bound is not None and module.parts:
                    bound.owner = module.parts[-1]
            elif module.parts:
                module.parts[0].binds = True
            for one in self.mentions[before:]:
                one.statement = self._span(node)

    def _ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        module = Import(node.level)
        if node.module:
            self._module_parts(node.module, self._start(node) + len("from"), module, scope, node)
        for alias in node.names:
            if alias.name == "*":
                scope.star = True
                continue
            place = self.source.identifier(alias.name, self._start(alias))
            first = self._imported(alias.name, place, scope, alias, module, binds=not alias.asname)
            if alias.asname and place:
                place = self.source.identifier(alias.asname, place[1])
                one = self._imported(alias.asname, place, scope, alias, module)
                if one is not None:
                    one.owner = first

    def _module_parts(self, name: str, at: int, module: Import, scope: Scope, node: ast.AST) -> int:
        for part in name.split("."):
            place = self.source.identifier(part, at)
            one = self._add("module_part", part, place, scope, node)
            if one is None or place is None:
                break
            one.module = module
            module.parts.append(one)
            at = place[1]
        return at

    def _imported(
        self,
        name: str,
        place: tuple[int, int] | None,
        scope: Scope,
        node: ast.AST,
        module: Import,
        binds: bool = True,
    ) -> Mention | None:
        one = self._add("imported", name, place, scope, node)
        if one is not None:
            one.module, one.binds = module, binds
        return one
