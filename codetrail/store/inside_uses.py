"""See in one document which symbols are used inside themselves, and which carry a decorator.

``symbols --counts`` leaves such uses out of its counts (contract §2), and says of a decorated symbol that a
framework may call it. This module must not know tables.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from codetrail.model import facts
from codetrail.model.documents import DocumentFacts, Extent

_DECORATOR = facts.USES.index("decorator")
_IMPORT = facts.USES.index("import")


def uses_inside(document: DocumentFacts) -> tuple[dict[str, int], set[str]]:
    """Count the uses of each symbol inside its own extents, imports and definitions left out, and name the
    symbols that carry a decorator: one that stands in their extent before their name."""
    extents = document.extents
    own = {extent.symbol for extent in extents if extent.symbol}
    starts = [(extent.body.line, extent.body.column) for extent in extents]
    inside: dict[str, set[tuple[int, ...]]] = {}
    decorated: set[str] = set()
    for symbol, span, roles, use, _ in document.occurrences:
        if use == _DECORATOR:
            innermost = next(_around(extents, starts, span.line, span.column), None)
            if innermost is not None and innermost.symbol and span[:2] < innermost.name_range[:2]:
                decorated.add(innermost.symbol)
        if symbol not in own or use == _IMPORT or roles & facts.ROLE_DEFINITION:
            continue
        if any(extent.symbol == symbol for extent in _around(extents, starts, span.line, span.column)):
            inside.setdefault(symbol, set()).add(span)
    return {symbol: len(spans) for symbol, spans in inside.items()}, decorated


def _around(
    extents: Sequence[Extent], starts: Sequence[tuple[int, int]], line: int, column: int
) -> Iterator[Extent]:
    """Yield the extents that hold a place, innermost first: parents of the last that starts before it."""
    n = bisect_right(starts, (line, column)) - 1
    while n >= 0:
        if extents[n].body.contains(line, column):
            yield extents[n]
        n = extents[n].parent
