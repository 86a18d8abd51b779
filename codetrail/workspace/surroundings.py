"""Notice that what answers depend on outside the tree changed: environments, packages, interpreters.

A few files and folders of the machine, named by providers when a build plans, are looked at again at every
question: one ``stat`` each, and a look inside only where that differs or is too young to tell. Their absolute
paths stay in the sealed side file. This module must not know what a provider is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable
from typing import NamedTuple

from codetrail.workspace.reading import RACY_NS

_WHOLE = 1 << 20
"""Bytes of the largest file whose content is compared; of a larger one size and time are."""
_INSTALLED = (".dist-info", ".egg-info", ".pth", ".egg-link")
"""Entries of a folder of packages that are made anew when one is installed again under its old name."""
_CACHE = "__pycache__"
_ABSENT, _OTHER = "absent", "other"
_NEVER = ""


class Surrounding(NamedTuple):
    """One file or folder outside the tree as a build saw it; a missing one has zeros.

    ``language`` is whose answers depend on it, ``path`` absolute; links are followed. ``digest`` tells the
    content apart: of a folder its entries' names, of a file its bytes.
    """

    language: str
    path: str
    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: str


def look(
    language: str, paths: Iterable[str], root: str, walked: Collection[str], started_ns: int
) -> tuple[Surrounding, ...]:
    """Record what stands at absolute paths, sorted; ``root`` is the real path of the workspace.

    Folders among ``walked`` (root-relative) are left out: what happens there is a change of files. What was
    touched since ``started_ns`` may be other than what planning read, so it will never count as equal.
    """
    found = []
    for path in sorted(set(paths)):
        if path == root or (path.startswith(root + "/") and path[len(root) + 1 :] in walked):
            continue
        status = _stat(path)
        if status is None:
            found.append(Surrounding(language, path, 0, 0, 0, _ABSENT))
            continue
        fresh = max(status.st_mtime_ns, status.st_ctime_ns) >= started_ns
        digest = _NEVER if fresh else _digest(path, status)
        found.append(Surrounding(language, path, *_signature(status), digest))
    return tuple(found)


def changed_languages(recorded: Iterable[Surrounding], started_ns: int) -> tuple[str, ...]:
    """Return the languages whose surroundings are not as recorded, sorted.

    ``started_ns`` is the time before which the build had looked at nothing: what was touched within two
    seconds before it is looked into, because its time stamps may be too coarse to tell.
    """
    racy_from = started_ns - RACY_NS
    return tuple(sorted({one.language for one in recorded if _differs(one, racy_from)}))


def _differs(one: Surrounding, racy_from: int) -> bool:
    status = _stat(one.path)
    if status is None or one.digest == _ABSENT:
        return (status is None) is not (one.digest == _ABSENT)
    if one.digest == _NEVER:
        return True
    racy = one.mtime_ns >= racy_from or one.ctime_ns >= racy_from
    if not racy and _signature(status) == (one.mtime_ns, one.ctime_ns, one.inode):
        return False
    return _digest(one.path, status) != one.digest


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def _signature(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _digest(path: str, status: os.stat_result) -> str:
    # Loaded only where something differs: an unchanged environment costs stats alone.
    from hashlib import sha256

    try:
        if stat.S_ISDIR(status.st_mode):
            return _folder_digest(path)
        if not stat.S_ISREG(status.st_mode):
            return _OTHER
        if status.st_size > _WHOLE:
            return f"{status.st_size} {status.st_mtime_ns}"
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return _OTHER
            return sha256(file.read(_WHOLE + 1)).hexdigest()
    except OSError:
        return _OTHER


def _folder_digest(path: str) -> str:
    from hashlib import sha256

    whole = sha256()
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: os.fsencode(entry.name)):
            # Compiled modules and hidden caches come and go as programs run; they change no answer.
            if entry.name == _CACHE or entry.name.startswith("."):
                continue
            whole.update(os.fsencode(entry.name) + b"\0")
            if entry.name.endswith(_INSTALLED):
                status = entry.stat()
                whole.update(f"{status.st_mtime_ns} {status.st_ino}\0".encode("ascii"))
    return whole.hexdigest()
