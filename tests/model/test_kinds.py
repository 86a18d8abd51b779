"""Kinds: the numbers are SCIP's but one, which no producer can claim."""

from __future__ import annotations

import pytest

from codetrail.model import kinds


@pytest.mark.parametrize(
    ("number", "kept"),
    [(0, 0), (7, 7), (83, 0), (86, 86), (87, 0), (kinds.CALLBACK, 0), (-1, 0)],
    ids=["none", "class", "a_gap", "last", "unknown", "ours", "negative"],
)
def test_what_a_producer_may_say(number: int, kept: int) -> None:
    assert kinds.scip_kind(number) == kept


def test_ours_is_none_of_scip() -> None:
    numbers = sorted(kinds.WORDS)
    assert numbers[-1] == kinds.CALLBACK > 10 * numbers[-2]
    assert kinds.CALLBACK in kinds.CALLABLE
