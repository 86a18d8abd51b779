"""Fetching what providers lack, with the real clients: pinned, verified, whole or not at all."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from codetrail.errors import UsageError
from codetrail.providers import install, installed
from codetrail.providers.base import Tool
from codetrail.providers.install import INSTALLED, PLANNED, PRESENT, InstallFailed
from codetrail.providers.node_runtime import Node, find_node
from codetrail.providers.pins import BASEDPYRIGHT, NODE, SCIP_TYPESCRIPT, TYPESCRIPT
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.workspace.config import Settings


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """This user's environment, clients and their caches included, with a data folder of the test's own."""
    return os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.fixture
def told() -> list[tuple[str, ...]]:
    return []


def states(
    name: str, env: dict[str, str], told: list[tuple[str, ...]], *, dry_run: bool = False
) -> list[tuple[str, str]]:
    done = install.install(name, Settings(), "/nowhere", env, dry_run=dry_run, telling=told.append)
    return [(one.step.pin.package, one.state) for one in done]


def left(tmp_path: Path) -> list[str]:
    """Return what stands in the folders of the providers."""
    return sorted(path.name for path in (tmp_path / "data").glob("codetrail/providers/*/*"))


def test_typescript_is_installed_once(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]]
) -> None:
    assert states("typescript", env, told, dry_run=True) == [("typescript", PLANNED)]
    assert (left(tmp_path), told) == ([], [])
    assert states("typescript", env, told) == [("typescript", INSTALLED)]
    assert told == [("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")]
    assert states("typescript", env, told) == [("typescript", PRESENT)]
    assert (left(tmp_path), len(told)) == ([TYPESCRIPT.version], 1)


def test_scip_typescript_is_installed_with_what_it_needs_and_found_there(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]]
) -> None:
    assert states("scip-typescript", env, told) == [(SCIP_TYPESCRIPT.package, INSTALLED)]
    folder = tmp_path / "data/codetrail/providers/scip-typescript" / SCIP_TYPESCRIPT.version
    for pin in (SCIP_TYPESCRIPT, *SCIP_TYPESCRIPT.needs):
        manifest = json.loads((folder / "node_modules" / pin.package / "package.json").read_bytes())
        assert (manifest["name"], manifest["version"]) == (pin.package, pin.version)
    node = find_node(None, "/nowhere", env)
    assert isinstance(node, Node)
    tool = scip_typescript_engine.find(node, "/nowhere", env)
    assert isinstance(tool, Tool)
    assert (tool.version, tool.origin) == (SCIP_TYPESCRIPT.version, "installed by codetrail")
    (tmp_path / "run").mkdir(mode=0o700)
    assert scip_typescript_engine.self_test(tool, node, str(tmp_path), env, str(tmp_path / "run")) is None


def test_without_any_node_one_comes_along(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installed, "site_folders", lambda: ())
    (tmp_path / "empty").mkdir()
    env["PATH"] = str(tmp_path / "empty")
    found = [(NODE.package, INSTALLED), ("typescript", INSTALLED)]
    assert states("typescript", env, told) == found
    assert [command[0] for command in told] == ["python", "npm"]
    node = find_node(None, "/nowhere", env)
    assert isinstance(node, Node)
    assert node.origin == f"installed by codetrail, {NODE.version}"
    assert left(tmp_path) == [NODE.version, TYPESCRIPT.version]
    assert states("python", env, told) == [(BASEDPYRIGHT.package, INSTALLED)]


@pytest.mark.parametrize(
    ("name", "pin", "hashes"),
    [
        pytest.param("typescript", TYPESCRIPT, ("sha512-" + "A" * 86 + "==",), id="npm"),
        pytest.param("python", BASEDPYRIGHT, ("sha256:" + "0" * 64,), id="pip"),
    ],
)
def test_other_bytes_than_pinned_are_refused(
    tmp_path: Path,
    env: dict[str, str],
    told: list[tuple[str, ...]],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    pin: object,
    hashes: tuple[str, ...],
) -> None:
    step = install._STEPS[name]
    assert step.pin == pin
    monkeypatch.setitem(install._STEPS, name, step._replace(pin=step.pin._replace(hashes=hashes)))
    with pytest.raises(InstallFailed) as failure:
        states(name, env, told)
    assert failure.value.code == "provider_failed"
    assert str(tmp_path) not in failure.value.message + failure.value.said
    assert left(tmp_path) == []


@pytest.mark.parametrize("name", ["typescript", "python"])
def test_a_proxy_that_is_gone_ends_an_installation_with_what_to_look_at(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]], name: str
) -> None:
    env |= proxied("http://127.0.0.1:9/", tmp_path)
    with pytest.raises(InstallFailed) as failure:
        states(name, env, told)
    assert failure.value.code == "provider_failed"
    assert failure.value.message.endswith("(exit): its registry could not be reached.")
    assert "HTTPS_PROXY" in (failure.value.hint or "")
    assert left(tmp_path) == []


def test_a_proxy_that_never_answers_is_not_waited_for(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "_REACH_SECONDS", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        env |= proxied(f"http://127.0.0.1:{silent.getsockname()[1]}/", tmp_path)
        with pytest.raises(InstallFailed) as failure:
            states("typescript", env, told)
    assert failure.value.code == "timed_out"
    assert "its registry could not be reached" in failure.value.message
    assert left(tmp_path) == []


def proxied(address: str, tmp_path: Path) -> dict[str, str]:
    """Return variables that lead the clients through a proxy, without a cache that knows the answers."""
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    empty = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "NO_PROXY": "", "no_proxy": ""}
    (tmp_path / "npmrc").write_text(f"cache={tmp_path / 'npm'}\n")
    return dict.fromkeys(names, address) | empty | {"NPM_CONFIG_USERCONFIG": str(tmp_path / "npmrc")}


def test_what_a_killed_installation_left_is_swept_by_the_next(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]]
) -> None:
    parent = tmp_path / "data/codetrail/providers/typescript"
    (parent / ".new-ab12cd_3/node_modules").mkdir(parents=True)
    assert states("typescript", env, told) == [("typescript", INSTALLED)]
    assert left(tmp_path) == [TYPESCRIPT.version]


def test_nothing_of_the_current_folder_is_obeyed(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = tmp_path / "ws"
    (workspace / "node_modules/.bin").mkdir(parents=True)
    canary = tmp_path / "canary"
    for name in ("npm", "node"):
        program = workspace / "node_modules/.bin" / name
        program.write_text(f"#!/bin/sh\n: > '{canary}'\n")
        program.chmod(0o755)
    (workspace / ".npmrc").write_text("registry=http://127.0.0.1:9/\nignore-scripts=false\n")
    (workspace / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:9/\n")
    (workspace / "package.json").write_text(f'{{"scripts": {{"preinstall": ": > {canary}"}}}}')
    monkeypatch.chdir(workspace)
    env["PATH"] = f"{workspace}/node_modules/.bin:node_modules/.bin:{env['PATH']}"
    before = sorted(path.name for path in workspace.rglob("*"))
    done = install.install("typescript", Settings(), str(workspace), env, dry_run=False, telling=told.append)
    assert [one.state for one in done] == [INSTALLED]
    assert not canary.exists()
    assert sorted(path.name for path in workspace.rglob("*")) == before


def test_a_half_made_folder_is_replaced(
    tmp_path: Path, env: dict[str, str], told: list[tuple[str, ...]]
) -> None:
    broken = tmp_path / "data/codetrail/providers/typescript" / TYPESCRIPT.version
    broken.mkdir(parents=True)
    (broken / "rest").write_text("")
    assert states("typescript", env, told) == [("typescript", INSTALLED)]
    assert not (broken / "rest").exists()


def test_another_name_is_refused(env: dict[str, str], told: list[tuple[str, ...]]) -> None:
    with pytest.raises(UsageError) as failure:
        states("cobol", env, told)
    assert (failure.value.code, failure.value.hint) == (
        "provider_unknown",
        "one of python, typescript, scip-typescript",
    )
