"""Hold a SCIP index to the strictest reading of the format.

`violations` lists every breach by kind; an index is clean when the list is empty. `excused` counts the places
whose text is not the symbol's name for a reason that the language gives (a module named through an alias, an
import under another name), by kind. Knows the format, and the names of Python unless it is given another
``Excuse``; must not know how the index was made.

Ranges are 0-based lines with UTF-16 columns, half open. Rules: symbol grammar and field notes of scip.proto.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from codetrail.scip import scip_pb2

DEFINITION = 1
IMPORT = 2
KNOWN_ROLES = 1 | 2 | 4 | 8 | 16 | 32 | 64
UTF16 = 2
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_SUFFIXES = {"/": "namespace", "#": "type", ".": "term", ":": "meta", "!": "macro"}

TextOf = Callable[[str], str]
"""Gives the text of a document by its path, without a byte order mark."""


class Violation(NamedTuple):
    """One breach: what kind, in which document (empty for the index itself), where, and what was found."""

    kind: str
    path: str
    place: tuple[int, ...]
    detail: str


class Descriptor(NamedTuple):
    """One descriptor of a symbol: its name and what its suffix says it is."""

    name: str
    suffix: str


class Aliases(NamedTuple):
    """What may stand under another name: (text, symbol) pairs of the index's own imports, and the symbols of
    libraries, which rename where the index cannot see it (``hashlib.md5`` is ``openssl_md5``)."""

    imported: set[tuple[str, str]]
    external: set[str]


Excuse = Callable[[scip_pb2.Occurrence, str | None, Aliases], str | None]
"""Says why a range may hold a text that is not its symbol's name; None when it does hold it or may not."""


class BadSymbol(ValueError):
    """A symbol string that the grammar refuses or that is not in canonical form."""


def violations(index: scip_pb2.Index, text_of: TextOf, excuse: Excuse | None = None) -> list[Violation]:
    """List everything in the index that the format does not allow; nothing when it is clean."""
    excuse = excuse or python_excuse
    externals = {information.symbol for information in index.external_symbols}
    aliases = Aliases(_alias_pairs(index, text_of), externals)
    defined = {
        occurrence.symbol
        for document in index.documents
        for occurrence in document.occurrences
        if occurrence.symbol_roles & DEFINITION and not occurrence.symbol.startswith("local ")
    }
    found: list[Violation] = []
    found += _of_index(index, defined, externals)
    for document in index.documents:
        found += _of_document(document, text_of(document.relative_path), defined, externals, aliases, excuse)
    return found


def excused(index: scip_pb2.Index, text_of: TextOf, excuse: Excuse | None = None) -> Counter[str]:
    """Count the places whose text is not the symbol's name and that are right all the same, by reason."""
    excuse = excuse or python_excuse
    externals = {information.symbol for information in index.external_symbols}
    aliases = Aliases(_alias_pairs(index, text_of), externals)
    counts: Counter[str] = Counter()
    for document in index.documents:
        lines = _lines(text_of(document.relative_path))
        for occurrence in document.occurrences:
            reason = excuse(occurrence, _text(lines, tuple(occurrence.range)), aliases)
            if reason:
                counts[reason] += 1
    return counts


def _of_index(index: scip_pb2.Index, defined: set[str], externals: set[str]) -> Iterator[Violation]:
    if not index.metadata.tool_info.name or index.metadata.text_document_encoding != scip_pb2.UTF8:
        yield Violation("metadata", "", (), "tool name or text encoding is missing")
    if index.metadata.project_root:
        yield Violation("host_path", "", (), index.metadata.project_root)
    paths = [document.relative_path for document in index.documents]
    for path, count in Counter(paths).items():
        if count > 1:
            yield Violation("repeated_document", path, (), str(count))
    symbols = [information.symbol for information in index.external_symbols]
    for symbol, count in Counter(symbols).items():
        if count > 1:
            yield Violation("repeated_external", "", (), symbol)
        if symbol in defined:
            yield Violation("external_is_defined_here", "", (), symbol)
        if symbol.startswith("local "):
            yield Violation("local_external", "", (), symbol)
    if symbols != sorted(symbols, key=lambda symbol: symbol.encode("utf-16-be")):
        yield Violation("unsorted_externals", "", (), "")
    for information in index.external_symbols:
        yield from _of_information("", information, defined | externals)


