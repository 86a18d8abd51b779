"""One step of an ingest in a process of its own, so that its memory and time are its own.

Usage: ``python -m benchmarks.ingest_steps STEP ROOT INDEX.scip LANGUAGE POOL``. STEP is ``parse`` (decode
each document and drop it), ``bare`` (parse each file with tree-sitter and drop the tree), ``syntax`` (both
that and our reading, file by file in turn), ``facts`` (all but the shard) or ``ingest``. Prints one JSON
object: processor seconds, bytes of memory, what came of it.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import apsw
from tree_sitter import Parser

from benchmarks.memory import peak, resident
from codetrail.index.unit_ingest import FactsWriter, ingest_unit
from codetrail.index.unit_run import open_writer
from codetrail.model.documents import DocumentFacts, SymbolInfo
from codetrail.model.units import SourceFile, UnitSpec
from codetrail.scip import scip_pb2
from codetrail.scip.reader import scan
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax
from codetrail.syntax.grammars import grammar

_OCCURRENCE_TABLES = ("occ", "occ_place", "local")

Found = dict[str, float]


class _Input(NamedTuple):
    root: str
    scip: str
    language: str
    pool: str

    def read(self, path: str) -> bytes:
        with open(os.path.join(self.root, path), "rb") as file:
            return file.read()


class _Nowhere:
    """A writer that keeps nothing: what is left is decoding and joining."""

    def add(self, document: DocumentFacts) -> None:
        """Take in nothing."""

    def add_external(self, info: SymbolInfo) -> None:
        """Take in nothing."""

    def finish(self) -> None:
        """Make nothing."""

    def abort(self) -> None:
        """Leave nothing."""


class _Meter:
    """Counts from where it is made."""

    def __init__(self) -> None:
        self._held = resident()
        self._begun = time.process_time()

    def read(self) -> Found:
        seconds = time.process_time() - self._begun
        return {"seconds": seconds, "memory": max(0, peak() - self._held), "peak": peak()}


def parse(given: _Input) -> Found:
    """Decode every document, one at a time."""
    meter = _Meter()
    with scan(given.scip) as file, open(given.scip, "rb") as data:
        for entry in file.documents:
            for offset, size in entry.pieces:
                scip_pb2.Document.FromString(os.pread(data.fileno(), size, offset))
    return meter.read()


def bare(given: _Input) -> Found:
    """Parse every file with tree-sitter alone."""
    loaded = grammar(given.language)
    if loaded is None:
        raise SystemExit(f"there is no grammar for {given.language}")
    with scan(given.scip) as file:
        texts = [given.read(entry.path) for entry in file.documents]
    meter = _Meter()
    for text in texts:
        Parser(loaded).parse(text)
    return meter.read()


def syntax(given: _Input) -> Found:
    """Parse every file with tree-sitter alone and read its syntax, in turn; ``bare`` is the former's time."""
    loaded = grammar(given.language)
    if loaded is None:
        raise SystemExit(f"there is no grammar for {given.language}")
    with scan(given.scip) as file:
        paths = [entry.path for entry in file.documents]
    spent = {"bare": 0.0, "seconds": 0.0}
    gc.disable()  # as an ingest does
    for number, path in enumerate(paths):
        text = given.read(path)
        turn = (
            ("bare", partial(Parser(loaded).parse, text)),
            ("seconds", partial(extract, text, given.language)),
        )
        for key, work in turn if number % 2 else turn[::-1]:  # the second finds the text in the cache
            begun = time.process_time()
            work()
            spent[key] += time.process_time() - begun
    return spent


def facts(given: _Input) -> Found:
    """Do everything but write the shard."""
    return _ingest(given, lambda _part, _parts: _Nowhere())


def ingest(given: _Input) -> Found:
    """Do everything, from the SCIP file to the renamed shard."""
    found = _ingest(given, None)
    shards = [os.path.join(given.pool, name) for name in os.listdir(given.pool)]
    found["shard_bytes"] = sum(os.path.getsize(shard) for shard in shards)
    found["occurrence_bytes"] = sum(map(_occurrence_bytes, shards))
    return found


def _ingest(given: _Input, opener: Callable[[int, int], FactsWriter[object]] | None) -> Found:
    unit = _unit(given)
    extract(b"", given.language)  # loads the grammar
    syntax = 0.0

    def timed(data: bytes, language: str, path: str) -> FileSyntax:
        nonlocal syntax
        begun = time.process_time()
        found = extract(data, language, path=path)
        syntax += time.process_time() - begun
        return found

    meter = _Meter()
    report = ingest_unit(
        given.scip,
        unit,
        given.read,
        opener or (lambda part, parts: open_writer(unit, given.pool, part + 1, parts)),
        timed,
    )
    found = meter.read()
    found["seconds"] -= syntax
    return {**found, "syntax": syntax, "occurrences": report.counts["occurrences"]}


def _unit(given: _Input) -> UnitSpec:
    sources = []
    with scan(given.scip) as file:
        for entry in file.documents:
            data = given.read(entry.path)
            digest = hashlib.sha256(data).hexdigest()
            sources.append(SourceFile(entry.path, digest, len(data), given.language))
    return UnitSpec(".", "", given.language, given.language, "1", "benchmark", "1", tuple(sources))


def _occurrence_bytes(shard: str) -> int:
    marks = ",".join("?" * len(_OCCURRENCE_TABLES))
    db = apsw.Connection(shard, flags=apsw.SQLITE_OPEN_READONLY)
    ((size,),) = db.execute(f"SELECT sum(pgsize) FROM dbstat WHERE name IN ({marks})", _OCCURRENCE_TABLES)
    return int(size)


STEPS = {step.__name__: step for step in (parse, bare, syntax, facts, ingest)}

if __name__ == "__main__":
    print(json.dumps(STEPS[sys.argv[1]](_Input(*sys.argv[2:]))))
