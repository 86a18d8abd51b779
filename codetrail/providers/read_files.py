"""What a driver says it read besides the files of its unit, as things that answers depend on.

A driver tells each file's signature and the hash of the very bytes it read, so a change while it runs shows.
This module must not know which driver ran.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from codetrail.workspace.surroundings import ABSENT, NEVER, Surrounding, lacking

_HASH_DIGITS = 64
_LARGEST = 1 << 63


class ReadFile(NamedTuple):
    """One file as a driver read it; ``digest`` is SHA-256 (hex), NEVER of bytes that changed meanwhile.

    Of a path that it looked for in vain the digest is ABSENT and the numbers are 0.
    """

    mtime_ns: int
    ctime_ns: int
    inode: int
    digest: str


NOT_THERE = ReadFile(0, 0, 0, ABSENT)


def parse_read_file(value: object) -> tuple[str, ReadFile] | None:
    """Return the absolute path and the file that an event tells: ``[path, mtime, ctime, inode, sha256]``.

    Numbers are texts; ``[path]`` alone was looked for in vain. None for anything else.
    """
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    path, *rest = value if value else [""]
    if not path.startswith("/") or "\0" in path or not _is_encodable(path):
        return None
    if not rest:
        return path, NOT_THERE
    if len(rest) != len(ReadFile._fields):
        return None
    *numbers, digest = rest
    if not all(one.isascii() and one.isdigit() and int(one[:20]) < _LARGEST for one in numbers):
        return None
    if digest and len(digest) != _HASH_DIGITS:
        return None
    mtime, ctime, inode = map(int, numbers)
    return path, ReadFile(mtime, ctime, inode, digest)


def merge(into: dict[str, ReadFile], more: Mapping[str, ReadFile]) -> None:
    """Add what another run read; of what two runs saw differently nothing will count as equal."""
    for path, file in more.items():
        known = into.setdefault(path, file)
        if known.digest != file.digest:
            into[path] = file._replace(digest=NEVER)


def surroundings_of(
    language: str, read: Mapping[str, ReadFile], root: str, known: Container[str]
) -> tuple[Surrounding, ...]:
    """Return what was read as surroundings, without the root-relative paths ``known`` to be watched anyway.

    ``root`` is the absolute real path of the workspace; paths below it become relative to it. What is missing
    is one record for each folder.
    """
    start = root.rstrip("/") + "/"
    found = []
    missing: dict[str, list[str]] = {}
    for path, file in sorted(read.items()):
        place = path.removeprefix(start)
        if place in known:
            continue
        folder, _, name = place.rpartition("/")
        if file.digest == ABSENT and (folder or place == name):
            missing.setdefault(folder, []).append(name)
        else:
            found.append(Surrounding(language, place, *file))
    for folder, names in missing.items():
        found += lacking(language, folder, names, root)
    return tuple(found)


def _is_encodable(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
