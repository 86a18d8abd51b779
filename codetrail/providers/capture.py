"""Keep what matters of a stream of any length: its head, its tail, and its lines as they come.

Used for stdout and stderr of every provider; memory is bounded whatever the program writes. This module must
not know where the bytes come from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

KEPT_BYTES = 16 << 20
"""What is kept of one stream, half of it head and half tail."""

LINE_BYTES = 1 << 16
"""Where a line that is handed out is cut."""

OnLine = Callable[[bytes], None]


class Captured(NamedTuple):
    """What a stream said: its first and last bytes and how many between them were dropped."""

    head: bytes
    tail: bytes
    dropped: int

    @property
    def text(self) -> str:
        """Return what was kept, decoded leniently as UTF-8; a cut is visible as one line."""
        cut = f"\n[{self.dropped} bytes left out]\n".encode() if self.dropped else b""
        return (self.head + cut + self.tail).decode("utf-8", "replace")


class Capture:
    """Keep the head and the tail of a stream and hand out its lines as they are completed."""

    def __init__(self, keep: int, on_line: OnLine | None = None) -> None:
        self._half = keep // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0
        self._on_line = on_line
        self._line = bytearray()

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the stream."""
        if self._on_line is not None:
            self._split(data)
        room = self._half - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * self._half:
            self._trim()

    def close(self) -> Captured:
        """Hand out an unfinished last line and return what was kept."""
        if self._on_line is not None and self._line:
            self._on_line(bytes(self._line))
            self._line.clear()
        self._trim()
        return Captured(bytes(self._head), bytes(self._tail), self._dropped)

    def _trim(self) -> None:
        over = len(self._tail) - self._half
        if over > 0:
            self._dropped += over
            del self._tail[:over]

    def _split(self, data: bytes) -> None:
        """Complete lines; of a line longer than 64 KiB only the first 64 KiB are handed out."""
        assert self._on_line is not None
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._line += part[: LINE_BYTES - len(self._line)]
            self._on_line(bytes(self._line))
            self._line.clear()
        self._line += rest[: max(0, LINE_BYTES - len(self._line))]
