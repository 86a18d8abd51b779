"""SCIP symbol strings: their grammar, names for people, owners, and the key under which they join.

A symbol is ``local <id>`` or ``<scheme> <manager> <package> <version> <descriptor>+`` (scip-wire.md). Parsing
is best effort: the raw string stays the key everywhere, so a producer that breaks the grammar loses display
names, never rows. This module must not know which tool wrote a symbol.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NAMESPACE, TYPE, TERM, METHOD, TYPE_PARAMETER, PARAMETER, META, MACRO = 1, 2, 3, 4, 5, 6, 7, 9
"""Descriptor suffixes, numbered as SCIP's ``Descriptor.Suffix``."""

_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_STEP = re.compile(r"([A-Za-z0-9_+$-]+)(?:([/#.:!])|\(([A-Za-z0-9_+$-]*)\)\.)")
"""Most descriptors at once: a plain name with its suffix, or a method with its disambiguator."""
_SIMPLE_LENIENT = re.compile(r"[\w+$-]+")
_SUFFIX = {"/": NAMESPACE, "#": TYPE, ".": TERM, ":": META, "!": MACRO}
_SUFFIX_TEXT = {suffix: text for text, suffix in _SUFFIX.items()}
_KIND_OF_SUFFIX = {
    NAMESPACE: "namespace",
    TYPE: "class",
    TERM: "variable",
    METHOD: "method",
    TYPE_PARAMETER: "typeparameter",
    PARAMETER: "parameter",
    META: "module",
    MACRO: "macro",
}
_UNNAMED = re.compile(r"(?:anon)?[0-9]+")
_NORMAL_PYTHON = re.compile(r"[-_.]+")


class Descriptor(NamedTuple):
    """One step of a symbol: its name without quoting, its suffix, and a method's disambiguator."""

    name: str
    suffix: int
    disambiguator: str = ""


class Package(NamedTuple):
    """What names the package of a symbol; empty text where the symbol has ``.``."""

    scheme: str
    manager: str
    name: str
    version: str


class Symbol(NamedTuple):
    """A parsed global symbol. ``descr`` is the raw text of its descriptors."""

    package: Package
    descr: str
    descriptors: tuple[Descriptor, ...]


class SymbolError(ValueError):
    """The text does not follow the symbol grammar."""


def is_local(symbol: str) -> bool:
    """Tell whether a symbol is private to its document: the prefix is ``local`` and one space."""
    return symbol.startswith("local ")


def split_package(symbol: str) -> tuple[Package, str]:
    """Split a global symbol into its package and the raw text of its descriptors.

    A space that is part of a field is doubled; ``.`` alone stands for empty except as the scheme. Raises
    SymbolError when there are fewer than four fields or the scheme is empty.
    """
    fields: list[str] = []
    start = position = 0
    while len(fields) < 4:
        space = symbol.find(" ", position)
        if space < 0:
            raise SymbolError("fewer than four fields before the descriptors")
        if symbol.startswith("  ", space):
            position = space + 2
            continue
        fields.append(symbol[start:space].replace("  ", " "))
        start = position = space + 1
    scheme, manager, name, version = fields
    if not scheme:
        raise SymbolError("empty scheme")
    package = Package(scheme, *(("" if field == "." else field) for field in (manager, name, version)))
    return package, symbol[start:]


def parse_descriptors(descr: str, *, strict: bool = False) -> tuple[Descriptor, ...]:
    """Parse descriptors; ``strict`` refuses names outside ASCII that stand without backticks.

    Raises SymbolError where the text ends early, a suffix is missing, or a name is empty.
    """
    found: list[Descriptor] = []
    position = 0
    while position < len(descr):
        step = _STEP.match(descr, position)
        if step is not None:
            plain, ending, tag = step.groups()
            found.append(Descriptor(plain, _SUFFIX[ending] if ending else METHOD, tag or ""))
            position = step.end()
            continue
        char = descr[position]
        if char == "[" or char == "(":
            name, position = _name(descr, position + 1, strict)
            close, suffix = ("]", TYPE_PARAMETER) if char == "[" else (")", PARAMETER)
            if not descr.startswith(close, position):
                raise SymbolError(f"no {close!r} after {name!r}")
            position += 1
            found.append(Descriptor(name, suffix))
            continue
        name, position = _name(descr, position, strict)
        if position >= len(descr):
            raise SymbolError(f"no suffix after {name!r}")
        char = descr[position]
        if char == "(":
            close_at = descr.find(").", position)
            if close_at < 0:
                raise SymbolError(f"no ')' after {name!r}")
            disambiguator = descr[position + 1 : close_at]
            if disambiguator and strict and not _SIMPLE.fullmatch(disambiguator):
                raise SymbolError(f"bad disambiguator of {name!r}")
            found.append(Descriptor(name, METHOD, disambiguator))
            position = close_at + 2
            continue
        if char not in _SUFFIX:
            raise SymbolError(f"no suffix after {name!r}")
        found.append(Descriptor(name, _SUFFIX[char]))
        position += 1
    if not found:
        raise SymbolError("no descriptors")
    return tuple(found)


def _name(descr: str, position: int, strict: bool) -> tuple[str, int]:
    if descr.startswith("`", position):
        end = position + 1
        while True:
            end = descr.find("`", end)
            if end < 0:
                raise SymbolError("a backtick is not closed")
            if not descr.startswith("``", end):
                break
            end += 2
        name = descr[position + 1 : end].replace("``", "`")
        if not name and strict:
            raise SymbolError("empty name")
        return name, end + 1
    match = (_SIMPLE if strict else _SIMPLE_LENIENT).match(descr, position)
    if match is None:
        raise SymbolError(f"no name at {position}")
    return match.group(), match.end()


