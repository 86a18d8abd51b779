"""The forms under which names are looked up: folded, and folded without word separators.

Shards hold them ready made, so a question must make its own in the same way. Nothing here knows tables.
"""

from __future__ import annotations

_SEPARATORS = str.maketrans("", "", "_-")


def fold(text: str) -> str:
    """Return the NFKC-normalised, case-folded form (contract §3: case folding is Unicode's)."""
    if text.isascii():
        return text.lower()
    import unicodedata

    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def style(text: str) -> str:
    """Return the folded form without ``_`` and ``-``: ``find_user`` = ``findUser`` = ``find-user``."""
    return fold(text).translate(_SEPARATORS)
