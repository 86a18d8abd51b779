"""Contract §3, places: every form in which one may be written, the four steps, candidates for namesakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.conftest import Ask, Run, run_in
from tests.contract.reading import definitions, matched, uses, variants

ADD, LIB_ADD, ORDER_ADD = "shop/cart.py:31#Cart.add", "lib/cart.py:5#Cart.add", "shop/orders.py:11#Order.add"
ADD_USES = [
    "shop/cart.py:49:10",
    "shop/orders.py:12:19",
    "shop/orders.py:23:40",
    "shop/orders.py:24:23",
    "tests/test_cart.py:7:10",
    "tests/test_cart.py:8:10",
]

FORMS = {
    # One symbol, written in every way: (what is typed, the folder one stands in).
    "path_line_column": ("shop/cart.py:31:9", ""),
    "last_column_of_the_name": ("shop/cart.py:31:11", ""),
    "coordinate": ("shop/cart.py:31#Cart.add", ""),
    "coordinate_with_simple_name": ("shop/cart.py:31#add", ""),
    "coordinate_with_signature": ("shop/cart.py:31#Cart.add(item)", ""),
    "coordinate_with_column": ("shop/cart.py:31:9#Cart.add", ""),
    "final_colon": ("shop/cart.py:31:9:", ""),
    "dot_slash": ("./shop/cart.py:31:9", ""),
    "spaces_around": ("  shop/cart.py:31:9\n", ""),
    "use": ("shop/orders.py:12:19", ""),
    "use_with_name": ("shop/orders.py:12#Cart.add", ""),
    "use_as_a_value": ("shop/orders.py:24:23", ""),
    "relative_to_the_root_from_below": ("shop/cart.py:31:9", "tests"),
    "relative_to_the_current_folder": ("cart.py:31:9", "shop"),
    "upwards": ("../shop/cart.py:31:9", "lib"),
    "absolute": ("{root}/shop/cart.py:31:9", "tests"),
    "absolute_coordinate": ("{root}/shop/cart.py:31#Cart.add", ""),
    "traceback": ('  File "shop/cart.py", line 31, in add', ""),
    "traceback_absolute": ('File "{root}/shop/cart.py", line 31, in add', "lib"),
    "frame_with_column": ("    at add (shop/cart.py:31:9)", ""),
    "frame_with_receiver": ("at Cart.add (shop/cart.py:31:9)", ""),
    "frame_without_name": ("at shop/cart.py:31:9", ""),
}


@pytest.mark.parametrize("sentence", FORMS)
def test_forms(sentence: str, ask: Ask, shop: Path) -> None:
    typed, below = FORMS[sentence]
    typed = typed.format(root=shop)
    defined, used = ask("defs", typed, below=below), ask("refs", typed, below=below)
    assert (definitions(defined), variants(defined)) == ([ADD], {None})
    assert (matched(used), uses(used)) == ([ADD], ADD_USES)


FIND, ONE, TOTAL = (
    "shop/orders.py:14#Order.find_item",
    "shop/cart.py:36#Cart.total.one",
    "shop/cart.py:35#Cart.total",
)
ENCLOSING, IN_FILE, ELSEWHERE = "place_enclosing", "place_in_file", "place_elsewhere"
NAMESAKES = ["shop/orders.py:21#add", "tests/test_cart.py:12#add"]

STEPS = {
    # Symbols defined or occurring there.
    "there/definition_goes_before_uses": ("shop/cart.py:14:14", ["shop/cart.py:14#Item.price"], None),
    "there/use_of_another_file": ("tests/test_cart.py:6:12", ["shop/cart.py:25#Cart"], None),
    "there/renamed_use": ("shop/orders.py:9:21", ["shop/cart.py:25#Cart"], None),
    "there/renamed_function": ("shop/orders.py:22:5", ["shop/cart.py:43#add_item"], None),
    "there/overloads_are_one_symbol": ("shop/cart.py:45#add_item", ["shop/cart.py:43#add_item"], None),
    "there/import_that_found_nothing": ("tests/test_cart.py:9:5", ["tests/test_cart.py:2#Other"], None),
    "there/module": ("shop/cart.py:1", ["shop/cart.py:1#shop.cart"], None),
    "there/nested_class": ("lib/cart.py:12#Cart.Row.add", ["lib/cart.py:12#Cart.Row.add"], None),
    "there/qualified_name_tells_namesakes_apart": ("lib/cart.py:22#N", ["lib/cart.py:16#N"], None),
    "there/and_so_does_the_owner": ("lib/cart.py:22#Box.N", ["lib/cart.py:22#Box.N"], None),
    "there/decomposed_name": ("lib/names.py:10#naïve", ["lib/names.py:5#Straße.naïve"], None),
    # The innermost definition around that line.
    "around/blank_line_of_a_class": ("shop/cart.py:34", ["shop/cart.py:25#Cart"], ENCLOSING),
    "around/innermost": ("shop/cart.py:38", [TOTAL], ENCLOSING),
    "around/behind_the_last_name": ("shop/cart.py:36:29", [ONE], ENCLOSING),
    "around/name": ("shop/cart.py:37#one", [ONE], ENCLOSING),
    "around/name_of_an_outer_one": ("shop/cart.py:37#Cart.total", [TOTAL], ENCLOSING),
    "around/traceback": ('File "shop/cart.py", line 37, in one', [ONE], ENCLOSING),
    "around/frame_whose_line_uses_a_namesake": (
        'File "shop/orders.py", line 12, in add',
        [ORDER_ADD],
        ENCLOSING,
    ),
    "around/frame_at_the_column_of_a_namesake": ("at add (shop/orders.py:12:19)", [ORDER_ADD], ENCLOSING),
    # The only definition of that qualified name in that file.
    "in_file/other_line": ("shop/cart.py:3#Cart.add", [ADD], IN_FILE),
    "in_file/line_beyond_the_end": ("shop/cart.py:999#Cart.total", [TOTAL], IN_FILE),
    "in_file/before_a_namesake_elsewhere": ("lib/cart.py:1#Cart.add", [LIB_ADD], IN_FILE),
    "in_file/traceback_of_an_older_text": ('File "shop/cart.py", line 2, in one', [ONE], IN_FILE),
    # The only one in the workspace.
    "elsewhere/other_file": ("shop/cart.py:3#Order.find_item", [FIND], ELSEWHERE),
    "elsewhere/file_that_is_gone": ("gone.py:3#Order.find_item", [FIND], ELSEWHERE),
    "elsewhere/file_of_no_language": ("Makefile:1#Order.find_item", [FIND], ELSEWHERE),
    "elsewhere/simple_name": ("gone.py:3#find_item", [FIND], ELSEWHERE),
    # Nothing at any step: a given name must match at every one, and without a name two steps are all.
    "nothing/name_that_is_nowhere": ("shop/cart.py:31#nothing", [], None),
    "nothing/name_in_another_style": ("shop/cart.py:31#FIND_ITEM", [], None),
    "nothing/blank_line_outside": ("shop/cart.py:40", [], None),
    "nothing/line_beyond_the_end": ("shop/cart.py:999", [], None),
    "nothing/file_that_is_gone": ("gone.py:3", [], None),
    "nothing/file_of_no_language": ("Makefile:1", [], None),
}


@pytest.mark.parametrize("sentence", STEPS)
def test_steps(sentence: str, ask: Ask) -> None:
    typed, expected, kind = STEPS[sentence]
    printed = ask("defs", typed)
    assert matched(printed) == expected
    assert {variant and variant[0] for variant in variants(printed)} == ({kind} if expected else set())


@pytest.mark.parametrize("sentence", STEPS)
def test_a_step_after_the_first_is_remarked_on_by_references(sentence: str, run: Run) -> None:
    typed, expected, kind = STEPS[sentence]
    outcome = run("refs", typed, "-o", "json")
    notes = [note["code"] for note in outcome.json["page"].get("notes", ())]
    assert matched(outcome.json) == expected
    assert notes == (["matched_input_variant"] if kind else [])
    assert outcome.status == (0 if expected else 2)


@pytest.mark.parametrize("sentence", STEPS)
def test_strict_has_no_further_steps(sentence: str, ask: Ask) -> None:
    typed, expected, kind = STEPS[sentence]
    assert matched(ask("defs", typed, "--input-mode", "strict")) == ([] if kind else expected)


PARAMETERS = ["shop/cart.py:31#Cart.add.item", "shop/cart.py:31#Cart.add.self"]
SEVERAL = {
    "line_with_several_definitions": ("shop/cart.py:31", [ADD, *PARAMETERS], [ADD, *PARAMETERS]),
    "line_with_several_uses": (
        "lib/names.py:10",
        ["lib/names.py:4#Straße", "lib/names.py:5#Straße.naïve"],
        ["lib/names.py:4#Straße", "lib/names.py:5#Straße.naïve"],
    ),
    "namesakes_in_the_file": (
        "shop/cart.py:3#total",
        [TOTAL, "shop/cart.py:17#Item.total", "shop/cart.py:21#Item.total"],
        [TOTAL, "shop/cart.py:17#Item.total"],
    ),
    "namesakes_elsewhere": ("gone.py:3#Cart.add", [LIB_ADD, ADD], [LIB_ADD, ADD]),
    "namesakes_of_the_parser_answer_defs_only": (
        "gone.py:3#add",
        [*NAMESAKES, "tools/deploy.js:1#add"],
        NAMESAKES,
    ),
    "frame_of_a_file_that_is_gone_gives_no_owner": (
        'File "gone.py", line 3, in total',
        [TOTAL, "tools/deploy.js:5#Cart.total", "shop/cart.py:17#Item.total", "shop/cart.py:21#Item.total"],
        [TOTAL, "shop/cart.py:17#Item.total"],
    ),
}


@pytest.mark.parametrize("sentence", SEVERAL)
@pytest.mark.parametrize("verb", ["defs", "symbols"])
def test_definitions_list_all_that_a_place_may_mean(sentence: str, verb: str, run: Run) -> None:
    typed, listed, _ = SEVERAL[sentence]
    outcome = run(verb, typed, "-o", "json")
    assert (outcome.status, definitions(outcome.json)) == (0, listed)


@pytest.mark.parametrize("sentence", SEVERAL)
def test_references_name_the_candidates_instead(sentence: str, run: Run) -> None:
    typed, _, candidates = SEVERAL[sentence]
    outcome = run("refs", typed, "-o", "json")
    printed = outcome.json
    assert (outcome.status, printed["results"], printed["page"]["total"]) == (2, [], 0)
    assert matched(printed) == candidates
    assert printed["page"]["matchedTotal"] == len(candidates)
    assert [note["code"] for note in printed["page"]["notes"]] == ["ambiguous_place"]
    for one in candidates:
        assert matched(run("refs", one, "-o", "json").json) == [one]


OUTSIDE = {
    "upwards": ("../../x.py:1", "shop"),
    "absolute": ("/etc/hostname:1", ""),
    "sibling_with_the_same_beginning": ("{root}s/x.py:1", ""),
    "traceback": ('File "/usr/lib/python3/os.py", line 1, in fsync', ""),
}


@pytest.mark.parametrize("sentence", OUTSIDE)
@pytest.mark.parametrize("verb", ["defs", "refs", "symbols"])
def test_places_outside_the_workspace(sentence: str, verb: str, run: Run, shop: Path) -> None:
    typed, below = OUTSIDE[sentence]
    outcome = run(verb, typed.format(root=shop), "-o", "json", below=below)
    assert (outcome.status, outcome.json["error"]["code"]) == (1, "scope_outside_workspace")


TRACEBACK = """\
Traceback (most recent call last):
  File "{root}/tests/test_cart.py", line 7, in test_add
    cart.add(Item(1))
  File "{root}/shop/cart.py", line 32, in add
    self.items.append(item)
