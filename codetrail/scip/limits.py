"""What an index may ask for before it is refused, and the look at a message that finds out beforehand.

Decoding makes about 50 bytes of memory of each byte of a message that was built to hurt (producers.md §4), so
a message above ``LOOK_FROM`` bytes is counted through before it is decoded. This module must not know files.
"""

from __future__ import annotations

from typing import NamedTuple

from codetrail.scip.wire import BYTES, fields_of

LOOK_FROM = 1 << 20
"""Messages up to this size are decoded without a look: the worst of them costs about 50 MB."""


class Limits(NamedTuple):
    """The most that is accepted; sizes in bytes.

    ``file_bytes``, ``documents`` and ``external_symbols`` concern the index and end the reading; the others
    concern one document or symbol and cost that alone.
    """

    file_bytes: int = 64 << 30
    documents: int = 2_000_000
    external_symbols: int = 20_000_000
    metadata_bytes: int = 1 << 20
    message_bytes: int = 64 << 20
    occurrences: int = 2_000_000
    symbols: int = 1_000_000
    parts: int = 8_000_000
    relationships: int = 10_000
    symbol_length: int = 1 << 14
    text_length: int = 1 << 16


class TooLarge(Exception):
    """A document or symbol asks for more than a limit allows; ``args[0]`` is the limit's name."""


_OCCURRENCES, _SYMBOLS = 2, 3
_RELATIONSHIPS = 4


def look_through(data: bytes, limits: Limits) -> None:
    """Count what a Document message would become. Raises TooLarge, or DataError where it is malformed.

    ``parts`` counts the fields of occurrences and symbols and, one level down, of their own messages: each
    becomes an object or an array entry.
    """
    occurrences = symbols = parts = 0
    for field in fields_of(data):
        if field.wire != BYTES or field.number not in (_OCCURRENCES, _SYMBOLS):
            continue
        if field.number == _OCCURRENCES:
            occurrences += 1
        else:
            symbols += 1
        parts += _parts(data[field.offset : field.offset + field.size], field.number == _SYMBOLS, limits)
        if occurrences > limits.occurrences:
            raise TooLarge("occurrences")
        if symbols > limits.symbols:
            raise TooLarge("symbols")
        if parts > limits.parts:
            raise TooLarge("parts")


def _parts(message: bytes, is_symbol: bool, limits: Limits) -> int:
    count = relationships = 0
    for field in fields_of(message):
        count += 1
        if field.wire != BYTES:
            continue
        if is_symbol and field.number == _RELATIONSHIPS:
            relationships += 1
            if relationships > limits.relationships:
                raise TooLarge("relationships")
        elif field.size > 1 << 12:
            count += field.size >> 1
        if count > limits.parts:
            raise TooLarge("parts")
    return count
