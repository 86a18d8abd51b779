"""Decide whether what a provider run left may be believed, and say in our words what went wrong if not.

A run is believed with exit 0, a ``done`` record and at least one document of the unit; fewer documents than
files is ``partial``. An exit status alone proves nothing: producers exit with 0 over empty and truncated
indexes (research ``producers`` §0.11). This module must not know which provider ran.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

from codetrail.errors import CodeTrailError
from codetrail.model.units import Problem
from codetrail.providers.events import Events
from codetrail.providers.process import ProcessResult
from codetrail.scip.reader import scan

_LAST_LINES = 20
_LINE_LENGTH = 500

_ENDINGS = {
    "exit": ("provider_failed", "The engine ended with an error."),
    "signal": ("provider_crashed", "The engine was killed or crashed."),
    "timed_out": ("timed_out", "The engine did not end within the time allowed."),
    "memory": ("memory_limit", "The engine needed more memory than allowed and was ended."),
    "output_limit": ("output_limit", "The engine wrote more than allowed and was ended."),
    "interrupted": ("interrupted", "The run was interrupted."),
    "not_started": ("provider_failed", "The engine could not be started."),
}
HEAP_FAILURE = Problem("heap_exhausted", "The engine ran out of the memory it may use for its heap.")


def accept(
    scip_path: str,
    files: Iterable[str],
    result: ProcessResult,
    events: Events,
    hide: Iterable[str],
    data: Iterable[str] = (),
) -> tuple[str, tuple[Problem, ...]]:
    """Return the state (``built``, ``partial``, ``failed``, ``timed_out``) of a driver's run, and problems.

    ``files`` are the root-relative paths that the unit owns, ``data`` those of what may have a document too;
    ``hide`` are absolute folders that must not show in what is kept of stderr. With ``built`` and ``partial``
    the SCIP file may be read.
    """
    problems = list(events.problems())
    failure = _failure(result, events)
    if failure is None:
        assert events.done is not None
        state, found = _compare(scip_path, set(files), events.done.documents, set(data))
        return state, (*problems, *found)
    return _failed(result, (*problems, failure), hide)


def accept_joined(
    scip_path: str,
    files: Iterable[str],
    documents: int,
    problems: Iterable[Problem],
    data: Iterable[str] = (),
) -> tuple[str, tuple[Problem, ...]]:
    """Return what ``accept`` does, of a file joined from runs that were each believed.

    ``documents`` is how many they said they wrote, ``problems`` what they and those that failed reported.
    """
    state, found = _compare(scip_path, set(files), documents, set(data))
    return state, (*problems, *found)


def failure_of(result: ProcessResult, events: Events, hide: Iterable[str]) -> Problem | None:
    """Return why a driver's run may not be believed whatever it wrote; None if nothing speaks against it."""
    failure = _failure(result, events)
    if failure is None or failure.detail is not None:
        return failure
    return failure._replace(detail=last_lines(result, hide))


def accept_output(
    scip_path: str, files: Iterable[str], result: ProcessResult, hide: Iterable[str]
) -> tuple[str, tuple[Problem, ...]]:
    """Return what ``accept`` does, for a program that speaks no events: exit 0 and documents count."""
    if result.state != "ok":
        return _failed(result, (Problem(*_ENDINGS[result.state]),), hide)
    state, found = _compare(scip_path, set(files), None)
    return state, tuple(found)


def is_heap_failure(result: ProcessResult) -> bool:
    """Tell whether Node ended because its heap was full."""
    return result.state in ("exit", "signal") and b"heap out of memory" in (
        result.stderr.head + result.stderr.tail
    )


def last_lines(result: ProcessResult, hide: Iterable[str]) -> str | None:
    """Return the last 20 lines of stderr that are no events, each cut at 500 characters, folders hidden."""
    lines = [line for line in result.stderr.text.splitlines() if line.strip() and not line.startswith("{")]
    text = "\n".join(line[:_LINE_LENGTH] for line in lines[-_LAST_LINES:])
    for folder in sorted({folder.rstrip("/") for folder in hide}, key=len, reverse=True):
        if folder:
            text = text.replace(folder + "/", "").replace(folder, ".")
    return text or None


def _failed(
    result: ProcessResult, problems: tuple[Problem, ...], hide: Iterable[str]
) -> tuple[str, tuple[Problem, ...]]:
    *others, failure = problems
    if failure.detail is None:
        failure = failure._replace(detail=last_lines(result, hide))
    return "timed_out" if result.state == "timed_out" else "failed", (*others, failure)


def _failure(result: ProcessResult, events: Events) -> Problem | None:
    if result.state != "ok":
        if is_heap_failure(result):
            return HEAP_FAILURE
        if events.failed is not None:
            return events.failed
        return Problem(*_ENDINGS[result.state])
    if events.failed is not None:
        return events.failed
    if events.done is None:
        return Problem("no_done_record", "The engine ended without saying that it was done.")
    return None


def _compare(
    scip_path: str, owned: set[str], said: int | None, data: Collection[str] = ()
) -> tuple[str, list[Problem]]:
    """Hold the documents in the file against the unit's files, and against what a driver said."""
    try:
        with scan(scip_path) as index:
            paths = {entry.path for entry in index.documents}
            pieces = sum(len(entry.pieces) for entry in index.documents)
            refused = sum(index.skipped.values())
    except CodeTrailError as error:
        return "failed", [Problem(error.code, "The engine's output cannot be read as SCIP.")]
    if said is not None and pieces + refused != said:
        sentence = "The engine wrote another number of documents than it said."
        return "failed", [Problem("documents_differ", sentence, times=abs(pieces + refused - said))]
    matched = len(paths & owned)
    if not matched:
        return "failed", [Problem("no_documents", "The engine wrote no document of this unit.")]
    problems: list[Problem] = []
    if matched < len(owned):
        sentence = "Files of the unit have no document."
        problems.append(Problem("documents_missing", sentence, times=len(owned) - matched))
    foreign = len(paths.difference(owned, data)) + refused
    if foreign:
        sentence = "Documents that belong to no file of the unit were left out."
        problems.append(Problem("documents_foreign", sentence, times=foreign))
    return ("partial" if problems else "built"), problems


def hidden_folders(*folders: str) -> tuple[str, ...]:
    """Return folders that must not show: those given, and the home folder."""
    return (*folders, os.path.expanduser("~"))
