"""The second engine, the real scip-typescript: on request only, and nothing of it in the workspace."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.index.doctor import doctor
from codetrail.model.answers import Question, ReferenceRow, SymbolRow
from codetrail.model.reports import BuildOptions, UnitRow
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.query.engine import answer
from codetrail.scip import scip_pb2
from codetrail.workspace.root import find_root
from tests import downloads
from tests.providers.typescript.projects_index import write_tree

SHOP = {
    "tsconfig.base.json": {"compilerOptions": {"strict": True, "composite": True}},
    "tsconfig.json": {"files": [], "references": [{"path": "./core"}]},
    "core/tsconfig.json": {"extends": "../tsconfig.base.json", "include": ["*.ts"]},
    "core/tsconfig.test.json": {"extends": "./tsconfig.json", "include": ["*.ts", "test"]},
    "core/cart.ts": "export class Cart {\n  static made = 0;\n  add(): number { return Cart.made++; }\n}\n",
    "core/test/cart.ts": 'import { Cart } from "../cart";\nnew Cart().add();\n',
    "broken/tsconfig.json": '{"include": [',
    "broken/left.ts": "export const left = 1;\n",
    "loose.js": 'import { Cart } from "./core/cart";\nnew Cart().add();\n',
}


@pytest.fixture(autouse=True)
def _private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what a run remembers in the test's own folders; npm's global folder has the tool."""
    monkeypatch.setenv("NPM_CONFIG_PREFIX", str(downloads.scip_typescript_prefix()))
    for name in ("CACHE", "STATE", "DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Write a workspace in which no package.json stands, with one broken configuration."""
    root = tmp_path / "shop"
    write_tree(root, SHOP)
    return root


@pytest.fixture
def asked(tmp_path: Path) -> None:
    """Ask for the engine in the user's own configuration."""
    folder = tmp_path / "config" / "codetrail"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[typescript]\nengine = "scip-typescript"\n')


def built(root: Path, keep: Path | None = None) -> UnitRow:
    options = BuildOptions(keep_scip=str(keep) if keep else None)
    return build(str(root), options, lambda _: None).rows[0]


def snapshot(root: Path) -> dict[str, str]:
    """Return what lies in a tree by path, CodeTrail's own folder left out."""
    files = (path for path in root.rglob("*") if path.is_file() and ".codetrail" not in path.parts)
    return {str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.usefixtures("asked")
def test_on_request_it_answers_and_the_unit_says_so(shop: Path) -> None:
    before = snapshot(shop)
    row = built(shop)
    assert (row.engine, row.version, row.state, row.documents) == (
        "scip-typescript",
        "0.4.0",
        "built",
        4,
    )
    assert {(problem.code, problem.path) for problem in row.problems} == {
        ("second_engine", None),
        ("config_error", "broken/tsconfig.json"),
        ("files_inferred", None),
    }
    assert built(shop).state == "reused"
    assert snapshot(shop) == before


@pytest.mark.usefixtures("asked")
def test_every_file_is_indexed_once_and_no_symbol_names_this_machine(shop: Path, tmp_path: Path) -> None:
    built(shop, tmp_path / "kept")
    (file,) = (tmp_path / "kept").glob("*.scip")
    index = scip_pb2.Index.FromString(file.read_bytes())
    found = Counter(document.relative_path for document in index.documents)
    assert found == Counter(["broken/left.ts", "core/cart.ts", "core/test/cart.ts", "loose.js"])
    symbols = {one.symbol for document in index.documents for one in document.occurrences}
    assert "scip-typescript npm . . core/`cart.ts`/Cart#add()." in symbols
    assert not [symbol for symbol in symbols if str(tmp_path).strip("/").split("/")[0] in symbol]


@pytest.mark.usefixtures("asked")
def test_its_symbols_are_named_and_its_references_join(shop: Path) -> None:
    built(shop)
    given = answer(Question("refs", "Cart.add"), find_root(str(shop)))
    rows = [row for row in given.rows if isinstance(row, ReferenceRow)]
    assert [(row.path, row.range.line, row.reliability) for row in rows] == [
        ("core/test/cart.ts", 1, "precise_fact"),
        ("loose.js", 1, "precise_fact"),
    ]
    assert given.page.coverage.state == "partial"
    assert "second_engine" in {reason.code for reason in given.page.coverage.reasons}
    (definition,) = answer(Question("defs", "Cart.add", include_code=True), find_root(str(shop))).rows
    assert isinstance(definition, SymbolRow)
    assert (definition.node.kind, definition.node.name) == ("method", "add")


@pytest.mark.usefixtures("asked")
def test_doctor_tells_that_it_answers(shop: Path) -> None:
    rows = {row.code: row for row in doctor(str(shop), False) if row.language == "typescript"}
    assert "as was asked for" in rows["second_engine"].message
    assert "engine_ready" not in rows


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize(
    ("version", "seen"), [(None, "which is not installed."), ("0.3.15", "0.3.15 is not that version")]
)
def test_without_it_the_unit_is_not_built_by_another(
    version: str | None, seen: str, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = tmp_path / "prefix"
    monkeypatch.setenv("NPM_CONFIG_PREFIX", str(prefix))
    if version is not None:
        folder = prefix / "lib" / "node_modules" / "@sourcegraph" / "scip-typescript"
        folder.mkdir(parents=True)
        manifest = {"name": "@sourcegraph/scip-typescript", "version": version}
        (folder / "package.json").write_text(json.dumps(manifest))
    assert built(shop).state == "failed"
    rows = {row.code: row for row in doctor(str(shop), False) if row.language == "typescript"}
    missing = rows["second_engine_missing"]
    assert seen in missing.message
    assert missing.next == (("codetrail", "index-provider", "install", "scip-typescript"),)


def command_line(*more: str) -> str:
    script = (
        downloads.scip_typescript_prefix() / "lib/node_modules/@sourcegraph/scip-typescript/dist/src/main.js"
    )
    return shlex.join([str(downloads.node()), str(script), "index", *more])


def test_as_a_command_of_ones_own_it_runs_in_the_root(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODETRAIL_SCIP_TYPESCRIPT", command_line("core"))
    before = snapshot(shop)
    row = built(shop)
    assert (row.state, row.documents) == ("partial", 4)
    assert "second_engine" in {problem.code for problem in row.problems}
    page = answer(Question("defs", "Cart.add"), find_root(str(shop)))
    assert [row.reliability for row in page.rows if isinstance(row, SymbolRow)] == ["precise_fact"]
    assert snapshot(shop) == before


def test_a_command_that_would_write_configurations_is_refused(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODETRAIL_SCIP_TYPESCRIPT", command_line("--infer-tsconfig"))
    before = snapshot(shop)
    build(str(shop), BuildOptions(), lambda _: None)
    rows = {row.code: row for row in doctor(str(shop), False)}
    assert "writes a tsconfig.json into the workspace" in rows["engine_refused"].message
    assert snapshot(shop) == before


DYING = """
exports.indexCommand = () => {
  require("fs").writeSync(2, "FATAL ERROR: Reached heap limit - JavaScript heap out of memory\\n");
  process.kill(process.pid, "SIGKILL");
  for (;;);
};
"""
PARTS = {
    "dist/src/main.js": DYING,
    "dist/src/ProjectIndexer.js": "exports.ProjectIndexer = class { index() {} };",
    "dist/src/Packages.js": "exports.Packages = class { symbol() {} };",
    "dist/src/ScipSymbol.js": "exports.ScipSymbol = { anonymousPackage() {} };",
    "node_modules/typescript/index.js": (
        "exports.sys = {}; exports.readConfigFile = () => ({ config: {} });"
        " exports.flattenDiagnosticMessageText = String;"
    ),
    "package.json": '{"name": "@sourcegraph/scip-typescript", "version": "0.4.0"}',
}


@pytest.mark.usefixtures("asked")
def test_when_its_heap_is_full_the_projects_that_are_missing_are_named(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "prefix/lib/node_modules/@sourcegraph/scip-typescript"
    write_tree(package, dict(PARTS))
    monkeypatch.setenv("NPM_CONFIG_PREFIX", str(tmp_path / "prefix"))
    monkeypatch.setattr(scip_typescript_engine, "self_test", lambda *_: None)
    row = built(shop)
    assert (row.state, row.documents) == ("failed", 0)
    lost = row.problems[0]
    assert (lost.code, lost.times) == ("heap_exhausted", 5)
    assert lost.paths == (
        "broken/tsconfig.json",
        "core/tsconfig.json",
        "core/tsconfig.test.json",
        "tsconfig.json",
        "tsconfig.base.json",
    )
    coverage = answer(Question("defs", "Cart.add"), find_root(str(shop))).page.coverage
    reasons = {(reason.code, reason.language): (reason.times, reason.paths) for reason in coverage.reasons}
    assert reasons["heap_exhausted", "typescript"] == (
        3,
        ("broken/left.ts", "core/cart.ts", "core/test/cart.ts"),
    )
    assert reasons["heap_exhausted", "javascript"] == (1, ("loose.js",))
    rows = {row.code: row for row in doctor(str(shop), False)}
    assert "core/tsconfig.json" in rows["heap_exhausted"].message


@pytest.mark.usefixtures("asked")
def test_files_too_large_for_it_are_told(shop: Path) -> None:
    (shop / "core/large.ts").write_text("export const large = 1;\n" + "//\n" * (1 << 19))
    row = built(shop)
    assert [(one.path, one.times) for one in row.problems if one.code == "file_too_large"] == [
        ("core/large.ts", 1)
    ]
    coverage = answer(Question("refs", "Cart.add"), find_root(str(shop))).page.coverage
    assert ("file_too_large", ("core/large.ts",)) in [(one.code, one.paths) for one in coverage.reasons]
