"""Write the reports of ``index`` commands as text: one row a line, what belongs to it indented below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codetrail.model.answers import Coverage, Note
from codetrail.model.reports import (
    CheckRow,
    ImportRow,
    InstallRow,
    LanguageShare,
    ProviderRow,
    PruneRow,
    SummaryRow,
    UnitRow,
)
from codetrail.model.units import Problem
from codetrail.output.escaping import clip, command, visible, word
from codetrail.output.report_shapes import ReportRow, share
from codetrail.output.text import Paint, coverage, note, plain

_DETAIL_LIMIT = 4000
"""Code points of a provider's own words that ``--verbose`` shows for one problem."""
_MODULE_LIMIT = 80

_GOOD = frozenset({"built", "reused", "ok", "found", "stored", "replaced", "removed"})


def report(
    rows: Sequence[ReportRow],
    notes: Sequence[Note] = (),
    judged: Coverage | None = None,
    paint: Paint = plain,
) -> Iterator[str]:
    """Yield the lines of a report."""
    for row in rows:
        yield from _lines(row, paint)
    for one in notes:
        yield note(one, paint)
    if judged is not None:
        yield from coverage(judged, paint)


def details(rows: Sequence[ReportRow]) -> Iterator[str]:
    """Yield what providers themselves said about each problem, quoted and escaped, for stderr."""
    for row in rows:
        if not isinstance(row, UnitRow):
            continue
        for one in row.problems:
            if one.detail:
                for line in clip(one.detail, _DETAIL_LIMIT).splitlines():
                    yield f"{visible(row.provider)}: {visible(one.code)}: | {visible(line)}\n"


def _lines(row: ReportRow, paint: Paint) -> Iterator[str]:
    match row:
        case UnitRow():
            yield from _unit(row, paint)
        case SummaryRow():
            yield _summary(row, paint)
            yield from map(_language, row.languages)
        case CheckRow():
            yield from _check(row, paint)
        case PruneRow():
            yield _prune(row)
        case ImportRow():
            yield from _imported(row, paint)
        case ProviderRow():
            yield from _provider(row, paint)
        case InstallRow():
            yield from _install(row)


def _unit(row: UnitRow, paint: Paint) -> Iterator[str]:
    parts = [
        "unit",
        paint("heading", f"{row.provider}:{word(row.root or '.')}"),
        _state(row.state, paint),
        f"files={row.files} documents={row.documents} occurrences={row.occurrences}"
        + _optional("resolved", _percent(row.resolved_share))
        + _optional("seconds", None if row.seconds is None else f"{row.seconds:.1f}")
        + _optional("indexed", row.indexed_at),
        visible(f"{row.engine} {row.version}".strip()),
        f"origin={row.origin}" if row.origin else "",
    ]
    yield "  ".join(part for part in parts if part) + "\n"
    for one in row.problems:
        yield f"  {paint('label', 'problem:')} {_problem(one)}\n"


def _problem(one: Problem) -> str:
    text = f"{visible(one.message)} ({visible(one.code)}"
    text += f", {one.times} times)" if one.times > 1 else ")"
    if one.paths:
        text += "  " + " ".join(map(word, one.paths))
    elif one.path is not None:
        text += f"  {word(one.path if one.line is None else f'{one.path}:{one.line}')}"
    return text


def _summary(row: SummaryRow, paint: Paint) -> str:
    states = " ".join(f"{state}={count}" for state, count in row.states)
    parts = [
        "index",
        paint("heading", word(row.snapshot)) if row.snapshot else "",
        f"units={row.units}" + (f" ({states})" if states else ""),
        f"files={row.files} documents={row.documents} occurrences={row.occurrences} bytes={row.bytes}"
        + _optional("resolved", _percent(row.resolved_share))
        + _optional("changed", row.changed)
        + _optional("new", row.new)
        + _optional("deleted", row.deleted)
        + _optional("indexed", row.indexed_at),
    ]
    return "  ".join(part for part in parts if part) + "\n"


def _language(one: LanguageShare) -> str:
    parts = [
        f"  {visible(one.language)}",
        f"documents={one.documents}" + _optional("resolved", _percent(one.resolved_share)),
    ]
    if one.missing:
        modules = ", ".join(
            f"{visible(clip(module, _MODULE_LIMIT))} ({files})" for module, files in one.missing
        )
        parts.append(f"not found, by files: {modules}")
    return "  ".join(parts) + "\n"


def _check(row: CheckRow, paint: Paint) -> Iterator[str]:
    language = f"{row.language}: " if row.language else ""
    yield f"{_state(row.severity, paint)}  {visible(row.code)}  {visible(language + row.message)}\n"
    for argv in row.next:
        yield f"  next: {command(argv)}\n"
    if row.needs is not None:
        yield f"  needs: {visible(row.needs)}\n"


def _prune(row: PruneRow) -> str:
    kept = "".join(f" kept_{reason}={count}" for reason, count in row.kept)
    return f"prune  snapshots={row.snapshots} shards={row.shards} files={row.files} freed={row.freed}{kept}\n"


def _imported(row: ImportRow, paint: Paint) -> Iterator[str]:
    """Yield what became of a file; the name in it drops the unit again."""
    skipped = "".join(f" {reason}={count}" for reason, count in row.skipped)
    unused = "".join(f" {reason}={count}" for reason, count in row.unused)
    parts = [
        "import",
        paint("heading", f"{row.provider}:{word(row.root or '.')}") if row.provider else "",
        _state(row.state, paint),
        f"dropped={row.dropped}"
        if row.state == "removed"
        else f"read={row.read} stored={row.stored} used={row.used} occurrences={row.occurrences}",
        f"skipped:{skipped}" if skipped else "",
        f"unused:{unused}" if unused else "",
        visible(f"{row.engine} {row.version}".strip()),
    ]
    yield "  ".join(part for part in parts if part) + "\n"
    for one in row.problems:
        yield f"  {paint('label', 'problem:')} {_problem(one)}\n"


def _provider(row: ProviderRow, paint: Paint) -> Iterator[str]:
    engine = " ".join(part for part in (row.engine, row.version) if part)
    found = f"{engine} ({row.origin})" if engine else row.message or ""
    languages = " ".join(row.languages)
    parts = ("provider", paint("heading", row.provider), _state(row.state, paint), languages, visible(found))
    yield "  ".join(part for part in parts if part) + "\n"
    for package, version, present in row.installs:
        yield f"  {'present' if present else 'not installed'}: {package} {version}\n"
    for argv in row.next:
        yield f"  next: {command(argv)}\n"


def _install(row: InstallRow) -> Iterator[str]:
    yield f"{row.state}  {row.package} {row.version}  for {row.provider}  {row.folder}\n"
    yield f"  run: {command(row.command)}\n"


def _state(state: str, paint: Paint) -> str:
    return state if state in _GOOD else paint("label", state)


def _percent(value: float | None) -> str | None:
    cut = share(value)
    return None if cut is None else f"{cut:.2%}"


def _optional(name: str, value: object) -> str:
    return "" if value is None else f" {name}={value}"
