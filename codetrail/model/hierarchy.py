"""Trees of callers and callees as rows of an answer (contract §4, hierarchy rows).

Apart from ``answers``, so that questions about other things do not pay for the classes.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model.facts import INFERRED_CANDIDATE

if TYPE_CHECKING:
    from codetrail.model.answers import Node, Provenance
    from codetrail.model.overrides import Via
    from codetrail.model.ranges import Range

INCOMING, OUTGOING, BOTH = "incoming", "outgoing", "both"

CYCLE = "cycle"
"""The mark of a node that is its own ancestor."""
REPEATED = "repeated"
"""The mark of a node that is expanded elsewhere in the tree."""


class Branch(NamedTuple):
    """A caller or callee in a tree, with what is behind it.

    ``ranges`` (0-based, code points) are the call sites, in the file ``path``. ``children`` is None where the
    node is not expanded: it is marked, a leaf, or as deep as was asked. ``truncated`` counts children that
    were left out.
    """

    node: Node
    callable: bool
    path: str
    ranges: tuple[Range, ...]
    basis: str
    via: Via | None = None
    children: tuple[Branch, ...] | None = None
    mark: str | None = None
    truncated: int = 0
    freshness: str | None = None


class Relations(NamedTuple):
    """What a definition calls and who calls it, for ``--include-code``: nodes that are not expanded.

    ``more_calls`` and ``more_callers`` count those that were left out.
    """

    calls: tuple[Branch, ...]
    callers: tuple[Branch, ...]
    more_calls: int = 0
    more_callers: int = 0


class HierarchyRow(NamedTuple):
    """The tree around one symbol; ``incoming`` and ``outgoing`` are None where they were not asked for.

    ``truncated`` counts callers and callees of the root that were left out.
    """

    root: Node
    callable: bool
    incoming: tuple[Branch, ...] | None
    outgoing: tuple[Branch, ...] | None
    of: int
    truncated: int = 0
    reliability: str = INFERRED_CANDIDATE
    origin: str | None = None
    provenance: Provenance | None = None

    @property
    def nodes(self) -> int:
        """Return how many nodes the tree has, its root among them."""
        return 1 + sum(map(_nodes, (*(self.incoming or ()), *(self.outgoing or ()))))

    @property
    def is_whole(self) -> bool:
        """Tell whether no child of any expanded node was left out."""
        return not self.truncated and all(map(_is_whole, (*(self.incoming or ()), *(self.outgoing or ()))))


def _nodes(branch: Branch) -> int:
    return 1 + sum(map(_nodes, branch.children or ()))


def _is_whole(branch: Branch) -> bool:
    return not branch.truncated and all(map(_is_whole, branch.children or ()))


def trimmed(row: HierarchyRow, most: int) -> HierarchyRow:
    """Keep at most ``most`` nodes of a tree, breadth first, the root among them; the rest is counted."""
    kept: set[tuple[int, ...]] = set()
    waiting: deque[tuple[tuple[int, ...], Branch]] = deque()
    for side, branches in enumerate((row.incoming, row.outgoing)):
        waiting.extend(((side, number), branch) for number, branch in enumerate(branches or ()))
    while waiting and len(kept) + 1 < most:
        place, branch = waiting.popleft()
        kept.add(place)
        waiting.extend(((*place, number), child) for number, child in enumerate(branch.children or ()))

    def children(place: tuple[int, ...], branches: tuple[Branch, ...]) -> tuple[Branch, ...]:
        return tuple(
            cut((*place, number), branch)
            for number, branch in enumerate(branches)
            if (*place, number) in kept
        )

    def cut(place: tuple[int, ...], branch: Branch) -> Branch:
        if branch.children is None:
            return branch
        left = children(place, branch.children)
        return branch._replace(children=left, truncated=branch.truncated + len(branch.children) - len(left))

    incoming = None if row.incoming is None else children((0,), row.incoming)
    outgoing = None if row.outgoing is None else children((1,), row.outgoing)
    before = len(row.incoming or ()) + len(row.outgoing or ())
    lost = before - len(incoming or ()) - len(outgoing or ())
    return row._replace(incoming=incoming, outgoing=outgoing, truncated=row.truncated + lost)
