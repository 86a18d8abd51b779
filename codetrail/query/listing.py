"""Every symbol of the scope, fewest references first: ``symbols --counts`` without a name (contract §2).

The order is that of contract §3 with the number of references in front: references as they were indexed,
types before callables before fields before variables, non-test before test, path, line, key. Behind all of
them stand the definitions that only syntax knows, by kind, test, path and line: nobody counted their
references, and they must not pass for the least used. What is in front rests on the snapshot and the scope
alone, never on what changed since, so that a cursor finds its place again. This module must not know rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from codetrail.model import facts, symbols
from codetrail.query.groups import Group, ParserDefinition
from codetrail.query.matching import definition_at, join, package_prefixes, parser_group
from codetrail.query.ranked import Carded, Ranked
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part, View
from codetrail.store.read_names import all_syntax_definitions, spread
from codetrail.store.read_symbols import ListedSymbol, listed_symbols, symbol

_BEHIND_ALL = 1 << 62


class _Defined(NamedTuple):
    """A symbol as one shard defines it; ``definitions`` counts them by document id."""

    part: Part
    symbol: ListedSymbol
    definitions: dict[int, int]


def list_all(view: View, test: PathTest, now: Iterable[ParserDefinition]) -> Ranked:
    """Return the groups of everything that files in scope define, joined over all shards.

    ``now`` are the definitions, in scope, of files that no shard describes as they are.
    """
    uses: dict[str, int] = {}
    defined: dict[str, list[_Defined]] = {}
    for part in view.parts:
        prefixes = package_prefixes(part)
        listed = listed_symbols(part.shard, used=len(view.parts) > 1)
        spreads = spread(part.shard, [one.id for one in listed if one.doc >= 0])
        for one in listed:
            prefix = prefixes.get(one.package)
            key = symbols.join_key(one.descr, part.unit) if prefix is None else prefix + one.descr
            uses[key] = uses.get(key, 0) + one.uses
            if one.id in spreads:
                defined.setdefault(key, []).append(_Defined(part, one, spreads[one.id]))
    carded: list[Carded] = []
    groups = list(_parsed(view, test, now))
    for key, found in defined.items():
        if not any(_is_in_scope(one, test) for one in found):
            continue
        card = _card(key, found[0], uses[key]) if len(found) == 1 else None
        if card is not None:
            carded.append(card)
        elif group := _group(view, found[0].part, found[0].symbol.id, uses[key]):
            groups.append(group)

    def make(card: Carded) -> Group:
        group = _group(view, card.part, card.symbol, card.closeness)
        return group or Group(card.key, card.kind, card.language, card.place)

    return Ranked(carded, groups, make)


def _is_in_scope(one: _Defined, test: PathTest) -> bool:
    documents = map(one.part.document, one.definitions)
    return any(document is not None and test(document.path, document.language) for document in documents)


def _card(key: str, one: _Defined, uses: int) -> Carded | None:
    """Return what orders a symbol that one shard defines; None where its first definition is masked."""
    part, listed, definitions = one
    document = part.document(listed.doc)
    if document is None:
        return None
    return Carded(
        key,
        part,
        listed.id,
        listed.kind,
        document.language,
        (document.path, listed.line),
        bool(listed.flags & facts.SYM_TEST),
        uses,
        0,
        definitions,
    )


def _group(view: View, part: Part, number: int, uses: int) -> Group | None:
    row = symbol(part.shard, number)
    return None if row is None else join(view, part, row)._replace(closeness=uses)


def _parsed(view: View, test: PathTest, now: Iterable[ParserDefinition]) -> Iterator[Group]:
    """Yield what only syntax knows, of shards and of the present text; behind everything else."""
    for part in view.parts:
        for doc, n in dict.fromkeys(all_syntax_definitions(part.shard)):
            document = part.document(doc)
            if document is not None and test(document.path, document.language):
                definition = definition_at(part, doc, n)
                if definition is not None:
                    yield parser_group(definition, closeness=_BEHIND_ALL)
    for definition in now:
        yield parser_group(definition, closeness=_BEHIND_ALL)
