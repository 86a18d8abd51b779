"""What a symbol is called, what kind its descriptors make it, and whether a text in the source names it.

A symbol string stays the key whatever it looks like; here it is only read, and where it does not parse there
is just no name. This module must not know documents or ranges.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from codetrail.model import kinds
from codetrail.model.symbols import (
    MACRO,
    META,
    METHOD,
    NAMESPACE,
    PARAMETER,
    TERM,
    TYPE,
    TYPE_PARAMETER,
    Descriptor,
    SymbolError,
    is_local,
    kind_of,
    names,
    parse_descriptors,
    split_package,
)

CONSTRUCTORS = frozenset({"<init>", "<constructor>", ".ctor", ".cctor"})
"""How producers spell the name of a constructor; the source has the class's name there, or a keyword."""

_WORD = re.compile(r"[A-Za-z0-9_+$-]+")
_SUFFIXES = {
    "/": NAMESPACE,
    "#": TYPE,
    ".": TERM,
    ":": META,
    "!": MACRO,
    "]": TYPE_PARAMETER,
    ")": PARAMETER,
}
_OPENINGS = {TYPE_PARAMETER: "[", PARAMETER: "("}
_BEFORE_A_NAME = frozenset(" /#.:!])")
_COUNTER = re.compile(r"[0-9]+\Z")
_QUOTES = "\"'`"
_CONSTRUCTOR = kinds.NUMBERS["constructor"]
_PROPERTY = kinds.NUMBERS["property"]
_ACCESSORS = {"<get>": kinds.NUMBERS["getter"], "<set>": kinds.NUMBERS["setter"]}
_GIVES_VALUE = frozenset(kinds.NUMBERS[word] for word in ("accessor", "getter", "setter"))
_CACHED = 1 << 11


class SymbolName(NamedTuple):
    """A symbol read for people: its name, owners and name joined by dots, and its kind by descriptor.

    ``special``: the name or kind is not what the grammar alone says of the descriptors.
    """

    name: str
    qualified: str
    kind: int
    special: bool = False


def descriptors_of(symbol: str) -> tuple[Descriptor, ...] | None:
    """Parse the descriptors of a global symbol, or return None where it does not follow the grammar.

    Symbols come in families that differ in their last descriptor only, so what is before it is remembered.
    """
    step = _last_step(symbol)
    if step is None:
        return _parse(symbol)
    start, last = step
    owners = _owners(symbol[:start])
    return _parse(symbol) if owners is None else (*owners, last)


@lru_cache(maxsize=1024)
def _owners(head: str) -> tuple[Descriptor, ...] | None:
    """Parse a symbol without its last descriptor; ``()`` where only the package is left."""
    parts = head.split(" ", 4)
    if len(parts) == 5 and all(parts[:4]) and not parts[4]:
        return ()
    return _parse(head)


def _parse(symbol: str) -> tuple[Descriptor, ...] | None:
    try:
        return parse_descriptors(split_package(symbol)[1])
    except SymbolError:
        return None


def _last_step(symbol: str) -> tuple[int, Descriptor] | None:
    """Find the last descriptor from the end, where its name is plain: its start, and what it is."""
    end = len(symbol) - 1
    suffix = _SUFFIXES.get(symbol[end:])
    if suffix is None:
        return None
    disambiguator = ""
    if suffix == TERM and symbol.endswith(")."):
        suffix = METHOD
        end = symbol.rfind("(")
        disambiguator = symbol[end + 1 : -2]
        if end < 0 or (disambiguator and not _WORD.fullmatch(disambiguator)):
            return None
    found = _WORD.match(symbol[max(end - 1, 0) :: -1])
    if found is None:
        return None
    name = found.group()[::-1]
    start = end - len(name)
    opening = _OPENINGS.get(suffix)
    if opening is not None:
        start -= 1
        if symbol[start] != opening:
            return None
    elif symbol[start - 1 : start] not in _BEFORE_A_NAME:
        return None
    return start, Descriptor(name, suffix, disambiguator)


def leaf(symbol: str) -> str:
    """Return the name in the last descriptor of a global symbol; ``""`` where there is none.

    A module's own symbol (``namespace/__init__:``) gives the last part of its dotted name, which is what
    stands in most imports.
    """
    step = _last_step(symbol)
    if step is not None and step[1].name != "__init__":
        return step[1].name
    descriptors = descriptors_of(symbol)
    if descriptors is None:
        return ""
    last = descriptors[-1]
    if last.suffix == META and last.name == "__init__":
        return names(descriptors)[-1].rpartition(".")[2]
    return last.name


