"""How often a symbol is used, for ``--counts`` (contract §2).

Apart from ``answers``, so that questions without the option do not pay for the class.
"""

from __future__ import annotations

from typing import NamedTuple


class SymbolCounts(NamedTuple):
    """Uses of one symbol over the whole workspace, each place once, definitions never.

    ``refs`` leaves out imports and uses inside the symbol itself. ``calls`` are calls, constructions and
    decorators, ``imports`` imports, ``tests`` all uses in test files, imports too. ``via_base`` are uses of
    what it overrides, without imports and without those inside the symbol. ``unresolved`` are tokens of its
    name that no compiler bound. ``at_least``: coverage is not complete. ``decorated``: a framework may call
    it.
    """

    refs: int
    calls: int
    imports: int
    tests: int
    via_base: int
    unresolved: int
    at_least: bool = False
    decorated: bool = False
