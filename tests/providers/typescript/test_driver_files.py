"""What files may be: named oddly, not UTF-8, huge, minified, no source, gone, deadly to the compiler."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.downloads import typescript_folder
from tests.providers.typescript.projects_index import (
    Run,
    drive,
    index_files,
    index_tree,
    request_for,
    write_tree,
)

USE = 'import { made } from "./made";\nmade;\n'
MADE = "export const made = 1;\n"

ODD_NAMES = [
    "sp ace.ts",
    "hash#.ts",
    "per%20cent.ts",
    "que?ry.ts",
    "back`tick.ts",
    "ünï/𝒳.ts",
    "a.b.ts",
    "[id].tsx",
    "-x.ts",
]


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("configured", [True, False])
def test_files_and_folders_may_have_any_name(tmp_path: Path, name: str, configured: bool) -> None:
    folder = f"{name} folder"
    files = {name: MADE, f"{folder}/{name}": "export const deep = 1;\n"}
    module = name.rsplit(".", 1)[0]
    use = (
        f'import {{ made }} from "./{module}";\nimport {{ deep }} from "./{folder}/{module}";\nmade, deep;\n'
    )
    run = index_files(tmp_path, files | {"use.ts": use} | ({"tsconfig.json": {}} if configured else {}))
    assert run.targets("use.ts", "made") == {f". . {name.replace('`', '')}"}
    assert run.targets("use.ts", "deep") == {f". . {folder}/{name}".replace("`", "").replace(" ", "  ", 0)}


TEXTS: dict[str, tuple[bytes, set[str]]] = {
    "byte order mark": (b"\xef\xbb\xbf" + MADE.encode(), set()),
    "carriage returns": (b"// one\r\n// two\rexport const made = 1;\r\n", set()),
    "line separators": ("// one\u2028// two\u2029\nexport const made = 1;\n".encode(), set()),
    "outside the first plane": ("const x = '😀𝒳'; export const made = x;\n".encode(), set()),
    "replacement character": ("// \ufffd\nexport const made = 1;\n".encode(), set()),
    "no UTF-8": ("/* é */ export const made = 'é';\n".encode("latin-1"), {"file_not_utf8"}),
}


@pytest.mark.parametrize(("content", "codes"), TEXTS.values(), ids=list(TEXTS))
def test_columns_are_those_of_our_own_reading(tmp_path: Path, content: bytes, codes: set[str]) -> None:
    run = index_files(tmp_path, {"made.ts": content, "use.ts": USE, "tsconfig.json": {}})
    assert run.codes() == codes
    assert run.targets("use.ts", "made") == {". . made.ts"}
    assert run.targets("made.ts", "made") == {". . made.ts"}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_understood_but_has_no_columns_here(tmp_path: Path, encoding: str) -> None:
    content = ("\ufeff" + MADE).encode(encoding)
    run = index_files(tmp_path, {"made.ts": content, "use.ts": USE, "tsconfig.json": {}})
    assert run.documents == ["use.ts"]
    assert [event["path"] for event in run.problems("file_utf16")] == ["made.ts"]
    assert run.targets("use.ts", "made") == {". . made.ts"}


LINE = "export const n%d = { a: 1, b: [1, 2, 3] };\n"
LARGE = "".join(LINE % number for number in range(250_000))
DATA = MADE + "export const data = '" + "x" * 200_000 + "';\n"
LEFT_OUT: dict[str, tuple[str, str | bytes, str]] = {
    "10 MB of script": ("made.js", LARGE, "file_too_large"),
    "10 MB of types": ("made.ts", LARGE, "file_too_large"),
    "minified by name": ("made.min.js", MADE, "file_minified"),
    "minified by its lines": ("made.js", "export const made=1;" * 2000, "file_minified"),
    "binary": ("made.ts", b"G\x40\x00\x10\x00" * 400, "file_not_source"),
    "a translation": ("made.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS></TS>\n', "file_not_source"),
}


@pytest.mark.parametrize(("name", "content", "code"), LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_files_that_are_left_out_are_told(tmp_path: Path, name: str, content: str | bytes, code: str) -> None:
    run = index_files(tmp_path, {name: content, "use.ts": 'import "./made";\n', "other.ts": MADE})
    assert [event["path"] for event in run.problems(code)] == [name]
    assert sorted(run.documents) == ["other.ts", "use.ts"]


def test_types_of_a_large_file_are_known(tmp_path: Path) -> None:
    large = MADE + "".join(LINE % number for number in range(30_000))
    run = index_files(tmp_path, {"made.ts": large, "use.ts": USE})
    assert run.targets("use.ts", "made") == {". . made.ts"}


def test_a_long_line_of_data_does_not_make_a_file_minified(tmp_path: Path) -> None:
    run = index_files(tmp_path, {"made.ts": DATA, "use.ts": USE})
    assert sorted(run.documents) == ["made.ts", "use.ts"]


def test_special_and_missing_files_cost_themselves(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, {"made.ts": MADE, "folder.ts/inner.ts": MADE, "tsconfig.json": {}})
    os.mkfifo(root / "pipe.ts")
    (root / "loop.ts").symlink_to("loop.ts")
    files = ["folder.ts", "folder.ts/inner.ts", "gone.ts", "loop.ts", "made.ts", "pipe.ts"]
    run = index_tree(root, tmp_path / "run", files=files)
    assert sorted(run.documents) == ["folder.ts/inner.ts", "made.ts"]
    assert [event["path"] for event in run.problems("file_missing")] == ["gone.ts"]
    assert sorted(str(event["path"]) for event in run.problems("file_failed")) == [
        "folder.ts",
        "loop.ts",
        "pipe.ts",
    ]


def test_syntax_errors_are_told_and_the_rest_is_indexed(tmp_path: Path) -> None:
    run = index_files(tmp_path, {"made.ts": MADE + "function (\n", "use.ts": USE})
    assert [event["path"] for event in run.problems("syntax_errors")] == ["made.ts"]
    assert run.targets("use.ts", "made") == {". . made.ts"}


def spoiled(folder: Path, head: str, body: str) -> Path:
    """Make a compiler like the real one in which ``body`` comes after the first ``head``."""
    real = typescript_folder()
    (folder / "lib").mkdir(parents=True)
    shutil.copy(real / "package.json", folder)
    for library in (real / "lib").glob("lib*.d.ts"):
        (folder / "lib" / library.name).symlink_to(library)
    text = (real / "lib" / "typescript.js").read_text(encoding="utf-8")
    assert head in text
    (folder / "lib" / "typescript.js").write_text(text.replace(head, head + body, 1), encoding="utf-8")
    return folder


CRASHES = {
    "parser": (
        "setParentNodes = false, scriptKind) {",
        ' if (sourceText.includes("boom")) throw new Error("went\\nwrong");',
    ),
    "binder": (
        "function bindSourceFile(file, options) {",
        ' if (file.text.includes("boom")) throw new Error("went\\nwrong");',
    ),
}


@pytest.mark.parametrize(("head", "body"), CRASHES.values(), ids=list(CRASHES))
@pytest.mark.parametrize("configured", [True, False])
def test_a_crash_on_a_file_costs_that_file(tmp_path: Path, head: str, body: str, configured: bool) -> None:
    root = tmp_path / "work"
    write_tree(
        root, {"bad.ts": "export const boom = 1;\n", "made.ts": MADE, "use.ts": 'import "./bad";\n' + USE}
    )
    write_tree(root, {"tsconfig.json": {}} if configured else {})
    run = index_tree(root, tmp_path / "run", typescript=str(spoiled(tmp_path / "ts", head, body)))
    assert [(event["path"], event["message"]) for event in run.problems("file_failed")] == [
        ("bad.ts", "went")
    ]
    assert run.targets("use.ts", "made") == {". . made.ts"}


def test_a_crash_on_a_name_costs_that_name(tmp_path: Path) -> None:
    head = "getSymbolAtLocation: (nodeIn) => {"
    body = ' if (nodeIn.text === "boom") throw new Error("went wrong");'
    root = tmp_path / "work"
    write_tree(
        root,
        {
            "bad.ts": "const boom = 1;\nboom;\nexport const made = 1;\n",
            "use.ts": 'import { made } from "./bad";\nmade;\n',
        },
    )
    run = index_tree(root, tmp_path / "run", typescript=str(spoiled(tmp_path / "ts", head, body)))
    assert [event["path"] for event in run.problems("names_failed")] == ["bad.ts"]
    assert run.targets("use.ts", "made") == {". . bad.ts"}


def test_a_program_that_cannot_be_made_costs_no_other(tmp_path: Path) -> None:
    head = "_options, _host, _oldProgram, _configFileParsingDiagnostics) {"
    body = ' if (_rootNamesOrOptions.options.jsxFactory === "boom") throw new Error("went\\nwrong");'
    root = tmp_path / "work"
    write_tree(
        root,
        {
            "a/tsconfig.json": {"compilerOptions": {"jsxFactory": "boom"}},
            "a/made.ts": MADE,
            "b/tsconfig.json": {},
            "b/use.ts": USE.replace("./made", "../a/made"),
        },
    )
    run = index_tree(root, tmp_path / "run", typescript=str(spoiled(tmp_path / "ts", head, body)))
    failed = [(event["path"], event["message"]) for event in run.problems("project_failed")]
    assert failed == [("a/tsconfig.json", "went")]
    assert sorted(run.documents) == ["a/made.ts", "b/use.ts"]
    assert run.targets("b/use.ts", "made") == {". . a/made.ts"}


def test_work_without_end_costs_its_file(tmp_path: Path) -> None:
    head = "getSymbolAtLocation: (nodeIn) => {"
    body = ' if (nodeIn.text === "boom") for (;;);'
    root = tmp_path / "work"
    write_tree(root, {"bad.ts": "const boom = 1;\nboom;\n", "made.ts": MADE, "use.ts": USE})
    run = index_tree(
        root, tmp_path / "run", typescript=str(spoiled(tmp_path / "ts", head, body)), fileSeconds=2
    )
    assert [event["path"] for event in run.problems("file_failed")] == ["bad.ts"]
    assert run.targets("use.ts", "made") == {". . made.ts"}


COMPILERS = {
    "no folder": ({}, "typescript_missing"),
    "too old": ({"package.json": {"version": "4.9.5"}}, "typescript_too_old"),
    "native": ({"package.json": {"version": "7.0.2"}}, "typescript_native"),
    "no library": ({"package.json": {"version": "6.0.3"}}, "typescript_missing"),
    "no declarations": (
        {"package.json": {"version": "6.0.3"}, "lib/typescript.js": "module.exports = {};"},
        "typescript_missing",
    ),
    "another library": (
        {
            "package.json": {"version": "6.0.3"},
            "lib/typescript.js": "module.exports = {};",
            "lib/lib.d.ts": "",
        },
        "typescript_unknown",
    ),
    "a broken library": (
        {
            "package.json": {"version": "6.0.3"},
            "lib/typescript.js": "throw new Error('no\\nway');",
            "lib/lib.d.ts": "",
        },
        "typescript_unknown",
    ),
}


@pytest.mark.parametrize(("files", "code"), COMPILERS.values(), ids=list(COMPILERS))
def test_other_compilers_are_refused_by_name(tmp_path: Path, files: dict[str, object], code: str) -> None:
    write_tree(tmp_path / "work", {"a.ts": MADE})
    write_tree(tmp_path / "ts", files)
    run = drive(request_for(tmp_path / "work", typescript=str(tmp_path / "ts")), tmp_path / "run")
    assert (run.code, [(event["event"], event["code"]) for event in run.events]) == (3, [("failed", code)])


REQUESTS = {
    "no compiler": {"typescript": None},
    "files that are no list": {"files": "a.ts"},
    "configurations that are no texts": {"configs": [1]},
    "a root that is not there": {"root": "/nowhere/at/all"},
}


@pytest.mark.parametrize("changes", REQUESTS.values(), ids=list(REQUESTS))
def test_bad_requests_are_refused_by_name(tmp_path: Path, changes: dict[str, object]) -> None:
    write_tree(tmp_path / "work", {"a.ts": MADE})
    run = drive(request_for(tmp_path / "work", **changes), tmp_path / "run")
    assert (run.code, run.events[-1]["code"]) == (3, "request_invalid")


@pytest.mark.parametrize("version", ["6.0.3", "5.9.3"])
def test_the_self_test_passes_and_leaves_nothing(tmp_path: Path, version: str) -> None:
    run = self_test(tmp_path, typescript_folder(version))
    assert (run.code, run.events[-1]["event"]) == (0, "done")
    assert [path.name for path in tmp_path.iterdir()] == ["REQUEST.json"]


def self_test(folder: Path, compiler: Path) -> Run:
    return drive({"typescript": str(compiler)}, folder, arguments=["--self-test"])


def test_the_self_test_fails_when_the_compiler_answers_otherwise(tmp_path: Path) -> None:
    head = "getSymbolAtLocation: (nodeIn) => {"
    compiler = spoiled(tmp_path / "ts", head, " if (nodeIn) return undefined;")
    run = self_test(tmp_path / "run", compiler)
    assert (run.code, run.events[-1]["code"]) == (3, "self_test_failed")


def test_the_driver_needs_no_right_but_to_read_and_to_write_its_own_folder(tmp_path: Path) -> None:
    root, folder = tmp_path / "work", tmp_path / "run"
    write_tree(root, {"made.ts": MADE, "use.ts": USE, "tsconfig.json": {}})
    folder.mkdir()
    flags = ["--permission", "--allow-fs-read=*", f"--allow-fs-write={folder}"]
    confined = drive(request_for(root), folder, flags=flags)
    assert (confined.code, confined.events[-1]["event"]) == (0, "done")
    assert confined.output.read_bytes() == index_tree(root, tmp_path / "free").output.read_bytes()


DEEP = {
    "parentheses": "export const made = " + "(" * 20_000 + "1" + ")" * 20_000 + ";\n",
    "calls in a chain": "declare const p: Promise<1>;\nexport const made = p"
    + ".then((x) => x)" * 5_000
    + ";\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_what_is_nested_too_deeply_costs_itself_only(tmp_path: Path, text: str) -> None:
    run = index_files(
        tmp_path, {"tsconfig.json": {}, "deep.ts": text, "ok.ts": MADE, "use.ts": 'import "./deep";\n'}
    )
    assert run.reported() == ["deep.ts"]
    assert run.documents == ["ok.ts", "use.ts"]
