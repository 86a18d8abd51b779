"""Open one shard for questions: read only, distrusted, with limits, and run its prepared SELECTs.

The SELECTs themselves stand in ``read_names``, ``read_symbols``, ``read_occurrences`` and ``read_documents``.
This module must not know manifests or seals: who opens a shard has made sure that it is the right file.
"""

from __future__ import annotations

import os
from time import monotonic
from typing import Any

import apsw

from codetrail.errors import CodeTrailError, IndexUnusable, SystemFailure
from codetrail.store import schema

QUERY_SECONDS = 20.0
"""How long one function of the readers may run (security §4: 20 s a call)."""
_STEPS = 20_000
_CACHE_KIB = 8192

_LIMITS = (
    (apsw.SQLITE_LIMIT_LENGTH, 256 << 20),
    (apsw.SQLITE_LIMIT_SQL_LENGTH, 16 << 10),
    (apsw.SQLITE_LIMIT_COLUMN, 64),
    (apsw.SQLITE_LIMIT_EXPR_DEPTH, 32),
    (apsw.SQLITE_LIMIT_COMPOUND_SELECT, 4),
    (apsw.SQLITE_LIMIT_VDBE_OP, 20_000),
    (apsw.SQLITE_LIMIT_FUNCTION_ARG, 8),
    (apsw.SQLITE_LIMIT_ATTACHED, 0),
    (apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64),
    (apsw.SQLITE_LIMIT_VARIABLE_NUMBER, 32),
    (apsw.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    (apsw.SQLITE_LIMIT_WORKER_THREADS, 0),
)

_SELECT_SCHEMA = "SELECT sql FROM sqlite_schema"
_SELECT_META = "SELECT key, value FROM meta"
SELECTS = (("schema", _SELECT_SCHEMA, True), ("meta", _SELECT_META, True))
"""(name, text, whether a scan is meant) of every SELECT of the module; each reader module has its own."""

REBUILD = "codetrail index build"
"""What makes an index usable again."""
_EXPECTED = sorted(schema.TABLES)


class Shard:
    """One open shard. Ids it hands out mean something for this object only.

    ``seconds`` bounds each read from its start; a caller with less time left lowers it. Not for two
    threads at once.
    """

    __slots__ = ("__weakref__", "_connection", "_stop", "file", "meta", "paths", "seconds")

    def __init__(self, connection: apsw.Connection, file: str) -> None:
        self.file = file
        self.seconds = QUERY_SECONDS
        self.meta: dict[str, str | int] = {}
        self.paths: dict[int, str] = {}
        self._connection = connection
        self._stop = 0.0
        connection.set_progress_handler(self._out_of_time, _STEPS)

    def _out_of_time(self) -> bool:
        return monotonic() > self._stop

    def rows(self, text: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Run one of the SELECTs and return all its rows.

        Raises IndexUnusable ``index_corrupt`` where the file is damaged, SystemFailure ``timed_out``.
        """
        self._stop = monotonic() + self.seconds
        try:
            return self._connection.execute(text, values).fetchall()
        except (apsw.Error, UnicodeDecodeError) as error:
            raise _failure(error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close(True)


def open_shard(path: str, *, offset: int = 0, size: int | None = None) -> Shard:
    """Open the shard at ``path``, or the ``size`` bytes from ``offset`` of it, read only.

    The file must not change while it is open. Raises IndexUnusable: ``index_corrupt`` where it is no whole
    shard, ``index_incompatible`` where it is one of another version.
    """
    try:
        shard = Shard(_connect(path, offset, size), path)
    except (apsw.Error, OSError) as error:
        if isinstance(error, apsw.CantOpenError) and size is None and os.path.exists(path):
            # It stands there: the system, not the index, is what fails (too many open files, no permission).
            raise SystemFailure("A shard of the index could not be opened.") from error
        raise _failure(error) from error
    try:
        _guard(shard)
        _check(shard)
    except CodeTrailError:
        shard.close()
        raise
    return shard


def check_contents(shard: Shard) -> None:
    """Read the whole shard and make sure that its structure and the type of every value are right.

    For shards made elsewhere, before anything else believes them; takes about as long as copying the file.
    Raises IndexUnusable ``index_corrupt``, SystemFailure ``timed_out``.
    """
    if shard.rows("PRAGMA quick_check(1)") != [("ok",)]:
        raise IndexUnusable("A shard of the index is damaged.", hint=REBUILD)


def _connect(path: str, offset: int, size: int | None) -> apsw.Connection:
    if offset or size is not None:
        from codetrail.store.part_of_file import connect

        return connect(path, offset, size)
    # immutable: no locks, no look for a journal; what is not there must not be made.
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"file:{quoted}?immutable=1", flags=flags, statementcachesize=64)


def _guard(shard: Shard) -> None:
    connection = shard._connection
    for limit, value in _LIMITS:
        connection.limit(limit, value)
    try:
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0)
    except apsw.Error as error:
        raise _failure(error) from error
    for text in (
        "PRAGMA query_only=1",
        "PRAGMA cell_size_check=1",
        "PRAGMA mmap_size=0",
        "PRAGMA temp_store=2",
        f"PRAGMA cache_size=-{_CACHE_KIB}",
    ):
        shard.rows(text)


def _check(shard: Shard) -> None:
    """Refuse what is not a finished shard of this version, to the letter of its schema."""
    ((application,),) = shard.rows("PRAGMA application_id")
    ((version,),) = shard.rows("PRAGMA user_version")
    if application != schema.APPLICATION_ID:
        raise IndexUnusable("A file of the index is not a shard.", hint=REBUILD)
    if version != schema.SCHEMA_VERSION:
        raise _incompatible()
    if sorted(row[0] or "" for row in shard.rows(_SELECT_SCHEMA)) != _EXPECTED:
        raise IndexUnusable("The tables of a shard are not those CodeTrail makes.", hint=REBUILD)
    shard.meta = dict(shard.rows(_SELECT_META))
    if shard.meta.get("complete") != 1:
        raise IndexUnusable("A shard of the index is not complete.", hint=REBUILD)
    least = shard.meta.get("least_reader_version")
    if not isinstance(least, int) or least > schema.SCHEMA_VERSION:
        raise _incompatible()


def _incompatible() -> IndexUnusable:
    return IndexUnusable(
        "The index was made by another version of CodeTrail.", code="index_incompatible", hint=REBUILD
    )


def _failure(error: Exception) -> CodeTrailError:
    if isinstance(error, apsw.InterruptError):
        return SystemFailure("The question took too long.", code="timed_out")
    if isinstance(error, apsw.NoMemError):
        return SystemFailure("There is not enough memory to read the index.")
    return IndexUnusable("A shard of the index is missing or damaged.", code="index_corrupt", hint=REBUILD)
