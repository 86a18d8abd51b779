"""Names and symbol strings: which symbols they mean, the closest variant first (contract §3)."""

from __future__ import annotations

from typing import Any

import pytest


def build_names(tree: Any) -> None:
    unit = tree.unit()
    tree.file(
        unit,
        "pkg/_impl.py",
        "class Repo:\n    def find_user(self, id):\n        pass\n    class Inner:\n"
        "        def find_user(self): pass\n\ndef findUser(): pass\n\nGröße = 1\nfind = 2\n",
    ).define("Repo", "`pkg._impl`/Repo#", "class", 5).define(
        "find_user", "`pkg._impl`/Repo#find_user().", "method", 2
    ).define("Inner", "`pkg._impl`/Repo#Inner#", "class", 2).define(
        "find_user", "`pkg._impl`/Repo#Inner#find_user().", "method", 1
    ).define("findUser", "`pkg._impl`/findUser().", "function", 1).define(
        "Größe", "`pkg._impl`/`Größe`.", "variable"
    ).define("find", "`pkg._impl`/find.", "variable")
    tree.file(unit, "pkg/other.py", "class Repo: pass\nclass Find: pass\n").define(
        "Repo", "`pkg.other`/Repo#", "class", 1
    ).define("Find", "`pkg.other`/Find#", "class", 1)
    tree.file(unit, "tests/test_repo.py", "class Repo: pass\n").define(
        "Repo", "`tests.test_repo`/Repo#", "class", 1
    )
    tree.store()


def matched(given: Any) -> list[str]:
    return [one.coordinate for one in given.page.matched]


def variant(given: Any) -> tuple[str, str] | None:
    found = {row.variant for row in given.rows}
    assert len(found) <= 1
    return tuple(found.pop() or ()) or None if found else None


OUTER = "pkg/_impl.py:2#Repo.find_user"
INNER = "pkg/_impl.py:5#Repo.Inner.find_user"
FUNCTION = "pkg/_impl.py:7#findUser"
REPO, OTHER, TEST = "pkg/_impl.py:1#Repo", "pkg/other.py:1#Repo", "tests/test_repo.py:1#Repo"


@pytest.mark.parametrize(
    ("typed", "expected", "kind"),
    [
        pytest.param("findUser", [FUNCTION], None, id="as-typed"),
        pytest.param("find_user", [OUTER, INNER], None, id="as-typed-several"),
        pytest.param("Repo.find_user", [OUTER], None, id="whole-qualified-name"),
        pytest.param(" findUser ", [FUNCTION], "trimmed", id="trimmed"),
        pytest.param("findUser(Long)", [FUNCTION], "signature_cut", id="signature"),
        pytest.param("Inner.find_user", [INNER], "qualified", id="inner-owner"),
        pytest.param("Repo#find_user", [OUTER], "qualified", id="hash"),
        pytest.param("Repo::Inner::find_user()", [INNER], "qualified", id="colons"),
        pytest.param("pkg._impl.Repo", [REPO], "qualified", id="module"),
        pytest.param("_impl.Repo.find_user", [OUTER], "qualified", id="end-of-module"),
        pytest.param("pkg.Repo.find_user", [OUTER], "qualified", id="head-of-module"),
        pytest.param("pkg.other.Repo", [OTHER], "qualified", id="other-module"),
        pytest.param("Nobody.findUser", [FUNCTION], "last_part", id="last-part"),
        pytest.param("find-user", [FUNCTION, OUTER, INNER], "style", id="style"),
        pytest.param("FINDUSER", [FUNCTION, OUTER, INNER], "style", id="style-of-capitals"),
        pytest.param("repo.FindUser", [OUTER], "style", id="style-of-owners"),
        pytest.param("GRÖSSE", ["pkg/_impl.py:9#Größe"], "style", id="folding-is-unicodes"),
        pytest.param("Größe", ["pkg/_impl.py:9#Größe"], None, id="not-ascii"),
        pytest.param("nothing", [], None, id="nothing"),
        pytest.param("find_use", [], None, id="no-edit-distance"),
    ],
)
def test_compatible(tree: Any, typed: str, expected: list[str], kind: str | None) -> None:
    build_names(tree)
    given = tree.defs(typed)
    assert sorted(matched(given)) == sorted(expected)
    assert len(given.rows) == len(expected)
    found = variant(given)
    assert (found[0] if found else None) == kind


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("findUser", [FUNCTION]),
        ("findUser()", [FUNCTION]),
        ("Repo.find_user()", [OUTER]),
        ("Inner.find_user", []),
        ("finduser", []),
        (" findUser", []),
        ("findUser(Long)", []),
    ],
)
def test_strict(tree: Any, typed: str, expected: list[str]) -> None:
    build_names(tree)
    assert matched(tree.defs(typed, input_mode="strict")) == expected


