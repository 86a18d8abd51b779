"""Run units, several at a time where asked, and tell who watches and who waits how far it is.

Threads are enough: a provider is a child process, and storing what it said is a hundredth of its cost. An
interrupt ends every running provider before it leaves. This module must not know what a unit is made of.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from codetrail.index.plan import PlannedUnit
from codetrail.index.unit_run import BuiltUnit
from codetrail.model.reports import BuildEvent
from codetrail.providers.base import Progress
from codetrail.providers.process import interrupt_all
from codetrail.store.build_lock import BuildLock

RunOne = Callable[[PlannedUnit, Progress, Callable[[], None]], BuiltUnit]
"""Runs one unit; called with a progress callback and one for the moment when storing begins."""

_BYTES_A_JOB = 1 << 30


def default_jobs() -> int:
    """Return how many units run at once unless told: one a core, with 1 GiB of free memory each."""
    return max(1, min(os.cpu_count() or 1, available_bytes() // _BYTES_A_JOB))


def available_bytes(meminfo: str = "/proc/meminfo") -> int:
    """Return the memory that programs can have: as Linux reckons it, elsewhere half of what is built in.

    Pages that merely cache files count as available; ``SC_AVPHYS_PAGES`` leaves them out and macOS has none.
    """
    try:
        with open(meminfo, encoding="ascii") as file:
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2


def run_units(
    units: Sequence[PlannedUnit],
    jobs: int | None,
    run_one: RunOne,
    lock: BuildLock,
    watch: Callable[[BuildEvent], None],
    done: int,
) -> Iterator[tuple[PlannedUnit, BuiltUnit]]:
    """Yield each unit with what became of it, as they end; ``done`` units needed no run."""
    total = done + len(units)
    workers = min(len(units), jobs or default_jobs())
    for planned, built in (
        _serial(units, run_one, watch) if workers <= 1 else _parallel(units, run_one, watch, workers)
    ):
        done += 1
        lock.progress(done, total)
        watch(BuildEvent("finished", planned.spec.name, done, total, built.seconds))
        yield planned, built


def _serial(
    units: Sequence[PlannedUnit], run_one: RunOne, watch: Callable[[BuildEvent], None]
) -> Iterator[tuple[PlannedUnit, BuiltUnit]]:
    for planned in units:
        yield planned, run_one(planned, *_reporters(planned, watch))


def _parallel(
    units: Sequence[PlannedUnit], run_one: RunOne, watch: Callable[[BuildEvent], None], workers: int
) -> Iterator[tuple[PlannedUnit, BuiltUnit]]:
    with ThreadPoolExecutor(workers, "unit") as pool:
        running: dict[Future[BuiltUnit], PlannedUnit] = {
            pool.submit(run_one, planned, *_reporters(planned, watch)): planned for planned in units
        }
        try:
            while running:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        except BaseException:
            for future in running:
                future.cancel()
            interrupt_all()
            raise


def _reporters(
    planned: PlannedUnit, watch: Callable[[BuildEvent], None]
) -> tuple[Progress, Callable[[], None]]:
    name, files, started = planned.spec.name, len(planned.spec.files), time.monotonic()
    watch(BuildEvent("started", name, 0, files, 0.0))

    def progress(done: int, total: int) -> None:
        watch(BuildEvent("advanced", name, done, total, time.monotonic() - started))

    def storing() -> None:
        watch(BuildEvent("ingesting", name, files, files, time.monotonic() - started))

    return progress, storing
