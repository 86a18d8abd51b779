"""The ``.codetrail/`` folder: opened by handle, believed only if it is this user's, written atomically.

Layout: ``.gitignore``, ``owner`` (workspace ``ownership``), ``current`` (a snapshot key), ``build.lock``,
``scip/shards/<sha256>.db`` and ``scip/<key>/`` with ``manifest.json``, ``local``, ``left``. A ``.codetrail/``
that came with a repository, or that others can write, is never followed (security §2). This module must not
know what the files say.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from codetrail.errors import CodeTrailError, IndexUnavailable, IndexUnusable, SystemFailure
from codetrail.workspace.ownership import MARK, is_own_state_folder, mark_of
from codetrail.workspace.seal import make_key

STATE_FOLDER = ".codetrail"
CURRENT = "current"
MANIFEST = "manifest.json"
LOCAL = "local"
LEFT = "left"
"""Beside a manifest: its time stamp says when ``current`` left that snapshot."""
SHARDS = "shards"
SCIP = "scip"
HINT = "codetrail index build"
REPAIR = "remove or repair .codetrail in the root of the workspace, then type: codetrail index build"
"""What a build says of a folder that it may not write to: typing the build again would not help."""

KEY = re.compile(r"[0-9a-f]{64}")
SHARD = re.compile(r"[0-9a-f]{64}\.db")
TEMPORARY = re.compile(r"tmp-[0-9a-f]{16}(\.db(-journal)?)?")
"""Everything unfinished: folders and files in ``scip``, files in ``shards`` and beside ``current``.

SQLite keeps a journal beside a shard while it packs it.
"""

_IN_THE_WAY = frozenset(
    (errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST, errno.ENXIO, errno.ESPIPE)
)
"""What the system says of a link, a folder or a special file where we expect something else."""

_NO_PART = "a part of it is not what it should be"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class StateFolder:
    """Handles of ``.codetrail``, ``scip`` and ``scip/shards``; ``path`` is the absolute path of the first."""

    __slots__ = ("handle", "path", "scip", "shards")

    def __init__(self, path: str, handle: int, scip: int, shards: int) -> None:
        self.path = path
        self.handle = handle
        self.scip = scip
        self.shards = shards

    @property
    def pool(self) -> str:
        """Return the absolute path of the folder of shards."""
        return f"{self.path}/{SCIP}/{SHARDS}"

    def close(self) -> None:
        """Close the handles."""
        for handle in (self.shards, self.scip, self.handle):
            os.close(handle)


def foreign(what: str) -> IndexUnusable:
    """Return the error for an index that this user's CodeTrail did not make here."""
    return IndexUnusable(f"The index is not used: {what}.", code="index_foreign", hint=HINT)


def missing() -> IndexUnavailable:
    """Return the error for no index at all."""
    return IndexUnavailable("There is no index yet.", hint=HINT)


def disk_failure(error: OSError) -> CodeTrailError:
    """Return the error for a write that the operating system refused.

    That is SystemFailure ``io_error``, or IndexUnusable ``index_foreign`` where something stands in the way
    that we did not put there.
    """
    if error.errno in _IN_THE_WAY:
        return foreign(_NO_PART)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return SystemFailure("The index could not be written: the disk is full.")
    return SystemFailure(f"The index could not be written: {_refusal(error)}.")


def read_failure(error: OSError) -> CodeTrailError:
    """Return the error for a part that could not be opened: ``index_foreign`` or ``io_error``, as above."""
    if error.errno in _IN_THE_WAY:
        return foreign(_NO_PART)
    return SystemFailure(f"The index could not be read: {_refusal(error)}.")


