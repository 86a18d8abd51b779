"""Whatever stands where a build keeps its things: it is repaired, or a sentence says what a person must do.

Nothing that a link leads to is ever written, and no hint leads back to the command that just failed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import IndexUnusable
from codetrail.store.snapshot_folder import REPAIR
from codetrail.workspace.root import find_root
from tests.index.building import Bench, FakeProvider

Spoil = Callable[[Path], object]


@pytest.fixture
def built(bench: Bench, fake: FakeProvider) -> Bench:  # noqa: ARG001
    bench.put("a.py", "def total():\n    pass\n\ntotal()\n")
    bench.build()
    return bench


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _folder(path: Path) -> None:
    _remove(path)
    (path / "inside").mkdir(parents=True)


def _file(path: Path) -> None:
    _remove(path)
    path.write_text("x")


def _fifo(path: Path) -> None:
    _remove(path)
    os.mkfifo(path, 0o600)


def _link(path: Path) -> None:
    away = path.parent / "away"
    path.rename(away)
    path.symlink_to(away)


def _link_to_nothing(path: Path) -> None:
    _remove(path)
    path.symlink_to(path.parent / "nowhere")


def _mode(mode: int) -> Spoil:
    return lambda path: path.chmod(mode)


def _place(bench: Bench, name: str) -> Path:
    (shard,) = bench.shards()
    return bench.path / ".codetrail" / name.format(key=bench.key, shard=shard)


STOPS: list[tuple[str, str, Spoil]] = [
    ("", "a file", _file),
    ("", "a link", _link),
    ("", "a FIFO", _fifo),
    ("", "mode 777", _mode(0o777)),
    ("scip", "a file", _file),
    ("scip", "a link", _link),
    ("scip/shards", "a link", _link),
    ("scip/shards", "a file", _file),
    ("scip/shards", "mode 775", _mode(0o775)),
    ("build.lock", "a folder", _folder),
    ("build.lock", "a link", _link),
    ("build.lock", "a FIFO", _fifo),
    ("current", "a folder", _folder),
    (".gitignore", "a folder", _folder),
    ("owner", "a folder", _folder),
    ("scip/{key}", "a file", _file),
    ("scip/{key}", "a link", _link),
    ("scip/{key}/manifest.json", "a folder", _folder),
    ("scip/{key}/local", "a folder", _folder),
    ("scip/shards/{shard}", "mode 666", _mode(0o666)),
]
REPAIRED: list[tuple[str, str, Spoil]] = [
    ("current", "a link", _link),
    ("current", "a link to nothing", _link_to_nothing),
    ("current", "a FIFO", _fifo),
    (".gitignore", "a link", _link),
    (".gitignore", "a FIFO", _fifo),
    ("owner", "a link", _link),
    ("owner", "a FIFO", _fifo),
    ("scip/{key}/manifest.json", "mode 666", _mode(0o666)),
    ("scip/{key}/manifest.json", "a link", _link),
    ("scip/{key}/manifest.json", "a FIFO", _fifo),
    ("scip/{key}/local", "mode 666", _mode(0o666)),
    ("scip/{key}/local", "a link", _link),
    ("scip/shards/{shard}", "a file", _file),
]


def _id(value: object) -> str:
    return (value or ".codetrail") if isinstance(value, str) else ""


@pytest.mark.parametrize(("name", "what", "spoil"), STOPS, ids=_id)
def test_a_build_that_cannot_go_on_says_what_to_do(built: Bench, name: str, what: str, spoil: Spoil) -> None:
    spoil(_place(built, name))
    with pytest.raises(IndexUnusable) as caught:
        built.build()
    assert (caught.value.code, caught.value.hint) == ("index_foreign", REPAIR), what
    assert not list(built.path.rglob("away/tmp-*"))


@pytest.mark.parametrize(("name", "what", "spoil"), REPAIRED, ids=_id)
def test_a_build_repairs_what_it_can(built: Bench, name: str, what: str, spoil: Spoil) -> None:
    place = _place(built, name)
    spoil(place)
    away = place.parent / "away"
    before = away.read_bytes() if away.exists() else b""
    built.build()
    assert len(built.refs("total")) == 1, what
    assert (away.read_bytes() if away.exists() else b"") == before


def test_a_state_folder_that_came_in_a_subfolder_hides_no_caller(built: Bench) -> None:
    """Questions and builds from below it are about the workspace that this user indexed."""
    built.put("sub/.codetrail/keep", "")
    built.put("sub/b.py", "from a import total\n\ntotal()\n")
    (built.path / "sub/.codetrail").chmod(0o755)
    assert find_root(str(built.path / "sub")).path == str(built.path)
    built.build()
    assert built.refs("total") == ["a.py:4", "sub/b.py:1", "sub/b.py:3"]


def test_an_index_is_found_from_below_outside_git(built: Bench) -> None:
    (built.path / "deep/er").mkdir(parents=True)
    assert find_root(str(built.path / "deep/er")).path == str(built.path)
    (built.path / ".codetrail/owner").unlink()
    assert find_root(str(built.path / "deep/er")).path == str(built.path / "deep/er")
    built.build()
    assert find_root(str(built.path / "deep/er")).path == str(built.path)
