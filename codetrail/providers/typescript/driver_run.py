"""Run the TypeScript driver over the unit, and where it cannot take it whole, over its projects in groups.

One project that is too large or that kills the engine must not cost another's rows: when a run dies, its
projects are run in halves, down to single ones, and what the runs wrote is joined. This module must not know
how the engine was found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from codetrail.errors import CodeTrailError
from codetrail.model.counting import counted
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers.acceptance import (
    HEAP_FAILURE,
    accept,
    accept_joined,
    failure_of,
    hidden_folders,
    is_heap_failure,
)
from codetrail.providers.base import Limits, Progress, RunOutcome
from codetrail.providers.events import Done
from codetrail.providers.node_driver import write_request
from codetrail.providers.node_run import Around, DriverRun, heap_mib, run_in_heap
from codetrail.providers.node_runtime import Node, memory_mib
from codetrail.providers.read_files import ReadFile, merge, surroundings_of
from codetrail.providers.typescript.engine import (
    IMPORTS_MISSED,
    NAME,
    SENTENCES,
    TypeScript,
    driver_command,
    empty_request,
)
from codetrail.providers.typescript.projects import EXTENDS, Projects
from codetrail.scip.document_paths import is_portable
from codetrail.scip.joining import append_index
from codetrail.workspace.languages import DATA
from codetrail.workspace.surroundings import ABSENT, NEVER, Surrounding

INFERRED = "(inferred)"
"""The label of the files that no configuration lists; a plan does not name it."""
_HEAP_MIB_A_FILE = 2.7
"""Measured: from 300 MB for 180 files to 1,300 MB for 440, dependencies' declarations included."""


def make_request(unit: UnitSpec, typescript: TypeScript, root: str, projects: Projects) -> dict[str, object]:
    """Return the driver's request for a unit: the only place where its absolute paths are written down."""
    request = empty_request(typescript, root)
    request["files"] = [file.path for file in sorted(unit.files, key=lambda file: os.fsencode(file.path))]
    request["configs"] = list(projects.configs)
    request["manifests"] = list(projects.manifests)
    return request


def run_driver(
    unit: UnitSpec,
    request: Mapping[str, object],
    node: Node,
    typescript: TypeScript,
    root: str,
    env: Mapping[str, str],
    folder: str,
    limits: Limits,
    progress: Progress,
) -> RunOutcome:
    """Run the unit in the private ``folder``; the SCIP file is in the outcome only if it may be believed.

    The time-out covers all runs together.
    """
    around = Around(root, env, folder, SENTENCES, memory_mib())
    runs = _Runs(unit, request, node, around, limits, progress)
    hide = hidden_folders(root, folder, typescript.folder)
    output = os.path.join(folder, "index.scip")
    first = runs.run(None, output)
    if _died(first) and first.events.projects:
        return _in_groups(runs, first, output, hide)
    files = (file.path for file in unit.files)
    data = _data(root, first.events.read)
    state, problems = accept(output, files, first.result, first.events, hide, (one.path for one in data))
    accepted = output if state in ("built", "partial") else None
    problems = (*problems, *_missed_imports([first.events.done]))
    broken = frozenset(first.events.broken)
    return RunOutcome(
        state,
        accepted,
        problems,
        runs.seconds,
        syntax_errors=broken,
        left_out=first.events.left_out,
        read=_besides(runs, first.events.read),
        data=data,
    )


@dataclass(slots=True)
class _Runs:
    """The runs over one unit: what they share, and the time they have used up."""

    unit: UnitSpec
    request: Mapping[str, object]
    node: Node
    around: Around
    limits: Limits
    progress: Progress
    seconds: float = 0.0
    number: int = field(default=0)

    def run(self, only: Sequence[str] | None, output: str) -> DriverRun:
        """Run the projects labelled ``only`` (None: all) and write ``output``."""
        self.number += 1
        request = {**self.request, "only": None if only is None else list(only)}
        path = write_request(request, self.around.folder, f"REQUEST-{self.number}.json")

        def command(heap: int) -> list[str]:
            return driver_command(self.node, heap, self.around.folder, "--request", path, "--output", output)

        heap = heap_mib(len(self.unit.files), self.around.memory, _HEAP_MIB_A_FILE)
        left = self.limits._replace(seconds=max(1.0, self.limits.seconds - self.seconds))
        ran = run_in_heap(command, output, heap, self.around, left, self.progress)
        self.seconds += ran.seconds
        return ran

    @property
    def out_of_time(self) -> bool:
        """Tell whether the runs have used up what all of them together may take."""
        return self.seconds >= self.limits.seconds


def _died(ran: DriverRun) -> bool:
    """Tell whether the engine itself was brought down, so that a smaller part may fare better."""
    return ran.result.state in ("exit", "signal", "memory") and ran.events.failed is None


