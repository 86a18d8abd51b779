"""Contract §3, names: forms and variants in their order, strict mode, symbol strings, the order of rows."""

from __future__ import annotations

import unicodedata

import pytest

from tests.contract.conftest import Ask, Run
from tests.contract.reading import definitions, matched, uses, variants

CART, ADD, TOTAL = "shop/cart.py:25#Cart", "shop/cart.py:31#Cart.add", "shop/cart.py:35#Cart.total"
LIB_CART, LIB_ADD, ROW_ADD = "lib/cart.py:4#Cart", "lib/cart.py:5#Cart.add", "lib/cart.py:12#Cart.Row.add"
FIND_ITEM, LIB_FIND = "shop/orders.py:14#Order.find_item", "lib/cart.py:8#Cart.findItem"
ORDER_ADD, ADD_ORDER, TEST_ADD = (
    "shop/orders.py:11#Order.add",
    "shop/orders.py:21#add",
    "tests/test_cart.py:12#add",
)
JS_ADD, JS_CART, JS_TOTAL = "tools/deploy.js:1#add", "tools/deploy.js:4#Cart", "tools/deploy.js:5#Cart.total"
OVERLOADS = ["shop/cart.py:43#add_item", "shop/cart.py:45#add_item", "shop/cart.py:46#add_item"]
PROPERTY = ["shop/cart.py:17#Item.total", "shop/cart.py:21#Item.total"]
ALL_ADD = [LIB_ADD, ROW_ADD, ADD, ORDER_ADD, ADD_ORDER, TEST_ADD, JS_ADD]
MAINS = ["one/app/main.py:1#app.main", "two/app/main.py:1#two.app.main"]
GROESSE, STRASSE, NAIVE = "lib/names.py:1#größe", "lib/names.py:4#Straße", "lib/names.py:5#Straße.naïve"

COMPATIBLE = {
    # As typed: the simple name, or the whole qualified one.
    "as_typed/simple": ("find_item", [FIND_ITEM], None),
    "as_typed/qualified_is_whole": ("Cart.add", [LIB_ADD, ADD], None),
    "as_typed/nested_function": ("Cart.total.one", ["shop/cart.py:36#Cart.total.one"], None),
    "as_typed/module": ("shop.cart", ["shop/cart.py:1#shop.cart"], None),
    "as_typed/modules_of_one_name": ("app.main", MAINS, None),
    "as_typed/overloads": ("add_item", OVERLOADS, None),
    "as_typed/property_and_setter": ("Item.total", PROPERTY, None),
    "as_typed/keyword": ("match", ["lib/cart.py:25#match"], None),
    "as_typed/private": ("_private", ["lib/names.py:18#_private"], None),
    "as_typed/umlauts": ("größe", [GROESSE], None),
    # Python compares names in their normal form: another spelling of it is as typed.
    "as_typed/decomposed": (unicodedata.normalize("NFD", "größe"), [GROESSE], None),
    "as_typed/composed_for_decomposed": (unicodedata.normalize("NFC", "naïve"), [NAIVE], None),
    "as_typed/owner_and_decomposed": (unicodedata.normalize("NFD", "Straße.naïve"), [NAIVE], None),
    "as_typed/ligature": ("ﬁnd", ["lib/names.py:9#find"], None),
    # Trimmed.
    "trimmed/spaces": ("  find_item ", [FIND_ITEM], ("trimmed", "find_item")),
    "trimmed/backticks": ("`find_item`", [FIND_ITEM], ("trimmed", "find_item")),
    "trimmed/qualified": (" Cart.add\n", [LIB_ADD, ADD], ("trimmed", "Cart.add")),
    # Signature cut off.
    "signature/arguments": ("find_item(price)", [FIND_ITEM], ("signature_cut", "find_item")),
    "signature/empty": ("find_item()", [FIND_ITEM], ("signature_cut", "find_item")),
    "signature/owner": ("Cart.add(item: Item) -> None", [LIB_ADD, ADD], ("signature_cut", "Cart.add")),
    "signature/type_arguments": ("Item[int]", ["shop/cart.py:10#Item"], ("signature_cut", "Item")),
    # Qualified: every given owner must match, module prefixes too.
    "qualified/hash": ("Cart#add", [LIB_ADD, ADD], ("qualified", "Cart.add")),
    "qualified/colons": ("Cart::add", [LIB_ADD, ADD], ("qualified", "Cart.add")),
    "qualified/inner_owner": ("Row.add", [ROW_ADD], ("qualified", "Row.add")),
    "qualified/module": ("shop.cart.Cart.add", [ADD], ("qualified", "shop.cart.Cart.add")),
    "qualified/other_module": ("lib.cart.Cart.add", [LIB_ADD], ("qualified", "lib.cart.Cart.add")),
    "qualified/end_of_module": ("orders.Order.add", [ORDER_ADD], ("qualified", "orders.Order.add")),
    "qualified/package_shows_it": ("shop.Cart", [CART], ("qualified", "shop.Cart")),
    "qualified/function_of_module": ("shop.orders.add", [ADD_ORDER], ("qualified", "shop.orders.add")),
    "qualified/mixed_separators": ("shop.cart::Cart#add", [ADD], ("qualified", "shop.cart.Cart.add")),
    "qualified/with_signature": ("shop.cart.Cart.add(x)", [ADD], ("qualified", "shop.cart.Cart.add")),
    # Last part: only when no owner that was given fits.
    "last_part/no_such_owner": ("Nothing.find_item", [FIND_ITEM], ("last_part", "find_item")),
    "last_part/other_module": ("lib.cart.find_item", [FIND_ITEM], ("last_part", "find_item")),
    # Style key: underscores, hyphens and capitals make no difference.
    "style/hyphen": ("find-item", [LIB_FIND, FIND_ITEM], ("style", "finditem")),
    "style/camel": ("FindItem", [LIB_FIND, FIND_ITEM], ("style", "finditem")),
    "style/snake": (
        "mixed_case",
        ["lib/names.py:13#MixedCase", "lib/names.py:17#mixedcase"],
        ("style", "mixedcase"),
    ),
    "style/owner": ("cart.FIND_ITEM", [LIB_FIND], ("style", "cart.finditem")),
    "style/unicode_folding": ("GRÖSSE", [GROESSE], ("style", "grösse")),
    "style/sharp_s": ("strasse", [STRASSE], ("style", "strasse")),
    # A variant is used only if no closer variant matched.
    "closer/exact_before_style": ("findItem", [LIB_FIND], None),
    "closer/exact_before_case": ("mixedcase", ["lib/names.py:17#mixedcase"], None),
    "closer/whole_before_inner": ("Cart.total", [TOTAL, JS_TOTAL], None),
    "closer/parser_fact_counts_as_a_match": ("deploy.Cart", [JS_CART], ("qualified", "deploy.Cart")),
    # Exact matches, no edit distance and no parts of names.
    "nothing/part_of_a_name": ("find_ite", [], None),
    "nothing/one_letter_wrong": ("fimd_item", [], None),
    "nothing/text_that_is_no_symbol": ("echo", [], None),
    "nothing/import_alias": ("Basket", [], None),
}


