"""Print the report of a command that looks after the index, in the form that was asked for."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codetrail.cli.printer import Printer, has_colour
from codetrail.model.answers import Coverage, Note

if TYPE_CHECKING:
    from codetrail.output.report_shapes import ReportRow


def print_report(
    rows: Sequence[ReportRow], notes: Sequence[Note], coverage: Coverage | None, printer: Printer
) -> None:
    """Print rows, notes and coverage; what providers said themselves goes to stderr with ``--verbose``."""
    if printer.output == "text":
        from codetrail.output.report_text import report as lines
        from codetrail.output.text import coloured, plain

        printer.write(lines(rows, notes, coverage, coloured if has_colour(sys.stdout) else plain))
    elif printer.output == "json":
        from codetrail.output import public

        printer.write_line(public.report(rows, notes, coverage))
    else:
        from codetrail.output import public

        printer.write(public.report_events(rows, notes, coverage))
    if printer.verbose:
        from codetrail.output.report_text import details

        printer.diagnose(details(rows))
