"""Index a workspace: the whole story on one page.

Take stock of the tree, plan units, take over what has equal inputs, run the rest, store what syntax shows of
files that no provider covers, and publish all of it as one snapshot. Until the last step the old snapshot
stays in use; a build that is killed leaves only files that the next one sweeps. How a provider works, what a
row is and how a shard is laid out must not be known here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

from codetrail.errors import CodeTrailError
from codetrail.index.imported_units import keep_imports, place_imports, with_reasons
from codetrail.index.job import Job, Settled
from codetrail.index.plan import BuildPlan, PlannedUnit, make_plan, parser_unit
from codetrail.index.recording import kept_paths, look_around, look_at_read, make_record, uncovered
from codetrail.index.remarks import build_remarks
from codetrail.index.takeover import as_stored, is_whole, take_over
from codetrail.index.tree_reader import tree_reader
from codetrail.index.unit_rows import unit_row
from codetrail.model.answers import Note
from codetrail.model.reports import BuildEvent, BuildOptions, BuildReport
from codetrail.model.units import SourceFile
from codetrail.store.build_lock import BuildLock, build_lock
from codetrail.store.local_facts import Times
from codetrail.store.manifest import Manifest
from codetrail.store.retention import sweep
from codetrail.store.reuse import open_reuse
from codetrail.store.snapshot_folder import claim, opened
from codetrail.store.snapshots import Snapshot, open_snapshot, publish
from codetrail.workspace.changes import Recorded
from codetrail.workspace.config import load_settings
from codetrail.workspace.git import head_commit
from codetrail.workspace.inventory import Inventory, take_inventory
from codetrail.workspace.root import find_root, refuse_unbuildable

Watch = Callable[[BuildEvent], None]
Imports = Callable[[Job, Inventory, BuildPlan, list[Settled]], tuple[list[Settled], tuple[Note, ...]]]
"""Returns the imported units that the snapshot shall have, given what was taken over, and notes on them."""


def build(
    root_path: str, options: BuildOptions, watch: Watch, imports: Imports = keep_imports
) -> BuildReport:
    """Index the workspace at ``root_path`` (absolute) and make the result current.

    ``imports`` decides which imported units the snapshot has; what it raises ends the build.
    Raises ConfigError, SystemFailure (``index_locked``, ``io_error``), UsageError for a root that is never
    indexed, and IndexUnusable ``index_foreign``; in each case what was in use before stays in use.
    """
    root = find_root(root_path)
    refuse_unbuildable(root)
    settings = load_settings(root)
    # The folder is made before the tree is listed, so that making it does not count as a change.
    with (
        opened(root.path, create=True) as folder,
        build_lock(folder) as lock,
        _in_use(root.path) as (previous, before),
        tree_reader(root.path) as read,
    ):
        claim(folder)
        sweep(folder)
        job = Job(root, settings, options, read, folder, previous)
        started_ns = time.time_ns()
        inventory = take_inventory(root, settings.exclude, started_ns, before)
        plan = make_plan(root.path, settings, inventory, read)
        surroundings = look_around(job, inventory, plan)
        settled, to_run = take_over(job, plan)
        imported, lost = imports(job, inventory, plan, settled)
        settled += _run(job, to_run, len(settled), lock, watch)
        settled.sort(key=lambda unit: unit.entries[0].order)
        placed = place_imports(job, inventory, plan, settled, imported)
        settled, plan = placed.settled, placed.plan
        kept = kept_paths(job, settled) - placed.served
        bare = uncovered(plan.uncovered, _files_of(plan, settled), kept | placed.served)
        parser = _parser_unit(job, with_reasons(bare, placed.outdated))
        units = [*settled, *placed.imported, *parser]
        entries = tuple(entry for unit in units for entry in unit.entries)
        commit = head_commit(root) or ""
        unseen = tuple(sorted({problem.path for problem in inventory.listing.problems}))
        listed = Manifest(entries, repository=settings.repository_id, commit=commit, unseen=unseen)
        times = {unit.entries[0].unit_digest: unit.time for unit in units if unit.time is not None}
        record = make_record(job, inventory, kept, (*surroundings, *look_at_read(job, inventory, settled)))
        publish(folder, listed, record, Times(started_ns, time.time_ns(), times))
    rows = tuple(unit_row(unit.entries, unit.state, unit.time, ran=unit.ran) for unit in units)
    notes = (*build_remarks(root, inventory, plan, units), *lost)
    return BuildReport(rows, notes, _exit_status(options, [*settled, *placed.imported]))


@contextmanager
def _in_use(root: str) -> Iterator[tuple[Snapshot, Recorded] | tuple[None, None]]:
    """Open the snapshot in use and read what it recorded of the tree, if there is one to be believed."""
    with ExitStack() as opened_now:
        try:
            snapshot = opened_now.enter_context(closing(open_snapshot(root)))
            found = snapshot, snapshot.local.recorded()
        except CodeTrailError:
            yield None, None
            return
        yield found


def _run(job: Job, to_run: list[PlannedUnit], done: int, lock: BuildLock, watch: Watch) -> list[Settled]:
    """Run units; ``done`` are settled already. What a run needs is loaded only where there is one."""
    total = done + len(to_run)
    watch(BuildEvent("planned", "", done, total, 0.0))
    lock.progress(done, total)
    if not to_run:
        return []
    from codetrail.index.running import run_all

    return run_all(job, to_run, done, lock, watch)


def _files_of(plan: BuildPlan, settled: list[Settled]) -> Iterator[tuple[tuple[SourceFile, ...], Settled]]:
    by_unit = {unit.entries[0].unit: unit for unit in settled}
    for planned in plan.units:
        yield planned.spec.files, by_unit[planned.spec.name]


def _parser_unit(job: Job, files: list[tuple[SourceFile, str]]) -> list[Settled]:
    """Store what syntax shows of the files that no unit describes, unless that is stored already."""
    if not files:
        return []
    from codetrail.syntax.grammars import grammars_version

    spec = parser_unit(job.settings.repository_id, files, grammars_version())
    with closing(open_reuse(job.folder)) as reuse:
        stored = as_stored(job, reuse, spec)
    if stored is not None and is_whole(stored):
        return [stored._replace(state="reused")]
    from codetrail.index.running import store_parser_unit

    return [store_parser_unit(job, spec)]


def _exit_status(options: BuildOptions, settled: list[Settled]) -> int:
    """Return 2 where nothing precise came of it, or under ``--strict`` where any unit failed."""
    if options.no_semantic or not settled:
        return 0
    useless = not any(unit.is_precise for unit in settled)
    failed = any(unit.state in ("failed", "timed_out", "untrusted") for unit in settled)
    return 2 if useless or (options.strict and failed) else 0
