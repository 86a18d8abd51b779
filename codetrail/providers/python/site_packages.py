"""Read what is installed in a ``site-packages`` folder: distributions, path files, editable installs.

Everything is read as data, nothing is imported or run: the folder may have come with a hostile repository.
This module must not know how the environment was found. Formats: PyPA specifications for ``RECORD``,
``METADATA`` and ``direct_url.json``; the ``site`` module's rules for ``.pth`` files.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from codetrail.providers.small_files import read_bounded
from codetrail.workspace.configuration_text import parse_json

_METADATA_BYTES = 64 << 10
_RECORD_BYTES = 64 << 20
_PTH_BYTES = 64 << 10
_PTH_LINES = 1000
_MOST_DISTRIBUTIONS = 20_000
_DEEPEST = 64
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?\Z")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]{0,126}\Z")


@dataclass(frozen=True, slots=True)
class Distribution:
    """One installed distribution: its name and version as its metadata says, where it is, what it holds.

    ``site`` is the absolute ``site-packages`` folder, ``folder`` the name of its ``*.dist-info`` or
    ``*.egg-info`` there; ``digest`` is the SHA-256 (hex) of ``RECORD``, or of the metadata where there is no
    ``RECORD``. ``editable`` is the absolute project folder of an editable install.
    """

    name: str
    version: str
    site: str
    folder: str
    digest: str
    editable: str | None = None


class Installed(NamedTuple):
    """What one ``site-packages`` holds, and how many entries could not be read as a distribution."""

    distributions: tuple[Distribution, ...]
    unreadable: int


class PathFiles(NamedTuple):
    """What the ``.pth`` files of one ``site-packages`` add, in order, import lines passed over, the files."""

    folders: tuple[str, ...]
    import_lines: int
    read: tuple[str, ...]


def installed_in(site: str) -> Installed:
    """Read every distribution of the absolute folder ``site``, sorted by name and version."""
    found: list[Distribution] = []
    unreadable = 0
    names = sorted(name for name in _listing(site) if name.endswith((".dist-info", ".egg-info")))
    for name in names[:_MOST_DISTRIBUTIONS]:
        one = _distribution(site, name)
        if one is None:
            unreadable += 1
        else:
            found.append(one)
    unreadable += max(0, len(names) - _MOST_DISTRIBUTIONS)
    return Installed(tuple(sorted(found, key=lambda one: (one.name, one.version, one.folder))), unreadable)


def path_files_of(site: str) -> PathFiles:
    """Read the ``.pth`` files of ``site``: lines that name an existing folder; ``import`` lines never run."""
    folders: dict[str, None] = {}
    import_lines = 0
    read = []
    for name in sorted(name for name in _listing(site) if name.endswith(".pth") and name[0] != "."):
        read.append(os.path.join(site, name))
        data = read_bounded(read[-1], _PTH_BYTES)
        for raw in (data or b"").decode("utf-8", "replace").splitlines()[:_PTH_LINES]:
            line = raw.strip()
            if line.startswith(("import ", "import\t")):
                import_lines += 1
            elif line and not line.startswith("#") and "\0" not in line:
                folder = os.path.normpath(os.path.join(site, line))
                if os.path.isdir(folder):
                    folders[folder] = None
    return PathFiles(tuple(folders), import_lines, tuple(read))


def prefixes_of(distributions: Iterable[Distribution]) -> dict[Distribution, tuple[str, ...]]:
    """Return for each distribution the shortest absolute paths that it alone owns.

    A folder that several share (a namespace package like ``google``) is descended into until each part has
    one owner; a file that two claim belongs to neither. An editable install owns its project folder.
    """
    owned: dict[Distribution, tuple[str, ...]] = {}
    by_site: dict[str, list[Distribution]] = {}
    for one in distributions:
        owned[one] = (one.editable,) if one.editable else ()
        by_site.setdefault(one.site, []).append(one)
    for site, members in by_site.items():
        entries = [(path, one) for one in members for path in _files_of(one)]
        for path, one in _split(entries, 0):
            owned[one] += (os.path.join(site, *path),)
    return {one: tuple(sorted(paths)) for one, paths in owned.items()}


def _listing(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _distribution(site: str, folder: str) -> Distribution | None:
    base = os.path.join(site, folder)
    metadata = read_bounded(
        os.path.join(base, "METADATA" if folder.endswith(".dist-info") else "PKG-INFO"), 8 << 20
    )
    if metadata is None and folder.endswith(".egg-info"):
        metadata = read_bounded(base, 8 << 20)
    if metadata is None:
        return None
    fields = _headers(metadata[:_METADATA_BYTES])
    name, version = fields.get("name", ""), fields.get("version", "")
    if not _NAME.match(name) or not _VERSION.match(version):
        return None
    record = read_bounded(os.path.join(base, "RECORD"), _RECORD_BYTES)
    digest = hashlib.sha256(metadata if record is None else record).hexdigest()
    return Distribution(name, version, site, folder, digest, _editable_folder(base))


def _headers(data: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in data.decode("utf-8", "replace").splitlines():
        if not line:
            break
        key, _, value = line.partition(":")
        fields.setdefault(key.strip().lower(), value.strip())
    return fields


def _editable_folder(base: str) -> str | None:
    """Return the project folder that ``direct_url.json`` names as editable (PEP 610), if it exists."""
    try:
        content = parse_json(read_bounded(os.path.join(base, "direct_url.json"), _METADATA_BYTES) or b"null")
        if not content["dir_info"]["editable"]:
            return None
        parts = urlsplit(content["url"])
        path = os.path.normpath(unquote(parts.path))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    good = parts.scheme == "file" and parts.netloc in ("", "localhost") and "\0" not in path
    return path if good and os.path.isabs(path) and os.path.isdir(path) else None


def _files_of(one: Distribution) -> Iterator[tuple[str, ...]]:
    """Yield the path parts, below its ``site``, of the modules that a distribution says it installed."""
    base = os.path.join(one.site, one.folder)
    record = read_bounded(os.path.join(base, "RECORD"), _RECORD_BYTES)
    if record is not None:
        listed: Iterable[str] = _record_paths(record)
    else:
        listed = _egg_paths(base, one.name)
    for path in listed:
        parts = tuple(path.replace("\\", "/").split("/"))
        if any(part in ("", ".", "..", "__pycache__") or "\0" in part for part in parts):
            continue
        if len(parts) <= _DEEPEST and not parts[0].endswith((".dist-info", ".egg-info", ".pth")):
            yield parts


def _record_paths(record: bytes) -> Iterator[str]:
    rows = csv.reader(io.StringIO(record.decode("utf-8", "replace")))
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue
        if row:
            yield row[0]


def _egg_paths(base: str, name: str) -> Iterator[str]:
    """Yield top-level names of a distribution without ``RECORD``: those it declares, else its own name."""
    declared = read_bounded(os.path.join(base, "top_level.txt"), _METADATA_BYTES)
    names = (declared or re.sub(r"[-.]+", "_", name).encode()).decode("utf-8", "replace").split()
    site = os.path.dirname(base)
    for top in names:
        for candidate in (top, f"{top}.py"):
            if "/" not in top and os.path.lexists(os.path.join(site, candidate)):
                yield candidate


def _split(
    entries: Sequence[tuple[tuple[str, ...], Distribution]], depth: int
) -> Iterator[tuple[tuple[str, ...], Distribution]]:
    """Yield the shortest paths whose entries all have one owner."""
    groups: dict[str, list[tuple[tuple[str, ...], Distribution]]] = {}
    for path, one in entries:
        if len(path) > depth:
            groups.setdefault(path[depth], []).append((path, one))
    for group in groups.values():
        path, owner = group[0]
        if all(one is owner for _, one in group):
            yield path[: depth + 1], owner
        else:
            yield from _split(group, depth + 1)
