"""Run CodeTrail: the entry of the ``codetrail`` command and of ``python -m codetrail``.

Loading the program takes a moment in which nobody could say that it was interrupted: then it ends without a
word, as the signal alone would end it, and not with a traceback.
"""

from __future__ import annotations

import sys
from types import TracebackType


def _without_interrupts(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def main() -> int:
    """Run the program on ``sys.argv`` and return its exit status."""
    sys.excepthook = _without_interrupts
    from codetrail.cli.app import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
