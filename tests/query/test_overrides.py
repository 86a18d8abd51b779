"""Uses of what a symbol overrides or is overridden by, over shards, pages and odd hierarchies."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.model import facts
from codetrail.model.answers import Answer, ReferenceRow
from codetrail.query import uses
from tests.query.conftest import places

BASE, MIDDLE, LEAF, SIDE = (f"`m`/{name}#run()." for name in ("Base", "Middle", "Leaf", "Side"))


def marks(answer: Answer) -> list[tuple[str, str | None, str]]:
    """Return path, kind of relation and class of the symbol used, of each row."""
    found = []
    for row in answer.rows:
        assert isinstance(row, ReferenceRow)
        if row.via is not None:
            assert row.via.symbol == row.symbol
        kind = row.via.kind if row.via is not None else None
        found.append((row.path, kind, row.symbol.partition("/")[2].partition("#")[0]))
    return found


@pytest.fixture
def family(tree: Any) -> Any:
    """Base <- Middle <- Leaf, Base <- Side, told step by step by two units, each used in its own file."""
    ours = tree.unit("python:a", root="a")
    text = "class Base:\n    def run(self):\n        pass\nclass Side:\n    def run(self):\n        pass\n"
    tree.file(ours, "a/base.py", text).define("run", BASE, "method", 1).define(
        "run", SIDE, "method", 1
    ).relates(SIDE, BASE)
    for name, symbol in (("base", BASE), ("side", SIDE)):
        tree.file(ours, f"a/use_{name}.py", "x.run()\n").use("run", symbol)
    theirs = tree.unit("python:b", root="b")
    text = "class Middle:\n    def run(self):\n        pass\nclass Leaf:\n    def run(self):\n        pass\n"
    tree.file(theirs, "b/leaf.py", text).define("run", MIDDLE, "method", 1).define(
        "run", LEAF, "method", 1
    ).relates(LEAF, MIDDLE).relates(MIDDLE, BASE)
    for name, symbol in (("middle", MIDDLE), ("leaf", LEAF)):
        tree.file(theirs, f"b/use_{name}.py", "x.run()\n").use("run", symbol)
    tree.store()
    return tree


ASKED = {
    "the top": (
        "Base.run",
        [
            ("a/use_base.py", None, "Base"),
            ("a/use_side.py", "overridden", "Side"),
            ("b/use_leaf.py", "overridden", "Leaf"),
            ("b/use_middle.py", "overridden", "Middle"),
        ],
    ),
    "the middle": (
        "Middle.run",
        [
            ("a/use_base.py", "overrides", "Base"),
            ("b/use_leaf.py", "overridden", "Leaf"),
            ("b/use_middle.py", None, "Middle"),
        ],
    ),
    "a leaf": (
        "Leaf.run",
        [
            ("a/use_base.py", "overrides", "Base"),
            ("b/use_leaf.py", None, "Leaf"),
            ("b/use_middle.py", "overrides", "Middle"),
        ],
    ),
    "a sibling": ("Side.run", [("a/use_base.py", "overrides", "Base"), ("a/use_side.py", None, "Side")]),
}


@pytest.mark.parametrize("case", ASKED)
def test_both_ways_to_the_ends(family: Any, case: str) -> None:
    typed, expected = ASKED[case]
    answer = family.refs(typed, include_overrides=True)
    assert marks(answer) == expected
    assert answer.page.total == len(expected) == answer.page.matched[0].rows
    assert answer.page.matched_total == 1
    alone = family.refs(typed)
    assert marks(alone) == [mark for mark in expected if mark[1] is None]
    # What is a row now does not belong to somebody else.
    assert alone.page.coverage.bound_elsewhere - answer.page.coverage.bound_elsewhere == 2 * (
        len(expected) - 1
    )


def test_rows_of_relatives_name_and_define_their_own_symbol(family: Any) -> None:
    row = family.refs("Leaf.run", include_overrides=True).rows[0]
    assert row.definition.path == "a/base.py"
    assert (row.definition.qualified_name, row.name, row.of) == ("Base.run", "run", 0)
    assert row.reliability == facts.PRECISE_FACT


def test_definitions_of_relatives_are_listed_when_definitions_are(family: Any) -> None:
    answer = family.refs("Leaf.run", include_overrides=True, include_definitions=True)
    found = [mark for mark in marks(answer) if mark[0] in {"a/base.py", "b/leaf.py"}]
    assert found == [
        ("a/base.py", "overrides", "Base"),
        ("b/leaf.py", "overrides", "Middle"),
        ("b/leaf.py", None, "Leaf"),
    ]


def test_scope_leaves_out_and_counts_what_it_leaves_out(family: Any) -> None:
    answer = family.refs("Leaf.run", include_overrides=True, scope={"directories": ("b",)})
    assert marks(answer) == ASKED["a leaf"][1][1:]
    assert (answer.page.total, answer.page.outside_scope) == (2, 1)


def test_a_changed_file_of_a_relative_is_left_out_and_said(family: Any) -> None:
    family.write("a/use_base.py", "x.walk()\n")
    answer = family.refs("Leaf.run", include_overrides=True)
    assert marks(answer) == ASKED["a leaf"][1][1:]
    assert answer.page.total is None
    assert answer.page.truncated
    assert answer.page.coverage.reasons[0].dropped_rows == 1


def test_the_use_of_the_very_symbol_comes_before_one_of_a_relative_at_the_same_place(tree: Any) -> None:
    unit = tree.unit()
    text = "x.run()\ny.run()\n"
    tree.file(unit, "a.py", text).use("run", BASE).back().use("run", LEAF).use("run", BASE)
    tree.file(unit, "m.py", "run\nrun\n").define("run", BASE, "method").define("run", LEAF, "method").relates(
        LEAF, BASE
    )
    tree.store()
    for typed, kinds in (("Leaf.run", [None, "overrides"]), ("Base.run", [None, None])):
        answer = tree.refs(typed, include_overrides=True)
        assert [kind for _, kind, _ in marks(answer)] == kinds
        assert answer.page.total == 2
        first = tree.refs(typed, include_overrides=True, limit=1)
        second = tree.refs(typed, include_overrides=True, limit=1, cursor=first.page.next_cursor)
        assert places(first) + places(second) == ["a.py:1:3", "a.py:2:3"]
        assert second.page.next_cursor is None


def test_a_derived_relation_makes_candidates_only(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "x.run()\ny.run()\n").use("run", BASE).use("run", MIDDLE)
    told = tree.file(unit, "m.py", "run\nrun\nrun\n").define("run", BASE).define("run", MIDDLE)
    told.define("run", LEAF).relates(MIDDLE, BASE, derived=True).relates(LEAF, MIDDLE)
    tree.store()
    rows = tree.refs("Leaf.run", include_overrides=True).rows
    assert [row.reliability for row in rows] == [facts.INFERRED_CANDIDATE, facts.PRECISE_FACT]


TYPES = {"bases are no overrides": (facts.REL_IMPLEMENTATION, 0), "unless uses are shared": (3, 1)}


@pytest.mark.parametrize("case", TYPES)
def test_types(tree: Any, case: str) -> None:
    flags, rows = TYPES[case]
    unit = tree.unit()
    tree.file(unit, "a.py", "Base()\n").use("Base", "`m`/Base#")
    tree.file(unit, "m.py", "Base\nLeaf\n").define("Base", "`m`/Base#").define("Leaf", "`m`/Leaf#").relates(
        "`m`/Leaf#", "`m`/Base#", flags
    )
    tree.store()
    assert len(tree.refs("Leaf", include_overrides=True).rows) == rows


def test_other_relations_are_no_overrides(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "x.run()\n").use("run", BASE)
    told = tree.file(unit, "m.py", "run\nrun\n").define("run", BASE).define("run", LEAF)
    told.relates(LEAF, BASE, facts.REL_REFERENCE | facts.REL_TYPE_DEFINITION | facts.REL_DEFINITION)
    tree.store()
    assert tree.refs("Leaf.run", include_overrides=True).rows == ()


def test_without_the_option_nothing_of_it_is_loaded(family: Any) -> None:
    script = (
        "import sys\nfrom codetrail.model.answers import Question\n"
        "from codetrail.query.engine import answer\n"
        "from codetrail.workspace.root import Root\nfor verb in ('refs', 'defs', 'symbols'):\n"
        f"    answer(Question(verb, 'run'), Root({str(family.path)!r}))\n"
        "ours = ('.overrides', '.counts', '.tallies', '.listing')\n"
        "print([name for name in sys.modules if name.endswith(ours)])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_too_many_places_to_count_leave_no_total(family: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "_MOST_JOINED", 2)
    answer = family.refs("Leaf.run", include_overrides=True, scope={"directories": ("b",)})
    assert marks(answer) == ASKED["a leaf"][1][1:]
    assert (answer.page.total, answer.page.matched[0].rows, answer.page.outside_scope) == (None, None, None)
    assert not answer.page.truncated


class Use(NamedTuple):
    """A use of method ``of`` on a line of a file of a unit."""

    unit: int
    file: int
    line: int
    of: int


_COUNT = 5
_EDGES = st.sets(
    st.tuples(st.integers(0, _COUNT - 1), st.integers(0, _COUNT - 1), st.integers(0, 1)), max_size=8
)
_USES = st.lists(
    st.builds(Use, st.integers(0, 1), st.integers(0, 1), st.integers(0, 4), st.integers(0, _COUNT - 1)),
    max_size=25,
    unique=True,
)


def reached(edges: set[tuple[int, int]], start: int) -> set[int]:
    """Return what a plain walk over the pairs reaches."""
    found: set[int] = set()
    while new := {b for a, b in edges if a in found | {start}} - found:
        found |= new
    return found - {start}


def pages(tree: Any, typed: str, limit: int) -> Iterator[Answer]:
    cursor = None
    while True:
        answer = tree.refs(typed, include_overrides=True, limit=limit, cursor=cursor)
        yield answer
        cursor = answer.page.next_cursor
        if cursor is None:
            return


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_EDGES, _USES, st.integers(0, _COUNT - 1), st.integers(1, 4))
def test_any_relations_and_uses(
    tree: Any, edges: set[tuple[int, int, int]], uses: list[Use], asked: int, limit: int
) -> None:
    """Hold the answer against a walk over plain pairs: diamonds, circles, several symbols at one place."""
    shutil.rmtree(tree.path)
    tree.path.mkdir()
    tree = type(tree)(Path(tree.path))
    method = [f"s python p 1 m/C{number}#run()." for number in range(_COUNT)]
    for unit in range(2):
        entry = tree.unit(f"python:{unit}", root="ab"[unit])
        told = tree.file(entry, f"{'ab'[unit]}/d.py", "run\n" * _COUNT)
        for number in range(_COUNT):
            if number % 2 == unit:
                told.define("run", method[number], "method")
        for one, other, teller in edges:
            if teller == unit and one != other:
                told.relates(method[one], method[other])
        for file in range(2):
            told = tree.file(entry, f"{'ab'[unit]}/f{file}.py", "run\n" * 5)
            for use in sorted(uses):
                if (use.unit, use.file) == (unit, file):
                    told.back()
                    for _ in range(use.line):
                        told._next("run")
                    told.use("run", method[use.of])
    tree.store()
    pairs = {(one, other) for one, other, _ in edges if one != other}
    up = reached(pairs, asked)
    down = reached({(other, one) for one, other in pairs}, asked) - up
    expected: dict[tuple[str, int], set[tuple[str | None, int]]] = {}
    for use in uses:
        kind = None if use.of == asked else "overrides" if use.of in up else "overridden"
        if use.of == asked or use.of in up | down:
            place = (f"{'ab'[use.unit]}/f{use.file}.py", use.line)
            expected.setdefault(place, set()).add((kind, use.of))
    found: list[Any] = []
    for answer in pages(tree, f"C{asked}.run", limit):
        assert answer.page.total == len(expected)
        found += list(answer.rows)
    assert [(row.path, row.range.line) for row in found] == sorted(expected)
    for row in found:
        mark = (row.via.kind if row.via else None, int(row.symbol.partition("#")[0][-1]))
        here = expected[row.path, row.range.line]
        assert mark in here
        assert mark[0] is None or (None, asked) not in here


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_of_several_symbols_that_are_each_others_relatives(family: Any, limit: int) -> None:
    """A row that one symbol brings in as a relative's must not end the rows of the symbols between."""
    whole = family.refs("run", include_overrides=True)
    assert whole.page.matched_total == 4
    assert whole.page.total == len(whole.rows) == 4 + 3 + 3 + 2
    paged = [row for answer in pages(family, "run", limit) for row in answer.rows]
    assert paged == list(whole.rows)