@pytest.mark.parametrize("sentence", COMPATIBLE)
def test_compatible(sentence: str, ask: Ask) -> None:
    typed, expected, variant = COMPATIBLE[sentence]
    printed = ask("defs", "--", typed)
    assert definitions(printed) == expected
    assert variants(printed) == ({variant} if expected else set())


STRICT = {
    "simple": ("find_item", [FIND_ITEM]),
    "simple_with_parentheses": ("find_item()", [FIND_ITEM]),
    "qualified": ("Cart.add", [LIB_ADD, ADD]),
    "qualified_with_parentheses": ("Cart.add()", [LIB_ADD, ADD]),
    "module": ("app.main", MAINS),
    "normal_form": ("naïve", [NAIVE]),
    "other_case": ("Find_Item", []),
    "other_style": ("findItem", [LIB_FIND]),
    "spaces": (" find_item", []),
    "arguments": ("find_item(price)", []),
    "hash": ("Cart#add", []),
    "colons": ("Cart::add", []),
    "module_is_no_owner": ("shop.cart.Cart.add", []),
    "inner_owner": ("Row.add", []),
}


@pytest.mark.parametrize("sentence", STRICT)
def test_strict(sentence: str, ask: Ask) -> None:
    typed, expected = STRICT[sentence]
    printed = ask("defs", typed, "--input-mode", "strict")
    assert definitions(printed) == expected
    assert variants(printed) <= {None}


SUBSTRINGS = {
    "inside": ("ind", [], [LIB_FIND, "lib/names.py:9#find", FIND_ITEM]),
    "very_name_then_beginnings": ("find", [], ["lib/names.py:9#find", LIB_FIND, FIND_ITEM]),
    "folded": ("FIND", [], ["lib/names.py:9#find", LIB_FIND, FIND_ITEM]),
    "folding_is_unicodes": ("STRASS", [], [STRASSE]),
    "owner": ("Order.f", [], [FIND_ITEM]),
    "owner_and_any_part": ("Cart.a", [], [LIB_ADD, ADD, TOTAL, JS_TOTAL]),
    "strict_is_by_case": ("tota", ["--input-mode", "strict"], [TOTAL, JS_TOTAL, *PROPERTY]),
    "strict_other_case": ("TOTA", ["--input-mode", "strict"], []),
    "nothing": ("zzz", [], []),
}


