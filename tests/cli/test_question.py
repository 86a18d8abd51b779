"""What was typed becomes a checked question, or a usage error with a hint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codetrail.cli import index
from codetrail.cli.argv import parse_quickly
from codetrail.cli.question import output_format, question, workspace
from codetrail.errors import CodeTrailError
from codetrail.model.answers import Question
from codetrail.model.reports import BuildOptions
from codetrail.model.scope import Scope

CHECKED: dict[str, tuple[list[str], dict[str, Any]]] = {
    "plain": (["refs", "Cart"], {}),
    "page": (
        ["refs", "Cart", "--limit", "1000", "--cursor", "abc", "--max-bytes", "24000"],
        {"limit": 1000, "cursor": "abc", "max_bytes": 24000},
    ),
    "limit_one": (["refs", "Cart", "--limit", "1"], {"limit": 1}),
    "strict": (["refs", "Cart", "--input-mode", "strict"], {"input_mode": "strict"}),
    "uses": (
        ["refs", "Cart", "--use", "call", "--use", "write", "--use", "call"],
        {"uses": ("call", "write")},
    ),
    "refs_flags": (
        ["refs", "Cart", "--include-definitions", "--explain"],
        {"include_definitions": True, "explain": True},
    ),
    "fresh": (
        ["refs", "Cart", "--require-fresh", "--freshness", "answer"],
        {"require_fresh": True, "freshness": "answer"},
    ),
    "freshness_off": (["refs", "Cart", "--freshness", "off"], {"freshness": "off"}),
    "fields_short": (["refs", "Cart", "--fields", "short"], {"fields": ("short",)}),
    "fields_chosen": (
        ["defs", "Cart", "--fields", "path, range"],
        {"verb": "defs", "fields": ("path", "range")},
    ),
    "code": (["symbols", "Cart", "--include-code"], {"verb": "symbols", "include_code": True}),
    "code_lines": (
        ["defs", "Cart", "--include-code", "--code-context", "0", "--code-max-lines", "2000"],
        {"verb": "defs", "include_code": True, "code_context": 0, "code_max_lines": 2000},
    ),
    "code_field": (
        ["defs", "Cart", "--fields", "source", "--include-code"],
        {"verb": "defs", "include_code": True, "fields": ("source",)},
    ),
    "folders": (
        ["--dir", "src", "refs", "Cart", "--dir", "src/deep/", "--dir", "./src"],
        {"scope": Scope(directories=("src", "src/deep"))},
    ),
    "root_folder": (["refs", "Cart", "--dir", "."], {"scope": Scope(directories=("",))}),
    "suffixes": (
        ["refs", "Cart", "--ext", "java", "--ext", ".py"],
        {"scope": Scope(suffixes=(".java", ".py"))},
    ),
    "patterns": (
        ["refs", "Cart", "--file-pattern", "*_test.py", "--file-mode", "glob", "--case-sensitive"],
        {"scope": Scope(patterns=("*_test.py",), pattern_mode="glob", case_sensitive=True)},
    ),
    "language": (["refs", "Cart", "--lang", "PY"], {"scope": Scope(language="python")}),
    "from_below": (["-p", "src/deep", "refs", "Cart"], {}),
}

REFUSED: dict[str, tuple[list[str], str, str]] = {
    "limit_zero": (["refs", "x", "--limit", "0"], "usage_error", "from 1 to 1000"),
    "limit_too_large": (["refs", "x", "--limit", "1001"], "usage_error", "from 1 to 1000"),
    "limit_no_number": (["refs", "x", "--limit", "ten"], "usage_error", "not 'ten'"),
    "limit_digits_of_another_script": (["refs", "x", "--limit", "٣"], "usage_error", "whole number"),
    "limit_huge": (["refs", "x", "--limit", "9" * 5000], "usage_error", "whole number"),
    "max_bytes": (["refs", "x", "--max-bytes", "-1"], "usage_error", "whole number"),
    "output": (["refs", "x", "-o", "yaml"], "usage_error", "--output takes text, json"),
    "use": (["refs", "x", "--use", "cal"], "usage_error", "--use takes call"),
    "freshness": (["refs", "x", "--freshness", "never"], "usage_error", "--freshness takes full"),
    "fresh_and_off": (["refs", "x", "--require-fresh", "--freshness", "off"], "usage_error", "contradict"),
    "context_alone": (["defs", "x", "--code-context", "3"], "usage_error", "needs --include-code"),
    "lines_alone": (["symbols", "x", "--code-max-lines", "3"], "usage_error", "needs --include-code"),
    "lines_zero": (["defs", "x", "--include-code", "--code-max-lines", "0"], "usage_error", "from 1 to 2000"),
    "fields_unknown": (["refs", "x", "--fields", "path,bodyRange"], "usage_error", "have no key 'bodyRange'"),
    "fields_mixed": (["refs", "x", "--fields", "short,path"], "usage_error", "have no key 'short'"),
    "fields_empty": (["refs", "x", "--fields", ""], "usage_error", "have no key ''"),
    "language": (["refs", "x", "--lang", "pithon"], "unsupported_language", "not supported"),
    "suffix": (["refs", "x", "--ext", "*.py"], "usage_error", "--ext takes a suffix"),
    "suffix_empty": (["refs", "x", "--ext", "."], "usage_error", "--ext takes a suffix"),
    "pattern_empty": (["refs", "x", "--file-pattern", ""], "invalid_pattern", "empty"),
    "pattern_long": (["refs", "x", "--file-pattern", "é" * 257], "invalid_pattern", "512 bytes"),
    "file_mode": (["refs", "x", "--file-mode", "grep"], "usage_error", "--file-mode takes"),
    "folder_missing": (["refs", "x", "--dir", "nothing"], "scope_not_found", "no such path"),
    "folder_is_file": (["refs", "x", "--dir", "src/a.py"], "scope_not_found", "is not a folder"),
    "folder_outside": (["refs", "x", "--dir", ".."], "scope_outside_workspace", "outside"),
    "folder_below_here_only": (["refs", "x", "--dir", "deep"], "scope_not_found", "no such path"),
    "identifier_blank": (["refs", "  "], "usage_error", "empty"),
    "no_query": (["symbols"], "usage_error", "needs a QUERY"),
    "fields_counts": (["symbols", "x", "--fields", "kind,counts"], "usage_error", "counts needs --counts"),
    "fields_via": (["refs", "x", "--fields", "via"], "usage_error", "via needs --include-overrides"),
    "fields_counts_of_refs": (["refs", "x", "--fields", "counts"], "usage_error", "have no key 'counts'"),
    "fields_source": (["defs", "x", "--fields", "source"], "usage_error", "source needs --include-code"),
    "path_missing": (["-p", "nothing", "refs", "x"], "workspace_not_found", "no such folder"),
}


def asked(argv: list[str]) -> Question:
    typed = parse_quickly(argv)
    assert typed is not None
    values = typed.merged()
    output_format(values)
    return question(typed.command.words[0], typed.operand, values, workspace(values))


@pytest.mark.parametrize("case", sorted(CHECKED))
@pytest.mark.usefixtures("workspace")
def test_questions(case: str) -> None:
    argv, expected = CHECKED[case]
    assert asked(argv) == Question("refs", "Cart")._replace(**expected)


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_refusals(case: str, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if case == "folder_below_here_only":
        monkeypatch.chdir(workspace / "src")
    argv, code, message = REFUSED[case]
    with pytest.raises(CodeTrailError) as caught:
        asked(argv)
    assert caught.value.code == code
    assert message in caught.value.message
    assert caught.value.exit_status == 1
    assert str(workspace) not in caught.value.message
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("folder", "typed_from"), [(".", ""), ("src", "src"), ("src/deep", "src/deep"), ("..", "")]
)
def test_the_question_knows_where_the_caller_stands(
    folder: str, typed_from: str, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace / folder)
    assert asked(["-p", str(workspace), "refs", "x"]).typed_from == typed_from


def test_an_absolute_folder_inside_the_root_is_accepted(workspace: Path) -> None:
    assert asked(["refs", "x", "--dir", str(workspace / "src")]).scope.directories == ("src",)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, BuildOptions()),
        (
            {"lang": ["py", "python"], "jobs": "4", "timeout": "1.5", "strict": True},
            BuildOptions(languages=("python",), jobs=4, timeout=1.5, strict=True),
        ),
        (
            {"no_semantic": True, "force": True, "keep_scip": "out"},
            BuildOptions(no_semantic=True, force=True, keep_scip="out"),
        ),
    ],
    ids=["defaults", "numbers", "flags"],
)
def test_build_options(values: Any, expected: BuildOptions) -> None:
    assert index.build_options(values) == expected


BUILDS_REFUSED: list[Any] = [
    {"jobs": "0"},
    {"jobs": "x"},
    *({"timeout": typed} for typed in ("0", "-1", "nan", "inf", "soon")),
    {"lang": ["cobol"]},
]


@pytest.mark.parametrize("values", BUILDS_REFUSED, ids=str)
def test_build_options_refused(values: Any) -> None:
    with pytest.raises(CodeTrailError) as caught:
        index.build_options(values)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("typed", "hint"), [("0", "--jobs 1"), ("-3", "--jobs 1"), ("x", "--jobs 100"), ("9999", "--jobs 256")]
)
def test_the_hint_is_the_number_that_may_have_been_meant(typed: str, hint: str) -> None:
    with pytest.raises(CodeTrailError) as caught:
        index.build_options({"jobs": typed})
    assert caught.value.hint == hint


def test_a_folder_that_went_away_is_no_workspace(workspace: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        with pytest.raises(CodeTrailError) as caught:
            asked(["refs", "x"])
    finally:
        os.chdir(workspace)
    assert caught.value.code == "workspace_not_found"
