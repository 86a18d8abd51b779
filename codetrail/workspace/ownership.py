"""Tell a ``.codetrail/`` that this user's CodeTrail made from one that came with the repository.

A build leaves a mark in the folder: a seal over the folder's real path and inode. Whoever lacks the user's
key cannot make one, and a copied one fits no other folder. So a repository that brings a ``.codetrail/`` in a
subfolder cannot make that subfolder the root of questions (contract §2). Knows nothing else of the folder.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping

from codetrail.workspace.seal import is_sealed, read_key, seal

MARK = "owner"
_SIZE = 64
_KIND = b"state folder"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def mark_of(key: bytes, path: str, handle: int) -> bytes:
    """Return the content of ``MARK`` for the folder at the real ``path`` that ``handle`` has open."""
    return seal(key, *_parts(path, handle)).encode("ascii")


def is_own_state_folder(path: str, env: Mapping[str, str] = os.environ) -> bool:
    """Tell whether this user's CodeTrail made the folder at the absolute real ``path``.

    False too where others can write to the folder or its mark, where a link stands in place of either, and
    for every folder once the user's key is another one.
    """
    try:
        handle = os.open(path, _FOLDER)
    except (OSError, ValueError):
        return False
    try:
        if not _is_own(os.fstat(handle), stat.S_ISDIR):
            return False
        mark = _read_mark(handle)
        key = read_key(env) if mark else None
        return key is not None and is_sealed(key, mark, *_parts(path, handle))
    except OSError:
        return False
    finally:
        os.close(handle)


def _parts(path: str, handle: int) -> tuple[bytes, bytes, bytes]:
    return _KIND, os.fsencode(path), str(os.fstat(handle).st_ino).encode("ascii")


def _read_mark(folder: int) -> str:
    file = os.open(MARK, _FILE, dir_fd=folder)
    try:
        return (
            os.read(file, _SIZE).decode("ascii", "replace") if _is_own(os.fstat(file), stat.S_ISREG) else ""
        )
    finally:
        os.close(file)


def _is_own(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    return (
        is_kind(status.st_mode)
        and status.st_uid == os.geteuid()
        and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )
