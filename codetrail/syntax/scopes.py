"""The scopes of a file and what each binds, as facts: what a bare name means where it stands.

Nothing here guesses: a name that its innermost scope binds in two ways means nothing, nor does one that may
be a member of something unknown. ``scope_reader`` makes these values. This module must not know trees, nor
other files.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from codetrail.syntax.file_syntax import Extent
    from codetrail.syntax.imports.binding import ImportBinding
    from codetrail.syntax.scoping import Scoping

FILE, FUNCTION, KEEPER, FOREIGN, BLOCK, CLASS, CLOSED, OPAQUE = range(8)
"""What a scope is. A keeper is a function that keeps ``this``; a foreign one has a ``this`` of unknown type,
whose members hide what is around. What is opaque is not looked into: too deep, or text that a macro takes."""

_METHODS = frozenset({"method", "staticmethod", "function"})


class Scope(NamedTuple):
    """A part of a file (bytes) that binds names; ``parent`` is the index of the one around it, or -1.

    Of a class ``name_start`` is that of its name (-1: it has none), ``owner`` the type of an ``impl``, and
    ``inherits`` tells whether it may have members that are defined elsewhere. Of a method that names its
    object, ``receiver`` is that name and ``owner`` the type. ``body`` is where that of a function begins.
    """

    start: int
    end: int
    kind: int
    parent: int
    name_start: int = -1
    owner: str = ""
    inherits: bool = False
    depth: int = 0
    receiver: str = ""
    body: int = -1


class Bound(NamedTuple):
    """One way in which a scope binds a name: a definition (index of its extent), an import, or neither.

    ``is_signature``: it only announces another of that name. It holds from the byte ``since`` on; from
    ``open_from`` to there nothing tells what the name means.
    """

    extent: int = -1
    imported: ImportBinding | None = None
    is_signature: bool = False
    is_parameter: bool = False
    since: int = 0
    open_from: int = sys.maxsize


class Scopes:
    """What the names of one file mean; made once, without the tree."""

    __slots__ = (
        "_bound",
        "_extents",
        "_outer_stars",
        "_scoping",
        "_star_start",
        "_starred",
        "_starts",
        "all",
    )

    def __init__(
        self,
        scopes: list[Scope],
        bound: dict[tuple[int, str], list[Bound]],
        stars: Iterable[tuple[int, ImportBinding]],
        extents: Sequence[Extent],
        scoping: Scoping,
    ) -> None:
        self.all = scopes
        self._bound = bound
        stars = list(stars)
        self._outer_stars = {scope for scope, star in stars if star.module == "super"}
        self._starred = {scope for scope, _ in stars if scope and scopes[scope].kind != CLOSED}
        own = [star.start for scope, star in stars if scope == 0 and scoping.stars_rebind]
        self._star_start = max(own, default=-1)
        self._starts = [scope.start for scope in scopes]
        self._extents = extents
        self._scoping = scoping

    def around(self, at: int) -> Iterator[int]:
        """Yield the scopes around a byte, innermost first; the last is the file."""
        index = bisect_right(self._starts, at) - 1
        while index >= 0:
            if self.all[index].end > at:
                yield index
            index = self.all[index].parent

    def find(self, name: str, at: int, *, called: bool) -> tuple[Bound, int] | None:
        """Return what a bare name means at a byte, and the scope that binds it; None where that is open.

        ``called``: it stands for a function, which in some languages no variable of that name hides.
        """
        inner: Scope | None = None
        if name in self._scoping.ambient:
            return None
        for index in self.around(at):
            scope = self.all[index]
            if scope.kind == OPAQUE:
                return None
            if self._shows(scope, inner, at):
                found = self._in(index, name, called=called, at=at)
                if found:
                    is_told = len(found) == 1 and found[0].since <= at
                    return (found[0], index) if is_told else None
                if self._may_hide(scope, name) or index in self._starred:
                    return None
            if scope.kind == CLOSED and index not in self._outer_stars:
                return None
            inner = scope
        return None

    def top(self, name: str) -> Bound | None:
        """Return what a name means for the file as a whole."""
        found = self._in(0, name, called=True) or self._in(0, name, called=False)
        return found[0] if len(found) == 1 else None

    def binds(self, name: str) -> bool:
        """Tell whether the file as a whole binds a name in any way."""
        return (0, name) in self._bound or self._star_start >= 0

    def inside(self, index: int, name: str) -> Bound | None:
        """Return what one scope itself binds a name to."""
        found = self._in(index, name, called=True)
        return found[0] if len(found) == 1 else None

    def dotted(self, name: str, at: int) -> list[ImportBinding]:
        """Return the imports of ``import a.b`` that bind ``a`` where nothing else does."""
        for index in self.around(at):
            if self.all[index].kind == OPAQUE:
                return []
            found = self._bound.get((index, name))
            if found:
                dotted = [one.imported for one in found if one.imported is not None]
                return dotted if len(dotted) == len(found) else []
        return []

    def _shows(self, scope: Scope, inner: Scope | None, at: int) -> bool:
        """Tell whether a scope's names are seen as bare ones from a byte; ``inner`` is the next inner."""
        if scope.kind != CLASS or self._scoping.members == "inside":
            return True
        if self._scoping.members != "directly":
            return False
        # What stands before the body of a method (a default value) is evaluated in the class.
        return inner is None or at < inner.body

    def _may_hide(self, scope: Scope, name: str) -> bool:
        """Tell whether a scope that does not bind a name may still have a member of that name."""
        if scope.kind == FOREIGN:
            return True
        if scope.kind != CLASS or self._scoping.members != "inside":
            return False
        return scope.inherits or name in self._scoping.inherited

    def _in(self, index: int, name: str, *, called: bool, at: int | None = None) -> list[Bound]:
        """Return the ways in which a scope binds a name; at a byte only those that hold or are open there."""
        found = self._bound.get((index, name), [])
        if at is not None:
            found = [one for one in found if one.since <= at or one.open_from <= at]
        if self._scoping.apart:
            found = [one for one in found if self._is_method(one) == called or one.imported is not None]
            # A static import is known by its member; a class import is never called by its bare name.
            if called:
                found = [one for one in found if one.imported is None or one.imported.member is not None]
        if len(found) > 1:
            whole = [one for one in found if not one.is_signature]
            found = whole if len(whole) == 1 and whole[0].extent >= 0 else found
        if found and index == 0 and self._start(found[0]) < self._star_start:
            return [*found, Bound()]  # a later star may bind it again
        return found

    def _start(self, bound: Bound) -> int:
        if bound.imported is not None:
            return bound.imported.start
        return self._extents[bound.extent].start if bound.extent >= 0 else -1

    def _is_method(self, bound: Bound) -> bool:
        return bound.extent >= 0 and self._extents[bound.extent].kind in _METHODS
