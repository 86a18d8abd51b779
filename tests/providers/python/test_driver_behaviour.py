"""How the driver behaves whatever it is given: hostile trees, bad files, bad bundles, equal bytes."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.providers import cleanliness
from tests.providers.python.driver_index import (
    DIST,
    Run,
    drive,
    index_tree,
    request_for,
    short,
    write_tree,
)

FIXTURE = Path(__file__).parents[3] / "fixtures" / "python-tricky"
UNCHANGED = {"shop.py": "def price(value):\n    return value\n\n\nprice(1)\n"}


def test_equal_trees_give_equal_bytes_wherever_they_are(tmp_path: Path) -> None:
    outputs = []
    for name in ("one", "a much longer folder name"):
        root = tmp_path / name / "work"
        shutil.copytree(FIXTURE, root)
        outputs.append(index_tree(root, tmp_path / name / "run").output.read_bytes())
    assert outputs[0] == outputs[1]
    assert str(tmp_path).encode() not in outputs[0]


def test_the_output_is_a_row_of_whole_messages(tmp_path: Path) -> None:
    write_tree(tmp_path / "work", {"b.py": "x = 1\n", "a/c.py": "y = 1\n", "a.py": "z = 1\n"})
    run = index_tree(tmp_path / "work", tmp_path / "run")
    assert [one.relative_path for one in run.index.documents] == ["a.py", "a/c.py", "b.py"]
    assert run.index.metadata.tool_info.name == "codetrail-python"
    assert run.index.metadata.tool_info.version == "0.0.1"
    assert run.index.metadata.project_root == ""
    assert run.stdout == ""
    assert run.events[0]["event"] == "start"
    assert run.events[-1] == {
        "event": "done",
        "documents": 3,
        "files": 3,
        "names": 3,
        "resolved": 3,
        "unresolved": 0,
    }


CANARIES = {
    "interpreter of the workspace": {".venv/bin/python": "#!/bin/sh\ntouch {canary}\n"},
    "sitecustomize": {
        "sitecustomize.py": "open('{canary}', 'w')\n",
        "usercustomize.py": "open('{canary}', 'w')\n",
    },
    "import side effect": {"evil.py": "open('{canary}', 'w')\n", "user.py": "import evil\nevil.x\n"},
    "setup script": {"setup.py": "open('{canary}', 'w')\n"},
    "node module": {"node_modules/fs/index.js": "require('fs').writeFileSync('{canary}', '')\n"},
    "settings that name a plugin": {
        "pyrightconfig.json": '{{"venvPath": ".", "venv": ".venv", "pythonPath": ".venv/bin/python"}}',
        ".venv/bin/python": "#!/bin/sh\ntouch {canary}\n",
    },
}


@pytest.mark.parametrize("files", CANARIES.values(), ids=list(CANARIES))
def test_nothing_of_the_workspace_runs(tmp_path: Path, files: dict[str, str]) -> None:
    canary = tmp_path / "canary"
    root = tmp_path / "work"
    write_tree(root, UNCHANGED | {path: text.format(canary=canary) for path, text in files.items()})
    for path in files:
        (root / path).chmod(0o755)
    run = index_tree(root, tmp_path / "run")
    assert run.references("shop/price().") == [("shop.py", 4)]
    assert not canary.exists()


SETTINGS = {
    "include": {"pyrightconfig.json": '{"include": ["nowhere"]}'},
    "exclude and ignore": {"pyrightconfig.json": '{"exclude": ["**"], "ignore": ["**"]}'},
    "pyproject": {"pyproject.toml": '[tool.pyright]\ninclude = ["nowhere"]\npythonPlatform = "Windows"\n'},
    "basedpyright": {"pyproject.toml": '[tool.basedpyright]\nexclude = ["**"]\n'},
    "not JSON": {"pyrightconfig.json": "{"},
    "not TOML": {"pyproject.toml": "[tool.pyright\n"},
    "extends a file outside": {"pyrightconfig.json": '{"extends": "../../outside.json"}'},
}


@pytest.mark.parametrize("files", SETTINGS.values(), ids=list(SETTINGS))
def test_the_workspace_cannot_change_what_is_indexed(tmp_path: Path, files: dict[str, str]) -> None:
    for name, more in (("plain", {}), ("with", files)):
        write_tree(tmp_path / name, UNCHANGED | {"b/c.py": "import shop\nshop.price(2)\n"} | more)
    plain = index_tree(tmp_path / "plain", tmp_path / "run1").output.read_bytes()
    assert index_tree(tmp_path / "with", tmp_path / "run2").output.read_bytes() == plain


FILES = {
    "empty": (b"", 1),
    "latin-1 by its cookie": ('# coding: latin-1\ns = "éé"; name = 1\nname\n'.encode("latin-1"), 4),
    "utf-8 with a byte order mark": (b"\xef\xbb\xbfname = 1; name\n", 3),
    "bytes that are no text": (b'name = "\xff\xfe"; name\n', 3),
    "null byte": (b"name = 1\x00\nname\n", 3),
    "carriage returns alone": (b"name = 1\rname\r", 3),
    "form feed": (b"name = 1\x0c\n\x0cname\n", 3),
    "unclosed bracket": (b"name = (1,\n", 2),
    "decorators of nothing": (b"name = 1\n@name\n", 3),
    "unknown cookie": (b"# coding: no-such-thing\nname = 1\n", 2),
    "astral names": ("𝒳 = 1; 𝒳\n".encode(), 3),
    "deep nesting": (b"name = " + b"(" * 3000 + b"1" + b")" * 3000 + b"\n", 1),
    "a long line": (b"name = [" + b"1, " * 200_000 + b"]\n", 2),
}


@pytest.mark.parametrize(("content", "least"), FILES.values(), ids=list(FILES))
def test_odd_files_keep_their_document(tmp_path: Path, content: bytes, least: int) -> None:
    write_tree(tmp_path / "work", {"odd.py": content, **UNCHANGED})
    run = index_tree(tmp_path / "work", tmp_path / "run")
    assert len(run.document("odd.py").occurrences) >= least
    if "coding: latin" in repr(content):
        run.texts["odd.py"] = content.decode("latin-1")
    assert cleanliness.violations(run.index, run.text) == []


def test_a_name_bound_many_times_keeps_every_place(tmp_path: Path) -> None:
    """Pyright compares each declaration with all before it; without a bound this file takes minutes."""
    times = 20_000
    write_tree(tmp_path / "work", {"odd.py": b"x = 1\n" * times + b"def x(): ...\nx()\n", **UNCHANGED})
    run = index_tree(tmp_path / "work", tmp_path / "run")
    symbols = [one.symbol for one in run.document("odd.py").occurrences]
    assert len([one for one in symbols if one.endswith("/x.")]) == times + 1
    assert len([one for one in symbols if one.endswith("/x().")]) == 2
    assert cleanliness.violations(run.index, run.text) == []


def test_a_file_that_takes_too_long_costs_itself_only(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, {"odd.py": b"x = 1; y = x\n" * 20_000, **UNCHANGED})
    run = drive(request_for(root, fileSeconds=0.05), tmp_path / "run")
    assert run.code == 0
    assert [one["path"] for one in run.problems("file_failed")] == ["odd.py"]
    assert [one.relative_path for one in run.index.documents] == sorted(UNCHANGED)


NEWER = {
    "type statement": ("type A = int\n", 0),
    "type parameters": ("class B[T]: ...\ndef f[T = int](x: T): ...\n", 0),
    "match": ("match 1:\n    case 1: pass\n", 0),
    "except star": ("try: pass\nexcept* ValueError: pass\n", 0),
    "except without parentheses": ("try: pass\nexcept ValueError, TypeError: pass\n", 0),
    "nested f-string": ('x = f"{f"{1}"}"\n', 0),
    "template string": ("x = t'{1}'\n", 0),
    "a real error after new syntax": ("type A = int\nx = = 1\n", 1),
}


@pytest.mark.parametrize("version", ["3.8", "3.11"])
@pytest.mark.parametrize(("text", "errors"), NEWER.values(), ids=list(NEWER))
def test_syntax_of_a_newer_python_is_no_error(tmp_path: Path, text: str, errors: int, version: str) -> None:
    write_tree(tmp_path / "work", {"new.py": text})
    python: dict[str, object] = {"version": version, "platform": None, "searchPaths": [], "interpreter": None}
    run = index_tree(tmp_path / "work", tmp_path / "run", python=python)
    assert [one["count"] for one in run.problems("syntax_errors")] == [errors] * bool(errors)


def test_a_missing_file_costs_itself_only(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, UNCHANGED)
    run = drive(request_for(root, files=["gone.py", "shop.py"]), tmp_path / "run")
    assert run.code == 0
    assert [one["path"] for one in run.problems("file_missing")] == ["gone.py"]
    assert [one.relative_path for one in run.index.documents] == ["shop.py"]
    assert (run.events[-1]["documents"], run.events[-1]["files"]) == (1, 2)


def test_what_is_no_regular_file_costs_itself_only(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, UNCHANGED | {"folder.py/inner.txt": ""})
    os.mkfifo(root / "pipe.py")
    run = drive(request_for(root, files=["folder.py", "pipe.py", "shop.py"]), tmp_path / "run")
    assert run.code == 0
    assert [one["path"] for one in run.problems("file_failed")] == ["folder.py", "pipe.py"]
    assert [one.relative_path for one in run.index.documents] == ["shop.py"]


def test_a_file_too_large_is_told_and_not_walked(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, UNCHANGED | {"large.py": "x = 1\n" + "#\n" * (5 << 20)})
    run = drive(request_for(root, files=["large.py", "shop.py"]), tmp_path / "run")
    assert run.code == 0
    assert [one["path"] for one in run.problems("file_too_large")] == ["large.py"]
    assert [one.relative_path for one in run.index.documents] == ["shop.py"]


ODD_NAMES = [
    "sp ace.py",
    "hash#.py",
    "per%20cent.py",
    "que?ry.py",
    "back`tick.py",
    "ünï/𝒳.py",
    "a.b.py",
    "-x.py",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_files_may_have_any_name(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path / "work", {name: "value = 1\nvalue\n"})
    run = index_tree(tmp_path / "work", tmp_path / "run")
    assert len(run.document(name).occurrences) == 3
    assert cleanliness.violations(run.index, run.text) == []


def test_installed_packages_are_named_by_distribution_and_version(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_tree(
        site,
        {
            "acme/__init__.py": "from acme._core import Engine as Engine\n",
            "acme/_core.py": "class Engine:\n    def start(self, speed=1): ...\n",
            "single.py": "VALUE = 1\n",
            "pinned-stubs/__init__.pyi": "def pin(at: int) -> None: ...\n",
        },
    )
    code = "import acme, single, pinned\nacme.Engine().start(speed=2)\nsingle.VALUE\npinned.pin(at=1)\n"
    write_tree(tmp_path / "work", {"use.py": code})
    run = index_tree(
        tmp_path / "work",
        tmp_path / "run",
        python={"version": "3.12", "platform": None, "searchPaths": [str(site)], "interpreter": None},
        distributions=[
            {"prefix": str(site / "acme"), "name": "Acme Tools", "version": "2.1"},
            {"prefix": str(site / "single.py"), "name": "single", "version": "0.3"},
            {"prefix": str(site / "pinned-stubs"), "name": "types-pinned", "version": "9.9"},
        ],
    )
    assert run.symbols_at("use.py", "acme.Engine", "Engine") == {"Acme  Tools 2.1 `acme._core`/Engine#"}
    assert run.symbols_at("use.py", "speed=2", "speed") == {
        "Acme  Tools 2.1 `acme._core`/Engine#start().(speed)"
    }
    assert run.symbols_at("use.py", "single.VALUE", "VALUE") == {"single 0.3 single/VALUE."}
    assert run.symbols_at("use.py", "pinned.pin", "pin", 1) == {"pinned . pinned/pin()."}
    assert cleanliness.violations(run.index, run.text) == []


def test_packages_and_roots_name_the_files_of_a_monorepo(tmp_path: Path) -> None:
    write_tree(
        tmp_path / "work",
        {
            "packages/a/src/alpha/__init__.py": "A = 1\n",
            "packages/b/src/beta/__init__.py": "from alpha import A\nA\n",
            "script.py": "import beta\n",
        },
    )
    run = index_tree(
        tmp_path / "work",
        tmp_path / "run",
        roots=["", "packages/a/src", "packages/b/src"],
        packages=[
            {"root": "packages/a", "name": "alpha-lib", "version": "1.0"},
            {"root": "packages/b", "name": "beta-lib", "version": ""},
        ],
    )
    assert run.symbols_at("packages/b/src/beta/__init__.py", "A", "A") == {"alpha-lib 1.0 alpha/A."}
    assert run.symbols_at("script.py", "import beta", "beta") == {"beta-lib . beta/__init__:"}
    assert {short(one.symbol) for one in run.document("script.py").symbols} == {". . script/__init__:"}


BUNDLES = {
    "no folder": ("missing", None, "bundle_unknown"),
    "too old": ("old", {"package.json": '{"version": "1.1.340"}'}, "bundle_too_old"),
    "no entry": ("bare", {"package.json": '{"version": "1.1.400"}'}, "bundle_unknown"),
    "another layout": (
        "odd",
        {"package.json": '{"version": "1.1.400"}', "dist/pyright-langserver.js": "process.exit(0)"},
        "bundle_unknown",
    ),
}


@pytest.mark.parametrize("kind", ["basedpyright", "pyright"])
@pytest.mark.parametrize(("name", "files", "code"), BUNDLES.values(), ids=list(BUNDLES))
def test_bad_bundles_are_refused_by_name(
    tmp_path: Path, kind: str, name: str, files: dict[str, str] | None, code: str
) -> None:
    write_tree(tmp_path / "work", UNCHANGED)
    write_tree(tmp_path / name, files or {})
    bundle = {"kind": kind, "dist": str(tmp_path / name / "dist")}
    run = drive(request_for(tmp_path / "work", bundle=bundle), tmp_path / "run")
    assert run.code == 3
    assert [(one["event"], one["code"]) for one in run.events] == [("failed", code)]
    assert not run.output.exists()


REQUESTS = {
    "no bundle": {"bundle": None},
    "files that are no list": {"files": "a.py"},
    "environments that are no projects": {"environments": [["", []]]},
    "roots that are no texts": {"environments": [{"root": "", "roots": [1]}]},
    "search paths that are no texts": {"python": {"searchPaths": [1]}},
}


@pytest.mark.parametrize("changes", REQUESTS.values(), ids=list(REQUESTS))
def test_bad_requests_are_refused_by_name(tmp_path: Path, changes: dict[str, object]) -> None:
    write_tree(tmp_path / "work", UNCHANGED)
    run = drive(request_for(tmp_path / "work", **changes), tmp_path / "run")
    assert (run.code, run.events[-1]["code"]) == (3, "request_invalid")


def self_test(folder: Path, bundle: dict[str, str]) -> Run:
    request = {"bundle": bundle, "python": {"version": "3.12", "searchPaths": []}}
    return drive(request, folder, arguments=["--self-test"])


def test_the_self_test_passes_with_the_installed_bundle_and_leaves_nothing(tmp_path: Path) -> None:
    run = self_test(tmp_path, {"kind": "basedpyright", "dist": DIST})
    assert (run.code, run.events[-1]["event"]) == (0, "done")
    assert [path.name for path in tmp_path.iterdir()] == ["REQUEST.json"]


HEAD = "function getDeclInfoForNameNode(node, skipUnreachableCode = true) {"


def spoiled_bundle(folder: Path, body: str) -> dict[str, str]:
    """Make a bundle like the installed one whose answers about names begin with ``body``."""
    dist = folder / "package" / "dist"
    dist.mkdir(parents=True)
    shutil.copy(Path(DIST).parent / "package.json", dist.parent)
    (dist / "typeshed-fallback").symlink_to(Path(DIST) / "typeshed-fallback")
    text = (Path(DIST) / "pyright-langserver.js").read_text(encoding="utf-8")
    assert HEAD in text
    (dist / "pyright-langserver.js").write_text(text.replace(HEAD, HEAD + body), encoding="utf-8")
    return {"kind": "basedpyright", "dist": str(dist)}


def test_the_self_test_fails_when_the_engine_answers_otherwise(tmp_path: Path) -> None:
    bundle = spoiled_bundle(tmp_path, " return { decls: [], synthesizedTypes: [] };")
    run = self_test(tmp_path / "run", bundle)
    assert (run.code, run.events[-1]["code"]) == (3, "self_test_failed")
    assert "expected answer" in str(run.events[-1]["message"])


def test_an_engine_error_costs_its_file_only(tmp_path: Path) -> None:
    bundle = spoiled_bundle(tmp_path, ' if (node.d.value === "boom") throw new Error("went\\nwrong");')
    write_tree(tmp_path / "work", {"a.py": "x = 1\nx\n", "b.py": "boom = 1\nprint(boom)\n", **UNCHANGED})
    run = drive(request_for(tmp_path / "work", bundle=bundle), tmp_path / "run")
    assert run.code == 0
    assert run.problems("file_failed") == [
        {"event": "problem", "code": "file_failed", "path": "b.py", "message": "went"}
    ]
    assert [one.relative_path for one in run.index.documents] == ["a.py", "shop.py"]
    assert run.references("shop/price().") == [("shop.py", 4)]


def test_the_driver_needs_no_right_but_to_read_and_to_write_its_own_folder(tmp_path: Path) -> None:
    root, folder = tmp_path / "work", tmp_path / "run"
    shutil.copytree(FIXTURE, root)
    folder.mkdir()
    flags = ["--permission", "--allow-fs-read=*", f"--allow-fs-write={folder}"]
    confined = drive(request_for(root), folder, flags=flags)
    assert (confined.code, confined.events[-1]["event"]) == (0, "done")
    free = index_tree(root, tmp_path / "free")
    assert confined.output.read_bytes() == free.output.read_bytes()


def test_an_output_that_cannot_be_written_is_a_named_failure(tmp_path: Path) -> None:
    write_tree(tmp_path / "work", UNCHANGED)
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    run = drive(request_for(tmp_path / "work"), tmp_path / "run", arguments=["--output", str(blocked)])
    assert (run.code, run.events[-1]["event"]) == (3, "failed")
    assert stat.S_ISDIR(blocked.stat().st_mode)


@pytest.mark.parametrize("arguments", [["--outputs", "x"], ["--request", "x"]], ids=["unknown", "missing"])
def test_wrong_arguments_are_refused_by_name(tmp_path: Path, arguments: list[str]) -> None:
    write_tree(tmp_path / "work", UNCHANGED)
    run = drive(request_for(tmp_path / "work"), tmp_path / "run", arguments=arguments)
    assert (run.code, run.events[-1]["code"]) == (3, "usage")


def test_events_are_one_json_object_a_line(tmp_path: Path) -> None:
    name = 'two\nlines "quoted" \u2028.py'
    write_tree(tmp_path / "work", {name: "import nowhere_at_all\n"})
    run = index_tree(tmp_path / "work", tmp_path / "run")
    [event] = run.problems("unresolved_import")
    assert event == {
        "event": "problem",
        "code": "unresolved_import",
        "path": name,
        "line": 1,
        "message": "nowhere_at_all",
    }
    assert json.loads(json.dumps(event)) == event
