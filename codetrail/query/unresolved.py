"""Tokens of a name that no compiler bound: what keeps an empty list of references from meaning "unused".

Counts come from the shards for files that are as indexed, and from the bytes of files that changed or are
new: there every match at identifier borders counts (contract §4). This module must not import syntax.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from codetrail.model import facts, kinds
from codetrail.model.documents import unfound_locals
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import Part, View
from codetrail.query.sources import Sources
from codetrail.store.read_names import names_exact, symbols_named, unbound
from codetrail.store.read_occurrences import occurrences
from codetrail.store.read_symbols import symbol
from codetrail.workspace.languages import language_of

_SAMPLE = 5
_MOST_ELSEWHERE = 5_000
"""Occurrences of other symbols that are looked at; beyond, their number is left out."""
_VARIABLE = kinds.NUMBERS["variable"]
_MOST_READ = 100
"""Files that are read for tokens of locals, whose names no shard holds; beyond, the number is left out."""


class Unresolved(NamedTuple):
    """Counts of one name or of several: ``tokens`` that nobody bound, at most five places that hold most of
    them, tokens that belong to other symbols (None: too many to tell)."""

    tokens: int
    places: tuple[tuple[str, int], ...]
    bound_elsewhere: int | None


def count_unresolved(
    view: View,
    names: Iterable[str],
    groups: Collection[Group],
    asked: PathTest,
    freshness: Freshness,
    sources: Sources,
) -> Unresolved:
    """Count the tokens of ``names`` in the files that ``asked`` takes."""
    names = sorted(set(names))

    def matches(path: str, names: Sequence[str]) -> int:
        return matches_in(sources, path, names)

    by_path = unbound_tokens(view, names, asked, freshness, matches)
    others = list(_others(view, names, groups))
    unfound = set(_unfound_of(others))
    for one in unfound:
        for path, *_ in one.places(asked, freshness):
            by_path[path] = by_path.get(path, 0) + 1
    most = sorted(by_path.items(), key=lambda pair: (-pair[1], pair[0]))[:_SAMPLE]
    elsewhere = _bound_elsewhere(view, names, others, unfound, asked, freshness, sources)
    return Unresolved(sum(by_path.values()), tuple(most), elsewhere)


def unbound_tokens(
    view: View,
    names: Sequence[str],
    asked: PathTest,
    freshness: Freshness,
    matches: Callable[[str, Sequence[str]], int],
) -> dict[str, int]:
    """Count, by path, the tokens of names that carry no precise occurrence, in the files ``asked`` takes.

    ``matches`` counts those of a file that changed or is new, as ``matches_in`` does.
    """
    by_path: dict[str, int] = {}
    for part in view.parts:
        ids = [number for name in names for number in names_exact(part.shard, name)]
        for doc, times in unbound(part.shard, ids).items():
            document = part.document(doc)
            if (
                document
                and asked(document.path, document.language)
                and not freshness.known_stale(document.path)
            ):
                by_path[document.path] = by_path.get(document.path, 0) + times
    for path in (*freshness.changed, *freshness.new):
        if asked(path, language_of(path) or ""):
            times = matches(path, names)
            if times:
                by_path[path] = times
    return by_path


class OtherSymbol(NamedTuple):
    """A global symbol that bears one of the names and was not asked about."""

    part: Part
    symbol: int
    kind: int

    def places(self, asked: PathTest, freshness: Freshness) -> set[tuple[str, int, int, int, int]]:
        """Return where it stands."""
        return _places(self.part, self.symbol, asked, freshness, _MOST_ELSEWHERE)


def unfound_imports(view: View, names: Sequence[str]) -> list[OtherSymbol]:
    """Return the symbols that bear one of ``names`` and that only imports define which found nothing."""
    return _unfound_of(_others(view, names, ()))


def _others(view: View, names: Sequence[str], groups: Collection[Group]) -> Iterator[OtherSymbol]:
    ours = {(member.part.shard.file, member.row.id) for group in groups for member in group.members}
    for part in view.parts:
        for name in names:
            for number in names_exact(part.shard, name):
                for named in symbols_named(part.shard, number):
                    if (part.shard.file, named.symbol) not in ours:
                        yield OtherSymbol(part, named.symbol, named.kind)


def _unfound_of(others: Iterable[OtherSymbol]) -> list[OtherSymbol]:
    return [one for one in others if one.kind == _VARIABLE and is_unfound_import(one.part, one.symbol)]


def is_unfound_import(part: Part, number: int) -> bool:
    """Tell whether imports alone define a symbol, which they do only where they found nothing.

    Such a name is a variable of the importing module to us, but what it stands for no compiler could tell: it
    may well be the symbol that was asked about.
    """
    rows = occurrences(part.shard, number, limit=_MOST_ELSEWHERE)
    definitions = [row for row in rows if row.roles & facts.ROLE_DEFINITION]
    return bool(definitions) and all(row.roles & facts.ROLE_IMPORT for row in definitions)


def matches_in(sources: Sources, path: str, names: Sequence[str]) -> int:
    """Count the matches of names at identifier borders in the present text of a file."""
    source = sources.text(path)
    if source is None or not names:
        return 0
    pattern = "|".join(re.escape(name) for name in names)
    text = source.data.decode("utf-8", "replace")
    return sum(1 for _ in re.finditer(rf"(?<![\w$])(?:{pattern})(?![\w$])", text))


def _bound_elsewhere(
    view: View,
    names: list[str],
    others: Iterable[OtherSymbol],
    unfound: Collection[OtherSymbol],
    asked: PathTest,
    freshness: Freshness,
    sources: Sources,
) -> int | None:
    """Count the places where one of the other symbols stands, the unfound apart; exactly, or not at all."""
    local = _local_places(view, names, asked, freshness, sources)
    if local is None:
        return None
    places = local
    left = _MOST_ELSEWHERE
    for one in others:
        row = symbol(one.part.shard, one.symbol)
        left -= row.references + 1 if row is not None else 0
        if left < 0:
            return None
        if one not in unfound:
            places |= one.places(asked, freshness)
    return len(places)


def _local_places(
    view: View, names: list[str], asked: PathTest, freshness: Freshness, sources: Sources
) -> set[tuple[str, int, int, int, int]] | None:
    """Return the tokens of locals that bear one of the names; None where too many files would be read."""
    if freshness.mode != "full":
        return None
    found: set[tuple[str, int, int, int, int]] = set()
    wanted = [name.encode() for name in names]
    read = 0
    for part in view.parts:
        for document in part.documents():
            if not asked(document.path, document.language) or freshness.known_stale(document.path):
                continue
            read += 1
            source = sources.text(document.path, document.sha256) if read <= _MOST_READ else None
            if source is None:
                return None
            if any(name in source.data for name in wanted):
                locals_, _ = part.locals(document.id)
                unfound = unfound_locals(locals_)
                spans = [one.range for one in locals_ if one.symbol not in unfound]
                found |= {(document.path, *span) for span in spans if source.index.slice(span) in names}
    return found


def _places(
    part: Part, number: int, asked: PathTest, freshness: Freshness, limit: int
) -> set[tuple[str, int, int, int, int]]:
    found: set[tuple[str, int, int, int, int]] = set()
    for row in occurrences(part.shard, number, limit=limit + 1, without_roles=facts.ROLE_ALIAS):
        document = part.document(row.doc)
        if document and asked(document.path, document.language) and not freshness.known_stale(document.path):
            found.add((document.path, *row[2:6]))
    return found
