"""Only a state folder that this user's CodeTrail made is taken for the root of questions."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace.ownership import MARK, is_own_state_folder, mark_of
from codetrail.workspace.root import find_root
from codetrail.workspace.seal import make_key

OwnState = Callable[[Path], Path]
RunGit = Any


def _copied(state: Path) -> None:
    """Carry the folder to another place and back: an equal path, other inodes."""
    away = state.with_name("away")
    state.rename(away)
    shutil.copytree(away, state)
    state.chmod(0o755)


def _moved_in(state: Path) -> None:
    """Let the mark of another folder stand in this one."""
    other = state.parent / "other"
    other.mkdir()
    handle = os.open(other, os.O_RDONLY)
    (state / MARK).write_bytes(mark_of(make_key(os.environ), str(other), handle))
    os.close(handle)


def _strangers(state: Path) -> None:
    handle = os.open(state, os.O_RDONLY)
    (state / MARK).write_bytes(mark_of(bytes(32), str(state), handle))
    os.close(handle)


def _file(state: Path) -> None:
    shutil.rmtree(state)
    state.write_text("")


def _link(path: Path) -> None:
    away = path.with_name("away")
    path.rename(away)
    path.symlink_to(away)


def _fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


ATTACKS: dict[str, Callable[[Path], object]] = {
    "no mark": lambda state: (state / MARK).unlink(),
    "empty mark": lambda state: (state / MARK).write_bytes(b""),
    "any mark": lambda state: (state / MARK).write_bytes(b"0" * 64),
    "no text": lambda state: (state / MARK).write_bytes(b"\xff" * 64),
    "mark of another key": _strangers,
    "mark of another folder": _moved_in,
    "copied": _copied,
    "mark is a link": lambda state: _link(state / MARK),
    "mark is a FIFO": lambda state: _fifo(state / MARK),
    "mark others can write": lambda state: (state / MARK).chmod(0o622),
    "folder is a link": _link,
    "folder others can write": lambda state: state.chmod(0o777),
    "folder of the group": lambda state: state.chmod(0o775),
    "folder is a file": _file,
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_folder_this_user_did_not_make_is_passed_over(
    top: Path, git: RunGit, own_state: OwnState, attack: Callable[[Path], object]
) -> None:
    (top / "sub/deep").mkdir(parents=True)
    git("init", "-q")
    state = own_state(top / "sub")
    assert is_own_state_folder(str(state))
    assert find_root(str(top / "sub/deep")).path == str(top / "sub")
    attack(state)
    assert not is_own_state_folder(str(state))
    assert find_root(str(top / "sub/deep")).path == str(top)


def test_a_new_key_owns_nothing_of_before(top: Path, own_state: OwnState, env: dict[str, str]) -> None:
    state = own_state(top)
    (Path(env["XDG_STATE_HOME"]) / "codetrail/seal.key").unlink()
    assert not is_own_state_folder(str(state), env)
    make_key(env)
    assert not is_own_state_folder(str(state), env)


def test_a_state_folder_of_another_user_is_passed_over(
    top: Path, own_state: OwnState, monkeypatch: pytest.MonkeyPatch
) -> None:
    (top / "a").mkdir()
    state = own_state(top)
    inode = state.stat().st_ino
    real = os.fstat

    def as_if_given_away(handle: int) -> os.stat_result:
        fields = list(real(handle))
        fields[4] += 1 if fields[1] == inode else 0
        return os.stat_result(fields)

    assert find_root(str(top / "a")).path == str(top)
    monkeypatch.setattr(os, "fstat", as_if_given_away)
    assert find_root(str(top / "a")).path == str(top / "a")
