"""The protobuf wire form, as far as it is needed to look at a message before it is decoded.

A decoder makes objects of whatever it is given: a few bytes of input become a hundred bytes of memory. So the
fields of an index are walked here first, from a file descriptor with ``pread``, and counted against limits
before anything is allocated for them (security §3). This module must not know what SCIP's fields mean.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from codetrail.errors import DataError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types that may occur; groups (3 and 4) are refused, no SCIP producer writes them."""

_BUFFER = 1 << 16
_MOST_FIELD_NUMBER = (1 << 29) - 1


class Field(NamedTuple):
    """One field of a message: its number, its wire type, and where its content begins and how long it is."""

    number: int
    wire: int
    offset: int
    size: int


def invalid(what: str) -> DataError:
    """Make the error of bytes that are no SCIP index: ``scip_invalid``."""
    return DataError(f"this is not a SCIP index: {what}", code="scip_invalid")


def read_at(handle: int, offset: int, size: int) -> bytes:
    """Read exactly ``size`` bytes of a file from ``offset``. Raises DataError where the file ends early."""
    data = os.pread(handle, size, offset)
    while len(data) < size:
        more = os.pread(handle, size - len(data), offset + len(data))
        if not more:
            raise invalid("the file ends early")
        data += more
    return data


def varint(data: bytes, position: int) -> tuple[int, int]:
    """Read a varint: its value (64 bits) and the position after it. Raises DataError when it has no end."""
    value = shift = 0
    while True:
        if position >= len(data) or shift > 63:
            raise invalid("a number without an end")
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
        shift += 7


def field_at(data: bytes, position: int, room: int) -> Field:
    """Read the head of the field at ``position``; ``room`` is how many bytes the message has from there.

    The offset of the result is relative to ``data``. Raises DataError for groups, field number 0 and
    contents that do not fit into ``room``.
    """
    tag, after = varint(data, position)
    number, wire = tag >> 3, tag & 7
    if not 0 < number <= _MOST_FIELD_NUMBER:
        raise invalid("a field without a number")
    if wire == BYTES:
        size, after = varint(data, after)
    elif wire == VARINT:
        _, end = varint(data, after)
        size = end - after
    elif wire == FIXED64:
        size = 8
    elif wire == FIXED32:
        size = 4
    else:
        raise invalid("a field of a wire type that SCIP does not use")
    if after - position + size > room:
        raise invalid("a field that is longer than what holds it")
    return Field(number, wire, after, size)


def fields_of(data: bytes) -> Iterator[Field]:
    """Walk the fields of a message held in memory. Raises DataError where it is not well formed."""
    position, end = 0, len(data)
    while position < end:
        found = field_at(data, position, end - position)
        yield found
        position = found.offset + found.size


def fields_of_file(handle: int, size: int) -> Iterator[tuple[Field, bytes]]:
    """Walk the top-level fields of a file of ``size`` bytes without reading their contents.

    Yields each field, with offsets into the file, and those bytes of its content that happened to be read
    along with its head (at most 64 KiB, perhaps none). Files of any size work. Raises DataError.
    """
    position = start = 0
    buffer = b""
    while position < size:
        at = position - start
        if (not 0 <= at <= len(buffer) - 32 and start + len(buffer) < size) or at > len(buffer):
            start, at = position, 0
            buffer = read_at(handle, start, min(_BUFFER, size - start))
        found = field_at(buffer, at, size - position)
        yield found._replace(offset=start + found.offset), buffer[found.offset : found.offset + found.size]
        position = start + found.offset + found.size


def as_field(number: int, content: bytes) -> bytes:
    """Write a length-delimited field, for looking at a message as a part of the one that would hold it."""
    head = bytearray([number << 3 | BYTES])
    size = len(content)
    while size > 0x7F:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    head.append(size)
    return bytes(head) + content