def test_a_variant_is_used_only_if_no_closer_one_matched(tree: Any) -> None:
    build_names(tree)
    assert matched(tree.defs("find")) == ["pkg/_impl.py:10#find"]
    assert matched(tree.defs("FIND")) == ["pkg/other.py:2#Find", "pkg/_impl.py:10#find"]


def test_both_normal_forms_of_a_name_answer_as_typed(tree: Any) -> None:
    decomposed = "cafe\u0301"
    unit = tree.unit()
    tree.file(unit, "app.py", f"class {decomposed}: pass\ndef café(): pass\n").define(
        decomposed, f"app/`{decomposed}`#", "class", 1
    ).define("café", "app/`café`().", "function", 1)
    tree.store()
    given = tree.defs(decomposed)
    assert {one.kind for one in given.page.matched} == {"class", "function"}
    assert variant(given) is None


def test_best_first(tree: Any) -> None:
    build_names(tree)
    assert matched(tree.defs("Repo")) == [REPO, OTHER, TEST]
    assert matched(tree.defs("FIND_USER")) == [OUTER, INNER, FUNCTION]


def test_references_say_by_which_variant_they_match(tree: Any) -> None:
    build_names(tree)
    assert [note.code for note in tree.refs("find-user").page.notes] == ["matched_input_variant"]
    assert tree.refs("findUser").page.notes == ()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("find", ["find", "Find", "find_user", "findUser", "find_user"], id="closeness"),
        pytest.param("ser", ["find_user", "find_user", "findUser"], id="inside"),
        pytest.param("Repo.find", ["find_user"], id="owner"),
        pytest.param("NDUS", ["findUser"], id="folded"),
        pytest.param("zzz", [], id="nothing"),
        pytest.param("find-user", ["find_user", "find_user", "findUser"], id="style-of-the-whole-name"),
    ],
)
def test_symbols_contain(tree: Any, typed: str, expected: list[str]) -> None:
    build_names(tree)
    names = [row.node.name for row in tree.ask("symbols", typed).rows]
    assert sorted(names) == sorted(expected)
    if typed == "find":
        assert names[:2] == ["find", "Find"]


def test_symbols_strictly_contain(tree: Any) -> None:
    build_names(tree)
    given = tree.ask("symbols", "nd_u", input_mode="strict")
    assert {row.node.name for row in given.rows} == {"find_user"}
    assert not tree.ask("symbols", "ND_U", input_mode="strict").rows


# Symbols of several shards


LIB = "codetrail-python python My.Lib {} `lib`/run()."


def build_versions(tree: Any, defined: str = "1.0", used: str = "1.0") -> None:
    one = tree.unit("python:lib", root="lib")
    tree.file(one, "lib/lib.py", "def run(): pass\nrun()\n").define(
        "run", LIB.format(defined), "function", 1
    ).use("run", LIB.format(defined))
    other = tree.unit("python:app", root="app")
    tree.file(other, "app/main.py", "run()\n").use("run", LIB.format(used).replace("My.Lib", "my-lib"))
    tree.store()


