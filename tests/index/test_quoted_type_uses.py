"""Types in quotes, from Pyright to ``--use type``."""

from __future__ import annotations

import pytest

from codetrail.model.answers import ReferenceRow
from tests.index.building import Bench

CODE = """\
from __future__ import annotations
from typing import NewType, Optional, TypeAlias, TypeVar, cast
import typing

class Base:
    pass

def plain(x: "Base") -> "Base": ...
def inside(x: Optional["Base"]) -> "list['Base']": ...
class Sub(list["Base"]): ...
field: "Base | None" = None
Alias: TypeAlias = "Base"
B = TypeVar("B", bound="Base")
Id = NewType("Id", "Base")
cast("Base", field)
typing.cast("list[Base]", [field])
commented = []  # type: list[Base]
plain(Base())
kept = [Base]
__all__ = ["Base", "plain"]
"""


@pytest.mark.usefixtures("own_homes")
def test_names_in_quoted_types_are_type_uses(bench: Bench) -> None:
    bench.write(demo=CODE)
    assert [row.state for row in bench.build().rows] == ["built"]
    rows = [row for row in bench.ask("refs", "Base").rows if isinstance(row, ReferenceRow)]
    uses = {use: [row.range.line + 1 for row in rows if row.use == use] for use in {row.use for row in rows}}
    assert uses == {
        "type": [8, 8, 9, 9, 10, 11, 12, 13, 14, 15, 16, 17],
        "construct": [18],
        "value": [19, 20],
    }
