"""Contract §4: what stands at the top, the keys of rows in full and in short form, positions, labels."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Ask, Outcome, Run, run_in
from tests.contract.reading import Printed

SHOP = "codetrail-py python shop 1.0 "
PYTHON = "{}.{}".format(*sys.version_info)
CART_ADD_NODE = {
    "kind": "method",
    "name": "add",
    "qualifiedName": "Cart.add",
    "signature": "def add(self, item: Item) -> None",
    "language": "python",
    "path": "shop/cart.py",
    "line": 31,
    "column": 9,
    "coordinate": "shop/cart.py:31#Cart.add",
    "symbol": SHOP + "`shop.cart`/Cart#add().",
}


def span(line: int, column: int, end_line: int, end_column: int) -> dict[str, dict[str, int]]:
    return {
        "start": {"line": line, "column": column},
        "end": {"line": end_line, "column": end_column},
    }


def test_a_definition_row_in_full(ask: Ask) -> None:
    (row,) = ask("defs", "shop/cart.py:31:9")["results"]
    coordinate = "shop/cart.py:31#Cart.add"
    assert row == {
        "kind": "method",
        "name": "add",
        "qualifiedName": "Cart.add",
        "signature": "def add(self, item: Item) -> None",
        "language": "python",
        "path": "shop/cart.py",
        "range": span(31, 9, 31, 12),
        "bodyRange": span(31, 5, 33, 23),
        "symbol": SHOP + "`shop.cart`/Cart#add().",
        "reliability": "precise_fact",
        "queryInputs": dict.fromkeys(
            ("defs", "refs", "symbols", "calls", "callers", "callHierarchy"), coordinate
        ),
    }


def test_a_definition_of_the_parser_in_full(ask: Ask) -> None:
    (row,) = ask("defs", "deploy.Cart.total")["results"]
    coordinate = "tools/deploy.js:5#Cart.total"
    assert row == {
        "kind": "method",
        "name": "total",
        "qualifiedName": "Cart.total",
        "language": "javascript",
        "path": "tools/deploy.js",
        "range": span(5, 3, 5, 8),
        "bodyRange": span(5, 3, 5, 29),
        "reliability": "parser_fact",
        "queryInputs": dict.fromkeys(
            ("defs", "refs", "symbols", "calls", "callers", "callHierarchy"), coordinate
        ),
        "matchedInputVariant": {"kind": "qualified", "value": "deploy.Cart.total"},
    }


def test_a_reference_row_in_full(ask: Ask) -> None:
    row = ask("refs", "shop/cart.py:31#Cart.add")["results"][5]
    assert row == {
        "name": "add",
        "symbol": SHOP + "`shop.cart`/Cart#add().",
        "language": "python",
        "path": "tests/test_cart.py",
        "range": span(8, 10, 8, 13),
        "text": "    cart.add(helper())",
        "use": "call",
        "roles": ["read", "test"],
        "enclosing": {
            "kind": "function",
            "name": "test_add",
            "qualifiedName": "test_add",
            "signature": "def test_add()",
            "language": "python",
            "path": "tests/test_cart.py",
            "line": 5,
            "column": 5,
            "coordinate": "tests/test_cart.py:5#test_add",
            "symbol": SHOP + "`tests.test_cart`/test_add().",
        },
        "definition": CART_ADD_NODE,
        "reliability": "precise_fact",
    }


def test_a_call_row_in_full(ask: Ask) -> None:
    (row,) = ask("callers", "shop/cart.py:31#Cart.add", "--dir", "tests")["results"][1:]
    assert row == {
        "caller": {
            "kind": "function",
            "name": "test_add",
            "qualifiedName": "test_add",
            "signature": "def test_add()",
            "language": "python",
            "path": "tests/test_cart.py",
            "line": 5,
            "column": 5,
            "coordinate": "tests/test_cart.py:5#test_add",
            "symbol": SHOP + "`tests.test_cart`/test_add().",
        },
        "callee": CART_ADD_NODE,
        "language": "python",
        "path": "tests/test_cart.py",
        "range": span(8, 10, 8, 13),
        "text": "    cart.add(helper())",
        "use": "call",
        "basis": "scip",
        "reliability": "inferred_candidate",
    }
    assert row in ask("calls", "test_add")["results"]


def test_a_callee_outside_has_its_package_instead_of_a_path(ask: Ask) -> None:
    (row,) = ask("calls", "shop/cart.py:31#Cart.add")["results"]
    callee = row["callee"]
    assert callee["external"] == {"package": "python-stdlib", "version": PYTHON}
    assert not {"path", "line", "column", "coordinate"} & set(callee)
    assert ask("callers", callee["symbol"])["results"] == [row]


def test_the_page_of_callers_counts_uses_as_a_value(ask: Ask) -> None:
    page = ask("callers", "shop/cart.py:31#Cart.add")["page"]
    assert list(page)[-1] == "valueUses"
    assert page["valueUses"] == 1
    assert ask("callers", "shop/cart.py:31#Cart.add", "--use", "value")["page"]["total"] == 1
    for argv in (
        ["callers", "Cart", "--use", "value"],
        ["calls", "Cart"],
        ["refs", "Cart"],
        ["callers", "zzz"],
    ):
        assert "valueUses" not in ask(*argv)["page"]


def test_a_page_in_full(ask: Ask) -> None:
    assert ask("refs", "shop/cart.py:31#Cart.add")["page"] == {
        "truncated": False,
        "nextCursor": None,
        "total": 6,
        "matched": [{"coordinate": "shop/cart.py:31#Cart.add", "kind": "method", "rows": 6}],
        "matchedTotal": 1,
        "coverage": {
            "state": "complete",
            "reasons": [],
            "unresolvedNames": 1,
            "unresolvedIn": [{"path": "tests/test_cart.py", "count": 1}],
            # Cart.add of the other package with its use, Cart.Row.add, Order.add with its use, two functions.
            "boundElsewhere": 7,
        },
    }


ALL = {
    "defs": ["defs", "add"],
    "defs_short": ["defs", "add", "--fields", "short"],
    "defs_explained": ["defs", "add", "--explain"],
    "defs_code": ["defs", "add", "--include-code"],
    "defs_code_short": ["defs", "add", "--include-code", "--fields", "short"],
    "defs_outside": ["defs", f"codetrail-py python python-stdlib {PYTHON} builtins/list#append()."],
    "refs": ["refs", "Cart", "--include-definitions"],
    "refs_short": ["refs", "Cart", "--fields", "short"],
    "refs_explained": ["refs", "Cart", "--explain"],
    "refs_ambiguous": ["refs", "shop/cart.py:31"],
    "refs_nothing": ["refs", "zzz"],
    "refs_page": ["refs", "Cart", "--limit", "1"],
    "callers": ["callers", "Cart", "--use", "construct", "--use", "value"],
    "callers_short": ["callers", "Cart.add", "--fields", "short"],
    "callers_overriding": ["callers", "Cart.add", "--include-overrides", "--explain"],
    "callers_ambiguous": ["callers", "shop/cart.py:31"],
    "calls": ["calls", "shop.cart"],
    "calls_short": ["calls", "add", "--fields", "short"],
    "calls_chosen": ["calls", "add", "--fields", "caller,callee"],
    "calls_nothing": ["calls", "zzz"],
    "call_hierarchy": ["call-hierarchy", "Cart.add", "--depth", "3"],
    "call_hierarchy_short": ["call-hierarchy", "add", "--fields", "short"],
    "call_hierarchy_chosen": ["call-hierarchy", "add", "--fields", "outgoingCalls"],
    "call_hierarchy_overriding": ["call-hierarchy", "Cart.add", "--include-overrides", "--explain"],
    "call_hierarchy_cut": ["call-hierarchy", "Cart.add", "--limit", "2"],
    "call_hierarchy_ambiguous": ["call-hierarchy", "shop/cart.py:31"],
    "call_hierarchy_nothing": ["call-hierarchy", "zzz"],
    "symbols": ["symbols", "a", "--dir", "lib"],
    "symbols_chosen": ["symbols", "a", "--fields", "path,range"],
    "status": ["index", "status"],
    "summary": ["index", "status", "--summary"],
    "check": ["index", "status", "--check"],
    "doctor": ["index", "doctor"],
    "bad_scope": ["refs", "x", "--dir", "nothing"],
    "bad_cursor": ["refs", "x", "--cursor", "!"],
    "bad_option": ["refs", "x", "--nothing"],
}


Printing = Callable[[str, str], Outcome]


@pytest.fixture(scope="module")
def printed_as(shop: Path) -> Printing:
    """Run a case of ``ALL`` with an output, each once: questions change nothing."""

    @cache
    def outcome(case: str, output: str) -> Outcome:
        return run_in(shop, *ALL[case], "-o", output)

    return outcome


@pytest.mark.parametrize("case", ALL)
def test_success_and_failure_at_the_top(case: str, printed_as: Printing) -> None:
    outcome = printed_as(case, "json")
    printed = outcome.json
    if case.startswith("bad_"):
        assert set(printed) == {"results", "page", "error"}
        assert printed["results"] == []
        assert set(printed["error"]) <= {"code", "message", "hint"}
        assert outcome.status == 1
    else:
        assert set(printed) == {"results", "page"}
    assert outcome.err == ""


@pytest.mark.parametrize("case", ALL)
def test_json_is_one_compact_line(case: str, printed_as: Printing) -> None:
    outcome = printed_as(case, "json")
    assert outcome.out.count("\n") == 1
    again = json.dumps(outcome.json, ensure_ascii=False, separators=(",", ":"))
    assert json.loads(again) == outcome.json
    assert len(outcome.out) <= len(json.dumps(outcome.json, separators=(",", ":"))) + 1


@pytest.mark.parametrize("case", ALL)
def test_lines_of_jsonl(case: str, printed_as: Printing) -> None:
    events = printed_as(case, "jsonl").events
    if case.startswith("bad_"):
        assert [event["event"] for event in events] == ["error"]
        return
    assert [event["event"] for event in events] == ["result"] * (len(events) - 1) + ["page"]
    assert all(set(event) == {"event", event["event"]} for event in events)


def _walk(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    yield key, value
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _walk(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _walk(item, key)


@pytest.mark.parametrize("case", ALL)
def test_optional_keys_are_left_out_never_null(case: str, printed_as: Printing) -> None:
    nulls = {key for key, value in _walk(printed_as(case, "json").json) if value is None}
    assert nulls <= {"nextCursor", "total"}


@pytest.mark.parametrize("case", ALL)
def test_notes_and_root_are_left_out_when_there_is_nothing_to_say(case: str, printed_as: Printing) -> None:
    page = printed_as(case, "json").json["page"]
    assert page.get("notes") != []
    assert "root" not in page


def test_the_root_is_told_from_below(ask: Ask) -> None:
    assert ask("defs", "Order", below="one/app")["page"]["root"] == "../.."


POSITIONS = {
    # Code points from 1; the end is the first position after.
    "ascii": (["defs", "find_item"], span(14, 9, 14, 18)),
    "composed": (["refs", "größe"], span(6, 16, 6, 21)),
    "behind_a_sharp_s": (["refs", "naïve"], span(10, 21, 10, 26)),
    "decomposed_takes_six": (["defs", "naïve"], span(5, 9, 5, 15)),
    "ligature_takes_one": (["defs", "find"], span(9, 5, 9, 8)),
    "tabs_are_one": (["refs", "far", "--use", "call"], span(6, 9, 6, 12)),
}


@pytest.mark.parametrize("sentence", POSITIONS)
def test_positions(sentence: str, ask: Ask) -> None:
    argv, expected = POSITIONS[sentence]
    assert ask(*argv)["results"][0]["range"] == expected


def test_text_keeps_tabs_and_is_trimmed_right(ask: Ask) -> None:
    assert ask("refs", "far")["results"][0]["text"] == "\treturn\tfar()"


def test_of_a_long_line_a_window_is_shown_that_holds_the_use(ask: Ask) -> None:
    row = ask("refs", "far")["results"][1]
    assert row["range"]["start"] == {"line": 7, "column": 317}
    assert len(row["text"]) <= 200
    assert "far()" in row["text"]
    assert row["text"].strip("xy") == '" + str(far()) + "'


KINDS = {
    "class": "Order",
    "method": "Order.find_item",
    "function": "match",
    "property": "Item.total",
    "field": "Cart.items",
    "constant": "LIMIT",
    "variable": "größe",
    "module": "shop.cart",
    "parameter": "add.price",
}


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_lower_case_words_of_scip(kind: str, ask: Ask) -> None:
    assert {row["kind"] for row in ask("defs", KINDS[kind])["results"]} == {kind}


@pytest.mark.parametrize("kind", KINDS)
def test_callables_have_inputs_for_calls_too(kind: str, ask: Ask) -> None:
    inputs = ask("defs", KINDS[kind])["results"][0]["queryInputs"]
    called = {"calls", "callers", "callHierarchy"} if kind in {"method", "function"} else set()
    assert set(inputs) == {"defs", "refs", "symbols"} | called


USES = {
    "call": ("shop/cart.py:31#Cart.add", "tests/test_cart.py", 7),
    "construct": ("shop/cart.py:10#Item", "tests/test_cart.py", 7),
    "decorator": ("shop/cart.py:42:2", "shop/cart.py", 42),
    "import": ("LIMIT", "shop/orders.py", 4),
    "type": ("shop/cart.py:25#Cart", "shop/orders.py", 7),
    "value": ("shop/cart.py:31#Cart.add", "shop/orders.py", 24),
    "write": ("shop/cart.py:26#Cart.size", "shop/cart.py", 33),
}


@pytest.mark.parametrize("use", USES)
def test_a_use_is_one_word(use: str, ask: Ask) -> None:
    typed, path, line = USES[use]
    rows = ask("refs", typed)["results"]
    assert [row["use"] for row in rows if (row["path"], row["range"]["start"]["line"]) == (path, line)] == [
        use
    ]


# --- labels ---


@pytest.mark.parametrize("fields", ["full", "short", "path", "name,kind"])
@pytest.mark.parametrize("output", ["json", "jsonl"])
def test_every_row_says_how_reliable_it_is(fields: str, output: str, run: Run) -> None:
    outcome = run("defs", "add", "--fields", fields, "-o", output)
    rows = outcome.json["results"] if output == "json" else [event["result"] for event in outcome.events[:-1]]
    assert [row["reliability"] for row in rows] == ["precise_fact"] * 6 + ["parser_fact"]


def test_what_is_equal_in_all_rows_stands_once(run: Run, ask: Ask) -> None:
    printed = ask("refs", "Cart.add", "--fields", "short")
    assert printed["page"]["common"] == {"reliability": "precise_fact", "language": "python"}
    assert not any("reliability" in row or "language" in row for row in printed["results"])
    for event in run("refs", "Cart.add", "--fields", "short", "-o", "jsonl").events[:-1]:
        assert event["result"]["reliability"] == "precise_fact"


@pytest.mark.parametrize("case", ALL)
def test_exact_is_never_printed_and_no_row_of_this_machine_has_an_origin(
    case: str, printed_as: Printing
) -> None:
    keys = {key for key, _ in _walk(printed_as(case, "json").json)}
    assert not keys & {"exact", "origin"}


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls"])
def test_explain_adds_provenance_to_every_row_and_nothing_else(verb: str, ask: Ask) -> None:
    plain, explained = ask(verb, "Cart.add"), ask(verb, "Cart.add", "--explain")
    for before, after in zip(plain["results"], explained["results"], strict=True):
        said = after.pop("provenance")
        assert after == before
        if before["reliability"] == "parser_fact":
            assert said["provider"] == "syntax"
            continue
        assert said["provider"] == "python"
        assert said["unit"] == "python:."
        assert said.get("evidence") == ("occurrence + call syntax" if "callee" in before else None)
        assert {"engine", "engineVersion", "snapshot", "documentSha256", "indexedAt"} < set(said)


# --- short and chosen rows ---


def test_short_definitions(ask: Ask) -> None:
    printed = ask("defs", "find_item", "--fields", "short")
    assert printed["results"] == [
        {
            "coordinate": "shop/orders.py:14#Order.find_item",
            "kind": "method",
            "signature": "def find_item(self, price: int) -> Item | None",
        }
    ]


def test_short_references_join_uses_of_one_line_and_say_what_else_is_written(ask: Ask) -> None:
    item = ask("refs", "shop/cart.py:10#Item", "--use", "construct", "--fields", "short")
    assert item["results"] == [
        {
            "at": "shop/cart.py:48:16",
            "in": "shop/cart.py:46#add_item",
            "use": "construct",
            "text": "        item = Item(item)",
        },
        {
            "at": "shop/orders.py:23:15,44",
            "in": "shop/orders.py:21#add",
            "use": "construct",
            "text": "    order.add(Item(price)); order.cart.add(Item(LIMIT))",
        },
        {
            "at": "tests/test_cart.py:7:14",
            "in": "tests/test_cart.py:5#test_add",
            "use": "construct",
            "text": "    cart.add(Item(1))",
        },
    ]
    # Limits and totals count places, joined or not.
    assert item["page"]["total"] == 4
    cart = ask("refs", "shop/cart.py:25#Cart", "--use", "import", "--dir", "shop", "--fields", "short")
    assert [(row["at"], row.get("as")) for row in cart["results"]] == [
        ("shop/__init__.py:3:23", None),
        ("shop/__init__.py:3:31", "Basket"),
        ("shop/orders.py:3:18", "Basket"),
        ("shop/orders.py:4:30", None),
    ]


def test_rows_say_which_symbol_they_belong_to_when_several_matched(ask: Ask) -> None:
    several = ask("refs", "Cart.add", "--fields", "short")
    assert [row["of"] for row in several["results"]] == [0, 1, 1, 1, 1, 1, 1]
    one = ask("refs", "shop/cart.py:31#Cart.add", "--fields", "short")
    assert not any("of" in row for row in one["results"])
    assert [{key: row[key] for key in ("at", "in", "use", "text")} for row in several["results"][1:]] == one[
        "results"
    ]


def test_short_calls_join_calls_of_one_line(ask: Ask) -> None:
    assert ask("callers", "Item", "--dir", "shop", "--fields", "short")["results"] == [
        {
            "at": "shop/cart.py:48:16",
            "in": "shop/cart.py:46#add_item",
            "to": "shop/cart.py:10#Item",
            "use": "construct",
            "text": "        item = Item(item)",
        },
        {
            "at": "shop/orders.py:23:15,44",
            "in": "shop/orders.py:21#add",
            "to": "shop/cart.py:10#Item",
            "use": "construct",
            "text": "    order.add(Item(price)); order.cart.add(Item(LIMIT))",
        },
    ]


def test_short_calls_name_what_is_outside_by_its_package(ask: Ask) -> None:
    printed = ask("calls", "shop/cart.py:31#Cart.add", "--fields", "short")
    (row,) = printed["results"]
    assert (row["in"], row["to"]) == ("shop/cart.py:31#Cart.add", "list.append (python-stdlib)")
    assert printed["page"]["common"] == {
        "reliability": "inferred_candidate",
        "language": "python",
        "basis": "scip",
    }


def test_short_json_has_the_page_first_and_lean_reasons(run: Run) -> None:
    outcome = run("defs", "total", "--fields", "short", "-o", "json")
    assert list(json.loads(outcome.out)) == ["page", "results"]
    (reason,) = outcome.json["page"]["coverage"]["reasons"]
    assert reason == {"code": "provider_missing", "count": 1, "paths": ["tools/deploy.js"]}
    full = run("defs", "total", "-o", "json")
    assert list(json.loads(full.out)) == ["results", "page"]
    (reason,) = full.json["page"]["coverage"]["reasons"]
    assert set(reason) == {"code", "message", "language", "count", "paths"}


CHOSEN = {
    "defs": (["defs", "find_item", "--fields", "path,name"], {"name", "path", "reliability"}),
    "refs": (["refs", "LIMIT", "--fields", "text"], {"text", "reliability"}),
    "calls": (["calls", "test_add", "--fields", "use"], {"use", "reliability"}),
    "label_asked_for": (["refs", "LIMIT", "--fields", "reliability"], {"reliability"}),
    "spaces": (["symbols", "find_item", "--fields", "kind, range"], {"kind", "range", "reliability"}),
}


@pytest.mark.parametrize("sentence", CHOSEN)
def test_chosen_fields(sentence: str, ask: Ask) -> None:
    argv, keys = CHOSEN[sentence]
    rows = ask(*argv)["results"]
    assert rows
    assert all(set(row) == keys for row in rows)


# --- outside the workspace, and the index commands ---


def test_a_symbol_outside_has_its_package_instead_of_a_path(ask: Ask) -> None:
    printed = ask("refs", "shop/cart.py:32:20")
    (row,) = printed["results"]
    assert row["name"] == "append"
    assert "path" not in row["definition"]
    assert row["definition"]["external"]["package"] == "python-stdlib"
    (one,) = printed["page"]["matched"]
    assert one["coordinate"] == row["symbol"]
    assert ask("refs", one["coordinate"])["results"] == [row]


def units(printed: Printed) -> list[Printed]:
    return [row for row in printed["results"] if row["kind"] == "unit"]


def test_status_has_a_row_for_each_unit(ask: Ask) -> None:
    printed = ask("index", "status")
    python, syntax = units(printed)
    assert set(python) - {"seconds"} == {
        "kind", "provider", "engine", "version", "language", "root", "state", "files", "documents",
        "occurrences", "resolvedShare", "indexedAt", "problems",
    }  # fmt: skip
    assert (python["provider"], python["language"], python["root"], python["state"]) == (
        "python",
        "python",
        ".",
        "built",
    )
    assert python["files"] == python["documents"] == 14
    assert [(one["code"], one["path"], one["line"]) for one in python["problems"]] == [
        ("unresolved_import", "tests/test_cart.py", 2)
    ]
    assert (syntax["provider"], syntax["files"], syntax["problems"]) == ("syntax", 1, [])
    assert printed["page"]["total"] == 2


def test_summary_is_one_row_of_totals(ask: Ask) -> None:
    (row,) = ask("index", "status", "--summary")["results"]
    assert (row["kind"], row["units"], row["states"], row["files"]) == ("summary", 2, {"built": 2}, 15)
    assert (row["changed"], row["new"], row["deleted"]) == (0, 0, 0)
    (python,) = row["languages"]
    assert (python["language"], python["documents"]) == ("python", 14)
    assert 0.8 < python["resolvedShare"] < 1
    assert [one["files"] for one in python["unresolvedImports"]] == [1]


def test_doctor_gives_checks_and_commands_to_type(printed_as: Printing) -> None:
    rows = printed_as("doctor", "json").json["results"]
    assert {row["kind"] for row in rows} == {"check"}
    assert {row["severity"] for row in rows} <= {"ok", "warning", "error"}
    for row in rows:
        for command in row["next"]:
            assert shlex.split(command["command"]) == command["argv"] != []


def test_prune_says_what_it_freed(copy: Path) -> None:
    (row,) = run_in(copy, "index", "prune", "-o", "json").json["results"]
    assert row["kind"] == "prune"
    assert row["freed"] == 0