@pytest.mark.parametrize(
    ("defined", "used", "expected"),
    [
        pytest.param("1.0", "1.0", "precise_fact", id="equal"),
        pytest.param("1.0", "2.0", "inferred_candidate", id="different"),
        pytest.param(".", "2.0", "precise_fact", id="definition-without"),
        pytest.param("1.0", ".", "precise_fact", id="use-without"),
    ],
)
@pytest.mark.parametrize("typed", ["run", "lib/lib.py:1#run", LIB])
def test_units_join_by_package(tree: Any, typed: str, defined: str, used: str, expected: str) -> None:
    build_versions(tree, defined, used)
    given = tree.refs(typed.format(defined))
    assert [(row.path, row.reliability) for row in given.rows] == [
        ("app/main.py", expected),
        ("lib/lib.py", "precise_fact"),
    ]
    assert given.page.matched_total == 1
    assert [note.code for note in given.page.notes] == (
        ["version_mismatch"] if expected == "inferred_candidate" else []
    )


def test_a_symbol_of_another_version_gives_candidates_only(tree: Any) -> None:
    build_versions(tree)
    given = tree.refs(LIB.format("9"))
    assert {row.reliability for row in given.rows} == {"inferred_candidate"}
    assert len(given.rows) == 2


def test_without_a_package_name_units_do_not_join(tree: Any) -> None:
    for name in ("a", "b"):
        unit = tree.unit(f"python:{name}", root=name)
        tree.file(unit, f"{name}/m.py", "def run(): pass\nrun()\n", "s python . .").define(
            "run", "m/run().", "function", 1
        ).use("run", "m/run().")
    tree.store()
    given = tree.refs("run")
    assert [(row.path, row.of) for row in given.rows] == [("a/m.py", 0), ("b/m.py", 1)]
    assert given.page.matched_total == 2
    assert [row.path for row in tree.refs("a/m.py:1#run").rows] == ["a/m.py"]
    assert len(tree.refs("s python . . m/run().").rows) == 2


def test_parts_of_one_unit_join(tree: Any) -> None:
    first = tree.unit("python:.", part=1, parts=2)
    tree.file(first, "a.py", "def run(): pass\n", "s python . .").define("run", "m/run().", "function", 1)
    second = tree.unit("python:.", part=2, parts=2)
    tree.file(second, "b.py", "run()\n", "s python . .").use("run", "m/run().")
    tree.store()
    given = tree.refs("run")
    assert ([row.path for row in given.rows], given.page.matched_total) == (["b.py"], 1)
    assert given.rows[0].definition.path == "a.py"


def test_a_symbol_defined_twice_is_one_group_with_both_definitions(tree: Any) -> None:
    unit = tree.unit()
    for path in ("a.py", "b.py"):
        tree.file(unit, path, "def run(): pass\n").define("run", "`m`/run().", "function", 1)
    tree.store()
    given = tree.defs("run")
    assert [(row.node.path, row.of) for row in given.rows] == [("a.py", 0), ("b.py", 0)]
    assert [(one.coordinate, one.rows) for one in given.page.matched] == [("a.py:1#run", 2)]


def test_several_symbols_at_one_place_are_one_row_a_group(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "x\n").use("x", "`m`/x.", "value").back().use("x", LIB.format(1), "value")
    tree.store()
    assert len(tree.refs("x").rows) == 1
    assert len(tree.refs("run").rows) == 1


def test_outside_the_workspace(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "get()\n").use(
        "get", "codetrail-python python requests 2.0 `requests.api`/get()."
    )
    tree.store()
    given = tree.refs("requests.api.get")
    assert [(row.path, row.definition.external) for row in given.rows] == [("a.py", ("requests", "2.0"))]
    assert given.page.matched[0].coordinate == "codetrail-python python requests 2.0 `requests.api`/get()."
    assert tree.refs(given.page.matched[0].coordinate).rows[0].path == "a.py"
    assert (tree.defs("get").rows, tree.defs("get").page.matched_total) == ((), 1)


def test_masked_documents_do_not_exist(tree: Any) -> None:
    unit = tree.unit(masked=("a.py",))
    tree.file(unit, "a.py", "def run(): pass\n").define("run", "`m`/run().", "function", 1)
    tree.file(unit, "b.py", "run()\n").use("run", "`m`/run().")
    tree.store()
    assert tree.defs("run").rows == ()
    assert [row.path for row in tree.refs("run", include_definitions=True).rows] == ["b.py"]
    assert tree.refs("run", include_definitions=True).page.total == 1


