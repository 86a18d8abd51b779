"""Groups in the order of contract §3 that are made when they are looked at.

Thousands of symbols may bear a part of a name, and a page shows a hundred. What orders them stands on cards,
so only what is shown is read whole. This module must not know how names match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

from codetrail.model import kinds
from codetrail.query.groups import Group
from codetrail.query.snapshot import Part


class Carded(NamedTuple):
    """A symbol of one shard of which nothing was read but its card.

    ``place`` is the path and 0-based line of its first definition; ``definitions`` counts all of them by
    document id; the rest is as in ``Group``.
    """

    key: str
    part: Part
    symbol: int
    kind: int
    language: str
    place: tuple[str, int]
    is_test: bool
    closeness: int
    owners: int
    definitions: dict[int, int]

    def order(self) -> tuple[object, ...]:
        """Return the sort key that its group will have."""
        kind = kinds.rank(self.kind)
        return (self.closeness, self.owners, kind, 0, self.is_test, *self.place, self.key)


class Ranked(Sequence[Group]):
    """Groups, best first; those given as cards are made when asked for, and remembered."""

    def __init__(self, carded: list[Carded], groups: list[Group], make: Callable[[Carded], Group]) -> None:
        both: list[Carded | Group] = [*carded, *groups]
        self._ordered = sorted(both, key=lambda one: one.order())
        self._make = make
        self._made: dict[int, Group] = {}
        self.languages = {one.language for one in self._ordered}
        """The languages of all of them."""

    def __len__(self) -> int:
        return len(self._ordered)

    @overload
    def __getitem__(self, rank: int) -> Group: ...
    @overload
    def __getitem__(self, rank: slice) -> tuple[Group, ...]: ...
    def __getitem__(self, rank: int | slice) -> Group | tuple[Group, ...]:
        if isinstance(rank, slice):
            return tuple(map(self._at, range(*rank.indices(len(self)))))
        return self._at(range(len(self))[rank])

    def __iter__(self) -> Iterator[Group]:
        return map(self._at, range(len(self)))

    def card(self, rank: int) -> Carded | None:
        """Return the card at a rank, None where the group itself was given."""
        found = self._ordered[rank]
        return found if isinstance(found, Carded) else None

    def _at(self, rank: int) -> Group:
        found = self._ordered[rank]
        if isinstance(found, Group):
            return found
        if rank not in self._made:
            self._made[rank] = self._make(found)
        return self._made[rank]


Groups = Ranked | tuple[Group, ...]
"""What a question matched, best first."""
