"""Answer one question: the entry of the command line and of MCP, and the page to read first.

Open the snapshot, compare the files, find the symbols that were named, cut a page of their rows, say what the
answer rests on. Nothing here writes, and nothing starts a process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

from codetrail.errors import IndexUnavailable, IndexUnusable, UsageError
from codetrail.model.answers import Answer, Note, Page, Question, ReferenceRow, Row, SymbolRow
from codetrail.model.counting import counted
from codetrail.model.identifiers import Name, parse
from codetrail.query.completeness import MOST_COUNTED, Asked, judge_answer, value_uses, with_unknown
from codetrail.query.coverage import input_reasons, languages_of
from codetrail.query.freshness import REBUILD, Freshness
from codetrail.query.groups import Group
from codetrail.query.moved import FileDefinitions, Moved
from codetrail.query.nodes import Nodes
from codetrail.query.page_facts import (
    AMBIGUOUS_PLACE,
    MOST_LISTED,
    code_notes,
    counts_notes,
    match_notes,
    matched_symbols,
    outside_scope,
    total_rows,
)
from codetrail.query.paging import (
    Counts,
    Cursor,
    Position,
    cut_page,
    decode_cursor,
    encode_cursor,
    question_digest,
)
from codetrail.query.ranked import Groups
from codetrail.query.resolution import BY_COMPILERS, Resolution, is_listing
from codetrail.query.scoping import PathTest, path_test
from codetrail.query.snapshot import NOTHING, View, open_view
from codetrail.query.sources import Sources
from codetrail.query.twins import identifiers, renumbered, shadows, told_apart
from codetrail.workspace.languages import language_of
from codetrail.workspace.root import Root

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codetrail.query.current import PresentFiles
    from codetrail.query.groups import ParserDefinition
    from codetrail.query.overrides import Overrides
    from codetrail.query.source_blocks import SourceBlocks

Size = Callable[[Row], int]
"""Measures a row in bytes of the output, for ``Question.max_bytes``."""
Excess = Callable[[Answer], int]
"""Tells by how many bytes of the output a whole answer is beyond ``Question.max_bytes``."""


_OTHER_INPUTS = "configuration, or the environment that imports were resolved with, differs from the index"


class _Rows(Protocol):
    """What makes the rows of one verb."""

    @property
    def other_versions(self) -> int: ...

    @property
    def dropped(self) -> int: ...

    def rows(self, groups: Groups, after: Position | None = None) -> Iterator[tuple[Position, Row]]: ...

    def counts(self, groups: Groups, most: int) -> list[Counts]: ...


def answer(
    question: Question, root: Root, *, size: Size | None = None, excess: Excess | None = None
) -> Answer:
    """Answer ``question`` about the workspace at ``root``.

    ``size`` and ``excess`` are given together where a page ends by bytes.

    Raises CodeTrailError: UsageError for an identifier, cursor or pattern that cannot be used,
    IndexUnavailable ``index_missing`` for verbs of compilers without an index, IndexUnusable for an index
    that cannot be believed or, with ``require_fresh``, does not match the files.
    """
    test = path_test(question.scope)
    digest = question_digest(question)
    cursor = decode_cursor(question.cursor, digest) if question.cursor is not None else None
    typed = Name("") if is_listing(question) else parse(question.identifier)
    with ExitStack() as stack:
        view = _open(question, root, cursor)
        stack.callback(view.close)
        sources = stack.enter_context(Sources(root))
        freshness = Freshness(root, view, "full" if question.require_fresh else question.freshness, sources)
        if question.require_fresh:
            _require_fresh(freshness, test)
        present = _present(sources)
        resolution = Resolution(question, typed, root, view, freshness, sources, test, present)
        groups = resolution.groups()
        # A list of all that the scope holds is about all languages.
        languages = frozenset[str]() if is_listing(question) else languages_of(groups)
        if question.require_fresh and input_reasons(view, languages, freshness):
            raise IndexUnusable(_OTHER_INPUTS, code="index_stale", hint=REBUILD)
        blocks = _source_blocks(question, freshness, sources)
        overrides = _overrides(question, view)
        nodes = Nodes(view, freshness, Moved(present))
        maker = _maker(question, test, freshness, sources, nodes, blocks, overrides, resolution.keys_of)
        of_compilers = question.verb in BY_COMPILERS
        ambiguous = of_compilers and resolution.is_place and len(groups) > 1
        after = cursor.position if cursor is not None else None
        if after is not None and not of_compilers:
            after = _resumed(groups, after)
        # A namesake never answers for a place: then the candidates are all there is to say.
        pages = () if ambiguous else maker.rows(groups, after)
        rows, positions, more = cut_page(pages, max(question.limit, 1), *_page_size(question, size))

        def cursor_behind(row: int) -> str:
            return encode_cursor(Cursor(view.key, digest, positions[row]))

        counted = [] if ambiguous else maker.counts(groups, MOST_COUNTED)
        total = 0 if ambiguous else total_rows(groups, counted, maker.dropped)
        listed = groups[:MOST_LISTED]
        named = identifiers(listed, nodes.place_now, resolution.keys_of, exactly=ambiguous)
        gone = shadows(listed, named)
        dropped = max(sum(counts.dropped for counts in counted), maker.dropped)
        asked = Asked(question, view, groups, ambiguous, languages, test, freshness, sources)
        judged = judge_answer(asked, maker, dropped)
        given = Answer(
            renumbered(told_apart(rows), gone),
            Page(
                coverage=with_unknown(judged.coverage, asked, maker, overrides, resolution.typed_names),
                truncated=more or bool(dropped) or not all(map(_is_whole, rows)),
                next_cursor=cursor_behind(-1) if more else None,
                total=total,
                matched=matched_symbols(listed, counted, named, gone),
                matched_total=len(groups) - len(gone),
                notes=(
                    *match_notes(question, groups, ambiguous, maker.other_versions),
                    *code_notes(blocks, counted),
                    *counts_notes(rows, judged.coverage),
                    *_tree_notes(maker, question),
                    *_parser_notes(maker, question),
                    *judged.notes,
                ),
                outside_scope=outside_scope(question, groups, counted) if view.key else None,
                value_uses=value_uses(asked, maker),
            ),
        )
        return given if size is None or excess is None else _fitted(given, size, excess, cursor_behind)


def _fitted(given: Answer, size: Size, excess: Excess, cursor_behind: Callable[[int], str]) -> Answer:
    """Leave out last rows until the answer, with all that stands beside the rows, is within its bytes.

    The first row stays; of a tree at least its root.
    """
    rows = list(given.rows)
    while len(rows) > 1 and (over := excess(given)) > 0:
        while len(rows) > 1 and over > 0:
            over -= size(rows.pop())
        page = given.page._replace(truncated=True, next_cursor=cursor_behind(len(rows) - 1))
        given = Answer(tuple(rows), page)
    if rows and not isinstance(rows[0], (SymbolRow, ReferenceRow)):
        from codetrail.query.hierarchy import fitted_tree

        given = fitted_tree(given, excess)
    return given


def exit_status(given: Answer) -> int:
    """Return what a process that printed ``given`` ends with (contract §7): 0, or 2 where nothing matched.

    A place that several symbols share is no match for verbs of compilers.
    """
    ambiguous = any(note.code == AMBIGUOUS_PLACE for note in given.page.notes)
    return 0 if given.page.matched_total and not ambiguous else 2


def _open(question: Question, root: Root, cursor: Cursor | None) -> View:
    """Open the snapshot of the cursor, else the current one; without any, verbs of compilers give up."""
    if cursor is not None and cursor.snapshot:
        try:
            return open_view(root, cursor.snapshot)
        except IndexUnavailable:
            raise _other_snapshot() from None
    try:
        view = open_view(root)
    except IndexUnavailable:
        if question.verb in BY_COMPILERS or question.require_fresh:
            raise
        return NOTHING
    if cursor is not None:
        view.close()
        raise _other_snapshot()
    return view


def _other_snapshot() -> UsageError:
    return UsageError(
        "the cursor belongs to a snapshot that is not stored any more",
        code="cursor_snapshot_mismatch",
        hint="ask again without a cursor",
    )


def _require_fresh(freshness: Freshness, test: PathTest) -> None:
    different = [path for path in freshness.different if test(path, language_of(path) or "")]
    if different or not freshness.checked:
        sentence = f"{len(different)} [file differs|files differ] from the index"
        raise IndexUnusable(counted(len(different), sentence), code="index_stale", hint=REBUILD)


def _is_whole(row: Row) -> bool:
    """Tell whether nothing of a row was left out: trees may be cut."""
    return isinstance(row, (SymbolRow, ReferenceRow)) or getattr(row, "is_whole", True)


def _tree_notes(maker: _Rows, question: Question) -> tuple[Note, ...]:
    if question.verb != "call-hierarchy":
        return ()
    from codetrail.query.hierarchy import Hierarchies, tree_notes

    return tree_notes(maker) if isinstance(maker, Hierarchies) else ()


def _parser_notes(maker: _Rows, question: Question) -> tuple[Note, ...]:
    """Say what was left out of the rows that syntax gives."""
    if question.verb == "callers":
        from codetrail.query.callers import Callers

        return maker.notes if isinstance(maker, Callers) else ()
    if question.verb == "calls":
        from codetrail.query.calls import Calls

        return maker.notes if isinstance(maker, Calls) else ()
    return ()


def _overrides(question: Question, view: View) -> Overrides | None:
    if question.verb not in BY_COMPILERS or not question.include_overrides:
        return None
    from codetrail.query.overrides import Overrides

    return Overrides(view)


def _maker(
    question: Question,
    test: PathTest,
    freshness: Freshness,
    sources: Sources,
    nodes: Nodes,
    blocks: SourceBlocks | None,
    overrides: Overrides | None,
    keys_of: Callable[[str], frozenset[str]],
) -> _Rows:
    if question.verb == "refs":
        from codetrail.query.references import References

        return References(question, test, freshness, nodes, overrides)
    if question.verb == "callers":
        from codetrail.query.callers import Callers

        return Callers(question, test, freshness, sources, nodes, overrides)
    if question.verb == "calls":
        from codetrail.query.calls import Calls

        return Calls(question, test, freshness, sources, nodes, overrides)
    if question.verb == "call-hierarchy":
        from codetrail.query.hierarchy import Hierarchies

        sought = None if question.to is None else keys_of(question.to)
        return Hierarchies(question, test, freshness, sources, nodes, overrides, sought)
    from codetrail.query.definitions import Definitions

    counting, related = None, None
    if blocks is not None:
        from codetrail.query.relations import RelatedCalls

        related = RelatedCalls(question, freshness, sources, nodes)
    if question.counts:
        from codetrail.query.counts import Counting

        counting = Counting(nodes.view, freshness, sources)
    return Definitions(question, test, freshness, nodes, blocks, counting, related)


def _present(sources: Sources) -> FileDefinitions:
    """Return what parses files as they now are; nothing is loaded before the first one is asked for."""
    files: list[PresentFiles] = []

    def definitions(path: str) -> Sequence[ParserDefinition]:
        if not files:
            from codetrail.query.current import PresentFiles

            files.append(PresentFiles(sources))
        return files[0].in_file(path)

    return definitions


def _source_blocks(question: Question, freshness: Freshness, sources: Sources) -> SourceBlocks | None:
    """Return what adds source to rows; None, and nothing loaded, unless it was asked for."""
    if not question.include_code:
        return None
    from codetrail.query.source_blocks import SourceBlocks

    return SourceBlocks(question, freshness, sources)


def _page_size(question: Question, size: Size | None) -> tuple[int | None, Size | None]:
    """Return where a page ends by bytes, and how rows are measured; source is bounded in any case.

    Trees are measured in nodes, and made to fit their bytes when the page is whole.
    """
    if question.verb == "call-hierarchy":
        from codetrail.query.hierarchy import nodes_of

        return question.limit, nodes_of
    if not question.include_code or question.max_bytes is not None:
        return question.max_bytes, size
    from codetrail.query.source_blocks import LARGEST_PAGE, source_size

    return LARGEST_PAGE, source_size


def _resumed(groups: Groups, position: Position) -> Position:
    """Find the group of a cursor again: definitions of changed files may have come in before it."""

    def is_its(group: Group) -> bool:
        return any(member.row.string == position.symbol for member in group.members)

    if not position.symbol or (position.rank < len(groups) and is_its(groups[position.rank])):
        return position
    rank = next((rank for rank, group in enumerate(groups) if is_its(group)), position.rank)
    return position._replace(rank=rank)
