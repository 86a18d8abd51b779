"""Say which commands install what packages ask for: by lock file, in the folder that it stands in.

Each command runs no scripts and names no package but the declarations of Node's own modules. A folder is the
only word of it that is not written here, and stands in it only where its name can mean nothing else
(decision 3). This module must not know what is installed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from codetrail.providers.typescript.projects import LOCKS, WORKSPACES, Projects, folder_of
from codetrail.workspace.configuration_text import Unparsable, parse_json
from codetrail.workspace.ignore import IgnoreRules

FROZEN = {
    "package-lock.json": ("npm", "ci", "--ignore-scripts"),
    "npm-shrinkwrap.json": ("npm", "ci", "--ignore-scripts"),
    "pnpm-lock.yaml": ("pnpm", "install", "--frozen-lockfile", "--ignore-scripts"),
    "yarn.lock": ("yarn", "install", "--frozen-lockfile", "--ignore-scripts"),
    "bun.lock": ("bun", "install", "--frozen-lockfile", "--ignore-scripts"),
    "bun.lockb": ("bun", "install", "--frozen-lockfile", "--ignore-scripts"),
    "": ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"),
    WORKSPACES: ("pnpm", "install", "--ignore-scripts"),
}
"""What installs a folder, by its lock file; ``""`` and ``pnpm-workspace.yaml`` stand where there is none."""
NODE_TYPES = {
    "pnpm-lock.yaml": ("pnpm", "add", "--save-dev", "--ignore-scripts", "@types/node"),
    "yarn.lock": ("yarn", "add", "--dev", "--ignore-scripts", "@types/node"),
    "bun.lock": ("bun", "add", "--dev", "--ignore-scripts", "@types/node"),
    "bun.lockb": ("bun", "add", "--dev", "--ignore-scripts", "@types/node"),
    "": ("npm", "install", "--save-dev", "--ignore-scripts", "@types/node"),
}
"""What adds the declarations of Node's own modules, by lock file; ``""`` is npm, with or without one."""
BERRY_NODE_TYPES = ("yarn", "add", "--dev", "--mode=skip-build", "@types/node")
BERRY = ("yarn", "install", "--immutable", "--mode=skip-build")
_AT_ROOT = {"pnpm": "--workspace-root", "yarn": "-W"}
"""What pnpm and the first Yarn want to hear before they add anything to the root of a workspace."""
_BERRY_MARK = b"__metadata:"
"""What a lock file of Yarn 2 and later holds, whose options are others."""
_ALONE = "--ignore-workspace"
"""What pnpm wants to hear where a workspace around the folder is not its own."""
_MOST = 5
"""Commands that are proposed at once."""
_PLAIN = re.compile(r"(?:[A-Za-z0-9_@][A-Za-z0-9_@.+-]*)(?:/[A-Za-z0-9_@][A-Za-z0-9_@.+-]*)*")
"""Folders that can be typed as they are: no option, no way up, nothing that a shell takes for more."""
_PNPM_ITEM = re.compile(r"""\s*-\s*(?:"([^"]+)"|'([^']+)'|([^'"#\s]+))""")
_PNPM_LIST = re.compile(r"packages\s*:([^#]*)")
_PNPM_WORD = re.compile(r"""[^\s,'"\[\]]+""")
_NEGATED = re.compile(r"\A(!?)(?:\./|/)*")
"""The sign before a pattern of members, and what says that it starts at the root, which all of them do."""

Read = Callable[[str], bytes | None]


class _Place(NamedTuple):
    """A folder that an installation is made in; ``lock`` is the name of its lock file, ``""`` without one."""

    folder: str
    lock: str
    is_berry: bool = False
    is_alone: bool = True
    """Whether a pnpm workspace around it is to be left alone, if there is one."""


def install_commands(folders: Iterable[str], projects: Projects, read: Read) -> tuple[tuple[str, ...], ...]:
    """Return what installs the packages that those in ``folders`` (root-relative) ask for, at most five.

    A folder that cannot be typed plainly gets no command.
    """
    places = dict.fromkeys(_place(folder, projects, read) for folder in folders)
    commands = (_in_folder(_frozen(place), place, projects) for place in places)
    return tuple(dict.fromkeys(command for command in commands if command))[:_MOST]