def test_a_module_is_found_by_its_dotted_name_and_its_last_part(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "pkg/mod.py", "\n").define("", "`pkg.mod`/__init__:", "module", 1)
    tree.file(unit, "a.py", "import pkg.mod\n").use("mod", "`pkg.mod`/__init__:", "import")
    tree.store()
    for typed in ("pkg.mod", "mod"):
        assert [row.path for row in tree.refs(typed).rows] == ["a.py"], typed


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("app.main", ["one/app/main.py", "two/app/main.py"], id="the-name-of-both"),
        pytest.param("two.app.main", ["two/app/main.py"], id="the-path-of-one"),
        pytest.param("main", ["one/app/main.py", "two/app/main.py", "x/main.py"], id="last-part"),
        pytest.param("x.main", ["x/main.py"], id="another"),
    ],
)
def test_modules_that_share_a_dotted_name_all_answer_to_it(
    tree: Any, typed: str, expected: list[str]
) -> None:
    unit = tree.unit()
    for path, namespace in [
        ("one/app/main.py", "app.main"),
        ("two/app/main.py", "two/app/main.py"),
        ("x/main.py", "x.main"),
    ]:
        tree.file(unit, path, "\n").define("", f"`{namespace}`/__init__:", "module", 1)
    tree.store()
    for mode in ("compatible", "strict"):
        given = tree.defs(typed, input_mode=mode)
        assert [(row.node.path, row.variant) for row in given.rows] == [(path, None) for path in expected]
    assert tree.defs("p.main", input_mode="strict").rows == ()


@pytest.mark.parametrize(
    "symbol",
    ["s python My_Pkg 1 m/f().", "s npm . . m/f().", "s . my  pkg 1 m/`a b`.", "s python p 1 broken"],
)
def test_a_symbol_of_any_form_pastes_back(tree: Any, symbol: str) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "f\n").use("f", symbol)
    other = tree.unit("python:other", root="o")
    tree.file(other, "b.py", "f\n").use("f", symbol)
    tree.store()
    found = {row.path for typed in (symbol, f" {symbol}") for row in tree.refs(typed).rows}
    assert found == {"a.py", "b.py"}


LIGATURE = "\ufb01nd"


@pytest.mark.parametrize("mode", ["strict", "compatible"])
def test_python_reads_both_spellings_as_one_name(tree: Any, mode: str) -> None:
    """PEP 3131: identifiers are compared under NFKC, so what stands in the source is the compiler's name."""
    unit = tree.unit()
    tree.file(unit, "a.py", "find = 1\n").define("find", "`a`/find.", "variable")
    tree.file(unit, "b.js", "find = 1\n").define("find", "`b`/find.", "variable")
    tree.store()
    given = tree.refs(LIGATURE, input_mode=mode)
    assert matched(given) == ["a.py:1#find"]
    given = tree.defs(LIGATURE, input_mode=mode)
    assert [(row.node.path, row.variant) for row in given.rows] == [("a.py", None)]


def test_other_languages_tell_the_spellings_apart(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "b.js", "find = 1\n").define("find", "`b`/find.", "variable")
    tree.store()
    assert matched(tree.refs(LIGATURE, input_mode="strict")) == []


@pytest.mark.parametrize(
    ("path", "typed", "fits"),
    [
        ("a.py", LIGATURE, True),
        ("a.py", "find", True),
        ("a.py", "\ufb01nds", False),
        ("b.js", "find", True),
        ("b.js", LIGATURE, False),
    ],
)
def test_a_name_given_with_a_place(tree: Any, path: str, typed: str, fits: bool) -> None:
    unit = tree.unit()
    tree.file(unit, path, f"{LIGATURE} = 1\n").define(LIGATURE, "`m`/find.", "variable")
    tree.store()
    assert matched(tree.refs(f"{path}:1#{typed}", input_mode="strict")) == (
        [f"{path}:1#find"] if fits else []
    )
