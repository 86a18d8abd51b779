"""A monorepo of TypeScript, JavaScript and Python, from build to answer, with the real compilers."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from codetrail.index.doctor import doctor
from codetrail.index.status import status
from codetrail.model.answers import Reason, ReferenceRow
from codetrail.model.reports import CheckRow, UnitRow
from codetrail.providers import acceptance, installed
from codetrail.providers.capture import Captured
from codetrail.providers.node_run import DriverRun
from codetrail.providers.typescript import driver_run
from codetrail.workspace.languages import EMBEDDED_SCRIPT
from tests.downloads import typescript_folder
from tests.index.building import Bench, lines, states
from tests.providers.typescript.fakes import write_typescript

MONOREPO = {
    "package.json": '{"name": "shop", "private": true, "workspaces": ["packages/*"]}',
    "packages/cart/package.json": '{"name": "@shop/cart", "version": "1.0.0", "main": "dist/index.js"}',
    "packages/cart/tsconfig.json": '{"extends": "../../configs/base", "include": ["src"]}',
    "packages/cart/src/index.ts": (
        "export class Cart {\n"
        "  add(count: number): number { return count; }\n"
        "}\n"
        "export function price(cart: Cart): number { return cart.add(1); }\n"
    ),
    "packages/web/package.json": (
        '{"name": "@shop/web", "version": "1.0.0", "dependencies": {"@shop/cart": "1.0.0"}}'
    ),
    "packages/web/tsconfig.json": (
        '{"extends": "../../configs/base", "compilerOptions": {"jsx": "preserve"}, "include": ["src"]}'
    ),
    "packages/web/src/total.tsx": (
        'import { Cart, price } from "@shop/cart";\nexport const total = price(new Cart());\n'
    ),
    "configs/base.json": '{"compilerOptions": {"strict": true, "outDir": "dist"}}',
    "tools/report.js": 'const { price } = require("@shop/cart");\nprice(null);\n',
    "scripts/price.py": "def price():\n    return 1\n\nprice()\n",
}
PRICE = [
    "packages/web/src/total.tsx:1",
    "packages/web/src/total.tsx:2",
    "tools/report.js:1",
    "tools/report.js:2",
]


@pytest.fixture
def shop(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return the monorepo, not built, where TypeScript is at hand."""
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    for path, text in MONOREPO.items():
        bench.put(path, text)
    return bench


@pytest.fixture
def built(shop: Bench) -> Bench:
    shop.build()
    return shop


def reasons_of(bench: Bench, identifier: str) -> dict[str, Reason]:
    return {reason.code: reason for reason in bench.ask("refs", identifier).page.coverage.reasons}


def checked(bench: Bench) -> dict[str, CheckRow]:
    """Return the findings on TypeScript by code, and those on no language."""
    rows = doctor(str(bench.path), deep=False)
    return {row.code: row for row in rows if row.language != "python"}


def test_one_unit_answers_for_both_languages_across_packages(shop: Bench) -> None:
    report = shop.build()
    assert states(report) == {"python:.": "built", "typescript:.": "built"}
    assert shop.refs("packages/cart/src/index.ts:4#price") == PRICE
    assert shop.refs("Cart.add") == ["packages/cart/src/index.ts:4"]
    assert shop.defs("total") == [("packages/web/src/total.tsx:2", "precise_fact")]
    assert shop.ask("refs", "Cart.add").page.coverage.state == "complete"
    found = shop.ask("symbols", "rice")
    said = set(zip(lines(found), (row.reliability for row in found.rows), strict=True))
    assert said == {("packages/cart/src/index.ts:4", "precise_fact"), ("scripts/price.py:1", "precise_fact")}
    assert shop.refs("scripts/price.py:1#price") == ["scripts/price.py:4"]