def _refusal(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else "the operating system refused"


@contextmanager
def opened(root: str, *, create: bool = False) -> Iterator[StateFolder]:
    """Yield the state folder of the workspace at ``root`` (absolute), closed afterwards.

    Raises IndexUnavailable ``index_missing`` where there is none, IndexUnusable ``index_foreign`` where it
    may not be believed, SystemFailure ``io_error``; with ``create`` it is made where missing, and every
    IndexUnusable from within says what to do instead of building.
    """
    try:
        folder = open_state_folder(root, create=create)
        try:
            yield folder
        finally:
            folder.close()
    except IndexUnusable as error:
        if create and error.hint == HINT:
            error.hint = REPAIR
        raise


def open_state_folder(root: str, *, create: bool = False) -> StateFolder:
    """Open the state folder as ``opened`` does; the caller closes it."""
    handles: list[int] = []
    try:
        parent = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            handles.append(_own_folder(parent, STATE_FOLDER, create))
        finally:
            os.close(parent)
        if create:
            _ensure_ignored(handles[0])
        handles.append(_own_folder(handles[0], SCIP, create))
        handles.append(_own_folder(handles[1], SHARDS, create))
    except FileNotFoundError as error:
        _close(handles)
        raise disk_failure(error) if create else missing() from None
    except OSError as error:
        _close(handles)
        raise (disk_failure(error) if create else read_failure(error)) from error
    except CodeTrailError:
        _close(handles)
        raise
    return StateFolder(f"{root.rstrip('/')}/{STATE_FOLDER}", *handles)


def _close(handles: list[int]) -> None:
    for handle in handles:
        os.close(handle)


def _own_folder(parent: int, name: str, create: bool) -> int:
    if create:
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
            os.fsync(parent)
        except FileExistsError:
            pass
    try:
        handle = os.open(name, _FOLDER, dir_fd=parent)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise foreign("a part of it is not a folder") from error
        raise
    try:
        _check_own(os.fstat(handle), stat.S_ISDIR)
    except IndexUnusable:
        os.close(handle)
        raise
    return handle


def _check_own(status: os.stat_result, is_kind: object) -> None:
    if not callable(is_kind) or not is_kind(status.st_mode):
        raise foreign(_NO_PART)
    if status.st_uid != os.geteuid():
        raise foreign("a part of it belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise foreign("other users can write to it")


def _ensure_ignored(handle: int) -> None:
    # The folder holds machine-local facts and must not travel with the repository.
    if not holds(handle, ".gitignore", b"*\n"):
        write_file(handle, ".gitignore", b"*\n")


def claim(folder: StateFolder, env: Mapping[str, str] = os.environ) -> None:
    """Leave the mark by which this user's questions find the folder from below (workspace ``ownership``).

    Hold the build lock. Raises SystemFailure ``io_error``.
    """
    if is_own_state_folder(folder.path, env):
        return
    mark = mark_of(make_key(env), folder.path, folder.handle)
    try:
        write_file(folder.handle, MARK, mark)
    except OSError as error:
        raise disk_failure(error) from error


def open_own_folder(parent: int, name: str) -> int | None:
    """Open a folder below a handle; None where it is missing.

    Raises IndexUnusable ``index_foreign`` and SystemFailure ``io_error``.
    """
    try:
        return _own_folder(parent, name, create=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise read_failure(error) from error


def open_own_file(folder: int, name: str) -> int | None:
    """Open a regular file below a handle for reading; None where it is missing.

    Raises IndexUnusable ``index_foreign`` where it is a link, special, another's or writable by others, and
    SystemFailure ``io_error`` where it cannot be opened.
    """
    try:
        handle = os.open(name, _FILE, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise read_failure(error) from error
    try:
        _check_own(os.fstat(handle), stat.S_ISREG)
    except IndexUnusable:
        os.close(handle)
        raise
    return handle


def read_file(folder: int, name: str, *, limit: int) -> bytes | None:
    """Read a whole file below a handle, or None where it is missing; a longer one is ``index_foreign``."""
    handle = open_own_file(folder, name)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise foreign("a part of it is too large")
    return data


def holds(folder: int, name: str, data: bytes) -> bool:
    """Tell whether a file below a handle is this user's and holds exactly ``data``."""
    try:
        return read_file(folder, name, limit=len(data)) == data
    except IndexUnusable:
        return False


def temporary_name(ending: str = "") -> str:
    """Return a new name that the next sweep removes if nothing renames it."""
    return f"tmp-{os.urandom(8).hex()}{ending}"


def write_new(folder: int, name: str, data: bytes) -> None:
    """Write a new file below a handle and flush it to the disk. Raises OSError."""
    handle = os.open(
        name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder
    )
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)


def write_file(folder: int, name: str, data: bytes) -> None:
    """Put a file in place atomically: the old one or the new one is there at every moment. Raises OSError."""
    temporary = temporary_name()
    try:
        write_new(folder, temporary, data)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        remove_file(folder, temporary)
        raise
    os.fsync(folder)


def remove_file(folder: int, name: str) -> int:
    """Remove a regular file below a handle and return its bytes; 0 where it is no regular file or gone."""
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            return 0
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return 0
    return status.st_size
