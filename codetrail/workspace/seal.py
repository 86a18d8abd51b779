"""The seal that tells what this user's CodeTrail made here from what came with a repository.

A key of 32 random bytes lies in the user's state folder, readable by the user alone; the side file of a
snapshot and the mark of a state folder carry an HMAC-SHA256 made with it (security §2). Nothing here knows
what is sealed.
"""

from __future__ import annotations

import errno
import hmac
import os
import stat
from collections.abc import Mapping
from contextlib import suppress

from codetrail.errors import SystemFailure

_FOLDER = "codetrail"
_FILE = "seal.key"
_SIZE = 32
_CONTEXT = b"codetrail seal 1\n"
_PLACE = "${XDG_STATE_HOME:-$HOME/.local/state}/codetrail"
"""Where the key lies, in a form that can be shown and pasted."""

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def seal(key: bytes, *parts: bytes) -> str:
    """Return the seal (64 hexadecimal digits) over parts, and over where each of them ends."""
    message = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    return hmac.digest(key, _CONTEXT + message, "sha256").hex()


def is_sealed(key: bytes, mark: str, *parts: bytes) -> bool:
    """Tell whether ``mark`` is the seal over the parts."""
    return hmac.compare_digest(mark.encode("utf-8", "replace"), seal(key, *parts).encode("ascii"))


def state_home(env: Mapping[str, str]) -> str:
    """Return the folder of user state: ``$XDG_STATE_HOME`` where absolute, else ``~/.local/state``."""
    named = env.get("XDG_STATE_HOME", "")
    if os.path.isabs(named):
        return named
    return os.path.join(env.get("HOME") or os.path.expanduser("~"), ".local", "state")


def read_key(env: Mapping[str, str]) -> bytes | None:
    """Return this user's key; None where there is none or others could have read or set it."""
    folder = os.path.join(state_home(env), _FOLDER)
    try:
        handle = os.open(folder, _DIRECTORY)
    except OSError:
        return None
    try:
        if not _is_private(os.fstat(handle), stat.S_IWGRP | stat.S_IWOTH):
            return None
        file = os.open(_FILE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=handle)
    except OSError:
        return None
    finally:
        os.close(handle)
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or not _is_private(status, stat.S_IRWXG | stat.S_IRWXO):
            return None
        key = os.read(file, _SIZE + 1)
    except OSError:
        return None
    finally:
        os.close(file)
    return key if len(key) == _SIZE else None


def make_key(env: Mapping[str, str]) -> bytes:
    """Return this user's key, made where there is none or where others could have read it.

    A new key makes every older snapshot foreign, which is right: anyone may have sealed those. Raises
    SystemFailure ``io_error`` where it cannot be kept privately.
    """
    key = read_key(env)
    if key is not None:
        return key
    try:
        folder = _private_folder(state_home(env))
        try:
            _keep(folder, os.urandom(_SIZE), env)
        finally:
            os.close(folder)
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST):
            raise SystemFailure(
                "A folder stands where the key that seals the index is kept.",
                hint=f'rmdir "{_PLACE}/{_FILE}"',
            ) from error
        raise SystemFailure("The key that seals the index could not be kept in the state folder.") from error
    kept = read_key(env)
    if kept is None:
        raise SystemFailure("The key that seals the index is not private in the state folder.")
    return kept


def _keep(folder: int, key: bytes, env: Mapping[str, str]) -> None:
    """Write the key below the handle. Whatever happens, no other file is left that holds it."""
    temporary = f"tmp-{os.urandom(8).hex()}"
    try:
        file = os.open(temporary, _NEW, 0o600, dir_fd=folder)
        try:
            os.write(file, key)
            os.fsync(file)
        finally:
            os.close(file)
        # Two first builds at once must end with one key: only the first link to the name succeeds.
        try:
            os.link(temporary, _FILE, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            if read_key(env) is None:
                os.rename(temporary, _FILE, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _private_folder(home: str) -> int:
    """Open our folder in the state folder, made or narrowed where need be; a link is never followed."""
    os.makedirs(home, 0o700, exist_ok=True)
    path = os.path.join(home, _FOLDER)
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    try:
        handle = os.open(path, _DIRECTORY)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise SystemFailure(
                "The state folder of CodeTrail is a link or a file, so no key is kept in it.",
                hint=f'rm "{_PLACE}"',
            ) from error
        raise
    status = os.fstat(handle)
    if status.st_uid != os.geteuid():
        os.close(handle)
        raise SystemFailure("The state folder of CodeTrail belongs to another user.")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        os.fchmod(handle, 0o700)
    return handle


def _is_private(status: os.stat_result, forbidden: int) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & forbidden
