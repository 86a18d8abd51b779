"""What the parser says of files that no shard describes: changed, new, or none indexed at all.

Only ``defs`` and ``symbols`` may ask (contract §1); ``calls`` and ``callers`` of files that no compiler
described. A file is parsed only when its text can hold the name. Loads the parser when the first such file is
met, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from codetrail.model import kinds
from codetrail.model.identifiers import style_key
from codetrail.model.ranges import Range
from codetrail.query.groups import ParserDefinition
from codetrail.query.moved import FileDefinitions
from codetrail.query.sources import Sources, SourceText
from codetrail.workspace.languages import is_test_path, language_of
from codetrail.workspace.reading import LARGE_FILE


class PresentFiles:
    """Parses files of the workspace as they are now; each at most once."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._parsed: dict[str, tuple[ParserDefinition, ...]] = {}

    def in_file(self, path: str) -> tuple[ParserDefinition, ...]:
        """Return the definitions of one file, outer before inner; none where it cannot be read or parsed."""
        if path not in self._parsed:
            self._parsed[path] = self._parse(path)
        return self._parsed[path]

    def _parse(self, path: str) -> tuple[ParserDefinition, ...]:
        language = language_of(path)
        source = self._sources.text(path)
        if language is None or source is None or len(source.data) > LARGE_FILE:
            return ()
        return tuple(_definitions(source, path, language))


class CurrentFiles:
    """Finds definitions in the files that no shard describes as they are, which ``paths`` gives.

    ``present`` parses; ``is_known`` tells of a definition whether a compiler's row gives it all the same.
    """

    def __init__(
        self,
        sources: Sources,
        paths: Callable[[], Sequence[str]],
        present: FileDefinitions,
        is_known: Callable[[ParserDefinition], bool],
    ) -> None:
        self._sources = sources
        self._paths = paths
        self._present = present
        self._is_known = is_known
        self._found: dict[str, tuple[ParserDefinition, ...]] = {}
        self._holding: dict[tuple[str, int], tuple[str, ...]] = {}

    def definitions(self, name: str) -> Iterator[ParserDefinition]:
        """Yield the definitions of every file whose text may hold ``name`` in some spelling."""
        for path in self._paths_holding(name):
            yield from self.named_in(path)

    def _paths_holding(self, name: str) -> tuple[str, ...]:
        paths = self._paths()
        # All spellings of a name share a key, so files are read for the first of them only.
        key = style_key(name) or name
        found = self._holding.get((key, len(paths)))
        if found is None:
            found = tuple([path for path in paths if path in self._found or self._may_hold(path, name, key)])
            self._holding[key, len(paths)] = found
        return found

    def named_in(self, path: str) -> Iterator[ParserDefinition]:
        """Yield the definitions of one file that can be asked for by name: callbacks are found by place."""
        return (found for found in self.in_file(path) if found.kind != kinds.CALLBACK)

    def in_file(self, path: str) -> tuple[ParserDefinition, ...]:
        """Return the definitions of one file that only syntax knows, outer before inner."""
        if path not in self._found:
            self._found[path] = tuple([one for one in self._present(path) if not self._is_known(one)])
        return self._found[path]

    def _may_hold(self, path: str, name: str, key: str) -> bool:
        source = self._sources.text(path)
        if source is None:
            return False
        text = source.data.decode("utf-8", "replace")
        return name in text or key in style_key(text)


def _definitions(source: SourceText, path: str, language: str) -> Iterable[ParserDefinition]:
    from codetrail.syntax.extract import definitions_of
    from codetrail.syntax.file_syntax import qualified_name

    is_test = is_test_path(path, language)
    position = source.index.position
    extents = definitions_of(source.data, language, path=path)
    for index, extent in enumerate(extents):
        if not extent.name:
            continue
        yield ParserDefinition(
            path,
            language,
            kinds.NUMBERS[extent.kind],
            extent.name,
            qualified_name(extents, index),
            Range(*position(extent.name_start), *position(extent.name_end)),
            Range(*position(extent.start), *position(extent.end)),
            is_test,
            source.sha256,
        )
