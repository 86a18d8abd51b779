"""Options on both sides of the verb become one; a command line can be written from what was typed."""

from __future__ import annotations

import pytest

from codetrail.cli.argv import parse_quickly
from codetrail.cli.grammar import parse_program
from codetrail.cli.options import find_command
from codetrail.cli.typed import Typed, Values, argv_of
from codetrail.errors import UsageError

MERGED: dict[str, tuple[Values, Values, Values]] = {
    "nothing": ({}, {}, {}),
    "before_only": ({"limit": "5"}, {}, {"limit": "5"}),
    "after_only": ({}, {"limit": "5"}, {"limit": "5"}),
    "single_last_wins": ({"limit": "5"}, {"limit": "6"}, {"limit": "6"}),
    "repeatable_unite": ({"dir": ["a", "b"]}, {"dir": ["c"]}, {"dir": ["a", "b", "c"]}),
    "flag_on_one_side": ({"explain": True}, {"limit": "5"}, {"explain": True, "limit": "5"}),
    "same_flag_on_both_sides": ({"verbose": True}, {"verbose": True}, {"verbose": True}),
    "same_case_flag": ({"ignore_case": True}, {"ignore_case": True}, {"ignore_case": True}),
}


@pytest.mark.parametrize("case", sorted(MERGED))
def test_merged(case: str) -> None:
    before, after, merged = MERGED[case]
    typed = Typed(find_command(("refs",)), before, after, "x")
    assert typed.merged() == merged
    assert (before, after) == MERGED[case][:2]


@pytest.mark.parametrize(
    ("words", "before", "after", "message"),
    [
        (("refs",), {"case_sensitive": True}, {"ignore_case": True}, "contradict"),
        (("refs",), {"ignore_case": True}, {"case_sensitive": True}, "contradict"),
        (("refs",), {}, {"case_sensitive": True, "ignore_case": True}, "contradict"),
        (("index", "build"), {}, {"trust": True, "untrust": True}, "contradict"),
        (("index", "build"), {"dir": ["a"]}, {}, "--dir does not apply to index build"),
        (("index", "status"), {"lang": "python"}, {}, "--lang does not apply to index status"),
        (("schema",), {"path": "."}, {}, "--path does not apply to schema"),
    ],
)
def test_what_cannot_be_merged(words: tuple[str, ...], before: Values, after: Values, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        Typed(find_command(words), before, after, None).merged()
    assert caught.value.code == "usage_error"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("argv", "written"),
    [
        (["refs", "Cart"], ["codetrail", "refs", "Cart"]),
        (
            ["-o", "json", "refs", "--dir=a b", "--dir", "-c", "--explain", "--", "-x"],
            ["codetrail", "refs", "--output", "json", "--dir", "a b", "--dir=-c", "--explain", "--", "-x"],
        ),
        (["symbols", "--counts"], ["codetrail", "symbols", "--counts"]),
    ],
    ids=["plain", "dashes", "no_operand"],
)
def test_argv_of_says_the_same(argv: list[str], written: list[str]) -> None:
    typed = parse_quickly(argv)
    assert typed is not None
    values = typed.merged()
    assert argv_of(typed.command, values, typed.operand) == written
    again = parse_program(written[1:])
    assert again is not None
    assert (again.merged(), again.operand) == (values, typed.operand)
