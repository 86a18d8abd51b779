"""How names of TypeScript and JavaScript may stand in the source otherwise than in their symbol."""

from __future__ import annotations

import re

from codetrail.scip import scip_pb2
from tests.providers.cleanliness import IMPORT, Aliases, parse_symbol

_ACCESSOR = re.compile(r"<(?:get|set)>(.+)", re.DOTALL)
_KEYWORDS = {
    "<constructor>": ("constructor", "super"),
    "export=": ("export",),
    "module.exports": ("exports",),
}


def excuse(occurrence: scip_pb2.Occurrence, text: str | None, aliases: Aliases) -> str | None:
    """Say why a place of a TypeScript document may read otherwise than its symbol; None when it may not."""
    symbol = occurrence.symbol
    descriptors = () if not symbol or symbol.startswith("local ") else parse_symbol(symbol)
    if text is None or not descriptors or text == descriptors[-1].name:
        return None
    last = descriptors[-1]
    accessor = _ACCESSOR.fullmatch(last.name)
    name = accessor.group(1) if accessor else last.name
    if last.suffix == "namespace" and tuple(occurrence.range) == (0, 0, 0):
        return "file_definition"
    if text in _KEYWORDS.get(last.name, ()):
        return "keyword"
    if text == name:
        return "accessor"
    if name.startswith("["):
        return "computed_name"
    if last.suffix == "namespace" and occurrence.symbol_roles & IMPORT:
        return "module_specifier"
    if (text, symbol) in aliases.imported:
        return "import_alias"
    return "renamed_by_a_library" if symbol in aliases.external else None
