"""Run the ``index-provider`` commands and print their reports."""

from __future__ import annotations

from codetrail.cli.printer import Printer, say
from codetrail.cli.question import workspace
from codetrail.cli.report import print_report
from codetrail.cli.typed import Typed, Values
from codetrail.output.escaping import command, visible


def run_index_provider(typed: Typed, values: Values, printer: Printer) -> int:
    """Carry out ``index-provider list`` or ``install``."""
    root = workspace(values)
    if typed.command.words[1] == "list":
        from codetrail.index.providing import list_providers

        print_report(list_providers(root.path), (), None, printer)
        return 0
    from codetrail.index.providing import install_providers
    from codetrail.providers.install import InstallFailed

    try:
        rows = install_providers(typed.operands, root.path, "dry_run" in values, _tell)
    except InstallFailed as failure:
        for line in failure.said.splitlines() if printer.verbose else ():
            say(f"| {visible(line)}\n")
        raise
    print_report(rows, (), None, printer)
    return 0


def _tell(argv: tuple[str, ...]) -> None:
    say(f"run: {command(argv)}\n")
