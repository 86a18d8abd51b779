"""Copy accepted SCIP files to a folder that the user named (``--keep-scip``).

An existing file is replaced only if it is a SCIP index itself; nothing else of the user's is touched.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable

from codetrail.errors import DataError, SystemFailure, UsageError
from codetrail.scip.reader import scan

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def keeper(typed: str | None) -> Callable[[str, str], None] | None:
    """Return what copies the SCIP of a unit (its name, the file's path) into the folder; None for no folder.

    Raises UsageError when the folder is there but is none, SystemFailure when it cannot be made or written.
    """
    if typed is None:
        return None
    folder = os.path.abspath(typed)
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise UsageError("The place given with --keep-scip is not a folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise SystemFailure("The folder given with --keep-scip could not be made.") from error

    def keep(unit: str, path: str) -> None:
        target = os.path.join(folder, _UNSAFE.sub("-", unit).strip("-.") + ".scip")
        temporary = f"{target}.{os.urandom(4).hex()}"
        if os.path.lexists(target) and not _is_scip(target):
            raise SystemFailure("A file that is no SCIP index stands where --keep-scip would write.")
        try:
            with open(path, "rb") as source, open(temporary, "xb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            os.replace(temporary, target)
        except OSError as error:
            raise SystemFailure("The SCIP file could not be copied to the folder of --keep-scip.") from error

    return keep


def _is_scip(path: str) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with scan(path) as file:
            return bool(file.metadata.tool)
    except (DataError, SystemFailure):
        return False
