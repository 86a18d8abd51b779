"""The commands that install what packages ask for: which program, in which folder.

The right ones come from the manuals of npm, pnpm, Yarn and Bun.
"""

from __future__ import annotations

import pytest

from codetrail.providers.typescript.package_managers import command_to_add_node_types, install_commands
from codetrail.providers.typescript.projects import Projects, read_projects

ASKS = '{"name": "a", "dependencies": {"left-pad": "1"}}'
NPM_LOCK = {"package-lock.json": ""}
SPACES = '{"workspaces": ["packages/*", "!packages/own"]}'
YARN, BERRY = "# yarn lockfile v1\n", "__metadata:\n  version: 8\n"
PNPM_SPACES = "packages:\n  - 'packages/**'\n  # and\n  - \"!**/test/**\"\ncatalog:\n  - app\n"


def projects_of(files: dict[str, str]) -> Projects:
    return read_projects(lambda path: read(files, path), dict.fromkeys(files, ""))


def read(files: dict[str, str], path: str) -> bytes | None:
    return files[path].encode() if path in files else None


def commands(files: dict[str, str], *folders: str) -> list[str]:
    found = install_commands(folders, projects_of(files), lambda path: read(files, path))
    return [" ".join(words) for words in found]


@pytest.mark.parametrize(
    ("locks", "command"),
    [
        ({}, "npm install --ignore-scripts --no-audit --no-fund"),
        ({"package-lock.json": ""}, "npm ci --ignore-scripts"),
        ({"npm-shrinkwrap.json": ""}, "npm ci --ignore-scripts"),
        ({"pnpm-lock.yaml": ""}, "pnpm install --frozen-lockfile --ignore-scripts"),
        ({"yarn.lock": YARN}, "yarn install --frozen-lockfile --ignore-scripts"),
        ({"yarn.lock": BERRY}, "yarn install --immutable --mode=skip-build"),
        ({"bun.lock": ""}, "bun install --frozen-lockfile --ignore-scripts"),
        ({"bun.lockb": ""}, "bun install --frozen-lockfile --ignore-scripts"),
        ({"sub/package-lock.json": "", "yarn.lock": YARN}, "yarn install --frozen-lockfile --ignore-scripts"),
        ({"pnpm-workspace.yaml": PNPM_SPACES}, "pnpm install --ignore-scripts"),
    ],
)
def test_the_program_follows_the_lock_file(locks: dict[str, str], command: str) -> None:
    assert commands({"package.json": ASKS, **locks}, "") == [command]


@pytest.mark.parametrize(
    ("locks", "command"),
    [
        ({}, "npm install --prefix app --ignore-scripts --no-audit --no-fund"),
        ({"app/package-lock.json": ""}, "npm ci --prefix app --ignore-scripts"),
        ({"app/pnpm-lock.yaml": ""}, "pnpm --dir app install --frozen-lockfile --ignore-scripts"),
        ({"app/yarn.lock": YARN}, "yarn --cwd app install --frozen-lockfile --ignore-scripts"),
        ({"app/yarn.lock": BERRY}, "yarn --cwd app install --immutable --mode=skip-build"),
        ({"app/bun.lock": ""}, "bun install --cwd app --frozen-lockfile --ignore-scripts"),
        ({"package-lock.json": ""}, "npm install --prefix app --ignore-scripts --no-audit --no-fund"),
        (
            {"app/pnpm-lock.yaml": "", "pnpm-workspace.yaml": PNPM_SPACES, "pnpm-lock.yaml": ""},
            "pnpm --dir app install --ignore-workspace --frozen-lockfile --ignore-scripts",
        ),
    ],
)
def test_an_installation_below_the_root_is_made_there(locks: dict[str, str], command: str) -> None:
    assert commands({"package.json": "{}", "app/package.json": ASKS, **locks}, "app") == [command]


