"""Places in files: the four steps, and that a namesake never answers for a place (contract §3)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.errors import ScopeError
from codetrail.query.engine import exit_status
from codetrail.store import read_occurrences

SOURCE = """\
class Cart:
    # a comment
    def add(self, item):
        count = item
        return count

def total(cart):
    cart.add(1); total(cart)
"""


def build(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "shop/cart.py", SOURCE).define("Cart", "`shop.cart`/Cart#", "class", 5).define(
        "add", "`shop.cart`/Cart#add().", "method", 3
    ).local("item", 0, defines=True).local("count", 1, defines=True).local("item", 0).local(
        "count", 1
    ).define("total", "`shop.cart`/total().", "function", 2).local("cart", 2, defines=True).local(
        "cart", 2
    ).use("add", "`shop.cart`/Cart#add().").use("total", "`shop.cart`/total().").local("cart", 2)
    tree.file(
        unit, "lib/other.py", "class Cart:\n    def add(self): pass\n    def only(self): pass\n"
    ).define("Cart", "`lib.other`/Cart#", "class", 3).define(
        "add", "`lib.other`/Cart#add().", "method", 1
    ).define("only", "`lib.other`/Cart#only().", "method", 1)
    tree.store()


CART, ADD, TOTAL = "shop/cart.py:1#Cart", "shop/cart.py:3#Cart.add", "shop/cart.py:7#total"


@pytest.mark.parametrize(
    ("typed", "expected", "kind"),
    [
        pytest.param("shop/cart.py:1", [CART], None, id="definition-on-line"),
        pytest.param("./shop/cart.py:1", [CART], None, id="dot-slash"),
        pytest.param("shop/cart.py:3", [ADD], None, id="what-a-line-defines-goes-before-its-locals"),
        pytest.param("shop/cart.py:3:9", [ADD], None, id="column"),
        pytest.param(
            "shop/cart.py:3:12", ["shop/cart.py:3#Cart.add"], "place_enclosing", id="behind-the-name"
        ),
        pytest.param("shop/cart.py:8:10", [ADD], None, id="column-of-use"),
        pytest.param("shop/cart.py:8#total", [TOTAL], None, id="name-of-use"),
        pytest.param("shop/cart.py:8#Cart.add", [ADD], None, id="qualified-name-of-use"),
        pytest.param("shop/cart.py:2", [CART], "place_enclosing", id="comment"),
        pytest.param("shop/cart.py:4#Cart.add", [ADD], "place_enclosing", id="name-around"),
        pytest.param("shop/cart.py:4#Cart", [CART], "place_enclosing", id="outer-name-around"),
        pytest.param("shop/cart.py:1#Cart.add", [ADD], "place_in_file", id="name-in-file"),
        pytest.param("shop/cart.py:999#total", [TOTAL], "place_in_file", id="line-beyond-the-end"),
        pytest.param("shop/cart.py:1#only", ["lib/other.py:3#Cart.only"], "place_elsewhere", id="elsewhere"),
        pytest.param("gone.py:1#total", [TOTAL], "place_elsewhere", id="file-that-is-gone"),
        pytest.param(
            "gone.py:1#Cart", ["lib/other.py:1#Cart", CART], "place_elsewhere", id="several-elsewhere"
        ),
        pytest.param("shop/cart.py:1#nothing", [], None, id="no-such-name"),
        pytest.param("shop/cart.py:6", [], None, id="nothing-around"),
        pytest.param("gone.py:1", [], None, id="no-such-file"),
        pytest.param('File "shop/cart.py", line 8, in total', [TOTAL], None, id="traceback"),
        pytest.param("    at total (shop/cart.py:8:5)", [TOTAL], "place_enclosing", id="javascript-trace"),
    ],
)
def test_steps(tree: Any, typed: str, expected: list[str], kind: str | None) -> None:
    build(tree)
    given = tree.defs(typed)
    assert [one.coordinate for one in given.page.matched] == expected
    variants = {row.variant.kind if row.variant else None for row in given.rows}
    assert variants == ({kind} if expected else set())


NAMESAKES = """class Box:
    size = 1
    def N(self): return N()

def N():
    return 1
