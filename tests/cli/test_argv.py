"""The quick parser reads exactly what the typer program reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetrail.cli.argv import parse_quickly, typed_output
from codetrail.cli.grammar import parse_program
from codetrail.cli.options import COMMANDS, QUERY
from codetrail.cli.typed import Typed
from codetrail.errors import UsageError

SOUND = [
    ["refs", "Cart"],
    ["refs", "Cart", "-o", "json"],
    ["-o", "json", "refs", "Cart"],
    ["--output=json", "refs", "--output", "text", "Cart"],
    ["--dir", "a", "--dir=b", "defs", "--dir", "c", "Cart", "--dir=d"],
    ["-v", "defs", "Cart", "-v"],
    ["-ojson", "refs", "Cart", "-p.", "-o=text"],
    ["--case-sensitive", "symbols", "Cart", "--ignore-case"],
    ["symbols", "--counts"],
    ["symbols", "--counts", "Cart"],
    ["refs", "--", "-Cart"],
    ["refs", "-o", "json", "--", "--output"],
    ["refs", "Cart", "--"],
    ["refs", "-"],
    ["refs", ""],
    ["refs", "--dir", "", "x"],
    ["refs", "--dir", "-x", "y"],
    ["refs", "--dir", "--", "y"],
    ["refs", "--lang=a=b", "y"],
    ["refs", "--use", "call", "--use=write", "größe", "--limit", "5"],
    ["refs", "\udcff"],
    ["defs", "a.py:3", "--include-code", "--code-context", "2", "--code-max-lines=5"],
    ["symbols"],
    ["index", "build"],
    ["index", "build", "--"],
    ["-v", "index", "-o", "json", "build", "--lang", "python", "--lang=rust", "--force"],
    ["--dir", "a", "index", "status"],
    ["index", "-p", "x", "status", "-p", "y", "--check"],
    ["index", "doctor", "--deep"],
    ["index", "prune"],
]
LEFT_TO_TYPER = [
    [],
    ["--help"],
    ["refs", "--help"],
    ["refs"],
    ["refs", "a", "b"],
    ["refs", "a", "--dir"],
    ["refs", "a", "--nothing"],
    ["refs", "a", "--explain=yes"],
    ["refs", "a", "-vojson"],
    ["refs", "a", "-vp", "."],
    ["--include-code", "defs", "a"],
    ["--", "refs", "a"],
    ["index"],
    ["index", "--help"],
    ["index", "build", "--help"],
    ["index", "status", "x"],
    ["index", "--dir", "a", "status"],
    ["index", "unknown"],
    ["index", "refs", "x"],
    ["build"],
    ["schema"],
    ["unknown", "a"],
    ["-o"],
    ["--version"],
]


@pytest.mark.parametrize("argv", SOUND, ids=" ".join)
def test_sound_commands_are_read_quickly_and_alike(argv: list[str]) -> None:
    quick = parse_quickly(argv)
    assert isinstance(quick, Typed)
    assert quick == parse_program(argv)


@pytest.mark.parametrize("argv", LEFT_TO_TYPER, ids=" ".join)
def test_everything_else_is_left_to_typer(argv: list[str]) -> None:
    assert parse_quickly(argv) is None


WORDS = st.sampled_from(
    [
        "refs",
        "defs",
        "symbols",
        "index",
        "build",
        "--",
        "-",
        "",
        "x",
        "-x",
        "a=b",
        "-ojson",
        "-o=x",
        "-vp",
        "--no",
    ]
    + [flag for command in COMMANDS for option in command.options for flag in option.flags]
    + [f"{flag}=v" for option in QUERY for flag in option.flags]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(WORDS, max_size=3),
    st.sampled_from(["refs", "defs", "symbols", "index build", "index status"]),
    st.lists(WORDS, max_size=5),
)
def test_both_parsers_agree_on_any_command_line(before: list[str], verb: str, after: list[str]) -> None:
    argv = [*before, *verb.split(), *after]
    quick = parse_quickly(argv)
    if quick is not None:
        assert quick == parse_program(argv)
        return
    try:
        slow = parse_program(argv)
    except UsageError:
        return
    # The quick parser leaves clustered short options and "--" before the verb to typer.
    assert slow is None or slow.command.words[0] == "index" or _is_unusual(argv)


def _is_unusual(argv: list[str]) -> bool:
    clustered = any(len(word) > 2 and word[0] == "-" and word[1] != "-" for word in argv)
    return (
        clustered
        or "--" in argv[: argv.index(next(word for word in argv if word in ("refs", "defs", "symbols")))]
    )


@pytest.mark.parametrize(
    ("argv", "output"),
    [
        ([], "text"),
        (["refs", "-o", "json"], "json"),
        (["-ojsonl", "x"], "jsonl"),
        (["--output=json", "--nothing"], "json"),
        (["--output", "json", "-o", "text"], "text"),
        (["refs", "--", "-o", "json"], "text"),
        (["refs", "-o"], "text"),
    ],
    ids=" ".join,
)
def test_output_of_a_broken_command_line(argv: list[str], output: str) -> None:
    assert typed_output(argv) == output
