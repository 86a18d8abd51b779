"""Find the root of the workspace and turn typed paths into root-relative ones.

The only module of this room that knows absolute paths. It reads a few names and one ``.git`` file; it
never runs git and knows nothing of what the tree holds.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from codetrail.errors import ScopeError, UsageError

STATE_FOLDER = ".codetrail"
_SMALL_FILE = 4096
_WHERE = "paths are relative to the root of the workspace; --path names another workspace"


class Root(NamedTuple):
    """The workspace: its real absolute path and, when it lies in a git work tree, that tree.

    ``git_dir`` is the absolute path of the git folder (for a linked work tree its own one, not the common
    one), ``git_top`` that of the work tree, which is ``path`` or an ancestor of it.
    """

    path: str
    git_dir: str | None = None
    git_top: str | None = None


def find_root(start: str) -> Root:
    """Return the workspace that ``start`` (a folder, absolute or relative to the current one) belongs to.

    The nearest folder with a ``.codetrail/`` that this user's CodeTrail marked (``ownership``), else the git
    top level, else ``start`` (contract §2). The search stops at the git top level and before the home folder,
    a file-system border and a folder of another user. Raises UsageError ``workspace_not_found`` if ``start``
    is no folder.
    """
    path = _real_folder(start)
    chosen: str | None = None
    for folder in _ancestors(path):
        git_dir = find_git_dir(folder)
        if git_dir is not None:
            # Whoever made a state folder here: this is where the search ends.
            return Root(chosen or folder, git_dir, folder)
        if chosen is None and _has_own_state_folder(folder):
            chosen = folder
    return Root(chosen or path)


def current_folder() -> str | None:
    """Return the real path of the current folder, or None where it was removed."""
    try:
        return os.path.realpath(os.curdir)
    except OSError:
        return None


def refuse_unbuildable(root: Root) -> None:
    """Raise UsageError if ``root`` is the file-system root or the home folder (contract §2)."""
    if root.path == _home():
        raise UsageError("the home folder is not indexed as a whole", hint="codetrail index build --path DIR")
    if os.path.dirname(root.path) == root.path:
        raise UsageError(
            "the root of the file system is not indexed as a whole", hint="codetrail index build --path DIR"
        )


def relative(root: Root, typed: str, cwd: str) -> str:
    """Return the root-relative POSIX path of what a user typed; ``""`` is the root itself.

    A relative path is tried against the root first, then against ``cwd``. Links are resolved, so a link
    inside the tree names its target and one that leaves it is outside. Raises ScopeError
    ``scope_outside_workspace`` or ``scope_not_found``.
    """
    if "\0" in typed or not typed:
        raise ScopeError("the path is empty or holds a NUL character", hint=_WHERE)
    bases = [""] if os.path.isabs(typed) else [root.path, cwd]
    candidates = [os.path.join(base, typed) for base in bases]
    inside = False
    outside = False
    for candidate in candidates:
        try:
            real = os.path.realpath(candidate)
        except (OSError, ValueError):
            continue
        below = _below(root.path, real)
        inside = inside or below is not None
        if os.path.lexists(real):
            if below is not None:
                return below
            outside = True
    if outside or not inside:
        raise ScopeError("the path is outside the workspace", code="scope_outside_workspace", hint=_WHERE)
    raise ScopeError("there is no such path in the workspace", code="scope_not_found", hint=_WHERE)


def absolute(root: Root, path: str) -> str:
    """Return the absolute path of the root-relative ``path`` (for process arguments, never for output)."""
    return os.path.join(root.path, path) if path else root.path


def find_git_dir(folder: str) -> str | None:
    """Return the absolute git folder of the work tree whose top is ``folder``, or None.

    ``.git`` is a folder with a ``HEAD``, or a small file ``gitdir: PATH`` (linked work tree, submodule).
    """
    dot_git = os.path.join(folder, ".git")
    try:
        mode = os.lstat(dot_git).st_mode
        if stat.S_ISREG(mode):
            dot_git = _follow_gitfile(folder, dot_git)
        elif not stat.S_ISDIR(mode):
            return None
        return dot_git if stat.S_ISREG(os.lstat(os.path.join(dot_git, "HEAD")).st_mode) else None
    except (OSError, ValueError):
        return None


def common_git_dir(git_dir: str) -> str:
    """Return the git folder that all linked work trees of a repository share (often ``git_dir`` itself)."""
    try:
        shared = os.fsdecode(read_small(os.path.join(git_dir, "commondir")).strip(b"\r\n"))
    except OSError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, shared)) if shared and "\0" not in shared else git_dir


def read_small(path: str, limit: int = _SMALL_FILE) -> bytes:
    """Read the first ``limit`` bytes of the regular file at the absolute ``path``; raises OSError."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        raise FileNotFoundError(path)
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.read(handle, limit)
    finally:
        os.close(handle)


def _follow_gitfile(folder: str, gitfile: str) -> str:
    content = read_small(gitfile)
    if not content.startswith(b"gitdir:"):
        raise ValueError("not a gitfile")
    target = os.fsdecode(content[len(b"gitdir:") :].strip(b" \t\r\n"))
    return os.path.realpath(os.path.join(folder, target))


def _real_folder(start: str) -> str:
    try:
        path = os.path.realpath(start, strict=True)
        is_folder = os.path.isdir(path)
    except (OSError, ValueError):
        raise UsageError(
            "there is no such folder", code="workspace_not_found", hint="--path takes a folder"
        ) from None
    if not is_folder:
        raise UsageError(
            "this is a file, not a folder", code="workspace_not_found", hint="--path takes a folder"
        )
    return path


def _has_own_state_folder(folder: str) -> bool:
    path = os.path.join(folder, STATE_FOLDER)
    if not os.path.lexists(path):
        return False
    # Most questions never come here: what checks a seal is loaded for those that do.
    from codetrail.workspace.ownership import is_own_state_folder

    return is_own_state_folder(path)


def _ancestors(path: str) -> list[str]:
    """Return ``path`` and the ancestors that the search may look at, nearest first."""
    home = _home()
    device = os.stat(path).st_dev
    found = [path]
    while path != home and (parent := os.path.dirname(path)) not in {path, home}:
        try:
            status = os.stat(parent)
        except OSError:
            break
        if status.st_dev != device or status.st_uid != os.geteuid():
            break
        found.append(parent)
        path = parent
    return found


def _home() -> str:
    return os.path.realpath(os.path.expanduser("~"))


def _below(root: str, real: str) -> str | None:
    if real == root:
        return ""
    prefix = root if root.endswith("/") else root + "/"
    return real[len(prefix) :] if real.startswith(prefix) else None
