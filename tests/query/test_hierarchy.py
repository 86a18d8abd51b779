"""Trees of callers and callees: what is a node, what is expanded, and where a tree ends (contract §4, §5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from codetrail.model.answers import Answer
from codetrail.model.hierarchy import Branch, HierarchyRow
from tests.query.conftest import labels

CHAIN = """\
def a():
    b()
def b():
    c()
    c()
def c():
    a()
    q()
def q():
    q()
"""


def branches(found: Sequence[Branch], depth: int = 0) -> Iterator[str]:
    for branch in found:
        sites = ",".join(f"{span.line + 1}:{span.column + 1}" for span in branch.ranges)
        words = [branch.node.qualified_name, sites, branch.mark or "", "" if branch.children is None else "+"]
        words += [f"truncated={branch.truncated}"] if branch.truncated else []
        words += [f"{branch.via.kind}"] if branch.via is not None else []
        yield "  " * depth + " ".join(filter(None, words))
        yield from branches(branch.children or (), depth + 1)


def tree_of(given: Answer, number: int = 0) -> HierarchyRow:
    row = given.rows[number]
    assert isinstance(row, HierarchyRow)
    return row


def incoming(given: Answer, number: int = 0) -> list[str]:
    return list(branches(tree_of(given, number).incoming or ()))


def outgoing(given: Answer, number: int = 0) -> list[str]:
    return list(branches(tree_of(given, number).outgoing or ()))


def chain(tree: Any) -> None:
    """Write functions that call in a circle: a → b → c → a, and one more that only c and itself call."""
    facts = tree.file(tree.unit(), "m.py", CHAIN)
    facts.define("a", "`m`/a().", "function", 2).use("b", "`m`/b().")
    facts.define("b", "`m`/b().", "function", 3).use("c", "`m`/c().").use("c", "`m`/c().")
    facts.define("c", "`m`/c().", "function", 3).use("a", "`m`/a().").use("q", "`m`/q().")
    facts.define("q", "`m`/q().", "function", 2).use("q", "`m`/q().")
    tree.store()


def test_both_directions_and_two_levels_are_usual(tree: Any) -> None:
    chain(tree)
    given = tree.ask("call-hierarchy", "b")
    assert incoming(given) == ["a 2:5 +", "  c 7:5"]
    assert outgoing(given) == ["c 4:5,5:5 +", "  a 7:5", "  q 8:5"]
    assert labels(given.rows) == {"inferred_candidate"}
    assert (given.page.total, given.page.truncated, given.page.matched[0].coordinate) == (
        1,
        False,
        "m.py:3#b",
    )


@pytest.mark.parametrize(
    ("direction", "depth", "callers", "callees"),
    [
        ("incoming", 1, ["c 8:5", "q 10:5 cycle"], None),
        ("outgoing", 1, None, ["q 10:5 cycle"]),
        (
            "incoming",
            8,
            ["c 8:5 +", "  b 4:5,5:5 +", "    a 2:5 +", "      c 7:5 cycle", "q 10:5 cycle"],
            None,
        ),
    ],
    ids=["incoming", "outgoing", "deep"],
)
def test_a_node_that_is_its_own_ancestor_is_a_cycle(
    tree: Any, direction: str, depth: int, callers: list[str] | None, callees: list[str] | None
) -> None:
    chain(tree)
    row = tree_of(tree.ask("call-hierarchy", "q", direction=direction, depth=depth))
    assert (row.incoming is None) == (callers is None)
    assert (row.outgoing is None) == (callees is None)
    assert list(branches(row.incoming or ())) == (callers or [])
    assert list(branches(row.outgoing or ())) == (callees or [])


DIAMOND = """\
def top():
    left()
    right()
def left():
    low()
def right():
    low()
def low():
    end()
