"""Read what the workspace says about its Python projects: Pyright's settings, names, versions, import roots.

Only as data, and only through ``Workspace.read``; ``setup.py`` is a program and is never run. A file that
cannot be understood is a problem, never a failure. This module must not know engines or interpreters.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from codetrail.model.units import Problem
from codetrail.providers.python.declared_roots import declared_roots
from codetrail.providers.python.setup_cfg import read_section
from codetrail.workspace.configuration_text import LARGEST, parse_json, parse_toml

PYPROJECT = "pyproject.toml"
SETUP_CFG = "setup.cfg"
PYRIGHT = "pyrightconfig.json"
CONFIGURATION_NAMES = frozenset({PYPROJECT, SETUP_CFG, PYRIGHT})
"""Files that make a folder a project or say how it is read: inputs of the unit, as ``setup.py`` is."""

_MOST_PROJECTS = 2000
_MOST_PATHS = 500
_MOST_BYTES = 16 << 20
"""Bytes of configuration that are read for all projects together."""

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?\Z")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]{0,126}\Z")
# What is left open matches up to the end, so that no place is looked at twice.
_COMMENT_OR_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_COMMA_OR_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|,(?=\s*[\]}])')

Read = Callable[[str], bytes | None]


class Package(NamedTuple):
    """One distribution of the workspace: project folder (root-relative, "" is the root), name, version."""

    root: str
    name: str
    version: str | None


class Environment(NamedTuple):
    """Where one project's files import from: project folder, its own import roots, both root-relative.

    ``roots`` are never empty and tried in their order. The workspace itself is always one of the projects,
    with the folder "".
    """

    root: str
    roots: tuple[str, ...]


class PyrightSettings(NamedTuple):
    """What Pyright's own configuration adds: folders to import from, and a virtual environment.

    ``roots`` are root-relative and inside the workspace; ``venv`` is as written: absolute, or relative to
    the workspace root.
    """

    source: str | None = None
    roots: tuple[str, ...] = ()
    venv: str | None = None


@dataclass(frozen=True, slots=True)
class Projects:
    """What was read: packages, all import roots (root-relative, sorted) and those of each project, Pyright's
    settings, problems."""

    packages: tuple[Package, ...]
    roots: tuple[str, ...]
    environments: tuple[Environment, ...]
    pyright: PyrightSettings
    inputs: tuple[str, ...]
    problems: tuple[Problem, ...]


def read_projects(read: Read, others: Iterable[str], files: Iterable[str], extra: Iterable[str]) -> Projects:
    """Read every project of a workspace.

    ``others`` are root-relative paths of configuration files, ``files`` the Python files, ``extra`` import
    roots from the settings. A root is kept if Python files lie below it and it is no package itself.
    """
    inputs = sorted(path for path in others if posixpath.basename(path) in CONFIGURATION_NAMES)
    problems: list[Problem] = []
    files = tuple(files)
    markers = [*inputs, *(path for path in files if posixpath.basename(path) == "setup.py")]
    folders = sorted({posixpath.dirname(path) for path in markers})
    if len(folders) > _MOST_PROJECTS:
        sentence = f"Only the first {_MOST_PROJECTS} project folders were read."
        problems.append(Problem("too_many_projects", sentence, times=len(folders) - _MOST_PROJECTS))
        folders = folders[:_MOST_PROJECTS]
    present = set(inputs)
    packages: list[Package] = []
    declared: list[str] = []
    pyproject: Mapping[str, object] = {}
    allowed = _Allowance(read)
    for number, folder in enumerate(folders):
        if allowed.left <= 0:
            sentence = f"Of the projects' configuration only the first {_MOST_BYTES >> 20} MiB were read."
            problems.append(Problem("too_many_projects", sentence, times=len(folders) - number))
            break
        table = _toml(allowed, posixpath.join(folder, PYPROJECT), present, problems)
        if folder == "":
            pyproject = table
        inside = (inner_path(root, folder) for root in declared_roots(table))
        declared += [root for root in inside if root is not None]
        package = _package_of_pyproject(folder, table)
        if package is None:
            package = _package_of_setup_cfg(allowed, posixpath.join(folder, SETUP_CFG), present, problems)
        if package is not None:
            packages.append(package)
    pyright = _pyright_settings(read, present, pyproject, problems)
    configured = [*pyright.roots, *extra]
    wanted = ["", "src", *configured, *declared]
    wanted += [root for folder in folders for root in (folder, posixpath.join(folder, "src"))]
    roots = _import_roots(wanted, files)
    environments = _environments(folders, roots, configured, declared)
    return Projects(tuple(packages), roots, environments, pyright, tuple(inputs), tuple(problems))


class _Allowance:
    """Reads as it was told to, and counts the bytes."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self.left = _MOST_BYTES

    def __call__(self, path: str) -> bytes | None:
        data = self._read(path)
        self.left -= len(data or b"")
        return data


def inner_path(path: object, base: str = "") -> str | None:
    """Return a path from a configuration as root-relative POSIX path; None where it leads out of the root."""
    if not isinstance(path, str) or "\0" in path or posixpath.isabs(path) or re.match(r"[A-Za-z]:", path):
        return None
    joined = posixpath.normpath(posixpath.join(base, path.replace("\\", "/")))
    if joined == ".." or joined.startswith("../") or posixpath.isabs(joined):
        return None
    return "" if joined == "." else joined


