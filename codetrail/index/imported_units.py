"""Decide which unit answers for each file where an index that was made elsewhere was imported.

No file is answered for by two engines. A provider of this machine owns the files of which it knows the
present text precisely, imported documents serve the others; an import that is preferred turns that round.
What does not serve is masked, not removed, so that each build decides anew. How a file is decoded must not be
known here.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from codetrail.errors import CodeTrailError
from codetrail.index.job import Job, Settled
from codetrail.index.plan import EXCLUDED, TOO_LARGE, UNSEEN, BuildPlan, source_files
from codetrail.model.answers import Note
from codetrail.model.counting import counted
from codetrail.model.facts import DOC_STATES, SYM_DEFINED
from codetrail.model.units import Problem, SourceFile
from codetrail.providers.registry import name_for
from codetrail.store.manifest import IMPORT, OCCURRENCES, PREFERRED, ManifestEntry
from codetrail.store.packages import PackageKey, package_key
from codetrail.store.read_documents import DocumentRow, documents, path_of
from codetrail.store.read_symbols import SymbolRow, all_symbols, definitions
from codetrail.store.shard_reader import Shard, open_shard
from codetrail.workspace.inventory import Inventory
from codetrail.workspace.languages import EMBEDDED_SCRIPT

OUTDATED = "import_outdated"
_PAGE = 1000
_PRECISE = DOC_STATES.index("precise")
SERVED = "served_by_import"
MIXED = "engines_mixed"
_BARRED = {
    EXCLUDED: EXCLUDED,
    TOO_LARGE: TOO_LARGE,
    EMBEDDED_SCRIPT: "document_not_source",
    **dict.fromkeys(UNSEEN.values(), "unreadable"),
}
"""Why a file that stands in the workspace may not be served, and what is said of its document."""
_SENTENCES = {
    "covered_by_provider": "documents are not used, because a provider of this machine covers their files",
    "covered_by_import": "documents are not used, because another import covers their files",
    OUTDATED: "documents are not used, because their files changed since they were imported",
    "file_gone": "documents are not used, because their files are gone or left out now",
    "package_defined_here": "documents are not used, because a unit of this machine defines their package",
    SERVED: "files of this unit are answered for by an imported index",
    MIXED: "files are answered for by an imported index, whose symbols may not join those of this unit",
}
UNUSED = frozenset(_SENTENCES) - {SERVED, MIXED}
"""Codes of problems that count documents of an import that are stored and not used."""
_SERVES, _NOTHING = "", "nothing"
"""Verdicts on a document besides the reasons above: it serves; ingestion found nothing precise in it."""


class Placed(NamedTuple):
    """The units of a build and the imported ones, with masks set.

    ``served`` are files that imports answer for; ``outdated`` are files that have no rows because they
    changed since their import; ``plan`` leaves out what is served from the files that no unit owns.
    """

    settled: list[Settled]
    imported: list[Settled]
    plan: BuildPlan
    served: frozenset[str] = frozenset()
    outdated: frozenset[str] = frozenset()


def admissible(plan: BuildPlan, inventory: Inventory) -> tuple[tuple[SourceFile, ...], dict[str, str]]:
    """Return the source files that an import may serve, and the others with the reason."""
    others = {file.path: _BARRED[reason] for file, reason in plan.uncovered if reason in _BARRED}
    return tuple(file for file in source_files(inventory) if file.path not in others), others


def earlier_imports(job: Job) -> tuple[list[Settled], tuple[Note, ...]]:
    """Return the imported units of the snapshot in use, and a note on those that cannot be read any more."""
    previous = job.previous
    units: dict[str, list[ManifestEntry]] = {}
    for entry in previous.manifest.entries if previous is not None else ():
        if entry.origin == IMPORT and entry.file:
            units.setdefault(entry.unit, []).append(entry)
    found, lost = [], 0
    for entries in units.values():
        assert previous is not None
        try:
            for entry in entries:
                previous.shard(entry)
        except CodeTrailError:
            lost += 1
            continue
        time = previous.local.times.units.get(entries[0].unit_digest)
        found.append(Settled(tuple(entries), "reused", time))
    sentence = f"{lost} imported [unit|units] cannot be read any more; import [it|them] again."
    notes = (Note("import_lost", counted(lost, sentence)),)
    return found, notes if lost else ()


def keep_imports(
    job: Job,
    inventory: Inventory,  # noqa: ARG001
    plan: BuildPlan,  # noqa: ARG001
    settled: Sequence[Settled],  # noqa: ARG001
) -> tuple[list[Settled], tuple[Note, ...]]:
    """Return what a build does with imported units: it keeps those of the snapshot in use."""
    return earlier_imports(job)


def with_reasons(
    uncovered: Sequence[tuple[SourceFile, str]], outdated: Collection[str]
) -> list[tuple[SourceFile, str]]:
    """Return the files without rows, those in ``outdated`` with that as their reason."""
    return [(file, OUTDATED if file.path in outdated else reason) for file, reason in uncovered]


def packages_defined(units: Sequence[Settled]) -> frozenset[PackageKey]:
    """Return the packages, of those with a name, whose symbols these units define."""
    return frozenset(
        package
        for unit in units
        for entry in unit.entries
        if entry.kind == OCCURRENCES
        for package in entry.packages_defined
        if package.name
    )


def place_imports(
    job: Job, inventory: Inventory, plan: BuildPlan, settled: Sequence[Settled], imported: Sequence[Settled]
) -> Placed:
    """Set the masks of all units; of several imports the first in ``_order`` serves a file.

    Raises IndexUnusable where a shard cannot be read.
    """
    # What another snapshot masked says nothing of this one.
    settled = [_masked(unit, {}) for unit in settled]
    if not imported:
        return Placed(settled, [], plan)
    now = {file.path: bytes.fromhex(file.sha256) for file in admissible(plan, inventory)[0]}
    local = packages_defined(settled)
    covered = frozenset(
        row.path
        for unit in settled
        for _, row in _rows(job, unit)
        if row.state == _PRECISE and now.get(row.path) == row.sha256
    )
    served: set[str] = set()
    outdated: set[str] = set()
    placed = []
    for unit in sorted(imported, key=_order):
        preferred = _is_preferred(unit)
        barred = frozenset[str]() if preferred else _defining(job, unit, local)
        verdicts: dict[str, dict[str, str]] = {}
        for entry, row in _rows(job, unit):
            verdict = _verdict(row, now, served, frozenset() if preferred else covered, barred)
            if verdict == _SERVES:
                served.add(row.path)
                continue
            verdicts.setdefault(entry.file, {})[row.path] = verdict
            if verdict == OUTDATED:
                outdated.add(row.path)
        placed.append(_masked(unit, verdicts))
    return Placed(
        [_giving_way(job, unit, plan, served, placed) for unit in settled],
        sorted(placed, key=lambda unit: unit.entries[0].order),
        plan._replace(uncovered=tuple(one for one in plan.uncovered if one[0].path not in served)),
        frozenset(served),
        frozenset(outdated - covered - served),
    )


def _order(unit: Settled) -> tuple[bool, int, str]:
    """Order imports: those that go before providers first, then the newest."""
    return not _is_preferred(unit), -(unit.time.indexed_ns if unit.time else 0), unit.entries[0].unit


def _is_preferred(unit: Settled) -> bool:
    return bool(unit.entries[0].attachments.get(PREFERRED))


def _verdict(
    row: DocumentRow,
    now: Mapping[str, bytes],
    served: Collection[str],
    covered: Collection[str],
    barred: Collection[str],
) -> str:
    """Return why an imported document is not used, or that it serves; ``now`` are the hashes of files."""
    if row.state != _PRECISE:
        return _NOTHING
    if row.path not in now:
        return "file_gone"
    if now[row.path] != row.sha256:
        return OUTDATED
    if row.path in served:
        return "covered_by_import"
    if row.path in covered:
        return "covered_by_provider"
    return "package_defined_here" if row.path in barred else _SERVES


def _rows(job: Job, unit: Settled) -> Iterator[tuple[ManifestEntry, DocumentRow]]:
    for entry in unit.entries:
        if entry.file:
            with closing(_open(job, entry)) as shard:
                for row in documents(shard):
                    yield entry, row


def _open(job: Job, entry: ManifestEntry) -> Shard:
    return open_shard(os.path.join(job.folder.pool, entry.file))


def _defining(job: Job, unit: Settled, packages: frozenset[PackageKey]) -> frozenset[str]:
    """Return the documents of an import that define symbols of these packages."""
    found: set[str] = set()
    for entry in unit.entries:
        if not packages & set(entry.packages_defined):
            continue
        with closing(_open(job, entry)) as shard:
            for symbol in _symbols(shard):
                if symbol.package and symbol.flags & SYM_DEFINED and package_key(symbol.package) in packages:
                    found.update(path_of(shard, one.doc) for one in definitions(shard, symbol.id))
    return frozenset(found)


def _symbols(shard: Shard) -> Iterator[SymbolRow]:
    after = 0
    while page := all_symbols(shard, after=after, limit=_PAGE):
        yield from page
        after = page[-1].id


def _masked(unit: Settled, verdicts: Mapping[str, Mapping[str, str]]) -> Settled:
    """Return a unit that masks, by shard, these documents, and says how many for which reason."""
    times = Counter(verdict for one in verdicts.values() for verdict in one.values() if verdict != _NOTHING)
    entries = [
        entry._replace(masked=tuple(sorted(verdicts.get(entry.file, ())))) if entry.file else entry
        for entry in unit.entries
    ]
    problems = [one for one in entries[0].problems if one.code not in _SENTENCES]
    problems += [Problem(code, _SENTENCES[code], times=count) for code, count in sorted(times.items())]
    entries[0] = entries[0]._replace(problems=tuple(problems))
    return unit._replace(entries=tuple(entries))


def _giving_way(
    job: Job, unit: Settled, plan: BuildPlan, served: Collection[str], imported: Sequence[Settled]
) -> Settled:
    """Return a unit of a provider that leaves to imports what they serve.

    A unit without rows counts only the files that are left to it. One that keeps some says so where its
    symbols are of another scheme than those of the imports: they do not join.
    """
    if unit.has_rows:
        hidden: dict[str, dict[str, str]] = {}
        left = False
        for entry, row in _rows(job, unit):
            if row.path in served:
                hidden.setdefault(entry.file, {})[row.path] = SERVED
            left = left or (row.path not in served and row.state == _PRECISE)
        masked = _masked(unit, hidden)
        if not hidden or not left or _schemes(unit) & {one for other in imported for one in _schemes(other)}:
            return masked
        return _mixed(masked, sum(map(len, hidden.values())))
    first = unit.entries[0]
    taken = sum(path in served for path in _files_of(first, plan))
    if not taken:
        return unit
    problem = Problem(SERVED, _SENTENCES[SERVED], times=taken)
    entry = first._replace(files=max(0, first.files - taken), problems=(*first.problems, problem))
    return unit._replace(entries=(entry,))


def _schemes(unit: Settled) -> frozenset[str]:
    return frozenset(
        package.scheme
        for entry in unit.entries
        for package in (*entry.packages_defined, *entry.packages_mentioned)
    )


def _mixed(unit: Settled, times: int) -> Settled:
    """Return a unit that says that another engine answers for some of its files."""
    first = unit.entries[0]
    problem = Problem(MIXED, _SENTENCES[MIXED], times=times)
    return unit._replace(entries=(first._replace(problems=(*first.problems, problem)), *unit.entries[1:]))


def _files_of(entry: ManifestEntry, plan: BuildPlan) -> Iterator[str]:
    """Yield the files of a unit without rows: those planned, or those that wait for a missing engine."""
    for planned in plan.units:
        if planned.spec.name == entry.unit:
            yield from (file.path for file in planned.spec.files)
            return
    codes = {problem.code for problem in entry.problems}
    for file, reason in plan.uncovered:
        if reason in codes and name_for(file.language) == entry.provider:
            yield file.path
