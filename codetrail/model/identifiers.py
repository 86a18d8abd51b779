"""What a user typed to name a symbol: a place, a SCIP symbol string, or a name with its variants.

The forms are those of contract §3. Everything here is about text alone: this module must not know which
symbols, files or lines exist.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from codetrail.errors import UsageError
from codetrail.model import symbols

LONGEST = 4096
"""Characters of the longest identifier that is looked at (security.md §4 gives MCP strings as much)."""

_FORMS = "type a name, a place (path:line, path:line:column, path:line#name) or a SCIP symbol"

AS_TYPED = "as_typed"
TRIMMED = "trimmed"
SIGNATURE_CUT = "signature_cut"
QUALIFIED = "qualified"
LAST_PART = "last_part"
STYLE = "style"
CASE_FOLDED = "case_folded"

_LINE = r"(?P<line>[1-9][0-9]{0,8})"
_COLUMN = r"(?P<column>[1-9][0-9]{0,8})"
# A line end may stand in the name of a file: what was printed of it must paste back.
# So may `:1#`, which therefore no name holds.
_AT_NAME = r"(?P<name>(?:(?!:[1-9][0-9]{0,8}\#)[^\n])+)"
_COORDINATE = re.compile(rf"(?P<path>(?s:.)+?):{_LINE}(?::{_COLUMN})?(?:\#{_AT_NAME}|:)?")
_FRAME_TEXT = r'(?:\n(?![ \t]*File ")[^\n]*)*'
"""The source line that Python prints below a frame, and its marks."""
_PYTHON_TRACE = re.compile(
    rf'\s*File "(?P<path>[^"\n]+)", line {_LINE}(?:, in (?P<name>[^\n]+?))?\s*{_FRAME_TEXT}'
)
_CALL_TRACE = re.compile(rf"\s*at (?:(?P<name>[^\n(]+?) )?\((?P<path>[^\n()]+?):{_LINE}(?::{_COLUMN})?\)\s*")
_BARE_TRACE = re.compile(rf"\s*at (?P<path>[^\n()]+?):{_LINE}(?::{_COLUMN})?\s*")
_OWNER = re.compile(r"\.|#|::")
_TRACE_WORDS = re.compile(r"^(?:async |new )+")


class Place(NamedTuple):
    """A place in a file as typed: ``line`` and ``column`` are 0-based, ``column`` counts code points.

    ``path`` is not resolved yet; ``name`` is a simple or qualified name that must match there. ``is_frame``:
    the place is a line of a traceback, which gives a function's simple name whatever owns it.
    """

    path: str
    line: int
    column: int | None = None
    name: str | None = None
    is_frame: bool = False


class SymbolText(NamedTuple):
    """A SCIP symbol string, exactly as typed."""

    text: str


class Name(NamedTuple):
    """A simple or qualified name, exactly as typed."""

    text: str


class NameVariant(NamedTuple):
    """One reading of a typed name.

    ``value`` is the text that this variant looks for; ``name`` its last part and ``owners`` the parts before
    it, outermost first. ``whole``: the owners are all there are, so a longer qualified name does not match.
    Under ``style`` and ``case_folded`` all three are keys as ``style_key`` and ``fold`` make them.
    ``language``: the reading holds for names of that language only.
    """

    kind: str
    value: str
    owners: tuple[str, ...]
    name: str
    whole: bool = False
    language: str = ""


def parse(text: str) -> Place | SymbolText | Name:
    """Tell what was typed. Raises UsageError when there is nothing or too much to look at."""
    if not text.strip():
        raise UsageError("the identifier is empty", hint=_FORMS)
    if len(text) > LONGEST:
        raise UsageError(f"the identifier is longer than {LONGEST} characters", hint=_FORMS)
    if "\0" in text:
        raise UsageError("the identifier holds a NUL character", hint=_FORMS)
    return _trace(text) or _symbol(text) or _coordinate(text) or _odd_symbol(text) or Name(text)


def _trace(text: str) -> Place | None:
    if match := _PYTHON_TRACE.fullmatch(text):
        name = (match["name"] or "").replace("<locals>.", "")
        usable = name and "<" not in name
        return Place(match["path"], int(match["line"]) - 1, None, name if usable else None, is_frame=True)
    match = _CALL_TRACE.fullmatch(text) or _BARE_TRACE.fullmatch(text)
    if match is None:
        return None
    groups = match.groupdict()
    column = groups.get("column")
    name = _TRACE_WORDS.sub("", groups.get("name") or "")
    # What stands before the last dot is the receiver at run time, not the owner that the source names.
    name = name.rpartition(".")[2]
    usable = name and "<" not in name and " " not in name
    return Place(
        groups["path"],
        int(groups["line"]) - 1,
        int(column) - 1 if column else None,
        name if usable else None,
        is_frame=True,
    )


def _symbol(text: str) -> SymbolText | None:
    if symbols.is_local(text):
        return SymbolText(text)
    for candidate in (text, text.strip()):
        try:
            symbols.parse(candidate)
        except symbols.SymbolError:
            continue
        return SymbolText(candidate)
    return None


def _odd_symbol(text: str) -> SymbolText | None:
    """Take text with the fields of a symbol for one, though its descriptors break the grammar."""
    try:
        symbols.split_package(text.strip())
    except symbols.SymbolError:
        return None
    return SymbolText(text.strip())


def _coordinate(text: str) -> Place | None:
    match = _COORDINATE.fullmatch(text.strip())
    if match is None:
        return None
    column = match["column"]
    return Place(match["path"], int(match["line"]) - 1, int(column) - 1 if column else None, match["name"])


def nfkc(text: str) -> str:
    """Return the normal form in which Python compares identifiers (PEP 3131)."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def fold(text: str) -> str:
    """Return the case-folded form under which names are searched: NFKC, then Unicode case folding."""
    if text.isascii():
        return text.lower()
    # Folding can undo the normal form, so it is made again: equal for people is then equal here.
    return nfkc(nfkc(text).casefold())


