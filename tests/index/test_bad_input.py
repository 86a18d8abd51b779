"""Trees, providers and disks that misbehave: each ends in a row or an error with a code; old answers stay."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError
from codetrail.model.units import Problem
from codetrail.providers.base import Plan, RunOutcome, Tool, Workspace
from tests.index.building import Bench, FakeProvider, codes, program, states, unprivileged
from tests.scip_bytes import document, index, information, occurrence

GOOD = "def total(x):\n    return x\n\ntotal(1)\n"
USES = ["good.py:4"]


def syntax_errors(bench: Bench) -> None:
    bench.write(bad="def (:\n    class ]\n\ndef after():\n    pass\n")


def nul_bytes(bench: Bench) -> None:
    bench.write(bad=b"x = 1\0\0\ndef after(): pass\n\0")


def latin_1(bench: Bench) -> None:
    bench.write(bad=b"# -*- coding: latin-1 -*-\ntitle = 'caf\xe9'\ndef after(): pass\n")


def one_long_line(bench: Bench) -> None:
    bench.write(bad="x = [" + "1, " * 1_800_000 + "]\n")


def seventy_megabytes(bench: Bench) -> None:
    with bench.put("bad.py", b"x = 1\n").open("r+b") as file:
        file.truncate(70 << 20)


def loops(bench: Bench) -> None:
    (bench.path / "round").symlink_to(".")
    (bench.path / "self.py").symlink_to("self.py")
    (bench.path / "deep").mkdir()
    (bench.path / "deep/up").symlink_to("..")


def special_files(bench: Bench) -> None:
    os.mkfifo(bench.path / "pipe.py")
    (bench.path / "null.py").symlink_to("/dev/zero")


def strange_names(bench: Bench) -> None:
    bench.put("new\nline.py", "x = 1\n")
    bench.put("back\\slash.py", "x = 1\n")
    bench.put("esc\x1b[31m.py", "x = 1\n")
    with open(os.path.join(os.fsencode(bench.path), b"not-\xff-utf8.py"), "wb") as file:
        file.write(b"x = 1\n")


def deep_folders(bench: Bench) -> None:
    bench.put("/".join(["d"] * 150) + "/a.py", "x = 1\n")


def broken_project(bench: Bench) -> None:
    bench.put("pyproject.toml", b"[project\nname = \xff\n")


def empty_files(bench: Bench) -> None:
    bench.write(bad="", other="\n\n")


def byte_order_mark(bench: Bench) -> None:
    bench.write(bad=b"\xef\xbb\xbfdef after(): pass\n")


TREES = [
    syntax_errors,
    nul_bytes,
    latin_1,
    one_long_line,
    seventy_megabytes,
    loops,
    special_files,
    strange_names,
    deep_folders,
    broken_project,
    empty_files,
    byte_order_mark,
]


@pytest.mark.parametrize("plant", TREES)
def test_the_real_engine_over_a_bad_tree(bench: Bench, plant: Callable[[Bench], None]) -> None:
    """One bad file or folder costs at most its own rows."""
    bench.write(good=GOOD)
    plant(bench)
    run = program(bench.path, "index", "build", "-o", "json")
    assert (run.returncode, run.stderr) == (0, "")
    rows = json.loads(run.stdout)["results"]
    assert rows[0]["state"] in ("built", "partial")
    assert bench.refs("total") == USES
    assert program(bench.path, "index", "status", "--check").returncode == 0
    again = json.loads(program(bench.path, "index", "build", "-o", "json").stdout)["results"]
    assert again[0]["state"] == "reused"


def test_a_file_of_70_megabytes_is_told(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(good=GOOD)
    seventy_megabytes(bench)
    report = bench.build()
    assert states(report) == {"python:.": "built", "syntax:.": "built"}
    assert "file_too_large" in {note.code for note in report.notes}
    coverage = bench.ask("refs", "total").page.coverage
    assert [(reason.code, reason.paths) for reason in coverage.reasons] == [("file_too_large", ("bad.py",))]


def test_settings_that_are_broken_cost_nothing(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(good=GOOD)
    bench.build()
    bench.put("codetrail.toml", "[index]\nexclud = ['a']\n")
    run = program(bench.path, "index", "build", "-o", "json")
    error = json.loads(run.stdout)["error"]
    assert (run.returncode, error["code"]) == (1, "config_invalid")
    assert "exclude" in error["message"] + error.get("hint", "")
    assert bench.refs("total") == USES


# What a provider may leave behind. --------------------------------------------------------------------------


def whole() -> bytes:
    symbol = "codetrail-fake python demo 1.0 `good`/total()."
    return index(
        document(
            "good.py",
            [occurrence([0, 4, 9], symbol, 1), occurrence([3, 0, 5], symbol)],
            [information(symbol, 17, "total")],
        ),
        document("other.py"),
        tool="codetrail-fake",
    )


def only(*paths: str) -> bytes:
    return index(*[document(path) for path in paths], tool="codetrail-fake")


def first_message() -> bytes:
    """Cut between two messages of the stream, as an engine does that is killed there."""
    return whole()[: whole().rindex(b"\x12\x0a\x0a\x08other.py")]


SPOILT: dict[str, tuple[bytes, str, list[str]]] = {
    "empty": (b"", "failed", ["document_missing", "no_documents"]),
    "garbage": (b"\xff" * 500, "failed", ["scip_invalid"]),
    "text": (b"Traceback (most recent call last):\n", "failed", ["scip_invalid"]),
    "cut inside a message": (whole()[:-4], "failed", ["scip_invalid"]),
    "cut between messages": (first_message(), "partial", ["document_missing"]),
    "no document": (only(), "failed", ["document_missing", "no_documents"]),
    "only documents of others": (
        only("elsewhere.py"),
        "failed",
        ["document_missing", "document_not_owned", "no_documents"],
    ),
    "paths that leave the root": (
        only("../../etc/passwd", "/etc/passwd"),
        "failed",
        ["document_missing", "document_path_refused", "no_documents"],
    ),
}


@pytest.mark.parametrize(("data", "state", "expected"), SPOILT.values(), ids=SPOILT)
def test_what_a_provider_wrote_is_believed_as_far_as_it_goes(
    bench: Bench, fake: FakeProvider, data: bytes, state: str, expected: list[str]
) -> None:
    bench.write(good=GOOD, other="x = 1\n")
    fake.spoil = lambda _data: data
    report = bench.build()
    row = report.rows[0]
    assert (row.state, codes(row)) == (state, expected)
    assert report.exit_status == (2 if state == "failed" else 0)
    assert "/etc/passwd" not in repr(report)
    if state == "failed":
        assert bench.defs("total") == [("good.py:1", "parser_fact")]
    # Once there are good rows, the same damage takes nothing away.
    fake.spoil = lambda data: data
    bench.build()
    fake.spoil = lambda _data: data
    bench.build(force=True)
    assert bench.refs("total") == USES
    assert bench.ask("refs", "total").page.coverage.state == "partial"


def test_a_provider_that_leaves_no_file(bench: Bench, fake: FakeProvider) -> None:
    bench.write(good=GOOD)
    fake.outcome = RunOutcome("built", "/nowhere/index.scip")
    report = bench.build()
    assert (report.rows[0].state, report.exit_status) == ("failed", 2)


# Files that change while the provider runs. -----------------------------------------------------------------


def edit(bench: Bench) -> None:
    bench.write(moving="def total(y):\n    return 2\n")


def vanish(bench: Bench) -> None:
    (bench.path / "moving.py").unlink()


def become_link(bench: Bench) -> None:
    (bench.path / "moving.py").unlink()
    (bench.path / "moving.py").symlink_to("/etc/passwd")


def become_folder(bench: Bench) -> None:
    (bench.path / "moving.py").unlink()
    (bench.path / "moving.py").mkdir()


def become_pipe(bench: Bench) -> None:
    (bench.path / "moving.py").unlink()
    os.mkfifo(bench.path / "moving.py")


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("change", [edit, vanish, become_link, become_folder, become_pipe])
def test_a_file_that_changes_during_the_run_gives_no_row(
    bench: Bench, fake: FakeProvider, change: Callable[[Bench], None], when: str
) -> None:
    old = "def extra(): pass\n\nextra()\n"
    bench.write(good=GOOD, moving=old)
    setattr(fake, when, lambda: change(bench))
    report = bench.build()
    expected = "changed_during_build" if change is edit else "unreadable"
    assert (report.rows[0].state, codes(report.rows[0])) == ("partial", [expected])
    assert bench.refs("extra") == []
    assert bench.refs("total") == USES
    assert bench.ask("refs", "total").page.coverage.state == "partial"
    # Even when the old bytes come back, nothing was stored for them or for the newer ones.
    if change is edit:
        bench.write(moving=old)
        assert bench.refs("extra") == []
        setattr(fake, when, lambda: None)
        bench.build()
        assert bench.refs("extra") == ["moving.py:3"]


def test_a_file_that_appears_during_the_run_is_new(bench: Bench, fake: FakeProvider) -> None:
    bench.write(good=GOOD)
    fake.after = lambda: bench.write(late="def late(): pass\n")
    bench.build()
    assert bench.defs("late") == [("late.py:1", "parser_fact")]
    assert "files_new" in bench.reasons("total")


def test_a_workspace_that_vanishes_is_a_failure_with_a_code(bench: Bench, fake: FakeProvider) -> None:
    bench.write(good=GOOD)
    fake.after = lambda: shutil.rmtree(bench.path)
    with pytest.raises(CodeTrailError) as raised:
        bench.build()
    assert raised.value.code in ("io_error", "index_corrupt")


# Engines that cannot be had. --------------------------------------------------------------------------------


def test_without_node_the_unit_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.write(good=GOOD)
    bench.build()
    monkeypatch.setenv("CODETRAIL_NODE", str(bench.path / "missing/node"))
    bench.write(new="x = 1\n")
    run = program(bench.path, "index", "build", "-o", "json")
    (row, _) = json.loads(run.stdout)["results"]
    assert (run.returncode, run.stderr, row["state"]) == (0, "", "failed")
    assert [problem["code"] for problem in row["problems"]] == ["node_missing", "kept_from_earlier"]
    assert bench.refs("total") == USES


def test_a_node_that_is_none_fails_its_unit(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(good=GOOD)
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v24.0.0\nexit 0\n")
    node.chmod(0o755)
    monkeypatch.setenv("CODETRAIL_NODE", str(node))
    report = bench.build()
    assert (report.rows[0].state, report.exit_status) == ("failed", 2)
    assert codes(report.rows[0]) == ["self_test_failed", "server_garbage"]
    assert bench.defs("total") == [("good.py:1", "parser_fact")]


def test_without_an_interpreter_files_are_indexed_all_the_same(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(good=GOOD)
    monkeypatch.setenv("CODETRAIL_PYTHON", str(bench.path / "missing/python"))
    report = bench.build()
    assert report.rows[0].state == "built"
    assert bench.refs("total") == USES


# Disks that refuse. -----------------------------------------------------------------------------------------


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[bool]:
    """Mount a small file system at ``place``; tell whether that was allowed."""
    place.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", str(place)]
    try:
        done = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        done = False
    try:
        yield done
    finally:
        if done:
            subprocess.run(["umount", "-l", str(place)], check=True)


def fill(place: Path) -> None:
    with (place / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"\0" * 4096):
            pass


def limited(folder: Path, size: int, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run the program where no file may grow beyond ``size`` bytes."""
    return subprocess.run(
        [sys.executable, "-m", "codetrail", *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )


MANY = "".join(f"def name_{number}(x): return x\n\n" for number in range(400))


def test_a_full_disk_under_the_index(tmp_path: Path, own_homes: None) -> None:  # noqa: ARG001
    place = tmp_path / "disk"
    with small_disk(place, "3m") as mounted:
        bench = Bench(place / "work")
        bench.put("good.rs", "fn total() {}\n")
        assert program(bench.path, "index", "build").returncode == 0
        before = bench.key
        bench.put("more.rs", "".join(f"fn name_{number}() {{}}\n" for number in range(3000)))
        if mounted:
            fill(place)
            run = program(bench.path, "index", "build", "-o", "json")
        else:
            run = limited(bench.path, 64 << 10, "index", "build", "-o", "json")
        error = json.loads(run.stdout)["error"]
        assert (run.returncode, error["code"], run.stderr) == (1, "io_error", "")
        assert bench.key == before
        assert bench.defs("total") == [("good.rs:1", "parser_fact")]
        (place / "ballast").unlink(missing_ok=True)
        assert program(bench.path, "index", "build").returncode == 0
        assert not list((bench.path / ".codetrail").rglob("tmp-*"))
        assert bench.defs("name_7") == [("more.rs:8", "parser_fact")]


def test_files_that_may_not_grow(bench: Bench) -> None:
    """The same refusal everywhere, whether or not a file system can be mounted."""
    bench.put("good.rs", "fn total() {}\n")
    bench.build()
    bench.put("more.rs", "".join(f"fn name_{number}() {{}}\n" for number in range(3000)))
    run = limited(bench.path, 64 << 10, "index", "build", "-o", "json")
    assert (run.returncode, json.loads(run.stdout)["error"]["code"], run.stderr) == (1, "io_error", "")
    assert bench.defs("total") == [("good.rs:1", "parser_fact")]
    assert program(bench.path, "index", "build").returncode == 0
    assert not list((bench.path / ".codetrail").rglob("tmp-*"))


def test_a_full_disk_under_the_provider(bench: Bench, tmp_path: Path) -> None:
    bench.write(good=GOOD)
    bench.build()
    bench.write(more=MANY)
    with small_disk(tmp_path / "cache", "1m") as mounted:
        if mounted:
            fill(tmp_path / "cache")
            run = program(bench.path, "index", "build", "-o", "json")
        else:
            run = limited(bench.path, 16 << 10, "index", "build", "-o", "json")
    assert "Traceback" not in run.stdout + run.stderr
    said = json.loads(run.stdout)
    if "error" in said:
        assert (run.returncode, said["error"]["code"]) == (1, "io_error")
    else:
        assert said["results"][0]["state"] == "failed"
    assert bench.refs("total") == USES


def test_a_workspace_that_may_not_be_written(bench: Bench) -> None:
    bench.put("good.rs", "fn total() {}\n")
    bench.path.chmod(0o500)
    try:
        run = unprivileged(bench.path, "index", "build", "-o", "json")
        found = unprivileged(bench.path, "defs", "total", "-o", "json")
    finally:
        bench.path.chmod(0o700)
    assert (run.returncode, json.loads(run.stdout)["error"]["code"], run.stderr) == (1, "io_error", "")
    assert [row["path"] for row in json.loads(found.stdout)["results"]] == ["good.rs"]


def test_an_index_that_may_not_be_written_still_answers(bench: Bench) -> None:
    bench.put("good.rs", "fn total() {}\n")
    bench.build()
    bench.put("more.rs", "fn more() {}\n")
    folders = [bench.path / ".codetrail", bench.path / ".codetrail/scip", bench.pool]
    for folder in folders:
        folder.chmod(0o500)
    try:
        run = unprivileged(bench.path, "index", "build", "-o", "json")
        found = unprivileged(bench.path, "defs", "total", "-o", "json")
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert (run.returncode, json.loads(run.stdout)["error"]["code"], run.stderr) == (1, "io_error", "")
    assert [row["path"] for row in json.loads(found.stdout)["results"]] == ["good.rs"]


def test_problems_of_planning_are_told(
    bench: Bench, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(good=GOOD)
    planned = fake.plan

    def plan(workspace: Workspace, tool: Tool) -> Plan:
        found = planned(workspace, tool)
        return Plan(found.units, problems=(Problem("project_invalid", "A project file cannot be read."),))

    monkeypatch.setattr(fake, "plan", plan)
    report = bench.build()
    assert [(note.code, note.message) for note in report.notes] == [
        ("project_invalid", "python: A project file cannot be read.")
    ]
