"""The user's key and the seals made with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codetrail.errors import SystemFailure
from codetrail.workspace.seal import is_sealed, make_key, read_key, seal, state_home

KEY = bytes(range(32))


@pytest.mark.parametrize(
    "parts",
    [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), ()],
    ids=["ab c", "a bc", "abc", "abc+", "none"],
)
def test_a_seal_tells_parts_apart(parts: tuple[bytes, ...]) -> None:
    mark = seal(KEY, *parts)
    assert is_sealed(KEY, mark, *parts)
    assert not is_sealed(bytes(32), mark, *parts)
    assert not is_sealed(KEY, "", *parts)
    assert not is_sealed(KEY, "é" * 64, *parts)
    assert not is_sealed(KEY, mark, b"ab", b"cd")


def test_every_split_has_its_own_seal() -> None:
    assert (
        len({seal(KEY, b"ab", b"c"), seal(KEY, b"a", b"bc"), seal(KEY, b"abc"), seal(KEY, b"abc", b"")}) == 4
    )


def test_a_key_is_made_once_and_private(env: dict[str, str]) -> None:
    assert read_key(env) is None
    key = make_key(env)
    assert len(key) == 32
    assert make_key(env) == read_key(env) == key
    folder = Path(env["XDG_STATE_HOME"]) / "codetrail"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "seal.key").stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in folder.iterdir()] == ["seal.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622, 0o660])
def test_a_key_others_could_reach_is_no_key(env: dict[str, str], mode: int) -> None:
    key = make_key(env)
    file = Path(env["XDG_STATE_HOME"]) / "codetrail" / "seal.key"
    file.chmod(mode)
    assert read_key(env) is None
    assert make_key(env) != key, "anyone may have read the old one"
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("spoil", ["link", "folder link", "short", "long", "fifo", "folder open to others"])
def test_what_is_no_private_key_file_is_not_read(env: dict[str, str], tmp_path: Path, spoil: str) -> None:
    make_key(env)
    folder = Path(env["XDG_STATE_HOME"]) / "codetrail"
    file = folder / "seal.key"
    if spoil == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    elif spoil == "folder link":
        folder.rename(tmp_path / "moved")
        folder.symlink_to(tmp_path / "moved")
    elif spoil == "fifo":
        file.unlink()
        os.mkfifo(file, 0o600)
    elif spoil == "folder open to others":
        folder.chmod(0o777)
    else:
        file.write_bytes(bytes(31 if spoil == "short" else 33))
    assert read_key(env) is None


def test_a_state_folder_that_cannot_be_made_is_io_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemFailure) as caught:
        make_key({"XDG_STATE_HOME": str(tmp_path / "file")})
    assert caught.value.code == "io_error"
    assert str(tmp_path) not in caught.value.message


@pytest.mark.parametrize(
    ("env", "home"),
    [
        ({"XDG_STATE_HOME": "/s", "HOME": "/h"}, "/s"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/h"}, "/h/.local/state"),
        ({"XDG_STATE_HOME": "", "HOME": "/h"}, "/h/.local/state"),
        ({"HOME": "/h"}, "/h/.local/state"),
    ],
)
def test_where_state_lives(env: dict[str, str], home: str) -> None:
    assert state_home(env) == home


def test_builds_that_start_together_end_with_one_key(env: dict[str, str]) -> None:
    script = "import os; from codetrail.workspace.seal import make_key; print(make_key(os.environ).hex())"
    runs = [
        subprocess.Popen([sys.executable, "-c", script], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert len({run.communicate()[0] for run in runs}) == 1


def test_a_link_in_place_of_our_folder_is_not_written_through(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    Path(env["XDG_STATE_HOME"]).mkdir()
    (Path(env["XDG_STATE_HOME"]) / "codetrail").symlink_to(tmp_path / "target")
    with pytest.raises(SystemFailure) as caught:
        make_key(env)
    assert (caught.value.code, caught.value.hint) == (
        "io_error",
        'rm "${XDG_STATE_HOME:-$HOME/.local/state}/codetrail"',
    )
    assert list((tmp_path / "target").iterdir()) == []


def test_a_folder_in_place_of_the_key_is_named(env: dict[str, str]) -> None:
    folder = Path(env["XDG_STATE_HOME"]) / "codetrail"
    (folder / "seal.key").mkdir(parents=True)
    with pytest.raises(SystemFailure) as caught:
        make_key(env)
    assert "folder stands where the key" in caught.value.message
    assert caught.value.hint == 'rmdir "${XDG_STATE_HOME:-$HOME/.local/state}/codetrail/seal.key"'
    assert [entry.name for entry in folder.iterdir()] == ["seal.key"]


@pytest.mark.parametrize("broken", ["link", "write", "fsync"])
def test_no_copy_of_a_key_is_left_behind(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "refused")

    monkeypatch.setattr(os, broken, refuse)
    with pytest.raises(SystemFailure):
        make_key(env)
    assert list((Path(env["XDG_STATE_HOME"]) / "codetrail").iterdir()) == []


def test_a_key_that_is_a_link_is_replaced_and_its_target_left_alone(
    env: dict[str, str], tmp_path: Path
) -> None:
    folder = Path(env["XDG_STATE_HOME"]) / "codetrail"
    folder.mkdir(parents=True, mode=0o700)
    (tmp_path / "precious").write_text("x")
    (folder / "seal.key").symlink_to(tmp_path / "precious")
    assert make_key(env) == (folder / "seal.key").read_bytes()
    assert (tmp_path / "precious").read_text() == "x"
