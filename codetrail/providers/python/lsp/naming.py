"""Turn scopes and mentions into symbol strings: a symbol is its owner scope, its name and what declares it.

The same rules as the in-process engine's ``driver/naming.js``. This module must not know occurrences or the
server.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codetrail.model.symbols import (
    METHOD,
    PARAMETER,
    TERM,
    TYPE,
    TYPE_PARAMETER,
    Descriptor,
    format_descriptor,
)
from codetrail.providers.python.lsp.modules import Module
from codetrail.providers.python.lsp.scopes import DECLARING, Mention, Reading, Scope
from codetrail.providers.python.lsp.source import Source

_SUFFIXES = {"type": TYPE, "method": METHOD}


@dataclass(slots=True, eq=False)
class File:
    """One file that was read: absolute path, module, text, what it says, its bindings by place."""

    path: str
    module: Module
    source: Source
    reading: Reading
    places: dict[tuple[int, int], Mention]

    def binding_at(self, start: tuple[int, int], end: tuple[int, int]) -> Mention | None:
        """Return the binding at or first after ``start`` and before ``end`` (line and UTF-16 column)."""
        found = self.places.get(start)
        if found is None and start[0] == end[0]:
            inside = [place for place in self.places if start < place < end]
            found = self.places[min(inside)] if inside else None
        return found


class LocalNames:
    """Numbers the local symbols of one document, in the order they are first met."""

    def __init__(self, module: Scope) -> None:
        self.module = module
        self._numbers: dict[tuple[int, str], int] = {}

    def symbol(self, scope: Scope, name: str) -> str:
        """Return the local symbol of a name in a scope."""
        return f"local {self._numbers.setdefault((id(scope), name), len(self._numbers))}"


class Naming:
    """Symbols of one file. ``partner`` gives the module scope of the stub or source next to it."""

    def __init__(self, file: File, partner: Callable[[], Scope | None]) -> None:
        self._module = file.module
        self._partner = partner
        self._prefixes: dict[int, str] = {}
        self._redefined: dict[int, int] | None = None
        self._functions = [
            one.inner for one in file.reading.mentions if one.kind == "function" and one.inner is not None
        ]

    def prefix(self, scope: Scope) -> str:
        """Return what the members of a module, class or function scope begin with: mostly its symbol."""
        if scope.parent is None:
            return self._module.members
        known = self._prefixes.get(id(scope))
        if known is None:
            nth = self._redefinition(scope)
            known = self._symbol(scope)
            if nth:
                owner = scope.parent.owner_of(scope.name).named()
                known = self.prefix(owner) + format_descriptor(Descriptor(scope.name, METHOD, f"+{nth}"))
            self._prefixes[id(scope)] = known
        return known

    def _symbol(self, scope: Scope) -> str:
        """Return the symbol of what a class or function scope declares."""
        assert scope.parent is not None
        owner = scope.parent.owner_of(scope.name).named()
        return self._member(owner, scope.name, TYPE if scope.kind == "class" else METHOD)

    def _redefinition(self, scope: Scope) -> int:
        """Return how many functions of the same symbol the file declares before this one.

        They are one symbol, but what is inside of each is its own.
        """
        if self._redefined is None:
            self._redefined = {}
            counts: dict[str, int] = {}
            for function in self._functions:
                assert function.parent is not None
                owner = function.parent.owner_of(function.name).named()
                key = self._member(owner, function.name, METHOD)
                self._redefined[id(function)] = counts.get(key, 0)
                counts[key] = counts.get(key, 0) + 1
        return self._redefined.get(id(scope), 0)

    def variable(self, scope: Scope, name: str, locals_: LocalNames | None) -> str | None:
        """Return the symbol of a variable or parameter; None if it is local to another document."""
        if scope.kind in ("module", "class"):
            kind = None if name in scope.declared else self._partner_kind(scope, name)
            return self._member(scope, name, _SUFFIXES[kind] if kind else TERM)
        if scope.kind == "function" and name in scope.parameters:
            return self._member(scope, name, PARAMETER)
        return locals_.symbol(scope, name) if locals_ and scope.module() is locals_.module else None

    def declared(self, scope: Scope, name: str) -> list[str]:
        """Return the symbols of the classes and functions of a name in ``scope``, classes first."""
        kinds = sorted(scope.declared.get(name, ()), reverse=True)
        return [self._member(scope.named(), name, _SUFFIXES[kind]) for kind in kinds]

    def of(self, one: Mention, locals_: LocalNames | None) -> str | None:
        """Return the symbol of what is bound at a mention; None when it cannot be named."""
        if one.kind == "member":
            owner = class_of_member(one)
            if owner is None:
                return None
            declared = self.declared(owner, one.name)
            return declared[0] if declared else self.variable(owner, one.name, None)
        if one.kind == "parameter":
            return self.variable(one.scope, one.name, locals_)
        if one.kind == "type_parameter":
            return self._type_parameter(one)
        if one.kind == "field":
            return self._field(one)
        scope = one.scope.owner_of(one.name)
        if one.kind in DECLARING:
            return self._member(scope.named(), one.name, _SUFFIXES[DECLARING[one.kind]])
        return self.variable(scope, one.name, locals_)

    def owner(self, scope: Scope) -> str:
        """Return the symbol of what owns a scope."""
        named = scope.named()
        return self._module.symbol if named.parent is None else self._symbol(named)

    def owner_of(self, one: Mention) -> str:
        """Return the symbol of what owns the thing that is bound at a mention."""
        if one.kind == "type_parameter":
            return (self._symbol(one.inner) if one.inner is not None else self._holder(one)) or ""
        if one.kind == "member":
            return self.owner(class_of_member(one) or one.scope)
        return self.owner(one.scope if one.kind == "parameter" else one.scope.owner_of(one.name))

    def _holder(self, one: Mention) -> str | None:
        if one.inner is not None:
            return self.prefix(one.inner)
        return self.of(one.owner, None) if one.owner is not None else None

    def _type_parameter(self, one: Mention) -> str | None:
        holder = self._holder(one)
        return holder and holder + format_descriptor(Descriptor(one.name, TYPE_PARAMETER))

    def _field(self, one: Mention) -> str | None:
        if not one.annotation:
            return self.variable(one.scope, one.name, None)
        base = self.variable(one.scope.owner_of(one.annotation), one.annotation, None)
        return base and base + format_descriptor(Descriptor(one.name, TERM))

    def _member(self, scope: Scope, name: str, suffix: int) -> str:
        return self.prefix(scope) + format_descriptor(Descriptor(name, suffix))

    def _partner_kind(self, scope: Scope, name: str) -> str | None:
        path: list[str] = []
        at = scope
        while at.parent is not None:
            if at.kind != "class":
                return None
            path.append(at.name)
            at = at.parent
        other = self._partner()
        for step in reversed(path):
            other = other and other.classes.get(step)
        kinds = other.declared.get(name) if other else None
        return max(kinds) if kinds else None


def class_of_member(one: Mention) -> Scope | None:
    """Return the class whose method holds the member access ``self.x``; None when there is none."""
    scope = one.scope.named()
    owner = scope.parent
    return owner if scope.kind == "function" and owner is not None and owner.kind == "class" else None
