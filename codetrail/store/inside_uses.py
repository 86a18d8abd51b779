"""See in one document which symbols are used inside themselves, and which carry a decorator.

``symbols --counts`` leaves such uses out of its counts (contract §2), and says of a decorated symbol that a
framework may call it. This module must not know tables.
"""

from __future__ import annotations

from collections.abc import Sequence

from codetrail.model import facts
from codetrail.model.documents import DocumentFacts, Extent

_DECORATOR = facts.USES.index("decorator")
_IMPORT = facts.USES.index("import")


def uses_inside(document: DocumentFacts) -> tuple[dict[str, int], set[str]]:
    """Count the uses of each symbol inside its own extents, imports and definitions left out, and name the
    symbols that carry a decorator: one that stands in their extent before their name."""
    own: dict[str, list[Extent]] = {}
    for extent in document.extents:
        if extent.symbol:
            own.setdefault(extent.symbol, []).append(extent)
    inside: dict[str, set[tuple[int, ...]]] = {}
    decorated: set[str] = set()
    for symbol, span, roles, use, _ in document.occurrences:
        if use == _DECORATOR:
            decorated.update(_decorated_at(document.extents, span.line, span.column))
        if symbol in own and use != _IMPORT and not roles & facts.ROLE_DEFINITION:
            for extent in own[symbol]:
                if extent.body.contains(span.line, span.column):
                    inside.setdefault(symbol, set()).add(span)
    return {symbol: len(spans) for symbol, spans in inside.items()}, decorated


def _decorated_at(extents: Sequence[Extent], line: int, column: int) -> list[str]:
    around = [extent for extent in extents if extent.body.contains(line, column)]
    innermost = around[-1:]
    return [
        extent.symbol
        for extent in innermost
        if extent.symbol and (line, column) < (extent.name_range.line, extent.name_range.column)
    ]
