"""Count files that hold source and are not called so: nobody shall take them for indexed.

Scripts without a suffix, and suffixes in capitals: what language a file is in goes by its name (contract §2).
This module must not know how a tree is walked, nor what a build does.
"""

from __future__ import annotations

from codetrail.model.answers import Note
from codetrail.workspace.files import MOST_BARE, Listing
from codetrail.workspace.languages import script_language
from codetrail.workspace.reading import opened_root, read_head
from codetrail.workspace.root import Root

_FIRST_LINE = 128
_NAMED = 5


def passed_over(root: Root, listing: Listing) -> list[Note]:
    """Return a note for each kind of such files, with count and up to five paths.

    Only the first line of files without a suffix is read. Raises OSError only if the root cannot be opened.
    """
    notes: list[Note] = []
    for skip in listing.skipped:
        if skip.reason == "capital_suffix":
            sentence = f"{skip.entries} files have suffixes in capitals and are not indexed"
            notes.append(Note("skipped_capital_suffix", _with_paths(sentence, skip.entries, skip.paths)))
    scripts = _scripts(root, listing.bare)
    if scripts:
        least = "At least " if len(listing.bare) == MOST_BARE else ""
        sentence = f"{least}{len(scripts)} scripts without a suffix are not indexed"
        notes.append(Note("skipped_scripts", _with_paths(sentence, len(scripts), tuple(scripts[:_NAMED]))))
    return notes


def _scripts(root: Root, paths: tuple[str, ...]) -> list[str]:
    if not paths:
        return []
    with opened_root(root.path) as root_fd:
        return [path for path in paths if script_language(read_head(root_fd, path, _FIRST_LINE))]


def _with_paths(sentence: str, times: int, paths: tuple[str, ...]) -> str:
    named = ", ".join(f"{path!a:.80}" for path in paths)
    return f"{sentence}: {named}{' and more' if times > len(paths) else ''}."
