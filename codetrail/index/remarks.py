"""Say what a build left out and did not fail over: skipped folders, ignored files, broken configuration.

A repository must not be able to hide a caller by naming a folder cleverly, so every fixed rule that left
something out is counted here. This module must not know how a tree is walked.
"""

from __future__ import annotations

from collections.abc import Sequence

from codetrail.errors import CodeTrailError
from codetrail.index.job import Settled
from codetrail.index.passed_over import passed_over
from codetrail.index.plan import EXCLUDED, NO_PROVIDER, TOO_LARGE, BuildPlan
from codetrail.model.answers import Note
from codetrail.model.counting import counted
from codetrail.workspace.git import tracked_files
from codetrail.workspace.inventory import Inventory
from codetrail.workspace.languages import EMBEDDED_SCRIPT, is_source
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root

_SKIPS = {
    "link": "{n} symbolic [link was|links were] not followed.",
    "special": "{n} special [file was|files were] left out.",
    "not_utf8": "{n} [file whose name is|files whose names are] not UTF-8 [was|were] left out.",
    "fixed_rule": "{n} [folder|folders] of installed packages or caches [was|were] not entered.",
    "virtual_environment": (
        "{n} virtual [environment was|environments were] not indexed"
        " ([it is|they are] read for what is installed)."
    ),
    "nested_repository": (
        "{n} [folder that is a repository of its|folders that are repositories of their] own [was|were] not"
        " entered."
    ),
}
_UNCOVERED = {
    NO_PROVIDER: (
        "{n} [file is|files are] of languages without a provider; syntax alone is known of [it|them]."
    ),
    EMBEDDED_SCRIPT: (
        "{n} [file|files] (.vue, .svelte, .astro, .mdx) [holds|hold] scripts that are not indexed."
    ),
    EXCLUDED: "{n} [file is|files are] excluded by the configuration; syntax alone is known of [it|them].",
    TOO_LARGE: "{n} [file is|files are] too large to be indexed.",
}


def build_remarks(
    root: Root, inventory: Inventory, plan: BuildPlan, units: Sequence[Settled]
) -> tuple[Note, ...]:
    """Return the notes of a build, each with a stable code."""
    notes = [
        Note(f"skipped_{skip.reason}", counted(skip.entries, _SKIPS[skip.reason]).format(n=skip.entries))
        for skip in inventory.listing.skipped
        if skip.reason in _SKIPS
    ]
    notes += passed_over(root, inventory.listing)
    for reason, sentence in _UNCOVERED.items():
        number = sum(1 for _, found in plan.uncovered if found == reason)
        if number:
            notes.append(Note(reason, counted(number, sentence).format(n=number)))
    if inventory.unreadable:
        number = len(inventory.unreadable)
        notes.append(Note("unreadable", counted(number, f"{number} [file|files] could not be read.")))
    # Names that cannot be read are among what was skipped.
    unseen = {problem.code for problem in inventory.listing.problems} - {"unreadable_name"}
    notes += [Note(code, "A part of the tree could not be looked into.") for code in sorted(unseen)]
    notes += [Note(problem.code, f"{language}: {problem.message}") for language, problem in plan.problems]
    ignored = _tracked_but_ignored(root, inventory)
    if ignored is None:
        notes.append(Note("tracked_unknown", "Git could not be asked which ignored files are tracked."))
    elif ignored:
        sentence = f"{ignored} tracked [file is|files are] ignored by rules and [was|were] left out."
        notes.append(Note("tracked_but_ignored", counted(ignored, sentence)))
    if not units:
        notes.append(Note("nothing_to_index", "There is no source file of a known language here."))
    return tuple(notes)


def _tracked_but_ignored(root: Root, inventory: Inventory) -> int | None:
    """Count tracked source files that stand on disk but that the ignore rules leave out; None if unknown."""
    try:
        tracked = tracked_files(root)
    except CodeTrailError:
        return None
    if not tracked:
        return None if tracked is None else 0
    known = {file.path for file in inventory.files} | {path for path, _ in inventory.unreadable}
    missing = [file.path for file in tracked if is_source(file.path) and file.path not in known]
    with opened_root(root.path) as root_fd:
        # Deleted files and links are not ignored ones.
        return sum(1 for path in missing if read_source(root_fd, path, 0).state in ("ok", "too_large"))
