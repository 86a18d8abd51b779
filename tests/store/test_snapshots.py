"""Publishing and opening snapshots: complete or absent, and believed only under this user's seal."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError, IndexUnavailable, IndexUnusable
from codetrail.store import read_documents
from codetrail.store.manifest import Manifest
from codetrail.store.retention import sweep
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import current_key, open_snapshot, publish, record_again
from codetrail.workspace.seal import make_key
from tests.store.builders import TIMES, build, cart, entry, recorded, write

PROJECT = Path(__file__).parents[2]


def refusal(root: str, env: dict[str, str], key: str | None = None) -> CodeTrailError:
    """Return the error of opening a snapshot and everything in it."""
    with pytest.raises(CodeTrailError) as caught:
        look(root, env, key)
    assert root not in caught.value.message
    assert caught.value.hint == "codetrail index build"
    return caught.value


def look(root: str, env: dict[str, str], key: str | None = None) -> list[str]:
    """Open a snapshot, read all of it, and return the paths its shards know."""
    snapshot = open_snapshot(root, key, env=env)
    try:
        snapshot.local.recorded()
        return [
            row.path
            for one in snapshot.manifest.shards_for()
            for row in read_documents.documents(snapshot.shard(one))
        ]
    finally:
        snapshot.close()


def test_what_is_published_is_opened(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    snapshot = open_snapshot(root, env=env)
    assert snapshot.key == key
    assert snapshot.local.recorded() == recorded()
    assert snapshot.local.times == TIMES
    (only,) = snapshot.manifest.entries
    assert snapshot.shard(only) is snapshot.shard(only)
    snapshot.close()
    assert look(root, env) == look(root, env, key) == ["shop/cart.py"]


def test_the_state_folder_is_private_and_ignored(root: str, env: dict[str, str]) -> None:
    build(root, env)
    state = Path(root, ".codetrail")
    assert (state / ".gitignore").read_text() == "*\n"
    for path in [state, *state.rglob("*")]:
        assert path.stat().st_mode & 0o077 == 0, path


def test_no_index_yet(root: str, env: dict[str, str]) -> None:
    assert (refusal(root, env).code, refusal(root, env).exit_status) == ("index_missing", 2)
    with opened(root, create=True):
        pass
    assert refusal(root, env).code == "index_missing"


@pytest.mark.parametrize("key", ["0" * 64, "../../x", "", "shards"])
def test_a_snapshot_that_is_not_stored(root: str, env: dict[str, str], key: str) -> None:
    build(root, env)
    if not key:
        assert look(root, env, key) == ["shop/cart.py"]
        return
    assert refusal(root, env, key).code == "index_missing"


def test_publishing_the_same_contents_again_keeps_the_key(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    assert build(root, env) == key
    assert look(root, env) == ["shop/cart.py"]
    other = build(root, env, commit="next")
    assert other != key
    assert build(root, env) == key
    with opened(root) as folder:
        assert current_key(folder) == key


def test_a_staged_snapshot_never_becomes_current(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    staged = build(root, env, kind="staged", make_current=False)
    with opened(root) as folder:
        assert current_key(folder) == key
    assert look(root, env, staged) == ["shop/cart.py"]
    with pytest.raises(ValueError, match="current"):
        build(root, env, kind="staged")


# Attacks: what a repository, an archive or another user may have put there.


def edit(*parts: str, change: Callable[[bytes], bytes]) -> Callable[[Path, str], None]:
    def apply(state: Path, key: str) -> None:
        file = state.joinpath(*[part.format(key=key) for part in parts])
        file.write_bytes(change(file.read_bytes()))

    return apply


def moved_and_linked(*parts: str) -> Callable[[Path, str], None]:
    def apply(state: Path, key: str) -> None:
        place = state.joinpath(*[part.format(key=key) for part in parts])
        target = state.parent.parent / "elsewhere"
        place.rename(target)
        place.symlink_to(target)

    return apply


def mode(bits: int, *parts: str) -> Callable[[Path, str], None]:
    def apply(state: Path, key: str) -> None:
        state.joinpath(*[part.format(key=key) for part in parts]).chmod(bits)

    return apply


def owner(*parts: str) -> Callable[[Path, str], None]:
    def apply(state: Path, key: str) -> None:
        if os.geteuid():
            # Only root can give a file away; to others the file of another user is one they cannot chmod.
            mode(0o777, *parts)(state, key)
            return
        os.chown(state.joinpath(*[part.format(key=key) for part in parts]), 65534, 65534)

    return apply


def unlink(*parts: str) -> Callable[[Path, str], None]:
    def apply(state: Path, key: str) -> None:
        state.joinpath(*[part.format(key=key) for part in parts]).unlink()

    return apply


SNAPSHOT = ("scip", "{key}")
ATTACKS = {
    "state folder is a link": (moved_and_linked(), "index_foreign"),
    "scip is a link": (moved_and_linked("scip"), "index_foreign"),
    "pool is a link": (moved_and_linked("scip", "shards"), "index_foreign"),
    "snapshot is a link": (moved_and_linked(*SNAPSHOT), "index_foreign"),
    "manifest is a link": (moved_and_linked(*SNAPSHOT, "manifest.json"), "index_foreign"),
    "side file is a link": (moved_and_linked(*SNAPSHOT, "local"), "index_foreign"),
    "current is a link": (moved_and_linked("current"), "index_foreign"),
    "state folder open to all": (mode(0o777), "index_foreign"),
    "scip open to a group": (mode(0o770, "scip"), "index_foreign"),
    "pool open to all": (mode(0o707, "scip", "shards"), "index_foreign"),
    "snapshot open to all": (mode(0o777, *SNAPSHOT), "index_foreign"),
    "side file open to all": (mode(0o666, *SNAPSHOT, "local"), "index_foreign"),
    "current open to all": (mode(0o666, "current"), "index_foreign"),
    "state folder of another user": (owner(), "index_foreign"),
    "manifest of another user": (owner(*SNAPSHOT, "manifest.json"), "index_foreign"),
    "no side file": (unlink(*SNAPSHOT, "local"), "index_foreign"),
    "no manifest": (unlink(*SNAPSHOT, "manifest.json"), "index_corrupt"),
    "current leads out": (edit("current", change=lambda _: b"../../x\n"), "index_foreign"),
    "current is absolute": (edit("current", change=lambda _: b"/etc\n"), "index_foreign"),
    "current is endless": (edit("current", change=lambda _: b"a" * 10**6), "index_foreign"),
    "current is no text": (edit("current", change=lambda _: b"\xff" * 64), "index_foreign"),
    "current is empty": (edit("current", change=lambda _: b""), "index_foreign"),
    "edited manifest": (
        edit(*SNAPSHOT, "manifest.json", change=lambda data: data.replace(b'"built"', b'"reuse"')),
        "index_corrupt",
    ),
    "edited side file": (
        edit(*SNAPSHOT, "local", change=lambda data: data.replace(b'"started":10', b'"started":11')),
        "index_foreign",
    ),
    "edited record of a file": (
        edit(*SNAPSHOT, "local", change=lambda data: data[:-3] + b"xxx"),
        "index_foreign",
    ),
}


@pytest.mark.parametrize(("attack", "code"), ATTACKS.values(), ids=ATTACKS)
def test_an_index_that_was_tampered_with(
    root: str, env: dict[str, str], attack: Callable[[Path, str], None], code: str
) -> None:
    key = build(root, env)
    attack(Path(root, ".codetrail"), key)
    error = refusal(root, env)
    assert (error.code, error.exit_status) == (code, 6)


def test_an_index_of_another_user_is_foreign(root: str, env: dict[str, str], tmp_path: Path) -> None:
    build(root, env)
    stranger = {"XDG_STATE_HOME": str(tmp_path / "stranger")}
    assert refusal(root, stranger).code == "index_foreign"
    make_key(stranger)
    assert refusal(root, stranger).code == "index_foreign"


def test_a_side_file_does_not_vouch_for_another_manifest(root: str, env: dict[str, str]) -> None:
    old = build(root, env)
    new = build(root, env, commit="next")
    scip = Path(root, ".codetrail", "scip")
    shutil.copy(scip / old / "local", scip / new / "local")
    assert refusal(root, env).code == "index_foreign"


def test_current_that_names_a_missing_snapshot_is_corrupt(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    shutil.rmtree(Path(root, ".codetrail", "scip", key))
    error = refusal(root, env)
    assert (error.code, error.exit_status) == ("index_corrupt", 6)


def shard_file(root: str) -> Path:
    (file,) = Path(root, ".codetrail", "scip", "shards").iterdir()
    return file


def test_a_shard_that_was_only_touched_is_hashed_and_read(root: str, env: dict[str, str]) -> None:
    build(root, env)
    os.utime(shard_file(root), ns=(1, 1))
    assert look(root, env) == ["shop/cart.py"]


@pytest.mark.parametrize("keep_times", [False, True])
def test_a_shard_with_other_bytes_is_refused(root: str, env: dict[str, str], keep_times: bool) -> None:
    build(root, env)
    file = shard_file(root)
    status = file.stat()
    data = file.read_bytes()
    place = data.index(b"shop/cart.py")
    file.write_bytes(data[:place] + b"shop/cert.py" + data[place + 12 :])
    if keep_times:
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert refusal(root, env).code == "index_corrupt"


@pytest.mark.parametrize("instead", ["nothing", "link", "folder"])
def test_a_shard_that_is_no_file_is_refused(
    root: str, env: dict[str, str], tmp_path: Path, instead: str
) -> None:
    build(root, env)
    file = shard_file(root)
    file.rename(tmp_path / "moved")
    if instead == "link":
        file.symlink_to(tmp_path / "moved")
    elif instead == "folder":
        file.mkdir()
    assert refusal(root, env).code == ("index_corrupt" if instead == "nothing" else "index_foreign")


@pytest.mark.parametrize("file", ["../../../etc/passwd", "/etc/passwd", "x.db", ""])
def test_a_manifest_cannot_name_a_file_outside_the_pool(root: str, env: dict[str, str], file: str) -> None:
    with opened(root, create=True) as folder:
        record = write(Path(folder.pool), [cart()])
        listed = Manifest((entry(record, file=file),))
        if not file:
            assert publish(folder, listed, recorded(), TIMES, env=env)
            return
        with pytest.raises(IndexUnusable) as caught:
            publish(folder, listed, recorded(), TIMES, env=env)
        assert caught.value.code == "index_corrupt"


def test_new_signatures_are_recorded(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    os.utime(shard_file(root), ns=(1, 1))
    snapshot = open_snapshot(root, env=env)
    record_again(snapshot, recorded(5), env=env)
    snapshot.close()
    again = open_snapshot(root, env=env)
    assert again.key == key
    assert again.local.recorded() == recorded(5)
    assert again.local.times == TIMES
    assert again.local.shards[shard_file(root).name].mtime_ns == 1
    again.close()


def test_recording_again_does_not_vouch_for_a_changed_shard(root: str, env: dict[str, str]) -> None:
    build(root, env)
    snapshot = open_snapshot(root, env=env)
    shard_file(root).write_bytes(b"other")
    with pytest.raises(IndexUnusable):
        record_again(snapshot, recorded(), env=env)
    snapshot.close()
    assert refusal(root, env).code == "index_corrupt"


CHANGES = ("mkdir", "open", "write", "fsync", "rename", "link", "unlink", "rmdir")
"""The functions of ``os`` after which something on the disk may be different."""


def build_killed_before_change(number: int, root: str, env: dict[str, str], commit: str) -> bool:
    """Build in a process that kills itself at its ``number``-th change of the disk; tell whether it did."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    left = number

    def counted(change: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return change(*args, **kwargs)

        return call

    try:
        for name in CHANGES:
            setattr(os, name, counted(getattr(os, name)))
        build(root, env, commit=commit)
    finally:
        os._exit(0)


def test_a_build_killed_anywhere_leaves_the_old_snapshot_or_the_new_one(
    root: str, env: dict[str, str]
) -> None:
    keys = {build(root, env)}
    kills = 0
    while build_killed_before_change(kills, root, env, f"build {kills}"):
        kills += 1
        snapshot = open_snapshot(root, env=env)
        keys.add(snapshot.key)
        assert snapshot.manifest.commit in ("", *[f"build {number}" for number in range(kills)])
        snapshot.close()
        assert look(root, env) == ["shop/cart.py"]
    assert kills > 20
    assert len(keys) > 2, "some were killed after the new one was in place"
    with opened(root) as folder:
        sweep(folder)
    state = Path(root, ".codetrail")
    assert not list(state.rglob("tmp-*"))
    build(root, env, commit="after")
    assert look(root, env) == ["shop/cart.py"]


_FULL_DISK = """
import os, resource, signal, sys
from codetrail.errors import SystemFailure
from codetrail.store.manifest import Manifest
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import publish
from tests.store.builders import TIMES, recorded
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with opened(sys.argv[1]) as folder:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
    try:
        publish(folder, Manifest((), commit="new"), recorded(3000), TIMES)
    except SystemFailure as error:
        print(error.code, error.message)
"""


@pytest.mark.parametrize("limit", [0, 20, 100, 5000])
def test_a_full_disk_leaves_the_old_snapshot(root: str, env: dict[str, str], limit: int) -> None:
    key = build(root, env)
    run = subprocess.run(
        [sys.executable, "-c", _FULL_DISK, root, str(limit)],
        env={**env, "PYTHONPATH": str(PROJECT)},
        cwd=PROJECT,
        capture_output=True,
        text=True,
    )
    assert (run.stdout, run.stderr) == (
        "io_error The index could not be written: the disk is full.\n",
        "",
    )
    with opened(root) as folder:
        assert current_key(folder) == key
        assert sweep(folder) == 0, "nothing unfinished stays behind"
    assert look(root, env) == ["shop/cart.py"]


def test_a_question_opens_no_absent_workspace(tmp_path: Path, env: dict[str, str]) -> None:
    with pytest.raises(IndexUnavailable):
        open_snapshot(str(tmp_path / "nowhere"), env=env)
    assert not (tmp_path / "nowhere").exists()
