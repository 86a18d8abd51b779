"""Who calls a symbol: calls, constructions and decorators; nothing else passes for one (contract §5)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.errors import UsageError
from codetrail.model.calls import CallRow
from tests.query.conftest import edges, labels

RUN = "`m`/run()."
CART = "`m`/Cart#"
INIT = "`m`/Cart#__init__()."

DEFINITIONS = """\
def run():
    run()

class Cart:
    def __init__(self):
        pass
"""

USES = """\
from m import run, Cart
def one(given: Cart):
    def two():
        run()
    keep = run
    Cart()
@run
def three():
    Cart.__init__()
run()
"""


def build(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", DEFINITIONS).define("run", RUN, "function", 2).use("run", RUN).define(
        "Cart", CART, "class", 3
    ).define("__init__", INIT, "method", 2)
    uses = tree.file(unit, "u.py", USES).use("run", RUN, "import").use("Cart", CART, "import")
    uses.define("one", "`u`/one().", "function", 5).use("Cart", CART, "type")
    uses.define("two", "`u`/one().two().", "function", 2).use("run", RUN).use("run", RUN, "value")
    uses.use("Cart", CART, "construct").use("run", RUN, "decorator")
    uses.define("three", "`u`/three().", "function", 2).use("Cart", CART, "value").use("__init__", INIT)
    uses.use("run", RUN)
    tree.store()


def test_calls_and_decorators_are_listed_and_nothing_else(tree: Any) -> None:
    build(tree)
    given = tree.ask("callers", "run")
    assert edges(given) == [
        "m.py:2:5 call run -> run",
        "u.py:4:9 call one.two -> run",
        "u.py:7:2 decorator u.py -> run",
        "u.py:10:1 call u.py -> run",
    ]
    assert (given.page.total, given.page.value_uses, given.page.outside_scope) == (4, 1, None)
    assert labels(given.rows) == {"inferred_candidate"}
    row = given.rows[1]
    assert isinstance(row, CallRow)
    assert (row.text, row.basis, row.caller.path, row.callee.path) == (
        "        run()",
        "scip",
        "u.py",
        "m.py",
    )


@pytest.mark.parametrize(
    ("uses", "expected", "values"),
    [
        (("value",), ["u.py:5:12 value one -> run"], None),
        (("decorator",), ["u.py:7:2 decorator u.py -> run"], 1),
        (("value", "decorator"), ["u.py:5:12 value one -> run", "u.py:7:2 decorator u.py -> run"], None),
        (("construct",), [], 1),
    ],
    ids=["value", "decorator", "two", "none"],
)
def test_rows_of_some_uses(tree: Any, uses: tuple[str, ...], expected: list[str], values: int | None) -> None:
    build(tree)
    given = tree.ask("callers", "run", uses=uses)
    assert edges(given) == expected
    assert (given.page.total, given.page.value_uses) == (len(expected), values)


@pytest.mark.parametrize("use", ["import", "type", "write", "definition"])
def test_no_other_use_can_be_asked_for(tree: Any, use: str) -> None:
    build(tree)
    with pytest.raises(UsageError) as caught:
        tree.ask("callers", "run", uses=(use,))
    assert caught.value.code == "invalid_argument"


def test_a_construction_calls_the_class_and_its_own_constructor(tree: Any) -> None:
    build(tree)
    assert edges(tree.ask("callers", "Cart")) == ["u.py:6:5 construct one -> Cart"]
    given = tree.ask("callers", "Cart.__init__")
    assert edges(given) == ["u.py:6:5 construct one -> Cart", "u.py:9:10 call three -> Cart.__init__"]
    assert given.page.total == 2
    assert [one.coordinate for one in given.page.matched] == ["m.py:5#Cart.__init__"]
    assert edges(tree.ask("callers", "Cart.__init__", uses=("call",))) == [
        "u.py:9:10 call three -> Cart.__init__"
    ]


def test_callers_of_a_constructor_that_nobody_could_bind_may_use_the_name_of_the_class(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", DEFINITIONS).define("Cart", CART, "class", 3).define(
        "__init__", INIT, "method", 2
    )
    tree.file(unit, "n.py", "x.Cart()\nx.__init__()\n")
    tree.store()
    coverage = tree.ask("callers", "Cart.__init__").page.coverage
    assert (coverage.unresolved, coverage.unresolved_in) == (2, (("n.py", 2),))


def test_scope_options_are_about_the_call_site(tree: Any) -> None:
    build(tree)
    given = tree.ask("callers", "run", scope={"patterns": ("m.py",)})
    assert edges(given) == ["m.py:2:5 call run -> run"]
    assert (given.page.total, given.page.outside_scope, given.page.value_uses) == (1, 3, 0)


def test_pages_hold_every_row_once(tree: Any) -> None:
    build(tree)
    uses = ("call", "value", "decorator")
    whole = edges(tree.ask("callers", "run", uses=uses))
    found: list[str] = []
    cursor = None
    while True:
        given = tree.ask("callers", "run", uses=uses, limit=2, cursor=cursor)
        found += edges(given)
        cursor = given.page.next_cursor
        if cursor is None:
            break
    assert found == whole
    assert len(found) == 5


def test_lines_that_changed_are_left_out_and_counted(tree: Any) -> None:
    build(tree)
    tree.write("u.py", USES.replace("        run()", "        run( )").replace("@run", "@ run"))
    given = tree.ask("callers", "run")
    assert edges(given) == ["m.py:2:5 call run -> run", "u.py:10:1 call u.py -> run"]
    assert [row.freshness for row in given.rows] == [None, "moved"]
    assert (given.page.total, given.page.truncated, given.page.coverage.state) == (None, True, "partial")
    assert [reason.dropped_rows for reason in given.page.coverage.reasons] == [2]


def test_lines_that_moved_are_called_by_who_is_around_them_now(tree: Any) -> None:
    build(tree)
    moved = USES.replace("def one(", "\ndef other(").replace("@run", "# before\n@run")
    tree.write("u.py", moved)
    given = tree.ask("callers", "run")
    assert edges(given) == [
        "m.py:2:5 call run -> run",
        "u.py:5:9 call other.two -> run",
        "u.py:9:2 decorator u.py -> run",
        "u.py:12:1 call u.py -> run",
    ]
    assert [row.freshness for row in given.rows] == [None, "moved", "moved", "moved"]
    assert (given.page.total, given.page.truncated, given.page.coverage.state) == (4, False, "partial")
    two = given.rows[1].caller
    # Of another function than the one that was indexed only syntax knows.
    assert (two.symbol, two.range.line) == (None, 3)
    tree.write("u.py", "\n" + USES)
    assert tree.ask("callers", "run").rows[1].caller.symbol.endswith("`u`/one().two().")


def test_a_callee_whose_line_is_gone_keeps_its_names(tree: Any) -> None:
    build(tree)
    tree.write("m.py", DEFINITIONS.replace("def run()", "def run(given=0)"))
    row = tree.ask("callers", "run").rows[0]
    assert isinstance(row, CallRow)
    assert (row.callee.qualified_name, row.callee.path, row.callee.external) == ("run", None, None)
    assert row.callee.symbol is not None


def test_callers_through_overriding(tree: Any) -> None:
    unit = tree.unit()
    text = "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\na.go()\nb.go()\n"
    tree.file(unit, "m.py", text).define("go", "`m`/A#go().", "method", 1).define(
        "go", "`m`/B#go().", "method", 1
    ).relates("`m`/B#go().", "`m`/A#go().").use("go", "`m`/A#go().").use("go", "`m`/B#go().")
    tree.store()
    assert edges(tree.ask("callers", "B.go")) == ["m.py:6:3 call m.py -> B.go"]
    given = tree.ask("callers", "B.go", include_overrides=True)
    assert edges(given) == [
        "m.py:5:3 call m.py -> A.go overrides A#go().",
        "m.py:6:3 call m.py -> B.go",
    ]
    assert given.page.total == 2


def test_a_symbol_of_a_package_is_external(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "import os\nos.getcwd()\n").use("getcwd", "python pypi lib 3 `os`/getcwd().")
    tree.store()
    row = tree.ask("callers", "getcwd").rows[0]
    assert isinstance(row, CallRow)
    assert (row.callee.path, row.callee.external) == (None, ("lib", "3"))


def test_a_called_parameter_is_asked_for_by_place(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def f(give):\n    give()\n").define("f", "`m`/f().", "function", 2).local(
        "give", 0, defines=True
    ).local("give", 0, use="call")
    tree.store()
    assert edges(tree.ask("callers", "m.py:1:7")) == ["m.py:2:5 call f -> give"]


def test_an_ambiguous_place_lists_its_candidates(tree: Any) -> None:
    build(tree)
    given = tree.ask("callers", "u.py:1")
    assert (given.rows, given.page.matched_total, given.page.value_uses) == ((), 2, None)
    assert [note.code for note in given.page.notes] == ["ambiguous_place"]
