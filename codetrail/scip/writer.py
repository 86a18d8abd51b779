"""Write a SCIP index as a stream of messages: metadata first, one message a document, external symbols last.

For producers of our own that are Python programs; nothing is kept once it is written, and protobuf is not
loaded. Positions are 0-based lines and UTF-16 columns. Field numbers come from scip.proto. This module must
not know any language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import BinaryIO, NamedTuple

from codetrail.scip.wire import as_field

_UTF8_TEXT = 1
_UTF16_POSITIONS = 2

Range = tuple[int, int, int, int]
"""Start line, start column, end line, end column."""


class Remark(NamedTuple):
    """What is said of a place: SCIP severity, code, message."""

    severity: int
    code: str
    message: str


class Occurrence(NamedTuple):
    """A place of a symbol; one that only carries a remark has the symbol ""."""

    range: Range
    symbol: str
    roles: int = 0
    enclosing: Range | None = None
    remark: Remark | None = None


class Relationship(NamedTuple):
    """How a symbol relates to another."""

    symbol: str
    reference: bool
    implementation: bool


class Information(NamedTuple):
    """What is known of a symbol."""

    symbol: str
    kind: int
    display: str
    signature: str = ""
    documentation: str = ""
    enclosing: str = ""
    relationships: tuple[Relationship, ...] = ()


class Document(NamedTuple):
    """One file: root-relative path, language, occurrences in order, symbols it defines."""

    path: str
    language: str
    occurrences: Sequence[Occurrence]
    symbols: Sequence[Information]


class ScipWriter:
    """Appends messages to one new file; a context manager."""

    def __init__(self, path: str, tool: str, version: str) -> None:
        """Create the file, which must not exist, and write who made it. Raises OSError."""
        self._file: BinaryIO = open(path, "xb")  # noqa: SIM115 - closed at the end of the context
        tool_info = _text(1, tool) + _text(2, version)
        self._file.write(as_field(1, as_field(2, tool_info) + _number(4, _UTF8_TEXT)))

    def __enter__(self) -> ScipWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def document(self, document: Document) -> None:
        """Write one document."""
        parts = [_text(1, document.path)]
        parts += [as_field(2, _occurrence(one)) for one in document.occurrences]
        parts += [as_field(3, _information(one, document.language)) for one in document.symbols]
        parts += [_text(4, document.language), _number(6, _UTF16_POSITIONS)]
        self._file.write(as_field(2, b"".join(parts)))

    def external_symbols(self, symbols: Iterable[Information], language: str) -> None:
        """Write symbols that no document of the index defines."""
        for one in symbols:
            self._file.write(as_field(3, _information(one, language)))


def _occurrence(one: Occurrence) -> bytes:
    parts = [_packed(1, one.range), _text(2, one.symbol), _number(3, one.roles)]
    if one.remark is not None:
        remark = _number(1, one.remark.severity) + _text(2, one.remark.code) + _text(3, one.remark.message)
        parts.append(as_field(6, remark))
    if one.enclosing is not None:
        parts.append(_packed(7, one.enclosing))
    return b"".join(parts)


def _information(one: Information, language: str) -> bytes:
    parts = [_text(1, one.symbol), _text(3, one.documentation)]
    for other in one.relationships:
        flags = _number(2, int(other.reference)) + _number(3, int(other.implementation))
        parts.append(as_field(4, _text(1, other.symbol) + flags))
    parts += [_number(5, one.kind), _text(6, one.display)]
    if one.signature:
        parts.append(as_field(7, _text(4, language) + _text(5, one.signature)))
    parts.append(_text(8, one.enclosing))
    return b"".join(parts)


def _packed(field: int, span: Range) -> bytes:
    line, start, last, end = span
    numbers = (line, start, end) if line == last else span
    return as_field(field, b"".join(map(_varint, numbers)))


def _text(field: int, value: str) -> bytes:
    return as_field(field, value.encode("utf-8", "replace")) if value else b""


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value) if value else b""


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
