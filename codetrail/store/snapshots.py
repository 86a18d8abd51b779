"""Snapshots on disk: open the one that questions use, publish a new one.

A snapshot is complete or absent: it is written aside, flushed, renamed, and only then named by ``current``.
Everything read here is believed only under this user's seal. This module must not know how rows are made
nor what a question asks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from hashlib import file_digest
from time import time_ns

from codetrail.errors import CodeTrailError, IndexUnavailable, IndexUnusable
from codetrail.store import local_facts, manifest
from codetrail.store.local_facts import LocalFacts, ShardStat, Times
from codetrail.store.manifest import Manifest, ManifestEntry
from codetrail.store.shard_reader import Shard, open_shard
from codetrail.store.snapshot_folder import (
    CURRENT,
    HINT,
    KEY,
    LEFT,
    LOCAL,
    MANIFEST,
    SHARD,
    TEMPORARY,
    StateFolder,
    disk_failure,
    foreign,
    holds,
    missing,
    open_own_file,
    open_own_folder,
    open_state_folder,
    read_file,
    remove_file,
    temporary_name,
    write_file,
    write_new,
)
from codetrail.workspace.changes import Recorded
from codetrail.workspace.seal import make_key, read_key


class Snapshot:
    """An opened snapshot: its key, its manifest, what is local to this machine, and its shards.

    Shards are opened when first asked for and stay open; ids of one mean nothing to another.
    """

    __slots__ = ("_folder", "_shards", "key", "local", "manifest")

    def __init__(self, folder: StateFolder, key: str, listed: Manifest, local: LocalFacts) -> None:
        self._folder = folder
        self._shards: dict[tuple[str, int], Shard] = {}
        self.key = key
        self.manifest = listed
        self.local = local

    def shard(self, entry: ManifestEntry) -> Shard:
        """Return the shard of an entry that has one.

        Raises IndexUnusable: ``index_corrupt`` where its file is missing or its bytes are not those the
        manifest names, ``index_incompatible`` where its form is another version's.
        """
        place = (entry.file, entry.offset)
        found = self._shards.get(place)
        if found is None:
            verify_shard(self._folder, entry, self.local.shards.get(entry.file))
            path = f"{self._folder.pool}/{entry.file}"
            found = self._shards[place] = _open_entry(path, entry)
        return found

    def close(self) -> None:
        """Close everything."""
        for shard in self._shards.values():
            shard.close()
        self._shards.clear()
        self.local.close()
        self._folder.close()


def _open_entry(path: str, entry: ManifestEntry) -> Shard:
    if entry.offset or entry.file != f"{entry.sha256}.db":
        return open_shard(path, offset=entry.offset, size=entry.size)
    return open_shard(path)


def current_key(folder: StateFolder) -> str | None:
    """Return the key of the snapshot that questions use; None where there is none yet.

    Raises IndexUnusable ``index_foreign`` where the pointer does not name a snapshot.
    """
    text = read_file(folder.handle, CURRENT, limit=128)
    if text is None:
        return None
    key = text.decode("ascii", "replace").removesuffix("\n")
    if not KEY.fullmatch(key):
        raise foreign("its pointer does not name a snapshot")
    return key


def open_snapshot(root: str, key: str | None = None, *, env: Mapping[str, str] = os.environ) -> Snapshot:
    """Open a stored snapshot of the workspace at ``root`` (absolute): ``current``, or the one with ``key``.

    Raises IndexUnavailable ``index_missing`` where there is none; IndexUnusable: ``index_foreign`` without
    this user's seal, ``index_corrupt`` where parts are missing or damaged, ``index_incompatible``.
    """
    folder = open_state_folder(root)
    try:
        named = key or current_key(folder)
        if named is None:
            raise missing()
        if not KEY.fullmatch(named):
            raise IndexUnavailable("That snapshot is not stored.", hint=HINT)
        if key is None and not _is_stored(folder, named):
            raise IndexUnusable("The index in use is not stored any more.", hint=HINT)
        listed, local = load_snapshot(folder, named, env)
    except CodeTrailError:
        folder.close()
        raise
    return Snapshot(folder, named, listed, local)


def _is_stored(folder: StateFolder, key: str) -> bool:
    place = open_own_folder(folder.scip, key)
    if place is not None:
        os.close(place)
    return place is not None


def load_snapshot(folder: StateFolder, key: str, env: Mapping[str, str]) -> tuple[Manifest, LocalFacts]:
    """Read manifest and side file of one snapshot, believed only under the seal; raises as ``open_snapshot``.

    The caller closes the side file.
    """
    place = open_own_folder(folder.scip, key)
    if place is None:
        raise IndexUnavailable("That snapshot is not stored any more.", hint=HINT)
    try:
        secret = read_key(env)
        handle = open_own_file(place, LOCAL)
        if secret is None or handle is None:
            if handle is not None:
                os.close(handle)
            raise foreign("it was not made by this user on this machine")
        try:
            local = local_facts.load(handle, secret, key)
            data = read_file(place, MANIFEST, limit=manifest.LIMIT)
            if data is None or manifest.key_of(data) != key:
                raise IndexUnusable("The list of the index's parts is damaged.", hint=HINT)
            return manifest.load(data), local
        except CodeTrailError:
            os.close(handle)
            raise
    finally:
        os.close(place)


def shard_stat(folder: StateFolder, file: str) -> ShardStat:
    """Return the signature of a file in the pool. Raises IndexUnusable ``index_corrupt`` where it is none."""
    if not SHARD.fullmatch(file):
        raise IndexUnusable("The index names a shard that cannot be one.", hint=HINT)
    handle = open_own_file(folder.shards, file)
    if handle is None:
        raise IndexUnusable("A shard of the index is missing.", hint=HINT)
    try:
        status = os.fstat(handle)
    finally:
        os.close(handle)
    return ShardStat(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def verify_shard(folder: StateFolder, entry: ManifestEntry, known: ShardStat | None) -> None:
    """Make sure that the file of an entry holds the bytes the manifest names.

    The sealed signature vouches for it; only a file whose signature differs (copied, restored, touched) is
    hashed, because a question must not read a gigabyte each time. Raises IndexUnusable ``index_corrupt``.
    """
    if shard_stat(folder, entry.file) == known:
        return
    handle = open_own_file(folder.shards, entry.file)
    if handle is None:
        raise IndexUnusable("A shard of the index is missing.", hint=HINT)
    with os.fdopen(handle, "rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
    if f"{digest}.db" != entry.file:
        raise IndexUnusable("A shard of the index is damaged.", hint=HINT)


def publish(
    folder: StateFolder,
    listed: Manifest,
    recorded: Recorded,
    times: Times,
    *,
    make_current: bool = True,
    env: Mapping[str, str] = os.environ,
) -> str:
    """Store a snapshot and, unless told not to, let ``current`` name it; return its key.

    Killed at any moment, this leaves the old snapshot in use or the new one, whole. Hold the build lock.
    Raises SystemFailure ``io_error`` where the disk refuses; the old snapshot stays in use then.
    """
    if listed.kind != manifest.BUILD and make_current:
        raise ValueError("only a build can become current")
    secret = make_key(env)
    data = manifest.dump(listed)
    key = manifest.key_of(data)
    shards = {entry.file: shard_stat(folder, entry.file) for entry in listed.entries if entry.file}
    side = local_facts.dump(secret, key, recorded, times, shards)
    try:
        _store(folder, key, data, side)
        if make_current:
            _point(folder, key)
        else:
            mark_left(folder, key, time_ns())
    except OSError as error:
        raise disk_failure(error) from error
    return key


def record_again(snapshot: Snapshot, recorded: Recorded, *, env: Mapping[str, str] = os.environ) -> None:
    """Put new signatures of unchanged files into the side file of a stored snapshot (``status`` does).

    Raises SystemFailure ``io_error``.
    """
    folder = snapshot._folder
    shards = {entry.file: shard_stat(folder, entry.file) for entry in snapshot.manifest.entries if entry.file}
    for entry in snapshot.manifest.entries:
        if entry.file:
            verify_shard(folder, entry, snapshot.local.shards.get(entry.file))
    side = local_facts.dump(make_key(env), snapshot.key, recorded, snapshot.local.times, shards)
    place = open_own_folder(folder.scip, snapshot.key)
    if place is None:
        return
    try:
        write_file(place, LOCAL, side)
    except OSError as error:
        raise disk_failure(error) from error
    finally:
        os.close(place)


def _store(folder: StateFolder, key: str, data: bytes, side: bytes) -> None:
    place = open_own_folder(folder.scip, key)
    if place is not None:
        try:
            # The same contents again: only what is local may differ.
            if not holds(place, MANIFEST, data):
                write_file(place, MANIFEST, data)
            write_file(place, LOCAL, side)
        finally:
            os.close(place)
        return
    temporary = temporary_name()
    os.mkdir(temporary, 0o700, dir_fd=folder.scip)
    try:
        place = open_own_folder(folder.scip, temporary)
        if place is None:
            raise FileNotFoundError(temporary)
        try:
            write_new(place, MANIFEST, data)
            write_new(place, LOCAL, side)
            os.fsync(place)
        finally:
            os.close(place)
        os.rename(temporary, key, src_dir_fd=folder.scip, dst_dir_fd=folder.scip)
    except OSError:
        remove_snapshot(folder, temporary)
        raise
    os.fsync(folder.scip)


def remove_snapshot(folder: StateFolder, name: str) -> int:
    """Remove the files of one snapshot's folder and the folder; return their bytes.

    Anything in it that is not ours stays, and the folder with it.
    """
    place = open_own_folder(folder.scip, name)
    if place is None:
        return 0
    try:
        # The side file goes first: without its seal a half-removed snapshot is not believed.
        size = sum(remove_file(place, file) for file in (LOCAL, MANIFEST, LEFT))
        size += sum(remove_file(place, file) for file in os.listdir(place) if TEMPORARY.fullmatch(file))
    finally:
        os.close(place)
    with suppress(OSError):
        os.rmdir(name, dir_fd=folder.scip)
    return size


def _point(folder: StateFolder, key: str) -> None:
    try:
        old = current_key(folder)
    except IndexUnusable:
        old = None
    place = open_own_folder(folder.scip, key)
    if place is not None:
        try:
            remove_file(place, LEFT)
        finally:
            os.close(place)
    write_file(folder.handle, CURRENT, key.encode("ascii") + b"\n")
    if old and old != key:
        mark_left(folder, old, time_ns())


def mark_left(folder: StateFolder, key: str, now_ns: int) -> None:
    """Note when ``current`` left a snapshot. Raises OSError."""
    place = open_own_folder(folder.scip, key)
    if place is None:
        return
    try:
        write_file(place, LEFT, str(now_ns).encode("ascii"))
    finally:
        os.close(place)
