"""What each identifier token of a Python file does at its place: import, decorator, call, write or type.

The words and their precedence are contract §5's; ``construct`` needs to know what a name means, so a
construction is a call here. It must not know definitions.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from codetrail.model.facts import USES
from codetrail.syntax.spans import start_of_ending, starts_within
from codetrail.syntax.tokens import is_misread_call

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tree_sitter import Language, Node

    from codetrail.syntax.walk import Buckets

IMPORT, DECORATOR, CALL, WRITE, TYPE = map(USES.index, ("import", "decorator", "call", "write", "type"))

KINDS = (
    "as_pattern",
    "assignment",
    "augmented_assignment",
    "call",
    "case_pattern",
    "class_definition",
    "decorator",
    "delete_statement",
    "except_clause",
    "for_in_clause",
    "for_statement",
    "future_import_statement",
    "import_from_statement",
    "import_statement",
    "keyword_pattern",
    "named_expression",
    "splat_pattern",
    "type",
    "type_alias_statement",
)
"""The kinds of nodes that this module reads."""

BASES = frozenset({"identifier", "attribute", "subscript"})
_WRAPPERS = frozenset({"parenthesized_expression", "list_splat"})
"""What may stand around a callee: the grammar reads ``[*f(x)]`` as a call of ``*f``."""

_TARGET_GROUPS = frozenset(
    {
        "as_pattern_target",
        "delete_statement",
        "expression_list",
        "list",
        "list_pattern",
        "list_splat",
        "list_splat_pattern",
        "parenthesized_expression",
        "pattern_list",
        "tuple",
        "tuple_pattern",
    }
)


def python_uses(nodes: Buckets, tokens: list[tuple[int, int]], language: Language) -> dict[int, int]:
    """Map first bytes of tokens to indexes in USES; ``tokens`` ascend."""
    starts = [start for start, _ in tokens]
    names = _Names(tokens, starts, language)
    misread = [alias for alias in nodes.nodes("type_alias_statement") if is_misread_call(alias)]
    uses = dict.fromkeys(_types(nodes, starts, misread), TYPE)
    uses.update(dict.fromkeys(_writes(nodes, names), WRITE))
    uses.update(dict.fromkeys(names.of(callee for _, callee in nodes.phrases["call"]), CALL))
    uses.update(dict.fromkeys((name.start_byte for name in decorator_names(nodes)), DECORATOR))
    uses.update(dict.fromkeys(_imported(nodes, starts), IMPORT))
    for alias in nodes.nodes("type_alias_statement"):
        left = alias.child_by_field_name("left")
        if left is not None:
            uses.pop(left.start_byte, None)  # the name that is being defined
    for statement in misread:
        uses[statement.start_byte] = CALL
        left = statement.child_by_field_name("left")
        if left is not None:
            uses.update(dict.fromkeys(names.bound(left.named_children), WRITE))
    if tokens is not nodes.leaves["identifier"]:  # some were no names
        return {start: uses[start] for start in starts if start in uses}
    return uses


def python_nameless_calls(nodes: Buckets, language: Language) -> tuple[int, ...]:
    """Return the last bytes of what is called through no name, ascending (``FileSyntax.nameless_calls``)."""
    plain = {language.id_for_node_kind(kind, True) for kind in ("identifier", "attribute")}
    found = []
    for _, callee in nodes.phrases["call"]:
        if callee.kind_id not in plain:
            node = callee
            while node.type in _WRAPPERS and node.named_child_count == 1:
                node = node.named_children[0]
            if node.type != "lambda" and name_token(node) is None:
                found.append(callee.end_byte - 1)
    return tuple(sorted(found))


def target_names(target: Node) -> Iterator[Node]:
    """Give the identifier and attribute nodes that an assignment target binds, in no set order.

    ``target`` may be a statement made of targets. Subscripts bind no name.
    """
    pending = [target]
    while pending:
        node = pending.pop()
        kind = node.type
        if kind in ("identifier", "attribute"):
            yield node
        elif kind in _TARGET_GROUPS:
            pending.extend(node.named_children)


def name_token(node: Node) -> Node | None:
    """Return the identifier that names what an expression refers to: itself, or its last attribute."""
    while node.type in _WRAPPERS and node.named_child_count == 1:
        node = node.named_children[0]
    if node.type == "attribute":
        return node.child_by_field_name("attribute")
    return node if node.type == "identifier" else None


def decorator_names(nodes: Buckets) -> Iterator[Node]:
    """Give the name token of each decorator that has one, ascending."""
    for decorator in nodes.nodes("decorator"):
        for child in decorator.named_children:
            if child.type == "comment":
                continue
            expression = child.child_by_field_name("function") if child.type == "call" else child
            name = name_token(expression) if expression is not None else None
            if name is not None:
                yield name
            break


class _Names:
    """Finds the tokens of names, for the kinds of nodes that abound.

    Looking a token up by its end costs a quarter of asking an attribute for its child.
    """

    __slots__ = ("_attribute", "_identifier", "_starts", "_tokens")

    def __init__(self, tokens: list[tuple[int, int]], starts: list[int], language: Language) -> None:
        self._tokens = tokens
        self._starts = starts
        self._identifier = language.id_for_node_kind("identifier", True)
        self._attribute = language.id_for_node_kind("attribute", True)

    def of(self, expressions: Iterable[Node]) -> Iterator[int]:
        """Give the first byte of each expression's name token, where it has one."""
        for node in expressions:
            kind = node.kind_id
            if kind == self._identifier:
                yield node.start_byte
            elif kind == self._attribute:
                start = start_of_ending(node.end_byte, self._tokens, self._starts)
                if start is not None and start > node.start_byte:  # else its name is missing or no name
                    yield start
            else:
                name = name_token(node)
                if name is not None:
                    yield name.start_byte

    def bound(self, targets: Iterable[Node]) -> Iterator[int]:
        """Give the first byte of each name that targets bind."""
        for node in targets:
            if node.kind_id == self._identifier:
                yield node.start_byte
            else:
                yield from self.of(target_names(node))


