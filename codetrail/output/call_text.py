"""Write call edges as text: ``caller -> callee  path:line  target=coordinate`` (contract §8).

Beside ``text``, and loaded by it for answers with call edges only.
"""

from __future__ import annotations

from codetrail.model.answers import Node
from codetrail.model.calls import SCIP, CallRow
from codetrail.output.escaping import clip, pasteable, word
from codetrail.output.text import NAME_LIMIT, Paint, shown_coordinate, shown_name

_CALL = "call"


def call_line(row: CallRow, paint: Paint) -> str:
    """Return the line of a call edge."""
    place = pasteable(f"{row.path}:{row.range.line + 1}")
    parts = [
        f"{shown_name(row.caller)} -> {paint('heading', _callee(row.callee))}",
        paint("place", place),
        f"target={pasteable(shown_coordinate(row.callee))}",
        *(paint("label", word(label)) for label in _labels(row)),
    ]
    return "  ".join(parts) + "\n"


def _callee(callee: Node) -> str:
    if callee.external is None or not callee.external.package:
        return shown_name(callee)
    return f"{shown_name(callee)} ({word(clip(callee.external.package, NAME_LIMIT))})"


def _labels(row: CallRow) -> list[str]:
    """Say what sets a row apart; that an edge is a candidate goes for every row."""
    labels = [] if row.use == _CALL else [row.use]
    if row.basis != SCIP:
        labels.append(f"basis={row.basis}")
    if row.via is not None:
        # Of callers the target is the symbol that the one asked about overrides or is overridden by.
        is_target = row.via.symbol == row.callee.symbol
        labels.append(f"via={row.via.kind}" if is_target else f"{row.via.kind}={row.via.symbol}")
    if row.freshness is not None:
        labels.append(row.freshness)
    if row.origin is not None:
        labels.append(f"origin={row.origin}")
    return labels
