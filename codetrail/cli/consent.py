"""Ask a person on the terminal whether programs that a workspace names may run."""

from __future__ import annotations

import sys
from collections.abc import Callable

from codetrail.output.escaping import clip, visible

_WIDTH = 200


def asker() -> Callable[[tuple[str, ...]], bool] | None:
    """Return what asks, or None where nobody can be asked: standard input or error is no terminal."""
    if sys.stdin is None or sys.stderr is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    return _ask


def _ask(commands: tuple[str, ...]) -> bool:
    lines = ["This workspace asks to run:"]
    lines += [f"  {clip(visible(command), _WIDTH)}" for command in commands]
    sys.stderr.write("\n".join([*lines, "Trust it, until it changes? [y/N] "]))
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
