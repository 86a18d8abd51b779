"""What of the index still matches the files: the check that every answer makes (contract §6).

Rows of files that changed or are gone are left out and counted; this module says which files those are, in
one of the three modes of ``--freshness``. It must not know what is asked.
"""

from __future__ import annotations

from codetrail.query.snapshot import View
from codetrail.query.sources import Sources
from codetrail.workspace.changes import Changes, compare
from codetrail.workspace.inputs import is_input, is_watched
from codetrail.workspace.languages import is_source
from codetrail.workspace.root import Root

REBUILD = "codetrail index build"


class Freshness:
    """Tells fresh files from changed ones while an answer is made.

    ``full`` compares the whole tree at once; ``answer`` holds each file that gives a row against the hash its
    facts were made from; ``off`` looks at nothing of itself. In every mode a file whose bytes turn out to be
    others when a row's text is read counts as changed from then on. ``checked`` tells whether the whole tree
    was compared. ``inputs`` are the configuration and lock files that differ, ``surroundings`` the languages
    whose environment outside the tree is another one, ``read`` workspace files without rows that a compiler
    read, with their language (mode ``full`` only).
    """

    def __init__(self, root: Root, view: View, mode: str, sources: Sources) -> None:
        self.mode = mode
        self._sources = sources
        self._checked: dict[str, bool] = {}
        found = _compare(root, view, mode)
        self.checked = found is not None
        self._changes = _sources_only(found or Changes())
        self.inputs = _inputs(found or Changes())
        self.surroundings = found.surroundings if found is not None else ()
        self.read = found.read if found is not None else ()
        self._stale = {*self._changes.changed, *self._changes.deleted, *self._changes.ignored}
        # What is no source may have rows all the same: a JSON module, a manifest that is imported.
        self._other_data = {*self.inputs, *(path for _, path in self.read)}

    @property
    def new(self) -> tuple[str, ...]:
        """Return the files that the index does not know (mode ``full`` only)."""
        return self._changes.new

    @property
    def changed(self) -> tuple[str, ...]:
        """Return the files, still there, whose bytes are not those that were indexed."""
        gone = {*self._changes.deleted, *self._changes.ignored}
        return tuple(sorted(self._stale - gone))

    @property
    def gone(self) -> tuple[str, ...]:
        """Return the files that were deleted, or that the rules of now leave out."""
        return tuple(sorted({*self._changes.deleted, *self._changes.ignored}))

    @property
    def different(self) -> tuple[str, ...]:
        """Return every path that differs: changed, gone and new."""
        return tuple(sorted({*self._stale, *self._changes.new}))

    @property
    def anything_differs(self) -> bool:
        """Tell whether any path is known to differ."""
        return bool(self._stale or self._changes.new)

    def is_fresh(self, path: str, sha256: bytes) -> bool:
        """Tell whether the file at ``path`` still has the bytes with that hash, as far as the mode looks."""
        if self.known_stale(path):
            return False
        if self.mode != "answer":
            return True
        if path not in self._checked:
            self._checked[path] = self._sources.text(path, sha256) is not None
            if not self._checked[path]:
                self._stale.add(path)
        return self._checked[path]

    def is_fresh_or_current(self, path: str, sha256: bytes) -> bool:
        """Tell whether facts made from bytes with that hash hold for the file at ``path``.

        Of a file that is not the one indexed only facts of the present text hold.
        """
        if path in self._stale or path in self._changes.new:
            return self._sources.text(path, sha256) is not None
        return self.is_fresh(path, sha256)

    def known_stale(self, path: str) -> bool:
        """Tell whether ``path`` was already found to differ, without looking again."""
        return path in self._stale or path in self._other_data

    def mark_changed(self, path: str) -> None:
        """Note that the bytes of ``path`` were found to be others than those indexed."""
        self._stale.add(path)


def _compare(root: Root, view: View, mode: str) -> Changes | None:
    """Compare the whole tree with what the build saw; None where that was not asked or is not known."""
    recorded = view.recorded() if mode == "full" and view.key else None
    if recorded is None:
        return None
    return compare(root, recorded, keep=is_watched)


def _sources_only(found: Changes) -> Changes:
    """Leave out what is no source file: it gives no rows, so it cannot make any stale."""
    changed, deleted, new, ignored = (tuple(filter(is_source, paths)) for paths in found[:4])
    return Changes(changed, deleted, new, ignored, checked=found.checked)


def _inputs(found: Changes) -> tuple[str, ...]:
    paths = (*found.changed, *found.deleted, *found.new, *found.ignored)
    return tuple(sorted(path for path in paths if is_input(path)))
