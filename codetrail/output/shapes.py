"""Turn rows, nodes, coverage and pages into the plain values that public JSON is made of.

Keys and their order are those of contract §4; positions become 1-based here and nowhere else; optional keys
are left out, never null, except ``page.nextCursor`` and ``page.total``. Writing the values as JSON is
``public``'s business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codetrail.model.answers import (
    Coverage,
    Matched,
    Node,
    Note,
    Page,
    Provenance,
    Reason,
    ReferenceRow,
    Row,
    SymbolRow,
)
from codetrail.model.facts import role_words
from codetrail.model.ranges import Range
from codetrail.output.escaping import command

if TYPE_CHECKING:
    from codetrail.model.counts import SymbolCounts
    from codetrail.model.overrides import Via
    from codetrail.model.source_block import SourceBlock

Json = dict[str, Any]

FULL = ("full",)
SHORT = ("short",)
"""The two values of ``--fields`` that are no lists of keys."""

SYMBOL_KEYS = (
    "kind",
    "name",
    "qualifiedName",
    "signature",
    "language",
    "path",
    "range",
    "bodyRange",
    "symbol",
    "reliability",
    "queryInputs",
    "counts",
    "matchedInputVariant",
    "freshness",
    "origin",
    "provenance",
    "source",
    "relations",
)
REFERENCE_KEYS = (
    "name",
    "symbol",
    "language",
    "path",
    "range",
    "text",
    "use",
    "roles",
    "enclosing",
    "definition",
    "via",
    "reliability",
    "freshness",
    "origin",
    "provenance",
)


def coordinate(node: Node) -> str | None:
    """Return ``path:line#qualifiedName`` (1-based line), or None for a node without a place here.

    With the column, where another symbol of the answer has the same coordinate.
    """
    if node.path is None or node.range is None:
        return None
    place = f"{node.path}:{node.range.line + 1}"
    if node.has_twin:
        place = f"{place}:{node.range.column + 1}"
    return f"{place}#{node.qualified_name}" if node.qualified_name else place


def query_input(node: Node) -> str:
    """Return what pastes into the next command: the coordinate, else the symbol, else the name."""
    return coordinate(node) or node.symbol or node.qualified_name


def span(value: Range) -> Json:
    """Shape a range: 1-based, half-open."""
    return {
        "start": {"line": value.line + 1, "column": value.column + 1},
        "end": {"line": value.end_line + 1, "column": value.end_column + 1},
    }


def node(value: Node) -> Json:
    """Shape a symbol that stands inside another row."""
    shape: Json = {"kind": value.kind, "name": value.name, "qualifiedName": value.qualified_name}
    put(shape, "signature", value.signature)
    put(shape, "language", value.language)
    put(shape, "path", value.path)
    if value.range is not None:
        shape["line"] = value.range.line + 1
        shape["column"] = value.range.column + 1
    put(shape, "coordinate", coordinate(value))
    put(shape, "symbol", value.symbol)
    if value.external is not None:
        shape["external"] = {"package": value.external.package, "version": value.external.version}
    return shape


def row(value: Row) -> Json:
    """Shape one row in full."""
    if isinstance(value, SymbolRow):
        return symbol_row(value)
    if isinstance(value, ReferenceRow):
        return reference_row(value)
    from codetrail.model.calls import CallRow

    if isinstance(value, CallRow):
        from codetrail.output.call_shapes import call_row

        return call_row(value)
    from codetrail.output.hierarchy_shapes import hierarchy_row

    return hierarchy_row(value)


def symbol_row(value: SymbolRow) -> Json:
    """Shape a definition or symbol row."""
    named = value.node
    shape: Json = {"kind": named.kind, "name": named.name, "qualifiedName": named.qualified_name}
    put(shape, "signature", named.signature)
    put(shape, "language", named.language)
    put(shape, "path", named.path)
    if named.range is not None:
        shape["range"] = span(named.range)
    if value.body is not None:
        shape["bodyRange"] = span(value.body)
    put(shape, "symbol", named.symbol)
    shape["reliability"] = value.reliability
    shape["queryInputs"] = query_inputs(named, value.callable)
    if value.counts is not None:
        shape["counts"] = counts(value.counts)
    if value.variant is not None:
        shape["matchedInputVariant"] = {"kind": value.variant.kind, "value": value.variant.value}
    put(shape, "freshness", value.freshness)
    put(shape, "origin", value.origin)
    if value.provenance is not None:
        shape["provenance"] = provenance(value.provenance)
    if value.source is not None:
        shape["source"] = source(value.source)
    if value.relations is not None:
        from codetrail.output.hierarchy_shapes import relations

        shape["relations"] = relations(value.relations)
    return shape


def reference_row(value: ReferenceRow) -> Json:
    """Shape a reference row; definitions have no ``use`` (contract §5)."""
    shape: Json = {
        "name": value.name,
        "symbol": value.symbol,
        "language": value.language,
        "path": value.path,
        "range": span(value.range),
        "text": value.text,
    }
    put(shape, "use", value.use or None)
    shape["roles"] = role_words(value.roles)
    shape["enclosing"] = node(value.enclosing)
    if value.definition is not None:
        shape["definition"] = node(value.definition)
    if value.via is not None:
        shape["via"] = via(value.via)
    shape["reliability"] = value.reliability
    put(shape, "freshness", value.freshness)
    put(shape, "origin", value.origin)
    if value.provenance is not None:
        shape["provenance"] = provenance(value.provenance)
    return shape


def counts(value: SymbolCounts) -> Json:
    """Shape how often a symbol is used (``--counts``)."""
    shape: Json = {
        "refs": value.refs,
        "calls": value.calls,
        "imports": value.imports,
        "tests": value.tests,
        "viaBase": value.via_base,
        "unresolved": value.unresolved,
    }
    put(shape, "atLeast", value.at_least or None)
    put(shape, "decorated", value.decorated or None)
    return shape


def via(value: Via) -> Json:
    """Shape how a use of another symbol came into the answer (``--include-overrides``)."""
    return {"kind": value.kind, "symbol": value.symbol}


def query_inputs(named: Node, is_callable: bool) -> Json:
    """Shape what pastes straight into the next command."""
    value = query_input(named)
    verbs = ["defs", "refs", "symbols"]
    if is_callable:
        verbs += ["calls", "callers", "callHierarchy"]
    return dict.fromkeys(verbs, value)


def provenance(value: Provenance) -> Json:
    """Shape who said a row; text parsed for this answer has no unit, and without an index no snapshot."""
    shape: Json = {
        "provider": value.provider,
        "engine": value.engine,
        "engineVersion": value.engine_version,
    }
    put(shape, "unit", value.unit or None)
    put(shape, "snapshot", value.snapshot or None)
    shape["documentSha256"] = value.document_sha256
    put(shape, "indexedAt", value.indexed_at)
    put(shape, "evidence", value.evidence)
    return shape


def source(value: SourceBlock) -> Json:
    """Shape the lines of a definition; they are joined by line feeds, and the last has no end."""
    return {
        "path": value.path,
        "startLine": value.first + 1,
        "endLine": value.first + len(value.lines),
        "content": "\n".join(value.lines),
        "truncated": value.truncated,
    }


def page(value: Page) -> Json:
    """Shape what stands beside the rows of a question."""
    shape: Json = {
        "truncated": value.truncated,
        "nextCursor": value.next_cursor,
        "total": value.total,
        "matched": [matched(one) for one in value.matched],
        "matchedTotal": value.matched_total,
    }
    put(shape, "root", value.root)
    if value.notes:
        shape["notes"] = [note(one) for one in value.notes]
    shape["coverage"] = coverage(value.coverage)
    put(shape, "outsideScope", value.outside_scope)
    put(shape, "valueUses", value.value_uses)
    return shape


def matched(value: Matched) -> Json:
    """Shape a symbol that the question was about."""
    shape: Json = {"coordinate": value.coordinate, "kind": value.kind}
    put(shape, "rows", value.rows)
    return shape


def note(value: Note) -> Json:
    """Shape a remark."""
    return {"code": value.code, "message": value.message}


def coverage(value: Coverage, *, short: bool = False) -> Json:
    """Shape what the answer rests on; ``short`` leaves out what a program does not need."""
    shape: Json = {"state": value.state, "reasons": [reason(one, short=short) for one in value.reasons]}
    put(shape, "unresolvedNames", value.unresolved)
    if value.unresolved_in:
        shape["unresolvedIn"] = [{"path": path, "count": count} for path, count in value.unresolved_in]
    put(shape, "boundElsewhere", value.bound_elsewhere)
    put(shape, "unresolvedCalls", value.unresolved_calls)
    if value.next:
        shape["next"] = typed_command(value.next)
    return shape


def reason(value: Reason, *, short: bool = False) -> Json:
    """Shape one reason why coverage is not complete."""
    shape: Json = {"code": value.code}
    if not short:
        shape["message"] = value.message
        put(shape, "language", value.language)
    put(shape, "count", value.times)
    if value.paths:
        shape["paths"] = list(value.paths)
    put(shape, "droppedRows", value.dropped_rows)
    return shape


def typed_command(argv: tuple[str, ...]) -> Json:
    """Shape a command to type: shell-quoted, and as argv."""
    return {"command": command(argv), "argv": list(argv)}


def put(shape: Json, key: str, value: object) -> None:
    """Add an optional key; what is None is left out."""
    if value is not None:
        shape[key] = value
