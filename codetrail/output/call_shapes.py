"""Turn call edges into the plain values that public JSON is made of (contract §4, call rows).

Beside ``shapes`` and by its rules; apart, so that only answers with call edges load it.
"""

from __future__ import annotations

from codetrail.model.answers import Node
from codetrail.model.calls import CallRow
from codetrail.output import shapes
from codetrail.output.shapes import Json, put

CALL_KEYS = (
    "caller",
    "callee",
    "language",
    "path",
    "range",
    "text",
    "use",
    "basis",
    "via",
    "reliability",
    "freshness",
    "origin",
    "provenance",
)


def call_row(value: CallRow) -> Json:
    """Shape one call edge."""
    shape: Json = {
        "caller": shapes.node(value.caller),
        "callee": shapes.node(value.callee),
        "language": value.language,
        "path": value.path,
        "range": shapes.span(value.range),
        "text": value.text,
        "use": value.use,
        "basis": value.basis,
    }
    if value.via is not None:
        shape["via"] = shapes.via(value.via)
    shape["reliability"] = value.reliability
    put(shape, "freshness", value.freshness)
    put(shape, "origin", value.origin)
    if value.provenance is not None:
        shape["provenance"] = shapes.provenance(value.provenance)
    return shape


def short_call(value: CallRow) -> Json:
    """Shape one call edge for readers who pay by the byte; labels are added by ``short``."""
    return {
        "at": f"{value.path}:{value.range.line + 1}:{value.range.column + 1}",
        "in": shapes.query_input(value.caller),
        "to": target(value.callee),
        "use": value.use,
        "text": value.text,
    }


def target(callee: Node) -> str:
    """Return the coordinate of a callee; outside the workspace its name and package."""
    if callee.external is None:
        return shapes.query_input(callee)
    package = callee.external.package
    return f"{callee.qualified_name} ({package})" if package else callee.qualified_name
