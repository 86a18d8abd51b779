"""What stands outside the tree is looked into only where its signature differs or is too young to tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from codetrail.workspace import surroundings as module
from codetrail.workspace.reading import RACY_NS, opened_root
from codetrail.workspace.surroundings import (
    Different,
    Surrounding,
    compare_surroundings,
    lacking,
    look,
    sign_again,
)

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


def compared(recorded: Iterable[Surrounding], started_ns: int, root: Path = Path("/")) -> Different:
    with opened_root(str(root)) as root_fd:
        return compare_surroundings(recorded, started_ns, root_fd)


def changed_languages(recorded: Iterable[Surrounding], started_ns: int) -> tuple[str, ...]:
    found = compared(recorded, started_ns)
    assert found.read == ()
    return found.languages


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


def lead_elsewhere(place: Path) -> None:
    """Put a link to a folder with entries of the same names in the place of a folder."""
    (place / "site").rename(place / "other")
    (place / "site").symlink_to(place / "other")


def relink(place: Path) -> None:
    (place / "site/link").unlink()
    (place / "site/link").symlink_to(place / "pyvenv.cfg")


@pytest.mark.parametrize("change", [lead_elsewhere, relink])
def test_a_folder_is_where_it_is_and_its_entries_where_they_lead(
    place: Path, change: Callable[[Path], None]
) -> None:
    (place / "site/link").symlink_to(place / "python")
    before = recorded(place)
    change(place)
    assert changed_languages(before, LATER) == ("python",)


READ = ("src/data.json", "node_modules/pad/index.d.ts", "src/late.json")


def read_in(root: Path) -> list[Surrounding]:
    """Write what a compiler read in a workspace and record it; the last of it is not there."""
    found = []
    for path in READ[:2]:
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(path)
        status = (root / path).stat()
        digest = sha256(path.encode()).hexdigest()
        one = Surrounding("ts", path, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, digest)
        found.append(one)
    return [*found, Surrounding("ts", READ[2], 0, 0, 0, "absent")]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (READ[0], Different((), (("ts", READ[0]),))),
        (READ[1], Different(("ts",), ())),
        (READ[2], Different((), (("ts", READ[2]),))),
    ],
)
@pytest.mark.parametrize("started_ns", [LATER, 0], ids=["told by the signature", "looked into"])
def test_files_of_the_workspace_are_named_and_packages_are_surroundings(
    tmp_path: Path, path: str, found: Different, started_ns: int
) -> None:
    before = read_in(tmp_path)
    assert not any(compared(before, started_ns, tmp_path))
    (tmp_path / path).write_text("other")
    assert compared(before, started_ns, tmp_path) == found
    (tmp_path / path).unlink()
    assert compared(before, started_ns, tmp_path) == (Different() if path == READ[2] else found)


def test_what_is_signed_again_is_told_by_its_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_in(tmp_path)
    for path in READ[:2]:
        os.utime(tmp_path / path, (1, 1))
    with opened_root(str(tmp_path)) as root_fd:
        again = sign_again(before, 0, root_fd)
    assert [one.mtime_ns for one in again] == [10**9, 10**9, 0]
    monkeypatch.setattr(module, "_digest", None)
    assert not any(compared(again, LATER, tmp_path))


def test_what_changes_while_it_is_signed_again_never_counts_as_equal(tmp_path: Path) -> None:
    before = read_in(tmp_path)
    (tmp_path / READ[0]).write_text("other")
    with opened_root(str(tmp_path)) as root_fd:
        again = sign_again(before, LATER, root_fd)
    assert compared(again, LATER, tmp_path).read == (("ts", READ[0]),)


def lacks(root: Path, folder: str = "site") -> tuple[Surrounding, ...]:
    return lacking("python", folder, ["one.py", "two"], str(root))


def come_file(place: Path) -> None:
    (place / "site/one.py").write_text("")


def come_folder(place: Path) -> None:
    (place / "site/two").mkdir()


def come_link_to_nothing(place: Path) -> None:
    (place / "site/two").symlink_to("nowhere")


def come_other(place: Path) -> None:
    (place / "site/three").write_text("")


def go(place: Path) -> None:
    (place / "site/one.dist-info").rmdir()
    (place / "site").rmdir()


LACKING: dict[str, tuple[Callable[[Path], None], tuple[tuple[str, str], ...]]] = {
    "nothing": (lambda _: None, ()),
    "a file": (come_file, (("python", "site/one.py"),)),
    "a folder": (come_folder, (("python", "site/two"),)),
    "a link to nothing": (come_link_to_nothing, ()),
    "another name": (come_other, ()),
    "the folder goes": (go, ()),
}


@pytest.mark.parametrize(("change", "read"), LACKING.values(), ids=LACKING)
@pytest.mark.parametrize("started_ns", [0, LATER], ids=["too young to tell", "old"])
def test_names_that_a_folder_lacks_are_told_when_they_come(
    place: Path, change: Callable[[Path], None], read: tuple[tuple[str, str], ...], started_ns: int
) -> None:
    before = lacks(place)
    assert [one.path for one in before] == ["site"]
    change(place)
    assert compared(before, started_ns, place) == Different(read=read)


def test_a_folder_as_it_was_costs_one_look(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = lacks(place)

    def refuse(*_: object) -> str:
        raise AssertionError("looked for names")

    monkeypatch.setattr(module, "_come", refuse)
    assert compared(before, LATER, place) == Different()


def test_names_lacking_in_the_root_and_where_there_is_no_folder_have_their_own_paths(place: Path) -> None:
    before = (*lacks(place, ""), *lacks(place, "gone"))
    assert [one.path for one in before] == ["", "gone/one.py", "gone/two"]
    assert compared(before, LATER, place) == Different()
    (place / "one.py").write_text("")
    (place / "gone").mkdir()
    (place / "gone/two").mkdir()
    assert compared(before, LATER, place).read == (("python", "gone/two"), ("python", "one.py"))


def test_a_folder_that_lacks_names_still_is_signed_again(place: Path) -> None:
    before = lacks(place)
    come_other(place)
    os.utime(place / "site", (1, 1))
    with opened_root(str(place)) as root_fd:
        (again,) = sign_again(before, LATER, root_fd)
        assert again.mtime_ns == 1_000_000_000
        assert again.digest == before[0].digest
        come_file(place)
        (differs,) = sign_again((again,), LATER, root_fd)
    assert compared((differs,), LATER, place).read == (("python", "site"),)
