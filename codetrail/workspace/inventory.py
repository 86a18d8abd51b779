"""Take stock of the tree before a build: every watched file with the SHA-256 of its bytes.

A file whose signature is the one that an earlier build recorded is not read again, unless it was touched so
near to the start of that build that its time stamps cannot tell (architecture §3). This module must not know
what a unit or a snapshot is.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from codetrail.workspace.changes import UNREAD, Recorded, RecordedFile
from codetrail.workspace.digests import hash_source
from codetrail.workspace.files import Listing, walk
from codetrail.workspace.inputs import is_watched
from codetrail.workspace.reading import RACY_NS, FileStat, opened_root
from codetrail.workspace.root import Root


class Inventory(NamedTuple):
    """The tree at the start of a build.

    ``files`` holds every watched file that could be hashed, sorted by path bytes; ``unreadable`` the others
    with why (a ``ReadState``). ``excluded`` are the files among both that only the settings leave out: they
    are known, so that nobody can hide a caller (security §1). ``started_ns`` is a time before anything was
    looked at.
    """

    listing: Listing
    files: tuple[RecordedFile, ...]
    unreadable: tuple[tuple[str, str], ...]
    excluded: frozenset[str]
    started_ns: int


def take_inventory(
    root: Root, exclude: Sequence[str], started_ns: int, recorded: Recorded | None = None
) -> Inventory:
    """List and hash the tree; ``started_ns`` is the caller's clock (ns since the epoch) before the call.

    ``recorded`` is what an earlier build saw, for files that need not be read again.
    Raises OSError only if the root itself cannot be opened.
    """
    listing = walk(root, keep=is_watched, exclude=exclude)
    known = {file.path: file for file in recorded.files} if recorded else {}
    racy_from = recorded.started_ns - RACY_NS if recorded else 0
    files: list[RecordedFile] = []
    unreadable: list[tuple[str, str]] = []
    signatures = {found.path: found for found in listing.files}
    with opened_root(root.path) as root_fd:
        for path in sorted([*signatures, *listing.excluded], key=os.fsencode):
            before, found = known.get(path), signatures.get(path)
            if before is not None and found is not None and _still(before, found, racy_from):
                files.append(before)
                continue
            hashed = hash_source(root_fd, path)
            if isinstance(hashed, str):
                unreadable.append((path, hashed))
            else:
                files.append(RecordedFile(*hashed[0], hashed[1]))
    return Inventory(listing, tuple(files), tuple(unreadable), frozenset(listing.excluded), started_ns)


def _still(before: RecordedFile, found: FileStat, racy_from: int) -> bool:
    if before.sha256 == UNREAD:
        return False
    return before[:-1] == found and before.mtime_ns < racy_from and before.ctime_ns < racy_from
