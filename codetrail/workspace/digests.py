"""Hash the content of files and lines.

One rule each for "same bytes" and "same line": every other room uses these and no other.
Knows nothing of providers or of where the bytes came from.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from codetrail.workspace.reading import FileStat, ReadState, file_stat, open_source

LINE_HASH_BYTES = 4


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
