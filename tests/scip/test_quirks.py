"""Profiles: what is known of each producer (the measured table of producers and their columns)."""

from __future__ import annotations

import pytest

from codetrail.model.ranges import UTF8, UTF16
from codetrail.scip.quirks import Profile, profile_for

UNITS = {
    "rust-analyzer": UTF8,
    "scip-go": UTF8,
    "scip-clang": UTF8,
    "scip-ruby": UTF8,
    "scip-typescript": UTF16,
    "scip-python": UTF16,
    "scip-java": UTF16,
    "scip-dotnet": UTF16,
    "codetrail-python": UTF16,
    "somebody-else": 0,
}


@pytest.mark.parametrize("tool", UNITS)
def test_column_units(tool: str) -> None:
    assert profile_for(tool, "1.0").column_unit == UNITS[tool]


@pytest.mark.parametrize(
    ("version", "inverse"),
    [
        ("0.10.3", False),
        ("v0.10", False),
        ("0.12.3", True),
        ("0.13.1", True),
        ("1.0.0", True),
        ("HEAD", True),
    ],
)
def test_inverse_relationships_of_scip_java(version: str, inverse: bool) -> None:
    assert profile_for("scip-java", version).inverse_relationships is inverse


def test_only_our_own_drivers_mark_imports_and_write_paths_from_the_root() -> None:
    own, foreign = profile_for("codetrail-typescript", "0"), profile_for("scip-typescript", "0.4.0")
    assert (own.import_roles, own.path_base) == (True, "workspace")
    assert (foreign.import_roles, foreign.path_base) == (False, "unit")


def test_an_unknown_producer_gets_cautious_defaults() -> None:
    assert profile_for("", "") == Profile("")
