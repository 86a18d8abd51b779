"""What is indexed, how fresh it is, and whether that is what ``--check`` was promised."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from codetrail.errors import CodeTrailError, IndexUnusable
from codetrail.index.status import status, verify
from codetrail.model.reports import StatusReport, SummaryRow, UnitRow
from codetrail.providers.base import RunOutcome
from codetrail.store.build_lock import build_lock
from codetrail.store.snapshot_folder import opened
from tests.index.building import FAILED, TIMED_OUT, Bench, FakeProvider, codes

TREE: dict[str, str | bytes] = {
    "a": "def total(x):\n    return x\n",
    "b": "from a import total\n\ntotal(1)\n",
}


@pytest.fixture
def built(bench: Bench, fake: FakeProvider) -> Bench:  # noqa: ARG001
    """Return a workspace after a good build."""
    bench.write(**TREE)
    bench.put("pyproject.toml", '[project]\nname = "demo"\n')
    bench.build()
    return bench


def asked(bench: Bench, *, check: bool = False) -> StatusReport:
    return status(str(bench.path), summary=False, check=check)


def row_of(report: StatusReport) -> UnitRow:
    row = report.rows[0]
    assert isinstance(row, UnitRow)
    return row


def reasons(report: StatusReport) -> dict[str, tuple[str, ...]]:
    assert report.coverage is not None
    return {reason.code: reason.paths for reason in report.coverage.reasons}


def state(report: StatusReport) -> str:
    assert report.coverage is not None
    return report.coverage.state


def test_a_fresh_index_is_complete(built: Bench) -> None:
    report = asked(built, check=True)
    row = row_of(report)
    assert (row.state, row.files, row.documents, row.occurrences) == ("built", 2, 2, 3)
    assert row.indexed_at is not None
    assert row.resolved_share == pytest.approx(3 / 6)
    assert (state(report), reasons(report), report.exit_status) == ("complete", {}, 0)
    assert report.coverage is not None
    assert report.coverage.next is None


def edit(bench: Bench) -> None:
    bench.put("b.py", "from a import total\n")


def delete(bench: Bench) -> None:
    (bench.path / "b.py").unlink()


def add(bench: Bench) -> None:
    bench.put("c.py", "x = 1\n")


def ignore(bench: Bench) -> None:
    bench.put(".gitignore", "b.py\n")


def configure(bench: Bench) -> None:
    bench.put("pyproject.toml", '[project]\nname = "other"\n')


def edit_all(bench: Bench) -> None:
    bench.write(a="x = 1\n", b="y = 1\n")


CHANGES: dict[str, tuple[Callable[[Bench], None], str, dict[str, tuple[str, ...]]]] = {
    "an edit": (edit, "partial", {"files_changed": ("b.py",)}),
    "a deletion": (delete, "partial", {"files_changed": ("b.py",)}),
    "a new file": (add, "partial", {"files_new": ("c.py",)}),
    "a new rule": (ignore, "partial", {"files_ignored": ("b.py",)}),
    "other settings": (configure, "partial", {"inputs_changed": ("pyproject.toml",)}),
    "every file edited": (edit_all, "stale", {"files_changed": ("a.py", "b.py")}),
}


@pytest.mark.parametrize(("change", "expected", "why"), CHANGES.values(), ids=CHANGES)
def test_changes_since_the_build_are_told(
    built: Bench, change: Callable[[Bench], None], expected: str, why: dict[str, tuple[str, ...]]
) -> None:
    change(built)
    report = asked(built)
    assert (state(report), reasons(report), report.exit_status) == (expected, why, 0)
    assert report.coverage is not None
    assert report.coverage.next == ("codetrail", "index", "build")
    assert asked(built, check=True).exit_status == 6
    built.build()
    assert asked(built, check=True).exit_status == 0


def test_a_changed_environment_is_told(bench: Bench, fake: FakeProvider) -> None:
    site = bench.path.parent / "site"
    site.mkdir()
    fake.surroundings = (str(site),)
    bench.write(**TREE)
    bench.build()
    assert asked(bench, check=True).exit_status == 0
    (site / "demo-1.0.dist-info").mkdir()
    report = asked(bench, check=True)
    assert (state(report), reasons(report), report.exit_status) == ("partial", {"environment_changed": ()}, 6)
    assert report.coverage is not None
    assert report.coverage.next == ("codetrail", "index", "build")
    assert str(site) not in str(report)
    bench.build()
    assert asked(bench, check=True).exit_status == 0


def touch(bench: Bench) -> None:
    os.utime(bench.path / "b.py", (1, 1))


def write_readme(bench: Bench) -> None:
    bench.put("README.md", "text\n")


@pytest.mark.parametrize("change", [touch, write_readme])
def test_what_changes_no_answer_is_no_change(built: Bench, change: Callable[[Bench], None]) -> None:
    change(built)
    report = asked(built, check=True)
    assert (state(report), report.exit_status) == ("complete", 0)


def test_the_summary_counts(built: Bench) -> None:
    built.put("web.ts", "let x = 1\n")
    built.build()
    edit(built)
    add(built)
    (built.path / "web.ts").unlink()
    (row,) = status(str(built.path), summary=True, check=False).rows
    assert isinstance(row, SummaryRow)
    assert (row.snapshot, row.units, row.files, row.documents) == (built.key, 2, 3, 3)
    assert row.states == (("built", 2),)
    assert (row.changed, row.new, row.deleted) == (1, 1, 1)
    assert row.bytes == sum((built.pool / entry.file).stat().st_size for entry in built.manifest.entries)
    assert row.occurrences == 3
    assert row.resolved_share == pytest.approx(3 / 6)
    (python,) = row.languages
    assert (python.language, python.documents, python.missing) == ("python", 2, ())
    assert python.resolved_share == pytest.approx(3 / 6)


@pytest.mark.parametrize("outcome", [FAILED, TIMED_OUT], ids=["failed", "timed out"])
def test_a_unit_that_failed_says_so(bench: Bench, fake: FakeProvider, outcome: RunOutcome) -> None:
    bench.write(**TREE)
    fake.outcome = outcome
    bench.build()
    report = asked(bench, check=True)
    row = row_of(report)
    assert (row.state, codes(row)) == (outcome.state, [outcome.problems[0].code])
    assert (state(report), report.exit_status) == ("partial", 0)
    assert set(reasons(report)) == {f"unit_{outcome.state}", "no_precise_layer"}
    assert report.coverage is not None
    assert report.coverage.next == ("codetrail", "index", "doctor")


def test_a_tree_without_a_provider_is_partial(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.put("web.ts", "let x = 1\n")
    bench.build()
    bench.put("web.ts", "let x = 2\n")
    assert state(asked(bench)) == "partial"


@pytest.mark.parametrize("harm", ["flip", "cut", "empty", "remove"])
@pytest.mark.parametrize("check", [False, True], ids=["plain", "check"])
def test_a_damaged_shard_is_an_error(built: Bench, harm: str, check: bool) -> None:
    (shard,) = built.shards()
    place = built.pool / shard
    data = bytearray(place.read_bytes())
    match harm:
        case "remove":
            place.unlink()
        case "flip":
            data[-100] ^= 1
            place.write_bytes(data)
        case "cut":
            place.write_bytes(data[:-4096])
        case "empty":
            place.write_bytes(b"")
    with pytest.raises(IndexUnusable) as caught:
        asked(built, check=check)
    assert (caught.value.code, caught.value.exit_status) == ("index_corrupt", 6)
    assert caught.value.hint == "codetrail index build"
    with pytest.raises(CodeTrailError) as raised:
        verify(str(built.path))
    assert raised.value.code == "index_corrupt"


def test_a_sound_index_verifies(built: Bench) -> None:
    verify(str(built.path))
    assert asked(built, check=True).exit_status == 0


def test_a_low_share_is_remarked_upon(built: Bench) -> None:
    assert "low_share" in {note.code for note in asked(built).notes}


def test_a_running_build_is_told(built: Bench) -> None:
    assert "building" not in {note.code for note in asked(built).notes}
    with opened(str(built.path)) as folder, build_lock(folder) as lock:
        lock.progress(3, 7)
        notes = {note.code: note.message for note in asked(built).notes}
    assert "3 of 7 units" in notes["building"]


def test_status_during_the_first_build(bench: Bench) -> None:
    bench.write(**TREE)
    with pytest.raises(CodeTrailError) as raised:
        asked(bench)
    assert (raised.value.code, raised.value.hint) == ("index_missing", "codetrail index build")
    with (
        opened(str(bench.path), create=True) as folder,
        build_lock(folder),
        pytest.raises(CodeTrailError) as raised,
    ):
        asked(bench)
    assert (raised.value.code, raised.value.hint) == ("index_missing", "codetrail index status")
    assert "build is running" in raised.value.message


def test_status_writes_nothing(built: Bench) -> None:
    edit(built)

    def seen() -> set[tuple[str, int]]:
        return {(str(path), path.lstat().st_mtime_ns) for path in built.path.rglob("*")}

    before = seen()
    asked(built, check=True)
    assert seen() == before


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols"])
def test_a_definition_of_an_edited_file_is_named_once(
    bench: Bench,
    fake: FakeProvider,  # noqa: ARG001
    verb: str,
) -> None:
    bench.write(a="def f(): pass\ndef g(): pass\n", b="from a import f, g\nf()\ng()\n")
    bench.build()
    bench.write(a="def f(): pass\ndef g(): pass\n\n")
    given = bench.ask(verb, "f")
    assert [one.coordinate for one in given.page.matched] == ["a.py:1#f"]
    assert given.page.matched_total == 1
    assert {row.of for row in given.rows} <= {0}
