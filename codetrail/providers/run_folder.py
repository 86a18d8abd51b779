"""Give each provider run a fresh folder that only this user can enter, and sweep those that crashes left.

Folders lie in ``$XDG_CACHE_HOME/codetrail/runs/<workspace>/run-<random>``. The live owner of a folder holds a
lock on it, so a sweep takes only what nobody uses. This module must not know what a run writes; ``process``
holds a run to the size a folder may have. Rules: design ``security`` §2.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping

from codetrail.errors import SystemFailure
from codetrail.providers import private
from codetrail.providers.programs import is_inside

_NAME = re.compile(r"run-[a-z0-9_]{8}\Z")
_WORKSPACE = re.compile(r"[0-9a-f]{24}\Z")
_YOUNG_SECONDS = 60.0
_DAY_SECONDS = 86_400.0


@contextlib.contextmanager
def run_folder(root: str, env: Mapping[str, str]) -> Iterator[str]:
    """Yield the absolute path of an empty folder (0700, random name) for one run on the workspace ``root``.

    It is removed at the end, however that comes. What crashes left behind, in any workspace, is swept first.
    Where the user's cache lies inside the workspace, the system's temporary folder is used instead. Raises
    SystemFailure when a private folder cannot be had.
    """
    parent = runs_of(root, env)
    _sweep_all(os.path.dirname(parent), keep=parent)
    try:
        path = tempfile.mkdtemp(prefix="run-", dir=parent)
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise SystemFailure(f"A run folder cannot be made: {error.strerror}.") from error
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield path
    finally:
        remove(path)
        os.close(handle)


def runs_of(root: str, env: Mapping[str, str]) -> str:
    """Return the private folder that holds the runs of one workspace, making it where it is missing."""
    key = hashlib.sha256(os.fsencode(root)).hexdigest()[:24]
    home = private.cache_home(env)
    if is_inside(home, root):
        home = os.path.join(tempfile.gettempdir(), f"codetrail-{os.geteuid()}")
    return private.private_folder(home, "runs", key)


def sweep(parent: str) -> int:
    """Remove run folders whose owner is gone; return how many. Other names, links and files stay."""
    removed = 0
    for entry in list(os.scandir(parent)):
        if not _NAME.match(entry.name) or not entry.is_dir(follow_symlinks=False):
            continue
        with contextlib.suppress(OSError):
            if _is_abandoned(entry.path):
                remove(entry.path)
                removed += 1
    return removed


def _sweep_all(runs: str, keep: str) -> None:
    """Sweep the runs of every workspace: one that is never built again must not keep its leftovers."""
    for entry in list(os.scandir(runs)):
        if _WORKSPACE.match(entry.name) and entry.is_dir(follow_symlinks=False):
            with contextlib.suppress(OSError):
                sweep(entry.path)
                unused = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if unused > _DAY_SECONDS and entry.path != keep:
                    os.rmdir(entry.path)


def remove(path: str) -> None:
    """Remove a run folder and all below it, without following links, read-only folders included."""

    def _open_up(function: object, name: str, error: object) -> None:  # noqa: ARG001
        with contextlib.suppress(OSError):
            os.chmod(os.path.dirname(name), 0o700)

    shutil.rmtree(path, onerror=_open_up)
    if os.path.lexists(path):
        shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: str) -> bool:
    """Tell whether no live run holds the folder. A young one may just be between its making and its lock."""
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid() or time.time() - found.st_ctime < _YOUNG_SECONDS:
            return False
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
