"""Say what stops precise answers here, and the next command to type.

Every provider whose language has files here is asked, and runs its own probe: a tool counts only when it
answered. Then the index itself is looked at. The last row says what can be answered now, by language. This
module must not know how any provider works.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

from codetrail.errors import CodeTrailError
from codetrail.index.entries import PARTIAL_CODES
from codetrail.index.problem_summary import MOST_OF_A_CODE, UNRESOLVED_IMPORT
from codetrail.index.status import BROKEN, LEAST_SHARE, status, verify
from codetrail.model.reports import NO_PACKAGES, CheckRow, UnitRow
from codetrail.model.units import Problem, SourceFile
from codetrail.providers import registry
from codetrail.providers.base import Workspace
from codetrail.workspace.config import Settings, load_settings
from codetrail.workspace.files import walk
from codetrail.workspace.inputs import is_input, is_watched
from codetrail.workspace.languages import EMBEDDED_SCRIPT, SCRIPT_HOLDERS, language_of
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root, find_root

_BUILD = (("codetrail", "index", "build"),)
_BUILD_HELPS_NOT = (BROKEN, EMBEDDED_SCRIPT, "unit_partial")
"""What another build of the same files would find again."""
_ENDINGS = {
    "heap_exhausted": (("codetrail", "index", "build", "--jobs", "1"),),
    "memory_limit": (("codetrail", "index", "build", "--jobs", "1"),),
    "provider_crashed": (),
    "timed_out": (("codetrail", "index", "build", "--timeout", "3600"),),
}
"""How a run of an engine can have ended in the last build, and what may help."""
_CONFIGURATION = frozenset({"config_error", "project_failed", "project_missing", "too_many_projects"})
"""What a project's configuration cost in the last build; mended by hand, then built again."""
_UNSEEN = "{n} parts of the tree cannot be looked into; what is there is not indexed."
_UNSAFE_IMPORTS = (
    "Python looks for modules in the workspace, which could replace parts of CodeTrail: type codetrail, "
    "not as python -m codetrail there, without PYTHONPATH, and installed outside of what it indexes."
)
_INPUT_LIMIT = 1 << 20
_MODULES = 5
"""Modules that were not found and are named one by one."""


def doctor(root_path: str, deep: bool) -> tuple[CheckRow, ...]:
    """Check the workspace at ``root_path`` (absolute); ``deep`` also verifies the bytes of every shard.

    Never raises for what it finds: a finding that is an error is a row.
    """
    root = find_root(root_path)
    rows: list[CheckRow] = []
    try:
        settings = load_settings(root)
    except CodeTrailError as error:
        rows.append(CheckRow(error.code, "error", error.message))
        settings = Settings()
    listing = walk(root, keep=is_watched, exclude=settings.exclude)
    listed = listing.files
    unseen = Counter(problem.code for problem in listing.problems)
    rows += [CheckRow(code, "warning", _UNSEEN.format(n=times)) for code, times in sorted(unseen.items())]
    files = [
        SourceFile(found.path, "", found.size, language)
        for found in listed
        if (language := language_of(found.path)) is not None
    ]
    inputs = {found.path: "" for found in listed if is_input(found.path)}
    counts = Counter(file.language for file in files)
    with opened_root(root.path) as root_fd:

        def read(path: str) -> bytes | None:
            found = read_source(root_fd, path, _INPUT_LIMIT)
            return found.data if found.state == "ok" else None

        for name in sorted({*registry.names(), *map(_provider_of, counts)}):
            mine = tuple(file for file in files if _provider_of(file.language) == name)
            workspace = Workspace(root.path, settings.repository_id, mine, inputs, read, settings)
            rows += _language(workspace, name)
    rows += _index(root, deep)
    rows = _weigh(rows)
    rows += _import_rows(root)
    rows.append(_verdict(rows, counts, bool(unseen)))
    return tuple(rows)


def _import_rows(root: Root) -> list[CheckRow]:
    """Warn where Python itself was told to take CodeTrail's modules from the workspace, or from anywhere."""
    below = root.path.rstrip("/") + "/"
    if any(
        not os.path.isabs(entry) or (os.path.realpath(entry) + "/").startswith(below) for entry in sys.path
    ):
        return [CheckRow("import_path_unsafe", "warning", _UNSAFE_IMPORTS)]
    return []


def _language(workspace: Workspace, language: str) -> list[CheckRow]:
    """Return what the provider of a language says here; of a language without files nothing is an error."""
    number = len(workspace.files)
    if language in SCRIPT_HOLDERS:
        sentence = f"{number} files hold scripts among other things; those scripts are not indexed."
        return [CheckRow(EMBEDDED_SCRIPT, "warning", sentence, language)]
    if language not in registry.languages():
        sentence = f"{number} files have no provider in this version: definitions come from syntax alone."
        return [CheckRow("no_provider", "warning", sentence, language)]
    try:
        rows = list(registry.provider_for(language).check(workspace.settings, workspace))
    except CodeTrailError as error:
        rows = [CheckRow(error.code, "error", error.message, language)]
    if workspace.files:
        return rows
    return [row._replace(severity="warning") if row.severity == "error" else row for row in rows]


