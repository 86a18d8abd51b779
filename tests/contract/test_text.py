"""Contract §8: lines that a person reads and pastes, quoted where a shell would change them, never alive."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.contract.conftest import Run, run_in

CART = "class  Cart  shop/cart.py:25  defs=shop/cart.py:25#Cart\n"
PARTIAL = (
    "coverage: partial; no provider that can index these files was found: tools/deploy.js "
    "(provider_missing, javascript, 1); next: codetrail index doctor\n"
)

ANSWERS = {
    # kind  qualified.name  path:line  defs=coordinate, one fact a line.
    "definition": (
        ["defs", "shop.Cart", "--input-mode", "compatible"],
        CART[:-1] + "  matched=qualified:shop.Cart\n",
    ),
    "nested": (
        ["defs", "Cart.Row.add"],
        "method  Cart.Row.add  lib/cart.py:12  defs=lib/cart.py:12#Cart.Row.add\n",
    ),
    "variant": (
        ["defs", "Order#find_item"],
        "method  Order.find_item  shop/orders.py:14  defs=shop/orders.py:14#Order.find_item"
        "  matched=qualified:Order.find_item\n",
    ),
    "label_and_coverage": (
        ["defs", "deploy.add"],
        "function  add  tools/deploy.js:1  defs=tools/deploy.js:1#add  parser_fact"
        "  matched=qualified:deploy.add\n" + PARTIAL,
    ),
    # References under one heading per symbol.
    "references": (
        ["refs", "N"],
        "function  N  lib/cart.py:16  defs=lib/cart.py:16#N\n"
        "lib/cart.py:21:9:     N = N()\n"
        "lib/cart.py:22:25:     def N(self): return N()\n",
    ),
    "references_of_two": (
        ["refs", "Cart", "--use", "construct", "--use", "value"],
        "class  Cart  lib/cart.py:4  defs=lib/cart.py:4#Cart\n"
        "lib/cart.py:13:20:             return Cart\n"
        "\n" + CART + 'shop/__init__.py:6:13: __all__ = ["Basket", "add_item"]\n'
        "shop/orders.py:9:21:         self.cart = Basket()\n"
        "tests/test_cart.py:6:12:     cart = Cart()\n"
        "coverage: complete; 1 token of this name bound by no compiler: tests/test_cart.py (1)\n",
    ),
    "tabs_are_kept": (
        ["refs", "far", "--limit", "1000", "--file-pattern", "wide.py", "--use", "call", "--fields", "short"],
        "function  far  lib/wide.py:1  defs=lib/wide.py:1#far\n"
        "lib/wide.py:6:9: \treturn\tfar()\n"
        f'lib/wide.py:7:317: {"x" * 90}" + str(far()) + "{"y" * 92}\n',
    ),
    # Calls as caller -> callee, with the place of the call and what asks for the callee.
    "callers": (
        ["callers", "N"],
        "lib.cart -> N  lib/cart.py:21  target=lib/cart.py:16#N\n"
        "Box.N -> N  lib/cart.py:22  target=lib/cart.py:16#N\n",
    ),
    "callers_by_use": (
        ["callers", "shop/cart.py:25#Cart", "--dir", "shop", "--use", "construct", "--use", "value"],
        "shop -> Cart  shop/__init__.py:6  target=shop/cart.py:25#Cart  value\n"
        "Order.__init__ -> Cart  shop/orders.py:9  target=shop/cart.py:25#Cart  construct\n"
        "outside the asked scope: 1 more row\n",
    ),
    "callers_none_but_values": (
        ["callers", "LIMIT"],
        "no rows for 'LIMIT', which matches:\nconstant  defs=shop/cart.py:7#LIMIT\n"
        "not listed: 1 use as a value (--use value)\n",
    ),
    "calls_that_nobody_bound": (
        ["calls", "tests/test_cart.py:12#add"],
        "add -> helper  tests/test_cart.py:13  target=tests/test_cart.py:2#helper\n"
        "coverage: complete; 1 call whose target no compiler told\n",
    ),
    "calls_of_names_that_are_quoted": (
        ["calls", "ﬁnd"],
        "find -> 'Straße'  lib/names.py:10  target='lib/names.py:4#Straße'  construct\n"
        "find -> 'Straße.naïve'  lib/names.py:10  target='lib/names.py:5#Straße.naïve'\n",
    ),
    # What was left out, and what matched without rows.
    "outside_the_scope": (
        ["refs", "LIMIT", "--dir", "lib"],
        "no rows for 'LIMIT', which matches:\nconstant  defs=shop/cart.py:7#LIMIT\n"
        "outside the asked scope: 2 more rows\n",
    ),
    "ambiguous": (
        ["refs", "gone.py:1#Cart.add"],
        "'gone.py:1#Cart.add' is ambiguous: ask again with one of\n"
        "method  defs=lib/cart.py:5#Cart.add\n"
        "method  defs=shop/cart.py:31#Cart.add\n"
        "note: the place is ambiguous: ask again with one of the symbols in page.matched (ambiguous_place)\n"
        "coverage: complete; 1 token of this name bound by no compiler: tests/test_cart.py (1)\n",
    ),
    # Quoting: outside the plain characters, and behind two dashes.
    "umlauts": (["defs", "größe"], "variable  'größe'  lib/names.py:1  defs='lib/names.py:1#größe'\n"),
    "spaces_and_ampersand": (
        ["defs", "it_is"],
        "class  it_is  'lib/odd names & more.py:5'  defs='lib/odd names & more.py:5#it_is'\n",
    ),
    "dash": (["defs", "dashed"], "function  dashed  -- -dash.py:1  defs=-- -dash.py:1#dashed\n"),
    "no_rows_of_a_place": (
        ["refs", "shop/cart.py:37:25", "--lang", "rust"],
        "no rows for 'shop/cart.py:37:25', which matches:\nproperty  defs=shop/cart.py:17#Item.total\n"
        "note: symbols of python are not looked for in files of rust (other_language)\n"
        "outside the asked scope: 3 more rows\n",
    ),
    # Never alive: escape sequences, bidi overrides and markup of a source line.
    "escapes": (
        ["refs", "shown"],
        "function  shown  'lib/odd names & more.py:1'  defs='lib/odd names & more.py:1#shown'\n"
        "'lib/odd names & more.py:6:12':     done = shown()  "
        "# \\x1b[2J\\x1b]0;title\\x07 \\u202egnp.exe [bold]rich[/bold]\n",
    ),
}


@pytest.mark.parametrize("sentence", ANSWERS)
def test_answers_to_the_letter(sentence: str, run: Run) -> None:
    argv, expected = ANSWERS[sentence]
    outcome = run(*argv)
    assert (outcome.out, outcome.err) == (expected, "")


FAILURES = {
    "usage": (["refs"], "error: missing argument 'ID' (usage_error)\nhint: codetrail refs --help\n"),
    "scope": (["refs", "x", "--dir", "no\x1bwhere"], None),
    "long": (["refs", "x", "--lang", "y" * 500], None),
    "cursor": (
        ["refs", "x", "--cursor", "!"],
        "error: the cursor is not one that CodeTrail gave (invalid_cursor)\n"
        "hint: ask again without a cursor\n",
    ),
}


@pytest.mark.parametrize("sentence", FAILURES)
def test_failures_are_two_lines_on_standard_error(sentence: str, run: Run) -> None:
    argv, expected = FAILURES[sentence]
    outcome = run(*argv)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.replace("\n", "").isprintable()
    assert re.fullmatch(r"error: .+ \([a-z_]+\)\n(hint: .+\n)?", outcome.err)
    assert max(map(len, outcome.err.splitlines())) < 200
    assert expected in (None, outcome.err)


def test_what_a_sentence_quotes_is_escaped_and_short(run: Run) -> None:
    (first, *_) = run("defs", "\x1b[31m" + "y" * 500).out.splitlines()
    assert first.startswith("no symbol matches '\\x1b[31myyy")
    assert len(first) <= len("no symbol matches ''") + 80


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls"])
def test_every_value_pastes_back_into_a_shell(verb: str, run: Run) -> None:
    """What stands behind ``defs=`` is, to a shell, the operand of the next command."""
    lines = [line for line in run("symbols", "s", "--limit", "1000").out.splitlines() if "  defs=" in line]
    assert len(lines) > 20
    assert any("defs='" in line for line in lines)
    for line in [*lines, *run("defs", "dashed").out.splitlines()]:
        pasted = line.partition("  defs=")[2]
        words = shlex.split(pasted)
        words = words[: 2 if words[0] == "--" else 1]
        page = run(verb, "-o", "json", *words).json["page"]
        assert page["matchedTotal"] == 1


def test_every_target_of_a_call_pastes_back_into_a_shell(run: Run) -> None:
    """What stands behind ``target=`` asks for the callee, in the workspace and outside."""
    lines = run("calls", "shop.cart").out.splitlines() + run("callers", "shown").out.splitlines()
    targets = [shlex.split(line.partition("  target=")[2])[0] for line in lines if " -> " in line]
    assert len(set(targets)) > 3
    for target in targets:
        page = run("callers", "-o", "json", target).json["page"]
        assert page["matchedTotal"] == 1, target
        assert page["total"] > 0, target


PAGED = [
    ["callers", "Cart.add"],
    ["calls", "shop.cart"],
    ["symbols", "a"],
    ["refs", "Cart", "--dir", "shop"],
    ["defs", "add", "--file-pattern", "*.p?"],
]


@pytest.mark.parametrize("argv", PAGED, ids=" ".join)
def test_the_last_line_says_what_was_left_out_and_how_to_get_it(argv: list[str], run: Run) -> None:
    total = run(*argv, "-o", "json").json["page"]["total"]
    *rows, last = run(*argv, "--limit", "2").out.splitlines()
    found = re.fullmatch(
        rf"left out: more rows \(2 of {total} on this page\); next page: (codetrail .+)", last
    )
    assert found is not None
    following = shlex.split(found[1])
    assert following[1] == argv[0]
    second = run(*following[1:], "-o", "json").json
    assert second["results"] == run(*argv, "-o", "json").json["results"][2:4]
    assert not any("left out" in row for row in rows)


def test_the_coverage_line_is_one_and_only_where_it_is_not_complete(run: Run) -> None:
    assert run("defs", "add").out.count("coverage: ") == 1
    assert "coverage" not in run("defs", "add", "--ext", "py").out


def test_dropped_rows_are_told_in_the_last_lines(copy: Path) -> None:
    (copy / "shop" / "orders.py").write_text("")
    lines = run_in(copy, "refs", "shop/cart.py:31#Cart.add").out.splitlines()
    assert lines[-2:] == [
        "coverage: partial; files changed since the index was built: shop/orders.py "
        "(files_changed, 1, 3 rows dropped); 1 token of this name bound by no compiler: "
        "tests/test_cart.py (1); next: codetrail index build",
        "left out: rows that coverage tells of",
    ]


def test_there_is_no_colour_off_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in run("refs", "Cart").out + run("symbols", "a").out


@pytest.mark.parametrize("columns", ["20", "400"])
def test_lines_do_not_depend_on_the_width_of_the_terminal(
    columns: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run("refs", "Cart.add")
    monkeypatch.setenv("COLUMNS", columns)
    assert run("refs", "Cart.add") == before


@pytest.mark.parametrize("output", ["json", "jsonl"])
def test_json_writes_format_characters_as_escapes(output: str, run: Run) -> None:
    outcome = run("refs", "shown", "-o", output)
    assert "\\u202e" in outcome.out
    assert "\\u001b[2J" in outcome.out
    assert not set("\x1b\x07\u202e") & set(outcome.out)
    row = json.loads(outcome.out.splitlines()[0])
    row = row["results"][0] if output == "json" else row["result"]
    assert row["text"] == "    done = shown()  # \x1b[2J\x1b]0;title\x07 \u202egnp.exe [bold]rich[/bold]"


def test_commands_are_quoted_for_a_shell_and_given_as_words(run: Run) -> None:
    following = run("defs", "add", "-o", "json").json["page"]["coverage"]["next"]
    assert following == {"command": "codetrail index doctor", "argv": ["codetrail", "index", "doctor"]}
    *_, last = run("symbols", "s", "--file-pattern", "odd names & *", "--limit", "1").out.splitlines()
    assert " --file-pattern 'odd names & *' " in last


def test_commands_go_to_the_workspace_that_was_typed(bare: Path) -> None:
    """Pasted where the question was asked, they act on what it was about."""
    outside = bare.parent
    answered = run_in(outside, "-p", "root", "defs", "find_item", "-o", "json").json
    refused = run_in(outside, "refs", "find_item", "-p", "root", "-o", "json").json
    argv = ["codetrail", "index", "build", "--path", "root"]
    assert answered["page"]["coverage"]["next"]["argv"] == argv
    assert refused["error"]["hint"] == shlex.join(argv)
