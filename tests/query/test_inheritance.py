"""Constructions of classes that declare no constructor run the one that they inherit (contract §5)."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.model.answers import Answer
from codetrail.model.calls import CallRow
from tests.query.test_hierarchy import outgoing

PYTHON = {
    "child": ("class A:\n    def __init__(self): 0\nclass B(A): 0\n", {"B": ["A"]}, {"A": ["A", "B"]}),
    "grandchild": (
        "class A:\n    def __init__(self): 0\nclass B(A): 0\nclass C(B): 0\n",
        {"B": ["A"], "C": ["B"]},
        {"A": ["A", "B", "C"]},
    ),
    "grandchild, told as such": (
        "class A:\n    def __init__(self): 0\nclass B(A): 0\nclass C(B): 0\n",
        {"B": ["A"], "C": ["B", "A"]},
        {"A": ["A", "B", "C"]},
    ),
    "own constructor between": (
        "class A:\n    def __init__(self): 0\nclass B(A):\n    def __init__(self): 0\nclass C(B): 0\n",
        {"B": ["A"], "C": ["B", "A"]},
        {"A": ["A"], "B": ["B", "C"]},
    ),
    "diamond": (
        "class A:\n    def __init__(self): 0\nclass B(A): 0\nclass C(A):\n    def __init__(self): 0\n"
        "class D(B, C): 0\n",
        {"B": ["A"], "C": ["A"], "D": ["B", "C"]},
        {"A": ["A", "B"], "C": ["C", "D"]},
    ),
    "two bases that have one": (
        "class A:\n    def __init__(self): 0\nclass B:\n    def __init__(self): 0\nclass C(A, B): 0\n",
        {"C": ["A", "B"]},
        {"A": ["A", "C"], "B": ["B", "C"]},
    ),
    "circle": (
        "class A:\n    def __init__(self): 0\nclass B(A): 0\n",
        {"A": ["B"], "B": ["A"]},
        {"A": ["A", "B"]},
    ),
}


def write(tree: Any, text: str, bases: dict[str, list[str]]) -> None:
    facts = tree.file(tree.unit(), "m.py", text)
    classes = [word for word in text.split() if word[0] in "ABCD" and word[1:2] in ":("]
    at = 0
    for head in classes:
        name = head[0]
        facts.define(name, f"`m`/{name}#", "class", 1)
        at = text.index(f"class {name}", at)
        if text[at:].split("\n")[0].endswith(":"):
            facts.define("__init__", f"`m`/{name}#__init__().", "method", 1)
        for base in bases.get(name, ()):
            facts.relates(f"`m`/{name}#", f"`m`/{base}#")
    used = tree.file(tree.unit("uses"), "u.py", "".join(f"{head[0]}()\n" for head in classes))
    for head in classes:
        used.use(head[0], f"`m`/{head[0]}#", "construct")
    tree.store()


def constructed(given: Answer) -> list[str]:
    return [row.callee.qualified_name for row in given.rows if isinstance(row, CallRow)]


@pytest.mark.parametrize(("text", "bases", "expected"), PYTHON.values(), ids=PYTHON.keys())
def test_callers_of_a_constructor_construct_what_inherits_it(
    tree: Any, text: str, bases: dict[str, list[str]], expected: dict[str, list[str]]
) -> None:
    write(tree, text, bases)
    for owner, classes in expected.items():
        given = tree.ask("callers", f"{owner}.__init__")
        assert constructed(given) == classes
        assert given.page.total == len(classes)


def test_a_tree_leads_from_a_construction_to_the_inherited_constructor(tree: Any) -> None:
    unit = tree.unit()
    text = (
        "class A:\n    def __init__(self):\n        run()\nclass B(A): 0\ndef run(): 0\ndef go():\n    B()\n"
    )
    facts = tree.file(unit, "m.py", text)
    facts.define("A", "`m`/A#", "class", 3).define("__init__", "`m`/A#__init__().", "method", 2)
    facts.use("run", "`m`/run().").define("B", "`m`/B#", "class", 1).relates("`m`/B#", "`m`/A#")
    facts.define("run", "`m`/run().", "function", 1).define("go", "`m`/go().", "function", 2)
    facts.use("B", "`m`/B#", "construct")
    tree.store()
    assert outgoing(tree.ask("call-hierarchy", "go", depth=3)) == ["A.__init__ 7:5 +", "  run 3:9 +"]


SIGNED = {
    "extends": ("class B extends A", ["A", "B"]),
    "implements": ("class B implements A", ["A"]),
    "extends one and implements another": ("class B<T> extends A implements I<A>", ["A", "B"]),
    "implements what has one": ("class B extends Other implements A", ["A"]),
    "nothing is told": ("", ["A"]),
}


@pytest.mark.parametrize(("signature", "expected"), SIGNED.values(), ids=SIGNED.keys())
def test_a_class_that_implements_another_does_not_inherit_from_it(
    tree: Any, signature: str, expected: list[str]
) -> None:
    text = "class A {\n  constructor() {}\n}\nclass I {}\nclass B {}\nnew A();\nnew B();\n"
    facts = tree.file(tree.unit(), "m.ts", text)
    facts.define("A", "`m`/A#", "class", 3, "class A")
    facts.define("constructor", "`m`/A#`<constructor>`().", "constructor", 1)
    facts.define("I", "`m`/I#", "class", 1, "class I").define("B", "`m`/B#", "class", 1, signature)
    facts.relates("`m`/B#", "`m`/A#").relates("`m`/B#", "`m`/I#")
    facts.use("A", "`m`/A#", "construct").use("B", "`m`/B#", "construct")
    tree.store()
    assert constructed(tree.ask("callers", "A.constructor")) == expected


def test_a_class_that_a_decorator_may_give_a_constructor_inherits_none(tree: Any) -> None:
    text = "class A:\n    def __init__(self): 0\n@dataclass\nclass B(A): 0\nB()\n"
    facts = tree.file(tree.unit(), "m.py", text)
    facts.define("A", "`m`/A#", "class", 2).define("__init__", "`m`/A#__init__().", "method", 1)
    facts.use("dataclass", "`d`/dataclass().", "decorator")
    facts.define("B", "`m`/B#", "class", 1, above=1).relates("`m`/B#", "`m`/A#")
    facts.use("B", "`m`/B#", "construct")
    tree.store()
    assert constructed(tree.ask("callers", "A.__init__")) == []
