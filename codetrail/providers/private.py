"""Make and check the folders that only this user may enter: caches, run folders, state.

Nothing is read from or written to a folder of another user (design ``security`` §2). This module must not
know what the folders are for.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping

from codetrail.errors import SystemFailure

OURS = "codetrail"


def cache_home(env: Mapping[str, str]) -> str:
    """Return ``$XDG_CACHE_HOME``, or ``~/.cache`` where that is unset or relative."""
    return _home(env, "XDG_CACHE_HOME", "~/.cache")


def state_home(env: Mapping[str, str]) -> str:
    """Return ``$XDG_STATE_HOME``, or ``~/.local/state`` where that is unset or relative."""
    return _home(env, "XDG_STATE_HOME", "~/.local/state")


def private_folder(home: str, *names: str) -> str:
    """Make ``home/codetrail/name/...`` and return it; everything from ``codetrail`` on is ours alone (0700).

    A folder of ours with a wider mode is narrowed. Raises SystemFailure when a step is a link, no folder, or
    belongs to another user, or when the system refuses.
    """
    path = home
    try:
        os.makedirs(home, mode=0o700, exist_ok=True)
        for name in (OURS, *names):
            path = os.path.join(path, name)
            _own(path)
    except OSError as error:
        raise SystemFailure(f"The private folder {_shown(path)} cannot be made: {error.strerror}.") from error
    return path


def _own(path: str) -> None:
    """Make one folder, or take one that is there, if it is this user's; both through a handle."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(handle)
        if found.st_uid != os.geteuid():
            raise SystemFailure(
                f"The private folder {_shown(path)} belongs to another user.", code="io_error"
            )
        if stat.S_IMODE(found.st_mode) != 0o700:
            os.fchmod(handle, 0o700)
    finally:
        os.close(handle)


def _shown(path: str) -> str:
    """Return a path as it is shown: escaped, below the user's own folder from there on."""
    own = os.path.expanduser("~").rstrip("/") + "/"
    shown = "~/" + path[len(own) :] if path.startswith(own) else path
    return f"{shown!a:.200}"


def _home(env: Mapping[str, str], variable: str, default: str) -> str:
    value = env.get(variable, "")
    return value if os.path.isabs(value) else os.path.expanduser(default)
