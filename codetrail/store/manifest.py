"""The list of what a snapshot is made of: one entry for each shard, and for each unit that has none.

A manifest holds nothing of this machine or of time, so equal contents give equal bytes, and its SHA-256 is
the snapshot's key. Keys this version does not know survive reading and writing. This module does no I/O.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from codetrail.errors import IndexUnusable
from codetrail.store.packages import PackageKey

if TYPE_CHECKING:
    from codetrail.model.units import Problem

FORMAT = 1
LEAST_READER = 1
LIMIT = 256 << 20
"""Bytes of the longest manifest that is read."""

IMPORT = "import"
"""The origin of what a SCIP file gave that was made elsewhere."""
LANGUAGES, PREFERRED = "languages", "preferred"
"""Attachments of an imported unit: the languages of its documents; whether it goes before providers."""
OCCURRENCES, PARSER, EDGES = "occurrences", "parser", "edges"
"""Kinds of entries: what a provider said, what syntax says of files no unit covers, edges between units."""
BUILD, STAGED = "build", "staged"
"""Kinds of snapshots: those ``current`` may name, and those of the git index that it never names."""


class ManifestEntry(NamedTuple):
    """One shard of a unit (part ``part`` of ``parts``), or a unit without any (``file`` is empty).

    ``unit`` is its name, ``unit_digest`` the digest of its inputs; ``root`` is root-relative; ``file`` lies
    in the pool, ``offset`` and ``size`` are the shard's bytes in it, ``sha256`` their digest; ``codec`` is
    ``none`` (stored as it is). ``origin`` is how its rows came here where no provider of this machine made
    them (``import``). ``tokens`` counts the identifier tokens of its files and ``bound`` those that
    carry a precise occurrence. ``masked`` are paths of this unit that do not exist for questions, because
    another unit answers for them; ``unknown`` what a later version added.
    """

    unit: str
    unit_digest: str
    kind: str
    language: str
    provider: str
    provider_version: str
    engine: str
    engine_version: str
    repository: str
    root: str
    state: str
    commit: str = ""
    part: int = 1
    parts: int = 1
    file: str = ""
    offset: int = 0
    size: int = 0
    sha256: str = ""
    codec: str = "none"
    schema_version: int = 0
    least_reader_version: int = 0
    hash_function: str = ""
    files: int = 0
    documents: int = 0
    occurrences: int = 0
    symbols: int = 0
    names: int = 0
    definitions: int = 0
    tokens: int = 0
    bound: int = 0
    packages_defined: tuple[PackageKey, ...] = ()
    packages_mentioned: tuple[PackageKey, ...] = ()
    first_path: str = ""
    last_path: str = ""
    masked: tuple[str, ...] = ()
    origin: str = ""
    problems: tuple[Problem, ...] = ()
    attachments: Mapping[str, Any] = {}
    unknown: Mapping[str, Any] = {}

    @property
    def order(self) -> tuple[str, str, str, int]:
        """Return what entries are sorted by: unit, kind, digest, part."""
        return self.unit, self.kind, self.unit_digest, self.part


def is_hidden(entry: ManifestEntry) -> bool:
    """Tell whether an entry has a shard all of whose documents are masked: nothing of it exists then."""
    return bool(entry.file) and len(entry.masked) >= max(entry.documents, 1)


class Manifest(NamedTuple):
    """A snapshot's entries, sorted, with what holds for all of them.

    ``unseen`` are the folders and ignore files that could not be looked into, sorted: what they hold is in
    no entry, and every answer that could concern them has to say so.
    """

    entries: tuple[ManifestEntry, ...]
    kind: str = BUILD
    repository: str = "."
    commit: str = ""
    exclude: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    unknown: Mapping[str, Any] = {}

    def shards_for(
        self, folders: Iterable[str] = (), package: PackageKey | None = None
    ) -> tuple[ManifestEntry, ...]:
        """Return the entries whose shards may hold files below one of ``folders`` (none given: anywhere)
        and symbols of ``package`` (None: any)."""
        spans = [(folder + "/", folder + "0") for folder in folders if folder]
        return tuple(
            entry
            for entry in self.entries
            if entry.file
            and (not spans or any(low <= entry.last_path and entry.first_path < high for low, high in spans))
            and (package is None or package in entry.packages_defined or package in entry.packages_mentioned)
        )

    def entries_of(self, unit_digest: str) -> tuple[ManifestEntry, ...]:
        """Return all parts of the unit with those inputs, in order."""
        return tuple(entry for entry in self.entries if entry.unit_digest == unit_digest)


def dump(manifest: Manifest) -> bytes:
    """Return the canonical bytes of a manifest: equal manifests give equal bytes."""
    value = {
        **manifest.unknown,
        "format": FORMAT,
        "leastReader": LEAST_READER,
        "kind": manifest.kind,
        "repository": manifest.repository,
        "commit": manifest.commit,
        "exclude": manifest.exclude,
        "unseen": manifest.unseen,
        "entries": [_plain(entry) for entry in sorted(manifest.entries, key=lambda entry: entry.order)],
    }
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return text.encode("ascii") + b"\n"


def key_of(data: bytes) -> str:
    """Return the key of the snapshot whose manifest has these bytes."""
    return sha256(data).hexdigest()


def load(data: bytes) -> Manifest:
    """Read a manifest. Raises IndexUnusable: ``index_corrupt``, or ``index_incompatible`` for a later one."""
    try:
        value = json.loads(data)
        if value["leastReader"] > FORMAT:
            raise IndexUnusable(
                "The index was made by a later version of CodeTrail.",
                code="index_incompatible",
                hint="codetrail index build",
            )
        entries = tuple([_entry(entry) for entry in value["entries"]])
        known = {name: value[name] for name in ("kind", "repository", "commit")}
        unknown = {name: value[name] for name in value.keys() - _TOP}
        exclude, unseen = tuple(value["exclude"]), tuple(value["unseen"])
        return Manifest(entries, **known, exclude=exclude, unseen=unseen, unknown=unknown)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise IndexUnusable(
            "The list of the index's parts is damaged.", code="index_corrupt", hint="codetrail index build"
        ) from error


_TOP = {"format", "leastReader", "kind", "repository", "commit", "exclude", "unseen", "entries"}
_FIELDS = frozenset(ManifestEntry._fields) - {"unknown"}
_DEFAULTS = ManifestEntry._field_defaults


def _plain(entry: ManifestEntry) -> dict[str, Any]:
    """Return an entry as JSON has it; fields with their default value are left out."""
    value = {
        name: field
        for name, field in entry._asdict().items()
        if name != "unknown" and not (name in _DEFAULTS and field == _DEFAULTS[name])
    }
    if entry.problems:
        value["problems"] = [_plain_problem(problem) for problem in entry.problems]
    return {**entry.unknown, **value}


def _plain_problem(problem: Problem) -> dict[str, Any]:
    return {name: field for name, field in problem._asdict().items() if field is not None and field != ()}


def _entry(value: dict[str, Any]) -> ManifestEntry:
    known = {name: field for name, field in value.items() if name in _FIELDS}
    for name in ("packages_defined", "packages_mentioned"):
        if name in known:
            known[name] = tuple([PackageKey(*package) for package in known[name]])
    if "masked" in known:
        known["masked"] = tuple(known["masked"])
    if "problems" in known:
        # Loaded only where there are any: it costs a question more than the whole manifest does.
        from codetrail.model.units import Problem

        known["problems"] = tuple(
            [
                Problem(**{**problem, "paths": tuple(problem.get("paths", ()))})
                for problem in known["problems"]
            ]
        )
    unknown = {name: value[name] for name in value.keys() - _FIELDS}
    return ManifestEntry(**known, unknown=unknown)
