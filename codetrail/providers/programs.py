"""Find a program that the person, not the workspace, put there; and make the environment it is started in.

What is kept of PATH and why an entry was dropped, which file a name means, which variables a provider gets.
This module starts nothing. Rules: design ``security`` §1.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from typing import NamedTuple

BASE_VARIABLES = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "USER", "LOGNAME")
"""What any tool may need to find its own files and to encode text; nothing that configures or loads code."""

FORBIDDEN_VARIABLES = frozenset({"NODE_OPTIONS", "NODE_PATH", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"})
FORBIDDEN_PREFIXES = ("PYTHON", "LD_", "DYLD_", "SSH_", "GIT_")
_FIXED = {"CI": "1", "NO_COLOR": "1", "GIT_TERMINAL_PROMPT": "0"}


class SearchPath(NamedTuple):
    """A cleaned PATH: the folders kept, in order, and those dropped with the reason."""

    folders: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]


def is_inside(path: str, root: str) -> bool:
    """Tell whether the real path lies in the folder ``root``, by device and inode of its ancestors.

    So other spellings, links, bind mounts and file systems that ignore case do not hide it.
    """
    try:
        wanted = os.stat(root)
    except OSError:
        return False
    here = os.path.realpath(path)
    while True:
        try:
            found = os.stat(here)
        except OSError:
            found = None
        if found is not None and os.path.samestat(found, wanted):
            return True
        above = os.path.dirname(here)
        if above == here:
            return False
        here = above


def clean_path(env: Mapping[str, str], root: str | None) -> SearchPath:
    """Return PATH without what is relative, missing, inside the workspace, or writable by others."""
    kept: list[str] = []
    dropped: list[tuple[str, str]] = []
    for entry in dict.fromkeys(env.get("PATH", os.defpath).split(os.pathsep)):
        reason = _path_objection(entry, root)
        if reason is None:
            kept.append(entry)
        elif reason != "missing":
            dropped.append((entry, reason))
    return SearchPath(tuple(kept), tuple(dropped))


def find_program(name: str, env: Mapping[str, str], root: str | None) -> str | None:
    """Return the absolute path of the program ``name`` on the cleaned PATH, or None.

    A program whose real file lies inside the workspace, or can be written by others, is passed over.
    """
    for folder in clean_path(env, root).folders:
        path = os.path.join(folder, name)
        if is_program(path) and (root is None or not is_inside(path, root)) and not others_can_write(path):
            return path
    return None


def resolve_override(value: str, env: Mapping[str, str], root: str | None) -> str | None:
    """Return the program that a person named: an absolute path, or a bare name on the cleaned PATH.

    A path with separators that is not absolute names nothing: it would depend on the current folder.
    """
    value = os.path.expanduser(value)
    if os.path.isabs(value):
        return value if is_program(value) else None
    return None if os.sep in value else find_program(value, env, root)


def is_program(path: str) -> bool:
    """Tell whether ``path`` is a regular file that this user may execute."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False


def others_can_write(path: str) -> bool:
    """Tell whether another user could put something else at the real path, root apart.

    Looks at owner and mode of the path and of each folder above it; a folder all can write is accepted above
    the last step only with the sticky bit, which keeps others from replacing what is not theirs.
    """
    here = os.path.realpath(path)
    last = True
    while True:
        try:
            found = os.stat(here)
        except OSError:
            return True
        sticky = bool(found.st_mode & stat.S_ISVTX) and not last
        if found.st_uid not in (0, os.geteuid()) or (found.st_mode & stat.S_IWOTH and not sticky):
            return True
        above = os.path.dirname(here)
        if above == here:
            return False
        here, last = above, False


def child_environment(
    env: Mapping[str, str],
    root: str | None,
    allow: Iterable[str] = (),
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Build a provider's whole environment: cleaned PATH, basic variables, those it is allowed, ``extra``.

    Raises ValueError when ``allow`` or ``extra`` names a variable that makes programs load code.
    """
    made = {name: env[name] for name in (*BASE_VARIABLES, *allow) if name in env}
    made["PATH"] = os.pathsep.join(clean_path(env, root).folders)
    made |= extra or {}
    for name in made:
        if name in FORBIDDEN_VARIABLES or name.startswith(FORBIDDEN_PREFIXES):
            raise ValueError(f"{name} must not reach a provider")
    return made | _FIXED


def _path_objection(entry: str, root: str | None) -> str | None:
    if not os.path.isabs(entry):
        return "relative"
    if not os.path.isdir(entry):
        return "missing"
    if root is not None and is_inside(entry, root):
        return "inside_workspace"
    if others_can_write(entry):
        return "writable_by_others"
    return None
