"""Turn the rows of reports into the plain values that public JSON is made of (contract §4)."""

from __future__ import annotations

import math
from collections.abc import Sequence

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
from codetrail.output.shapes import Json, coverage, note, put, typed_command

ReportRow = UnitRow | SummaryRow | CheckRow | PruneRow | ImportRow | ProviderRow | InstallRow


def report_row(value: ReportRow) -> Json:
    """Shape one row of a report."""
    match value:
        case UnitRow():
            return unit(value)
        case SummaryRow():
            return summary(value)
        case CheckRow():
            return check(value)
        case PruneRow():
            return prune(value)
        case ImportRow():
            return imported(value)
        case ProviderRow():
            return provider(value)
        case InstallRow():
            return install(value)


def report_page(rows: int, notes: Sequence[Note], judged: Coverage | None) -> Json:
    """Shape the page of a report; reports are never cut."""
    shape: Json = {"truncated": False, "nextCursor": None, "total": rows}
    if notes:
        shape["notes"] = [note(one) for one in notes]
    if judged is not None:
        shape["coverage"] = coverage(judged)
    return shape


def unit(value: UnitRow) -> Json:
    """Shape one unit; its root is ``.`` where it is the workspace root."""
    shape: Json = {
        "kind": "unit",
        "provider": value.provider,
        "engine": value.engine,
        "version": value.version,
        "language": value.language,
        "root": value.root or ".",
        "state": value.state,
        "files": value.files,
        "documents": value.documents,
        "occurrences": value.occurrences,
    }
    put(shape, "resolvedShare", share(value.resolved_share))
    put(shape, "seconds", None if value.seconds is None else round(value.seconds, 3))
    put(shape, "indexedAt", value.indexed_at)
    put(shape, "origin", value.origin)
    shape["problems"] = [problem(one) for one in value.problems]
    return shape


def problem(value: Problem) -> Json:
    """Shape a problem; text that came from the workspace or a provider (``detail``) never leaves here."""
    shape: Json = {"code": value.code, "message": value.message}
    if value.times != 1:
        shape["count"] = value.times
    put(shape, "path", value.path)
    put(shape, "line", value.line)
    if value.paths:
        shape["paths"] = list(value.paths)
    return shape


def summary(value: SummaryRow) -> Json:
    """Shape the totals of a snapshot."""
    shape: Json = {"kind": "summary"}
    put(shape, "snapshot", value.snapshot)
    shape["units"] = value.units
    shape["states"] = dict(value.states)
    shape["files"] = value.files
    shape["documents"] = value.documents
    shape["occurrences"] = value.occurrences
    shape["bytes"] = value.bytes
    put(shape, "resolvedShare", share(value.resolved_share))
    put(shape, "changed", value.changed)
    put(shape, "new", value.new)
    put(shape, "deleted", value.deleted)
    put(shape, "indexedAt", value.indexed_at)
    shape["languages"] = [language_share(one) for one in value.languages]
    return shape


def language_share(value: LanguageShare) -> Json:
    """Shape how well the names of one language are bound."""
    shape: Json = {"language": value.language, "documents": value.documents}
    put(shape, "resolvedShare", share(value.resolved_share))
    if value.missing:
        shape["unresolvedImports"] = [{"module": module, "files": files} for module, files in value.missing]
    return shape


def check(value: CheckRow) -> Json:
    """Shape one finding of ``index doctor``."""
    shape: Json = {"kind": "check", "code": value.code, "severity": value.severity}
    put(shape, "language", value.language)
    shape["message"] = value.message
    shape["next"] = [typed_command(argv) for argv in value.next]
    put(shape, "needs", value.needs)
    return shape


def prune(value: PruneRow) -> Json:
    """Shape what ``index prune`` removed and kept."""
    return {
        "kind": "prune",
        "snapshots": value.snapshots,
        "shards": value.shards,
        "files": value.files,
        "freed": value.freed,
        "skipped": dict(value.kept),
    }


def imported(value: ImportRow) -> Json:
    """Shape what ``index import`` did; ``unit`` is the name that drops it."""
    shape: Json = {"kind": "import", "state": value.state}
    put(shape, "unit", f"{value.provider}:{value.root or '.'}" if value.provider else None)
    shape |= {
        "engine": value.engine,
        "version": value.version,
        "root": value.root or ".",
        "read": {"bytes": value.read_bytes, "documents": value.read},
        "stored": {"documents": value.stored, "occurrences": value.occurrences},
        "used": value.used,
        "skipped": dict(value.skipped),
        "unused": dict(value.unused),
        "dropped": value.dropped,
        "problems": [problem(one) for one in value.problems],
    }
    return shape


def provider(value: ProviderRow) -> Json:
    """Shape one provider of ``index-provider list``."""
    shape: Json = {
        "kind": "provider",
        "provider": value.provider,
        "languages": list(value.languages),
        "state": value.state,
    }
    for key in ("engine", "version", "origin", "message"):
        put(shape, key, getattr(value, key))
    shape["installs"] = [
        {"package": package, "version": version, "present": present}
        for package, version, present in value.installs
    ]
    shape["next"] = [typed_command(argv) for argv in value.next]
    return shape


def install(value: InstallRow) -> Json:
    """Shape one package of ``index-provider install``."""
    return {
        "kind": "install",
        "provider": value.provider,
        "package": value.package,
        "version": value.version,
        "state": value.state,
        "folder": value.folder,
        "run": typed_command(value.command),
    }


def share(value: float | None) -> float | None:
    """Cut a share to four digits, downwards: what is not whole never reads as whole."""
    return None if value is None else math.floor(value * 10_000) / 10_000
