"""Symbols with one coordinate are told apart, and what tells them apart pastes back (contract §3)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.output.shapes import query_input

SOURCE = """\
export interface Unit { } export const Unit = 1;
export namespace N { export function go() { } } export namespace M { export function go() { } }
for (const k of []) { k; } for (const k of []) { k; }
const one: Unit = Unit; N.go(); M.go(); other();
export function go() { }
"""
UNIT_TYPE, UNIT_VALUE = "a.ts:1:18#Unit", "a.ts:1:40#Unit"
N_GO, M_GO = "a.ts:2:38#go", "a.ts:2:86#go"
K_ONE, K_TWO = "a.ts:3:12#k", "a.ts:3:39#k"


def build(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.ts", SOURCE).define("Unit", "`a.ts`/Unit#", "interface").define(
        "Unit", "`a.ts`/Unit.", "constant"
    ).define("go", "`a.ts`/N/go().", "function").define("go", "`a.ts`/M/go().", "function").local(
        "k", 0, defines=True
    ).local("k", 0).local("k", 1, defines=True).local("k", 1).use("Unit", "`a.ts`/Unit#", "type").use(
        "Unit", "`a.ts`/Unit.", "value"
    ).use("go", "`a.ts`/N/go().").use("go", "`a.ts`/M/go().").use("other", "`b.ts`/N/other().").define(
        "go", "`a.ts`/go().", "function"
    )
    tree.file(unit, "b.ts", "function other() { } function other() { }\nother(); go();\n").define(
        "other", "`b.ts`/N/other().", "function"
    ).define("other", "`b.ts`/M/other().", "function").use("other", "`b.ts`/N/other().").use(
        "go", "`a.ts`/N/go()."
    )
    tree.store()


def named(given: Any) -> list[str]:
    return [one.coordinate for one in given.page.matched]


@pytest.mark.parametrize(
    ("typed", "candidates"),
    [
        pytest.param("a.ts:1", [UNIT_TYPE, UNIT_VALUE], id="type-and-value"),
        pytest.param("a.ts:1#Unit", [UNIT_TYPE, UNIT_VALUE], id="type-and-value-by-name"),
        pytest.param("a.ts:2#go", [M_GO, N_GO], id="functions-of-two-owners"),
        pytest.param("a.ts:3#k", [K_ONE, K_TWO], id="locals"),
        pytest.param("gone.ts:1#Unit", [UNIT_TYPE, UNIT_VALUE], id="elsewhere"),
        # One namesake alone is used on that line; the other stands where its coordinate leads.
        pytest.param("b.ts:2", ["a.ts:2:38#go", "b.ts:1:10#other"], id="namesakes-that-are-not-asked-about"),
        pytest.param("gone.ts:1#go", [M_GO, N_GO, "a.ts:5#go"], id="only-those-that-have-a-twin"),
    ],
)
def test_each_candidate_pastes_back_as_that_symbol(tree: Any, typed: str, candidates: list[str]) -> None:
    build(tree)
    given = tree.refs(typed)
    assert [note.code for note in given.page.notes] == ["ambiguous_place"]
    assert sorted(named(given)) == sorted(candidates)
    answers = [tree.refs(one, include_definitions=True) for one in candidates]
    assert [(answer.page.matched_total, answer.page.notes) for answer in answers] == [(1, ())] * len(answers)
    # Each of them is another symbol: nothing is answered twice.
    symbols = [{row.symbol for row in answer.rows} for answer in answers]
    assert [len(one) for one in symbols] == [1] * len(answers)
    assert len(set.union(*symbols)) == len(answers)


def test_definitions_on_one_line_are_told_apart_in_rows(tree: Any) -> None:
    build(tree)
    given = tree.defs("a.ts:2#go")
    assert sorted(query_input(row.node) for row in given.rows) == sorted(named(given)) == sorted([N_GO, M_GO])
    assert [tree.defs(query_input(row.node)).rows for row in given.rows] == [
        (row._replace(of=0, node=row.node._replace(has_twin=False)),) for row in given.rows
    ]
    used = tree.refs("Unit")
    assert {query_input(row.definition) for row in used.rows} == {UNIT_TYPE, UNIT_VALUE} == set(named(used))
    # Where no other has it, a coordinate is written as ever.
    assert query_input(tree.defs(N_GO).rows[0].node) == "a.ts:2#go"


def test_where_the_file_changed_places_are_told_as_they_are_now(tree: Any) -> None:
    build(tree)
    tree.write("a.ts", "// Edited.\n" + SOURCE)
    given = tree.refs("a.ts:2#go")
    assert [note.code for note in given.page.notes] == ["ambiguous_place"]
    candidates = named(given)
    assert all(one.startswith("a.ts:") for one in candidates)
    assert [tree.refs(one).page.matched_total for one in candidates] == [1, 1, 1]


def test_names_within_one_name_keep_their_symbols(tree: Any) -> None:
    unit = tree.unit()
    made = tree.file(unit, "a.ts", "export default Unit;\n")
    made.define("Unit", "`a.ts`/Unit#", "interface").back().define("Unit", "`a.ts`/Unit.", "constant")
    tree.store()
    candidates = named(tree.refs("a.ts:1"))
    assert [one.rpartition("/")[2] for one in candidates] == ["Unit#", "Unit."]
    assert [tree.refs(one).page.matched_total for one in candidates] == [1, 1]
