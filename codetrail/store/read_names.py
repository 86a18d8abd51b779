"""Look up names in a shard: which names match, which symbols and syntax-only definitions bear them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codetrail.model.identifiers import fold, style_key
from codetrail.store.shard_reader import Shard

_BY_TEXT = "SELECT id FROM name WHERE style = ? AND txt = ?"
_BY_FOLD = "SELECT id FROM name WHERE style = ? AND ifnull(fold, txt) = ? ORDER BY id"
_BY_STYLE = "SELECT id FROM name WHERE style = ? ORDER BY id"
_CONTAINING = "SELECT id FROM name WHERE instr(ifnull(fold, txt), ?) AND id > ? ORDER BY id LIMIT ?"
_TEXT = "SELECT txt FROM name WHERE id = ?"
_SYMBOLS = """SELECT sym, owner, doc, line, col, kind FROM namesym WHERE name = ? ORDER BY owner, sym"""
_SYMBOLS_OWNED = (
    """SELECT sym, owner, doc, line, col, kind FROM namesym WHERE name = ? AND owner = ? ORDER BY sym"""
)
_SYNTAX = "SELECT doc, n, owner FROM namesyntax WHERE name = ? ORDER BY owner, doc, n"
_SYNTAX_OWNED = "SELECT doc, n, owner FROM namesyntax WHERE name = ? AND owner = ? ORDER BY doc, n"
_UNBOUND = "SELECT doc, n FROM unbound WHERE name = ? ORDER BY doc"
_UNBOUND_SUM = "SELECT ifnull(sum(n), 0) FROM unbound WHERE name = ?"

SELECTS = (
    ("name by text", _BY_TEXT, False),
    ("name by fold", _BY_FOLD, False),
    ("name by style", _BY_STYLE, False),
    ("names containing", _CONTAINING, True),
    ("text of a name", _TEXT, False),
    ("symbols named", _SYMBOLS, False),
    ("symbols named, by owner", _SYMBOLS_OWNED, False),
    ("syntax definitions named", _SYNTAX, False),
    ("syntax definitions named, by owner", _SYNTAX_OWNED, False),
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


def names_containing(shard: Shard, text: str, *, limit: int, after: int = 0) -> tuple[int, ...]:
    """Return at most ``limit`` names (ids above ``after``, ascending by text) whose folded form holds
    ``text`` folded. A scan of all names."""
    return _ids(shard.rows(_CONTAINING, (fold(text), after, limit)))


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
