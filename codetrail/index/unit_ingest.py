"""Turn the SCIP file of one unit into shards: every owned file gets a row, whatever became of its document.

Documents are taken in the order of their paths, one at a time, so memory does not grow with the index. Two
looks at the file are needed before: where the documents are, and which of them defines which module. This
module must not know what a place is or how a shard is laid out.
"""

from __future__ import annotations

import gc
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from codetrail.index.ingest import Unit, document_flags, ingest_document, ingest_without_document
from codetrail.index.local_packages import without_definitions
from codetrail.index.same_text import is_same_text, names_fit
from codetrail.index.symbol_names import LeafCache, gives_value
from codetrail.model import kinds
from codetrail.model.documents import DocumentFacts, SymbolInfo
from codetrail.model.facts import DOC_STATES, DOC_SYNTAX_ERRORS, ROLE_SAFE_MODE
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.scip.documents import DocumentError
from codetrail.scip.limits import Limits
from codetrail.scip.quirks import OWN_TOOL_PREFIX, profile_for
from codetrail.scip.reader import Metadata, ScipFile, scan
from codetrail.store.packages import PackageKey
from codetrail.syntax.file_syntax import FileSyntax
from codetrail.workspace.encodings import is_read_otherwise, is_utf16, utf8_source

MOST_OCCURRENCES = 5_000_000
"""A unit with more is cut into parts of about this size (architecture §3), by an estimate from its bytes."""

_CHANGED, _UNREADABLE = DOC_STATES.index("changed_during_build"), DOC_STATES.index("unreadable")
_MOST_DEFINERS = 64
"""A module symbol that more documents define (a Java package) names no file."""

_MESSAGES = {
    "document_missing": "the provider sent no document for files that the unit owns",
    "document_invalid": "documents that could not be decoded were left out",
    "document_too_large": "documents that are larger than a document may be were left out",
    "document_units_differ": "documents that came twice, with different column units, were left out",
    "document_texts_differ": "documents that came twice, with different texts, were left out",
    "document_differs": "documents were left out whose text, or names at their places, are not the file's",
    "definitions_refused": "definitions of symbols were left out whose packages units of this machine define",
    "document_unproved": "documents carry no text; that they are of these files shows by their names alone",
    "document_encoding": "documents of files whose encoding their producer may read otherwise were left out",
    "file_utf16": "files in UTF-16, which Python does not read; their documents were left out",
    "document_path_refused": "documents whose paths do not stay below the root were left out",
    "document_not_owned": "documents of files that belong to no unit or to another one were left out",
    "changed_during_build": "files changed while the unit was being indexed; their documents were left out",
    "unreadable": "files could not be read; their documents were left out",
    "places_skipped": "places that do not fit the text of their file were left out",
    "symbols_skipped": "symbols that are longer or relate to more others than a symbol may were left out",
    "unit_corrected": "columns of files were not in the unit that their producer usually writes",
    "no_documents": "the SCIP file holds no document for any file of the unit",
}

_REPORTED = {
    "places_skipped": ("range_invalid", "range_missing", "range_not_a_token", "range_outside"),
    "symbols_skipped": ("symbol_refused",),
    "unit_corrected": ("unit_corrected",),
}
"""Counts of a document that people should hear of, by the problem they make."""

Record = TypeVar("Record", covariant=True)


class FactsWriter(Protocol[Record]):
    """What receives the facts of one part of a unit, in the order of paths."""

    def add(self, document: DocumentFacts) -> None:
        """Take in one document."""
        ...

    def add_external(self, info: SymbolInfo) -> None:
        """Take in what was said of a symbol that another package defines."""
        ...

    def finish(self) -> Record:
        """Publish everything and say what it became."""
        ...

    def abort(self) -> None:
        """Leave nothing behind."""
        ...


class IngestReport(NamedTuple):
    """What came of a unit: its shards in the order of their parts, its problems, and counts by reason.

    ``counts`` also holds ``documents`` and ``occurrences`` that were stored.
    """

    shards: tuple[object, ...]
    problems: tuple[Problem, ...]
    counts: Mapping[str, int]
    metadata: Metadata


Read = Callable[[str], bytes | None]
"""Returns the bytes of a root-relative file, or None where it cannot be read."""

Extract = Callable[[bytes, str, str], FileSyntax | None]
"""Returns the syntax of a file, given its bytes, language and path; None where there is none to be had."""

OpenWriter = Callable[[int, int], FactsWriter[object]]
"""Opens the writer of a part: called with its number from 0 and the number of parts."""


class _Problems:
    """Collects problems: one for each code, with the first path and how often it was met."""

    def __init__(self) -> None:
        self._first: dict[str, str | None] = {}
        self._times: Counter[str] = Counter()

    def meet(self, code: str, path: str | None = None, times: int = 1) -> None:
        self._first.setdefault(code, path)
        self._times[code] += times

    def all(self) -> tuple[Problem, ...]:
        return tuple(
            Problem(code, _MESSAGES[code], self._first[code], times=times)
            for code, times in sorted(self._times.items())
        )


