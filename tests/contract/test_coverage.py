"""Contract §4 and §6, coverage: what an answer says it rests on, in every state a workspace can be in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Ask, build, run_in
from tests.contract.reading import Printed, definitions, uses

BUILD = ["codetrail", "index", "build"]
DOCTOR = ["codetrail", "index", "doctor"]


def reasons(printed: Printed) -> dict[str, dict[str, Any]]:
    return {reason["code"]: reason for reason in printed["page"]["coverage"]["reasons"]}


def next_of(printed: Printed) -> list[str] | None:
    following = printed["page"]["coverage"].get("next")
    return following["argv"] if following else None


STATES = {
    # Judged over the files whose languages can name the matched symbols, in the asked scope.
    "python_symbol": (["refs", "find_item"], "complete", [], None),
    "python_definition": (["defs", "find_item"], "complete", [], None),
    "javascript_matched_too": (["defs", "Cart"], "partial", ["provider_missing"], DOCTOR),
    "javascript_out_of_scope": (["defs", "Cart", "--dir", "shop"], "complete", [], None),
    "javascript_alone": (["defs", "Cart", "--lang", "js"], "partial", ["provider_missing"], DOCTOR),
    "references_are_of_python_only": (["refs", "Cart"], "complete", [], None),
    # All files when nothing matched.
    "nothing_matched": (["refs", "zzz"], "partial", ["provider_missing"], DOCTOR),
    "nothing_matched_in_scope": (["refs", "zzz", "--ext", "py"], "complete", [], None),
}


@pytest.mark.parametrize("sentence", STATES)
def test_states_of_an_index_that_is_fresh(sentence: str, ask: Ask) -> None:
    argv, state, codes, following = STATES[sentence]
    printed = ask(*argv)
    assert printed["page"]["coverage"]["state"] == state
    assert sorted(reasons(printed)) == codes
    assert next_of(printed) == following


def test_a_reason_says_language_count_and_paths(ask: Ask) -> None:
    assert reasons(ask("defs", "Cart"))["provider_missing"] == {
        "code": "provider_missing",
        "message": "no provider that can index these files was found",
        "language": "javascript",
        "count": 1,
        "paths": ["tools/deploy.js"],
    }


UNRESOLVED = {
    # Tokens of that very name, in the asked scope, that carry no precise occurrence: (question, unresolved,
    # where, tokens of other symbols). ``Other().add(2)`` is the one ``add`` that no compiler bound.
    "method_behind_a_missing_import": (["refs", "Order.add"], 1, {"tests/test_cart.py": 1}, 12),
    "scope_leaves_it_out": (["refs", "Order.add", "--dir", "shop"], 0, {}, 6),
    "class_of_a_missing_import": (["refs", "shop/cart.py:25#Cart"], 1, {"tests/test_cart.py": 1}, 2),
    "all_bound": (["refs", "find_item"], 0, {}, 0),
    "names_of_other_symbols": (["refs", "lib/cart.py:16#N"], 0, {}, 2),
    "nothing_matched": (["refs", "nothing"], 0, {}, 0),
    "name_of_a_missing_module": (["refs", "missing"], 1, {"tests/test_cart.py": 1}, 0),
}


@pytest.mark.parametrize("sentence", UNRESOLVED)
def test_unresolved_names(sentence: str, ask: Ask) -> None:
    argv, tokens, places, elsewhere = UNRESOLVED[sentence]
    coverage = ask(*argv)["page"]["coverage"]
    assert coverage["unresolvedNames"] == tokens
    assert {one["path"]: one["count"] for one in coverage.get("unresolvedIn", [])} == places
    assert coverage["boundElsewhere"] == elsewhere


@pytest.mark.parametrize("sentence", UNRESOLVED)
def test_unresolved_names_of_callers_are_those_of_references(sentence: str, ask: Ask) -> None:
    argv, *_ = UNRESOLVED[sentence]
    keys = ("unresolvedNames", "unresolvedIn", "boundElsewhere")
    refs, callers = (ask(verb, *argv[1:])["page"]["coverage"] for verb in ("refs", "callers"))
    assert {key: refs.get(key) for key in keys} == {key: callers.get(key) for key in keys}


OPEN_CALLS = {
    # Calls whose target no compiler told, inside what is asked about: ``Other().add(2)``, ``helper()``.
    "function": ("test_add", 3),
    "other_function": ("tests/test_cart.py:12#add", 1),
    "module": ("tests.test_cart", 4),
    "all_told": ("shop/cart.py:25#Cart", 0),
    "calls_nothing": ("match", 0),
}


@pytest.mark.parametrize("sentence", OPEN_CALLS)
def test_unresolved_calls(sentence: str, ask: Ask) -> None:
    typed, expected = OPEN_CALLS[sentence]
    coverage = ask("calls", typed)["page"]["coverage"]
    assert (coverage["state"], coverage["unresolvedCalls"]) == ("complete", expected)
    assert not {"unresolvedNames", "unresolvedIn", "boundElsewhere"} & set(coverage)


def test_of_calls_in_changed_files_nothing_reads_as_zero(copy: Path) -> None:
    changed_use(copy)
    page = run_in(copy, "calls", "Order.add", "-o", "json").json["page"]
    assert page["total"] is None
    assert page["coverage"]["reasons"][0]["droppedRows"] == 1
    assert "unresolvedCalls" not in page["coverage"]


def test_coverage_of_calls_is_that_of_the_files_that_call(copy: Path) -> None:
    changed_use(copy)
    assert run_in(copy, "calls", "test_add", "-o", "json").json["page"]["coverage"]["state"] == "complete"
    assert run_in(copy, "calls", "Order.add", "-o", "json").json["page"]["coverage"]["state"] == "stale"
    both = run_in(copy, "calls", "add", "-o", "json").json
    assert (both["page"]["coverage"]["state"], sorted(reasons(both))) == (
        "partial",
        ["files_changed", "provider_missing"],
    )


@pytest.mark.parametrize("verb", ["defs", "symbols"])
def test_names_are_counted_for_references_alone(verb: str, ask: Ask) -> None:
    coverage = ask(verb, "Order.add")["page"]["coverage"]
    assert not {"unresolvedNames", "unresolvedIn", "boundElsewhere"} & set(coverage)


OUTSIDE = {
    "refs": (["refs", "Cart.add", "--dir", "tests"], 5),
    "refs_nothing_left": (["refs", "Cart.add", "--lang", "rust"], 7),
    "refs_everything_left": (["refs", "Cart.add", "--lang", "python"], 0),
    "defs": (["defs", "Cart.add", "--file-pattern", "lib/*"], 1),
    "callers": (["callers", "Cart.add", "--dir", "tests"], 4),
    "calls": (["calls", "test_add", "--dir", "shop"], 6),
}


@pytest.mark.parametrize("sentence", OUTSIDE)
def test_rows_that_the_scope_left_out_are_counted(sentence: str, ask: Ask) -> None:
    argv, outside = OUTSIDE[sentence]
    assert ask(*argv)["page"]["outsideScope"] == outside


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_without_scope_options_nothing_is_said_of_it(verb: str, ask: Ask) -> None:
    assert "outsideScope" not in ask(verb, "Cart.add")["page"]


# --- files that are not as they were indexed ---


def changed_use(root: Path) -> None:
    file = root / "shop" / "orders.py"
    file.write_text(file.read_text().replace("        self.cart.add(item)\n", "        pass\n"))


def changed_definition(root: Path) -> None:
    file = root / "shop" / "cart.py"
    file.write_text("\n\n" + file.read_text())


def deleted(root: Path) -> None:
    (root / "shop" / "orders.py").unlink()


def ignored(root: Path) -> None:
    (root / ".gitignore").write_text("orders.py\n")


def new(root: Path) -> None:
    (root / "shop" / "more.py").write_text("class Cart:\n    def add(self): return self.add\n")


def readme(root: Path) -> None:
    (root / "README.md").write_text("Cart.add add\n")


def all_python(root: Path) -> None:
    for file in root.rglob("*.py"):
        file.write_text("".join(f"{line} #\n" for line in [*file.read_text().splitlines(), ""]))


Change = Callable[[Path], None]
CHANGES: dict[str, tuple[Change, str, dict[str, Any], int | None, list[str]]] = {
    # What was done, state, the reason without its message, total, paths with rows of Cart.add (shop).
    "changed_use": (
        changed_use,
        "partial",
        {"code": "files_changed", "count": 1, "paths": ["shop/orders.py"], "droppedRows": 1},
        None,
        ["shop/cart.py", *["shop/orders.py"] * 2, *["tests/test_cart.py"] * 2],
    ),
    "deleted": (
        deleted,
        "partial",
        {"code": "files_changed", "count": 1, "paths": ["shop/orders.py"], "droppedRows": 3},
        None,
        ["shop/cart.py", "tests/test_cart.py", "tests/test_cart.py"],
    ),
    "ignored_now": (
        ignored,
        "partial",
        {"code": "files_changed", "count": 1, "paths": ["shop/orders.py"], "droppedRows": 3},
        None,
        ["shop/cart.py", "tests/test_cart.py", "tests/test_cart.py"],
    ),
    "new": (
        new,
        "partial",
        {"code": "files_new", "count": 1, "paths": ["shop/more.py"]},
        6,
        ["shop/cart.py", *["shop/orders.py"] * 3, *["tests/test_cart.py"] * 2],
    ),
    "all_changed": (
        all_python,
        "stale",
        {
            "code": "files_changed",
            "count": 14,
            "paths": [
                "-dash.py",
                "lib/__init__.py",
                "lib/cart.py",
                "lib/names.py",
                "lib/odd names & more.py",
            ],
            "droppedRows": 6,
        },
        None,
        [],
    ),
}
SYMBOL = "codetrail-py python shop 1.0 `shop.cart`/Cart#add()."


@pytest.mark.parametrize("sentence", CHANGES)
def test_references_of_files_that_changed(sentence: str, copy: Path) -> None:
    change, state, expected, total, paths = CHANGES[sentence]
    change(copy)
    printed = run_in(copy, "refs", SYMBOL, "-o", "json").json
    coverage = printed["page"]["coverage"]
    (reason,) = coverage["reasons"]
    assert {key: value for key, value in reason.items() if key != "message"} == expected
    assert (coverage["state"], printed["page"]["total"]) == (state, total)
    assert [row["path"] for row in printed["results"]] == paths
    assert printed["page"]["truncated"] == ("droppedRows" in expected)
    assert next_of(printed) == BUILD


def test_a_readme_edit_changes_nothing(copy: Path) -> None:
    before = run_in(copy, "refs", "Cart.add", "-o", "json")
    readme(copy)
    assert run_in(copy, "refs", "Cart.add", "-o", "json") == before
    assert run_in(copy, "index", "status", "--check").status == 0


def test_definitions_of_a_changed_file_come_from_its_present_text(copy: Path) -> None:
    changed_definition(copy)
    printed = run_in(copy, "defs", "Cart.add", "-o", "json").json
    assert definitions(printed) == ["lib/cart.py:5#Cart.add", "shop/cart.py:33#Cart.add"]
    assert [row["reliability"] for row in printed["results"]] == ["precise_fact", "inferred_candidate"]
    assert [row.get("freshness") for row in printed["results"]] == [None, "moved"]
    assert printed["page"]["coverage"]["state"] == "partial"
    assert reasons(printed)["files_changed"]["paths"] == ["shop/cart.py"]


def test_definitions_of_a_new_file_come_from_its_text(copy: Path) -> None:
    new(copy)
    printed = run_in(copy, "defs", "Cart.add", "-o", "json").json
    assert definitions(printed) == [
        "lib/cart.py:5#Cart.add",
        "shop/cart.py:31#Cart.add",
        "shop/more.py:2#Cart.add",
    ]
    assert list(reasons(printed)) == ["files_new"]


def test_in_changed_and_new_files_every_match_of_the_name_counts(copy: Path) -> None:
    new(copy)  # two more ``add``
    changed_use(copy)  # leaves four: two definitions, two uses on one line, one on the next
    coverage = run_in(copy, "refs", SYMBOL, "-o", "json").json["page"]["coverage"]
    assert {one["path"]: one["count"] for one in coverage["unresolvedIn"]} == {
        "shop/orders.py": 5,
        "shop/more.py": 2,
        "tests/test_cart.py": 1,
    }
    assert coverage["unresolvedNames"] == 8


def test_changes_outside_the_scope_do_not_concern_the_answer(copy: Path) -> None:
    changed_use(copy)
    printed = run_in(copy, "refs", SYMBOL, "--dir", "tests", "-o", "json").json
    assert printed["page"]["coverage"]["state"] == "complete"
    assert uses(printed) == ["tests/test_cart.py:7:10", "tests/test_cart.py:8:10"]


def test_an_edit_that_is_taken_back_is_none(copy: Path) -> None:
    file = copy / "shop" / "orders.py"
    text = file.read_bytes()
    file.write_text("")
    file.write_bytes(text)
    assert run_in(copy, "refs", SYMBOL, "-o", "json").json["page"]["coverage"]["state"] == "complete"


# --- other indexes, and none ---


def test_files_that_do_not_parse(copy: Path) -> None:
    (copy / "shop" / "broken.py").write_text("def whole():\n    return 1\n\n\ndef torn(:\n    whole(\n")
    build(copy)
    printed = run_in(copy, "defs", "whole", "-o", "json").json
    assert definitions(printed) == ["shop/broken.py:1#whole"]
    assert printed["page"]["coverage"]["state"] == "partial"
    assert reasons(printed)["syntax_errors"]["paths"] == ["shop/broken.py"]


@pytest.mark.parametrize("verb", ["defs", "symbols"])
def test_without_an_index_definitions_come_from_the_parser(verb: str, bare: Path) -> None:
    outcome = run_in(bare, verb, "find_item", "-o", "json")
    printed = outcome.json
    assert outcome.status == 0
    assert definitions(printed) == ["shop/orders.py:14#Order.find_item"]
    assert {row["reliability"] for row in printed["results"]} == {"parser_fact"}
    assert (printed["page"]["coverage"]["state"], next_of(printed)) == ("missing", BUILD)
    assert list(reasons(printed)) == ["index_missing"]


def test_only_files_that_contain_the_name_answer_without_an_index(bare: Path) -> None:
    outcome = run_in(bare, "defs", "zzz", "-o", "json")
    assert (outcome.status, outcome.json["page"]["coverage"]["state"]) == (2, "missing")
