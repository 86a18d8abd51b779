"""Remember which workspaces a person trusts to run their own programs, and notice when those changed.

The record lies in the user's state folder (``$XDG_STATE_HOME/codetrail/trust.json``, 0600); nothing inside a
workspace can write or widen it. A record holds the real path, device, inode and the SHA-256 of each file that
would be executed; any difference makes the workspace untrusted again. This module asks nobody: the command
line does, and only after that calls ``grant``. Rules: design ``security`` §1.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from codetrail.errors import SystemFailure
from codetrail.providers import private
from codetrail.providers.programs import is_inside

_VERSION = 1
_LARGEST = 16 << 20


@dataclass(frozen=True, slots=True)
class Execution:
    """What a build would run because of the workspace: what a person is asked about.

    ``files`` are (root-relative path, SHA-256 in hex) of everything that would be executed; ``commands`` are
    programs with arguments that the workspace's ``codetrail.toml`` names, asked for apart.
    """

    files: tuple[tuple[str, str], ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()


class TrustState(NamedTuple):
    """Whether a workspace is trusted now, and if a record no longer holds, what changed.

    ``changed`` names files (root-relative) that are new or differ, commands (their program) that are new, or
    ``.`` when the folder itself is another one than was trusted.
    """

    trusted: bool
    changed: tuple[str, ...] = ()


def state(root: str, execution: Execution, env: Mapping[str, str]) -> TrustState:
    """Tell whether everything that would be executed in the real path ``root`` now was granted, unchanged.

    What was granted and is no longer executed does not matter. A trust file that belongs to another user,
    that others can write, or that cannot be read grants nothing.
    """
    record = _read(_path(env)).get(root)
    if not isinstance(record, dict):
        return TrustState(False)
    if (record.get("device"), record.get("inode")) != _identity(root):
        return TrustState(False, (".",))
    granted = set(_pairs(record.get("files")))
    changed = {path for path, digest in execution.files if (path, digest) not in granted}
    commands = record.get("commands")
    allowed = (
        {tuple(one) for one in commands if isinstance(one, list)} if isinstance(commands, list) else set()
    )
    changed |= {command[0] for command in execution.commands if command not in allowed}
    return TrustState(not changed, tuple(sorted(changed)))


def grant(root: str, execution: Execution, env: Mapping[str, str]) -> None:
    """Record that a person trusts the real path ``root`` to execute exactly this. Raises SystemFailure."""
    device, inode = _identity(root)
    with _changing(env) as records:
        records[root] = {
            "device": device,
            "inode": inode,
            "files": [list(pair) for pair in sorted(execution.files)],
            "commands": [list(command) for command in sorted(execution.commands)],
        }


def revoke(root: str, env: Mapping[str, str]) -> bool:
    """Forget the record of the real path ``root``; return whether there was one. Raises SystemFailure."""
    with _changing(env) as records:
        return records.pop(root, None) is not None


def may_grant_unattended(root: str, trusted_roots: Iterable[str]) -> bool:
    """Tell whether the user's own configuration lets ``--trust`` through without a terminal to ask on."""
    return any(os.path.isabs(folder) and is_inside(root, folder) for folder in trusted_roots)


def _path(env: Mapping[str, str]) -> str:
    return os.path.join(private.state_home(env), private.OURS, "trust.json")


def _identity(root: str) -> tuple[int, int]:
    try:
        found = os.stat(root, follow_symlinks=False)
    except OSError as error:
        raise SystemFailure(f"The workspace cannot be looked at: {error.strerror}.") from error
    return found.st_dev, found.st_ino


def _read(path: str) -> dict[str, object]:
    """Return the records by real path; empty when the file is missing, not ours alone, or not readable."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return {}
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
            return {}
        try:
            content = json.loads(file.read(_LARGEST))
        except (ValueError, RecursionError):
            return {}
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        return {}
    records = content.get("workspaces")
    return records if isinstance(records, dict) else {}


def _pairs(value: object) -> Iterator[tuple[str, str]]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, list) and len(item) == 2:
            yield str(item[0]), str(item[1])


@contextlib.contextmanager
def _changing(env: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """Yield the records under a lock and replace the file as a whole at the end."""
    folder = private.private_folder(private.state_home(env))
    try:
        lock = os.open(os.path.join(folder, "trust.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            records = _read(_path(env))
            yield records
            _replace(folder, {"version": _VERSION, "workspaces": records})
        finally:
            os.close(lock)
    except OSError as error:
        raise SystemFailure(f"The trust record cannot be written: {error.strerror}.") from error


def _replace(folder: str, content: Mapping[str, object]) -> None:
    handle, temporary = tempfile.mkstemp(prefix="trust-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(content, file, indent=1, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, os.path.join(folder, "trust.json"))
    except BaseException:
        os.unlink(temporary)
        raise
