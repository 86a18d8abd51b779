"""The seal that tells an index this user's CodeTrail made here from one that came with a repository.

A key of 32 random bytes lies in the user's state folder, readable by the user alone; the side file of a
snapshot carries an HMAC-SHA256 made with it (security §2). Nothing here knows what is sealed.
"""

from __future__ import annotations

import hmac
import os
import stat
from collections.abc import Mapping

from codetrail.errors import SystemFailure

_FOLDER = "codetrail"
_FILE = "seal.key"
_SIZE = 32
_CONTEXT = b"codetrail seal 1\n"


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
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
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
    home = state_home(env)
    folder = os.path.join(home, _FOLDER)
    try:
        os.makedirs(home, 0o700, exist_ok=True)
        _make_private(folder)
        key = os.urandom(_SIZE)
        temporary = os.path.join(folder, f"tmp-{os.urandom(8).hex()}")
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, key)
            os.fsync(file)
        finally:
            os.close(file)
        # Two first builds at once must end with one key: only the first link to the name succeeds.
        final = os.path.join(folder, _FILE)
        try:
            os.link(temporary, final)
        except FileExistsError:
            if read_key(env) is None:
                os.replace(temporary, final)
        if os.path.lexists(temporary):
            os.unlink(temporary)
    except OSError as error:
        raise SystemFailure("The key that seals the index could not be kept in the state folder.") from error
    kept = read_key(env)
    if kept is None:
        raise SystemFailure("The key that seals the index is not private in the state folder.")
    return kept


def _make_private(folder: str) -> None:
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        status = os.lstat(folder)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and status.st_mode & 0o022:
            os.chmod(folder, 0o700)


def _is_private(status: os.stat_result, forbidden: int) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & forbidden
