"""A symbol with thousands of uses: a page costs the same at the end of the answer as at its start.

Work is counted, never timed: statements, rows handed over by the store, steps of its virtual machine (which
count rows that were read and left out, too) and source files read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from codetrail.query.sources import Sources
from codetrail.store.shard_reader import Shard
from tests.query.conftest import Tree

FILES = 24
USES = 200
EVERY = 50
"""Steps of the virtual machine between two counts."""


class Work(NamedTuple):
    """What one page cost: statements, rows of the store, counts of EVERY steps, source files read."""

    statements: int
    rows: int
    steps: int
    texts: int


class Meter:
    """Counts the work of one question after the other."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._statements = self._rows = self._steps = self._texts = 0
        rows, text = Shard.rows, Sources.text
        metered: list[Shard] = []

        def step() -> bool:
            self._steps += 1
            return False

        def counted_rows(shard: Shard, *args: Any) -> list[tuple[Any, ...]]:
            if all(shard is not other for other in metered):
                metered.append(shard)
                shard._connection.set_progress_handler(step, EVERY, id=self)
            found = rows(shard, *args)
            self._statements += 1
            self._rows += len(found)
            return found

        def counted_text(sources: Sources, *args: Any) -> Any:
            self._texts += 1
            return text(sources, *args)

        patch.setattr(Shard, "rows", counted_rows)
        patch.setattr(Sources, "text", counted_text)

    def take(self) -> Work:
        """Return the work since it was last asked."""
        work = Work(self._statements, self._rows, self._steps, self._texts)
        self._statements = self._rows = self._steps = self._texts = 0
        return work


def build(tree: Tree) -> None:
    """Write two units that use one function, and a function of the same name, in all their files."""
    for folder in ("a", "b"):
        unit = tree.unit(f"python:{folder}", root=folder)
        for number in range(FILES // 2):
            path = f"{folder}/{'even' if number % 2 else 'odd'}{number:02}.py"
            facts = tree.file(unit, path, "def run(): pass\n" * (number == 0) + "run()\n" * USES)
            if number == 0:
                facts.define("run", f"`{folder}`/run().", "function", 1)
            for use in range(USES):
                facts.use("run", "`a`/run().", "value" if use % 4 == 0 else "call")
    tree.store()


OPTIONS: dict[str, dict[str, Any]] = {
    "all": {},
    "with_definitions": {"include_definitions": True},
    "one_use": {"uses": ("value",)},
    "one_folder": {"scope": {"directories": ("b",)}},
    "every_other_file": {"scope": {"patterns": ("even*",)}},
    "by_bytes": {"max_bytes": 3_000, "size": lambda _row: 30},
    "answer": {"freshness": "answer"},
    "off": {"freshness": "off"},
    "explained": {"explain": True},
}


def pages(tree: Tree, meter: Meter, verb: str, typed: str, **options: Any) -> Iterator[tuple[int, Work]]:
    """Read page after page; yield how many rows each had and what it cost."""
    cursor = None
    meter.take()
    while True:
        given = tree.ask(verb, typed, limit=100, cursor=cursor, **options)
        yield len(given.rows), meter.take()
        cursor = given.page.next_cursor
        if cursor is None:
            return


@pytest.mark.parametrize("case", OPTIONS)
def test_a_late_page_of_a_hot_symbol_costs_what_the_first_does(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    build(tree)
    found = list(pages(tree, Meter(monkeypatch), "refs", "run", **OPTIONS[case]))
    full = [work for rows, work in found if rows == 100]
    assert len(full) > 10
    first = full[0]
    assert min(first) > 0
    for work in full[1:]:
        assert work.statements <= first.statements + 6
        assert work.rows <= first.rows + 12
        assert work.steps <= first.steps * 1.15
        assert work.texts <= first.texts + 2


@pytest.mark.parametrize("case", ["all", "one_use", "one_folder", "every_other_file", "answer", "explained"])
def test_a_late_page_of_callers_costs_what_the_first_does(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    build(tree)
    found = list(pages(tree, Meter(monkeypatch), "callers", "run", **OPTIONS[case]))
    full = [work for rows, work in found if rows == 100]
    assert len(full) > 10
    for work in full[1:]:
        assert work.statements <= full[0].statements + 6
        assert work.rows <= full[0].rows + 12
        assert work.steps <= full[0].steps * 1.15
        assert work.texts <= full[0].texts + 2


def test_callers_read_little_more_than_references(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tree)
    meter = Meter(monkeypatch)
    tree.refs("run", limit=100)
    refs = meter.take()
    tree.ask("callers", "run", limit=100)
    callers = meter.take()
    assert callers.statements <= refs.statements + 6
    assert callers.rows <= refs.rows + 12
    assert callers.texts <= refs.texts + 2


def test_a_late_page_of_the_calls_of_a_long_function_costs_what_the_first_does(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 3_000
    facts = tree.file(tree.unit(), "m.py", "def long():\n" + "    run()\n" * calls)
    facts.define("long", "`m`/long().", "function", calls + 1)
    for _ in range(calls):
        facts.use("run", "`a`/run().")
    tree.store()
    found = list(pages(tree, Meter(monkeypatch), "calls", "long"))
    assert [rows for rows, _ in found] == [100] * 30
    first = found[0][1]
    for _, work in found[1:]:
        assert work.statements <= first.statements + 2
        assert work.rows <= first.rows + 2
        assert work.steps <= first.steps * 1.15
        assert work.texts <= first.texts + 2


def test_a_late_page_of_many_symbols_costs_what_the_first_does(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = tree.unit()
    for number in range(20):
        facts = tree.file(unit, f"m{number:02}.py", "def run(): pass\n" * 60)
        for name in range(60):
            facts.define("run", f"`m{number:02}`/Holder{name}#run().", "method", 1)
    tree.store()
    full = [work for rows, work in pages(tree, Meter(monkeypatch), "symbols", "run") if rows == 100]
    assert len(full) == 12
    for work in full[1:]:
        assert work.statements <= full[0].statements * 1.1
        assert work.rows <= full[0].rows * 1.1
        assert work.steps <= full[0].steps * 1.15


def test_work_is_counted(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tree)
    meter = Meter(monkeypatch)
    tree.refs("run", limit=100)
    small = meter.take()
    tree.refs("run", limit=1000)
    large = meter.take()
    assert large.rows > small.rows + 800
    assert large.texts > small.texts + 800
    assert large.steps > small.steps + 100
