"""The typer program, made from the tables of ``options``: help, mistakes, all commands that are not quick.

Typer decides only the shape of a command line; each command hands over what was typed, as text. Click's own
exceptions are private to typer and are imported here and in ``mistakes`` alone.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer import _click
from typer._click.exceptions import ClickException, NoArgsIsHelpError

from codetrail.cli.mistakes import usage_error
from codetrail.cli.options import COMMANDS, GROUPS, INDEX, QUERY, Command, Option
from codetrail.cli.typed import Typed, Values, united
from codetrail.errors import UsageError

_INTERRUPTED = 130
"""What typer returns instead of passing on a KeyboardInterrupt."""

_ABOUT = """Compiler-exact definitions and references of a code base.

Options that every query takes may stand before the command too. Exit status: 0 answered; 1 usage error or
failure; 2 no symbol matched, or no usable index; 6 an index that does not match the files or does not verify;
130 interrupted.
"""


def parse_program(argv: Sequence[str]) -> Typed | None:
    """Parse ``argv`` (without the program's name); None when help or the version was printed instead.

    Raises UsageError for what cannot be parsed, with the nearest right spelling, BrokenPipeError when the
    reader of help has gone, KeyboardInterrupt.
    """
    try:
        typed = make_program()(args=list(argv), prog_name="codetrail", standalone_mode=False)
    except NoArgsIsHelpError as mistake:
        words = mistake.ctx.command_path if mistake.ctx is not None else "codetrail"
        raise UsageError("a command is missing", hint=f"{words} --help lists the commands") from None
    except ClickException as mistake:
        raise usage_error(mistake) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:
        raise BrokenPipeError from None
    if typed == _INTERRUPTED:
        raise KeyboardInterrupt
    return typed if isinstance(typed, Typed) else None


def make_program() -> typer.Typer:
    """Build the typer program over the tables; each of its commands returns what was typed."""
    program = _group(_ABOUT, QUERY, shown=INDEX, version=True)
    groups = {name: _group(about, INDEX, shown=INDEX) for name, about in GROUPS.items()}
    for name, group in groups.items():
        program.add_typer(group, name=name)
    for command in COMMANDS:
        owner = groups[command.words[0]] if len(command.words) > 1 else program
        owner.command(command.words[-1], help=command.help)(_callback(command))
    return program


def _group(
    about: str, options: Sequence[Option], *, shown: Sequence[Option], version: bool = False
) -> typer.Typer:
    group = typer.Typer(
        help=about,
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
    )

    def remember(ctx: typer.Context, **typed: Any) -> None:
        typed.pop("version", None)
        ctx.obj = united(ctx.obj or {}, _present(typed))

    parameters = [_context(), *(_option_parameter(one, hidden=one not in shown) for one in options)]
    if version:
        parameters.append(_version_parameter())
    group.callback()(_with_signature(remember, parameters))
    return group


def _callback(command: Command) -> Callable[..., Typed]:
    def hand_over(ctx: typer.Context, **typed: Any) -> Typed:
        operand = typed.pop("operand", None)
        operands = tuple(operand) if isinstance(operand, list) else (operand,) if operand is not None else ()
        return Typed(command, ctx.obj or {}, _present(typed), operands[0] if operands else None, operands)

    parameters = [_context(), *map(_option_parameter, command.options)]
    if command.operand is not None:
        parameters.append(_operand_parameter(command))
    return _with_signature(hand_over, parameters)


def _present(typed: dict[str, Any]) -> Values:
    return {key: value for key, value in typed.items() if value not in (None, False, [])}


def _with_signature(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> Callable[..., Any]:
    """Give a function the parameters that typer is to read off it."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in parameters}
    return function


def _context() -> inspect.Parameter:
    return inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)


def _option_parameter(option: Option, *, hidden: bool = False) -> inspect.Parameter:
    shown = typer.Option(
        *option.flags, help=option.help, metavar=option.value, show_default=False, hidden=hidden
    )
    sort: Any = bool if option.value is None else list[str] if option.many else str
    default: Any = False if option.value is None else None
    return inspect.Parameter(
        option.key,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[sort if sort is bool else sort | None, shown],
    )


def _operand_parameter(command: Command) -> inspect.Parameter:
    shown = typer.Argument(metavar=command.operand, help=command.operand_help, show_default=False)
    optional = command.operand_optional
    sort: Any = list[str] if command.operand_many else str
    return inspect.Parameter(
        "operand",
        inspect.Parameter.KEYWORD_ONLY,
        default=None if optional else inspect.Parameter.empty,
        annotation=Annotated[sort | None if optional else sort, shown],
    )


def _version_parameter() -> inspect.Parameter:
    def show(wanted: bool) -> None:
        if wanted:
            from codetrail import __version__

            _click.echo(f"codetrail {__version__}")
            raise typer.Exit

    shown = typer.Option("--version", help="Print the version.", is_eager=True, callback=show)
    return inspect.Parameter(
        "version", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, shown]
    )
