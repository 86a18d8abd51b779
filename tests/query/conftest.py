"""A small workspace with a snapshot made by hand: files on disk, facts told token by token."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from codetrail.model import facts, kinds
from codetrail.model.answers import Answer, Question, Row, SymbolRow
from codetrail.model.calls import CallRow
from codetrail.model.documents import (
    Definition,
    DocumentFacts,
    Extent,
    LocalOccurrence,
    Occurrence,
    OpenCall,
    Relation,
    SymbolInfo,
)
from codetrail.model.hierarchy import HierarchyRow
from codetrail.model.ranges import LineIndex, Range
from codetrail.model.scope import Scope
from codetrail.model.symbols import names, parse
from codetrail.query.engine import answer
from codetrail.store.local_facts import Times
from codetrail.store.manifest import Manifest, ManifestEntry
from codetrail.store.shard_writer import ShardWriter
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import publish
from codetrail.syntax.extract import definitions_of
from codetrail.syntax.file_syntax import qualified_name
from codetrail.workspace.changes import Recorded, RecordedFile
from codetrail.workspace.digests import content_hash, line_hashes, split_lines
from codetrail.workspace.files import walk
from codetrail.workspace.languages import is_test_path, language_of
from codetrail.workspace.root import Root

_NAME = re.compile(rb"\w+")


class Facts:
    """Tells the facts of one file: each call looks for its token behind the one before."""

    def __init__(self, path: str, text: str, package: str) -> None:
        self.path = path
        self.data = text.encode()
        self._package = package
        self._lines = LineIndex(self.data)
        self._at = 0
        self._definitions: list[tuple[str, Range, Range | None, str, int]] = []
        self._uses: list[tuple[str, Range, int, int]] = []
        self._locals: list[tuple[int, Range, int, int]] = []
        self._syntax: list[tuple[str, str, Range, Range]] = []
        self._infos: list[SymbolInfo] = []
        self._relations: list[Relation] = []
        self._open_calls: list[Range] = []
        self.flags = 0
        self.state = "precise"
        self.reason = ""

    def _next(self, token: str) -> Range:
        start = self.data.index(token.encode(), self._at)
        self._at = start + len(token.encode())
        return Range(*self._lines.position(start), *self._lines.position(self._at))

    def full(self, symbol: str) -> str:
        return symbol if symbol.count(" ") > 2 else f"{self._package} {symbol}"

    def back(self) -> Facts:
        """Look from the beginning of the file again."""
        self._at = 0
        return self

    def define(
        self, token: str, symbol: str, kind: str = "", lines: int = 0, signature: str = "", above: int = 0
    ) -> Facts:
        """Tell a definition; its body has ``lines`` from that of its name on, and ``above`` before it."""
        span = self._next(token)
        body = Range(span.line - above, 0, span.line + lines, 0) if lines else None
        self._definitions.append((self.full(symbol), span, body, kind, facts.ROLE_DEFINITION))
        self._infos.append(SymbolInfo(self.full(symbol), kinds.NUMBERS.get(kind, 0), "", signature, "", ""))
        return self

    def binds(self, token: str, symbol: str, kind: str = "") -> Facts:
        """Tell a name that an import defines because its module was not found."""
        self.define(token, symbol, kind)
        *rest, roles = self._definitions[-1]
        self._definitions[-1] = (*rest, roles | facts.ROLE_IMPORT)  # type: ignore[assignment]
        return self

    def adds(self, token: str, symbol: str, kind: str = "") -> Facts:
        """Tell a definition that only announces another, or adds to it."""
        self.define(token, symbol, kind)
        *rest, roles = self._definitions[-1]
        self._definitions[-1] = (*rest, roles | facts.ROLE_FORWARD_DEFINITION)  # type: ignore[assignment]
        return self

    def use(self, token: str, symbol: str, use: str = "call", roles: int = facts.ROLE_READ) -> Facts:
        self._uses.append((self.full(symbol), self._next(token), roles, facts.USES.index(use)))
        return self

    def local(self, token: str, number: int, *, defines: bool = False, use: str = "") -> Facts:
        role = facts.ROLE_DEFINITION if defines else facts.ROLE_READ
        self._locals.append((number, self._next(token), role, facts.USES.index(use)))
        return self

    def parsed(
        self,
        token: str,
        kind: str,
        qualified: str = "",
        lines: int = 1,
        columns: tuple[int, int] | None = None,
    ) -> Facts:
        """Tell a definition that only syntax knows; ``columns`` are those of its body on a single line."""
        span = self._next(token)
        body = Range(span.line, 0, span.line + lines, 0)
        if columns is not None:
            body = Range(span.line, columns[0], span.line, columns[1])
        self._syntax.append((qualified or token, kind, span, body))
        return self

    def open_call(self, token: str) -> Facts:
        """Tell a call whose target no compiler told."""
        self._open_calls.append(self._next(token))
        return self

    def relates(
        self, symbol: str, other: str, flags: int = facts.REL_IMPLEMENTATION, *, derived: bool = False
    ) -> Facts:
        """Tell that one symbol overrides another."""
        self._relations.append(Relation(self.full(symbol), self.full(other), flags, derived))
        return self

    def broken(self) -> Facts:
        """Tell that the file does not parse."""
        self.flags = facts.DOC_SYNTAX_ERRORS
        return self

    def not_precise(self, state: str, reason: str) -> Facts:
        self.state, self.reason = state, reason
        return self

    def only_syntax(self, state: str = "parser", reason: str = "no_provider") -> Facts:
        """Tell of the file what syntax shows, and nothing else."""
        position = self._lines.position
        extents = definitions_of(self.data, language_of(self.path) or "", path=self.path)
        for number, one in enumerate(extents):
            span = Range(*position(one.name_start), *position(one.name_end))
            body = Range(*position(one.start), *position(one.end))
            self._syntax.append((qualified_name(extents, number), one.kind, span, body))
        return self.not_precise(state, reason)

    def document(self) -> DocumentFacts:
        language = language_of(self.path) or ""
        extents = self._extents()
        callables = [
            (number, extent) for number, extent in enumerate(extents) if extent.kind in kinds.CALLABLE
        ]

        def encl(span: Range) -> int:
            around = [n for n, extent in callables if extent.body.contains(span.line, span.column)]
            return around[-1] if around else -1

        occurrences = [
            Occurrence(symbol, span, roles, 0, encl(span)) for symbol, span, _, _, roles in self._definitions
        ]
        occurrences += [
            Occurrence(symbol, span, roles, use, encl(span)) for symbol, span, roles, use in self._uses
        ]
        bound = {one.range[:2] for one in occurrences} | {one[1][:2] for one in self._locals}
        unbound: dict[str, int] = {}
        for match in _NAME.finditer(self.data):
            if self._lines.position(match.start()) not in bound:
                name = match.group().decode()
                unbound[name] = unbound.get(name, 0) + 1
        return DocumentFacts(
            path=self.path,
            language=language,
            sha256=bytes.fromhex(content_hash(self.data)),
            size=len(self.data),
            flags=self.flags | (facts.DOC_TEST if is_test_path(self.path, language) else 0),
            state=facts.DOC_STATES.index(self.state),
            reason=self.reason,
            line_hashes=line_hashes(split_lines(self.data)),
            occurrences=tuple(occurrences),
            definitions=tuple(
                Definition(symbol, span, body) for symbol, span, body, _, _ in self._definitions
            ),
            extents=extents,
            symbols=tuple(self._infos),
            relations=tuple(self._relations),
            locals=tuple(
                LocalOccurrence(n, span, roles, use, encl(span)) for n, span, roles, use in self._locals
            ),
            local_kinds=(kinds.NUMBERS["variable"],)
            * (1 + max((one[0] for one in self._locals), default=-1)),
            unbound=unbound,
            open_calls=tuple(OpenCall(*span[:2], encl(span)) for span in self._open_calls),
        )

    def _extents(self) -> tuple[Extent, ...]:
        found: list[tuple[Range, Extent]] = []
        for symbol, span, body, kind, _ in self._definitions:
            if body is not None:
                own = names(parse(symbol).descriptors)
                number = kinds.NUMBERS[kind or "function"]
                extent = Extent(symbol, number, own[-1], ".".join(own), -1, span, body, 0)
                found.append((body, extent))
        for qualified, kind, span, body in self._syntax:
            name = qualified.rpartition(".")[2]
            found.append((body, Extent("", kinds.NUMBERS[kind], name, qualified, -1, span, body, 1)))
        found.sort(key=lambda pair: (pair[0][:2], -pair[0].end_line))
        placed: list[Extent] = []
        for body, extent in found:
            around = [n for n, one in enumerate(placed) if one.body.contains(body.line, body.column)]
            placed.append(extent._replace(parent=around[-1] if around else -1))
        return tuple(placed)


class Tree:
    """A workspace being put together, and then asked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.root = Root(str(path))
        self.key = ""
        self._units: list[tuple[ManifestEntry, list[Facts]]] = []

    def write(self, path: str, text: str) -> None:
        place = self.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())

    def unit(self, name: str = "python:.", **entry: Any) -> list[Facts]:
        """Start a unit; ``entry`` are fields of its manifest entry. Put its files into the list returned."""
        given = {
            "unit_digest": content_hash(name.encode()),
            "kind": "occurrences",
            "language": "python",
            "provider": "python",
            "provider_version": "1",
            "engine": "pyright",
            "engine_version": "1.1",
            "repository": ".",
            "root": "",
            "state": "built",
            **entry,
        }
        documents: list[Facts] = []
        self._units.append((ManifestEntry(unit=name, **given), documents))
        return documents

    def file(
        self, unit: list[Facts], path: str, text: str, package: str = "codetrail-python python shop 1.0"
    ) -> Facts:
        """Write a file and begin its facts, as part of ``unit``."""
        self.write(path, text)
        unit.append(Facts(path, text, package))
        return unit[-1]

    def store(self, *, make_current: bool = True, unseen: tuple[str, ...] = ()) -> str:
        """Write the shards and publish the snapshot; return its key."""
        with opened(str(self.path), create=True) as folder:
            entries = [self._entry(folder.pool, entry, documents) for entry, documents in self._units]
            listed = Manifest(tuple(entries), unseen=unseen)
            times = Times(1, 2, {})
            self.key = publish(folder, listed, self._recorded(), times, make_current=make_current)
        return self.key

    def _entry(self, pool: str, entry: ManifestEntry, documents: list[Facts]) -> ManifestEntry:
        if not documents:
            return entry
        writer = ShardWriter(pool, meta={"provider": entry.provider}, unit=entry.unit)
        for one in sorted(documents, key=lambda facts: facts.path.encode()):
            writer.add(one.document())
        record = writer.finish()
        return entry._replace(
            file=f"{record.sha256}.db",
            size=record.size,
            sha256=record.sha256,
            documents=record.documents,
            files=len(documents),
            packages_defined=record.packages_defined,
            packages_mentioned=record.packages_mentioned,
            first_path=record.first_path,
            last_path=record.last_path,
        )

    def _recorded(self) -> Recorded:
        listing = walk(self.root)
        files = [
            RecordedFile(*file, content_hash((self.path / file.path).read_bytes())) for file in listing.files
        ]
        return Recorded(files, listing.folders, listing.ignore_files, 0)

    def ask(self, verb: str, identifier: str, **options: Any) -> Answer:
        scope = options.pop("scope", {})
        size = options.pop("size", None)
        return answer(Question(verb, identifier, Scope(**scope), **options), self.root, size=size)

    def refs(self, identifier: str, **options: Any) -> Answer:
        return self.ask("refs", identifier, **options)

    def defs(self, identifier: str, **options: Any) -> Answer:
        return self.ask("defs", identifier, **options)


def edges(given: Answer) -> list[str]:
    """Return call rows as ``path:line:column use caller -> callee`` (1-based)."""
    found = []
    for row in given.rows:
        assert isinstance(row, CallRow)
        at = f"{row.path}:{row.range.line + 1}:{row.range.column + 1}"
        via = f" {row.via.kind} {row.via.symbol.rpartition('/')[2]}" if row.via is not None else ""
        names = f"{row.caller.qualified_name} -> {row.callee.qualified_name}"
        found.append(f"{at} {row.use} {names}{via}")
    return found


def places(given: Answer) -> list[str]:
    """Return the rows as ``path:line:column`` (1-based)."""
    found = []
    for row in given.rows:
        assert not isinstance(row, HierarchyRow)
        named = row.node if isinstance(row, SymbolRow) else row
        path, span = named.path, named.range
        assert span is not None
        found.append(f"{path}:{span.line + 1}:{span.column + 1}")
    return found


def labels(rows: Iterable[Row]) -> set[str]:
    """Return the labels of the rows."""
    return {row.reliability for row in rows}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Return an empty workspace of this user."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    place = tmp_path / "work"
    place.mkdir()
    os.chmod(place, 0o700)
    return Tree(place)
