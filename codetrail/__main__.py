"""Run CodeTrail: the entry of the ``codetrail`` command and of ``python -m codetrail``.

Loading the program takes a moment in which nobody could say that it was interrupted: then it ends without a
word, as the signal alone would end it, and not with a traceback.
"""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run the program on ``sys.argv`` and return its exit status."""
    watched = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if watched:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from codetrail.cli.app import main as run

    return run(watched)


if __name__ == "__main__":
    sys.exit(main())