def end(): 0
"""


def diamond(tree: Any) -> None:
    facts = tree.file(tree.unit(), "m.py", DIAMOND)
    facts.define("top", "`m`/top().", "function", 3).use("left", "`m`/left().").use("right", "`m`/right().")
    facts.define("left", "`m`/left().", "function", 2).use("low", "`m`/low().")
    facts.define("right", "`m`/right().", "function", 2).use("low", "`m`/low().")
    facts.define("low", "`m`/low().", "function", 2).use("end", "`m`/end().")
    facts.define("end", "`m`/end().", "function", 1)
    tree.store()


def test_a_node_is_expanded_once(tree: Any) -> None:
    diamond(tree)
    given = tree.ask("call-hierarchy", "top", direction="outgoing", depth=4)
    assert outgoing(given) == [
        "left 2:5 +",
        "  low 5:5 +",
        "    end 9:5 +",
        "right 3:5 +",
        "  low 7:5 repeated",
    ]


@pytest.mark.parametrize(
    ("limit", "expected", "root"),
    [
        (1, [], 2),
        (2, ["left 2:5 + truncated=1"], 1),
        (3, ["left 2:5 + truncated=1", "right 3:5 + truncated=1"], 0),
        (4, ["left 2:5 +", "  low 5:5 + truncated=1", "right 3:5 + truncated=1"], 0),
        (6, ["left 2:5 +", "  low 5:5 +", "    end 9:5 +", "right 3:5 +", "  low 7:5 repeated"], 0),
    ],
    ids=str,
)
def test_a_tree_has_as_many_nodes_as_a_page_breadth_first(
    tree: Any, limit: int, expected: list[str], root: int
) -> None:
    diamond(tree)
    given = tree.ask("call-hierarchy", "top", direction="outgoing", depth=4, limit=limit)
    row = tree_of(given)
    assert outgoing(given) == expected
    assert (row.truncated, row.nodes) == (root, min(limit, 6))
    assert given.page.truncated == (limit < 6)
    assert given.page.next_cursor is None


def test_only_the_branches_that_reach_a_symbol(tree: Any) -> None:
    diamond(tree)
    given = tree.ask("call-hierarchy", "end", direction="incoming", depth=4, to="right")
    assert incoming(given) == ["low 9:5 +", "  right 7:5 +"]
    given = tree.ask("call-hierarchy", "top", direction="outgoing", depth=4, to="end", limit=4)
    assert outgoing(given) == ["left 2:5 +", "  low 5:5 + truncated=1", "right 3:5 + truncated=1"]
    given = tree.ask("call-hierarchy", "top", direction="outgoing", depth=1, to="end")
    assert outgoing(given) == []
    assert [note.code for note in given.page.notes] == []


def test_a_symbol_to_reach_that_is_not_there_is_told(tree: Any) -> None:
    diamond(tree)
    given = tree.ask("call-hierarchy", "top", to="nowhere_at_all")
    assert (incoming(given), outgoing(given)) == ([], [])
    assert [note.code for note in given.page.notes] == ["to_not_found"]


def test_constructions_lead_to_the_constructor_and_files_classes_and_others_packages_are_leaves(
    tree: Any,
) -> None:
    unit = tree.unit()
    facts = tree.file(
        unit,
        "m.py",
        "class Cart:\n    def __init__(self):\n        run()\n"
        "class Bare:\n    x = run()\ndef run():\n    path()\n",
    )
    facts.define("Cart", "`m`/Cart#", "class", 3).define("__init__", "`m`/Cart#__init__().", "method", 2)
    facts.use("run", "`m`/run().").define("Bare", "`m`/Bare#", "class", 2).use("run", "`m`/run().")
    facts.define("run", "`m`/run().", "function", 2).use("path", "scip-python python lib 2.0 `lib`/path().")
    uses = tree.file(unit, "u.py", "def go(given):\n    Cart()\n    Bare()\n    given()\ngo()\nBare()\n")
    uses.define("go", "`u`/go().", "function", 4).local("given", 0, defines=True)
    uses.use("Cart", "`m`/Cart#", "construct").use("Bare", "`m`/Bare#", "construct").local(
        "given", 0, use="call"
    )
    uses.use("go", "`u`/go().").use("Bare", "`m`/Bare#", "construct")
    tree.store()
    given = tree.ask("call-hierarchy", "go", depth=4)
    assert incoming(given) == ["u.py 5:1"]
    assert outgoing(given) == ["Cart.__init__ 2:5 +", "  run 3:9 +", "    path 7:5", "Bare 3:5"]
    (path,) = next(one for one in tree_of(given).outgoing or () if one.children).children or ()
    external = (path.children or ())[0].node
    assert (external.path, external.external) == (None, ("lib", "2.0"))
    assert incoming(tree.ask("call-hierarchy", "Cart.__init__", direction="incoming")) == [
        "go 2:5 +",
        "  u.py 5:1",
    ]
    assert incoming(tree.ask("call-hierarchy", "Bare", direction="incoming", depth=1)) == [
        "go 3:5",
        "u.py 6:1",
    ]


def overriding(tree: Any) -> None:
    text = "class A:\n    def m(self): 0\nclass B(A):\n    def m(self): 0\n"
    text += "def one(a):\n    a.m()\ndef two(b):\n    b.m()\n"
    facts = tree.file(tree.unit(), "m.py", text)
    facts.define("A", "`m`/A#", "class", 2).define("m", "`m`/A#m().", "method", 1)
    facts.define("B", "`m`/B#", "class", 2).define("m", "`m`/B#m().", "method", 1)
    facts.define("one", "`m`/one().", "function", 2).use("m", "`m`/A#m().")
    facts.define("two", "`m`/two().", "function", 2).use("m", "`m`/B#m().")
    facts.relates("`m`/B#m().", "`m`/A#m().")
    tree.store()


def test_edges_through_overriding_come_on_request_and_say_so(tree: Any) -> None:
    overriding(tree)
    plain = {"direction": "incoming", "depth": 1}
    assert incoming(tree.ask("call-hierarchy", "B.m", **plain)) == ["two 8:7"]
    given = tree.ask("call-hierarchy", "B.m", include_overrides=True, **plain)
    assert incoming(given) == ["one 6:7 overrides", "two 8:7"]
    given = tree.ask("call-hierarchy", "one", include_overrides=True, direction="outgoing")
    assert outgoing(given) == ["A.m 6:7 +", "B.m 6:7 + overrides"]


def test_each_symbol_that_matches_has_its_tree_and_pages_hold_every_tree_once(tree: Any) -> None:
    overriding(tree)
    whole = tree.ask("call-hierarchy", "m")
    assert [tree_of(whole, number).root.qualified_name for number in range(2)] == ["A.m", "B.m"]
    assert (whole.page.total, whole.page.next_cursor) == (2, None)
    first = tree.ask("call-hierarchy", "m", limit=2)
    assert [row.root.qualified_name for row in first.rows] == ["A.m"]
    assert first.page.next_cursor is not None
    second = tree.ask("call-hierarchy", "m", limit=2, cursor=first.page.next_cursor)
    assert [(row.root.qualified_name, row.of) for row in second.rows] == [("B.m", 1)]
    assert second.page.next_cursor is None


def test_call_sites_in_changed_files_are_dropped_and_told(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def run(): 0\n").define("run", "`m`/run().", "function", 1)
    uses = tree.file(unit, "u.py", "def one():\n    run()\n")
    uses.define("one", "`u`/one().", "function", 2).use("run", "`m`/run().")
    tree.store()
    tree.write("u.py", "def one():\n    pass\n")
    given = tree.ask("call-hierarchy", "run", direction="incoming")
    assert incoming(given) == []
    assert (given.page.total, given.page.truncated) == (None, True)
    assert [(one.code, one.dropped_rows) for one in given.page.coverage.reasons] == [("files_changed", 1)]


def test_scope_options_are_about_the_call_site(tree: Any) -> None:
    chain(tree)
    given = tree.ask("call-hierarchy", "b", scope={"patterns": ("other.py",)})
    assert (incoming(given), outgoing(given)) == ([], [])


def test_names_and_calls_that_nobody_bound_are_counted(tree: Any) -> None:
    unit = tree.unit()
    facts = tree.file(unit, "m.py", "def run():\n    x.other()\n")
    facts.define("run", "`m`/run().", "function", 2).open_call("other")
    tree.file(unit, "n.py", "y.run()\n")
    tree.store()
    coverage = tree.ask("call-hierarchy", "run").page.coverage
    assert (coverage.unresolved, coverage.unresolved_calls) == (1, 1)
    coverage = tree.ask("call-hierarchy", "run", direction="incoming").page.coverage
    assert (coverage.unresolved, coverage.unresolved_calls) == (1, None)
    coverage = tree.ask("call-hierarchy", "run", direction="outgoing").page.coverage
    assert (coverage.unresolved, coverage.unresolved_calls) == (None, 1)


def test_many_callers_and_a_deep_chain_stay_within_the_page(tree: Any) -> None:
    text = "".join(f"def f{n}():\n    f{n + 1}()\n    last()\n" for n in range(1500)) + "def last(): 0\n"
    facts = tree.file(tree.unit(), "m.py", text)
    for n in range(1500):
        facts.define(f"f{n}", f"`m`/f{n}().", "function", 3)
        if n < 1499:
            facts.use(f"f{n + 1}", f"`m`/f{n + 1}().")
        facts.use("last", "`m`/last().")
    facts.define("def last", "`m`/last().", "function", 1)
    tree.store()
    given = tree.ask("call-hierarchy", "last", depth=8)
    row = tree_of(given)
    assert (row.nodes, row.truncated, given.page.truncated) == (100, 1401, True)
    given = tree.ask("call-hierarchy", "f0", depth=8, direction="outgoing", limit=1000)
    assert tree_of(given).nodes == 17
