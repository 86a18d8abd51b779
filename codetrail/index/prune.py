"""Remove what no question can need any more, and say how many bytes that freed and what was kept."""

from __future__ import annotations

import os

from codetrail.model.reports import PruneReport, PruneRow
from codetrail.store import retention
from codetrail.store.build_lock import build_lock
from codetrail.store.snapshot_folder import KEY, TEMPORARY, StateFolder, opened
from codetrail.store.snapshots import current_key
from codetrail.workspace.root import find_root


def prune(root_path: str) -> PruneReport:
    """Prune the index of the workspace at ``root_path`` (absolute).

    A snapshot stays for an hour after it left use, so that cursors stay valid (contract §6). Raises
    IndexUnavailable ``index_missing``, IndexUnusable ``index_foreign``, SystemFailure ``index_locked``.
    """
    with opened(find_root(root_path).path) as folder, build_lock(folder):
        unfinished = _unfinished(folder)
        swept = retention.sweep(folder)
        report = retention.prune(folder)
        files = unfinished - _unfinished(folder)
        recent = _others(folder)
    kept = (("recent", recent),) if recent else ()
    return PruneReport((PruneRow(report.snapshots, report.shards, files, report.bytes + swept, kept),))


def _unfinished(folder: StateFolder) -> int:
    handles = (folder.handle, folder.scip, folder.shards)
    return sum(1 for handle in handles for name in os.listdir(handle) if TEMPORARY.fullmatch(name))


def _others(folder: StateFolder) -> int:
    """Count the stored snapshots that are not in use."""
    current = current_key(folder)
    return sum(1 for name in os.listdir(folder.scip) if KEY.fullmatch(name) and name != current)
