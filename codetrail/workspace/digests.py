"""Hash the content of files and lines, and decode source text.

One rule each for "same bytes", "same line" and "this column": every other room uses these and no other.
Knows nothing of providers or of where the bytes came from.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from codetrail.workspace.reading import FileStat, ReadState, file_stat, open_source

LINE_HASH_BYTES = 4
_BOM = b"\xef\xbb\xbf"
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_UTF8_NAMES = frozenset({"utf-8", "utf8", "utf-8-sig", "u8", "ascii", "us-ascii"})


class DecodedSource(NamedTuple):
    """Source text as its columns are counted.

    ``text`` is decoded as UTF-8 with every invalid byte sequence replaced by U+FFFD, without a leading
    byte order mark. ``encoding`` is what the file declares about itself. ``notes`` may hold
    ``encoding_error`` (bytes that are not UTF-8), ``encoding_declared`` (valid UTF-8 beside a declaration
    of something else) and ``nul_bytes``.
    """

    text: str
    encoding: str
    had_bom: bool
    notes: tuple[str, ...]


def content_hash(data: bytes) -> str:
    """Return the SHA-256 of the whole content, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def hash_source(root_fd: int, path: str) -> tuple[FileStat, str] | ReadState:
    """Return signature and content hash of a file of any size, read in pieces; or why it has none."""
    opened = open_source(root_fd, path)
    if isinstance(opened, str):
        return opened
    handle, before = opened
    digest = hashlib.sha256()
    try:
        while piece := os.read(handle, 1 << 20):
            digest.update(piece)
        after = os.fstat(handle)
    except OSError:
        return "unreadable"
    finally:
        os.close(handle)
    signature = file_stat(path, before)
    return (signature, digest.hexdigest()) if file_stat(path, after) == signature else "changed"


def split_lines(data: bytes) -> list[bytes]:
    r"""Return the lines without their ends; a line ends at ``\n``, ``\r\n`` or ``\r`` and nowhere else.

    A final line end starts no further line. ``bytes.splitlines`` is exactly this rule (``str.splitlines``
    is not: it also splits at form feeds and Unicode separators).
    """
    return data.splitlines()


def line_hashes(lines: Iterable[bytes]) -> bytes:
    """Return the first four bytes of BLAKE2b-512 of each line, joined."""
    blake2b = hashlib.blake2b
    return b"".join([blake2b(line).digest()[:LINE_HASH_BYTES] for line in lines])


def decode_source(data: bytes, language: str) -> DecodedSource:
    """Decode source bytes for display and for counting columns; never raises.

    Pyright, TypeScript and tree-sitter read UTF-8 whatever a file declares, so that is the text in which
    their columns make sense; a Python encoding declaration (PEP 263) is reported, not obeyed.

    Measured with Pyright: a Latin-1 file is read as UTF-8, its bad bytes replaced one maximal part at a time
    as here; only the line ends of ``split_lines`` end a line; and a byte order mark counts as the first
    column of line one, so there its columns are one larger than in ``text``.
    """
    had_bom = data.startswith(_BOM)
    body = data[len(_BOM) :] if had_bom else data
    declared = _declared_encoding(body) if language == "python" else None
    notes: list[str] = []
    try:
        text = body.decode("utf-8")
        if declared is not None and declared not in _UTF8_NAMES and not body.isascii():
            notes.append("encoding_declared")
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
        notes.append("encoding_error")
    if b"\0" in body:
        notes.append("nul_bytes")
    return DecodedSource(text, declared or "utf-8", had_bom, tuple(notes))


def _declared_encoding(body: bytes) -> str | None:
    """Return the PEP 263 declaration: in line one, or in line two below a blank or comment line."""
    for line in body[:_COOKIE_WINDOW].splitlines()[:2]:
        found = _COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii", "replace").lower().replace("_", "-")
        if not _BLANK.match(line):
            return None
    return None


_COOKIE_WINDOW = 4096
