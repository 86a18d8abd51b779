"""Contract §§2–4, pages: the order of rows, every row exactly once, totals, cursors that fit nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Ask, Run, build, run_in
from tests.contract.reading import Printed, definitions, matched

SUM = 6
"""Bytes of the check sum that a cursor begins with."""

QUESTIONS = {
    "defs": ["defs", "add"],
    "refs": ["refs", "Cart"],
    "refs_of_one": ["refs", "shop/cart.py:10#Item", "--include-definitions"],
    "refs_by_use": ["refs", "Item", "--use", "type", "--use", "import"],
    "symbols": ["symbols", "it"],
    "callers": ["callers", "Cart.add"],
    "callers_by_use": ["callers", "Cart", "--use", "construct", "--use", "value"],
    "calls": ["calls", "add"],
    "calls_of_a_module": ["calls", "shop.cart"],
    "scope": ["symbols", "a", "--dir", "shop", "--dir", "lib"],
    "place": ["defs", "shop/cart.py:31"],
}


def pages(ask: Ask, argv: list[str], *size: str) -> Iterator[Printed]:
    """Follow the cursors of a question from its first page to its last."""
    cursor: list[str] = []
    while True:
        printed = ask(*argv, *size, *cursor)
        yield printed
        following = printed["page"]["nextCursor"]
        if following is None:
            return
        cursor = ["--cursor", following]


@pytest.mark.parametrize("limit", ["1", "4", "1000"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_pages_of_any_size_give_every_row_exactly_once(question: str, limit: str, ask: Ask) -> None:
    argv = QUESTIONS[question]
    whole = ask(*argv, "--limit", "1000")
    assert whole["page"]["total"] == len(whole["results"]) > 2
    gathered: list[Any] = []
    for printed in pages(ask, argv, "--limit", limit):
        page = printed["page"]
        assert len(printed["results"]) <= int(limit)
        assert page["truncated"] == (page["nextCursor"] is not None)
        assert page["total"] == len(whole["results"])
        assert page["matched"] == whole["page"]["matched"]
        gathered += printed["results"]
    assert gathered == whole["results"]


@pytest.mark.parametrize("fields", ["full", "short", "path,range"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_pages_end_by_bytes(question: str, fields: str, ask: Ask) -> None:
    argv = [*QUESTIONS[question], "--fields", fields]
    most = {"full": 2500, "short": 1800}.get(fields, 1500)
    gathered, number = 0, 0
    for printed in pages(ask, argv, "--max-bytes", str(most)):
        line = json.dumps(printed, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
        assert len(line) <= most or len(printed["results"]) == 1
        gathered += sum(row["at"].count(",") + 1 if "at" in row else 1 for row in printed["results"])
        number += 1
    assert gathered == ask(*argv)["page"]["total"]
    assert number > 1 or gathered < 12


def test_a_row_larger_than_the_page_still_comes(ask: Ask) -> None:
    found = [row for page in pages(ask, ["defs", "add"], "--max-bytes", "1") for row in page["results"]]
    assert found == ask("defs", "add")["results"]


ORDERS = {
    "refs": ["refs", "Cart"],
    "refs_of_parameters": ["refs", "item"],
    "defs": ["defs", "add"],
    "callers": ["callers", "Cart.add"],
    "calls": ["calls", "add"],
}


@pytest.mark.parametrize("question", ORDERS)
def test_rows_are_in_the_order_group_path_line_column(question: str, ask: Ask) -> None:
    printed = ask(*ORDERS[question], "--fields", "short", "--limit", "1000")
    full = ask(*ORDERS[question], "--limit", "1000")["results"]
    ranks = [row["of"] for row in printed["results"] for _ in range(row.get("at", "").count(",") + 1)]
    keys = [
        (rank, row["path"], row["range"]["start"]["line"], row["range"]["start"]["column"])
        for rank, row in zip(ranks, full, strict=True)
    ]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys) > 3


def test_the_page_has_a_hundred_rows_unless_asked_otherwise(tmp_path: Path) -> None:
    (tmp_path / "many.py").write_text("".join(f"def f{number:03}(): pass\n" for number in range(150)))
    printed = run_in(tmp_path, "symbols", "f", "-o", "json").json
    assert definitions(printed) == [f"many.py:{number + 1}#f{number:03}" for number in range(100)]
    assert (printed["page"]["truncated"], printed["page"]["total"]) == (True, 150)
    rest = run_in(tmp_path, "symbols", "f", "--cursor", printed["page"]["nextCursor"], "-o", "json").json
    assert definitions(rest) == [f"many.py:{number + 1}#f{number:03}" for number in range(100, 150)]
    assert (rest["page"]["truncated"], rest["page"]["nextCursor"]) == (False, None)


def test_at_most_ten_symbols_are_named_and_all_are_counted(ask: Ask) -> None:
    printed = ask("symbols", "it")
    assert len(matched(printed)) == 10
    assert printed["page"]["matchedTotal"] > 10
    assert matched(printed)[:3] == definitions(printed)[:3]


def test_what_does_not_decide_the_rows_may_differ_between_pages(ask: Ask) -> None:
    first = ask("refs", "Cart", "--limit", "2")
    cursor = ["--cursor", first["page"]["nextCursor"]]
    whole = ask("refs", "Cart")["results"]
    assert ask("refs", "Cart", *cursor)["results"] == whole[2:]
    assert ask("refs", "Cart", *cursor, "--limit", "5")["results"] == whole[2:7]
    explained = ask("refs", "Cart", *cursor, "--explain")["results"]
    assert [{**row, "provenance": None} for row in whole[2:]] == [
        {**row, "provenance": None} for row in explained
    ]


def forged(cursor: str, place: int, value: object) -> str:
    """Change one value inside a cursor, and its check sum with it."""
    parts = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))[SUM:])
    parts[place] = value
    written = json.dumps(parts).encode()
    summed = hashlib.sha256(written).digest()[:SUM] + written
    return base64.urlsafe_b64encode(summed).rstrip(b"=").decode()


OTHER_QUESTIONS = {
    "identifier": ["refs", "Item"],
    "verb": ["defs", "Cart"],
    "verb_of_compilers": ["callers", "Cart"],
    "scope": ["refs", "Cart", "--dir", "shop"],
    "language": ["refs", "Cart", "--lang", "py"],
    "uses": ["refs", "Cart", "--use", "call"],
    "definitions": ["refs", "Cart", "--include-definitions"],
    "mode": ["refs", "Cart", "--input-mode", "strict"],
}


@pytest.mark.parametrize("sentence", OTHER_QUESTIONS)
def test_a_cursor_of_another_question_is_refused(sentence: str, run: Run, ask: Ask) -> None:
    cursor = ask("refs", "Cart", "--limit", "2")["page"]["nextCursor"]
    outcome = run(*OTHER_QUESTIONS[sentence], "--cursor", cursor, "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "cursor_scope_mismatch")


BROKEN = ["", "!", "abc", "W10", "größe", "A" * 20_000]


@pytest.mark.parametrize("text", BROKEN, ids=["empty", "mark", "noise", "empty_list", "not_ascii", "long"])
def test_what_is_no_cursor_is_refused(text: str, run: Run) -> None:
    outcome = run("refs", "Cart", f"--cursor={text}", "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "invalid_cursor")


@pytest.mark.parametrize("place", [0, 3, 4], ids=["version", "rank", "path"])
def test_a_cursor_that_was_tampered_with_is_refused(place: int, run: Run, ask: Ask) -> None:
    cursor = ask("refs", "Cart", "--limit", "2")["page"]["nextCursor"]
    outcome = run("refs", "Cart", "--cursor", forged(cursor, place, [1]), "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "invalid_cursor")


def test_a_cursor_that_was_damaged_is_refused(run: Run, ask: Ask) -> None:
    cursor = ask("refs", "Cart", "--limit", "2")["page"]["nextCursor"]
    damaged = cursor[:60] + ("A" if cursor[60] != "A" else "B") + cursor[61:]
    for text in (damaged, cursor[:-1], cursor + "A"):
        outcome = run("refs", "Cart", f"--cursor={text}", "-o", "json")
        assert (outcome.status, outcome.json["error"]["code"]) == (1, "invalid_cursor")


def test_a_cursor_of_a_snapshot_that_is_gone_is_refused(run: Run, ask: Ask) -> None:
    cursor = ask("refs", "Cart", "--limit", "2")["page"]["nextCursor"]
    outcome = run("refs", "Cart", "--cursor", forged(cursor, 1, "0" * 64), "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "cursor_snapshot_mismatch")


def test_a_cursor_stays_valid_while_its_snapshot_is_stored(copy: Path) -> None:
    """A rebuild puts another snapshot in place; the page that was begun goes on in the one it came from."""
    argv = ("refs", "Cart", "-o", "json", "--limit", "8")
    whole = run_in(copy, "refs", "Cart", "-o", "json").json["results"]
    cursor = run_in(copy, *argv).json["page"]["nextCursor"]
    (copy / "lib" / "cart.py").write_text("class Cart: pass\n")
    shutil.rmtree(copy / "tools")
    build(copy)
    rest = run_in(copy, *argv, "--cursor", cursor).json
    assert rest["results"] == whole[8:]
    assert run_in(copy, "refs", "lib/cart.py:1#Cart", "-o", "json").json["page"]["total"] == 0
