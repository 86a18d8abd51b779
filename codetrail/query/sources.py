"""The files as they are at the moment of the question: read once each, lines shown from the bytes checked.

A row is only printed with text from bytes whose hash is the one its facts were made from (contract §6). This
module must not know what rows are.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack

from codetrail.model.ranges import LineIndex, Range
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root

WINDOW = 200
"""Characters of a source line that are shown at most (contract §4)."""

_LARGEST = 64_000_000
_KEPT = 64


class Sources:
    """Read files of one workspace; use as a context manager. Keeps the last few, so order rows by path."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._stack = ExitStack()
        self._handle: int | None = None
        self._kept: dict[str, tuple[bytes, LineIndex] | None] = {}

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def lines(self, path: str, sha256: bytes | None = None) -> LineIndex | None:
        """Return the lines of ``path``; None when it cannot be read or has another content hash."""
        if path not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[path] = self._read(path)
        found = self._kept[path]
        if found is None or (sha256 is not None and found[0] != sha256):
            return None
        return found[1]

    def _read(self, path: str) -> tuple[bytes, LineIndex] | None:
        if self._handle is None:
            try:
                self._handle = self._stack.enter_context(opened_root(self._root.path))
            except OSError:
                return None
        read = read_source(self._handle, path, _LARGEST)
        if read.state != "ok":
            return None
        return hashlib.sha256(read.data).digest(), LineIndex(read.data)


def shown_line(lines: LineIndex, span: Range) -> str:
    """Return the line on which ``span`` starts, trimmed right; of a long one a window that holds the span."""
    if span.line >= len(lines):
        return ""
    text = lines.line_text(span.line)
    trimmed = text.rstrip()
    if len(trimmed) <= WINDOW:
        return trimmed
    end = span.end_column if span.end_line == span.line else len(text)
    width = min(max(end - span.column, 0), WINDOW)
    start = max(0, min(span.column - (WINDOW - width) // 2, len(trimmed) - WINDOW))
    return trimmed[start : start + WINDOW].rstrip()
