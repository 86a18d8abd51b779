"""The files without a precise layer, as they now are, read for the calls in them (contract §5).

Those that no provider described, and those that came since. A file that was described and changed is none:
its rows are dropped and counted (contract §6), not replaced by guesses. A file is parsed once a question, and
only so many are; what was left out is known. Loads the parser when the first such file is met.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from codetrail.model import facts
from codetrail.model.ranges import Range
from codetrail.query.freshness import Freshness
from codetrail.query.snapshot import View
from codetrail.query.sources import Sources, SourceText
from codetrail.query.unresolved import matches_in
from codetrail.store.read_names import names_exact, unbound
from codetrail.workspace.languages import language_of

if TYPE_CHECKING:
    from codetrail.syntax.file_calls import FileCalls

MOST_FILES = 300
"""Files that are parsed for one question."""
MOST_BYTES = 5_000_000
"""Bytes of them, taken together."""
_PRECISE = facts.DOC_STATES.index("precise")


class OpenFiles:
    """Finds and parses such files; one object serves one question. ``cut`` tells whether any was left out."""

    def __init__(
        self,
        view: View,
        freshness: Freshness,
        sources: Sources,
        most_files: int = MOST_FILES,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._view = view
        self._freshness = freshness
        self._sources = sources
        self._files_left = most_files
        self._bytes_left = most_bytes
        self._parsed: dict[str, FileCalls | None] = {}
        self._covered: dict[str, bool] = {}
        self._texts: dict[str, SourceText] = {}
        self.cut = False

    def is_open(self, path: str) -> bool:
        """Tell whether the file at ``path`` is there and no precise layer covers it."""
        if path in self._freshness.gone:
            return False
        if path not in self._covered:
            self._covered[path] = self._view.is_covered(path)
        return not self._covered[path]

    def holding(
        self, names: Collection[str], languages: Collection[str], mentions: Collection[str] = ()
    ) -> list[str]:
        """Return the open files of ``languages`` that hold one of ``names``, ascending.

        Of scripts also those that mention one of ``mentions`` in any text: what a module gives without a name
        stands under any name where it is used.
        """
        found: set[str] = set()
        for part in self._view.parts:
            ids = [number for name in names for number in names_exact(part.shard, name)]
            for doc in unbound(part.shard, ids):
                document = part.document(doc)
                if document is not None and document.state != _PRECISE and document.language in languages:
                    found.add(document.path)
        changed = set(filter(self.is_open, self._freshness.changed))
        wanted = sorted({*names, *mentions})
        found -= changed
        found |= {
            path
            for path in (*changed, *self._freshness.new)
            if language_of(path) in languages and matches_in(self._sources, path, wanted)
        }
        if mentions:
            found |= set(self._mentioning(sorted(mentions), found))
        return [path for path in sorted(found) if self.is_open(path)]

    def _mentioning(self, mentions: list[str], known: Collection[str]) -> Iterator[str]:
        left = self._files_left
        for part in self._view.parts:
            for document in part.imprecise_documents():
                if document.language not in ("javascript", "typescript") or document.path in known:
                    continue
                if document.state == _PRECISE or self._freshness.known_stale(document.path):
                    continue
                left -= 1
                if left < 0:
                    self.cut = True
                    return
                if matches_in(self._sources, document.path, mentions):
                    yield document.path

    def calls(self, path: str) -> FileCalls | None:
        """Return the calls and definitions of the file at ``path`` as it now is.

        None where it cannot be read or parsed, or too much was parsed already.
        """
        if path not in self._parsed:
            self._parsed[path] = self._parse(path)
        return self._parsed[path]

    def text(self, path: str) -> SourceText | None:
        """Return the text of a file: of one that was parsed the very text that was."""
        return self._texts.get(path) or self._sources.text(path)

    def span(self, path: str, start: int, end: int) -> Range:
        """Return the range of a span (bytes) of a file that was parsed."""
        position = self._texts[path].index.position
        return Range(*position(start), *position(end))

    def _parse(self, path: str) -> FileCalls | None:
        language = language_of(path)
        source = self._sources.text(path)
        if language is None or source is None:
            return None
        if self._files_left <= 0 or len(source.data) > self._bytes_left:
            self.cut = True
            return None
        self._files_left -= 1
        self._bytes_left -= len(source.data)
        self._texts[path] = source
        from codetrail.syntax.callees import read_calls

        return read_calls(source.data, language, path)
