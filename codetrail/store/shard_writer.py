"""Write one shard: documents in, one immutable file out, whose bytes depend on what was put in only.

Rows are loaded under provisional ids into temporary tables, and sorted into place at the end, when every
symbol and name is known and ids can be given in the order of the full keys. Only the dictionary of simple
names grows with the input; everything else spills. This module must not know SCIP, nor why a row is true.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import apsw

from codetrail.errors import SystemFailure
from codetrail.model.documents import DocumentFacts, SymbolInfo
from codetrail.model.facts import ROLE_DEFINITION
from codetrail.model.kinds import CALLBACK
from codetrail.store import locals as packed_locals
from codetrail.store import schema, shard_placement, shard_symbols, symbol_ids
from codetrail.store.inside_uses import uses_inside
from codetrail.store.packages import PackageKey
from codetrail.store.symbol_ids import SymbolIds

_PUT_INFO = "INSERT INTO t_info VALUES(?,?,?,?,?,?,?)"


class ShardRecord(NamedTuple):
    """What a finished shard is: its name and size in bytes, its counts, and what it is good for."""

    sha256: str
    size: int
    documents: int
    occurrences: int
    symbols: int
    names: int
    definitions: int
    tokens: int
    bound: int
    packages_defined: tuple[PackageKey, ...]
    packages_mentioned: tuple[PackageKey, ...]
    first_path: str
    last_path: str


class ShardWriter:
    """Build one shard in the folder ``path``; it appears there whole, as ``<sha256>.db``, or not at all.

    ``meta`` is what the shard says of its unit (text and numbers, no time, no host path); ``unit`` is the
    text that joins symbols without a package name (the unit's name; see ``symbols.join_key``).
    Every failure of the disk is SystemFailure ``io_error``; after any failure call ``abort``.
    """

    def __init__(self, path: str, *, meta: Mapping[str, str | int], unit: str) -> None:
        self._pool = path
        self._meta = dict(meta)
        self._unit = unit
        self._names: dict[str, int] = {}
        self._last = b""
        self._first_path = self._last_path = ""
        self._documents = 0
        self._tokens = self._bound = 0
        self._file = os.path.join(path, f"tmp-{os.urandom(8).hex()}.db")
        try:
            os.close(os.open(self._file, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, 0o600))
            self._db = apsw.Connection(self._file, flags=apsw.SQLITE_OPEN_READWRITE)
            self._symbols = SymbolIds(self._db)
            self._prepare()
        except (OSError, apsw.Error) as error:
            raise _disk_failure() from error

    def _prepare(self) -> None:
        # apsw stops at the first statement that returns a row: one statement a call, drained (store.md §3).
        for text in (
            f"PRAGMA page_size={schema.PAGE_SIZE}",
            "PRAGMA auto_vacuum=0",
            "PRAGMA encoding='UTF-8'",
            "PRAGMA journal_mode=off",
            "PRAGMA synchronous=off",
            "PRAGMA locking_mode=exclusive",
            "PRAGMA temp_store=1",
            "PRAGMA cache_size=-1024",
            "PRAGMA temp.cache_size=-1024",
            "BEGIN IMMEDIATE",
            f"PRAGMA application_id={schema.APPLICATION_ID}",
            f"PRAGMA user_version={schema.SCHEMA_VERSION}",
        ):
            self._run(text)
        for text in schema.TABLES:
            if text.startswith("CREATE TABLE"):
                self._run(text)
        for text in (*symbol_ids.LOAD_TABLES, *shard_placement.LOAD_TABLES):
            self._run(text)

    def _run(self, text: str) -> None:
        for _ in self._db.execute(text):
            pass

    def add(self, document: DocumentFacts) -> None:
        """Take in one document. A definition without its occurrence gets one.

        Raises ValueError, and takes in nothing of it, when its path's bytes do not come after the last one's,
        when an extent comes before the one around it, or when a local occurrence cannot be one.
        """
        path = document.path.encode("utf-8")
        if path <= self._last:
            raise ValueError(f"documents must come in the order of their paths' bytes: {document.path!r}")
        if any(not -1 <= extent.parent < n for n, extent in enumerate(document.extents)):
            raise ValueError("an extent must come after the one around it")
        packed = packed_locals.pack(document.locals, document.local_kinds)
        self._last = path
        if not self._documents:
            self._first_path = document.path
        self._last_path = document.path
        self._documents += 1
        self._tokens += document.tokens
        self._bound += document.bound
        try:
            self._add_file(document, packed)
            self._add_occurrences(document)
            self._add_extents(document)
            self._add_symbols(document)
        except apsw.Error as error:
            raise _disk_failure() from error

    def _add_file(self, document: DocumentFacts, packed: bytes) -> None:
        doc = self._documents
        one = self._db.execute
        many = self._db.executemany
        one(
            "INSERT INTO t_doc VALUES(?,?,?,?,?,?,?,?,?,?)",
            (
                doc,
                document.path,
                document.language,
                document.sha256,
                document.size,
                document.flags,
                document.state,
                document.reason,
                document.tokens,
                document.bound,
            ),
        )
        if document.line_hashes:
            one("INSERT INTO t_doclines VALUES(?,?)", (doc, document.line_hashes))
        if document.locals or document.local_kinds:
            one("INSERT INTO t_local VALUES(?,?)", (doc, packed))
        many("INSERT INTO t_diag VALUES(?,?,?,?,?)", [(doc, *remark) for remark in document.diagnostics])
        many(
            "INSERT INTO t_dep VALUES(?,?,?)",
            [(doc, target, int(found)) for target, found in document.imports],
        )
        many(
            "INSERT INTO t_unbound VALUES(?,?,?)",
            [(self._name(name), doc, n) for name, n in document.unbound.items()],
        )
        many("INSERT INTO t_opencall VALUES(?,?,?,?)", [(doc, *call) for call in document.open_calls])

    def _add_occurrences(self, document: DocumentFacts) -> None:
        doc = self._documents
        known, number_of = self._symbols.known.get, self._symbols.number
        rows = (
            (known(symbol) or number_of(symbol), doc, line, column, end_line, end_column, roles, use, encl)
            for symbol, (line, column, end_line, end_column), roles, use, encl in document.occurrences
        )
        told = {(one.symbol, one.range) for one in document.occurrences if one.roles & ROLE_DEFINITION}
        untold = [
            (number_of(symbol), doc, *name, ROLE_DEFINITION, 0, -1)
            for symbol, name, _ in document.definitions
            if (symbol, name) not in told
        ]
        self._db.executemany("INSERT INTO t_occ VALUES(?,?,?,?,?,?,?,?,?)", chain(rows, untold))
        self._db.executemany(
            "INSERT INTO t_def VALUES(?,?,?,?,?,?,?,?,?,?)",
            [
                (self._symbols.number(symbol), doc, *name, *(body or (-1, -1, -1, -1)))
                for symbol, name, body in document.definitions
            ],
        )

    def _add_extents(self, document: DocumentFacts) -> None:
        doc = self._documents
        extents = document.extents
        rows: list[tuple[int | str | None, ...]] = []
        owners = [""]  # by parent + 1; what stands in a callback is owned by what is around that
        for n, extent in enumerate(extents):
            owner = owners[extent.parent + 1]
            owners.append(owner if extent.kind == CALLBACK else extent.name)
            rows.append(
                (
                    doc,
                    n,
                    self._symbols.number(extent.symbol) if extent.symbol else 0,
                    extent.kind,
                    self._name(extent.name) if extent.name else 0,
                    self._name(owner) if owner else 0,
                    extent.qualified if extent.qualified != extent.name else None,
                    extent.parent,
                    *extent.name_range,
                    *extent.body,
                    extent.origin,
                )
            )
        self._db.executemany("INSERT INTO t_extent VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        inside, decorated = uses_inside(document)
        self._db.executemany(
            "INSERT INTO t_self VALUES(?,?)",
            [(self._symbols.number(symbol), n) for symbol, n in inside.items()],
        )
        self._db.executemany(
            "INSERT INTO t_decorated VALUES(?)", [(self._symbols.number(symbol),) for symbol in decorated]
        )

    def _add_symbols(self, document: DocumentFacts) -> None:
        self._db.executemany(
            _PUT_INFO,
            [
                self._info_row(self._symbols.number(info.symbol), self._documents, info)
                for info in sorted(document.symbols)
            ],
        )
        self._db.executemany(
            "INSERT INTO t_rel VALUES(?,?,?,?)",
            [
                (
                    self._symbols.number(relation.symbol),
                    self._symbols.number(relation.other),
                    relation.flags,
                    int(relation.derived),
                )
                for relation in document.relations
            ],
        )

    def _info_row(self, number: int, stage: int, info: SymbolInfo) -> tuple[int | str, ...]:
        _, kind, display, signature, documentation, enclosing = info
        owner = self._symbols.asked(enclosing) if enclosing else 0
        return number, stage, kind, display, signature, documentation, owner

    def _name(self, text: str) -> int:
        return self._names.setdefault(text, len(self._names) + 1)

    def add_external(self, info: SymbolInfo) -> None:
        """Take what a producer said of a symbol it did not define here; any order.

        What a document says of the same symbol comes first. Of a symbol that no document mentions nothing is
        kept: which externals a producer lists beside a part of a unit is not a fact of that part.
        """
        try:
            number = self._symbols.asked(info.symbol)
            self._db.execute(_PUT_INFO, self._info_row(number, shard_symbols.STAGE_EXTERNAL, info))
        except apsw.Error as error:
            raise _disk_failure() from error

    def finish(self) -> ShardRecord:
        """Sort everything into place, close, name the file after its bytes and put it into the pool."""
        try:
            record = self._fill()
            self._pack()
            return self._publish(record)
        except (OSError, apsw.Error) as error:
            raise _disk_failure() from error

    def _fill(self) -> ShardRecord:
        count = self._symbols.settle()
        for text in shard_placement.BEFORE_SYMBOLS:
            self._run(text)
        result = shard_symbols.place(self._db, self._symbols.sorted(), self._names, self._unit)
        for text in shard_placement.AFTER_NAMES:
            self._run(text)
        for text in schema.TABLES:
            if not text.startswith("CREATE TABLE"):
                self._run(text)
        record = ShardRecord(
            sha256="",
            size=0,
            documents=self._documents,
            occurrences=self._count("occ"),
            symbols=count,
            names=self._count("name"),
            definitions=self._count("def"),
            tokens=self._tokens,
            bound=self._bound,
            packages_defined=result.defined,
            packages_mentioned=result.mentioned,
            first_path=self._first_path,
            last_path=self._last_path,
        )
        self._write_meta(record)
        self._run("COMMIT")
        return record

    def _pack(self) -> None:
        """Copy the finished tables into a new file: only so are the pages of every table full."""
        packed = os.path.join(self._pool, f"tmp-{os.urandom(8).hex()}.db")
        try:
            os.close(os.open(packed, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_NOFOLLOW, 0o600))
            for _ in self._db.execute("VACUUM main INTO ?", (packed,)):
                pass
            self._db.close()
        except (OSError, apsw.Error):
            if os.path.lexists(packed):
                os.unlink(packed)
            raise
        os.rename(packed, self._file)

    def _count(self, table: str) -> int:
        ((count,),) = self._db.execute(f"SELECT count(*) FROM {table}")
        return int(count)

    def _write_meta(self, record: ShardRecord) -> None:
        ours: dict[str, str | int] = {
            "schema_version": schema.SCHEMA_VERSION,
            "least_reader_version": schema.LEAST_READER_VERSION,
            "hash_function": schema.HASH_FUNCTION,
            "unit": self._unit,
            "documents": record.documents,
            "occurrences": record.occurrences,
            "symbols": record.symbols,
            "names": record.names,
            "definitions": record.definitions,
        }
        if clash := (ours.keys() | {"complete"}) & self._meta.keys():
            raise ValueError(f"these words of meta are the shard's own: {sorted(clash)}")
        rows = sorted({**self._meta, **ours}.items())
        self._db.executemany("INSERT INTO meta VALUES(?,?)", rows)
        self._db.execute("INSERT INTO meta VALUES('complete',1)")

    def _publish(self, record: ShardRecord) -> ShardRecord:
        _zero_history(self._file)
        digest = _digest(self._file)
        size = os.stat(self._file).st_size
        final = os.path.join(self._pool, f"{digest}.db")
        if _same_file(final, digest):
            os.unlink(self._file)
        else:
            os.rename(self._file, final)
        folder = os.open(self._pool, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return record._replace(sha256=digest, size=size)

    def abort(self) -> None:
        """Drop everything; calling it after ``finish`` or twice does nothing more."""
        self._db.close(True)
        if os.path.lexists(self._file):
            os.unlink(self._file)


def _disk_failure() -> SystemFailure:
    return SystemFailure("The index could not be written: the disk is full or refused.", code="io_error")


def _zero_history(path: str) -> None:
    """Zero what SQLite notes of its own history: change counters (bytes 24-27, 92-95), version (96-99)."""
    with open(path, "r+b") as file:
        file.seek(24)
        file.write(b"\0\0\0\1")
        file.seek(92)
        file.write(b"\0\0\0\1\0\0\0\0")
        file.flush()
        os.fsync(file.fileno())


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same_file(path: str, digest: str) -> bool:
    """Tell whether the pool has this very shard already: then its file, and its stat signature, stay."""
    return os.path.isfile(path) and not os.path.islink(path) and _digest(path) == digest
