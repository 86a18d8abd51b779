"""The form in which a language says where it binds names: which nodes are scopes, and which parts bind.

Only what a name in call position needs: a part that may bind too much (defaults and types stand in it) costs
an edge, one that is missing could make a wrong one. This module must not know languages, nor trees.
"""

from __future__ import annotations

from dataclasses import dataclass, field

FIRST = "#"
"""Before a kind of node: the first children of that kind, in grammars without fields."""

START, END, OPEN = "start", "end", "open"


@dataclass(frozen=True, slots=True)
class Scoping:
    """How names are bound in one grammar; keys and members are kinds of its nodes.

    ``functions`` and ``blocks`` are scopes; ``keepers`` are the functions that keep ``this``. ``classes`` are
    scopes whose definitions are members: seen as bare names from inside if ``members`` is ``inside``, only
    directly in the class body if ``directly``, else never. ``bases``: parts of what is around a class that
    name what it inherits from. ``closed``: scopes from which outer names are not seen. ``outer``: nodes that
    bind a name in the scope around them; ``inner`` in the scope that they are. ``hoisted`` bind in the
    function around. ``assigned`` bind where the name was declared, else in the file. ``everywhere`` binds in
    the file too. Values are the fields of what binds (empty: the node itself). ``later`` are those that,
    outside of classes and files, do not bind in all of their scope, but from their start or their end on
    (``START``, ``END``), or from the end of the one of ``statements`` around on, and openly from their start
    (``OPEN``); those in ``textual`` from their end on wherever they stand.
    ``names`` are tokens, ``passed`` kinds of nodes in which nothing binds, ``unbound`` fields that do not.
    ``qualified``: nodes of a qualified name, with the fields of the qualifier and of the name (empty: the
    first and the last child). ``longer``: names of several parts that are not followed.
    ``receivers`` are words that stand for the object or class around; ``apart``: methods and variables of one
    name do not hide each other. ``inherited``: members that classes have of themselves. ``foreign``:
    functions that have a ``this`` of unknown type unless they have a child of that kind. ``companions``:
    declarations whose members the class around shows too. ``opaque``: nodes whose text a macro takes, but for
    the macros in ``plain``. ``stars_rebind``: what is imported without being named takes the place of what
    was defined before. ``ambient``: functions of the language's own that are called by bare names and that a
    member of that name may only seem to hide. ``elements``: text right before a type that makes it that of
    elements, of which there may be none.
    """

    names: tuple[str, ...]
    functions: tuple[str, ...]
    outer: dict[str, str]
    inner: dict[str, str] = field(default_factory=dict)
    keepers: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    members: str = ""
    declared: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    hoisted: dict[str, str] = field(default_factory=dict)
    assigned: dict[str, str] = field(default_factory=dict)
    everywhere: tuple[str, ...] = ()
    later: dict[str, str] = field(default_factory=dict)
    statements: tuple[str, ...] = ()
    textual: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    unbound: tuple[str, ...] = ("right", "type", "value")
    qualified: dict[str, tuple[str, str]] = field(default_factory=dict)
    longer: tuple[str, ...] = ()
    receivers: tuple[str, ...] = ("this",)
    apart: bool = False
    inherited: frozenset[str] = frozenset()
    foreign: dict[str, str] = field(default_factory=dict)
    companions: tuple[str, ...] = ()
    opaque: tuple[str, ...] = ()
    plain: frozenset[str] = frozenset()
    stars_rebind: bool = False
    ambient: frozenset[str] = frozenset()
    elements: tuple[bytes, ...] = ()

    def phrases(self) -> list[str]:
        """Return the kinds of nodes to be visited."""
        tables = (self.outer, self.inner, self.hoisted, self.assigned)
        scopes = (*self.functions, *self.blocks, *self.classes, *self.closed, *self.everywhere, *self.opaque)
        return sorted({*scopes, *(kind for table in tables for kind in table)})
