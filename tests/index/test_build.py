"""A build from the tree to the answer: the same bytes for the same tree, and nothing done twice."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError, ProviderError, SystemFailure, UsageError
from codetrail.model.units import Problem
from codetrail.providers.base import RunOutcome
from tests.index.building import FAILED, Bench, FakeProvider, codes, program, states

TREE: dict[str, str | bytes] = {
    "shop__prices": "def total(x):\n    return x\n\ndef tax(x):\n    return total(x)\n",
    "shop__till": "from shop.prices import total\n\ndef pay():\n    return total(2)\n",
    "tools__report": "from shop.prices import tax\n\ntax(3)\n",
}


def test_definitions_and_uses_are_answered(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    report = bench.build()
    assert (states(report), report.exit_status) == ({"python:.": "built"}, 0)
    assert bench.defs("total") == [("shop/prices.py:1", "precise_fact")]
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]
    assert bench.ask("refs", "total").page.coverage.state == "complete"
    assert fake.runs == ["python:."]
    assert [event.kind for event in bench.events] == [
        "planned",
        "started",
        "advanced",
        "ingesting",
        "finished",
    ]


@pytest.mark.usefixtures("own_homes")
def test_equal_trees_give_equal_bytes(tmp_path: Path, fake: FakeProvider) -> None:
    one, other = Bench(tmp_path / "one"), Bench(tmp_path / "other" / "place")
    fake.units = ("shop", "tools")
    one.write(**TREE)
    one.put("notes.ts", "export const rate = 1\n")
    one.build(jobs=1)
    # The other tree is made in another order, at another time, and its documents come the other way round.
    other.put("notes.ts", "export const rate = 1\n")
    other.write(**dict(reversed(TREE.items())))
    fake.reverse = True
    other.build(jobs=4)
    assert len(one.shards()) == 3
    assert other.shards() == one.shards()
    assert other.manifest_bytes == one.manifest_bytes
    assert other.key == one.key


def test_a_commit_shows_in_the_manifest_and_nowhere_else(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(**TREE)
    bench.build()
    before, shards = bench.manifest_bytes, bench.shards()
    head = "0123456789abcdef0123456789abcdef01234567"
    bench.put(".git/HEAD", head + "\n")
    (bench.path / ".git/objects").mkdir()
    (bench.path / ".git/refs").mkdir()
    bench.build()
    assert bench.shards() == shards
    assert bench.manifest_bytes.replace(head.encode(), b"") == before


def test_rows_stand_in_the_same_order_whatever_ended_first(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**{f"{name}__m": f"def in_{name}(): pass\n" for name in "abcdef"})
    fake.units = tuple("abcdef")
    report = bench.build(jobs=6)
    assert list(states(report)) == [f"python:{name}" for name in "abcdef"]


def refuse() -> None:
    raise AssertionError("a provider was started")


def touch(bench: Bench) -> None:
    os.utime(bench.path / "shop/prices.py", (1, 1))


def replace(bench: Bench) -> None:
    place = bench.path / "shop/prices.py"
    text = place.read_bytes()
    place.unlink()
    place.write_bytes(text)


def write_readme(bench: Bench) -> None:
    bench.put("README.md", "Nothing that a compiler reads.\n")


@pytest.mark.parametrize(
    "change", [lambda _: None, touch, replace, write_readme], ids=["none", "touched", "replaced", "readme"]
)
def test_equal_contents_start_nothing(
    bench: Bench, fake: FakeProvider, change: Callable[[Bench], None]
) -> None:
    bench.write(**TREE)
    bench.build()
    before = bench.manifest_bytes
    fake.before = refuse
    change(bench)
    bench.events.clear()
    report = bench.build()
    assert [event[:4] for event in bench.events] == [("planned", "", 1, 1)]
    assert states(report) == {"python:.": "reused"}
    assert report.rows[0].seconds is None
    assert bench.manifest_bytes == before
    assert bench.refs("tax") == ["tools/report.py:1", "tools/report.py:3"]


def edit(bench: Bench) -> None:
    bench.put("shop/till.py", "from shop.prices import total\n\n\ndef pay():\n    return total(2)\n")


def add(bench: Bench) -> None:
    bench.put("shop/extra.py", "total(4)\n")


def remove(bench: Bench) -> None:
    (bench.path / "tools/report.py").unlink()


def configure(bench: Bench) -> None:
    bench.put("pyproject.toml", '[project]\nname = "demo"\n')


@pytest.mark.parametrize("change", [edit, add, remove, configure])
def test_other_contents_are_indexed_anew(
    bench: Bench, fake: FakeProvider, change: Callable[[Bench], None]
) -> None:
    bench.write(**TREE)
    bench.build()
    change(bench)
    assert states(bench.build()) == {"python:.": "built"}
    assert len(fake.runs) == 2
    assert bench.ask("refs", "total").page.coverage.state == "complete"


def test_only_the_unit_that_changed_is_run(bench: Bench, fake: FakeProvider) -> None:
    fake.units = ("shop", "tools")
    bench.write(**TREE)
    bench.build()
    bench.put("tools/report.py", "\ntax(3)\n")
    assert states(bench.build()) == {"python:shop": "reused", "python:tools": "built"}
    assert fake.runs[2:] == ["python:tools"]


def test_going_back_to_an_earlier_tree_takes_its_rows_over(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build()
    edit(bench)
    bench.build()
    bench.write(**TREE)
    assert states(bench.build()) == {"python:.": "reused"}
    assert len(fake.runs) == 2
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]


def test_force_runs_what_did_not_change(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build()
    before = bench.manifest_bytes
    assert states(bench.build(force=True)) == {"python:.": "built"}
    assert len(fake.runs) == 2
    assert bench.manifest_bytes == before


def test_no_semantic_keeps_unchanged_units_and_starts_nothing(bench: Bench, fake: FakeProvider) -> None:
    fake.units = ("shop", "tools")
    bench.write(**TREE)
    bench.build()
    fake.before = refuse
    bench.put("tools/report.py", "\n\ntax(3)\n\ndef more():\n    pass\n")
    report = bench.build(no_semantic=True)
    assert states(report) == {"python:shop": "reused", "python:tools": "skipped"}
    assert codes(report.rows[1]) == ["not_asked", "kept_from_earlier"]
    assert report.exit_status == 0
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]
    assert bench.refs("tax") == []
    page = bench.ask("refs", "tax").page
    assert (page.coverage.state, page.coverage.next) == ("partial", ("codetrail", "index", "build"))
    assert {reason.code for reason in page.coverage.reasons} == {"not_built", "files_changed"}
    assert bench.defs("more") == [("tools/report.py:5", "parser_fact")]


def test_no_semantic_costs_no_row_of_an_unchanged_file(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build()
    fake.before = refuse
    bench.write(shop__till=str(TREE["shop__till"]) + "# A remark.\n", new="def fresh():\n    pass\n")
    for made in ("built", "reused"):
        report = bench.build(no_semantic=True)
        assert states(report) == {"python:.": "skipped", "syntax:.": made}
        assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]
        assert bench.refs("tax") == ["tools/report.py:1", "tools/report.py:3"]
        assert bench.defs("fresh") == [("new.py:1", "parser_fact")]
        assert "provider_missing" not in bench.reasons("tax")
        assert "not_built" in bench.reasons("tax")
    fake.before = lambda: None
    assert states(bench.build()) == {"python:.": "built"}
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]
    assert bench.reasons("tax") == set()


def test_no_semantic_on_a_new_tree_stores_what_syntax_shows(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    fake.before = refuse
    report = bench.build(no_semantic=True)
    assert (states(report), report.exit_status) == ({"python:.": "skipped", "syntax:.": "built"}, 0)
    assert bench.defs("pay") == [("shop/till.py:3", "parser_fact")]
    assert bench.ask("refs", "pay").rows == ()
    assert bench.reasons("pay") == {"not_built"}


def test_no_semantic_keeps_rows_of_a_tree_put_back_after_a_failure(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build()
    edit(bench)
    fake.outcome = FAILED
    bench.build()
    bench.write(**TREE)
    fake.before = refuse
    bench.build(no_semantic=True)
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]


def test_lang_leaves_other_languages_as_they_are(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build()
    fake.before = refuse
    edit(bench)
    report = bench.build(languages=("rust",))
    assert (states(report), codes(report.rows[0])) == (
        {"python:.": "skipped"},
        ["not_asked", "kept_from_earlier"],
    )
    assert bench.refs("tax") == ["tools/report.py:1", "tools/report.py:3"]
    assert "files_changed" in bench.reasons("total")
    fake.before = lambda: None
    assert states(bench.build(languages=("python",))) == {"python:.": "built"}


NOTHING_PRECISE = {
    "failed": FAILED,
    "timed out": RunOutcome("timed_out", None, (Problem("timed_out", "Too late."),)),
    "untrusted": RunOutcome("untrusted", None, (Problem("untrusted", "Not trusted."),)),
}


@pytest.mark.parametrize("outcome", NOTHING_PRECISE.values(), ids=NOTHING_PRECISE)
def test_a_build_without_precise_rows_exits_with_2(
    bench: Bench, fake: FakeProvider, outcome: RunOutcome
) -> None:
    bench.write(**TREE)
    fake.outcome = outcome
    report = bench.build()
    assert states(report) == {"python:.": outcome.state, "syntax:.": "built"}
    assert report.exit_status == 2
    assert bench.defs("pay") == [("shop/till.py:3", "parser_fact")]


def test_a_unit_whose_files_all_changed_meanwhile_is_of_no_use(bench: Bench, fake: FakeProvider) -> None:
    bench.write(only="def f(): pass\n")
    fake.before = lambda: bench.write(only="def g(): pass\n")
    report = bench.build()
    assert (states(report), report.exit_status) == ({"python:.": "partial"}, 2)


@pytest.mark.parametrize(("strict", "status"), [(False, 0), (True, 2)], ids=["lenient", "strict"])
def test_one_failure_among_units(bench: Bench, fake: FakeProvider, strict: bool, status: int) -> None:
    fake.units = ("shop", "tools")
    fake.failing = frozenset({"python:tools"})
    bench.write(**TREE)
    report = bench.build(strict=strict)
    assert states(report) == {"python:shop": "built", "python:tools": "failed", "syntax:.": "built"}
    assert report.exit_status == status
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]


def test_a_tree_without_source_files_is_no_failure(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    report = bench.build()
    assert (report.rows, report.exit_status) == ((), 0)
    assert [note.code for note in report.notes] == ["nothing_to_index"]


def test_the_time_limit_reaches_the_provider(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    bench.build(timeout=7.5)
    assert fake.limits is not None
    assert fake.limits.seconds == 7.5


def test_a_defect_of_a_provider_costs_its_own_rows_only(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    fake.units = ("shop", "tools")

    def stumble() -> None:
        if fake.runs[-1] == "python:tools":
            raise RuntimeError("/secret/place")

    fake.before = stumble
    report = bench.build(jobs=1)
    assert states(report)["python:tools"] == "failed"
    assert codes(report.rows[1]) == ["internal_error"]
    assert "/secret" not in repr(report)
    assert bench.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ProviderError("It cannot be run here."), "provider_failed"),
        (OSError(errno.ENOSPC, "No space left on device", "/secret/place"), "io_error"),
    ],
    ids=["provider", "system"],
)
def test_what_a_provider_raises_is_its_units_problem(
    bench: Bench, fake: FakeProvider, error: Exception, code: str
) -> None:
    def fail() -> None:
        raise error

    bench.write(**TREE)
    fake.before = fail
    report = bench.build()
    assert (report.rows[0].state, codes(report.rows[0])) == ("failed", [code])
    assert "/secret" not in repr(report)


def test_a_disk_that_refuses_ends_the_build(bench: Bench, fake: FakeProvider) -> None:
    def fail() -> None:
        raise SystemFailure("The disk is full.")

    bench.write(**TREE)
    bench.build()
    before = bench.key
    edit(bench)
    fake.before = fail
    with pytest.raises(SystemFailure):
        bench.build()
    assert bench.key == before


def test_a_unit_that_its_provider_calls_partial_is(bench: Bench, fake: FakeProvider) -> None:
    bench.write(**TREE)
    fake.state = "partial"
    report = bench.build()
    assert (report.rows[0].state, report.exit_status) == ("partial", 0)
    assert states(bench.build()) == {"python:.": "reused"}
    assert [entry.state for entry in bench.manifest.entries] == ["partial"]


def test_leavings_of_killed_builds_are_swept(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(**TREE)
    bench.build()
    for place in (".codetrail", ".codetrail/scip", ".codetrail/scip/shards"):
        bench.put(f"{place}/tmp-0123456789abcdef", "half")
    bench.put(".codetrail/scip/shards/tmp-fedcba9876543210.db", "half")
    bench.build()
    assert not list((bench.path / ".codetrail").rglob("tmp-*"))


@pytest.mark.parametrize("place", ["/", "home"])
def test_the_whole_machine_is_never_indexed(
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    own_homes: None,  # noqa: ARG001
) -> None:
    from codetrail.index.build import build
    from codetrail.model.reports import BuildOptions

    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UsageError):
        build("/" if place == "/" else str(tmp_path), BuildOptions(), lambda _event: None)


def test_broken_settings_change_nothing(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(**TREE)
    bench.build()
    before = bench.key
    bench.put("codetrail.toml", "[index\n")
    with pytest.raises(CodeTrailError) as raised:
        bench.build()
    assert raised.value.code == "config_invalid"
    assert bench.key == before
    assert bench.refs("pay") == []
    assert bench.defs("pay") == [("shop/till.py:3", "precise_fact")]


def test_the_real_engine_gives_equal_bytes_and_is_not_started_again(
    tmp_path: Path,
    own_homes: None,  # noqa: ARG001
) -> None:
    """Index a tree in two places with Pyright, then again: no process but git's list of files is started."""
    places = Bench(tmp_path / "one"), Bench(tmp_path / "other" / "deeper")
    for bench in places:
        bench.write(**TREE)
        bench.put("pyproject.toml", '[project]\nname = "demo"\nversion = "1.0"\n')
        # With an environment of its own, no interpreter need be asked what it imports from.
        bench.put(".venv/pyvenv.cfg", "home = /nowhere/bin\nversion = 3.11.7\n")
        bench.put(".venv/lib/python3.11/site-packages/README", "")
        assert states(bench.build()) == {"python:.": "built"}
    one, other = places
    assert other.shards() == one.shards()
    assert other.manifest_bytes == one.manifest_bytes
    assert one.refs("total") == ["shop/prices.py:5", "shop/till.py:1", "shop/till.py:4"]
    subprocess.run(["git", "init", "-q"], cwd=one.path, check=True)
    watched = (
        "import sys\n"
        "sys.addaudithook(lambda event, args: event in ('subprocess.Popen', 'os.fork', 'os.exec',"
        " 'os.posix_spawn', 'os.system') and print(event, repr(args), file=sys.stderr))\n"
        "from codetrail.cli.app import run\n"
        "raise SystemExit(run(['index', 'build']))\n"
    )
    again = subprocess.run(
        [sys.executable, "-c", watched], cwd=one.path, capture_output=True, text=True, timeout=300
    )
    assert " reused " in again.stdout
    started = again.stderr.splitlines()
    assert len(started) <= 1, started
    assert all("ls-files" in line for line in started)


def test_the_program_reports_a_build(bench: Bench) -> None:
    bench.put("only.rs", "fn main() {}\n")
    run = program(bench.path, "index", "build", "-o", "json")
    assert (run.returncode, run.stderr) == (0, "")
    assert '"provider":"syntax"' in run.stdout