def _provider_of(language: str) -> str:
    """Return the language that findings on the provider of ``language`` stand under; itself without one."""
    return registry.name_for(language) or language


def _index(root: Root, deep: bool) -> list[CheckRow]:
    """Return the findings on the index that is in use."""
    try:
        report = status(root.path, summary=False, check=False)
        if deep:
            verify(root.path)
    except CodeTrailError as error:
        severity = "warning" if error.code == "index_missing" else "error"
        return [CheckRow(error.code, severity, error.message, next=_BUILD)]
    rows = [
        CheckRow(
            reason.code,
            "warning",
            reason.message,
            reason.language,
            () if reason.code in _BUILD_HELPS_NOT else _BUILD,
        )
        for reason in (report.coverage.reasons if report.coverage else ())
        if reason.code not in ("no_precise_layer", EMBEDDED_SCRIPT)
    ]
    rows += [
        CheckRow(
            problem.code, "warning", f"{problem.message} ({problem.times}){_named(problem)}", unit.language
        )
        for unit in report.rows
        if isinstance(unit, UnitRow) and unit.state == "partial"
        for problem in unit.problems
        if problem.code in PARTIAL_CODES
    ]
    rows += [
        CheckRow(
            problem.code,
            "warning",
            f"{problem.message}{_named(problem)}",
            unit.language,
            _ENDINGS[problem.code],
        )
        for unit in report.rows
        if isinstance(unit, UnitRow)
        for problem in unit.problems
        if problem.code in _ENDINGS
    ]
    rows += [
        CheckRow(problem.code, "warning", f"{problem.message}{_named(problem)}", unit.language, _BUILD)
        for unit in report.rows
        if isinstance(unit, UnitRow)
        for problem in unit.problems
        if problem.code in _CONFIGURATION
    ]
    for unit in report.rows:
        if isinstance(unit, UnitRow) and unit.resolved_share is not None and unit.provider != "syntax":
            low = unit.resolved_share < LEAST_SHARE
            sentence = f"{unit.resolved_share:.1%} of the identifier tokens carry a precise occurrence."
            rows.append(CheckRow("resolved_share", "warning" if low else "ok", sentence, unit.language))
        rows += _missing_modules(unit) if isinstance(unit, UnitRow) else ()
    if not any(row.severity != "ok" for row in rows):
        rows.append(CheckRow("index_fresh", "ok", "The index matches the files."))
    return rows


def _named(problem: Problem) -> str:
    """Return the paths that a problem concerns, each escaped and cut, as the end of a sentence."""
    paths = problem.paths or ((problem.path,) if problem.path else ())
    more = " and more" if problem.paths and problem.times > len(paths) else ""
    return f" In {', '.join(f'{path!a:.80}' for path in paths)}{more}." if paths else ""


def _missing_modules(unit: UnitRow) -> list[CheckRow]:
    """Return one finding for each of the modules that most imports seek in vain, and one for the rest."""
    # Sorted by how often they were met; the last counts the imports of those that the unit does not name.
    found = [problem for problem in unit.problems if problem.code == UNRESOLVED_IMPORT]
    rows = [
        CheckRow(
            UNRESOLVED_IMPORT,
            "warning",
            f"{problem.message} ({problem.times} times)" if problem.times > 1 else problem.message,
            unit.language,
        )
        for problem in found[:_MODULES]
    ]
    rest = found[_MODULES:]
    if rest:
        number = f"More than {len(rest) - 1}" if len(found) > MOST_OF_A_CODE else str(len(rest))
        rows.append(
            CheckRow(UNRESOLVED_IMPORT, "warning", f"{number} more modules were not found.", unit.language)
        )
    return rows


def _weigh(rows: list[CheckRow]) -> list[CheckRow]:
    """Make missing packages a warning where imports were not found; else nothing says that any is missed."""
    missed = {row.language for row in rows if row.code == UNRESOLVED_IMPORT}
    return [
        row._replace(severity="warning") if row.code == NO_PACKAGES and row.language in missed else row
        for row in rows
    ]


def _verdict(rows: list[CheckRow], counts: Counter[str], unseen: bool) -> CheckRow:
    """Say in one line what precise answers are to be had here now, by language."""
    found = {(row.code, row.severity) for row in rows}
    missing = any(code == "index_missing" for code, _ in found)
    unusable = any(code.startswith("index_") and severity == "error" for code, severity in found)
    now = "not indexed yet" if missing else "the index cannot be used" if unusable else "precise"
    words = []
    for language, number in sorted(counts.items()):
        bad = any(row.language == _provider_of(language) and row.severity == "error" for row in rows)
        able = language in registry.languages() and not bad
        without = "not indexed" if language in SCRIPT_HOLDERS else "syntax only"
        words.append(f"{language} ({number} files): {now if able else without}")
    severity = (
        "error"
        if any(severity == "error" for _, severity in found)
        else "warning"
        if (missing and counts) or unseen
        else "ok"
    )
    following = _BUILD if counts and (missing or unusable) else ()
    return CheckRow(
        "summary", severity, "; ".join(words) or "There are no source files here.", next=following
    )
