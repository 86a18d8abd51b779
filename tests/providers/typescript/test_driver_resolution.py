"""Which file an import means: packages of the workspace, built or not, paths, links, dependencies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.providers.typescript.projects_index import index_files, index_tree, write_tree

Files = dict[str, object]
WORKSPACES: Files = {"package.json": {"name": "root", "workspaces": ["packages/*"]}}
SOURCE = "export const made = 1;\n"


def member(name: str, manifest: Mapping[str, object], files: Files) -> Files:
    """Return the files of a package in ``packages`` that has a configuration."""
    folder = f"packages/{name}"
    found: Files = {f"{folder}/package.json": {"name": f"@w/{name}", "version": "1.0.0", **manifest}}
    config: Files = {f"{folder}/tsconfig.json": {"compilerOptions": {"outDir": "dist"}, "include": ["src"]}}
    return config | found | {f"{folder}/{path}": content for path, content in files.items()}


def user(specifier: str, **manifest: object) -> Files:
    return member("user", manifest, {"src/use.ts": f'import {{ made }} from "{specifier}";\nmade;\n'})


UNBUILT: dict[str, tuple[Files, str, str]] = {
    "main": (member("lib", {"main": "dist/index.js"}, {"src/index.ts": SOURCE}), "@w/lib", "index.ts"),
    "types": (
        member("lib", {"types": "./dist/main.d.ts", "main": "./x.js"}, {"src/main.ts": SOURCE}),
        "@w/lib",
        "main.ts",
    ),
    "nothing said": (member("lib", {}, {"src/index.tsx": SOURCE}), "@w/lib", "index.tsx"),
    "exports text": (
        member("lib", {"exports": "./dist/index.js"}, {"src/index.ts": SOURCE}),
        "@w/lib",
        "index.ts",
    ),
    "exports conditions": (
        member(
            "lib",
            {"exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/index.mjs"}}},
            {"src/index.ts": SOURCE},
        ),
        "@w/lib",
        "index.ts",
    ),
    "exports subpath": (
        member(
            "lib",
            {"exports": {".": "./dist/index.js", "./deep": {"default": "./dist/deep/it.js"}}},
            {"src/index.ts": "", "src/deep/it.ts": SOURCE},
        ),
        "@w/lib/deep",
        "deep/it.ts",
    ),
    "exports pattern": (
        member("lib", {"exports": {"./*": "./dist/*.js"}}, {"src/one.ts": SOURCE}),
        "@w/lib/one",
        "one.ts",
    ),
    "exports of several formats": (
        member(
            "lib",
            {
                "exports": {
                    ".": {
                        "import": {"types": "./dist/esm/index.d.mts", "default": "./dist/esm/index.mjs"},
                        "require": {"types": "./dist/cjs/index.d.cts", "default": "./dist/cjs/index.cjs"},
                    }
                }
            },
            {"src/index.ts": SOURCE},
        ),
        "@w/lib",
        "index.ts",
    ),
    "exports of source": (
        member("lib", {"exports": {".": "./src/index.ts"}}, {"src/index.ts": SOURCE}),
        "@w/lib",
        "index.ts",
    ),
    "subpath without exports": (
        member("lib", {}, {"src/deep/it.ts": SOURCE}),
        "@w/lib/src/deep/it",
        "deep/it.ts",
    ),
    "product by its path": (
        member("lib", {}, {"src/deep/it.ts": SOURCE}),
        "@w/lib/dist/deep/it.js",
        "deep/it.ts",
    ),
    "relative product": (member("lib", {}, {"src/it.ts": SOURCE}), "../../lib/dist/it.js", "it.ts"),
    "renamed output": (
        member("lib", {"main": "out-tsc/x/index.js"}, {"src/index.ts": SOURCE})
        | {
            "packages/lib/tsconfig.json": {
                "compilerOptions": {"outDir": "out-tsc", "rootDir": "src"},
                "include": ["src"],
            }
        }
        | {"packages/lib/src/x/index.ts": SOURCE},
        "@w/lib",
        "x/index.ts",
    ),
}


@pytest.mark.parametrize(("lib", "specifier", "target"), UNBUILT.values(), ids=list(UNBUILT))
@pytest.mark.parametrize("installed", [False, True], ids=["not installed", "linked"])
def test_packages_of_the_workspace_lead_to_source_when_nothing_is_built(
    tmp_path: Path, lib: Files, specifier: str, target: str, installed: bool
) -> None:
    root = tmp_path / "work"
    write_tree(root, WORKSPACES | lib | user(specifier, dependencies={"@w/lib": "^1.0.0"}))
    if installed:
        link(root / "node_modules" / "@w" / "lib", root / "packages" / "lib")
    run = index_tree(root, tmp_path / "run")
    assert run.targets("packages/user/src/use.ts", "made") == {f"@w/lib 1.0.0 src/{target}"}
    assert run.problems("unresolved_import") == []


def link(place: Path, target: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


def test_what_was_built_leads_to_source_too(tmp_path: Path) -> None:
    root = tmp_path / "work"
    lib = member("lib", {"main": "dist/index.js"}, {"src/index.ts": SOURCE})
    built: Files = {
        "packages/lib/dist/index.js": "exports.made = 1;\n",
        "packages/lib/dist/index.d.ts": "export declare const made = 1;\n",
    }
    write_tree(root, WORKSPACES | lib | built | user("@w/lib"))
    link(root / "node_modules" / "@w" / "lib", root / "packages" / "lib")
    run = index_tree(root, tmp_path / "run")
    assert run.targets("packages/user/src/use.ts", "made") == {"@w/lib 1.0.0 src/index.ts"}


LINKS: dict[str, tuple[Files, bool]] = {
    "npm": ({"package.json": {"workspaces": ["packages/*"]}}, True),
    "yarn": ({"package.json": {"workspaces": {"packages": ["packages/**"]}}}, True),
    "pnpm": (
        {"pnpm-workspace.yaml": 'packages:\n  # all\n  - "packages/*"\n  - tools/x\ncatalog:\n  - no\n'},
        True,
    ),
    "lerna": ({"lerna.json": {"packages": ["packages/*"]}}, True),
    "declared nowhere": ({}, True),
    "no member": ({"package.json": {"workspaces": ["apps/*"]}}, False),
    "excluded": ({"pnpm-workspace.yaml": "packages:\n- 'packages/*'\n- '!packages/lib'\n"}, False),
}


@pytest.mark.parametrize(("files", "linked"), LINKS.values(), ids=list(LINKS))
def test_undeclared_packages_are_linked_if_they_are_members(
    tmp_path: Path, files: Files, linked: bool
) -> None:
    lib = member("lib", {"main": "dist/index.js"}, {"src/index.ts": SOURCE})
    run = index_files(tmp_path, files | lib | user("@w/lib"))
    found = run.targets("packages/user/src/use.ts", "made", "import")
    assert (found == {"@w/lib 1.0.0 src/index.ts"}) == linked
    assert [event["message"] for event in run.problems("unresolved_import")] == ([] if linked else ["@w/lib"])


VERSIONS = {
    "workspace:*": True,
    "workspace:^": True,
    "^1.0.0": True,
    "*": True,
    "1.x": True,
    "^2.0.0": False,
    "npm:other@1.0.0": False,
    "file:../lib": True,
    "link:../elsewhere": False,
}


@pytest.mark.parametrize(("version", "linked"), VERSIONS.items(), ids=list(VERSIONS))
def test_a_declared_package_is_linked_in_the_version_asked_for(
    tmp_path: Path, version: str, linked: bool
) -> None:
    lib = member("lib", {"main": "dist/index.js"}, {"src/index.ts": SOURCE})
    run = index_files(tmp_path, WORKSPACES | lib | user("@w/lib", dependencies={"@w/lib": version}))
    assert (run.problems("unresolved_import") == []) == linked


REFERENCES = [{"path": "../lib"}]


@pytest.mark.parametrize("composite", [True, False])
def test_references_lead_to_source(tmp_path: Path, composite: bool) -> None:
    options = {"composite": composite, "outDir": "out", "rootDir": "source"}
    run = index_files(
        tmp_path,
        {
            "lib/tsconfig.json": {"compilerOptions": options, "include": ["source"]},
            "lib/source/index.ts": 'export * from "./made";\n',
            "lib/source/made.ts": SOURCE,
            "app/tsconfig.json": {
                "compilerOptions": options
                | {"paths": {"lib": ["../lib/out/index"], "lib/*": ["../lib/out/*"]}},
                "references": REFERENCES,
                "include": ["source"],
            },
            "app/source/use.ts": 'import { made } from "lib";\nimport { made as again } from "lib/made.js";\n'
            "made, again;\n",
        },
    )
    assert run.targets("app/source/use.ts", "made") == {". . lib/source/made.ts"}
    assert run.targets("app/source/use.ts", "again") == {". . lib/source/made.ts"}
    assert run.codes() == set()


def test_imports_of_a_file_are_found_with_the_options_of_its_own_project(tmp_path: Path) -> None:
    paths = {"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}
    run = index_files(
        tmp_path,
        {
            "a/tsconfig.json": paths,
            "a/src/index.ts": 'export * from "@/made";\n',
            "a/src/made.ts": SOURCE,
            "b/tsconfig.json": paths,
            "b/src/made.ts": "export const other = 1;\n",
            "b/src/use.ts": 'import { made } from "../../a/src/index";\nimport { other } from "@/made";\n'
            "made, other;\n",
        },
    )
    assert run.targets("b/src/use.ts", "made", "made, other") == {". . a/src/made.ts"}
    assert run.targets("b/src/use.ts", "other") == {". . b/src/made.ts"}


def test_base_url_is_a_place_to_look(tmp_path: Path) -> None:
    run = index_files(
        tmp_path,
        {
            "tsconfig.json": {"compilerOptions": {"baseUrl": "./src"}},
            "src/deep/made.ts": SOURCE,
            "src/use.ts": 'import { made } from "deep/made";\nmade;\n',
        },
    )
    assert run.targets("src/use.ts", "made") == {". . src/deep/made.ts"}


DEPENDENCY: Files = {
    "package.json": {"name": "dep", "version": "3.1.0", "types": "./index.d.ts"},
    "index.d.ts": 'export { made } from "./inner";\n',
    "inner.d.ts": "export declare const made: number;\n",
}


def placed(folder: str, files: Files) -> Files:
    return {f"{folder}/{path}": content for path, content in files.items()}


def test_dependencies_are_named_by_package_and_version(tmp_path: Path) -> None:
    manifest = {"name": "own", "version": "0.1.0", "dependencies": {"dep": "^3.0.0"}}
    use: Files = {
        "package.json": manifest,
        "tsconfig.json": {},
        "use.ts": 'import { made } from "dep";\nmade;\n',
    }
    run = index_files(tmp_path, use | placed("node_modules/dep", DEPENDENCY))
    assert run.targets("use.ts", "made") == {"dep 3.1.0 inner.d.ts"}
    assert run.documents == ["use.ts"]
    assert run.codes() == set()


def test_links_of_a_package_store_are_followed(tmp_path: Path) -> None:
    root = tmp_path / "work"
    store = "node_modules/.pnpm/dep@3.1.0/node_modules/dep"
    write_tree(root, {"p/tsconfig.json": {}, "p/use.ts": 'import { made } from "dep";\nmade;\n'})
    write_tree(root, placed(store, DEPENDENCY))
    link(root / "p" / "node_modules" / "dep", root / store)
    run = index_tree(root, tmp_path / "run")
    assert run.targets("p/use.ts", "made") == {"dep 3.1.0 inner.d.ts"}


def test_dependencies_above_the_workspace_and_linked_ones_are_read(tmp_path: Path) -> None:
    root = tmp_path / "mono" / "work"
    text = 'import { made } from "dep";\nimport { made as far } from "far";\nmade, far;\n'
    write_tree(root, {"tsconfig.json": {}, "use.ts": text})
    write_tree(tmp_path / "mono" / "node_modules" / "dep", DEPENDENCY)
    far = {**DEPENDENCY, "package.json": {"name": "far", "version": "1.0.0", "types": "index.d.ts"}}
    write_tree(tmp_path / "far", far)
    link(root / "node_modules" / "far", tmp_path / "far")
    run = index_tree(root, tmp_path / "run")
    assert run.targets("use.ts", "made", "made, far") == {"dep 3.1.0 inner.d.ts"}
    assert run.targets("use.ts", "far", "made, far") == {"far 1.0.0 inner.d.ts"}


OUTSIDE: dict[str, Files] = {
    "relative": {"use.ts": 'import { made } from "../secret";\nmade;\n'},
    "paths": {
        "tsconfig.json": {"compilerOptions": {"paths": {"x": ["../secret"]}}},
        "use.ts": 'import { made } from "x";\nmade;\n',
    },
    "declaration file": {"use.ts": 'import { made } from "../typed";\nmade;\n'},
    "reference path": {"use.ts": '/// <reference path="../global.d.ts" />\nmade;\n'},
    "files": {"tsconfig.json": {"files": ["../global.d.ts", "use.ts"]}, "use.ts": "made;\n"},
    "include": {"tsconfig.json": {"include": ["..", "/"], "exclude": []}, "use.ts": "made;\n"},
    "type roots": {"tsconfig.json": {"compilerOptions": {"typeRoots": ["../types"]}}, "use.ts": "made;\n"},
    "extends": {"tsconfig.json": {"extends": "../base.json"}, "use.ts": 'import { made } from "x";\nmade;\n'},
    "linked folder": {"use.ts": 'import { made } from "./linked/secret";\nmade;\n'},
    "linked dependency without a manifest": {"use.ts": 'import { made } from "bare/typed";\nmade;\n'},
}


@pytest.mark.parametrize("files", OUTSIDE.values(), ids=list(OUTSIDE))
def test_nothing_outside_the_workspace_is_read(tmp_path: Path, files: Files) -> None:
    root = tmp_path / "work"
    write_tree(root, {"tsconfig.json": {}, **files})
    global_text = "declare const made: number;\n"
    write_tree(
        tmp_path,
        {
            "secret.ts": SOURCE,
            "typed.d.ts": SOURCE,
            "global.d.ts": global_text,
            "types/all/index.d.ts": global_text,
            "base.json": {"compilerOptions": {"paths": {"x": ["./secret"]}}},
            "bare/typed.d.ts": SOURCE,
        },
    )
    link(root / "linked", tmp_path)
    link(root / "node_modules" / "bare", tmp_path / "bare")
    run = index_tree(root, tmp_path / "run")
    assert run.documents == ["use.ts"]
    assert run.targets("use.ts", "made") <= {""}
    assert b"secret" not in b"".join(one.SerializeToString() for one in run.index.external_symbols)


def test_a_link_inside_the_workspace_is_the_file_it_leads_to(tmp_path: Path) -> None:
    root = tmp_path / "work"
    write_tree(
        root,
        {
            "tsconfig.json": {},
            "real/made.ts": SOURCE,
            "app/use.ts": 'import { made } from "./to/made";\nmade;\n',
        },
    )
    link(root / "app" / "to", root / "real")
    run = index_tree(root, tmp_path / "run")
    assert sorted(run.documents) == ["app/use.ts", "real/made.ts"]
    assert run.targets("app/use.ts", "made") == {". . real/made.ts"}


def test_paths_that_differ_in_case_only_are_two_files(tmp_path: Path) -> None:
    run = index_files(
        tmp_path,
        {
            "tsconfig.json": {},
            "Made.ts": "export const made = 1;\n",
            "made.ts": "export const made = 2;\n",
            "one.ts": 'import { made } from "./Made";\nmade;\n',
            "two.ts": 'import { made } from "./made";\nmade;\n',
        },
    )
    assert run.targets("one.ts", "made") == {". . Made.ts"}
    assert run.targets("two.ts", "made") == {". . made.ts"}


NOT_INSTALLED: dict[str, tuple[Files, list[tuple[str, int]]]] = {
    "none asked for": ({"package.json": {"name": "a"}}, []),
    "asked for": ({"package.json": {"dependencies": {"x": "1"}}}, [("package.json", 1)]),
    "two packages": (
        {f"p/{name}/package.json": {"devDependencies": {"x": "1"}} for name in "ab"},
        [("p/a/package.json", 2)],
    ),
    "only of the workspace": (
        {"a/package.json": {"name": "a"}, "b/package.json": {"name": "b", "dependencies": {"a": "*"}}},
        [],
    ),
    "installed": ({"package.json": {"dependencies": {"x": "1"}}, "node_modules/x/index.d.ts": ""}, []),
}


@pytest.mark.parametrize(("files", "told"), NOT_INSTALLED.values(), ids=list(NOT_INSTALLED))
def test_dependencies_that_were_never_installed_are_told(
    tmp_path: Path, files: Files, told: list[tuple[str, int]]
) -> None:
    run = index_files(tmp_path, {"a.ts": "export {};\n"} | files)
    found = [(event["path"], event["count"]) for event in run.problems("dependencies_missing")]
    assert found == told


def test_plug_and_play_is_told(tmp_path: Path) -> None:
    run = index_files(
        tmp_path, {"a.ts": "", ".pnp.cjs": "", "package.json": {"name": "a", "dependencies": {"x": "1"}}}
    )
    assert [event["path"] for event in run.problems("pnp_unsupported")] == [".pnp.cjs"]
    assert run.problems("dependencies_missing") == []


def test_unresolved_imports_are_told_with_their_line(tmp_path: Path) -> None:
    text = 'import "./a";\n\nimport { b } from "nowhere";\nexport * from "./gone";\nb;\n'
    run = index_files(tmp_path, {"a.ts": text, "tsconfig.json": {}})
    found = [(event["path"], event["line"], event["message"]) for event in run.problems("unresolved_import")]
    assert found == [("a.ts", 3, "nowhere"), ("a.ts", 4, "./gone")]


def test_packages_of_one_name_have_symbols_of_their_own(tmp_path: Path) -> None:
    manifest = json.dumps({"name": "app", "version": "1.0.0"})
    run = index_files(
        tmp_path,
        {
            "one/package.json": manifest,
            "one/a.ts": "export const same = 1;\n",
            "two/package.json": manifest,
            "two/a.ts": "export const same = 1;\n",
        },
    )
    assert run.targets("one/a.ts", "same") == {"app 1.0.0 a.ts"}
    assert run.targets("two/a.ts", "same") == {". . two/a.ts"}


INCLUDED = {"include": ["src"]}
BUILT_BESIDE: dict[str, tuple[dict[str, object], Files, str]] = {
    "configured": (
        {"main": "out/made.js"},
        {"tsconfig.json": {**INCLUDED, "compilerOptions": {"outDir": "out"}}},
        "out",
    ),
    "configured declarations": (
        {"types": "types/made.d.ts"},
        {
            "tsconfig.json": {
                "compilerOptions": {"declarationDir": "types", "rootDir": "src"},
                "include": ["src"],
            }
        },
        "types",
    ),
    "conventional": ({"main": "lib/made.js", "types": "lib/made.d.ts"}, {}, "lib"),
    "conventional exports": ({"exports": {".": {"types": "./build/esm/made.d.ts"}}}, {}, "build/esm"),
}


@pytest.mark.parametrize("link", [True, False], ids=["installed", "not installed"])
@pytest.mark.parametrize(("manifest", "files", "output"), BUILT_BESIDE.values(), ids=BUILT_BESIDE.keys())
def test_a_package_means_its_source_though_its_products_are_indexed_too(
    tmp_path: Path, manifest: dict[str, object], files: dict[str, object], output: str, link: bool
) -> None:
    root = tmp_path / "work"
    write_tree(
        root,
        {
            "made/package.json": {"name": "made", "version": "1.0.0", **manifest},
            "made/src/made.ts": 'export * from "./inner";\n',
            "made/src/inner.ts": "export const inner = 1;\n",
            f"made/{output}/made.d.ts": 'export * from "./inner";\n',
            f"made/{output}/made.js": 'export * from "./inner";\n',
            f"made/{output}/inner.d.ts": "export declare const inner = 1;\n",
            f"made/{output}/inner.js": "export const inner = 1;\n",
            **{f"made/{path}": content for path, content in files.items()},
            "app/package.json": {"name": "app", "dependencies": {"made": "*"}},
            "app/use.ts": 'import { inner } from "made";\ninner;\n',
        },
    )
    if link:
        (root / "node_modules").mkdir()
        (root / "node_modules/made").symlink_to("../made", target_is_directory=True)
    run = index_tree(root, tmp_path / "run")
    assert run.targets("app/use.ts", "inner") == {"made 1.0.0 src/inner.ts"}
    assert run.targets(f"made/{output}/made.d.ts", "./inner") == {f"made 1.0.0 {output}/inner.d.ts"}


def test_declarations_that_people_wrote_are_what_a_package_means(tmp_path: Path) -> None:
    files = {
        "made/package.json": {
            "name": "made",
            "version": "1.0.0",
            "main": "src/made.js",
            "types": "types/made.d.ts",
        },
        "made/src/made.js": "export const made = 1;\n",
        "made/types/made.d.ts": "export declare const made: 1;\n",
        "app/package.json": {"name": "app", "dependencies": {"made": "*"}},
        "app/use.ts": 'import { made } from "made";\nmade;\n',
    }
    run = index_files(tmp_path, files)
    assert run.targets("app/use.ts", "made") == {"made 1.0.0 types/made.d.ts"}


UNEXPLAINED = {
    "default of an alias": ('import K from "@alias/core";\nnew K();\n', True),
    "default among names": ('import { default as k, other } from "@alias/core";\n', True),
    "default of a path": ('import K from "./gone";\n', True),
    "default of a workspace's package": ('import K from "made/deep";\n', True),
    "exported default": ('export { default } from "#gone";\n', True),
    "import equals": ('import k = require("@alias/core");\n', True),
    "dynamic": ('export const k = (await import("@alias/core")).default;\n', True),
    "namespace under a name": ('export * as all from "@alias/core";\n', True),
    "namespace handed on": ('import * as all from "@alias/core";\nexport { all };\n', True),
    "namespace that is called": ('import * as all from "@alias/core";\nall();\n', True),
    "default of a namespace": ('import * as all from "@alias/core";\nall.default;\n', True),
    "default of a type": ('export type K = typeof import("@alias/core").default;\n', True),
    "type of all": ('export type K = import("@alias/core");\n', True),
    "names": ('import { a, b as c } from "@alias/core";\n', False),
    "namespace": ('import * as all from "@alias/core";\nall.a;\n', False),
    "namespace for types": ('import type * as all from "@alias/core";\nlet k: all.K.L;\n', False),
    "every name": ('export * from "@alias/core";\n', False),
    "named type": ('export type K = import("@alias/core").a.default;\n', False),
    "nothing": ('import "@alias/core";\n', False),
    "asked for": ('import k from "asked";\nimport l from "asked/deep";\n', False),
    "built in": ('import fs from "fs";\nimport p from "node:path/posix";\n', False),
    "no source": ('import css from "./a.module.css";\nimport raw from "./a.svg?url";\n', False),
    "found": ('import k from "./made";\n', False),
}


UNEXPLAINED_IN_COMMENTS = {
    "default of a type": ('/** @type {import("@alias/core").default} */\nlet k;\n', True),
    "type of all": ('/** @type {import("@alias/core")} */\nlet k;\n', True),
    "imported default": ('/** @import K from "@alias/core" */\n', True),
    "imported default among names": ('/** @import {default as K} from "@alias/core" */\n', True),
    "named type": ('/** @type {import("@alias/core").K} */\nlet k;\n', False),
    "imported names": ('/** @import {K, L} from "@alias/core" */\n', False),
}


@pytest.mark.parametrize(
    ("text", "told"), UNEXPLAINED_IN_COMMENTS.values(), ids=UNEXPLAINED_IN_COMMENTS.keys()
)
def test_imports_in_comments_of_scripts_count_alike(tmp_path: Path, text: str, told: bool) -> None:
    run = index_files(tmp_path, {"package.json": {"name": "root"}, "use.js": text})
    found = [(event["path"], event["count"]) for event in run.problems("imports_unexplained")]
    assert found == ([("use.js", 1)] if told else [])


@pytest.mark.parametrize(("text", "told"), UNEXPLAINED.values(), ids=UNEXPLAINED.keys())
def test_imports_that_may_mean_the_workspace_under_another_name_are_told(
    tmp_path: Path, text: str, told: bool
) -> None:
    files = {
        "package.json": {"name": "root", "dependencies": {"asked": "1"}},
        "sub/package.json": {"name": "made", "version": "1.0.0"},
        "sub/use.ts": text,
        "sub/made.ts": "export default 1;\n",
    }
    run = index_files(tmp_path, files)
    found = [(event["path"], event["count"]) for event in run.problems("imports_unexplained")]
    assert found == ([("sub/use.ts", 1)] if told else [])


@pytest.mark.parametrize("user", ["source/use.ts", "test/use.ts"])
def test_the_package_of_the_root_finds_its_own_source_by_its_name(tmp_path: Path, user: str) -> None:
    run = index_files(
        tmp_path,
        {
            "package.json": {"name": "own", "version": "1.0.0", "exports": {"./sub": "./made/sub.js"}},
            "tsconfig.json": {
                "compilerOptions": {"module": "nodenext", "outDir": "made", "rootDir": "source"},
                "include": ["source"],
            },
            "source/sub.ts": SOURCE,
            user: 'import { made } from "own/sub";\nmade;\n',
        },
    )
    assert run.targets(user, "made") == {"own 1.0.0 source/sub.ts"}
