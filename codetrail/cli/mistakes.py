"""Say in our own words what the typer program found wrong with a command line.

Click repeats what was typed as it is and at any length; here it is quoted, escaped and cut (contract §8), and
what may have been meant becomes the hint.
"""

from __future__ import annotations

from difflib import get_close_matches

from typer._click.exceptions import ClickException, NoSuchOption

from codetrail.cli.options import COMMANDS
from codetrail.errors import UsageError
from codetrail.output.escaping import clip, quoted, visible

_LONGEST = 200
"""Code points of an account of Click's that has no words of ours."""

_EXTRA = "Got unexpected extra argument(s) ("
_MISSING = "Missing command."
_NO_COMMAND = "No such command "


def usage_error(mistake: ClickException) -> UsageError:
    """Turn Click's account of a mistake into ours, with the nearest right spelling where there is one."""
    context = getattr(mistake, "ctx", None)
    words = context.command_path if context is not None else "codetrail"
    help_ = f"{words} --help"
    if isinstance(mistake, NoSuchOption):
        return _no_option(mistake, help_)
    message = mistake.format_message()
    if message.startswith(_EXTRA):
        typed = message.removeprefix(_EXTRA).rstrip(".").removesuffix(")")
        return UsageError(
            f"unexpected argument {quoted(typed)}", hint=f"quote what holds blanks; {help_} tells more"
        )
    if message.startswith(_NO_COMMAND):
        return _no_command(message, getattr(context, "command", None), help_)
    if message == _MISSING:
        return UsageError("a command is missing", hint=f"{help_} lists the commands")
    message = clip(visible(message.rstrip(".")), _LONGEST)
    return UsageError(message[:1].lower() + message[1:], hint=help_)


def _no_option(mistake: NoSuchOption, help_: str) -> UsageError:
    words = help_.removesuffix(" --help")
    others = [
        f"codetrail {' '.join(command.words)}"
        for command in COMMANDS
        if any(mistake.option_name in option.flags for option in command.options)
    ]
    if others:
        return UsageError(
            f"{words} has no option {mistake.option_name}", hint=f"it belongs to {', '.join(others)}"
        )
    near = mistake.possibilities or ()
    # Whoever cuts an option short means one that begins so.
    meant = [one for one in near if one.startswith(mistake.option_name)] or list(near)
    hint = f"{help_} lists the options; what begins with '-' goes after --: {words} -- NAME"
    if meant:
        hint = f"did you mean {' or '.join(meant)}? {help_} lists the options"
    return UsageError(f"there is no option {quoted(mistake.option_name)}", hint=hint)


def _no_command(message: str, group: object, help_: str) -> UsageError:
    typed = message.removeprefix(_NO_COMMAND).partition(". Did you mean ")[0].rstrip(".")[1:-1]
    near = get_close_matches(typed, list(getattr(group, "commands", ())))
    meant = f"did you mean {' or '.join(near)}? " if near else ""
    return UsageError(f"there is no command {quoted(typed)}", hint=f"{meant}{help_} lists the commands")
