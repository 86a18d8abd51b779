from __future__ import annotations

import errno
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace.reading import SourceRead, open_folder, opened_root, read_head, read_source

WriteTree = Any


def read(top: Path, path: str, limit: int = 1000) -> SourceRead:
    with opened_root(str(top)) as handle:
        return read_source(handle, path, limit)


def test_reads_bytes_and_signature(top: Path, write: WriteTree) -> None:
    write({"a/b/x.py": b"\x00caf\xe9\r\n"})
    found = read(top, "a/b/x.py")
    status = (top / "a/b/x.py").stat()
    assert (found.state, found.data) == ("ok", b"\x00caf\xe9\r\n")
    assert found.stat == ("a/b/x.py", 7, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("none.py", "missing"),
        ("none/x.py", "missing"),
        ("file.py/x.py", "missing"),
        ("folder", "special"),
        ("fifo.py", "special"),
        ("socket.py", "special"),
        ("passwd.py", "link"),
        ("inner.py", "link"),
        ("loop.py", "link"),
        ("outer/x.py", "link"),
        ("folder/again/again/x.py", "link"),
        ("", "missing"),
        ("..", "missing"),
        ("../secret.py", "missing"),
        ("folder/../../secret.py", "missing"),
        ("/etc/passwd", "missing"),
        ("folder//x.py", "missing"),
        ("./file.py", "missing"),
        ("a\0b", "missing"),
        ("n" * 300, "missing"),
    ],
    ids=repr,
)
def test_states_without_bytes(top: Path, write: WriteTree, path: str, state: str) -> None:
    write({"file.py": "x", "folder/x.py": "x", "../secret.py": "secret", "../outside/x.py": "secret"})
    os.mkfifo(top / "fifo.py")
    (top / "passwd.py").symlink_to("/etc/passwd")
    (top / "inner.py").symlink_to("file.py")
    (top / "loop.py").symlink_to("loop.py")
    (top / "outer").symlink_to("../outside")
    (top / "folder/again").symlink_to("../folder")
    # A relative address: the absolute path of a test folder can be longer than a socket's name may be.
    before = Path.cwd()
    os.chdir(top)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket.py")
        os.chdir(before)
        assert read(top, path) == SourceRead(state, b"", None)  # type: ignore[arg-type]


def test_device_is_never_opened(top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"dev.py": "x"})
    real_stat, real_open = os.stat, os.open

    def stat_as_device(path: Any, **options: Any) -> os.stat_result:
        status = real_stat(path, **options)
        if path != "dev.py":
            return status
        return os.stat_result([0o020666, *list(status)[1:]])

    def refuse_open(path: Any, *arguments: Any, **options: Any) -> int:
        assert path != "dev.py", "opened a device"
        return real_open(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", stat_as_device)
    monkeypatch.setattr(os, "open", refuse_open)
    assert read(top, "dev.py").state == "special"


def test_link_swapped_in_after_the_look_is_not_followed(
    top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"x.py": "mine", "../secret.py": "secret"})
    real_stat = os.stat

    def stat_then_swap(path: Any, **options: Any) -> os.stat_result:
        status = real_stat(path, **options)
        if path == "x.py":
            (top / "x.py").unlink()
            (top / "x.py").symlink_to("../secret.py")
        return status

    monkeypatch.setattr(os, "stat", stat_then_swap)
    assert read(top, "x.py") == SourceRead("link", b"", None)


def test_fifo_swapped_in_after_the_look_does_not_hang(
    top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"x.py": "mine"})
    real_stat = os.stat

    def stat_then_swap(path: Any, **options: Any) -> os.stat_result:
        status = real_stat(path, **options)
        if path == "x.py":
            (top / "x.py").unlink()
            os.mkfifo(top / "x.py")
        return status

    monkeypatch.setattr(os, "stat", stat_then_swap)
    assert read(top, "x.py").state == "special"


@pytest.mark.parametrize("written", [b"longer than before", b"s", b"same"], ids=["grown", "cut", "rewritten"])
def test_file_written_while_it_is_read_counts_as_changed(
    top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch, written: bytes
) -> None:
    write({"x.py": b"text"})
    real_read = os.read

    def read_then_write(handle: int, count: int) -> bytes:
        data = real_read(handle, count)
        (top / "x.py").write_bytes(written)
        os.utime(top / "x.py", ns=(1, 1))
        return data

    monkeypatch.setattr(os, "read", read_then_write)
    assert read(top, "x.py") == SourceRead("changed", b"", None)


def test_file_that_ends_before_its_size_counts_as_changed(
    top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"x.py": b"text"})
    pieces = [b"te", b""]
    monkeypatch.setattr(os, "read", lambda *_: pieces.pop(0))
    assert read(top, "x.py") == SourceRead("changed", b"", None)


def test_unreadable_file(top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch) -> None:
    write({"x.py": "x"})
    real_open = os.open

    def refuse(path: Any, *arguments: Any, **options: Any) -> int:
        if path == "x.py":
            raise PermissionError(errno.EACCES, "no")
        return real_open(path, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
    assert read(top, "x.py") == SourceRead("unreadable", b"", None)


@pytest.mark.parametrize(("size", "state"), [(1000, "ok"), (1001, "too_large")])
def test_limit(top: Path, write: WriteTree, size: int, state: str) -> None:
    write({"x.py": b"x" * size})
    found = read(top, "x.py", 1000)
    assert (found.state, len(found.data)) == (state, size if state == "ok" else 0)
    assert found.stat is not None
    assert found.stat.size == size


@pytest.mark.parametrize(
    ("path", "expected"), [("a.py", b"x = "), ("gone.py", b""), ("link.py", b""), ("folder", b"")]
)
def test_the_first_bytes(top: Path, write: WriteTree, path: str, expected: bytes) -> None:
    write({"a.py": "x = 1\n", "folder/b.py": ""})
    (top / "link.py").symlink_to("a.py")
    with opened_root(str(top)) as handle:
        assert read_head(handle, path, 4) == expected


def test_no_handle_is_left_open(top: Path, write: WriteTree) -> None:
    write({"a/x.py": "x"})
    (top / "l").symlink_to("a")
    before = len(os.listdir("/dev/fd"))
    for path in ("a/x.py", "a/none.py", "l/x.py", "none/x.py", "a", "../x"):
        read(top, path, 0)
    assert len(os.listdir("/dev/fd")) == before


def test_folder_link_is_not_opened(top: Path, write: WriteTree) -> None:
    write({"a/b/x.py": ""})
    (top / "l").symlink_to("a")
    with opened_root(str(top)) as handle:
        os.close(open_folder(handle, "a/b"))
        with pytest.raises(NotADirectoryError):
            open_folder(handle, "l/b")
