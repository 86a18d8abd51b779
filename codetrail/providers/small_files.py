"""Read small files of the machine, never more than asked and never waiting: they may be anybody's.

This module must not know what stands in them.
"""

from __future__ import annotations

import os
import stat


def read_bounded(path: str, limit: int) -> bytes | None:
    """Return the bytes of a regular file of at most ``limit`` bytes, without waiting; else None."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
            return None
        try:
            data = file.read(limit + 1)
        except OSError:
            return None
    return data if len(data) <= limit else None
