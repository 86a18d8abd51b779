"""Read where a project's build tool says its packages lie: folders that its imports start from.

Poetry, setuptools, Hatch, PDM and pytest each have a word for it in ``pyproject.toml``. Read as data, never
by running a tool. This module must not know which of the folders exist.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping


def declared_roots(pyproject: Mapping[str, object]) -> Iterator[str]:
    """Yield the folders that a parsed ``pyproject.toml`` declares, as written there, relative to it."""
    for package in _list(_at(pyproject, "tool", "poetry", "packages")):
        yield from _texts(_at(package, "from"))
    yield from _texts(_at(pyproject, "tool", "setuptools", "packages", "find", "where"))
    yield from _texts(_at(pyproject, "tool", "setuptools", "package-dir", ""))
    for target in ("wheel", "sdist"):
        build = _at(pyproject, "tool", "hatch", "build", "targets", target)
        yield from _texts(_at(build, "sources"))
        for package in _texts(_at(build, "packages")):
            yield posixpath.dirname(package.rstrip("/"))
    yield from _texts(_at(pyproject, "tool", "pdm", "build", "package-dir"))
    yield from _texts(_at(pyproject, "tool", "pytest", "ini_options", "pythonpath"))
    yield from _texts(_at(pyproject, "tool", "pyright", "extraPaths"))
    yield from _texts(_at(pyproject, "tool", "basedpyright", "extraPaths"))


def _at(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> Iterator[str]:
    """Yield a text, or the texts of a list; nothing of anything else."""
    if isinstance(value, str):
        yield value
    for one in _list(value):
        if isinstance(one, str):
            yield one
