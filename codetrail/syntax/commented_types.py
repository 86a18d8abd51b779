"""Where comments of TypeScript and JavaScript write types: a name that a compiler finds there is a type use.

JSDoc writes types in braces, and in braces with ``@`` (``{@link A}``) what is only mentioned. The grammar
sees text there, so no token of it is in the tree. It must not know what compilers say of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OPENING = b"/**"
_BRACE = re.compile(rb"\{\s*@|[{}]")


def commented_types(data: bytes, comments: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the spans (bytes, ascending, apart) of braces that hold types; ``comments`` ascend."""
    if _OPENING not in data:
        return ()
    spans: list[tuple[int, int]] = []
    for start, end in comments:
        if data.startswith(_OPENING, start):
            spans.extend(_braced(data, start, end))
    return tuple(spans)


def _braced(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the outermost braces of one comment; what is not closed holds nothing."""
    opened = depth = 0
    is_type = False
    for brace in _BRACE.finditer(data, start, end):
        if brace.group() == b"}":
            depth = max(0, depth - 1)
            if is_type and depth == 0:
                yield opened, brace.end()
                is_type = False
        elif brace.group() != b"{":
            depth, is_type = 1, False
        else:
            if depth == 0:
                opened, is_type = brace.start(), True
            depth += 1