def _of_document(
    document: scip_pb2.Document,
    text: str,
    defined: set[str],
    externals: set[str],
    aliases: Aliases,
    excuse: Excuse,
) -> Iterator[Violation]:
    path = document.relative_path
    if path.startswith("/") or "\\" in path or {"", ".", ".."} & set(path.split("/")):
        yield Violation("path", path, (), "not canonical")
    if document.position_encoding != UTF16 or not document.language:
        yield Violation("document_header", path, (), "position encoding or language is missing")
    lines = _lines(text)
    yield from _of_order(document)
    own = {item.symbol for item in document.occurrences if item.symbol_roles & DEFINITION}
    informed = Counter(information.symbol for information in document.symbols)
    for symbol, count in informed.items():
        if count > 1:
            yield Violation("repeated_information", path, (), symbol)
        if symbol not in own:
            yield Violation("information_without_definition", path, (), symbol)
    for symbol in sorted(own - set(informed)):
        yield Violation("missing_information", path, (), symbol)
    known = defined | externals
    for information in document.symbols:
        yield from _of_information(path, information, known | own)
    for occurrence in document.occurrences:
        yield from _of_occurrence(path, occurrence, lines, known, own, aliases, excuse)


def _of_order(document: scip_pb2.Document) -> Iterator[Violation]:
    seen: set[tuple[tuple[int, ...], str]] = set()
    last: tuple[int, ...] = ()
    for occurrence in document.occurrences:
        place = _four(tuple(occurrence.range))
        if (place, occurrence.symbol) in seen:
            yield Violation("duplicate_occurrence", document.relative_path, place, occurrence.symbol)
        seen.add((place, occurrence.symbol))
        if place < last:
            yield Violation("unsorted_occurrences", document.relative_path, place, occurrence.symbol)
        last = place


def _of_occurrence(
    path: str,
    occurrence: scip_pb2.Occurrence,
    lines: list[bytes],
    known: set[str],
    own: set[str],
    aliases: Aliases,
    excuse: Excuse,
) -> Iterator[Violation]:
    place = tuple(occurrence.range)
    symbol = occurrence.symbol
    if not symbol:
        # The format allows a place without a symbol for what is said of the place itself.
        if not occurrence.diagnostics or occurrence.symbol_roles or occurrence.enclosing_range:
            yield Violation("no_symbol", path, place, "")
        return
    if occurrence.symbol_roles & ~KNOWN_ROLES:
        yield Violation("unknown_role", path, place, str(occurrence.symbol_roles))
    if symbol.startswith("local "):
        if symbol not in own:
            yield Violation("local_without_definition", path, place, symbol)
    elif symbol not in known:
        yield Violation("symbol_without_information", path, place, symbol)
    try:
        descriptors = parse_symbol(symbol)
    except BadSymbol as error:
        yield Violation("bad_symbol", path, place, str(error))
        return
    text = _text(lines, place)
    if text is None:
        yield Violation("range_outside_text", path, place, symbol)
        return
    if descriptors and text != descriptors[-1].name and not excuse(occurrence, text, aliases):
        yield Violation("text_is_not_the_name", path, place, f"{text!r} for {symbol}")
    if occurrence.enclosing_range:
        yield from _of_enclosing(path, occurrence, lines)


def _of_enclosing(path: str, occurrence: scip_pb2.Occurrence, lines: list[bytes]) -> Iterator[Violation]:
    place = _four(tuple(occurrence.range))
    around = _four(tuple(occurrence.enclosing_range))
    if not occurrence.symbol_roles & DEFINITION:
        yield Violation("enclosing_range_of_a_reference", path, place, occurrence.symbol)
    if not (around[:2] <= place[:2] and place[2:] <= around[2:]):
        yield Violation("enclosing_range_without_the_name", path, place, str(around))
    if around[2] >= len(lines) or around[3] * 2 > len(lines[around[2]]):
        yield Violation("range_outside_text", path, around, occurrence.symbol)


def _of_information(
    path: str, information: scip_pb2.SymbolInformation, known: set[str]
) -> Iterator[Violation]:
    """Check one symbol's information; ``known`` is what relationships and owners may name."""
    symbol = information.symbol
    try:
        parse_symbol(symbol)
    except BadSymbol as error:
        yield Violation("bad_symbol", path, (), str(error))
    if not information.kind:
        yield Violation("no_kind", path, (), symbol)
    if not information.display_name:
        yield Violation("no_display_name", path, (), symbol)
    others = [relationship.symbol for relationship in information.relationships]
    if len(set(others)) != len(others) or symbol in others:
        yield Violation("bad_relationship", path, (), symbol)
    for relationship in information.relationships:
        if not (relationship.is_reference or relationship.is_implementation):
            yield Violation("bad_relationship", path, (), f"{symbol} says nothing of {relationship.symbol}")
    for other in [*others, *([information.enclosing_symbol] if information.enclosing_symbol else [])]:
        if other not in known:
            yield Violation("unknown_relative", path, (), f"{symbol} names {other}")


