"""Short and chosen rows (``--fields``), for readers who pay by the byte (contract §4, short rows).

Works on rows, not on text: what is equal in all rows of a page stands once in ``page.common``, uses of one
symbol on one line with equal labels become one row. It must not drop a label: reliability, freshness, variant
and origin stay on each row that differs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from codetrail.errors import UsageError
from codetrail.model.answers import Answer, Page, ReferenceRow, Row, SymbolRow
from codetrail.output import shapes
from codetrail.output.escaping import quoted
from codetrail.output.shapes import FULL, SHORT, Json

if TYPE_CHECKING:
    from codetrail.model.calls import CallRow
    from codetrail.model.hierarchy import HierarchyRow

_LABELS = ("reliability", "freshness", "basis", "matchedInputVariant")
_COMMON = ("reliability", "language", "symbol", "definition", "freshness", "basis", "matchedInputVariant")
_KEPT = ("reliability", "source", "relations")
"""Keys that chosen rows have too."""

_ALWAYS = ("via", "origin", "provenance")
"""Labels that never move to ``common``: whose use a row is if not of the symbol asked about, who made a row
that nobody here made, and ``--explain``."""


def check_fields(verb: str, fields: tuple[str, ...]) -> None:
    """Raise UsageError unless ``fields`` is ``full``, ``short`` or keys that rows of ``verb`` can have."""
    if fields in (FULL, SHORT):
        return
    known = _keys_of(verb)
    for name in fields:
        if name not in known:
            raise UsageError(
                f"rows of {verb} have no key {quoted(name)}",
                hint=f"--fields takes full, short, or some of {', '.join(known)}",
            )


def _keys_of(verb: str) -> tuple[str, ...]:
    if verb == "refs":
        return shapes.REFERENCE_KEYS
    if verb in ("calls", "callers"):
        from codetrail.output.call_shapes import CALL_KEYS

        return CALL_KEYS
    if verb == "call-hierarchy":
        from codetrail.output.hierarchy_shapes import HIERARCHY_KEYS

        return HIERARCHY_KEYS
    return shapes.SYMBOL_KEYS


def chosen_row(value: Row, fields: tuple[str, ...]) -> Json:
    """Shape a row with the chosen keys only; ``reliability`` always stays, and source that was asked for."""
    shape = shapes.row(value)
    return {key: item for key, item in shape.items() if key in fields or key in _KEPT}


def short_answer(answer: Answer, *, common: bool = True) -> tuple[Json, list[Json]]:
    """Shape a whole page in short form: the page, and its rows.

    With ``common=False`` (JSONL, where a row must stand alone) everything stays on the rows.
    """
    full = [shapes.row(value) for value in answer.rows]
    shared = _shared(full) if common else {}
    several = len(answer.page.matched) > 1
    rows: list[Json] = []
    place: tuple[str, int] | None = None
    for value, shape in zip(answer.rows, full, strict=True):
        labels = {key: shape[key] for key in _LABELS if key in shape and key not in shared}
        labels |= {key: shape[key] for key in _ALWAYS if key in shape}
        if not common:
            labels |= {key: shape[key] for key in ("language", "symbol") if key in shape}
        of = {"of": value.of} if several else {}
        if isinstance(value, SymbolRow):
            rows.append(_symbol(value) | of | labels | _source(value, shape))
            continue
        if "root" in shape:
            rows.append(_tree(cast("HierarchyRow", value)) | of | labels)
            continue
        use = cast("ReferenceRow | CallRow", value)
        short = _use(use, shape) | of | labels
        if place == (use.path, use.range.line) and _same_but_place(rows[-1], short):
            rows[-1]["at"] += f",{use.range.column + 1}"
            continue
        rows.append(short)
        place = (use.path, use.range.line)
    return _page(answer.page, shared), rows


def _shared(full: list[Json]) -> Json:
    if not full:
        return {}
    first = full[0]
    return {
        key: first[key]
        for key in _COMMON
        if key in first and all(key in shape and shape[key] == first[key] for shape in full)
    }


def _symbol(value: SymbolRow) -> Json:
    short: Json = {"coordinate": shapes.query_input(value.node), "kind": value.node.kind}
    if value.node.signature is not None:
        short["signature"] = value.node.signature
    if value.counts is not None:
        short["counts"] = shapes.counts(value.counts)
    return short


def _source(value: SymbolRow, full: Json) -> Json:
    short: Json = {"source": full["source"]} if "source" in full else {}
    if value.relations is not None:
        from codetrail.output.hierarchy_shapes import relations

        short["relations"] = relations(value.relations, short=True)
    return short


def _tree(value: HierarchyRow) -> Json:
    from codetrail.output.hierarchy_shapes import short_hierarchy

    return short_hierarchy(value)


def _use(value: ReferenceRow | CallRow, full: Json) -> Json:
    if isinstance(value, ReferenceRow):
        return _reference(value, full)
    from codetrail.output.call_shapes import short_call

    return short_call(value)


def _reference(value: ReferenceRow, full: Json) -> Json:
    short: Json = {
        "at": f"{value.path}:{value.range.line + 1}:{value.range.column + 1}",
        "in": shapes.query_input(value.enclosing),
    }
    if "use" in full:
        short["use"] = full["use"]
    elif "definition" in full["roles"]:
        short["roles"] = full["roles"]
    short["text"] = value.text
    if value.alias is not None:
        short["as"] = value.alias
    return short


def _same_but_place(one: Json, other: Json) -> bool:
    return one.keys() == other.keys() and all(one[key] == other[key] for key in one if key != "at")


def _page(value: Page, shared: Json) -> Json:
    page = shapes.page(value)
    page["coverage"] = shapes.coverage(value.coverage, short=True)
    if shared:
        page["common"] = shared
    return page