"""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("u.py:3#N", ["u.py:5#N"], id="there"),
        pytest.param("u.py:3#N()", ["u.py:5#N"], id="with-a-signature"),
        pytest.param("u.py:3#Box.N", ["u.py:3#Box.N"], id="there-with-its-owner"),
        pytest.param("u.py:4#N", ["u.py:5#N"], id="in-file"),
        pytest.param("gone.py:1#N", ["u.py:5#N"], id="elsewhere"),
        pytest.param('File "u.py", line 3, in N', ["u.py:3#Box.N"], id="a-frame-runs"),
        pytest.param('File "gone.py", line 1, in N', ["u.py:5#N", "u.py:3#Box.N"], id="a-frame-has-no-owner"),
    ],
)
def test_a_whole_qualified_name_tells_namesakes_apart(tree: Any, typed: str, expected: list[str]) -> None:
    unit = tree.unit()
    made = tree.file(unit, "u.py", NAMESAKES).define("Box", "`u`/Box#", "class", 3)
    made.define("N", "`u`/Box#N().", "method", 1).use("N", "`u`/N().").define("N", "`u`/N().", "function", 2)
    tree.store()
    given = tree.refs(typed)
    assert sorted(one.coordinate for one in given.page.matched) == sorted(expected)
    assert exit_status(given) == (0 if len(expected) == 1 else 2)


FRAMES = """class Order:
    def add(self, item):
        self.cart.add(item)
        return add(item)

class Cart:
    def add(self, item): pass

def add(item):
    return add(item)
