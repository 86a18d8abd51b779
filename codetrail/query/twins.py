"""Tell apart symbols of one answer whose coordinates are equal, so that each of them can be asked about.

Namesakes may be defined on one line: an interface and a constant, functions of two blocks. Then the column
stands in the coordinate too, and where even that does not settle it, the symbol string stands instead. One
definition that was seen twice is told once. This module must not know which question is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from codetrail.model import facts
from codetrail.model.answers import Node, ReferenceRow, Row, SymbolRow
from codetrail.query.groups import Group
from codetrail.store.read_symbols import definitions_in


def identifiers(
    groups: Sequence[Group],
    place_now: Callable[[Group], tuple[str, int] | None],
    means: Callable[[str], frozenset[str]],
    *,
    exactly: bool,
) -> tuple[str, ...]:
    """Return what pastes into the next question for each group: its coordinate, unless others have it too.

    ``place_now`` gives path and line that coordinates are made of; ``means`` the keys of the groups that an
    identifier means. ``exactly``: each one is tried, so that a symbol that the answer does not name is told
    apart too.
    """
    coordinates = [group._replace(place=place_now(group)).coordinate for group in groups]
    return tuple(
        _identifier(group, known, means) if exactly or coordinates.count(known) > 1 else known
        for group, known in zip(groups, coordinates, strict=True)
    )


def told_apart(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Mark the definitions that share a coordinate with that of another symbol on the page."""
    symbols: dict[tuple[str | None, int, str], set[object]] = {}
    for row in rows:
        if (node := _defined(row)) is not None and node.range is not None:
            place = (node.path, node.range.line, node.qualified_name)
            symbols.setdefault(place, set()).add(node.symbol or node.range)
    twins = {place for place, several in symbols.items() if len(several) > 1}
    return tuple(_marked(row, twins) for row in rows) if twins else tuple(rows)


def shadows(groups: Sequence[Group], identifiers: Sequence[str]) -> dict[int, int]:
    """Return the ranks of groups that an earlier one stands for, with that one's rank.

    Of a file that changed, what syntax sees now and what a compiler saw are two groups: of one definition,
    where both have the same identifier and kind.
    """
    first: dict[tuple[str, int], int] = {}
    found: dict[int, int] = {}
    for rank, (group, identifier) in enumerate(zip(groups, identifiers, strict=True)):
        kept = first.setdefault((identifier, group.kind), rank)
        if kept != rank and (groups[kept].parser is None) != (group.parser is None):
            found[rank] = kept
    return found


def renumbered(rows: Sequence[Row], gone: Mapping[int, int]) -> tuple[Row, ...]:
    """Return the rows with what each is of counted without the groups that are ``gone`` (``shadows``)."""
    if not gone:
        return tuple(rows)

    def now(rank: int) -> int:
        rank = gone.get(rank, rank)
        return rank - sum(one < rank for one in gone)

    return tuple(row._replace(of=now(row.of)) for row in rows)


def _identifier(group: Group, coordinate: str, means: Callable[[str], frozenset[str]]) -> str:
    """Return the first way of writing a group that means it and nothing else; its coordinate if none does."""
    wanted = frozenset((group.key,))
    column = _column(group)
    written = [coordinate]
    if column is not None:
        place = coordinate.removesuffix(f"#{group.qualified}")
        written.append(f"{place}:{column + 1}#{group.qualified}")
    written += [group.symbol] if group.symbol else []
    return next((one for one in written if means(one) == wanted), coordinate)


def _column(group: Group) -> int | None:
    """Return the 0-based column of the name where a group is first defined, None where nothing tells it."""
    if group.parser is not None:
        return group.parser.name_range.column
    if group.place is None:
        return None
    path, line = group.place
    if group.local is not None:
        places, _ = group.local.part.locals(group.local.doc)
        here = [one for one in places if one.symbol == group.local.number and one.range.line == line]
        defined = [one for one in here if one.roles & facts.ROLE_DEFINITION] or here
        return min((one.range.column for one in defined), default=None)
    for part, row in group.members:
        document = part.document(row.doc)
        if document is not None and document.path == path:
            there = definitions_in(part.shard, row.doc, line, line)
            return min((one.name.column for one in there if one.symbol == row.id), default=None)
    return None


def _defined(row: Row) -> Node | None:
    if isinstance(row, SymbolRow):
        return row.node
    return row.definition if isinstance(row, ReferenceRow) else None


def _marked(row: Row, twins: set[tuple[str | None, int, str]]) -> Row:
    node = _defined(row)
    if node is None or node.range is None or (node.path, node.range.line, node.qualified_name) not in twins:
        return row
    if isinstance(row, SymbolRow):
        return row._replace(node=node._replace(has_twin=True))
    assert isinstance(row, ReferenceRow)
    return row._replace(definition=node._replace(has_twin=True))
