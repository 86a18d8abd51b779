"""Make the facts of one source file from its SCIP document, its text and its syntax.

The story of a document: verify the places, build the extents, give each place its use and the callable around
it, describe the symbols, count the tokens that nobody bound. Nothing here reads or writes files; which
documents a unit has and where facts go is ``index.unit_ingest``'s business.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from codetrail.index.columns import SourceLines
from codetrail.index.document_symbols import DocumentSymbols
from codetrail.index.joins import (
    Enclosing,
    Extents,
    build_extents,
    count_tokens,
    interiors,
    is_inside,
    kind_of_locals,
    use_of,
)
from codetrail.index.places import Place, Placed, body_of, name_at, place_document
from codetrail.index.symbol_names import LeafCache
from codetrail.model.calls import CALL_USES
from codetrail.model.documents import (
    Definition,
    Diagnostic,
    DocumentFacts,
    LocalOccurrence,
    Occurrence,
    OpenCall,
    unfound_locals,
)
from codetrail.model.facts import (
    DOC_GENERATED,
    DOC_STATES,
    DOC_STUB,
    DOC_TEST,
    ROLE_DEFINITION,
    ROLE_GENERATED,
    ROLE_IMPORT,
    ROLE_TEST,
    ROLE_WRITE,
    USES,
)
from codetrail.model.ranges import Range
from codetrail.scip.documents import ScipDocument
from codetrail.scip.quirks import Profile
from codetrail.store.packages import PackageKey
from codetrail.syntax.file_syntax import FileSyntax
from codetrail.workspace.digests import line_hashes, split_lines
from codetrail.workspace.encodings import utf8_source
from codetrail.workspace.languages import is_generated, is_test_path

UNRESOLVED_IMPORT = "unresolved_import"
"""The code of a diagnostic that names, as its message, a module that was not found."""

UNRESOLVED_MEMBER = "unresolved_member"
"""The code of a diagnostic where a name is defined that is also that of a member which was not found."""

PRECISE, FAILED = DOC_STATES.index("precise"), DOC_STATES.index("failed")
_IMPORT, _CALL, _TYPE, _VALUE = map(USES.index, ("import", "call", "type", "value"))
_CALLS = frozenset(map(USES.index, CALL_USES))
_SPEAKING_ROLES = ROLE_IMPORT | ROLE_WRITE
_STUBS = (".pyi", ".d.ts", ".d.mts", ".d.cts")

Counts = Counter[str]
"""How often something was left out, merged or corrected, by reason."""


class Unit(NamedTuple):
    """What the documents of one unit share.

    ``modules`` maps the symbols of modules to the paths that define them; ``types`` are symbols that name a
    type though their descriptor does not show it; ``values`` are accessors and properties, of which a call
    calls the value; ``roles`` are set on every occurrence. ``elsewhere``: its documents were made elsewhere,
    perhaps of other texts, and may define no symbols of ``local_packages``.
    """

    profile: Profile
    names: LeafCache
    modules: Mapping[str, tuple[str, ...]]
    types: frozenset[str]
    values: frozenset[str] = frozenset()
    roles: int = 0
    elsewhere: bool = False
    local_packages: frozenset[PackageKey] = frozenset()


def document_flags(path: str, language: str, data: bytes) -> int:
    """Return the DOC_* bits of a file by its path and its first bytes."""
    flags = DOC_TEST if is_test_path(path, language) else 0
    if is_generated(path, data[:4096]):
        flags |= DOC_GENERATED
    if path.endswith(_STUBS):
        flags |= DOC_STUB
    return flags


def ingest_document(
    document: ScipDocument,
    path: str,
    data: bytes,
    language: str,
    syntax: FileSyntax | None,
    unit: Unit,
) -> tuple[DocumentFacts, Counts]:
    """Turn a decoded SCIP document into facts about the file ``path`` with the content ``data``.

    ``syntax`` is that of ``utf8_source``; None where the file is too large to be parsed or there is no
    grammar: its places then have the uses that roles alone tell. Raises nothing: what cannot be used is left
    out and counted.
    """
    flags = document_flags(path, language, data)
    roles = unit.roles | (ROLE_TEST if flags & DOC_TEST else 0)
    roles |= ROLE_GENERATED if flags & DOC_GENERATED else 0
    text = utf8_source(data, language)
    lines = SourceLines(text)
    placed = place_document(document, lines, unit.profile, unit.names, roles)
    document.occurrences.clear()  # of a large file several million bytes, which nothing needs any more
    counts = placed.counts
    counts.update(document.skipped)
    symbols = DocumentSymbols(document.symbols, unit.profile)
    located = [place for place in placed.places if not place[8]]
    extents = build_extents(located, placed.unit, lines, syntax, language, symbols)
    half_bound = _half_bound(document, lines, placed.unit)
    joined = _join(placed, extents, symbols, syntax, language, unit, half_bound)
    definitions, texts = _definitions(located, lines, placed.unit)
    tokens, bound, unbound = count_tokens(syntax, joined.bound, text)
    diagnostics, missing = _diagnostics(document, lines, placed.unit, counts)
    found = {target for target in joined.imports if target != path}
    return DocumentFacts(
        path=path,
        language=language,
        sha256=hashlib.sha256(data).digest(),
        size=len(data),
        flags=flags,
        state=PRECISE,
        reason="no_syntax" if syntax is not None and syntax.is_missing else "",
        tokens=tokens,
        bound=bound,
        line_hashes=line_hashes(split_lines(data)),
        occurrences=tuple(joined.occurrences),
        definitions=definitions,
        extents=extents.extents,
        symbols=symbols.infos(texts),
        relations=symbols.relations(counts),
        locals=tuple(joined.locals),
        local_kinds=kind_of_locals(symbols.local_kinds, joined.local_symbols),
        diagnostics=diagnostics,
        imports=tuple(
            sorted([(target, True) for target in found] + [(name, False) for name in missing - found])
        ),
        unbound=unbound,
        open_calls=_placed_calls(joined.opened, lines, extents, language),
    ), counts


def ingest_without_document(
    path: str, data: bytes, language: str, syntax: FileSyntax | None, reason: str
) -> DocumentFacts:
    """Make the facts of an owned file whose document is missing or broken: state ``failed``.

    Its definitions are what syntax shows, and every identifier token counts as unbound, or every word where
    there is no syntax.
    """
    text = utf8_source(data, language)
    lines = SourceLines(text)
    symbols = DocumentSymbols((), Profile(""))
    extents = build_extents((), 0, lines, syntax, language, symbols)
    tokens, bound, unbound = count_tokens(syntax, set(), text)
    return DocumentFacts(
        path=path,
        language=language,
        sha256=hashlib.sha256(data).digest(),
        size=len(data),
        flags=document_flags(path, language, data),
        state=FAILED,
        reason=reason,
        tokens=tokens,
        bound=bound,
        line_hashes=line_hashes(split_lines(data)),
        extents=extents.extents,
        unbound=unbound,
        open_calls=_placed_calls(_open_calls(syntax, set()), lines, extents, language),
    )


class _Joined(NamedTuple):
    occurrences: list[Occurrence]
    locals: list[LocalOccurrence]
    local_symbols: dict[str, int]
    bound: set[int]
    imports: set[str]
    opened: set[int]


def _join(
    placed: Placed,
    extents: Extents,
    symbols: DocumentSymbols,
    syntax: FileSyntax | None,
    language: str,
    unit: Unit,
    half_bound: frozenset[tuple[int, int]],
) -> _Joined:
    """Give every place its use and the callable around it; one pass in the order of the text.

    Tokens that begin at ``half_bound`` count as bound by nobody.
    """
    shown = ({} if syntax is None else syntax.uses).get
    quoted = () if syntax is None else syntax.quoted_types
    around = Enclosing(interiors(extents, language))
    names = [extent.name_range for extent in extents.extents]
    modules, types, values = unit.modules, unit.types, unit.values
    all_imports = not unit.profile.import_roles
    joined = _Joined([], [], {}, set(), set(), set())
    add, bind = joined.occurrences.append, joined.bound.add
    tokens: list[tuple[int, int]] = []
    open_ = joined.opened.add
    new = tuple.__new__
    for line, column, end_line, end_column, symbol, roles, offset, _, local in placed.places:
        start = (line, column)
        encl = around.current if start < around.until else around.find(start)
        span = new(Range, (line, column, end_line, end_column))
        if roles & ROLE_DEFINITION:
            use = 0
            if encl >= 0 and names[encl] == span:
                encl = around.outside()
        else:
            use = shown(offset, _VALUE)
            if quoted and use == _VALUE and is_inside(quoted, offset):
                use = _TYPE
            if use in _CALLS and (symbol in values or symbols.gives_value(symbol)):
                use = _VALUE  # what is called is the value, and who that is nobody told
                open_(offset)
            if roles & _SPEAKING_ROLES or use == _CALL:
                is_type = symbol in types or symbols.is_type(symbol)
                use = use_of(roles, use, is_type)
        token = line == end_line and column < end_column and start not in half_bound
        if local:
            number = joined.local_symbols.setdefault(symbol, len(joined.local_symbols))
            joined.locals.append(new(LocalOccurrence, (number, span, roles, use, encl)))
            if token:
                tokens.append((number, offset))
            continue
        if token:
            bind(offset)
        add(new(Occurrence, (symbol, span, roles, use, encl)))
        if symbol in modules and use and (all_imports or use == _IMPORT):
            joined.imports.update(modules[symbol])
    unfound = unfound_locals(joined.locals)
    joined.bound.update(offset for number, offset in tokens if number not in unfound)
    joined.opened.update(_open_calls(syntax, joined.bound))
    return joined


def _open_calls(syntax: FileSyntax | None, bound: set[int]) -> list[int]:
    """Return of each call whose target nobody told the name's first byte, or the callee's last."""
    if syntax is None:
        return []
    named = [offset for offset, use in syntax.uses.items() if use in _CALLS and offset not in bound]
    return [*named, *syntax.nameless_calls]


def _placed_calls(
    offsets: Iterable[int], lines: SourceLines, extents: Extents, language: str
) -> tuple[OpenCall, ...]:
    """Return calls whose target nobody told, ascending, each with the callable around it."""
    around = Enclosing(interiors(extents, language))
    found = []
    for offset in sorted(offsets):
        line, column = lines.position(offset)
        found.append(OpenCall(line, column, around.find((line, column))))
    return tuple(found)


def _definitions(
    places: list[Place], lines: SourceLines, unit: int
) -> tuple[tuple[Definition, ...], list[tuple[str, str]]]:
    """Return the definitions, and for each its symbol and the text of its name."""
    found = []
    texts = []
    for place in places:
        if place[5] & ROLE_DEFINITION:
            name = Range(*place[:4])
            found.append(Definition(place[4], name, body_of(place, lines, unit)))
            texts.append((place[4], name_at(place, lines)))
    return tuple(found), texts


def _half_bound(document: ScipDocument, lines: SourceLines, unit: int) -> frozenset[tuple[int, int]]:
    """Return where (line, code points) a name is defined that names something else, too, which nobody found.

    ``const { a } = anything`` defines a, and reads a member that may be the one that is asked about.
    """
    found = set()
    for remark in document.diagnostics:
        if remark.code == UNRESOLVED_MEMBER and 0 <= remark.line < len(lines.lines) and remark.column >= 0:
            column = lines.points(remark.line, remark.column, unit)
            if column is not None:
                found.add((remark.line, column))
    return frozenset(found)


def _diagnostics(
    document: ScipDocument, lines: SourceLines, unit: int, counts: Counts
) -> tuple[tuple[Diagnostic, ...], set[str]]:
    """Return the remarks at valid places, and the names of the modules that were not found."""
    found = set()
    missing = set()
    for remark in document.diagnostics:
        if remark.code == UNRESOLVED_IMPORT and remark.message:
            missing.add(remark.message)
        if remark.code == UNRESOLVED_MEMBER:
            continue
        inside = 0 <= remark.line < len(lines.lines) and remark.column >= 0
        column = lines.points(remark.line, remark.column, unit) if inside else None
        if column is None:
            counts["diagnostic_outside"] += 1
            continue
        found.add(Diagnostic(remark.line, column, remark.code, remark.message))
    return tuple(sorted(found)), missing
