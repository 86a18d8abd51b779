"""Python's scoping rules: scopes, the names mentioned in them, and which scope a bound name belongs to.

Plain facts read from one syntax tree; this module must not know symbols, files or the server.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

BINDING = frozenset({"function", "class", "type", "parameter", "name"})
"""Kinds of mentions that bind their name where they stand; imports do when ``binds`` is set."""

DECLARING = {"function": "method", "class": "type", "type": "type"}
"""What kinds of mentions declare; everything else that binds a name binds a variable."""


@dataclass(slots=True, eq=False)
class Scope:
    """What a module, class, function, lambda or comprehension makes.

    ``declared`` maps the names of its classes and functions to ``type``, ``method`` or both; ``moved`` maps
    names of ``global`` and ``nonlocal`` statements to which it was; ``star``: ``import *`` binds more.
    """

    kind: str
    parent: Scope | None
    name: str = ""
    node: ast.AST | None = None
    declared: dict[str, set[str]] = field(default_factory=dict)
    classes: dict[str, Scope] = field(default_factory=dict)
    parameters: set[str] = field(default_factory=set)
    moved: dict[str, str] = field(default_factory=dict)
    bound: dict[str, list[Mention]] = field(default_factory=dict)
    star: bool = False

    def named(self) -> Scope:
        """Return the innermost scope at or around this one that has a global name."""
        scope = self
        while scope.parent is not None and scope.kind in ("lambda", "comprehension"):
            scope = scope.parent
        return scope

    def module(self) -> Scope:
        """Return the scope of the module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner_of(self, name: str) -> Scope:
        """Return the scope that ``name`` belongs to when it is bound in this one."""
        moved = self.moved.get(name)
        if moved == "global":
            return self.module()
        if moved == "nonlocal":
            outer = self.parent
            while outer is not None and outer.kind != "module":
                if outer.kind != "class" and name in outer.bound:
                    return outer.owner_of(name)
                outer = outer.parent
        return self

    def lexical(self, name: str) -> Scope | None:
        """Return the scope in which Python finds ``name`` from here; None for builtins and unknown names."""
        scope: Scope | None = self
        first = True
        while scope is not None:
            if (first or scope.kind != "class") and name in scope.bound:
                return scope.owner_of(name)
            first = False
            scope = scope.parent
        return None


@dataclass(slots=True, eq=False)
class Import:
    """One module name in an import statement: its dots and the mentions of its parts."""

    dots: int
    parts: list[Mention] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Mention:
    """A name that stands in the text, at the offsets ``start`` to ``end``.

    ``kind``: ``function``, ``class``, ``type`` (an alias statement), ``type_parameter``, ``parameter``,
    ``name``, ``declaration`` (global, nonlocal), ``module_part``, ``imported``, ``use``, ``member``,
    ``keyword``, ``quoted``, ``exported`` (in ``__all__``) or ``field`` (a string). ``use`` is what a
    statement does to it: ``write``, ``declare``, ``augment``, ``delete`` or nothing. ``inner`` is the scope
    that a function or class makes, ``statement`` the offsets of the assignment it is a target of, or of a
    parameter with its default; ``owner`` what else is asked about an import, or has a type parameter;
    ``positional``: no keyword can mean this parameter; ``quote``: where the string around a field begins.
    """

    kind: str
    name: str
    start: int
    end: int
    scope: Scope
    node: ast.AST | None = None
    use: str = ""
    binds: bool = False
    inner: Scope | None = None
    statement: tuple[int, int] | None = None
    annotation: str = ""
    assigned: bool = False
    lambda_value: bool = False
    positional: bool = False
    walrus: bool = False
    owner: Mention | None = None
    module: Import | None = None
    quote: int = 0

    def is_binding(self) -> bool:
        """Tell whether the name is bound here."""
        return self.binds or (self.kind in BINDING and self.use != "delete")


@dataclass(slots=True, eq=False)
class Reading:
    """What one file says: its module scope and every mention, in the order of the text."""

    tree: ast.Module
    module: Scope
    mentions: list[Mention]
