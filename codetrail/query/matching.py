"""Find the symbols that a typed name means, over all shards, the closest variant first (contract §3).

``substring`` does the same for parts of names.

A variant is used only if no closer one matched anything, be it a compiler's symbol or a definition that only
syntax knows. This module must not know places, rows or files; what the parser says of files that changed
comes from whoever asks (``CurrentDefinitions``), because references may not know syntax.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from codetrail.model import facts, symbols
from codetrail.model.answers import Variant
from codetrail.model.identifiers import (
    AS_TYPED,
    CASE_FOLDED,
    STYLE,
    NameVariant,
    fold,
    style_key,
)
from codetrail.query.groups import Group, Member, ParserDefinition, names_of, stands_under_path
from codetrail.query.snapshot import Part, View
from codetrail.store.read_documents import ExtentRow, extent
from codetrail.store.read_names import (
    names_exact,
    names_fold,
    names_style,
    packages,
    symbols_named,
    syntax_definitions,
)
from codetrail.store.read_symbols import SymbolRow, symbol, symbols_by_key

CurrentDefinitions = Callable[[str], Iterable[ParserDefinition]]
"""Gives the definitions, as the text now is, of files that no shard describes; only those whose text may hold
the name given need be given."""


def match_name(
    view: View, variants: Sequence[NameVariant], current: CurrentDefinitions | None = None
) -> list[Group]:
    """Return the groups of the closest variant that matches anything, unordered; empty when none does."""
    for (kind, value), readings in groupby(variants, key=lambda variant: (variant.kind, variant.value)):
        variant = None if kind == AS_TYPED else Variant(kind, value)
        found = _Found(view, variant)
        for reading in readings:
            for part in view.parts:
                _match_in_part(found, part, reading)
            if current is not None:
                for definition in current(reading.name):
                    _match_current(found, definition, reading)
        if groups := found.groups():
            return groups
    return []


def match_symbol(view: View, text: str) -> list[Group]:
    """Return the groups of a SCIP symbol string, joined over all shards; empty when no shard has it.

    Several when its package has no name, which joins only inside a unit. Where only other versions of the
    package are here, the group is that of the version asked for, so that all its rows are candidates.
    """
    exact: dict[str, Group] = {}
    other: dict[str, Group] = {}
    for part in view.parts:
        key = symbols.join_key(text, part.unit)
        if key in exact:
            continue
        for row in _by_key(part, key):
            if row.string == text:
                exact[key] = join(view, part, row)
                break
            if key not in other:
                other[key] = join(view, part, row)._replace(versions=frozenset({_version_of(text)}) - {""})
    return list((exact or other).values())


def join(view: View, part: Part, row: SymbolRow) -> Group:
    """Return the group of one symbol of one shard: itself and what joins with it in every other shard."""
    key = key_of(part, row)
    members = [
        Member(other, found)
        for other in view.parts_joining(part, row.package)
        for found in _by_key(other, key)
    ]
    version = row.package.version if row.package else ""
    return precise_group(key, members or [Member(part, row)])._replace(versions=frozenset({version}) - {""})


def parser_group(definition: ParserDefinition, owners: int = 0, closeness: int = 0) -> Group:
    """Return the group of a definition that only syntax knows."""
    return Group(
        key=f"\0{definition.path}\0{definition.name_range.line}\0{definition.name_range.column}",
        kind=definition.kind,
        language=definition.language,
        place=(definition.path, definition.name_range.line),
        is_test=definition.is_test,
        parser=definition,
        owners=owners,
        closeness=closeness,
    )


def stored_definition(part: Part, found: ExtentRow) -> ParserDefinition | None:
    """Turn an extent of a shard into a parser's definition; None where a compiler knows it, or masked."""
    document = part.document(found.doc)
    if found.symbol or not found.name or document is None:
        return None
    return ParserDefinition(
        document.path,
        document.language,
        found.kind,
        found.name,
        found.qualified,
        found.name_range,
        found.body,
        bool(document.flags & facts.DOC_TEST),
        document.sha256,
    )


