"""Sum over all shards how well each language is bound: the share of its names, the modules it misses most.

This module must not know units: one language may have many, and one unit several languages.
"""

from __future__ import annotations

from collections import Counter

from codetrail.model.facts import DOC_STATES
from codetrail.model.reports import LanguageShare
from codetrail.store import read_documents
from codetrail.store.manifest import OCCURRENCES
from codetrail.store.snapshots import Snapshot

_PRECISE = DOC_STATES.index("precise")
_SHOWN = 5


def shares(snapshot: Snapshot) -> tuple[LanguageShare, ...]:
    """Return the share of each language that has precise documents, sorted by language."""
    documents: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    bound: Counter[str] = Counter()
    missing: dict[str, Counter[str]] = {}
    for entry in snapshot.manifest.entries:
        if not entry.file or entry.kind != OCCURRENCES:
            continue
        shard = snapshot.shard(entry)
        languages: dict[int, str] = {}
        hidden = frozenset(entry.masked)
        for row in read_documents.documents(shard):
            if row.path in hidden:
                continue
            languages[row.id] = row.language
            if row.state == _PRECISE:
                documents[row.language] += 1
                tokens[row.language] += row.tokens
                bound[row.language] += row.bound
        for doc, module in read_documents.missing_modules(shard):
            if doc in languages:
                missing.setdefault(languages[doc], Counter())[module] += 1
    return tuple(
        LanguageShare(
            language,
            documents[language],
            bound[language] / tokens[language] if tokens[language] else None,
            _most(missing.get(language, Counter())),
        )
        for language in sorted(documents)
    )


def _most(modules: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(modules.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN])
