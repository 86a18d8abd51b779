"""Where the inside of a definition begins: what stands there belongs to it (contract §5).

A definition's own name is outside of it. So is what stands before the name in languages where only decorators
and modifiers do: a decorator is evaluated where the definition stands, by whatever holds the definition, even
though the extent begins with it. Default values and annotations stay inside: contract §5 gives them to the
definition whose extent holds them. In other languages what stands before the name (return types, annotations)
is part of the definition.
"""

from __future__ import annotations

from codetrail.model.ranges import Range

_DECORATED = frozenset({"python", "typescript", "javascript"})


def interior_start(body: Range, name: Range, language: str) -> tuple[int, int]:
    """Return line and column (0-based, code points) from which on places in ``body`` belong to it."""
    start = body[:2]
    if start == name[:2] or (language in _DECORATED and start < name[:2] < body[2:]):
        return name[2:]
    return start
