"""Say which state of each file the rows of a snapshot speak of, for the check of every question.

Mostly that is the file as the build found it. Where rows of an earlier build were kept it is the file as that
build found it, so that a question sees the difference; configuration and environment of their language
likewise. This module must not know how files are compared.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from codetrail.index.job import Job, Settled
from codetrail.index.plan import UNSEEN, BuildPlan
from codetrail.model.units import SourceFile
from codetrail.store.read_documents import documents
from codetrail.workspace.changes import UNREAD, Recorded, RecordedFile
from codetrail.workspace.inputs import concerns, is_input
from codetrail.workspace.inventory import Inventory
from codetrail.workspace.languages import family_of, is_source, language_of
from codetrail.workspace.reading import RACY_NS
from codetrail.workspace.surroundings import Surrounding, is_absence, is_own, look

NEVER = -1
"""A size or time that no file has: what is recorded with it is read at every question."""


def kept_paths(job: Job, settled: Iterable[Settled]) -> frozenset[str]:
    """Return the paths whose rows are those of an earlier build."""
    if job.previous is None:
        return frozenset()
    shards = [job.previous.shard(entry) for unit in settled if unit.kept for entry in unit.entries]
    return frozenset(row.path for shard in shards for row in documents(shard))


def look_around(job: Job, inventory: Inventory, plan: BuildPlan) -> tuple[Surrounding, ...]:
    """Record what answers depend on outside the tree; to be called before anything is run."""
    walked = {folder.path for folder in inventory.listing.folders}
    return tuple(
        one
        for language, paths in plan.surroundings
        for one in look(language, paths, job.root.path, walked, inventory.started_ns)
    )


def look_at_read(job: Job, inventory: Inventory, settled: Iterable[Settled]) -> tuple[Surrounding, ...]:
    """Return what new rows and those taken over rest on besides what ``look_around`` found.

    A source file that ignore rules leave out and that was read may get a sibling that would be read too, so
    its folder counts.
    """
    walked = {folder.path for folder in inventory.listing.folders}
    found = [one for unit in settled if not unit.kept for one in unit.around]
    folders: dict[str, set[str]] = {}
    for one in found:
        if is_own(one.path) and is_source(one.path) and not is_absence(one.digest):
            folder = os.path.join(job.root.path, os.path.dirname(one.path))
            folders.setdefault(one.language, set()).add(folder)
    for language, paths in folders.items():
        found += look(language, paths, job.root.path, walked, inventory.started_ns)
    return tuple(found)


def make_record(
    job: Job, inventory: Inventory, kept: frozenset[str], surroundings: tuple[Surrounding, ...]
) -> Recorded:
    """Return what the side file records of the tree and of what was found outside it.

    Of surroundings with one path the first counts, and each that says what is not there.
    """
    single = {
        (one.language, one.path, one.digest if is_absence(one.digest) else ""): one
        for one in reversed(surroundings)
    }
    surroundings = tuple(single.values())
    files = {file.path: file for file in inventory.files}
    found = {file.path: file for file in inventory.listing.files}
    for path, state in inventory.unreadable:
        if state == "unreadable" and path in found:
            # As long as nobody touches it, it is as unreadable as it was: its row says so, and not a change.
            files[path] = RecordedFile(*found[path], UNREAD)
        elif state in UNSEEN:
            files[path] = RecordedFile(path, NEVER, NEVER, NEVER, 0, UNREAD)
    if kept and job.previous is not None:
        earlier = job.previous.local.recorded()
        languages = {one for path in kept for one in family_of(language_of(path) or "")}
        racy_from = earlier.started_ns - RACY_NS
        for file in earlier.files:
            if file.path in kept or _is_input_of(file.path, languages):
                racy = file.mtime_ns >= racy_from or file.ctime_ns >= racy_from
                files[file.path] = file._replace(mtime_ns=NEVER) if racy else file
        around = [one for one in surroundings if one.language not in languages]
        for one in earlier.surroundings:
            if one.language in languages:
                racy = one.mtime_ns >= racy_from or one.ctime_ns >= racy_from
                around.append(one._replace(mtime_ns=NEVER) if racy else one)
        surroundings = tuple(around)
    listing = inventory.listing
    ordered = tuple(files[path] for path in sorted(files, key=os.fsencode))
    return Recorded(
        ordered,
        listing.folders,
        listing.ignore_files,
        inventory.started_ns,
        surroundings=surroundings,
    )


def _is_input_of(path: str, languages: set[str]) -> bool:
    return is_input(path) and any(concerns(path, language) for language in languages)


def uncovered(
    plan_uncovered: Iterable[tuple[SourceFile, str]],
    units: Iterable[tuple[tuple[SourceFile, ...], Settled]],
    kept: frozenset[str],
) -> list[tuple[SourceFile, str]]:
    """Return every source file that no shard of a unit describes, with the reason.

    ``units`` are the planned units' files with what became of them.
    """
    found = [(file, reason) for file, reason in plan_uncovered if file.path not in kept]
    for files, settled in units:
        if settled.has_rows and not settled.kept:
            continue
        problems = settled.entries[0].problems
        reason = problems[0].code if problems else settled.state
        found += [(file, reason) for file in files if file.path not in kept]
    return found
