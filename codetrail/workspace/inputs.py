"""Name the files that are not source but that compilers' answers depend on: configuration and lock files.

A unit's digest covers the ones its provider reads; a question notices when one of them changed. By file name
only: what stands in them is the providers' business.
"""

from __future__ import annotations

import re

from codetrail.workspace.languages import is_source

_SCRIPT = ("javascript", "typescript")
_JVM = ("java", "kotlin")
_PYTHON = ("python",)
_NAMES: dict[str, tuple[str, ...]] = {
    "build.gradle": _JVM,
    "build.gradle.kts": _JVM,
    "bun.lock": _SCRIPT,
    "bun.lockb": _SCRIPT,
    "Cargo.lock": ("rust",),
    "Cargo.toml": ("rust",),
    "codetrail.toml": (),
    "go.mod": ("go",),
    "go.sum": ("go",),
    "go.work": ("go",),
    "gradle.lockfile": _JVM,
    "jsconfig.json": _SCRIPT,
    "npm-shrinkwrap.json": _SCRIPT,
    "package-lock.json": _SCRIPT,
    "package.json": _SCRIPT,
    "pdm.lock": _PYTHON,
    "Pipfile.lock": _PYTHON,
    "pnpm-lock.yaml": _SCRIPT,
    "pnpm-workspace.yaml": _SCRIPT,
    "poetry.lock": _PYTHON,
    "pom.xml": _JVM,
    "py.typed": _PYTHON,
    "pyproject.toml": _PYTHON,
    "pyrightconfig.json": _PYTHON,
    "rust-toolchain": ("rust",),
    "rust-toolchain.toml": ("rust",),
    "settings.gradle": _JVM,
    "settings.gradle.kts": _JVM,
    "setup.cfg": _PYTHON,
    "uv.lock": _PYTHON,
    "yarn.lock": _SCRIPT,
}
"""The files by name, with the languages whose answers they can change; none named: every language's."""
_TSCONFIG = re.compile(r"tsconfig(\.[\w.-]+)?\.json")


def is_input(path: str) -> bool:
    """Tell whether a root-relative path names a configuration or lock file."""
    name = path.rpartition("/")[2]
    return name in _NAMES or (name.startswith("tsconfig") and _TSCONFIG.fullmatch(name) is not None)


def concerns(path: str, language: str) -> bool:
    """Tell whether the input at a root-relative path can change answers about ``language``."""
    languages = _NAMES.get(path.rpartition("/")[2], _SCRIPT)
    return not languages or language in languages


def is_watched(path: str) -> bool:
    """Tell whether a change of this file can change an answer: source, configuration, lock file."""
    return is_source(path) or is_input(path)
