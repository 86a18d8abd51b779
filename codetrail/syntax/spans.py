"""Find the tokens inside and at the ends of byte spans.

It must not know what tokens or spans stand for.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def starts_within(
    spans: Sequence[tuple[int, int]], starts: list[int], holes: Sequence[tuple[int, int]] = ()
) -> Iterator[int]:
    """Give the token starts inside ascending spans that may nest, but for those inside holes (same form)."""
    done = 0
    hole_starts = [start for start, _ in holes]
    for start, end in spans:
        if end <= done:
            continue
        first = bisect_left(starts, max(start, done))
        last = bisect_left(starts, end, first)
        done = end
        hole = bisect_left(hole_starts, start)
        for token in starts[first:last]:
            while hole < len(holes) and holes[hole][1] <= token:
                hole += 1
            if hole == len(holes) or token < holes[hole][0]:
                yield token


def start_of_ending(end: int, tokens: Sequence[tuple[int, int]], starts: list[int]) -> int | None:
    """Return the start of the token that ends at ``end``; ``starts`` are those of ``tokens``, ascending."""
    before = bisect_left(starts, end) - 1
    return starts[before] if before >= 0 and tokens[before][1] == end else None
