"""Builds that are killed, interrupted or not alone: questions see a whole snapshot throughout."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codetrail.index.status import verify
from tests.index.building import Bench, program, scip_documents, states
from tests.scip_bytes import index

GOOD = "def total(x):\n    return x\n\ntotal(1)\n"
USES = ["good.py:4"]
ROUNDS = 26
REAL_ROUNDS = 5

Engine = Callable[[str], Path]


@pytest.fixture
def engine(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Put a command of a person's own in the place of Pyright: a shell script that copies prepared SCIP."""
    bench.write(good=GOOD, other="x = 1\n")
    scip = tmp_path / "prepared.scip"
    scip.write_bytes(index(*scip_documents({"good.py": GOOD, "other.py": ""}), tool="codetrail-fake"))

    def install(before: str) -> Path:
        script = tmp_path / "engine.sh"
        script.write_text(
            f'touch {shlex.quote(str(tmp_path))}/started\n{before}\ncat {shlex.quote(str(scip))} > "$2"\n'
        )
        monkeypatch.setenv("CODETRAIL_SCIP_PYTHON", f"/bin/sh {shlex.quote(str(script))}")
        return tmp_path / "started"

    return install


def start(folder: Path, *argv: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "codetrail", *argv],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[str]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until something is so; a minute is longer than any machine needs."""
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come about")


def processes_naming(text: str) -> list[str]:
    """Return the command lines of running processes that hold a text or stand in a folder below it."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            where = os.readlink(entry / "cwd")
            if text in line or where.startswith(text):
                found.append(line)
        except OSError:
            continue
    return found


def unfinished(bench: Bench) -> list[Path]:
    return list((bench.path / ".codetrail").rglob("tmp-*"))


def moments(duration: float, rounds: int) -> Iterator[float]:
    """Yield moments from the start of a build to a little behind its end, evenly spread."""
    for number in range(rounds):
        yield duration * 1.1 * number / (rounds - 1)


def test_kill_9_at_any_moment(bench: Bench, engine: Engine, tmp_path: Path) -> None:
    """Each round is a build of another tree, so that each would publish another snapshot."""
    engine("sleep 0.05")
    started = time.monotonic()
    kill_after_all = start(bench.path, "index", "build", "--force")
    assert kill_after_all.wait() == 0
    duration = time.monotonic() - started
    kill(kill_after_all)
    snapshots = {bench.key}
    for number, moment in enumerate(moments(duration, ROUNDS)):
        bench.write(other=f"x = {number}\n")
        victim = start(bench.path, "index", "build", "--force")
        time.sleep(moment)
        kill(victim)
        snapshots.add(bench.key)
        # The file asked about is the same in all snapshots; whichever is in use, it is whole.
        verify(str(bench.path))
        assert bench.refs("total") == USES
        assert bench.defs("total") == [("good.py:1", "precise_fact")]
        if number % 5 == 4:
            assert states(bench.build()) in ({"python:.": "built"}, {"python:.": "reused"})
            assert unfinished(bench) == []
            assert bench.ask("refs", "total").page.coverage.state == "complete"
    # Some builds ended before they were killed and some did not, else this tried nothing.
    assert 1 < len(snapshots) < ROUNDS + 1
    assert program(bench.path, "index", "build").returncode == 0
    assert unfinished(bench) == []
    wait_for(lambda: not processes_naming(str(tmp_path)))


def test_kill_9_leaves_no_engine_behind(bench: Bench, tmp_path: Path) -> None:
    """The same with Pyright itself; Node must not outlive the build."""
    bench.write(good=GOOD, other="x = 1\n")
    assert states(bench.build()) == {"python:.": "built"}
    started = time.monotonic()
    bench.build(force=True)
    duration = time.monotonic() - started
    seen = 0
    for number, moment in enumerate(moments(duration, REAL_ROUNDS)):
        bench.write(other=f"x = {number}\n")
        victim = start(bench.path, "index", "build")
        time.sleep(moment)
        seen += any("node" in line for line in processes_naming(str(tmp_path)))
        kill(victim)
        verify(str(bench.path))
        assert bench.refs("total") == USES
        wait_for(lambda: not processes_naming(str(tmp_path)))
    assert seen, "no build was killed while its engine ran"
    assert program(bench.path, "index", "build").returncode == 0
    assert unfinished(bench) == []
    assert bench.ask("refs", "total").page.coverage.state == "complete"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupt_ends_the_engine_and_keeps_the_index(
    bench: Bench, engine: Engine, tmp_path: Path, number: signal.Signals, status: int
) -> None:
    engine("")
    bench.build()
    before = bench.key
    begun = engine("sleep 300")
    begun.unlink(missing_ok=True)
    bench.write(other="x = 2\n")
    builder = start(bench.path, "index", "build", "-o", "json")
    wait_for(begun.exists)
    builder.send_signal(number)
    out, err = builder.communicate()
    assert (builder.returncode, json.loads(out)["error"]["code"]) == (status, "interrupted")
    assert "Traceback" not in err
    assert not list((tmp_path / "cache").rglob("run-*"))
    wait_for(lambda: not processes_naming(str(tmp_path)))
    assert bench.key == before
    assert bench.refs("total") == USES