"""


@pytest.mark.parametrize(
    ("typed", "expected", "kind"),
    [
        pytest.param(
            'File "u.py", line 3, in add',
            "u.py:2#Order.add",
            "place_enclosing",
            id="a-method-of-the-name-used",
        ),
        pytest.param(
            'File "u.py", line 4, in add',
            "u.py:2#Order.add",
            "place_enclosing",
            id="a-function-of-the-name-used",
        ),
        pytest.param(
            "    at Order.add (u.py:3:19)", "u.py:2#Order.add", "place_enclosing", id="the-column-of-the-use"
        ),
        pytest.param('File "u.py", line 10, in add', "u.py:9#add", None, id="the-function-calls-itself"),
        pytest.param('File "u.py", line 7, in add', "u.py:7#Cart.add", None, id="the-line-defines-it"),
        pytest.param("u.py:3#add", "u.py:7#Cart.add", None, id="a-coordinate-takes-what-occurs-there"),
    ],
)
def test_a_frame_names_the_function_that_runs(tree: Any, typed: str, expected: str, kind: str | None) -> None:
    unit = tree.unit()
    made = tree.file(unit, "u.py", FRAMES).define("Order", "`u`/Order#", "class", 4)
    made.define("add", "`u`/Order#add().", "method", 3).use("add", "`u`/Cart#add().").use("add", "`u`/add().")
    made.define("Cart", "`u`/Cart#", "class", 2).define("add", "`u`/Cart#add().", "method", 1)
    made.define("add", "`u`/add().", "function", 2).use("add", "`u`/add().")
    tree.store()
    given = tree.defs(typed)
    assert [one.coordinate for one in given.page.matched] == [expected]
    assert [row.variant and row.variant.kind for row in given.rows] == [kind]


def test_strict_takes_the_first_step_only(tree: Any) -> None:
    build(tree)
    assert tree.defs("shop/cart.py:2", input_mode="strict").page.matched == ()
    assert tree.defs("shop/cart.py:1#total", input_mode="strict").page.matched == ()
    assert tree.defs("shop/cart.py:1#Cart", input_mode="strict").page.matched_total == 1


@pytest.mark.parametrize("typed", ["gone.py:1#Cart", "shop/cart.py:8"], ids=["elsewhere", "line-of-uses"])
def test_references_never_choose_between_several(tree: Any, typed: str) -> None:
    build(tree)
    given = tree.refs(typed)
    assert (given.rows, given.page.total, given.page.next_cursor) == ((), 0, None)
    assert given.page.matched_total > 1
    (note,) = given.page.notes
    assert note.code == "ambiguous_place"
    assert "ambiguous" in note.message
    assert exit_status(given) == 2
    assert tree.defs(typed).page.notes == ()
    assert exit_status(tree.defs(typed)) == 0


def test_a_symbol_without_rows_is_matched_all_the_same(tree: Any) -> None:
    build(tree)
    assert (tree.refs("nothing").page.matched_total, tree.refs("only").page.matched_total) == (0, 1)
    assert (tree.refs("only").rows, tree.refs("only").page.total) == ((), 0)
    assert (exit_status(tree.refs("nothing")), exit_status(tree.refs("only"))) == (2, 0)


def test_a_local_answers_for_its_document_only(tree: Any) -> None:
    build(tree)
    given = tree.refs("shop/cart.py:4:9", include_definitions=True)
    assert [(row.range.line, row.range.column, row.name, row.symbol) for row in given.rows] == [
        (3, 8, "count", "local 1"),
        (4, 15, "count", "local 1"),
    ]
    assert given.page.matched[0].coordinate == "shop/cart.py:4#count"
    assert given.rows[1].definition.range.line == 3
    assert given.rows[1].enclosing.qualified_name == "Cart.add"
    assert given.page.coverage.unresolved is None
    assert [row.range.line for row in tree.refs("shop/cart.py:5#count").rows] == [4]
    assert [row.node.range.line for row in tree.defs("shop/cart.py:5#count").rows] == [3]
    assert tree.refs("local 1").page.matched == ()


def test_the_same_local_number_elsewhere_is_another_local(tree: Any) -> None:
    unit = tree.unit()
    for path in ("a.py", "b.py"):
        tree.file(unit, path, "x = 1\nx\n").local("x", 0, defines=True).local("x", 0)
    tree.store()
    assert [row.path for row in tree.refs("b.py:1:1").rows] == ["b.py"]


@pytest.mark.parametrize("kind", ["relative-to-folder", "absolute"])
def test_paths_of_the_caller(tree: Any, kind: str) -> None:
    build(tree)
    typed = "cart.py:1" if kind == "relative-to-folder" else f"{tree.path}/shop/cart.py:1"
    given = tree.defs(typed, typed_from="shop")
    assert given.page.matched[0].coordinate == CART


def test_a_place_outside_the_workspace(tree: Any, tmp_path: Any) -> None:
    build(tree)
    (tmp_path / "out.py").write_text("x\n")
    with pytest.raises(ScopeError) as caught:
        tree.defs(f"{tmp_path}/out.py:1")
    assert caught.value.code == "scope_outside_workspace"


def test_a_changed_file_is_answered_from_its_present_text(tree: Any) -> None:
    build(tree)
    tree.write("shop/cart.py", "\n\n" + SOURCE.replace("count = item", "count = 1"))
    given = tree.defs("shop/cart.py:5")
    assert [(row.node.qualified_name, row.node.range.line, row.reliability) for row in given.rows] == [
        ("Cart.add", 4, "inferred_candidate")
    ]
    given = tree.defs("shop/cart.py:6")
    assert [(row.node.qualified_name, row.variant.kind) for row in given.rows] == [
        ("Cart.add", "place_enclosing")
    ]


@pytest.mark.parametrize(
    ("typed", "variant"),
    [
        ("shop/cart.py:5#Cart.add", None),
        ("shop/cart.py:5", None),
        ("shop/cart.py:10:10", None),
        # Lines that are new, or are other ones now: by what is around them, by the name.
        ("shop/cart.py:6", "place_enclosing"),
        ("shop/cart.py:1#Cart.add", "place_in_file"),
        ("shop/cart.py:3#Cart.add", "place_in_file"),
    ],
)
def test_places_of_a_changed_file_are_those_of_its_present_text(
    tree: Any, typed: str, variant: str | None
) -> None:
    build(tree)
    tree.write("shop/cart.py", "\n\n" + SOURCE.replace("count = item", "count = item + 1"))
    given = tree.refs(typed)
    assert [one.coordinate for one in given.page.matched] == ["shop/cart.py:5#Cart.add"]
    assert [(row.path, row.range.line, row.freshness) for row in given.rows] == [("shop/cart.py", 9, "moved")]
    codes = [
        note.message.rpartition(" ")[2] for note in given.page.notes if note.code == "matched_input_variant"
    ]
    assert codes == ([variant] if variant else [])


def test_a_function_that_is_new_is_none_that_a_compiler_knows(tree: Any) -> None:
    build(tree)
    tree.write("shop/cart.py", SOURCE + "def fresh():\n    total(1)\n")
    assert tree.refs("shop/cart.py:10").page.matched == ()
    assert [row.node.name for row in tree.defs("shop/cart.py:10").rows] == ["fresh"]


def test_a_name_of_a_new_file_is_found_in_that_file(tree: Any) -> None:
    build(tree)
    tree.write("new.py", "x = 1\ndef fresh():\n    pass\nfresh()\n")
    for verb in ("defs", "callers"):
        given = tree.ask(verb, "new.py:1#fresh")
        assert [one.coordinate for one in given.page.matched] == ["new.py:2#fresh"], verb
        (row,) = tree.defs("new.py:1#fresh").rows
        assert row.variant.kind == "place_in_file"


def test_locals_of_a_changed_file_keep_their_names(tree: Any) -> None:
    build(tree)
    tree.write("shop/cart.py", "\n" + SOURCE)
    given = tree.refs("shop/cart.py:6:16#count")
    assert [(row.name, row.range.line) for row in given.rows] == [("count", 5)]


TESTED = 'function suite() {\n  it("adds", () => {\n    f()\n  })\n}\n'


@pytest.mark.parametrize("changed", [False, True], ids=["stored", "changed"])
def test_a_callback_is_found_by_place_only(tree: Any, changed: bool) -> None:
    made = tree.file(tree.unit(), "a.ts", TESTED)
    made.define("suite", "`a.ts`/suite().", "function", 4).parsed('"adds"', "callback", 'suite.it("adds")', 3)
    tree.store()
    if changed:
        tree.write("a.ts", TESTED + "\n")
    for line in (2, 3):
        (row,) = tree.defs(f"a.ts:{line}").rows
        assert (row.node.qualified_name, row.reliability) == ('suite.it("adds")', "parser_fact")
    assert [row.node.name for row in tree.ask("symbols", "adds").rows] == []
    assert [row.node.name for row in tree.ask("symbols", "suite").rows] == ["suite"]


def test_a_callback_is_not_what_it_is_passed_to(tree: Any) -> None:
    """Its name reads like what it is passed to with a signature."""
    made = tree.file(tree.unit(), "a.ts", 'function it() {}\nit("adds", () => 1)\n')
    made.define("it", "`a.ts`/it().", "function", 1).use("it", "`a.ts`/it().")
    made.parsed('"adds"', "callback", 'it("adds")')
    tree.store()
    for asked, name in (('a.ts:2#it("adds")', 'it("adds")'), ("a.ts:2#it", "it"), ("a.ts:1#it(x)", "it")):
        assert [row.node.name for row in tree.defs(asked).rows] == [name], asked


def test_references_inside_a_callback_are_those_of_what_is_around_it(tree: Any) -> None:
    made = tree.file(tree.unit(), "a.ts", TESTED)
    made.define("suite", "`a.ts`/suite().", "function", 4).parsed('"adds"', "callback", 'suite.it("adds")', 3)
    tree.store()
    assert [one.coordinate for one in tree.refs("a.ts:3").page.matched] == ["a.ts:1#suite"]


def build_module(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "pkg/a.py", "class Cart: pass\nhidden\n").define(
        "", "`pkg.a`/__init__:", "module", 9
    ).define("Cart", "`pkg.a`/Cart#", "class", 1).parsed("hidden", "function")
    tree.file(unit, "pkg/b.py", "import x\nfrom pkg import a\n").define(
        "", "`pkg.b`/__init__:", "module", 9
    ).use("a", "`pkg.a`/__init__:", "import")
    tree.file(unit, "pkg/c.py", "x = 1\n").define("", "`pkg.c`/__init__:", "module", 9).local(
        "x", 0, defines=True
    )
    tree.store()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("pkg/a.py:1", "pkg/a.py:1#Cart", id="class-on-the-first-line"),
        pytest.param("pkg/a.py:1:1", "pkg/a.py:1#pkg.a", id="start-of-the-file"),
        pytest.param("pkg/a.py:1#pkg.a", "pkg/a.py:1#pkg.a", id="named"),
        pytest.param("pkg/b.py:1", "pkg/b.py:1#pkg.b", id="nothing-else-on-the-line"),
        pytest.param("pkg/b.py:2", "pkg/a.py:1#pkg.a", id="use-of-a-module"),
        pytest.param("pkg/c.py:1", "pkg/c.py:1#x", id="local-on-the-first-line"),
        pytest.param("pkg/c.py:1:1", "pkg/c.py:1#x", id="local-at-the-start"),
    ],
)
def test_a_module_answers_only_where_nothing_else_stands(tree: Any, typed: str, expected: str) -> None:
    build_module(tree)
    assert [one.coordinate for one in tree.refs(typed).page.matched] == [expected]


@pytest.mark.parametrize("typed", ["pkg.a.hidden", "a.hidden", "hidden"])
def test_the_module_of_what_only_syntax_knows(tree: Any, typed: str) -> None:
    build_module(tree)
    assert [one.coordinate for one in tree.defs(typed).page.matched] == ["pkg/a.py:2#hidden"]
    assert tree.defs("pkg.b.hidden").rows[0].variant.kind == "last_part"


def test_a_line_full_of_locals_is_unpacked_once(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    unit = tree.unit()
    facts = tree.file(unit, "a.py", "; ".join(f"x{number} = 1" for number in range(300)) + "\n")
    for number in range(300):
        facts.local(f"x{number}", number, defines=True)
    tree.store()
    unpacked: list[int] = []
    read = read_occurrences.locals_of

    def counted(shard: Any, doc: int) -> Any:
        unpacked.append(doc)
        return read(shard, doc)

    monkeypatch.setattr("codetrail.query.snapshot.locals_of", counted)
    given = tree.defs("a.py:1", limit=1000)
    assert (len(given.rows), given.page.total) == (300, 300)
    assert unpacked == [1]


CROWDED = """export const a = 1;
const h: Handler = { run() {} };
namespace Space { }
use(this);
"""


def build_crowded(tree: Any) -> None:
    unit = tree.unit("typescript:.", language="typescript")
    file = tree.file(unit, "dec.ts", CROWDED)
    file.define("", "`dec.ts`/", "file", 9).define("a", "`dec.ts`/a.", "variable", 1)
    file.define("h", "`dec.ts`/h.", "variable").define("run", "`dec.ts`/h.run().", "method", 1)
    file.back().use("run", "`lib.ts`/Handler#run().")
    file.define("Space", "`dec.ts`/Space/", "namespace", 1)
    tree.file(unit, "all.ts", "\n\n").define("", "`all.ts`/", "file", 2)
    tree.store()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("dec.ts:1", "dec.ts:1#a", id="the-file-gives-way-to-what-stands-on-its-first-line"),
        pytest.param("dec.ts:1:14", "dec.ts:1#a", id="column"),
        pytest.param("dec.ts:3", "dec.ts:3#dec.ts.Space", id="a-namespace-is-a-definition"),
        pytest.param("dec.ts:3:17", "dec.ts:3#dec.ts.Space", id="inside-a-namespace"),
        pytest.param("all.ts:1", "all.ts:1#all.ts", id="nothing-but-the-file"),
        pytest.param("dec.ts:2#run", "dec.ts:2#h.run", id="the-same-by-name"),
    ],
)
def test_what_is_defined_at_a_place_goes_before_what_only_stands_there(
    tree: Any, typed: str, expected: str
) -> None:
    build_crowded(tree)
    assert [one.coordinate for one in tree.refs(typed).page.matched] == [expected]


def test_who_points_at_a_name_may_mean_every_symbol_that_stands_there(tree: Any) -> None:
    build_crowded(tree)
    given = tree.refs("dec.ts:2:22").page
    assert sorted(one.coordinate.rsplit("/", 1)[-1] for one in given.matched) == [
        "Handler#run().",
        "dec.ts:2#h.run",
    ]


def test_a_file_is_not_around_its_lines(tree: Any) -> None:
    build_crowded(tree)
    assert tree.refs("dec.ts:4").page.matched == ()


ONE_LINE = """class D { over(this: D) { } last() { } }
function after() { }
"""


@pytest.mark.parametrize("changed", [False, True], ids=["as-indexed", "changed"])
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("d.ts:1:16", "D.over", id="in-the-first"),
        pytest.param("d.ts:1:24", "D.over", id="in-its-body"),
        pytest.param("d.ts:1:28", "D", id="between-both"),
        pytest.param("d.ts:1:36", "D.last", id="in-the-second"),
        pytest.param("d.ts:1:39", "D", id="behind-both"),
        pytest.param("d.ts:1:41", None, id="behind-all"),
        pytest.param("d.ts:2:19", "after", id="on-the-next-line"),
    ],
)
def test_a_definition_around_a_place_holds_its_column(
    tree: Any, typed: str, expected: str | None, changed: bool
) -> None:
    unit = tree.unit("typescript:.", language="typescript")
    tree.file(unit, "d.ts", ONE_LINE).parsed("D", "class", columns=(0, 40)).parsed(
        "over", "method", "D.over", columns=(10, 27)
    ).parsed("last", "method", "D.last", columns=(28, 38)).parsed("after", "function", columns=(0, 20))
    tree.store()
    if changed:
        tree.write("d.ts", ONE_LINE + "// more\n")
    rows = tree.defs(typed).rows
    assert [(row.node.qualified_name, row.variant.kind) for row in rows] == (
        [(expected, "place_enclosing")] if expected else []
    )
