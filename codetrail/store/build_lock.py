"""One build at a time in a workspace, and what others may know of it.

The lock is the operating system's, on ``.codetrail/build.lock``, so a killed build frees it; the file's text
only says who holds it. This module must not know what a build does.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep, time_ns
from typing import NamedTuple

from codetrail.errors import SystemFailure
from codetrail.store.snapshot_folder import StateFolder, disk_failure, foreign, open_own_file

FILE = "build.lock"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_TRIES = 20
_PAUSE = 0.01
_LIMIT = 4096


class Building(NamedTuple):
    """A running build: process id, start in nanoseconds since the epoch, units done and in all."""

    pid: int
    since_ns: int
    units_done: int
    units: int


class BuildLock:
    """A held lock; tells others how far the build is."""

    __slots__ = ("_handle", "since_ns")

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.since_ns = time_ns()
        self.progress(0, 0)

    def progress(self, units_done: int, units: int) -> None:
        """Say how many units are done, of how many."""
        text = json.dumps([os.getpid(), self.since_ns, units_done, units]).ljust(_LINE).encode("ascii")
        os.pwrite(self._handle, text, 0)


_LINE = 120
"""The text always has this length, so a reader never sees the end of an older one."""


@contextmanager
def build_lock(folder: StateFolder) -> Iterator[BuildLock]:
    """Hold the lock of a workspace.

    Raises SystemFailure ``index_locked`` while another process has it, ``io_error``, and IndexUnusable
    ``index_foreign`` where something else stands in its place.
    """
    try:
        handle = os.open(FILE, _FLAGS, 0o600, dir_fd=folder.handle)
    except OSError as error:
        raise disk_failure(error) from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise foreign("a part of it is not what it should be")
        if status.st_uid != os.geteuid():
            raise foreign("a part of it belongs to another user")
        if not _try(handle, fcntl.LOCK_EX, _TRIES):
            raise _locked(_read(handle))
        yield BuildLock(handle)
    finally:
        os.close(handle)


def building(folder: StateFolder) -> Building | None:
    """Return the build that is running, if there is one."""
    handle = open_own_file(folder.handle, FILE)
    if handle is None:
        return None
    try:
        # Held for an instant only; a build that starts just then tries again.
        if _try(handle, fcntl.LOCK_SH, 1):
            return None
        return _read(handle)
    finally:
        os.close(handle)


def _try(handle: int, kind: int, tries: int) -> bool:
    for attempt in range(tries):
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if attempt + 1 < tries:
                sleep(_PAUSE)
        else:
            return True
    return False


def _read(handle: int) -> Building:
    try:
        pid, since, done, units = map(int, json.loads(os.pread(handle, _LIMIT, 0)))
    except (ValueError, TypeError):
        return Building(0, 0, 0, 0)
    return Building(pid, since, done, units)


def _locked(holder: Building) -> SystemFailure:
    who = f" (process {holder.pid})" if holder.pid else ""
    return SystemFailure(
        f"Another build of this workspace is running{who}.",
        code="index_locked",
        hint="codetrail index status",
    )
