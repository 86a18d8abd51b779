"""How often symbols are used, and the list of all symbols, fewest references first."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.model import facts
from codetrail.model.answers import Answer, SymbolRow
from codetrail.model.counts import SymbolCounts
from tests.query.conftest import places

BASE, CART, LOOP, FREE = "`m`/Base#run().", "`m`/Cart#run().", "`m`/loop().", "`m`/free()."
CALLS = {"call", "construct", "decorator"}
NONE = SymbolCounts(0, 0, 0, 0, 0, 0)

DEFINED = """\
def run(self):
    pass
def run(self):
    super().run()
def loop():
    loop()
def free():
    pass
"""


@pytest.fixture
def shop(tree: Any) -> Any:
    """A base and its override, a recursion, and a function that nobody uses, used over two units."""
    ours = tree.unit("python:a", root="a")
    told = tree.file(ours, "a/m.py", DEFINED)
    told.define("run", BASE, "method", 2).define("run", CART, "method", 2).use("run", BASE)
    told.define("loop", LOOP, "function", 2).use("loop", LOOP).define("free", FREE, "function", 2)
    told.relates(CART, BASE)
    used = "from m import loop, run\nx.run()\ny.run()\nz.run\nloop\n"
    tree.file(ours, "a/use.py", used).use("loop", LOOP, "import").use("run", BASE, "import").use(
        "run", BASE
    ).use("run", CART).use("run", CART, "value").use("loop", LOOP, "decorator")
    theirs = tree.unit("python:b", root="b")
    tested = "from m import loop, run\nx.run()\nloop()\nrun\n"
    tree.file(theirs, "b/test_use.py", tested).use("loop", LOOP, "import").use("run", CART, "import").use(
        "run", BASE
    ).use("loop", LOOP)
    tree.store()
    return tree


COUNTED = {
    "Base.run": SymbolCounts(refs=3, calls=3, imports=1, tests=1, via_base=0, unresolved=1),
    "Cart.run": SymbolCounts(refs=2, calls=1, imports=1, tests=1, via_base=2, unresolved=1),
    "loop": SymbolCounts(refs=2, calls=3, imports=2, tests=2, via_base=0, unresolved=0),
    "free": NONE,
}


def counts(answer: Answer) -> list[SymbolCounts | None]:
    return [row.counts for row in answer.rows if isinstance(row, SymbolRow)]


@pytest.mark.parametrize("verb", ["defs", "symbols"])
@pytest.mark.parametrize("typed", COUNTED)
def test_each_count(shop: Any, verb: str, typed: str) -> None:
    assert counts(shop.ask(verb, typed, counts=True)) == [COUNTED[typed]]
    assert counts(shop.ask(verb, typed)) == [None]


@pytest.mark.parametrize("typed", COUNTED)
def test_counts_are_those_of_the_rows_of_refs(shop: Any, typed: str) -> None:
    answer = shop.refs(typed, include_overrides=True)
    own = [row for row in answer.rows if row.via is None]
    bodies = [(row.node.path, row.body) for row in shop.defs(typed).rows]

    def outside(row: Any) -> bool:
        return not any(path == row.path and body.contains(*row.range[:2]) for path, body in bodies)

    assert COUNTED[typed] == SymbolCounts(
        refs=sum(row.use != "import" and outside(row) for row in own),
        calls=sum(row.use in CALLS for row in own),
        imports=sum(row.use == "import" for row in own),
        tests=sum(row.path == "b/test_use.py" for row in own),
        via_base=sum(
            row.via is not None and row.via.kind == "overrides" and row.use != "import" and outside(row)
            for row in answer.rows
        ),
        unresolved=answer.page.coverage.unresolved,
    )


SCOPES = {
    "a folder": {"directories": ("a",)},
    "a file": {"patterns": ("m.py",)},
    "a language": {"language": "python"},
}


@pytest.mark.parametrize("case", SCOPES)
def test_counts_are_of_the_whole_workspace_whatever_the_scope(shop: Any, case: str) -> None:
    for typed, expected in COUNTED.items():
        assert counts(shop.defs(typed, counts=True, scope=SCOPES[case])) == [expected]
    listed = shop.ask("symbols", "", counts=True, scope=SCOPES[case])
    assert counts(listed) == [COUNTED[name] for name in ("free", "Cart.run", "loop", "Base.run")]


def test_the_list_is_by_fewest_references(shop: Any) -> None:
    answer = shop.ask("symbols", "", counts=True)
    assert [row.node.qualified_name for row in answer.rows] == ["free", "Cart.run", "loop", "Base.run"]
    assert counts(answer) == [COUNTED[name] for name in ("free", "Cart.run", "loop", "Base.run")]
    assert [row.of for row in answer.rows] == [0, 1, 2, 3]
    assert (answer.page.total, answer.page.matched_total) == (4, 4)
    assert answer.page.matched[0].coordinate == "a/m.py:7#free"
    assert answer.page.coverage.state == "complete"


def test_a_list_of_a_scope_holds_what_the_scope_defines(shop: Any) -> None:
    answer = shop.ask("symbols", "", counts=True, scope={"directories": ("b",)})
    assert answer.rows == ()
    assert (answer.page.total, answer.page.matched_total) == (0, 0)


def test_a_name_keeps_the_order_of_names(shop: Any) -> None:
    answer = shop.ask("symbols", "run", counts=True)
    assert [row.node.qualified_name for row in answer.rows] == ["Base.run", "Cart.run"]


class TestChangedFile:
    """Uses in a file that changed are counted no more, and the counts say that they are lower bounds."""

    @pytest.mark.parametrize(
        ("text", "tokens"), [pytest.param("z.run()\n", 2, id="changed"), pytest.param("", 1, id="emptied")]
    )
    def test_uses_in_it_do_not_count(self, shop: Any, text: str, tokens: int) -> None:
        shop.write("a/use.py", text)
        answer = shop.defs("Cart.run", counts=True)
        # The present text may hold uses that nobody bound: every match of the name counts as unresolved.
        assert counts(answer) == [SymbolCounts(0, 0, 1, 1, 1, tokens, at_least=True)]
        assert answer.page.coverage.state == "partial"
        assert [reason.code for reason in answer.page.coverage.reasons] == ["files_changed"]
        (loop,) = counts(shop.defs("loop", counts=True))
        assert loop == SymbolCounts(1, 2, 1, 2, 0, 0, at_least=True)

    def test_a_deleted_file(self, shop: Any) -> None:
        (shop.path / "b/test_use.py").unlink()
        assert counts(shop.defs("Base.run", counts=True)) == [SymbolCounts(2, 2, 1, 0, 0, 0, at_least=True)]

    def test_a_new_file_holds_tokens_that_nobody_bound(self, shop: Any) -> None:
        shop.write("c.py", "free()\nx.free\nfreedom\n")
        assert counts(shop.defs("free", counts=True)) == [NONE._replace(unresolved=2, at_least=True)]

    def test_the_order_stays_that_of_the_index(self, shop: Any) -> None:
        shop.write("a/use.py", "")
        answer = shop.ask("symbols", "", counts=True)
        assert [row.node.qualified_name for row in answer.rows] == ["free", "Cart.run", "loop", "Base.run"]
        assert [one.refs for one in counts(answer) if one] == [0, 0, 1, 2]

    def test_definitions_of_its_text_stand_last_and_have_no_counts(self, shop: Any) -> None:
        shop.write("a/use.py", "class Fresh:\n    pass\n")
        answer = shop.ask("symbols", "", counts=True)
        assert [row.node.qualified_name for row in answer.rows][-1] == "Fresh"
        assert answer.rows[-1].reliability == facts.PARSER_FACT
        assert answer.rows[-1].counts is None
        assert all(one is not None and one.at_least for one in counts(answer)[:-1])

    def test_trouble_outside_the_scope_is_a_note(self, shop: Any) -> None:
        shop.write("a/use.py", "")
        scope = {"patterns": ("m.py",)}
        answer = shop.defs("free", counts=True, scope=scope)
        assert counts(answer) == [NONE._replace(at_least=True)]
        assert answer.page.coverage.state == "complete"
        assert [note.code for note in answer.page.notes] == ["counts_at_least"]
        assert shop.defs("free", scope=scope).page.notes == ()

    @pytest.mark.parametrize("mode", ["answer", "off"])
    def test_what_is_not_looked_at_is_said(self, shop: Any, mode: str) -> None:
        answer = shop.defs("loop", counts=True, freshness=mode)
        assert counts(answer) == [COUNTED["loop"]._replace(at_least=True)]
        assert [reason.code for reason in answer.page.coverage.reasons] == ["freshness_unchecked"]


def test_a_broken_file_makes_counts_lower_bounds(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def free():\n    pass\n").define("free", FREE, "function", 2)
    tree.file(unit, "b.py", "free(\n").broken()
    tree.store()
    answer = tree.defs("free", counts=True)
    assert counts(answer) == [NONE._replace(unresolved=1, at_least=True)]
    assert [reason.code for reason in answer.page.coverage.reasons] == ["syntax_errors"]


def test_trouble_in_another_language_does_not_concern_a_count(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def free():\n    pass\n").define("free", FREE, "function", 2)
    other = tree.unit("typescript:.", language="typescript")
    tree.file(other, "b.ts", "free()\n").not_precise("failed", "timed_out")
    tree.store()
    assert counts(tree.defs("free", counts=True)) == [NONE]
    listed = tree.ask("symbols", "", counts=True)
    assert counts(listed) == [NONE]
    assert listed.page.coverage.state == "partial"


def test_a_masked_document_does_not_count(tree: Any) -> None:
    unit = tree.unit("python:a", masked=("b.py",))
    tree.file(unit, "a.py", "def free():\n    free()\n").define("free", FREE, "function", 2).use("free", FREE)
    tree.file(unit, "b.py", "free()\ndef gone():\n    pass\n").use("free", FREE).define("gone", "`b`/gone().")
    tree.store()
    assert counts(tree.defs("free", counts=True)) == [NONE._replace(calls=1)]
    listed = tree.ask("symbols", "", counts=True)
    assert [row.node.name for row in listed.rows] == ["free"]


def test_decorated(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "a.py", "@route def free(): pass\n\n@route def plain(): pass\n")
    told.use("route", "`web`/route().", "decorator").define("free", FREE, "function", 1)
    told.define("plain", "`m`/plain().")
    tree.store()
    assert counts(tree.defs("free", counts=True)) == [NONE._replace(decorated=True)]
    assert counts(tree.defs("plain", counts=True)) == [NONE]


def test_a_local_is_counted_in_its_document(tree: Any) -> None:
    unit = tree.unit()
    told = tree.file(unit, "test_a.py", "n = 1\nprint(n, n)\nn\n")
    told.local("n", 0, defines=True).local("(n", 0).local(" n", 0)
    tree.file(unit, "b.py", "n = 1\n").local("n", 0, defines=True)
    tree.store()
    assert counts(tree.defs("test_a.py:1:1", counts=True)) == [SymbolCounts(2, 0, 0, 2, 0, 3)]
    assert counts(tree.defs("b.py:1:1", counts=True)) == [NONE]


def test_what_only_syntax_knows_has_no_counts_and_stands_last(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "z.py", "class Used:\n    pass\nUsed()\n").define("Used", "`z`/Used#", "class", 2).use(
        "Used", "`z`/Used#", "construct"
    )
    told = tree.file(unit, "a.py", "def second(): pass\nclass First: pass\ndef test(): pass\n")
    told.parsed("second", "function").parsed("First", "class").not_precise("parser", "")
    tree.file(unit, "tests/b.py", "class Tested: pass\n").parsed("Tested", "class").not_precise("parser", "")
    tree.store()
    answer = tree.ask("symbols", "", counts=True)
    assert [row.node.name for row in answer.rows] == ["Used", "First", "Tested", "second"]
    assert counts(answer) == [SymbolCounts(1, 1, 0, 0, 0, 0, at_least=True), None, None, None]


def test_without_an_index_there_are_no_counts(tree: Any) -> None:
    tree.write("a.py", "def free():\n    pass\n")
    answer = tree.ask("symbols", "", counts=True)
    assert [row.node.name for row in answer.rows] == ["free"]
    assert counts(answer) == [None]
    assert answer.page.coverage.state == "missing"


def test_an_import_that_found_nothing_is_unresolved_for_all_but_itself(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def free():\n    pass\n").define("free", FREE, "function", 2)
    tree.file(unit, "b.py", "from gone import free\nfree()\n").binds("free", "`b`/free.", "variable").use(
        "free", "`b`/free."
    )
    tree.store()
    assert counts(tree.defs("a.py:1:5", counts=True)) == [NONE._replace(unresolved=2)]
    assert counts(tree.defs("b.py:1:18", counts=True)) == [SymbolCounts(1, 1, 0, 0, 0, 0)]
    assert [tree.refs(place).page.coverage.unresolved for place in ("a.py:1:5", "b.py:1:18")] == [2, 0]


class Told(NamedTuple):
    """A line of file ``file`` of unit ``unit``: what it defines (number, kind) or uses."""

    unit: int
    file: int
    line: int
    symbol: int
    defines: bool


_LINES = 6
_KINDS = ("class", "function", "variable")
_TOLD = st.lists(
    st.builds(
        Told,
        st.integers(0, 1),
        st.integers(0, 1),
        st.integers(0, _LINES - 1),
        st.integers(0, 5),
        st.booleans(),
    ),
    max_size=30,
    unique_by=lambda told: told[:3],
)
_PATHS = ("a.py", "tests/b.py")


def put(tree: Any, lines: list[Told]) -> None:
    for unit in range(2):
        entry = tree.unit(f"python:{unit}", root="uv"[unit])
        for file, path in enumerate(_PATHS):
            own = sorted(one for one in lines if (one.unit, one.file) == (unit, file))
            text = "".join(
                "name\n" if any(one.line == line for one in own) else "-\n" for line in range(_LINES)
            )
            told = tree.file(entry, f"{'uv'[unit]}/{path}", text)
            for one in own:
                symbol = f"s python p 1 m/C{one.symbol}#name{('#', '().', '.')[one.symbol % 3]}"
                if one.defines:
                    told.define("name", symbol, _KINDS[one.symbol % 3])
                else:
                    told.use("name", symbol)
    tree.store()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_TOLD, st.sampled_from([(), ("u",), ("v/tests",)]), st.booleans())
def test_pages_of_any_size_hold_every_row_once_in_order(
    tree: Any, lines: list[Told], folders: tuple[str, ...], changed: bool
) -> None:
    shutil.rmtree(tree.path)
    tree.path.mkdir()
    tree = type(tree)(Path(tree.path))
    put(tree, lines)
    if changed:
        tree.write("u/a.py", "class Now: pass\ndef then(): pass\n")
    scope = {"directories": folders}

    def key(one: Told) -> tuple[str, int]:
        return f"{'uv'[one.unit]}/{_PATHS[one.file]}", one.line

    uses = [sum(one.symbol == number and not one.defines for one in lines) for number in range(6)]
    expected = []
    for number in range(6):
        definitions = sorted(key(one) for one in lines if one.symbol == number and one.defines)
        shown = [place for place in definitions if not folders or place[0].startswith(folders)]
        if shown:
            path, line = definitions[0]
            rank = (0, 1, 3)[number % 3]
            expected.append(((uses[number], rank, "/tests/" in path, path, line, number), shown))
    stands = [
        place for _, shown in sorted(expected) for place in shown if not (changed and place[0] == "u/a.py")
    ]
    if changed and folders != ("v/tests",):
        stands += [("u/a.py", 0), ("u/a.py", 1)]
    whole = tree.ask("symbols", "", counts=True, scope=scope, limit=1000)
    assert [(row.node.path, row.node.range.line) for row in whole.rows] == stands
    assert whole.page.next_cursor is None
    for limit in range(1, len(stands) + 2):
        rows: list[Any] = []
        found: list[str] = []
        cursor = None
        while True:
            page = tree.ask("symbols", "", counts=True, scope=scope, limit=limit, cursor=cursor)
            rows += page.rows
            found += places(page)
            cursor = page.page.next_cursor
            if cursor is None:
                break
        assert tuple(rows) == whole.rows
        assert len(found) == len(set(found))
    gone = {"u/a.py"} if changed else set()
    for row in whole.rows:
        if row.counts is not None:
            number = int(row.node.symbol.partition("#")[0][-1])
            own = [
                one for one in lines if one.symbol == number and not one.defines and key(one)[0] not in gone
            ]
            assert row.counts.refs == row.counts.calls == len(own)
            assert row.counts.tests == sum(one.file == 1 for one in own)
            assert row.counts.at_least == changed
