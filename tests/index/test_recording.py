"""What a snapshot records of the tree: each file as the build saw it whose rows are stored."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest

from codetrail.index.job import Settled
from codetrail.index.recording import NEVER, uncovered
from codetrail.model.units import Problem, SourceFile
from codetrail.store.manifest import ManifestEntry
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.changes import UNREAD, Recorded, RecordedFile, compare
from codetrail.workspace.digests import content_hash
from codetrail.workspace.files import walk
from codetrail.workspace.inputs import is_watched
from codetrail.workspace.inventory import take_inventory
from codetrail.workspace.root import Root
from tests.index.building import FAILED, Bench, FakeProvider

LATER = 10_000_000_000


def recorded(bench: Bench) -> dict[str, RecordedFile]:
    with closing(open_snapshot(str(bench.path))) as snapshot:
        return {file.path: file for file in snapshot.local.recorded().files}


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let builds believe that they started long after the tree was made."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + LATER)


@pytest.mark.usefixtures("fake")
def test_source_configuration_and_excluded_files_are_recorded(bench: Bench) -> None:
    bench.put("codetrail.toml", '[index]\nexclude = ["old/"]\n')
    bench.put("README.md", "not watched\n")
    bench.put("web/a.ts", "let x = 1\n")
    bench.write(a="x = 1\n", old__b="y = 1\n")
    bench.build()
    found = recorded(bench)
    assert set(found) == {"a.py", "old/b.py", "web/a.ts", "codetrail.toml"}
    assert found["old/b.py"].sha256 == content_hash(b"y = 1\n")
    assert bench.ask("refs", "x").page.coverage.state != "stale"


@pytest.mark.usefixtures("fake")
def test_nothing_differs_right_after_a_build(bench: Bench) -> None:
    bench.put("codetrail.toml", '[index]\nexclude = ["old/"]\n')
    bench.put("web/a.ts", "let x = 1\n")
    bench.put(".gitignore", "ignored/\n")
    bench.write(a="x = 1\n", old__deep__b="y = 1\n", ignored__c="z = 1\n")
    (bench.path / "loop").symlink_to(bench.path)
    bench.build()
    with closing(open_snapshot(str(bench.path))) as snapshot:
        changes = compare(Root(str(bench.path)), snapshot.local.recorded(), keep=is_watched)
    assert changes.none


@pytest.mark.usefixtures("calm")
def test_kept_files_are_recorded_as_the_rows_saw_them(bench: Bench, fake: FakeProvider) -> None:
    bench.write(same="x = 1\n", edited="y = 1\n", gone="z = 1\n")
    bench.build()
    first = recorded(bench)
    fake.outcome = FAILED
    bench.write(edited="y = 2\n", new="w = 1\n")
    (bench.path / "gone.py").unlink()
    bench.build()
    second = recorded(bench)
    assert {path: second[path] for path in first} == first
    assert second["new.py"].sha256 == content_hash(b"w = 1\n")


def test_kept_files_that_were_racy_are_read_at_every_question(bench: Bench, fake: FakeProvider) -> None:
    bench.write(a="x = 1\n")
    bench.build()
    fake.outcome = FAILED
    bench.write(b="y = 1\n")
    bench.build()
    found = recorded(bench)
    assert found["a.py"].mtime_ns == NEVER
    assert found["a.py"].sha256 == content_hash(b"x = 1\n")
    assert found["b.py"].mtime_ns > 0


@pytest.mark.usefixtures("calm")
def test_a_second_failure_still_records_what_the_rows_saw(bench: Bench, fake: FakeProvider) -> None:
    bench.write(a="x = 1\n")
    bench.build()
    first = recorded(bench)["a.py"]
    fake.outcome = FAILED
    for text in ("x = 2\n", "x = 3\n"):
        bench.write(a=text)
        bench.build()
        assert recorded(bench)["a.py"] == first


def test_a_file_that_could_not_be_read_is_tried_again(tmp_path: Path) -> None:
    place = tmp_path / "a.py"
    place.write_text("x = 1\n")
    root = Root(str(tmp_path))
    (stat,) = walk(root).files
    before = Recorded((RecordedFile(*stat, UNREAD),), (), (), stat.mtime_ns + LATER)
    assert [file.sha256 for file in take_inventory(root, (), 0, before).files] == [content_hash(b"x = 1\n")]
    known = Recorded((RecordedFile(*stat, "1" * 64),), (), (), stat.mtime_ns + LATER)
    assert [file.sha256 for file in take_inventory(root, (), 0, known).files] == ["1" * 64]


ENTRY = ManifestEntry(
    unit="python:.",
    unit_digest="",
    kind="occurrences",
    language="python",
    provider="python",
    provider_version="",
    engine="",
    engine_version="",
    repository=".",
    root="",
    state="failed",
)
ONE, TWO = SourceFile("a.py", "1" * 64, 1, "python"), SourceFile("b.py", "2" * 64, 1, "python")
BUILT = Settled((ENTRY._replace(state="built", file="x.db"),), "built")
SAID_WHY = Settled((ENTRY._replace(problems=(Problem("timed_out", "Too late."),)),), "timed_out")


@pytest.mark.parametrize(
    ("settled", "kept", "expected"),
    [
        (BUILT, (), []),
        (Settled((ENTRY,), "failed"), (), [(ONE, "failed"), (TWO, "failed")]),
        (SAID_WHY, (), [(ONE, "timed_out"), (TWO, "timed_out")]),
        (SAID_WHY._replace(kept=True), ("a.py",), [(TWO, "timed_out")]),
        (BUILT._replace(kept=True), ("a.py", "b.py"), []),
    ],
    ids=["described by its shard", "by its state", "by its problem", "one kept", "both kept"],
)
def test_files_without_rows_are_told_with_the_reason(
    settled: Settled, kept: tuple[str, ...], expected: list[tuple[SourceFile, str]]
) -> None:
    assert uncovered((), [((ONE, TWO), settled)], frozenset(kept)) == expected


def test_a_file_that_no_unit_owns_counts_unless_old_rows_describe_it() -> None:
    left_out = [(ONE, "no_provider"), (TWO, "excluded_by_config")]
    assert uncovered(left_out, [], frozenset({"b.py"})) == [(ONE, "no_provider")]


@pytest.mark.usefixtures("fake")
def test_a_touched_file_is_recorded_anew(bench: Bench) -> None:
    bench.write(a="def f(): pass\n")
    bench.build()
    os.utime(bench.path / "a.py", ns=(5_000_000_000, 5_000_000_000))
    bench.build()
    assert recorded(bench)["a.py"].mtime_ns == 5_000_000_000
