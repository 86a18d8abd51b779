"""Trees made for one test: files from a mapping, and git with nothing of the machine's configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codetrail.workspace.ownership import MARK, mark_of
from codetrail.workspace.root import Root
from codetrail.workspace.seal import make_key

WriteTree = Callable[[Mapping[str, str | bytes]], Path]
RunGit = Callable[..., bytes]
OwnState = Callable[[Path], Path]


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Return an empty folder that stands for the workspace."""
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder.resolve()


@pytest.fixture
def write(top: Path) -> WriteTree:
    """Return a function that writes files below ``top``; a path that ends in ``/`` is a folder."""

    def write_tree(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            target = top / name
            if name.endswith("/"):
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        return top

    return write_tree


@pytest.fixture
def git(top: Path, tmp_path: Path) -> RunGit:
    """Return a function that runs git in ``top`` (or ``cwd``) and returns its output."""

    def run(*arguments: str, stdin: bytes = b"", cwd: Path | None = None) -> bytes:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@b.c",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@b.c",
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=cwd or top,
            env=environment,
            input=stdin,
            capture_output=True,
            check=False,
        )
        # check-ignore answers 1 when it has nothing to say.
        assert done.returncode in {0, 1}, done.stderr.decode()
        return done.stdout

    return run


@pytest.fixture
def root(top: Path) -> Root:
    """Return ``top`` as a root outside git."""
    return Root(str(top))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Return an environment whose state and configuration folders belong to the test."""
    return {
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "HOME": str(tmp_path / "home"),
        "PATH": os.environ["PATH"],
    }


@pytest.fixture
def own_state(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> OwnState:
    """Return a function that makes a state folder in a folder, with the mark that a build leaves."""
    monkeypatch.setenv("XDG_STATE_HOME", env["XDG_STATE_HOME"])

    def make(folder: Path) -> Path:
        state = folder / ".codetrail"
        state.mkdir(parents=True, exist_ok=True)
        state.chmod(0o755)
        handle = os.open(state, os.O_RDONLY)
        (state / MARK).write_bytes(mark_of(make_key(env), str(state), handle))
        (state / MARK).chmod(0o600)
        os.close(handle)
        return state

    return make
