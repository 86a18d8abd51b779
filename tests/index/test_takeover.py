"""A unit that fails keeps the rows it had, for as long as they are true of the files."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from codetrail.index.status import status
from codetrail.model.answers import ReferenceRow
from codetrail.model.units import Problem
from codetrail.providers.base import RunOutcome
from codetrail.store import schema
from tests.index.building import FAILED, TIMED_OUT, Bench, FakeProvider, codes, states

TREE: dict[str, str | bytes] = {
    "a": "def total(x):\n    return x\n",
    "b": "from a import total\n\ntotal(1)\n",
    "c": "from a import total\n\n\ntotal(2)\n",
}


@pytest.fixture
def built(bench: Bench, fake: FakeProvider) -> Bench:  # noqa: ARG001
    """Return a workspace after a good build."""
    bench.write(**TREE)
    bench.build()
    return bench


@pytest.mark.parametrize("outcome", [FAILED, TIMED_OUT], ids=["failed", "timed out"])
def test_rows_of_unchanged_files_stay(built: Bench, fake: FakeProvider, outcome: RunOutcome) -> None:
    fake.outcome = outcome
    built.write(b="from a import total\n# Edited.\ntotal(1)\n", new="def fresh():\n    pass\n")
    (built.path / "c.py").unlink()
    report = built.build()
    row, syntax = report.rows
    assert (row.state, codes(row)) == (outcome.state, [outcome.problems[0].code, "kept_from_earlier"])
    assert (row.documents, row.files, syntax.provider, syntax.files) == (3, 3, "syntax", 1)
    assert report.exit_status == 0
    # a.py is as it was; b.py changed and c.py is gone, so neither gives a precise row; new.py is parsed.
    rows = built.ask("refs", "total").rows
    assert [(row.path, row.freshness) for row in rows if isinstance(row, ReferenceRow)] == [
        ("b.py", "moved")
    ] * 2
    assert built.defs("total") == [("a.py:1", "precise_fact")]
    assert built.defs("fresh") == [("new.py:1", "parser_fact")]
    page = built.ask("refs", "total").page
    reasons = {reason.code: reason for reason in page.coverage.reasons}
    assert page.coverage.state == "partial"
    assert reasons["files_changed"].paths == ("b.py", "c.py")


def test_kept_rows_hide_no_failure(built: Bench, fake: FakeProvider) -> None:
    fake.outcome = FAILED
    built.write(b="total = 1\n")
    assert built.build(strict=True).exit_status == 2
    report = status(str(built.path), summary=False, check=True)
    assert report.exit_status == 6
    assert report.coverage is not None
    assert {reason.code for reason in report.coverage.reasons} == {"files_changed", "unit_failed"}


def test_the_next_good_build_replaces_them(built: Bench, fake: FakeProvider) -> None:
    fake.outcome = FAILED
    built.write(b="from a import total\n# Edited.\ntotal(1)\n")
    built.build()
    fake.outcome = None
    report = built.build()
    assert (states(report), codes(report.rows[0])) == ({"python:.": "built"}, [])
    assert built.refs("total") == ["b.py:1", "b.py:3", "c.py:1", "c.py:4"]
    assert built.ask("refs", "total").page.coverage.state == "complete"
    assert len(fake.runs) == 3


def test_a_failure_is_tried_again_although_nothing_changed(built: Bench, fake: FakeProvider) -> None:
    fake.outcome = FAILED
    built.write(b="total = 1\n")
    built.build()
    built.build()
    assert len(fake.runs) == 3
    assert codes(built.build().rows[0]) == ["provider_crashed", "kept_from_earlier"]
    assert built.defs("total")[0] == ("a.py:1", "precise_fact")


def test_a_failure_without_earlier_rows_is_tried_again(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    fake.outcome = FAILED
    bench.build()
    fake.outcome = None
    assert states(bench.build()) == {"python:.": "built"}
    assert bench.refs("total") == ["b.py:1", "b.py:3", "c.py:1", "c.py:4"]


def test_kept_rows_do_not_hide_an_edit_made_with_the_clock_standing_still(
    built: Bench, fake: FakeProvider
) -> None:
    """An edit that leaves size and time stamps as recorded is seen, because racy files are read again."""
    fake.outcome = FAILED
    place = built.path / "b.py"
    before = place.stat()
    place.write_text("from a import tutti\n\ntutti(1)\n")
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    built.write(d="x = 1\n")
    assert place.stat().st_size == before.st_size
    built.build()
    assert built.refs("total") == ["c.py:1", "c.py:4"]
    assert "files_changed" in built.reasons("total")


def test_a_revert_makes_kept_rows_true_again(built: Bench, fake: FakeProvider) -> None:
    fake.outcome = FAILED
    built.write(b="total = 1\n")
    built.build()
    assert built.refs("total") == ["c.py:1", "c.py:4"]
    built.write(**TREE)
    assert built.refs("total") == ["b.py:1", "b.py:3", "c.py:1", "c.py:4"]


def test_only_the_failing_unit_is_kept_from_earlier(bench: Bench, fake: FakeProvider) -> None:
    fake.units = ("lib", "app")
    bench.write(lib__m="def one(): pass\n\none()\n", app__m="def two(): pass\n\ntwo()\n")
    bench.build()
    fake.failing = frozenset({"python:lib"})
    bench.write(lib__m="def one(): pass\n\n\none()\n", app__m="def two(): pass\n\n\ntwo()\n")
    assert states(bench.build()) == {"python:app": "built", "python:lib": "failed"}
    assert bench.refs("two") == ["app/m.py:4"]
    assert bench.refs("one") == ["lib/m.py:4"]
    assert "files_changed" in bench.reasons("one")


MISSING = Problem("engine_missing", "No Pyright was found.")


@pytest.mark.parametrize("units", [("",), ("lib", "app")], ids=["one unit", "two units"])
def test_an_engine_that_is_gone_keeps_every_unit(
    bench: Bench, fake: FakeProvider, units: tuple[str, ...]
) -> None:
    fake.units = units
    bench.write(lib__m="def one(): pass\n\none()\n", app__m="def two(): pass\n\ntwo()\n")
    bench.build()
    fake.missing = MISSING
    report = bench.build()
    assert {row.state for row in report.rows} == {"failed"}
    assert all(codes(row) == ["engine_missing", "kept_from_earlier"] for row in report.rows)
    assert len(report.rows) == len(units)
    assert (bench.refs("one"), bench.refs("two")) == (["lib/m.py:3"], ["app/m.py:3"])
    fake.missing = None
    assert set(states(bench.build()).values()) == {"built"}


def test_an_engine_that_never_was_gives_parser_rows(bench: Bench, fake: FakeProvider) -> None:
    fake.missing = MISSING
    bench.write(**TREE)
    report = bench.build()
    assert (states(report), report.exit_status) == ({"python:.": "failed", "syntax:.": "built"}, 2)
    assert bench.defs("total") == [("a.py:1", "parser_fact")]
    assert "provider_missing" in bench.reasons("total")


def remove(bench: Bench) -> None:
    for shard in bench.shards():
        (bench.pool / shard).unlink()


def damage(bench: Bench) -> None:
    for shard in bench.shards():
        place = bench.pool / shard
        data = bytearray(place.read_bytes())
        data[len(data) // 2] ^= 1
        place.write_bytes(data)


def damage_record(bench: Bench) -> None:
    place = bench.path / ".codetrail/scip" / bench.key / "local"
    place.write_bytes(place.read_bytes()[:-1] + b"?")


@pytest.mark.parametrize("harm", [remove, damage, damage_record])
def test_damaged_rows_are_neither_reused_nor_kept(
    built: Bench, fake: FakeProvider, harm: Callable[[Bench], None]
) -> None:
    harm(built)
    built.write(b="total = 1\n")
    fake.outcome = FAILED
    report = built.build()
    assert states(report) == {"python:.": "failed", "syntax:.": "built"}
    assert built.defs("total")[0] == ("a.py:1", "parser_fact")
    fake.outcome = None
    assert states(built.build()) == {"python:.": "built"}


@pytest.mark.parametrize("harm", [remove, damage])
def test_damaged_rows_of_an_unchanged_tree_are_made_again(
    built: Bench, fake: FakeProvider, harm: Callable[[Bench], None]
) -> None:
    harm(built)
    assert states(built.build()) == {"python:.": "built"}
    assert len(fake.runs) == 2
    assert built.refs("total") == ["b.py:1", "b.py:3", "c.py:1", "c.py:4"]


def test_rows_made_while_files_changed_are_not_taken_over(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    fake.after = lambda: bench.write(b="total = 1\n")
    report = bench.build()
    assert (report.rows[0].state, codes(report.rows[0])) == ("partial", ["changed_during_build"])
    fake.after = lambda: None
    # The file is put back: the inputs are those of the build before, whose rows lack this file's.
    bench.write(**TREE)
    assert states(bench.build()) == {"python:.": "built"}
    assert bench.refs("total") == ["b.py:1", "b.py:3", "c.py:1", "c.py:4"]


@pytest.mark.parametrize("outcome", [None, FAILED], ids=["rebuilt", "failing"])
def test_rows_of_another_form_are_not_taken_over(
    built: Bench, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch, outcome: RunOutcome | None
) -> None:
    """An index that an older version of CodeTrail left is made again, and is no hindrance."""
    monkeypatch.setattr(schema, "SCHEMA_VERSION", schema.SCHEMA_VERSION + 1)
    monkeypatch.setattr(schema, "LEAST_READER_VERSION", schema.LEAST_READER_VERSION + 1)
    fake.outcome = outcome
    report = built.build()
    assert len(fake.runs) == 2
    assert report.rows[0].state == ("built" if outcome is None else "failed")
    assert "kept_from_earlier" not in codes(report.rows[0])
