"""Paths that name nothing, a file, or a folder that is gone."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from codetrail.cli import app


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.py").write_text("def one():\n    pass\n")
    monkeypatch.chdir(folder)
    return folder


def error(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = app.run([*argv, "-o", "json"])
    found = json.loads(capsys.readouterr().out)["error"]
    return status, found["code"], found["message"]


@pytest.mark.usefixtures("top")
@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["refs", "one", "--path="], "usage_error", "--path needs a folder"),
        (["refs", "one", "-p", ""], "usage_error", "--path needs a folder"),
        (["index", "build", "--keep-scip", ""], "usage_error", "--keep-scip needs a folder"),
        (["refs", "one", "-p", "a.py"], "workspace_not_found", "this is a file, not a folder"),
        (["refs", "one", "-p", "b.py"], "workspace_not_found", "there is no such folder"),
    ],
    ids=["empty path", "empty short path", "empty keep-scip", "file", "missing"],
)
def test_a_path_that_is_no_folder(
    capsys: pytest.CaptureFixture[str], argv: list[str], code: str, message: str
) -> None:
    assert error(capsys, *argv) == (1, code, message)


def test_a_question_from_a_folder_that_is_gone(
    top: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    assert app.run(["index", "build", "--no-semantic", "-p", str(top), "-o", "json"]) == 0
    capsys.readouterr()
    assert app.run(["defs", "one", "-p", str(top), "-o", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["path"] for row in printed["results"]] == ["a.py"]
    assert "root" not in printed["page"]
    assert error(capsys, "defs", "one") == (1, "workspace_not_found", "there is no such folder")
