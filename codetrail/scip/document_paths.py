"""Which paths a SCIP document may have.

Apart from the reader, because planning asks it of every file and needs nothing else of this room.
"""

from __future__ import annotations

import re

_REFUSED = re.compile(
    r"(?:\A|/)\.{0,2}(?:/|\Z)"  # empty, ``.`` and ``..`` parts; a slash at either end; nothing at all
    r"|[\\\x00-\x1f\x7f-\x9f]"  # backslashes and control characters
    r"|\A.:"  # drives
)


def refused_path(path: str) -> bool:
    """Tell whether a document's path is none that may be looked for below a root.

    Refused are empty, absolute and drive paths, backslashes, empty, ``.`` and ``..`` parts, and control
    characters (producers.md §4).
    """
    return _REFUSED.search(path) is not None


def is_portable(path: str) -> bool:
    """Tell whether a file's path can stand in a SCIP document: UTF-8, and not refused."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return not refused_path(path)
