"""Count files that hold source and are not called so: nobody shall take them for indexed.

Scripts without a suffix, scripts in web pages, and suffixes in capitals: what language a file is in goes by
its name (contract §2). This module must not know how a tree is walked, nor what a build does.
"""

from __future__ import annotations

import re

from codetrail.model.answers import Note
from codetrail.model.counting import counted
from codetrail.workspace.files import MOST_BARE, Listing
from codetrail.workspace.languages import script_language
from codetrail.workspace.reading import opened_root, read_head
from codetrail.workspace.root import Root

PAGE_SCRIPTS = "skipped_page_scripts"
_FIRST_LINE = 128
_PAGE = 64 << 10
"""Bytes of a web page that are searched: scripts further down are not told of."""
_SCRIPT = re.compile(rb"<script[\s>/]", re.IGNORECASE)
_NAMED = 5


def passed_over(root: Root, listing: Listing) -> list[Note]:
    """Return a note for each kind of such files, with count and up to five paths.

    Only the first line of files without a suffix is read, and
    the first 64 KiB of web pages. Raises OSError only if the root cannot be opened.
    """
    notes: list[Note] = []
    for skip in listing.skipped:
        if skip.reason == "capital_suffix":
            number = skip.entries
            sentence = (
                f"{number} [file has its suffix|files have suffixes] in capitals and [is|are] not indexed"
            )
            notes.append(Note("skipped_capital_suffix", _with_paths(sentence, skip.entries, skip.paths)))
    scripts, pages = _scripts(root, listing.bare, listing.pages)
    if scripts:
        least = "At least " if len(listing.bare) == MOST_BARE else ""
        sentence = f"{least}{len(scripts)} [script|scripts] without a suffix [is|are] not indexed"
        notes.append(Note("skipped_scripts", _with_paths(sentence, len(scripts), tuple(scripts[:_NAMED]))))
    if pages:
        least = "At least " if len(listing.pages) == MOST_BARE else ""
        sentence = f"{least}{len(pages)} web [page holds|pages hold] scripts that are not indexed"
        notes.append(Note(PAGE_SCRIPTS, _with_paths(sentence, len(pages), tuple(pages[:_NAMED]))))
    return notes


def _scripts(root: Root, bare: tuple[str, ...], pages: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return which of the files are scripts, and which of the web pages hold some."""
    if not bare and not pages:
        return [], []
    with opened_root(root.path) as root_fd:
        return (
            [path for path in bare if script_language(read_head(root_fd, path, _FIRST_LINE))],
            [path for path in pages if _SCRIPT.search(read_head(root_fd, path, _PAGE))],
        )


def _with_paths(sentence: str, times: int, paths: tuple[str, ...]) -> str:
    named = ", ".join(f"{path!a:.80}" for path in paths)
    return f"{counted(times, sentence)}: {named}{' and more' if times > len(paths) else ''}."
