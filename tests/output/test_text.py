"""Text: its exact lines, what is quoted, what is escaped, where colour is."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable

import pytest

from codetrail.errors import IndexUnavailable
from codetrail.model.answers import Answer, Coverage, Note, Reason, ReferenceRow, SymbolRow
from codetrail.model.ranges import Range
from codetrail.model.reports import CheckRow, LanguageShare, PruneRow, SummaryRow, UnitRow
from codetrail.model.source_block import SourceBlock
from codetrail.model.units import Problem
from codetrail.output import report_text, text

REPORT = (
    UnitRow(
        "python", "basedpyright", "1.39.0", "python", "", "partial", 12, 11, 4210, 0.98765, 3.21987,
        "2026-01-02T03:04:05Z",
        (
            Problem("file_too_large", "a file is too large", "big file.py", 3, 2),
            Problem("engine_said", "the engine stopped", detail="\x1b[31mred\nsecond line"),
        ),
    ),
    UnitRow("python", "basedpyright", "1.39.0", "python", "packages/a b", "reused", 1, 1, 0),
    SummaryRow("5f3a", 2, (("partial", 1), ("reused", 1)), 13, 12, 4210, 99_000, 0.5, 1, 0, 2, None,
               (LanguageShare("javascript", 1, None),
                LanguageShare("python", 12, 0.75, (("a\x1b[1m", 3), ("b", 1))))),
    CheckRow("node_missing", "error", "Node was not found", "python",
             (("codetrail", "index", "build", "--path", "a b"),), "a person's decision"),
    CheckRow("node_found", "ok", "Node was found"),
    PruneRow(1, 2, 3, 4096, (("recent", 1),)),
)  # fmt: skip


def test_a_problem_of_several_files_names_them() -> None:
    problem = Problem("config_error", "It is broken.", "a b.json", 3, 7, paths=("a b.json", "c.json"))
    row = UnitRow("python", "", "", "python", "", "built", 1, 1, 0, problems=(problem,))
    assert list(report_text.report([row]))[1] == (
        "  problem: It is broken. (config_error, 7 times)  'a b.json' c.json\n"
    )


def next_page(cursor: str) -> list[str]:
    return ["codetrail", "refs", "Cart add", "--cursor", cursor]


def printed(value: Answer, paint: text.Paint = text.plain) -> str:
    return "".join(text.answer(value, "Cart add", next_page, paint))


def symbol_row(answers: dict[str, Answer], place: int) -> SymbolRow:
    row = answers["definitions"].rows[place]
    assert isinstance(row, SymbolRow)
    return row


def reference_row(answers: dict[str, Answer]) -> ReferenceRow:
    row = answers["one_symbol"].rows[0]
    assert isinstance(row, ReferenceRow)
    return row


def test_answer_prints_its_golden_text(
    named_answer: tuple[str, Answer], golden: Callable[[str, str], None]
) -> None:
    name, value = named_answer
    golden(f"{name}.txt", printed(value))


def test_colour_changes_nothing_but_colour(named_answer: tuple[str, Answer]) -> None:
    _, value = named_answer
    coloured = printed(value, text.coloured)
    assert "\x1b[" in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == printed(value)


def test_nothing_unprintable_reaches_the_terminal(named_answer: tuple[str, Answer]) -> None:
    _, value = named_answer
    for line in printed(value).split("\n"):
        assert line.replace("\t", "").isprintable()


def test_rich_markup_is_plain_text(answers: dict[str, Answer]) -> None:
    assert "[bold]x[/bold]" in printed(answers["hostile"])


def test_a_hostile_path_never_makes_a_line_of_its_own(answers: dict[str, Answer]) -> None:
    row = reference_row(answers)
    forged = row._replace(path="a.py\ncoverage: complete", text="x\r\nprecise  y  z:1\x0b\x0c\x85\u2028w")
    lines = printed(answers["one_symbol"]._replace(rows=(forged,))).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("$'a.py\\ncoverage: complete:5:10': x\\r\\nprecise")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_every_coordinate_pastes_back_into_a_shell(answers: dict[str, Answer]) -> None:
    value = symbol_row(answers, 1)
    for path in [
        "a b.py",
        "it's.py",
        "$(id).py",
        "n\nl.py",
        "\x1b[2J.py",
        "\u202e.py",
        "größe.py",
        "back\\s\n.py",
    ]:
        named = value.node._replace(path=path)
        line = printed(Answer((value._replace(node=named),), answers["definitions"].page))
        word = line.split("  defs=")[1].split("  parser_fact")[0]
        run = subprocess.run(
            ["bash", "-c", f"printf %s {word}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
        )
        assert run.stdout.decode() == f"{path}:15#Cart.add"


def test_a_value_that_begins_with_a_dash_stands_after_dashes(answers: dict[str, Answer]) -> None:
    value = symbol_row(answers, 0)
    named = value.node._replace(path="-rf.py")
    line = printed(Answer((value._replace(node=named),), answers["definitions"].page))
    assert line == "class  Cart  -- -rf.py:10  defs=-- -rf.py:10#Cart\n"


def test_printed_command_is_what_was_meant(answers: dict[str, Answer]) -> None:
    last = printed(answers["references"]).splitlines()[-1]
    assert shlex.split(last.split("next page: ")[1]) == next_page("abc-_1")


def test_a_name_of_a_megabyte_is_clipped_and_its_place_pastes(answers: dict[str, Answer]) -> None:
    value = symbol_row(answers, 0)
    named = value.node._replace(qualified_name="x" * 1_000_000)
    line = printed(Answer((value._replace(node=named),), answers["definitions"].page))
    assert len(line) < 400
    assert line.endswith("…'  shop/cart.py:10  defs=shop/cart.py:10:7\n")


def test_a_quoted_identifier_is_escaped_and_short(answers: dict[str, Answer]) -> None:
    line = "".join(text.answer(answers["no_match"], "\x1b[2J" + "y" * 500, next_page))
    assert line.startswith("no symbol matches '\\x1b[2Jyyy")
    assert len(line.splitlines()[0]) <= len("no symbol matches ''") + 80


def test_lines_do_not_depend_on_the_width_of_the_terminal(
    answers: dict[str, Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = [printed(answers[name]) for name in ("references", "code")]
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.setenv("LINES", "2")
    assert [printed(answers[name]) for name in ("references", "code")] == wide


@pytest.mark.parametrize(
    ("coverage", "expected"),
    [
        (Coverage("complete", unresolved=0), ""),
        (Coverage("complete"), ""),
        (
            Coverage("complete", unresolved=1),
            "coverage: complete; 1 token of this name bound by no compiler\n",
        ),
        (
            Coverage("missing", next=("codetrail", "index", "build")),
            "coverage: missing; next: codetrail index build\n",
        ),
        (
            Coverage("partial", (Reason("x", "some units failed", "python", 2),)),
            "coverage: partial; some units failed (x, python, 2)\n",
        ),
    ],
    ids=["complete", "not_counted", "unresolved", "missing", "partial"],
)
def test_coverage_has_one_line_when_there_is_something_to_say(coverage: Coverage, expected: str) -> None:
    assert "".join(text.coverage(coverage)) == expected


def test_failure_lines() -> None:
    failure = IndexUnavailable("nothing is indexed\x1b here", hint="codetrail index build")
    lines = "".join(text.failure(failure))
    assert lines == "error: nothing is indexed\\x1b here (index_missing)\nhint: codetrail index build\n"


def test_source_stands_numbered_below_its_row(answers: dict[str, Answer]) -> None:
    block = SourceBlock("a.py", 8, ("def f():", "\treturn 1", ""), False)
    row = symbol_row(answers, 0)._replace(source=block)
    lines = printed(Answer((row, row._replace(source=None)), answers["definitions"].page)).splitlines()
    assert lines[1:4] == ["   9 | def f():", "  10 | \treturn 1", "  11 |"]
    assert lines[0] == lines[4]
    said = symbol_row(answers, 2).provenance
    explained = printed(Answer((row._replace(provenance=said),), answers["definitions"].page)).splitlines()
    assert explained[1].startswith("  provider=python ")
    assert explained[2:5] == lines[1:4]
    cut = row._replace(source=block._replace(truncated=True))
    last = printed(Answer((cut,), answers["definitions"].page)).splitlines()[4]
    assert last.startswith("  (not whole: ")


@pytest.mark.parametrize(
    "line",
    ["x\nclass  Cart  a.py:1", "x\r\ny", "\x1b[2J", "\u202egpj", "a\x0b\x0c\x85\u2028b", "\x9b1m", "\ud800"],
)
def test_no_line_of_source_is_more_than_one_line_of_its_block(answers: dict[str, Answer], line: str) -> None:
    row = symbol_row(answers, 0)._replace(source=SourceBlock("a.py", 0, ("before", line, "after"), False))
    lines = printed(Answer((row,), answers["definitions"].page)).splitlines()
    assert len(lines) == 4
    assert lines[2].startswith("  2 | ")
    assert lines[2].isprintable()


def test_report_prints_its_golden_text(golden: Callable[[str, str], None]) -> None:
    coverage = Coverage("stale", (Reason("files_changed", "files changed", times=2),))
    golden("report.txt", "".join(report_text.report(REPORT, (Note("other", "a remark"),), coverage)))


def test_report_keeps_provider_words_for_verbose() -> None:
    assert "red" not in "".join(report_text.report(REPORT))
    assert "".join(report_text.details(REPORT)) == (
        "python: engine_said: | \\x1b[31mred\npython: engine_said: | second line\n"
    )


def test_report_colours_what_is_not_well() -> None:
    lines = "".join(report_text.report(REPORT, (), None, text.coloured))
    assert "\x1b[33mpartial\x1b[0m" in lines
    assert "\x1b[33mreused" not in lines


def test_ranges_in_places_are_one_based(answers: dict[str, Answer]) -> None:
    row = reference_row(answers)._replace(range=Range(0, 0, 0, 3))
    assert "\nshop/__main__.py:1:1: " in printed(answers["one_symbol"]._replace(rows=(row,)))
