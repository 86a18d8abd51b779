"""The calls of one file, its definitions, and what its names mean to other files, as facts.

``callees`` makes these values. This module must not know trees, nor other files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.model.kinds import CALLABLE, NUMBERS
from codetrail.syntax.file_syntax import Extent, qualified_name

if TYPE_CHECKING:
    from codetrail.syntax.imports.binding import ImportBinding
    from codetrail.syntax.scopes import Bound, Scopes

_SCRIPTS = ("javascript", "typescript")


class Callee(NamedTuple):
    """What a call calls: a definition of its own file (index of the extent), or what ``imported`` gives.

    Of that ``members`` are taken, one after another.
    """

    extent: int = -1
    imported: ImportBinding | None = None
    members: tuple[str, ...] = ()


class Call(NamedTuple):
    """One call: the span (bytes) of the name that calls, its index in ``USES``, what it calls if known.

    ``values`` is how many it gives, where the language tells functions apart by that, else None.
    """

    start: int
    end: int
    use: int
    callee: Callee | None
    values: int | None = None


class FileCalls:
    """The calls of a file, its definitions, and what its names mean to others.

    ``starts`` are those of ``extents``, ``around`` the index of the innermost extent that each stands in.
    ``exports`` are what a script gives by name: its name here, the first byte of its name, or an import.
    ``package`` is the one that a file of Java or Kotlin says it is of, ``taken`` how many values its
    functions take at least and at most, by the first byte of the name.
    """

    __slots__ = (
        "_by_name",
        "_children",
        "_scopes",
        "_taken",
        "around",
        "calls",
        "exports",
        "extents",
        "language",
        "package",
        "starts",
    )

    def __init__(
        self,
        language: str,
        extents: tuple[Extent, ...],
        calls: tuple[Call, ...],
        exports: dict[str, str | int | ImportBinding],
        scopes: Scopes | None,
        package: str = "",
        taken: dict[int, tuple[int, int]] | None = None,
    ) -> None:
        self.language = language
        self.extents = extents
        self.calls = calls
        self.exports = exports
        self.package = package
        self._taken = taken or {}
        self.starts = [extent.start for extent in extents]
        self.around = _around(extents)
        self._scopes = scopes
        self._children = children_of(extents)
        self._by_name = {extent.name_start: index for index, extent in enumerate(extents)}

    def qualified(self, extent: int) -> str:
        """Return the qualified name of a definition."""
        return qualified_name(self.extents, extent)

    def takes(self, extent: int, values: int | None) -> bool:
        """Tell whether a definition can be called with so many values (None: not known)."""
        bounds = self._taken.get(self.extents[extent].name_start)
        return bounds is None or values is None or bounds[0] <= values <= bounds[1]

    def member(self, extent: int, name: str) -> int | None:
        """Return the only member of a definition with that name; None where there are none or several."""
        return only_member(self._children, self.extents, extent, name)

    def top(self, name: str) -> Callee | None:
        """Return what a name that the file gives to others means; None where that is open."""
        given: str | int | ImportBinding = name
        if self.language in _SCRIPTS:
            if name not in self.exports:
                return None
            given = self.exports[name]
        if isinstance(given, int):
            return Callee(self._by_name[given]) if given in self._by_name else None
        if not isinstance(given, str):
            return Callee(imported=given)
        bound = self._scopes.top(given) if self._scopes is not None else None
        return callee_of(bound) if bound is not None else None

    def binds(self, name: str) -> bool:
        """Tell whether the file binds a name at its top in any way, known or not."""
        return self._scopes is None or self._scopes.binds(name)


def callee_of(bound: Bound) -> Callee | None:
    """Return what a name that is bound so calls; None where no definition or import binds it."""
    if bound.imported is not None:
        return Callee(imported=bound.imported)
    return Callee(bound.extent) if bound.extent >= 0 else None


def children_of(extents: tuple[Extent, ...]) -> dict[tuple[int, str, str], list[int]]:
    """Index definitions by owner (extent, or the name of one that is elsewhere) and name."""
    found: dict[tuple[int, str, str], list[int]] = {}
    for index, extent in enumerate(extents):
        if extent.kind != "callback":
            found.setdefault((extent.parent, extent.owner, extent.name), []).append(index)
    return found


def _around(extents: tuple[Extent, ...]) -> list[int]:
    """Return for each extent the index of the innermost one that the text puts it in, or -1."""
    found: list[int] = []
    top = -1
    for index, extent in enumerate(extents):
        while top >= 0 and extents[top].end <= extent.start:
            top = found[top]
        found.append(top)
        top = index
    return found


def only_member(
    children: dict[tuple[int, str, str], list[int]], extents: tuple[Extent, ...], extent: int, name: str
) -> int | None:
    """Return the only member of a definition with that name; None where there are none or several."""
    one = extents[extent]
    if NUMBERS[one.kind] in CALLABLE:
        return None  # what stands in a function is no member of it
    found = [*children.get((extent, "", name), ()), *children.get((one.parent, one.name, name), ())]
    return found[0] if len(found) == 1 else None
