"""Give an installation a folder of its own beside where it will stand, and sweep those that crashes left.

The one that fills a folder holds a lock on it. Folders are made, locked and swept under a lock on the folder
around them, so that none is swept between its making and its lock. This module must not know what is
installed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import tempfile
from collections.abc import Iterator

from codetrail.providers.run_folder import remove

_PREFIX = ".new-"
_NAME = re.compile(r"\.new-[a-z0-9_]{8}\Z")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def fresh_folder(parent: str) -> Iterator[str]:
    """Yield a new folder (0700) in ``parent``, and remove it at the end unless it was renamed.

    What installations left there that were killed is removed first. Raises OSError.
    """
    with _handle(parent) as around:
        # A file system without locks sweeps nothing, and what is made there is as safe as it ever was.
        with contextlib.suppress(OSError):
            fcntl.flock(around, fcntl.LOCK_EX)
            _sweep(parent)
        made = tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
        handle = os.open(made, _FOLDER)
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield made
    finally:
        remove(made)
        os.close(handle)


def _sweep(parent: str) -> None:
    for entry in list(os.scandir(parent)):
        if _NAME.match(entry.name) and entry.is_dir(follow_symlinks=False):
            with contextlib.suppress(OSError), _handle(entry.path) as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove(entry.path)


@contextlib.contextmanager
def _handle(path: str) -> Iterator[int]:
    handle = os.open(path, _FOLDER)
    try:
        yield handle
    finally:
        os.close(handle)
