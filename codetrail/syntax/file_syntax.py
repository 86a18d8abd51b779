"""What the parser says of one file, as plain values.

Every position is a byte offset into the file, half-open. These values know neither tree-sitter nor lines and
columns; whoever stores or prints them converts with ``model.ranges.LineIndex``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_OWNERS = 200
"""Extents nested deeper are left out; no compiler's limit is reached by code that people write."""


class Extent(NamedTuple):
    """A piece of source that is a definition or can enclose one.

    ``start`` is that of the first decorator where there is one. ``kind`` is a SCIP kind in lower case, or
    ``callback``: a nameless function named after the call that it is passed to (contract §5). A callback's
    ``name`` is what is called and the string in one spelling, ``it("adds")``; the span of its name is that of
    the string, which stands before ``start`` (as the name of a property does before its Kotlin accessors).
    ``parent`` is the index of the extent that owns it by name, or -1: for ``self.x = …`` the class, although
    the text stands in a method. Callbacks own nothing but callbacks. ``owner`` names an owner that is no
    extent of this file (the type of a Go receiver or a Rust ``impl``), else it is empty.
    """

    start: int
    end: int
    name_start: int
    name_end: int
    kind: str
    name: str
    parent: int
    owner: str = ""


class FileSyntax(NamedTuple):
    """All that one parse of a file tells.

    ``extents`` ascend by start, the wider first. ``uses`` maps the first byte of an identifier token, or of
    ``super`` or ``this`` where that is called, to its index in ``model.facts.USES``; a token that is not in
    it is a value use, or a definition's own name.
    ``tokens`` are the identifier tokens, ascending. ``errors``: the text does not parse cleanly.
    ``truncated``: things were left out. All of them, where the file is too large or its parse ran out of
    time; else the extents with more than ``MAX_OWNERS`` owners. ``quoted_types`` are the spans, ascending and
    apart, of text that holds types: what a compiler finds in it and no token shows is a type use.
    ``nameless_calls`` are the last bytes of what is called through no name, ascending: ``)`` of ``f()`` in
    ``f()()``. A function that is called where it is written is none: what it does, its surroundings do.
    """

    extents: tuple[Extent, ...]
    uses: dict[int, int]
    tokens: list[tuple[int, int]]
    errors: bool = False
    truncated: bool = False
    quoted_types: tuple[tuple[int, int], ...] = ()
    nameless_calls: tuple[int, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Tell whether nothing was read: the file is too large, or its parse ran out of time."""
        return self.truncated and not self.tokens


def qualified_name(extents: Sequence[Extent], index: int) -> str:
    """Join the names of an extent's owners and its own with ``.`` (contract §3).

    Made on demand: stored with each extent, a hostile file's long names would multiply.
    """
    names = []
    while index >= 0:
        extent = extents[index]
        names += [extent.name, extent.owner] if extent.owner else [extent.name]
        index = extent.parent
    return ".".join(reversed(names))
