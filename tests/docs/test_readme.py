"""The README's session is what the program prints, on the project that ``make demo`` uses."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SESSION = re.compile(r"```console\n(.*?)```", re.DOTALL)


def test_the_session_is_real(tmp_path: Path) -> None:
    """Every command of the session, run in its order, prints what stands below it."""
    project = tmp_path / "bookshop"
    shutil.copytree(ROOT / "fixtures" / "bookshop", project, ignore=shutil.ignore_patterns(".codetrail"))
    assert _run(["index", "build"], project).startswith("unit  python:.  built")
    (session,) = _SESSION.findall((ROOT / "README.md").read_text())
    exchanges = [block.strip("\n").split("\n", 1) for block in re.split(r"(?m)^\$ codetrail ", session)[1:]]
    assert len(exchanges) == 5
    for command, printed in exchanges:
        assert _run(shlex.split(command), project) == printed + "\n", command


def _run(arguments: list[str], folder: Path) -> str:
    command = [sys.executable, "-m", "codetrail", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
