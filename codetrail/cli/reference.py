"""Write the command reference from the option tables: ``python -m codetrail.cli.reference``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codetrail.cli.options import COMMANDS, GROUPS, QUERY, UNANSWERED, Command, Option

_HEAD = """# Commands

Written by `python -m codetrail.cli.reference`; do not edit by hand.

Every query takes the same options, before or after its verb. Of options given twice the repeatable ones
unite, of others the last one counts; opposite flags are an error. An operand that begins with `-` stands
after `--`.

| exit status | meaning |
|---|---|
| 0 | answered; also with no rows when a symbol matched |
| 1 | usage error or failure |
| 2 | no symbol matched, or no usable precise index for what was asked |
| 6 | an index exists but does not match the files, or does not verify |
| 130 | interrupted; 143 and 129 where SIGTERM or SIGHUP ended a command that looks after the index |

What goes wrong has a stable code: see [errors](errors.md).
"""


def reference() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _HEAD
    yield "## Options of every query"
    yield from _table(QUERY)
    for command in COMMANDS:
        if command.words[0] in GROUPS and command is _first_of_group(command):
            yield f"## `codetrail {command.words[0]}`"
            yield ""
            yield GROUPS[command.words[0]]
            yield ""
        yield from _command(command)


def _first_of_group(command: Command) -> Command:
    return next(one for one in COMMANDS if one.words[0] == command.words[0])


def _command(command: Command) -> Iterator[str]:
    words = " ".join(command.words)
    operand = command.operand or ""
    if operand and command.operand_optional:
        operand = f"[{operand}]"
    yield f"{'###' if len(command.words) > 1 else '##'} `{' '.join(['codetrail', words, operand]).strip()}`"
    yield ""
    yield command.help
    if command.operand:
        yield ""
        yield f"`{command.operand}`: {command.operand_help}"
    if command.before == QUERY:
        own: Sequence[Option] = [
            one for one in command.options if one not in QUERY and one.key not in UNANSWERED
        ]
        yield ""
        yield "Takes the options of every query" + (", and:" if own else ".")
    else:
        own = [one for one in command.options if one.key not in UNANSWERED]
    yield from _table(own)


def _table(options: Sequence[Option]) -> Iterator[str]:
    yield ""
    if not options:
        return
    yield "| option | meaning |"
    yield "|---|---|"
    for option in options:
        yield _row(option)
    yield ""


def _row(option: Option) -> str:
    spelled = ", ".join(f"`{flag}`" for flag in reversed(option.flags))
    value = f" `{option.value}`" if option.value is not None else ""
    return "| " + (spelled + value).replace("|", "\\|") + f" | {option.help} |"


if __name__ == "__main__":
    import sys

    sys.stdout.write(reference())
