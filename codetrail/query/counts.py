"""How often a symbol is used, over the whole workspace whatever the scope: ``--counts`` (contract §2).

What only syntax knows has no counts: no compiler said who uses it, and a zero would read as "unused". This
module must not know rows or their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from codetrail.model import facts
from codetrail.model.counts import SymbolCounts
from codetrail.model.ranges import Range
from codetrail.model.scope import Scope
from codetrail.query.coverage import judge, languages_of
from codetrail.query.freshness import Freshness
from codetrail.query.groups import Group, LocalSymbol
from codetrail.query.matching import join
from codetrail.query.overrides import Overrides
from codetrail.query.snapshot import View
from codetrail.query.sources import Sources
from codetrail.query.tallies import Tallies
from codetrail.query.unresolved import OtherSymbol, matches_in, unbound_tokens, unfound_imports
from codetrail.store.read_documents import extents_of
from codetrail.store.read_names import names_exact, unbound
from codetrail.store.read_occurrences import ALL_USES, BEFORE_ALL, Place, occurrences
from codetrail.store.read_symbols import definitions

_IMPORT = facts.USES.index("import")
_CALLS = frozenset(facts.USES.index(use) for use in ("call", "construct", "decorator"))
_CHUNK = 4096
_WORD = re.compile(r"[\w$]+")

_Places = set[tuple[str, Range]]


class Counting:
    """Counts the uses of symbols; one object serves one question and remembers what symbols share."""

    def __init__(self, view: View, freshness: Freshness, sources: Sources) -> None:
        self._view = view
        self._freshness = freshness
        self._sources = sources
        self._tallies = Tallies(freshness)
        self._overrides = Overrides(view)
        self._counted: dict[str, SymbolCounts] = {}
        self._places: dict[tuple[str, int], _Places] = {}
        self._complete: dict[frozenset[str], bool] = {}
        self._tokens: dict[tuple[str, frozenset[str]], int] = {}
        self._unfound: dict[str, list[OtherSymbol]] = {}
        self._words: dict[str, Counter[str]] = {}

    def of(self, group: Group) -> SymbolCounts | None:
        """Return the counts of a symbol or of a local; None for what only syntax knows.

        Uses on lines that are not there any more are not counted; ``at_least`` then says so.
        """
        if group.local is not None:
            return self._of_local(group, group.local)
        if not group.members:
            return None
        if group.key not in self._counted:
            # The group may hold only the shards that define the symbol.
            whole = group if len(self._view.parts) == 1 else join(self._view, *group.members[0])
            self._counted[group.key] = self._of_symbol(whole)
        return self._counted[group.key]

    def _of_symbol(self, group: Group) -> SymbolCounts:
        tally = self._tallies.of(group)
        return SymbolCounts(
            tally.refs,
            tally.calls,
            tally.imports,
            tally.tests,
            self._via_base(group),
            sum(self._unresolved(group, name) for name in group.simple_names),
            not self._is_complete(group),
            any(member.row.flags & facts.SYM_DECORATED for member in group.members),
        )

    def _of_local(self, group: Group, local: LocalSymbol) -> SymbolCounts | None:
        """Count the uses of a local: no file but its own can hold any."""
        document = local.part.document(local.doc)
        if document is None:
            return None
        found, _ = local.part.locals(local.doc)
        counts = self._tallies.counts
        own = [
            one for one in found if one.symbol == local.number and counts(local.part, local.doc, one.range)
        ]
        uses = [one.use for one in own if not one.roles & facts.ROLE_DEFINITION]
        imports = uses.count(_IMPORT)
        names = [number for name in group.simple_names for number in names_exact(local.part.shard, name)]
        return SymbolCounts(
            len(uses) - imports,
            sum(use in _CALLS for use in uses),
            imports,
            len(uses) if document.flags & facts.DOC_TEST else 0,
            0,
            unbound(local.part.shard, names).get(local.doc, 0),
            not self._is_complete(group),
        )

    def _is_complete(self, group: Group) -> bool:
        """Tell whether coverage is complete for the languages that can name a symbol, whatever the scope."""
        languages = languages_of((group,))
        if languages not in self._complete:
            judged = judge(self._view, languages, Scope(), _everywhere, self._freshness)
            self._complete[languages] = judged.coverage.state == "complete"
        return self._complete[languages]

    def _via_base(self, group: Group) -> int:
        """Count the places outside a symbol, imports left out, that use what it overrides but not itself."""
        bases = self._overrides.bases(group)
        if not bases:
            return 0
        places = set[tuple[str, Range]]().union(
            *(self._uses_of(base, without_imports=True) for base in bases)
        )
        bodies = _bodies(group)
        return sum(
            not any(body.contains(span.line, span.column) for body in bodies.get(path, ()))
            for path, span in places - self._uses_of(group, without_imports=False)
        )

    def _uses_of(self, group: Group, *, without_imports: bool) -> _Places:
        uses = ALL_USES & ~(1 << _IMPORT) if without_imports else ALL_USES
        key = (group.key, uses)
        if key not in self._places:
            self._places[key] = set(self._read_uses(group, uses))
        return self._places[key]

    def _read_uses(self, group: Group, uses: int) -> Iterator[tuple[str, Range]]:
        for part, row in group.members:
            place: Place | None = BEFORE_ALL
            while place is not None:
                chunk = occurrences(
                    part.shard,
                    row.id,
                    after=place,
                    limit=_CHUNK,
                    uses=uses,
                    without_roles=facts.ROLE_DEFINITION,
                )
                for one in chunk:
                    document, span = part.document(one.doc), Range(*one[2:6])
                    if document is not None and self._tallies.counts(part, one.doc, span):
                        yield document.path, span
                place = Place(*chunk[-1][1:6]) if len(chunk) == _CHUNK else None

    def _unresolved(self, group: Group, name: str) -> int:
        """Count the tokens of a name that no compiler bound, as coverage of ``refs`` does."""
        languages = languages_of((group,))

        def asked(_path: str, language: str) -> bool:
            return not languages or language in languages

        key = (name, languages)
        if key not in self._tokens:
            tokens = unbound_tokens(self._view, [name], asked, self._freshness, self._matches)
            self._tokens[key] = sum(tokens.values())
        if name not in self._unfound:
            self._unfound[name] = unfound_imports(self._view, [name])
        ours = {(member.part.shard.file, member.row.id) for member in group.members}
        others = [one for one in self._unfound[name] if (one.part.shard.file, one.symbol) not in ours]
        places = (one.places(asked, self._freshness) for one in others)
        return self._tokens[key] + sum(map(len, places))

    def _matches(self, path: str, names: Sequence[str]) -> int:
        """Count matches of names in the present text of a file, whose words are counted once for all."""
        if not all(_WORD.fullmatch(name) for name in names):
            return matches_in(self._sources, path, names)
        if path not in self._words:
            source = self._sources.text(path)
            text = source.data.decode("utf-8", "replace") if source is not None else ""
            self._words[path] = Counter(_WORD.findall(text))
        return sum(self._words[path][name] for name in names)


def _everywhere(_path: str, _language: str) -> bool:
    return True


def _bodies(group: Group) -> dict[str, list[Range]]:
    """Return the extents of a symbol by the path of their file."""
    found: dict[str, list[Range]] = {}
    for part, row in group.members:
        for doc in {one.doc for one in definitions(part.shard, row.id)}:
            document = part.document(doc)
            if document is not None:
                bodies = [extent.body for extent in extents_of(part.shard, doc, row.id)]
                found.setdefault(document.path, []).extend(bodies)
    return found
