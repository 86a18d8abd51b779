"""Read what a shard knows of files: state, line hashes, extents, import edges, diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from codetrail.model.facts import DOC_STATES, DOC_SYNTAX_ERRORS
from codetrail.model.ranges import Range
from codetrail.store.shard_reader import Shard

_COLUMNS = "id, path, lang, hash, size, flags, state, reason, tokens, bound"
_BY_PATH = f"SELECT {_COLUMNS} FROM doc WHERE path = ?"
_BY_ID = f"SELECT {_COLUMNS} FROM doc WHERE id = ?"
_PAGE = f"SELECT {_COLUMNS} FROM doc WHERE id > ? ORDER BY id LIMIT ?"
_IMPRECISE = f"""SELECT {_COLUMNS} FROM doc
    WHERE id > ? AND (state <> {DOC_STATES.index("precise")} OR reason <> '' OR flags & {DOC_SYNTAX_ERRORS})
    ORDER BY id LIMIT ?"""
_FIRST_FROM = "SELECT id FROM doc WHERE path >= ? ORDER BY path LIMIT 1"
_LINE_HASHES = "SELECT hashes FROM doclines WHERE doc = ?"
_EXTENT_COLUMNS = """doc, n, sym, kind, (SELECT txt FROM name WHERE id = extent.name), qualified, parent,
    line, col, line + dline, ecol, sl, sc, el, ec, origin"""
_EXTENTS = f"SELECT {_EXTENT_COLUMNS} FROM extent WHERE doc = ? ORDER BY n"
_EXTENT = f"SELECT {_EXTENT_COLUMNS} FROM extent WHERE doc = ? AND n = ?"
_AROUND = f"""SELECT {_EXTENT_COLUMNS} FROM extent
    WHERE doc = ?1 AND (sl, sc) <= (?2, ?3) AND (el, ec) > (?2, ?3) ORDER BY n DESC"""
_OF_SYMBOL = f"SELECT {_EXTENT_COLUMNS} FROM extent WHERE doc = ? AND sym = ? ORDER BY n"
_IMPORTS = "SELECT target, found FROM dep WHERE doc = ? ORDER BY target"
_IMPORTERS = "SELECT doc FROM dep WHERE target = ? ORDER BY doc"
_MISSING = "SELECT doc, target FROM dep WHERE doc > 0 AND found = 0 ORDER BY doc, target"
_DIAGNOSTICS = "SELECT line, col, code, msg FROM diag WHERE doc = ? ORDER BY line, col, code, msg"

SELECTS = (
    ("document by path", _BY_PATH, False),
    ("document by id", _BY_ID, False),
    ("documents", _PAGE, False),
    ("imprecise documents", _IMPRECISE, False),
    ("first document from a path", _FIRST_FROM, False),
    ("line hashes", _LINE_HASHES, False),
    ("extents", _EXTENTS, False),
    ("extent", _EXTENT, False),
    ("extents around", _AROUND, False),
    ("extents of a symbol", _OF_SYMBOL, False),
    ("imports", _IMPORTS, False),
    ("importers", _IMPORTERS, False),
    ("missing modules", _MISSING, False),
    ("diagnostics", _DIAGNOSTICS, False),
)

_PAGE_SIZE = 1000
_LAST = 1 << 62


class DocumentRow(NamedTuple):
    """A file the shard owns; ``state`` indexes facts.DOC_STATES, ``sha256`` is 32 bytes, ``flags`` DOC_*."""

    id: int
    path: str
    language: str
    sha256: bytes
    size: int
    flags: int
    state: int
    reason: str
    tokens: int
    bound: int


class ExtentRow(NamedTuple):
    """A part of a file: number ``n`` of document ``doc``; ``symbol`` is a symbol id, 0 where only syntax
    knows it; ``parent`` is the number of the extent around it or -1; ``origin`` facts.ORIGIN_*."""

    doc: int
    n: int
    symbol: int
    kind: int
    name: str
    qualified: str
    parent: int
    name_range: Range
    body: Range
    origin: int


def document(shard: Shard, path: str) -> DocumentRow | None:
    """Return the document with that root-relative path."""
    rows = shard.rows(_BY_PATH, (path,))
    return DocumentRow._make(rows[0]) if rows else None


def document_by_id(shard: Shard, doc: int) -> DocumentRow | None:
    """Return the document with that id."""
    rows = shard.rows(_BY_ID, (doc,))
    return DocumentRow._make(rows[0]) if rows else None


def path_of(shard: Shard, doc: int) -> str:
    """Return the path of a document id, remembered by the shard; empty where there is none."""
    path = shard.paths.get(doc)
    if path is None:
        row = document_by_id(shard, doc)
        path = shard.paths[doc] = row.path if row else ""
    return path


def imprecise_documents(shard: Shard) -> Iterator[DocumentRow]:
    """Yield the documents that are not precise, say a reason or do not parse, in the order of their paths."""
    after = 0
    while True:
        rows = shard.rows(_IMPRECISE, (after, _PAGE_SIZE))
        yield from map(DocumentRow._make, rows)
        if len(rows) < _PAGE_SIZE:
            return
        after = rows[-1][0]


def documents(shard: Shard, *, first: int = 1, last: int = _LAST) -> Iterator[DocumentRow]:
    """Yield the documents with ids from ``first`` to ``last`` inclusive, in the order of their paths."""
    after = first - 1
    while True:
        rows = shard.rows(_PAGE, (after, _PAGE_SIZE))
        for row in rows:
            if row[0] > last:
                return
            yield DocumentRow._make(row)
        if len(rows) < _PAGE_SIZE:
            return
        after = rows[-1][0]


def missing_modules(shard: Shard) -> list[tuple[int, str]]:
    """Return every import that found nothing, as (document id, module), in this order."""
    return [(doc, module) for doc, module in shard.rows(_MISSING)]


def documents_below(shard: Shard, folder: str) -> tuple[int, int]:
    """Return the first and last id of the documents below a folder (first > last: none); "" is all.

    Ids ascend with path bytes, so what is below one folder is one span (scale.md R8).
    """
    if not folder:
        return 1, _LAST
    return first_document_from(shard, folder + "/"), first_document_from(shard, folder + "0") - 1


def first_document_from(shard: Shard, path: str) -> int:
    """Return the id of the first document whose path is not before ``path``, or one past the last id."""
    rows = shard.rows(_FIRST_FROM, (path,))
    return int(rows[0][0]) if rows else int(shard.meta["documents"]) + 1


def line_hashes(shard: Shard, doc: int) -> bytes:
    """Return the line hashes of a document, 4 bytes a line; empty where none were kept."""
    rows = shard.rows(_LINE_HASHES, (doc,))
    return rows[0][0] if rows else b""


def extents(shard: Shard, doc: int) -> tuple[ExtentRow, ...]:
    """Return all extents of a document in order: outer before inner."""
    return tuple(map(_extent_row, shard.rows(_EXTENTS, (doc,))))


def extent(shard: Shard, doc: int, n: int) -> ExtentRow | None:
    """Return one extent."""
    rows = shard.rows(_EXTENT, (doc, n))
    return _extent_row(rows[0]) if rows else None


def extents_around(shard: Shard, doc: int, line: int, column: int) -> tuple[ExtentRow, ...]:
    """Return the extents whose bodies hold a place (0-based), innermost first."""
    return tuple(map(_extent_row, shard.rows(_AROUND, (doc, line, column))))


def extents_of(shard: Shard, doc: int, symbol: int) -> tuple[ExtentRow, ...]:
    """Return the extents that a symbol id has in a document."""
    return tuple(map(_extent_row, shard.rows(_OF_SYMBOL, (doc, symbol))))


def imports(shard: Shard, doc: int) -> tuple[tuple[str, bool], ...]:
    """Return what a document imports: (path, True) or (name of a module that was not found, False)."""
    return tuple([(target, bool(found)) for target, found in shard.rows(_IMPORTS, (doc,))])


def importers(shard: Shard, target: str) -> tuple[int, ...]:
    """Return the ids of the documents that import a path or a module that was not found."""
    return tuple([row[0] for row in shard.rows(_IMPORTERS, (target,))])


def diagnostics(shard: Shard, doc: int) -> tuple[tuple[int, int, str, str], ...]:
    """Return (line, column, code, message) of the producer's remarks on a document, in order."""
    return tuple(shard.rows(_DIAGNOSTICS, (doc,)))


def _extent_row(row: tuple[Any, ...]) -> ExtentRow:
    return ExtentRow(
        row[0],
        row[1],
        row[2],
        row[3],
        row[4] or "",
        row[5] or row[4] or "",
        row[6],
        Range(*row[7:11]),
        Range(*row[11:15]),
        row[15],
    )
