"""Remove what no question can need any more, and say how many bytes that freed."""

from __future__ import annotations

from codetrail.model.reports import PruneReport, PruneRow
from codetrail.store import retention
from codetrail.store.build_lock import build_lock
from codetrail.store.snapshot_folder import opened
from codetrail.workspace.root import find_root


def prune(root_path: str) -> PruneReport:
    """Prune the index of the workspace at ``root_path`` (absolute).

    A snapshot stays for an hour after it left use, so that cursors stay valid (contract §6). Raises
    IndexUnavailable ``index_missing``, IndexUnusable ``index_foreign``, SystemFailure ``index_locked``.
    """
    with opened(find_root(root_path).path) as folder, build_lock(folder):
        swept = retention.sweep(folder)
        report = retention.prune(folder)
    return PruneReport((PruneRow(report.snapshots, report.shards, 0, report.bytes + swept),))
