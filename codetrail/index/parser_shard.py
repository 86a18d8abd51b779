"""Make the shard of the files that no provider covers: what syntax alone shows, labelled as that.

Every such file gets a row with the reason, so that coverage can name it, and every identifier token of it
counts as unbound. This module must not know why a provider is missing.
"""

from __future__ import annotations

from dataclasses import replace

from codetrail.index.ingest import ingest_without_document
from codetrail.index.unit_ingest import Extract, FactsWriter, Read, Record
from codetrail.model.documents import DocumentFacts
from codetrail.model.facts import DOC_STATES
from codetrail.model.units import SourceFile, UnitSpec

_STATES = {"file_too_large": "too_large", "excluded_by_config": "excluded"}


def write_parser_shard(unit: UnitSpec, read: Read, extract: Extract, writer: FactsWriter[Record]) -> Record:
    """Write the facts of every file of the unit and finish the writer; abort it on any failure.

    ``unit.options`` holds (path, reason) for each file, as ``plan.parser_unit`` makes it.
    """
    reasons = dict(unit.options)
    try:
        for source in unit.files:
            writer.add(_facts(source, reasons[source.path], read, extract))
        return writer.finish()
    except BaseException:
        writer.abort()
        raise


def _facts(source: SourceFile, reason: str, read: Read, extract: Extract) -> DocumentFacts:
    data = read(source.path)
    if data is None:
        return DocumentFacts(
            path=source.path,
            language=source.language,
            sha256=bytes.fromhex(source.sha256),
            size=source.size,
            flags=0,
            state=DOC_STATES.index("unreadable"),
            reason="unreadable",
        )
    syntax = extract(data, source.language, source.path)
    facts = ingest_without_document(source.path, data, source.language, syntax, reason)
    state = _STATES.get(reason, "parser")
    if facts.sha256.hex() != source.sha256:
        state = "changed_during_build"
    return replace(facts, sha256=bytes.fromhex(source.sha256), state=DOC_STATES.index(state))
