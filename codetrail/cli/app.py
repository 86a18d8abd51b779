"""Start here: parse the command line, run the command, print failures, return the exit status (contract §7).

Quick commands go by the quick parser, all else by the typer program, which is loaded only then. Whatever goes
wrong becomes one printed failure; no traceback reaches a user who did not ask for it with ``--verbose``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from codetrail.cli.argv import parse_quickly, typed_output
from codetrail.cli.options import OUTPUTS
from codetrail.cli.printer import Printer, abandon_output, say
from codetrail.cli.process_setup import Ended, continue_in_utf8, orderly_end
from codetrail.cli.question import output_format
from codetrail.cli.typed import Typed, Values
from codetrail.errors import CodeTrailError, SystemFailure

INTERRUPTED = 130


def main() -> int:
    """Run the program on ``sys.argv`` and return its exit status."""
    continue_in_utf8()
    return run(sys.argv[1:])


def run(argv: Sequence[str]) -> int:
    """Run the program on ``argv`` (without its own name); never raises."""
    printer = Printer(_asked_output(argv), verbose=False)
    try:
        try:
            return _carry_out(argv, printer)
        except BrokenPipeError:
            raise
        except Ended as end:
            return _fail(printer, SystemFailure("ended by a signal", code="interrupted"), end.status)
        except KeyboardInterrupt:
            return _fail(printer, SystemFailure("interrupted", code="interrupted"), INTERRUPTED)
        except CodeTrailError as failure:
            return _fail(printer, failure, failure.exit_status)
        except OSError as refusal:
            _trace(printer, refusal)
            return _fail(printer, _system_failure(refusal), 1)
        except MemoryError:
            return _fail(printer, _no_memory(), 1)
        except Exception as bug:  # noqa: BLE001 - the last line before the user
            _trace(printer, bug)
            return _fail(printer, _internal_error(), 1)
    except BrokenPipeError:
        abandon_output()
        return 0
    except (OSError, KeyboardInterrupt) as refusal:
        return _speechless(refusal)


def _carry_out(argv: Sequence[str], printer: Printer) -> int:
    typed = parse_quickly(argv)
    if typed is None:
        from codetrail.cli.grammar import parse_program

        typed = parse_program(argv)
    return 0 if typed is None else _dispatch(typed, printer)


def _dispatch(typed: Typed, printer: Printer) -> int:
    """Run the one command that was typed."""
    printer.verbose = "verbose" in typed.before or "verbose" in typed.after
    values = typed.merged()
    printer.output = output_format(values)
    try:
        return _run(typed, values, printer)
    except CodeTrailError as failure:
        from codetrail.cli.aim import aim_hint

        aim_hint(failure, values)
        raise


def _run(typed: Typed, values: Values, printer: Printer) -> int:
    match typed.command.words[0]:
        case "index":
            from codetrail.cli.index import run_index

            with orderly_end():
                return run_index(typed, values, printer)
        case "index-provider":
            from codetrail.cli.index_provider import run_index_provider

            with orderly_end():
                return run_index_provider(typed, values, printer)
        case "schema":
            from codetrail.cli.schema import run_schema

            return run_schema(typed, printer)
        case _:
            from codetrail.cli.queries import run_query

            return run_query(typed, values, printer)


def _asked_output(argv: Sequence[str]) -> str:
    output = typed_output(argv)
    if output not in OUTPUTS:
        return "text"
    return "json" if output == "compact-json" else output


def _fail(printer: Printer, failure: CodeTrailError, status: int) -> int:
    printer.fail(failure)
    return status


def _system_failure(refusal: OSError) -> SystemFailure:
    """Say what the system refused, in its own words but without the path it concerned."""
    import os

    reason = os.strerror(refusal.errno).lower() if refusal.errno else "input or output failed"
    return SystemFailure(f"the system refused: {reason}")


def _no_memory() -> SystemFailure:
    return SystemFailure(
        "there was not enough memory", hint="codetrail index build --jobs 1 needs the least memory"
    )


def _internal_error() -> CodeTrailError:
    return CodeTrailError(
        "CodeTrail failed in a way it did not foresee; this is a defect of CodeTrail",
        hint="repeat the command with --verbose and report what it prints",
    )


def _trace(printer: Printer, error: Exception) -> None:
    """Show where a failure arose, escaped, to those who asked for it."""
    if not printer.verbose:
        return
    import traceback

    from codetrail.output.escaping import visible

    for block in traceback.format_exception(error):
        for line in block.splitlines():
            say(visible(line) + "\n")


def _speechless(refusal: BaseException) -> int:
    """End a run whose output cannot be written at all."""
    abandon_output()
    if isinstance(refusal, KeyboardInterrupt):
        return INTERRUPTED
    assert isinstance(refusal, OSError)
    failure = _system_failure(refusal)
    say(f"error: {failure.message} ({failure.code})\n")
    return failure.exit_status
