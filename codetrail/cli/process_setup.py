"""Make the process what the rest takes for granted: UTF-8 for file names, and an orderly end on signals.

Knows no commands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_CONTINUED = "CODETRAIL_UTF8"
"""Set for the process that takes over, so that it never happens twice."""


class Ended(KeyboardInterrupt):
    """A signal asked the process to end; ``status`` is what it then ends with, as a shell counts it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def continue_in_utf8() -> None:
    """Start over in Python's UTF-8 mode where file names are decoded otherwise.

    Paths are UTF-8 everywhere inside and outside (contract, architecture §2); under another locale's codec
    the same file would have another name, or none.
    """
    if sys.getfilesystemencoding() == "utf-8" or sys.flags.utf8_mode or _CONTINUED in os.environ:
        return
    if not sys.executable or not sys.orig_argv:
        return
    os.environ[_CONTINUED] = "1"
    os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


@contextmanager
def orderly_end() -> Iterator[None]:
    """Raise Ended for SIGTERM and SIGHUP, so that programs are ended and folders removed on the way out.

    A signal that is being ignored stays so (``nohup``); after the first one no other disturbs the cleaning.
    """
    import signal

    kinds = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) == signal.SIG_DFL]

    def end(number: int, _frame: object) -> None:
        for one in kinds:
            signal.signal(one, signal.SIG_IGN)
        raise Ended(number)

    for one in kinds:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in kinds:
            signal.signal(one, signal.SIG_DFL)
