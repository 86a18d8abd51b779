"""Say what stops precise answers here, and the next command to type.

Every provider whose language has files here is asked, and runs its own probe: a tool counts only when it
answered. Then the index itself is looked at. The last row says what can be answered now, by language. This
module must not know how any provider works.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import closing

from codetrail.errors import CodeTrailError
from codetrail.index.language_shares import shares
from codetrail.index.passed_over import PAGE_SCRIPTS, passed_over
from codetrail.index.problem_summary import CONFIG_ERROR, UNRESOLVED_IMPORT
from codetrail.index.status import BROKEN, status, verify
from codetrail.index.unit_findings import RESOLVED_SHARE, unit_findings
from codetrail.model.counting import counted
from codetrail.model.reports import NO_PACKAGES, CheckRow, UnitRow
from codetrail.model.units import SourceFile
from codetrail.providers import registry
from codetrail.providers.base import Workspace
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.config import Settings, load_settings
from codetrail.workspace.files import walk
from codetrail.workspace.inputs import is_input, is_watched
from codetrail.workspace.languages import EMBEDDED_SCRIPT, SCRIPT_HOLDERS, language_of
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root, find_root

_BUILD = (("codetrail", "index", "build"),)
_BUILD_HELPS_NOT = (BROKEN, EMBEDDED_SCRIPT, "unit_partial")
"""What another build of the same files would find again."""
_UNSEEN = "{n} [part|parts] of the tree cannot be looked into; what is there is not indexed."
_UNSAFE_IMPORTS = (
    "Python looks for modules in the workspace, which could replace parts of CodeTrail: type codetrail, "
    "not as python -m codetrail there, without PYTHONPATH, and installed outside of what it indexes."
)
_INPUT_LIMIT = 1 << 20


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
    rows += [
        CheckRow(code, "warning", counted(times, _UNSEEN).format(n=times))
        for code, times in sorted(unseen.items())
    ]
    files = [
        SourceFile(found.path, "", found.size, language)
        for found in listed
        if (language := language_of(found.path)) is not None
    ]
    inputs = {found.path: "" for found in listed if is_input(found.path)}
    counts = Counter(file.language for file in files)
    pages = [note.message for note in passed_over(root, listing) if note.code == PAGE_SCRIPTS]
    rows += [CheckRow(EMBEDDED_SCRIPT, "warning", message) for message in pages]
    with opened_root(root.path) as root_fd:

        def read(path: str) -> bytes | None:
            found = read_source(root_fd, path, _INPUT_LIMIT)
            return found.data if found.state == "ok" else None

        found, units = _index(root, deep)
        for name in sorted(set(map(_provider_of, counts))):
            mine = tuple(file for file in files if _provider_of(file.language) == name)
            workspace = Workspace(root.path, settings.repository_id, mine, inputs, read, settings)
            rows += _language(workspace, name)
            problems = tuple(problem for unit in units if unit.language == name for problem in unit.problems)
            found += (
                registry.provider_for(name).advise(workspace, problems)
                if problems and name in registry.names()
                else ()
            )
    rows = _weigh(_without_repeats(rows, found) + _without_vain_builds(found, rows))
    rows += _import_rows(root)
    precise = _precise_files(root)
    rows.append(_verdict(rows, counts, bool(unseen), precise))
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
    """Return what the provider of a language says here."""
    number = len(workspace.files)
    if language in SCRIPT_HOLDERS:
        sentence = (
            f"{number} [file holds|files hold] scripts among other things; those scripts are not indexed."
        )
        return [CheckRow(EMBEDDED_SCRIPT, "warning", counted(number, sentence), language)]
    if language not in registry.languages():
        sentence = (
            f"{number} [file has|files have] no provider in this version: definitions come from syntax alone."
        )
        return [CheckRow("no_provider", "warning", counted(number, sentence), language)]
    try:
        return list(registry.provider_for(language).check(workspace.settings, workspace))
    except CodeTrailError as error:
        return [CheckRow(error.code, "error", error.message, language)]


def _provider_of(language: str) -> str:
    """Return the language that findings on the provider of ``language`` stand under; itself without one."""
    return registry.name_for(language) or language


def _index(root: Root, deep: bool) -> tuple[list[CheckRow], list[UnitRow]]:
    """Return the findings on the index that is in use, and its units."""
    try:
        report = status(root.path, summary=False, check=False)
        if deep:
            verify(root.path)
    except CodeTrailError as error:
        severity = "warning" if error.code == "index_missing" else "error"
        return [CheckRow(error.code, severity, error.message, next=_BUILD)], []
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
    units = [unit for unit in report.rows if isinstance(unit, UnitRow)]
    rows += [row for unit in units for row in unit_findings(unit)]
    if not any(row.severity != "ok" for row in rows):
        rows.append(CheckRow("index_fresh", "ok", "The index matches the files."))
    return rows, units


def _precise_files(root: Root) -> dict[str, int]:
    """Return how many files of each language have precise rows in the index in use; none without one."""
    try:
        with closing(open_snapshot(root.path)) as snapshot:
            return {share.language: share.documents for share in shares(snapshot)}
    except CodeTrailError:
        return {}


def _without_vain_builds(found: list[CheckRow], rows: list[CheckRow]) -> list[CheckRow]:
    """Propose no build of a unit whose engine is missing: what is to be typed first stands with that."""
    stopped = {row.language for row in rows if row.severity == "error"}
    return [
        row._replace(next=()) if row.code.startswith("unit_") and row.language in stopped else row
        for row in found
    ]


def _without_repeats(rows: list[CheckRow], found: list[CheckRow]) -> list[CheckRow]:
    """Leave out what is wrong with configurations where the last build tells what the engine says of them."""
    told = {row.language for row in found if row.code == CONFIG_ERROR}
    return [row for row in rows if row.code != CONFIG_ERROR or row.language not in told]


def _weigh(rows: list[CheckRow]) -> list[CheckRow]:
    """Make missing packages a warning where imports were not found; else nothing says that any is missed."""
    missed = {row.language for row in rows if row.code == UNRESOLVED_IMPORT}
    return [
        row._replace(severity="warning") if row.code == NO_PACKAGES and row.language in missed else row
        for row in rows
    ]


def _verdict(
    rows: list[CheckRow], counts: Counter[str], unseen: bool, precise: Mapping[str, int]
) -> CheckRow:
    """Say in one line what precise answers are to be had here now, by language.

    ``precise`` tells for each language how many of its files have precise rows.
    """
    found = {(row.code, row.severity) for row in rows}
    missing = any(code == "index_missing" for code, _ in found)
    unusable = any(code.startswith("index_") and severity == "error" for code, severity in found)
    now = "not indexed yet" if missing else "the index cannot be used" if unusable else None
    low = {row.language for row in rows if (row.code, row.severity) == (RESOLVED_SHARE, "warning")}
    lacking = False
    words = []
    for language, number in sorted(counts.items()):
        bad = any(row.language == _provider_of(language) and row.severity == "error" for row in rows)
        able = language in registry.languages() and not bad
        known = precise.get(language, 0)
        is_low = _provider_of(language) in low
        lacking = lacking or (able and now is None and (known < number or is_low))
        without = "not indexed" if language in SCRIPT_HOLDERS else "syntax only"
        said = (now or _reach(known, number, is_low)) if able else without
        words.append(f"{language} ({number} {counted(number, '[file|files]')}): {said}")
    severity = (
        "error"
        if any(severity == "error" for _, severity in found)
        else "warning"
        if (missing and counts) or unseen or lacking
        else "ok"
    )
    # Settings that are broken stop a build, and an engine that comes later would ask for another one.
    stopped = any(severity == "error" and code == "config_invalid" for code, severity in found)
    first = [command for row in rows if row.severity == "error" and row.language for command in row.next]
    building = _BUILD if counts and not stopped and (missing or unusable or first) else ()
    following = tuple(dict.fromkeys((*first, *building)))
    return CheckRow(
        "summary", severity, "; ".join(words) or "There are no source files here.", next=following
    )


def _reach(precise: int, files: int, is_low: bool) -> str:
    if not precise:
        return "no precise facts"
    reach = "precise" if precise >= files else f"precise in {precise} of them"
    return f"{reach}, but many names are unresolved" if is_low else reach
