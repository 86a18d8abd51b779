"""The definitions of a Python file, and everything else in it that can enclose a use.

Kinds are those a compiler would give where syntax can tell.
Variables of function bodies are no definitions (architecture §3). It must not know what tokens do (uses).
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from codetrail.syntax.callbacks import CALLBACK, Callback, callbacks
from codetrail.syntax.file_syntax import MAX_OWNERS, Extent
from codetrail.syntax.tokens import is_misread_call
from codetrail.syntax.uses import decorator_names, name_token, target_names

if TYPE_CHECKING:
    from tree_sitter import Node

    from codetrail.syntax.walk import Buckets

KINDS = (
    "assignment",
    "call",
    "class_definition",
    "decorated_definition",
    "decorator",
    "function_definition",
    "lambda",
    "named_expression",
    "type_alias_statement",
)
"""The kinds of nodes that this module reads."""

_READ = ("assignment", "class_definition", "function_definition", "type_alias_statement", "named_expression")
_BLANK = frozenset(b" \t\f\r\n\\")
_ACCESSORS = frozenset({b"setter", b"getter", b"deleter"})


class _Scope:
    """A class or function around the place being read, or the module."""

    __slots__ = ("depth", "end", "function", "index", "is_callable", "is_class", "names", "owner")

    def __init__(self, end: int, index: int, kind: str, owner: _Scope | None) -> None:
        self.end = end
        self.index = index
        self.owner = owner
        self.depth: int = owner.depth + 1 if owner is not None else 0
        self.is_class = kind == "class"
        self.is_callable = kind not in ("class", "module")
        self.names: set[str] = set()
        self.function: Node | None = None
        """A method whose first parameter is the object it is called on."""


def python_extents(data: bytes, nodes: Buckets) -> tuple[tuple[Extent, ...], bool]:
    """Return the extents of a file, ascending by start, the wider first; and whether any was left out."""
    return _Reader(data, nodes).read()


class _Reader:
    __slots__ = (
        "_cut",
        "_data",
        "_decorators",
        "_ends",
        "_extents",
        "_in_order",
        "_lambda_ends",
        "_nodes",
        "_scope",
        "_starts",
    )

    def __init__(self, data: bytes, nodes: Buckets) -> None:
        self._data = data
        self._nodes = nodes
        self._extents: list[Extent] = []
        self._scope = _Scope(len(data) + 1, -1, "module", None)
        self._starts: dict[int, int] = {}
        self._cut = False
        self._in_order = True
        self._ends = _CodeEnds(data, nodes.leaves["comment"])
        self._decorators: dict[int, list[tuple[bytes, bool]]] = {}
        self._lambda_ends = {node.end_byte for node in nodes.nodes("lambda")}

    def read(self) -> tuple[tuple[Extent, ...], bool]:
        self._read_decorators()
        found: list[tuple[int, int, int, Node, Node]] = []
        for step, kind in enumerate(_READ):
            pairs = self._nodes.phrases[kind]
            found += [(node.start_byte, -node.end_byte, step, node, first) for node, first in pairs]
        named = callbacks(self._data, self._nodes, ("lambda",), {"call": None})
        passed = (node for node in self._nodes.nodes("lambda") if node.start_byte in named) if named else ()
        found += [(node.start_byte, -node.end_byte, len(_READ), node, node) for node in passed]
        found.sort(key=itemgetter(0, 1, 2))
        for start, negative_end, step, node, first in found:
            while self._scope.end <= start and self._scope.owner is not None:
                self._scope = self._scope.owner
            if step == 0:
                if not self._is_local(first, -negative_end):
                    self._read_assignment(node, first, -negative_end)
            elif step <= 2:
                self._read_block(node, start, -negative_end, is_class=step == 1)
            elif step == 3:
                self._read_alias(node)
            elif step == 4:
                self._read_lambda(node, first, "value")
            else:
                self._add_callback(node, named[start])
        return self._ordered(), self._cut

    def _read_decorators(self) -> None:
        """Note where decorated definitions begin and the names (and whether dotted) of their decorators."""
        names = [(name.start_byte, name.end_byte) for name in decorator_names(self._nodes)]
        position = 0
        for node in self._nodes.nodes("decorated_definition"):
            definition = node.child_by_field_name("definition")
            if definition is None:
                continue
            self._starts[definition.start_byte] = node.start_byte
            here: list[tuple[bytes, bool]] = []
            while position < len(names) and names[position][0] < definition.start_byte:
                start, end = names[position]
                if start > node.start_byte:
                    here.append((self._data[start:end], self._data[start - 1 : start] == b"."))
                position += 1
            self._decorators[definition.start_byte] = here

    def _read_block(self, node: Node, start: int, end: int, *, is_class: bool) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        kind = "class" if is_class else self._callable_kind(start)
        end = self._ends.before(end)
        if not self._add(self._starts.get(start, start), end, name, kind, self._scope):
            return
        scope = _Scope(end, len(self._extents) - 1, kind, self._scope)
        if kind in ("method", "property"):
            scope.function = node
        self._scope = scope

    def _callable_kind(self, start: int) -> str:
        if not self._scope.is_class:
            return "function"
        for name, dotted in self._decorators.get(start, ()):
            if (name == b"property" and not dotted) or (name in _ACCESSORS and dotted):
                return "property"
            if name == b"staticmethod" and not dotted:
                return "staticmethod"
        return "method"

    def _is_local(self, left: Node, end: int) -> bool:
        """Tell an assignment that binds nothing but variables of a function: most are such."""
        scope = self._scope
        if not scope.is_callable or end in self._lambda_ends:
            return False
        return scope.function is None or left.type == "identifier"

    def _read_assignment(self, node: Node, left: Node, end: int) -> None:
        scope = self._scope
        if end in self._lambda_ends and self._read_lambda(node, left, "right"):
            return
        if not scope.is_callable:
            names = [target for target in target_names(left) if target.type == "identifier"]
        elif scope.owner is not None:
            scope = scope.owner
            names = list(filter(None, map(self._member, target_names(left))))
        else:
            return
        for name in sorted(names, key=lambda target: target.start_byte):
            self._add_variable(node, name, scope)

    def _read_lambda(self, node: Node, left: Node, value: str) -> bool:
        """Add the lambda that ``node`` binds to a name, and tell whether there was one."""
        right = node.child_by_field_name(value)
        if right is None or right.type != "lambda":
            return False
        name = name_token(left)
        if name is None:
            return False
        scope = self._scope
        if scope.owner is not None and self._member(left) is not None:
            scope = scope.owner
        scope.names.add(self._text(name))
        self._add(node.start_byte, node.end_byte, name, "method" if scope.is_class else "function", scope)
        return True

    def _member(self, target: Node) -> Node | None:
        """Return the name token of a target ``self.name`` (whatever self is called here), else None."""
        function = self._scope.function
        whole = target.child_by_field_name("object") if function is not None else None
        if function is None or whole is None or whole.type != "identifier":
            return None
        if self._slice(whole) != self._receiver(function):
            return None
        return target.child_by_field_name("attribute")

    def _receiver(self, function: Node) -> bytes | None:
        parameters = function.child_by_field_name("parameters")
        while parameters is not None and (inner := parameters.named_children):
            if inner[0].type == "identifier":
                return self._slice(inner[0])
            parameters = inner[0] if inner[0].type in ("typed_parameter", "default_parameter") else None
        return None

    def _slice(self, node: Node) -> bytes:
        return self._data[node.start_byte : node.end_byte]

    def _text(self, node: Node) -> str:
        return self._slice(node).decode("utf-8", "replace")

    def _add_variable(self, node: Node, name: Node, scope: _Scope) -> None:
        text = self._text(name)
        if text in scope.names:
            return
        scope.names.add(text)
        kind = "field" if scope.is_class else "constant" if text.isupper() else "variable"
        self._add(node.start_byte, node.end_byte, name, kind, scope)

    def _read_alias(self, node: Node) -> None:
        if is_misread_call(node):
            return
        left = node.child_by_field_name("left")
        while left is not None and left.type != "identifier":
            left = left.named_children[0] if left.named_child_count else None
        if left is not None and not self._scope.is_callable:
            self._add(node.start_byte, node.end_byte, left, "typealias", self._scope)

    def _add_callback(self, node: Node, found: Callback) -> None:
        name, name_start, name_end = found
        parent = self._scope.index
        self._extents.append(
            Extent(node.start_byte, node.end_byte, name_start, name_end, CALLBACK, name, parent)
        )

    def _add(self, start: int, end: int, name: Node, kind: str, scope: _Scope) -> bool:
        if name.end_byte == name.start_byte:  # made up by error recovery
            return False
        if scope.depth > MAX_OWNERS:
            self._cut = True
            return False
        text = self._text(name)
        extent = Extent(start, end, name.start_byte, name.end_byte, kind, text, scope.index)
        if self._extents and start < self._extents[-1].start:
            self._in_order = False
        self._extents.append(extent)
        return True

    def _ordered(self) -> tuple[Extent, ...]:
        """Return the extents sorted: a definition inside a decorator comes after what it decorates."""
        extents = self._extents
        if self._in_order:
            return tuple(extents)
        order = sorted(range(len(extents)), key=lambda index: (extents[index].start, -extents[index].end))
        rank = [0] * (len(extents) + 1)
        rank[-1] = -1  # what parent -1 reads
        for position, index in enumerate(order):
            rank[index] = position
        return tuple(extents[index]._replace(parent=rank[extents[index].parent]) for index in order)


class _CodeEnds:
    """Where a body ends: the grammar counts the comments that follow a body to it."""

    __slots__ = ("_comments", "_data", "_known")

    def __init__(self, data: bytes, comments: list[tuple[int, int]]) -> None:
        self._data = data
        self._comments = {end: start for start, end in comments}
        self._known: dict[int, int] = {}

    def before(self, end: int) -> int:
        """Return the end of the code that precedes the comments that end at ``end``, or ``end`` itself."""
        if end not in self._comments:
            return end
        if end not in self._known:
            at = end
            while at in self._comments:
                at = self._comments[at]
                while at and self._data[at - 1] in _BLANK:
                    at -= 1
            self._known[end] = at
        return self._known[end]
