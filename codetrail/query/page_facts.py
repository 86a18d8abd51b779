"""What a page says of the whole answer: how many rows it has, what matched, remarks (contract §4).

From groups and counts alone: this module must not know how rows are made, and says nothing of completeness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from codetrail.model.answers import Coverage, Matched, Note, Question, Row, SymbolRow
from codetrail.query.groups import Group
from codetrail.query.paging import Counts
from codetrail.query.ranked import Groups
from codetrail.query.resolution import BY_COMPILERS

if TYPE_CHECKING:
    from codetrail.query.source_blocks import SourceBlocks

AMBIGUOUS_PLACE = "ambiguous_place"
"""The note of an answer without rows whose place several symbols share: a process ends as with no match."""
MATCHED_VARIANT = "matched_input_variant"
VERSION_MISMATCH = "version_mismatch"
CODE_CAPPED = "ambiguous_include_code_capped"
COUNTS_AT_LEAST = "counts_at_least"
MOST_LISTED = 10
"""Symbols that ``page.matched`` names (contract §4)."""


def total_rows(groups: Groups, counted: list[Counts], dropped: int) -> int | None:
    """Return how many rows the whole answer has, None where that is not known cheaply."""
    if len(counted) < len(groups) or dropped:
        return None
    if any(counts.dropped or not counts.exact for counts in counted):
        return None
    return sum(counts.rows for counts in counted)


def matched_symbols(
    groups: Sequence[Group], counted: list[Counts], identifiers: Sequence[str], gone: Mapping[int, int]
) -> tuple[Matched, ...]:
    """Return the first symbols that the question was about, with their rows where those are known.

    ``identifiers`` are what names each of ``groups``; what others stand for (``gone``)
    adds its rows to theirs.
    """
    listed: dict[int, Matched] = {}
    for rank, (group, identifier) in enumerate(zip(groups, identifiers, strict=True)):
        known = rank < len(counted) and not counted[rank].dropped and counted[rank].exact
        rows = counted[rank].rows if known else None
        kept = listed.get(gone.get(rank, rank))
        if kept is None:
            listed[rank] = Matched(identifier, group.kind_word, rows)
        else:
            both = None if rows is None or kept.rows is None else rows + kept.rows
            listed[gone[rank]] = kept._replace(rows=both)
    return tuple(listed.values())


def outside_scope(question: Question, groups: Groups, counted: list[Counts]) -> int | None:
    """Return how many rows of the same symbols the scope options left out, None where none were given."""
    if question.scope.is_everything or len(counted) < len(groups):
        return None
    if not all(counts.exact for counts in counted):
        return None
    return sum(counts.outside for counts in counted)


def match_notes(question: Question, groups: Groups, ambiguous: bool, other_versions: int) -> tuple[Note, ...]:
    """Say how the identifier matched; ``other_versions`` counts rows of other versions of a package."""
    notes: list[Note] = []
    if ambiguous:
        notes.append(
            Note(AMBIGUOUS_PLACE, "the place is ambiguous: ask again with one of the symbols in page.matched")
        )
    variant = groups[0].variant if groups and not ambiguous else None
    if variant is not None and question.verb in BY_COMPILERS:
        notes.append(Note(MATCHED_VARIANT, f"the identifier did not match as typed, but as {variant.kind}"))
    if other_versions:
        notes.append(Note(VERSION_MISMATCH, "rows of another version of the package are candidates only"))
    return tuple(notes)


def counts_notes(rows: Sequence[Row], coverage: Coverage) -> tuple[Note, ...]:
    """Say why counts are lower bounds where the coverage of the asked scope does not."""
    if coverage.state != "complete":
        return ()
    if not any(isinstance(row, SymbolRow) and row.counts and row.counts.at_least for row in rows):
        return ()
    return (Note(COUNTS_AT_LEAST, "counts are of the whole workspace, whose coverage is not complete"),)


def code_notes(blocks: SourceBlocks | None, counted: list[Counts]) -> tuple[Note, ...]:
    """Say on every page of an answer that only its best candidates carry source."""
    if blocks is None:
        return ()
    from codetrail.query.source_blocks import MOST_CANDIDATES

    if not blocks.capped and sum(1 for counts in counted if counts.rows) <= MOST_CANDIDATES:
        return ()
    return (Note(CODE_CAPPED, f"of the symbols that match, only the first {MOST_CANDIDATES} carry source"),)