def style_key(text: str) -> str:
    """Return the form that all spellings of a name share: folded, without ``_`` and ``-``."""
    return fold(text).replace("_", "").replace("-", "")


def split_owners(text: str) -> tuple[str, ...]:
    """Split a qualified name at ``.``, ``#`` and ``::``; empty when a part is empty."""
    parts = tuple(_OWNER.split(text))
    return parts if all(parts) else ()


def without_signature(text: str) -> str:
    """Cut a parameter list or type arguments off: ``find(Long)`` and ``find<T>(x)`` become ``find``."""
    cut = len(text)
    for opening in "(<[":
        found = text.find(opening, 1)
        if found > 0:
            cut = min(cut, found)
    return text[:cut].rstrip()


def name_variants(text: str, *, strict: bool = False) -> tuple[NameVariant, ...]:
    """List the readings of a typed name, the closest first (contract §3).

    ``strict`` keeps the simple or qualified name exactly as typed, with or without ``()``.
    """
    if strict:
        bare = text.removesuffix("()") or text
        return (*_as_typed(AS_TYPED, bare), *_normalised(bare))
    found = _as_typed(AS_TYPED, text)
    found += _normalised(text)
    trimmed = text.strip().strip("`'\"").strip() or text.strip()
    cut = without_signature(trimmed) or trimmed
    found += _as_typed(TRIMMED, trimmed)
    found += _as_typed(SIGNATURE_CUT, cut)
    parts = split_owners(cut.strip(".:#"))
    if len(parts) > 1:
        found.append(NameVariant(QUALIFIED, ".".join(parts), parts[:-1], parts[-1]))
        found.append(NameVariant(LAST_PART, parts[-1], (), parts[-1]))
    for kind, key in ((STYLE, style_key), (CASE_FOLDED, fold)):
        whole = key(cut)
        if whole:
            found.append(NameVariant(kind, whole, (), whole))
        keys = tuple(map(key, parts))
        if len(keys) > 1 and all(keys):
            found.append(NameVariant(kind, ".".join(keys), keys[:-1], keys[-1]))
            found.append(NameVariant(kind, keys[-1], (), keys[-1]))
    return tuple(_without_repeats(found))


def _as_typed(kind: str, text: str) -> list[NameVariant]:
    """Read ``text`` as a simple name (a module's is dotted) and as a whole qualified one."""
    found = [NameVariant(kind, text, (), text)]
    parts = tuple(text.split("."))
    if len(parts) > 1 and all(parts):
        found.append(NameVariant(kind, text, parts[:-1], parts[-1], whole=True))
    return found


def _normalised(text: str) -> list[NameVariant]:
    """Read ``text`` as Python does: for it both spellings are one name, so this is as typed."""
    normal = nfkc(text)
    if normal == text:
        return []
    return [variant._replace(value=text, language="python") for variant in _as_typed(AS_TYPED, normal)]


def _without_repeats(variants: list[NameVariant]) -> list[NameVariant]:
    """Drop what an earlier variant already looked for in the same way."""
    seen: set[tuple[object, ...]] = set()
    kept: list[NameVariant] = []
    for variant in variants:
        keyed = variant.kind if variant.kind in {STYLE, CASE_FOLDED} else ""
        looked_for = (keyed, variant.owners, variant.name, variant.whole, variant.language)
        if looked_for not in seen:
            seen.add(looked_for)
            kept.append(variant)
    return kept
