"""Decode one SCIP document or symbol into plain tuples, within limits.

Protobuf objects stay in here. Positions are as the producer wrote them: 0-based lines, columns in a unit that
only the text can settle. This module must not know files.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from google.protobuf.message import DecodeError

from codetrail.errors import DataError
from codetrail.scip import scip_pb2
from codetrail.scip.limits import LOOK_FROM, Limits, TooLarge, look_through
from codetrail.scip.wire import as_field

_SYMBOLS = 3
_MOST_DOCUMENTATION = 16

ScipOccurrence = tuple[int, int, int, int, str, int, tuple[int, ...]]
"""One occurrence: line, column, end line and end column as the producer wrote them, symbol, roles, and of
definitions the four numbers of the enclosing range, else ``()``.

A plain tuple, for there are millions. Enclosing ranges of references are not read: they tell nothing that is
used, and one producer writes wrong ones (producers.md §0-3).
"""


class ScipDiagnostic(NamedTuple):
    """A remark on an occurrence without symbol: its range as the producer wrote it, code and message."""

    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    message: str


class ScipSymbol(NamedTuple):
    """What the producer said of a symbol; ``relationships`` are (symbol, REL_* flags).

    Of a document-local symbol only the kind is read: nothing else of it is kept.
    """

    symbol: str
    kind: int
    display: str
    signature: str
    documentation: tuple[str, ...]
    enclosing: str
    relationships: tuple[tuple[str, int], ...]


class ScipDocument(NamedTuple):
    """One document, decoded. ``unit`` is its position encoding, 0 where the producer said nothing.

    ``skipped`` counts what could not be used, by reason. ``text`` is that of the file as the producer saw it,
    empty where it did not write it down.
    """

    path: str
    language: str
    unit: int
    occurrences: list[ScipOccurrence]
    diagnostics: list[ScipDiagnostic]
    symbols: list[ScipSymbol]
    skipped: dict[str, int]
    text: str = ""


class DocumentError(Exception):
    """One document cannot be used; the others can. ``args[0]`` says why in one stable word."""


def _decode(data: bytes, limits: Limits) -> scip_pb2.Document:
    try:
        if len(data) > LOOK_FROM:
            look_through(data, limits)
        return scip_pb2.Document.FromString(data)
    except (DecodeError, DataError):
        raise DocumentError("document_invalid") from None
    except TooLarge:
        raise DocumentError("document_too_large") from None


def decode_document(data: bytes, path: str, limits: Limits, skipped: Counter[str]) -> ScipDocument:
    """Decode a document whose path must be ``path``; what it has to leave out is added to ``skipped``.

    Raises DocumentError when nothing of it can be used.
    """
    message = _decode(data, limits)
    if message.relative_path != path:
        raise DocumentError("document_invalid")
    if len(message.occurrences) > limits.occurrences or len(message.symbols) > limits.symbols:
        raise DocumentError("document_too_large")
    occurrences, diagnostics = _occurrences(message, limits, skipped)
    symbols = []
    for info in message.symbols:
        symbol = _symbol(info, limits)
        if symbol is None:
            skipped["symbol_refused"] += 1
        else:
            symbols.append(symbol)
    return ScipDocument(
        path, message.language, message.position_encoding, occurrences, diagnostics, symbols, {}, message.text
    )


def _occurrences(
    message: scip_pb2.Document, limits: Limits, skipped: Counter[str]
) -> tuple[list[ScipOccurrence], list[ScipDiagnostic]]:
    """Decode the occurrences: each attribute is read once, a slice of ``range`` is its cheapest form.

    Equal symbols of one document become one string: less memory, and comparing them costs nothing later.
    """
    found: list[ScipOccurrence] = []
    diagnostics: list[ScipDiagnostic] = []
    longest = limits.symbol_length
    same = dict[str, str]().setdefault
    for occurrence in message.occurrences:
        typed = occurrence.WhichOneof("typed_range")
        if typed is None:
            span = occurrence.range[:]
            if len(span) == 3:
                line, column, end_column = span
                end_line = line
            elif len(span) == 4:
                line, column, end_line, end_column = span
            else:
                skipped["range_missing"] += 1
                continue
        elif typed == "single_line_range":
            single = occurrence.single_line_range
            line = end_line = single.line
            column = single.start_character
            end_column = single.end_character
        else:
            line, column, end_line, end_column = _multi(occurrence.multi_line_range)
        symbol = occurrence.symbol
        if not symbol:
            for remark in occurrence.diagnostics:
                text = remark.message[: limits.text_length]
                diagnostics.append(ScipDiagnostic(line, column, end_line, end_column, remark.code, text))
            continue
        if line < 0 or column < 0 or (end_line, end_column) < (line, column):
            skipped["range_invalid"] += 1
            continue
        if len(symbol) > longest:
            skipped["symbol_refused"] += 1
            continue
        symbol = same(symbol, symbol)
        roles = occurrence.symbol_roles
        enclosing = _enclosing(occurrence) if roles & 1 else ()
        found.append((line, column, end_line, end_column, symbol, roles, enclosing))
    return found, diagnostics


def _enclosing(occurrence: scip_pb2.Occurrence) -> tuple[int, ...]:
    typed = occurrence.WhichOneof("typed_enclosing_range")
    if typed is None:
        span = occurrence.enclosing_range[:]
        if len(span) == 3:
            return span[0], span[1], span[0], span[2]
        return tuple(span) if len(span) == 4 else ()
    if typed == "single_line_enclosing_range":
        single = occurrence.single_line_enclosing_range
        return single.line, single.start_character, single.line, single.end_character
    return _multi(occurrence.multi_line_enclosing_range)


def _multi(span: scip_pb2.MultiLineRange) -> tuple[int, int, int, int]:
    return span.start_line, span.start_character, span.end_line, span.end_character


def _symbol(info: scip_pb2.SymbolInformation, limits: Limits) -> ScipSymbol | None:
    symbol = info.symbol
    if not symbol or len(symbol) > limits.symbol_length:
        return None
    if symbol.startswith("local "):
        return ScipSymbol(symbol, info.kind, "", "", (), "", ())
    longest = limits.text_length
    related = []
    relationships = info.relationships[:]
    if relationships:
        if len(relationships) > limits.relationships:
            return None
        related = [
            (relationship.symbol, flags)
            for relationship in relationships
            if (flags := _flags(relationship)) and 0 < len(relationship.symbol) <= limits.symbol_length
        ]
    signature = ""
    if info.HasField("signature_documentation"):
        declaration: scip_pb2.Signature = info.signature_documentation
        signature = declaration.text[:longest]
    documentation = info.documentation[:_MOST_DOCUMENTATION]
    return ScipSymbol(
        symbol,
        info.kind,
        info.display_name[: limits.symbol_length],
        signature,
        tuple([text[:longest] for text in documentation]) if documentation else (),
        info.enclosing_symbol[: limits.symbol_length],
        tuple(related),
    )


def _flags(relationship: scip_pb2.Relationship) -> int:
    return (
        relationship.is_reference
        | relationship.is_implementation << 1
        | relationship.is_type_definition << 2
        | relationship.is_definition << 3
    )


def decode_symbol(data: bytes, limits: Limits) -> ScipSymbol | None:
    """Decode symbol information that stands alone, or return None where it cannot be used."""
    try:
        if len(data) > LOOK_FROM:
            look_through(as_field(_SYMBOLS, data), limits)
        return _symbol(scip_pb2.SymbolInformation.FromString(data), limits)
    except (DecodeError, TooLarge, DataError):
        return None


def defined_symbols(data: bytes, limits: Limits) -> list[tuple[str, int]]:
    """Return (symbol, kind) of what a document says it defines; nothing when it cannot be used."""
    try:
        return [(info.symbol, info.kind) for info in _decode(data, limits).symbols]
    except DocumentError:
        return []
