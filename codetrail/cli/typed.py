"""What was typed: options before and after the verb, and how the two sides become one.

Repeatable options unite, of single ones the last wins, opposite flags are an error (contract §2). Values are
still text; nothing here knows what they mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from codetrail.cli.options import Command, Option
from codetrail.errors import UsageError

Values = dict[str, str | list[str] | bool]
"""By option key: text, a list of texts for repeatable options, True for flags; absent if not typed."""


class Typed(NamedTuple):
    """One command line: the command, the options on both sides of its name, its operand.

    ``operands`` are all of them where a command takes several; ``operand`` is the first.
    """

    command: Command
    before: Values
    after: Values
    operand: str | None
    operands: tuple[str, ...] = ()

    def merged(self) -> Values:
        """Unite both sides. Raises UsageError for opposite flags and for options that do not belong here."""
        accepted = {option.key for option in self.command.before}
        for key in self.before:
            if key not in accepted:
                flag = f"--{key.replace('_', '-')}"
                name = " ".join(self.command.words)
                raise UsageError(
                    f"{flag} does not apply to {name}", hint=f"codetrail {name} --help lists its options"
                )
        values = united(self.before, self.after)
        for option in self.command.options:
            if option.opposite is not None and option.key in values and option.opposite in values:
                opposite = next(one for one in self.command.options if one.key == option.opposite)
                raise UsageError(
                    f"{option.flags[0]} and {opposite.flags[0]} contradict each other",
                    hint="type one of them",
                )
        return values


def united(earlier: Values, later: Values) -> Values:
    """Return both: lists joined in the order typed, of everything else the later value."""
    values = dict(earlier)
    for key, value in later.items():
        before = values.get(key)
        values[key] = [*before, *value] if isinstance(before, list) and isinstance(value, list) else value
    return values


def argv_of(command: Command, values: Values, operand: str | None) -> list[str]:
    """Write a command line that says the same: the program's name, the command, options, the operand last.

    An operand or value that begins with ``-`` is written so that it reads back.
    """
    argv = ["codetrail", *command.words]
    for option in command.options:
        value = values.get(option.key)
        if value is True:
            argv.append(option.flags[0])
        elif value:
            argv += _with_value(option, value if isinstance(value, list) else [str(value)])
    if operand is not None:
        argv += ["--", operand] if operand.startswith("-") else [operand]
    return argv


def _with_value(option: Option, values: Sequence[str]) -> list[str]:
    flag = option.flags[0]
    return [
        part for value in values for part in ([f"{flag}={value}"] if value.startswith("-") else [flag, value])
    ]
