"""Call edges as rows of an answer: who calls what, where (contract §4, §5).

Apart from ``answers``, so that questions about other things do not pay for the class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.model.facts import INFERRED_CANDIDATE

if TYPE_CHECKING:
    from codetrail.model.answers import Node, Provenance
    from codetrail.model.overrides import Via
    from codetrail.model.ranges import Range

CALL_USES = ("call", "construct", "decorator")
"""The uses that are calls."""
CALLER_USES = (*CALL_USES, "value")
"""What ``callers`` can be asked for: a function passed on as a value may be called by who gets it."""

SCIP = "scip"
"""The basis of an edge whose place and named target a compiler said."""
PARSER = "parser"
"""The basis of an edge whose target is a guess by name, in a file that no compiler described as it is."""


class CallRow(NamedTuple):
    """One call site. ``range`` (0-based, code points) is that of the name by which ``callee`` is called.

    ``via``: the place names another symbol, which overrides or is overridden by the one concerned: in rows of
    ``callers`` the one asked about, in rows of ``calls`` the callee.
    """

    caller: Node
    callee: Node
    language: str
    path: str
    range: Range
    text: str
    use: str
    basis: str
    of: int
    reliability: str = INFERRED_CANDIDATE
    freshness: str | None = None
    origin: str | None = None
    provenance: Provenance | None = None
    via: Via | None = None
