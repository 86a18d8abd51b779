"""Find shards of earlier builds whose units have the same inputs now.

Only snapshots under this user's seal count, and only shards whose bytes are still those that were recorded:
a shard that came with a repository is never taken over. This module must not know what a unit is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.errors import CodeTrailError
from codetrail.store import schema
from codetrail.store.local_facts import LocalFacts, UnitTime
from codetrail.store.manifest import ManifestEntry
from codetrail.store.snapshot_folder import KEY, StateFolder
from codetrail.store.snapshots import current_key, load_snapshot, verify_shard
from codetrail.workspace.surroundings import Surrounding


class Reusable(NamedTuple):
    """A unit whose shards are all there: its entries in order of part, and when its rows were made.

    ``around`` is what its rows rest on outside the tree, as the build that began at ``recorded_ns`` saw it.
    """

    entries: tuple[ManifestEntry, ...]
    time: UnitTime | None
    around: tuple[Surrounding, ...] = ()
    recorded_ns: int = 0


class Reuse:
    """The units of all stored snapshots, ``current`` first, then by key. Close it after the build."""

    def __init__(self, folder: StateFolder, env: Mapping[str, str]) -> None:
        self._folder = folder
        self._found: dict[str, tuple[tuple[ManifestEntry, ...], LocalFacts]] = {}
        self._sides: list[LocalFacts] = []
        for key in _keys(folder):
            try:
                listed, local = load_snapshot(folder, key, env)
            except CodeTrailError:
                continue
            self._sides.append(local)
            by_digest: dict[str, list[ManifestEntry]] = {}
            for entry in listed.entries:
                by_digest.setdefault(entry.unit_digest, []).append(entry)
            for digest, entries in by_digest.items():
                if _is_whole(entries):
                    self._found.setdefault(digest, (tuple(entries), local))

    def find_shards(self, unit_digest: str) -> Reusable | None:
        """Return the entries of the unit with these inputs; None where any of its shards cannot be used."""
        if unit_digest not in self._found:
            return None
        entries, local = self._found[unit_digest]
        try:
            for entry in entries:
                verify_shard(self._folder, entry, local.shards.get(entry.file))
        except CodeTrailError:
            return None
        around = tuple(local.surroundings(entries[0].language))
        return Reusable(entries, local.times.units.get(unit_digest), around, local.recorded_ns)

    def close(self) -> None:
        """Close the side files."""
        for local in self._sides:
            local.close()


def open_reuse(folder: StateFolder, *, env: Mapping[str, str] = os.environ) -> Reuse:
    """Look through the stored snapshots for what a build can take over."""
    return Reuse(folder, env)


def _keys(folder: StateFolder) -> list[str]:
    keys = sorted(name for name in os.listdir(folder.scip) if KEY.fullmatch(name))
    try:
        current = current_key(folder)
    except CodeTrailError:
        current = None
    return sorted(keys, key=lambda key: key != current)


def _is_whole(entries: list[ManifestEntry]) -> bool:
    return all(
        entry.file
        and entry.schema_version == schema.SCHEMA_VERSION
        and (entry.part, entry.parts) == (number, len(entries))
        for number, entry in enumerate(entries, 1)
    )
