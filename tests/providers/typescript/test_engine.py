"""Which ``typescript`` is used, in which order, and what is said where none can be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codetrail.model.units import Problem
from codetrail.providers.node_runtime import Node
from codetrail.providers.typescript import engine
from codetrail.providers.typescript.engine import TypeScript
from tests.providers.typescript.fakes import write_typescript


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A person's environment with private folders of its own and nothing on the PATH."""
    return {"PATH": "", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.fixture
def node(tmp_path: Path) -> Node:
    """A Node in a folder of its own, beside which npm would keep its global packages."""
    program = tmp_path / "prefix" / "bin" / "node"
    program.parent.mkdir(parents=True)
    program.write_text("")
    return Node(str(program), "test")


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    (tmp_path / "ws").mkdir()
    return os.path.realpath(tmp_path / "ws")


def managed(tmp_path: Path, version: str) -> str:
    folder = tmp_path / "data/codetrail/providers/typescript" / version / "node_modules/typescript"
    return write_typescript(folder, version)


def global_typescript(tmp_path: Path, version: str, *, library: bool = True) -> str:
    return write_typescript(tmp_path / "prefix/lib/node_modules/typescript", version, library=library)


def test_what_a_person_names_goes_first(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    managed(tmp_path, "6.0.3")
    named = write_typescript(tmp_path / "mine", "5.4.5")
    found = engine.find_typescript(named, node, workspace, env)
    assert found == TypeScript("5.4.5", named, "CODETRAIL_TYPESCRIPT")


@pytest.mark.parametrize("named", ["/nowhere/at/all", "relative/folder", "typescript"])
def test_a_name_that_leads_nowhere_is_not_replaced_by_another(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str], named: str
) -> None:
    managed(tmp_path, "6.0.3")
    found = engine.find_typescript(named, node, workspace, env)
    assert isinstance(found, Problem)
    assert (found.code, "CODETRAIL_TYPESCRIPT" in found.message) == ("engine_missing", True)


def test_what_was_installed_for_codetrail_goes_before_npm(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    there = global_typescript(tmp_path, "5.9.3")
    assert engine.find_typescript(None, node, workspace, env) == TypeScript(
        "5.9.3", there, "npm's global folder"
    )
    managed(tmp_path, "5.9.3")
    newest = managed(tmp_path, "6.0.3")
    found = engine.find_typescript(None, node, workspace, env)
    assert found == TypeScript("6.0.3", newest, "installed by codetrail")


def test_a_tsc_on_the_path_shows_where_the_package_is(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    folder = Path(write_typescript(tmp_path / "other/typescript", "6.0.3"))
    (folder / "bin").mkdir()
    (folder / "bin/tsc").write_text("")
    (folder / "bin/tsc").chmod(0o755)
    (tmp_path / "links").mkdir()
    (tmp_path / "links/tsc").symlink_to(folder / "bin/tsc")
    env["PATH"] = str(tmp_path / "links")
    found = engine.find_typescript(None, node, workspace, env)
    assert found == TypeScript("6.0.3", str(folder), "tsc on PATH")


@pytest.mark.parametrize(
    ("version", "library", "code"),
    [
        pytest.param("7.0.2", False, "engine_too_new", id="7 has no library"),
        pytest.param("7.1.0-dev.20260707", True, "engine_too_new", id="7, whatever it holds"),
        pytest.param("4.9.5", True, "engine_too_old", id="4"),
        pytest.param("2", True, "engine_too_old", id="no version"),
        pytest.param("6.0.3", False, "engine_missing", id="6 without its library"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_what_cannot_be_used_is_told_apart(
    tmp_path: Path,
    node: Node,
    workspace: str,
    env: dict[str, str],
    version: str,
    library: bool,
    code: str,
    named: bool,
) -> None:
    folder = global_typescript(tmp_path, version, library=library)
    found = engine.find_typescript(folder if named else None, node, workspace, env)
    assert isinstance(found, Problem)
    assert found.code == code
    assert str(tmp_path) not in found.message


def test_one_that_can_be_used_is_found_behind_one_that_cannot(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    managed(tmp_path, "7.0.2")
    there = global_typescript(tmp_path, "6.0.3")
    found = engine.find_typescript(None, node, workspace, env)
    assert isinstance(found, TypeScript)
    assert found.folder == there


def test_nothing_of_the_workspace_is_taken(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Path(write_typescript(Path(workspace) / "node_modules/typescript", "6.0.3"))
    (own / "bin").mkdir()
    (own / "bin/tsc").write_text("")
    (own / "bin/tsc").chmod(0o755)
    monkeypatch.chdir(workspace)
    env |= {"PATH": f"{own}/bin:node_modules/typescript/bin", "NPM_CONFIG_PREFIX": workspace}
    (tmp_path / "links").mkdir()
    (tmp_path / "links/tsc").symlink_to(own / "bin/tsc")
    env["PATH"] += f":{tmp_path}/links"
    inside = Node(f"{workspace}/bin/node", "test")
    for one in (node, inside):
        found = engine.find_typescript(None, one, workspace, env)
        assert isinstance(found, Problem)
        assert found.code == "engine_missing"


def test_a_folder_that_others_can_write_is_not_taken(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    folder = Path(managed(tmp_path, "6.0.3")).parents[1]
    folder.chmod(0o777)
    there = Path(global_typescript(tmp_path, "6.0.3"))
    there.chmod(0o777)
    assert isinstance(engine.find_typescript(None, node, workspace, env), Problem)
    folder.chmod(0o755)
    assert isinstance(engine.find_typescript(None, node, workspace, env), TypeScript)


def test_another_package_under_that_name_is_none(
    tmp_path: Path, node: Node, workspace: str, env: dict[str, str]
) -> None:
    write_typescript(tmp_path / "prefix/lib/node_modules/typescript", "6.0.3", name="evil")
    assert isinstance(engine.find_typescript(None, node, workspace, env), Problem)
