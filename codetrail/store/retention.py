"""Remove what nothing needs any more: leavings of killed builds, old snapshots, shards no manifest names.

Only regular files whose whole names fit the patterns of ``snapshot_folder`` are ever removed, below handles,
so a planted link or a stray file survives and leads nowhere (security §2).
"""

from __future__ import annotations

import os
from collections.abc import Collection
from time import time_ns
from typing import NamedTuple

from codetrail.errors import CodeTrailError
from codetrail.store import manifest
from codetrail.store.snapshot_folder import (
    KEY,
    LEFT,
    MANIFEST,
    SHARD,
    TEMPORARY,
    StateFolder,
    disk_failure,
    open_own_folder,
    read_file,
    remove_file,
)
from codetrail.store.snapshots import current_key, mark_left, remove_snapshot

KEPT_NS = 3600 * 1_000_000_000
"""A snapshot stays for an hour after ``current`` left it, so that cursors stay valid (contract §6)."""


class PruneReport(NamedTuple):
    """What was removed: bytes in all, snapshots, shards."""

    bytes: int
    snapshots: int
    shards: int


def sweep(folder: StateFolder) -> int:
    """Remove what killed builds left unfinished; return its bytes. Hold the build lock.

    Raises SystemFailure ``io_error``.
    """
    removed = 0
    try:
        for handle in (folder.handle, folder.scip, folder.shards):
            for name in os.listdir(handle):
                if TEMPORARY.fullmatch(name):
                    removed += remove_file(handle, name)
        for name in os.listdir(folder.scip):
            if not _is_own_folder(folder, name):
                continue
            if TEMPORARY.fullmatch(name):
                removed += remove_snapshot(folder, name)
            elif KEY.fullmatch(name):
                removed += _sweep_snapshot(folder, name)
    except OSError as error:
        raise disk_failure(error) from error
    return removed


def _sweep_snapshot(folder: StateFolder, key: str) -> int:
    place = open_own_folder(folder.scip, key)
    if place is None:
        return 0
    try:
        return sum([remove_file(place, name) for name in os.listdir(place) if TEMPORARY.fullmatch(name)])
    finally:
        os.close(place)


def prune(folder: StateFolder, *, keep: Collection[str] = (), now_ns: int | None = None) -> PruneReport:
    """Remove snapshots that ``current`` left more than an hour ago, then shards nothing points to.

    ``keep`` are keys of further snapshots to keep. A snapshot without a note of when it was left gets one
    now. Where a kept manifest cannot be read no shard is removed. Hold the build lock. Raises IndexUnusable
    ``index_foreign``, SystemFailure ``io_error``.
    """
    now = time_ns() if now_ns is None else now_ns
    kept = {*keep, current_key(folder)}
    try:
        removed = snapshots = 0
        for key in sorted(name for name in os.listdir(folder.scip) if KEY.fullmatch(name)):
            if key in kept or not _is_old(folder, key, now):
                continue
            removed += remove_snapshot(folder, key)
            snapshots += 1
        size, shards = _remove_shards(folder)
    except OSError as error:
        raise disk_failure(error) from error
    return PruneReport(removed + size, snapshots, shards)


def _is_old(folder: StateFolder, key: str, now: int) -> bool:
    place = open_own_folder(folder.scip, key)
    if place is None:
        return False
    try:
        left = read_file(place, LEFT, limit=64)
    finally:
        os.close(place)
    if left is None or not left.isdigit():
        mark_left(folder, key, now)
        return False
    return now - int(left) > KEPT_NS


def _remove_shards(folder: StateFolder) -> tuple[int, int]:
    named: set[str] = set()
    for key in os.listdir(folder.scip):
        if KEY.fullmatch(key):
            files = _files_of(folder, key)
            if files is None:
                return 0, 0
            named |= files
    removed = shards = 0
    for file in sorted(os.listdir(folder.shards)):
        if SHARD.fullmatch(file) and file not in named:
            size = remove_file(folder.shards, file)
            removed += size
            shards += size > 0
    return removed, shards


def _files_of(folder: StateFolder, key: str) -> set[str] | None:
    place = open_own_folder(folder.scip, key)
    if place is None:
        return set()
    try:
        data = read_file(place, MANIFEST, limit=manifest.LIMIT)
        if data is None or manifest.key_of(data) != key:
            return None
        return {entry.file for entry in manifest.load(data).entries if entry.file}
    except CodeTrailError:
        return None
    finally:
        os.close(place)


def _is_own_folder(folder: StateFolder, name: str) -> bool:
    try:
        handle = open_own_folder(folder.scip, name)
    except CodeTrailError:
        return False
    if handle is None:
        return False
    os.close(handle)
    return True
