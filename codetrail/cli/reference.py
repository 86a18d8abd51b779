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

_SOURCE = """## Source of definitions

With `--include-code` each row has `source`: `path`, `startLine` and `endLine` (both included), `content` and
`truncated`; in text, the numbered lines stand below the row.

- The lines are those of the definition, from its decorators to its end, or that of its name where no more is
  known (a variable, a parameter); and `--code-context` lines before and after it.
- At most `--code-max-lines` are shown. The definition goes first, from its first line on; or, where the line
  of its name would not be reached so, from that one on. Around a definition that is whole, a line before and
  a line after in turn. Of a line longer than 1,000 characters a part is shown, of the line of the name the
  part around it. A block ends before 200,000 bytes, and before half of `--max-bytes`; a page ends before
  4,000,000 bytes of source. `truncated` tells that lines, or parts of lines, are missing.
- `content` is the lines joined by line feeds, whatever ends them in the file, without a byte order mark;
  bytes that do not decode read U+FFFD. It comes from the very bytes that the row was checked against: of a
  file that differs from the index only rows of the parser have source, that of now.
- Where more than three symbols match, the rows of the first three have source, and the page has the note
  `ambiguous_include_code_capped`. Symbols outside the workspace have none.
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
    yield _SOURCE.rstrip()


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
