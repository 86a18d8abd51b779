"""What is installed, told without reading it, and the command that installs what is not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from codetrail.providers.typescript.dependencies import Dependencies, look_at
from codetrail.providers.typescript.projects import read_projects
from codetrail.workspace import inputs
from tests.providers.typescript.fakes import write_typescript

ASKS = '{"name": "a", "dependencies": {"left-pad": "1"}}'
ASKS_NOTHING = '{"name": "a", "dependencies": {}}'


def looked_at(root: Path, files: dict[str, str]) -> Dependencies:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    def read(path: str) -> bytes | None:
        place = root / path
        return place.read_bytes() if place.is_file() else None

    others = {path: "" for path in files if "node_modules" not in path}
    return look_at(os.path.realpath(root), read_projects(read, others), read)


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        pytest.param({}, (), id="no package at all"),
        pytest.param({"package.json": ASKS}, ("",), id="nothing installed"),
        pytest.param({"package.json": ASKS_NOTHING}, (), id="nothing asked for"),
        pytest.param({"package.json": "{"}, (), id="no JSON"),
        pytest.param({"package.json": "[" * 100_000}, (), id="deep JSON"),
        pytest.param({"package.json": ASKS, "node_modules/x/a": ""}, (), id="installed"),
        pytest.param({"p/a/package.json": ASKS, "node_modules/x/a": ""}, (), id="installed above"),
        pytest.param(
            {"p/a/package.json": ASKS, "p/b/package.json": ASKS, "p/a/node_modules/x/a": ""},
            ("p/b",),
            id="installed beside",
        ),
        pytest.param(
            {"p/a/package.json": ASKS, "p/b/package.json": '{"name": "left-pad"}'}, (), id="its own package"
        ),
        pytest.param({"package.json": '{"devDependencies": {"x": "1"}}'}, ("",), id="for development"),
    ],
)
def test_what_is_not_installed(tmp_path: Path, files: dict[str, str], missing: tuple[str, ...]) -> None:
    assert looked_at(tmp_path, files).missing == missing


@pytest.mark.parametrize(
    "mark",
    [
        ".package-lock.json",
        ".modules.yaml",
        ".pnpm/lock.yaml",
        ".yarn-state.yml",
        ".yarn-integrity",
        "../.pnp.cjs",
    ],
)
def test_another_installation_has_other_facts_and_is_watched(tmp_path: Path, mark: str) -> None:
    before = looked_at(tmp_path, {"package.json": ASKS, "node_modules/x/a": ""})
    place = tmp_path / "node_modules" / mark
    place.parent.mkdir(exist_ok=True)
    place.write_text("one")
    one = looked_at(tmp_path, {"package.json": ASKS})
    place.write_text("two")
    two = looked_at(tmp_path, {"package.json": ASKS})
    assert len({before.facts, one.facts, two.facts}) == 3
    assert os.path.normpath(place) in two.watched


def test_a_link_is_another_installation_and_scopes_are_watched(tmp_path: Path) -> None:
    root, outside = tmp_path / "w", tmp_path / "outside"
    pads = [outside / one / "node_modules/@scope/pad" for one in ("a", "b")]
    for pad in pads:
        pad.mkdir(parents=True)
    facts = []
    (root / "node_modules/@scope").mkdir(parents=True)
    for pad in pads:
        (root / "node_modules/@scope/pad").symlink_to(pad)
        facts.append(looked_at(root, {"package.json": ASKS}).facts)
        (root / "node_modules/@scope/pad").unlink()
    shutil.rmtree(root / "node_modules")
    for pad in pads:
        (root / "node_modules").symlink_to(pad.parent.parent)
        found = looked_at(root, {"package.json": ASKS})
        assert found.missing == ()
        assert str(root / "node_modules/@scope") in found.watched
        facts.append(found.facts)
        (root / "node_modules").unlink()
    assert len(set(facts)) == 4


@pytest.mark.parametrize("target", ["elsewhere", "."])
def test_a_link_that_is_not_read_is_no_installation(tmp_path: Path, target: str) -> None:
    (tmp_path / "elsewhere/left-pad").mkdir(parents=True)
    (tmp_path / "w").mkdir()
    (tmp_path / "w/node_modules").symlink_to(tmp_path / target)
    assert looked_at(tmp_path / "w", {"package.json": ASKS}).missing == ("",)


def test_every_file_whose_change_a_question_notices_is_an_input_of_the_unit() -> None:
    names = [name for name, languages in inputs._NAMES.items() if "typescript" in languages]
    assert set(read_projects(lambda _: None, dict.fromkeys(names, "")).inputs) == set(names)


def test_facts_name_no_place_of_the_machine(tmp_path: Path) -> None:
    files = {"package.json": ASKS, "p/package.json": ASKS, "node_modules/.package-lock.json": "{}"}
    found = looked_at(tmp_path, files)
    assert not [fact for fact in found.facts if str(tmp_path) in "".join(fact)]
    assert all(os.path.isabs(path) for path in found.watched)


def test_a_pipe_in_the_place_of_a_mark_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    os.mkfifo(tmp_path / "node_modules/.package-lock.json")
    assert looked_at(tmp_path, {"package.json": ASKS}).missing == ()


def test_the_version_of_the_workspaces_own_typescript_is_read(tmp_path: Path) -> None:
    write_typescript(tmp_path / "node_modules/typescript", "7.0.2", library=False)
    assert looked_at(tmp_path, {"package.json": ASKS}).typescript == "7.0.2"
    assert looked_at(tmp_path, {"package.json": ASKS}).plug_and_play is False