@pytest.mark.parametrize("sentence", SUBSTRINGS)
def test_symbols_matches_substrings(sentence: str, ask: Ask) -> None:
    typed, options, expected = SUBSTRINGS[sentence]
    assert definitions(ask("symbols", typed, *options)) == expected


SHOP = "codetrail-py python shop 1.0 "
SYMBOLS = {
    "method": (SHOP + "`shop.cart`/Cart#add().", [ADD], "precise_fact"),
    "class": (SHOP + "`lib.cart`/Cart#", [LIB_CART], "precise_fact"),
    "function": (SHOP + "`shop.orders`/add().", [ADD_ORDER], "precise_fact"),
    "module": (SHOP + "`shop.cart`/__init__:", ["shop/cart.py:1#shop.cart"], "precise_fact"),
    "module_under_its_path": (SHOP + "`two/app/main.py`/__init__:", MAINS[1:], "precise_fact"),
    "not_ascii": (SHOP + "`lib.names`/`Straße`#", [STRASSE], "precise_fact"),
    "pasted_with_spaces": (f"  {SHOP}`shop.cart`/Cart#add().\n", [ADD], "precise_fact"),
    "other_version": (SHOP.replace("1.0", "9") + "`shop.cart`/Cart#add().", [ADD], "inferred_candidate"),
    "no_such_symbol": (SHOP + "`shop.cart`/Cart#drop().", [], None),
    "no_variants": (SHOP + "`shop.cart`/cart#add().", [], None),
}


@pytest.mark.parametrize("sentence", SYMBOLS)
@pytest.mark.parametrize("verb", ["defs", "symbols"])
def test_a_symbol_string_means_that_symbol(sentence: str, verb: str, ask: Ask) -> None:
    typed, expected, reliability = SYMBOLS[sentence]
    printed = ask(verb, typed)
    assert definitions(printed) == expected
    assert {row["reliability"] for row in printed["results"]} == ({reliability} if reliability else set())


@pytest.mark.parametrize("sentence", SYMBOLS)
def test_a_symbol_string_has_the_uses_of_its_coordinate(sentence: str, ask: Ask) -> None:
    typed, expected, _ = SYMBOLS[sentence]
    printed = ask("refs", typed)
    assert matched(printed) == expected
    assert uses(printed) == [place for one in expected for place in uses(ask("refs", one))]


RANKS = {
    "types_before_callables_before_fields_before_variables": (
        "symbols",
        "it",
        [
            "lib/odd names & more.py:5#it_is",
            "shop/cart.py:10#Item",
            "shop/cart.py:29#Cart.items",
        ],
    ),
    "precise_before_parser_then_test_then_path_then_line": ("defs", "add", ALL_ADD),
    "callable_of_the_parser_before_precise_property": ("defs", "total", [TOTAL, JS_TOTAL, *PROPERTY]),
    "classes": ("defs", "Cart", [LIB_CART, CART, JS_CART]),
    "owner_match": ("defs", "cart.Cart", [LIB_CART, CART]),
}


@pytest.mark.parametrize("sentence", RANKS)
def test_all_symbols_that_match_answer_best_first(sentence: str, ask: Ask) -> None:
    verb, typed, expected = RANKS[sentence]
    assert definitions(ask(verb, typed))[: len(expected)] == expected


def test_the_first_rows_of_references_are_those_of_the_best_symbol(ask: Ask) -> None:
    printed = ask("refs", "Cart.add")
    assert matched(printed) == [LIB_ADD, ADD]
    assert uses(printed) == [
        "lib/cart.py:9:21",
        "shop/cart.py:49:10",
        "shop/orders.py:12:19",
        "shop/orders.py:23:40",
        "shop/orders.py:24:23",
        "tests/test_cart.py:7:10",
        "tests/test_cart.py:8:10",
    ]


def test_references_never_come_from_text_or_from_the_parser(ask: Ask) -> None:
    """``add`` stands in a Makefile, a README, a JavaScript file and behind an import that found nothing."""
    printed = ask("refs", "add", "--include-definitions")
    assert not {"Makefile", "README.md", "tools/deploy.js"} & {row["path"] for row in printed["results"]}
    assert "tests/test_cart.py:9:13" not in uses(printed)
    assert {row["reliability"] for row in printed["results"]} == {"precise_fact"}
    assert JS_ADD not in matched(printed)


BAD = {"empty": "", "blank": "  \t", "nul": "a\0b", "too_long": "a" * 5000, "a_megabyte": "a." * 500_000}


@pytest.mark.parametrize("sentence", BAD)
@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "calls", "call-hierarchy"])
def test_identifiers_that_cannot_be_looked_at(sentence: str, verb: str, run: Run) -> None:
    outcome = run(verb, "-o", "json", "--", BAD[sentence])
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "usage_error")
