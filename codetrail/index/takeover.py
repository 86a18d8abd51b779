"""Decide what happens to each planned unit: taken over, left alone, or run.

A unit whose inputs are equal, and all that was read besides them, is never run again unless ``--force`` asks.
One that may not run or that failed keeps the rows of the last build that gave any: neither a broken compiler
nor a hurry may cost what is already known, and every question still checks each file against the disk.
"""

from __future__ import annotations

from contextlib import closing

from codetrail.errors import CodeTrailError
from codetrail.index.entries import unit_without_shard
from codetrail.index.job import Job, Settled
from codetrail.index.plan import BuildPlan, PlannedUnit
from codetrail.model.units import Problem, UnitSpec
from codetrail.store.manifest import ManifestEntry
from codetrail.store.reuse import Reuse, open_reuse
from codetrail.store.snapshots import Snapshot
from codetrail.workspace.reading import opened_root
from codetrail.workspace.surroundings import compare_surroundings, sign_again

KEPT = Problem("kept_from_earlier", "The rows are those of an earlier build; changed files have none.")
_NOT_STARTED = Problem("not_asked", "No provider was started: that was not asked for.")
_NOT_ASKED = Problem("not_asked", "The language was not among those that --lang asked for.")
_TRANSIENT = frozenset({"changed_during_build", "unreadable"})
"""Problems of a moment: rows made under them are not taken over."""


def take_over(job: Job, plan: BuildPlan) -> tuple[list[Settled], list[PlannedUnit]]:
    """Return the units that need not or may not run, settled, and those to run."""
    settled: list[Settled] = []
    to_run: list[PlannedUnit] = []
    with closing(open_reuse(job.folder)) as reuse:
        for planned in plan.units:
            spec = planned.spec
            stored = as_stored(job, reuse, spec)
            if stored is not None and is_whole(stored) and not job.options.force:
                settled.append(stored._replace(state="reused"))
            elif job.options.no_semantic:
                settled.append(
                    stored or _failed_before(job, spec) or keep_earlier(job, _skipped(spec, _NOT_STARTED))
                )
            elif job.options.languages and not set(job.options.languages) & set(planned.provider.languages):
                settled.append(keep_earlier(job, _skipped(spec, _NOT_ASKED)))
            else:
                to_run.append(planned)
    for absent in plan.missing:
        entry = ManifestEntry(
            unit=f"{absent.provider}:.",
            unit_digest="",
            kind="occurrences",
            language=absent.language,
            provider=absent.provider,
            provider_version="",
            engine="",
            engine_version="",
            repository=job.settings.repository_id,
            root="",
            state="failed",
            files=absent.files,
            problems=(absent.problem,),
        )
        settled += _keep_all(job, entry)
    return settled, to_run


def _failed_before(job: Job, spec: UnitSpec) -> Settled | None:
    """Return the unit as it is in the snapshot in use, where a run on these very inputs gave nothing.

    Likewise where its rows were kept from an earlier build: why they were is still the case.
    """
    previous = job.previous
    if previous is None:
        return None
    entries = previous.manifest.entries_of(spec.digest())
    if len(entries) == 1 and not entries[0].file:
        return Settled((entries[0]._replace(files=len(spec.files)),), entries[0].state)
    kept = [one for one in previous.manifest.entries if one.unit == spec.name and one.file]
    if not kept or KEPT not in kept[0].problems or not _usable(previous, kept):
        return None
    time = previous.local.times.units.get(kept[0].unit_digest)
    return Settled(tuple(kept), kept[0].state, time, kept=True)


def _skipped(spec: UnitSpec, why: Problem) -> ManifestEntry:
    return unit_without_shard(spec, "skipped", (why,))


def _keep_all(job: Job, entry: ManifestEntry) -> list[Settled]:
    """Settle a language that could not be planned: every unit it had keeps its rows."""
    earlier = (
        {
            one.unit: one
            for one in job.previous.manifest.entries
            if (one.provider, one.language, one.kind) == (entry.provider, entry.language, entry.kind)
            and one.file
        }
        if job.previous is not None
        else {}
    )
    kept = [
        keep_earlier(job, entry._replace(unit=one.unit, root=one.root, files=one.files))
        for _, one in sorted(earlier.items())
    ]
    return [unit for unit in kept if unit.kept] or [Settled((entry,), entry.state)]


def as_stored(job: Job, reuse: Reuse, spec: UnitSpec) -> Settled | None:
    """Return what is stored of a unit with equal inputs, trouble and all.

    None where what its rows rest on outside the tree is not as that build recorded it: what questions call
    changed is never taken over.
    """
    found = reuse.find_shards(spec.digest())
    if found is None:
        return None
    with opened_root(job.root.path) as root_fd:
        if any(compare_surroundings(found.around, found.recorded_ns, root_fd)):
            return None
        around = sign_again(found.around, found.recorded_ns, root_fd)
    return Settled(found.entries, found.entries[0].state, found.time, around)


def is_whole(stored: Settled) -> bool:
    """Tell whether nothing that was met when the rows were made calls for making them anew."""
    problems = stored.entries[0].problems
    # Kept rows were marked as such for the inputs of another build; for these inputs they are current.
    return KEPT not in problems and not any(problem.code in _TRANSIENT for problem in problems)


def keep_earlier(job: Job, entry: ManifestEntry) -> Settled:
    """Settle a unit that gave nothing: with the rows that the snapshot in use has of it, if any.

    ``entry`` has no shard and says what went wrong.
    """
    previous = job.previous
    earlier = (
        [
            one
            for one in previous.manifest.entries
            if one.unit == entry.unit and one.file and one.kind == entry.kind
        ]
        if previous is not None
        else []
    )
    if previous is None or not earlier or not _usable(previous, earlier):
        return Settled((entry,), entry.state)
    problems = (*entry.problems, KEPT)
    marked = tuple(
        one._replace(state=entry.state, problems=problems if one.part == 1 else ()) for one in earlier
    )
    return Settled(marked, entry.state, previous.local.times.units.get(marked[0].unit_digest), kept=True)


def _usable(previous: Snapshot, entries: list[ManifestEntry]) -> bool:
    try:
        for entry in entries:
            previous.shard(entry)
    except CodeTrailError:
        return False
    return True
