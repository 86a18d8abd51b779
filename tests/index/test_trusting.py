"""Trust is given by a person or by the user's own configuration, and by nothing in the workspace."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from codetrail.errors import ProviderError, UsageError
from codetrail.index.trusting import settle_trust
from codetrail.model.reports import BuildOptions
from codetrail.providers import trust

TRUST = BuildOptions(trust=True)
NAMED = trust.Execution(commands=(("mypython",),))


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "codetrail.toml").write_text('[python]\ninterpreter = "mypython"\n')
    (folder / "a.py").write_text("x = 1\n")
    return folder


def is_trusted(folder: Path) -> bool:
    return trust.state(str(folder.resolve()), NAMED, os.environ).trusted


def test_a_person_who_agrees_is_shown_what_would_run(workspace: Path) -> None:
    shown: list[tuple[str, ...]] = []

    def agree(lines: tuple[str, ...]) -> bool:
        shown.append(lines)
        return True

    assert settle_trust(str(workspace), TRUST, agree) is None
    assert shown == [("mypython",)]
    assert is_trusted(workspace)


def test_a_person_who_refuses_is_obeyed(workspace: Path) -> None:
    with pytest.raises(ProviderError) as caught:
        settle_trust(str(workspace), TRUST, lambda _: False)
    assert caught.value.code == "untrusted"
    assert not is_trusted(workspace)


def test_without_a_terminal_trust_is_refused(workspace: Path) -> None:
    with pytest.raises(ProviderError) as caught:
        settle_trust(str(workspace), TRUST, None)
    assert caught.value.code == "untrusted"
    assert not is_trusted(workspace)


def test_without_a_terminal_the_users_configuration_opens_the_way(workspace: Path, tmp_path: Path) -> None:
    config = tmp_path / "config" / "codetrail"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'trusted_roots = ["{tmp_path.resolve()}"]\n')
    assert settle_trust(str(workspace), TRUST, None) is None
    assert is_trusted(workspace)


def test_the_workspace_cannot_open_the_way_itself(workspace: Path) -> None:
    (workspace / "codetrail.toml").write_text(f'trusted_roots = ["{workspace}"]\n')
    with pytest.raises(Exception, match="trusted_roots"):
        settle_trust(str(workspace), TRUST, None)
    assert not is_trusted(workspace)


def test_trust_is_withdrawn(workspace: Path) -> None:
    settle_trust(str(workspace), TRUST, lambda _: True)
    assert settle_trust(str(workspace), BuildOptions(untrust=True), None) is None
    assert not is_trusted(workspace)
    assert settle_trust(str(workspace), BuildOptions(untrust=True), None) is not None


def test_nothing_to_trust_is_said(tmp_path: Path) -> None:
    assert settle_trust(str(tmp_path), TRUST, None) is not None


def test_both_at_once_is_a_usage_error(workspace: Path) -> None:
    with pytest.raises(UsageError):
        settle_trust(str(workspace), BuildOptions(trust=True, untrust=True), None)


@pytest.mark.parametrize(("answer", "trusted"), [(b"y\n", True), (b"\n", False), (b"n\n", False)])
def test_the_command_line_asks_on_the_terminal(workspace: Path, answer: bytes, trusted: bool) -> None:
    control, terminal = pty.openpty()
    command = [sys.executable, "-m", "codetrail", "index", "build", "--trust", "--no-semantic"]
    process = subprocess.Popen(
        command, cwd=workspace, stdin=terminal, stdout=subprocess.DEVNULL, stderr=terminal, close_fds=True
    )
    os.close(terminal)
    said = b""
    while b"[y/N]" not in said:
        said += os.read(control, 4096)
    os.write(control, answer)
    status = process.wait(timeout=60)
    os.close(control)
    assert b"mypython" in said
    assert is_trusted(workspace) is trusted
    assert status == (0 if trusted else 1)
