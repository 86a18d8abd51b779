"""Uses of exactly the symbols asked for, merged over shards (contract §3, §4)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.errors import UsageError
from codetrail.model import facts


def build_shop(tree: Any) -> None:
    unit = tree.unit()
    tree.file(
        unit,
        "shop/cart.py",
        "class Cart:\n    def add(self):\n        total()\n\ndef total():\n    pass\n\nCart().add()\n",
    ).define("Cart", "`shop.cart`/Cart#", "class", 3, "class Cart").define(
        "add", "`shop.cart`/Cart#add().", "method", 2
    ).use("total", "`shop.cart`/total().").define("total", "`shop.cart`/total().", "function", 2).use(
        "Cart", "`shop.cart`/Cart#", "construct"
    ).use("add", "`shop.cart`/Cart#add().")
    tree.file(
        unit, "tests/test_cart.py", "from shop.cart import Cart as C\n\ndef test_it():\n    C().add()\n"
    ).use("Cart", "`shop.cart`/Cart#", "import").define(
        "test_it", "`tests.test_cart`/test_it().", "function", 2
    ).use("C", "`shop.cart`/Cart#", "construct", 1 << 16).use("add", "`shop.cart`/Cart#add().")
    tree.store()


def show(given: Any) -> list[str]:
    return [
        f"{row.path}:{row.range.line + 1}:{row.range.column + 1} {row.use} {row.enclosing.qualified_name}"
        for row in given.rows
    ]


def test_uses_of_a_method(tree: Any) -> None:
    build_shop(tree)
    given = tree.refs("Cart.add")
    assert show(given) == ["shop/cart.py:8:8 call cart.py", "tests/test_cart.py:4:9 call test_it"]
    assert (given.page.total, given.page.truncated, given.page.next_cursor) == (2, False, None)
    assert [(one.coordinate, one.kind, one.rows) for one in given.page.matched] == [
        ("shop/cart.py:2#Cart.add", "method", 2)
    ]
    row = given.rows[1]
    assert (row.text, row.reliability, row.definition.path) == (
        "    C().add()",
        "precise_fact",
        "shop/cart.py",
    )
    assert given.page.coverage.state == "complete"


def test_definitions_come_on_request(tree: Any) -> None:
    build_shop(tree)
    given = tree.refs("total", include_definitions=True)
    assert show(given) == ["shop/cart.py:3:9 call Cart.add", "shop/cart.py:5:5 None total"]
    assert given.page.total == 2


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        (("import",), ["tests/test_cart.py:1:23 import test_cart.py"]),
        (("construct",), ["shop/cart.py:8:1 construct cart.py", "tests/test_cart.py:4:5 construct test_it"]),
        (("call",), []),
    ],
)
def test_rows_of_some_uses(tree: Any, uses: tuple[str, ...], expected: list[str]) -> None:
    build_shop(tree)
    given = tree.refs("Cart", uses=uses)
    assert show(given) == expected
    assert given.page.total == len(expected)


def test_an_alias_says_so(tree: Any) -> None:
    build_shop(tree)
    assert [row.alias for row in tree.refs("Cart").rows] == [None, None, "C"]


def test_an_alias_is_exact_wherever_it_stands_in_a_long_line(tree: Any) -> None:
    padding = "'" + "x" * 2500 + "', "
    line = f"{padding}Wagen(), {padding}Wagen()"
    unit = tree.unit()
    tree.file(unit, "a.py", "class Cart: pass\n").define("Cart", "`a`/Cart#", "class", 1)
    tree.file(unit, "b.py", line + "\n").use("Wagen", "`a`/Cart#", roles=facts.ROLE_ALIAS).use(
        "Wagen", "`a`/Cart#", roles=facts.ROLE_ALIAS
    )
    tree.store()
    given = tree.refs("Cart")
    assert len(line) > 5000
    assert [row.alias for row in given.rows] == ["Wagen", "Wagen"]
    assert all(len(row.text) <= 200 and "Wagen" in row.text for row in given.rows)


def test_a_use_that_there_is_not(tree: Any) -> None:
    build_shop(tree)
    with pytest.raises(UsageError) as caught:
        tree.refs("Cart", uses=("definition",))
    assert caught.value.code == "invalid_argument"


def test_provenance_on_request(tree: Any) -> None:
    build_shop(tree)
    row = tree.refs("total", explain=True).rows[0]
    assert (row.provenance.provider, row.provenance.unit, row.provenance.snapshot) == (
        "python",
        "python:.",
        tree.key,
    )
    assert tree.refs("total").rows[0].provenance is None


def test_a_scope_between_pages_of_files(tree: Any) -> None:
    unit = tree.unit()
    for number in range(12):
        path = f"{'ab'[number % 2]}{number:02}.py"
        facts = tree.file(unit, path, "run\nrun\n")
        facts.use("run", "`m`/run().").use("run", "`m`/run().")
    tree.store()
    scope = {"patterns": ("?0[1-8].py",), "pattern_mode": "glob"}
    given = tree.refs("run", scope=scope, limit=5)
    rows = list(given.rows)
    while given.page.next_cursor:
        given = tree.refs("run", scope=scope, limit=5, cursor=given.page.next_cursor)
        rows += given.rows
    expected = sorted(f"{'ab'[number % 2]}{number:02}.py" for number in range(1, 9) for _ in range(2))
    assert [row.path for row in rows] == expected
    assert (given.page.total, given.page.outside_scope) == (16, 8)
