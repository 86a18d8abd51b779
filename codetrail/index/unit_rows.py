"""Make the row of a unit from its manifest entries, for ``index build`` and ``index status`` alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from codetrail.model.reports import UnitRow
from codetrail.store import manifest
from codetrail.store.local_facts import UnitTime
from codetrail.store.manifest import ManifestEntry


def unit_row(
    entries: Sequence[ManifestEntry], state: str, when: UnitTime | None, *, ran: bool = False
) -> UnitRow:
    """Return the row of one unit; ``entries`` are its parts, ``when`` its rows were made.

    Seconds are shown only of a unit that ran in this build.
    """
    first = entries[0]
    # Syntax binds no name, so a share of bound names says nothing of it.
    tokens = 0 if first.kind == manifest.PARSER else sum(entry.tokens for entry in entries)
    return UnitRow(
        provider=first.provider,
        engine=first.engine,
        version=first.engine_version,
        language=first.language,
        root=first.root,
        state=state,
        files=sum(entry.files for entry in entries),
        documents=sum(entry.documents - len(entry.masked) for entry in entries),
        occurrences=sum(entry.occurrences for entry in entries),
        resolved_share=sum(entry.bound for entry in entries) / tokens if tokens else None,
        seconds=when.seconds if when is not None and ran else None,
        indexed_at=None if when is None else utc(when.indexed_ns),
        problems=tuple(problem for entry in entries for problem in entry.problems),
        origin=first.origin or None,
    )


def utc(nanoseconds: int) -> str:
    """Write a time, given in nanoseconds since the epoch, as UTC in ISO 8601 to the second."""
    return datetime.fromtimestamp(nanoseconds // 1_000_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