def _import_roots(wanted: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    folders: set[str] = set()
    packages: set[str] = set()
    for path in files:
        folder, name = posixpath.split(path)
        if name in ("__init__.py", "__init__.pyi"):
            packages.add(folder)
        while folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    kept = {root for root in wanted if root in folders and root not in packages}
    return tuple(sorted(kept | {""}))


def _environments(
    folders: Iterable[str], roots: Iterable[str], configured: Iterable[str], declared: Iterable[str]
) -> tuple[Environment, ...]:
    """Give each project its own roots: its folder, ``src`` in it, then what is configured or declared inside.

    The workspace also has everything that was configured, for that was said of all files. A project without
    a root of its own is read as part of the one around it.
    """
    kept = set(roots)
    projects = {"", *folders}
    own: dict[str, list[str]] = {folder: [] for folder in sorted(projects)}
    for folder, mine in own.items():
        source = posixpath.join(folder, "src")
        mine += [
            root for root in (folder, source) if root in kept and (root == folder or root not in projects)
        ]
    everywhere = set(configured)
    for root in (*configured, *declared):
        around = root
        while around not in projects:
            around = posixpath.dirname(around)
        for mine in (own[around], own[""]) if root in everywhere else (own[around],):
            if root in kept and root not in mine:
                mine.append(root)
    return tuple(Environment(folder, tuple(mine)) for folder, mine in own.items() if mine)


def _toml(read: Read, path: str, present: set[str], problems: list[Problem]) -> Mapping[str, object]:
    data = _data(read, path, present, problems)
    if data is None:
        return {}
    try:
        return parse_toml(data)
    except ValueError:
        problems.append(
            Problem("configuration_unreadable", "The file is not valid TOML and was ignored.", path)
        )
        return {}


def _data(read: Read, path: str, present: set[str], problems: list[Problem]) -> bytes | None:
    if path not in present:
        return None
    data = read(path)
    if data is None or len(data) > LARGEST:
        sentence = "The file is no readable regular file below 1 MiB and was ignored."
        problems.append(Problem("configuration_unreadable", sentence, path))
        return None
    return data


def _table(value: object, *keys: str) -> Mapping[str, object]:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _package(folder: str, name: object, version: object) -> Package | None:
    if not isinstance(name, str) or not _NAME.match(name):
        return None
    return Package(folder, name, version if isinstance(version, str) and _VERSION.match(version) else None)


def _package_of_pyproject(folder: str, table: Mapping[str, object]) -> Package | None:
    """Read ``[project]`` (PEP 621), else ``[tool.poetry]``; a dynamic version is not guessed."""
    for section in (_table(table, "project"), _table(table, "tool", "poetry")):
        package = _package(folder, section.get("name"), section.get("version"))
        if package is not None:
            return package
    return None


def _package_of_setup_cfg(
    read: Read, path: str, present: set[str], problems: list[Problem]
) -> Package | None:
    data = _data(read, path, present, problems)
    if data is None:
        return None
    try:
        metadata = read_section(data.decode("utf-8"), "metadata")
    except ValueError:
        problems.append(Problem("configuration_unreadable", "The file is not valid and was ignored.", path))
        return None
    version = metadata.get("version", "")
    computed = version.startswith(("attr:", "file:"))
    return _package(posixpath.dirname(path), metadata.get("name"), None if computed else version)


def _pyright_settings(
    read: Read, present: set[str], pyproject: Mapping[str, object], problems: list[Problem]
) -> PyrightSettings:
    """Read ``pyrightconfig.json``, else ``[tool.basedpyright]`` or ``[tool.pyright]``, at the root."""
    table: Mapping[str, object] = {}
    source: str | None = None
    data = _data(read, PYRIGHT, present, problems)
    if data is not None:
        source = PYRIGHT
        try:
            table = _table(_relaxed_json(data.decode("utf-8")))
        except ValueError:
            sentence = "The file is not valid JSON and was ignored."
            problems.append(Problem("configuration_unreadable", sentence, PYRIGHT))
    else:
        for name in ("basedpyright", "pyright"):
            if not table and _table(pyproject, "tool", name):
                table, source = _table(pyproject, "tool", name), PYPROJECT
    if not table:
        return PyrightSettings(source)
    written = _list(table.get("extraPaths"))
    for one in _list(table.get("executionEnvironments")):
        environment = _table(one)
        base = inner_path(environment.get("root", ""))
        written += [environment.get("root", "")]
        if base is not None:
            written += _list(environment.get("extraPaths"))
    roots = [inner_path(path) for path in written[:_MOST_PATHS]]
    outside = sum(root is None for root in roots) + max(0, len(written) - _MOST_PATHS)
    if outside:
        sentence = "Import folders that lead out of the workspace were left out."
        problems.append(Problem("path_outside_workspace", sentence, source, times=outside))
    return PyrightSettings(source, tuple(root for root in roots if root is not None), _venv(table))


def _venv(table: Mapping[str, object]) -> str | None:
    folder, name = table.get("venvPath", "."), table.get("venv")
    if not isinstance(folder, str) or not isinstance(name, str) or "\0" in folder + name or not name:
        return None
    return posixpath.join(folder, name)


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _relaxed_json(text: str) -> object:
    """Parse JSON with comments and trailing commas, as Pyright does."""

    def keep_strings(match: re.Match[str]) -> str:
        return match[0] if match[0][0] == '"' else " "

    text = _COMMENT_OR_STRING.sub(keep_strings, text.removeprefix("\ufeff"))
    return parse_json(_COMMA_OR_STRING.sub(keep_strings, text))