def command_to_add_node_types(projects: Projects, read: Read) -> tuple[str, ...]:
    """Return the command that adds the declarations of Node's own modules, running no scripts; () for none.

    To the package that is nearest to the root, where most files see them.
    """
    folders = sorted(map(folder_of, projects.manifests), key=lambda one: (_depth(one), one))
    place = _place(folders[0] if folders else "", projects, read)
    if place.is_berry:
        return _in_folder(BERRY_NODE_TYPES, place, projects)
    command = NODE_TYPES.get(place.lock, NODE_TYPES[""])
    at_root = _AT_ROOT.get(command[0]) if _patterns(place.folder, projects, read) is not None else None
    words = (*command[:2], at_root, *command[2:]) if at_root else command
    return _in_folder(words, place, projects)


def manifest_of(data: bytes | None) -> dict[str, object]:
    """Return the object that a package.json holds; an empty one where it is broken or not there."""
    try:
        content = parse_json(data or b"null")
    except Unparsable:
        return {}
    return content if isinstance(content, dict) else {}


def _place(folder: str, projects: Projects, read: Read) -> _Place:
    """Return where a package is installed: in its folder, or in the root of the workspace that it is in."""
    locks = {(folder_of(path), os.path.basename(path)) for path in projects.locks}
    at = folder
    while True:
        own = next((name for name in LOCKS if (at, name) in locks), None)
        patterns = _patterns(at, projects, read)
        if at == folder or (patterns is not None and _is_member(folder, at, patterns)):
            if own is not None:
                is_berry = own == "yarn.lock" and _BERRY_MARK in (read(_join(at, own)) or b"")
                return _Place(at, own, is_berry, patterns is None)
            if patterns is not None:
                return _Place(
                    at, WORKSPACES if _join(at, WORKSPACES) in projects.inputs else "", False, False
                )
        if not at:
            return _Place(folder, "")
        at = folder_of(at)


def _patterns(folder: str, projects: Projects, read: Read) -> tuple[str, ...] | None:
    """Return which folders are members of the workspace that ``folder`` is the root of; None: it is none."""
    found: list[str] = []
    spaces = None
    if _join(folder, "package.json") in projects.manifests:
        spaces = manifest_of(read(_join(folder, "package.json"))).get("workspaces")
        spaces = spaces.get("packages") if isinstance(spaces, dict) else spaces
    is_workspace = isinstance(spaces, list)
    found += [one for one in spaces if isinstance(one, str)] if isinstance(spaces, list) else []
    if _join(folder, WORKSPACES) in projects.inputs:
        is_workspace = True
        found += _pnpm_packages((read(_join(folder, WORKSPACES)) or b"").decode("utf-8", "replace"))
    return tuple(found) if is_workspace else None


def _pnpm_packages(text: str) -> list[str]:
    """Return the list below ``packages:``, which is all that is written there in practice."""
    found = []
    inside = False
    for line in text.splitlines():
        if line[:1].strip() and line[0] not in "#-":
            listed = _PNPM_LIST.match(line)
            inside = listed is not None
            found += _PNPM_WORD.findall(listed[1]) if listed is not None else []
        item = _PNPM_ITEM.match(line) if inside else None
        if item is not None:
            found.append(item[1] or item[2] or item[3])
    return found


def _is_member(folder: str, root: str, patterns: Iterable[str]) -> bool:
    """Tell whether the last pattern that a folder matches takes it into the workspace."""
    inside = folder[len(root) + 1 :] if root else folder
    signs = (
        ("!" if one.startswith("!") else "", one.removeprefix("!").removeprefix("./")) for one in patterns
    )
    rules = IgnoreRules(os.fsencode(f"{sign}/{one.lstrip('/')}") for sign, one in signs)
    return rules.verdict(os.fsencode(inside), is_folder=True) is True


def _frozen(place: _Place) -> tuple[str, ...]:
    return BERRY if place.is_berry else FROZEN[place.lock]


def _in_folder(command: tuple[str, ...], place: _Place, projects: Projects) -> tuple[str, ...]:
    """Return the command for a folder as each program wants to be told it; () where it cannot be typed."""
    folder = place.folder
    if not folder:
        return command
    if not _PLAIN.fullmatch(folder):
        return ()
    program, verb, *rest = command
    if program == "npm":
        return (program, verb, "--prefix", folder, *rest)
    if program == "pnpm":
        around = any(folder_of(path) != folder for path in _workspaces_around(folder, projects.inputs))
        alone = (_ALONE,) if place.is_alone and around else ()
        return (program, "--dir", folder, verb, *alone, *rest)
    if program == "yarn":
        return (program, "--cwd", folder, verb, *rest)
    return (program, verb, "--cwd", folder, *rest)


def _workspaces_around(folder: str, inputs: Iterable[str]) -> list[str]:
    return [
        path
        for path in inputs
        if os.path.basename(path) == WORKSPACES and f"{folder}/".startswith(f"{folder_of(path)}/".lstrip("/"))
    ]


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0