def ingest_unit(
    scip_path: str,
    unit: UnitSpec,
    read: Read,
    open_writer: OpenWriter,
    extract: Extract,
    *,
    broken: Collection[str] | None = None,
    left_out: Mapping[str, str] = MappingProxyType({}),
    data: Collection[SourceFile] = (),
    listed: Collection[str] = (),
    elsewhere: bool = False,
    local_packages: frozenset[PackageKey] = frozenset(),
    limits: Limits | None = None,
    most_occurrences: int = MOST_OCCURRENCES,
) -> IngestReport:
    """Read a SCIP file into the shards of a unit.

    ``broken`` are the files that the provider could not parse whole; None where it does not tell, and syntax
    decides: a grammar may be behind its language, so the compiler has the last word. ``left_out`` maps files
    that it does not take to the reason, which it reported itself. ``data`` are files besides those of the
    unit that may have a document; those of them in ``listed`` become part of it, others are none's.
    ``elsewhere``: the file was made elsewhere, so all its paths are below the unit's root, and each document
    must first prove to be of the text that stands here; it may define no symbols of ``local_packages``.
    Raises DataError ``scip_invalid`` when the file is no SCIP index, SystemFailure when it cannot be read,
    and what the writers raise; a writer that was opened and not finished is aborted then.
    """
    problems = _Problems()
    counts: Counter[str] = Counter()
    with scan(scip_path, limits) as file, _no_collections():
        profile = profile_for(file.metadata.tool, file.metadata.tool_version)
        owned = {source.path: source for source in unit.files}
        written = {entry.path for entry in file.documents}.difference(owned)
        owned |= {one.path: one for one in data if one.path in written and one.path in listed}
        aside = {one.path for one in data}
        prefix = f"{unit.root}/" if unit.root and (elsewhere or profile.path_base == "unit") else ""
        places = _owned_documents(file, prefix, owned, aside, problems)
        left_out = {**dict.fromkeys(file.too_large, "document_too_large"), **left_out}
        roles = ROLE_SAFE_MODE if unit.trust == "safe_mode" else 0
        shared = Unit(profile, LeafCache(), *_defined(file, places), roles, elsewhere, local_packages)
        if not places and owned:
            problems.meet("no_documents")
        parts = _parts(sorted(owned.values(), key=_path_bytes), file, places, most_occurrences)
        shards = []
        for part, sources in enumerate(parts):
            writer = open_writer(part, len(parts))
            try:
                for source in sources:
                    facts = _facts(
                        file,
                        places.get(source.path),
                        source,
                        read,
                        extract,
                        shared,
                        problems,
                        counts,
                        broken,
                        left_out,
                    )
                    writer.add(facts)
                    counts["documents"] += 1
                    counts["occurrences"] += len(facts.occurrences) + len(facts.locals)
                for info in _externals(file):
                    writer.add_external(info)
                shards.append(writer.finish())
            except BaseException:
                writer.abort()
                raise
        return IngestReport(tuple(shards), problems.all(), dict(sorted(counts.items())), file.metadata)


