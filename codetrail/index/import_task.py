"""What the process that decodes an index made elsewhere is told, and what it answers.

Decoding runs in a process of its own, with limits, because the bytes come from anywhere (security §3). Both
sides read and write these values; this module must not know how that process is started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.errors import CodeTrailError, DataError, SystemFailure
from codetrail.model.units import SourceFile
from codetrail.store import manifest
from codetrail.store.manifest import Manifest, ManifestEntry
from codetrail.store.packages import PackageKey

PROVIDER = "import:"
"""What the provider of an imported unit begins with; the name of the tool follows."""


class ImportTask(NamedTuple):
    """One SCIP file to decode and store.

    ``scip`` is its absolute path, ``sha256`` the digest of its bytes; ``root`` is the absolute real path of
    the workspace, ``folder`` the root-relative one that its paths are below (None: as the file says, if it
    was made here, else the root); ``pool`` the absolute folder of shards. ``files`` are those that may have
    documents, ``others`` the source files that may not, by reason; ``local_packages`` those whose symbols it
    may not define.
    """

    scip: str
    sha256: str
    root: str
    folder: str | None
    repository: str
    pool: str
    files: tuple[SourceFile, ...]
    others: Mapping[str, str]
    local_packages: tuple[PackageKey, ...] = ()


class Decoded(NamedTuple):
    """What came of it; ``entries`` is empty where no document is of a file of the workspace.

    ``read`` and ``stored`` count documents, ``skipped`` those that were left out, by reason, and ``merged``
    those that came again. ``refused`` counts what was left out of documents that were stored, by reason.
    """

    tool: str
    version: str
    folder: str
    read: int
    stored: int
    occurrences: int
    merged: int
    skipped: Mapping[str, int]
    refused: Mapping[str, int]
    entries: tuple[ManifestEntry, ...]


def write_task(task: ImportTask) -> bytes:
    """Return a task as JSON."""
    return json.dumps(task._replace(others=dict(task.others))).encode("ascii")


def read_task(data: bytes) -> ImportTask:
    """Read a task."""
    task = ImportTask(*json.loads(data))
    return task._replace(
        files=tuple([SourceFile(*file) for file in task.files]),
        local_packages=tuple([PackageKey(*package) for package in task.local_packages]),
    )


def write_outcome(outcome: Decoded | CodeTrailError) -> bytes:
    """Return as JSON what came of a task, a failure too."""
    if isinstance(outcome, CodeTrailError):
        value = {
            "failure": [outcome.message, outcome.code, outcome.hint],
            "data": isinstance(outcome, DataError),
        }
    else:
        told = {name: field for name, field in outcome._asdict().items() if name != "entries"}
        value = {"decoded": told, "manifest": manifest.dump(Manifest(outcome.entries)).decode()}
    return json.dumps(value).encode("ascii")


def read_outcome(data: bytes) -> Decoded:
    """Read what came of a task. Raises the failure that was written, DataError or SystemFailure."""
    value = json.loads(data)
    if "failure" in value:
        message, code, hint = value["failure"]
        kind = DataError if value["data"] else SystemFailure
        raise kind(message, code=code, hint=hint)
    entries = manifest.load(value["manifest"].encode()).entries
    return Decoded(**value["decoded"], entries=entries)