class _Found:
    """Collects members by join key, and definitions of the parser, of one variant."""

    def __init__(self, view: View, variant: Variant | None) -> None:
        self._view = view
        self._variant = variant
        self._members: dict[str, dict[tuple[str, int], Member]] = {}
        self._ranks: dict[str, int] = {}
        self._parser: dict[str, Group] = {}

    def add(self, part: Part, row: SymbolRow, owners: int | None, language: str) -> None:
        """Collect a member; ``language`` is the only one for which it counts, empty: any."""
        if owners is None or (language and language != _language_of(part, row)) or not part.shows(row.id):
            return
        key = key_of(part, row)
        self._members.setdefault(key, {})[part.shard.file, row.id] = Member(part, row)
        self._ranks[key] = min(owners, self._ranks.get(key, owners))

    def add_parser(self, definition: ParserDefinition, owners: int | None, language: str) -> None:
        """Collect a definition that only syntax knows; ``language`` as in ``add``."""
        if owners is not None and language in ("", definition.language):
            group = parser_group(definition, owners)
            self._parser.setdefault(group.key, group)

    def groups(self) -> list[Group]:
        found: list[Group] = []
        for key, members in self._members.items():
            whole = list(members.values())
            if whole[0].row.package is None:
                # Such a symbol is named by what one shard says of it; others may only mention it.
                whole = [Member(part, row) for part in self._view.parts for row in _by_key(part, key)]
            group = precise_group(key, whole)
            found.append(group._replace(owners=self._ranks[key], variant=self._variant))
        return found + [group._replace(variant=self._variant) for group in self._parser.values()]


def key_of(part: Part, row: SymbolRow) -> str:
    """Return the join key of a symbol of a shard, without taking its string apart again."""
    if row.package is None:
        return symbols.join_key(row.string, part.unit)
    return _prefix(row.package, part.unit) + row.descr


@lru_cache(maxsize=256)
def _prefix(package: symbols.Package, unit: str) -> str:
    return symbols.join_prefix(package, unit)


def _language_of(part: Part, row: SymbolRow) -> str:
    document = part.document(row.doc) if row.doc >= 0 else None
    return document.language if document else part.entry.language


def package_prefixes(part: Part) -> dict[int, str]:
    """Return what the join keys of the symbols of each package of a shard begin with, by the package's id."""
    return {number: _prefix(package, part.unit) for number, package in packages(part.shard).items()}


def _by_key(part: Part, key: str) -> tuple[SymbolRow, ...]:
    return tuple([row for row in symbols_by_key(part.shard, key) if part.shows(row.id)])


def precise_group(key: str, members: list[Member]) -> Group:
    """Return the group of the members that join under ``key``; one that is defined speaks for it."""
    defined = [(place, member) for member in members if (place := _place(member))]
    defined.sort(key=lambda pair: (pair[0], pair[1].row.string))
    members.sort(key=lambda member: (member.row.string, member.part.unit, member.part.shard.file))
    place, chosen = defined[0] if defined else (None, members[0])
    # The one that defines speaks for the group.
    members = [chosen, *(member for member in members if member is not chosen)]
    row = chosen.row
    document = chosen.part.document(row.doc) if row.doc >= 0 else None
    return Group(
        key=key,
        kind=row.kind,
        language=document.language if document else chosen.part.entry.language,
        place=place,
        is_test=bool(row.flags & facts.SYM_TEST),
        members=tuple(members),
        versions=frozenset(
            member.row.package.version for _, member in defined if member.row.package is not None
        )
        - {""},
    )


def _place(member: Member) -> tuple[str, int] | None:
    document = member.part.document(member.row.doc) if member.row.doc >= 0 else None
    return (document.path, member.row.line) if document else None


