"""Keep an index that was made elsewhere from defining symbols of packages that units of this machine define.

Such a definition would answer for a symbol that a compiler here knows better (security §3). Uses of those
symbols stay. This module must not know shards.
"""

from __future__ import annotations

from collections.abc import Collection

from codetrail.model.facts import ROLE_DEFINITION, ROLE_FORWARD_DEFINITION
from codetrail.model.symbols import SymbolError, is_local, split_package
from codetrail.scip.documents import ScipDocument
from codetrail.store.packages import PackageKey, package_key

_DEFINES = ROLE_DEFINITION | ROLE_FORWARD_DEFINITION


def without_definitions(document: ScipDocument, packages: Collection[PackageKey]) -> tuple[ScipDocument, int]:
    """Return a document without its definitions of symbols of ``packages``, and how many those were."""
    if not packages:
        return document, 0
    known: dict[str, bool] = {}

    def is_of_them(symbol: str) -> bool:
        found = known.get(symbol)
        if found is None:
            found = known[symbol] = _package(symbol) in packages
        return found

    kept = [one for one in document.occurrences if not (one[5] & _DEFINES and is_of_them(one[4]))]
    refused = len(document.occurrences) - len(kept)
    if not refused:
        return document, 0
    symbols = [one for one in document.symbols if not is_of_them(one.symbol)]
    return document._replace(occurrences=kept, symbols=symbols), refused


def _package(symbol: str) -> PackageKey | None:
    if is_local(symbol):
        return None
    try:
        return package_key(split_package(symbol)[0])
    except SymbolError:
        return None
