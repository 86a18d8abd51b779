"""Read files, of the workspace and of what it imports, and keep the last few hundred.

This module must not know the server.
"""

from __future__ import annotations

import os
import stat
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from codetrail.providers.python.lsp.modules import Modules
from codetrail.providers.python.lsp.naming import File, Naming
from codetrail.providers.python.lsp.reading import read
from codetrail.providers.python.lsp.scopes import Mention, Reading, Scope
from codetrail.providers.python.lsp.source import Source

_MOST_BYTES = 5 << 20
_KEPT = 400


class TooLarge(Exception):
    """A file is larger than those that are read."""


class Unreadable(Exception):
    """A file gives no rows: the code of the problem and what is wrong."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Files:
    """The files of one run by absolute path."""

    def __init__(self, request: Mapping[str, Any], modules: Modules) -> None:
        root: str = request["root"]
        self.modules = modules
        self._listed = frozenset(os.path.join(root, file) for file in request["files"])
        self._kept: OrderedDict[str, File | None] = OrderedDict()
        self._namings: dict[str, Naming] = {}

    def load(self, path: str) -> File:
        """Read and parse a file. Raises Unreadable."""
        try:
            source = Source(_bytes_of(path))
            reading = read(source)
        except SyntaxError as error:
            message = f"The interpreter that runs CodeTrail cannot parse it: {error.msg}."
            raise Unreadable("file_failed", message) from None
        except TooLarge:
            raise Unreadable("file_too_large", "It is too large.") from None
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError)
            message = "The file is gone." if gone else error.strerror or "It cannot be read."
            raise Unreadable("file_missing" if gone else "file_failed", message) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise Unreadable("file_failed", f"It cannot be parsed: {type(error).__name__}.") from None
        file = File(path, self.modules.of(path), source, reading, _places(source, reading))
        self._keep(path, file)
        return file

    def find(self, path: str) -> File | None:
        """Return a file, None when it gives nothing."""
        if path not in self._kept:
            try:
                return self.load(path)
            except Unreadable:
                self._keep(path, None)
        self._kept.move_to_end(path)
        return self._kept[path]

    def naming(self, file: File) -> Naming:
        """Return the naming of a file."""
        naming = self._namings.get(file.path)
        if naming is None:
            naming = self._namings[file.path] = Naming(file, lambda: self._partner(file.path))
        return naming

    def _partner(self, path: str) -> Scope | None:
        """Return the module scope of the listed stub next to a source, or of the source next to a stub."""
        other = path[:-1] if path.endswith(".pyi") else path + "i"
        found = self.find(other) if other in self._listed else None
        return found.reading.module if found else None

    def _keep(self, path: str, file: File | None) -> None:
        self._kept[path] = file
        self._namings.pop(path, None)
        while len(self._kept) > _KEPT:
            old, _ = self._kept.popitem(last=False)
            self._namings.pop(old, None)


def _bytes_of(path: str) -> bytes:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(0, "It is no regular file.")
        if found.st_size > _MOST_BYTES:
            raise TooLarge
        return file.read(_MOST_BYTES + 1)


def _places(source: Source, reading: Reading) -> dict[tuple[int, int], Mention]:
    """Return the bindings of a file by where the server says they are declared."""
    places: dict[tuple[int, int], Mention] = {}
    for one in reading.mentions:
        if one.kind == "field":
            places.setdefault(source.point(one.quote), one)
        elif one.is_binding() or one.kind == "type_parameter" or (one.kind == "member" and one.use):
            places[source.point(one.start)] = one
    return places
