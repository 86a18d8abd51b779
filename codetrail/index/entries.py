"""Make the manifest entries of a unit: one for each shard it gave, or one that says why there is none.

Apart from ``unit_run``, which loads everything a run needs: a build that takes all over writes entries too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codetrail.model.units import Problem, UnitSpec
from codetrail.store import manifest, schema
from codetrail.store.manifest import ManifestEntry

if TYPE_CHECKING:
    from codetrail.store.shard_writer import ShardRecord

PARTIAL_CODES = frozenset(
    {
        "changed_during_build",
        "document_differs",
        "document_encoding",
        "document_invalid",
        "document_missing",
        "document_texts_differ",
        "document_too_large",
        "document_units_differ",
        "file_minified",
        "file_not_source",
        "file_too_large",
        "file_utf16",
        "unreadable",
    }
)
"""Problems that cost a file its precise rows, after which a unit is not whole."""


def unit_without_shard(spec: UnitSpec, state: str, problems: tuple[Problem, ...]) -> ManifestEntry:
    """Return the entry of a unit that gave nothing, so that coverage can say so."""
    return ManifestEntry(
        unit=spec.name,
        unit_digest=spec.digest(),
        kind=manifest.OCCURRENCES,
        language=spec.language,
        provider=spec.provider,
        provider_version=spec.provider_version,
        engine=spec.engine,
        engine_version=spec.engine_version,
        repository=spec.repository,
        root=spec.root,
        state=state,
        files=len(spec.files),
        problems=problems,
    )


def entry_of(
    spec: UnitSpec,
    record: ShardRecord,
    part: int,
    parts: int,
    state: str,
    problems: tuple[Problem, ...],
    kind: str = manifest.OCCURRENCES,
) -> ManifestEntry:
    """Return the manifest entry of one written shard; problems stand on the first part only."""
    return unit_without_shard(spec, state, problems if part == 1 else ())._replace(
        kind=kind,
        part=part,
        parts=parts,
        file=f"{record.sha256}.db",
        size=record.size,
        sha256=record.sha256,
        schema_version=schema.SCHEMA_VERSION,
        least_reader_version=schema.LEAST_READER_VERSION,
        hash_function=schema.HASH_FUNCTION,
        files=len(spec.files) if part == 1 else 0,
        documents=record.documents,
        occurrences=record.occurrences,
        symbols=record.symbols,
        names=record.names,
        definitions=record.definitions,
        tokens=record.tokens,
        bound=record.bound,
        packages_defined=record.packages_defined,
        packages_mentioned=record.packages_mentioned,
        first_path=record.first_path,
        last_path=record.last_path,
    )
