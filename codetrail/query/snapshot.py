"""The snapshot that a question is asked of: its shards opened, and what its units say of themselves.

Everything below ``query`` that depends on the form of a manifest stands here. This module must not know what
is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import gmtime, strftime
from typing import TYPE_CHECKING

from codetrail.errors import CodeTrailError
from codetrail.model import facts, symbols
from codetrail.store.manifest import Manifest, ManifestEntry, is_hidden
from codetrail.store.packages import package_key
from codetrail.store.read_documents import (
    DocumentRow,
    document,
    document_by_id,
    documents,
    imprecise_documents,
)
from codetrail.store.read_occurrences import documents_of, locals_of
from codetrail.store.shard_reader import Shard
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.changes import Recorded
from codetrail.workspace.root import Root

if TYPE_CHECKING:
    from codetrail.model.documents import LocalOccurrence


_PRECISE = facts.DOC_STATES.index("precise")


class Part:
    """One open shard and the entry of the manifest that lists it. Masked documents do not exist here."""

    __slots__ = ("_documents", "_locals", "_masked", "entry", "shard", "unit")

    def __init__(self, shard: Shard, entry: ManifestEntry) -> None:
        self.shard = shard
        self.entry = entry
        self.unit = str(shard.meta["unit"])
        self._masked = frozenset(entry.masked)
        self._documents: dict[int, DocumentRow | None] = {}
        self._locals: tuple[int, tuple[LocalOccurrence, ...], tuple[int, ...]] | None = None

    def document(self, doc: int) -> DocumentRow | None:
        """Return the document with that id, None when it is masked or not here; remembered."""
        if doc not in self._documents:
            row = document_by_id(self.shard, doc) if doc > 0 else None
            self._documents[doc] = None if row is None or row.path in self._masked else row
        return self._documents[doc]

    def document_at(self, path: str) -> DocumentRow | None:
        """Return the document with that path, None when it is masked or not here."""
        return None if path in self._masked else document(self.shard, path)

    def shows(self, number: int) -> bool:
        """Tell whether a symbol id occurs in a document that is not masked; else it does not exist here."""
        if not self._masked:
            return True
        return any(self.document(doc) is not None for doc, _ in documents_of(self.shard, number))

    def documents(self) -> Iterator[DocumentRow]:
        """Yield all documents in the order of their paths."""
        return (row for row in documents(self.shard) if row.path not in self._masked)

    def locals(self, doc: int) -> tuple[tuple[LocalOccurrence, ...], tuple[int, ...]]:
        """Return the occurrences of locals in a document, and their kinds; the last asked is remembered."""
        if self._locals is None or self._locals[0] != doc:
            self._locals = (doc, *locals_of(self.shard, doc))
        return self._locals[1:]

    def imprecise_documents(self) -> Iterator[DocumentRow]:
        """Yield the documents that a compiler said nothing or perhaps not everything of."""
        return (row for row in imprecise_documents(self.shard) if row.path not in self._masked)


class View:
    """An opened snapshot. ``key`` is empty when nothing is indexed; then there are no parts either.

    ``recorded`` gives what the build saw of the tree, None when that is not known; ``close`` lets go of all.
    """

    __slots__ = ("_by_file", "close", "indexed_at", "key", "manifest", "parts", "recorded")

    def __init__(
        self,
        key: str,
        manifest: Manifest,
        parts: tuple[Part, ...],
        recorded: Callable[[], Recorded | None] = lambda: None,
        indexed_at: str | None = None,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        self.key = key
        self.manifest = manifest
        self.parts = parts
        self.recorded = recorded
        self.indexed_at = indexed_at
        self.close = close
        self._by_file = {(part.entry.file, part.entry.offset): part for part in parts}

    def parts_joining(self, part: Part, package: symbols.Package | None) -> tuple[Part, ...]:
        """Return the parts where a symbol of ``part`` may stand: without a package name its unit's only.

        ``package`` is None for a symbol that does not parse, which no manifest lists.
        """
        if package is None:
            return self.parts
        if not package.name:
            return tuple([other for other in self.parts if other.unit == part.unit])
        entries = self.manifest.shards_for(package=package_key(package))
        found = [self._by_file.get((entry.file, entry.offset)) for entry in entries]
        return tuple([part for part in found if part is not None])

    def holding(self, path: str) -> Iterator[tuple[Part, DocumentRow]]:
        """Yield the parts that describe the file at ``path``, with its document."""
        for part in self.parts:
            row = part.document_at(path)
            if row is not None:
                yield part, row

    def is_covered(self, path: str) -> bool:
        """Tell whether a compiler described the file at ``path``, be it as it now is or as it was."""
        return any(row.state == _PRECISE for _, row in self.holding(path))


def open_view(root: Root, key: str | None = None) -> View:
    """Open the current snapshot of a workspace, or the stored one with ``key``; the caller closes it.

    Raises IndexUnavailable ``index_missing`` and IndexUnusable as ``store.snapshots.open_snapshot`` does.
    """
    snapshot = open_snapshot(root.path, key)
    try:
        # Of a shard whose documents are all masked nothing exists for questions, its names neither.
        entries = [one for one in snapshot.manifest.shards_for() if not is_hidden(one)]
        parts = tuple([Part(snapshot.shard(entry), entry) for entry in entries])
    except CodeTrailError:
        snapshot.close()
        raise
    finished = gmtime(snapshot.local.times.finished_ns // 1_000_000_000)
    return View(
        snapshot.key,
        snapshot.manifest,
        parts,
        snapshot.local.recorded,
        strftime("%Y-%m-%dT%H:%M:%SZ", finished),
        snapshot.close,
    )


NOTHING = View("", Manifest(()), ())
"""What there is to ask when nothing is indexed."""
