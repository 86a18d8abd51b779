"""What the compiler read besides source is held against the disk: questions, status and build agree."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.index.status import status
from codetrail.model.answers import Reason
from tests.downloads import typescript_folder
from tests.index.building import Bench, states

TREE = {
    ".gitignore": "gen/\nhidden.json\n",
    "package.json": '{"name": "shop", "dependencies": {"pad": "1", "linked": "1", "@scope/far": "1"}}',
    "tsconfig.json": json.dumps(
        {"extends": "strictest/tsconfig.json", "compilerOptions": {"resolveJsonModule": True}}
    ),
    "src/data.json": '{"amount": 1}',
    "src/hidden.json": '{"depth": 1}',
    "src/rules.json": '{"rule": 1}',
    "gen/client.ts": 'export { own as call } from "../src/own";\n',
    "src/own.ts": "export function own(): void {}\n",
    "src/use.ts": (
        'import data from "./data.json";\n'
        'import hidden from "./hidden.json";\n'
        'import late from "./late.json";\n'
        'import { left } from "pad";\n'
        'import { reach } from "linked";\n'
        'import { near } from "@scope/far/near";\n'
        'import { call } from "../gen/client";\n'
        "call();\n"
        "left(reach(data.amount, hidden.depth, late, near));\n"
    ),
    "src/plain.js": 'const rules = require("./rules.json");\nrules.rule;\n',
    "node_modules/pad/package.json": '{"name": "pad", "version": "1.0.0", "types": "index.d.ts"}',
    "node_modules/pad/index.d.ts": "export declare function left(value: number): string;\n",
    "node_modules/strictest/tsconfig.json": '{"compilerOptions": {"strict": true}}',
    "node_modules/@scope/far/package.json": '{"name": "@scope/far", "version": "1.0.0"}',
}
LINKED = {
    "package.json": '{"name": "linked", "version": "1.0.0", "types": "index.d.ts"}',
    "index.d.ts": "export declare function reach(...values: unknown[]): number;\n",
}
USES = ["src/use.ts:7", "src/use.ts:8"]


@pytest.fixture
def shop(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return a workspace, not built, with a package that is a link out of it."""
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    for path, text in TREE.items():
        bench.put(path, text)
    outside = bench.path.parent / "linked"
    outside.mkdir()
    for name, text in LINKED.items():
        (outside / name).write_text(text)
    (bench.path / "node_modules/linked").symlink_to(outside)
    return bench


def reasons(bench: Bench) -> dict[str, Reason]:
    return {reason.code: reason for reason in bench.ask("refs", "own").page.coverage.reasons}


def built(bench: Bench) -> str:
    return states(bench.build())["typescript:."]


def checked(bench: Bench) -> tuple[int, set[str]]:
    """Return the exit status of ``index status --check`` and the codes of its coverage."""
    report = status(str(bench.path), summary=False, check=True)
    assert report.coverage is not None
    return report.exit_status, {reason.code for reason in report.coverage.reasons}


def rewrite(path: str, text: str) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        bench.put(path, text)

    return change


def remove(path: str) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        (bench.path / path).unlink()

    return change


