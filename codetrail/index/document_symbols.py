"""What one document says of its symbols: their information, how they relate, and what each is.

This module must not know ranges.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from codetrail.index.symbol_names import (
    CONSTRUCTORS,
    SymbolName,
    descriptors_of,
    gives_value,
    key_as_written,
    name_of,
    tells_its_name,
)
from codetrail.model import kinds
from codetrail.model.documents import Relation, SymbolInfo
from codetrail.model.facts import REL_IMPLEMENTATION, REL_REFERENCE
from codetrail.model.symbols import TYPE, format_descriptor, is_local
from codetrail.scip.documents import ScipSymbol
from codetrail.scip.quirks import Profile

_OVERRIDES = REL_IMPLEMENTATION | REL_REFERENCE
_FENCE = re.compile(r"```[^\n]*\n(.*?)\n?```\s*", re.DOTALL)


class DocumentSymbols:
    """The symbols of one document, by string; what is said first of a symbol counts."""

    __slots__ = ("_profile", "_read", "_said", "local_kinds")

    def __init__(self, said: Iterable[ScipSymbol], profile: Profile) -> None:
        self._profile = profile
        self._said: dict[str, ScipSymbol] = {}
        self._read: dict[str, SymbolName | None] = {}
        self.local_kinds: dict[str, int] = {}
        for info in said:
            if is_local(info.symbol):
                self.local_kinds.setdefault(info.symbol, kinds.scip_kind(info.kind))
            else:
                self._said.setdefault(info.symbol, info)

    def kind_and_name(self, symbol: str, text: str) -> tuple[int, SymbolName]:
        """Return the kind of a symbol and how people call it; ``text`` stands at its definition.

        A symbol that does not parse is called by the producer's display name, else by the text.
        """
        read = self._name(symbol)
        kind = self.said_kind(symbol)
        if read is None:
            name = self.display(symbol) or text
            return kind, SymbolName(name, name, 0)
        if self._profile.numbered_keys and read.special:
            read = key_as_written(symbol, read, text)
        return kind or read.kind, read

    def said_kind(self, symbol: str) -> int:
        """Return the kind that the producer gave a symbol, 0 where it gave none that is known."""
        info = self._said.get(symbol)
        return kinds.scip_kind(info.kind) if info else 0

    def display(self, symbol: str) -> str:
        """Return the producer's display name where it can be shown (producers.md §2), else ``""``."""
        info = self._said.get(symbol)
        display = info.display if info else ""
        return "" if "(" in display or display in CONSTRUCTORS else display

    def is_type(self, symbol: str) -> bool:
        """Tell whether this document says, or the symbol's descriptor shows, that it names a type."""
        info = self._said.get(symbol)
        return symbol.endswith("#") or (info is not None and info.kind in kinds.TYPES)

    def gives_value(self, symbol: str) -> bool:
        """Tell whether this document says, or the symbol shows, that it is an accessor or a property."""
        info = self._said.get(symbol)
        return gives_value(symbol, info.kind if info is not None else 0)

    def infos(self, defined: Iterable[tuple[str, str]]) -> tuple[SymbolInfo, ...]:
        """Return what was said of each symbol, sorted; ``defined`` are (symbol, text at the definition).

        Where the producer gave no name or kind, only what the symbol itself does not tell is filled in. So a
        definition that nobody described gets a record only when its symbol tells no name.
        """
        texts: dict[str, str] = {}
        for symbol, text in defined:
            texts.setdefault(symbol, text)
        found = []
        for symbol in sorted(texts.keys() | self._said.keys()):
            info = self._said.get(symbol)
            display = self.display(symbol)
            kind = kinds.scip_kind(info.kind) if info else 0
            if not (display and kind) and not tells_its_name(symbol, self._profile.numbered_keys):
                read = self._name(symbol)
                if read is None:
                    display = display or texts.get(symbol, "")
                elif read.special:
                    if self._profile.numbered_keys:
                        read = key_as_written(symbol, read, texts.get(symbol, ""))
                    display = display or read.name
                    kind = kind or read.kind
            if info is None and not display:
                continue
            signature, documentation = self._texts(info)
            enclosing = info.enclosing if info and not is_local(info.enclosing) else ""
            found.append(SymbolInfo(symbol, kind, display, signature, documentation, enclosing))
        return tuple(found)

    def relations(self, counts: Counter[str]) -> tuple[Relation, ...]:
        """Return how the document's symbols relate to others, sorted; what does not join is counted."""
        found: dict[tuple[str, str], int] = {}
        for symbol, info in self._said.items():
            for other, flags in info.relationships:
                if is_local(other) or other == symbol:
                    counts["relationship_refused"] += 1
                else:
                    found[symbol, other] = found.get((symbol, other), 0) | flags
        if self._profile.inverse_relationships:
            for pair in [pair for pair in found if _is_inverse(*pair, found)]:
                del found[pair]
                counts["relationship_inverse"] += 1
        return tuple(Relation(symbol, other, flags) for (symbol, other), flags in sorted(found.items()))

    def _name(self, symbol: str) -> SymbolName | None:
        if symbol not in self._read:
            self._read[symbol] = name_of(symbol, self._profile.numbered_keys)
        return self._read[symbol]

    def _texts(self, info: ScipSymbol | None) -> tuple[str, str]:
        """Return signature and documentation; some producers fence the signature as first documentation."""
        if info is None:
            return "", ""
        signature, paragraphs = info.signature, info.documentation
        if not signature and self._profile.signature_in_fence and paragraphs:
            fenced = _FENCE.match(paragraphs[0])
            if fenced:
                signature = fenced[1].strip()
                rest = paragraphs[0][fenced.end() :]
                paragraphs = (rest, *paragraphs[1:]) if rest.strip() else paragraphs[1:]
        return signature, "\n\n".join(text.strip() for text in paragraphs if text.strip())


def _is_inverse(symbol: str, other: str, found: Mapping[tuple[str, str], int]) -> bool:
    """Tell whether an overridden symbol claims here to implement its overrider (producers.md §1).

    scip-java writes both directions alike. Of types the honest one is never a reference; a member's is honest
    when its type, in this document that defines both, honestly implements the other's. ``found`` are all
    relationships of the document.
    """
    if found[symbol, other] & _OVERRIDES != _OVERRIDES:
        return False
    mine, theirs = _owner_type(symbol), _owner_type(other)
    if symbol.endswith("#") or not mine or not theirs:
        return True
    return found.get((mine, theirs), 0) & _OVERRIDES != REL_IMPLEMENTATION


def _owner_type(symbol: str) -> str:
    """Return the symbol of the type around a member, or ``""``."""
    descriptors = descriptors_of(symbol)
    if descriptors is None or len(descriptors) < 2 or descriptors[-2].suffix != TYPE:
        return ""
    raw = format_descriptor(descriptors[-1])
    return symbol[: -len(raw)] if symbol.endswith(raw) else ""
