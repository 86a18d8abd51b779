"""Notice that what answers depend on outside the tree changed: environments, packages, interpreters.

Files and folders of the machine that providers name when a build plans, and files that a compiler read beside
those of the tree, are looked at again at every question: one ``stat`` each, and a look inside only where that
differs or is too young to tell. Their paths stay in the sealed side file. This module must not know what a
provider is.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable
from typing import NamedTuple

from codetrail.workspace.reading import RACY_NS

_WHOLE = 32 << 20
"""Bytes of the largest file whose content is compared; of a larger one size and time are."""
_INSTALLED = (".dist-info", ".egg-info", ".pth", ".egg-link")
"""Entries of a folder of packages that are made anew when one is installed again under its old name."""
_CACHE = "__pycache__"
ABSENT, _OTHER = "absent", "other"
NEVER = ""
"""The digest of what no content is equal to."""
_LACKS = "lacks "
"""Begins the digest of a folder of which only the names that follow matter, none of which is there."""
_PACKAGES = "/node_modules/"


class Surrounding(NamedTuple):
    """One file or folder outside the tree as a build saw it; a missing one has zeros.

    ``language`` is whose answers depend on it; ``path`` is absolute, or relative to the workspace's root;
    links are followed. ``digest`` tells the content apart: of a folder where it is, its entries' names and
    where they lead, of a file its bytes (SHA-256).
    """

    language: str
    path: str
    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: str


def look(
    language: str, paths: Iterable[str], root: str, walked: Collection[str], started_ns: int
) -> tuple[Surrounding, ...]:
    """Record what stands at absolute paths, sorted; ``root`` is the real path of the workspace.

    Folders among ``walked`` (root-relative) are left out: what happens there is a change of files. What was
    touched since ``started_ns`` may be other than what planning read, so it will never count as equal.
    """
    found = []
    for path in sorted(set(paths)):
        if path == root or (path.startswith(root + "/") and path[len(root) + 1 :] in walked):
            continue
        status = _stat(path)
        if status is None:
            found.append(Surrounding(language, path, 0, 0, 0, ABSENT))
            continue
        fresh = max(status.st_mtime_ns, status.st_ctime_ns) >= started_ns
        digest = NEVER if fresh else _digest(path, status)
        found.append(Surrounding(language, path, *_signature(status), digest))
    return tuple(found)


def lacking(language: str, folder: str, names: Iterable[str], root: str) -> tuple[Surrounding, ...]:
    """Record that a folder holds none of the given names: one record where there is the folder.

    ``folder`` is absolute, or relative to the absolute path ``root`` (``""`` is the root itself). What came
    since a build began is seen by the time of the folder, so its signature may be taken after that.
    """
    status = _stat(os.path.join(root, folder))
    if status is None or not stat.S_ISDIR(status.st_mode):
        places = [_place(folder, name) for name in names]
        return tuple([Surrounding(language, place, 0, 0, 0, ABSENT) for place in places])
    return (Surrounding(language, folder, *_signature(status), _LACKS + "/".join(names)),)


def is_absence(digest: str) -> bool:
    """Tell whether a digest says that something is not there."""
    return digest == ABSENT or digest.startswith(_LACKS)


class Different(NamedTuple):
    """What is not as recorded: languages, and workspace files that only a compiler read, both sorted.

    ``read`` are pairs of language and root-relative path; packages inside the workspace count among the
    languages' surroundings.
    """

    languages: tuple[str, ...] = ()
    read: tuple[tuple[str, str], ...] = ()


def compare_surroundings(recorded: Iterable[Surrounding], started_ns: int, root_fd: int) -> Different:
    """Compare with the disk; relative paths are taken from the folder behind ``root_fd``.

    ``started_ns`` is the time before which the build had looked at nothing: what was touched within two
    seconds before it is looked into, because its time stamps may be too coarse to tell.
    """
    racy_from = started_ns - RACY_NS
    languages: set[str] = set()
    read: list[tuple[str, str]] = []
    stat_of = os.stat
    for one in recorded:
        language, path, mtime_ns, ctime_ns, inode, digest = one
        if language in languages and not is_own(path):
            continue
        try:
            status = stat_of(path or ".", dir_fd=root_fd)
        except (OSError, ValueError):
            if is_absence(digest):
                continue
        else:
            if (
                status.st_mtime_ns == mtime_ns
                and status.st_ctime_ns == ctime_ns
                and status.st_ino == inode
                and mtime_ns < racy_from
                and ctime_ns < racy_from
                and digest
            ):
                continue
            if digest.startswith(_LACKS):
                come = _come(one, root_fd)
                if come is None:
                    continue
                path = come
            elif digest not in (NEVER, ABSENT) and _digest(path, status, root_fd) == digest:
                continue
        if is_own(path):
            read.append((language, path))
        else:
            languages.add(language)
    return Different(tuple(sorted(languages)), tuple(sorted(read)))


def sign_again(recorded: Iterable[Surrounding], started_ns: int, root_fd: int) -> tuple[Surrounding, ...]:
    """Return what ``compare_surroundings`` found unchanged with the signatures of now.

    Whose content differs after all keeps the signature that shows it.
    """
    racy_from = started_ns - RACY_NS
    return tuple([_signed(one, racy_from, root_fd) for one in recorded])


def _signed(one: Surrounding, racy_from: int, root_fd: int) -> Surrounding:
    status = _stat(one.path or ".", root_fd)
    racy = one.mtime_ns >= racy_from or one.ctime_ns >= racy_from
    if status is None or (not racy and _signature(status) == (one.mtime_ns, one.ctime_ns, one.inode)):
        return one
    if one.digest.startswith(_LACKS):
        same = _come(one, root_fd) is None
    else:
        same = _digest(one.path, status, root_fd) == one.digest
    if not same:
        return one._replace(digest=NEVER)
    return Surrounding(one.language, one.path, *_signature(status), one.digest)


def _come(one: Surrounding, root_fd: int) -> str | None:
    """Return the path of the first of a folder's missing names that is there now."""
    places = (_place(one.path, name) for name in one.digest.removeprefix(_LACKS).split("/"))
    return next((place for place in places if _stat(place, root_fd) is not None), None)


