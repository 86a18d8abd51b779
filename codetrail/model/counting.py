"""Put a sentence into the singular or the plural. This module must not know what is counted."""

from __future__ import annotations

import re

_CHOICE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


def counted(number: int, sentence: str) -> str:
    """Return a sentence with the first of each ``[file is|files are]`` for one, else with the second.

    What a workspace names must not be in the sentence yet.
    """
    return _CHOICE.sub(r"\1" if number == 1 else r"\2", sentence)