def test_an_edit_shows_at_once_and_is_indexed_by_the_next_build(built: Bench) -> None:
    path = "packages/web/src/total.tsx"
    built.put(path, "// Edited.\n" + MONOREPO[path] + "price(new Cart());\n")
    assert built.refs("packages/cart/src/index.ts:4#price") == [f"{path}:2", f"{path}:3", *PRICE[2:]]
    assert "files_changed" in reasons_of(built, "Cart.add")
    assert states(built.build()) == {"python:.": "reused", "typescript:.": "built"}
    assert built.refs("packages/cart/src/index.ts:4#price")[:3] == [f"{path}:{line}" for line in (2, 3, 4)]


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        pytest.param("packages/web/tsconfig.json", '{"include": ["src"]}', "inputs_changed", id="tsconfig"),
        pytest.param("package-lock.json", "{}", "inputs_changed", id="lock file"),
        pytest.param("configs/base.json", "{}", "environment_changed", id="what a tsconfig extends"),
        pytest.param("node_modules/left-pad/index.d.ts", "", "environment_changed", id="an installation"),
    ],
)
def test_what_answers_depend_on_is_watched(built: Bench, path: str, text: str, reason: str) -> None:
    assert reasons_of(built, "Cart.add") == {}
    assert states(built.build()) == {"python:.": "reused", "typescript:.": "reused"}
    built.put(path, text)
    assert set(reasons_of(built, "Cart.add")) == {reason}
    assert built.reasons("scripts/price.py:1#price") == set()
    assert states(built.build())["typescript:."] == "built"
    assert reasons_of(built, "Cart.add") == {}


def test_packages_that_no_mark_tells_of_are_told_apart_by_their_versions(built: Bench) -> None:
    built.put("node_modules/pad/package.json", '{"name": "pad", "version": "1.0.0"}')
    assert states(built.build())["typescript:."] == "built"
    assert states(built.build())["typescript:."] == "reused"
    built.put("node_modules/pad/package.json", '{"name": "pad", "version": "1.1.0"}')
    assert states(built.build())["typescript:."] == "built"


@pytest.mark.parametrize(
    ("language", "state"), [("javascript", "built"), ("typescript", "built"), ("python", "skipped")]
)
def test_a_build_of_one_language_is_one_of_its_provider(shop: Bench, language: str, state: str) -> None:
    assert states(shop.build(languages=(language,)))["typescript:."] == state


def test_a_broken_project_costs_no_others_rows(shop: Bench) -> None:
    shop.put("packages/bad/tsconfig.json", '{"extends": "./tsconfig.json", "include": [')
    shop.put("packages/bad/src/bad.ts", "export const fine = 1;\nexport const broken = ;\n")
    shop.put("packages/circle/tsconfig.json", '{"extends": "./tsconfig.base.json"}')
    shop.put("packages/circle/tsconfig.base.json", '{"extends": "./tsconfig.json"}')
    shop.put("packages/circle/round.ts", "export const round = 1;\n")
    shop.put("vendor/huge.js", "x" * (2 << 20))
    report = shop.build()
    row = next(row for row in report.rows if row.provider == "typescript")
    assert row.state == "partial"
    codes = {problem.code for problem in row.problems}
    assert {"config_error", "syntax_errors", "file_too_large", "documents_missing"} <= codes
    assert shop.refs("packages/cart/src/index.ts:4#price") == PRICE
    assert shop.defs("fine") == [("packages/bad/src/bad.ts:1", "precise_fact")]
    assert shop.defs("round") == [("packages/circle/round.ts:1", "precise_fact")]
    assert {"file_too_large", "syntax_errors"} <= set(reasons_of(shop, "Cart.add"))


LEFT_OUT: dict[str, tuple[str, bytes, str, int]] = {
    "over a mebibyte": ("lib/made.ts", b"", "file_too_large", 1 << 20),
    "over what is parsed": ("lib/made.ts", b"", "file_too_large", 5_000_001),
    "minified": ("lib/made.min.js", b"", "file_minified", 0),
    "UTF-16": ("lib/made.ts", "\ufeff".encode("utf-16-le"), "file_utf16", 0),
    "no source": ("lib/made.ts", b"//\0\n", "file_not_source", 0),
}


