"""The state folder is made privately, once, and files in it are replaced atomically."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import IndexUnavailable, IndexUnusable, SystemFailure
from codetrail.store.snapshot_folder import (
    open_own_file,
    open_own_folder,
    open_state_folder,
    opened,
    read_file,
    write_file,
    write_new,
)


def test_nothing_is_made_unless_asked(root: str) -> None:
    with pytest.raises(IndexUnavailable), opened(root):
        pass
    assert list(Path(root).iterdir()) == []


def test_a_half_made_folder_is_no_index_and_is_completed(root: str) -> None:
    Path(root, ".codetrail").mkdir(mode=0o700)
    with pytest.raises(IndexUnavailable), opened(root):
        pass
    with opened(root, create=True) as folder:
        assert os.path.isdir(folder.pool)
    with opened(root):
        pass


def test_a_foreign_folder_is_not_written_to(root: str) -> None:
    state = Path(root, ".codetrail")
    state.mkdir()
    state.chmod(0o777)
    with pytest.raises(IndexUnusable) as caught, opened(root, create=True):
        pass
    assert caught.value.code == "index_foreign"
    assert list(state.iterdir()) == []


@pytest.mark.parametrize("kind", ["file", "link to nothing", "link to a folder"])
def test_what_is_no_folder_is_foreign(root: str, tmp_path: Path, kind: str) -> None:
    state = Path(root, ".codetrail")
    if kind == "file":
        state.write_text("")
    else:
        target = tmp_path / "target"
        state.symlink_to(target)
        if kind == "link to a folder":
            target.mkdir()
    with pytest.raises(IndexUnusable) as caught, opened(root, create=True):
        pass
    assert caught.value.code == "index_foreign"
    assert not (tmp_path / "target" / "scip").exists()


def test_a_fifo_is_not_waited_for(root: str) -> None:
    with opened(root, create=True) as folder:
        os.mkfifo(Path(root, ".codetrail", "current"), 0o600)
        with pytest.raises(IndexUnusable):
            open_own_file(folder.handle, "current")


def test_files_are_read_up_to_a_limit(root: str) -> None:
    with opened(root, create=True) as folder:
        write_file(folder.handle, "x", b"12345")
        assert read_file(folder.handle, "x", limit=5) == b"12345"
        with pytest.raises(IndexUnusable):
            read_file(folder.handle, "x", limit=4)
        assert read_file(folder.handle, "y", limit=4) is None


def test_a_file_is_replaced_and_a_link_at_its_place_too(root: str, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    state = Path(root, ".codetrail")
    with opened(root, create=True) as folder:
        (state / "x").symlink_to(precious)
        write_file(folder.handle, "x", b"new")
        assert (state / "x").read_bytes() == b"new"
        assert not (state / "x").is_symlink()
        with pytest.raises(FileExistsError):
            write_new(folder.handle, "x", b"again")
    assert precious.read_text() == "mine"


def test_a_root_that_cannot_be_written_is_io_error() -> None:
    with pytest.raises(SystemFailure) as caught, opened("/proc/self", create=True):
        pass
    assert caught.value.code == "io_error"


OPENINGS: dict[str, Callable[[str, int], object]] = {
    "the folder": lambda root, _: open_state_folder(root),
    "the folder of a build": lambda root, _: open_state_folder(root, create=True),
    "a folder in it": lambda _, handle: open_own_folder(handle, "scip"),
    "a file in it": lambda _, handle: open_own_file(handle, "current"),
}


@pytest.mark.parametrize(
    "number", [errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EIO], ids=lambda one: errno.errorcode[one]
)
@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS.keys())
def test_what_the_system_refuses_is_not_called_foreign(
    root: str, monkeypatch: pytest.MonkeyPatch, number: int, opening: Callable[[str, int], object]
) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise OSError(number, "refused")

    with opened(root, create=True) as folder:
        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(SystemFailure) as caught:
            opening(root, folder.handle)
    assert caught.value.code == "io_error"
    assert os.strerror(number).lower() in caught.value.message
