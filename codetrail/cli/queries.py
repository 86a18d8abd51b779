"""Ask one question and print its answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from codetrail.cli.aim import aim_coverage
from codetrail.cli.printer import Printer, has_colour
from codetrail.cli.question import question, workspace
from codetrail.cli.typed import Typed, Values, argv_of
from codetrail.model.answers import Answer, Question
from codetrail.workspace.root import Root, current_folder

Seen = Callable[[Answer], Answer]
"""Says in a page what depends on where the caller stands."""


def run_query(typed: Typed, values: Values, printer: Printer) -> int:
    """Ask, print, and return the exit status of contract §7."""
    root = workspace(values)
    asked = question(typed.command.words[0], typed.operand, values, root)
    answer = ask(asked, root, lambda found: _seen_from_here(found, root, values))
    from codetrail.query.engine import exit_status

    status = exit_status(answer)
    _print(typed, values, asked, answer, printer)
    return status


def _seen_from_here(answer: Answer, root: Root, values: Values) -> Answer:
    """Say where the root is relative to the current folder; left out where they are equal (contract §4).

    The command that would help goes to the same workspace.
    """
    here = current_folder()
    seen = os.curdir if here is None else os.path.relpath(root.path, here)
    coverage = aim_coverage(answer.page.coverage, values)
    page = answer.page._replace(root=None if seen == os.curdir else seen, coverage=coverage)
    return answer._replace(page=page)


def ask(asked: Question, root: Root, seen: Seen) -> Answer:
    """Have the question answered from the snapshot and the files of ``root``; ``seen`` completes the page."""
    from codetrail.query.engine import answer

    most = asked.max_bytes
    if most is None:
        return seen(answer(asked, root))
    from codetrail.output.public import answer_size, row_size

    def excess(found: Answer) -> int:
        return answer_size(seen(found), asked.fields) - most

    return seen(answer(asked, root, size=lambda row: row_size(row, asked.fields), excess=excess))


def _print(typed: Typed, values: Values, asked: Question, answer: Answer, printer: Printer) -> None:
    if printer.output == "text":
        from codetrail.output import text

        def next_page(cursor: str) -> list[str]:
            return argv_of(typed.command, values | {"cursor": cursor}, typed.operand)

        paint = text.coloured if has_colour(sys.stdout) else text.plain
        printer.write(text.answer(answer, asked.identifier, next_page, paint))
        return
    from codetrail.output import public

    if printer.output == "json":
        printer.write_line(public.answer(answer, asked.fields))
    else:
        printer.write(public.answer_events(answer, asked.fields))
