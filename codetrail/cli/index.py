"""Run the ``index`` commands and print their reports."""

from __future__ import annotations

import math
import sys

from codetrail.cli.aim import aim_coverage, aim_rows
from codetrail.cli.printer import Printer, say
from codetrail.cli.question import not_empty, number, scope_folder, text, texts, workspace
from codetrail.cli.report import print_report
from codetrail.cli.typed import Typed, Values
from codetrail.errors import UsageError
from codetrail.model.reports import BuildOptions
from codetrail.output.escaping import quoted
from codetrail.workspace.languages import resolve_language
from codetrail.workspace.root import refuse_unbuildable

_MOST_JOBS = 256
_MOST_SECONDS = 86_400.0
_OPERAND = "operand"
"""The key under which a command of the group finds what no option names."""


def run_index(typed: Typed, values: Values, printer: Printer) -> int:
    """Carry out ``index build``, ``status``, ``doctor``, ``import`` or ``prune``."""
    if typed.operand is not None:
        values = {**values, _OPERAND: typed.operand}
    return _RUN[typed.command.words[1]](values, printer)


def build_options(values: Values) -> BuildOptions:
    """Check what was typed for ``index build``. Raises UsageError."""
    kept = text(values, "keep_scip")
    return BuildOptions(
        no_semantic="no_semantic" in values,
        force="force" in values,
        languages=tuple(dict.fromkeys(resolve_language(typed) for typed in texts(values, "lang"))),
        jobs=number(values, "jobs", 1, _MOST_JOBS),
        timeout=_seconds(values),
        strict="strict" in values,
        trust="trust" in values,
        untrust="untrust" in values,
        keep_scip=None if kept is None else not_empty("keep_scip", kept),
    )


def _build(values: Values, printer: Printer) -> int:
    options = build_options(values)
    root = workspace(values)
    refuse_unbuildable(root)
    if options.trust or options.untrust:
        from codetrail.cli.consent import asker
        from codetrail.index.trusting import settle_trust

        if said := settle_trust(root.path, options, asker()):
            say(said)
    from codetrail.cli.progress import watching
    from codetrail.index.build import build

    with watching(sys.stderr) as progress:
        report = build(root.path, options, progress)
    print_report(report.rows, report.notes, None, printer)
    return report.exit_status


def _status(values: Values, printer: Printer) -> int:
    root = workspace(values)
    from codetrail.index.status import status

    report = status(root.path, "summary" in values, "check" in values)
    print_report(
        report.rows, report.notes, report.coverage and aim_coverage(report.coverage, values), printer
    )
    return report.exit_status


def _doctor(values: Values, printer: Printer) -> int:
    root = workspace(values)
    from codetrail.index.doctor import doctor

    rows = doctor(root.path, "deep" in values)
    print_report(aim_rows(rows, values), (), None, printer)
    return 0


def _import(values: Values, printer: Printer) -> int:
    operand, removed = text(values, _OPERAND), text(values, "remove")
    root = workspace(values)
    refuse_unbuildable(root)
    if removed is not None:
        if operand is not None or {"root", "prefer_imported"} & values.keys():
            raise UsageError("--remove NAME stands alone", hint="codetrail index import --remove NAME")
        from codetrail.index.importing import remove_import

        report = remove_import(root.path, removed)
    else:
        if not operand:
            raise UsageError("index import needs a file", hint="codetrail index import FILE.scip")
        folder = text(values, "root")
        below = None if folder is None else scope_folder(root, not_empty("root", folder))
        from codetrail.index.importing import import_scip

        report = import_scip(root.path, operand, below, "prefer_imported" in values)
    print_report(report.rows, report.notes, None, printer)
    return report.exit_status


def _prune(values: Values, printer: Printer) -> int:
    root = workspace(values)
    from codetrail.index.prune import prune

    report = prune(root.path)
    print_report(report.rows, report.notes, None, printer)
    return report.exit_status


_RUN = {"build": _build, "status": _status, "doctor": _doctor, "import": _import, "prune": _prune}


def _seconds(values: Values) -> float | None:
    typed = text(values, "timeout")
    if typed is None:
        return None
    try:
        seconds = float(typed)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MOST_SECONDS:
        raise UsageError(
            f"--timeout takes seconds, more than 0 and at most {_MOST_SECONDS:.0f}, not {quoted(typed)}",
            hint="--timeout 600",
        )
    return seconds
