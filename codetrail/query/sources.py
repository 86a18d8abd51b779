"""The files as they are at the moment of the question: read once each, lines shown from the bytes checked.

A row is only printed with text from bytes whose hash is the one its facts were made from (contract §6). This
module must not know what rows are.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack

from codetrail.model.ranges import LineIndex, Range
from codetrail.workspace.digests import line_hashes, split_lines
from codetrail.workspace.encodings import utf8_source
from codetrail.workspace.languages import language_of
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root

WINDOW = 200
"""Characters of a source line that are shown at most (contract §4)."""

_BOM = b"\xef\xbb\xbf"
_LARGEST = 64_000_000
_KEPT = 64


class SourceText:
    """The text of one file as UTF-8 bytes, and the hash of its own bytes; lines are split when asked for."""

    __slots__ = ("_index", "_lines", "_raw", "data", "sha256")

    def __init__(self, data: bytes, language: str = "") -> None:
        self._raw = data
        self.data = utf8_source(data, language)
        self.sha256 = hashlib.sha256(data).digest()
        self._lines: list[bytes] | None = None
        self._index: LineIndex | None = None

    def line(self, number: int) -> str:
        """Return a line (0-based) without its end or byte-order mark; empty beyond the end of the file."""
        lines = self._split()
        return lines[number].decode("utf-8", "replace") if number < len(lines) else ""

    @property
    def line_count(self) -> int:
        """Return how many lines there are; what follows a last line end is none."""
        return len(self._split())

    def _split(self) -> list[bytes]:
        if self._lines is None:
            self._lines = split_lines(self.data.removeprefix(_BOM))
        return self._lines

    @property
    def line_hashes(self) -> bytes:
        """Return the hashes of the lines as a shard holds them; none where its own bytes have other lines."""
        lines = split_lines(self._raw)
        return line_hashes(lines) if len(lines) == self.line_count else b""

    @property
    def index(self) -> LineIndex:
        """Return the index that converts offsets and slices ranges; dearer than ``line``."""
        if self._index is None:
            self._index = LineIndex(self.data)
        return self._index


class Sources:
    """Read files of one workspace; use as a context manager. Keeps the last few, so order rows by path."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._stack = ExitStack()
        self._handle: int | None = None
        self._kept: dict[str, SourceText | None] = {}

    def __enter__(self) -> Sources:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def text(self, path: str, sha256: bytes | None = None) -> SourceText | None:
        """Return the text of ``path``; None when it cannot be read or has another content hash."""
        if path not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[path] = self._read(path)
        found = self._kept[path]
        if found is None or (sha256 is not None and found.sha256 != sha256):
            return None
        return found

    def _read(self, path: str) -> SourceText | None:
        if self._handle is None:
            try:
                self._handle = self._stack.enter_context(opened_root(self._root.path))
            except OSError:
                return None
        read = read_source(self._handle, path, _LARGEST)
        return SourceText(read.data, language_of(path) or "") if read.state == "ok" else None


def shown_line(text: SourceText, span: Range) -> str:
    """Return the line on which ``span`` starts, trimmed right; of a long one a window that holds the span."""
    trimmed = text.line(span.line).rstrip()
    return trimmed if len(trimmed) <= WINDOW else window(trimmed, span, WINDOW).rstrip()


def written(text: SourceText, span: Range) -> str:
    """Return the text of a range, at most ``WINDOW`` code points; an ellipsis ends what is longer."""
    if span.end_line == span.line:
        found = text.line(span.line)[span.column : span.end_column]
    else:
        found = text.index.slice(span) or ""
    return found if len(found) <= WINDOW else found[: WINDOW - 1] + "…"


def window(line: str, span: Range, width: int) -> str:
    """Return ``width`` code points of a longer line, with what ``span`` holds of it in their middle."""
    end = span.end_column if span.end_line == span.line else len(line)
    held = min(max(end - span.column, 0), width)
    start = max(0, min(span.column - (width - held) // 2, len(line) - width))
    return line[start : start + width]
