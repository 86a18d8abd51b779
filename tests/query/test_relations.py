"""Who calls a definition and what it calls, beside its source (contract §4, ``--include-code``)."""

from __future__ import annotations

from typing import Any

from codetrail.model.answers import SymbolRow
from codetrail.model.hierarchy import Relations
from tests.query.test_hierarchy import branches, chain, diamond


def relations(tree: Any, identifier: str, number: int = 0, **options: Any) -> Relations | None:
    row = tree.ask("defs", identifier, include_code=True, **options).rows[number]
    assert isinstance(row, SymbolRow)
    assert row.reliability == "precise_fact"
    found: Relations | None = row.relations
    return found


def test_a_definition_with_source_shows_its_callers_and_calls(tree: Any) -> None:
    chain(tree)
    found = relations(tree, "c")
    assert found is not None
    assert list(branches(found.callers)) == ["b 4:5,5:5"]
    assert list(branches(found.calls)) == ["a 7:5", "q 8:5"]
    assert (found.more_callers, found.more_calls) == (0, 0)


def test_callers_out_of_scope_are_shown_too(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def run(): 0\n").define("run", "`m`/run().", "function", 1)
    uses = tree.file(unit, "u.py", "def one():\n    run()\n")
    uses.define("one", "`u`/one().", "function", 2).use("run", "`m`/run().")
    tree.store()
    found = relations(tree, "run", scope={"patterns": ("m.py",)})
    assert found is not None
    assert list(branches(found.callers)) == ["one 2:5"]


def test_without_source_there_are_none(tree: Any) -> None:
    diamond(tree)
    row = tree.ask("defs", "low").rows[0]
    assert isinstance(row, SymbolRow)
    assert (row.source, row.relations) == (None, None)


def test_at_most_twelve_of_each_and_how_many_more(tree: Any) -> None:
    text = "def low(): 0\n" + "".join(f"def f{n:02}():\n    low()\n" for n in range(15))
    facts = tree.file(tree.unit(), "m.py", text).define("low", "`m`/low().", "function", 1)
    for n in range(15):
        facts.define(f"f{n:02}", f"`m`/f{n:02}().", "function", 2).use("low", "`m`/low().")
    tree.store()
    found = relations(tree, "low")
    assert found is not None
    assert [branch.node.name for branch in found.callers] == [f"f{n:02}" for n in range(12)]
    assert (found.calls, found.more_callers, found.more_calls) == ((), 3, 0)


def test_what_only_syntax_knows_has_none(tree: Any) -> None:
    facts = tree.file(tree.unit(), "m.py", "def low():\n    pass\n").not_precise("failed", "document_missing")
    facts.parsed("low", "function", lines=2)
    tree.store()
    row = tree.ask("defs", "low", include_code=True).rows[0]
    assert isinstance(row, SymbolRow)
    assert row.reliability == "parser_fact"
    assert (row.source is None, row.relations) == (False, None)
