"""Tell whether a document of an index that was made elsewhere speaks of the file that stands here.

Some producers write the text down; then there is no doubt. Others do not, and nothing in SCIP names a hash or
a commit: then the names decide, for ranges that were made for another text miss its tokens as soon as a line
has moved. This module must not know how places are made.
"""

from __future__ import annotations

import re
from collections import Counter

from codetrail.index.symbol_names import CONSTRUCTORS, descriptors_of
from codetrail.model.documents import DocumentFacts, Occurrence
from codetrail.model.facts import ROLE_ALIAS, ROLE_DEFINITION, ROLE_IMPORT, USES
from codetrail.model.ranges import LineIndex
from codetrail.model.symbols import METHOD, NAMESPACE, TERM, TYPE
from codetrail.workspace.encodings import utf8_source

MISSED = ("range_not_a_token", "range_outside")
"""Counts of a document that tell of ranges which hit nothing in the text."""
_MISSED_OF = 100
"""One range in so many may miss, of producers that are not known to be exact. Of the texts they saw, none
missed in 520 documents of scip-typescript (rxjs, zod) nor in 330 of our drivers (rxjs, rich), two of 228 in
one of ten documents of scip-java. After one line more or less half of all miss (rxjs, median)."""
_STRANGE_OF = 10
"""One definition in so many may read as something else than its name; none did in those documents."""
_BOM = "\ufeff"
_IMPORT = USES.index("import")
_NAMED = frozenset({METHOD, TERM, TYPE})
_INTRODUCES = re.compile(r"\bas\s+(?:type\s+)?\Z")
_KEYWORDS = frozenset({"constructor", "default", "new", "super", "target", "this"})
_QUOTES = ('"', "'", "`")
_ENDING = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?\Z|\.json\Z")
"""What a specifier may or may not write of a file's name."""
_FOLDERS = frozenset({"", ".", ".."})


def is_same_text(text: str, data: bytes, language: str) -> bool:
    """Tell whether a text that a producer wrote down is that of the file with these bytes.

    Line ends and a byte-order mark make no difference: they move no range.
    """
    return _plain(text) == _plain(utf8_source(data, language).decode("utf-8", "replace"))


def _plain(text: str) -> str:
    return text.removeprefix(_BOM).replace("\r\n", "\n")


def names_fit(facts: DocumentFacts, counts: Counter[str], exact: bool, proved: bool, text: bytes) -> bool:
    """Tell whether the ranges of a document hit the names they are said to hit, as far as that can be seen.

    ``counts`` is what was left out of it, ``text`` what its places are of, in UTF-8. Of an ``exact`` producer
    nothing may miss, and a place that reads otherwise than its symbol must be one that may: the file of a
    module, a constructor, a name that an import or export gives. Where the text was ``proved`` the same,
    ranges that miss are the producer's own and left out one by one; when most do, it counts otherwise.
    """
    missed = sum(counts[reason] for reason in MISSED)
    placed = len(facts.occurrences) + len(facts.locals)
    named = [one for one in facts.definitions if one.name[:2] != one.name[2:]]
    at = {(one.symbol, one.range) for one in facts.occurrences if one.roles & ROLE_ALIAS}
    strange = sum(1 for one in named if (one.symbol, one.name) in at)
    most = (placed + missed) // 2 if proved else 0 if exact else (placed + missed) // _MISSED_OF
    if missed > most or strange * _STRANGE_OF > len(named):
        return False
    return not exact or not _misnames(facts, LineIndex(text))


def _misnames(facts: DocumentFacts, lines: LineIndex) -> bool:
    """Tell whether some place reads otherwise than its symbol and nothing in the document explains it."""
    aliases = [
        (one, lines.slice(one.range))
        for one in facts.occurrences
        if one.roles & ROLE_ALIAS and not one.roles & ROLE_DEFINITION
    ]
    given = {(one.symbol, word) for one, word in aliases if _is_given_there(one, lines)}
    return any((one.symbol, word) not in given and not _may_read(one.symbol, word) for one, word in aliases)


def _is_given_there(one: Occurrence, lines: LineIndex) -> bool:
    if one.use == _IMPORT or one.roles & ROLE_IMPORT:
        return True
    return _INTRODUCES.search(lines.line_text(one.range.line)[: one.range.column]) is not None


def _may_read(symbol: str, word: str | None) -> bool:
    """Tell whether a place of a symbol may read like this though it is not the symbol's name."""
    if word is None or word in _KEYWORDS:
        return True
    descriptors = descriptors_of(symbol)
    if not descriptors:
        return True
    last = descriptors[-1]
    if last.suffix == NAMESPACE:
        folder = descriptors[-2].name if len(descriptors) > 1 else ""
        return not word.startswith(_QUOTES) or _leads_to(word[1:-1], folder, last.name)
    if last.name in CONSTRUCTORS:
        return len(descriptors) > 1 and word == descriptors[-2].name
    return last.suffix not in _NAMED or not last.name.isidentifier()


def _leads_to(specifier: str, folder: str, file: str) -> bool:
    """Tell whether a module specifier may mean a file in a folder; what is not relative may mean any."""
    if not specifier.startswith("."):
        return True
    wanted, there = (_ENDING.sub("", name) for name in (specifier.rstrip("/").rpartition("/")[2], file))
    return wanted in _FOLDERS or wanted == there or (there == "index" and wanted == folder)