def _place(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def is_own(path: str) -> bool:
    """Tell whether the path of a surrounding is that of a workspace file that belongs to no package."""
    return not path.startswith("/") and _PACKAGES not in "/" + path


def _stat(path: str, root_fd: int | None = None) -> os.stat_result | None:
    try:
        return os.stat(path, dir_fd=root_fd)
    except (OSError, ValueError):
        return None


def _signature(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _digest(path: str, status: os.stat_result, root_fd: int | None = None) -> str:
    # Loaded only where something differs: an unchanged environment costs stats alone.
    from hashlib import sha256

    try:
        if stat.S_ISDIR(status.st_mode):
            return _folder_digest(path)
        if not stat.S_ISREG(status.st_mode):
            return _OTHER
        if status.st_size > _WHOLE:
            return f"{status.st_size} {status.st_mtime_ns}"
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        handle = os.open(path, flags, dir_fd=root_fd)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return _OTHER
            return sha256(file.read(_WHOLE + 1)).hexdigest()
    except OSError:
        return _OTHER


def _folder_digest(path: str) -> str:
    from hashlib import sha256

    # A link that leads to another folder with entries of the same names is another folder.
    whole = sha256(os.fsencode(os.path.realpath(path)) + b"\0")
    with os.scandir(path) as entries:
        for entry in sorted(entries, key=lambda entry: os.fsencode(entry.name)):
            # Compiled modules and hidden caches come and go as programs run; they change no answer.
            if entry.name == _CACHE or entry.name.startswith("."):
                continue
            whole.update(os.fsencode(entry.name) + b"\0")
            if entry.is_symlink():
                whole.update(os.fsencode(os.readlink(entry.path)) + b"\0")
            if entry.name.endswith(_INSTALLED):
                status = entry.stat()
                whole.update(f"{status.st_mtime_ns} {status.st_ino}\0".encode("ascii"))
    return whole.hexdigest()
