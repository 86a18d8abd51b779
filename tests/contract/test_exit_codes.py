"""Contract §7: what each run ends with, the stable word it gives, and what a failure may not show."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.contract.conftest import Outcome, Run, run_in

VERBS = ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"]
Change = Callable[[Path], None]
Changed = Callable[[Change], Path]


def nothing(root: Path) -> None:
    """Leave everything as it is."""


def no_index(root: Path) -> None:
    shutil.rmtree(root / ".codetrail")


def edited(root: Path) -> None:
    with (root / "shop" / "cart.py").open("a") as file:
        file.write("# edited\n")


def _replaced_in_shards(root: Path, change: Callable[[bytes], bytes]) -> None:
    (folder,) = [path for path in (root / ".codetrail").rglob("shards") if path.is_dir()]
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert found
    for path in found:
        path.chmod(0o600)
        path.write_bytes(change(path.read_bytes()))


def cut_short(root: Path) -> None:
    _replaced_in_shards(root, lambda data: data[: len(data) // 2])


def emptied(root: Path) -> None:
    _replaced_in_shards(root, lambda _: b"")


QUERIES: dict[str, tuple[Change, list[str], int, str | None]] = {
    # 0: answered, also with no rows when a symbol matched.
    "0/defs": (nothing, ["defs", "Cart"], 0, None),
    "0/refs": (nothing, ["refs", "Cart"], 0, None),
    "0/symbols": (nothing, ["symbols", "Cart"], 0, None),
    "0/callers": (nothing, ["callers", "Cart"], 0, None),
    "0/calls": (nothing, ["calls", "Cart"], 0, None),
    "0/call_hierarchy": (nothing, ["call-hierarchy", "Cart"], 0, None),
    "0/call_hierarchy_that_leads_nowhere": (nothing, ["call-hierarchy", "Cart", "--to", "zzz"], 0, None),
    "0/callers_of_what_only_the_parser_knows": (nothing, ["callers", "tools/deploy.js:1#add"], 0, None),
    "0/no_callers": (nothing, ["callers", "match"], 0, None),
    "0/no_callers_in_scope": (nothing, ["callers", "Cart.add", "--dir", "one"], 0, None),
    "0/no_calls": (nothing, ["calls", "match"], 0, None),
    "0/callers_in_a_changed_file": (edited, ["callers", "Cart.add"], 0, None),
    "0/no_uses": (nothing, ["refs", "match"], 0, None),
    "0/no_uses_in_scope": (nothing, ["refs", "LIMIT", "--dir", "lib"], 0, None),
    "0/no_definition_in_scope": (nothing, ["defs", "LIMIT", "--dir", "lib"], 0, None),
    "0/several_at_a_place_for_defs": (nothing, ["defs", "shop/cart.py:31"], 0, None),
    "0/changed_file": (edited, ["refs", "Cart.add"], 0, None),
    "0/no_index_defs": (no_index, ["defs", "find_item"], 0, None),
    "0/no_index_symbols": (no_index, ["symbols", "find_item"], 0, None),
    "0/fresh": (nothing, ["refs", "Cart", "--require-fresh"], 0, None),
    "0/status_check": (nothing, ["index", "status", "--check"], 0, None),
    # 1: usage error.
    "1/no_identifier": (nothing, ["refs"], 1, "usage_error"),
    "1/empty_identifier": (nothing, ["refs", ""], 1, "usage_error"),
    "1/unknown_option": (nothing, ["refs", "Cart", "--sideways"], 1, "usage_error"),
    "1/unknown_command": (nothing, ["uses", "Cart"], 1, "usage_error"),
    "1/unknown_index_command": (nothing, ["index", "rebuild"], 1, "usage_error"),
    "1/contradiction": (nothing, ["refs", "x", "--case-sensitive", "--ignore-case"], 1, "usage_error"),
    "1/option_of_queries": (nothing, ["--limit", "3", "index", "status"], 1, "usage_error"),
    "1/no_workspace": (nothing, ["--path", "nowhere", "refs", "Cart"], 1, "workspace_not_found"),
    "1/path_is_a_file": (nothing, ["--path", "shop/cart.py", "refs", "Cart"], 1, "workspace_not_found"),
    "1/scope_outside": (nothing, ["refs", "Cart", "--dir", "../.."], 1, "scope_outside_workspace"),
    "1/place_outside": (nothing, ["refs", "../../x.py:1"], 1, "scope_outside_workspace"),
    "1/scope_missing": (nothing, ["refs", "Cart", "--dir", "nowhere"], 1, "scope_not_found"),
    "1/pattern": (
        nothing,
        ["refs", "x", "--file-mode", "regex", "--file-pattern", "*"],
        1,
        "invalid_pattern",
    ),
    "1/cursor": (nothing, ["refs", "Cart", "--cursor", "x"], 1, "invalid_cursor"),
    "1/language": (nothing, ["refs", "Cart", "--lang", "latin"], 1, "unsupported_language"),
    # 2: no symbol matched, or no usable precise index.
    "2/defs_nothing": (nothing, ["defs", "zzz"], 2, None),
    "2/refs_nothing": (nothing, ["refs", "zzz"], 2, None),
    "2/symbols_nothing": (nothing, ["symbols", "zzz"], 2, None),
    "2/place_nothing": (nothing, ["refs", "shop/cart.py:999"], 2, None),
    "2/several_at_a_place_for_refs": (nothing, ["refs", "shop/cart.py:31"], 2, None),
    "2/references_of_what_only_the_parser_knows": (nothing, ["refs", "tools/deploy.js:1#add"], 2, None),
    "2/callers_nothing": (nothing, ["callers", "zzz"], 2, None),
    "2/calls_nothing": (nothing, ["calls", "zzz"], 2, None),
    "2/call_hierarchy_nothing": (nothing, ["call-hierarchy", "zzz"], 2, None),
    "2/several_at_a_place_for_trees": (nothing, ["call-hierarchy", "shop/cart.py:31"], 2, None),
    "2/no_index_call_hierarchy": (no_index, ["call-hierarchy", "find_item"], 2, "index_missing"),
    "2/several_at_a_place_for_calls": (nothing, ["calls", "shop/cart.py:31"], 2, None),
    "2/several_at_a_place_for_callers": (nothing, ["callers", "shop/cart.py:31"], 2, None),
    "2/no_index_callers": (no_index, ["callers", "find_item"], 2, "index_missing"),
    "2/no_index_calls": (no_index, ["calls", "find_item"], 2, "index_missing"),
    "2/no_index_refs": (no_index, ["refs", "find_item"], 2, "index_missing"),
    "2/no_index_nothing": (no_index, ["defs", "zzz"], 2, None),
    "2/no_index_status": (no_index, ["index", "status"], 2, "index_missing"),
    # 6: an index exists but does not match the files, or fails verification.
    "6/require_fresh": (edited, ["refs", "Cart.add", "--require-fresh"], 6, "index_stale"),
    "6/require_fresh_defs": (edited, ["defs", "Cart.add", "--require-fresh"], 6, "index_stale"),
    "6/check": (edited, ["index", "status", "--check"], 6, None),
    "6/cut_short": (cut_short, ["refs", "Cart.add"], 6, "index_corrupt"),
    "6/emptied": (emptied, ["refs", "Cart.add"], 6, "index_corrupt"),
    "6/require_fresh_calls": (edited, ["calls", "Cart.add", "--require-fresh"], 6, "index_stale"),
    "6/require_fresh_trees": (edited, ["call-hierarchy", "Cart.add", "--require-fresh"], 6, "index_stale"),
    "6/cut_short_callers": (cut_short, ["callers", "Cart.add"], 6, "index_corrupt"),
    "6/cut_short_defs": (cut_short, ["defs", "Cart.add"], 6, "index_corrupt"),
}


@pytest.fixture(scope="module")
def changed(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """Return the shop after a change, each change made once: questions write nothing."""

    @cache
    def after(change: Change) -> Path:
        if change is nothing:
            return shop
        root = tmp_path_factory.mktemp(change.__name__) / "root"
        shutil.copytree(shop, root, symlinks=True)
        change(root)
        return root

    return after


@pytest.mark.parametrize("case", QUERIES)
def test_status_and_code(case: str, changed: Changed) -> None:
    change, argv, status, code = QUERIES[case]
    outcome = run_in(changed(change), "-o", "json", *argv)
    assert (outcome.status, outcome.json.get("error", {}).get("code")) == (status, code)
    assert outcome.err == ""


@pytest.mark.parametrize("output", ["text", "json", "jsonl"])
@pytest.mark.parametrize("case", QUERIES)
def test_the_status_does_not_depend_on_the_output(case: str, output: str, changed: Changed) -> None:
    change, argv, status, code = QUERIES[case]
    outcome = run_in(changed(change), "-o", output, *argv)
    assert outcome.status == status
    if output == "text" and code is not None:
        assert outcome.out == ""
        assert f" ({code})\n" in outcome.err
    else:
        assert outcome.out


@pytest.mark.parametrize("case", QUERIES)
def test_nothing_printed_holds_a_path_of_the_machine(case: str, changed: Changed) -> None:
    change, argv, _, _ = QUERIES[case]
    root = changed(change)
    outcome = run_in(root, *argv)
    for path in (root, root.parent, Path.home(), Path(sys.prefix)):
        assert f"{path}/" not in outcome.out + outcome.err


NO_MATCH = {"name": "zzz", "qualified": "Cart.zzz.y", "place": "shop/cart.py:999", "symbol": "s m p 1 zzz#"}


@pytest.mark.parametrize("sentence", NO_MATCH)
@pytest.mark.parametrize("verb", VERBS)
def test_no_match_is_an_answer_without_an_error(sentence: str, verb: str, run: Run) -> None:
    outcome = run(verb, NO_MATCH[sentence], "-o", "json")
    printed = outcome.json
    assert outcome.status == 2
    assert (printed["results"], printed["page"]["matched"], printed["page"]["total"]) == ([], [], 0)
    assert "error" not in printed


def test_a_symbol_without_rows_is_an_answer(run: Run) -> None:
    outcome = run("refs", "match", "-o", "json")
    page = outcome.json["page"]
    assert (outcome.status, page["total"], page["matchedTotal"]) == (0, 0, 1)


def test_without_an_index_references_say_what_to_type(bare: Path) -> None:
    outcome = run_in(bare, "refs", "find_item", "-o", "json")
    assert outcome.json["error"] == {
        "code": "index_missing",
        "message": outcome.json["error"]["message"],
        "hint": "codetrail index build",
    }


def asked(root: Path, *argv: str, **options: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "codetrail", *argv], cwd=root, **options)  # type: ignore[call-overload,no-any-return]


def test_a_reader_that_closes_the_pipe_early_is_no_error(shop: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = asked(shop, "symbols", "a", stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, b"")


@pytest.mark.parametrize("output", ["text", "json"])
def test_interrupted(output: str, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codetrail.query import engine

    def interrupt(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(engine, "answer", interrupt)
    outcome: Outcome = run_in(shop, "refs", "Cart", "-o", output)
    assert outcome.status == 130
    if output == "json":
        assert json.loads(outcome.out)["error"]["code"] == "interrupted"
    else:
        assert (outcome.out, outcome.err) == ("", "error: interrupted (interrupted)\n")


def test_an_internal_failure(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codetrail.query import engine

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(engine, "answer", fail)
    outcome = run_in(shop, "refs", "Cart", "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"], outcome.err) == (1, "internal_error", "")
    assert "secret" not in outcome.out
