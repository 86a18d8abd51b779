"""Look up names in a shard: which names match, which symbols and syntax-only definitions bear them."""

from __future__ import annotations

from collections.abc import Iterable
from json import dumps
from typing import NamedTuple

from codetrail.model.identifiers import fold, style_key
from codetrail.model.symbols import Package
from codetrail.store.shard_reader import Shard

_BY_TEXT = "SELECT id FROM name WHERE style = ? AND txt = ?"
_BY_FOLD = "SELECT id FROM name WHERE style = ? AND ifnull(fold, txt) = ? ORDER BY id"
_BY_STYLE = "SELECT id FROM name WHERE style = ? ORDER BY id"
_CONTAINING = "SELECT id, txt FROM name WHERE instr(ifnull(fold, txt), ?)"
_CARDS = """SELECT y.name, s.id, s.doc, s.line, s.kind, s.flags, s.pkg, s.descr
    FROM json_each(?) j CROSS JOIN namesym y ON y.name = j.value CROSS JOIN sym s ON s.id = y.sym
    WHERE y.doc >= 0"""
_SPREAD = "SELECT d.sym, d.doc FROM json_each(?) j CROSS JOIN def d ON d.sym = j.value"
_SYNTAX_CARDS = """SELECT x.name, x.doc, x.n
    FROM json_each(?) j CROSS JOIN namesyntax x ON x.name = j.value"""
_PACKAGES = "SELECT id, scheme, manager, name, version FROM pkg"
_TEXT = "SELECT txt FROM name WHERE id = ?"
_SYMBOLS = """SELECT sym, owner, doc, line, col, kind FROM namesym WHERE name = ? ORDER BY owner, sym"""
_SYMBOLS_OWNED = (
    """SELECT sym, owner, doc, line, col, kind FROM namesym WHERE name = ? AND owner = ? ORDER BY sym"""
)
_SYNTAX = "SELECT doc, n, owner FROM namesyntax WHERE name = ? ORDER BY owner, doc, n"
_SYNTAX_OWNED = "SELECT doc, n, owner FROM namesyntax WHERE name = ? AND owner = ? ORDER BY doc, n"
_ALL_SYNTAX = "SELECT doc, n FROM namesyntax"
_UNBOUND = "SELECT doc, n FROM unbound WHERE name = ? ORDER BY doc"
_UNBOUND_SUM = "SELECT ifnull(sum(n), 0) FROM unbound WHERE name = ?"

SELECTS = (
    ("name by text", _BY_TEXT, False),
    ("name by fold", _BY_FOLD, False),
    ("name by style", _BY_STYLE, False),
    ("names containing", _CONTAINING, True),
    ("cards of names", _CARDS, False),
    ("documents of definitions", _SPREAD, False),
    ("syntax definitions of names", _SYNTAX_CARDS, False),
    ("packages", _PACKAGES, True),
    ("text of a name", _TEXT, False),
    ("symbols named", _SYMBOLS, False),
    ("symbols named, by owner", _SYMBOLS_OWNED, False),
    ("syntax definitions named", _SYNTAX, False),
    ("syntax definitions named, by owner", _SYNTAX_OWNED, False),
    ("all syntax definitions", _ALL_SYNTAX, True),
    ("unbound tokens", _UNBOUND, False),
    ("unbound total", _UNBOUND_SUM, False),
)


class NamedSymbol(NamedTuple):
    """A symbol that bears a name, with the card of its first definition here (doc -1: not defined here)."""

    symbol: int
    owner: int
    doc: int
    line: int
    column: int
    kind: int


class Card(NamedTuple):
    """What ranks a symbol before anything else of it is read; ``package`` is an id, 0 for none.

    ``doc`` and ``line`` (0-based) are its first definition; ``flags`` as facts.SYM_*.
    """

    name: int
    symbol: int
    doc: int
    line: int
    kind: int
    flags: int
    package: int
    descr: str


class SyntaxDefinition(NamedTuple):
    """A definition only syntax knows: extent ``n`` of ``doc``, owner's name id (0: none)."""

    doc: int
    n: int
    owner: int