def _match_in_part(found: _Found, part: Part, reading: NameVariant) -> None:
    ids, key = _LOOKUPS.get(reading.kind, (names_exact, _identity))
    owners = _owner_ids(part, reading)
    for name in ids(part.shard, reading.name):
        for owner in owners:
            for named in symbols_named(part.shard, name, owner):
                row = symbol(part.shard, named.symbol)
                if row is not None:
                    found.add(part, row, rank_of_symbol(reading, row, key), reading.language)
        # The owner of an extent may be its module, which no qualified name holds: not to be sought by.
        for syntax in syntax_definitions(part.shard, name):
            if definition := definition_at(part, syntax.doc, syntax.n):
                rank = owner_rank(reading, *names_of_definition(definition), key)
                found.add_parser(definition, rank, reading.language)


def _owner_ids(part: Part, reading: NameVariant) -> Iterable[int | None]:
    """Return the owners' name ids to seek by: those of the last owner given, and none at all."""
    if not reading.owners:
        return (None,)
    ids, _ = _LOOKUPS.get(reading.kind, (names_exact, _identity))
    return (0, *ids(part.shard, reading.owners[-1]))


def _match_current(found: _Found, definition: ParserDefinition, reading: NameVariant) -> None:
    _, key = _LOOKUPS.get(reading.kind, (names_exact, _identity))
    if key(definition.name) == reading.name:
        rank = owner_rank(reading, *names_of_definition(definition), key)
        found.add_parser(definition, rank, reading.language)


def definition_at(part: Part, doc: int, n: int) -> ParserDefinition | None:
    """Return what only syntax knows at an extent, None as ``stored_definition`` does."""
    found = extent(part.shard, doc, n)
    return stored_definition(part, found) if found else None


def rank_of_symbol(reading: NameVariant, row: SymbolRow, key: Callable[[str], str]) -> int | None:
    """Say how well the owners given match those of a symbol, as ``owner_rank`` does."""
    if not reading.owners:
        return 0
    names, module = names_of(row)
    if reading.whole and len(names) == 1 and module and stands_under_path(row):
        # Its dotted name is the typed one as much as that of the file which came first.
        return 1 if module[-len(reading.owners) :] == reading.owners else None
    return owner_rank(reading, names[:-1], module, key)


def names_of_definition(definition: ParserDefinition) -> tuple[list[str], list[str]]:
    """Return the owners of a parser's definition and the parts of its path, its file's ending left out."""
    qualified = definition.qualified.removesuffix(definition.name).rstrip(".")
    path = definition.path.rpartition(".")[0] or definition.path
    parts = path.split("/")
    if parts[-1] in {"__init__", "index", "mod"}:
        parts.pop()
    return qualified.split(".") if qualified else [], parts


def owner_rank(
    reading: NameVariant, owners: Sequence[str], module: Sequence[str], key: Callable[[str], str]
) -> int | None:
    """Say how well the owners given match: 0 all of them, 1 the inner ones, 2 with the head of the module.

    None when one of them does not match. Given parts are held against the owners from the inside out, what
    is left of them against the end of the module's name, or its beginning (``pkg.Class`` for a class of
    ``pkg._impl``: packages show what their parts define).
    """
    given = list(map(key, reading.owners))
    own = list(map(key, owners))
    if reading.whole:
        return 0 if given == own else None
    if not given:
        return 0
    held = min(len(given), len(own))
    if held and given[-held:] != own[-held:]:
        return None
    rest = given[: len(given) - held]
    if not rest:
        return 0 if held == len(own) else 1
    parts = list(map(key, module))
    if parts[-len(rest) :] == rest:
        return 0
    return 2 if parts[: len(rest)] == rest else None


def _version_of(text: str) -> str:
    try:
        return symbols.split_package(text)[0].version
    except symbols.SymbolError:
        return ""


def _identity(text: str) -> str:
    return text


_LOOKUPS = {STYLE: (names_style, style_key), CASE_FOLDED: (names_fold, fold)}
