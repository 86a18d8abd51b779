"""Tell whether a document of an index that was made elsewhere speaks of the file that stands here.

Some producers write the text down; then there is no doubt. Others do not, and nothing in SCIP names a hash or
a commit: then the names decide, for ranges that were made for another text miss its tokens as soon as a line
has moved. This module must not know how places are made.
"""

from __future__ import annotations

from collections import Counter

from codetrail.model.documents import DocumentFacts
from codetrail.model.facts import ROLE_ALIAS, ROLE_DEFINITION
from codetrail.workspace.encodings import utf8_source

MISSED = ("range_not_a_token", "range_outside")
"""Counts of a document that tell of ranges which hit nothing in the text."""
_MOST_MISSED = 50
"""One range in so many may miss: producers write some odd ones even of the text they saw."""
_BOM = "\ufeff"


def is_same_text(text: str, data: bytes, language: str) -> bool:
    """Tell whether a text that a producer wrote down is that of the file with these bytes.

    Line ends and a byte-order mark make no difference: they move no range.
    """
    return _plain(text) == _plain(utf8_source(data, language).decode("utf-8", "replace"))


def _plain(text: str) -> str:
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def names_fit(facts: DocumentFacts, counts: Counter[str]) -> bool:
    """Tell whether the ranges of a document hit the names they are said to hit, as far as that can be seen.

    ``counts`` is what was left out of it. Of definitions all that have a range read as their names, but for
    some; of other places imports under another name and the like do not, so more of them may differ.
    """
    missed = sum(counts[reason] for reason in MISSED)
    placed = len(facts.occurrences) + len(facts.locals)
    if missed * _MOST_MISSED > placed + missed:
        return False
    uses = [one for one in facts.occurrences if not one.roles & ROLE_DEFINITION]
    odd = sum(1 for one in uses if one.roles & ROLE_ALIAS)
    defined = [one for one in facts.occurrences if one.roles & ROLE_DEFINITION]
    named = [one for one in defined if one.range[:2] != one.range[2:]]
    strange = sum(1 for one in named if one.roles & ROLE_ALIAS)
    return odd * 2 <= len(uses) and strange * 4 <= len(named)