def test_one_build_at_a_time_and_questions_meanwhile(bench: Bench, engine: Engine, tmp_path: Path) -> None:
    engine("")
    bench.build()
    gate = tmp_path / "gate"
    begun = engine(f"while [ ! -e {shlex.quote(str(gate))} ]; do sleep 0.02; done")
    begun.unlink(missing_ok=True)
    bench.write(other="x = 2\n")
    builder = start(bench.path, "index", "build", "-o", "json")
    wait_for(begun.exists)
    second = program(bench.path, "index", "build", "-o", "json")
    error = json.loads(second.stdout)["error"]
    assert (second.returncode, error["code"], error["hint"]) == (1, "index_locked", "codetrail index status")
    assert bench.refs("total") == USES
    said = json.loads(program(bench.path, "index", "status", "-o", "json").stdout)
    assert "building" in [note["code"] for note in said["page"]["notes"]]
    gate.touch()
    out, _ = builder.communicate()
    assert json.loads(out)["results"][0]["state"] == "built"
    assert bench.ask("refs", "total").page.coverage.state == "complete"


def test_a_killed_builder_frees_the_lock(bench: Bench, engine: Engine) -> None:
    begun = engine("sleep 300")
    begun.unlink(missing_ok=True)
    builder = start(bench.path, "index", "build")
    wait_for(begun.exists)
    kill(builder)
    engine("")
    assert states(bench.build()) == {"python:.": "built"}
    assert bench.refs("total") == USES


def test_an_engine_that_is_killed_costs_its_unit_only(bench: Bench, engine: Engine) -> None:
    engine("")
    bench.build()
    engine("kill -9 $$")
    bench.write(other="x = 2\n")
    row = bench.build().rows[0]
    assert (row.state, [problem.code for problem in row.problems]) == (
        "failed",
        ["provider_crashed", "kept_from_earlier"],
    )
    assert bench.refs("total") == USES


def test_an_engine_that_takes_too_long_is_ended(bench: Bench, engine: Engine, tmp_path: Path) -> None:
    engine("sleep 300")
    run = program(bench.path, "index", "build", "--timeout", "0.3", "-o", "json")
    row = json.loads(run.stdout)["results"][0]
    assert (run.returncode, row["state"]) == (2, "timed_out")
    assert [problem["code"] for problem in row["problems"]] == ["timed_out"]
    wait_for(lambda: not processes_naming(str(tmp_path)))


# An index that was not made here. ---------------------------------------------------------------------------


def test_an_index_that_came_with_the_repository(
    bench: Bench, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was sealed by another user: no question believes it, no build takes anything of it over."""
    engine("")
    bench.build()
    came_with = bench.manifest_bytes
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state of another user"))
    for argv in (("refs", "total"), ("defs", "total"), ("index", "status")):
        run = program(bench.path, *argv, "-o", "json")
        error = json.loads(run.stdout)["error"]
        assert (run.returncode, error["code"], error["hint"]) == (6, "index_foreign", "codetrail index build")
    report = bench.build()
    assert states(report) == {"python:.": "built"}
    assert bench.refs("total") == USES
    assert bench.manifest_bytes == came_with
    assert states(bench.build()) == {"python:.": "reused"}


def forge_shard(bench: Bench) -> None:
    for shard in bench.shards():
        (bench.pool / shard).write_bytes(b"SQLite format 3\0" + b"\0" * 5000)


def forge_pointer(bench: Bench) -> None:
    (bench.path / ".codetrail/current").write_text("../../elsewhere\n")


def link_current(bench: Bench) -> None:
    (bench.path / ".codetrail/current").unlink()
    (bench.path / ".codetrail/current").symlink_to("/etc/hostname")


@pytest.mark.parametrize("forge", [forge_shard, forge_pointer, link_current])
def test_forged_parts_are_replaced_by_a_build(
    bench: Bench, engine: Engine, forge: Callable[[Bench], None]
) -> None:
    engine("")
    bench.build()
    forge(bench)
    assert program(bench.path, "refs", "total").returncode == 6
    assert set(states(bench.build()).values()) <= {"built", "reused"}
    assert bench.refs("total") == USES


def share(bench: Bench) -> None:
    (bench.path / ".codetrail").chmod(0o777)


def share_pool(bench: Bench) -> None:
    bench.pool.chmod(0o775)


def link_pool(bench: Bench) -> None:
    place = bench.path.parent / "elsewhere"
    bench.pool.rename(place)
    bench.pool.symlink_to(place)


@pytest.mark.parametrize("spoil", [share, share_pool, link_pool])
def test_a_folder_that_others_could_have_filled_is_not_written(
    bench: Bench, engine: Engine, spoil: Callable[[Bench], None]
) -> None:
    engine("")
    bench.build()
    spoil(bench)
    before = {(str(path), path.lstat().st_mtime_ns) for path in (bench.path / ".codetrail").rglob("*")}
    run = program(bench.path, "index", "build", "-o", "json")
    assert (run.returncode, json.loads(run.stdout)["error"]["code"]) == (6, "index_foreign")
    after = {(str(path), path.lstat().st_mtime_ns) for path in (bench.path / ".codetrail").rglob("*")}
    assert after == before
