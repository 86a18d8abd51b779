"""Ingest one made-up document in a test: find names in a source text, decode, join, return the facts."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from codetrail.index.ingest import Unit, ingest_document
from codetrail.index.symbol_names import LeafCache
from codetrail.model.documents import DocumentFacts
from codetrail.model.ranges import UTF8, UTF16
from codetrail.scip import scip_pb2
from codetrail.scip.quirks import profile_for
from codetrail.scip.reader import scan
from codetrail.syntax.extract import extract
from tests.scip_bytes import document, index, index_file


def span_of(source: str, name: str, nth: int = 0, unit: int = 0) -> list[int]:
    """Return the range of the nth whole-word ``name`` as SCIP writes it, columns in ``unit`` (0: points)."""
    found = list(re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", source))[nth]
    before = source[: found.start()]
    line = before.count("\n")
    start = before.rpartition("\n")[2]
    return [line, _width(start, unit), _width(start + name, unit)]


def _width(text: str, unit: int) -> int:
    if unit == UTF8:
        return len(text.encode())
    return len(text.encode("utf-16-le")) // 2 if unit == UTF16 else len(text)


def ingest(
    source: str | bytes,
    occurrences: Iterable[scip_pb2.Occurrence],
    symbols: Iterable[scip_pb2.SymbolInformation] = (),
    *,
    path: str = "demo/a.py",
    language: str = "python",
    tool: str = "somebody-else",
    unit: int = 0,
    syntax: bool = True,
    modules: Mapping[str, tuple[str, ...]] | None = None,
    types: Iterable[str] = (),
    values: Iterable[str] = (),
) -> tuple[DocumentFacts, dict[str, int]]:
    """Ingest one document with its source through the real reader; ``unit`` is what the document declares."""
    data = source.encode() if isinstance(source, str) else source
    with tempfile.TemporaryDirectory() as folder:
        written = index(document(path, occurrences, symbols, unit), tool=tool)
        with scan(index_file(Path(folder), written)) as file:
            decoded = file.document(0)
    shared = Unit(profile_for(tool, "1.0"), LeafCache(), modules or {}, frozenset(types), frozenset(values))
    facts, counts = ingest_document(
        decoded, path, data, language, extract(data, language, path=path) if syntax else None, shared
    )
    return facts, dict(counts)


def places(facts: DocumentFacts) -> list[tuple[str, int, int]]:
    """Return (last part of the symbol, line, column) of the global occurrences."""
    return [
        (made.symbol.rpartition("/")[2], made.range.line, made.range.column) for made in facts.occurrences
    ]
