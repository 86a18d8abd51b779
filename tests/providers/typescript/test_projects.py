"""What a workspace has besides source that answers depend on, by name and by shallow reading."""

from __future__ import annotations

import hashlib

import pytest

from codetrail.providers.typescript.projects import Projects, read_projects

TREE = {
    "tsconfig.json": '{"extends": "./configs/base", "references": [{"path": "packages/a"}]}',
    "packages/a/tsconfig.json": '{"extends": ["../../configs/strict.json", "@scope/shared"]}',
    "packages/a/tsconfig.test.json": "{}",
    "packages/b/jsconfig.json": "{}",
    "packages/b/package.json": "{}",
    "package.json": "{}",
    "pnpm-lock.yaml": "",
    "pnpm-workspace.yaml": "",
    "pyproject.toml": "",
    "codetrail.toml": "",
}
OTHERS = {"configs/base.json": '{"extends": "./../configs/strict.json"}', "configs/strict.json": "{}"}


def projects_of(*wanted: str, files: dict[str, str] | None = None) -> Projects:
    texts = {**TREE, **OTHERS, **(files or {})}
    inputs = {path: "" for path in {**TREE, **(files or {})} if not path.startswith("configs/")}
    return read_projects(lambda path: texts[path].encode() if path in texts else None, inputs, wanted)


def test_inputs_are_sorted_by_what_they_are() -> None:
    found = projects_of()
    assert found.configs == (
        "packages/a/tsconfig.json",
        "packages/a/tsconfig.test.json",
        "packages/b/jsconfig.json",
        "tsconfig.json",
    )
    assert found.manifests == ("package.json", "packages/b/package.json")
    assert found.locks == ("pnpm-lock.yaml",)
    assert set(found.inputs) == set(TREE) - {"pyproject.toml", "codetrail.toml"}
    assert found.problems == ()


def test_what_is_extended_under_another_name_is_found() -> None:
    digests = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in OTHERS.items()}
    assert dict(projects_of().extended) == digests


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('{"extends": "./gone.json"}', {"gone.json": ""}, id="missing"),
        pytest.param('{"extends": "./tsconfig.json"}', {}, id="itself"),
        pytest.param('// "extends": "./x"\n{"a": 1,}', {"x.json": ""}, id="a comment too much is harmless"),
        pytest.param('{"extends": "../outside.json"}', {}, id="out of the tree"),
        pytest.param('{"extends": "/etc/passwd"}', {}, id="absolute"),
        pytest.param('{"extends": "@scope/pack/tsconfig.json"}', {}, id="a package"),
        pytest.param('{"extends": 3}', {}, id="no text"),
        pytest.param('{"extends": [' + "1," * 100_000, {}, id="not closed"),
        pytest.param("\x00" * 100, {}, id="no JSON"),
    ],
)
def test_extends_is_read_without_trust(text: str, found: dict[str, str]) -> None:
    texts = {"tsconfig.json": text}
    projects = read_projects(
        lambda path: texts[path].encode() if path in texts else None, {"tsconfig.json": ""}
    )
    assert dict(projects.extended) == found


def test_a_circle_of_extends_ends() -> None:
    texts = {
        "tsconfig.json": '{"extends": "./a"}',
        "a.json": '{"extends": "./b"}',
        "b.json": '{"extends": "./a"}',
    }
    projects = read_projects(lambda path: texts[path].encode(), {"tsconfig.json": ""})
    assert [path for path, _ in projects.extended] == ["a.json", "b.json"]


@pytest.mark.parametrize(
    ("wanted", "configs", "missing"),
    [
        pytest.param(
            ("packages/a",),
            ("packages/a/tsconfig.json", "packages/a/tsconfig.test.json"),
            [],
            id="a folder",
        ),
        pytest.param(("packages/a/tsconfig.json",), ("packages/a/tsconfig.json",), [], id="a file"),
        pytest.param((".",), ("tsconfig.json",), [], id="the root"),
        pytest.param(("configs/strict.json",), ("configs/strict.json",), [], id="under another name"),
        pytest.param(
            ("packages/b", "gone"), ("packages/b/jsconfig.json",), ["gone"], id="one that is not there"
        ),
    ],
)
def test_projects_can_be_restricted(
    wanted: tuple[str, ...], configs: tuple[str, ...], missing: list[str]
) -> None:
    found = projects_of(*wanted)
    assert found.configs == configs
    assert [problem.path for problem in found.problems] == missing
    assert all(problem.code == "project_missing" for problem in found.problems)
