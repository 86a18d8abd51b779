"""Pruning takes what no question can need, and nothing that is not ours."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError
from codetrail.index.prune import prune
from codetrail.model.reports import PruneRow
from codetrail.store.build_lock import build_lock
from codetrail.store.snapshot_folder import opened
from tests.index.building import FAILED, Bench, FakeProvider

HOUR = 3600 * 1_000_000_000


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.ahead = 0
        self._real = time.time_ns

    def __call__(self) -> int:
        return self._real() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("codetrail.store.retention.time_ns", found)
    return found


@pytest.fixture
def rebuilt(bench: Bench, fake: FakeProvider) -> Bench:
    """Return a workspace with one old snapshot and one in use; they share the shard of one of two units."""
    fake.units = ("same", "other")
    bench.write(same__m="def stay(): pass\n\nstay()\n", other__m="def one(): pass\n\none()\n")
    bench.build()
    bench.write(other__m="def two(): pass\n\ntwo()\n")
    bench.build()
    assert len(bench.shards()) == 3
    return bench


def pruned(bench: Bench) -> PruneRow:
    (row,) = prune(str(bench.path)).rows
    return row


def snapshots(bench: Bench) -> set[str]:
    return {name for name in os.listdir(bench.path / ".codetrail/scip") if name != "shards"}


def test_old_snapshots_stay_for_an_hour(rebuilt: Bench, clock: Clock) -> None:
    clock.ahead = HOUR - 60 * 1_000_000_000
    assert pruned(rebuilt) == PruneRow(0, 0, 0, 0, (("recent", 1),))
    assert (len(snapshots(rebuilt)), len(rebuilt.shards())) == (2, 3)


def test_later_they_go_with_the_shards_that_only_they_name(rebuilt: Bench, clock: Clock) -> None:
    clock.ahead = HOUR + 60 * 1_000_000_000
    before = sum(path.stat().st_size for path in rebuilt.path.rglob("*") if path.is_file())
    row = pruned(rebuilt)
    after = sum(path.stat().st_size for path in rebuilt.path.rglob("*") if path.is_file())
    assert (row.snapshots, row.shards, row.kept) == (1, 1, ())
    assert row.freed == before - after > 0
    assert snapshots(rebuilt) == {rebuilt.key}
    assert rebuilt.shards() == {entry.file for entry in rebuilt.manifest.entries}
    assert rebuilt.refs("stay") == ["same/m.py:3"]
    assert rebuilt.refs("two") == ["other/m.py:3"]
    assert pruned(rebuilt) == PruneRow(0, 0, 0, 0)


def test_the_snapshot_in_use_stays_however_old(rebuilt: Bench, clock: Clock) -> None:
    clock.ahead = 1000 * HOUR
    pruned(rebuilt)
    assert rebuilt.refs("two") == ["other/m.py:3"]


def test_rows_kept_from_earlier_stay(rebuilt: Bench, fake: FakeProvider, clock: Clock) -> None:
    fake.outcome = FAILED
    rebuilt.write(new__m="x = 1\n", same__m="def moved(): pass\n")
    rebuilt.build()
    clock.ahead = 2 * HOUR
    assert pruned(rebuilt).snapshots == 2
    assert rebuilt.refs("two") == ["other/m.py:3"]


def test_leavings_of_killed_builds_are_counted(rebuilt: Bench) -> None:
    state = rebuilt.path / ".codetrail"
    (state / "tmp-0123456789abcdef").write_bytes(b"12345")
    (state / "scip/shards/tmp-0123456789abcdef.db").write_bytes(b"1234567")
    (state / "scip/tmp-fedcba9876543210").mkdir()
    (state / "scip/tmp-fedcba9876543210/manifest.json").write_bytes(b"123")
    row = pruned(rebuilt)
    assert (row.files, row.freed) == (3, 15)
    assert not list(state.rglob("tmp-*"))


def test_what_is_not_ours_stays(rebuilt: Bench, clock: Clock, tmp_path: Path) -> None:
    clock.ahead = 2 * HOUR
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "manifest.json").write_text("precious")
    scip = rebuilt.path / ".codetrail/scip"
    (scip / "notes.txt").write_text("mine")
    (rebuilt.pool / "backup.db").write_text("mine")
    (rebuilt.pool / ("a" * 64 + ".db.old")).write_text("mine")
    (rebuilt.pool / ("b" * 64 + ".db")).symlink_to(outside / "manifest.json")
    (rebuilt.pool / "tmp-0123456789abcdef").symlink_to(outside / "manifest.json")
    (scip / "tmp-0123456789abcdef").symlink_to(outside)
    old = next(name for name in snapshots(rebuilt) if len(name) == 64 and name != rebuilt.key)
    (scip / old / "diary.txt").write_text("mine")
    row = pruned(rebuilt)
    assert row.snapshots == 1
    assert (outside / "manifest.json").read_text() == "precious"
    assert sorted(path.name for path in rebuilt.pool.iterdir() if path.is_symlink()) == [
        "b" * 64 + ".db",
        "tmp-0123456789abcdef",
    ]
    assert (scip / "tmp-0123456789abcdef").is_symlink()
    assert (scip / "notes.txt").exists()
    assert (rebuilt.pool / "backup.db").exists()
    assert (rebuilt.pool / ("a" * 64 + ".db.old")).exists()
    assert os.listdir(scip / old) == ["diary.txt"]


def test_a_planted_link_in_the_place_of_a_snapshot_is_refused(
    rebuilt: Bench, clock: Clock, tmp_path: Path
) -> None:
    clock.ahead = 2 * HOUR
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "manifest.json").write_text("precious")
    (rebuilt.path / ".codetrail/scip" / ("c" * 64)).symlink_to(outside)
    before = rebuilt.shards()
    with pytest.raises(CodeTrailError) as raised:
        pruned(rebuilt)
    assert raised.value.code == "index_foreign"
    assert (outside / "manifest.json").read_text() == "precious"
    assert rebuilt.shards() == before


def test_no_shard_goes_while_a_kept_list_cannot_be_read(rebuilt: Bench) -> None:
    old = next(name for name in snapshots(rebuilt) if name != rebuilt.key)
    (rebuilt.path / ".codetrail/scip" / old / "manifest.json").write_text("{}")
    assert pruned(rebuilt).shards == 0
    assert len(rebuilt.shards()) == 3


def test_nothing_is_pruned_while_a_build_runs(rebuilt: Bench) -> None:
    with opened(str(rebuilt.path)) as folder, build_lock(folder), pytest.raises(CodeTrailError) as raised:
        pruned(rebuilt)
    assert raised.value.code == "index_locked"


def test_without_an_index_there_is_nothing_to_prune(bench: Bench) -> None:
    with pytest.raises(CodeTrailError) as raised:
        pruned(bench)
    assert raised.value.code == "index_missing"
