"""Read symbols of a shard: by string or join key, what is known of them, definitions, relations, counts."""

from __future__ import annotations

from typing import Any, NamedTuple

from codetrail.model import symbols
from codetrail.model.ranges import Range
from codetrail.store.join_hash import hash_of
from codetrail.store.shard_reader import Shard

_COLUMNS = """s.id, p.scheme, p.manager, p.name, p.version, s.descr, s.kind, s.display, s.owner, s.flags,
    s.nref, s.ncall, s.ntest, s.nimport, s.nself, s.doc, s.line"""
_BY_ID = f"SELECT {_COLUMNS} FROM sym s LEFT JOIN pkg p ON p.id = s.pkg WHERE s.id = ?"
_ALL = f"SELECT {_COLUMNS} FROM sym s LEFT JOIN pkg p ON p.id = s.pkg WHERE s.id > ? ORDER BY s.id LIMIT ?"
_LISTED = """SELECT id, pkg, descr, kind, flags, nref - nimport - nself, doc, line FROM sym
    WHERE flags & 1 OR (? AND nref > nimport + nself)"""
_BY_HASH = "SELECT sym FROM symhash WHERE h = ? ORDER BY sym"
_DOCUMENTATION = "SELECT signature, documentation FROM symdoc WHERE id = ?"
_DEFINITIONS = """SELECT sym, doc, line, col, line + dline, ecol, sl, sc, el, ec FROM def WHERE sym = ?
    ORDER BY doc, line, col, dline, ecol"""
_DEFINITIONS_IN = """SELECT d.sym, d.doc, d.line, d.col, d.line + d.dline, d.ecol, d.sl, d.sc, d.el, d.ec
    FROM occ o CROSS JOIN def d
    WHERE o.doc = ? AND o.line BETWEEN ? AND ? AND o.roles & 1
    AND d.sym = o.sym AND d.doc = o.doc AND d.line = o.line AND d.col = o.col
    AND d.dline = o.dline AND d.ecol = o.ecol
    ORDER BY o.line, o.col, o.dline, o.ecol, o.sym"""
_RELATIONS_FROM = "SELECT sym, other, flags, derived FROM rel WHERE sym = ? ORDER BY other"
_RELATIONS_TO = "SELECT sym, other, flags, derived FROM rel WHERE other = ? ORDER BY sym"

SELECTS = (
    ("symbol by id", _BY_ID, False),
    ("all symbols", _ALL, False),
    ("listed symbols", _LISTED, True),
    ("symbol by hash", _BY_HASH, False),
    ("documentation", _DOCUMENTATION, False),
    ("definitions of a symbol", _DEFINITIONS, False),
    ("definitions in lines", _DEFINITIONS_IN, False),
    ("relations from", _RELATIONS_FROM, False),
    ("relations to", _RELATIONS_TO, False),
)


class SymbolRow(NamedTuple):
    """A global symbol. ``string`` is the whole symbol; ``display`` is empty where it is the last name.

    ``owner`` is a symbol id or 0. ``references`` counts the distinct places that are no definition; of these
    ``calls`` are calls, constructions or decorators, ``tests`` stand in test files, ``imports`` are imports
    and ``inside`` are other uses in the symbol's own extents. ``doc`` (-1: not defined here) and ``line`` are
    the first definition.
    """

    id: int
    string: str
    package: symbols.Package | None
    descr: str
    kind: int
    display: str
    owner: int
    flags: int
    references: int
    calls: int
    tests: int
    imports: int
    inside: int
    doc: int
    line: int


class ListedSymbol(NamedTuple):
    """What orders a symbol in a list: ``uses`` are references without imports and uses inside the symbol.

    ``package`` is an id, 0 for a symbol that does not parse, whose ``descr`` is the whole string; ``doc`` is
    -1 where it is not defined here.
    """

    id: int
    package: int
    descr: str
    kind: int
    flags: int
    uses: int
    doc: int
    line: int


