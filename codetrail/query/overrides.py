"""What a symbol overrides and what overrides it: the relations of all shards, followed to their ends.

Ancestors and descendants only: a sibling overrides the same thing, but no call of it can reach this one.
Types implement their bases without overriding them, so they have relatives here only where a producer says
that uses of the one are uses of the other. This module must not know rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codetrail.model import facts
from codetrail.model.overrides import OVERRIDDEN, OVERRIDES, Via
from codetrail.query.groups import Group, Member
from codetrail.query.matching import join
from codetrail.query.snapshot import Part, View
from codetrail.store.read_symbols import SymbolRow, relations_from, relations_to, symbol

_TYPE_ENDS = "#"
"""How the descriptors of a type end (SCIP symbol grammar)."""


class Related(NamedTuple):
    """A symbol that the one asked about overrides or is overridden by (``kind``).

    ``certain``: compilers said every step of the way; else one was derived.
    """

    group: Group
    kind: str
    certain: bool

    def via(self, symbol: str) -> Via:
        """Return the mark of a row that uses ``symbol``, a member of the group."""
        return Via(self.kind, symbol)


class Overrides:
    """Finds the relatives of symbols; one object serves one question and remembers them."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._groups: dict[tuple[str, int], Group] = {}
        self._steps: dict[tuple[str, str], tuple[tuple[Group, bool], ...]] = {}
        self._related: dict[str, tuple[Related, ...]] = {}

    def of(self, group: Group) -> tuple[Related, ...]:
        """Return the relatives of a symbol: first what it overrides, then what overrides it, by their keys.

        Of a circle of relations each member is listed once, as something that the symbol overrides.
        """
        if group.key not in self._related:
            found: dict[str, Related] = {}
            for kind in (OVERRIDES, OVERRIDDEN):
                told = self._reached(group, kind, derived=False)
                every = self._reached(group, kind, derived=True)
                for key in sorted(every):
                    found.setdefault(key, Related(every[key], kind, key in told))
            self._related[group.key] = tuple(found.values())
        return self._related[group.key]

    def bases(self, group: Group) -> list[Group]:
        """Return what a symbol overrides."""
        return list(self._reached(group, OVERRIDES, derived=True).values())

    def of_all(self, groups: Iterable[Group]) -> list[Group]:
        """Return the relatives of several symbols, some perhaps twice."""
        return [one.group for group in groups for one in self.of(group)]

    def _reached(self, group: Group, kind: str, *, derived: bool) -> dict[str, Group]:
        found: dict[str, Group] = {}
        waiting = [group]
        while waiting:
            for other, is_derived in self._one_step(waiting.pop(), kind):
                if other.key != group.key and other.key not in found and (derived or not is_derived):
                    found[other.key] = other
                    waiting.append(other)
        return found

    def _one_step(self, group: Group, kind: str) -> tuple[tuple[Group, bool], ...]:
        key = (group.key, kind)
        if key not in self._steps:
            self._steps[key] = tuple(
                (self._joined(member.part, other), derived)
                for member in group.members
                for other, derived in _neighbours(member, kind)
            )
        return self._steps[key]

    def _joined(self, part: Part, row: SymbolRow) -> Group:
        key = (part.shard.file, row.id)
        if key not in self._groups:
            self._groups[key] = join(self._view, part, row)
        return self._groups[key]


def _neighbours(member: Member, kind: str) -> list[tuple[SymbolRow, bool]]:
    """Return what one shard says that a symbol overrides or is overridden by in one step, and if derived."""
    part, row = member
    upwards = kind == OVERRIDES
    relations = (relations_from if upwards else relations_to)(part.shard, row.id)
    found = []
    for relation in relations:
        other = symbol(part.shard, relation.other if upwards else relation.symbol)
        if other is not None and _is_override(relation.flags, row, other):
            found.append((other, relation.derived))
    return found


def _is_override(flags: int, row: SymbolRow, other: SymbolRow) -> bool:
    if not flags & facts.REL_IMPLEMENTATION:
        return False
    types = row.descr.endswith(_TYPE_ENDS) or other.descr.endswith(_TYPE_ENDS)
    return not types or bool(flags & facts.REL_REFERENCE)
