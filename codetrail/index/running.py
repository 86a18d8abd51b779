"""Make new rows: run the units that nothing could be taken over for, and parse what no unit describes.

Everything costly to load hangs on this module, so ``build`` loads it only when there is something to do. How
units are timed and reported is ``schedule``'s business, what one comes to is ``unit_run``'s.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from codetrail.index.entries import entry_of
from codetrail.index.job import Job, Settled
from codetrail.index.keep_scip import keeper
from codetrail.index.parser_shard import write_parser_shard
from codetrail.index.parsing import syntax_of
from codetrail.index.plan import PlannedUnit
from codetrail.index.schedule import run_units
from codetrail.index.takeover import keep_earlier
from codetrail.index.unit_run import BuiltUnit, build_unit, open_writer
from codetrail.model.reports import BuildEvent
from codetrail.model.units import UnitSpec
from codetrail.providers.base import Limits, Progress, Workspace
from codetrail.store import manifest
from codetrail.store.build_lock import BuildLock
from codetrail.store.local_facts import UnitTime


def run_all(
    job: Job, to_run: list[PlannedUnit], done: int, lock: BuildLock, watch: Callable[[BuildEvent], None]
) -> list[Settled]:
    """Run units; one that gave nothing keeps the rows it had. ``done`` units needed no run.

    Raises SystemFailure where the disk refuses or copies cannot go where ``--keep-scip`` says.
    """
    seconds = Limits().seconds if job.options.timeout is None else job.options.timeout
    limits = Limits(seconds=seconds, memory_bytes=_memory_for_a_unit())
    # Refused before anything runs, so that no work is lost over the place where a copy should go.
    keep_scip = keeper(job.options.keep_scip, [planned.spec.name for planned in to_run])

    def run_one(planned: PlannedUnit, progress: Progress, storing: Callable[[], None]) -> BuiltUnit:
        spec = planned.spec
        workspace = Workspace(
            job.root.path, spec.repository, spec.files, dict(spec.inputs), job.read, job.settings
        )
        keep = None if keep_scip is None else lambda path: keep_scip(spec.name, path)
        return build_unit(planned, workspace, job.folder.pool, syntax_of, limits, progress, storing, keep)

    settled = []
    for _, built in run_units(to_run, job.options.jobs, run_one, lock, watch, done):
        first = built.entries[0]
        if first.file:
            when = UnitTime(built.finished_ns, built.seconds)
            settled.append(Settled(built.entries, first.state, when, built.read, ran=True))
        else:
            settled.append(keep_earlier(job, first)._replace(ran=True))
    return settled


def store_parser_unit(job: Job, spec: UnitSpec) -> Settled:
    """Parse and store the files of the unit that no provider covers. Raises SystemFailure."""
    started = time.monotonic()
    record, problems = write_parser_shard(spec, job.read, syntax_of, open_writer(spec, job.folder.pool))
    entry = entry_of(spec, record, 1, 1, "built", problems, kind=manifest.PARSER)
    return Settled((entry,), "built", UnitTime(time.time_ns(), time.monotonic() - started), ran=True)


def _memory_for_a_unit() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
