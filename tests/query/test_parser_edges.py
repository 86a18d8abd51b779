"""Call edges of files that no compiler described: what names and imports tell, labelled, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.model.calls import CallRow
from codetrail.query.freshness import Freshness
from codetrail.query.open_files import OpenFiles
from codetrail.query.snapshot import open_view
from codetrail.query.sources import Sources
from tests.query.conftest import edges, labels

RUN = "`m`/run()."
LIBRARY = """\
def run():
    pass
class Job:
    def __init__(self):
        run()
    def go(self):
        self.go()
"""


def by_syntax(tree: Any, files: dict[str, str], unit: Any = None, language: str = "python") -> None:
    """Write and store files of which only syntax knows."""
    unit = (
        tree.unit("syntax:.", kind="syntax", provider="syntax", language=language) if unit is None else unit
    )
    for path, text in files.items():
        tree.file(unit, path, text).only_syntax()
    tree.store()


def bases(given: Any) -> set[str]:
    return {row.basis for row in given.rows if isinstance(row, CallRow)}


def test_rows_of_syntax_are_labelled_and_never_complete(tree: Any) -> None:
    by_syntax(tree, {"m.py": LIBRARY + "run()\n"})
    for verb, expected in {
        "callers": ["m.py:5:9 call Job.__init__ -> run", "m.py:8:1 call m.py -> run"],
        "calls": [],
    }.items():
        given = tree.ask(verb, "run", explain=True)
        assert edges(given) == expected
        assert given.page.total == len(expected)
        assert labels(given.rows) <= {"inferred_candidate"}
        assert bases(given) <= {"parser"}
        assert given.page.coverage.state == "partial"
        assert [(one.code, one.paths) for one in given.page.coverage.reasons] == [
            ("provider_missing", ("m.py",))
        ]
        for row in given.rows:
            said = row.provenance
            assert (said.provider, said.engine, said.evidence) == (
                "syntax",
                "tree-sitter",
                "call syntax + name",
            )
            assert (row.callee.symbol, row.callee.path) == (None, "m.py")


def test_calls_of_a_class_a_method_and_a_constructor(tree: Any) -> None:
    by_syntax(tree, {"m.py": LIBRARY + "Job()\n"})
    assert edges(tree.ask("calls", "Job")) == [
        "m.py:5:9 call Job.__init__ -> run",
        "m.py:7:14 call Job.go -> Job.go",
    ]
    assert edges(tree.ask("calls", "Job.go")) == ["m.py:7:14 call Job.go -> Job.go"]
    assert edges(tree.ask("callers", "Job")) == ["m.py:8:1 construct m.py -> Job"]
    assert edges(tree.ask("callers", "Job.__init__")) == ["m.py:8:1 construct m.py -> Job"]


@pytest.mark.parametrize(
    ("importer", "expected"),
    [
        ("from m import run\nrun()\n", True),
        ("import m\nm.run()\n", True),
        ("from m import run as other\nother()\n", True),
        ("from . import m\nm.run()\n", True),
        ("from m import *\nrun()\n", False),
        ("run()\n", False),
        ("x.run()\n", False),
        ("from n import run\nrun()\n", False),
        ("from m import run\ndef it(run):\n    run()\n", False),
        ("from m import run\nrun = wrap(run)\nrun()\n", False),
        ("import m\nm.sub.run()\n", False),
    ],
)
def test_a_target_is_reached_through_imports_only(tree: Any, importer: str, expected: bool) -> None:
    by_syntax(tree, {"m.py": "def run():\n    pass\n", "u.py": importer})
    given = tree.ask("callers", "m.py:1#run")
    assert [row.path for row in given.rows] == (["u.py"] if expected else [])
    assert given.page.coverage.unresolved > 0


def test_a_namesake_is_never_a_target(tree: Any) -> None:
    text = "def run():\n    pass\nrun()\n"
    by_syntax(tree, {"a.py": text, "b.py": text, "c.py": "from a import run\nrun()\n"})
    assert edges(tree.ask("callers", "a.py:1#run")) == [
        "a.py:3:1 call a.py -> run",
        "c.py:2:1 call c.py -> run",
    ]
    assert edges(tree.ask("callers", "b.py:1#run")) == ["b.py:3:1 call b.py -> run"]


def test_namesakes_inside_one_file_are_told_apart(tree: Any) -> None:
    text = "def one():\n    def run(): pass\n    run()\ndef one():\n    def run(): pass\n"
    by_syntax(tree, {"m.py": text})
    assert edges(tree.ask("callers", "m.py:2#one.run")) == ["m.py:3:5 call one -> one.run"]
    assert edges(tree.ask("callers", "m.py:5#one.run")) == []


def test_a_file_with_a_precise_layer_gets_no_such_rows(tree: Any) -> None:
    unit = tree.unit()
    text = "def run():\n    pass\nrun()\n"
    tree.file(unit, "m.py", text).define("run", RUN, "function", 2)  # the compiler said nothing of the call
    by_syntax(tree, {"n.py": "from m import run\nrun()\n"})
    given = tree.ask("callers", "run")
    assert edges(given) == ["n.py:2:1 call n.py -> run"]
    assert given.rows[0].callee.symbol.endswith(RUN)
    assert edges(tree.ask("calls", "run")) == []


@pytest.mark.parametrize("verb", ["callers", "calls"])
def test_a_changed_file_with_a_precise_layer_gets_none_either(tree: Any, verb: str) -> None:
    unit = tree.unit()
    text = "def run():\n    run()\n"
    tree.file(unit, "m.py", text).define("run", RUN, "function", 2).use("run", RUN)
    tree.file(unit, "n.py", "")
    tree.store()
    assert [row.basis for row in tree.ask(verb, "run").rows] == ["scip"]
    tree.write("m.py", "\ndef run():\n    run(1)\n")
    tree.write("new.py", "import m\nm.run()\n")
    given = tree.ask(verb, "run")
    assert edges(given) == (["new.py:2:3 call new.py -> run"] if verb == "callers" else [])
    assert (given.page.total, given.page.truncated) == (None, True)


def test_compilers_rows_and_those_of_syntax_are_paged_together(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def run(): pass\nrun()\n").define("run", RUN, "function", 1).use("run", RUN)
    tree.file(unit, "z.py", "from m import run\nrun()\n").use("run", RUN, "import").use("run", RUN)
    by_syntax(tree, {"n.py": "from m import run\nrun(); run()\n"})
    whole = tree.ask("callers", "run")
    assert [row.basis for row in whole.rows] == ["scip", "parser", "parser", "scip"]
    found: list[str] = []
    cursor = None
    for _ in whole.rows:
        given = tree.ask("callers", "run", limit=1, cursor=cursor)
        assert given.page.total == 4
        found += edges(given)
        cursor = given.page.next_cursor
    assert (found, cursor) == (edges(whole), None)


def test_scope_options_and_uses(tree: Any) -> None:
    by_syntax(
        tree, {"m.py": "def run(x=1): pass\n@run\ndef it():\n    run()\n", "n.py": "import m\nm.run()\n"}
    )
    given = tree.ask("callers", "run", scope={"patterns": ("n.py",)})
    assert (edges(given), given.page.outside_scope) == (["n.py:2:3 call n.py -> run"], 2)
    given = tree.ask("callers", "run", uses=("decorator",))
    assert edges(given) == ["m.py:2:2 decorator m.py -> run"]
    given = tree.ask("callers", "run", uses=("value",))
    assert (given.rows, tree.ask("callers", "run").page.value_uses) == ((), None)


def test_what_was_not_found_is_counted(tree: Any) -> None:
    by_syntax(tree, {"m.py": "def run():\n    lost()\n    x.lost()\n    run()\n"})
    given = tree.ask("calls", "run")
    assert edges(given) == ["m.py:4:5 call run -> run"]
    assert given.page.coverage.unresolved_calls == 2


def test_references_get_none(tree: Any) -> None:
    by_syntax(tree, {"m.py": "def run():\n    run()\n"})
    given = tree.ask("refs", "run")
    assert (given.rows, given.page.matched_total) == ((), 0)


def branches(found: Any) -> str:
    """Write a level of a tree: who, the places, how it is known, and the level below in brackets."""
    shown = []
    for one in found:
        lines = ",".join(str(span.line + 1) for span in one.ranges)
        marks = "".join(f" {word}" for word in (one.basis, one.mark) if word)
        below = f" ({branches(one.children)})" if one.children else ""
        shown.append(f"{one.node.qualified_name}@{one.path}:{lines}{marks}{below}")
    return "; ".join(shown)


def test_hierarchies_go_on_where_compilers_end(tree: Any) -> None:
    unit = tree.unit()
    made = tree.file(unit, "m.py", "def run(): pass\ndef twice():\n    run(); run()\n")
    made.define("run", RUN, "function", 1).define("twice", "`m`/twice().", "function", 2)
    made.use("run", RUN).use("run", RUN)
    unparsed = "from m import twice\ndef top():\n    twice()\n    top()\n    lost()\ntop()\n"
    by_syntax(tree, {"n.py": unparsed, "a.py": "from m import run\nrun()\n"})

    def incoming(**options: Any) -> str:
        (row,) = tree.ask("call-hierarchy", "run", direction="incoming", depth=4, **options).rows
        return branches(row.incoming)

    again = "top@n.py:4 parser cycle"
    above = f"top@n.py:3 parser ({again}; n.py@n.py:6 parser)"
    assert incoming() == f"a.py@a.py:2 parser; twice@m.py:3,3 scip ({above})"
    assert incoming(to="top") == f"twice@m.py:3,3 scip (top@n.py:3 parser ({again}))"
    assert incoming(scope={"patterns": ("a.py",)}) == "a.py@a.py:2 parser"
    given = tree.ask("call-hierarchy", "top", direction="outgoing", depth=4)
    assert branches(given.rows[0].outgoing) == f"twice@n.py:3 parser (run@m.py:3,3 scip); {again}"
    assert (given.page.coverage.state, given.page.coverage.unresolved_calls) == ("partial", 1)


def test_a_construction_leads_to_the_constructor_that_a_compiler_knows(tree: Any) -> None:
    unit = tree.unit()
    made = tree.file(unit, "m.py", "class A:\n    def __init__(self): run()\n")
    made.define("A", "`m`/A#", "class", 2).define("__init__", "`m`/A#__init__().", "method", 1).use(
        "run", RUN
    )
    by_syntax(tree, {"n.py": "from m import A\ndef top():\n    A()\n"})
    (row,) = tree.ask("call-hierarchy", "top", direction="outgoing", depth=3).rows
    assert branches(row.outgoing) == "A.__init__@n.py:3 parser (run@m.py:2 scip)"
    (row,) = tree.ask("call-hierarchy", "A.__init__", direction="incoming").rows
    assert branches(row.incoming) == "top@n.py:3 parser"


def test_relations_hold_them_too(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def run(): pass\n").define("run", RUN, "function", 1)
    by_syntax(tree, {"n.py": "from m import run\nrun()\n"})
    (row,) = tree.defs("run", include_code=True).rows
    assert branches(row.relations.callers) == "n.py@n.py:2 parser"


def test_a_new_file_is_asked_by_name_and_place(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "m.py", "def run(): pass\n").define("run", RUN, "function", 1)
    tree.store()
    tree.write("new.py", "from m import run\ndef fresh():\n    run()\nfresh()\n")
    for asked in ("fresh", "new.py:2#fresh", "new.py:2", "new.py:3"):
        given = tree.ask("calls", asked)
        assert edges(given) == ["new.py:3:5 call fresh -> run"], asked
        assert [one.code for one in given.page.coverage.reasons] == ["files_new"]
    assert edges(tree.ask("callers", "fresh")) == ["new.py:4:1 call new.py -> fresh"]


def test_the_present_text_of_a_file_without_a_precise_layer_answers(tree: Any) -> None:
    by_syntax(tree, {"m.py": "def run(): pass\nrun()\n"})
    tree.write("m.py", "\n\ndef run(): pass\nrun()\nrun()\n")
    given = tree.ask("callers", "run")
    assert edges(given) == ["m.py:4:1 call m.py -> run", "m.py:5:1 call m.py -> run"]
    assert given.page.matched_total == 1
    assert "files_changed" in {one.code for one in given.page.coverage.reasons}
    tree.write("m.py", "run()\n")
    assert tree.ask("callers", "run").rows == ()
    (tree.path / "m.py").unlink()
    assert tree.ask("callers", "run").rows == ()


@pytest.mark.parametrize(
    ("language", "files", "asked", "expected"),
    [
        (
            "javascript",
            {"a.js": "export function run() {}\n", "b.js": "import { run } from './a.js';\nrun();\n"},
            "run",
            ["b.js:2:1 call b.js -> run"],
        ),
        (
            "javascript",
            {
                "lib/index.js": "export default function run() {}\n",
                "b.js": "import go from './lib';\ngo();\n",
            },
            "run",
            ["b.js:2:1 call b.js -> run"],
        ),
        (
            "javascript",
            {
                "a.js": "export function run() {}\n",
                "b.js": "export { run } from './a';\n",
                "c.js": "import { run } from './b';\nrun();\n",
            },
            "run",
            ["c.js:2:1 call c.js -> run"],
        ),
        (
            "typescript",
            {
                "a.ts": "export class Job { go() { this.go(); } }\n",
                "b.ts": "import { Job } from './a.js';\nnew Job();\n",
            },
            "Job",
            ["b.ts:2:5 construct b.ts -> Job"],
        ),
        (
            "rust",
            {
                "src/lib.rs": "mod a;\nfn it() { a::run(); crate::a::run(); }\n",
                "src/a.rs": "pub fn run() {}\n",
            },
            "run",
            ["src/lib.rs:2:14 call it -> run", "src/lib.rs:2:31 call it -> run"],
        ),
        (
            "java",
            {
                "src/p/A.java": "package p;\nclass A { static void run() {} }\n",
                "src/q/B.java": "package q;\nimport p.A;\nclass B { void it() { A.run(); } }\n",
            },
            "run",
            ["src/q/B.java:3:25 call B.it -> A.run"],
        ),
        (
            "java",
            {
                "src/x/p/A.java": "package x.p;\nclass A { static void run() {} }\n",
                "src/q/B.java": "package q;\nimport p.A;\nclass B { void it() { A.run(); } }\n",
            },
            "run",
            [],
        ),
        (
            "java",
            {"A.java": "class A { void run(int a) {}\n void run() {}\n void it() { run(); } }\n"},
            "A.java:2#A.run",
            [],
        ),
        (
            "java",
            {"A.java": "class A extends B { void run(int a) {}\n void it() { run(1); run(); } }\n"},
            "run",
            ["A.java:2:14 call A.it -> A.run"],
        ),
        (
            "kotlin",
            {"A.kt": "fun go(x: Int = 1) {}\nfun it() {\n go()\n go(1, 2)\n}\n"},
            "go",
            ["A.kt:3:2 call it -> go"],
        ),
        (
            "go",
            {"a.go": "package a\nfunc run() {}\nfunc it() { run() }\ntype T int\nvar x = T(1)\n"},
            "run",
            ["a.go:3:13 call it -> run"],
        ),
        ("go", {"a.go": "package a\ntype Num int\nvar x = Num(1)\n"}, "Num", []),
        ("go", {"a.go": "package a\nfunc run() {}\n", "b.go": "package a\nfunc it() { run() }\n"}, "run", []),
    ],
)
def test_other_languages(
    tree: Any, language: str, files: dict[str, str], asked: str, expected: list[str]
) -> None:
    by_syntax(tree, files, language=language)
    given = tree.ask("callers", asked)
    assert edges(given) == expected
    assert bases(given) <= {"parser"}


def test_the_only_constructor_has_the_constructions_of_its_class(tree: Any) -> None:
    one = "class A {\n A(int a) {}\n static A make() { return new A(1); }\n}\n"
    two = one.replace("A(int a) {}", "A(int a) {} A() {}")
    by_syntax(tree, {"one/A.java": one, "two/A.java": two}, language="java")
    assert edges(tree.ask("callers", "one/A.java:2:2")) == ["one/A.java:3:31 construct A.make -> A"]
    assert edges(tree.ask("callers", "two/A.java:2:2")) == []


def test_a_precise_constructor_has_constructions_in_such_files(tree: Any) -> None:
    unit = tree.unit()
    text = "class A:\n    def __init__(self): pass\n"
    tree.file(unit, "m.py", text).define("A", "`m`/A#", "class", 2).define(
        "__init__", "`m`/A#__init__().", "method", 1
    )
    by_syntax(tree, {"n.py": "from m import A\nA()\nA.__init__(1)\n"})
    given = tree.ask("callers", "A.__init__")
    assert edges(given) == ["n.py:2:1 construct n.py -> A", "n.py:3:3 call n.py -> A.__init__"]
    assert bases(given) == {"parser"}


@pytest.mark.parametrize(("most_files", "most_bytes"), [(1, 1_000), (9, 30)], ids=["files", "bytes"])
def test_only_so_much_is_parsed_and_what_was_left_out_is_known(
    tree: Any, most_files: int, most_bytes: int
) -> None:
    by_syntax(tree, {"a.py": "def run(): pass\nrun()\n", "b.py": "def run(): pass\nrun()\n"})
    view = open_view(tree.root)
    with Sources(tree.root) as sources:
        freshness = Freshness(tree.root, view, "full", sources)
        files = OpenFiles(view, freshness, sources, most_files, most_bytes)
        assert files.holding({"run"}, {"python"}) == ["a.py", "b.py"]
        assert files.holding({"run"}, {"java"}) == []
        assert (files.calls("a.py") is not None, files.cut) == (True, False)
        assert (files.calls("b.py") is None, files.cut) == (True, True)
        assert files.calls("a.py") is not None
    view.close()


def test_an_answer_says_when_it_was_cut(tree: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    by_syntax(tree, {"a.py": "def run(): pass\nrun()\n", "b.py": "from a import run\nrun()\n"})
    assert tree.ask("callers", "run").page.notes == ()
    monkeypatch.setattr("codetrail.query.open_files.OpenFiles.__init__.__defaults__", (1, 1_000))
    given = tree.ask("callers", "run")
    assert edges(given) == ["a.py:2:1 call a.py -> run"]
    assert [note.code for note in given.page.notes] == ["parser_edges_cut"]


def test_files_that_import_each_other_end(tree: Any) -> None:
    by_syntax(
        tree,
        {
            "a.py": "from b import run\nrun()\n",
            "b.py": "from a import run\nrun()\n",
            "c.py": "def run(): pass\n",
        },
    )
    assert edges(tree.ask("callers", "run")) == []
