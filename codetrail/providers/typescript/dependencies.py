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
from codetrail.providers.typescript.projects import LOCKS, WORKSPACES, Projects, folder_of
from codetrail.workspace.configuration_text import Unparsable, parse_json

FOLDER = "node_modules"
_MARKS = (".package-lock.json", ".modules.yaml", ".pnpm/lock.yaml", ".yarn-state.yml", ".yarn-integrity")
"""What npm, pnpm and Yarn leave there; Bun leaves nothing."""
_PLUG_AND_PLAY = ".pnp.cjs"
_LARGEST = 64 << 20
_MOST_FOLDERS = 2000
_MOST_PACKAGES = 10_000
_MOST_SCOPES = 500
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")

_INSTALL = {
    "package-lock.json": ("npm", "ci", "--ignore-scripts"),
    "npm-shrinkwrap.json": ("npm", "ci", "--ignore-scripts"),
    "pnpm-lock.yaml": ("pnpm", "install", "--frozen-lockfile", "--ignore-scripts"),
    "yarn.lock": ("yarn", "install", "--frozen-lockfile", "--ignore-scripts"),
    "bun.lock": ("bun", "install", "--frozen-lockfile", "--ignore-scripts"),
    "bun.lockb": ("bun", "install", "--frozen-lockfile", "--ignore-scripts"),
    "": ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"),
}
_NODE_TYPES = {
    "pnpm-lock.yaml": ("pnpm", "add", "--save-dev", "--ignore-scripts", "@types/node"),
    "yarn.lock": ("yarn", "add", "--dev", "--ignore-scripts", "@types/node"),
    "bun.lock": ("bun", "add", "--dev", "--ignore-scripts", "@types/node"),
    "bun.lockb": ("bun", "add", "--dev", "--ignore-scripts", "@types/node"),
    "": ("npm", "install", "--save-dev", "--ignore-scripts", "@types/node"),
}
"""What adds the declarations of Node's own modules, by lock file; ``""`` is npm, with or without one."""
_BERRY_NODE_TYPES = ("yarn", "add", "--dev", "--mode=skip-build", "@types/node")
_AT_ROOT = {"pnpm": "--workspace-root", "yarn": "-W"}
"""What pnpm and the first Yarn want to hear before they add anything to the root of a workspace."""
_BERRY = ("yarn", "install", "--immutable", "--mode=skip-build")
_BERRY_MARK = b"__metadata:"
"""What a lock file of Yarn 2 and later holds, whose options are others."""


class Dependencies(NamedTuple):
    """What is installed: facts for a unit's digest, absolute paths whose change matters, and what is missing.

    ``missing`` are the package folders (root-relative) that ask for packages other than the workspace's own,
    with no ``node_modules`` that is read at or above them; ``command`` is what would install them, for
    a person to type.
    ``typescript`` is the version of the workspace's own TypeScript, which is never loaded.
    """

    facts: tuple[tuple[str, str], ...]
    watched: tuple[str, ...]
    missing: tuple[str, ...]
    plug_and_play: bool
    command: tuple[str, ...]
    typescript: str | None


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
    manifests = {path: _manifest(read(path)) for path in projects.manifests}
    own = {name for content in manifests.values() if isinstance(name := content.get("name"), str)}
    missing = [
        folder_of(path)
        for path, content in manifests.items()
        if not _is_served(folder_of(path), installed) and _asked(content) - own
    ]
    return Dependencies(
        tuple(sorted(facts)),
        tuple(watched),
        tuple(missing),
        plug_and_play,
        _command(projects, read),
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


def _manifest(data: bytes | None) -> dict[str, object]:
    try:
        content = parse_json(data or b"null")
    except Unparsable:
        return {}
    return content if isinstance(content, dict) else {}


def _asked(content: Mapping[str, object]) -> set[str]:
    """Return the names of the packages that a package.json asks for."""
    asked = [content.get(kind) for kind in _DEPENDENCIES]
    return {name for one in asked if isinstance(one, dict) for name in one}


def asked_packages(projects: Projects, read: Callable[[str], bytes | None]) -> frozenset[str]:
    """Return the names of all packages that some package.json of the workspace asks for."""
    return frozenset(name for path in projects.manifests for name in _asked(_manifest(read(path))))


def command_to_add_node_types(projects: Projects, read: Callable[[str], bytes | None]) -> tuple[str, ...]:
    """Return the command that adds the declarations of Node's own modules, running no scripts."""
    name, is_berry = _lock(projects, read)
    if is_berry:
        return _BERRY_NODE_TYPES
    command = _NODE_TYPES.get(name, _NODE_TYPES[""])
    spaces = WORKSPACES in projects.inputs or "workspaces" in _manifest(read("package.json"))
    at_root = _AT_ROOT.get(command[0]) if spaces else None
    return (*command[:2], at_root, *command[2:]) if at_root else command


def _command(projects: Projects, read: Callable[[str], bytes | None]) -> tuple[str, ...]:
    """Return the command that installs what the lock file nearest to the root says, running no scripts."""
    name, is_berry = _lock(projects, read)
    return _BERRY if is_berry else _INSTALL[name]


def _lock(projects: Projects, read: Callable[[str], bytes | None]) -> tuple[str, bool]:
    """Return the name of the lock file nearest to the root ("": none), and whether it is of a later Yarn."""
    locks = sorted(projects.locks, key=lambda path: (path.count("/"), LOCKS.index(os.path.basename(path))))
    name = os.path.basename(locks[0]) if locks else ""
    return name, name == "yarn.lock" and _BERRY_MARK in (read(locks[0]) or b"")


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
