"""Document-local symbols of one file, packed into one blob.

They are a third of all occurrences, are asked by coordinate only and never joined, so rows of their own would
only cost space (store.md §8). The packing is plain varints: equal facts give equal bytes on every machine,
which no compressor promises.
"""

from __future__ import annotations

from collections.abc import Sequence

from codetrail.model.documents import LocalOccurrence
from codetrail.model.ranges import Range


def pack(occurrences: Sequence[LocalOccurrence], kinds: Sequence[int]) -> bytes:
    """Pack the local occurrences and the kind of each local symbol; sorted by place, duplicates dropped.

    Raises ValueError for a negative number or a range that ends before it starts.
    """
    numbers = [len(kinds), *kinds]
    merged: dict[tuple[Range, int], tuple[int, int, int]] = {}
    for symbol, span, roles, use, encl in occurrences:
        key = (span, symbol)
        if key in merged:
            old_roles, old_use, old_encl = merged[key]
            roles |= old_roles
            use = min(use, old_use) or max(use, old_use)
            encl = max(encl, old_encl)
        merged[key] = (roles, use, encl)
    numbers.append(len(merged))
    last = 0
    for (span, symbol), (roles, use, encl) in sorted(merged.items()):
        line, column, end_line, end_column = span
        if use > 7:
            raise ValueError("a use beyond the three bits that the packing has for it")
        numbers += (
            line - last,
            column,
            end_line - line,
            end_column if end_line > line else end_column - column,
            symbol,
            roles << 3 | use,
            encl + 1,
        )
        last = line
    return _varints(numbers)


def unpack(blob: bytes) -> tuple[tuple[LocalOccurrence, ...], tuple[int, ...]]:
    """Return what ``pack`` was given, in order of place, and the kinds. Raises ValueError on other bytes."""
    numbers = iter(_numbers(blob))
    try:
        kinds = tuple([next(numbers) for _ in range(_bounded(next(numbers), blob))])
        found = []
        line = 0
        for _ in range(_bounded(next(numbers), blob)):
            line += next(numbers)
            column = next(numbers)
            lines = next(numbers)
            width = next(numbers)
            symbol = next(numbers)
            roles = next(numbers)
            span = Range(line, column, line + lines, width if lines else column + width)
            found.append(LocalOccurrence(symbol, span, roles >> 3, roles & 7, next(numbers) - 1))
    except StopIteration:
        raise ValueError("the packed locals end early") from None
    if next(numbers, None) is not None:
        raise ValueError("the packed locals go on after their end")
    return tuple(found), kinds


def _bounded(count: int, blob: bytes) -> int:
    if count > len(blob):
        raise ValueError("the packed locals promise more than they hold")
    return count


def _varints(numbers: list[int]) -> bytes:
    try:
        if not numbers or max(numbers) < 128:
            return bytes(numbers)
        out = bytearray()
        for number in numbers:
            while number > 127:
                out.append(number & 127 | 128)
                number >>= 7
            out.append(number)
    except ValueError:
        raise ValueError("a local occurrence has a negative part") from None
    return bytes(out)


def _numbers(blob: bytes) -> list[int]:
    found: list[int] = []
    shift = value = 0
    for byte in blob:
        if byte < 128:
            found.append(byte << shift | value)
            shift = value = 0
        else:
            value |= (byte & 127) << shift
            shift += 7
            if shift > 63:
                raise ValueError("a packed number is too long")
    if shift:
        raise ValueError("the packed locals end inside a number")
    return found
