"""Copy accepted SCIP files to a folder that the user named (``--keep-scip``).

An existing file is replaced only if it is a SCIP index itself; nothing else of the user's is touched.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterable
from contextlib import suppress

from codetrail.errors import DataError, SystemFailure, UsageError
from codetrail.scip.reader import scan

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def keeper(typed: str | None, units: Iterable[str]) -> Callable[[str, str], None] | None:
    """Return what copies the SCIP of a unit (its name, the file's path) into the folder; None for no folder.

    ``units`` are the names of all that will be kept. Raises UsageError when the folder is there but is none,
    SystemFailure when it cannot be made or something else stands where a copy would go; what is returned
    raises SystemFailure when the copy cannot be written.
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
    targets = {unit: os.path.join(folder, name) for unit, name in _file_names(units).items()}
    for target in targets.values():
        if os.path.lexists(target) and not _is_scip(target):
            raise SystemFailure("A file that is no SCIP index stands where --keep-scip would write.")

    def keep(unit: str, path: str) -> None:
        temporary = f"{targets[unit]}.{os.urandom(4).hex()}"
        try:
            with open(path, "rb") as source, open(temporary, "xb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            os.replace(temporary, targets[unit])
        except OSError as error:
            with suppress(OSError):
                os.unlink(temporary)
            raise SystemFailure("The SCIP file could not be copied to the folder of --keep-scip.") from error

    return keep


def _file_names(units: Iterable[str]) -> dict[str, str]:
    """Name a file for each unit: readable, safe, and no two alike."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for unit in sorted(units):
        stem = _UNSAFE.sub("-", unit).strip("-.")
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}-{number}"
        taken.add(name)
        names[unit] = f"{name}.scip"
    return names


def _is_scip(path: str) -> bool:
    if os.path.islink(path) or not os.path.isfile(path):
        return False
    try:
        with scan(path) as file:
            return bool(file.metadata.tool)
    except (DataError, SystemFailure):
        return False