class LeafCache:
    """Names by symbol, as UTF-8, for the hottest comparison of an ingest; bounded.

    Document-local symbols give the object ``LOCAL`` itself. ``known`` is what was looked up so far, for
    callers that cannot afford a call.
    """

    __slots__ = ("known",)

    LOCAL = bytes(bytearray(b"local "))

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def find(self, symbol: str) -> bytes:
        """Return the name of a symbol as UTF-8."""
        name = self.known.get(symbol)
        if name is None:
            if len(self.known) >= _CACHED:
                self.known.clear()
            name = self.LOCAL if is_local(symbol) else leaf(symbol).encode("utf-8", "replace")
            self.known[symbol] = name
        return name


def name_of(symbol: str, numbered_keys: bool) -> SymbolName | None:
    """Read a symbol for people, or return None where it does not parse.

    A constructor is named as its language writes it, by a word or after its class, an accessor after its
    property; a key of an object literal loses its number when the producer numbers keys.
    """
    descriptors = descriptors_of(symbol)
    if descriptors is None:
        return None
    parts = names(descriptors)
    kind = kinds.NUMBERS[kind_of(descriptors)]
    last = descriptors[-1]
    if last.name == "<constructor>":
        kind = _CONSTRUCTOR
    elif last.name in CONSTRUCTORS and len(parts) > 1:
        kind = _CONSTRUCTOR
        parts[-1] = parts[-2]
    elif parts[-1] != last.name and last.name[:5] in _ACCESSORS:
        kind = _ACCESSORS[last.name[:5]]
    elif numbered_keys and last.suffix == META and last.name != "__init__":
        parts[-1] = _COUNTER.sub("", last.name).strip(_QUOTES) or last.name
        kind = _PROPERTY
    else:
        return SymbolName(parts[-1], ".".join(parts), kind)
    return SymbolName(parts[-1], ".".join(parts), kind, True)


def key_as_written(symbol: str, found: SymbolName, text: str) -> SymbolName:
    """Return the name of a numbered key of an object literal as ``text``, at its definition, has it.

    The number alone does not show which of the last digits are the key's own: ``base640`` is ``base64``.
    """
    descriptors = descriptors_of(symbol)
    if descriptors is None or not _is_numbered(descriptors[-1], text):
        return found
    name = text.strip(_QUOTES)
    return found._replace(name=name, qualified=found.qualified.removesuffix(found.name) + name)


def _is_numbered(last: Descriptor, text: str) -> bool:
    return (
        last.suffix == META and bool(text) and last.name.startswith(text) and last.name[len(text) :].isdigit()
    )


def gives_value(symbol: str, kind: int) -> bool:
    """Tell whether reading a symbol runs it: an accessor, or a property that is a method (Python's).

    What is called at such a name is the value that it gives (contract §5). ``kind`` is what the producer
    said, 0 where it said nothing.
    """
    if kind in _GIVES_VALUE or (kind == _PROPERTY and symbol.endswith(").")):
        return True
    if kind or "`<" not in symbol:
        return False
    descriptors = descriptors_of(symbol)
    return descriptors is not None and descriptors[-1].name[:5] in _ACCESSORS


def tells_its_name(symbol: str, numbered_keys: bool) -> bool:
    """Tell quickly that a symbol parses and is called what its last descriptor says; False means: look."""
    step = _last_step(symbol)
    if step is None or (numbered_keys and step[1].suffix == META):
        return False
    return _owners(symbol[: step[0]]) is not None


def reads_as(symbol: str, text: str, display: str, numbered_keys: bool) -> bool:
    """Tell whether ``text``, a range in the source, is a way to write the name of ``symbol``.

    ``display`` is the name the producer gave it, perhaps empty. Quoting that the language allows around a
    name, and compatibility forms of its letters, make no difference; nor does a module's dotted name.
    """
    descriptors = descriptors_of(symbol)
    bare = text.strip(_QUOTES).removeprefix("r#")
    if descriptors is None:
        return bool(display) and bare == display
    found = name_of(symbol, numbered_keys)
    assert found is not None
    last = descriptors[-1].name
    accepted = {found.name, last, display, found.name.rpartition(".")[2]}
    if last in CONSTRUCTORS:
        accepted.add("constructor")
    accepted.discard("")
    if bare in accepted or (numbered_keys and _is_numbered(descriptors[-1], text)):
        return True
    if bare.isascii() and symbol.isascii():
        return False
    normal = unicodedata.normalize("NFKC", bare)
    return any(normal == unicodedata.normalize("NFKC", name) for name in accepted)
