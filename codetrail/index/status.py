"""Say what is indexed, by which provider, how fresh it is, and whether a build is running.

Reads the manifest, the side file and the disk, and opens every shard as a question does, so that what could
not answer is never called well. This module must not know what a question is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from codetrail.errors import CodeTrailError, IndexUnavailable
from codetrail.index.language_shares import shares
from codetrail.index.passed_over import passed_over
from codetrail.index.unit_rows import unit_row, utc
from codetrail.model.answers import Coverage, Note, Reason
from codetrail.model.counting import counted
from codetrail.model.facts import DOC_SYNTAX_ERRORS
from codetrail.model.reports import LanguageShare, StatusReport, SummaryRow, UnitRow
from codetrail.model.units import UNIT_STATES
from codetrail.store import manifest
from codetrail.store.build_lock import building
from codetrail.store.local_facts import LocalFacts
from codetrail.store.manifest import ManifestEntry
from codetrail.store.read_documents import imprecise_documents
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import Snapshot, open_snapshot, verify_shard
from codetrail.workspace.changes import Changes, compare
from codetrail.workspace.config import load_settings
from codetrail.workspace.files import walk
from codetrail.workspace.inputs import is_watched
from codetrail.workspace.languages import EMBEDDED_SCRIPT, family_of, is_source, language_of
from codetrail.workspace.root import Root, find_root

LEAST_SHARE = 0.8
"""Below this share of identifier tokens with a precise occurrence a unit is remarked upon (python.md §6)."""
BROKEN = "syntax_errors"
"""The reason that only who writes the code can mend."""
_SAMPLE = 5
_BUILD = ("codetrail", "index", "build")
_DOCTOR = ("codetrail", "index", "doctor")
_REBUILT = ("inputs_changed", "environment_changed")
_BAD = ("failed", "timed_out", "untrusted", "skipped", "partial")


def status(root_path: str, summary: bool, check: bool) -> StatusReport:
    """Report on the snapshot in use in the workspace at ``root_path`` (absolute).

    ``check`` makes the exit status 6 where the index does not match the files. Raises IndexUnavailable
    ``index_missing``; IndexUnusable where the index or one of its shards is missing, damaged, of another
    format or not ours.
    """
    root = find_root(root_path)
    with closing(_opened(root.path)) as snapshot:
        changes = compare(root, snapshot.local.recorded(), keep=is_watched)
        rows = _unit_rows(snapshot.manifest.entries, snapshot.local)
        notes = [*_remarks(rows), *_passed_over(root), *_running(root.path)]
        coverage = judge(rows, changes, *_marked(snapshot))
        languages = shares(snapshot) if summary else ()
    shown: tuple[UnitRow | SummaryRow, ...] = rows
    if summary:
        shown = (_summary(snapshot.key, snapshot.manifest.entries, rows, changes, snapshot.local, languages),)
    return StatusReport(shown, tuple(notes), coverage, 6 if check and not changes.none else 0)


def judge(
    rows: Sequence[UnitRow], changes: Changes, broken: Sequence[str] = (), embedding: Sequence[str] = ()
) -> Coverage:
    """Judge the whole workspace: what is missing from precise answers, and what to type (contract §4).

    ``broken`` are the files that had syntax errors when they were indexed, ``embedding`` those whose scripts
    no provider looks at.
    """
    reasons: list[Reason] = []
    for code, paths, sentence in (
        ("files_changed", (*changes.changed, *changes.deleted), "Files changed since they were indexed."),
        ("files_new", changes.new, "Files are new since the index was built."),
        ("files_ignored", changes.ignored, "Indexed files are now left out by ignore rules."),
    ):
        sources = [path for path in paths if is_source(path)]
        if sources:
            reasons.append(Reason(code, sentence, times=len(sources), paths=tuple(sources[:_SAMPLE])))
    differing = (*changes.changed, *changes.deleted, *changes.new)
    inputs = sorted({path for path in differing if not is_source(path)} | {path for _, path in changes.read})
    if inputs:
        sentence = "Configuration, lock files or others that were read changed since the index was built."
        reasons.append(Reason("inputs_changed", sentence, times=len(inputs), paths=tuple(inputs[:_SAMPLE])))
    for language in changes.surroundings:
        sentence = "The environment that imports were resolved with changed since the index was built."
        reasons.append(Reason("environment_changed", sentence, language))
    for row in rows:
        if row.provider == "syntax":
            bare = row.files - len(embedding)
            sentence = "Files have no precise layer; syntax alone is known of them."
            reasons += [Reason("no_precise_layer", sentence, row.language or None, bare)] if bare else []
        elif row.state in _BAD and row.files:
            sentence = "A unit is not whole; its problems say why."
            reasons.append(Reason(f"unit_{row.state}", sentence, row.language, row.files))
    still = [path for path in broken if path not in {*changes.changed, *changes.deleted, *changes.ignored}]
    if still:
        sentence = "Files have syntax errors; what could not be parsed gives no rows."
        reasons.append(Reason(BROKEN, sentence, None, len(still), tuple(still[:_SAMPLE])))
    if embedding:
        sentence = "Files hold scripts that are not indexed (.vue, .svelte, .astro, .mdx)."
        reasons.append(Reason(EMBEDDED_SCRIPT, sentence, None, len(embedding), tuple(embedding[:_SAMPLE])))
    state = "complete"
    if reasons:
        state = "stale" if _all_changed(rows, changes) else "partial"
    return Coverage(state, tuple(reasons), next=_next(reasons))


def _marked(snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """Open every shard; return the files that do not parse and those with embedded scripts, sorted."""
    broken, embedding = set(), set()
    for entry in snapshot.manifest.entries:
        if entry.file:
            hidden = frozenset(entry.masked)
            found = imprecise_documents(snapshot.shard(entry))
            documents = tuple([row for row in found if row.path not in hidden])
            broken |= {row.path for row in documents if row.flags & DOC_SYNTAX_ERRORS}
            embedding |= {row.path for row in documents if row.reason == EMBEDDED_SCRIPT}
    return sorted(broken), sorted(embedding)


def _all_changed(rows: Sequence[UnitRow], changes: Changes) -> bool:
    """Tell whether there were precise rows, and every file of those languages differs now."""
    precise = [row for row in rows if row.occurrences]
    languages = {one for row in precise for one in family_of(row.language)}
    gone = [
        path
        for path in (*changes.changed, *changes.deleted, *changes.ignored)
        if language_of(path) in languages
    ]
    return bool(precise) and len(gone) >= sum(row.documents for row in precise)


def _next(reasons: Sequence[Reason]) -> tuple[str, ...] | None:
    """Return what helps: building again where files changed, else a look at what stops the providers."""
    if all(reason.code in (BROKEN, EMBEDDED_SCRIPT) for reason in reasons):
        return None
    changed = any(reason.code.startswith("files_") or reason.code in _REBUILT for reason in reasons)
    return _BUILD if changed else _DOCTOR


def _unit_rows(entries: Sequence[ManifestEntry], local: LocalFacts) -> tuple[UnitRow, ...]:
    units: dict[tuple[str, str], list[ManifestEntry]] = {}
    for entry in entries:
        units.setdefault((entry.unit, entry.kind), []).append(entry)
    return tuple(
        unit_row(parts, parts[0].state, local.times.units.get(parts[0].unit_digest), ran=True)
        for parts in units.values()
    )


def _remarks(rows: Sequence[UnitRow]) -> list[Note]:
    return [
        Note(
            "low_share",
            f"{row.language}: {row.resolved_share:.0%} of the identifier tokens carry a precise occurrence; "
            "missing dependencies or a wrong interpreter are the usual cause.",
        )
        for row in rows
        if row.provider != "syntax"
        and row.occurrences
        and row.resolved_share is not None
        and row.resolved_share < LEAST_SHARE
    ]


def _passed_over(root: Root) -> list[Note]:
    """Return the notes on files that are no source by their names; broken settings leave none out."""
    try:
        exclude = load_settings(root).exclude
    except CodeTrailError:
        exclude = ()
    return passed_over(root, walk(root, keep=is_watched, exclude=exclude))


def _running(root: str) -> list[Note]:
    with opened(root) as folder:
        now = building(folder)
    if now is None:
        return []
    return [
        Note(
            "building",
            counted(
                now.units, f"A build is running: {now.units_done} of {now.units} [unit is|units are] done."
            ),
        )
    ]


def _opened(root: str) -> Snapshot:
    """Open the snapshot in use; where there is none yet, say so together with a build that is running."""
    try:
        return open_snapshot(root)
    except IndexUnavailable as error:
        try:
            notes = _running(root)
        except CodeTrailError:
            notes = []
        if not notes:
            raise
        message = f"{error.message} {notes[0].message}"
        raise IndexUnavailable(message, code=error.code, hint="codetrail index status") from error


def verify(root_path: str) -> None:
    """Read every shard of the snapshot in use and hold its bytes against the manifest, whatever their dates.

    Raises IndexUnusable ``index_corrupt`` or ``index_incompatible``, and as ``status`` does.
    """
    root = find_root(root_path)
    with closing(open_snapshot(root.path)) as snapshot, opened(root.path) as folder:
        for entry in snapshot.manifest.entries:
            if entry.file:
                verify_shard(folder, entry, None)
                snapshot.shard(entry)


def _summary(
    key: str,
    entries: Sequence[ManifestEntry],
    rows: Sequence[UnitRow],
    changes: Changes,
    local: LocalFacts,
    languages: tuple[LanguageShare, ...],
) -> SummaryRow:
    states = Counter(row.state for row in rows)
    tokens = sum(entry.tokens for entry in entries if entry.kind == manifest.OCCURRENCES)
    bound = sum(entry.bound for entry in entries)
    times = [unit.indexed_ns for unit in local.times.units.values()]
    return SummaryRow(
        snapshot=key,
        units=len(rows),
        states=tuple((state, states[state]) for state in UNIT_STATES if states[state]),
        files=sum(row.files for row in rows),
        documents=sum(row.documents for row in rows),
        occurrences=sum(row.occurrences for row in rows),
        bytes=sum({entry.file: entry.size for entry in entries if entry.file}.values()),
        resolved_share=bound / tokens if tokens else None,
        changed=sum(1 for path in changes.changed if is_source(path)),
        new=sum(1 for path in changes.new if is_source(path)),
        deleted=sum(1 for path in changes.deleted if is_source(path)),
        indexed_at=utc(max(times)) if times else None,
        languages=languages,
    )
