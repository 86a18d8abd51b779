"""Say what differs between the files on disk and what a build recorded.

The check every question makes (contract §6). An unchanged tree costs one ``lstat`` per recorded file and
folder and loads nothing else; only what looks different is read. Knows no snapshots: what was recorded
comes as plain values.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from codetrail.workspace.languages import is_source
from codetrail.workspace.reading import RACY_NS, FileStat, FolderStat, IgnoreFile, opened_root
from codetrail.workspace.root import Root
from codetrail.workspace.surroundings import Surrounding, compare_surroundings

if TYPE_CHECKING:
    from codetrail.workspace.files import Listing

UNREAD = "0" * 64
"""Stands for the hash of a file that was there but could not be read; it is as recorded while that is so."""

Mode = Literal["full", "answer", "off"]


class RecordedFile(NamedTuple):
    """One file as a build saw it: a ``FileStat`` and the SHA-256 of its bytes in hexadecimal."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    sha256: str


class Recorded(NamedTuple):
    """What a build saw: all its files, the folders it looked into, the ignore files it obeyed.

    ``started_ns`` is the time, in nanoseconds since the epoch, before which the build had looked at
    nothing. ``exclude`` are the patterns the walk was given. ``surroundings`` is what answers depend on
    outside the tree.
    """

    files: Sequence[RecordedFile]
    folders: Sequence[FolderStat]
    ignore_files: Sequence[IgnoreFile]
    started_ns: int
    exclude: Sequence[str] = ()
    surroundings: Sequence[Surrounding] = ()


class Changes(NamedTuple):
    """What differs; all paths root-relative and sorted by their bytes.

    ``changed``: other bytes than recorded, or bytes that cannot be read now. ``deleted``: no regular file
    at that path any more. ``new``: files a build would own and did not record. ``ignored``: recorded
    files, still there, that the rules of now leave out. ``touched``: equal bytes under a new signature,
    which a build or ``status`` may record. ``checked`` counts the recorded files that were looked at.
    ``surroundings`` are the languages whose environment outside the tree is another one, ``read`` files in
    the workspace that the walk leaves out and a compiler read (language, path).
    """

    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    touched: tuple[RecordedFile, ...] = ()
    checked: int = 0
    surroundings: tuple[str, ...] = ()
    read: tuple[tuple[str, str], ...] = ()

    @property
    def none(self) -> bool:
        """Return whether everything that was looked at is as recorded."""
        return not (any(self[:4]) or self.surroundings or self.read)


def compare(
    root: Root,
    recorded: Recorded,
    mode: Mode = "full",
    paths: Collection[str] = (),
    *,
    keep: Callable[[str], bool] = is_source,
) -> Changes:
    """Compare the disk with ``recorded``.

    ``full`` looks at every recorded file and finds new ones; ``answer`` looks at ``paths`` only and finds
    no new files; ``off`` looks at nothing. ``keep`` must be what the recorded walk was given. Raises
    OSError only if the root itself cannot be opened.
    """
    if mode == "off":
        return Changes()
    racy_from = recorded.started_ns - RACY_NS
    with opened_root(root.path) as root_fd:
        if mode == "answer":
            wanted = set(paths)
            asked = [file for file in recorded.files if file.path in wanted]
            return _check_files(root_fd, asked, racy_from, ())
        dirty, gone = _check_folders(root_fd, recorded.folders, racy_from)
        found = _check_files(root_fd, recorded.files, racy_from, gone)
        around = compare_surroundings(recorded.surroundings, recorded.started_ns, root_fd)
        found = found._replace(surroundings=around.languages, read=around.read)
        reruled = _changed_rules(root, root_fd, recorded.ignore_files, racy_from)
    if not dirty and not reruled:
        return found
    new, ignored = _list_again(root, recorded, dirty, reruled, keep)
    ignored -= {*found.changed, *found.deleted}
    return found._replace(new=tuple(sorted(new)), ignored=tuple(sorted(ignored)))


def _check_folders(
    root_fd: int, folders: Sequence[FolderStat], racy_from: int
) -> tuple[list[str], list[str]]:
    """Return the folders whose entries may have changed, and those that are folders no more."""
    dirty: list[str] = []
    gone: list[str] = []
    for path, mtime_ns, ctime_ns, inode in folders:
        try:
            status = os.stat(path or ".", dir_fd=root_fd, follow_symlinks=False)
        except OSError:
            gone.append(path)
            continue
        if not stat.S_ISDIR(status.st_mode):
            gone.append(path)
        elif (
            status.st_mtime_ns != mtime_ns
            or status.st_ctime_ns != ctime_ns
            or status.st_ino != inode
            or mtime_ns >= racy_from
            or ctime_ns >= racy_from
        ):
            dirty.append(path)
    return dirty, gone