@pytest.mark.parametrize(("path", "mark", "code", "size"), LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_files_that_the_provider_does_not_take_are_told_and_their_names_counted(
    shop: Bench, path: str, mark: bytes, code: str, size: int
) -> None:
    text = "export function made() { return price(made); }\n"
    filler = ("/" * 99 + "\n") * (size // 100 + 1) if size else ""
    shop.put(path, mark + (text + filler).encode("utf-16-le" if code == "file_utf16" else "utf-8"))
    shop.build()
    given = shop.ask("refs", "packages/cart/src/index.ts:4#price")
    assert given.page.coverage.state == "partial"
    reasons = {reason.code: (reason.times, reason.paths) for reason in given.page.coverage.reasons}
    assert reasons[code] == (1, (path,))
    assert "file_failed" not in reasons
    assert (path, 1) in given.page.coverage.unresolved_in
    parsed = size <= 5_000_000
    assert shop.defs("made") == (
        [(f"{path}:{2 if code == 'file_not_source' else 1}", "parser_fact")] if parsed else []
    )


def test_projects_in_a_heap_too_small_for_all_are_run_apart(
    shop: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = driver_run._Runs.run
    asked: list[object] = []

    def run(self: driver_run._Runs, only: Sequence[str] | None, output: str) -> DriverRun:
        asked.append(only and tuple(only))
        ran = whole(self, only, output)
        if only is None:
            os.truncate(output, 100)
            text = b"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory"
            stderr = Captured(text, b"", len(text))
            return ran._replace(result=replace(ran.result, state="signal", returncode=-6, stderr=stderr))
        return ran

    shop.put("tools/data.json", "{}")
    shop.put("tools/more.js", 'const data = require("./data.json");\ndata;\n')
    monkeypatch.setattr(driver_run._Runs, "run", run)
    assert states(shop.build())["typescript:."] == "built"
    assert asked == [
        None,
        ("packages/cart/tsconfig.json",),
        ("packages/web/tsconfig.json", driver_run.INFERRED),
    ]
    assert shop.refs("packages/cart/src/index.ts:4#price") == PRICE
    assert reasons_of(shop, "Cart.add") == {}
    shop.put("tools/data.json", '{"key": 1}')
    assert set(reasons_of(shop, "Cart.add")) == {"inputs_changed"}


def test_nothing_of_the_workspace_runs(shop: Bench, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = f"require('fs').writeFileSync({json.dumps(str(canary))}, '');"
    own = Path(write_typescript(shop.path / "node_modules/typescript", "6.0.3"))
    (own / "lib/typescript.js").write_text(evil)
    shop.put("node_modules/plugin/index.js", evil)
    shop.put("node_modules/plugin/package.json", '{"name": "plugin", "main": "index.js"}')
    shop.put(
        "packages/web/tsconfig.json",
        '{"compilerOptions": {"jsx": "preserve", "plugins": [{"name": "plugin"}]}, "include": ["src"]}',
    )
    shop.put("package.json", json.dumps({"scripts": {"preinstall": f'node -e "{evil}"'}}))
    assert states(shop.build())["typescript:."] == "built"
    doctor(str(shop.path), deep=True)
    assert not canary.exists()


EMBEDDING = {
    "App.vue": "<script>price()</script>\n",
    "a/B.svelte": "<p/>\n",
    "c.astro": "---\n---\n",
    "d.mdx": 'import { price } from "@shop/cart"\n\n<p>{price()}</p>\n',
}


def test_files_that_hold_scripts_are_named(shop: Bench) -> None:
    for path, text in EMBEDDING.items():
        shop.put(path, text)
    notes = {note.code for note in shop.build().notes}
    assert EMBEDDED_SCRIPT in notes
    page = shop.ask("refs", "Cart.add").page
    named = [reason for reason in page.coverage.reasons if reason.code == EMBEDDED_SCRIPT]
    assert page.coverage.state == "partial"
    assert sorted(path for reason in named for path in reason.paths) == sorted(EMBEDDING)
    assert page.coverage.next is None
    assert shop.reasons("scripts/price.py:1#price") == set()
    report = status(str(shop.path), summary=False, check=False)
    assert report.coverage is not None
    (reason,) = report.coverage.reasons
    assert (reason.code, reason.times) == (EMBEDDED_SCRIPT, 4)
    assert checked(shop)[EMBEDDED_SCRIPT].severity == "warning"


def test_web_pages_are_named_only_where_they_hold_scripts(shop: Bench) -> None:
    shop.put("index.html", '<p>price</p>\n<SCRIPT\n type="module">price()</SCRIPT>\n')
    shop.put("site/old.HTM", "<script>price()</script>\n")
    shop.put("docs/api.html", "<p>A scripted &lt;script> and <scripture></p>\n")
    shop.put("docs/long.html", " " * (1 << 20) + "<p></p>\n")
    notes = {note.code: note.message for note in shop.build().notes}
    sentence = "2 web pages hold scripts that are not indexed: 'index.html', 'site/old.HTM'."
    assert notes["skipped_page_scripts"] == sentence
    told = status(str(shop.path), summary=False, check=False).notes
    assert [note.message for note in told if note.code == "skipped_page_scripts"] == [sentence]
    row = checked(shop)[EMBEDDED_SCRIPT]
    assert (row.severity, row.message) == ("warning", sentence)


@pytest.mark.parametrize("only_javascript", [False, True])
def test_without_an_engine_coverage_says_so_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, only_javascript: bool
) -> None:
    bench.put("a.js", "export function f() {}\nf();\n")
    if not only_javascript:
        bench.put("b.ts", "export function g() {}\n")
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", "/nowhere")
    report = bench.build()
    assert report.exit_status == 2
    assert bench.defs("f") == [("a.js:1", "parser_fact")]
    reasons = bench.ask("defs", "f").page.coverage.reasons
    assert {reason.code for reason in reasons} == {"provider_missing"}
    assert sum(reason.times or 0 for reason in reasons) == (1 if only_javascript else 2)


INSTALL = (("codetrail", "index-provider", "install", "typescript"),)


def no_node(bench: Bench, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(installed, "site_folders", lambda: ())
    (bench.path.parent / "empty").mkdir()
    patch.setenv("PATH", str(bench.path.parent / "empty"))


def old_node(bench: Bench, patch: pytest.MonkeyPatch) -> None:
    program = bench.path.parent / "node"
    program.write_text("#!/bin/sh\necho v16.20.2\n")
    program.chmod(0o755)
    patch.setenv("CODETRAIL_NODE", str(program))


def no_typescript(_bench: Bench, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CODETRAIL_TYPESCRIPT", "/nowhere")


def native_typescript(bench: Bench, patch: pytest.MonkeyPatch) -> None:
    folder = write_typescript(bench.path.parent / "seven", "7.0.2", library=False)
    patch.setenv("CODETRAIL_TYPESCRIPT", folder)


def old_typescript(bench: Bench, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CODETRAIL_TYPESCRIPT", write_typescript(bench.path.parent / "four", "4.9.5"))


def no_command(_bench: Bench, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CODETRAIL_SCIP_TYPESCRIPT", "/nowhere/scip --all")


def other_typescript(bench: Bench, patch: pytest.MonkeyPatch) -> None:
    patch.setenv("CODETRAIL_TYPESCRIPT", write_typescript(bench.path.parent / "other", "6.0.3"))


@pytest.mark.parametrize(
    ("plant", "code", "variable"),
    [
        (no_node, "node_missing", None),
        (old_node, "node_too_old", "CODETRAIL_NODE"),
        (no_typescript, "engine_missing", "CODETRAIL_TYPESCRIPT"),
        (native_typescript, "engine_too_new", "CODETRAIL_TYPESCRIPT"),
        (old_typescript, "engine_too_old", "CODETRAIL_TYPESCRIPT"),
        (other_typescript, "self_test_failed", "CODETRAIL_TYPESCRIPT"),
        (no_command, "engine_missing", "CODETRAIL_SCIP_TYPESCRIPT"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_doctor_tells_apart_what_is_missing(
    shop: Bench, monkeypatch: pytest.MonkeyPatch, plant: object, code: str, variable: str | None
) -> None:
    assert callable(plant)
    plant(shop, monkeypatch)
    rows = checked(shop)
    following = INSTALL if variable is None else (("unset", variable),)
    assert (rows[code].severity, rows[code].language, rows[code].next) == ("error", "typescript", following)
    assert rows[code].message.endswith(f" {variable} decides what is used: correct or unset that.") == (
        variable is not None
    )
    assert "typescript (2 files): syntax only" in rows["summary"].message
    assert str(shop.path.parent) not in rows[code].message


def test_doctor_says_all_that_is_missing(shop: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    no_typescript(shop, monkeypatch)
    old_node(shop, monkeypatch)
    rows = checked(shop)
    assert [rows[code].next for code in ("engine_missing", "node_too_old")] == [
        (("unset", "CODETRAIL_TYPESCRIPT"),),
        (("unset", "CODETRAIL_NODE"),),
    ]


@pytest.mark.parametrize(
    ("version", "said"),
    [
        (
            "7.0.2",
            "TypeScript 7.0.2, which has no JavaScript interface; it is not loaded, one of CodeTrail's",
        ),
        ("6.0.3", "TypeScript 6.0.3; it is not loaded, one of CodeTrail's"),
    ],
)
def test_doctor_says_that_the_workspaces_own_typescript_does_not_do(
    shop: Bench, monkeypatch: pytest.MonkeyPatch, version: str, said: str
) -> None:
    no_typescript(shop, monkeypatch)
    write_typescript(shop.path / "node_modules/typescript", version)
    assert said in checked(shop)["workspace_typescript"].message


@pytest.mark.parametrize(
    ("path", "text", "why"),
    [
        ("tsconfig.json", '{ // a comment\n "files": [], /* another\n, } */ }\n', None),
        ("tsconfig.json", '\ufeff{"include": ["a//b", "/*", "c,]", ],}', None),
        ("tsconfig.json", "// nothing\n", None),
        ("tsconfig.json", "", None),
        ("tsconfig.json", '{\n  "files": []\n  "include": []\n}\n', "it is not JSON (at line 3, column 3)"),
        ("tsconfig.json", "{'files': []}", "it is not JSON (at line 1, column 2)"),
        ("tsconfig.json", '{"files": [,]}', "it is not JSON (at line 1, column 12)"),
        ("tsconfig.json", "{} /* open", "it is not JSON (at line 1, column 4)"),
        ("sub/jsconfig.json", "[]", "it holds no object"),
        ("package.json", '{"name": "a"//\n}', "it is not JSON (at line 1, column 13)"),
        ("package.json", '{"name": "a"}', None),
    ],
)
def test_a_broken_configuration_is_named_before_anything_is_built(
    shop: Bench, path: str, text: str, why: str | None
) -> None:
    shop.put(path, text)
    rows = checked(shop)
    assert "index_missing" in rows
    found = rows["config_error"].message if "config_error" in rows else None
    assert found == (f"In '{path}': {why}. Mend that file." if why else None)


NODE_TYPES = ("npm", "install", "--save-dev", "--ignore-scripts", "@types/node")
ADDED = {
    "npm": ({}, NODE_TYPES),
    "pnpm": ({"pnpm-lock.yaml": ""}, ("pnpm", "add", "--save-dev", "--ignore-scripts", "@types/node")),
    "pnpm in a workspace": (
        {"pnpm-lock.yaml": "", "pnpm-workspace.yaml": "packages: [a]\n"},
        ("pnpm", "add", "--workspace-root", "--save-dev", "--ignore-scripts", "@types/node"),
    ),
    "the first Yarn in a workspace": (
        {"yarn.lock": "", "package.json": '{"workspaces": ["a"]}'},
        ("yarn", "add", "-W", "--dev", "--ignore-scripts", "@types/node"),
    ),
    "a later Yarn": (
        {"yarn.lock": "__metadata:\n"},
        ("yarn", "add", "--dev", "--mode=skip-build", "@types/node"),
    ),
    "asked for but not installed": (
        {"package.json": '{"devDependencies": {"@types/node": "24"}}'},
        ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"),
    ),
    "installed but left out": (
        {"node_modules/@types/node/package.json": '{"name": "@types/node", "version": "24.0.0"}'},
        None,
    ),
}


@pytest.mark.parametrize(("files", "command"), ADDED.values(), ids=ADDED)
def test_doctor_counts_what_imports_miss(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], command: tuple[str, ...] | None
) -> None:
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    bench.put(
        "src/a.ts",
        'import * as fs from "fs";\nimport { join } from "node:path/posix";\nimport "./b";\n'
        'import "lodash.merge/x";\n'
        'import { c } from "@org/c/d";\nimport type { e } from "@org/c";\nexport const a = [fs, join, c];\n',
    )
    bench.put("src/b.ts", "export const b = 1;\n")
    bench.put("tsconfig.json", '{"compilerOptions": {"types": []}}')
    for path, text in files.items():
        bench.put(path, text)
    bench.build()
    rows = checked(bench)
    assert rows["imports_missed"].message == (
        "5 of 6 imports found no module (83.3%). Packages missed most: '@org/c' (2), 'lodash.merge' (1)."
    )
    missing = rows["node_types_missing"]
    assert "('fs', 'node:path/posix')" in missing.message
    assert missing.next == ((command,) if command else ())
    asks = "@types/node" in files.get("package.json", "")
    assert rows["imports_missed"].next == ((command,) if asks else ())


def test_doctor_proposes_no_install_of_what_the_workspace_has_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    bench.put("package.json", '{"name": "own", "exports": {"./sub": "./bundle/whole.js"}}')
    bench.put("src/sub.ts", "export const made = 1;\n")
    bench.put("src/use.ts", 'import { made } from "own/sub";\nmade;\n')
    bench.put("app/package.json", '{"name": "app", "dependencies": {"own": "*", "there": "1"}}')
    bench.put("app/node_modules/there/package.json", '{"name": "there", "version": "1.0.0"}')
    bench.put("app/use.ts", 'import "there/none";\n')
    bench.build()
    rows = checked(bench)
    assert rows["own_packages_missed"].message.startswith(
        "Packages of the workspace itself were imported and not found: 'own' (1). "
    )
    assert (rows["own_packages_missed"].severity, rows["own_packages_missed"].next) == ("warning", ())
    assert rows["imports_missed"].message.endswith("Packages missed most: 'there' (1).")
    assert rows["imports_missed"].next == ()


def test_doctor_names_what_the_compiler_says_of_a_configuration(shop: Bench) -> None:
    shop.put("packages/web/tsconfig.json", '{\n  "compilerOptions": {\n    "module": "nope"\n  }\n}\n')
    shop.build()
    row = checked(shop)["config_error"]
    assert (
        "In 'packages/web/tsconfig.json', line 3: \"Argument for '--module' option must be: " in row.message
    )
    assert (row.severity, row.next) == ("warning", ())


def test_doctor_says_what_is_in_force(built: Bench) -> None:
    built.put("packages/web/package.json", '{"dependencies": {"react": "19"}}')
    built.put("pnpm-lock.yaml", "")
    write_typescript(built.path / "packages/cart/node_modules/typescript", "7.0.2", library=False)
    rows = checked(built)
    assert rows["engine_ready"].message.startswith("Precise TypeScript and JavaScript answers come from")
    assert rows["configuration"].message == "2 configurations, 3 packages."
    assert rows["workspace_typescript"].message.startswith("The workspace has TypeScript 7.0.2, which has no")
    assert rows["no_packages"].next == (("pnpm", "install", "--frozen-lockfile", "--ignore-scripts"),)


def test_doctor_says_that_nothing_is_configured(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    bench.put("a.ts", 'import "left-pad";\nexport const a = 1;\n')
    bench.put("package.json", '{"dependencies": {"left-pad": "1"}}')
    bench.build()
    rows = checked(bench)
    assert rows["no_configuration"].severity == "ok"
    assert (
        rows["unresolved_import"].message
        == "The module left-pad was not found; names from it are unresolved."
    )
    missing = rows["no_packages"]
    assert (missing.severity, missing.next[0][:3]) == ("warning", ("npm", "install", "--ignore-scripts"))


def test_doctor_remembers_that_a_heap_was_full(shop: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = ("failed", (acceptance.HEAP_FAILURE,))
    monkeypatch.setattr(driver_run, "accept", lambda *_: failed)
    row = next(row for row in shop.build().rows if isinstance(row, UnitRow) and row.provider == "typescript")
    assert row.state == "failed"
    heap = checked(shop)["heap_exhausted"]
    assert (heap.severity, heap.language) == ("warning", "typescript")
    assert heap.next == (("codetrail", "index", "build", "--jobs", "1"),)


def test_namesakes_on_one_line_can_each_be_asked_about(shop: Bench) -> None:
    path = "packages/cart/src/twins.ts"
    shop.put(
        path,
        "export interface Unit { id: number } export const Unit = { make: () => 1 };\n"
        "export namespace A { export const go = () => 1 } export namespace B { export const go = () => 2 }\n"
        "if (Unit) { function h() { A.go(); } h(); } else { function h() { B.go(); } h(); }\n"
        "for (const k of [1]) { k; } for (const k of [2]) { k; }\n",
    )
    shop.build()
    for typed, kinds in {
        f"{path}:1#Unit": ["constant", "interface"],
        f"{path}:2#go": ["function", "function"],
        f"{path}:3#h": ["function", "function"],
        f"{path}:4#k": ["variable", "variable"],
    }.items():
        several = shop.ask("refs", typed).page
        assert sorted(one.kind for one in several.matched) == kinds, typed
        answers = [shop.ask("refs", one.coordinate, include_definitions=True) for one in several.matched]
        assert [answer.page.matched_total for answer in answers] == [1, 1], typed
        first, second = (
            {(row.path, row.range) for row in answer.rows if isinstance(row, ReferenceRow)}
            for answer in answers
        )
        assert (bool(first), bool(second), first & second) == (True, True, set()), typed
