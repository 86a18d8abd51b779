"""Questions and answers: the rows, the page and the coverage that every verb returns.

Everything here is a fact with its reliability already on it; nothing downstream may raise a label (contract
§4). Ranges are 0-based and in code points; the printed form is ``output``'s business. Named tuples, because
the query path pays for each class it creates at start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from codetrail.model.ranges import Range
from codetrail.model.scope import Scope

if TYPE_CHECKING:
    from codetrail.model.calls import CallRow
    from codetrail.model.counts import SymbolCounts
    from codetrail.model.hierarchy import HierarchyRow, Relations
    from codetrail.model.overrides import Via
    from codetrail.model.source_block import SourceBlock


class Question(NamedTuple):
    """One question, parsed and checked; ``verb`` is the word of a query command (contract §1).

    ``uses`` are words of ``facts.USES``; ``cursor`` is opaque; ``freshness`` is ``full``, ``answer`` or
    ``off``; ``typed_from`` is the root-relative folder the caller stands in, for relative places.
    """

    verb: str
    identifier: str
    scope: Scope = Scope()
    limit: int = 100
    cursor: str | None = None
    max_bytes: int | None = None
    input_mode: str = "compatible"
    include_definitions: bool = False
    include_overrides: bool = False
    uses: tuple[str, ...] = ()
    direction: str = "both"
    depth: int = 2
    to: str | None = None
    counts: bool = False
    include_code: bool = False
    code_context: int = 20
    code_max_lines: int = 200
    fields: tuple[str, ...] = ("full",)
    explain: bool = False
    require_fresh: bool = False
    freshness: str = "full"
    typed_from: str = ""


class External(NamedTuple):
    """Where a symbol outside the workspace comes from."""

    package: str
    version: str


class Variant(NamedTuple):
    """How an identifier matched when it did not match as typed: kind of variant and the text that matched."""

    kind: str
    value: str


class Node(NamedTuple):
    """A symbol as part of another row; ``range`` is that of its name.

    ``has_twin``: a namesake of the answer is defined on the same line, so its column belongs to what pastes.
    """

    kind: str
    name: str
    qualified_name: str
    signature: str | None = None
    language: str | None = None
    path: str | None = None
    range: Range | None = None
    symbol: str | None = None
    external: External | None = None
    has_twin: bool = False


class Provenance(NamedTuple):
    """Who said a row, for ``--explain``; ``evidence`` is what a call edge was joined from."""

    provider: str
    engine: str
    engine_version: str
    unit: str
    snapshot: str
    document_sha256: str
    indexed_at: str | None
    evidence: str | None = None


class SymbolRow(NamedTuple):
    """A definition or symbol. ``of`` indexes ``Page.matched``; ``symbol`` is None for parser facts."""

    node: Node
    body: Range | None
    reliability: str
    callable: bool
    of: int
    variant: Variant | None = None
    freshness: str | None = None
    origin: str | None = None
    provenance: Provenance | None = None
    source: SourceBlock | None = None
    relations: Relations | None = None
    counts: SymbolCounts | None = None


class ReferenceRow(NamedTuple):
    """One use of a symbol. ``alias`` is the text at the range where that is not the symbol's name.

    ``via``: the use is one of another symbol, by overriding; ``name``, ``symbol`` and ``definition`` are then
    that symbol's.
    """

    name: str
    symbol: str
    language: str
    path: str
    range: Range
    text: str
    use: str | None
    roles: int
    enclosing: Node
    definition: Node | None
    reliability: str
    of: int
    alias: str | None = None
    freshness: str | None = None
    origin: str | None = None
    provenance: Provenance | None = None
    via: Via | None = None


class Matched(NamedTuple):
    """A symbol the question was about; ``rows`` counts its rows in the whole answer (None: not known)."""

    coordinate: str
    kind: str
    rows: int | None


class Reason(NamedTuple):
    """Why coverage is not complete. ``paths`` are at most five."""

    code: str
    message: str
    language: str | None = None
    times: int | None = None
    paths: tuple[str, ...] = ()
    dropped_rows: int | None = None


class Coverage(NamedTuple):
    """What the answer rests on: ``complete``, ``partial``, ``stale`` or ``missing``, and why.

    ``unresolved`` counts identifier tokens of the very name that no compiler bound (None: not counted);
    ``unresolved_in`` are at most five (path, count); ``bound_elsewhere`` counts tokens of the name that
    belong to other symbols; ``next`` is one command that would help; ``unresolved_calls`` counts calls, in
    what was asked about, whose target no compiler told.
    """

    state: str
    reasons: tuple[Reason, ...] = ()
    unresolved: int | None = None
    unresolved_in: tuple[tuple[str, int], ...] = ()
    bound_elsewhere: int | None = None
    next: tuple[str, ...] | None = None
    unresolved_calls: int | None = None


class Note(NamedTuple):
    """A remark that does not concern completeness."""

    code: str
    message: str


class Page(NamedTuple):
    """What stands beside the rows (contract §4)."""

    coverage: Coverage
    truncated: bool = False
    next_cursor: str | None = None
    total: int | None = None
    matched: tuple[Matched, ...] = ()
    matched_total: int = 0
    root: str | None = None
    notes: tuple[Note, ...] = ()
    outside_scope: int | None = None
    value_uses: int | None = None


Row: TypeAlias = "SymbolRow | ReferenceRow | CallRow | HierarchyRow"
"""One row of an answer."""


class Answer(NamedTuple):
    """The rows of one page, in the order of contract §3, and the page."""

    rows: tuple[Row, ...]
    page: Page
