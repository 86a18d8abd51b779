"""Sweeping and pruning remove our own leavings and nothing else."""

from __future__ import annotations

from pathlib import Path
from time import time_ns

import pytest

from codetrail.errors import IndexUnavailable
from codetrail.store.retention import KEPT_NS, PruneReport, prune, sweep
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import open_snapshot
from tests.store.builders import build

LATER = KEPT_NS + 10**9


def stored(root: str) -> tuple[set[str], set[str]]:
    scip = Path(root, ".codetrail", "scip")
    return (
        {entry.name for entry in scip.iterdir() if entry.name != "shards"},
        {entry.name for entry in (scip / "shards").iterdir()},
    )


def pruned(root: str, after_ns: int = 0, **options: set[str]) -> PruneReport:
    with opened(root) as folder:
        return prune(folder, now_ns=time_ns() + after_ns, **options)


def test_a_snapshot_stays_for_an_hour_after_current_left_it(root: str, env: dict[str, str]) -> None:
    old = build(root, env)
    new = build(root, env, commit="longer")
    assert pruned(root) == (0, 0, 0)
    assert stored(root)[0] == {old, new}
    open_snapshot(root, old, env=env).close()
    report = pruned(root, LATER)
    assert (report.snapshots, report.shards) == (1, 1)
    assert report.bytes > 0
    assert stored(root)[0] == {new}
    assert len(stored(root)[1]) == 1
    with pytest.raises(IndexUnavailable):
        open_snapshot(root, old, env=env)
    open_snapshot(root, env=env).close()


def test_a_shard_that_two_snapshots_share_stays(root: str, env: dict[str, str]) -> None:
    build(root, env, commit="one")
    build(root, env, commit="two")
    assert len(stored(root)[1]) == 1
    assert pruned(root, LATER)[1:] == (1, 0)
    open_snapshot(root, env=env).close()


def test_a_snapshot_that_became_current_again_stays(root: str, env: dict[str, str]) -> None:
    first = build(root, env)
    second = build(root, env, commit="next")
    build(root, env)
    pruned(root, LATER)
    assert stored(root)[0] == {first}
    build(root, env, commit="next")
    pruned(root)
    assert stored(root)[0] == {first, second}


def test_named_snapshots_are_kept(root: str, env: dict[str, str]) -> None:
    first = build(root, env)
    second = build(root, env, commit="next")
    pruned(root, LATER, keep={first})
    assert stored(root)[0] == {first, second}


def test_a_snapshot_without_a_note_gets_its_hour(root: str, env: dict[str, str]) -> None:
    first = build(root, env)
    build(root, env, commit="next")
    left = Path(root, ".codetrail", "scip", first, "left")
    left.unlink()
    assert pruned(root, LATER).snapshots == 0
    assert left.exists()
    assert pruned(root, 3 * LATER).snapshots == 1


def test_a_staged_snapshot_goes_after_an_hour(root: str, env: dict[str, str]) -> None:
    build(root, env)
    staged = build(root, env, kind="staged", make_current=False)
    assert pruned(root).snapshots == 0
    assert pruned(root, LATER).snapshots == 1
    assert staged not in stored(root)[0]


def test_shards_of_a_manifest_that_cannot_be_read_stay(root: str, env: dict[str, str]) -> None:
    key = build(root, env)
    Path(root, ".codetrail", "scip", key, "manifest.json").write_bytes(b"{}")
    assert pruned(root, LATER) == (0, 0, 0)
    assert len(stored(root)[1]) == 1


def test_strange_files_and_links_survive(root: str, env: dict[str, str], tmp_path: Path) -> None:
    old = build(root, env)
    build(root, env, commit="longer")
    state = Path(root, ".codetrail")
    pool = state / "scip" / "shards"
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "manifest.json").write_text("mine")
    strange = [
        pool / "notes.txt",
        pool / ("g" * 64 + ".db"),
        pool / ("a" * 64 + ".db.bak"),
        state / "scip" / "tmp-short",
        state / "scip" / old / "notes.txt",
        state / "tmp-0123456789abcdef.txt",
    ]
    for path in strange:
        path.write_text("mine")
    links = [
        pool / ("b" * 64 + ".db"),
        state / "scip" / "tmp-0123456789abcdef",
        state / "tmp-0123456789abcdef",
    ]
    for link in links:
        link.symlink_to(precious)
    with opened(root) as folder:
        sweep(folder)
    pruned(root, LATER)
    assert all(path.read_text() == "mine" for path in strange)
    assert all(link.is_symlink() for link in links)
    assert (precious / "manifest.json").read_text() == "mine"


def test_sweep_removes_what_killed_builds_left(root: str, env: dict[str, str]) -> None:
    build(root, env)
    state = Path(root, ".codetrail")
    (state / "tmp-0123456789abcdef").write_bytes(bytes(10))
    (state / "scip" / "shards" / "tmp-0123456789abcdef.db").write_bytes(bytes(20))
    (state / "scip" / "shards" / "tmp-fedcba9876543210.db-journal").write_bytes(bytes(50))
    unfinished = state / "scip" / "tmp-fedcba9876543210"
    unfinished.mkdir(mode=0o700)
    (unfinished / "manifest.json").write_bytes(bytes(30))
    (unfinished / "tmp-0123456789abcdef").write_bytes(bytes(40))
    with opened(root) as folder:
        assert sweep(folder) == 150
        assert sweep(folder) == 0
    assert not list(state.rglob("tmp-*"))
    open_snapshot(root, env=env).close()