def edit_as_old(bench: Bench) -> None:
    """Edit a declaration without another size or time of modification."""
    place = bench.path / "node_modules/pad/index.d.ts"
    before = place.stat()
    place.write_text(place.read_text().replace("left", "lift"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def edit_linked(bench: Bench) -> None:
    (bench.path.parent / "linked/index.d.ts").write_text("export declare const reach: number;\n")


def unlink_package(bench: Bench) -> None:
    """Put a folder with the very same files in the place of a link."""
    link = bench.path / "node_modules/linked"
    link.unlink()
    shutil.copytree(bench.path.parent / "linked", link)


READ = "inputs_changed"
INSTALLED = "environment_changed"
CHANGES: dict[str, tuple[Callable[[Bench], None], str, str]] = {
    "a JSON module": (rewrite("src/data.json", "{}"), READ, "src/data.json"),
    "a JSON module that is required": (rewrite("src/rules.json", "{}"), READ, "src/rules.json"),
    "a JSON module that is ignored": (rewrite("src/hidden.json", "{}"), READ, "src/hidden.json"),
    "a JSON module that goes": (remove("src/data.json"), READ, "src/data.json"),
    "a JSON module that comes": (rewrite("src/late.json", "{}"), READ, "src/late.json"),
    "an ignored source": (rewrite("gen/client.ts", "export {};\n"), READ, "gen/client.ts"),
    "an ignored source that comes": (rewrite("gen/late.d.ts", "declare const x: 1;\n"), INSTALLED, ""),
    "a declaration": (rewrite("node_modules/pad/index.d.ts", "export {};\n"), INSTALLED, ""),
    "a declaration that looks as old": (edit_as_old, INSTALLED, ""),
    "a file of a package that comes": (
        rewrite("node_modules/@scope/far/near.d.ts", "export const near: 1;\n"),
        INSTALLED,
        "",
    ),
    "a package in a scope that comes": (rewrite("node_modules/@scope/x/index.d.ts", ""), INSTALLED, ""),
    "a configuration in a package": (
        rewrite("node_modules/strictest/tsconfig.json", '{"compilerOptions": {"strict": false}}'),
        INSTALLED,
        "",
    ),
    "a package behind a link": (edit_linked, INSTALLED, ""),
    "a link that is a folder now": (unlink_package, INSTALLED, ""),
}


@pytest.mark.parametrize(("change", "code", "path"), CHANGES.values(), ids=CHANGES)
def test_what_was_read_is_watched_and_built_again(
    shop: Bench, change: Callable[[Bench], None], code: str, path: str
) -> None:
    shop.build()
    assert reasons(shop) == {}
    assert checked(shop) == (0, set())
    change(shop)
    said = reasons(shop)
    assert {code: reason.paths for code, reason in said.items()} == {code: (path,) if path else ()}
    assert checked(shop) == (6, {code})
    assert built(shop) == "built"
    assert reasons(shop) == {}
    assert checked(shop) == (0, set())
    assert built(shop) == "reused"


def test_what_ignored_files_say_is_known_and_complete(shop: Bench) -> None:
    """A generated client that git ignores takes part; its bytes are recorded, so the unit is reused."""
    shop.build()
    assert shop.refs("own") == USES
    assert shop.ask("refs", "own").page.coverage.state == "complete"
    assert built(shop) == "reused"
    shop.put("gen/client.ts", "export const call = () => {};\n")
    assert built(shop) == "built"
    assert shop.refs("own") == []


def test_other_files_change_nothing(shop: Bench) -> None:
    shop.build()
    shop.put("src/other.json", "{}")
    shop.put("node_modules/pad/readme.md", "text")
    for name in ("src/data.json", "node_modules/pad/index.d.ts"):
        os.utime(shop.path / name, (1, 1))
    assert reasons(shop) == {}
    assert built(shop) == "reused"
    assert reasons(shop) == {}


def test_an_earlier_build_serves_only_what_it_read(shop: Bench) -> None:
    """Rows of an earlier build are taken over only while its dependencies stand as it read them."""
    source, declaration = "src/own.ts", "node_modules/pad/index.d.ts"
    shop.build()
    shop.put(source, TREE[source] + "own();\n")
    assert built(shop) == "built"
    shop.put(source, TREE[source])
    assert built(shop) == "reused"
    assert reasons(shop) == {}
    shop.put(declaration, "export {};\n")
    assert built(shop) == "built"
    shop.put(declaration, TREE[declaration])
    assert built(shop) == "built"


@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_called_fresh_where_no_provider_may_run(shop: Bench, force: bool) -> None:
    shop.build()
    shop.put("src/data.json", "{}")
    shop.build(no_semantic=True, force=force)
    assert set(reasons(shop)) == {READ, "not_built"}
    assert shop.refs("own") == USES
    shop.put("src/data.json", TREE["src/data.json"])
    assert built(shop) == "built"


def move_out(bench: Bench, name: str) -> Path:
    """Move ``node_modules`` out of the workspace under another path and leave a link."""
    place = bench.path.parent / name
    place.parent.mkdir(parents=True, exist_ok=True)
    (bench.path / "node_modules").rename(place)
    (bench.path / "node_modules").symlink_to(place)
    return place


def externals(bench: Bench) -> set[str]:
    found = bench.build(force=True)
    row = next(row for row in found.rows if row.provider == "typescript")
    return {problem.path or "" for problem in row.problems if problem.code == "unresolved_import"}


def test_an_installation_outside_is_read_through_its_link(shop: Bench) -> None:
    inside = externals(shop)
    place = move_out(shop, "shared/node_modules")
    assert INSTALLED in reasons(shop)
    assert externals(shop) == inside
    assert shop.ask("refs", "own").page.coverage.state == "complete"
    (shop.path / "node_modules").unlink()
    shutil.copytree(place, shop.path / "node_modules", symlinks=True)
    assert set(reasons(shop)) == {INSTALLED}
    # The first build of all read the very same.
    assert built(shop) == "reused"
    assert reasons(shop) == {}


@pytest.mark.parametrize("name", ["home/user", "."], ids=["another folder", "a folder it is in"])
def test_a_link_to_anything_else_is_not_read_and_that_is_said(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    target = bench.path.parent / name
    for path in ("src/own.ts", "package.json"):
        bench.put(path, TREE[path])
    bench.put(
        "use.ts", 'import { own } from "./src/own";\nimport data from "pad/secret.json";\nown(data.key);\n'
    )
    (target / "pad").mkdir(parents=True)
    (target / "pad/secret.json").write_text('{"key": 1}')
    (bench.path / "node_modules").symlink_to(target)
    bench.build()
    assert bench.refs("own") == ["use.ts:1", "use.ts:3"]
    assert reasons(bench)["dependencies_unread"].paths == ("node_modules",)
    (bench.path / "node_modules").unlink()
    (bench.path / "node_modules").mkdir()
    assert built(bench) == "built"
    assert reasons(bench) == {}


def test_sources_behind_a_link_are_not_read_and_that_is_said(shop: Bench) -> None:
    outside = shop.path.parent / "linked"
    (outside / "index.d.ts").unlink()
    (outside / "package.json").write_text('{"name": "linked", "version": "1.0.0", "main": "index.ts"}')
    (outside / "index.ts").write_text("export const reach = 1;\n")
    shop.build()
    said = reasons(shop)
    assert said["dependencies_unread"].paths == ("node_modules/linked/index.ts",)
