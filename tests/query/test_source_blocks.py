"""The source that rows carry: which lines, which rows, and that they are the very bytes that were checked."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetrail.model.ranges import Range
from codetrail.query.source_blocks import LARGEST_BLOCK, LONGEST_LINE, cut_block, source_size
from codetrail.query.sources import SourceText

TEN = b"".join(b"line %d\n" % number for number in range(1, 11))


def at(line: int, column: int = 0, end: int | None = None) -> Range:
    """Return a name of four characters on a line (0-based)."""
    return Range(line, column, line, column + 4 if end is None else end)


class Case(NamedTuple):
    """A file, a definition in it, what is asked for; and the lines (1-based) expected, and ``truncated``."""

    name: Range
    body: Range | None
    context: int
    most_lines: int
    expected: tuple[int, int, bool]
    data: bytes = TEN


CASES: dict[str, Case] = {
    "name_alone": Case(at(4), None, 0, 200, (5, 5, False)),
    "name_and_context": Case(at(4), None, 2, 200, (3, 7, False)),
    "body": Case(at(4), Range(3, 0, 6, 6), 0, 200, (4, 7, False)),
    "body_and_context": Case(at(4), Range(3, 0, 6, 6), 1, 200, (3, 8, False)),
    "body_ends_before_a_line": Case(at(4), Range(3, 0, 6, 0), 0, 200, (4, 6, False)),
    "body_inside_one_line": Case(at(4), Range(4, 0, 4, 6), 0, 200, (5, 5, False)),
    "context_ends_with_the_file": Case(at(4), None, 1000, 200, (1, 10, False)),
    "module": Case(at(0, 0, 0), Range(0, 0, 10, 0), 20, 200, (1, 10, False)),
    "definition_goes_first": Case(at(2), Range(2, 0, 7, 6), 2, 6, (3, 8, True)),
    "definition_longer_than_asked": Case(at(2), Range(2, 0, 7, 6), 2, 4, (3, 6, True)),
    "line_before_goes_first": Case(at(4), None, 4, 2, (4, 5, True)),
    "context_on_both_sides": Case(at(4), None, 4, 5, (3, 7, True)),
    "context_on_the_side_that_has_it": Case(at(0), None, 9, 5, (1, 5, True)),
    "exactly_enough": Case(at(4), Range(3, 0, 6, 6), 1, 6, (3, 8, False)),
    "decorators_longer_than_asked": Case(at(6), Range(1, 0, 9, 6), 0, 3, (7, 9, True)),
    "decorators_fit_with_the_name": Case(at(3), Range(1, 0, 9, 6), 0, 3, (2, 4, True)),
    "decorators_alone_would_fit": Case(at(3), Range(1, 0, 9, 6), 0, 2, (4, 5, True)),
    "decorators_as_far_as_they_fit": Case(at(8), Range(1, 0, 9, 6), 5, 4, (7, 10, True)),
    "extent_without_its_name": Case(at(4), Range(6, 0, 8, 0), 0, 200, (5, 5, False)),
    "extent_behind_the_file": Case(at(4), Range(4, 0, 99, 0), 0, 200, (5, 10, False)),
    "name_over_lines": Case(Range(2, 0, 4, 1), None, 0, 200, (3, 5, False)),
    "last_line_without_end": Case(at(1), None, 5, 200, (1, 2, False), b"a\nb"),
    "blank_last_line": Case(at(0), None, 5, 200, (1, 2, False), b"a\n\n"),
    "carriage_returns": Case(at(1), None, 5, 200, (1, 4, False), b"a\rb\r\nc\nd"),
    "form_feed_and_separators_end_no_line": Case(
        at(0), None, 5, 200, (1, 2, False), "a\x0cb\u2028c\x85d\x0be\nf".encode()
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_lines_of_a_block(case: Case) -> None:
    block = cut_block("a.py", SourceText(case.data), case.name, case.body, case.context, case.most_lines)
    assert block is not None
    assert (block.first + 1, block.first + len(block.lines), block.truncated) == case.expected
    whole = case.data.splitlines()
    assert [line.encode() for line in block.lines] == whole[block.first : block.first + len(block.lines)]


@pytest.mark.parametrize(("data", "line"), [(b"", 0), (b"a\n", 1), (b"a\n", 99)])
def test_a_place_outside_the_file_has_no_source(data: bytes, line: int) -> None:
    assert cut_block("a.py", SourceText(data), at(line), None, 20, 200) is None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(b"\xef\xbb\xbfname = 1\n", "name = 1", id="byte_order_mark"),
        pytest.param(b"\tname = 1  \t\r\n", "\tname = 1  \t", id="blanks_kept"),
        pytest.param(b"name = '\xff\xfe'\n", "name = '\ufffd\ufffd'", id="no_utf8"),
        pytest.param(b"name = '\0\x1b[2J'\n", "name = '\0\x1b[2J'", id="controls_kept"),
        pytest.param("name = '\u202e\U000e0041'\n".encode(), "name = '\u202e\U000e0041'", id="bidi_kept"),
    ],
)
def test_the_text_of_a_line_is_that_of_the_file(data: bytes, expected: str) -> None:
    block = cut_block("a.py", SourceText(data), at(0), None, 20, 200)
    assert block is not None
    assert (block.lines, block.truncated) == ((expected,), False)


def test_a_declared_encoding_is_followed() -> None:
    data = b"# coding: latin-1\nname = '\xe9'\n"
    block = cut_block("a.py", SourceText(data, "python"), at(1), None, 20, 200)
    assert block is not None
    assert block.lines == ("# coding: latin-1", "name = 'é'")


def test_of_a_long_line_a_window_with_the_name_is_shown() -> None:
    line = "x" * 3_000_000 + "NAME" + "y" * 2_000_000
    text = SourceText(f"{line}\n{line}\n".encode())
    block = cut_block("a.js", text, Range(1, 3_000_000, 1, 3_000_004), None, 20, 200)
    assert block is not None
    assert block.truncated
    assert block.lines == ("x" * LONGEST_LINE, "x" * 498 + "NAME" + "y" * 498)


def test_a_block_never_outgrows_its_bytes_and_keeps_its_first_line() -> None:
    text = SourceText(("é" * 900 + "\n").encode() * 500)
    block = cut_block("a.py", text, at(100), Range(100, 0, 400, 0), 20, 2000)
    assert block is not None
    assert (block.first, len(block.lines), block.truncated) == (100, LARGEST_BLOCK // 1801, True)
    follows = SourceText(b"before\n" * 3 + b"name\n" + b"y" * 900 + b"\nafter\n")
    cut = cut_block("a.py", follows, at(3), Range(3, 0, 5, 0), 3, 2000, 100)
    assert cut is not None
    assert (cut.first, cut.lines, cut.truncated) == (3, ("name",), True)
    small = cut_block("a.py", text, at(100), None, 20, 2000, 5)
    assert small is not None
    assert (small.first, small.lines, small.truncated) == (100, ("é" * 900,), True)


PIECES = st.sampled_from(
    ["a", "é", "\U0001f40d", "\t", " ", "\n", "\r", "\r\n", "\x0c", "\u2028", "\0", "y" * 1500]
)
NUMBERS = st.integers(0, 40)


@settings(max_examples=400, deadline=None)
@given(
    pieces=st.lists(PIECES, max_size=40),
    start=st.tuples(NUMBERS, NUMBERS),
    name=st.tuples(NUMBERS, NUMBERS, NUMBERS),
    end=st.tuples(NUMBERS, NUMBERS),
    known=st.booleans(),
    context=st.integers(0, 30),
    most=st.integers(1, 30),
    most_bytes=st.integers(1, 3000),
)
def test_a_block_is_the_lines_of_its_file(
    pieces: list[str],
    start: tuple[int, int],
    name: tuple[int, int, int],
    end: tuple[int, int],
    known: bool,
    context: int,
    most: int,
    most_bytes: int,
) -> None:
    data = "".join(pieces).encode()
    whole = [line.decode() for line in data.splitlines()]
    named = at(name[0], name[1], name[1] + name[2])
    block = cut_block(
        "a.py", SourceText(data), named, Range(*start, *end) if known else None, context, most, most_bytes
    )
    if block is None:
        assert named.line >= len(whole)
        return
    stop = block.first + len(block.lines)
    assert 0 <= block.first <= named.line < stop <= len(whole)
    assert len(block.lines) <= most
    assert len(block.lines) == 1 or sum(len(line.encode()) + 1 for line in block.lines) <= most_bytes
    shortened = False
    for line, original in zip(block.lines, whole[block.first : stop], strict=True):
        assert line == original or (len(line) == LONGEST_LINE and line in original)
        shortened = shortened or line != original
    assert block.truncated or not shortened
    if not block.truncated:
        assert block.first <= max(0, named.line - context)
        assert stop >= min(len(whole), named.line + 1 + context)


def shop(tree: Any) -> None:
    """Four namesakes in four files, the first and the third defined twice."""
    unit = tree.unit()
    for number, times in enumerate((2, 1, 2, 1)):
        facts = tree.file(unit, f"m{number}.py", "# before\ndef run():\n    return 1\n# after\n" * times)
        for _ in range(times):
            facts.define("run", f"`m{number}`/run().", "function", 2)
    tree.store()


def sources(rows: Any) -> list[tuple[str, int, int] | None]:
    """Return path, first and last line (1-based) of what each row carries."""
    return [
        None if row.source is None
        else (row.source.path, row.source.first + 1, row.source.first + len(row.source.lines))
        for row in rows
    ]  # fmt: skip


BEST = [("m0.py", 2, 3), ("m0.py", 6, 7), ("m1.py", 2, 3), ("m2.py", 2, 3), ("m2.py", 6, 7), None]
REST = [("m1.py", 2, 3), ("m2.py", 2, 3), ("m2.py", 6, 7), ("m3.py", 2, 3)]
"""What carries source once the first file has no precise rows."""
CAPPED = ["ambiguous_include_code_capped"]


def test_only_the_best_three_symbols_carry_source_with_all_their_rows(tree: Any) -> None:
    shop(tree)
    answer = tree.defs("run", include_code=True, code_context=0)
    assert sources(answer.rows) == BEST
    assert [note.code for note in answer.page.notes] == CAPPED
    assert sources(tree.defs("run").rows) == [None] * 6
    assert tree.defs("run").page.notes == ()


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_any_size_give_the_same_source_and_the_same_note(tree: Any, limit: int) -> None:
    shop(tree)
    gathered: list[Any] = []
    cursor = None
    while True:
        answer = tree.defs("run", include_code=True, code_context=0, limit=limit, cursor=cursor)
        gathered += answer.rows
        assert [note.code for note in answer.page.notes] == CAPPED
        cursor = answer.page.next_cursor
        if cursor is None:
            break
    assert sources(gathered) == BEST


def test_symbols_without_rows_in_the_scope_are_no_candidates(tree: Any) -> None:
    shop(tree)
    answer = tree.defs("run", include_code=True, scope={"patterns": ("m3.py",)})
    assert sources(answer.rows) == [("m3.py", 1, 4)]
    assert answer.page.notes == ()
    scope = {"patterns": ("m2.py", "m3.py")}
    first = tree.defs("run", include_code=True, scope=scope, limit=1)
    second = tree.defs("run", include_code=True, scope=scope, limit=1, cursor=first.page.next_cursor)
    third = tree.defs("run", include_code=True, scope=scope, limit=1, cursor=second.page.next_cursor)
    rows = (*first.rows, *second.rows, *third.rows)
    assert sources(rows) == [("m2.py", 1, 8), ("m2.py", 1, 8), ("m3.py", 1, 4)]


def test_the_note_does_not_depend_on_counting_all(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shop(tree)
    monkeypatch.setattr("codetrail.query.engine.MOST_COUNTED", 1)
    assert [note.code for note in tree.defs("run", include_code=True).page.notes] == CAPPED


def test_the_cap_holds_for_symbols_too(tree: Any) -> None:
    shop(tree)
    answer = tree.ask("symbols", "ru", include_code=True, code_context=0)
    assert sources(answer.rows) == BEST
    assert [note.code for note in answer.page.notes] == CAPPED


@pytest.mark.parametrize("mode", ["full", "answer", "off"])
@pytest.mark.parametrize("same_stat", [True, False], ids=["stat_equal", "stat_differs"])
def test_source_is_never_that_of_other_bytes(tree: Any, mode: str, same_stat: bool) -> None:
    shop(tree)
    path = tree.path / "m0.py"
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"return 1", b"return 2"))
    if same_stat:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    answer = tree.defs("run", include_code=True, code_context=0, freshness=mode)
    assert sources(answer.rows) == BEST
    (reason,) = [reason for reason in answer.page.coverage.reasons if reason.code == "files_changed"]
    assert reason.paths == ("m0.py",)
    assert [(row.reliability, row.freshness) for row in answer.rows] == [
        ("inferred_candidate", "moved"),
        ("inferred_candidate", "moved"),
        *[("precise_fact", None)] * 4,
    ]
    assert [row.source.lines[-1] for row in answer.rows[:3]] == ["    return 2"] * 2 + ["    return 1"]


def test_a_deleted_file_has_no_source(tree: Any) -> None:
    shop(tree)
    (tree.path / "m0.py").unlink()
    answer = tree.defs("run", include_code=True, code_context=0)
    assert sources(answer.rows) == REST


def test_rows_of_the_parser_carry_the_present_text(tree: Any) -> None:
    tree.write("a.py", "@once\ndef alone():\n    return 'é'\n")
    (row,) = tree.defs("alone", include_code=True, code_context=0).rows
    assert row.reliability == "parser_fact"
    assert row.source.lines == ("@once", "def alone():", "    return 'é'")


def test_a_local_shows_the_line_of_its_name(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def run():\n    inner = 1\n    return inner\n").define(
        "run", "`a`/run().", "function", 3
    ).local("inner", 0, defines=True).local("inner", 0)
    tree.store()
    (row,) = tree.defs("a.py:2:5", include_code=True, code_context=0).rows
    assert row.node.name == "inner"
    assert (row.source.first, row.source.lines) == (1, ("    inner = 1",))


def test_source_alone_ends_a_page_that_nothing_else_bounds(
    tree: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop(tree)
    monkeypatch.setattr("codetrail.query.source_blocks.LARGEST_PAGE", 60)
    first = tree.defs("run", include_code=True, code_context=0)
    assert sum(map(source_size, first.rows)) <= 60
    assert sources(first.rows) == BEST[:2]
    second = tree.defs("run", include_code=True, code_context=0, cursor=first.page.next_cursor)
    third = tree.defs("run", include_code=True, code_context=0, cursor=second.page.next_cursor)
    assert sources((*second.rows, *third.rows)) == BEST[2:]


def test_a_block_takes_at_most_half_of_a_page_in_bytes(tree: Any) -> None:
    tree.write("a.py", "def run():\n" + "    pass  # twenty bytes\n" * 500)
    (row,) = tree.defs("run", include_code=True, code_context=0, max_bytes=1000).rows
    assert 400 < source_size(row) <= 500
    assert row.source.truncated
