"""What has to be known of a grammar to read its files, as data.

Python is read by modules of its own; tables of this form serve every other language. This module must not
know any one language, nor how a tree is walked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Place = str | int | None
"""Where a node has what it calls or writes: the field, the number of the named child, None for the first."""


@dataclass(frozen=True, slots=True)
class Outline:
    """How to read one grammar; all keys and members are kinds of its nodes.

    ``root``: a whole file. ``names``: tokens that name something. ``where``: nodes that count, wherever they
    are listed, only with a child of one of these kinds.

    Definitions. ``definitions``: nodes with a name, and the kind of what they define. ``variables``: the same
    for what is a definition only outside ``bodies`` and callables, unless its value is one of ``functions``
    or ``classes``. ``functions``: functions without a name; ``classes`` likewise. ``function_values``: nodes
    that define a function or class if their value is one, and nothing else; ``values_last``: nodes whose
    value is their last child. ``members``: parents of bare names that are definitions. ``parameters``:
    parameters that define a member of the class around. ``accessors``: nodes that read or write the property
    before them. ``owners``: nodes that own what is inside without being a definition, and the field that
    names the owner. ``variants``: a keyword or part inside a definition that changes its kind. ``named_by``:
    definitions whose name is a keyword.

    Uses. ``calls`` and ``constructions``: nodes with the place of what is called. ``elements``: the same, but
    a plain name in lower case calls nothing. ``invocations``: nodes whose tokens are known, but no structure.
    ``conversions``: nodes that may be a conversion, a call with explicit type arguments or a call of an
    element. ``imports``: nodes in which every name is an import. ``types``: nodes in which every name is a
    type; ``type_names``: tokens that are; ``bases``: nodes whose first part, where it is a plain or dotted
    name, is one. ``decorators``: nodes around what decorates, and how many children may name such;
    ``derive``: the decorator whose arguments decorate too. ``writes``: nodes with the place of what they
    assign to, ``targets``: what may stand around names there. ``dotted``: expressions that end in the name of
    what they mean; ``wrappers``: what may stand around a name, and the number of the child that matters;
    ``misread``: what the grammar takes to be in such a wrapper though its last operand alone is.
    ``subscripts``: expressions that name a member by a string in that field. ``constructors``: keywords that
    stand for a constructor where they are called. ``nameless``: a call of what has no name at the place
    (``f()()``) is one; in other grammars a conversion may look so. ``comments``: tokens in which JSDoc may
    write types.
    """

    root: str
    names: tuple[str, ...]
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    definitions: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    bodies: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    function_values: tuple[str, ...] = ()
    values_last: tuple[str, ...] = ()
    members: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    accessors: tuple[str, ...] = ()
    owners: Mapping[str, str] = field(default_factory=dict)
    variants: Mapping[tuple[str, str], str] = field(default_factory=dict)
    named_by: Mapping[str, str] = field(default_factory=dict)
    calls: Mapping[str, Place] = field(default_factory=dict)
    constructions: Mapping[str, Place] = field(default_factory=dict)
    elements: Mapping[str, Place] = field(default_factory=dict)
    invocations: tuple[str, ...] = ()
    conversions: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    type_names: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    decorators: Mapping[str, int] = field(default_factory=dict)
    derive: str = ""
    writes: Mapping[str, Place] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    dotted: tuple[str, ...] = ()
    wrappers: Mapping[str, int] = field(default_factory=dict)
    misread: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subscripts: Mapping[str, str] = field(default_factory=dict)
    constructors: tuple[str, ...] = ()
    nameless: bool = False
    comments: tuple[str, ...] = ()

    def phrases(self) -> list[str]:
        """Return the kinds of nodes that are read."""
        return sorted(
            {
                *self.definitions,
                *self.variables,
                *self.bodies,
                *self.functions,
                *self.classes,
                *self.function_values,
                *self.members,
                *self.parameters,
                *self.accessors,
                *self.owners,
                *self.calls,
                *self.constructions,
                *self.elements,
                *self.invocations,
                *self.conversions,
                *self.imports,
                *self.types,
                *self.bases,
                *self.decorators,
                *self.writes,
            }
        )