def _writes(nodes: Buckets, names: _Names) -> Iterator[int]:
    first = (nodes.phrases[kind] for kind in ("assignment", "augmented_assignment", "named_expression"))
    loops = (nodes.nodes(kind) for kind in ("for_statement", "for_in_clause"))
    targets = chain(
        (left for _, left in chain.from_iterable(first)),
        filter(None, (loop.child_by_field_name("left") for loop in chain.from_iterable(loops))),
        nodes.nodes("delete_statement"),
        filter(None, map(_last_child, nodes.nodes("as_pattern"))),
        filter(None, map(_last_child, nodes.nodes("splat_pattern"))),
        chain.from_iterable(
            map(_captured, chain(nodes.nodes("case_pattern"), nodes.nodes("keyword_pattern")))
        ),
    )
    return names.bound(targets)


def _last_child(node: Node) -> Node | None:
    return node.children[-1] if node.child_count else None


def _captured(pattern: Node) -> list[Node]:
    """Return the name that a pattern binds: one that stands alone; dotted names are compared with."""
    inner = pattern.named_children
    value = inner[-1] if inner else None
    if value is not None and value.type == "dotted_name" and value.named_child_count == 1:
        return value.named_children
    return []


def _types(nodes: Buckets, starts: list[int], misread: Sequence[Node]) -> Iterator[int]:
    spans = [node.byte_range for node in nodes.nodes("type")]
    if misread:
        ends = [statement.end_byte for statement in misread]
        begins = [statement.start_byte for statement in misread]
        spans = [span for span in spans if not _covered(span[0], begins, ends)]
    for clause in nodes.nodes("except_clause"):
        spans.extend(value.byte_range for value in clause.children_by_field_name("value"))
    for definition in nodes.nodes("class_definition"):
        arguments = definition.child_by_field_name("superclasses")
        if arguments is not None:
            spans.extend(base.byte_range for base in arguments.named_children if base.type in BASES)
    spans.sort(key=lambda span: (span[0], -span[1]))
    return starts_within(spans, starts, _call_arguments(nodes))


def _covered(offset: int, begins: list[int], ends: list[int]) -> bool:
    at = bisect_right(begins, offset) - 1
    return at >= 0 and offset < ends[at]


def _call_arguments(nodes: Buckets) -> list[tuple[int, int]]:
    """Give the spans of arguments of calls that stand in annotations: what they hold are values."""
    calls = (inner for _, inner in nodes.phrases["type"] if inner.type == "call")
    arguments = (call.child_by_field_name("arguments") for call in calls)
    return [node.byte_range for node in arguments if node is not None]


def _imported(nodes: Buckets, starts: list[int]) -> Iterator[int]:
    kinds = ("import_statement", "import_from_statement", "future_import_statement")
    for kind in kinds:
        yield from starts_within([node.byte_range for node in nodes.nodes(kind)], starts)
