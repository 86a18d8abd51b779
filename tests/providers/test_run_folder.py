"""Run folders: private, never shared with or taken from others, gone at the end and after crashes."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codetrail.errors import SystemFailure
from codetrail.providers import private, run_folder


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "ws").mkdir()
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.fixture
def old_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every folder count as old: its change time cannot be set."""
    later = time.time() + 3600
    monkeypatch.setattr("time.time", lambda: later)


def mode(path: Path | str) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_a_run_folder_is_private_new_and_gone_afterwards(tmp_path: Path, env: dict[str, str]) -> None:
    root = str(tmp_path / "ws")
    with run_folder.run_folder(root, env) as one, run_folder.run_folder(root, env) as two:
        assert one != two
        assert mode(one) == mode(os.path.dirname(one)) == mode(tmp_path / "cache" / "codetrail") == 0o700
        assert os.listdir(one) == []
    assert not os.path.exists(one)
    assert not os.path.exists(two)


def test_workspaces_do_not_share_a_parent(tmp_path: Path, env: dict[str, str]) -> None:
    assert run_folder.runs_of(str(tmp_path / "ws"), env) != run_folder.runs_of(str(tmp_path), env)


def test_it_is_removed_after_an_error_with_all_that_lies_in_it(tmp_path: Path, env: dict[str, str]) -> None:
    canary = tmp_path / "canary"
    canary.mkdir()
    (canary / "file").write_text("kept")
    with contextlib.suppress(RuntimeError), run_folder.run_folder(str(tmp_path / "ws"), env) as folder:
        closed = Path(folder) / "a" / "closed"
        closed.mkdir(parents=True)
        (closed / "file").write_text("x")
        closed.chmod(0o500)
        (Path(folder) / "link").symlink_to(canary)
        raise RuntimeError
    assert not os.path.exists(folder)
    assert (canary / "file").read_text() == "kept"


def test_a_cache_inside_the_workspace_is_not_used(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    parent = run_folder.runs_of(str(root), {"XDG_CACHE_HOME": str(root / "cache")})
    assert str(root) not in parent


@pytest.mark.parametrize("name", ["codetrail", "codetrail/runs"])
def test_a_link_in_the_place_of_a_private_folder_is_refused(
    tmp_path: Path, env: dict[str, str], name: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    place = tmp_path / "cache" / name
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SystemFailure), run_folder.run_folder(str(tmp_path / "ws"), env):
        pytest.fail("a folder behind a link was used")
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_folder_of_another_user_is_refused(
    tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_folder.runs_of(str(tmp_path / "ws"), env)
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    with pytest.raises(SystemFailure, match="another user"):
        run_folder.runs_of(str(tmp_path / "ws"), env)


def test_a_private_folder_that_became_public_is_narrowed(tmp_path: Path) -> None:
    made = private.private_folder(str(tmp_path), "a")
    os.chmod(made, 0o777)
    private.private_folder(str(tmp_path), "a")
    assert mode(made) == 0o700


@contextlib.contextmanager
def held(folder: Path) -> Iterator[None]:
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    yield
    os.close(handle)


@pytest.mark.usefixtures("old_enough")
def test_a_sweep_takes_abandoned_run_folders_only(tmp_path: Path) -> None:
    names = ["run-abcdefgh", "run-bcdefghi", "run-toolongname", "other", "run-ABCDEFGH"]
    for name in names:
        (tmp_path / name).mkdir()
    (tmp_path / "run-zzzzzzzz").write_text("a file")
    (tmp_path / "run-yyyyyyyy").symlink_to(tmp_path / "other")
    with held(tmp_path / "run-bcdefghi"):
        assert run_folder.sweep(str(tmp_path)) == 1
    left = {*names, "run-zzzzzzzz", "run-yyyyyyyy"} - {"run-abcdefgh"}
    assert set(os.listdir(tmp_path)) == left


def test_a_sweep_leaves_a_folder_that_was_just_made(tmp_path: Path) -> None:
    (tmp_path / "run-abcdefgh").mkdir()
    assert run_folder.sweep(str(tmp_path)) == 0


@pytest.mark.usefixtures("old_enough")
def test_leftovers_of_other_workspaces_are_swept_too(tmp_path: Path, env: dict[str, str]) -> None:
    parent = Path(run_folder.runs_of(str(tmp_path / "gone"), env))
    (parent / "run-leftover").mkdir()
    other = parent.parent / "not a workspace"
    (other / "run-leftover").mkdir(parents=True)
    emptied = Path(run_folder.runs_of(str(tmp_path / "long gone"), env))
    for folder in (emptied, run_folder.runs_of(str(tmp_path / "ws"), env)):
        os.utime(folder, (1_000_000_000, 1_000_000_000))
    with run_folder.run_folder(str(tmp_path / "ws"), env):
        assert os.listdir(parent) == []
        assert not emptied.exists()
        assert os.listdir(other) == ["run-leftover"]


@pytest.mark.usefixtures("old_enough")
def test_what_a_killed_build_left_is_swept_by_the_next(tmp_path: Path, env: dict[str, str]) -> None:
    parent = Path(run_folder.runs_of(str(tmp_path / "ws"), env))
    (parent / "run-leftover").mkdir()
    (parent / "run-leftover" / "index.scip").write_text("x")
    with run_folder.run_folder(str(tmp_path / "ws"), env) as folder:
        assert os.listdir(parent) == [os.path.basename(folder)]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "no\tfolder").write_text("")
    with pytest.raises(SystemFailure) as failure:
        private.private_folder(str(tmp_path / "no\tfolder"), "runs")
    assert f"{tmp_path}/no\\tfolder' cannot be made: " in failure.value.message


def test_a_folder_of_the_user_is_named_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "cache").write_text("")
    with pytest.raises(SystemFailure) as failure:
        private.private_folder(str(tmp_path / "cache"), "runs")
    assert failure.value.message.startswith("The private folder '~/cache' cannot be made: ")
