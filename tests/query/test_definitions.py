"""Definitions: precise rows first, labelled rows of the parser where no precise row covers one."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.errors import IndexUnavailable, IndexUnusable
from codetrail.model.ranges import Range
from codetrail.syntax.grammars import grammars_version


def test_a_precise_row(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "class Cart:\n    pass\n").define(
        "Cart", "`m`/Cart#", "class", 2, "class Cart(Base)"
    )
    tree.store()
    (row,) = tree.defs("Cart", explain=True).rows
    assert row.node == row.node._replace(
        kind="class",
        name="Cart",
        qualified_name="Cart",
        signature="class Cart(Base)",
        language="python",
        path="a.py",
        range=Range(0, 6, 0, 10),
        symbol="codetrail-python python shop 1.0 `m`/Cart#",
    )
    assert (row.body, row.reliability, row.callable) == (Range(0, 0, 2, 0), "precise_fact", False)
    assert (row.provenance.provider, row.provenance.engine, row.provenance.unit) == (
        "python",
        "pyright",
        "python:.",
    )
    assert row.provenance.snapshot == tree.key
    assert len(row.provenance.document_sha256) == 64
    assert tree.defs("Cart").rows[0].provenance is None


def test_what_only_syntax_knows_is_labelled(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def run(): pass\nif never:\n    def hidden(): pass\n").define(
        "run", "`m`/run().", "function", 1
    ).parsed("hidden", "function")
    tree.file(unit, "b.py", "class Run:\n    def run(self): pass\n").not_precise(
        "failed", "file_failed"
    ).parsed("Run", "class", lines=2).parsed("run", "method", "Run.run")
    tree.store()
    given = tree.defs("hidden", explain=True)
    assert [(row.node.path, row.reliability, row.node.symbol) for row in given.rows] == [
        ("a.py", "parser_fact", None)
    ]
    said = given.rows[0].provenance
    assert (said.provider, said.engine, said.engine_version) == ("syntax", "tree-sitter", grammars_version())
    assert (said.unit, said.indexed_at) == (
        "python:.",
        tree.defs("run", explain=True).rows[0].provenance.indexed_at,
    )
    assert [(row.node.qualified_name, row.reliability) for row in tree.defs("run").rows] == [
        ("run", "precise_fact"),
        ("Run.run", "parser_fact"),
    ]
    assert [row.node.qualified_name for row in tree.defs("b.Run.run").rows] == ["Run.run"]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("hidden", []),
        ("Hidden", []),
        ("a.py:3#hidden", []),
    ],
)
def test_references_never_speak_of_the_parsers_definitions(
    tree: Any, typed: str, expected: list[str]
) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "\n\nhidden\n").parsed("hidden", "function")
    tree.file(unit, "b.py", "HIDDEN\n").define("HIDDEN", "`b`/HIDDEN.", "variable").back().use(
        "HIDDEN", "`b`/HIDDEN.", "value"
    )
    tree.store()
    given = tree.refs(typed)
    assert [row.path for row in given.rows] == expected
    assert given.page.matched == () or typed == "Hidden"


def test_no_index_gives_parser_rows_of_the_files_that_hold_the_name(tree: Any) -> None:
    tree.write("a.py", "class Cart:\n    def add_all(self): pass\n")
    tree.write("b.py", "def other(): pass\n")
    tree.write("sub/c.py", "def addAll(): pass\n")
    given = tree.defs("Cart.add_all")
    assert [(row.node.path, row.node.qualified_name, row.reliability) for row in given.rows] == [
        ("a.py", "Cart.add_all", "parser_fact")
    ]
    assert given.rows[0].node.range == Range(1, 8, 1, 15)
    assert [row.node.path for row in tree.defs("add-all").rows] == ["a.py", "sub/c.py"]
    assert [row.node.path for row in tree.ask("symbols", "the").rows] == ["b.py"]
    assert tree.defs("a.py:2").rows[0].node.name == "add_all"
    assert tree.defs("nothing").page.matched_total == 0
    first = tree.defs("add-all", limit=1)
    assert [row.node.path for row in tree.defs("add-all", cursor=first.page.next_cursor).rows] == ["sub/c.py"]


def test_no_index_gives_no_references(tree: Any) -> None:
    tree.write("a.py", "def run(): pass\n")
    with pytest.raises(IndexUnavailable) as caught:
        tree.refs("run")
    assert (caught.value.code, caught.value.exit_status) == ("index_missing", 2)
    assert caught.value.hint == "codetrail index build"


def test_an_index_that_is_not_ours_is_not_used(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tree.file(tree.unit(), "a.py", "run\n").define("run", "`m`/run().", "function")
    tree.store()
    monkeypatch.setenv("XDG_STATE_HOME", str(tree.path / "elsewhere"))
    for verb in ("defs", "refs"):
        with pytest.raises(IndexUnusable) as caught:
            tree.ask(verb, "run")
        assert caught.value.code == "index_foreign"


def test_ranking_is_types_callables_fields_variables(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "x = 1\nclass A:\n    x = 1\n    def x(): pass\nclass x: pass\n").define(
        "x", "`m`/x.", "variable"
    ).define("x", "`m`/A#x.", "field").define("x", "`m`/A#x().", "method", 1).define(
        "x", "`m`/x#", "class", 1
    )
    tree.store()
    assert [row.node.kind for row in tree.defs("x").rows] == ["class", "method", "field", "variable"]


def test_at_most_ten_symbols_are_listed(tree: Any) -> None:
    unit = tree.unit()
    for number in range(12):
        tree.file(unit, f"m{number:02}.py", "x\n").define("x", f"`m{number:02}`/x.", "variable")
    tree.store()
    page = tree.defs("x").page
    assert (len(page.matched), page.matched_total, page.total) == (10, 12, 12)


def test_a_local_out_of_scope_is_left_out_and_counted(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a/m.py", "for i in x: pass\n").local("i", 0, defines=True)
    tree.store()
    inside = tree.defs("a/m.py:1:5", explain=True)
    (row,) = inside.rows
    assert row.node.range == Range(0, 4, 0, 5)
    assert row.provenance.unit == "python:."
    outside = tree.defs("a/m.py:1:5", scope={"directories": ("b",)})
    assert (outside.rows, outside.page.total, outside.page.outside_scope) == ((), 0, 1)


def test_a_symbol_stands_where_it_is_defined_and_not_where_others_add_to_it(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "class Cart: pass\n").adds("Cart", "`m`/Cart#", "class")
    tree.file(unit, "z.py", "class Cart:\n  pass\nclass Cart:\n  pass\n").adds(
        "Cart", "`m`/Cart#", "class"
    ).define("Cart", "`m`/Cart#", "class", 1)
    tree.file(unit, "b.py", "Cart()\n").use("Cart", "`m`/Cart#")
    tree.store()
    assert [(row.node.path, row.node.range.line) for row in tree.defs("Cart").rows] == [
        ("a.py", 0),
        ("z.py", 0),
        ("z.py", 2),
    ]
    answer = tree.refs("Cart")
    assert [one.coordinate for one in answer.page.matched] == ["z.py:1#Cart"]
    assert {(row.definition.path, row.definition.range.line) for row in answer.rows} == {("z.py", 0)}
