"""The fallback engine as ``index`` sees it: on request, or when the other's self-test fails; never silent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.index.doctor import doctor
from codetrail.model.answers import Question
from codetrail.model.reports import BuildOptions, UnitRow
from codetrail.providers import proof
from codetrail.providers.base import Tool
from codetrail.providers.node_runtime import Node
from codetrail.providers.python import engine, lsp_engine
from codetrail.providers.python.adapter import PythonProvider
from codetrail.query.engine import answer
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.config import Settings
from codetrail.workspace.root import find_root
from tests.providers.python.driver_index import DIST, write_tree

SHOP = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n\n[tool.pyright]\ninclude = ["src"]\n',
    "src/shop/__init__.py": "",
    "src/shop/cart.py": "class Cart:\n    def add(self) -> int:\n        return 1\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\nCart().add()\n",
}
ON_REQUEST = {"codetrail.toml": '[python]\nengine = "pyright-lsp"\n'}

Shop = Callable[..., Path]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """Return a function that writes the shop, with more files; private folders lie in the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    def make(more: dict[str, str] | None = None) -> Path:
        write_tree(tmp_path / "ws", SHOP | (more or {}))
        return tmp_path / "ws"

    return make


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a bundle in force whose internals changed while its language server still works."""
    dist = tmp_path / "bundle" / "dist"
    dist.mkdir(parents=True)
    text = (Path(DIST) / engine.ENTRY).read_text(encoding="utf-8")
    moved = text.replace("getDeclInfoForNameNode", "getDeclInfoOfNameNode")
    assert moved != text
    (dist / engine.ENTRY).write_text(moved, encoding="utf-8")
    (dist / "typeshed-fallback").symlink_to(Path(DIST) / "typeshed-fallback")
    (dist.parent / "package.json").write_text('{"name": "basedpyright", "version": "1.40.2"}')
    bundle = engine.Bundle("basedpyright", "1.40.2", str(dist), "test")
    monkeypatch.setattr("codetrail.providers.python.adapter.find_bundle", lambda *_: bundle)
    return dist


def build_row(root: Path) -> UnitRow:
    """Build, and return the row of the Python unit; that of files without one comes behind it."""
    return build(str(root), BuildOptions(), lambda _: None).rows[0]


def codes(row: UnitRow) -> list[str]:
    return [problem.code for problem in row.problems]


def references(root: Path, name: str) -> list[str]:
    page = answer(Question("refs", name), find_root(str(root)))
    return sorted(f"{row.path}:{row.range[0]} {row.reliability}" for row in page.rows)  # type: ignore[union-attr]


def test_on_request_the_language_server_answers_and_the_unit_says_so(shop: Shop) -> None:
    root = shop(ON_REQUEST)
    row = build_row(root)
    assert (row.engine, row.state, row.documents, codes(row)) == (
        "basedpyright-lsp",
        "built",
        3,
        ["fallback_engine"],
    )
    assert "as the configuration asks" in row.problems[0].message
    found = references(root, "Cart.add")
    assert [place.partition(" ")[0] for place in found] == ["tests/test_cart.py:2"]
    assert build_row(root).state == "reused"
    assert codes(build_row(root)) == ["fallback_engine"]


@pytest.mark.usefixtures("broken")
def test_a_failed_self_test_leaves_the_answer_to_the_language_server(shop: Shop) -> None:
    root = shop()
    row = build_row(root)
    assert (row.engine, row.state) == ("basedpyright-lsp", "built")
    assert codes(row) == ["fallback_engine", "self_test_failed"]
    assert "the self-test of the in-process engine failed" in row.problems[0].message
    assert [place.partition(" ")[0] for place in references(root, "Cart")] == [
        "tests/test_cart.py:0",
        "tests/test_cart.py:2",
    ]
    # The next plan names the engine that answered, so nothing is built again.
    again = build_row(root)
    assert (again.engine, again.state) == ("basedpyright-lsp", "reused")


@pytest.mark.usefixtures("broken")
def test_doctor_names_the_engine_that_answers_and_why(shop: Shop) -> None:
    root = shop()
    rows = {row.code: row for row in doctor(str(root), False)}
    assert "basedpyright-lsp" in rows["engine_ready"].message
    fallback = rows["fallback_engine"]
    assert (fallback.severity, fallback.language) == ("warning", "python")
    assert fallback.next[0][:2] == ("pip", "install")
    assert "self-test" in fallback.message


def test_a_recorded_failure_is_forgotten_once_the_test_passes(shop: Shop) -> None:
    root = str(shop())
    provider = PythonProvider()
    tool = provider.locate(Settings(), root)
    assert isinstance(tool, Tool)
    bundle = engine.Bundle(tool.name, tool.version, dict(tool.details)["dist"], tool.origin)
    node = Node(tool.argv[0], dict(tool.details)["node"])
    proof.remember_failure(node, engine.subject_of(bundle), os.environ)
    other = provider.locate(Settings(), root)
    assert isinstance(other, Tool)
    assert (other.name, lsp_engine.reason(other)) == ("basedpyright-lsp", lsp_engine.FAILED)
    assert provider.probe(Settings(), root) == tool
    assert provider.locate(Settings(), root) == tool


def test_engines_do_not_share_rows(shop: Shop) -> None:
    root = shop()
    assert build_row(root).engine == "basedpyright"
    (root / "codetrail.toml").write_text(ON_REQUEST["codetrail.toml"])
    row = build_row(root)
    assert (row.engine, row.state) == ("basedpyright-lsp", "built")
    with closing(open_snapshot(str(root))) as snapshot:
        assert {entry.engine for entry in snapshot.manifest.entries} == {"basedpyright-lsp"}


def test_a_bundle_whose_server_does_not_start_fails_the_unit(shop: Shop, broken: Path) -> None:
    (broken / engine.ENTRY).write_text("process.exit(7);")
    row = build_row(shop())
    assert (row.state, codes(row)) == ("failed", ["self_test_failed", "server_ended"])


def test_nothing_the_workspace_ships_runs(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = tmp_path / "canary"
    shell = f"#!/bin/sh\n: > '{canary}'\n"
    python = f"open({str(canary)!r}, 'w')\n"
    root = shop(
        ON_REQUEST
        | {
            ".venv/pyvenv.cfg": "home = /nowhere/bin\nversion = 3.11.1\n",
            ".venv/lib/python3.11/site-packages/evil.pth": f"import os; os.system('touch {canary}')\n",
            ".venv/lib/python3.11/site-packages/sitecustomize.py": python,
            ".venv/lib/python3.11/site-packages/dep.py": "def made(): ...\n",
            "pyrightconfig.json": '{"venvPath": ".", "venv": ".venv", "include": ["nothing"]}',
            "sitecustomize.py": python,
            "json.py": python,
            "use.py": "import dep\ndep.made()\n",
        }
    )
    for name in (".venv/bin/python", ".venv/bin/python3", "python3", "python", "node"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(shell)
        (root / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{root}/.venv/bin:{root}:" + os.environ["PATH"])
    monkeypatch.setenv("VIRTUAL_ENV", f"{root}/.venv")
    monkeypatch.setenv("PYTHONPATH", str(root))
    row = build_row(root)
    assert (row.state, row.documents) == ("built", 6)
    assert not canary.exists()
    (found,) = answer(Question("refs", "made"), find_root(str(root))).rows
    assert found.path == "use.py"  # type: ignore[union-attr]


def test_the_digest_follows_the_drivers_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = lsp_engine.digest()
    shutil.copytree(lsp_engine._folder(), tmp_path / "lsp")
    monkeypatch.setattr(lsp_engine, "_folder", lambda: str(tmp_path / "lsp"))
    assert lsp_engine.digest() == before
    with (tmp_path / "lsp" / "walk.py").open("a") as file:
        file.write("# another\n")
    assert lsp_engine.digest() != before