def _check_files(root_fd: int, files: Sequence[RecordedFile], racy_from: int, gone: Sequence[str]) -> Changes:
    """Compare recorded files with the disk; those below a folder of ``gone`` count as deleted.

    A folder that became a link would lead ``lstat`` out of the tree, hence ``gone``; a file whose
    signature differs is read without following links, so there a link is seen in any case.
    """
    lost = tuple(folder + "/" for folder in gone)
    changed: list[str] = []
    deleted: list[str] = []
    touched: list[RecordedFile] = []
    for file in files:
        path, size, mtime_ns, ctime_ns, inode, _ = file
        if lost and path.startswith(lost):
            deleted.append(path)
            continue
        try:
            status = os.stat(path, dir_fd=root_fd, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            deleted.append(path)
            continue
        except OSError:
            changed.append(path)
            continue
        if not stat.S_ISREG(status.st_mode):
            deleted.append(path)
        elif status.st_size != size:
            changed.append(path)
        elif (
            status.st_mtime_ns != mtime_ns
            or status.st_ctime_ns != ctime_ns
            or status.st_ino != inode
            or mtime_ns >= racy_from
            or ctime_ns >= racy_from
        ):
            _check_content(root_fd, file, changed, deleted, touched)
    return Changes(
        tuple(sorted(changed)), tuple(sorted(deleted)), touched=tuple(sorted(touched)), checked=len(files)
    )


def _check_content(
    root_fd: int,
    file: RecordedFile,
    changed: list[str],
    deleted: list[str],
    touched: list[RecordedFile],
) -> None:
    from codetrail.workspace.digests import hash_source

    found = hash_source(root_fd, file.path)
    if found == "unreadable" and file.sha256 == UNREAD:
        return
    if isinstance(found, str):
        (deleted if found in {"missing", "special", "link"} else changed).append(file.path)
    elif found[1] != file.sha256:
        changed.append(file.path)
    elif found[0] != FileStat(*file[:-1]):
        touched.append(RecordedFile(*found[0], file.sha256))


def _changed_rules(root: Root, root_fd: int, ignore_files: Sequence[IgnoreFile], racy_from: int) -> list[str]:
    """Return the folders below which other ignore rules hold than were recorded."""
    folders: list[str] = []
    for path, size, mtime_ns, ctime_ns, inode, digest in ignore_files:
        try:
            status = os.stat(path, dir_fd=root_fd, follow_symlinks=False)
        except OSError:
            if size >= 0:
                folders.append(_ruled_folder(path))
            continue
        if (
            status.st_size != size
            or status.st_mtime_ns != mtime_ns
            or status.st_ctime_ns != ctime_ns
            or status.st_ino != inode
            or mtime_ns >= racy_from
            or ctime_ns >= racy_from
        ) and _ignore_digest(root, root_fd, path) != digest:
            folders.append(_ruled_folder(path))
    return folders


def _ignore_digest(root: Root, root_fd: int, path: str) -> str:
    from codetrail.workspace.digests import content_hash
    from codetrail.workspace.files import read_ignore_file

    read = read_ignore_file(root, root_fd, path)
    return content_hash(read.data) if read.state == "ok" else ""


def _ruled_folder(path: str) -> str:
    """Return the folder an ignore file rules; one above the root or in the git folder rules it all."""
    folder, _, name = path.rpartition("/")
    return folder if name == ".gitignore" and not path.startswith("../") else ""


def _list_again(
    root: Root,
    recorded: Recorded,
    dirty: Sequence[str],
    reruled: Sequence[str],
    keep: Callable[[str], bool],
) -> tuple[set[str], set[str]]:
    """List the folders that changed; return the files that are new and those now left out by the rules."""
    from codetrail.workspace.files import walk_folders

    known = {file.path for file in recorded.files}
    folders = {folder.path for folder in recorded.folders}
    again = walk_folders(root, dirty, entered=folders, keep=keep, exclude=recorded.exclude)
    new = {file.path for file in again.files} - known
    ignored = _left_out(known, again, dirty)
    tops = _topmost([*reruled, *_new_rules(again, recorded, dirty)])
    if tops:
        # Other rules reach into folders that did not change themselves: all below them is walked.
        below = _below(known, tops)
        entered = {folder for folder in folders if not _is_below(folder, tops)}
        afresh = walk_folders(root, tops, entered=entered, keep=keep, exclude=recorded.exclude)
        listed = {file.path for file in afresh.files}
        new |= listed - known
        ignored = (ignored - below) | (below - listed)
    return new, ignored


def _left_out(known: Collection[str], again: Listing, dirty: Sequence[str]) -> set[str]:
    """Return recorded files that stand directly in a listed folder, or below a closed one, unlisted."""
    listed = {file.path for file in again.files}
    looked_into = set(dirty)
    closed = tuple(folder + "/" for folder in again.closed)
    return {
        path
        for path in known
        if path not in listed and (path.rpartition("/")[0] in looked_into or path.startswith(closed))
    }


def _new_rules(again: Listing, recorded: Recorded, dirty: Sequence[str]) -> list[str]:
    """Return the changed folders that got an ignore file which was not recorded."""
    before = {file.path for file in recorded.ignore_files}
    looked_into = set(dirty)
    return [
        _ruled_folder(file.path)
        for file in again.ignore_files
        if file.path not in before and _ruled_folder(file.path) in looked_into
    ]


def _topmost(folders: Iterable[str]) -> list[str]:
    tops: list[str] = []
    for folder in sorted(set(folders)):
        if not _is_below(folder, tops):
            tops.append(folder)
    return tops


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(not folder or path == folder or path.startswith(folder + "/") for folder in folders)


def _below(paths: Iterable[str], folders: Sequence[str]) -> set[str]:
    return {path for path in paths if _is_below(path, folders)}