class DefinitionRow(NamedTuple):
    """A place that defines a symbol; ``body`` is None where the producer gave none."""

    symbol: int
    doc: int
    name: Range
    body: Range | None


class RelationRow(NamedTuple):
    """Symbol id ``symbol`` relates to symbol id ``other``; flags as facts.REL_*."""

    symbol: int
    other: int
    flags: int
    derived: bool


def symbol(shard: Shard, number: int) -> SymbolRow | None:
    """Return the symbol with that id."""
    rows = shard.rows(_BY_ID, (number,))
    return _symbol_row(rows[0]) if rows else None


def all_symbols(shard: Shard, *, after: int = 0, limit: int) -> tuple[SymbolRow, ...]:
    """Return at most ``limit`` symbols with ids above ``after``, in the order of their strings."""
    return tuple(map(_symbol_row, shard.rows(_ALL, (after, limit))))


def listed_symbols(shard: Shard, *, used: bool) -> tuple[ListedSymbol, ...]:
    """Return the card of every symbol defined here and, with ``used``, of those that are used here only.

    A scan, for ``symbols --counts``; in no order.
    """
    return tuple(map(ListedSymbol._make, shard.rows(_LISTED, (int(used),))))


def symbols_by_key(shard: Shard, join_key: str) -> tuple[SymbolRow, ...]:
    """Return the symbols that join under ``symbols.join_key``; they may differ in version."""
    unit = str(shard.meta["unit"])
    found = []
    for (number,) in shard.rows(_BY_HASH, (hash_of(join_key),)):
        row = symbol(shard, number)
        if row and symbols.join_key(row.string, unit) == join_key:
            found.append(row)
    return tuple(found)


def documentation(shard: Shard, number: int) -> tuple[str, str]:
    """Return signature and documentation of a symbol id, empty where nothing was said."""
    rows = shard.rows(_DOCUMENTATION, (number,))
    return (rows[0][0], rows[0][1]) if rows else ("", "")


def definitions(shard: Shard, number: int) -> tuple[DefinitionRow, ...]:
    """Return where a symbol id is defined, in order of path and place."""
    return tuple(map(_definition_row, shard.rows(_DEFINITIONS, (number,))))


def definitions_in(shard: Shard, doc: int, first: int, last: int) -> tuple[DefinitionRow, ...]:
    """Return what has its name on lines ``first`` to ``last`` of a document (0-based, inclusive)."""
    return tuple(map(_definition_row, shard.rows(_DEFINITIONS_IN, (doc, first, last))))


def relations_from(shard: Shard, number: int) -> tuple[RelationRow, ...]:
    """Return what a symbol id says it relates to: what it overrides or implements."""
    rows = shard.rows(_RELATIONS_FROM, (number,))
    return tuple([RelationRow(a, b, flags, bool(derived)) for a, b, flags, derived in rows])


def relations_to(shard: Shard, number: int) -> tuple[RelationRow, ...]:
    """Return who says to relate to a symbol id: what overrides or implements it."""
    rows = shard.rows(_RELATIONS_TO, (number,))
    return tuple([RelationRow(a, b, flags, bool(derived)) for a, b, flags, derived in rows])


def _symbol_row(row: tuple[Any, ...]) -> SymbolRow:
    number, scheme, manager, name, version, descr, kind, display, *rest = row
    if scheme is None:
        return SymbolRow(number, descr, None, descr, kind, display or "", *rest)
    package = symbols.Package(scheme, manager, name, version)
    fields = [scheme, manager or ".", name or ".", version or "."]
    head = " ".join([field.replace(" ", "  ") for field in fields])
    return SymbolRow(number, f"{head} {descr}", package, descr, kind, display or "", *rest)


def _definition_row(row: tuple[Any, ...]) -> DefinitionRow:
    body = Range(*row[6:]) if row[6] >= 0 else None
    return DefinitionRow(row[0], row[1], Range(*row[2:6]), body)
