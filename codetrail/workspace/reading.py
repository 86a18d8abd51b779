"""Read one file of the tree without ever being led out of it.

Every path is walked component by component below an open folder handle and no link is followed, so a
hostile tree cannot make us read (or wait for) anything but a regular file of its own. This module knows
neither ignore rules nor languages, and turns the state of a file into a value, never into an exception.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

LARGE_FILE = 5_000_000
"""Bytes above which a source file gets no syntax and no re-anchoring (``file_too_large``)."""

RACY_NS = 2_000_000_000
"""A file or folder touched this long before the start of its build, or later, is looked at again: its
time stamps may be too coarse to tell (architecture §3)."""

ReadState = Literal["ok", "missing", "special", "link", "unreadable", "changed", "too_large"]

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK = 1 << 20


class FileStat(NamedTuple):
    """What the file system said about one regular file; two equal ones mean the same bytes, unless racy.

    ``path`` is root-relative; ``size`` is in bytes, the times are nanoseconds since the epoch. The device
    number is left out on purpose: it changes between mounts of the same disk.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class FolderStat(NamedTuple):
    """What the file system said about one folder; unchanged means that no entry came or went, unless racy."""

    path: str
    mtime_ns: int
    ctime_ns: int
    inode: int


class IgnoreFile(NamedTuple):
    """An ignore file that was obeyed, or whose absence was: ``size`` is -1 and ``sha256`` empty if absent.

    ``path`` is relative to the root; ignore files above the root begin with ``../``.
    """

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str


class SourceRead(NamedTuple):
    """The outcome of reading one file: ``data`` is its whole content when ``state`` is ``ok``, else empty."""

    state: ReadState
    data: bytes
    stat: FileStat | None


def file_stat(path: str, status: os.stat_result) -> FileStat:
    """Return the signature of ``path`` from a stat result."""
    return FileStat(path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def folder_stat(path: str, status: os.stat_result) -> FolderStat:
    """Return the signature of the folder ``path`` from a stat result."""
    return FolderStat(path, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@contextmanager
def opened_root(path: str) -> Iterator[int]:
    """Yield a handle of the folder at the absolute ``path``; raises OSError if it cannot be opened."""
    handle = os.open(path, _FOLDER_FLAGS)
    try:
        yield handle
    finally:
        os.close(handle)


def open_folder(root_fd: int, path: str) -> int:
    """Open the folder ``path`` (root-relative, ``""`` is the root) without following links; caller closes.

    Raises OSError: ``ELOOP`` or ``ENOTDIR`` where a component is a link, ``ENOENT`` where the path is
    missing or could lead out of the root (absolute, ``..``, an empty component, a NUL).
    """
    parts = path.split("/") if path else []
    if "\0" in path or any(part in {"", ".", ".."} for part in parts):
        raise FileNotFoundError(errno.ENOENT, "not a path inside the root", path)
    handle = os.dup(root_fd)
    for part in parts:
        try:
            below = os.open(part, _FOLDER_FLAGS, dir_fd=handle)
        finally:
            os.close(handle)
        handle = below
    return handle


def open_source(root_fd: int, path: str) -> tuple[int, os.stat_result] | ReadState:
    """Open the regular file ``path`` below the root; return its handle and status, or why not.

    The caller closes the handle. A state is ``missing``, ``special`` (folder, FIFO, socket, device),
    ``link`` (any component is a symbolic link) or ``unreadable``. Special files are recognised before they
    are opened, because opening a device can already do something.
    """
    folder, _, name = path.rpartition("/")
    if name in {"", ".", ".."}:
        return "missing"
    try:
        parent = open_folder(root_fd, folder)
    except OSError as error:
        return _state_of_folder(root_fd, folder, error)
    try:
        before = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if stat.S_ISLNK(before.st_mode):
            return "link"
        if not stat.S_ISREG(before.st_mode):
            return "special"
        handle = os.open(name, _FILE_FLAGS, dir_fd=parent)
    except (OSError, ValueError) as error:
        return _state_of_error(error)
    finally:
        os.close(parent)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        return "special"
    return handle, status


def read_source(root_fd: int, path: str, limit: int = LARGE_FILE) -> SourceRead:
    """Read the whole regular file ``path`` (root-relative), at most ``limit`` bytes.

    Never raises for the state of a file. ``changed`` means that the file was written while it was read,
    so neither its bytes nor its signature may be used; ``too_large`` carries the signature without bytes.
    """
    opened = open_source(root_fd, path)
    if isinstance(opened, str):
        return SourceRead(opened, b"", None)
    handle, before = opened
    try:
        if before.st_size > limit:
            return SourceRead("too_large", b"", file_stat(path, before))
        data = _read_up_to(handle, before.st_size + 1)
        after = os.fstat(handle)
    except OSError:
        return SourceRead("unreadable", b"", None)
    finally:
        os.close(handle)
    signature = file_stat(path, before)
    if len(data) != before.st_size or file_stat(path, after) != signature:
        return SourceRead("changed", b"", None)
    return SourceRead("ok", data, signature)


def read_head(root_fd: int, path: str, count: int) -> bytes:
    """Return at most ``count`` first bytes of the regular file ``path``; none where it cannot be read."""
    opened = open_source(root_fd, path)
    if isinstance(opened, str):
        return b""
    try:
        return _read_up_to(opened[0], count)
    except OSError:
        return b""
    finally:
        os.close(opened[0])


def _read_up_to(handle: int, count: int) -> bytes:
    parts: list[bytes] = []
    while count > 0 and (part := os.read(handle, min(count, _CHUNK))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _state_of_error(error: OSError | ValueError) -> ReadState:
    number = error.errno if isinstance(error, OSError) else errno.EINVAL
    if number == errno.ELOOP:
        return "link"
    if number in {errno.ENOENT, errno.ENOTDIR, errno.EINVAL, errno.ENAMETOOLONG}:
        return "missing"
    if number in {errno.ENXIO, errno.ENODEV}:
        return "special"
    return "unreadable"


def _state_of_folder(root_fd: int, folder: str, error: OSError) -> ReadState:
    """Tell a link from a file among the components: both answer ENOTDIR when opened as a folder."""
    if error.errno == errno.ENOTDIR:
        parts = folder.split("/")
        for depth in range(len(parts)):
            above = "/".join(parts[:depth])
            try:
                handle = open_folder(root_fd, above)
            except OSError:
                return "missing"
            try:
                mode = os.stat(parts[depth], dir_fd=handle, follow_symlinks=False).st_mode
            except OSError:
                return "missing"
            finally:
                os.close(handle)
            if stat.S_ISLNK(mode):
                return "link"
    return _state_of_error(error)
