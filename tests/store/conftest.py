"""Shards and sealed snapshots for one test, in folders of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codetrail.model.documents import DocumentFacts
from codetrail.store.shard_reader import Shard, open_shard
from tests.store.builders import write


@pytest.fixture
def shard_of(tmp_path: Path) -> Iterator[Callable[..., Shard]]:
    """Return a function that writes documents and opens their shard."""
    opened: list[Shard] = []

    def make(*documents: DocumentFacts, **options: Any) -> Shard:
        record = write(tmp_path / "pool", documents, **options)
        opened.append(open_shard(str(tmp_path / "pool" / f"{record.sha256}.db")))
        return opened[-1]

    yield make
    for shard in opened:
        shard.close()


@pytest.fixture
def root(tmp_path: Path) -> str:
    """Return an empty workspace."""
    folder = tmp_path / "tree"
    folder.mkdir()
    return str(folder.resolve())


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose state folder belongs to the test."""
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "PATH": os.environ["PATH"]}
