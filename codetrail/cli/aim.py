"""Send the commands that we print where the question went: to the workspace that ``--path`` named.

A command is meant to be pasted as it is, in the folder where the program was run; without the path that was
typed it would act on another workspace. Only that text is repeated, so no path is shown that nobody typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from codetrail.cli.question import text
from codetrail.cli.typed import Values
from codetrail.errors import CodeTrailError
from codetrail.model.answers import Coverage

if TYPE_CHECKING:
    from codetrail.output.report_shapes import ReportRow

_OURS = ("codetrail", "index")


def aim_command(argv: Sequence[str], values: Values) -> tuple[str, ...]:
    """Return a command; one that reads or writes an index with the path that was typed."""
    path = text(values, "path")
    if path is None or tuple(argv[:2]) != _OURS:
        return tuple(argv)
    return (*argv, f"--path={path}") if path.startswith("-") else (*argv, "--path", path)


def aim_coverage(coverage: Coverage, values: Values) -> Coverage:
    """Return coverage whose next command acts on the workspace that was typed."""
    return coverage if coverage.next is None else coverage._replace(next=aim_command(coverage.next, values))


def aim_rows(rows: Sequence[ReportRow], values: Values) -> list[ReportRow]:
    """Return the rows of a report; the commands of its checks act on the workspace that was typed."""
    from codetrail.model.reports import CheckRow

    return [
        row._replace(next=tuple(aim_command(argv, values) for argv in row.next))
        if isinstance(row, CheckRow)
        else row
        for row in rows
    ]


def aim_hint(failure: CodeTrailError, values: Values) -> None:
    """Let the hint of a failure, where it is a bare command of the index, act on the workspace typed."""
    words = (failure.hint or "").split(" ")
    if len(words) == len(_OURS) + 1:
        from codetrail.output.escaping import command

        failure.hint = command(aim_command(words, values))
