"""Take the symbols of a shard apart, in the order of their strings, without parsing what neighbours share.

Sorted symbols come after their owners, and descriptors end where their suffix ends, whatever follows: so what
a symbol begins with is known already, and mostly one descriptor is left to read. This module must not know
tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codetrail.model import kinds, symbols
from codetrail.store.packages import PackageKey, package_key

_LAST = re.compile(
    r"([A-Za-z0-9_+$-]+)(?:([#.!])|(\()[A-Za-z0-9_+$-]*\)\.)"  # types, terms, macros; methods
    r"|([(\[])([A-Za-z0-9_+$-]+)[)\]]"  # parameters and type parameters
)
"""Most last descriptors that stand after a known owner. ``(a]`` fits too, but never parses: see ``_read``."""


class SymbolParts(NamedTuple):
    """What the string of a symbol says.

    ``package`` and ``key`` are None for a string that follows no grammar, whose ``descr`` is all of it.
    ``name`` is the simple name, ``other_name`` the last part of a module's dotted one, ``owner_name`` the
    name of the enclosing descriptor; each empty where there is none. ``owner`` is the number, from 1, of the
    symbol without its last descriptor among all, 0 where it is not there. ``join_key`` is that of
    ``symbols.join_key``.
    """

    package: symbols.Package | None
    key: PackageKey | None
    descr: str
    name: str
    other_name: str
    owner_name: str
    owner: int
    kind: int
    join_key: str


class _Open(NamedTuple):
    """A symbol that may own those after it, there as ``number`` or, with 0, only implied.

    ``name`` is that of its last named descriptor that is no namespace; ``in_type``: a type is among them.
    """

    text: str
    number: int
    name: str
    in_type: bool
    is_type: bool


def parts_of(ordered: Iterable[str], unit: str) -> Iterator[SymbolParts]:
    """Yield the parts of each symbol of a sorted sequence without repetitions.

    ``unit`` is as in ``symbols.join_key``.
    """
    head = "\0"
    prefix = ""
    package = symbols.Package("", "", "", "")
    key = package_key(package)
    stack: list[_Open] = []
    for number, symbol in enumerate(ordered, 1):
        while stack and not symbol.startswith(stack[-1].text):
            stack.pop()
        if stack:
            owner = stack[-1]
            step = _LAST.fullmatch(symbol, len(owner.text))
            if step is not None:
                read = _read(step, owner)
                if read is not None:
                    name, kind, is_type = read
                    descr = symbol[len(head) :]
                    stack.append(_Open(symbol, number, name, owner.in_type or is_type, is_type))
                    yield SymbolParts(
                        package, key, descr, name, "", owner.name, owner.number, kind, prefix + descr
                    )
                    continue
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
        descr = symbol[len(head) :]
        try:
            if symbols.is_local(symbol):
                raise symbols.SymbolError("a local symbol has no descriptors")
            descriptors = symbols.parse_descriptors(descr)
        except symbols.SymbolError:
            yield _unreadable(symbol, prefix + descr)
            continue
        raw = symbols.format_descriptor(descriptors[-1])
        text = symbol[: -len(raw)] if len(descriptors) > 1 and symbol.endswith(raw) else ""
        if text and not (stack and stack[-1].text == text):
            stack.append(_opened(text, 0, descriptors[:-1]))
        names = symbols.names(descriptors)
        yield SymbolParts(
            package,
            key,
            descr,
            names[-1],
            _last_part(descriptors[-1], names[-1]),
            names[-2] if len(names) > 1 else "",
            stack[-1].number if text else 0,
            kinds.NUMBERS[symbols.kind_of(descriptors)],
            prefix + descr,
        )
        stack.append(_opened(symbol, number, descriptors))


def _read(step: re.Match[str], owner: _Open) -> tuple[str, int, bool] | None:
    """Return name, kind and whether it is a type, of a last descriptor, as ``model.symbols`` tells them."""
    name, suffix, method, opening, inner = step.groups()
    if suffix == "#":
        return name, _CLASS, True
    if suffix == ".":
        return name, _FIELD if owner.is_type else _VARIABLE, False
    if method:
        return name, _METHOD if owner.in_type else _FUNCTION, False
    if suffix:
        return name, _MACRO, False
    if opening == "(":
        return (inner, _PARAMETER, False) if step.string.endswith(")") else None
    return (inner, _TYPE_PARAMETER, False) if step.string.endswith("]") else None


_CLASS, _FIELD, _VARIABLE, _METHOD, _FUNCTION, _MACRO, _PARAMETER, _TYPE_PARAMETER = (
    kinds.NUMBERS[word]
    for word in ("class", "field", "variable", "method", "function", "macro", "parameter", "typeparameter")
)


def _opened(text: str, number: int, descriptors: tuple[symbols.Descriptor, ...]) -> _Open:
    named = (one for one in reversed(descriptors) if not symbols.is_unnamed(one))
    last = next((one.name for one in named if one.suffix != symbols.NAMESPACE), "")
    name = symbols.spoken(last)
    in_type = any(one.suffix == symbols.TYPE for one in descriptors)
    return _Open(text, number, name, in_type, descriptors[-1].suffix == symbols.TYPE)


def _unreadable(symbol: str, join_key: str) -> SymbolParts:
    return SymbolParts(None, None, symbol, "", "", "", 0, 0, join_key)


def _last_part(last: symbols.Descriptor, name: str) -> str:
    if last.suffix == symbols.META and last.name == "__init__":
        part = name.rpartition(".")[2]
    elif last.suffix == symbols.NAMESPACE:
        part = last.name
    else:
        return ""
    return part if part != name else ""
