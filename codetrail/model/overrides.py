"""How a use of another symbol came into an answer: by overriding (contract §5).

Apart from ``answers``, so that questions without ``--include-overrides`` do not pay for the class.
"""

from __future__ import annotations

from typing import NamedTuple

OVERRIDES = "overrides"
OVERRIDDEN = "overridden"


class Via(NamedTuple):
    """The symbol asked about ``kind`` (it overrides, or it is overridden by) ``symbol``, which is used."""

    kind: str
    symbol: str
