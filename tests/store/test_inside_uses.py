"""Uses of a symbol inside itself, and decorators."""

from __future__ import annotations

import pytest

from codetrail.model import facts
from codetrail.model.documents import DocumentFacts, Extent, Occurrence
from codetrail.model.ranges import Range
from codetrail.store.inside_uses import uses_inside

CALL, IMPORT, DECORATOR = (facts.USES.index(use) for use in ("call", "import", "decorator"))
EXTENTS = (
    Extent("C", 7, "C", "C", -1, Range(0, 6, 0, 7), Range(0, 0, 9, 0), 0),
    Extent("m", 26, "m", "C.m", 0, Range(2, 8, 2, 9), Range(1, 4, 5, 0), 0),
    Extent("", 17, "in", "C.m.in", 1, Range(3, 8, 3, 9), Range(3, 8, 4, 0), 1),
    Extent("m", 26, "m", "C.m", 0, Range(6, 8, 6, 9), Range(6, 4, 8, 0), 0),
    Extent("f", 17, "f", "f", -1, Range(9, 4, 9, 5), Range(9, 0, 12, 0), 0),
)


def document(*occurrences: Occurrence) -> DocumentFacts:
    return DocumentFacts("a.py", "python", bytes(32), 1, 0, 0, occurrences=occurrences, extents=EXTENTS)


def at(symbol: str, line: int, column: int, use: int = CALL, roles: int = 8) -> Occurrence:
    return Occurrence(symbol, Range(line, column, line, column + 1), roles, use, -1)


@pytest.mark.parametrize(
    ("occurrences", "inside"),
    [
        pytest.param([at("m", 4, 9)], {"m": 1}, id="in its body"),
        pytest.param([at("m", 3, 10)], {"m": 1}, id="in a function in its body"),
        pytest.param([at("m", 7, 0)], {"m": 1}, id="in its second body"),
        pytest.param([at("C", 7, 0), at("C", 0, 8)], {"C": 2}, id="in a member"),
        pytest.param([at("m", 4, 9), at("m", 4, 9)], {"m": 1}, id="twice at one place"),
        pytest.param([at("m", 5, 0)], {}, id="after its end"),
        pytest.param([at("m", 10, 0), at("f", 4, 0)], {}, id="in another"),
        pytest.param([at("m", 4, 0, IMPORT)], {}, id="an import"),
        pytest.param([at("m", 2, 8, 0, facts.ROLE_DEFINITION)], {}, id="its definition"),
        pytest.param([at("other", 4, 0)], {}, id="a symbol without extent"),
    ],
)
def test_uses_inside_the_symbol(occurrences: list[Occurrence], inside: dict[str, int]) -> None:
    assert uses_inside(document(*occurrences))[0] == inside


@pytest.mark.parametrize(
    ("line", "column", "decorated"),
    [
        pytest.param(1, 5, {"m"}, id="in the extent before the name"),
        pytest.param(4, 5, set(), id="in the body"),
        pytest.param(0, 2, {"C"}, id="of a class"),
        pytest.param(5, 4, set(), id="outside the extent it belongs to"),
        pytest.param(20, 0, set(), id="nowhere"),
    ],
)
def test_decorated_symbols(line: int, column: int, decorated: set[str]) -> None:
    assert uses_inside(document(at("x", line, column, DECORATOR)))[1] == decorated
