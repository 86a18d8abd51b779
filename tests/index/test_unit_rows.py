"""A unit's row adds up its parts."""

from __future__ import annotations

import pytest

from codetrail.index.unit_rows import unit_row, utc
from codetrail.model.units import Problem
from codetrail.store.local_facts import UnitTime
from codetrail.store.manifest import ManifestEntry

PART = ManifestEntry(
    unit="python:lib",
    unit_digest="d",
    kind="occurrences",
    language="python",
    provider="python",
    provider_version="1",
    engine="pyright",
    engine_version="1.1.400",
    repository=".",
    root="lib",
    state="built",
    files=5,
    documents=3,
    occurrences=10,
    tokens=40,
    bound=10,
    problems=(Problem("x", "said"),),
)
WHEN = UnitTime(1_700_000_000_999_999_999, 2.5)


def test_parts_are_added_up() -> None:
    parts = [
        PART,
        PART._replace(part=2, files=0, documents=2, occurrences=7, tokens=10, bound=5, problems=()),
    ]
    row = unit_row(parts, "reused", WHEN)
    assert (row.files, row.documents, row.occurrences) == (5, 5, 17)
    assert row.resolved_share == pytest.approx(0.3)
    assert (row.provider, row.engine, row.version, row.language, row.root) == (
        "python",
        "pyright",
        "1.1.400",
        "python",
        "lib",
    )
    assert (row.state, row.problems) == ("reused", (Problem("x", "said"),))


@pytest.mark.parametrize(("ran", "seconds"), [(True, 2.5), (False, None)])
def test_seconds_are_those_of_this_build(ran: bool, seconds: float | None) -> None:
    row = unit_row([PART], "built", WHEN, ran=ran)
    assert (row.seconds, row.indexed_at) == (seconds, "2023-11-14T22:13:20Z")


def test_without_rows_there_is_no_time_and_no_share() -> None:
    row = unit_row([PART._replace(tokens=0, bound=0)], "failed", None, ran=True)
    assert (row.seconds, row.indexed_at, row.resolved_share) == (None, None, None)


def test_times_are_utc_to_the_second() -> None:
    assert utc(0) == "1970-01-01T00:00:00Z"
    assert utc(1_999_999_999) == "1970-01-01T00:00:01Z"