def _in_groups(runs: _Runs, first: DriverRun, output: str, hide: Sequence[str]) -> RunOutcome:
    """Run halves of the projects, halving again what dies; join what may be believed."""
    waiting = _halves((*first.events.projects, INFERRED))
    problems: list[Problem] = []
    broken: set[str] = set()
    left_out: dict[str, str] = {}
    read: dict[str, ReadFile] = {}
    seen: set[str] = set()
    said: list[Done | None] = []
    part = f"{output}.part"
    with open(output, "wb") as joined:
        while waiting and not runs.out_of_time:
            group = waiting.pop()
            if os.path.lexists(part):
                os.unlink(part)
            ran = runs.run(group, part)
            failure = failure_of(ran.result, ran.events, hide)
            if failure is None:
                failure = _append(joined, part, seen, ran)
            if failure is None:
                problems += ran.events.problems()
                said.append(ran.events.done)
                broken |= ran.events.broken
                left_out |= ran.events.left_out
                merge(read, ran.events.read)
            elif failure.code == "interrupted":
                return RunOutcome("failed", None, (failure,), runs.seconds)
            elif len(group) > 1 and _died(ran):
                waiting += _halves(group)
            else:
                problems += [_lost(label, ran, failure) for label in group]
    problems += [_unreached(label) for group in waiting for label in group]
    data = _data(runs.around.root, read)
    files, others = (file.path for file in runs.unit.files), (one.path for one in data)
    problems += _missed_imports(said)
    state, found = accept_joined(output, files, len(seen), problems, others)
    accepted = output if state in ("built", "partial") else None
    return RunOutcome(
        state,
        accepted,
        found,
        runs.seconds,
        syntax_errors=frozenset(broken),
        left_out=left_out,
        read=_besides(runs, read),
        data=data,
    )


def _missed_imports(said: Sequence[Done | None]) -> list[Problem]:
    """Return the problem that says how many imports found no module, of how many; none where all did."""
    imports = sum(done.imports for done in said if done is not None)
    missed = sum(done.missed for done in said if done is not None)
    if not missed or missed > imports:
        return []
    sentence = f"{missed} of {imports} [import|imports] found no module ({missed / imports:.1%})."
    return [Problem(IMPORTS_MISSED, counted(imports, sentence), times=missed)]


def _besides(runs: _Runs, read: Mapping[str, ReadFile]) -> tuple[Surrounding, ...]:
    """Return what was read besides the files and inputs of the unit."""
    known = {file.path for file in runs.unit.files}
    known.update(path for path, _ in runs.unit.inputs)
    known.update(fact.removeprefix(EXTENDS) for fact, _ in runs.unit.environment if fact.startswith(EXTENDS))
    return surroundings_of(NAME, read, runs.around.root, known)


def _halves(labels: Sequence[str]) -> list[Sequence[str]]:
    """Return two halves, the first of them last."""
    middle = len(labels) // 2
    return [labels[middle:], labels[:middle]]


def _data(root: str, read: Mapping[str, ReadFile]) -> tuple[SourceFile, ...]:
    """Return the JSON modules of the workspace, as they were read: the names in them have places there."""
    start = root.rstrip("/") + "/"
    return tuple(
        SourceFile(path[len(start) :], file.digest, 0, DATA)
        for path, file in sorted(read.items())
        if path.startswith(start)
        and path.endswith(".json")
        and "/node_modules/" not in path
        and file.digest not in (ABSENT, NEVER)
        and is_portable(path[len(start) :])
    )


def _append(joined: BinaryIO, part: str, seen: set[str], ran: DriverRun) -> Problem | None:
    """Append what a run wrote, files that another run had left out; return why it may not be believed.

    Files that belong to no project are taken along by whichever project reaches them.
    """
    try:
        with open(os.devnull, "wb") as nowhere:
            written = append_index(nowhere, part, set())
    except CodeTrailError as error:
        return Problem(error.code, "The engine's output cannot be read as SCIP.")
    assert ran.events.done is not None
    if written != ran.events.done.documents:
        return Problem("documents_differ", "The engine wrote another number of documents than it said.")
    append_index(joined, part, seen)
    return None


def _lost(label: str, ran: DriverRun, failure: Problem) -> Problem:
    """Say that a project has no rows, and why: its heap, or what its run ended with."""
    if is_heap_failure(ran.result):
        return HEAP_FAILURE._replace(path=label)
    if ran.result.state == "timed_out":
        return _unreached(label)
    if failure.code in ("documents_differ", "scip_invalid"):
        return failure._replace(path=label)
    return Problem("project_failed", SENTENCES["project_failed"], label, detail=failure.detail)


def _unreached(label: str) -> Problem:
    return Problem("timed_out", "The engine did not end within the time allowed.", label)