def python_excuse(occurrence: scip_pb2.Occurrence, text: str | None, aliases: Aliases) -> str | None:
    """Say why a place of a Python document may read otherwise than its symbol."""
    symbol = occurrence.symbol
    descriptors = () if not symbol or symbol.startswith("local ") else parse_symbol(symbol)
    if text is None or not descriptors or text == descriptors[-1].name:
        return None
    last = descriptors[-1]
    if unicodedata.normalize("NFKC", text) == last.name:
        return "normalised_identifier"
    if last.suffix == "meta":
        module = descriptors[-2].name
        if tuple(occurrence.range) == (0, 0, 0) and occurrence.symbol_roles & DEFINITION:
            return "module_definition"
        if text == module.rpartition(".")[2]:
            return "module_name"
    if (text, symbol) in aliases.imported:
        return "module_alias" if last.suffix == "meta" else "import_alias"
    return "renamed_by_a_library" if symbol in aliases.external else None


def _alias_pairs(index: scip_pb2.Index, text_of: TextOf) -> set[tuple[str, str]]:
    """Pairs of (text, symbol) that some import statement of the index binds to each other.

    ``import m as x`` and ``from m import y as x`` bind ``x``; a re-export in a library binds its name too.
    """
    pairs: set[tuple[str, str]] = set()
    for document in index.documents:
        lines = _lines(text_of(document.relative_path))
        for occurrence in document.occurrences:
            text = _text(lines, tuple(occurrence.range))
            if text and occurrence.symbol_roles & IMPORT:
                pairs.add((text, occurrence.symbol))
    return pairs


def parse_symbol(symbol: str) -> tuple[Descriptor, ...]:
    """Return the descriptors of a symbol; none for a local one.

    Raises ``BadSymbol`` when the grammar refuses it or when it could be written with fewer backticks.
    """
    if symbol.startswith("local "):
        if not _SIMPLE.fullmatch(symbol[6:]):
            raise BadSymbol(symbol)
        return ()
    rest = symbol
    for _ in range(4):
        rest = _after_part(rest, symbol)
    found: list[Descriptor] = []
    while rest:
        descriptor, rest = _descriptor(rest, symbol)
        found.append(descriptor)
    if not found:
        raise BadSymbol(symbol)
    return tuple(found)


def _after_part(rest: str, symbol: str) -> str:
    """Skip one space-terminated part, in which a space stands doubled."""
    part = re.match(r"(?:[^ ]|  )+ (?! )", rest)
    if not part:
        raise BadSymbol(symbol)
    return rest[part.end() :]


def _descriptor(rest: str, symbol: str) -> tuple[Descriptor, str]:
    for opening, closing, suffix in (("[", "]", "type_parameter"), ("(", ")", "parameter")):
        if rest.startswith(opening):
            name, rest = _name(rest[1:], symbol)
            if not rest.startswith(closing):
                raise BadSymbol(symbol)
            return Descriptor(name, suffix), rest[1:]
    name, rest = _name(rest, symbol)
    method = re.match(r"\((?:[A-Za-z0-9_+$-]+)?\)\.", rest)
    if method:
        return Descriptor(name, "method"), rest[method.end() :]
    if not rest or rest[0] not in _SUFFIXES:
        raise BadSymbol(symbol)
    return Descriptor(name, _SUFFIXES[rest[0]]), rest[1:]


def _name(rest: str, symbol: str) -> tuple[str, str]:
    simple = _SIMPLE.match(rest)
    if simple:
        return simple.group(), rest[simple.end() :]
    escaped = re.match(r"`((?:[^`]|``)+)`", rest)
    if not escaped:
        raise BadSymbol(symbol)
    name = escaped.group(1).replace("``", "`")
    if _SIMPLE.fullmatch(name):
        raise BadSymbol(f"not canonical: {symbol}")
    return name, rest[escaped.end() :]


def _four(place: tuple[int, ...]) -> tuple[int, ...]:
    return place if len(place) == 4 else (place[0], place[1], place[0], place[2])


def _lines(text: str) -> list[bytes]:
    return [line.encode("utf-16-le", "surrogatepass") for line in re.split(r"\r\n|\r|\n", text)]


def _text(lines: list[bytes], place: tuple[int, ...]) -> str | None:
    """Return the text of a range on one line; None when the range is not in the text."""
    if len(place) not in (3, 4) or min(place) < 0:
        return None
    line, start, last, end = _four(place)
    if line != last or line >= len(lines) or start > end or end * 2 > len(lines[line]):
        return None
    return lines[line][start * 2 : end * 2].decode("utf-16-le", "surrogatepass")


def texts_of(sources: Mapping[str, str]) -> TextOf:
    """Serve document texts from a mapping of path to text."""
    return sources.__getitem__
