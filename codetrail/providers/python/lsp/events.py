"""Say what happens as the drivers do: one JSON object a line on stderr (design ``providers`` §1).

This module must not know what is indexed.
"""

from __future__ import annotations

import json
import os
import time

_STDERR = 2
_MOST_TEXT = 500
_PROGRESS_SECONDS = 0.2


class DriverFailure(Exception):
    """Ends the run with a ``failed`` event: a stable code and one plain sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def emit(event: str, **facts: object) -> None:
    """Write one event, whole, so that none is lost when the process ends."""
    line = json.dumps({"event": event, **facts}, ensure_ascii=True).encode("ascii") + b"\n"
    while line:
        line = line[os.write(_STDERR, line) :]


def problem(
    code: str, message: str, *, path: str | None = None, line: int | None = None, count: int = 1
) -> None:
    """Report what costs rows but not the run; ``line`` is 1-based."""
    facts: dict[str, object] = {"code": code, "message": message[:_MOST_TEXT], "count": count}
    if path is not None:
        facts["path"] = path
    if line is not None:
        facts["line"] = line
    emit("problem", **facts)


class ProgressReporter:
    """Emits ``progress`` at most five times a second."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._last = 0.0

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if now - self._last >= _PROGRESS_SECONDS:
            self._last = now
            emit("progress", done=done, files=self._files)
