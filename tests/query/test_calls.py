"""What a definition calls: its own calls only, or all of a class or module (contract §5)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.model.calls import CallRow
from tests.query.conftest import edges, labels

A, GO, INNER, OUT = "`m`/A#", "`m`/A#go().", "`m`/A#go().inner().", "`m`/out()."
PRINT = "python pypi lib 3 `builtins`/print()."

TEXT = """\
@out
class A:
    size = out()
    @out
    def go(self, give):
        def inner():
            print(out())
        give(); inner()
        return out
def out():
    A()
out()
"""


def build(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", TEXT).define("", "`m`/__init__:", "module", 12)
    told.use("out", OUT, "decorator").define("A", A, "class", 7).use("out", OUT).use("out", OUT, "decorator")
    told.define("go", GO, "method", 5).local("give", 0, defines=True)
    told.define("inner", INNER, "function", 2).use("print", PRINT).use("out", OUT)
    told.local("give", 0, use="call").use("inner", INNER).use("out", OUT, "value")
    told.define("out", OUT, "function", 2).use("A", A, "construct").use("out", OUT)
    tree.store()


EVERYTHING = [
    "m.py:1:2 decorator m -> out",
    "m.py:3:12 call m -> out",
    "m.py:4:6 decorator m -> out",
    "m.py:7:13 call A.go.inner -> print",
    "m.py:7:19 call A.go.inner -> out",
    "m.py:8:9 call A.go -> give",
    "m.py:8:17 call A.go -> A.go.inner",
    "m.py:11:5 construct out -> A",
    "m.py:12:1 call m -> out",
]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("A.go", EVERYTHING[5:7]),
        ("inner", EVERYTHING[3:5]),
        ("A", EVERYTHING[1:7]),
        ("out", EVERYTHING[7:8]),
        ("m", EVERYTHING),
    ],
    ids=["method", "nested", "class", "function", "module"],
)
def test_calls_of_a_definition(tree: Any, asked: str, expected: list[str]) -> None:
    build(tree)
    given = tree.ask("calls", asked)
    assert edges(given) == expected
    assert (given.page.total, given.page.coverage.state) == (len(expected), "complete")
    assert labels(given.rows) == {"inferred_candidate"}


def test_a_callee_outside_the_workspace_has_its_package(tree: Any) -> None:
    build(tree)
    row = tree.ask("calls", "inner").rows[0]
    assert isinstance(row, CallRow)
    assert (row.callee.path, row.callee.external) == (None, ("lib", "3"))


def test_a_called_parameter_is_the_callee(tree: Any) -> None:
    build(tree)
    row = tree.ask("calls", "A.go").rows[0]
    assert isinstance(row, CallRow)
    assert (row.callee.kind, row.callee.path, row.callee.symbol) == ("variable", "m.py", "local 0")


@pytest.mark.parametrize("limit", [1, 2, 4])
def test_pages_hold_every_row_once(tree: Any, limit: int) -> None:
    build(tree)
    found: list[str] = []
    cursor = None
    while True:
        given = tree.ask("calls", "m", limit=limit, cursor=cursor)
        assert given.page.total == len(EVERYTHING)
        found += edges(given)
        cursor = given.page.next_cursor
        if cursor is None:
            break
    assert found == EVERYTHING


def test_two_symbols_at_one_place_are_two_rows_and_pages_part_them(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", "def f(x):\n    x.go()\n").define("f", "`m`/f().", "function", 2)
    told.use("go", "`n`/B#go().").back().use("x.", "`n`/none.", "value").use("go", "`n`/A#go().")
    tree.store()
    expected = ["m.py:2:7 call f -> A.go", "m.py:2:7 call f -> B.go"]
    assert edges(tree.ask("calls", "f")) == expected
    first = tree.ask("calls", "f", limit=1)
    second = tree.ask("calls", "f", limit=1, cursor=first.page.next_cursor)
    assert edges(first) + edges(second) == expected
    assert (first.page.total, second.page.next_cursor) == (2, None)


def test_a_variable_makes_no_calls(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", "made = out()\n").define("made", "`m`/made.", "variable", 1)
    told.use("out", OUT)
    tree.store()
    given = tree.ask("calls", "made")
    assert (given.rows, given.page.matched_total, given.page.total) == ((), 1, 0)


def test_what_overrides_a_callee_is_called_too_on_request(tree: Any) -> None:
    unit = tree.unit()
    text = "class A:\n    def go(self): ...\nclass B:\n    def go(self): ...\ndef it(a):\n    a.go()\n"
    tree.file(unit, "m.py", text).define("go", "`m`/A#go().", "method", 1).define(
        "go", "`m`/B#go().", "method", 1
    ).relates("`m`/B#go().", "`m`/A#go().").define("it", "`m`/it().", "function", 2).use("go", "`m`/A#go().")
    tree.store()
    assert edges(tree.ask("calls", "it")) == ["m.py:6:7 call it -> A.go"]
    given = tree.ask("calls", "it", include_overrides=True)
    assert edges(given) == ["m.py:6:7 call it -> A.go", "m.py:6:7 call it -> B.go overrides A#go()."]
    assert given.page.total == 2


def test_calls_of_what_only_syntax_knows(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", "def lost():\n    out()\n").parsed("lost", "function", lines=2)
    told.use("out", OUT)
    tree.store()
    assert edges(tree.ask("calls", "lost")) == ["m.py:2:5 call lost -> out"]
    assert edges(tree.ask("calls", "m.py:1#lost")) == ["m.py:2:5 call lost -> out"]


def test_a_function_in_a_local_answers_for_its_calls_and_its_callers(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", "def f():\n    g = lambda: out()\n    g()\n")
    told.define("f", "`m`/f().", "function", 3).parsed("g", "function", "f.g").back()
    told.use("out", OUT).back().use("def", "`m`/none.", "value").local("g", 0, defines=True)
    told.local("g", 0, use="call")
    tree.store()
    for asked in ("m.py:2#f.g", "m.py:2#g", "m.py:2:5", "m.py:2", "f.g"):
        assert edges(tree.ask("calls", asked)) == ["m.py:2:17 call f.g -> out"], asked
        assert edges(tree.ask("callers", asked)) == ["m.py:3:5 call f -> f.g"], asked
        assert [row.enclosing.name for row in tree.refs(asked).rows] == ["f"], asked
        (row,) = tree.ask("call-hierarchy", asked, depth=3).rows
        assert [branch.node.qualified_name for branch in row.incoming] == ["f"], asked
        assert [branch.node.qualified_name for branch in row.outgoing] == ["out"], asked
    (tree_of_f,) = tree.ask("call-hierarchy", "f", direction="outgoing", depth=2).rows
    ((inner, below),) = [(one.node.qualified_name, one.children) for one in tree_of_f.outgoing]
    assert (inner, [one.node.qualified_name for one in below]) == ("f.g", ["out"])
    (row,) = tree.defs("m.py:2#f.g").rows
    assert (row.reliability, row.node.kind, row.body.line) == ("precise_fact", "function", 1)


def test_coverage_is_that_of_the_callers_files(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def f():\n    pass\n").define("f", "`m`/f().", "function", 2)
    tree.file(unit, "bad.py", "def g():\n    pass\n").define("g", "`bad`/g().", "function", 2).broken()
    tree.store()
    assert tree.ask("calls", "f").page.coverage.state == "complete"
    given = tree.ask("calls", "g").page.coverage
    assert [(reason.code, reason.paths) for reason in given.reasons] == [("syntax_errors", ("bad.py",))]
    tree.write("bad.py", "def g():\n    return\n")
    assert tree.ask("calls", "f").page.coverage.state == "complete"
    assert tree.ask("calls", "g").page.coverage.state == "stale"


def test_calls_that_nobody_bound_are_counted(tree: Any) -> None:
    unit = tree.unit()
    text = "class A:\n    x = lost()\n    def go(self):\n        lost()\n        lost().more()\nlost()\n"
    told = tree.file(unit, "m.py", text).define("", "`m`/__init__:", "module", 6)
    told.define("A", A, "class", 5).open_call("lost").define("go", GO, "method", 3)
    told.open_call("lost").open_call("lost").open_call("more").open_call("lost")
    tree.store()
    found = {name: tree.ask("calls", name).page.coverage for name in ("go", "A", "m")}
    assert {name: one.unresolved_calls for name, one in found.items()} == {"go": 3, "A": 4, "m": 5}
    assert {one.state for one in found.values()} == {"complete"}
    assert tree.ask("calls", "go", scope={"patterns": ("n.py",)}).page.coverage.unresolved_calls == 0
    assert tree.ask("calls", "zzz").page.coverage.unresolved_calls is None
    assert tree.ask("callers", "go").page.coverage.unresolved_calls is None


def test_a_call_through_an_import_that_found_nothing_is_a_row_and_counted(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "m.py", "from lost import thing\ndef f():\n    thing()\n")
    told.define("thing", "`m`/thing.", "variable")
    told = told.define("f", "`m`/f().", "function", 2).use("thing", "`m`/thing.")
    tree.store()
    assert tree.ask("calls", "f").page.coverage.unresolved_calls == 0
    tree.file(unit, "n.py", "from lost import other\ndef g():\n    other()\n").binds(
        "other", "`n`/other.", "variable"
    ).define("g", "`n`/g().", "function", 2).use("other", "`n`/other.")
    tree.store()
    given = tree.ask("calls", "g")
    assert edges(given) == ["n.py:3:5 call g -> other"]
    assert given.page.coverage.unresolved_calls == 1


def test_scope_options_are_about_the_call_site(tree: Any) -> None:
    build(tree)
    given = tree.ask("calls", "A.go", scope={"patterns": ("n.py",)})
    assert (given.rows, given.page.total, given.page.outside_scope) == ((), 0, 2)


def test_calls_on_lines_that_moved_are_shown_where_they_are(tree: Any) -> None:
    build(tree)
    tree.write("m.py", "\n" + TEXT.replace("give()", "give( )"))
    given = tree.ask("calls", "A")
    assert edges(given) == [
        "m.py:4:12 call m -> out",
        "m.py:5:6 decorator m -> out",
        "m.py:8:13 call A.go.inner -> print",
        "m.py:8:19 call A.go.inner -> out",
    ]
    assert {row.freshness for row in given.rows} == {"moved"}
    assert (given.page.total, given.page.truncated, given.page.coverage.state) == (None, True, "stale")
    assert [reason.dropped_rows for reason in given.page.coverage.reasons] == [2]


def test_a_call_that_is_in_another_function_now_is_none_of_the_first(tree: Any) -> None:
    build(tree)
    tree.write(
        "m.py", TEXT.replace("        give(); inner()", "    def gone(self):\n        give(); inner()")
    )
    given = tree.ask("calls", "A.go")
    assert (given.rows, given.page.coverage.reasons[0].dropped_rows) == ((), 2)
    tree.write("m.py", TEXT.replace("def go(self, give)", "def go(self, give, more)"))
    assert edges(tree.ask("calls", "A.go")) == [
        "m.py:8:9 call A.go -> give",
        "m.py:8:17 call A.go -> A.go.inner",
    ]


SUITE = """\
function it(name, run) { run(); }
it("adds", () => {
  add(1);
});
it("takes", () => add(2));
"""
IT, ADD = "`a.ts`/it().", "`m.ts`/add()."


@pytest.fixture
def suite(tree: Any) -> Any:
    """A script that defines ``it`` and passes it two callbacks which call ``add``."""
    unit = tree.unit("typescript:.", language="typescript")
    told = tree.file(unit, "a.ts", SUITE).define("it", IT, "function", 1)
    told.use("it", IT).parsed('"adds"', "callback", 'it("adds")', 3).use("add", ADD)
    told.use("it", IT).parsed('"takes"', "callback", 'it("takes")').use("add", ADD)
    tree.store()
    return tree


def test_a_callback_calls_under_its_name(suite: Any) -> None:
    given = suite.ask("callers", "add")
    assert edges(given) == [
        'a.ts:3:3 call it("adds") -> add',
        'a.ts:5:19 call it("takes") -> add',
    ]
    assert [row.caller.kind for row in given.rows if isinstance(row, CallRow)] == ["callback", "callback"]


@pytest.mark.parametrize("asked", ['a.ts:2#it("adds")', "a.ts:4", "a.ts:2"])
def test_a_callback_is_asked_for_its_calls_by_place(suite: Any, asked: str) -> None:
    given = suite.ask("calls", asked)
    assert edges(given) == ['a.ts:3:3 call it("adds") -> add']
    assert [one.kind for one in given.page.matched] == ["callback"]


@pytest.mark.parametrize("verb", ["callers", "refs"])
def test_nothing_names_a_callback(suite: Any, verb: str) -> None:
    given = suite.ask(verb, 'a.ts:2#it("adds")')
    assert (given.rows, [one.kind for one in given.page.matched]) == ((), ["callback"])
    assert [one.coordinate for one in suite.ask(verb, "a.ts:2").page.matched] == ["a.ts:1#it"]
