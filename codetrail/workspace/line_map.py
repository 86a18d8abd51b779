"""Find the lines of an earlier text again in a later one.

Lines are compared by their hashes (``digests.line_hashes``). Equal lines at both ends are the same ones;
between them a line that stands once in each text is, and so are its equal neighbours; what is left between
two such lines is looked at in the same way. The order of lines is kept: of two blocks that changed places one
was moved and is not found. Knows nothing of files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from codetrail.workspace.digests import LINE_HASH_BYTES

_DEEPEST = 12
"""How often what is left between found lines is looked at again; each time costs what it holds."""


class LineMap:
    """Which line (0-based) of the earlier text is which of the later one; ascending on both sides."""

    __slots__ = ("_now", "_then")

    def __init__(self, pairs: Iterator[tuple[int, int]]) -> None:
        self._now = dict(pairs)
        self._then: dict[int, int] | None = None

    def now(self, line: int) -> int | None:
        """Return the number that a line of the earlier text has in the later one, None where it is gone."""
        return self._now.get(line)

    def then(self, line: int) -> int | None:
        """Return the number that a line of the later text had in the earlier one, None where it is new."""
        if self._then is None:
            self._then = {now: then for then, now in self._now.items()}
        return self._then.get(line)


def map_lines(before: bytes, after: bytes) -> LineMap:
    """Map the lines of a text, given as joined hashes, to those of a later one."""
    return LineMap(_pairs(_split(before), _split(after)))


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + LINE_HASH_BYTES] for at in range(0, len(hashes), LINE_HASH_BYTES)]


def _pairs(before: list[bytes], after: list[bytes]) -> Iterator[tuple[int, int]]:
    waiting = [(0, len(before), 0, len(after), 0)]
    while waiting:
        start, stop, start_now, stop_now, depth = waiting.pop()
        while start < stop and start_now < stop_now and before[start] == after[start_now]:
            yield start, start_now
            start, start_now = start + 1, start_now + 1
        while start < stop and start_now < stop_now and before[stop - 1] == after[stop_now - 1]:
            stop, stop_now = stop - 1, stop_now - 1
            yield stop, stop_now
        if start == stop or start_now == stop_now or depth == _DEEPEST:
            continue
        # Each gap between two lines that stand once begins and ends beside one of them, so that the equal
        # neighbours of both are found as its ends.
        once = _once(before, range(start, stop), after, range(start_now, stop_now))
        for found, found_now in once:
            yield found, found_now
            waiting.append((start, found, start_now, found_now, depth + 1))
            start, start_now = found + 1, found_now + 1
        if once:
            waiting.append((start, stop, start_now, stop_now, depth + 1))


def _once(
    before: Sequence[bytes], here: range, after: Sequence[bytes], there: range
) -> list[tuple[int, int]]:
    """Return the longest ascending run of the lines that stand once on each side."""
    now = _alone(after, there)
    pairs = sorted((then, now[line]) for line, then in _alone(before, here).items() if line in now)
    # The least last line of the runs of each length, and the pair it belongs to.
    ends: list[int] = []
    last: list[int] = []
    came_from: list[int] = []
    for number, (_, line) in enumerate(pairs):
        length = bisect_left(ends, line)
        came_from.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(line)
            last.append(number)
        else:
            ends[length] = line
            last[length] = number
    run: list[tuple[int, int]] = []
    number = last[-1] if last else -1
    while number >= 0:
        run.append(pairs[number])
        number = came_from[number]
    return run[::-1]


def _alone(lines: Sequence[bytes], where: range) -> dict[bytes, int]:
    found: dict[bytes, int] = {}
    for number in where:
        found[lines[number]] = -1 if lines[number] in found else number
    return {line: number for line, number in found.items() if number >= 0}
