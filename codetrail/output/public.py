"""Write public JSON: the only module that does, for the command line and for MCP byte for byte (contract §4).

Every function yields pieces of text without a final line end, except the JSONL ones, whose pieces are whole
lines. It knows answers, reports and errors; it must not know who asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from codetrail.errors import CodeTrailError
from codetrail.model.answers import Answer, Coverage, Note, Page, Row
from codetrail.output import shapes
from codetrail.output.escaping import json_text
from codetrail.output.shapes import FULL, SHORT, Json

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)

_NO_PAGE: Json = {"truncated": False, "nextCursor": None, "total": None}
"""The page of a failure: nothing was answered, so nothing is said about symbols or coverage."""

_NOTHING_BESIDE = Page(Coverage("complete"))


def answer(value: Answer, fields: tuple[str, ...] = FULL) -> Iterator[str]:
    """Yield ``{"results":[…],"page":{…}}``; short rows put the page first."""
    if fields == SHORT:
        from codetrail.output.short import short_answer

        page, rows = short_answer(value)
        yield '{"page":' + dumps(page) + ',"results":['
        yield from _joined(rows)
        yield "]}"
        return
    yield '{"results":['
    yield from _joined(_rows(value, fields))
    yield '],"page":' + dumps(shapes.page(value.page)) + "}"


def answer_events(value: Answer, fields: tuple[str, ...] = FULL) -> Iterator[str]:
    """Yield one ``result`` event a line, then the ``page`` event."""
    if fields == SHORT:
        from codetrail.output.short import short_answer

        page, rows = short_answer(value, common=False)
        yield from _events(rows, page)
        return
    yield from _events(_rows(value, fields), shapes.page(value.page))


def report(
    rows: Sequence[object], notes: Sequence[Note] = (), coverage: Coverage | None = None
) -> Iterator[str]:
    """Yield the JSON of an ``index`` command; ``rows`` are rows of ``model.reports``."""
    from codetrail.output.report_shapes import report_page, report_row

    yield '{"results":['
    yield from _joined(report_row(value) for value in rows)  # type: ignore[arg-type]
    yield '],"page":' + dumps(report_page(len(rows), notes, coverage)) + "}"


def report_events(
    rows: Sequence[object], notes: Sequence[Note] = (), coverage: Coverage | None = None
) -> Iterator[str]:
    """Yield the JSONL of an ``index`` command."""
    from codetrail.output.report_shapes import report_page, report_row

    yield from _events((report_row(value) for value in rows), report_page(len(rows), notes, coverage))  # type: ignore[arg-type]


def error(failure: CodeTrailError) -> str:
    """Return the JSON of a failure."""
    return dumps({"results": [], "page": _NO_PAGE, "error": _error(failure)})


def error_event(failure: CodeTrailError) -> str:
    """Return the single JSONL line of a failure."""
    return dumps({"event": "error", "error": _error(failure)}) + "\n"


def row_size(value: Row, fields: tuple[str, ...] = FULL) -> int:
    """Count the bytes that one row adds to the JSON of an answer, its comma included.

    For ``--max-bytes``; of short rows it is what the row takes when nothing is shared or joined, so a page
    cut by it never grows past what was asked.
    """
    if fields == SHORT:
        from codetrail.output.short import short_answer

        alone = Answer((value,), _NOTHING_BESIDE)
        return len(dumps(short_answer(alone, common=False)[1][0]).encode()) + 1
    (shape,) = _rows(Answer((value,), _NOTHING_BESIDE), fields)
    return len(dumps(shape).encode()) + 1


def answer_size(value: Answer, fields: tuple[str, ...] = FULL) -> int:
    """Count the bytes of the JSON of a whole answer, the end of its line included."""
    return sum(len(piece.encode()) for piece in answer(value, fields)) + 1


def dumps(value: object) -> str:
    """Return compact JSON on one line, with everything that could hide or act escaped."""
    return json_text(_ENCODER.encode(value))


def _rows(value: Answer, fields: tuple[str, ...]) -> Iterable[Json]:
    if fields == FULL:
        return map(shapes.row, value.rows)
    from codetrail.output.short import chosen_row

    return (chosen_row(row, fields) for row in value.rows)


def _joined(rows: Iterable[Json]) -> Iterator[str]:
    comma = ""
    for row in rows:
        yield comma + dumps(row)
        comma = ","


def _events(rows: Iterable[Json], page: Json) -> Iterator[str]:
    for row in rows:
        yield dumps({"event": "result", "result": row}) + "\n"
    yield dumps({"event": "page", "page": page}) + "\n"


def _error(failure: CodeTrailError) -> Json:
    shape: Json = {"code": failure.code, "message": failure.message}
    if failure.hint is not None:
        shape["hint"] = failure.hint
    return shape
