"""Learn from git what only git knows: the commit that HEAD names, and which files are tracked.

HEAD is read from files, so questions may ask for it. ``tracked_files`` is the only place in the project
that runs git, and only builds call it; flags and environment are those of security.md §1, so that nothing
a repository configures can run.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable
from typing import NamedTuple

from codetrail.errors import SystemFailure
from codetrail.workspace.root import Root, common_git_dir, read_small

_OBJECT_ID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_REF = re.compile(r"refs/[^\0-\x20\x7f~^:?*\[\\]{1,1000}")
_PACKED_LIMIT = 64 << 20
_MOST_REF_STEPS = 5
_OUTPUT_LIMIT = 512 << 20
_INDEX_LIMIT = 2 << 30
_SMALL_LIMIT = 1 << 20
_TIMEOUT_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1
_GITLINK = b"160000"


class TrackedFile(NamedTuple):
    """One entry of the git index: root-relative path, octal mode as text, object id in hexadecimal."""

    path: str
    mode: str
    object_id: str


def head_commit(root: Root) -> str | None:
    """Return the id of the commit HEAD names, from the files of the git folder alone; None if unborn."""
    if root.git_dir is None:
        return None
    common = common_git_dir(root.git_dir)
    try:
        content = read_small(os.path.join(root.git_dir, "HEAD"))
        for _ in range(_MOST_REF_STEPS):
            if not content.startswith(b"ref:"):
                return _object_id(content)
            name = os.fsdecode(content[4:].strip())
            if not _is_safe_ref(name):
                return None
            found = _loose_ref(root.git_dir, common, name)
            if found is None:
                return _packed_ref(common, name)
            content = found
    except OSError:
        return None
    return None


def tracked_files(root: Root, *, timeout: float = _TIMEOUT_SECONDS) -> tuple[TrackedFile, ...] | None:
    """Return the files of the git index below the root, sorted by path bytes; submodules are left out.

    None if git is not installed or refuses, or could be made to wait by what lies in the git folder; empty
    where there is no work tree or no index. Unmerged paths appear once. Paths that are not Unicode are left
    out. Raises SystemFailure ``timed_out``.
    """
    if root.git_dir is None or root.git_top is None:
        return ()
    index = os.path.join(root.git_dir, "index")
    if not os.path.lexists(index):
        return ()
    program = _find_git(root)
    if program is None or not _answers_at_once(root.git_dir, index):
        return None
    output = _run(
        [
            program,
            "-c",
            "core.fsmonitor=false",
            "-c",
            f"core.hooksPath={os.devnull}",
            "--no-pager",
            f"--git-dir={root.git_dir}",
            f"--work-tree={root.git_top}",
            "ls-files",
            "-s",
            "-z",
        ],
        root.path,
        timeout,
    )
    return None if output is None else _parse_index(output)


def _answers_at_once(git_dir: str, index: str) -> bool:
    """Tell whether the files that git opens first are regular and not huge: a FIFO would hold it up."""
    common = common_git_dir(git_dir)
    limits = {
        index: _INDEX_LIMIT,
        os.path.join(git_dir, "config.worktree"): _SMALL_LIMIT,
        os.path.join(common, "config"): _SMALL_LIMIT,
        os.path.join(common, "packed-refs"): _INDEX_LIMIT,
    }
    for path, limit in limits.items():
        try:
            status = os.lstat(path)
        except FileNotFoundError:
            continue
        except OSError:
            return False
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            return False
    return True


def _dying_with_us() -> Callable[[], object] | None:
    """Return what makes a child end with its parent, where the system can do that (Linux)."""
    if sys.platform != "linux":
        return None
    import ctypes
    import signal

    # Everything is looked up before the fork: a child may do little more than call.
    prctl, kill = ctypes.CDLL(None).prctl, int(signal.SIGKILL)
    return lambda: prctl(_PR_SET_PDEATHSIG, kill, 0, 0, 0)


def _parse_index(output: bytes) -> tuple[TrackedFile, ...]:
    found: dict[str, TrackedFile] = {}
    for entry in output.split(b"\0"):
        head, tab, raw = entry.partition(b"\t")
        fields = head.split(b" ")
        if not tab or len(fields) != 3 or fields[0] == _GITLINK:
            continue
        try:
            path = raw.decode("utf-8")
        except UnicodeDecodeError:
            continue
        found.setdefault(path, TrackedFile(path, fields[0].decode("ascii"), fields[1].decode("ascii")))
    return tuple(sorted(found.values()))


def _run(argv: list[str], folder: str, timeout: float) -> bytes | None:
    """Run git and return its whole output; None if it fails or writes more than the limit."""
    import selectors
    import signal
    import subprocess
    import time

    deadline = time.monotonic() + timeout
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=_dying_with_us(),
        )
    except OSError:
        return None
    assert process.stdout is not None
    parts: list[bytes] = []
    size = 0
    try:
        with process.stdout, selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise SystemFailure("git did not answer in time", code="timed_out")
                part = os.read(process.stdout.fileno(), 1 << 16)
                if not part:
                    break
                size += len(part)
                if size > _OUTPUT_LIMIT:
                    return None
                parts.append(part)
        try:
            status = process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise SystemFailure("git did not end in time", code="timed_out") from None
        return b"".join(parts) if status == 0 else None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _environment() -> dict[str, str]:
    """Return the whole environment of git: no GIT_* of the caller, no configuration but the repository's."""
    return {
        "PATH": os.defpath,
        "HOME": os.devnull,
        "XDG_CONFIG_HOME": os.devnull,
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _find_git(root: Root) -> str | None:
    """Return the absolute path of git on the cleaned PATH (security.md §1)."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if not os.path.isabs(folder):
            continue
        real = os.path.realpath(os.path.join(folder, "git"))
        if _is_inside(real, root.path) or _is_inside(real, root.git_top or root.path):
            continue
        if _is_writable_by_others(folder) or _is_writable_by_others(os.path.dirname(real)):
            continue
        if os.path.isfile(real) and os.access(real, os.X_OK):
            return real
    return None


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _is_writable_by_others(folder: str) -> bool:
    try:
        return bool(os.stat(folder).st_mode & stat.S_IWOTH)
    except OSError:
        return True


def _loose_ref(git_dir: str, common: str, name: str) -> bytes | None:
    for base in dict.fromkeys((git_dir, common)):
        try:
            return read_small(os.path.join(base, name))
        except OSError:
            continue
    return None


def _packed_ref(common: str, name: str) -> str | None:
    content = read_small(os.path.join(common, "packed-refs"), _PACKED_LIMIT)
    found = re.search(rb"^([0-9a-f]{40,64}) " + re.escape(os.fsencode(name)) + rb"$", content, re.MULTILINE)
    return _object_id(found.group(1)) if found else None


def _object_id(content: bytes) -> str | None:
    text = content.strip()
    return text.decode("ascii") if _OBJECT_ID.fullmatch(text) else None


def _is_safe_ref(name: str) -> bool:
    parts = name.split("/")
    return bool(_REF.fullmatch(name)) and not any(part in {"", ".", ".."} for part in parts)
