"""A person's own command in the place of an engine: started without a shell, believed only when whole."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers import command
from codetrail.providers.base import Limits, RunOutcome, Tool
from codetrail.providers.python.adapter import PythonProvider
from codetrail.workspace.config import Settings

WRITER = """
import os, sys
def field(n, b): return bytes([n * 8 + 2, len(b)]) + b
def index(*paths): return field(1, b"") + b"".join(field(2, field(1, p.encode())) for p in paths)
assert sys.argv[-2] == "--output", sys.argv
out = open(sys.argv[-1], "xb")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    (tmp_path / "run").mkdir()
    return tmp_path / "ws"


def settings(*argv: str) -> Settings:
    return Settings(commands={"python": argv})


def run(root: Path, body: str, *arguments: str, **env: str) -> RunOutcome:
    script = root.parent / "tool.py"
    script.write_text(WRITER + body)
    argv = (sys.executable, "-I", str(script), *arguments)
    tool = command.find_command("python", settings(*argv), str(root), os.environ)
    assert isinstance(tool, Tool)
    files = tuple(SourceFile(path, "0" * 64, 1, "python") for path in ("a.py", "b.py"))
    unit = UnitSpec(".", "", "python", "python", "0", tool.name, tool.version, files)
    return command.run_command(
        unit, tool, str(root), {**os.environ, **env}, str(root.parent / "run"), Limits(30)
    )


@pytest.mark.parametrize(
    ("body", "state", "codes"),
    [
        pytest.param("out.write(index('a.py', 'b.py'))", "built", [], id="whole"),
        pytest.param("out.write(index('a.py'))", "partial", ["documents_missing"], id="one less"),
        pytest.param("out.write(index())", "failed", ["no_documents"], id="empty, exit 0"),
        pytest.param("", "failed", ["no_documents"], id="no bytes"),
        pytest.param("out.write(b'garbage')", "failed", ["scip_invalid"], id="no SCIP"),
        pytest.param("os.unlink(sys.argv[-1])", "failed", ["io_error"], id="no file"),
        pytest.param(
            "out.write(index('a.py', 'b.py')); sys.exit(2)", "failed", ["provider_failed"], id="exit 2"
        ),
    ],
)
def test_what_is_believed(root: Path, body: str, state: str, codes: list[str]) -> None:
    outcome = run(root, body)
    assert (outcome.state, [one.code for one in outcome.problems]) == (state, codes)


def test_it_runs_in_the_root_without_shell_and_with_a_clean_environment(root: Path) -> None:
    outcome = run(
        root,
        "import json; out.write(index('a.py', 'b.py'))\n"
        "json.dump([os.getcwd(), sys.argv[1:-2], dict(os.environ)], sys.stderr); sys.exit(1)",
        "a b",
        "$(touch canary)",
        GITHUB_TOKEN="secret",
        PYTHONPATH="/canary",
    )
    text = outcome.problems[0].detail or ""
    assert text.startswith('[".", ["a b", "$(touch canary)"]')
    assert "secret" not in text
    assert "PYTHONPATH" not in text
    assert os.listdir(root) == []


@pytest.mark.parametrize("program", ["./tool", "tool", "sub/tool", "/none/tool"])
def test_a_program_that_cannot_be_run_is_a_problem_not_another_engine(
    root: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    (root / "tool").write_text("#!/bin/sh\n")
    (root / "tool").chmod(0o755)
    monkeypatch.chdir(root)
    env = {"PATH": f".:{root}"}
    found = PythonProvider(env).locate(settings(program, "index"), str(root))
    assert isinstance(found, Problem)
    assert (found.code, "CODETRAIL_SCIP_PYTHON" in found.message) == ("engine_missing", True)


def test_without_a_setting_there_is_no_command(root: Path) -> None:
    assert command.find_command("python", Settings(), str(root), {}) is None
