"""Answers over several shards equal what a plain look through all facts gives."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

_LINES = 6


class Use(NamedTuple):
    """One occurrence of symbol ``symbol`` of package ``package`` on a line of file ``file`` of a unit."""

    unit: int
    file: int
    line: int
    package: int
    symbol: int
    defines: bool


_USES = st.lists(
    st.builds(
        Use,
        st.integers(0, 2),
        st.integers(0, 2),
        st.integers(0, _LINES - 1),
        st.integers(0, 1),
        st.integers(0, 1),
        st.booleans(),
    ),
    max_size=30,
    unique_by=lambda use: use[:3],
)


def path_of(use: Use) -> str:
    return f"{'cab'[use.unit]}/f{use.file}.py"


def build(tree: Any, uses: list[Use]) -> None:
    for unit in range(3):
        entry = tree.unit(f"python:{unit}", root="cab"[unit])
        for file in range(3):
            own = sorted(use for use in uses if (use.unit, use.file) == (unit, file))
            text = "".join(
                "name\n" if any(use.line == line for use in own) else "-\n" for line in range(_LINES)
            )
            facts = tree.file(entry, f"{'cab'[unit]}/f{file}.py", text)
            for use in own:
                symbol = f"s python p{use.package} 1 m/C{use.symbol}#name()."
                if use.defines:
                    facts.define("name", symbol, "method")
                else:
                    facts.use("name", symbol)
    tree.store()


@pytest.fixture
def fresh(tree: Any) -> Any:
    return tree


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_USES, st.booleans(), st.sampled_from([(), ("a",), ("c", "b")]), st.integers(1, 5))
def test_references(
    fresh: Any, uses: list[Use], definitions: bool, folders: tuple[str, ...], limit: int
) -> None:
    shutil.rmtree(fresh.path)
    fresh.path.mkdir()
    tree = type(fresh)(Path(fresh.path))
    build(tree, uses)
    scope = {"directories": folders}
    expected = {
        (f"p{use.package}", f"C{use.symbol}", path_of(use), use.line)
        for use in uses
        if (definitions or not use.defines) and (not folders or path_of(use)[0] in folders)
    }
    found: list[tuple[Any, ...]] = []
    keys: list[tuple[Any, ...]] = []
    cursor = None
    while True:
        answer = tree.refs("name", include_definitions=definitions, scope=scope, limit=limit, cursor=cursor)
        for row in answer.rows:
            _, _, package, _, descriptors = row.symbol.split(" ")
            found.append((package, descriptors[2:4], row.path, row.range.line))
            keys.append((row.of, row.path, row.range))
        assert answer.page.total == len(expected)
        assert answer.page.coverage.state == "complete"
        assert answer.page.matched_total == len({(use.package, use.symbol) for use in uses})
        cursor = answer.page.next_cursor
        if cursor is None:
            break
    assert set(found) == expected
    assert len(found) == len(expected)
    assert keys == sorted(keys)
