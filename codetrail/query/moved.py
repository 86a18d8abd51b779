"""What surrounds the facts of changed files in their present text, as far as syntax tells (contract §6).

A line that stands as it was may be in another function now, and a definition under another owner: the owner,
and the callable around a place, are those of the text that is there. This module must not import syntax:
whoever asks brings what the parser says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from codetrail.model import kinds
from codetrail.model.interiors import interior_start
from codetrail.model.ranges import Range
from codetrail.query.groups import ParserDefinition

_PROPERTY = kinds.NUMBERS["property"]

FileDefinitions = Callable[[str], Sequence[ParserDefinition]]
"""Gives the parser's definitions of a file as its text now is, outer before inner."""


class Moved:
    """Looks into the present text of files; ``present`` is asked for each file that is met."""

    def __init__(self, present: FileDefinitions) -> None:
        self._present = present

    def caller(self, path: str, span: Range) -> ParserDefinition | None:
        """Return the innermost callable whose inside holds a place; None where the file itself does."""
        start = span[:2]
        for one in reversed(self._present(path)):
            if not _holds_calls(one) or not one.body.contains(*start):
                continue
            if interior_start(one.body, one.name_range, one.language) <= start:
                return one
        return None

    def definition(self, path: str, name: Range) -> ParserDefinition | None:
        """Return what is defined by the name at a place; None where syntax sees no definition there."""
        return next((one for one in self._present(path) if one.name_range == name), None)


def _holds_calls(one: ParserDefinition) -> bool:
    """Tell whether a definition makes the calls in it; in Python a property is a function."""
    return one.kind in kinds.CALLABLE or (one.kind == _PROPERTY and one.language == "python")