def names_exact(shard: Shard, text: str) -> tuple[int, ...]:
    """Return the id of the very name, if it is here."""
    return _ids(shard.rows(_BY_TEXT, (style_key(text), text)))


def names_fold(shard: Shard, text: str) -> tuple[int, ...]:
    """Return the ids of the names that differ from ``text`` in case only."""
    return _ids(shard.rows(_BY_FOLD, (style_key(text), fold(text))))


def names_style(shard: Shard, text: str) -> tuple[int, ...]:
    """Return the ids of the names that differ in case and in ``_`` or ``-`` only."""
    return _ids(shard.rows(_BY_STYLE, (style_key(text),)))


def names_containing(shard: Shard, text: str) -> dict[int, str]:
    """Return the names, text by id, whose folded form holds ``text`` folded. A scan of all names."""
    return dict(shard.rows(_CONTAINING, (fold(text),)))


def cards(shard: Shard, names: Iterable[int]) -> list[Card]:
    """Return the symbols defined here that bear the names with these ids.

    A symbol that bears several of them comes once for each.
    """
    return list(map(Card._make, shard.rows(_CARDS, (dumps([*names]),))))


def spread(shard: Shard, symbols: Iterable[int]) -> dict[int, dict[int, int]]:
    """Count the definitions of symbol ids: symbol id to document id to how many."""
    found: dict[int, dict[int, int]] = {}
    for number, doc in shard.rows(_SPREAD, (dumps([*symbols]),)):
        documents = found.setdefault(number, {})
        documents[doc] = documents.get(doc, 0) + 1
    return found


def syntax_cards(shard: Shard, names: Iterable[int]) -> list[tuple[int, int, int]]:
    """Return name id, document id and extent of the definitions that only syntax knows by these name ids."""
    return shard.rows(_SYNTAX_CARDS, (dumps([*names]),))


def packages(shard: Shard) -> dict[int, Package]:
    """Return the packages of a shard by id."""
    return {row[0]: Package(*row[1:]) for row in shard.rows(_PACKAGES)}


def name_text(shard: Shard, name: int) -> str:
    """Return the text of a name id; 0 is no name."""
    rows = shard.rows(_TEXT, (name,)) if name else []
    return str(rows[0][0]) if rows else ""


def symbols_named(shard: Shard, name: int, owner: int | None = None) -> tuple[NamedSymbol, ...]:
    """Return the global symbols with that name id, all or those under one owner's name id (0: none)."""
    every = owner is None
    rows = shard.rows(_SYMBOLS, (name,)) if every else shard.rows(_SYMBOLS_OWNED, (name, owner))
    return tuple(map(NamedSymbol._make, rows))


def syntax_definitions(shard: Shard, name: int, owner: int | None = None) -> tuple[SyntaxDefinition, ...]:
    """Return the definitions that only syntax knows by that name id, all or those under one owner's."""
    every = owner is None
    rows = shard.rows(_SYNTAX, (name,)) if every else shard.rows(_SYNTAX_OWNED, (name, owner))
    return tuple(map(SyntaxDefinition._make, rows))


def all_syntax_definitions(shard: Shard) -> list[tuple[int, int]]:
    """Return document id and extent of every definition that only syntax knows. A scan; in no order."""
    return shard.rows(_ALL_SYNTAX)


def unbound(shard: Shard, names: Iterable[int]) -> dict[int, int]:
    """Count, per document id, the tokens of these names that carry no precise occurrence."""
    found: dict[int, int] = {}
    for name in names:
        for doc, count in shard.rows(_UNBOUND, (name,)):
            found[doc] = found.get(doc, 0) + count
    return found


def unbound_total(shard: Shard, names: Iterable[int]) -> int:
    """Count the tokens of these names in the whole shard that carry no precise occurrence."""
    return sum(shard.rows(_UNBOUND_SUM, (name,))[0][0] for name in names)


def _ids(rows: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple([row[0] for row in rows])
