"""What is known of one source file, as the values that a shard stores: the currency between ingest and store.

All positions are 0-based and in code points, already verified against the text. Facts of a document are made
once, at ingest, and never changed after. Named tuples, for questions read some of them: loading dataclasses
costs more than most answers. This module must not know SCIP's wire form nor SQL.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from codetrail.model import facts
from codetrail.model.ranges import Range


class Occurrence(NamedTuple):
    """One place where a global symbol stands: roles and use as numbered in ``facts``.

    ``encl`` is the number of the innermost callable extent of the document that holds it, or -1.
    """

    symbol: str
    range: Range
    roles: int
    use: int
    encl: int


class Definition(NamedTuple):
    """A place that defines a global symbol; ``body`` is its enclosing range where the producer gave one."""

    symbol: str
    name: Range
    body: Range | None


class Extent(NamedTuple):
    """A part of a file that encloses others or is itself defined: module, class, callable, callback, field.

    ``symbol`` is empty for what only syntax knows; ``kind`` is a number of ``kinds``; ``parent`` is the index
    of the innermost extent around it in the same document, or -1. Extents are sorted by start, outer first.
    ``qualified`` are owners and name joined by dots (contract §3).
    """

    symbol: str
    kind: int
    name: str
    qualified: str
    parent: int
    name_range: Range
    body: Range
    origin: int


class Relation(NamedTuple):
    """``symbol`` relates to ``other``: flags as REL_* in ``facts``; ``derived`` when ingest concluded it."""

    symbol: str
    other: str
    flags: int
    derived: bool = False


class SymbolInfo(NamedTuple):
    """What a producer said of a global symbol itself; empty text and kind 0 where it said nothing."""

    symbol: str
    kind: int
    display: str
    signature: str
    documentation: str
    enclosing: str


class LocalOccurrence(NamedTuple):
    """One place of a document-local symbol; ``symbol`` numbers the locals of the document from 0."""

    symbol: int
    range: Range
    roles: int
    use: int
    encl: int


class OpenCall(NamedTuple):
    """Call syntax at a name whose target no compiler told: 0-based line and column; ``encl`` as above."""

    line: int
    column: int
    encl: int


class Diagnostic(NamedTuple):
    """A remark of the producer at a place: ``line`` and ``column`` 0-based."""

    line: int
    column: int
    code: str
    message: str


class DocumentFacts(NamedTuple):
    """Everything a shard stores of one owned file.

    ``sha256`` are the 32 bytes of the content hash; ``flags`` DOC_* bits; ``state`` an index of DOC_STATES;
    ``tokens`` how many identifier tokens the file has and ``bound`` how many of them carry a precise
    occurrence; ``unbound`` counts the others by name. ``imports`` are (path of the imported file or name of
    the module that was not found, found). ``local_kinds`` holds the kind of each local symbol. ``open_calls``
    ascend.
    """

    path: str
    language: str
    sha256: bytes
    size: int
    flags: int
    state: int
    reason: str = ""
    tokens: int = 0
    bound: int = 0
    line_hashes: bytes = b""
    occurrences: tuple[Occurrence, ...] = ()
    definitions: tuple[Definition, ...] = ()
    extents: tuple[Extent, ...] = ()
    symbols: tuple[SymbolInfo, ...] = ()
    relations: tuple[Relation, ...] = ()
    locals: tuple[LocalOccurrence, ...] = ()
    local_kinds: tuple[int, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    imports: tuple[tuple[str, bool], ...] = ()
    unbound: Mapping[str, int] = MappingProxyType({})
    open_calls: tuple[OpenCall, ...] = ()


def unfound_locals(found: Iterable[LocalOccurrence]) -> set[int]:
    """Return the numbers of the locals that only imports define, which they do only where they found nothing.

    What such a name stands for no compiler could tell.
    """
    imported: dict[int, bool] = {}
    for one in found:
        if one.roles & facts.ROLE_DEFINITION:
            imported[one.symbol] = imported.get(one.symbol, True) and bool(one.roles & facts.ROLE_IMPORT)
    return {number for number, by_import in imported.items() if by_import}
