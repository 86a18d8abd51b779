"""Make the shard of the files that no provider covers: what syntax alone shows, labelled as that.

Every such file gets a row with the reason, so that coverage can name it, and every identifier token of it
counts as unbound. This module must not know why a provider is missing.
"""

from __future__ import annotations

from codetrail.index.ingest import ingest_without_document
from codetrail.index.joins import count_words
from codetrail.index.unit_ingest import Extract, FactsWriter, Read, Record
from codetrail.model.documents import DocumentFacts
from codetrail.model.facts import DOC_STATES, DOC_SYNTAX_ERRORS
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.workspace.encodings import utf8_source
from codetrail.workspace.languages import EMBEDDED_SCRIPT
from codetrail.workspace.reading import LARGE_FILE

_STATES = {"file_too_large": "too_large", "excluded_by_config": "excluded", "unreadable": "unreadable"}
_CHANGED = "changed_during_build"


def write_parser_shard(
    unit: UnitSpec, read: Read, extract: Extract, writer: FactsWriter[Record]
) -> tuple[Record, tuple[Problem, ...]]:
    """Write the facts of every file of the unit and finish the writer; abort it on any failure.

    ``unit.options`` holds (path, reason) for each file, as ``plan.parser_unit`` makes it. A file that is not
    what was listed has no facts but its row; the problem returned counts those, so that nothing made at such
    a moment is taken over later.
    """
    reasons = dict(unit.options)
    changed: list[str] = []
    try:
        for source in unit.files:
            facts = _facts(source, reasons[source.path], read, extract)
            if facts.reason == _CHANGED:
                changed.append(source.path)
            writer.add(facts)
        record = writer.finish()
    except BaseException:
        writer.abort()
        raise
    sentence = "files changed or vanished while they were being indexed; syntax shows nothing of them"
    return record, (Problem(_CHANGED, sentence, changed[0], times=len(changed)),) if changed else ()


def _facts(source: SourceFile, reason: str, read: Read, extract: Extract) -> DocumentFacts:
    if reason in ("file_too_large", "unreadable"):
        return _bare(source, reason)
    data = read(source.path)
    if data is None:
        return _bare(source, _CHANGED)
    syntax = extract(data, source.language, source.path)
    facts = ingest_without_document(source.path, data, source.language, syntax, reason)
    if facts.sha256.hex() != source.sha256:
        return _bare(source, _CHANGED)
    if reason == EMBEDDED_SCRIPT:
        text = utf8_source(data, source.language)
        facts = facts._replace(unbound=count_words(text) if len(text) <= LARGE_FILE else {})
    flags = facts.flags | (DOC_SYNTAX_ERRORS if syntax is not None and syntax.errors else 0)
    return facts._replace(state=DOC_STATES.index(_STATES.get(reason, "parser")), flags=flags)


def _bare(source: SourceFile, reason: str) -> DocumentFacts:
    """Make the row of a file of which nothing is known but that it is there."""
    return DocumentFacts(
        path=source.path,
        language=source.language,
        sha256=bytes.fromhex(source.sha256),
        size=source.size,
        flags=0,
        state=DOC_STATES.index(_STATES.get(reason, reason)),
        reason=reason,
    )
