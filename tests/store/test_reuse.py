"""Which shards of earlier builds a build may take over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codetrail.store.manifest import Manifest
from codetrail.store.reuse import Reusable, open_reuse
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import publish
from tests.store.builders import TIMES, UNIT_DIGEST, build, cart, entry, recorded, write


def found(root: str, env: dict[str, str], digest: str = UNIT_DIGEST) -> Reusable | None:
    with opened(root) as folder:
        reuse = open_reuse(folder, env=env)
        try:
            return reuse.find_shards(digest)
        finally:
            reuse.close()


def test_a_unit_with_equal_inputs_is_taken_over(root: str, env: dict[str, str]) -> None:
    build(root, env)
    unit = found(root, env)
    assert unit is not None
    assert [one.unit for one in unit.entries] == ["python:."]
    assert unit.time == TIMES.units[UNIT_DIGEST]
    assert found(root, env, "0" * 64) is None


def test_a_snapshot_that_is_not_current_counts_too(root: str, env: dict[str, str]) -> None:
    build(root, env)
    with opened(root) as folder:
        publish(folder, Manifest(()), recorded(), TIMES, env=env)
    assert found(root, env) is not None


def spoil_pool(root: str, change: Callable[[Path], object]) -> None:
    for file in Path(root, ".codetrail", "scip", "shards").iterdir():
        change(file)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda file: file.unlink(), id="gone"),
        pytest.param(lambda file: file.write_bytes(b"other"), id="other bytes"),
        pytest.param(lambda file: file.chmod(0o666), id="open to all"),
    ],
)
def test_a_shard_that_is_not_what_it_was_is_built_again(
    root: str, env: dict[str, str], change: Callable[[Path], object]
) -> None:
    build(root, env)
    spoil_pool(root, change)
    assert found(root, env) is None


def test_nothing_is_taken_from_a_foreign_index(root: str, env: dict[str, str], tmp_path: Path) -> None:
    build(root, env)
    assert found(root, {"XDG_STATE_HOME": str(tmp_path / "other")}) is None


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([{"part": 1, "parts": 2}, {"part": 2, "parts": 2}], True),
        ([{"part": 2, "parts": 2}], False),
        ([{"part": 1, "parts": 2}], False),
        ([{"part": 1, "parts": 1, "schema_version": 999}], False),
        ([{"part": 1, "parts": 1, "file": "", "state": "failed"}], False),
    ],
    ids=["both parts", "second only", "first only", "another schema", "a failed unit"],
)
def test_only_whole_units_of_this_version(
    root: str, env: dict[str, str], parts: list[dict[str, Any]], whole: bool
) -> None:
    with opened(root, create=True) as folder:
        record = write(Path(folder.pool), [cart()])
        listed = Manifest(tuple(entry(record, **part) for part in parts))
        publish(folder, listed, recorded(), TIMES, env=env)
    assert (found(root, env) is not None) == whole
