"""Let SQLite read a shard that is a part of a larger file, in place.

Small shards travel packed into one file (architecture §3); the part is read through this window, so nothing
is unpacked. Slower than the system's own reading, so it is loaded only where a shard is such a part.
"""

from __future__ import annotations

import os

import apsw

_NAME = "codetrail-part"


class _Part(apsw.VFSFile):
    """A read-only window on ``size`` bytes from ``offset`` of an open file."""

    def __init__(self, descriptor: int, offset: int, size: int) -> None:
        self._descriptor = descriptor
        self._offset = offset
        self._size = size

    def xRead(self, amount: int, offset: int) -> bytes:
        amount = max(0, min(amount, self._size - offset))
        return os.pread(self._descriptor, amount, self._offset + offset) if amount else b""

    def xFileSize(self) -> int:
        return self._size

    def xClose(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def xLock(self, level: int) -> None:
        del level

    def xUnlock(self, level: int) -> None:
        del level

    def xCheckReservedLock(self) -> bool:
        return False

    def xSectorSize(self) -> int:
        return 4096

    def xDeviceCharacteristics(self) -> int:
        return int(apsw.SQLITE_IOCAP_IMMUTABLE)

    def xFileControl(self, op: int, pointer: int) -> bool:
        del op, pointer
        return False


class _Parts(apsw.VFS):
    """Opens files whose query parameters say where the part lies; nothing else exists for it."""

    def __init__(self) -> None:
        super().__init__(_NAME, base="")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> _Part:
        if not isinstance(name, apsw.URIFilename):
            raise apsw.CantOpenError("only parts of files are opened here")
        offset = name.uri_int("offset", 0)
        size = name.uri_int("size", -1)
        descriptor = os.open(name.filename(), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        whole = os.fstat(descriptor).st_size
        size = whole - offset if size < 0 else size
        if offset < 0 or size < 0 or offset + size > whole:
            os.close(descriptor)
            raise apsw.CantOpenError("the part is not inside the file")
        flags[1] = apsw.SQLITE_OPEN_READONLY
        return _Part(descriptor, offset, size)

    def xAccess(self, pathname: str, flags: int) -> bool:
        del pathname, flags
        return False

    def xFullPathname(self, name: str) -> str:
        return name


_registered: list[_Parts] = []


def connect(path: str, offset: int, size: int | None) -> apsw.Connection:
    """Connect to ``size`` bytes (None: the rest) from ``offset`` of the file, read only."""
    if not _registered:
        _registered.append(_Parts())
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return apsw.Connection(
        f"file:{quoted}?immutable=1&offset={offset}&size={-1 if size is None else size}",
        flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI,
        vfs=_NAME,
        statementcachesize=64,
    )
