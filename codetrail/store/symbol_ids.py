"""Number the symbols of a shard while documents come in, and give them their final ids at the end.

No dictionary of all symbols is held: a large unit has millions. What was not met lately is numbered again, so
a symbol may have several provisional numbers; sorting the strings, which SQLite does in files, brings them
together. This module must not know what symbols mean.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

_KEPT = 1 << 11
"""Symbols that are known by heart: on real units more save a few rows of a temporary table, and no time."""
_BATCH = 2_000

LOAD_TABLES = (
    "CREATE TEMP TABLE t_symbol(old INTEGER PRIMARY KEY, txt)",
    "CREATE TEMP TABLE t_pair(old, new)",
    "CREATE TEMP TABLE t_symmap(old INTEGER PRIMARY KEY, new)",
    "CREATE TEMP TABLE t_sorted(id INTEGER PRIMARY KEY, txt)",
)

# Negative numbers come last: a symbol that was only asked for is none of this shard.
_SORTED = "SELECT txt, old FROM t_symbol ORDER BY txt, old DESC"


class SymbolIds:
    """Provisional numbers of symbols; ``known`` is for callers that cannot afford a call."""

    __slots__ = ("_asked", "_db", "_last", "_new", "known")

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._new: list[tuple[int, str]] = []
        self._last = self._asked = 0
        self.known: dict[str, int] = {}

    def number(self, symbol: str) -> int:
        """Return a provisional number of a symbol that the shard holds."""
        number = self.known.get(symbol)
        if number is None:
            if len(self.known) >= _KEPT:
                self.known.clear()
            self._last += 1
            number = self.known[symbol] = self._last
            self._put(number, symbol)
        return number

    def asked(self, symbol: str) -> int:
        """Return a number that leads to a symbol only if the shard holds it for another reason."""
        number = self.known.get(symbol)
        if number is None:
            self._asked -= 1
            number = self._asked
            self._put(number, symbol)
        return number

    def _put(self, number: int, symbol: str) -> None:
        self._new.append((number, symbol))
        if len(self._new) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._db.executemany("INSERT INTO t_symbol VALUES(?,?)", self._new)
        self._new.clear()

    def settle(self) -> int:
        """Give ids from 1 in the order of the symbols' bytes, and return how many there are.

        t_symmap leads from provisional numbers to ids, t_sorted from ids to symbols.
        """
        self._flush()
        self.known.clear()
        self._db.executemany("INSERT INTO t_pair VALUES(?,?)", self._pairs())
        for text in (
            "DROP TABLE t_symbol",
            "INSERT INTO t_symmap SELECT old, new FROM t_pair ORDER BY old",
            "DROP TABLE t_pair",
        ):
            self._db.execute(text)
        ((count,),) = self._db.execute("SELECT count(*) FROM t_sorted")
        return int(count)

    def _pairs(self) -> Iterator[tuple[int, int]]:
        last = None
        held = False
        count = 0
        found: list[tuple[int, str]] = []
        for symbol, old in self._db.execute(_SORTED):
            if symbol != last:
                last = symbol
                held = old > 0
                if held:
                    count += 1
                    found.append((count, symbol))
                    if len(found) >= _BATCH:
                        self._put_sorted(found)
            if held:
                yield old, count
        self._put_sorted(found)

    def _put_sorted(self, found: list[tuple[int, str]]) -> None:
        self._db.executemany("INSERT INTO t_sorted VALUES(?,?)", found)
        found.clear()

    def sorted(self) -> Iterator[str]:
        """Yield the symbols in the order of their ids, after ``settle``."""
        for (symbol,) in self._db.execute("SELECT txt FROM t_sorted ORDER BY id"):
            yield symbol
