"""Turn trees of callers and callees into the plain values that public JSON is made of (contract §4).

Beside ``shapes`` and by its rules; apart, so that only answers with trees load it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from codetrail.model.answers import Node
from codetrail.model.calls import SCIP
from codetrail.model.facts import INFERRED_CANDIDATE
from codetrail.model.hierarchy import Branch, HierarchyRow, Relations
from codetrail.model.ranges import Range
from codetrail.output import shapes
from codetrail.output.call_shapes import target
from codetrail.output.shapes import Json, put

HIERARCHY_KEYS = (
    "root",
    "incomingCalls",
    "outgoingCalls",
    "truncated",
    "reliability",
    "origin",
    "provenance",
)

_Shaped = Callable[[Branch, str], Json]


def hierarchy_row(value: HierarchyRow) -> Json:
    """Shape one tree."""
    shape: Json = {"root": tree_node(value.root, value.callable)}
    _put_branches(shape, value, _branch)
    shape["reliability"] = value.reliability
    put(shape, "origin", value.origin)
    if value.provenance is not None:
        shape["provenance"] = shapes.provenance(value.provenance)
    return shape


def short_hierarchy(value: HierarchyRow) -> Json:
    """Shape one tree for readers who pay by the byte: nodes as coordinates, call sites as ``line:column``."""
    shape: Json = {"root": target(value.root)}
    _put_branches(shape, value, _short_branch)
    return shape


def relations(value: Relations, *, short: bool = False) -> Json:
    """Shape what a definition calls and who calls it."""
    shaped = _short_branch if short else _branch
    shape: Json = {
        "calls": [shaped(branch, "to") for branch in value.calls],
        "callers": [shaped(branch, "from") for branch in value.callers],
    }
    put(shape, "moreCalls", value.more_calls or None)
    put(shape, "moreCallers", value.more_callers or None)
    shape["reliability"] = INFERRED_CANDIDATE
    return shape


def tree_node(value: Node, is_callable: bool) -> Json:
    """Shape a node of a tree: like any node, with its range and what pastes into the next command."""
    shape = shapes.node(value)
    if value.range is not None:
        shape["range"] = shapes.span(value.range)
    shape["queryInputs"] = shapes.query_inputs(value, is_callable)
    return shape


def _put_branches(shape: Json, value: HierarchyRow, shaped: _Shaped) -> None:
    if value.incoming is not None:
        shape["incomingCalls"] = [shaped(branch, "from") for branch in value.incoming]
    if value.outgoing is not None:
        shape["outgoingCalls"] = [shaped(branch, "to") for branch in value.outgoing]
    put(shape, "truncated", value.truncated or None)


def _branch(value: Branch, key: str) -> Json:
    shape: Json = {
        key: tree_node(value.node, value.callable),
        "fromRanges": [shapes.span(site) for site in value.ranges],
        "basis": value.basis,
    }
    put(shape, "freshness", value.freshness)
    if value.via is not None:
        shape["via"] = shapes.via(value.via)
    return shape | _below(value, key, _branch)


def _short_branch(value: Branch, key: str) -> Json:
    shape: Json = {key: target(value.node), "fromRanges": _sites(value.ranges)}
    if value.basis != SCIP:
        shape["basis"] = value.basis
    put(shape, "freshness", value.freshness)
    if value.via is not None:
        shape["via"] = shapes.via(value.via)
    return shape | _below(value, key, _short_branch)


def _below(value: Branch, key: str, shaped: _Shaped) -> Json:
    shape: Json = {}
    if value.children is not None:
        shape["children"] = [shaped(child, key) for child in value.children]
    if value.mark is not None:
        shape[value.mark] = True
    put(shape, "truncated", value.truncated or None)
    return shape


def _sites(ranges: tuple[Range, ...]) -> list[str]:
    """Write call sites as ``line:column`` (1-based), those of one line as ``line:column,column``."""
    return [
        f"{line + 1}:{','.join(str(site.column + 1) for site in sites)}"
        for line, sites in groupby(ranges, key=lambda site: site.line)
    ]
