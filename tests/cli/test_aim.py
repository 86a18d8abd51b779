"""Commands that we print act on the workspace that was typed."""

from __future__ import annotations

import shlex

import pytest

from codetrail.cli.aim import aim_command, aim_coverage, aim_hint, aim_rows
from codetrail.errors import CodeTrailError, IndexUnavailable
from codetrail.model.answers import Coverage
from codetrail.model.reports import CheckRow, PruneRow

BUILD = ("codetrail", "index", "build")


@pytest.mark.parametrize(
    ("argv", "path", "expected"),
    [
        (BUILD, None, BUILD),
        (BUILD, "a b", (*BUILD, "--path", "a b")),
        (BUILD, "-x", (*BUILD, "--path=-x")),
        (("python3", "-m", "venv"), "a", ("python3", "-m", "venv")),
    ],
    ids=["no_path", "path", "dash", "not_ours"],
)
def test_commands(argv: tuple[str, ...], path: str | None, expected: tuple[str, ...]) -> None:
    values = {} if path is None else {"path": path}
    assert aim_command(argv, values) == expected  # type: ignore[arg-type]


def test_coverage_and_checks() -> None:
    assert aim_coverage(Coverage("complete"), {"path": "a"}) == Coverage("complete")
    assert aim_coverage(Coverage("missing", next=BUILD), {"path": "a"}).next == (*BUILD, "--path", "a")
    check, prune = CheckRow("x", "error", "said", next=(BUILD, ("pip", "list"))), PruneRow(0, 0, 0, 0, ())
    aimed = check._replace(next=((*BUILD, "--path", "a"), ("pip", "list")))
    assert aim_rows([check, prune], {"path": "a"}) == [aimed, prune]


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        ("codetrail index build", "codetrail index build --path 'a b'"),
        ("codetrail index build needs time", "codetrail index build needs time"),
        ("type one of them", "type one of them"),
        (None, None),
    ],
)
def test_hints(hint: str | None, expected: str | None) -> None:
    failure: CodeTrailError = IndexUnavailable("nothing", hint=hint)
    aim_hint(failure, {"path": "a b"})
    assert failure.hint == expected
    if expected and expected.startswith("codetrail") and "--path" in expected:
        assert shlex.split(expected)[-1] == "a b"
