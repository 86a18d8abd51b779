"""Look at which dependencies of a workspace are installed, without reading them.

Package managers leave a file in ``node_modules`` that says what they put there; with the names of the
packages, and where those lead that are links, its bytes stand for the whole folder. What of it was read the
driver tells. Nothing in ``node_modules`` is run or loaded. This module must not know what imports them.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from codetrail.providers.npm_packages import package_version
from codetrail.providers.small_files import read_bounded
from codetrail.providers.typescript.package_managers import manifest_of
from codetrail.providers.typescript.projects import Projects, folder_of

FOLDER = "node_modules"
_MARKS = (".package-lock.json", ".modules.yaml", ".pnpm/lock.yaml", ".yarn-state.yml", ".yarn-integrity")
"""What npm, pnpm and Yarn leave there; Bun leaves nothing."""
_PLUG_AND_PLAY = ".pnp.cjs"
_LARGEST = 64 << 20
_MOST_FOLDERS = 2000
_MOST_PACKAGES = 10_000
_MOST_SCOPES = 500
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


class Dependencies(NamedTuple):
    """What is installed: facts for a unit's digest, absolute paths whose change matters, and what is missing.

    ``missing`` are the package folders (root-relative) that ask for packages other than the workspace's own,
    with no ``node_modules`` that is read at or above them.
    ``typescript`` is the version of the workspace's own TypeScript, which is never loaded.
    """

    facts: tuple[tuple[str, str], ...]
    watched: tuple[str, ...]
    missing: tuple[str, ...]
    plug_and_play: bool
    typescript: str | None


class Packages(NamedTuple):
    """The workspace's own packages, and by folder (root-relative) what each asks for besides those."""

    own: frozenset[str]
    asked: Mapping[str, frozenset[str]]


def look_at(root: str, projects: Projects, read: Callable[[str], bytes | None]) -> Dependencies:
    """Look at ``node_modules`` of the real path ``root`` and beside each ``package.json`` below it."""
    folders = sorted({"", *map(folder_of, projects.manifests)}, key=os.fsencode)[:_MOST_FOLDERS]
    facts: list[tuple[str, str]] = []
    watched: list[str] = []
    installed = {folder for folder in folders if _is_installation(os.path.join(root, folder, FOLDER), root)}
    for folder in folders:
        modules = os.path.join(root, folder, FOLDER)
        watched.append(modules)
        marks = 0
        for mark in _MARKS if folder in installed else ():
            path = os.path.join(modules, mark)
            watched.append(path)
            if (digest := _digest(path)) is not None:
                facts.append((os.path.join(folder, FOLDER, mark), digest))
                marks += 1
        stands = "absent"
        if folder in installed:
            stands, scopes = _packages(modules, root, versions=not marks)
            watched += scopes
        facts.append((os.path.join(folder, FOLDER), stands))
    plug = os.path.join(root, _PLUG_AND_PLAY)
    plug_and_play = os.path.isfile(plug)
    watched.append(plug)
    facts.append((_PLUG_AND_PLAY, _digest(plug) or "absent"))
    asked = packages_of(projects, read).asked
    missing = [folder for folder, names in asked.items() if names and not _is_served(folder, installed)]
    return Dependencies(
        tuple(sorted(facts)),
        tuple(watched),
        tuple(missing),
        plug_and_play,
        _own_typescript(root, folders, installed),
    )


def _is_installation(modules: str, root: str) -> bool:
    """Tell whether there is a ``node_modules`` that the driver reads; ``linked_folders.js`` has the rule."""
    real = os.path.realpath(modules)
    if not os.path.isdir(real):
        return False
    if real.startswith(root.rstrip("/") + "/"):
        return True
    return os.path.basename(real) == FOLDER and not root.startswith(real + "/")


def _packages(modules: str, root: str, *, versions: bool) -> tuple[str, tuple[str, ...]]:
    """Digest which packages a ``node_modules`` holds, and their versions where no mark tells them.

    Returns the folders of scopes too, absolute: what comes there changes nothing that stands in ``modules``.
    """
    names = []
    scopes = []
    try:
        for name in os.listdir(modules):
            inner = os.listdir(os.path.join(modules, name)) if name.startswith("@") else None
            names += [name] if inner is None else [f"{name}/{one}" for one in inner]
            scopes += [os.path.join(modules, name)] if inner is not None else []
    except OSError:
        return "unreadable", ()
    names = sorted((name for name in names if not name.startswith(".")), key=os.fsencode)[:_MOST_PACKAGES]
    whole = hashlib.sha256(_leads_to(modules, root) + b"\0")
    for name in names:
        place = os.path.join(modules, name)
        version = package_version(place, name) if versions else None
        whole.update(os.fsencode(f"{name}\0{version or ''}\0"))
        if os.path.islink(place):
            whole.update(_leads_to(place, root) + b"\0")
    return whole.hexdigest(), tuple(sorted(scopes))[:_MOST_SCOPES]


def _leads_to(path: str, root: str) -> bytes:
    """Return where a path leads, seen from the root: no place of the machine is the same on another."""
    return os.fsencode(os.path.relpath(os.path.realpath(path), root))


def _is_served(folder: str, installed: set[str]) -> bool:
    while True:
        if folder in installed:
            return True
        if not folder:
            return False
        folder = folder_of(folder)


def _asked(content: Mapping[str, object]) -> set[str]:
    """Return the names of the packages that a package.json asks for."""
    asked = [content.get(kind) for kind in _DEPENDENCIES]
    return {name for one in asked if isinstance(one, dict) for name in one}


def packages_of(projects: Projects, read: Callable[[str], bytes | None]) -> Packages:
    """Return the names of the workspace's own packages, and of those that they ask for."""
    manifests = {folder_of(path): manifest_of(read(path)) for path in projects.manifests}
    own = frozenset(name for one in manifests.values() if isinstance(name := one.get("name"), str))
    return Packages(own, {folder: frozenset(_asked(one) - own) for folder, one in manifests.items()})


def _own_typescript(root: str, folders: Iterable[str], installed: set[str]) -> str | None:
    for folder in folders:
        if folder in installed:
            version = package_version(os.path.join(root, folder, FOLDER, "typescript"), "typescript")
            if version is not None:
                return version
    return None


def _digest(path: str) -> str | None:
    data = read_bounded(path, _LARGEST)
    return None if data is None else hashlib.sha256(data).hexdigest()
