"""Folders of installations: each its own, swept when nobody fills them any more, and only then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from codetrail.providers.fresh_folder import fresh_folder

HOLD = """
import sys, time
from codetrail.providers.fresh_folder import fresh_folder
with fresh_folder(sys.argv[1]) as made:
    print(made, flush=True)
    time.sleep(600)
"""


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_folder_is_gone_at_the_end_unless_it_was_renamed(tmp_path: Path) -> None:
    with fresh_folder(str(tmp_path)) as made:
        assert names(tmp_path) == {os.path.basename(made)}
    assert names(tmp_path) == set()
    with fresh_folder(str(tmp_path)) as made:
        os.rename(made, tmp_path / "1.0")
    assert names(tmp_path) == {"1.0"}


def test_only_what_nobody_fills_is_swept(tmp_path: Path) -> None:
    kept = {"1.0", ".new-", ".new-ab12cd_34", ".new-file1234", ".new-link1234"}
    for name in ("1.0", ".new-", ".new-ab12cd_34", ".new-ab12cd_3"):
        (tmp_path / name / "inside").mkdir(parents=True)
    (tmp_path / ".new-file1234").write_text("")
    (tmp_path / ".new-link1234").symlink_to(tmp_path / "1.0")
    with fresh_folder(str(tmp_path)) as one, fresh_folder(str(tmp_path)) as two:
        assert names(tmp_path) == kept | {os.path.basename(one), os.path.basename(two)}
    assert names(tmp_path) == kept
    assert names(tmp_path / "1.0") == {"inside"}


def test_what_another_process_fills_stays_until_it_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        theirs = os.path.basename(other.stdout.readline().strip())
        with fresh_folder(str(tmp_path)):
            assert theirs in names(tmp_path)
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert names(tmp_path) == {theirs}
    with fresh_folder(str(tmp_path)) as mine:
        assert names(tmp_path) == {os.path.basename(mine)}
