"""Which constructor a construction runs: the class's own, or the nearest one that it inherits.

A class inherits from what its producer relates it to as an implementation, as far as its signature does not
say that it only implements an interface. A decorated Python class may be given another constructor by its
decorator and inherits none here. This module must not know uses or rows.
"""

from __future__ import annotations

import re

from codetrail.model import facts
from codetrail.query.constructors import class_of, constructors_of
from codetrail.query.groups import Group, Member
from codetrail.query.matching import join
from codetrail.query.snapshot import View
from codetrail.store.read_symbols import SymbolRow, documentation, relations_from, relations_to, symbol

_WORD = re.compile(r"\w+")
_EXTENDS = " extends "
_IMPLEMENTS = " implements "
_SPECIAL = "__"
"""How Python's two constructors begin: of each a class may inherit one and declare the other."""


class Inheritance:
    """Follows classes up and down; one object serves one question and remembers them."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._constructed: dict[str, list[Group]] = {}
        self._own: dict[str, list[Group]] = {}
        self._bases: dict[str, dict[str, Group]] = {}

    def constructed(self, constructor: Group) -> list[Group]:
        """Return the classes whose construction runs a constructor, its own class first; else none.

        Of several bases that declare one each may be the one that runs, whichever of them is named first.
        """
        if constructor.key not in self._constructed:
            owner = class_of(self._view, constructor)
            found = [] if owner is None else self._find_constructed(constructor, owner)
            self._constructed[constructor.key] = found
        return self._constructed[constructor.key]

    def _find_constructed(self, constructor: Group, owner: Group) -> list[Group]:
        kind = _kind_of(constructor)
        found = {owner.key: owner}
        seen = {owner.key}
        waiting = [owner]
        while waiting:
            for below in self._below(waiting.pop()):
                if below.key in seen:
                    continue
                seen.add(below.key)
                waiting.append(below)
                if any(one.key == owner.key for one in self._nearest(below, kind)):
                    found[below.key] = below
        return list(found.values())

    def run_by(self, constructed: Group) -> list[Group]:
        """Return the constructors that constructing a class runs; none where several bases have one."""
        own = self._constructors(constructed)
        owners = [] if own else self._nearest(constructed, None)
        return self._constructors(owners[0]) if len(owners) == 1 else own

    def _nearest(self, below: Group, kind: str | None) -> list[Group]:
        """Return the bases that declare the constructor which a class inherits; none where it has its own."""
        if self._declares(below, kind):
            return []
        above = self._ancestors(below)
        owners = {key: base for key, base in above.items() if self._declares(base, kind)}
        hidden = {key for base in owners.values() for key in self._ancestors(base)}
        return [base for key, base in owners.items() if key not in hidden]

    def _declares(self, group: Group, kind: str | None) -> bool:
        return any(kind in (None, _kind_of(one)) for one in self._constructors(group))

    def _constructors(self, group: Group) -> list[Group]:
        if group.key not in self._own:
            self._own[group.key] = constructors_of(self._view, group)
        return self._own[group.key]

    def _ancestors(self, group: Group) -> dict[str, Group]:
        found: dict[str, Group] = {}
        waiting = [group]
        while waiting:
            for key, base in self._inherited(waiting.pop()).items():
                if key != group.key and key not in found:
                    found[key] = base
                    waiting.append(base)
        return found

    def _inherited(self, group: Group) -> dict[str, Group]:
        """Return the bases that a class is told to have and inherits from."""
        if group.key not in self._bases:
            # Of a circle of relations the second visit must find an end.
            self._bases[group.key] = {}
            self._bases[group.key] = self._find_inherited(group)
        return self._bases[group.key]

    def _find_inherited(self, group: Group) -> dict[str, Group]:
        if group.language == "python":
            decorated = any(member.row.flags & facts.SYM_DECORATED for member in group.members)
            return {} if decorated else self._related(group, upwards=True)
        signature = " ".join(filter(None, (_signature(member) for member in group.members)))
        extended, _, implemented = signature.partition(_IMPLEMENTS)
        if _EXTENDS not in extended:
            return {}
        bases = self._related(group, upwards=True)
        if not implemented:
            return bases
        named = set(_WORD.findall(extended.partition(_EXTENDS)[2]))
        direct = {key: base for key, base in bases.items() if named & set(base.simple_names)}
        above = {key: one for base in direct.values() for key, one in self._ancestors(base).items()}
        return direct | above

    def _below(self, group: Group) -> list[Group]:
        return list(self._related(group, upwards=False).values())

    def _related(self, group: Group, *, upwards: bool) -> dict[str, Group]:
        """Return the classes that the shards relate to a class as its bases, or that it is a base of."""
        found: dict[str, Group] = {}
        for part, row in group.members:
            for relation in (relations_from if upwards else relations_to)(part.shard, row.id):
                other = symbol(part.shard, relation.other if upwards else relation.symbol)
                if relation.flags & facts.REL_IMPLEMENTATION and other is not None and _is_type(other):
                    one = join(self._view, part, other)
                    found.setdefault(one.key, one)
        return found


def _is_type(row: SymbolRow) -> bool:
    return row.package is not None and row.descr.endswith("#")


def _signature(member: Member) -> str:
    return documentation(member.part.shard, member.row.id)[0]


def _kind_of(constructor: Group) -> str:
    """Tell Python's two constructors apart; all others are one kind."""
    name = next(iter(constructor.simple_names), "")
    return name if name.startswith(_SPECIAL) else ""
