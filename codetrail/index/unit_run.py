"""Run one unit and store it: a specification in, manifest entries and a row out.

``build_unit`` depends on its arguments alone, so any machine that has the provider can run it, in any order
and number. It never raises for what a provider or a file did: that becomes the state of the unit. This
module must not know other units nor snapshots.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from codetrail.errors import CodeTrailError, DataError, SystemFailure
from codetrail.index.entries import PARTIAL_CODES, entry_of, unit_without_shard
from codetrail.index.plan import PlannedUnit
from codetrail.index.problem_summary import summarise
from codetrail.index.unit_ingest import Extract, FactsWriter, ingest_unit
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers.base import Limits, Progress, RunOutcome, Workspace
from codetrail.providers.run_folder import run_folder
from codetrail.store.manifest import ManifestEntry
from codetrail.store.shard_writer import ShardRecord, ShardWriter
from codetrail.workspace.files import walk
from codetrail.workspace.root import find_root
from codetrail.workspace.surroundings import Surrounding

_NO_OUTPUT = Problem("output_missing", "The provider ended well but left no output.")


class BuiltUnit(NamedTuple):
    """What became of a unit: its entries (one without a shard where it failed), when, how long it took.

    ``read`` is what its rows rest on besides its files and what planning looked at.
    """

    entries: tuple[ManifestEntry, ...]
    finished_ns: int
    seconds: float
    read: tuple[Surrounding, ...] = ()


def build_unit(
    planned: PlannedUnit,
    workspace: Workspace,
    pool: str,
    extract: Extract,
    limits: Limits,
    progress: Progress,
    storing: Callable[[], None],
    keep_scip: Callable[[str], None] | None = None,
) -> BuiltUnit:
    """Run the provider, believe its SCIP only as far as the files on disk allow, and write the shards.

    ``pool`` is the absolute folder of shards; ``storing`` is called when the provider is done;
    ``keep_scip`` is given the path of accepted SCIP. Raises SystemFailure when the disk refuses.
    """
    started = time.monotonic()
    spec = planned.spec
    with run_folder(workspace.root, os.environ) as folder:
        outcome = _run_provider(planned, workspace, folder, limits, progress)
        spec = outcome.unit or spec
        if outcome.scip_path is None:
            return _ended(unit_without_shard(spec, outcome.state, _failure_first(outcome.problems)), started)
        if not os.path.isfile(outcome.scip_path):
            problems = _failure_first((*outcome.problems, _NO_OUTPUT))
            return _ended(unit_without_shard(spec, "failed", problems), started)
        storing()
        if keep_scip is not None:
            keep_scip(outcome.scip_path)
        try:
            report = ingest_unit(
                outcome.scip_path,
                spec,
                workspace.read,
                _opener(spec, pool),
                extract,
                broken=outcome.syntax_errors,
                left_out=outcome.left_out,
                data=outcome.data,
                listed=_listed(workspace, outcome.data),
            )
        except DataError as error:
            problems = _failure_first((*outcome.problems, Problem(error.code, error.message)))
            return _ended(unit_without_shard(spec, "failed", problems), started)
    problems = summarise((*outcome.problems, *report.problems))
    if any(problem.code == "no_documents" for problem in report.problems):
        # Its shards tell nothing that syntax does not; nothing will name them, so ``prune`` takes them.
        return _ended(unit_without_shard(spec, "failed", problems), started)
    partial = outcome.state == "partial" or any(problem.code in PARTIAL_CODES for problem in report.problems)
    records = [shard for shard in report.shards if isinstance(shard, ShardRecord)]
    entries = tuple(
        entry_of(spec, record, part, len(records), "partial" if partial else "built", problems)
        for part, record in enumerate(records, 1)
    )
    return _ended(entries, started)._replace(read=outcome.read)


def _listed(workspace: Workspace, data: tuple[SourceFile, ...]) -> frozenset[str]:
    """Return which of these files ignore rules and the configuration leave in; the walk knows no data."""
    if not data:
        return frozenset()
    wanted = {file.path for file in data}
    listing = walk(find_root(workspace.root), keep=wanted.__contains__, exclude=workspace.settings.exclude)
    return frozenset(file.path for file in listing.files)


def _run_provider(
    planned: PlannedUnit, workspace: Workspace, folder: str, limits: Limits, progress: Progress
) -> RunOutcome:
    """Run the provider; whatever it raises, save that the disk refuses, is a failure of this unit alone."""
    try:
        return planned.provider.run(planned.spec, workspace, planned.tool, folder, limits, progress)
    except SystemFailure:
        raise
    except CodeTrailError as error:
        problem = Problem(error.code, error.message)
    except OSError as error:
        problem = Problem("io_error", "The system refused what the provider needed.", detail=_reason(error))
    except Exception as defect:  # noqa: BLE001 - one provider's defect must not cost other units their rows
        sentence = "The provider failed in a way it did not foresee; this is a defect of CodeTrail."
        problem = Problem("internal_error", sentence, detail=type(defect).__name__)
    return RunOutcome("failed", None, (problem,))


def _failure_first(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Fold the problems of a unit that gave nothing; the last, why it gave nothing, comes first.

    Its files give that as their reason.
    """
    folded = summarise(problems)
    return tuple(sorted(folded, key=lambda one: one.code != problems[-1].code))


def _reason(error: OSError) -> str | None:
    return os.strerror(error.errno) if error.errno else None


def _ended(entries: tuple[ManifestEntry, ...] | ManifestEntry, started: float) -> BuiltUnit:
    found = (entries,) if isinstance(entries, ManifestEntry) else entries
    return BuiltUnit(found, time.time_ns(), time.monotonic() - started)


def _opener(spec: UnitSpec, pool: str) -> Callable[[int, int], FactsWriter[object]]:
    return lambda part, parts: open_writer(spec, pool, part + 1, parts)


def open_writer(spec: UnitSpec, pool: str, part: int = 1, parts: int = 1) -> ShardWriter:
    """Open the writer of one part (from 1) of a unit in the pool."""
    meta: dict[str, str | int] = {
        "unit_digest": spec.digest(),
        "provider": spec.provider,
        "provider_version": spec.provider_version,
        "engine": spec.engine,
        "engine_version": spec.engine_version,
        "part": part,
        "parts": parts,
    }
    return ShardWriter(pool, meta=meta, unit=joining_unit(spec))


def joining_unit(spec: UnitSpec) -> str:
    """Return the text under which symbols without a package name join: repository and unit."""
    return f"{spec.repository}:{spec.name}"
