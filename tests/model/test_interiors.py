"""Where the inside of a definition begins."""

from __future__ import annotations

import pytest

from codetrail.model.interiors import interior_start
from codetrail.model.ranges import Range

BODY = Range(1, 4, 9, 0)

CASES = {
    "a name at the start is outside": (BODY, Range(1, 4, 1, 8), "python", (1, 8)),
    "so is a decorator before the name": (BODY, Range(2, 8, 2, 12), "python", (2, 12)),
    "and a modifier": (BODY, Range(1, 20, 1, 24), "typescript", (1, 24)),
    "a return type is inside": (BODY, Range(1, 20, 1, 24), "java", (1, 4)),
    "a name elsewhere takes nothing away": (BODY, Range(0, 0, 0, 4), "python", (1, 4)),
    "a name behind the body neither": (BODY, Range(9, 0, 9, 4), "python", (1, 4)),
    "a file is inside from its start": (Range(0, 0, 9, 0), Range(0, 0, 0, 0), "python", (0, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_where_the_inside_begins(case: str) -> None:
    body, name, language, expected = CASES[case]
    assert interior_start(body, name, language) == expected
