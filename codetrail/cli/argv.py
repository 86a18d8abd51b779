"""Parse the command line of a quick command without loading typer, which would cost more than the answer.

Reads exactly what the typer program reads and gives up (None) on everything else: help, mistakes, other
commands. A test holds both parsers equal. The tables of ``options`` are the only source of what is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from codetrail.cli.options import COMMANDS, GROUPS, INDEX, QUERY, Command, Option
from codetrail.cli.typed import Typed, Values, united


def parse_quickly(argv: Sequence[str]) -> Typed | None:
    """Return what was typed (``argv`` without the program's name), or None unless it is sound and quick."""
    words = list(argv)
    before: Values = {}
    place = _read_options(words, 0, _by_flag(QUERY), before)
    if place is None or place >= len(words):
        return None
    group: tuple[str, ...] = ()
    if words[place] in GROUPS:
        group = (words[place],)
        inner: Values = {}
        place = _read_options(words, place + 1, _by_flag(INDEX), inner)
        if place is None or place >= len(words):
            return None
        before = united(before, inner)
    command = _quick((*group, words[place]))
    if command is None:
        return None
    known = _by_flag(command.options)
    after: Values = {}
    operands: list[str] = []
    place += 1
    while place < len(words):
        if words[place] == "--":
            operands += words[place + 1 :]
            break
        if not _is_option(words[place]):
            operands.append(words[place])
            place += 1
            continue
        moved = _read_options(words, place, known, after)
        if moved is None:
            return None
        place = moved
    if len(operands) > (command.operand is not None):
        return None
    if not operands and command.operand is not None and not command.operand_optional:
        return None
    return Typed(command, before, after, operands[0] if operands else None, tuple(operands))


def _quick(words: tuple[str, ...]) -> Command | None:
    return next((one for one in COMMANDS if one.quick and one.words == words), None)


def typed_output(argv: Sequence[str]) -> str:
    """Guess the output that a command line which cannot be parsed asked for; ``text`` if in doubt."""
    output = "text"
    for place, word in enumerate(argv):
        if word == "--":
            break
        if word.startswith("--output="):
            output = word[len("--output=") :]
        elif word in ("-o", "--output") and place + 1 < len(argv):
            output = argv[place + 1]
        elif word.startswith("-o") and len(word) > 2:
            output = word[2:]
    return output


def _by_flag(options: Sequence[Option]) -> dict[str, Option]:
    return {flag: option for option in options for flag in option.flags}


def _is_option(word: str) -> bool:
    return len(word) > 1 and word[0] == "-"


def _split(word: str) -> tuple[str, bool, str]:
    """Split ``--name=value`` and ``-nvalue`` into name, whether a value is joined to it, and that value."""
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        return name, bool(equals), value
    return word[:2], len(word) > 2, word[2:]


def _read_options(words: list[str], place: int, known: dict[str, Option], into: Values) -> int | None:
    """Read options from ``place`` on and return where they end, or None for what only typer should judge."""
    while place < len(words) and _is_option(words[place]) and words[place] != "--":
        name, joined, attached = _split(words[place])
        option = known.get(name)
        if option is None or (joined and option.value is None):
            return None
        place += 1
        if option.value is None:
            into[option.key] = True
            continue
        if not joined:
            if place >= len(words):
                return None
            attached = words[place]
            place += 1
        if option.many:
            into[option.key] = [*into.get(option.key, ()), attached]  # type: ignore[misc]
        else:
            into[option.key] = attached
    return place
