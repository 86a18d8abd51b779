"""Hand-made answers and reports, the golden files they print to, and a validator for everything printed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from codetrail.model.answers import (
    Answer,
    Coverage,
    External,
    Matched,
    Node,
    Note,
    Page,
    Provenance,
    Reason,
    ReferenceRow,
    SymbolRow,
    Variant,
)
from codetrail.model.calls import SCIP, CallRow
from codetrail.model.counts import SymbolCounts
from codetrail.model.facts import (
    INFERRED_CANDIDATE,
    PARSER_FACT,
    PRECISE_FACT,
    ROLE_DEFINITION,
    ROLE_IMPORT,
    ROLE_READ,
    ROLE_TEST,
    ROLE_WRITE,
)
from codetrail.model.hierarchy import Branch, HierarchyRow, Relations
from codetrail.model.overrides import Via
from codetrail.model.ranges import Range
from codetrail.model.source_block import SourceBlock
from codetrail.output import schema_files

GOLDEN = Path(__file__).parent / "golden"
REFRESH = "CODETRAIL_REFRESH_GOLDEN"
"""Set to 1, rewrites the golden files instead of comparing; read the difference before committing."""

SHOP = "python python shop 1.0 `shop.cart`/"
CART = Node(
    "class", "Cart", "Cart", "class Cart", "python", "shop/cart.py", Range(9, 6, 9, 10), SHOP + "Cart#"
)
ADD = Node(
    "method",
    "add",
    "Cart.add",
    "def add(self, item: Item) -> None",
    "python",
    "shop/cart.py",
    Range(14, 8, 14, 11),
    SHOP + "Cart#add().",
)
MAIN = Node(
    "function", "main", "main", None, "python", "shop/__main__.py", Range(2, 4, 2, 8), SHOP + "main()."
)
TESTS = Node(
    "module", "tests.test_cart", "tests.test_cart", None, "python", "tests/test_cart.py", Range(0, 0, 0, 0)
)
COMPLETE = Coverage("complete", unresolved=0)

HOSTILE = (
    "\x1b]52;c;cm0gLXJm\x07\x1b[2J[bold]x[/bold]\u202e\u2066gpj\u200b\U000e0041\n\r\t\udcff\ud800\x7f\x9b"
)


def use(
    path: str, line: int, column: int, text: str, verb: str | None, roles: int, where: Node, **more: Any
) -> ReferenceRow:
    """Make one use of ``Cart.add``; ``line`` and ``column`` are 0-based."""
    defaults: dict[str, Any] = {"definition": ADD, "reliability": PRECISE_FACT, "of": 0, "name": "add"}
    values = defaults | more
    span = Range(line, column, line, column + len(values["name"]))
    return ReferenceRow(
        symbol=more.pop("symbol", ADD.symbol),
        language="python",
        path=path,
        range=span,
        text=text,
        use=verb,
        roles=roles,
        enclosing=where,
        **{key: item for key, item in values.items() if key != "symbol"},
    )


def _hostile() -> Answer:
    node = Node(
        "function", HOSTILE, HOSTILE, HOSTILE, "python", f"a/{HOSTILE}.py", Range(0, 0, 0, 1), HOSTILE
    )
    row = use(
        f"-{HOSTILE}.py", 0, 4, f"\tx{HOSTILE}", "call", ROLE_READ, node, definition=node, symbol=HOSTILE
    )
    coverage = Coverage(
        "partial",
        (Reason("files_changed", "files changed since they were indexed", "python", 1, (f"{HOSTILE}.py",)),),
        unresolved=1,
        unresolved_in=((f"{HOSTILE}.py", 1),),
        next=("codetrail", "index", "build", "--path", HOSTILE),
    )
    page = Page(coverage, total=1, matched=(Matched(HOSTILE, "function", 1),), matched_total=1, root=HOSTILE)
    return Answer((row,), page)


def _code() -> Answer:
    """Make rows with source: whole lines, hostile ones, and one that the cap left without."""
    add = ("\tdef add(self, item):", "", "\t\treturn self.items.append(item)  ", "# größe")
    forged = ("", f"coverage: complete{HOSTILE}", "class  Cart  a.py:1  defs=a.py:1#Cart", "\x0c\u2028\x85")
    rows = tuple(
        SymbolRow(node, None, PRECISE_FACT, True, of, source=source)
        for of, (node, source) in enumerate(
            (
                (ADD, SourceBlock("shop/cart.py", 8, add, False)),
                (CART, SourceBlock(f"a/{HOSTILE}.py", 0, forged, True)),
                (MAIN, None),
            )
        )
    )
    note = Note("ambiguous_include_code_capped", "only the best carry source")
    return Answer(rows, Page(COMPLETE, total=3, notes=(note,)))


def _answers() -> dict[str, Answer]:
    said = Provenance("python", "basedpyright", "1.39.0", "python:.", "s1", "ab" * 32, "2026-01-02T03:04:05Z")
    definitions = (
        SymbolRow(CART, Range(9, 0, 40, 0), PRECISE_FACT, True, 0),
        SymbolRow(
            ADD._replace(path="shop/old cart.py", symbol=None),
            Range(14, 4, 18, 0),
            PARSER_FACT,
            True,
            1,
            variant=Variant("style", "Cart.add"),
        ),
        SymbolRow(
            ADD._replace(kind="variable", name="größe", qualified_name="größe", signature=None),
            None,
            INFERRED_CANDIDATE,
            False,
            2,
            freshness="moved",
            origin="import",
            provenance=said,
        ),
        SymbolRow(
            Node(
                "function",
                "getcwd",
                "getcwd",
                symbol="python os . getcwd().",
                external=External("os", "3.11"),
            ),
            None,
            PRECISE_FACT,
            True,
            3,
        ),
    )
    on_cart: dict[str, Any] = {"name": "C", "alias": "C", "of": 1, "symbol": CART.symbol, "definition": CART}
    moved_on: dict[str, Any] = on_cart | {"reliability": INFERRED_CANDIDATE, "freshness": "moved"}
    imported, written = ROLE_IMPORT | ROLE_TEST, ROLE_WRITE | ROLE_TEST
    test, twice = "tests/test_cart.py", "\tC.add = 1; C.add = 2"
    own: dict[str, Any] = {"symbol": "local 3", "definition": None, "of": 2}
    uses = (
        use("shop/__main__.py", 4, 9, "    cart.add(cart.add)  # twice", "call", ROLE_READ, MAIN),
        use("shop/__main__.py", 4, 18, "    cart.add(cart.add)  # twice", "value", ROLE_READ, MAIN),
        use(test, 0, 25, "from shop import Cart as C", "import", imported, TESTS, **on_cart),
        use(test, 8, 1, twice, "write", written, TESTS, **moved_on),
        use(test, 8, 12, twice, "write", written, TESTS, **moved_on),
        use("shop/cart.py", 14, 8, "    def add(self, item):", None, ROLE_DEFINITION, CART, **own),
    )
    partial = Coverage(
        "partial",
        (
            Reason("provider_failed", "the provider failed on units", "python", 1),
            Reason("files_changed", "files changed since they were indexed", None, 2, ("a.py", "b c.py"), 3),
        ),
        unresolved=3,
        unresolved_in=(("a.py", 2), ("b c.py", 1)),
        bound_elsewhere=7,
        next=("codetrail", "index", "build"),
    )
    matched = (
        Matched("shop/cart.py:15#Cart.add", "method", 12),
        Matched("shop/cart.py:10#Cart", "class", 3),
        Matched("shop/cart.py:15:9", "variable", None),
    )
    counted = (
        definitions[0]._replace(counts=SymbolCounts(0, 1, 2, 3, 4, 5)),
        definitions[0]._replace(
            node=ADD, of=1, counts=SymbolCounts(7, 6, 1, 2, 0, 0, at_least=True, decorated=True)
        ),
        definitions[1],
    )
    base = ADD._replace(qualified_name="Base.add", path="shop/base.py", symbol=SHOP + "Base#add().")
    outside = Node(
        "method", "add", "Set.add", symbol="python lib . Set#add().", external=External("lib", "1")
    )
    from_base: dict[str, Any] = {"symbol": base.symbol, "definition": base}
    from_outside: dict[str, Any] = {"symbol": outside.symbol, "definition": outside}
    related = (
        use(
            "a.py", 0, 2, "x.add(y)", "call", ROLE_READ, MAIN, via=Via("overrides", SHOP + "Base#add().")
        )._replace(**from_base),
        use("b.py", 0, 2, "x.add(y.add)", "call", ROLE_READ, MAIN),
        use("b.py", 0, 8, "x.add(y.add)", "value", ROLE_READ, MAIN)._replace(
            via=Via("overridden", "python lib . Set#add()."), **from_outside
        ),
        use(
            "c.py",
            0,
            2,
            "x.add(y)",
            "call",
            ROLE_READ,
            MAIN,
            of=1,
            via=Via("overrides", SHOP + "Base#add()."),
        )._replace(**from_base),
    )
    out = Node(
        "method", "append", "list.append", symbol="python std 3 list#append().", external=External("std", "3")
    )
    here: dict[str, Any] = {"language": "python", "use": "call", "basis": SCIP, "of": 0}
    twice = "    cart.add(cart.add(1))"
    calls = (
        CallRow(MAIN, ADD, path="a b.py", range=Range(4, 9, 4, 12), text=twice, **here),
        CallRow(MAIN, ADD, path="a b.py", range=Range(4, 18, 4, 21), text=twice, **here),
        CallRow(MAIN, CART, path="c.py", range=Range(5, 4, 5, 8), text="Cart()", **here)._replace(
            use="construct", provenance=said._replace(evidence="occurrence + syntax")
        ),
        CallRow(ADD, out, path="c.py", range=Range(15, 14, 15, 20), text="x.append(y)", **here),
        CallRow(
            TESTS._replace(kind="callback", name='it("adds")', qualified_name='it("adds")'),
            base,
            path="c.test.ts",
            range=Range(5, 4, 5, 7),
            text=f"x.add(){HOSTILE}",
            **here | {"basis": "parser", "language": "typescript", "of": 1},
        )._replace(via=Via("overrides", SHOP + "Base#add()."), freshness="moved"),
        CallRow(
            MAIN, ADD._replace(path=None, range=None), path="c.py", range=Range(5, 4, 5, 7), text="y", **here
        ),
    )
    hostile = Node("function", HOSTILE, HOSTILE, f"def {HOSTILE}(x)", "python", "t.py", Range(1, 0, 1, 3))
    again = Branch(CART, False, "t.py", (Range(2, 1, 2, 5),), SCIP, mark="repeated")
    cycle = Branch(ADD, True, "m.py", (Range(1, 1, 1, 4),), SCIP, mark="cycle")
    sites = (Range(4, 9, 4, 12), Range(4, 18, 4, 21), Range(6, 0, 6, 3))
    base_add = Via("overrides", SHOP + "Base#add().")
    hierarchies = (
        HierarchyRow(
            ADD,
            True,
            (
                Branch(MAIN, True, "a b.py", sites, SCIP, children=(cycle,)),
                Branch(hostile, True, "t.py", (Range(7, 0, 7, 3),), "parser", children=(again,), truncated=2),
                Branch(TESTS, False, "t.py", (Range(9, 0, 9, 3),), SCIP, base_add),
            ),
            (Branch(out, True, "shop/cart.py", (Range(15, 14, 15, 20),), SCIP),),
            0,
            truncated=1,
        ),
        HierarchyRow(MAIN._replace(path=None, range=None), True, (), None, 1, provenance=said),
    )
    return {
        "relations": Answer(
            (
                SymbolRow(
                    ADD,
                    None,
                    PRECISE_FACT,
                    True,
                    0,
                    source=SourceBlock("shop/cart.py", 14, ("def add(self, item):",), True),
                    relations=Relations(hierarchies[0].outgoing or (), hierarchies[0].incoming or (), 0, 3),
                ),
            ),
            Page(COMPLETE, total=1, matched=matched[:1], matched_total=1),
        ),
        "hierarchies": Answer(
            hierarchies, Page(COMPLETE, truncated=True, total=2, matched=matched[:2], matched_total=2)
        ),
        "calls": Answer(calls, Page(COMPLETE, total=6, matched=matched[:2], matched_total=2, value_uses=2)),
        "counts": Answer(counted, Page(COMPLETE, total=3, matched=matched[:2], matched_total=2)),
        "overrides": Answer(related, Page(COMPLETE, total=4, matched=matched[:2], matched_total=2)),
        "definitions": Answer(definitions, Page(COMPLETE, total=4, matched=matched, matched_total=3)),
        "references": Answer(
            uses,
            Page(
                partial,
                truncated=True,
                next_cursor="abc-_1",
                total=None,
                matched=matched,
                matched_total=3,
                root="..",
                notes=(Note("other_units_failed", "units of other languages failed"),),
                outside_scope=4,
            ),
        ),
        "one_symbol": Answer(uses[:2], Page(COMPLETE, total=2, matched=matched[:1], matched_total=1)),
        "no_match": Answer((), Page(Coverage("missing", next=("codetrail", "index", "build")), total=0)),
        "no_rows": Answer(
            (), Page(Coverage("complete", unresolved=2), total=0, matched=matched, matched_total=12)
        ),
        "hostile": _hostile(),
        "code": _code(),
    }


ANSWERS = _answers()


@pytest.fixture(params=sorted(ANSWERS))
def named_answer(request: pytest.FixtureRequest) -> tuple[str, Answer]:
    """Every sample answer in turn, with its name."""
    return request.param, ANSWERS[request.param]


@pytest.fixture
def answers() -> dict[str, Answer]:
    """All sample answers by name."""
    return ANSWERS


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare text with a golden file, or rewrite the file when a refresh was asked for."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get(REFRESH) == "1":
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return compare


@pytest.fixture(scope="session")
def validate() -> Callable[[str, object], None]:
    """Check a value against one of the published schemas."""
    resources = [
        (f"urn:codetrail:{name}", Resource.from_contents(schema_files.read(name)))
        for name in schema_files.NAMES
    ]
    registry: Registry[Any] = Registry().with_resources(resources)

    def check(name: str, value: object) -> None:
        validator = Draft202012Validator(schema_files.read(name), registry=registry)
        problems = [problem.message for problem in validator.iter_errors(value)]
        assert not problems, json.dumps(value)[:500]

    return check
