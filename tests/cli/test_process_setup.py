"""File names are UTF-8 under every locale, and a signal ends a build as an interrupt does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codetrail.cli import app
from codetrail.cli.process_setup import Ended, orderly_end
from codetrail.errors import SystemFailure

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def run(folder: Path, *argv: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    homes = {f"XDG_{name}_HOME": str(folder.parent / name) for name in ("STATE", "CACHE", "CONFIG")}
    return subprocess.run(
        [sys.executable, "-m", "codetrail", *argv, "-o", "json"],
        cwd=folder,
        env={**os.environ, **homes, **variables},
        capture_output=True,
        timeout=300,
    )


STARTING = """
import builtins, os, signal, sys
load = builtins.__import__
def interrupted(name, *rest):
    if name == "codetrail.cli.options":
        os.kill(os.getpid(), signal.SIGINT)
    return load(name, *rest)
builtins.__import__ = interrupted
from codetrail.__main__ import main
sys.exit(main())
"""


def test_an_interrupt_while_the_program_is_loaded_says_nothing(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", STARTING, "defs", "x"], cwd=tmp_path, capture_output=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


def test_names_are_the_same_under_every_locale(tmp_path: Path) -> None:
    top = tmp_path / "tree"
    top.mkdir()
    (top / "naïve.py").write_text("def naïve_one(): pass\n", encoding="utf-8")
    built = run(top, "index", "build", "--no-semantic", **ASCII)
    assert built.returncode == 0, built.stderr
    assert b"not_utf8" not in built.stdout
    plain = run(top, "symbols", "naïve_one", PYTHONUTF8="1")
    ascii_only = run(top, "symbols", "naïve_one", **ASCII)
    assert json.loads(plain.stdout)["results"][0]["path"] == "naïve.py"
    assert (ascii_only.returncode, ascii_only.stdout) == (plain.returncode, plain.stdout)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=["SIGTERM", "SIGHUP"])
def test_a_signal_is_raised_where_it_can_be_cleaned_up_after(number: signal.Signals) -> None:
    cleaned = []

    def work() -> None:
        try:
            os.kill(os.getpid(), number)
            signal.pause()
        finally:
            os.kill(os.getpid(), number)
            cleaned.append(True)

    with pytest.raises(Ended) as caught, orderly_end():
        work()
    assert (cleaned, caught.value.status) == ([True], 128 + number)
    assert signal.getsignal(number) == signal.SIG_DFL


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with orderly_end():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Ended(15), 143, "interrupted"),
        (Ended(1), 129, "interrupted"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError(), 1, "io_error"),
        (OSError(24, "too many"), 1, "io_error"),
        (SystemFailure("x"), 1, "io_error"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_how_a_run_ends(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    status: int,
    code: str,
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(app, "_carry_out", fail)
    assert app.run(["-o", "json", "refs", "x"]) == status
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code