@pytest.mark.parametrize(
    ("spaces", "folder", "command"),
    [
        ({"package.json": SPACES, "yarn.lock": YARN}, "packages/a", "yarn install --frozen-lockfile"),
        ({"package.json": SPACES, **NPM_LOCK}, "packages/a", "npm ci"),
        ({"package.json": SPACES}, "packages/a", "npm install"),
        (
            {"package.json": SPACES, "package-lock.json": ""},
            "packages/own",
            "npm install --prefix packages/own",
        ),
        (
            {"package.json": SPACES, "package-lock.json": ""},
            "packages/a/b",
            "npm install --prefix packages/a/b",
        ),
        (
            {"package.json": '{"workspaces": {"packages": ["./packages/*"]}}', "yarn.lock": YARN},
            "packages/a",
            "yarn install --frozen-lockfile",
        ),
        (
            {"pnpm-workspace.yaml": PNPM_SPACES, "pnpm-lock.yaml": ""},
            "packages/a/b",
            "pnpm install --frozen-lockfile",
        ),
        (
            {"pnpm-workspace.yaml": PNPM_SPACES, "pnpm-lock.yaml": ""},
            "packages/test/b",
            "npm install --prefix packages/test/b",
        ),
        ({"pnpm-workspace.yaml": "packages: ['a', b/*]\n"}, "b/c", "pnpm install"),
        (
            {"ui/package.json": SPACES, "ui/package-lock.json": "", "package.json": ASKS},
            "ui/packages/a",
            "npm ci --prefix ui",
        ),
    ],
)
def test_a_member_is_installed_with_its_workspace(spaces: dict[str, str], folder: str, command: str) -> None:
    (found,) = commands({f"{folder}/package.json": ASKS, **spaces}, folder)
    assert found.removesuffix(" --no-audit --no-fund").removesuffix(" --ignore-scripts") == command


def test_each_installation_is_named_once_and_five_at_most() -> None:
    files = {"package.json": SPACES, "yarn.lock": YARN, "packages/a/package.json": ASKS}
    assert commands(files, "", "packages/a") == ["yarn install --frozen-lockfile --ignore-scripts"]
    many = [f"p{number}" for number in range(9)]
    locks = {f"{folder}/package-lock.json": "" for folder in many}
    found = commands({**locks, **{f"{folder}/package.json": ASKS for folder in many}}, *many)
    assert found == [f"npm ci --prefix p{number} --ignore-scripts" for number in range(5)]


@pytest.mark.parametrize(
    "folder",
    ["--global", "a b", "$(touch pwned)", "a;b", "-C", "a/-b", "..", "\u202ea", "a\nb", "~"],
)
def test_a_folder_that_a_shell_or_program_may_read_otherwise_gets_no_command(folder: str) -> None:
    assert commands({f"{folder}/package.json": ASKS, f"{folder}/package-lock.json": ""}, folder) == []


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({}, "npm install --save-dev --ignore-scripts @types/node"),
        ({"package.json": "{}"}, "npm install --save-dev --ignore-scripts @types/node"),
        (
            {"package.json": SPACES, "yarn.lock": YARN},
            "yarn add -W --dev --ignore-scripts @types/node",
        ),
        (
            {"package.json": "{}", "pnpm-workspace.yaml": PNPM_SPACES, "pnpm-lock.yaml": ""},
            "pnpm add --workspace-root --save-dev --ignore-scripts @types/node",
        ),
        (
            {"app/package.json": "{}", "app/package-lock.json": ""},
            "npm install --prefix app --save-dev --ignore-scripts @types/node",
        ),
        (
            {"app/package.json": "{}", "app/yarn.lock": YARN, "b/c/package.json": "{}"},
            "yarn --cwd app add --dev --ignore-scripts @types/node",
        ),
        (
            {"app/package.json": "{}", "app/yarn.lock": BERRY},
            "yarn --cwd app add --dev --mode=skip-build @types/node",
        ),
    ],
)
def test_declarations_of_node_are_added_next_to_the_root(files: dict[str, str], command: str) -> None:
    found = command_to_add_node_types(projects_of(files), lambda path: read(files, path))
    assert " ".join(found) == command
