"""The shop, indexed once by the real program, and the program itself, run in this process.

Everything printed as JSON is held against the published schemas on the way. What tests get are sentences of
the contract made short: coordinates of definitions, places of uses.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from jsonschema import Draft202012Validator

from codetrail.cli import app
from codetrail.output.schema_files import bundle
from codetrail.providers import registry
from tests.contract import shop as workspace

GOLDEN = Path(__file__).parent / "golden"
REFRESH = "CODETRAIL_REFRESH_GOLDEN"
"""Set to 1, rewrites the golden files instead of comparing; read the difference before committing."""

PYTHON_ONLY = """
import sys
from codetrail.cli.app import main
from codetrail.providers import registry
registry._PROVIDERS = {"python": "python"}
sys.exit(main())
"""
"""The program, serving Python alone."""

SCHEMAS = {name: Draft202012Validator(bundle(name)) for name in ("answer", "event", "error")}


class Outcome(NamedTuple):
    """What one run left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Return the one line of JSON that was printed, held against its schema."""
        (line,) = self.out.splitlines()
        printed: dict[str, Any] = json.loads(line)
        SCHEMAS["error" if "error" in printed else "answer"].validate(printed)
        return printed

    @property
    def events(self) -> list[dict[str, Any]]:
        """Return the lines of JSONL that were printed, each held against its schema."""
        events = [json.loads(line) for line in self.out.splitlines()]
        for event in events:
            SCHEMAS["event"].validate(event)
        return events


Run = Callable[..., Outcome]
Ask = Callable[..., dict[str, Any]]


def run_in(folder: Path, *argv: str) -> Outcome:
    """Run the program in ``folder``."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        status = app.run(list(argv))
    return Outcome(
        status,
        out.buffer.getvalue().decode(),
        err.buffer.getvalue().decode(),
    )


@pytest.fixture(scope="module", autouse=True)
def python_only() -> Iterator[None]:
    """Serve Python alone: other files are those that syntax alone speaks of, whatever a machine has."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_PROVIDERS", {"python": "python"})
        yield


def build(folder: Path) -> None:
    """Index the Python of ``folder`` in a process of its own."""
    command = [sys.executable, "-c", PYTHON_ONLY, "index", "build", "-o", "json"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert (built.returncode, built.stderr) == (0, "")
    states = [row["state"] for row in Outcome(0, built.stdout, "").json["results"]]
    assert set(states) <= {"built", "reused"}


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write and index the shop; no test may change it."""
    folder = tmp_path_factory.mktemp("contract") / "root"
    workspace.write(folder)
    build(folder)
    return folder


@pytest.fixture
def copy(shop: Path, tmp_path: Path) -> Path:
    """Copy the shop and its index, for a test that changes files."""
    folder = tmp_path / "root"
    shutil.copytree(shop, folder, symlinks=True)
    return folder


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Write the shop without an index."""
    folder = tmp_path / "root"
    workspace.write(folder)
    return folder


@pytest.fixture
def run(shop: Path) -> Run:
    """Run the program at the root of the shop, or in a folder below it (``below``)."""

    def at(*argv: str, below: str = "") -> Outcome:
        return run_in(shop / below, *argv)

    return at


@pytest.fixture
def ask(run: Run) -> Ask:
    """Run the program and return the answer it printed as JSON."""

    def answer(*argv: str, below: str = "") -> dict[str, Any]:
        return run("--output", "json", *argv, below=below).json

    return answer


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare text with a golden file, or rewrite the file when a refresh was asked for."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get(REFRESH) == "1":
            path.write_bytes(text.encode())
        assert text == path.read_bytes().decode()

    return compare
