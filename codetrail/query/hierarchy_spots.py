"""Nodes of call hierarchies while they grow, and what becomes of them: branches that rows hold.

Which callers and callees there are is ``hierarchy``'s business; this module must not read anything.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from codetrail.model import facts, kinds
from codetrail.model.answers import Node
from codetrail.model.calls import SCIP
from codetrail.model.hierarchy import Branch
from codetrail.model.overrides import Via
from codetrail.model.ranges import Range
from codetrail.query.freshness import MOVED
from codetrail.query.groups import Group


class Child(NamedTuple):
    """A caller or callee: ``group`` is None for a file, which calls but is called by nobody."""

    key: str
    group: Group | None
    node: Node
    path: str
    via: Via | None
    ranges: list[Range]
    moved: bool = False
    basis: str = SCIP


class Spot:
    """One node of a tree that grows; ``around`` is its parent."""

    __slots__ = ("around", "child", "children", "depth", "direction", "mark", "truncated")

    def __init__(self, child: Child, direction: str, around: Spot | None) -> None:
        self.child = child
        self.direction = direction
        self.around = around
        self.depth: int = 0 if around is None else around.depth + 1
        self.children: list[Spot] | None = None
        self.mark: str | None = None
        self.truncated = 0

    def is_below(self, key: str) -> bool:
        """Tell whether an ancestor has a key."""
        one = self.around
        while one is not None:
            if one.child.key == key:
                return True
            one = one.around
        return False


def is_callable(group: Group) -> bool:
    """Tell whether what a group is can be called."""
    if group.members:
        return bool(group.members[0].row.flags & facts.SYM_CALLABLE)
    return group.kind in kinds.CALLABLE


def leading(root: Spot, sought: Collection[str]) -> set[str]:
    """Return the keys of the nodes from which the tree leads to one of ``sought``, those themselves too."""
    above: dict[str, set[str]] = {}
    waiting = [root]
    while waiting:
        spot = waiting.pop()
        for below in spot.children or ():
            above.setdefault(below.child.key, set()).add(spot.child.key)
            waiting.append(below)
    found = set(sought)
    pending = list(sought)
    while pending:
        for key in above.get(pending.pop(), ()):
            if key not in found:
                found.add(key)
                pending.append(key)
    return found


def keep(spot: Spot, keys: Collection[str]) -> None:
    """Leave out the branches whose nodes do not lead to what is sought."""
    waiting = [spot]
    while waiting:
        one = waiting.pop()
        if one.children is not None:
            one.children = [below for below in one.children if below.child.key in keys]
            waiting.extend(one.children)


def branches_of(spot: Spot) -> tuple[Branch, ...]:
    """Return what a row holds of the children of a node."""
    return tuple(map(branch_of, spot.children or ()))


def branch_of(spot: Spot) -> Branch:
    """Return what a row holds of a node and all below it."""
    child = spot.child
    return Branch(
        node=child.node,
        callable=child.group is not None and is_callable(child.group),
        path=child.path,
        ranges=tuple(child.ranges),
        basis=child.basis,
        via=child.via,
        children=None if spot.children is None else branches_of(spot),
        mark=spot.mark,
        truncated=spot.truncated,
        freshness=MOVED if child.moved else None,
    )
