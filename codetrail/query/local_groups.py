"""Groups of document-local symbols, and of the functions that are kept in them.

A function that is bound to a local is one thing: compilers know it as the local, which is called, and syntax
as an extent, which calls. This module must not know what is asked.
"""

from __future__ import annotations

from codetrail.model import facts, kinds
from codetrail.model.documents import LocalOccurrence
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, LocalSymbol, ParserDefinition, local_group
from codetrail.query.matching import stored_definition
from codetrail.query.snapshot import Part
from codetrail.store.read_documents import DocumentRow, extents


class LocalGroups:
    """Makes such groups, each once; one object serves one question."""

    def __init__(self, freshness: Freshness) -> None:
        self._freshness = freshness
        self._groups: dict[tuple[str, int, int], Group] = {}
        self._drawn: dict[tuple[str, int], dict[object, ParserDefinition]] = {}

    def group(self, part: Part, document: DocumentRow, number: int) -> Group:
        """Return the group of a local of a document; without text to name it by it is ``local N``."""
        key = (part.shard.file, document.id, number)
        if key not in self._groups:
            self._groups[key] = self._make(part, document, number)
        return self._groups[key]

    def kept(self, part: Part, document: DocumentRow, function: ParserDefinition) -> Group | None:
        """Return the group of the local that a function of a document is bound to, None without one."""
        places, _ = part.locals(document.id)
        for one in places:
            if one.range == function.name_range and one.roles & facts.ROLE_DEFINITION:
                found = self.group(part, document, one.symbol)
                return found if found.parser is not None else None
        return None

    def _make(self, part: Part, document: DocumentRow, number: int) -> Group:
        places, local_kinds = part.locals(document.id)
        there = [one for one in places if one.symbol == number]
        first = next((one for one in there if one.roles & facts.ROLE_DEFINITION), there[0])
        name = self._name_at(part, document, [first, *there]) or f"local {number}"
        kind = local_kinds[number] if number < len(local_kinds) else 0
        made = local_group(LocalSymbol(part, document.id, number), document, first.range.line, kind, name)
        function = self._functions(part, document).get(first.range)
        return made if function is None else made._replace(kind=function.kind, parser=function)

    def _functions(self, part: Part, document: DocumentRow) -> dict[object, ParserDefinition]:
        key = (part.shard.file, document.id)
        if key not in self._drawn:
            found = (
                stored_definition(part, one) for one in extents(part.shard, document.id) if not one.symbol
            )
            self._drawn[key] = {
                one.name_range: one for one in found if one is not None and one.kind in kinds.CALLABLE
            }
        return self._drawn[key]

    def _name_at(self, part: Part, document: DocumentRow, places: list[LocalOccurrence]) -> str | None:
        """Return the text at the first of several places that is still there."""
        for one in places:
            standing = self._freshness.stands(part, document, one.range)
            if standing is not None:
                return standing.text.index.slice(standing.range)
        return None
