"""Write answers as text: one fact a line, every value pasteable, nothing interpreted (contract §8).

Lines are the same on a terminal and in a pipe, whatever its width; colour is the only difference and the
caller decides it. What came from the workspace passes ``escaping`` before it stands in a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from codetrail.errors import CodeTrailError
from codetrail.model.answers import (
    Answer,
    Coverage,
    Node,
    Note,
    Page,
    Provenance,
    ReferenceRow,
    Row,
    SymbolRow,
)
from codetrail.model.facts import PRECISE_FACT
from codetrail.model.identifiers import Name, Place, parse
from codetrail.output import shapes
from codetrail.output.escaping import clip, command, pasteable, quoted, source_line, visible, word

if TYPE_CHECKING:
    from codetrail.model.calls import CallRow
    from codetrail.model.hierarchy import HierarchyRow
    from codetrail.model.source_block import SourceBlock

NAME_LIMIT = 200
"""Code points of a name that a line shows; a longer name leaves its coordinate too, which is then a place."""

_BY_PLACE = "(local variables, and names that only an import gives, are asked by place: path:line:column)"

Paint = Callable[[str, str], str]
"""Called with (what, text): wraps ``text`` in colour, or returns it as it is."""

_COLOURS = {"heading": "1", "place": "36", "label": "33", "remark": "2", "problem": "31"}


def plain(what: str, text: str) -> str:  # noqa: ARG001 - the shape of Paint
    """Leave ``text`` without colour."""
    return text


def coloured(what: str, text: str) -> str:
    """Wrap ``text`` in the terminal colour of ``what``."""
    return f"\x1b[{_COLOURS[what]}m{text}\x1b[0m"


def answer(
    value: Answer, identifier: str, next_page: Callable[[str], Sequence[str]], paint: Paint = plain
) -> Iterator[str]:
    """Yield the lines of an answer, each with its line end.

    ``identifier`` is what was typed; ``next_page`` turns a cursor into the command that prints the next page.
    """
    yield from _rows(value, paint)
    page = value.page
    if not value.rows:
        yield from _nothing(page, identifier, paint)
    for one in page.notes:
        yield note(one, paint)
    yield from coverage(page.coverage, paint)
    if page.outside_scope:
        yield _remark(f"outside the asked scope: {_count(page.outside_scope, 'more row')}", paint)
    if page.value_uses:
        yield _remark(f"not listed: {_count(page.value_uses, 'use')} as a value (--use value)", paint)
    if page.truncated:
        yield _remark(_left_out(value.rows, page, next_page), paint)


def note(value: Note, paint: Paint = plain) -> str:
    """Return the line of a remark."""
    return _remark(f"note: {visible(value.message)} ({visible(value.code)})", paint)


def coverage(value: Coverage, paint: Paint = plain) -> Iterator[str]:
    """Yield one line on coverage when it is not complete or when names or calls are unresolved."""
    unknown = value.unresolved or value.unresolved_calls
    if value.state == "complete" and not value.reasons and not unknown:
        return
    parts = [value.state]
    for reason in value.reasons:
        text = visible(reason.message.rstrip("."))
        if reason.paths:
            text += ": " + ", ".join(_path(path) for path in reason.paths)
        facts = [reason.code]
        if reason.language:
            facts.append(reason.language)
        if reason.times is not None:
            facts.append(str(reason.times))
        if reason.dropped_rows:
            facts.append(f"{_count(reason.dropped_rows, 'row')} dropped")
        parts.append(f"{text} ({visible(', '.join(facts))})")
    if value.unresolved:
        text = f"{_count(value.unresolved, 'token')} of this name bound by no compiler"
        if value.unresolved_in:
            text += ": " + ", ".join(f"{_path(path)} ({count})" for path, count in value.unresolved_in)
        parts.append(text)
    if value.unresolved_calls:
        parts.append(f"{_count(value.unresolved_calls, 'call')} whose target no compiler told")
    if value.next:
        parts.append(f"next: {command(value.next)}")
    yield paint("label", "coverage: " + "; ".join(parts)) + "\n"


def failure(value: CodeTrailError, paint: Paint = plain) -> Iterator[str]:
    """Yield the lines of a failure."""
    yield f"{paint('problem', 'error:')} {visible(value.message)} ({value.code})\n"
    if value.hint is not None:
        yield f"hint: {visible(value.hint)}\n"


def _rows(value: Answer, paint: Paint) -> Iterator[str]:
    heading: tuple[int, str | None] | None = None
    for row in value.rows:
        if isinstance(row, SymbolRow):
            yield _symbol_line(row, paint)
        elif not isinstance(row, ReferenceRow):
            yield from _call_lines(row, paint)
        else:
            # What overriding brings in stands under the symbol asked about, and says so itself.
            group = (row.of, row.symbol if row.via is None else None)
            if heading is None or not _is_under(group, heading):
                yield ("\n" if heading else "") + _heading(row, value.page, paint)
                heading = group
            yield _reference_line(row, paint)
        if row.provenance is not None:
            yield _provenance(row.provenance, paint)
        if isinstance(row, SymbolRow) and row.source is not None:
            yield from _source(row.source, paint)
        if isinstance(row, SymbolRow) and row.relations is not None:
            from codetrail.output.hierarchy_text import relation_lines

            yield from relation_lines(row.relations, paint)


def _call_lines(row: CallRow | HierarchyRow, paint: Paint) -> Iterator[str]:
    from codetrail.model.calls import CallRow

    if isinstance(row, CallRow):
        from codetrail.output.call_text import call_line

        yield call_line(row, paint)
        return
    from codetrail.output.hierarchy_text import hierarchy_lines

    yield from hierarchy_lines(row, paint)


def _is_under(row: tuple[int, str | None], heading: tuple[int, str | None]) -> bool:
    return row[0] == heading[0] and (row[1] == heading[1] or None in (row[1], heading[1]))


def _symbol_line(row: SymbolRow, paint: Paint) -> str:
    parts = [row.node.kind, paint("heading", shown_name(row.node)), *_place_and_coordinate(row.node, paint)]
    if row.counts is not None:
        facts = shapes.counts(row.counts).items()
        parts.append(" ".join(key if fact is True else f"{key}={fact}" for key, fact in facts))
    return "  ".join(parts + _labels(row, paint)) + "\n"


def _source(value: SourceBlock, paint: Paint) -> Iterator[str]:
    """Yield the numbered lines of a definition, indented: none can be taken for a row."""
    numbers = range(value.first + 1, value.first + 1 + len(value.lines))
    width = len(str(numbers[-1]))
    for number, line in zip(numbers, value.lines, strict=True):
        left = paint("remark", f"  {number:>{width}} |")
        yield f"{left} {source_line(line)}\n" if line else f"{left}\n"
    if value.truncated:
        yield _remark("  (not whole: --code-max-lines, --max-bytes or the length of a line cut it)", paint)


def _heading(row: ReferenceRow, page: Page, paint: Paint) -> str:
    """Name the symbol that the rows below use, by its definition here or as it was matched."""
    if row.definition is not None and row.via is None:
        parts = [row.definition.kind, shown_name(row.definition)]
        return paint("heading", "  ".join(parts + _place_and_coordinate(row.definition, plain))) + "\n"
    if row.of >= len(page.matched):
        return paint("heading", word(clip(row.name, NAME_LIMIT))) + "\n"
    matched = page.matched[row.of]
    parts = [word(clip(row.name, NAME_LIMIT))]
    place = parse(matched.coordinate)
    if isinstance(place, Place) and place.name:
        parts = [word(clip(place.name, NAME_LIMIT)), pasteable(f"{place.path}:{place.line + 1}")]
    return paint("heading", "  ".join([matched.kind, *parts, f"defs={pasteable(matched.coordinate)}"])) + "\n"


def _reference_line(row: ReferenceRow, paint: Paint) -> str:
    place = pasteable(f"{row.path}:{row.range.line + 1}:{row.range.column + 1}")
    labels = _labels(row, paint)
    if row.via is not None:
        how = "overrides" if row.via.kind == "overrides" else "overridden by"
        labels.insert(0, paint("label", f"{how} {_related(row, row.via.symbol)}"))
    between = f" [{' '.join(labels)}]" if labels else ""
    return f"{paint('place', place)}:{between} {source_line(row.text)}\n"


def _related(row: ReferenceRow, symbol: str) -> str:
    """Name the symbol that a row uses, if not the one asked about, so that it pastes into a question."""
    known = row.definition is not None and row.definition.path is not None
    return pasteable(shapes.query_input(row.definition) if known and row.definition else symbol)


def shown_name(named: Node) -> str:
    """Return how a line shows the name of a symbol: so that it pastes, and not longer than a line bears."""
    return pasteable(clip(named.qualified_name or named.name, NAME_LIMIT))


def _place_and_coordinate(named: Node, paint: Paint) -> list[str]:
    if named.path is None or named.range is None:
        return [f"defs={pasteable(shapes.query_input(named))}"]
    place = f"{named.path}:{named.range.line + 1}"
    return [paint("place", pasteable(place)), f"defs={pasteable(shown_coordinate(named))}"]


def shown_coordinate(named: Node) -> str:
    """Return what pastes into the next question: for a name too long to be shown whole its place alone."""
    if named.path is None or named.range is None or len(named.qualified_name) <= NAME_LIMIT:
        return shapes.query_input(named)
    return f"{named.path}:{named.range.line + 1}:{named.range.column + 1}"


def _labels(row: SymbolRow | ReferenceRow, paint: Paint) -> list[str]:
    """Say everything that makes a row less than a fact of this machine's compilers about the very files."""
    labels = [] if row.reliability == PRECISE_FACT else [row.reliability]
    if row.freshness is not None:
        labels.append(row.freshness)
    if row.origin is not None:
        labels.append(f"origin={word(row.origin)}")
    if isinstance(row, SymbolRow) and row.variant is not None:
        labels.append(f"matched={row.variant.kind}:{word(clip(row.variant.value, NAME_LIMIT))}")
    return [paint("label", visible(label)) for label in labels]


