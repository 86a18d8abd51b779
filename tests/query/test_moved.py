"""Which symbols of before may be what syntax sees in the text of now (contract §6)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.model.symbols import Package
from codetrail.query.groups import bears
from codetrail.store.read_symbols import SymbolRow
from tests.query.conftest import edges


@pytest.mark.parametrize(
    ("descriptors", "qualified", "expected"),
    [
        ("`m`/go().", "go", True),
        ("`m`/go().", "come", False),
        ("`m`/go().", "A.go", False),
        ("`m`/A#go().", "A.go", True),
        ("`m`/A#go().", "go", False),
        ("`m`/A#go().", "B.go", False),
        ("`m`/A#go().", "A.B.go", False),
        ("`m`/f().g().", "f.g", True),
        ("`m`/f().g().", "g", False),
        # An object that is assigned to a name owns its members for compilers, and for syntax it need not.
        ("`m`/f().anon0:held.part.", "f.held.part", True),
        ("`m`/f().anon0:held.part.", "f.part", True),
        ("`m`/f().anon0:held.part.", "g.part", False),
        ("`m`/f().anon0:held.part.", "held.part", False),
        # So do namespaces, which a qualified name leaves out.
        ("`a.ts`/N/go().", "go", True),
        ("`a.ts`/N/go().", "N.go", True),
        ("`a.ts`/N/go().", "M.go", False),
        ("`a.ts`/A#`<constructor>`().", "A.constructor", True),
        ("`a.ts`/A#`<get>size`().", "A.size", True),
        ("`m`/A#", "A", True),
    ],
)
def test_a_symbol_bears_a_name_that_syntax_gives(descriptors: str, qualified: str, expected: bool) -> None:
    package = Package("codetrail-py", "python", "shop", "1.0")
    row = SymbolRow(1, f"codetrail-py python shop 1.0 {descriptors}", package, descriptors, 0, "", *[0] * 9)
    assert bears(row, qualified) is expected


TEXT = """\
class A {
  run() {
    go();
  }
}
function other() {
  go();
}
"""


def build(tree: Any) -> None:
    made = tree.file(tree.unit("typescript:.", language="typescript"), "a.ts", TEXT)
    made.define("A", "`a.ts`/A#", "class", 5).define("run", "`a.ts`/A#run().", "method", 3)
    made.use("go", "`b.ts`/go().").define("other", "`a.ts`/other().", "function", 3).use("go", "`b.ts`/go().")
    tree.store()


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        pytest.param("", "", ["a.ts:3:5 call A.run -> go", "a.ts:7:3 call other -> go"], id="as-it-was"),
        pytest.param(
            "run()", "run(more)", ["a.ts:3:5 call A.run -> go", "a.ts:7:3 call other -> go"], id="line"
        ),
        pytest.param("A", "B", ["a.ts:3:5 call B.run -> go", "a.ts:7:3 call other -> go"], id="owner"),
        pytest.param(
            "}\nfunction other() {\n",
            "",
            ["a.ts:3:5 call A.run -> go", "a.ts:5:3 call a.ts -> go"],
            id="gone",
        ),
        pytest.param(
            "    go",
            "    on(() => 1);\n    go",
            ["a.ts:4:5 call A.run -> go", "a.ts:8:3 call other -> go"],
            id="new",
        ),
    ],
)
def test_the_caller_is_the_one_of_the_present_text(
    tree: Any, before: str, now: str, expected: list[str]
) -> None:
    build(tree)
    if before:
        assert TEXT.count(before) == 1
        tree.write("a.ts", TEXT.replace(before, now))
    assert edges(tree.ask("callers", "go")) == expected
