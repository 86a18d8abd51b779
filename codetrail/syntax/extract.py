"""Read the definitions, uses and identifier tokens of one source file.

Made for hostile input: a file over the size limit, or one whose parse takes longer than its budget, gives
nothing and says ``truncated``; nothing here recurses over a tree, and no step takes more than linear time.
It must not know where files come from, nor what compilers say of them.
"""

from __future__ import annotations

from time import thread_time_ns
from typing import TYPE_CHECKING

from codetrail.syntax import definitions
from codetrail.syntax import tokens as identifiers
from codetrail.syntax import uses as usage
from codetrail.syntax.comment_blocks import were_comments, without_blocks
from codetrail.syntax.commented_types import commented_types
from codetrail.syntax.definitions import python_extents
from codetrail.syntax.file_syntax import Extent, FileSyntax
from codetrail.syntax.grammars import grammar
from codetrail.syntax.languages import OUTLINES
from codetrail.syntax.outline_extents import outline_extents, outline_tokens
from codetrail.syntax.outline_uses import TYPE, outline_uses
from codetrail.syntax.quoted_types import quoted_types
from codetrail.syntax.tokens import python_tokens
from codetrail.syntax.uses import python_nameless_calls, python_uses
from codetrail.syntax.walk import collect

if TYPE_CHECKING:
    from tree_sitter import Language, Tree

    from codetrail.syntax.outline import Outline

MAX_BYTES = 5_000_000
"""Files over this size get no syntax (security §3)."""

BUDGET_MS = 5_000
"""Processor time a parse may take; so a busy machine does not change what is found."""


_PYTHON_PHRASES = sorted({*definitions.KINDS, *identifiers.KINDS, *usage.KINDS})
_PYTHON_LEAVES = ("identifier", "comment")


def extract(data: bytes, language: str, *, path: str = "", budget_ms: int = BUDGET_MS) -> FileSyntax:
    """Parse a file and return its extents, uses and tokens; byte offsets into ``data``.

    ``path`` only tells TSX from TypeScript. Where there is no grammar for the language nothing is found.
    """
    name = _grammar_name(language, path)
    loaded = grammar(name) if name == "python" or name in OUTLINES else None
    if loaded is None:
        return FileSyntax((), {}, [])
    parsed = _parsed(data, name, loaded, budget_ms)
    if parsed is None:
        return FileSyntax((), {}, [], truncated=True)
    data, tree = parsed
    errors = tree.root_node.has_error
    if language != "python":
        return _read_outline(data, tree, loaded, OUTLINES[name], errors=errors)
    nodes = collect(tree, loaded, "module", _PYTHON_PHRASES, _PYTHON_LEAVES)
    tokens = python_tokens(data, nodes, errors=errors)
    uses = python_uses(nodes, tokens, loaded)
    extents, cut = python_extents(data, nodes)
    quoted = quoted_types(data, nodes)
    return FileSyntax(extents, uses, tokens, errors, cut, quoted, python_nameless_calls(nodes, loaded))


def _read_outline(
    data: bytes, tree: Tree, language: Language, outline: Outline, *, errors: bool
) -> FileSyntax:
    nodes = collect(tree, language, outline.root, outline.phrases(), (*outline.names, *outline.comments))
    tokens = outline_tokens(nodes, outline)
    extents, cut = outline_extents(data, nodes, outline)
    types = commented_types(data, (span for kind in outline.comments for span in nodes.leaves[kind]))
    uses, nameless = outline_uses(data, nodes, tokens, outline)
    for extent in extents:
        if uses.get(extent.name_start) == TYPE and extent.kind != "field":
            del uses[extent.name_start]  # the name being defined; an embedded field names its type, too
    return FileSyntax(extents, uses, tokens, errors, cut, types, nameless)


def definitions_of(data: bytes, language: str, *, path: str = "") -> tuple[Extent, ...]:
    """Return only the extents of a file, for files that changed since they were indexed."""
    return extract(data, language, path=path).extents


def tree_of(data: bytes, language: str, *, path: str = "") -> tuple[Tree, Language] | None:
    """Parse a file within the bounds of ``extract``; None where there is no grammar or they are exceeded."""
    name = _grammar_name(language, path)
    loaded = grammar(name)
    parsed = _parsed(data, name, loaded, BUDGET_MS) if loaded is not None else None
    return None if parsed is None or loaded is None else (parsed[1], loaded)


def _parsed(data: bytes, name: str, loaded: Language, budget_ms: int) -> tuple[bytes, Tree] | None:
    """Return the text that was parsed, every offset as in ``data``, and its tree; None out of bounds."""
    if len(data) > MAX_BYTES:
        return None
    deadline = thread_time_ns() + budget_ms * 1_000_000
    reduced = without_blocks(data) if name == "python" else None
    if reduced is not None:
        tree = _parse(reduced.data, loaded, deadline)
        if tree is not None and were_comments(tree, reduced.taken):
            return reduced.data, tree
    tree = _parse(data, loaded, deadline)
    return None if tree is None else (data, tree)


def _grammar_name(language: str, path: str) -> str:
    return "tsx" if language == "typescript" and path.endswith(".tsx") else language


def _parse(data: bytes, language: Language, deadline: int) -> Tree | None:
    """Parse, or return None when this thread's processor time reaches ``deadline`` (nanoseconds).

    Each parse has a parser of its own: one is not to be shared between threads, and costs nothing. The
    binding never lets go of what a reader returned, which would keep every source ever parsed in memory: so
    it is given views, and they let go of the source.
    """
    from tree_sitter import Parser

    whole = memoryview(data)
    views: dict[int, memoryview] = {}

    def read(offset: int, _: object) -> memoryview | bytes:
        if offset >= len(data):
            return b""
        view = views.get(offset)
        if view is None:
            view = views[offset] = whole[offset:]
        return view

    try:
        return Parser(language).parse(
            read,
            progress_callback=lambda _offset, _errors: thread_time_ns() > deadline,
        )
    except ValueError:  # how the binding says that the callback stopped it
        return None
    finally:
        for view in views.values():
            view.release()
