"""Classes and the constructors that they declare themselves.

A construction is a use of the class; that it runs the class's own constructor is no compiler's occurrence but
follows from both being there. This module must not know uses or rows.
"""

from __future__ import annotations

from codetrail.model import kinds, symbols
from codetrail.query.groups import Group
from codetrail.query.matching import join, key_of
from codetrail.query.snapshot import View
from codetrail.store.read_symbols import symbols_by_key

_CONSTRUCTOR = kinds.NUMBERS["constructor"]
_SPELLED = ("__init__().", "__new__().", "`<constructor>`().", "`<init>`().")
"""How the symbols of constructors end, by producer; of those that are overloaded the first."""
_NAMES = frozenset({"__init__", "__new__"})
"""Methods that construct though their kind does not say so."""


def class_of(view: View, group: Group) -> Group | None:
    """Return the class whose constructor a symbol is; None for what is no constructor of a class."""
    for part, row in group.members:
        if row.package is None:
            continue
        last = symbols.parse_descriptors(row.descr)[-1]
        if group.kind != _CONSTRUCTOR and last.name not in _NAMES:
            return None
        raw = symbols.format_descriptor(last)
        if row.descr.endswith("#" + raw):
            for owner in symbols_by_key(part.shard, key_of(part, row)[: -len(raw)]):
                return join(view, part, owner)
    return None


def constructors_of(view: View, group: Group) -> list[Group]:
    """Return the constructors that a class declares, none for what is no class."""
    found: dict[str, Group] = {}
    for part, row in group.members:
        if row.package is None or not row.descr.endswith("#"):
            continue
        for spelled in _SPELLED:
            for own in symbols_by_key(part.shard, key_of(part, row) + spelled):
                one = join(view, part, own)
                if one.place is not None:
                    found.setdefault(one.key, one)
    return list(found.values())
