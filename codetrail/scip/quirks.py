"""What each producer of SCIP does differently, as plain data chosen by tool name and version.

Every entry comes from reading or running the producer (research pages on producers and Python). A producer
that is not listed gets the cautious defaults: its columns are settled by the text, its relationships are
believed. This module must not know how a document is decoded nor what becomes of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from codetrail.model.ranges import UTF8, UTF16

OWN_TOOL_PREFIX = "codetrail-"

_RELEASE = re.compile(r"v?(\d{1,4})\.(\d{1,4})")
_INVERSE_SINCE = (0, 11)
"""scip-java 0.10.3 writes one direction (seen in its indexes), 0.12 and later both (read in its source)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How to read one producer.

    ``column_unit`` is what its columns count when a document does not say (0: let the text decide).
    ``path_base`` tells what document paths are relative to: ``unit`` (the folder the tool ran in) or
    ``workspace``. ``import_roles``: it marks imports by role. ``inverse_relationships``: an overridden symbol
    also claims to implement its overriders. ``signature_in_fence``: the first documentation entry is the
    signature in a code fence. ``numbered_keys``: keys of object literals end in a number that the source does
    not have. ``exact``: none of its ranges misses a token of the text that it saw.

    Two things are the same for every producer and stand in no profile: ``local `` and any text after it is
    private to its document (``local 2(n)`` too), and enclosing ranges of references are not believed.
    """

    name: str
    column_unit: int = 0
    path_base: str = "unit"
    import_roles: bool = False
    inverse_relationships: bool = False
    signature_in_fence: bool = False
    numbered_keys: bool = False
    exact: bool = False


_PROFILES = {
    profile.name: profile
    for profile in (
        Profile("rust-analyzer", column_unit=UTF8),
        Profile("scip-java", column_unit=UTF16, inverse_relationships=True),
        Profile(
            "scip-typescript", column_unit=UTF16, signature_in_fence=True, numbered_keys=True, exact=True
        ),
        Profile("scip-python", column_unit=UTF16, signature_in_fence=True),
        Profile("scip-go", column_unit=UTF8),
        Profile("scip-clang", column_unit=UTF8),
        Profile("scip-ruby", column_unit=UTF8),
        Profile("scip-dotnet", column_unit=UTF16, signature_in_fence=True),
    )
}


def profile_for(tool_name: str, tool_version: str) -> Profile:
    """Return the profile of a producer by the name and version in an index's metadata.

    A version that does not parse counts as the newest. Our own drivers (``codetrail-…``) say their unit, mark
    imports and write paths from the workspace root.
    """
    if tool_name.startswith(OWN_TOOL_PREFIX):
        return Profile(tool_name, column_unit=UTF16, path_base="workspace", import_roles=True, exact=True)
    found = _PROFILES.get(tool_name)
    if found is None:
        return Profile(tool_name)
    if found.inverse_relationships and _release(tool_version) < _INVERSE_SINCE:
        return replace(found, inverse_relationships=False)
    return found


def _release(version: str) -> tuple[int, int]:
    found = _RELEASE.match(version)
    return (int(found[1]), int(found[2])) if found else (9999, 0)
