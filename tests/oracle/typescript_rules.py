"""Why the language service of TypeScript and CodeTrail list different places: each reason a rule with a name.

A rule looks at the source as the parser sees it, and at which side has the place; never at our answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.oracle.language_service import Place, Steps

_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
_ACCESSORS = {"GetAccessor", "SetAccessor"}


class Difference(NamedTuple):
    """A place that only one side lists for a definition; ``own`` is what the service says of it.

    ``at_place`` and ``at_definition`` are what the parser sees there; ``requires`` tells whether the file of
    the place calls ``require``.
    """

    definition: Place
    place: Place
    ours: bool
    own: bool
    at_place: Steps
    at_definition: Steps
    requires: bool


def _is_other_symbol(found: Difference) -> bool:
    """The service also lists, as other symbols, what overrides the one asked for or is overridden by it."""
    return not found.ours and not found.own


def _is_other_accessor(found: Difference) -> bool:
    """Getter and setter are one symbol to the service; ours are two, one read and the other written."""
    return not found.ours and _kind(found.at_definition, 1) in _ACCESSORS


def _is_shorthand_in_assignment(found: Difference) -> bool:
    """``({name} = object)`` takes the member ``name`` of the object, which the service does not list."""
    return found.ours and _kind(found.at_place, 1) == "ShorthandPropertyAssignment"


def _is_computed_name(found: Difference) -> bool:
    """``[key]`` defines a member in the brackets; asked there, the service tells of ``key``."""
    return found.ours and ("ComputedPropertyName", "name") in found.at_definition[:4]


def _is_common_js(found: Difference) -> bool:
    """The service stops at names that leave a script by ``exports`` or enter it by ``require``."""
    if not found.ours or not found.place.path.endswith(_SCRIPTS):
        return False
    exported = ("PropertyAccessExpression", "left") in found.at_place[:3]
    return exported or (found.requires and found.place.path != found.definition.path)


def _is_this(found: Difference) -> bool:
    """The service lists ``this`` under a parameter of that name; it is a keyword to us."""
    return not found.ours and _kind(found.at_place, 0) == "ThisKeyword"


def _is_global_block(found: Difference) -> bool:
    """``declare global`` is a place of definition to us; the service answers nothing there."""
    return found.ours and found.place == found.definition and _kind(found.at_place, 1) == "ModuleDeclaration"


RULES: tuple[Callable[[Difference], bool], ...] = (
    _is_other_symbol,
    _is_other_accessor,
    _is_shorthand_in_assignment,
    _is_computed_name,
    _is_common_js,
    _is_this,
    _is_global_block,
)


def is_explained(found: Difference) -> bool:
    """Tell whether some rule explains a difference."""
    return any(rule(found) for rule in RULES)


def _kind(steps: Steps, number: int) -> str:
    return steps[number][0] if number < len(steps) else ""
