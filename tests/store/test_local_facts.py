"""The side file: everything read back, blocks verified, the seal over all of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codetrail.errors import IndexUnusable
from codetrail.store import local_facts
from codetrail.store.local_facts import LocalFacts, ShardStat
from codetrail.workspace.surroundings import Surrounding
from tests.store.builders import TIMES, recorded

KEY = bytes(range(32))
SNAPSHOT = "a" * 64
SHARDS = {"x.db": ShardStat(1, 2, 3, 4)}


def opened(path: Path, data: bytes, *, key: bytes = KEY, snapshot: str = SNAPSHOT) -> LocalFacts:
    path.write_bytes(data)
    handle = os.open(path, os.O_RDONLY)
    try:
        return local_facts.load(handle, key, snapshot)
    except IndexUnusable:
        os.close(handle)
        raise


@pytest.mark.parametrize("count", [0, 1, 127, 128, 129, 1000])
def test_everything_is_read_back(tmp_path: Path, count: int) -> None:
    around = (
        Surrounding("python", "/env/site\udcff", -1, 2, 2**64 - 1, "0"),
        *(Surrounding("python", f"node_modules/{n:05}", n, 2, 3, "") for n in range(count)),
        Surrounding("rust", "/new", 0, 0, 0, "x"),
    )
    given = recorded(count)._replace(surroundings=around)
    facts = opened(tmp_path / "local", local_facts.dump(KEY, SNAPSHOT, given, TIMES, SHARDS))
    assert facts.recorded() == given
    assert facts.times == TIMES
    assert facts.shards == SHARDS
    facts.close()
    facts.close()


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ([], []),
        (["shop/f00000.py"], [0]),
        (["shop/f00999.py", "shop/f00001.py", "shop/f00128.py", "shop/f00127.py"], [1, 127, 128, 999]),
        (["a", "shop/f00005.pyx", "z", ""], []),
    ],
    ids=["none", "first", "several blocks", "unknown"],
)
def test_some_files_only(tmp_path: Path, paths: list[str], found: list[int]) -> None:
    given = recorded(1000)
    facts = opened(tmp_path / "local", local_facts.dump(KEY, SNAPSHOT, given, TIMES, SHARDS))
    asked = facts.recorded_files(paths)
    assert list(asked.files) == [given.files[number] for number in found]
    assert (asked.started_ns, asked.exclude) == (given.started_ns, given.exclude)
    facts.close()


def test_equal_facts_give_equal_bytes() -> None:
    given = recorded(300)
    mixed = given._replace(files=given.files[::-1], folders=given.folders[::-1])
    assert local_facts.dump(KEY, SNAPSHOT, given, TIMES, SHARDS) == local_facts.dump(
        KEY, SNAPSHOT, mixed, TIMES, SHARDS
    )


def test_no_changed_byte_is_believed(tmp_path: Path) -> None:
    data = local_facts.dump(KEY, SNAPSHOT, recorded(4), TIMES, SHARDS)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        with pytest.raises(IndexUnusable) as caught:
            opened(tmp_path / "local", bytes(changed)).recorded()
        assert caught.value.code == "index_foreign", place


@pytest.mark.parametrize("length", [0, 10, 64, 65, 66, 200])
def test_a_cut_file_is_not_believed(tmp_path: Path, length: int) -> None:
    data = local_facts.dump(KEY, SNAPSHOT, recorded(4), TIMES, SHARDS)
    with pytest.raises(IndexUnusable) as caught:
        opened(tmp_path / "local", data[:length])
    assert caught.value.code == "index_foreign"


def test_a_header_longer_than_one_read(tmp_path: Path) -> None:
    shards = {f"{number:064x}.db": ShardStat(number, 2, 3, 4) for number in range(3000)}
    facts = opened(tmp_path / "local", local_facts.dump(KEY, SNAPSHOT, recorded(), TIMES, shards))
    assert facts.shards == shards
    facts.close()


@pytest.mark.parametrize(
    ("key", "snapshot"), [(bytes(32), SNAPSHOT), (KEY, "b" * 64)], ids=["another user", "another snapshot"]
)
def test_the_seal_binds_user_and_snapshot(tmp_path: Path, key: bytes, snapshot: str) -> None:
    data = local_facts.dump(KEY, SNAPSHOT, recorded(), TIMES, SHARDS)
    with pytest.raises(IndexUnusable) as caught:
        opened(tmp_path / "local", data, key=key, snapshot=snapshot)
    assert (caught.value.code, caught.value.hint) == ("index_foreign", "codetrail index build")
