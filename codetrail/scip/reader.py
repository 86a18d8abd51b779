"""Read SCIP indexes of any size: first a walk that finds the documents, then one document at a time.

An index is never decoded whole (that fails above 2 GiB and costs four times its size in memory). This module
must not know what stands in a document.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import NamedTuple, Self

from google.protobuf.message import DecodeError

from codetrail.errors import DataError, SystemFailure
from codetrail.scip import scip_pb2
from codetrail.scip.document_paths import refused_path
from codetrail.scip.documents import (
    DocumentError,
    ScipDocument,
    ScipSymbol,
    decode_document,
    decode_symbol,
    defined_symbols,
)
from codetrail.scip.limits import Limits
from codetrail.scip.wire import BYTES, Field, fields_of, fields_of_file, invalid, read_at, varint

_METADATA, _DOCUMENTS, _EXTERNALS = 1, 2, 3
_PATH = 1
_FIRST_FIELDS = 64
_LONGEST_PATH = 1 << 13
_BYTES_AN_OCCURRENCE = 105
"""Measured on indexes of four producers: 90 to 120 bytes of document for each occurrence."""


class Metadata(NamedTuple):
    """Who wrote the index and over what: ``project_root`` is a URI as the producer wrote it."""

    tool: str
    tool_version: str
    project_root: str
    text_encoding: int


class DocumentEntry(NamedTuple):
    """Where one document stands in the file; ``pieces`` has several (offset, size) when its path came twice.

    ``occurrences`` is an estimate from the size.
    """

    path: str
    pieces: tuple[tuple[int, int], ...]
    occurrences: int


class ScipFile:
    """An open SCIP file whose documents are known by path and place, in ascending order of path bytes.

    ``skipped`` counts the documents that were refused during the scan, by reason; ``too_large`` are the paths
    of those that are larger than a document may be, as far as they begin with it.
    """

    __slots__ = ("_externals", "_handle", "_limits", "documents", "metadata", "size", "skipped", "too_large")

    def __init__(
        self,
        handle: int,
        size: int,
        metadata: Metadata,
        documents: list[DocumentEntry],
        externals: list[tuple[int, int]],
        skipped: dict[str, int],
        limits: Limits,
        too_large: frozenset[str] = frozenset(),
    ) -> None:
        self._handle = handle
        self._externals = externals
        self._limits = limits
        self.size = size
        self.metadata = metadata
        self.documents = documents
        self.skipped = skipped
        self.too_large = too_large

    def __enter__(self) -> Self:
        """Return the file itself; it is closed at the end of the block."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file; it cannot be read after."""
        os.close(self._handle)

    def document(self, number: int) -> ScipDocument:
        """Decode a document by its place in ``documents``; pieces of one path become one document.

        Raises DocumentError when it cannot be used.
        """
        entry = self.documents[number]
        skipped: Counter[str] = Counter()
        found: ScipDocument | None = None
        for offset, size in entry.pieces:
            piece = decode_document(read_at(self._handle, offset, size), entry.path, self._limits, skipped)
            if found is None:
                found = piece
                continue
            found.occurrences.extend(piece.occurrences)
            found.diagnostics.extend(piece.diagnostics)
            found.symbols.extend(piece.symbols)
            if found.unit != piece.unit:
                raise DocumentError("document_units_differ")
            if piece.text and found.text and piece.text != found.text:
                raise DocumentError("document_texts_differ")
            found = found._replace(text=found.text or piece.text)
        assert found is not None
        return found._replace(skipped=dict(skipped))

    def defined_symbols(self, number: int) -> Iterator[tuple[str, int]]:
        """Yield (symbol, kind) of what a document says it defines; nothing when it cannot be used."""
        for offset, size in self.documents[number].pieces:
            yield from defined_symbols(read_at(self._handle, offset, size), self._limits)

    def external_symbols(self) -> Iterator[ScipSymbol]:
        """Decode the symbols of other packages one by one; locals and broken ones are left out."""
        for offset, size in self._externals:
            if size <= self._limits.message_bytes:
                symbol = decode_symbol(read_at(self._handle, offset, size), self._limits)
                if symbol is not None and not symbol.symbol.startswith("local "):
                    yield symbol


