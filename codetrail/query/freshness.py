"""What of the index still matches the files: the check that every answer makes (contract §6).

It says which files changed or are gone, in one of the three modes of ``--freshness``, and where the facts of
a changed file stand in its present text: those whose lines are unchanged stand where those lines are now.
This module must not know what is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.model.ranges import FILE_START, Range
from codetrail.query.snapshot import Part, View
from codetrail.query.sources import Sources, SourceText
from codetrail.store.read_documents import DocumentRow, line_hashes
from codetrail.workspace.changes import Changes, compare
from codetrail.workspace.inputs import is_input, is_watched
from codetrail.workspace.languages import is_source
from codetrail.workspace.reading import LARGE_FILE
from codetrail.workspace.root import Root

if TYPE_CHECKING:
    from codetrail.workspace.line_map import LineMap

REBUILD = "codetrail index build"
MOVED = "moved"
"""What a row of a changed file is marked with."""


class Standing(NamedTuple):
    """Where a fact stands now; ``moved``: in another text than the one it was made from."""

    text: SourceText
    range: Range
    moved: bool


class _Change(NamedTuple):
    """The present text of a changed file, and which of its lines were there when it was indexed."""

    text: SourceText
    lines: LineMap


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
        self._moves: dict[tuple[str, int], _Change | None] = {}
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

    def stands(self, part: Part, document: DocumentRow, span: Range) -> Standing | None:
        """Return where a fact about a place in a document stands now.

        None where the file is gone or cannot be read, or a line of the place is not there any more.
        """
        if self.is_fresh(document.path, document.sha256):
            text = self._sources.text(document.path, document.sha256)
            if text is not None:
                return Standing(text, span, moved=False)
            self.mark_changed(document.path)
        span_now = self.moved(part, document, span)
        change = self._move(part, document) if span_now is not None else None
        return Standing(change.text, span_now, moved=True) if change and span_now else None

    def range_now(self, part: Part, document: DocumentRow, span: Range) -> Range | None:
        """Return where a place in a document is now, as ``stands`` does, but read no file that is fresh."""
        return span if self.is_fresh(document.path, document.sha256) else self.moved(part, document, span)

    def moved(self, part: Part, document: DocumentRow, span: Range) -> Range | None:
        """Return where a place of a file known to have changed is now, None where it is gone."""
        change = self._move(part, document)
        if change is not None and span == FILE_START:
            return span
        start = change.lines.now(span.line) if change is not None else None
        if change is None or start is None:
            return None
        for line in range(span.line + 1, span.end_line + 1):
            if change.lines.now(line) != start + line - span.line:
                return None
        return Range(start, span.column, start + span.end_line - span.line, span.end_column)

    def line_then(self, part: Part, document: DocumentRow, line: int) -> int | None:
        """Return which line of a file known to have changed is ``line`` now, None where that is new."""
        change = self._move(part, document)
        return change.lines.then(line) if change is not None else None

    def _move(self, part: Part, document: DocumentRow) -> _Change | None:
        key = (part.shard.file, document.id)
        if key not in self._moves:
            self._moves[key] = self._find_move(part, document)
        return self._moves[key]

    def _find_move(self, part: Part, document: DocumentRow) -> _Change | None:
        if document.path in self._changes.deleted or document.path in self._changes.ignored:
            return None
        text = self._sources.text(document.path)
        if text is None or max(document.size, len(text.data)) > LARGE_FILE:
            return None
        from codetrail.workspace.line_map import map_lines

        return _Change(text, map_lines(line_hashes(part.shard, document.id), text.line_hashes))


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
