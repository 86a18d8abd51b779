"""Take a SCIP index that was made elsewhere into the snapshot, or drop one that was.

An import is a build that starts no provider: everything that is indexed stays, and one unit comes or goes.
The file is decoded in a process of its own (``import_decoder``). Where nothing of it can be used, nothing is
published. Which files the unit answers for is ``imported_units``' business.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from collections.abc import Sequence

from codetrail.errors import CodeTrailError, DataError, SystemFailure, UsageError
from codetrail.index.build import build
from codetrail.index.import_task import Decoded, ImportTask, read_outcome, write_task
from codetrail.index.imported_units import (
    UNUSED,
    admissible,
    earlier_imports,
    packages_defined,
)
from codetrail.index.job import Job, Settled
from codetrail.index.plan import BuildPlan
from codetrail.model.answers import Note
from codetrail.model.counting import counted
from codetrail.model.reports import BuildOptions, BuildReport, ImportReport, ImportRow
from codetrail.providers.base import Limits
from codetrail.providers.process import run
from codetrail.providers.programs import child_environment
from codetrail.providers.run_folder import run_folder
from codetrail.scip.reader import look_at_start
from codetrail.store.local_facts import UnitTime
from codetrail.store.manifest import IMPORT, PREFERRED
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.inventory import Inventory

_COMPRESSED = (
    (b"\x1f\x8b", "gzip", "gunzip"),
    (b"\x28\xb5\x2f\xfd", "Zstandard", "unzstd"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ\0", "xz", "unxz"),
    (b"PK\x03\x04", "zip", "unzip"),
)
_CHUNK = 1 << 20
_SECONDS, _SECONDS_A_MIB = 600.0, 1.0
_MEMORY = 2 << 30


class _NothingStored(Exception):
    """No document of the file is of a file of the workspace, so there is nothing to publish."""

    def __init__(self, decoded: Decoded) -> None:
        super().__init__()
        self.decoded = decoded


class _Import:
    """One import on its way into a build."""

    def __init__(self, typed: str, folder: str | None, prefer: bool) -> None:
        self._typed = typed
        self._folder = folder
        self._prefer = prefer
        self._started = time.monotonic()
        self.path, self.size, self.sha256 = _looked_at(typed)
        self.decoded: Decoded | None = None
        self.unit: Settled | None = None
        self.replaced = False

    def units(
        self, job: Job, inventory: Inventory, plan: BuildPlan, settled: Sequence[Settled]
    ) -> tuple[list[Settled], tuple[Note, ...]]:
        """Decode the file and return the imported units with it; one of the same tool and folder goes."""
        files, others = admissible(plan, inventory)
        task = ImportTask(
            self.path,
            self.sha256,
            job.root.path,
            self._folder,
            job.settings.repository_id,
            job.folder.pool,
            files,
            others,
            () if self._prefer else tuple(sorted(packages_defined(settled))),
        )
        self.decoded = _decoded(task, self.size)
        if _looked_at(self._typed)[2] != self.sha256:
            raise DataError("The file changed while it was being read.", hint="import it again")
        if not self.decoded.stored:
            raise _NothingStored(self.decoded)
        preferred = {PREFERRED: True} if self._prefer else {}
        entries = tuple(
            entry._replace(attachments={**entry.attachments, **preferred}) for entry in self.decoded.entries
        )
        when = UnitTime(time.time_ns(), time.monotonic() - self._started)
        self.unit = Settled(entries, entries[0].state, when, ran=True)
        earlier, notes = earlier_imports(job)
        others_kept = [unit for unit in earlier if unit.entries[0].unit != entries[0].unit]
        self.replaced = len(others_kept) < len(earlier)
        return [self.unit, *others_kept], notes


def import_scip(root_path: str, typed: str, folder: str | None, prefer: bool) -> ImportReport:
    """Import the SCIP file at ``typed`` into the workspace at ``root_path`` (absolute).

    ``folder`` is the root-relative one that its paths are below (None: as the file says, if it was made in
    this workspace, else the root); ``prefer`` lets it go before providers. Raises DataError ``scip_invalid``
    for what is no SCIP index, SystemFailure for what cannot be read, and as ``build`` does; what was in use
    stays in use then, and also where no document of it is of a file of the workspace (exit status 2).
    """
    one = _Import(typed, folder, prefer)
    try:
        report = build(root_path, BuildOptions(no_semantic=True), lambda _: None, one.units)
    except _NothingStored as nothing:
        row = _row(nothing.decoded, one.size, "refused")
        return ImportReport((row,), (_nothing(nothing.decoded),), 2)
    assert one.decoded is not None
    row = _row(one.decoded, one.size, "replaced" if one.replaced else "stored")
    return ImportReport((_as_placed(row, one, report),), _own_notes(report), 0)


def remove_import(root_path: str, name: str) -> ImportReport:
    """Drop an imported unit, by the name that status shows.

    Raises UsageError, IndexUnavailable ``index_missing`` where nothing is indexed, and as ``build`` does.
    """
    open_snapshot(root_path).close()

    def without(
        job: Job,
        inventory: Inventory,  # noqa: ARG001
        plan: BuildPlan,  # noqa: ARG001
        settled: Sequence[Settled],  # noqa: ARG001
    ) -> tuple[list[Settled], tuple[Note, ...]]:
        units, notes = earlier_imports(job)
        left = [unit for unit in units if unit.entries[0].unit != name]
        gone.extend(unit for unit in units if unit.entries[0].unit == name)
        if not gone:
            raise UsageError("There is no imported unit of that name.", code="invalid_argument", hint=_LIST)
        return left, notes

    gone: list[Settled] = []
    report = build(root_path, BuildOptions(no_semantic=True), lambda _: None, without)
    first = gone[0].entries[0]
    row = ImportRow(
        provider=first.provider,
        engine=first.engine,
        version=first.engine_version,
        root=first.root,
        state="removed",
        dropped=sum(entry.documents for entry in gone[0].entries),
    )
    return ImportReport((row,), _own_notes(report), 0)


_LIST = "codetrail index status"


def _looked_at(typed: str) -> tuple[str, int, str]:
    """Return the real path of the file, its size and the digest of its bytes.

    Raises SystemFailure ``io_error`` where it cannot be read, DataError where it is compressed or does not
    begin as an index does.
    """
    try:
        path = os.path.realpath(typed)
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else "no path"
        raise SystemFailure(f"The SCIP file cannot be opened: {reason}.", hint=_USAGE) from error
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise SystemFailure("What was named is no regular file.", hint=_USAGE)
    with os.fdopen(handle, "rb") as file:
        try:
            head = file.read(8)
            for magic, name, program in _COMPRESSED:
                if head.startswith(magic):
                    raise DataError(f"The file is compressed ({name}).", hint=f"{program} it, then import it")
            # Before all of it is read: of a large file that takes long.
            look_at_start(file.fileno())
            digest = hashlib.sha256(head)
            while piece := file.read(_CHUNK):
                digest.update(piece)
        except OSError as error:
            raise SystemFailure("The SCIP file cannot be read.") from error
    return path, status.st_size, digest.hexdigest()


_USAGE = "codetrail index import FILE.scip"


def _decoded(task: ImportTask, size: int) -> Decoded:
    """Run the decoder on a task. Raises what it raised; SystemFailure and DataError for its limits."""
    limits = Limits(
        seconds=_SECONDS + _SECONDS_A_MIB * (size >> 20),
        memory_bytes=min(_MEMORY + size, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4),
    )
    with run_folder(task.root, os.environ) as folder:
        given, answer = (os.path.join(folder, name) for name in ("task.json", "answer.json"))
        with open(given, "xb") as file:
            file.write(write_task(task))
        program = [sys.executable, "-I", "-m", "codetrail.index.import_decoder", given, answer]
        ended = run(program, cwd=folder, env=child_environment(os.environ, task.root), limits=limits)
        if ended.state == "timed_out":
            raise SystemFailure("The index could not be decoded in time.", code="timed_out")
        if ended.state == "memory":
            raise DataError("The index needs more memory than it may.", hint="import its parts one by one")
        if ended.state == "interrupted":
            raise KeyboardInterrupt
        if ended.state == "signal":
            raise DataError("The decoder crashed on this file.")
        if ended.state != "ok":
            said = RuntimeError(ended.stderr.text)
            raise CodeTrailError("The decoder failed in a way it did not foresee.") from said
        with open(answer, "rb") as file:
            return read_outcome(file.read())


def _row(decoded: Decoded, size: int, state: str) -> ImportRow:
    return ImportRow(
        provider=decoded.entries[0].provider if decoded.entries else "",
        engine=decoded.tool,
        version=decoded.version,
        root=decoded.folder,
        state=state,
        read_bytes=size,
        read=decoded.read,
        stored=decoded.stored,
        occurrences=decoded.occurrences,
        skipped=tuple(sorted(decoded.skipped.items())),
    )


def _as_placed(row: ImportRow, one: _Import, report: BuildReport) -> ImportRow:
    """Add what the build made of the unit: how many of its documents are used, and why others are not."""
    assert one.unit is not None
    key = (row.provider, row.root, IMPORT)
    found = next(unit for unit in report.rows if (unit.provider, unit.root, unit.origin) == key)
    unused = tuple((problem.code, problem.times) for problem in found.problems if problem.code in UNUSED)
    told = tuple(problem for problem in found.problems if problem.code not in UNUSED)
    return row._replace(used=found.documents, unused=unused, problems=told)


def _own_notes(report: BuildReport) -> tuple[Note, ...]:
    return tuple(note for note in report.notes if note.code == "import_lost")


def _nothing(decoded: Decoded) -> Note:
    if not decoded.read:
        return Note("nothing_stored", "The index holds no document; nothing was changed.")
    return Note(
        "nothing_stored",
        counted(decoded.read, f"[The one document|None of the {decoded.read} documents] of the index is")
        + counted(decoded.read, "[ not|] of a source file as it stands here; nothing was changed. ")
        + "Paths in it are relative to what --root names.",
    )
