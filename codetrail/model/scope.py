"""What a question is restricted to, as data: folders, suffixes, patterns, a language.

Filters are held here and applied by ``query``; paths are root-relative POSIX. This module must not know how a
command line spells them nor how a pattern engine works.
"""

from __future__ import annotations

from typing import NamedTuple


class Scope(NamedTuple):
    """Files a question is about; the empty scope is the whole workspace.

    ``directories`` are root-relative without a final slash, ``suffixes`` with their dot, ``patterns`` as
    typed and read by ``pattern_mode`` (``literal``, ``regex``, ``wildcard``, ``glob``); several of a sort are
    OR, sorts are AND. ``language`` is a full language name.
    """

    directories: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    pattern_mode: str = "wildcard"
    case_sensitive: bool = False
    language: str | None = None

    @property
    def is_everything(self) -> bool:
        """Tell whether no file is left out."""
        return not (self.directories or self.suffixes or self.patterns or self.language)
