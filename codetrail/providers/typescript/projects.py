"""List what the driver reads of a workspace besides source: configurations, package manifests, lock files.

By name and by shallow reading only: what a configuration means is the compiler's knowledge. Files that
configurations extend under names of their own are found so that a change of them is noticed. This module
must not know engines or units.
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from codetrail.model.units import Problem

_CONFIGURATION = re.compile(r"(?:tsconfig(?:\.[\w.-]+)?|jsconfig)\.json")
_MANIFEST = "package.json"
WORKSPACES = "pnpm-workspace.yaml"
LOCKS = (
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "bun.lockb",
)
"""Lock files by name, in the order in which the one that rules is looked for."""
_EXTENDS = re.compile(r'"extends"\s*:\s*(?:"((?:[^"\\\n]|\\.)*)"|\[([^\]]*)\])')
_TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
EXTENDS = "extends:"
"""Begins the names of facts that are such files; those are watched."""
_LARGEST = 1 << 20
_MOST = 2000


class Projects(NamedTuple):
    """What stands in the workspace besides source that answers depend on; all paths root-relative, sorted.

    ``extended`` maps files that are read only because a configuration extends them to the SHA-256 of their
    bytes ("" where there is none). ``inputs`` are all configuration and lock files.
    """

    configs: tuple[str, ...]
    manifests: tuple[str, ...]
    locks: tuple[str, ...]
    extended: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def read_projects(
    read: Callable[[str], bytes | None], others: Mapping[str, str], wanted: Iterable[str] = ()
) -> Projects:
    """Sort the inputs of a workspace; ``others`` holds them by root-relative path.

    ``wanted`` is ``[typescript] projects``: configurations, or folders of them, to which projects are
    restricted. One that is not there is a problem.
    """
    inputs = _sorted(path for path in others if _is_read(path))
    configs = [path for path in inputs if _CONFIGURATION.fullmatch(posixpath.basename(path))]
    problems: list[Problem] = []
    if wanted := tuple(wanted):
        configs = _restricted(wanted, configs, read, problems)
    return Projects(
        tuple(configs),
        tuple(path for path in inputs if posixpath.basename(path) == _MANIFEST),
        tuple(path for path in inputs if posixpath.basename(path) in LOCKS),
        _extended(configs, read, others),
        inputs,
        tuple(problems),
    )


def folder_of(path: str) -> str:
    """Return the root-relative folder of a path; "" for the root."""
    return posixpath.dirname(path)


def _is_read(path: str) -> bool:
    name = posixpath.basename(path)
    return name in (_MANIFEST, WORKSPACES, *LOCKS) or _CONFIGURATION.fullmatch(name) is not None


def _restricted(
    wanted: tuple[str, ...],
    configs: list[str],
    read: Callable[[str], bytes | None],
    problems: list[Problem],
) -> list[str]:
    found: set[str] = set()
    for one in wanted:
        folder = "" if one == "." else one
        here = {path for path in configs if path == one or folder_of(path) == folder}
        if not here and one.endswith(".json") and read(one) is not None:
            here = {one}
        if not here:
            sentence = "[typescript] projects names a configuration that is not there."
            problems.append(Problem("project_missing", sentence, one))
        found |= here
    return list(_sorted(found))


def _extended(
    configs: Iterable[str], read: Callable[[str], bytes | None], others: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Follow relative ``extends`` to files that are no inputs by their names; at most 2,000 files are read.

    Read with a pattern, comments and all: a file too many is harmless, and the compiler decides what counts.
    """
    waiting = list(configs)
    seen = set(waiting)
    found: dict[str, str] = {}
    while waiting and len(seen) <= _MOST:
        path = waiting.pop()
        data = read(path)
        if path not in others and path not in configs:
            found[path] = "" if data is None else hashlib.sha256(data).hexdigest()
        for target in _targets(path, data or b""):
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return tuple((path, found[path]) for path in _sorted(found))


def _targets(path: str, data: bytes) -> Iterable[str]:
    if len(data) > _LARGEST:
        return
    for single, several in _EXTENDS.findall(data.decode("utf-8", "replace")):
        for text in [single] if single else _TEXT.findall(several):
            if text.startswith(("./", "../")) or text in (".", ".."):
                target = posixpath.normpath(posixpath.join(folder_of(path), text))
                if not target.startswith("../") and target != "..":
                    yield target if target.endswith(".json") else target + ".json"


def _sorted(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(paths, key=os.fsencode))
