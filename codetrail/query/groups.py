"""What an identifier matched: groups of symbols that answer together, and the order in which they do.

A group is one symbol in all its shards, one definition that only syntax knows, or one local of a document
(contract §3: rows come group by group). This module holds values and their order; it must not read anything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from codetrail.model import facts, kinds, symbols
from codetrail.model.answers import Variant
from codetrail.model.ranges import Range

if TYPE_CHECKING:
    from codetrail.query.snapshot import Part
    from codetrail.store.read_documents import DocumentRow
    from codetrail.store.read_symbols import SymbolRow

_NOWHERE = "\U0010ffff"
"""Sorts after every path."""


class Member(NamedTuple):
    """One symbol string in one shard."""

    part: Part
    row: SymbolRow


class ParserDefinition(NamedTuple):
    """A definition that only syntax knows; ranges are 0-based and in code points.

    ``sha256`` is the hash of the bytes that were parsed.
    """

    path: str
    language: str
    kind: int
    name: str
    qualified: str
    name_range: Range
    body: Range
    is_test: bool
    sha256: bytes


class LocalSymbol(NamedTuple):
    """A document-local symbol: its number in the document ``doc`` of a shard, never joined elsewhere."""

    part: Part
    doc: int
    number: int


class Group(NamedTuple):
    """One thing that was asked about; exactly one of ``members``, ``parser`` and ``local`` is filled.

    But of a ``local`` that a function is bound to ``parser`` is that function.

    Names are made on demand: of thousands of groups only a page is ever named.

    ``place`` is where it is first defined, path and 0-based line, or None outside the workspace.
    ``versions`` are the package versions that the question is about (empty: any): members of another one are
    candidates only. ``closeness`` and ``owners`` order groups, smaller first.
    """

    key: str
    kind: int
    language: str
    place: tuple[str, int] | None
    is_test: bool = False
    members: tuple[Member, ...] = ()
    parser: ParserDefinition | None = None
    local: LocalSymbol | None = None
    local_name: str = ""
    versions: frozenset[str] = frozenset()
    closeness: int = 0
    owners: int = 0
    variant: Variant | None = None

    @property
    def name(self) -> str:
        """Return the simple name; a module's is its dotted one."""
        if self.members:
            row = self.members[0].row
            return row.display or names_of(row)[0][-1]
        return self.parser.name if self.parser is not None else self.local_name

    @property
    def qualified(self) -> str:
        """Return the qualified name (contract §3)."""
        if self.members:
            return ".".join(names_of(self.members[0].row)[0])
        return self.parser.qualified if self.parser is not None else self.local_name

    @property
    def kind_word(self) -> str:
        """Return the public word of the kind (contract §4)."""
        return kinds.WORDS.get(self.kind, "symbol")

    @property
    def symbol(self) -> str:
        """Return the SCIP symbol string, empty for what has none."""
        return self.members[0].row.string if self.members else ""

    @property
    def simple_names(self) -> tuple[str, ...]:
        """Return the names under which source text speaks of it."""
        if not self.members:
            return (self.name,)
        names, _ = names_of(self.members[0].row)
        # A module's dotted name stands in the text part by part.
        return (names[-1].rpartition(".")[2] or names[-1],)

    @property
    def coordinate(self) -> str:
        """Return what pastes into the next question: the coordinate, outside the workspace the symbol."""
        if self.place is None:
            return self.symbol or self.qualified
        path, line = self.place
        return f"{path}:{line + 1}#{self.qualified}"

    def order(self) -> tuple[object, ...]:
        """Return the sort key of contract §3: best first, total."""
        path, line = self.place or (_NOWHERE, 0)
        return (
            self.closeness,
            self.owners,
            kinds.rank(self.kind),
            0 if self.parser is None else 1,
            self.is_test,
            path,
            line,
            self.key,
        )


def best_first(groups: list[Group]) -> tuple[Group, ...]:
    """Order groups as contract §3 ranks them."""
    return tuple(sorted(groups, key=Group.order))


def local_group(local: LocalSymbol, document: DocumentRow, line: int, kind: int, name: str) -> Group:
    """Return the group of a document-local symbol; ``line`` (0-based) is where it first stands."""
    return Group(
        key=f"\0{document.path}\0local {local.number}",
        kind=kind,
        language=document.language,
        place=(document.path, line),
        is_test=bool(document.flags & facts.DOC_TEST),
        local=local,
        local_name=name,
    )


def is_of_other_version(group: Group, member: Member | LocalSymbol) -> bool:
    """Tell whether a member is of another version of the package than a question about ``group`` is about."""
    if isinstance(member, LocalSymbol) or not group.versions:
        return False
    package = member.row.package
    return package is not None and package.version not in {"", *group.versions}


def names_of(row: SymbolRow) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return owners and name of a symbol, outermost first, and the parts of the module it is in.

    A symbol that does not parse has its display name only.
    """
    if row.package is None:
        return (row.display or row.descr,), ()
    return _names_of_descriptors(row.descr)


def bears(row: SymbolRow, qualified: str) -> bool:
    """Tell whether a symbol can be what syntax calls by a qualified name.

    Owners that are types or functions stand in it, in their order; objects and namespaces may. A symbol that
    does not parse bears its display name.
    """
    parts = qualified.split(".")
    if row.package is None:
        return (row.display or row.descr) == parts[-1]
    if ".".join(names_of(row)[0]) == qualified:
        return True
    left = len(parts)
    for number, one in enumerate(reversed(symbols.parse_descriptors(row.descr))):
        if left and symbols.spoken(one.name) == parts[left - 1]:
            left -= 1
        elif number == 0 or (one.suffix in (symbols.TYPE, symbols.METHOD) and not symbols.is_unnamed(one)):
            return False
    return not left


def stands_under_path(row: SymbolRow) -> bool:
    """Tell whether a symbol is a module under its path, because another file has its dotted name."""
    return row.package is not None and symbols.is_under_path(symbols.parse_descriptors(row.descr))


@lru_cache(maxsize=4096)
def _names_of_descriptors(descr: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    descriptors = symbols.parse_descriptors(descr)
    module = tuple([part for part in symbols.module_of(descriptors).split(".") if part])
    names = tuple(symbols.names(descriptors))
    if len(names) == 1 and all(one.suffix in (symbols.NAMESPACE, symbols.META) for one in descriptors):
        # A module's name is its dotted path: what it is in are the parts before the last.
        return names, module[:-1]
    return names, module