def scan(path: str, limits: Limits | None = None) -> ScipFile:
    """Open a SCIP file and find its documents, without decoding them.

    Raises DataError ``scip_invalid`` where the bytes are no SCIP index or exceed what an index may have, and
    SystemFailure where the file cannot be read. The caller closes the result.
    """
    limits = limits or Limits()
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise SystemFailure(f"the SCIP file cannot be opened: {error.strerror}") from None
    try:
        return _scan(handle, limits)
    except OSError as error:
        os.close(handle)
        raise SystemFailure(f"the SCIP file cannot be read: {error.strerror}") from None
    except BaseException:
        os.close(handle)
        raise


def look_at_start(handle: int) -> None:
    """Look at the first fields of an open file, however large it is: other bytes show there, as a rule.

    Raises DataError ``scip_invalid`` where no SCIP index begins so, OSError.
    """
    for field, _ in islice(fields_of_file(handle, os.fstat(handle).st_size), _FIRST_FIELDS):
        if field.number <= _EXTERNALS and field.wire != BYTES:
            raise invalid("a field of the wrong type")


def _scan(handle: int, limits: Limits) -> ScipFile:
    size = os.fstat(handle).st_size
    if size > limits.file_bytes:
        raise invalid("the file is larger than an index may be")
    tool = version = root = ""
    encoding = seen = 0
    pieces: dict[str, list[tuple[int, int]]] = {}
    externals: list[tuple[int, int]] = []
    skipped: Counter[str] = Counter()
    too_large: set[str] = set()
    for field, head in fields_of_file(handle, size):
        if field.number > _EXTERNALS:
            continue
        if field.wire != BYTES:
            raise invalid("a field of the wrong type")
        if field.number == _METADATA:
            message = _metadata(handle, field, limits)
            tool = message.tool_info.name or tool
            version = message.tool_info.version or version
            root = message.project_root or root
            encoding = message.text_document_encoding or encoding
        elif field.number == _EXTERNALS:
            externals.append((field.offset, field.size))
            if len(externals) > limits.external_symbols:
                raise invalid("more external symbols than an index may have")
        else:
            seen += 1
            if seen > limits.documents:
                raise invalid("more documents than an index may have")
            if field.size > limits.message_bytes:
                skipped["document_too_large"] += 1
                if path := _path_at_the_start(handle, field):
                    too_large.add(path)
                continue
            path = document_path(handle, field, head)
            if path is None:
                skipped["document_invalid"] += 1
            elif refused_path(path):
                skipped["document_path_refused"] += 1
            else:
                pieces.setdefault(path, []).append((field.offset, field.size))
    skipped["document_repeated"] = sum(len(places) - 1 for places in pieces.values())
    documents = [
        DocumentEntry(path, tuple(places), sum(size for _, size in places) // _BYTES_AN_OCCURRENCE)
        for path, places in sorted(pieces.items(), key=lambda item: item[0].encode("utf-8"))
    ]
    return ScipFile(
        handle,
        size,
        Metadata(tool, version, root, encoding),
        documents,
        externals,
        {reason: count for reason, count in skipped.items() if count},
        limits,
        frozenset(too_large),
    )


def _metadata(handle: int, field: Field, limits: Limits) -> scip_pb2.Metadata:
    if field.size > limits.metadata_bytes:
        raise invalid("its metadata are larger than they may be")
    try:
        return scip_pb2.Metadata.FromString(read_at(handle, field.offset, field.size))
    except DecodeError:
        raise invalid("its metadata cannot be decoded") from None


def document_path(handle: int, field: Field, head: bytes) -> str | None:
    """Find a document's path: every known producer writes it first, the format does not ask for that.

    ``field`` is the document in the file ``handle``, ``head`` its first bytes as far as they are at hand.
    """
    try:
        leading = _leading_path(head)
        if leading is not None:
            return leading
        data = read_at(handle, field.offset, field.size)
        path = b""
        for part in fields_of(data):
            if part.number == _PATH and part.wire == BYTES:
                path = data[part.offset : part.offset + part.size]
        return path.decode("utf-8")
    except (DataError, UnicodeDecodeError):
        return None


def _path_at_the_start(handle: int, field: Field) -> str | None:
    """Return the path of a document that is not read whole, if it begins with it."""
    try:
        return _leading_path(read_at(handle, field.offset, min(field.size, _LONGEST_PATH)))
    except (DataError, UnicodeDecodeError):
        return None


def _leading_path(head: bytes) -> str | None:
    """Return the path of a document whose first bytes are ``head``, if it begins with its path.

    Raises DataError and UnicodeDecodeError.
    """
    if head[:1] == b"\x0a":
        size, start = varint(head, 1)
        if start + size <= len(head):
            return head[start : start + size].decode("utf-8")
    return None
