"""What stands outside the tree is looked into only where its signature differs or is too young to tell."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.workspace import surroundings as module
from codetrail.workspace.reading import RACY_NS
from codetrail.workspace.surroundings import Surrounding, changed_languages, look

LATER = 1 << 62
"""A start of a build long after every edit, so that nothing is too young to tell."""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/one.dist-info").mkdir()
    (tmp_path / "pyvenv.cfg").write_text("version = 3.11\n")
    (tmp_path / "python").write_bytes(b"\0" * (2 << 20))
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


NAMES = ("pipe", "pyvenv.cfg", "python", "site", "gone/pyvenv.cfg")


def recorded(place: Path, started_ns: int = LATER) -> tuple[Surrounding, ...]:
    return look("python", [str(place / name) for name in NAMES], "/work", (), started_ns)


def test_an_unchanged_environment_costs_stats_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = recorded(place)
    assert [Path(one.path).name for one in before if one.digest == "absent"] == ["pyvenv.cfg"]

    def refuse(*_: object) -> str:
        raise AssertionError("looked inside")

    monkeypatch.setattr(module, "_digest", refuse)
    assert changed_languages(before, LATER) == ()


def edit(place: Path) -> None:
    (place / "pyvenv.cfg").write_text("version = 3.12\n")


def install(place: Path) -> None:
    (place / "site/two.dist-info").mkdir()


def remove(place: Path) -> None:
    (place / "pyvenv.cfg").unlink()


def come(place: Path) -> None:
    (place / "gone").mkdir()
    (place / "gone/pyvenv.cfg").write_text("")


def replace_interpreter(place: Path) -> None:
    (place / "python").write_bytes(b"\1" * (2 << 20))
    os.utime(place / "python", (1, 1))


def become_file(place: Path) -> None:
    (place / "site/one.dist-info").rmdir()
    (place / "site").rmdir()
    (place / "site").write_text("")


CHANGES = (edit, install, remove, come, replace_interpreter, become_file)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("started_ns", [LATER, 0], ids=["told by the signature", "looked into"])
def test_a_change_is_seen(place: Path, change: Callable[[Path], None], started_ns: int) -> None:
    before = recorded(place)
    assert changed_languages(before, started_ns) == ()
    change(place)
    assert changed_languages(before, started_ns) == ("python",)


def test_an_edit_with_the_clock_standing_still_is_seen(place: Path) -> None:
    before = recorded(place)
    known = {one.path: one for one in before}
    one = known[str(place / "pyvenv.cfg")]
    (place / "pyvenv.cfg").write_text("version = 3.12\n")
    now = (place / "pyvenv.cfg").stat()
    still = one._replace(mtime_ns=now.st_mtime_ns, ctime_ns=now.st_ctime_ns, inode=now.st_ino)
    assert changed_languages([still], now.st_ctime_ns + RACY_NS) == ("python",)


def test_touched_is_not_changed(place: Path) -> None:
    before = recorded(place)
    os.utime(place / "pyvenv.cfg", (1, 1))
    os.utime(place / "site", (1, 1))
    assert changed_languages(before, LATER) == ()


def test_folders_that_the_walk_knows_are_left_out(tmp_path: Path) -> None:
    for name in ("src", ".venv"):
        (tmp_path / name).mkdir()
    paths = [str(tmp_path), str(tmp_path / "src"), str(tmp_path / ".venv")]
    found = look("python", paths, str(tmp_path), {"", "src"}, LATER)
    assert [one.path for one in found] == [str(tmp_path / ".venv")]


def test_what_was_touched_since_the_build_began_never_counts_as_equal(place: Path) -> None:
    before = recorded(place, started_ns=0)
    assert changed_languages(before, LATER) == ("python",)
