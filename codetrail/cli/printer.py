"""Write to standard output and standard error: UTF-8 bytes, pieces as they come, errors in the asked form.

Output does not depend on the terminal's encoding or width. A failure is printed as the JSON error on standard
output where JSON was asked for and nothing was written yet, else as text on standard error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import BinaryIO, TextIO

from codetrail.errors import CodeTrailError

_ENOUGH = 1 << 16
"""Bytes gathered before they are written."""


class Printer:
    """Standard output of one run: ``output`` is ``text``, ``json`` or ``jsonl``; ``verbose`` opens stderr."""

    __slots__ = ("_stream", "output", "started", "verbose")

    def __init__(self, output: str = "text", verbose: bool = False) -> None:
        self.output = output
        self.verbose = verbose
        self.started = False
        self._stream: BinaryIO | None = None

    def write(self, pieces: Iterable[str]) -> None:
        """Write pieces of text, gathered, and flush. Raises OSError as the system gives it."""
        waiting: list[bytes] = []
        size = 0
        for piece in pieces:
            data = piece.encode("utf-8", "backslashreplace")
            waiting.append(data)
            size += len(data)
            if size >= _ENOUGH:
                self._put(b"".join(waiting))
                waiting, size = [], 0
        self._put(b"".join(waiting))

    def write_line(self, pieces: Iterable[str]) -> None:
        """Write pieces of text and a line end."""
        self.write(pieces)
        self.write(("\n",))

    def fail(self, failure: CodeTrailError) -> None:
        """Print a failure in the asked form."""
        if self.output != "text" and not self.started:
            from codetrail.output import public

            if self.output == "json":
                self.write_line((public.error(failure),))
            else:
                self.write((public.error_event(failure),))
            return
        from codetrail.output import text

        say("".join(text.failure(failure, text.coloured if has_colour(sys.stderr) else text.plain)))

    def diagnose(self, lines: Iterable[str]) -> None:
        """Print diagnostics on standard error if they were asked for; ``lines`` are escaped already."""
        if self.verbose:
            for line in lines:
                say(line)

    def _put(self, data: bytes) -> None:
        if self._stream is None:
            if sys.stdout is None:
                raise OSError("standard output is closed")
            self._stream = sys.stdout.buffer
        self.started = self.started or bool(data)
        self._stream.write(data)
        self._stream.flush()


def say(text: str) -> None:
    """Write to standard error; where that is closed, there is no one to tell."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stderr.buffer.flush()
    except (OSError, ValueError):
        return


def has_colour(stream: TextIO | None) -> bool:
    """Tell whether a stream is a terminal that colours are wanted on (NO_COLOR, TERM=dumb honoured)."""
    if stream is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    try:
        return stream.isatty()
    except ValueError:
        return False


def abandon_output() -> None:
    """Let nothing more be written to standard output, not even at exit: its reader has gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    except OSError:
        return
