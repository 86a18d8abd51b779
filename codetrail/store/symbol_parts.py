"""Take the symbols of a shard apart, in the order of their strings, without parsing what neighbours share.

Sorted symbols share their package and mostly their owner with the one before. Descriptors end where their
suffix ends, whatever follows, so a shared owner need not be read again. This module must not know tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codetrail.model import kinds, symbols
from codetrail.store.packages import PackageKey, package_key


class SymbolParts(NamedTuple):
    """What the string of a symbol says.

    ``package`` and ``key`` are None for a string that follows no grammar, whose ``descr`` is all of it.
    ``name`` is the simple name, ``other_name`` the last part of a module's dotted one, ``owner_name`` the
    name of the enclosing descriptor, ``owner`` the whole symbol of it; each empty where there is none.
    ``join_key`` is that of ``symbols.join_key``.
    """

    package: symbols.Package | None
    key: PackageKey | None
    descr: str
    name: str
    other_name: str
    owner_name: str
    owner: str
    kind: int
    join_key: str


_Known = tuple[tuple[str, tuple[symbols.Descriptor, ...]], ...]


def parts_of(ordered: Sequence[str], unit: str) -> Iterator[SymbolParts]:
    """Yield the parts of each symbol of a sorted sequence; ``unit`` as in ``symbols.join_key``."""
    head = "\0"
    prefix = ""
    package = symbols.Package("", "", "", "")
    key = package_key(package)
    known: _Known = ()
    for symbol in ordered:
        if not symbol.startswith(head) or symbol.startswith(" ", len(head)):
            try:
                package, descr = symbols.split_package(symbol)
            except symbols.SymbolError:
                head = "\0"
                yield _unreadable(symbol, symbols.join_key(symbol, unit))
                continue
            head = symbol[: len(symbol) - len(descr)]
            prefix = symbols.join_prefix(package, unit)
            key = package_key(package)
            known = ()
        descr = symbol[len(head) :]
        try:
            if symbols.is_local(symbol):
                raise symbols.SymbolError("a local symbol has no descriptors")
            descriptors = _descriptors(descr, known)
        except symbols.SymbolError:
            yield _unreadable(symbol, prefix + descr)
            continue
        raw = symbols.format_descriptor(descriptors[-1])
        owner = descr[: -len(raw)] if len(descriptors) > 1 and descr.endswith(raw) else ""
        known = ((descr, descriptors), (owner, descriptors[:-1])) if owner else ((descr, descriptors),)
        names = symbols.names(descriptors)
        yield SymbolParts(
            package,
            key,
            descr,
            names[-1],
            _last_part(descriptors[-1], names[-1]),
            names[-2] if len(names) > 1 else "",
            head + owner if owner else "",
            kinds.NUMBERS[symbols.kind_of(descriptors)],
            prefix + descr,
        )


def _unreadable(symbol: str, join_key: str) -> SymbolParts:
    return SymbolParts(None, None, symbol, "", "", "", "", 0, join_key)


def _descriptors(descr: str, known: _Known) -> tuple[symbols.Descriptor, ...]:
    for text, descriptors in known:
        if descr.startswith(text):
            return descriptors + symbols.parse_descriptors(descr[len(text) :])
    return symbols.parse_descriptors(descr)


def _last_part(last: symbols.Descriptor, name: str) -> str:
    if last.suffix == symbols.META and last.name == "__init__":
        part = name.rpartition(".")[2]
    elif last.suffix == symbols.NAMESPACE:
        part = last.name
    else:
        return ""
    return part if part != name else ""
