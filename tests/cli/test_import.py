"""``codetrail index import`` as it is typed, and what it prints."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from codetrail.output import schema_files

FIXTURE = Path(__file__).parents[2] / "fixtures" / "scip" / "java"
ANSWER = Draft202012Validator(schema_files.bundle("answer"))
ERROR = Draft202012Validator(schema_files.bundle("error"))
EVENT = Draft202012Validator(schema_files.bundle("event"))
NAME = "import:scip-java:."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a Java project without an index; its language has no provider."""
    for name in ("STATE", "CACHE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    folder = tmp_path / "root"
    shutil.copytree(FIXTURE, folder, ignore=shutil.ignore_patterns("*.scip"))
    shutil.copy(FIXTURE / "index.scip", tmp_path / "index.scip")
    return folder


def asked(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "codetrail", *argv]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_an_import_makes_a_language_without_a_provider_precise(home: Path) -> None:
    done = asked(home, "index", "import", "../index.scip", "-o", "json")
    whole = json.loads(done.stdout)
    ANSWER.validate(whole)
    (row,) = whole["results"]
    assert (done.returncode, done.stderr, row["state"], row["unit"]) == (0, "", "stored", NAME)
    assert (row["engine"], row["version"], row["root"]) == ("scip-java", "0.13.1", ".")
    assert (row["read"]["documents"], row["stored"]["documents"], row["used"]) == (10, 10, 10)
    assert (row["skipped"], row["unused"], row["dropped"]) == ({}, {}, 0)
    answer = json.loads(asked(home, "refs", "Money", "-o", "json").stdout)
    ANSWER.validate(answer)
    assert {(one["reliability"], one["origin"]) for one in answer["results"]} == {("precise_fact", "import")}
    coverage = answer["page"]["coverage"]
    assert (coverage["state"], coverage["reasons"], coverage["unresolvedNames"]) == ("complete", [], 0)
    assert [note["code"] for note in answer["page"]["notes"]] == ["import_unproved"]
    calls = json.loads(asked(home, "callers", "Pricing.total", "-o", "json", "--fields", "short").stdout)
    assert {one["origin"] for one in calls["results"]} == {"import"}


def test_the_row_as_lines_and_as_text(home: Path) -> None:
    lines = asked(home, "index", "import", "../index.scip", "-o", "jsonl").stdout.splitlines()
    for line in lines:
        EVENT.validate(json.loads(line))
    text = asked(home, "index", "import", "../index.scip").stdout.splitlines()
    assert text[0].startswith(f"import  {NAME}  replaced  read=10 stored=10 used=10 occurrences=")
    assert text[0].endswith("  scip-java 0.13.1")
    (unit,) = [line for line in asked(home, "index", "status").stdout.splitlines() if NAME in line]
    assert unit.startswith(f"unit  {NAME}  built  files=10 documents=10")
    assert unit.endswith("origin=import")
    removed = asked(home, "index", "import", "--remove", NAME)
    assert (removed.returncode, removed.stdout) == (
        0,
        f"import  {NAME}  removed  dropped=10  scip-java 0.13.1\n",
    )


def test_where_nothing_could_be_stored_the_exit_status_says_so(home: Path) -> None:
    done = asked(home, "index", "import", "../index.scip", "--root", "core", "-o", "json")
    whole = json.loads(done.stdout)
    ANSWER.validate(whole)
    (row,) = whole["results"]
    assert (done.returncode, row["state"], row["root"]) == (2, "refused", "core")
    assert (row["read"]["documents"], row["stored"]["documents"], row["skipped"]) == (
        10,
        0,
        {"document_not_found": 10},
    )
    assert [note["code"] for note in whole["page"]["notes"]] == ["nothing_stored"]


@pytest.mark.parametrize(
    ("argv", "code", "status"),
    [
        pytest.param((), "usage_error", 1, id="no file"),
        pytest.param(("../index.scip", "--remove", NAME), "usage_error", 1, id="a file and --remove"),
        pytest.param(("--remove", NAME, "--root", "core"), "usage_error", 1, id="--root and --remove"),
        pytest.param(("--remove", NAME), "index_missing", 2, id="nothing is indexed"),
        pytest.param(("../index.scip", "--root", ".."), "scope_outside_workspace", 1, id="--root outside"),
        pytest.param(("../index.scip", "--root", "nowhere"), "scope_not_found", 1, id="--root is not there"),
        pytest.param(("../index.scip", "--root", "app/pom.xml"), "scope_not_found", 1, id="--root is a file"),
        pytest.param(("nothing.scip",), "io_error", 1, id="no such file"),
        pytest.param(("app/pom.xml",), "scip_invalid", 1, id="no index"),
    ],
)
def test_what_was_typed_wrong_is_said(home: Path, argv: tuple[str, ...], code: str, status: int) -> None:
    done = asked(home, "index", "import", *argv, "-o", "json")
    failure = json.loads(done.stdout)
    ERROR.validate(failure)
    assert (done.returncode, failure["results"], failure["error"]["code"]) == (status, [], code)
    assert str(home.parent) not in done.stdout
    assert done.stderr == ""
