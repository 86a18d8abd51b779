"""Units run one after another or side by side, and whoever watches or waits is told how far they are."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codetrail.errors import SystemFailure
from codetrail.index import schedule
from codetrail.index.plan import PlannedUnit
from codetrail.index.schedule import available_bytes, default_jobs, run_units
from codetrail.index.unit_run import BuiltUnit
from codetrail.model.reports import BuildEvent
from codetrail.model.units import SourceFile, UnitSpec
from codetrail.providers.base import Progress, Tool
from codetrail.store.build_lock import BuildLock, build_lock, building
from codetrail.store.snapshot_folder import StateFolder, opened
from tests.index.building import FakeProvider


def unit(name: str) -> PlannedUnit:
    file = SourceFile(f"{name}/a.py", "0" * 64, 1, "python")
    spec = UnitSpec(".", name, "python", "python", "1", "fake", "1", (file, file))
    return PlannedUnit(spec, FakeProvider(), Tool("fake", "1", "test", ("/bin/false",)))


DONE = BuiltUnit((), 0, 1.5)
UNITS = [unit("a"), unit("b"), unit("c")]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[StateFolder]:
    with opened(str(tmp_path), create=True) as made:
        yield made


@pytest.fixture
def lock(folder: StateFolder) -> Iterator[BuildLock]:
    with build_lock(folder) as held:
        yield held


def run_one(planned: PlannedUnit, progress: Progress, storing: Callable[[], None]) -> BuiltUnit:
    progress(1, len(planned.spec.files))
    storing()
    return DONE


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_unit_runs_once_and_is_reported(lock: BuildLock, jobs: int) -> None:
    events: list[BuildEvent] = []
    found = list(run_units(UNITS, jobs, run_one, lock, events.append, done=2))
    assert sorted(planned.spec.root for planned, _ in found) == ["a", "b", "c"]
    for planned in UNITS:
        mine = [(event.kind, event.done, event.total) for event in events if event.unit == planned.spec.name]
        assert mine[:3] == [("started", 0, 2), ("advanced", 1, 2), ("ingesting", 2, 2)]
        assert mine[3][0] == "finished"
    finished = [(event.done, event.total) for event in events if event.kind == "finished"]
    assert finished == [(3, 5), (4, 5), (5, 5)]


def test_who_waits_sees_how_many_units_are_done(folder: StateFolder, lock: BuildLock) -> None:
    seen = []
    for _ in run_units(UNITS, 1, run_one, lock, lambda _event: None, done=1):
        now = building(folder)
        assert now is not None
        seen.append((now.units_done, now.units))
    assert seen == [(2, 4), (3, 4), (4, 4)]


def test_units_run_side_by_side_when_asked(lock: BuildLock) -> None:
    meeting = threading.Barrier(3, timeout=60)

    def meet(_planned: PlannedUnit, _progress: Progress, _storing: Callable[[], None]) -> BuiltUnit:
        meeting.wait()
        return DONE

    assert len(list(run_units(UNITS, 3, meet, lock, lambda _event: None, 0))) == 3


def test_no_more_units_run_at_once_than_asked(lock: BuildLock) -> None:
    running, most = [], []
    guard = threading.Lock()

    def count(planned: PlannedUnit, _progress: Progress, _storing: Callable[[], None]) -> BuiltUnit:
        with guard:
            running.append(planned)
            most.append(len(running))
        with guard:
            running.remove(planned)
        return DONE

    list(run_units([unit(f"u{number}") for number in range(20)], 2, count, lock, lambda _event: None, 0))
    assert max(most) <= 2


@pytest.mark.parametrize(
    "failure", [SystemFailure("full"), KeyboardInterrupt()], ids=["failure", "interrupt"]
)
def test_a_failure_ends_the_units_that_still_run(
    lock: BuildLock, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    released = threading.Event()
    monkeypatch.setattr(schedule, "interrupt_all", released.set)

    def fail_first(planned: PlannedUnit, _progress: Progress, _storing: Callable[[], None]) -> BuiltUnit:
        if planned.spec.root == "a":
            raise failure
        assert released.wait(60)
        return DONE

    with pytest.raises(type(failure)):
        list(run_units(UNITS, 3, fail_first, lock, lambda _event: None, 0))
    assert released.is_set()


@pytest.mark.parametrize(
    ("cores", "free_gib", "expected"),
    [(8, 3, 3), (2, 64, 2), (4, 0, 1)],
    ids=["by memory", "by cores", "one"],
)
def test_jobs_follow_cores_and_memory(
    monkeypatch: pytest.MonkeyPatch, cores: int, free_gib: int, expected: int
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    monkeypatch.setattr(schedule, "available_bytes", lambda: free_gib << 30)
    assert default_jobs() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MemTotal:  9 kB\nMemAvailable:    2048 kB\n", 2 << 20),
        ("MemAvailable: much\n", None),
        ("MemTotal: 9 kB\n", None),
        (None, None),
    ],
    ids=["told", "garbled", "not told", "no such file"],
)
def test_memory_that_is_available(tmp_path: Path, text: str | None, expected: int | None) -> None:
    place = tmp_path / "meminfo"
    if text is not None:
        place.write_text(text)
    half = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    assert available_bytes(str(place)) == (half if expected is None else expected)
