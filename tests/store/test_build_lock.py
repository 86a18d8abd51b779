"""The build lock: one holder, freed by death, readable by others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codetrail.errors import IndexUnusable, SystemFailure
from codetrail.store.build_lock import build_lock, building
from codetrail.store.snapshot_folder import opened

_HOLD = """
import sys
from codetrail.store.build_lock import build_lock
from codetrail.store.snapshot_folder import opened
with opened(sys.argv[1], create=True) as folder, build_lock(folder) as lock:
    lock.progress(3, 7)
    print(lock.since_ns, flush=True)
    sys.stdin.read()
"""


def test_another_build_is_refused_and_named_until_it_dies(root: str) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLD, root], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    since = int(holder.stdout.readline())
    with opened(root) as folder:
        assert building(folder) == (holder.pid, since, 3, 7)
        with pytest.raises(SystemFailure) as caught, build_lock(folder):
            pass
        assert caught.value.code == "index_locked"
        assert str(holder.pid) in caught.value.message
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
        assert building(folder) is None
        with build_lock(folder) as lock:
            assert building(folder) == (os.getpid(), lock.since_ns, 0, 0)
        assert building(folder) is None


def test_progress_that_gets_shorter_is_read_whole(root: str) -> None:
    with opened(root, create=True) as folder, build_lock(folder) as lock:
        lock.progress(10**9, 10**9)
        lock.progress(1, 2)
        found = building(folder)
        assert found is not None
        assert (found.units_done, found.units) == (1, 2)


def test_no_build_ever_ran(root: str) -> None:
    with opened(root, create=True) as folder:
        assert building(folder) is None


def test_a_lock_file_that_is_a_link_is_not_followed(root: str, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    with opened(root, create=True) as folder:
        Path(root, ".codetrail", "build.lock").symlink_to(precious)
        with pytest.raises(IndexUnusable), build_lock(folder):
            pass
        with pytest.raises(IndexUnusable):
            building(folder)
    assert precious.read_text() == "mine"
