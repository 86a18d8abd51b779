"""Name the files that are not source but that compilers' answers depend on: configuration and lock files.

A unit's digest covers the ones its provider reads; a question notices when one of them changed. By file name
only: what stands in them is the providers' business.
"""

from __future__ import annotations

import re

from codetrail.workspace.languages import is_source

_NAMES = frozenset(
    {
        "build.gradle",
        "build.gradle.kts",
        "Cargo.lock",
        "Cargo.toml",
        "codetrail.toml",
        "go.mod",
        "go.sum",
        "go.work",
        "gradle.lockfile",
        "jsconfig.json",
        "package-lock.json",
        "package.json",
        "pdm.lock",
        "Pipfile.lock",
        "pnpm-lock.yaml",
        "pnpm-workspace.yaml",
        "poetry.lock",
        "pom.xml",
        "py.typed",
        "pyproject.toml",
        "pyrightconfig.json",
        "rust-toolchain",
        "rust-toolchain.toml",
        "settings.gradle",
        "settings.gradle.kts",
        "setup.cfg",
        "uv.lock",
        "yarn.lock",
    }
)
_TSCONFIG = re.compile(r"tsconfig(\.[\w.-]+)?\.json")


def is_input(path: str) -> bool:
    """Tell whether a root-relative path names a configuration or lock file."""
    name = path.rpartition("/")[2]
    return name in _NAMES or (name.startswith("tsconfig") and _TSCONFIG.fullmatch(name) is not None)


def is_watched(path: str) -> bool:
    """Tell whether a change of this file can change an answer: source, configuration, lock file."""
    return is_source(path) or is_input(path)
