"""Programs are found where a person put them, never where a workspace did; environments carry no code."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codetrail.providers import programs


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 0\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        pytest.param("bin", "relative", id="relative"),
        pytest.param("", "relative", id="empty means the current folder"),
        pytest.param("{ws}/tools", "inside_workspace", id="inside"),
        pytest.param("{ws}/./tools/../../ws/tools", "inside_workspace", id="inside, spelled otherwise"),
        pytest.param("{out}/link", "inside_workspace", id="link to inside"),
        pytest.param("{out}/open", "writable_by_others", id="others can write"),
        pytest.param("{out}/open/below", "writable_by_others", id="others can write above"),
    ],
)
def test_entries_of_path_are_dropped(workspace: Path, outside: Path, entry: str, reason: str) -> None:
    (workspace / "tools").mkdir()
    (outside / "link").symlink_to(workspace / "tools")
    (outside / "open" / "below").mkdir(parents=True)
    (outside / "open").chmod(0o777)
    text = entry.format(ws=workspace, out=outside)
    found = programs.clean_path({"PATH": f"{text}:{outside}"}, str(workspace))
    assert found.folders == (str(outside),)
    assert found.dropped == ((text, reason),)


def test_missing_entries_are_dropped_without_a_word(workspace: Path, outside: Path) -> None:
    found = programs.clean_path({"PATH": f"/none/here:{outside}"}, str(workspace))
    assert found == programs.SearchPath((str(outside),), ())


def test_below_a_sticky_folder_that_all_can_write_is_accepted(workspace: Path, outside: Path) -> None:
    (outside / "sticky" / "mine").mkdir(parents=True)
    (outside / "sticky").chmod(0o1777)
    found = programs.clean_path({"PATH": f"{outside}/sticky/mine:{outside}/sticky"}, str(workspace))
    assert found.folders == (f"{outside}/sticky/mine",)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_dropped(workspace: Path, outside: Path) -> None:
    os.chown(outside, 12345, -1)
    assert programs.clean_path({"PATH": str(outside)}, str(workspace)).folders == ()


def test_a_program_is_found_behind_planted_ones(workspace: Path, outside: Path) -> None:
    program(workspace / "node")
    (outside / "a").mkdir()
    (outside / "a" / "node").symlink_to(workspace / "node")
    program(outside / "b" / "node").chmod(0o777)
    (outside / "c" / "node").mkdir(parents=True)
    good = program(outside / "d" / "node")
    path = ":".join([str(workspace), ".", *(str(outside / name) for name in "abcd")])
    assert programs.find_program("node", {"PATH": path}, str(workspace)) == str(good)


def test_a_person_may_name_a_program_absolutely_or_by_name(workspace: Path, outside: Path) -> None:
    inside, good = program(workspace / "node"), program(outside / "node")
    env = {"PATH": f"{workspace}:{outside}"}
    assert programs.resolve_override(str(inside), env, str(workspace)) == str(inside)
    assert programs.resolve_override("node", env, str(workspace)) == str(good)
    for value in ("./node", "ws/node", str(outside / "none"), str(outside)):
        assert programs.resolve_override(value, env, str(workspace)) is None


def test_the_environment_is_an_allow_list(outside: Path) -> None:
    given = {
        "PATH": f".:{outside}",
        "HOME": "/home/me",
        "TZ": "UTC",
        "NODE_OPTIONS": "--require /canary.js",
        "PYTHONPATH": "/canary",
        "LD_PRELOAD": "/canary.so",
        "GITHUB_TOKEN": "secret",
        "SSH_AUTH_SOCK": "/agent",
        "GOFLAGS": "-x",
    }
    made = programs.child_environment(given, None, allow=("GOFLAGS", "UNSET"), extra={"TMPDIR": "/t"})
    assert made == {
        "PATH": str(outside),
        "HOME": "/home/me",
        "TZ": "UTC",
        "GOFLAGS": "-x",
        "TMPDIR": "/t",
        "CI": "1",
        "NO_COLOR": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


@pytest.mark.parametrize(
    "name", ["NODE_OPTIONS", "NODE_PATH", "PYTHONPATH", "PYTHONSTARTUP", "LD_PRELOAD", "DYLD_LIBRARY_PATH"]
)
def test_variables_that_load_code_cannot_be_allowed(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        programs.child_environment({name: "x"}, None, allow=(name,))
    with pytest.raises(ValueError, match=name):
        programs.child_environment({}, None, extra={name: "x"})
