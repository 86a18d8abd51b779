"""Join SCIP files that several runs of one provider wrote over parts of the same files.

A concatenation of indexes is an index; only a document that two of them hold must not come twice. This module
must not know why there were several runs, nor what stands in a document.
"""

from __future__ import annotations

import os
from typing import BinaryIO

from codetrail.errors import SystemFailure
from codetrail.scip.reader import document_path
from codetrail.scip.wire import BYTES, fields_of_file, read_at

_DOCUMENTS = 2
_CHUNK = 1 << 20


def append_index(target: BinaryIO, path: str, seen: set[str]) -> int:
    """Append the index in the file at ``path``, without documents of paths in ``seen``; add its paths there.

    Returns how many documents the file holds, those left out included. Raises DataError ``scip_invalid``
    where it is no index, SystemFailure where it cannot be read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise SystemFailure(f"the SCIP file cannot be opened: {error.strerror}") from None
    documents = end = 0
    try:
        for field, head in fields_of_file(handle, os.fstat(handle).st_size):
            start, end = end, field.offset + field.size
            if field.number == _DOCUMENTS and field.wire == BYTES:
                documents += 1
                name = document_path(handle, field, head)
                if name in seen:
                    continue
                seen.add(name or "")
            _copy(handle, start, end, target)
    finally:
        os.close(handle)
    return documents


def _copy(handle: int, start: int, end: int, target: BinaryIO) -> None:
    while start < end:
        data = read_at(handle, start, min(_CHUNK, end - start))
        target.write(data)
        start += len(data)
