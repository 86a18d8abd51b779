"""Decode a SCIP file that was made elsewhere and store it: a program of its own, given a task and an answer.

``python -m codetrail.index.import_decoder TASK ANSWER`` reads the task from one file and writes the answer to
the other, which is new. What a document must prove before it is believed is ``same_text``'s business; which
rows questions see is decided later, by ``imported_units``.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Mapping
from urllib.parse import unquote

from codetrail import __version__
from codetrail.errors import CodeTrailError, DataError
from codetrail.index.entries import PARTIAL_CODES, entry_of
from codetrail.index.import_task import PROVIDER, Decoded, ImportTask, read_task, write_outcome
from codetrail.index.parsing import syntax_of
from codetrail.index.problem_summary import summarise
from codetrail.index.tree_reader import tree_reader
from codetrail.index.unit_ingest import IngestReport, ingest_unit
from codetrail.index.unit_run import open_writer
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.scip.reader import Metadata, ScipFile, scan
from codetrail.store import manifest
from codetrail.store.manifest import ManifestEntry
from codetrail.store.shard_writer import ShardRecord
from codetrail.workspace.languages import language_of

_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")
_LONGEST_TOOL = 80
_NOT_HERE = {
    "document_not_found": "documents of paths where the workspace has no file were left out",
    "document_not_source": "documents of files that are no source of a known language were left out",
    "excluded_by_config": "documents of files that the configuration or a rule leaves out were left out",
    "file_too_large": "documents of files that are too large were left out",
    "unreadable": "documents of files that could not be read were left out",
}
_SKIPPED = frozenset(
    {
        "changed_during_build",
        "document_differs",
        "document_encoding",
        "document_invalid",
        "document_path_refused",
        "document_texts_differ",
        "document_too_large",
        "document_units_differ",
        "file_utf16",
        "unreadable",
    }
)
"""Problems of ingestion that each cost a document."""
_REFUSED = ("definitions_refused", "places_skipped", "symbols_skipped")
"""Problems of ingestion that cost a document some of its rows."""


def main(task: str, answer: str) -> int:
    """Carry out the task in one file and write what came of it to another. Raises OSError."""
    with open(task, "rb") as file:
        given = read_task(file.read())
    outcome: Decoded | CodeTrailError
    try:
        outcome = decode(given)
    except CodeTrailError as failure:
        outcome = failure
    with open(answer, "xb") as file:
        file.write(write_outcome(outcome))
    return 0


def decode(task: ImportTask) -> Decoded:
    """Store the documents of a SCIP file that are of files of the workspace.

    Raises DataError ``scip_invalid`` where the file is no SCIP index, SystemFailure where it cannot be read
    or the disk refuses.
    """
    with scan(task.scip) as file:
        metadata, skipped = file.metadata, Counter(file.skipped)
        if not file.documents and not skipped and not metadata.tool:
            raise DataError("The file is no SCIP index: it names no tool and holds no document.")
        folder = _folder(task, metadata)
        owned, elsewhere = _sorted_out(task, file, folder)
        found = len(file.documents)
    merged = skipped.pop("document_repeated", 0)
    read = found + merged + sum(skipped.values())
    if not owned:
        return Decoded(
            metadata.tool, metadata.tool_version, folder, read, 0, 0, merged, skipped + elsewhere, {}, ()
        )
    spec = _spec(task, metadata, folder, owned)
    with tree_reader(task.root) as reading:
        report = ingest_unit(
            task.scip,
            spec,
            reading,
            lambda part, parts: open_writer(spec, task.pool, part + 1, parts),
            syntax_of,
            elsewhere=True,
            local_packages=frozenset(task.local_packages),
        )
    told = {problem.code: problem.times for problem in report.problems}
    lost = Counter({code: times for code, times in told.items() if code in _SKIPPED}) + elsewhere
    return Decoded(
        metadata.tool,
        metadata.tool_version,
        folder,
        read,
        found - sum((lost - skipped).values()),
        sum(record.occurrences for record in report.shards if isinstance(record, ShardRecord)),
        merged,
        dict(sorted(lost.items())),
        {code: told[code] for code in _REFUSED if code in told},
        _entries(spec, report, elsewhere, merged),
    )


def _folder(task: ImportTask, metadata: Metadata) -> str:
    """Return the folder that the paths of the file are below: as asked, else as a file made here says."""
    if task.folder is not None:
        return task.folder
    place = unquote(metadata.project_root.removeprefix("file://")).rstrip("/")
    if not os.path.isabs(place) or "\0" in place:
        return ""
    inside = os.path.relpath(os.path.realpath(place), task.root)
    return "" if inside == "." or inside.startswith("..") else inside


def _sorted_out(task: ImportTask, file: ScipFile, folder: str) -> tuple[tuple[SourceFile, ...], Counter[str]]:
    """Return the files of the workspace that have documents, and how many documents have none, by reason."""
    files = {source.path: source for source in task.files}
    prefix = f"{folder}/" if folder else ""
    owned = []
    elsewhere: Counter[str] = Counter()
    for entry in file.documents:
        path = prefix + entry.path
        if path in files:
            owned.append(files[path])
        elif path in task.others:
            elsewhere[task.others[path]] += 1
        elif language_of(path) is None:
            elsewhere["document_not_source"] += 1
        else:
            elsewhere["document_not_found"] += 1
    return tuple(sorted(owned)), elsewhere


def _spec(task: ImportTask, metadata: Metadata, folder: str, owned: tuple[SourceFile, ...]) -> UnitSpec:
    tool = _UNSAFE.sub("-", metadata.tool)[:_LONGEST_TOOL].strip("-") or "unknown"
    most = Counter(source.language for source in owned).most_common()
    language = min(most, key=lambda counted: (-counted[1], counted[0]))[0]
    return UnitSpec(
        repository=task.repository,
        root=folder,
        language=language,
        provider=PROVIDER + tool,
        provider_version=__version__,
        engine=metadata.tool[:_LONGEST_TOOL] or "unknown",
        engine_version=metadata.tool_version[:_LONGEST_TOOL],
        files=owned,
        inputs=(("scip", task.sha256),),
        options=tuple(("local_package", " ".join(package)) for package in sorted(task.local_packages)),
    )


def _entries(
    spec: UnitSpec, report: IngestReport, elsewhere: Mapping[str, int], merged: int
) -> tuple[ManifestEntry, ...]:
    problems = [problem for problem in report.problems if problem.code != "document_not_owned"]
    problems += [Problem(code, _NOT_HERE[code], times=times) for code, times in elsewhere.items()]
    if spec.engine == scip_typescript_engine.ENGINE:
        sentence = "the tool loses uses through renamed exports and between projects that are not built"
        problems.append(Problem(scip_typescript_engine.CODE, sentence))
    if merged:
        sentence = "documents whose path had come before were added to the first"
        problems.append(Problem("document_repeated", sentence, times=merged))
    folded = summarise(problems)
    state = "partial" if any(problem.code in PARTIAL_CODES for problem in report.problems) else "built"
    records = [shard for shard in report.shards if isinstance(shard, ShardRecord)]
    spoken = {manifest.LANGUAGES: sorted({source.language for source in spec.files})}
    return tuple(
        entry_of(spec, record, part, len(records), state, folded)._replace(
            origin=manifest.IMPORT, attachments=spoken
        )
        for part, record in enumerate(records, 1)
    )


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