def parse(symbol: str, *, strict: bool = False) -> Symbol:
    """Parse a global symbol. Raises SymbolError, also for a local one.

    ``strict`` also refuses what the schema forbids and some readers accept: a scheme that begins with
    ``local``, and names outside ASCII without backticks.
    """
    if is_local(symbol):
        raise SymbolError("a local symbol has no descriptors")
    package, descr = split_package(symbol)
    if strict and package.scheme.startswith("local"):
        raise SymbolError("the scheme begins with 'local'")
    return Symbol(package, descr, parse_descriptors(descr, strict=strict))


def format_descriptor(descriptor: Descriptor) -> str:
    """Write one descriptor canonically: backticks only where the grammar needs them."""
    name = descriptor.name
    if not _SIMPLE.fullmatch(name):
        name = "`" + name.replace("`", "``") + "`"
    match descriptor.suffix:
        case 4:
            return f"{name}({descriptor.disambiguator})."
        case 5:
            return f"[{name}]"
        case 6:
            return f"({name})"
        case suffix:
            return name + _SUFFIX_TEXT[suffix]


def format_symbol(symbol: Symbol) -> str:
    """Write a symbol canonically; equal symbols give equal text."""
    fields = [symbol.package.scheme, *(field or "." for field in symbol.package[1:])]
    head = " ".join(field.replace(" ", "  ") for field in fields)
    return f"{head} {''.join(map(format_descriptor, symbol.descriptors))}"


def spoken(name: str) -> str:
    """Return a descriptor's name as source speaks of it.

    Symbols of TypeScript tell a property's accessors and a constructor apart by ``<get>size``, ``<set>size``
    and ``<constructor>``.
    """
    if not name.startswith("<"):
        return name
    if name == "<constructor>":
        return "constructor"
    return name[5:] if name.startswith(("<get>", "<set>")) and len(name) > 5 else name


def names(descriptors: tuple[Descriptor, ...]) -> list[str]:
    """Return the owners and the name of a qualified name, outermost first.

    Namespaces are left out (contract §3), and so are owners that have no name in the source; a module's own
    symbol, written ``namespace/__init__:``, keeps the dotted name of its namespaces as the only name.
    """
    last = descriptors[-1]
    if last.suffix == META and last.name == "__init__":
        return [module_of(descriptors) or last.name]
    kept = [spoken(d.name) for d in descriptors if d.suffix != NAMESPACE and (d is last or not is_unnamed(d))]
    return kept or [".".join(d.name for d in descriptors)]


def is_unnamed(descriptor: Descriptor) -> bool:
    """Tell whether a descriptor only numbers what has no name, or what names alone cannot tell apart.

    Our driver writes ``anon0:`` and ``1:`` for these; numbered keys of others have a name before the number.
    """
    return descriptor.suffix == META and _UNNAMED.fullmatch(descriptor.name) is not None


def module_of(descriptors: tuple[Descriptor, ...]) -> str:
    """Return the namespaces of a symbol joined by dots: the module or package path it is in.

    A Python module whose dotted name another file has already stands under its path (providers.md §3); its
    name for people is that path with dots.
    """
    return ".".join(_dotted(d.name) for d in descriptors if d.suffix == NAMESPACE)


def is_under_path(descriptors: tuple[Descriptor, ...]) -> bool:
    """Tell whether a symbol is a Python module that stands under its path, another file having its name."""
    return (
        len(descriptors) == 2
        and descriptors[0].suffix == NAMESPACE
        and descriptors[1] == Descriptor("__init__", META)
        and _dotted(descriptors[0].name) != descriptors[0].name
    )


def _dotted(namespace: str) -> str:
    path, dot, ending = namespace.rpartition(".")
    if not dot or ending not in ("py", "pyi") or "/" not in path:
        return namespace
    return path.removesuffix("/__init__").replace("/", ".")


def qualified_name(descriptors: tuple[Descriptor, ...]) -> str:
    """Join owners and name by dots, namespaces left out (contract §3)."""
    return ".".join(names(descriptors))


def kind_of(descriptors: tuple[Descriptor, ...]) -> str:
    """Derive a kind from the last descriptor, for producers that send none."""
    last = descriptors[-1]
    if last.suffix == METHOD and not any(d.suffix == TYPE for d in descriptors[:-1]):
        return "function"
    if last.suffix == TERM and len(descriptors) > 1 and descriptors[-2].suffix == TYPE:
        return "field"
    return _KIND_OF_SUFFIX[last.suffix]


def normal_package_name(manager: str, name: str) -> str:
    """Return the package name under which symbols join: PEP 503 for Python, else as it is."""
    if manager in ("python", "pip", "pypi"):
        return _NORMAL_PYTHON.sub("-", name).lower()
    return name


def join_key(symbol: str, unit: str) -> str:
    """Return the text under which a symbol joins across shards (architecture §3).

    Scheme, manager, normalised package name and descriptors; the version is compared apart. A symbol without
    a package name joins only inside its unit, so ``unit`` becomes part of its key. Text that does not parse
    joins only as a whole.
    """
    try:
        package, descr = split_package(symbol)
    except SymbolError:
        return "\0".join(("", unit, symbol))
    return join_prefix(package, unit) + descr


def join_prefix(package: Package, unit: str) -> str:
    """Return what the join keys of all symbols of a package begin with; their descriptors follow."""
    if not package.name:
        return "\0".join((package.scheme, package.manager, "", unit, ""))
    name = normal_package_name(package.manager, package.name)
    return "\0".join((package.scheme, package.manager, name, ""))