@contextmanager
def _no_collections() -> Iterator[None]:
    """Keep the cycle collector from walking millions of fresh tuples again and again: 8 % of the time.

    Nothing here makes cycles; what a caller made before is looked after again when the unit is done.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _path_bytes(source: SourceFile) -> bytes:
    return source.path.encode("utf-8")


def _owned_documents(
    file: ScipFile,
    prefix: str,
    owned: Mapping[str, SourceFile],
    aside: Collection[str],
    problems: _Problems,
) -> dict[str, int]:
    """Map the root-relative path of each owned document to its place in the file; ``aside`` need no owner.

    ``prefix`` stands before the paths of the file.
    """
    for reason, times in file.skipped.items():
        if reason in _MESSAGES:
            problems.meet(reason, times=times)
    places = {}
    for number, entry in enumerate(file.documents):
        path = prefix + entry.path
        if path in owned:
            places[path] = number
        elif path not in aside:
            problems.meet("document_not_owned", path)
    return places


def _defined(
    file: ScipFile, places: Mapping[str, int]
) -> tuple[dict[str, tuple[str, ...]], frozenset[str], frozenset[str]]:
    """Look at what all owned documents define.

    Returns the symbols of modules with the files that define them, sorted; and the symbols, external ones
    too, that name a type though they do not end as types do, and those that are accessors or properties.
    """
    modules: dict[str, list[str]] = {}
    types = set()
    values = set()
    for path in sorted(places, key=lambda path: path.encode("utf-8")):
        for symbol, kind in file.defined_symbols(places[path]):
            if kind in kinds.MODULES or (not kind and symbol.endswith(("/", "/__init__:"))):
                definers = modules.setdefault(symbol, [])
                if len(definers) <= _MOST_DEFINERS and path not in definers[-1:]:
                    definers.append(path)
            elif kind in kinds.TYPES and not symbol.endswith("#"):
                types.add(symbol)
            elif gives_value(symbol, kind):
                values.add(symbol)
    for info in file.external_symbols():
        if info.kind in kinds.TYPES and not info.symbol.endswith("#"):
            types.add(info.symbol)
        elif gives_value(info.symbol, info.kind):
            values.add(info.symbol)
    few = {symbol: tuple(paths) for symbol, paths in modules.items() if len(paths) <= _MOST_DEFINERS}
    return few, frozenset(types), frozenset(values)


def _externals(file: ScipFile) -> Iterator[SymbolInfo]:
    for info in file.external_symbols():
        documentation = "\n\n".join(text.strip() for text in info.documentation if text.strip())
        yield SymbolInfo(
            info.symbol,
            kinds.scip_kind(info.kind),
            info.display,
            info.signature,
            documentation,
            info.enclosing,
        )


def _parts(
    sources: list[SourceFile], file: ScipFile, places: Mapping[str, int], most: int
) -> list[list[SourceFile]]:
    """Cut the files of a unit, in the order of their paths, into parts of at most ``most`` occurrences.

    Cuts are at folder borders; a folder that is too large by itself is cut between its files. There is always
    one part.
    """
    folders: list[tuple[str, list[SourceFile], int]] = []
    for source in sources:
        folder = source.path.rpartition("/")[0]
        number = places.get(source.path)
        weight = 0 if number is None else file.documents[number].occurrences
        if folders and folders[-1][0] == folder and folders[-1][2] + weight <= most:
            folders[-1] = (folder, [*folders[-1][1], source], folders[-1][2] + weight)
        else:
            folders.append((folder, [source], weight))
    parts: list[list[SourceFile]] = [[]]
    filled = 0
    for _, members, weight in folders:
        if parts[-1] and filled + weight > most:
            parts.append([])
            filled = 0
        parts[-1].extend(members)
        filled += weight
    return parts


def _facts(
    file: ScipFile,
    number: int | None,
    source: SourceFile,
    read: Read,
    extract: Extract,
    shared: Unit,
    problems: _Problems,
    counts: Counter[str],
    broken: Collection[str] | None,
    left_out: Mapping[str, str],
) -> DocumentFacts:
    """Make the facts of one owned file; a file that is not what the provider saw keeps none but its row."""
    path, language = source.path, source.language
    data = read(path)
    if data is None or hashlib.sha256(data).hexdigest() != source.sha256:
        code = "unreadable" if data is None else "changed_during_build"
        problems.meet(code, path)
        return DocumentFacts(
            path=path,
            language=language,
            sha256=bytes.fromhex(source.sha256),
            size=source.size,
            flags=document_flags(path, language, b""),
            state=_UNREADABLE if data is None else _CHANGED,
            reason=code,
        )
    syntax = extract(data, language, path)
    if number is None:
        reason = left_out.get(path)
        if reason is None:
            reason = "document_missing"
            problems.meet(reason, path)
        return ingest_without_document(path, data, language, syntax, reason)
    if is_utf16(data) and language == "python":
        problems.meet("file_utf16", path)
        return ingest_without_document(path, data, language, syntax, "file_utf16")
    if is_read_otherwise(data, language, by_tables=shared.profile.name.startswith(OWN_TOOL_PREFIX)):
        problems.meet("document_encoding", path)
        return ingest_without_document(path, data, language, syntax, "document_encoding")
    try:
        document = file.document(number)
    except DocumentError as error:
        problems.meet(str(error), path)
        return ingest_without_document(path, data, language, syntax, str(error))
    if shared.elsewhere and document.text and not is_same_text(document.text, data, language):
        problems.meet("document_differs", path)
        return ingest_without_document(path, data, language, syntax, "document_differs")
    document, refused = without_definitions(document, shared.local_packages)
    if refused:
        problems.meet("definitions_refused", path, refused)
    facts, found = ingest_document(document, path, data, language, syntax, shared)
    if shared.elsewhere:
        proved = bool(document.text)
        if not names_fit(facts, found, shared.profile.exact, proved, utf8_source(data, language)):
            problems.meet("document_differs", path)
            return ingest_without_document(path, data, language, syntax, "document_differs")
        if not proved:
            problems.meet("document_unproved", path)
    counts.update(found)
    for code, reasons in _REPORTED.items():
        times = sum(found[reason] for reason in reasons)
        if times:
            problems.meet(code, path, times)
    return _marked(facts, syntax, broken)


def _marked(facts: DocumentFacts, syntax: FileSyntax | None, broken: Collection[str] | None) -> DocumentFacts:
    told = syntax is not None and syntax.errors if broken is None else facts.path in broken
    return facts._replace(flags=facts.flags | DOC_SYNTAX_ERRORS) if told else facts