def _provenance(value: Provenance, paint: Paint) -> str:
    facts = " ".join(f"{key}={word(str(fact))}" for key, fact in shapes.provenance(value).items())
    return _remark(f"  {facts}", paint)


def _nothing(page: Page, identifier: str, paint: Paint) -> Iterator[str]:
    if not page.matched and not identifier:
        yield _remark("no symbol is defined in the asked scope", paint)
        return
    if not page.matched:
        yield _remark(f"no symbol matches {quoted(identifier)}", paint)
        if isinstance(parse(identifier), Name):
            yield _remark(_BY_PLACE, paint)
        return
    ambiguous = any(one.code == "ambiguous_place" for one in page.notes)
    if ambiguous:
        yield _remark(f"{quoted(identifier)} is ambiguous: ask again with one of", paint)
    else:
        yield _remark(f"no rows for {quoted(identifier)}, which matches:", paint)
    for one in page.matched:
        yield f"{visible(one.kind)}  defs={pasteable(one.coordinate)}\n"
    if page.matched_total > len(page.matched):
        yield _remark(f"and {_count(page.matched_total - len(page.matched), 'more symbol')}", paint)


def _left_out(rows: Sequence[Row], page: Page, next_page: Callable[[str], Sequence[str]]) -> str:
    shown = len(rows)
    if page.next_cursor is None:
        cut = not all(getattr(row, "is_whole", True) for row in rows)
        return "left out: " + ("nodes of the tree (--limit)" if cut else "rows that coverage tells of")
    known = f" of {page.total}" if page.total is not None else ""
    following = command(next_page(page.next_cursor))
    return f"left out: more rows ({shown}{known} on this page); next page: {following}"


def _path(path: str) -> str:
    return word(clip(path, NAME_LIMIT))


def _remark(text: str, paint: Paint) -> str:
    return paint("remark", text) + "\n"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
