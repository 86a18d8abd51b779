"""What an answer rests on: complete, partial, stale or missing, and why (contract §4).

Judged over the files in scope whose languages can name the matched symbols (all languages when nothing
matched); trouble in other languages is a note. This module must not know how rows are made.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from codetrail.model import facts
from codetrail.model.answers import Coverage, Note, Reason
from codetrail.model.counting import counted
from codetrail.model.scope import Scope
from codetrail.query.freshness import Freshness
from codetrail.query.ranked import Groups, Ranked
from codetrail.query.scoping import PathTest, may_hold
from codetrail.query.snapshot import View
from codetrail.store.manifest import LANGUAGES, OCCURRENCES, ManifestEntry, is_hidden
from codetrail.workspace.inputs import concerns
from codetrail.workspace.languages import family_of, language_of

BUILD = ("codetrail", "index", "build")
DOCTOR = ("codetrail", "index", "doctor")

_SAMPLE = 5

_CODES = {
    "no_provider": "provider_missing",
    "node_missing": "provider_missing",
    "node_too_old": "provider_missing",
    "node_unresponsive": "provider_missing",
    "engine_missing": "provider_missing",
    "engine_too_old": "provider_missing",
    "engine_too_new": "provider_missing",
    "self_test_failed": "provider_missing",
    "bundle_unknown": "provider_missing",
    "bundle_too_old": "provider_missing",
    "failed": "provider_failed",
    "skipped": "not_built",
    "not_asked": "not_built",
    "document_missing": "file_failed",
    "document_invalid": "file_failed",
    "document_encoding": "file_not_utf8",
    "document_too_large": "file_too_large",
    "document_units_differ": "file_failed",
    "no_syntax": "file_too_large",
    "too_large": "file_too_large",
    "unreadable": "file_unreadable",
    "excluded": "excluded_by_config",
    "parser": "files_outside_projects",
    "document_differs": "import_outdated",
}
"""What files and units say of themselves, in the words of coverage; other words stay as they are."""

_MESSAGES = {
    "provider_missing": "no provider that can index these files was found",
    "provider_failed": "the provider failed on these files",
    "heap_exhausted": "the engine ran out of memory on these files",
    "memory_limit": "the engine needed more memory than allowed on these files",
    "provider_crashed": "the engine crashed on these files",
    "timed_out": "the provider did not finish in time",
    "untrusted": "a provider would run code of this workspace, and it is not trusted",
    "files_changed": "files changed since the index was built",
    "files_new": "files are new since the index was built",
    "inputs_changed": "configuration, lock files or others that were read changed since the index was built",
    "environment_changed": "the environment that imports were resolved with is another one now",
    "files_outside_projects": "files belong to no project that a provider indexes",
    "path_not_portable": "files whose names no provider can be given (control characters, backslashes)",
    "config_error": "a project's configuration could not be read whole; imports may have found nothing",
    "dependencies_missing": "dependencies are not installed; what is reached through them is unresolved",
    "imports_unexplained": "modules that may be the workspace's were not found; uses by other names are lost",
    "engines_mixed": "an imported index answers for some files; its symbols may not join those of the others",
    "second_engine": "scip-typescript loses uses through renamed exports and between projects not built",
    "embedded_script": "files hold scripts that are not indexed (.vue, .svelte, .astro, .mdx)",
    "dependencies_unread": "links to dependencies lead where nothing is read; what they give is unresolved",
    "excluded_by_config": "the workspace's configuration leaves files out",
    "syntax_errors": "files have syntax errors; what could not be parsed gives no rows",
    "file_failed": "the provider gave no facts of these files",
    "file_too_large": "files are too large for precise facts; up to 5 MB syntax shows their definitions",
    "file_minified": "files are minified; syntax alone is known of them",
    "file_not_source": "files hold something else than their endings say; no provider takes them",
    "file_utf16": "files are UTF-16; syntax alone is known of them",
    "file_not_utf8": "files are in an encoding that their producer may read otherwise than we do",
    "file_unreadable": "files could not be read",
    "folder_unreadable": "folders, ignore files or names could not be read; what they hold is not indexed",
    "import_outdated": "files are others than those that an imported index was made of; import a newer one",
    "changed_during_build": "files changed while the index was built",
    "freshness_unchecked": "not all files were compared with the index",
    "not_built": "the last build was told not to start the provider of these files",
    "index_missing": "nothing is indexed here",
}
_UNPROVED = "rows with origin import are of an index without texts; that they fit shows by names alone"
_MISSING = "provider_missing"
_OF_UNITS = frozenset(
    {
        "config_error",
        "dependencies_missing",
        "dependencies_unread",
        "engines_mixed",
        "imports_unexplained",
        "second_engine",
    }
)
"""Problems of whole units that may have cost uses in any of their files."""
_OTHER = "these files have no precise facts"

_FAILED = frozenset({"failed", "timed_out", "untrusted", "skipped"})
_PRECISE = facts.DOC_STATES.index("precise")
_BUILD_HELPS = frozenset(
    {
        "files_changed",
        "files_new",
        "inputs_changed",
        "environment_changed",
        "changed_during_build",
        "not_built",
        "file_unreadable",
    }
)

_NOTHING_HELPS = frozenset(
    {
        "engines_mixed",
        "freshness_unchecked",
        "embedded_script",
        "excluded_by_config",
        "path_not_portable",
        "second_engine",
        "syntax_errors",
        "file_minified",
        "file_not_source",
        "file_not_utf8",
        "file_too_large",
        "file_utf16",
        "import_outdated",
    }
)


class Judged(NamedTuple):
    """Coverage without its counts of names, and the notes on what does not concern it."""

    coverage: Coverage
    notes: tuple[Note, ...]


def languages_of(groups: Groups) -> frozenset[str]:
    """Return the languages that can name the matched symbols; empty means all."""
    found: set[str] = set()
    for language in groups.languages if isinstance(groups, Ranked) else {one.language for one in groups}:
        found |= family_of(language)
    return frozenset(found) - {""}


def judge(
    view: View,
    languages: frozenset[str],
    scope: Scope,
    test: PathTest,
    freshness: Freshness,
    dropped: int = 0,
) -> Judged:
    """Judge what the snapshot knows of the files in scope; ``dropped`` counts rows that were left out."""
    if not view.key:
        reason = Reason("index_missing", _MESSAGES["index_missing"])
        return Judged(Coverage("missing", (reason,), next=BUILD), ())

    def asked(path: str, language: str) -> bool:
        return (not languages or language in languages) and test(path, language)

    reasons = _document_reasons(view, asked, freshness)
    reasons += _unit_reasons(view, languages, reasons)
    reasons += _doubtful_reasons(view, languages)
    reasons += _unseen_reasons(view, scope)
    reasons += _change_reasons(asked, freshness, dropped)
    reasons += input_reasons(view, languages, freshness)
    state = "complete"
    if reasons:
        state = "partial" if _any_precise(view, asked, freshness) else _state_without_precise(view, asked)
    notes = (*_notes(view, languages), *_language_notes(languages, scope))
    return Judged(Coverage(state, tuple(reasons), next=_next(reasons)), notes)


def judge_files(
    view: View,
    paths: Collection[str],
    languages: frozenset[str],
    scope: Scope,
    test: PathTest,
    freshness: Freshness,
    dropped: int,
) -> Judged:
    """Judge what the snapshot knows of certain files: those that can hold the rows of an answer.

    What their units miss elsewhere counts where it may have cost facts in any of their files.
    """

    def asked(path: str, language: str) -> bool:
        return path in paths and test(path, language)

    reasons = _document_reasons(view, asked, freshness)
    reasons += _doubtful_reasons(view, languages)
    reasons += _change_reasons(asked, freshness, dropped)
    reasons += input_reasons(view, languages, freshness)
    state = "complete"
    if reasons:
        state = "partial" if _any_precise(view, asked, freshness) else _state_without_precise(view, asked)
    return Judged(Coverage(state, tuple(reasons), next=_next(reasons)), _language_notes(languages, scope))


def _document_reasons(view: View, asked: PathTest, freshness: Freshness) -> list[Reason]:
    """Return why files that are as indexed have no precise facts, by reason and language."""
    paths: dict[tuple[str, str], list[str]] = {}
    for part in view.parts:
        for row in part.imprecise_documents():
            if asked(row.path, row.language) and not freshness.known_stale(row.path):
                if row.flags & facts.DOC_SYNTAX_ERRORS:
                    paths.setdefault(("syntax_errors", row.language), []).append(row.path)
                if row.state != _PRECISE or row.reason:
                    word = row.reason or facts.DOC_STATES[row.state]
                    paths.setdefault((_CODES.get(word, word), row.language), []).append(row.path)
    return [
        _reason(code, language, len(found), tuple(sorted(found)[:_SAMPLE]))
        for (code, language), found in sorted(paths.items())
    ]


def _unit_reasons(view: View, languages: frozenset[str], known: list[Reason]) -> list[Reason]:
    """Return what failed units say whose files no shard describes."""
    told = {(reason.code, one) for reason in known for one in family_of(reason.language or "")}
    found: dict[tuple[str, str], int] = {}
    for entry in view.manifest.entries:
        key = (_unit_code(entry), entry.language)
        if (
            entry.state in _FAILED
            and entry.files
            and key not in told
            and (not languages or entry.language in languages)
        ):
            found[key] = found.get(key, 0) + entry.files
    return [_reason(code, language, times or None) for (code, language), times in sorted(found.items())]


def _doubtful_reasons(view: View, languages: frozenset[str]) -> list[Reason]:
    """Return what units say that may have cost uses in any of their files."""
    times: dict[tuple[str, str], int] = {}
    paths: dict[tuple[str, str], list[str]] = {}
    for entry in view.manifest.entries:
        if (not languages or entry.language in languages) and not is_hidden(entry):
            for problem in entry.problems:
                if problem.code in _OF_UNITS:
                    key = (problem.code, entry.language)
                    times[key] = times.get(key, 0) + problem.times
                    paths.setdefault(key, []).extend(problem.paths or filter(None, (problem.path,)))
    return [_reason(*key, times[key], tuple(dict.fromkeys(paths[key]))[:_SAMPLE]) for key in times]


def _unit_code(entry: ManifestEntry) -> str:
    """Return the word of coverage for a failed unit: that it has no engine, or else its state."""
    first = _CODES.get(entry.problems[0].code) if entry.problems else None
    return _MISSING if first == _MISSING else _CODES.get(entry.state, entry.state)


def _unseen_reasons(view: View, scope: Scope) -> list[Reason]:
    """Return what the build could not look into, unless the scope leaves all of it out.

    The languages of what stands there are not known, so a language of the scope leaves nothing out.
    """
    unseen = [path for path in view.manifest.unseen if may_hold(scope, path)]
    if not unseen:
        return []
    return [
        _reason("folder_unreadable", None, len(unseen), tuple([path or "." for path in unseen[:_SAMPLE]]))
    ]


def _change_reasons(asked: PathTest, freshness: Freshness, dropped: int) -> list[Reason]:
    def in_scope(paths: tuple[str, ...]) -> list[str]:
        return [path for path in paths if asked(path, language_of(path) or "")]

    different = sorted(in_scope((*freshness.changed, *freshness.gone)))
    new = in_scope(freshness.new)
    reasons: list[Reason] = []
    if different or dropped:
        reason = _reason("files_changed", None, len(different) or None, tuple(different[:_SAMPLE]))
        reasons.append(reason._replace(dropped_rows=dropped or None))
    if new:
        reasons.append(_reason("files_new", None, len(new), tuple(new[:_SAMPLE])))
    if not freshness.checked:
        reasons.append(_reason("freshness_unchecked"))
    return reasons


def input_reasons(view: View, languages: frozenset[str], freshness: Freshness) -> list[Reason]:
    """Return what the rows rest on besides their files and is another thing now, by the languages of units.

    ``languages`` are those asked about; empty means all. The rows stay: their files are as indexed.
    """
    precise = {entry.language for entry in view.manifest.entries if entry.kind == OCCURRENCES}
    concerned = precise & languages if languages else precise
    inputs = [path for path in freshness.inputs if any(concerns(path, language) for language in concerned)]
    inputs = sorted({*inputs, *(path for language, path in freshness.read if language in concerned)})
    reasons = [_reason("inputs_changed", None, len(inputs), tuple(inputs[:_SAMPLE]))] if inputs else []
    changed = [language for language in freshness.surroundings if language in concerned]
    return reasons + [_reason("environment_changed", language) for language in changed]


def _any_precise(view: View, asked: PathTest, freshness: Freshness) -> bool:
    """Tell whether at least one file in scope still has precise facts."""
    for part in view.parts:
        for row in part.documents():
            if (
                row.state == _PRECISE
                and asked(row.path, row.language)
                and not freshness.known_stale(row.path)
            ):
                return True
    return False


def _state_without_precise(view: View, asked: PathTest) -> str:
    """Tell stale (there were precise facts, and all their files changed) from partial (there were none)."""
    for part in view.parts:
        for row in part.documents():
            if row.state == _PRECISE and asked(row.path, row.language):
                return "stale"
    return "partial"


def _notes(view: View, languages: frozenset[str]) -> tuple[Note, ...]:
    return (*_failed_notes(view, languages), *_import_notes(view, languages))


def _import_notes(view: View, languages: frozenset[str]) -> tuple[Note, ...]:
    """Say where rows rest on an index that was made elsewhere and tells not of which texts."""
    for part in view.parts:
        entry = part.entry
        unproved = any(problem.code == "document_unproved" for problem in entry.problems)
        spoken = entry.attachments.get(LANGUAGES, ())
        if entry.origin and unproved and (not languages or not languages.isdisjoint(spoken)):
            return (Note("import_unproved", _UNPROVED),)
    return ()


def _failed_notes(view: View, languages: frozenset[str]) -> tuple[Note, ...]:
    failed = {
        entry.unit
        for entry in view.manifest.entries
        if entry.state in _FAILED and entry.files and languages and entry.language not in languages
    }
    if not failed:
        return ()
    return (
        Note(
            "other_units_failed",
            counted(
                len(failed),
                f"{len(failed)} [unit|units] of other languages [has|have] no precise facts;"
                " this answer does not need [it|them]",
            ),
        ),
    )


def _language_notes(languages: frozenset[str], scope: Scope) -> tuple[Note, ...]:
    """Say where the language that was asked for is one whose files cannot name the matched symbols."""
    if scope.language is None or not languages or scope.language in languages:
        return ()
    words = ", ".join(sorted(languages))
    return (Note("other_language", f"symbols of {words} are not looked for in files of {scope.language}"),)


def _next(reasons: list[Reason]) -> tuple[str, ...] | None:
    codes = {reason.code for reason in reasons}
    if codes & _BUILD_HELPS:
        return BUILD
    return DOCTOR if codes - _NOTHING_HELPS else None


def _reason(
    code: str, language: str | None = None, times: int | None = None, paths: tuple[str, ...] = ()
) -> Reason:
    return Reason(code, _MESSAGES.get(code, _OTHER), language or None, times, paths)