ValueError: full
"""


@pytest.mark.parametrize(
    ("number", "expected"), [(1, "tests/test_cart.py:5#test_add"), (3, ADD)], ids=["outer", "inner"]
)
def test_a_line_of_a_traceback_is_pasted_as_it_is(number: int, expected: str, ask: Ask, shop: Path) -> None:
    line = TRACEBACK.format(root=shop).splitlines()[number]
    assert matched(ask("refs", line)) == [expected]


def test_every_coordinate_pastes_back(ask: Ask) -> None:
    """What ``symbols`` prints for anything with an ``a`` in its name answers for itself alone."""
    rows = ask("symbols", "a", "--limit", "1000")["results"]
    assert len(rows) > 30
    for row in rows:
        (again,) = matched(ask("defs", "--", row["queryInputs"]["defs"]))
        assert again.rpartition("#")[2] == row["qualifiedName"]
        assert again.rpartition(":")[0] == row["path"]


def test_the_root_goes_before_the_current_folder(copy: Path) -> None:
    """``shop/cart.py`` typed in a folder that has a ``shop/cart.py`` of its own means that of the root."""
    nested = copy / "lib" / "shop"
    nested.mkdir()
    (nested / "cart.py").write_text("class Nested: pass\n")
    outcome = run_in(copy / "lib", "defs", "shop/cart.py:10:7", "-o", "json")
    assert definitions(outcome.json) == ["shop/cart.py:10#Item"]
