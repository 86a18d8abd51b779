"""Contract §2: every option of a query on either side of the verb, what it leaves in, what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.contract.conftest import Ask, Run, run_in
from tests.contract.reading import Printed, definitions, uses

LIB_ADD, ROW_ADD, ADD = "lib/cart.py:5#Cart.add", "lib/cart.py:12#Cart.Row.add", "shop/cart.py:31#Cart.add"
ORDER_ADD, ADD_ORDER, TEST_ADD = (
    "shop/orders.py:11#Order.add",
    "shop/orders.py:21#add",
    "tests/test_cart.py:12#add",
)
JS_ADD = "tools/deploy.js:1#add"
IN_LIB, IN_SHOP = [LIB_ADD, ROW_ADD], [ADD, ORDER_ADD, ADD_ORDER]
ALL = [*IN_LIB, *IN_SHOP, TEST_ADD, JS_ADD]

SCOPES: dict[str, tuple[list[str], list[str]]] = {
    # Only below D, relative to the root or absolute inside it; several are OR.
    "dir": (["--dir", "lib"], IN_LIB),
    "dir/final_slash": (["--dir", "lib/"], IN_LIB),
    "dir/absolute": (["--dir", "{root}/lib"], IN_LIB),
    "dir/root": (["--dir", "."], ALL),
    "dir/absolute_root": (["--dir", "{root}"], ALL),
    "dir/several": (["--dir", "tests", "--dir", "lib"], [*IN_LIB, TEST_ADD]),
    "dir/a_beginning_is_no_folder": (["--dir", "one"], []),
    # By suffix.
    "ext": (["--ext", "js"], [JS_ADD]),
    "ext/dot": (["--ext", ".js"], [JS_ADD]),
    "ext/case": (["--ext", "JS"], [JS_ADD]),
    "ext/several": (["--ext", "js", "--ext", ".py"], ALL),
    "ext/end_of_a_suffix": (["--ext", "s"], []),
    # Patterns: a wildcard by default, against the file name unless there is a slash; several are OR.
    "pattern/name": (["--file-pattern", "cart.py"], [LIB_ADD, ROW_ADD, ADD]),
    "pattern/wildcard": (["--file-pattern", "*r?.py"], ALL[:-1]),
    "pattern/question_mark": (["--file-pattern", "c?rt.py"], [LIB_ADD, ROW_ADD, ADD]),
    "pattern/folder_is_no_name": (["--file-pattern", "shop*"], []),
    "pattern/slash_takes_the_whole_path": (["--file-pattern", "shop/*"], IN_SHOP),
    "pattern/slash_from_the_beginning": (["--file-pattern", "op/*"], []),
    "pattern/star_crosses_folders": (["--file-pattern", "*/cart.py"], [LIB_ADD, ROW_ADD, ADD]),
    "pattern/several": (["--file-pattern", "lib/*", "--file-pattern", "*.js"], [*IN_LIB, JS_ADD]),
    "pattern/ignores_case": (["--file-pattern", "CART.PY"], [LIB_ADD, ROW_ADD, ADD]),
    "pattern/ignore_case_said": (["--file-pattern", "CART.PY", "--ignore-case"], [LIB_ADD, ROW_ADD, ADD]),
    "pattern/case_sensitive": (["--file-pattern", "CART.PY", "--case-sensitive"], []),
    "pattern/case_sensitive_match": (["--file-pattern", "o*.py", "--case-sensitive"], [ORDER_ADD, ADD_ORDER]),
    # Modes.
    "literal/name": (["--file-mode", "literal", "--file-pattern", "orders.py"], [ORDER_ADD, ADD_ORDER]),
    "literal/path": (["--file-mode", "literal", "--file-pattern", "lib/cart.py"], IN_LIB),
    "literal/star": (["--file-mode", "literal", "--file-pattern", "*.py"], []),
    "glob/one_segment": (["--file-mode", "glob", "--file-pattern", "*/cart.py"], [LIB_ADD, ROW_ADD, ADD]),
    "glob/star_stays_in_its_segment": (["--file-mode", "glob", "--file-pattern", "s*.py"], []),
    "glob/any_depth": (["--file-mode", "glob", "--file-pattern", "**/*.js"], [JS_ADD]),
    "glob/set": (["--file-mode", "glob", "--file-pattern", "[a-c]art.py"], [LIB_ADD, ROW_ADD, ADD]),
    "regex/searches_the_path": (["--file-mode", "regex", "--file-pattern", "op/c"], [ADD]),
    "regex/anchors": (["--file-mode", "regex", "--file-pattern", r"^lib/.*\.py$"], IN_LIB),
    "regex/ignores_case": (["--file-mode", "regex", "--file-pattern", "^LIB"], IN_LIB),
    "regex/case_sensitive": (["--file-mode", "regex", "--file-pattern", "^LIB", "--case-sensitive"], []),
    # Language, in any case and with its short names.
    "lang": (["--lang", "javascript"], [JS_ADD]),
    "lang/case": (["--lang", "JavaScript"], [JS_ADD]),
    "lang/short": (["--lang", "js"], [JS_ADD]),
    "lang/python": (["--lang", "py"], ALL[:-1]),
    "lang/none_here": (["--lang", "rust"], []),
    # Sorts are AND.
    "and": (["--dir", "shop", "--file-pattern", "cart.py", "--ext", "py", "--lang", "python"], [ADD]),
    "and/nothing_is_both": (["--dir", "shop", "--ext", "js"], []),
}


@pytest.mark.parametrize("sentence", SCOPES)
def test_scope(sentence: str, ask: Ask, shop: Path) -> None:
    options, expected = SCOPES[sentence]
    printed = ask("defs", "add", *(option.format(root=shop) for option in options))
    assert definitions(printed) == expected
    assert printed["page"]["outsideScope"] == len(ALL) - len(expected)
    assert printed["page"]["matchedTotal"] == len(ALL)


USES = {
    "construct": (["--use", "construct"], ["48:16", "23:15", "23:44", "7:14"]),
    "import": (["--use", "import"], ["4:36", "1:29"]),
    "type": (["--use", "type"], ["29:26", "31:25", "36:23", "43:32", "46:32", "11:25", "14:40"]),
    "call": (["--use", "call"], []),
    "several": (
        ["--use", "import", "--use", "construct"],
        ["48:16", "4:36", "23:15", "23:44", "1:29", "7:14"],
    ),
}


@pytest.mark.parametrize("sentence", USES)
def test_uses(sentence: str, ask: Ask) -> None:
    """``Item`` is built four times, imported twice and else named as a type."""
    options, expected = USES[sentence]
    assert [place.partition(":")[2] for place in uses(ask("refs", "Item", *options))] == expected


CALLER_USES = {
    "default": ([], ["9:21", "6:12"]),
    "construct": (["--use", "construct"], ["9:21", "6:12"]),
    "value": (["--use", "value"], ["13:20", "6:13"]),
    "several": (["--use", "value", "--use", "construct"], ["13:20", "6:13", "9:21", "6:12"]),
    "call": (["--use", "call"], []),
}


@pytest.mark.parametrize("sentence", CALLER_USES)
def test_uses_of_callers(sentence: str, ask: Ask) -> None:
    """``Cart`` is built twice, once under another name; what names it without a call is no caller."""
    options, expected = CALLER_USES[sentence]
    assert [place.partition(":")[2] for place in uses(ask("callers", "Cart", *options))] == expected


CALL_SCOPES = {
    # Scope options are about the call site: (question, places, rows that they left out).
    "callers/dir": (
        ["callers", "Cart.add", "--dir", "tests"],
        ["tests/test_cart.py:7:10", "tests/test_cart.py:8:10"],
        4,
    ),
    "callers/definition_elsewhere": (["callers", "lib/cart.py:5#Cart.add", "--dir", "shop"], [], 1),
    "calls/dir": (["calls", "tests/test_cart.py:12#add", "--dir", "tests"], ["tests/test_cart.py:13:12"], 0),
    "calls/other_file": (["calls", "test_add", "--ext", "js"], [], 6),
}


@pytest.mark.parametrize("sentence", CALL_SCOPES)
def test_scope_of_calls(sentence: str, ask: Ask) -> None:
    argv, places, outside = CALL_SCOPES[sentence]
    printed = ask(*argv)
    assert (uses(printed), printed["page"]["outsideScope"]) == (places, outside)


def test_include_definitions_adds_them_in_their_place(ask: Ask) -> None:
    assert uses(ask("refs", "LIMIT")) == ["shop/orders.py:4:23", "shop/orders.py:23:49"]
    printed = ask("refs", "LIMIT", "--include-definitions")
    assert uses(printed) == ["shop/cart.py:7:1", "shop/orders.py:4:23", "shop/orders.py:23:49"]
    assert [("use" in row, "definition" in row["roles"]) for row in printed["results"]] == [
        (False, True),
        (True, False),
        (True, False),
    ]


EITHER_SIDE = {
    "path": ["--path", "shop"],
    "path_short": ["-p", "shop"],
    "output": ["--output", "json"],
    "output_short": ["-o", "jsonl"],
    "output_joined": ["-ojson"],
    "dir": ["--dir", "shop"],
    "ext": ["--ext=py"],
    "file_pattern": ["--file-pattern", "c*.py"],
    "file_mode": ["--file-mode", "glob", "--file-pattern", "shop/*"],
    "case_sensitive": ["--case-sensitive", "--file-pattern", "C*"],
    "ignore_case": ["--ignore-case", "--file-pattern", "C*"],
    "lang": ["--lang", "python"],
    "input_mode": ["--input-mode", "strict"],
    "limit": ["--limit", "2"],
    "max_bytes": ["--max-bytes", "900"],
    "fields": ["--fields", "short"],
    "explain": ["--explain"],
    "require_fresh": ["--require-fresh"],
    "freshness": ["--freshness", "off"],
    "verbose": ["--verbose"],
}


@pytest.mark.parametrize("sentence", EITHER_SIDE)
@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_an_option_says_the_same_on_either_side_of_the_verb(sentence: str, verb: str, run: Run) -> None:
    options = EITHER_SIDE[sentence]
    rest = [] if "output" in sentence else ["-o", "json"]
    before = run(*options, verb, "Cart.add", *rest)
    after = run(verb, "Cart.add", *rest, *options)
    between = run(*rest, verb, *options, "Cart.add")
    assert before == after == between
    assert before.status == 0
    assert before.out


BOTH_SIDES: dict[str, tuple[list[str], list[str], list[str]]] = {
    # Repeatable ones unite, of single ones the last wins.
    "dir": (["--dir", "lib"], ["--dir", "shop"], [*IN_LIB, *IN_SHOP]),
    "ext": (["--ext", "js"], ["--ext", "rs"], [JS_ADD]),
    "file_pattern": (["--file-pattern", "cart.py"], ["--file-pattern", "*.js"], [*IN_LIB, ADD, JS_ADD]),
    "lang": (["--lang", "python"], ["--lang", "js"], [JS_ADD]),
    "file_mode": (["--file-mode", "literal"], ["--file-mode", "glob", "--file-pattern", "*.js"], [JS_ADD]),
    "limit": (["--limit", "1"], ["--limit", "2"], IN_LIB),
    "limit_twice_on_one_side": ([], ["--limit", "1", "--limit", "2"], IN_LIB),
    "input_mode": (["--input-mode", "strict"], ["--input-mode", "compatible"], ALL),
    "equal_flags": (["--explain"], ["--explain"], ALL),
}


@pytest.mark.parametrize("sentence", BOTH_SIDES)
def test_options_on_both_sides(sentence: str, ask: Ask) -> None:
    before, after, expected = BOTH_SIDES[sentence]
    assert definitions(ask(*before, "defs", "add", *after)) == expected


OPPOSITES: dict[str, tuple[list[str], list[str]]] = {
    "both_sides": (["--case-sensitive"], ["--ignore-case"]),
    "both_sides_turned": (["--ignore-case"], ["--case-sensitive"]),
    "one_side": ([], ["--ignore-case", "--case-sensitive"]),
    "fresh_and_unchecked": (["--freshness", "off"], ["--require-fresh"]),
}


@pytest.mark.parametrize("sentence", OPPOSITES)
def test_opposite_flags_are_an_error(sentence: str, run: Run) -> None:
    before, after = OPPOSITES[sentence]
    outcome = run(*before, "defs", "add", *after, "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "usage_error")
    assert "contradict" in outcome.json["error"]["message"]


REFUSED: dict[str, tuple[list[str], str]] = {
    "dir/outside": (["--dir", ".."], "scope_outside_workspace"),
    "dir/outside_absolute": (["--dir", "/etc"], "scope_outside_workspace"),
    "dir/missing": (["--dir", "nothing"], "scope_not_found"),
    "dir/file": (["--dir", "shop/cart.py"], "scope_not_found"),
    "dir/never_relative_to_here": (["--dir", "app"], "scope_not_found"),
    "ext/pattern": (["--ext", "*.py"], "usage_error"),
    "pattern/bad_regex": (["--file-mode", "regex", "--file-pattern", "("], "invalid_pattern"),
    "pattern/bad_glob": (["--file-mode", "glob", "--file-pattern", "[a"], "invalid_pattern"),
    "pattern/empty": (["--file-pattern", ""], "invalid_pattern"),
    "mode": (["--file-mode", "fuzzy"], "usage_error"),
    "lang": (["--lang", "cobol"], "unsupported_language"),
    "input_mode": (["--input-mode", "loose"], "usage_error"),
    "output": (["--output", "xml"], "usage_error"),
    "limit/zero": (["--limit", "0"], "usage_error"),
    "limit/more_than_a_thousand": (["--limit", "1001"], "usage_error"),
    "max_bytes": (["--max-bytes", "0"], "usage_error"),
    "fields": (["--fields", "colour"], "usage_error"),
    "freshness": (["--freshness", "maybe"], "usage_error"),
    "unknown": (["--colour"], "usage_error"),
    "value_missing": (["--limit"], "usage_error"),
    "code_context_alone": (["--code-context", "3"], "usage_error"),
    "code_max_lines_alone": (["--code-max-lines", "3"], "usage_error"),
    "of_another_verb": (["--include-definitions"], "usage_error"),
    "second_identifier": (["add"], "usage_error"),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_refused(sentence: str, run: Run) -> None:
    options, code = REFUSED[sentence]
    below = "two" if sentence.endswith("here") else ""
    outcome = run("-o", "json", "defs", "add", *options, below=below)
    if sentence == "output":
        assert (outcome.status, outcome.out) == (1, "")
        assert outcome.err.startswith("error: ")
        assert "(usage_error)" in outcome.err
    else:
        assert (outcome.status, outcome.json["error"]["code"]) == (1, code)


@pytest.mark.parametrize("typed", ["-dash.py:1", "-dash.py:1#dashed"])
@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_a_value_that_begins_with_a_dash_goes_after_two(typed: str, verb: str, run: Run) -> None:
    refused = run(verb, typed, "-o", "json")
    assert (refused.status, refused.json["error"]["code"]) == (1, "usage_error")
    assert run(verb, "-o", "json", "--", typed).json["page"]["matchedTotal"] == 1


def test_everything_after_two_dashes_is_a_value(run: Run) -> None:
    assert run("defs", "-o", "json", "--", "--output").status == 2


@pytest.mark.parametrize("below", ["", "shop", "one/app"])
def test_the_default_workspace_is_that_of_the_current_folder(below: str, ask: Ask) -> None:
    assert definitions(ask("defs", "Order", below=below)) == ["shop/orders.py:7#Order"]


@pytest.mark.parametrize(
    ("path", "root"),
    [("{root}", "../root"), ("{root}/one/app", "../root"), ("../root/tests", "../root")],
    ids=["root", "absolute_below", "relative_below"],
)
def test_path_finds_the_root_above_it(path: str, root: str, shop: Path) -> None:
    outside = shop.parent / "outside"
    outside.mkdir(exist_ok=True)
    printed = run_in(outside, "-p", path.format(root=shop), "defs", "Order", "-o", "json").json
    assert definitions(printed) == ["shop/orders.py:7#Order"]
    assert printed["page"]["root"] == root


@pytest.mark.parametrize("folder", ["/", "~"], ids=["root_folder", "home_folder"])
def test_build_refuses(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    typed = folder.replace("~", str(tmp_path))
    outcome = run_in(tmp_path, "index", "build", "--path", typed, "-o", "json")
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "usage_error")
    assert not (tmp_path / ".codetrail").exists()


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_output_forms(verb: str, run: Run) -> None:
    text, compact = run(verb, "Cart.add"), run(verb, "Cart.add", "-o", "compact-json")
    assert run(verb, "Cart.add", "-o", "text") == text
    assert run(verb, "Cart.add", "-o", "json") == compact
    assert compact.out.count("\n") == 1
    rows, page = compact.json["results"], compact.json["page"]
    events = [{"event": "result", "result": row} for row in rows] + [{"event": "page", "page": page}]
    assert run(verb, "Cart.add", "-o", "jsonl").events == events
    first = {
        "callers": "Cart.findItem -> Cart.add  ",
        "calls": "Cart.add -> list.append ",
        "call-hierarchy": "method  Cart.add(self, item)  def@lib/cart.py:5  ",
    }
    assert text.out.startswith(first.get(verb, "method  Cart.add  lib/cart.py:5  "))


def test_verbose_leaves_standard_output_clean(run: Run) -> None:
    assert run("refs", "Cart.add", "-v").out == run("refs", "Cart.add").out


LANGUAGES = {
    "typescript": ["a.cts", "a.mts", "a.ts", "a.tsx"],
    "ts": ["a.cts", "a.mts", "a.ts", "a.tsx"],
    "javascript": ["b.cjs", "b.js", "b.jsx", "b.mjs"],
    "JS": ["b.cjs", "b.js", "b.jsx", "b.mjs"],
    "py": ["c.py", "c.pyi"],
    "rs": ["d.rs"],
    "kt": ["e.kt"],
    "go": ["f.go"],
    "java": ["g.java"],
}
_HERE = {
    "c": "def here(): pass\n",
    "d": "fn here() {}\n",
    "e": "fun here() {}\n",
    "f": "package f\nfunc here() {}\n",
    "g": "class G { void here() {} }\n",
}


@pytest.fixture(scope="module")
def many_languages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    for name in sorted({name for names in LANGUAGES.values() for name in names}):
        (folder / name).write_text(_HERE.get(name[0], "function here() {}\n"))
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_known_by_the_name_of_the_file(language: str, many_languages: Path) -> None:
    printed = run_in(many_languages, "defs", "here", "--lang", language, "-o", "json").json
    assert [row["path"] for row in printed["results"]] == LANGUAGES[language]


def test_ignored_files_are_left_out_and_untracked_ones_are_not(bare: Path) -> None:
    def paths() -> set[str]:
        printed: Printed = run_in(bare, "defs", "add", "-o", "json").json
        return {row["path"] for row in printed["results"]}

    assert paths() == {one.partition(":")[0] for one in ALL}
    (bare / ".gitignore").write_text("/lib/\n")
    assert paths() == {"shop/cart.py", "shop/orders.py", "tests/test_cart.py", "tools/deploy.js"}
    (bare / ".git" / "info").mkdir()
    (bare / ".git" / "info" / "exclude").write_text("*.js\n")
    (bare / "shop" / ".gitignore").write_text("cart.*\n")
    assert paths() == {"shop/orders.py", "tests/test_cart.py"}


def freshness_of(printed: dict[str, Any]) -> set[str]:
    return {reason["code"] for reason in printed["page"]["coverage"]["reasons"]}


FRESHNESS = {
    # A file that gives no row of this answer changed, and one that does: there, those whose line is gone.
    "full/other_file": ("full", "lib/names.py", {"files_changed"}, 6),
    "full/file_with_rows": ("full", "tests/test_cart.py", {"files_changed"}, 4),
    "answer/other_file": ("answer", "lib/names.py", {"freshness_unchecked"}, 6),
    "answer/file_with_rows": ("answer", "tests/test_cart.py", {"files_changed", "freshness_unchecked"}, 4),
    "off/other_file": ("off", "lib/names.py", {"freshness_unchecked"}, 6),
}


@pytest.mark.parametrize("sentence", FRESHNESS)
def test_freshness_says_what_was_checked(sentence: str, copy: Path) -> None:
    mode, changed, codes, rows = FRESHNESS[sentence]
    file = copy / changed
    file.write_text(file.read_text().replace(".add(", " . add(") + "\n# changed\n")
    printed = run_in(copy, "refs", "shop/cart.py:31#Cart.add", "--freshness", mode, "-o", "json").json
    assert freshness_of(printed) == codes
    assert len(printed["results"]) == rows


REQUIRED = {
    "unchanged": (None, [], 0),
    "changed": ("shop/cart.py", [], 6),
    "new": ("shop/new.py", [], 6),
    "outside_the_scope": ("lib/names.py", ["--dir", "shop"], 0),
    "no_source_file": ("README.md", [], 0),
}


@pytest.mark.parametrize("sentence", REQUIRED)
@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_require_fresh(sentence: str, verb: str, copy: Path) -> None:
    changed, options, status = REQUIRED[sentence]
    if changed is not None:
        with (copy / changed).open("a") as file:
            file.write("\n# changed\n")
    outcome = run_in(copy, verb, "Cart.add", "--require-fresh", *options, "-o", "json")
    assert outcome.status == status
    assert outcome.json.get("error", {}).get("code") == ("index_stale" if status else None)
