"""Trust holds for exactly what a person saw: this folder, these files, these commands."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import SystemFailure
from codetrail.providers import trust
from codetrail.providers.trust import Execution, TrustState

SEEN = Execution((("build.rs", "aa"), ("mvnw", "bb")), (("python3.12", "-x"),))


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "ws").mkdir()
    return str(tmp_path / "ws")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_STATE_HOME": str(tmp_path / "state")}


def record(env: dict[str, str]) -> Path:
    return Path(env["XDG_STATE_HOME"]) / "codetrail" / "trust.json"


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param(SEEN, TrustState(True), id="the same"),
        pytest.param(Execution((("mvnw", "bb"),)), TrustState(True), id="less"),
        pytest.param(Execution(()), TrustState(True), id="nothing"),
        pytest.param(Execution((("mvnw", "cc"),)), TrustState(False, ("mvnw",)), id="a file changed"),
        pytest.param(Execution((("x.sh", "aa"),)), TrustState(False, ("x.sh",)), id="a file came"),
        pytest.param(
            Execution(commands=(("python3.12", "-y"),)),
            TrustState(False, ("python3.12",)),
            id="other arguments",
        ),
        pytest.param(Execution(commands=(("sh",),)), TrustState(False, ("sh",)), id="another program"),
    ],
)
def test_state_after_a_grant(root: str, env: dict[str, str], now: Execution, expected: TrustState) -> None:
    trust.grant(root, SEEN, env)
    assert trust.state(root, now, env) == expected


def test_nothing_is_trusted_without_a_grant_or_after_revoking(root: str, env: dict[str, str]) -> None:
    assert trust.state(root, Execution(), env) == TrustState(False)
    assert trust.revoke(root, env) is False
    trust.grant(root, SEEN, env)
    assert trust.revoke(root, env) is True
    assert trust.state(root, SEEN, env) == TrustState(False)


def test_a_grant_covers_that_folder_only(root: str, env: dict[str, str]) -> None:
    below = os.path.join(root, "below")
    os.mkdir(below)
    trust.grant(root, SEEN, env)
    for other in (below, os.path.dirname(root)):
        assert not trust.state(other, SEEN, env).trusted


def test_another_folder_at_the_same_path_is_not_trusted(root: str, env: dict[str, str]) -> None:
    trust.grant(root, SEEN, env)
    os.rename(root, root + ".old")
    os.mkdir(root)
    assert trust.state(root, SEEN, env) == TrustState(False, (".",))


def test_the_record_is_private(root: str, env: dict[str, str]) -> None:
    trust.grant(root, SEEN, env)
    assert stat.S_IMODE(record(env).stat().st_mode) == 0o600
    assert stat.S_IMODE(record(env).parent.stat().st_mode) == 0o700
    assert not list(record(env).parent.glob("trust-*"))


def rewrite(path: Path, text: str) -> None:
    path.write_text(text)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.chmod(0o666), id="others can write"),
        pytest.param(lambda path: rewrite(path, "["), id="no JSON"),
        pytest.param(lambda path: rewrite(path, "[" * 100_000), id="nested without end"),
        pytest.param(lambda path: rewrite(path, '{"version": 9, "workspaces": {}}'), id="another version"),
        pytest.param(lambda path: rewrite(path, '{"version": 1, "workspaces": []}'), id="another shape"),
        pytest.param(lambda path: (path.rename(path.with_name("t")), path.symlink_to("t")), id="a link"),
    ],
)
def test_a_record_that_cannot_be_relied_on_grants_nothing(
    root: str, env: dict[str, str], spoil: Callable[[Path], object]
) -> None:
    trust.grant(root, SEEN, env)
    spoil(record(env))
    assert trust.state(root, SEEN, env) == TrustState(False)


def test_a_record_with_broken_parts_grants_nothing_and_can_be_replaced(
    root: str, env: dict[str, str]
) -> None:
    trust.grant(root, SEEN, env)
    content = json.loads(record(env).read_text())
    content["workspaces"][root] |= {"files": {"mvnw": "bb"}, "commands": "sh"}
    record(env).write_text(json.dumps(content))
    assert trust.state(root, SEEN, env).changed == ("build.rs", "mvnw", "python3.12")
    trust.grant(root, SEEN, env)
    assert trust.state(root, SEEN, env).trusted


def test_grants_of_several_workspaces_are_kept(tmp_path: Path, root: str, env: dict[str, str]) -> None:
    other = str(tmp_path)
    trust.grant(root, SEEN, env)
    trust.grant(other, Execution(), env)
    assert trust.state(root, SEEN, env).trusted
    assert trust.state(other, Execution(), env).trusted


def test_a_state_folder_that_is_a_file_is_an_error(root: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemFailure):
        trust.grant(root, SEEN, {"XDG_STATE_HOME": str(tmp_path / "file")})


def test_unattended_grants_are_for_the_users_own_folders(tmp_path: Path, root: str) -> None:
    assert trust.may_grant_unattended(root, (str(tmp_path),))
    assert trust.may_grant_unattended(root, (root,))
    assert not trust.may_grant_unattended(root, (root + "/below", "ws", str(tmp_path / "other")))
    assert not trust.may_grant_unattended(root, ())
