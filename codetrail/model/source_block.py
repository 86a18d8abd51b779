"""The source text of a definition as part of its row; apart from ``answers``, which every question loads."""

from __future__ import annotations

from typing import NamedTuple


class SourceBlock(NamedTuple):
    """Lines of one file that hold a definition: ``first`` is the number (0-based) of the first of ``lines``.

    ``lines`` are without their ends and hold neither ``\\n`` nor ``\\r``. ``truncated``: a line that was
    asked for is missing or is not whole.
    """

    path: str
    first: int
    lines: tuple[str, ...]
    truncated: bool
