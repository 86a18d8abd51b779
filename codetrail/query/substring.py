"""Find the symbols whose name contains what was typed: the matching of ``symbols`` (contract §3).

Closeness orders them: the very name, the same but for case, a beginning, any other part. This module must not
know places or rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from codetrail.model import facts
from codetrail.model.answers import Variant
from codetrail.model.identifiers import AS_TYPED, CASE_FOLDED, STYLE, NameVariant, fold
from codetrail.model.symbols import join_key
from codetrail.query.groups import Group, Member, ParserDefinition
from codetrail.query.matching import (
    CurrentDefinitions,
    definition_at,
    match_name,
    names_of_definition,
    owner_rank,
    package_prefixes,
    parser_group,
    precise_group,
    rank_of_symbol,
)
from codetrail.query.ranked import Carded, Ranked
from codetrail.query.snapshot import Part, View
from codetrail.store.read_names import Card, cards, names_containing, spread, syntax_cards
from codetrail.store.read_symbols import symbol

Key = Callable[[str], str]
"""Makes the form in which names are compared."""


def match_substring(
    view: View, variants: Sequence[NameVariant], current: CurrentDefinitions | None, *, strict: bool
) -> Ranked | list[Group]:
    """Return the groups, defined here, whose name contains the last part of a variant."""
    for (kind, value), readings in groupby(variants, key=lambda variant: (variant.kind, variant.value)):
        if kind in {STYLE, CASE_FOLDED}:
            continue
        found = _Containing()
        for reading in readings:
            key = str if strict else fold
            for part in view.parts:
                found.look_in(part, reading, key)
            if current is not None:
                for definition in current(reading.name):
                    found.add_parser(definition, reading, key)
        if ranked := found.ranked(None if kind == AS_TYPED else Variant(kind, value)):
            return ranked
    # Only the spelling may differ: then whole names are compared.
    styled = [variant for variant in variants if variant.kind in {STYLE, CASE_FOLDED}]
    return [] if strict else match_name(view, styled, current)


class _Containing:
    """Collects cards by join key, and definitions of the parser, of one variant."""

    def __init__(self) -> None:
        self._cards: dict[str, dict[tuple[str, int], Carded]] = {}
        self._parser: dict[str, Group] = {}

    def look_in(self, part: Part, reading: NameVariant, key: Key) -> None:
        """Collect what one shard holds."""
        typed = key(reading.name)
        found = names_containing(part.shard, reading.name)
        names = {number: name for number, name in found.items() if typed in key(name)}
        if not names:
            return
        closeness = {number: _closeness(reading.name, name) for number, name in names.items()}
        prefixes = package_prefixes(part)
        defined = cards(part.shard, names)
        spreads = spread(part.shard, {card.symbol for card in defined})
        for card in defined:
            document = part.document(card.doc)
            if document is None or _is_other(reading, document.language):
                continue
            owners = _rank(part, card, reading, key)
            if owners is None:
                continue
            prefix = prefixes.get(card.package)
            joined = join_key(card.descr, part.unit) if prefix is None else prefix + card.descr
            self._add(
                Carded(
                    joined,
                    part,
                    card.symbol,
                    card.kind,
                    document.language,
                    (document.path, card.line),
                    bool(card.flags & facts.SYM_TEST),
                    closeness[card.name],
                    owners,
                    spreads[card.symbol],
                )
            )
        for _, doc, n in syntax_cards(part.shard, names):
            definition = definition_at(part, doc, n)
            if definition is not None:
                self.add_parser(definition, reading, key)

    def _add(self, card: Carded) -> None:
        known = self._cards.setdefault(card.key, {})
        place = (card.part.shard.file, card.symbol)
        other = known.get(place)
        if other is None or (card.closeness, card.owners) < (other.closeness, other.owners):
            known[place] = card

    def add_parser(self, definition: ParserDefinition, reading: NameVariant, key: Key) -> None:
        """Collect a definition that only syntax knows, if its name contains what was typed."""
        if key(reading.name) not in key(definition.name) or _is_other(reading, definition.language):
            return
        owners = owner_rank(reading, *names_of_definition(definition), key)
        if owners is not None:
            group = parser_group(definition, owners, _closeness(reading.name, definition.name))
            self._parser.setdefault(group.key, group)

    def ranked(self, variant: Variant | None) -> Ranked:
        """Return all that was collected; what several shards define is made at once, the rest when needed."""
        single: list[Carded] = []
        groups = [group._replace(variant=variant) for group in self._parser.values()]
        for key, known in self._cards.items():
            first, *others = known.values()
            if not others:
                single.append(first)
                continue
            closeness, owners = min((card.closeness, card.owners) for card in known.values())
            group = _group(key, list(known.values()))
            groups.append(group._replace(closeness=closeness, owners=owners, variant=variant))
        return Ranked(single, groups, lambda card: _group(card.key, [card])._replace(variant=variant))


def _group(key: str, carded: list[Carded]) -> Group:
    rows = [(card.part, symbol(card.part.shard, card.symbol)) for card in carded]
    group = precise_group(key, [Member(part, row) for part, row in rows if row is not None])
    return group._replace(closeness=carded[0].closeness, owners=carded[0].owners)


def _rank(part: Part, card: Card, reading: NameVariant, key: Key) -> int | None:
    if not reading.owners and not reading.whole:
        return 0
    row = symbol(part.shard, card.symbol)
    return None if row is None else rank_of_symbol(reading, row, key)


def _is_other(reading: NameVariant, language: str) -> bool:
    return bool(reading.language) and reading.language != language


def _closeness(typed: str, name: str) -> int:
    if name == typed:
        return 0
    folded, part = fold(name), fold(typed)
    return 1 if folded == part else 2 if folded.startswith(part) else 3
