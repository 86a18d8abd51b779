"""Which files a scope takes (contract §2)."""

from __future__ import annotations

import fnmatch
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.errors import UsageError
from codetrail.model.scope import Scope
from codetrail.query.scoping import LONGEST_PATTERN, path_test

PATHS = ["a.py", "src/a.py", "src/x/B.ts", "src/x/b_test.py", "srcs/a.py", "[x].py"]


def taken(**scope: Any) -> list[str]:
    test = path_test(Scope(**scope))
    return [path for path in PATHS if test(path, "typescript" if path.endswith(".ts") else "python")]


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        pytest.param({}, PATHS, id="everything"),
        pytest.param({"directories": ("src",)}, PATHS[1:4], id="folder"),
        pytest.param({"directories": ("src/x", "srcs")}, PATHS[2:5], id="folders-are-or"),
        pytest.param({"directories": ("",)}, PATHS, id="root"),
        pytest.param({"suffixes": (".ts",)}, ["src/x/B.ts"], id="suffix"),
        pytest.param({"suffixes": (".TS",)}, ["src/x/B.ts"], id="suffix-any-case"),
        pytest.param({"language": "typescript"}, ["src/x/B.ts"], id="language"),
        pytest.param(
            {"directories": ("src",), "suffixes": (".py",)}, ["src/a.py", "src/x/b_test.py"], id="and"
        ),
        pytest.param({"patterns": ("b*",)}, ["src/x/B.ts", "src/x/b_test.py"], id="wildcard-name"),
        pytest.param({"patterns": ("B*",), "case_sensitive": True}, ["src/x/B.ts"], id="wildcard-case"),
        pytest.param(
            {"patterns": ("src/*.py",)}, ["src/a.py", "src/x/b_test.py"], id="wildcard-crosses-folders"
        ),
        pytest.param(
            {"patterns": ("?.py", "*.ts")}, ["a.py", "src/a.py", "src/x/B.ts", "srcs/a.py"], id="or"
        ),
        pytest.param({"patterns": ("[x].py",)}, ["[x].py"], id="wildcard-has-no-sets"),
        pytest.param({"patterns": ("*",), "pattern_mode": "literal"}, [], id="literal-star"),
        pytest.param(
            {"patterns": ("A.PY",), "pattern_mode": "literal"},
            ["a.py", "src/a.py", "srcs/a.py"],
            id="literal",
        ),
        pytest.param({"patterns": ("src/a.py",), "pattern_mode": "literal"}, ["src/a.py"], id="literal-path"),
        pytest.param(
            {"patterns": ("src/*.py",), "pattern_mode": "glob"}, ["src/a.py"], id="glob-stays-in-folder"
        ),
        pytest.param(
            {"patterns": ("src/**/*.py",), "pattern_mode": "glob"},
            ["src/a.py", "src/x/b_test.py"],
            id="glob-deep",
        ),
        pytest.param(
            {"patterns": ("**/x/**",), "pattern_mode": "glob"},
            ["src/x/B.ts", "src/x/b_test.py"],
            id="glob-ends-deep",
        ),
        pytest.param(
            {"patterns": ("[a-b].*",), "pattern_mode": "glob"},
            ["a.py", "src/a.py", "src/x/B.ts", "srcs/a.py"],
            id="glob-set",
        ),
        pytest.param(
            {"patterns": ("[!a].*",), "pattern_mode": "glob"}, ["src/x/B.ts"], id="glob-negated-set"
        ),
        pytest.param({"patterns": ("[[]x].py",), "pattern_mode": "glob"}, ["[x].py"], id="glob-bracket"),
        pytest.param(
            {"patterns": ("^src/.*test",), "pattern_mode": "regex"}, ["src/x/b_test.py"], id="regex"
        ),
        pytest.param({"patterns": ("b\\.TS",), "pattern_mode": "regex"}, ["src/x/B.ts"], id="regex-any-case"),
        pytest.param(
            {"patterns": ("b\\.TS",), "pattern_mode": "regex", "case_sensitive": True}, [], id="regex-case"
        ),
    ],
)
def test_scope(scope: dict[str, Any], expected: list[str]) -> None:
    assert taken(**scope) == expected


@pytest.mark.parametrize(
    ("pattern", "mode"),
    [
        pytest.param("", "wildcard", id="empty"),
        pytest.param("a" * (LONGEST_PATTERN + 1), "wildcard", id="long"),
        pytest.param("é" * (LONGEST_PATTERN // 2 + 1), "literal", id="long-in-bytes"),
        pytest.param("(", "regex", id="unclosed-group"),
        pytest.param(r"(a)\1", "regex", id="back-reference"),
        pytest.param("x{1000}{1000}", "regex", id="explosive"),
        pytest.param("[a", "glob", id="unclosed-set"),
        pytest.param("\udcff", "wildcard", id="not-unicode"),
        pytest.param("\udcff", "regex", id="not-unicode-regex"),
    ],
)
def test_patterns_that_cannot_be_used(pattern: str, mode: str) -> None:
    with pytest.raises(UsageError) as caught:
        path_test(Scope(patterns=(pattern,), pattern_mode=mode))
    assert caught.value.code == "invalid_pattern"


@given(st.text(alphabet="ab*?", min_size=1, max_size=8), st.text(alphabet="ab", max_size=8))
def test_wildcards_match_as_the_standard_library_says(pattern: str, name: str) -> None:
    test = path_test(Scope(patterns=(pattern,), case_sensitive=True))
    assert test(f"x/{name}", "") == fnmatch.fnmatchcase(name, pattern)


@pytest.mark.parametrize("mode", ["wildcard", "glob", "regex"])
def test_matching_is_linear(mode: str) -> None:
    pattern = "(a*)*b" if mode == "regex" else "a*" * 200 + "b"
    assert not path_test(Scope(patterns=(pattern,), pattern_mode=mode))("a" * 4000, "")


def test_many_deep_segments(tmp_path: Any) -> None:
    del tmp_path
    test = path_test(Scope(patterns=("**/a/" * 60 + "b",), pattern_mode="glob"))
    assert not test("a/" * 2000 + "c", "")
    assert test("a/" * 100 + "b", "")


def test_scope_of_an_answer(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "src/a.py", "def run(): pass\nrun()\n").define("run", "`m`/run().", "function", 1).use(
        "run", "`m`/run()."
    )
    tree.file(unit, "lib/b.py", "run()\nrun()\n").use("run", "`m`/run().").use("run", "`m`/run().")
    tree.store()
    given = tree.refs("run", scope={"directories": ("src",)})
    assert [row.path for row in given.rows] == ["src/a.py"]
    assert (given.page.total, given.page.outside_scope) == (1, 2)
    assert tree.refs("run").page.outside_scope is None
    given = tree.defs("run", scope={"directories": ("lib",)})
    assert (given.rows, given.page.total, given.page.outside_scope) == ((), 0, 1)
