"""Which project a file belongs to: configurations of any folder, extended, referred to, broken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.providers.typescript.projects_index import (
    INFERRED,
    drive,
    index_files,
    index_tree,
    request_for,
    write_tree,
)

ALL: Mapping[str, object] = {}
"""A configuration without a list: everything below its folder."""

OWNERS = {
    "one configuration": ({"tsconfig.json": ALL, "a.ts": ""}, {"tsconfig.json": 1}),
    "the deepest folder": (
        {"tsconfig.json": ALL, "x.ts": "", "p/tsconfig.json": ALL, "p/y.ts": "", "p/q/z.ts": ""},
        {"p/tsconfig.json": 2, "tsconfig.json": 1},
    ),
    "a deeper one that does not list it": (
        {"tsconfig.json": ALL, "p/tsconfig.json": {"include": ["src"]}, "p/src/a.ts": "", "p/b.ts": ""},
        {"p/tsconfig.json": 1, "tsconfig.json": 1},
    ),
    "tsconfig before jsconfig": (
        {"tsconfig.json": {"compilerOptions": {"allowJs": True}}, "jsconfig.json": ALL, "a.js": ""},
        {"tsconfig.json": 1},
    ),
    "jsconfig alone": ({"jsconfig.json": ALL, "a.js": "", "b.jsx": ""}, {"jsconfig.json": 2}),
    "script beside": ({"tsconfig.json": ALL, "a.ts": "", "b.js": ""}, {"tsconfig.json": 1}),
    "a test configuration nobody refers to": (
        {
            "tsconfig.json": {"exclude": ["*.test.ts"]},
            "tsconfig.test.json": ALL,
            "a.ts": "",
            "a.test.ts": "",
        },
        {"tsconfig.json": 1, "tsconfig.test.json": 1},
    ),
    "a deeper one of another name leaves what an ordinary one lists": (
        {"tsconfig.json": ALL, "p/tsconfig.build.json": ALL, "p/a.ts": ""},
        {"tsconfig.json": 1},
    ),
    "a list of files of another folder": (
        {
            "app/deep/tsconfig.json": {"include": ["../../shared"]},
            "shared/tsconfig.json": ALL,
            "shared/a.ts": "",
            "app/deep/b.ts": "",
        },
        {"shared/tsconfig.json": 1},
    ),
    "a base that others extend is no project": (
        {
            "tsconfig.base.json": {"compilerOptions": {"strict": True}},
            "p/tsconfig.json": {"extends": "../tsconfig.base.json"},
            "p/a.ts": "",
            "b.ts": "",
        },
        {"p/tsconfig.json": 1},
    ),
    "solution": (
        {
            "tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.app.json"}, {"path": "node"}]},
            "tsconfig.app.json": {"include": ["src"]},
            "node/tsconfig.json": ALL,
            "src/a.ts": "",
            "node/b.ts": "",
        },
        {"node/tsconfig.json": 1, "tsconfig.app.json": 1},
    ),
    "circular references": (
        {
            "a/tsconfig.json": {"references": [{"path": "../b"}]},
            "b/tsconfig.json": {"references": [{"path": "../a"}]},
            "a/a.ts": "",
            "b/b.ts": "",
        },
        {"a/tsconfig.json": 1, "b/tsconfig.json": 1},
    ),
    "a reference to a file of any name": (
        {
            "tsconfig.json": {"files": [], "references": [{"path": "./build/app.json"}]},
            "build/app.json": {"include": ["../src"]},
            "src/a.ts": "",
        },
        {"build/app.json": 1},
    ),
    "none": ({"a.ts": "", "b.js": ""}, {}),
}


@pytest.mark.parametrize(("files", "plan"), OWNERS.values(), ids=list(OWNERS))
def test_each_file_has_one_project(tmp_path: Path, files: dict[str, object], plan: dict[str, int]) -> None:
    run = index_files(tmp_path, files)
    assert run.plan == plan
    assert run.reported() == []
    left = len(run.documents) - sum(plan.values())
    assert [event["count"] for event in run.problems("files_inferred")] == ([left] if left else [])


BASE = {"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./src/*"]}}}
USED = {"src/a.ts": "export const a = 1;\n", "app/b.ts": 'import { a } from "@/a";\na;\n'}
CHAINS: dict[str, dict[str, object]] = {
    "relative": {"tsconfig.base.json": BASE, "tsconfig.json": {"extends": "./tsconfig.base.json"}},
    "without its ending": {"tsconfig.base.json": BASE, "tsconfig.json": {"extends": "./tsconfig.base"}},
    "two steps": {
        "tsconfig.base.json": BASE,
        "tsconfig.mid.json": {"extends": "./tsconfig.base.json"},
        "tsconfig.json": {"extends": "./tsconfig.mid.json"},
    },
    "a list": {
        "tsconfig.base.json": BASE,
        "tsconfig.strict.json": {"compilerOptions": {"strict": False}},
        "tsconfig.json": {"extends": ["./tsconfig.base.json", "./tsconfig.strict.json"]},
    },
    "a package": {
        "node_modules/@acme/base/package.json": {"name": "@acme/base", "version": "1.0.0"},
        "node_modules/@acme/base/tsconfig.json": {
            "compilerOptions": {"paths": {"@/*": ["../../../src/*"]}},
        },
        "tsconfig.json": {"extends": "@acme/base/tsconfig.json"},
    },
    "comments and commas": {
        "tsconfig.json": '{ // all of it\n "compilerOptions": { "paths": { "@/*": ["./src/*"], }, }, }'
    },
}


@pytest.mark.parametrize("files", CHAINS.values(), ids=list(CHAINS))
def test_options_come_from_what_is_extended(tmp_path: Path, files: dict[str, object]) -> None:
    run = index_files(tmp_path, USED | files)
    assert run.targets("app/b.ts", "a") == {". . src/a.ts"}
    assert run.problems("config_error") == []


BROKEN: dict[str, tuple[dict[str, object], str]] = {
    "not JSON": ({"tsconfig.json": '{"compilerOptions": {"strict" true,,'}, "tsconfig.json"),
    "nothing in it": ({"tsconfig.json": ""}, ""),
    "another value": ({"tsconfig.json": "[1, 2]"}, "tsconfig.json"),
    "unknown option": ({"tsconfig.json": {"compilerOptions": {"nonsense": 1}}}, "tsconfig.json"),
    "bad value": ({"tsconfig.json": {"compilerOptions": {"module": "nonsense"}}}, "tsconfig.json"),
    "extends nothing": ({"tsconfig.json": {"extends": "./absent.json"}}, "tsconfig.json"),
    "extends a package that is not there": ({"tsconfig.json": {"extends": "@acme/base"}}, "tsconfig.json"),
    "extends itself": ({"tsconfig.json": {"extends": "./tsconfig.json"}}, "tsconfig.json"),
    "circular": (
        {
            "tsconfig.json": {"extends": "./tsconfig.b.json"},
            "tsconfig.b.json": {"extends": "./tsconfig.json"},
        },
        "tsconfig.b.json",
    ),
    "refers to nothing": ({"tsconfig.json": {"references": [{"path": "./absent"}]}}, "tsconfig.json"),
    "an error in a base": (
        {"tsconfig.base.json": {"compilerOptions": {"nonsense": 1}}}
        | {f"p{number}/tsconfig.json": {"extends": "../tsconfig.base.json"} for number in range(3)},
        "tsconfig.base.json",
    ),
}


@pytest.mark.parametrize(("files", "path"), BROKEN.values(), ids=list(BROKEN))
def test_broken_configurations_are_reported_and_cost_nothing(
    tmp_path: Path, files: dict[str, object], path: str
) -> None:
    sources = {"a.ts": "export const a = 1;\n", "b.ts": 'import { a } from "./a";\na;\n'}
    run = index_files(tmp_path, sources | files)
    assert sorted(run.documents) == ["a.ts", "b.ts"]
    assert run.targets("b.ts", "a") == {". . a.ts"}
    errors = run.problems("config_error")
    assert {event["path"] for event in errors} == ({path} if path else set())
    assert len({(event["path"], event.get("line"), event["message"]) for event in errors}) == len(errors)
    assert all(str(tmp_path) not in str(event["message"]) for event in errors)


def test_files_that_are_only_reached_join_a_project_that_reaches_them(tmp_path: Path) -> None:
    options = {"compilerOptions": {"paths": {"~/*": ["./lib/*"]}}, "include": ["src"]}
    run = index_files(
        tmp_path,
        {
            "p/tsconfig.json": options,
            "p/src/a.ts": 'import { b } from "../lib/b";\nb;\n',
            "p/lib/b.ts": 'import { c } from "~/c";\nexport const b = c;\n',
            "p/lib/c.ts": "export const c = 1;\n",
            "o/tsconfig.json": {"include": ["src"]},
            "o/src/d.ts": 'import { b } from "../../p/lib/b";\nimport { e } from "../../q/e";\nb, e;\n',
            "q/e.ts": "export const e = 1;\n",
        },
    )
    assert run.plan == {"o/tsconfig.json": 1, "p/tsconfig.json": 1}
    assert run.codes() == set()
    assert run.targets("p/lib/b.ts", "c") == {". . p/lib/c.ts"}
    assert run.targets("o/src/d.ts", "b") == {". . p/lib/b.ts"}


def test_leftover_files_share_one_inferred_project_but_no_names(tmp_path: Path) -> None:
    run = index_files(
        tmp_path,
        {
            "a.js": "function start() {}\nstart();\n",
            "b.js": "function start() {}\nstart();\n",
            "c.js": 'const { shared } = require("./d");\nshared();\n',
            "d.js": "function shared() {}\nmodule.exports = { shared };\n",
            "e.tsx": 'import { shared } from "./d";\nexport const view = <div>{shared()}</div>;\n',
        },
    )
    assert run.plan == {}
    assert run.targets("a.js", "start") == {". . a.js"}
    assert run.targets("b.js", "start") == {". . b.js"}
    assert run.targets("c.js", "shared", "shared()") == {". . d.js"}
    assert run.targets("e.tsx", "shared", "view") == {". . d.js"}


def test_a_run_may_be_limited_to_some_projects(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, {"a/tsconfig.json": ALL, "a/a.ts": "", "b/tsconfig.json": ALL, "b/b.ts": "", "c.js": ""})
    parts = {"a/tsconfig.json": ["a/a.ts"], "b/tsconfig.json": ["b/b.ts"], INFERRED: ["c.js"]}
    for label, documents in parts.items():
        run = drive(request_for(root, only=[label]), tmp_path / label)
        assert (run.code, run.documents, run.reported()) == (0, documents, [])
    run = drive(request_for(root, only=["a/tsconfig.json", INFERRED]), tmp_path / "two")
    assert run.documents == ["a/a.ts", "c.js"]


STRICT = {"strict": True, "target": "es5", "module": "commonjs"}
LOOSE = {
    "strict": False,
    "target": "esnext",
    "module": "esnext",
    "moduleDetection": "force",
    "jsx": "react-jsx",
}
SHARED = {
    "a/tsconfig.json": {"compilerOptions": STRICT},
    "a/index.ts": "export * from './shape';\nexport default class Box { size?: number }\n",
    "a/shape.ts": "export interface Shape { area(): number; name?: string }\nexport const unit = 1;\n",
    "a/global.ts": "declare global { interface Window { box: string } }\nexport {};\n",
    "b/tsconfig.json": {"compilerOptions": LOOSE, "references": [{"path": "../a"}]},
    "b/use.tsx": "import Box, { type Shape, unit } from '../a';\n"
    "export const f = (s: Shape) => s.area() + unit;\nnew Box().size;\n"
    "declare namespace JSX { interface IntrinsicElements { p: object } }\n<p/>;\n",
    "b/old.ts": "var legacy = window.box;\nlegacy.length;\n",
    "c.js": "const { f } = require('./b/use');\nf({ area: () => 1 }).toFixed();\n",
}


def test_a_document_does_not_depend_on_the_programs_that_ran_before(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(root, SHARED)
    whole = index_tree(root, tmp_path / "whole")
    assert len(whole.plan) == 2
    alone: dict[str, bytes] = {}
    for label in (*whole.plan, INFERRED):
        run = drive(request_for(root, only=[label]), tmp_path / "alone" / label)
        alone |= {one.relative_path: one.SerializeToString(deterministic=True) for one in run.index.documents}
    assert alone == {
        one.relative_path: one.SerializeToString(deterministic=True) for one in whole.index.documents
    }


def test_what_adds_to_the_library_gives_its_types_no_other_name(tmp_path: Path) -> None:
    tree = {
        "tsconfig.json": {"compilerOptions": LOOSE},
        "more.d.ts": "interface Array<T> { last(): T }\n",
        "use.ts": "export const used = [1].concat([2]).last();\n",
    }
    write_tree(tmp_path / "work", tree)
    run = index_tree(tmp_path / "work", tmp_path / "run")
    used = {
        tuple(one.symbol.partition(" npm ")[2].split(" ")[::2])
        for document in run.index.documents
        if document.relative_path == "use.ts"
        for one in document.occurrences
        if "Array#" in one.symbol
    }
    assert used == {("typescript", "lib/Array#concat()."), ("typescript", "lib/Array#last().")}


def test_equal_trees_give_equal_bytes_wherever_they_are(tmp_path: Path) -> None:
    outputs = []
    for name in ("one", "a much longer folder name"):
        write_tree(tmp_path / name / "work", SHARED)
        outputs.append(index_tree(tmp_path / name / "work", tmp_path / name / "run").output.read_bytes())
    assert outputs[0] == outputs[1]
    assert str(tmp_path).encode() not in outputs[0]


SILENCED = {
    "diagnostics": True,
    "explainFiles": True,
    "extendedDiagnostics": True,
    "generateTrace": "trace",
    "listEmittedFiles": True,
    "listFiles": True,
    "noEmit": False,
    "traceResolution": True,
    "incremental": True,
    "composite": True,
    "declaration": True,
    "tsBuildInfoFile": "out.tsbuildinfo",
    "outDir": "out",
}


def test_options_that_print_or_write_do_neither(tmp_path: Path) -> None:
    files = {
        "tsconfig.json": {"compilerOptions": SILENCED},
        "a.ts": 'import "./b";\n',
        "b.ts": "export {};\n",
    }
    run = index_files(tmp_path, files)
    assert run.stdout == ""
    assert {event["event"] for event in run.events} <= {"start", "plan", "read", "progress", "done"}
    left = sorted(path.name for path in (tmp_path / "work").rglob("*"))
    assert left == sorted(files)


def test_plugins_are_never_loaded(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    write = f"require('fs').writeFileSync({str(canary)!r}, '');\n"
    plugin = {"compilerOptions": {"plugins": [{"name": "evil", "transform": "./evil.js"}]}}
    run = index_files(
        tmp_path,
        {
            "tsconfig.json": plugin,
            "evil.js": write,
            "node_modules/evil/index.js": write,
            "node_modules/evil/package.json": {"name": "evil", "version": "1.0.0", "main": "index.js"},
            "a.ts": 'import "evil";\nimport "./evil.js";\n',
        },
    )
    assert sorted(run.documents) == ["a.ts", "evil.js"]
    assert not canary.exists()
