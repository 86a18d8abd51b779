"""Give the symbols and names of a shard their ids, names, owners, counts and packages, at the end of a build.

Works on the writer's connection, whose occ and def are already in place, in one pass over the symbols in the
order of their strings. It must not know where symbols came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

import apsw

from codetrail.model import facts, kinds, symbols
from codetrail.model.identifiers import fold, style_key
from codetrail.store.join_hash import hash_of
from codetrail.store.packages import PackageKey
from codetrail.store.symbol_parts import SymbolParts, parts_of

_IMPORT = facts.USES.index("import")
_CALLS = ",".join(str(facts.USES.index(use)) for use in ("call", "construct", "decorator"))

_COUNTS = f"""SELECT sym, count(*), sum(use IN ({_CALLS})),
    sum(doc IN (SELECT id FROM doc WHERE flags & {facts.DOC_TEST})), sum(use = {_IMPORT})
    FROM occ WHERE NOT roles & {facts.ROLE_DEFINITION} GROUP BY sym ORDER BY sym"""

_FIRST_DEFINITIONS = f"""SELECT d.sym, d.doc, d.line, d.col FROM def d CROSS JOIN occ o
    WHERE o.sym = d.sym AND o.doc = d.doc AND o.line = d.line AND o.col = d.col
    AND o.dline = d.dline AND o.ecol = d.ecol
    ORDER BY d.sym, min(o.roles & {facts.ROLE_FORWARD_DEFINITION}) OVER (PARTITION BY d.sym, d.doc),
    d.doc, d.line, d.col, d.dline, d.ecol"""
"""Files that merely announce a definition or add to it come after those that hold it."""

_INFOS = """SELECT m.new, i.stage, i.kind, i.display, i.signature, i.documentation, ifnull(e.new, 0)
    FROM t_info i CROSS JOIN t_symmap m ON m.old = i.sym LEFT JOIN t_symmap e ON e.old = i.enclosing
    ORDER BY m.new, i.stage, i.rowid"""

_SELF_USES = """SELECT m.new, sum(s.n) FROM t_self s CROSS JOIN t_symmap m WHERE m.old = s.sym
    GROUP BY 1 ORDER BY 1"""

_DECORATED = "SELECT DISTINCT m.new FROM t_decorated d CROSS JOIN t_symmap m WHERE m.old = d.sym ORDER BY 1"

_ASIDE_TABLES = (
    "CREATE TEMP TABLE t_symdoc(id INTEGER PRIMARY KEY, signature, documentation)",
    "CREATE TEMP TABLE t_hash(h, sym, nref)",
    "CREATE TEMP TABLE t_namesym(name, owner, sym, doc, line, col, kind)",
)

_FROM_ASIDE = (
    "INSERT INTO symhash SELECT * FROM t_hash ORDER BY h, sym",
    "INSERT INTO symdoc SELECT * FROM t_symdoc ORDER BY id",
)

_PLACE_NAMESYM = """INSERT INTO namesym SELECT n.new, ifnull(o.new, 0), t.sym, t.doc, t.line, t.col, t.kind
    FROM t_namesym t JOIN t_namemap n ON n.old = t.name LEFT JOIN t_namemap o ON o.old = t.owner
    ORDER BY 1, 2, 3"""

_BATCH = 2_000
STAGE_EXTERNAL = 1 << 62
"""t_info.stage of what no document said; documents count from 1, so theirs come first."""


class Placed(NamedTuple):
    """The packages that the shard defines symbols of, and those it only mentions; both sorted."""

    defined: tuple[PackageKey, ...]
    mentioned: tuple[PackageKey, ...]


def place(db: apsw.Connection, ordered: Iterable[str], names: dict[str, int], unit: str) -> Placed:
    """Fill pkg, sym, symhash, symdoc, name and namesym; ``ordered`` are all symbols, from id 1 on.

    ``names`` maps the names met so far to provisional ids and gets those of the symbols; the temporary table
    t_namemap leads from them to the final ids afterwards.
    """
    for text in _ASIDE_TABLES:
        db.execute(text)
    rows = _SymbolRows(db, ordered, names, unit)
    db.executemany("INSERT INTO sym VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
    rows.flush()
    db.executemany(
        "INSERT INTO pkg VALUES(?,?,?,?,?)", [(number, *package) for package, number in rows.packages.items()]
    )
    for text in _FROM_ASIDE:
        db.execute(text)
    _place_names(db, names)
    db.execute(_PLACE_NAMESYM)
    return Placed(
        tuple(sorted(key for key, defined in rows.used.items() if defined)),
        tuple(sorted(key for key, defined in rows.used.items() if not defined)),
    )


class _SymbolRows:
    """The rows of sym in order; what belongs to other tables is put aside on the way."""

    def __init__(
        self,
        db: apsw.Connection,
        ordered: Iterable[str],
        names: dict[str, int],
        unit: str,
    ) -> None:
        self.packages: dict[symbols.Package, int] = {}
        self.used: dict[PackageKey, bool] = {}
        self._db = db
        self._parts = parts_of(ordered, unit)
        self._names = names
        self._documented: list[tuple[int, str, str]] = []
        self._named: list[tuple[int, ...]] = []
        self._hashed: list[tuple[int, ...]] = []
        self._tests = {row[0] for row in db.execute(f"SELECT id FROM doc WHERE flags & {facts.DOC_TEST}")}
        self._counts = _Following(db.execute(_COUNTS))
        self._first = _Following(db.execute(_FIRST_DEFINITIONS))
        self._infos = _Following(db.execute(_INFOS))
        self._inside = _Following(db.execute(_SELF_USES))
        self._decorated = _Following(db.execute(_DECORATED))

    def __iter__(self) -> Iterator[tuple[int | str | None, ...]]:
        for number, parts in enumerate(self._parts, 1):
            yield self._row(number, parts)
            if len(self._hashed) >= _BATCH:
                self.flush()

    def _row(self, number: int, parts: SymbolParts) -> tuple[int | str | None, ...]:
        info = _merge(self._infos.all_at(number))
        kind = info.kind or parts.kind
        _, doc, line, column = first = self._first.at(number) or _UNDEFINED
        defined = first is not _UNDEFINED
        flags = facts.SYM_CALLABLE if kind in kinds.CALLABLE else 0
        if defined:
            flags |= facts.SYM_DEFINED | (facts.SYM_TEST if doc in self._tests else 0)
        elif info.external:
            flags |= facts.SYM_EXTERNAL
        if self._decorated.at(number):
            flags |= facts.SYM_DECORATED
        name = parts.name or info.display
        self._put_names(number, name, parts, (doc, line, column, kind))
        if info.signature or info.documentation:
            self._documented.append((number, info.signature, info.documentation))
        counts = (self._counts.at(number) or _NO_COUNTS)[1:]
        self._hashed.append((hash_of(parts.join_key), number, counts[0]))
        return (
            number,
            self._package(parts, defined),
            parts.descr,
            kind,
            info.display if info.display and info.display != name else None,
            info.enclosing or parts.owner,
            flags,
            *counts,
            (self._inside.at(number) or (0, 0))[1],
            doc,
            line,
        )

    def _package(self, parts: SymbolParts, defined: bool) -> int:
        """Number packages as they are met: in the order of the symbols, which is that of their bytes."""
        if parts.package is None or parts.key is None:
            return 0
        self.used[parts.key] = self.used.get(parts.key, False) or defined
        return self.packages.setdefault(parts.package, len(self.packages) + 1)

    def _put_names(self, number: int, name: str, parts: SymbolParts, card: tuple[int, int, int, int]) -> None:
        owner = self._name_id(parts.owner_name)
        if name:
            self._named.append((self._name_id(name), owner, number, *card))
        if parts.other_name:
            self._named.append((self._name_id(parts.other_name), owner, number, *card))

    def _name_id(self, text: str) -> int:
        return self._names.setdefault(text, len(self._names) + 1) if text else 0

    def flush(self) -> None:
        """Hand the rows put aside so far to the temporary tables."""
        self._db.executemany("INSERT INTO t_symdoc VALUES(?,?,?)", self._documented)
        self._db.executemany("INSERT INTO t_namesym VALUES(?,?,?,?,?,?,?)", self._named)
        self._db.executemany("INSERT INTO t_hash VALUES(?,?,?)", self._hashed)
        self._documented.clear()
        self._named.clear()
        self._hashed.clear()


_UNDEFINED = (0, -1, -1, -1)
_NO_COUNTS = (0, 0, 0, 0, 0)


def _place_names(db: apsw.Connection, names: dict[str, int]) -> None:
    ordered = sorted(names)
    db.executemany("INSERT INTO name VALUES(?,?,?,?)", map(_name_row, count(1), ordered))
    db.executemany(
        "INSERT INTO t_namemap VALUES(?,?)", ((names[text], number) for number, text in enumerate(ordered, 1))
    )


def _name_row(number: int, text: str) -> tuple[int, str, str | None, str]:
    folded = fold(text)
    return number, text, None if folded == text else folded, style_key(text)


class _Following:
    """Rows sorted by their first column, taken beside an ascending count."""

    __slots__ = ("_next", "_rows")

    def __init__(self, rows: Iterator[tuple[Any, ...]]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def at(self, number: int) -> tuple[Any, ...] | None:
        """Return the first row of a number, and pass over its others."""
        row = self._next
        if row is None or row[0] != number:
            return None
        following = next(self._rows, None)
        while following is not None and following[0] == number:
            following = next(self._rows, None)
        self._next = following
        return row

    def all_at(self, number: int) -> list[tuple[Any, ...]]:
        """Return all rows of a number."""
        found = []
        while self._next is not None and self._next[0] == number:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found


class _Info(NamedTuple):
    kind: int
    display: str
    signature: str
    documentation: str
    enclosing: int
    external: bool


_NO_INFO = _Info(0, "", "", "", 0, False)


def _merge(rows: list[tuple[Any, ...]]) -> _Info:
    """Unite what was said of one symbol: field by field, the first in path order that says something.

    What externals say comes last, in the order of what it is: theirs has no meaning.
    """
    if not rows:
        return _NO_INFO
    if len(rows) == 1:
        _, stage, kind, display, signature, documentation, enclosing = rows[0]
        return _Info(kind, display, signature, documentation, enclosing, stage == STAGE_EXTERNAL)
    if rows[-1][1] == STAGE_EXTERNAL:
        rows = [row for row in rows if row[1] != STAGE_EXTERNAL] + sorted(
            row for row in rows if row[1] == STAGE_EXTERNAL
        )
    kind, display, signature, documentation, enclosing = (
        next(filter(None, column), column[0]) for column in list(zip(*rows, strict=True))[2:]
    )
    return _Info(kind, display, signature, documentation, enclosing, rows[-1][1] == STAGE_EXTERNAL)
