"""Pages and cursors: any page size gives the one big answer, and a foreign cursor is refused."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.errors import CodeTrailError, UsageError
from codetrail.model.answers import Question
from codetrail.model.ranges import Range
from codetrail.model.scope import Scope
from codetrail.query.paging import (
    Cursor,
    Position,
    cut_page,
    decode_cursor,
    encode_cursor,
    question_digest,
    seal,
)
from codetrail.store import read_occurrences

POSITION = Position.of(3, "a/é.py", Range(1, 2, 3, 4), "s p a . m/f().")


def test_a_cursor_survives_writing_and_reading() -> None:
    cursor = Cursor("k" * 64, "0123456789abcdef", POSITION)
    text = encode_cursor(cursor)
    assert decode_cursor(text, "0123456789abcdef") == cursor
    assert text.replace("-", "").replace("_", "").isalnum()


def _forged(*values: object) -> str:
    return seal(json.dumps(values).encode())


GOOD = (1, "k", "q", 0, "p", 0, 0, 0, 1, "s")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("%%%", id="no-base64"),
        pytest.param("é", id="not-ascii"),
        pytest.param("AAAA", id="no-json"),
        pytest.param(_forged(), id="empty-list"),
        pytest.param(_forged(2, *GOOD[1:]), id="other-version"),
        pytest.param(_forged(*GOOD, 1), id="too-long"),
        pytest.param(_forged(*GOOD[:3], -1, *GOOD[4:]), id="negative"),
        pytest.param(_forged(*GOOD[:3], True, *GOOD[4:]), id="bool"),
        pytest.param(_forged(*GOOD[:3], 2**40, *GOOD[4:]), id="huge"),
        pytest.param(_forged(*GOOD[:4], None, *GOOD[5:]), id="no-path"),
        pytest.param(_forged(*GOOD[:4], "\ud800", *GOOD[5:]), id="surrogate"),
        pytest.param(_forged(*GOOD[:4], "a\0", *GOOD[5:]), id="nul"),
        pytest.param("W" * 20_000, id="endless"),
        pytest.param(seal(b"[" * 9_000), id="deep"),
        pytest.param(_forged(*GOOD) + "=", id="padded"),
        pytest.param(_forged(*GOOD)[:-1], id="cut"),
        pytest.param(base64.urlsafe_b64encode(json.dumps(GOOD).encode()).decode(), id="unchecked"),
    ],
)
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        decode_cursor(text, "q")
    assert caught.value.code == "invalid_cursor"


def test_the_forged_cursor_is_otherwise_good() -> None:
    assert decode_cursor(_forged(*GOOD), "q").position == Position(0, "p", 0, 0, 0, 1, "s")


ASKED = Question("refs", "f")


@pytest.mark.parametrize(
    "other",
    [
        ASKED._replace(verb="defs"),
        ASKED._replace(identifier="g"),
        ASKED._replace(scope=Scope(directories=("a",))),
        ASKED._replace(input_mode="strict"),
        ASKED._replace(include_definitions=True),
        ASKED._replace(uses=("call",)),
    ],
    ids=lambda other: "-".join(k for k, v in other._asdict().items() if v != getattr(ASKED, k)),
)
def test_a_cursor_of_another_question_is_refused(other: Question) -> None:
    text = encode_cursor(Cursor("k", question_digest(ASKED), POSITION))
    with pytest.raises(UsageError) as caught:
        decode_cursor(text, question_digest(other))
    assert caught.value.code == "cursor_scope_mismatch"


@pytest.mark.parametrize(
    "same",
    [
        ASKED._replace(limit=7),
        ASKED._replace(max_bytes=9),
        ASKED._replace(fields=("short",)),
        ASKED._replace(explain=True),
        ASKED._replace(freshness="off"),
    ],
    ids=["limit", "max-bytes", "fields", "explain", "freshness"],
)
def test_what_does_not_decide_the_rows_may_differ(same: Question) -> None:
    assert question_digest(same) == question_digest(ASKED)


@pytest.mark.parametrize(
    ("limit", "most", "taken", "more"),
    [
        pytest.param(2, None, 2, True, id="limit"),
        pytest.param(3, None, 3, False, id="exact"),
        pytest.param(9, 25, 2, True, id="bytes"),
        pytest.param(9, 30, 3, False, id="bytes-exact"),
        pytest.param(9, 1, 1, True, id="first-row-always"),
    ],
)
def test_cut(limit: int, most: int | None, taken: int, more: bool) -> None:
    rows = [(POSITION._replace(line=number), number) for number in range(3)]
    got, positions, follow = cut_page(rows, limit, most, lambda _: 10)
    assert got == tuple(range(taken))
    assert positions == tuple(position for position, _ in rows[:taken])
    assert follow == more


def build(tree: Any, uses: int = 40) -> None:
    for number, folder in enumerate(("a", "b")):
        unit = tree.unit(f"python:{folder}", root=folder)
        for name in ("m", "n", "z"):
            text = "def run(): pass\n" + "run(); run()\n" * uses
            facts = tree.file(unit, f"{folder}/{name}.py", text)
            if name == "m":
                facts.define("run", f"`{folder}`/run().", "function", 1)
            else:
                facts.use("run", f"`{'ba'[number]}`/run().", "value")
            for _ in range(uses):
                facts.use("run", f"`{folder}`/run().").use("run", "`b`/run().", "value")
    tree.store()


def pages(tree: Any, verb: str, typed: str, limits: list[int], **options: Any) -> list[Any]:
    rows: list[Any] = []
    cursor = None
    while True:
        given = tree.ask(verb, typed, limit=limits[len(rows) % len(limits)], cursor=cursor, **options)
        rows += given.rows
        cursor = given.page.next_cursor
        assert given.page.truncated == (cursor is not None)
        if cursor is None:
            return rows


def key(row: Any) -> tuple[Any, ...]:
    return (row.of, row.path, row.range, row.symbol)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 90), min_size=1, max_size=3))
def test_pages_of_any_size_are_one_answer(paged: Any, limits: list[int]) -> None:
    whole = paged.ask("refs", "run", limit=1000)
    assert len(whole.rows) == whole.page.total == 484
    assert pages(paged, "refs", "run", limits) == list(whole.rows)
    assert [key(row) for row in whole.rows] == sorted(key(row) for row in whole.rows)


@pytest.fixture
def paged(tree: Any) -> Any:
    build(tree)
    return tree


@pytest.mark.parametrize(
    "options",
    [
        {"scope": {"directories": ("b",)}},
        {"include_definitions": True},
        {"uses": ("value",)},
        {"freshness": "answer"},
    ],
    ids=["scope", "definitions", "uses", "answer"],
)
def test_pages_with_filters(paged: Any, options: dict[str, Any]) -> None:
    whole = paged.ask("refs", "run", limit=1000, **options)
    assert whole.page.total == len(whole.rows) > 50
    assert pages(paged, "refs", "run", [7], **options) == list(whole.rows)


def test_definitions_page_too(paged: Any) -> None:
    whole = paged.ask("symbols", "run")
    assert len(whole.rows) == whole.page.total == 2
    assert pages(paged, "symbols", "run", [1]) == list(whole.rows)


def test_pages_end_by_bytes(paged: Any) -> None:
    given = paged.ask("refs", "run", max_bytes=100, size=lambda _: 30)
    assert len(given.rows) == 3
    assert given.page.truncated


def test_a_late_page_reads_no_more_rows_than_the_first(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = tree.unit()
    facts = tree.file(unit, "a.py", "def run(): pass\n" + "run()\n" * 3000)
    facts.define("run", "`a`/run().", "function", 1)
    for _ in range(3000):
        facts.use("run", "`a`/run().")
    tree.store()
    read: list[int] = []

    def counted(*args: Any, **options: Any) -> Any:
        rows = read_occurrences.occurrences(*args, **options)
        read[-1] += len(rows)
        return rows

    monkeypatch.setattr("codetrail.query.uses.occurrences", counted)
    cursor = None
    while cursor is not None or not read:
        read.append(0)
        cursor = tree.ask("refs", "run", limit=100, cursor=cursor).page.next_cursor
    assert len(read) == 30
    assert max(read) <= 128


def test_a_cursor_outlives_a_rebuild(paged: Any) -> None:
    whole = paged.ask("refs", "run", limit=1000)
    first = paged.ask("refs", "run", limit=5)
    old = paged.key
    paged.file(paged.unit("python:c"), "c.py", "run()\n").use("run", "`a`/run().")
    assert paged.store() != old
    second = paged.ask("refs", "run", limit=5, cursor=first.page.next_cursor)
    assert second.rows == whole.rows[5:10]


@pytest.mark.parametrize("snapshot", ["0" * 64, "../../etc", "x"])
def test_a_cursor_of_a_snapshot_that_is_gone(paged: Any, snapshot: str) -> None:
    cursor = encode_cursor(Cursor(snapshot, question_digest(Question("refs", "run")), POSITION))
    with pytest.raises(UsageError) as caught:
        paged.ask("refs", "run", cursor=cursor)
    assert caught.value.code == "cursor_snapshot_mismatch"


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        Position,
        st.integers(0, 2**31 - 1),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
        *(st.integers(0, 2**31 - 1) for _ in range(4)),
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8),
    )
)
def test_a_forged_position_does_no_harm(paged: Any, position: Position) -> None:
    digest = question_digest(Question("refs", "run"))
    cursor = encode_cursor(Cursor(paged.key, digest, position))
    try:
        given = paged.ask("refs", "run", cursor=cursor, limit=3)
    except CodeTrailError:
        return
    assert len(given.rows) <= 3


def test_definitions_that_come_in_before_a_cursor_do_not_shift_it(tree: Any) -> None:
    unit = tree.unit()
    for name in ("m", "n", "o"):
        tree.file(unit, f"{name}.py", "def run(): pass\n").define("run", f"`{name}`/run().", "function", 1)
    tree.store()
    first = tree.defs("run", limit=1)
    Path(tree.path, "a.py").write_text("class run: pass\n")
    rest = tree.defs("run", limit=9, cursor=first.page.next_cursor)
    assert [row.node.path for row in rest.rows] == ["n.py", "o.py"]
