"""Hold one process tree so that nothing of it outlives its run, and list such trees.

Run as a script (``python -I -S supervise.py CONTROL REPORT FILE_BYTES -- PROGRAM ARGUMENT...``) it becomes
the parent of everything the program starts, descendants that left the process group included (child subreaper
on Linux). It kills all of them when the program ends, and when CONTROL reaches its end: the caller closed it,
or died in any way. Imported, it offers the process table. It must import nothing but the standard library:
the script runs without site-packages.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_ON_LINUX = sys.platform.startswith("linux")
_KILL_SECONDS = 5.0


class Process(NamedTuple):
    """One row of the process table: parent, process group, start mark, resident bytes."""

    parent: int
    group: int
    started: str
    resident: int


def process_table() -> dict[int, Process]:
    """Return every visible process by id; zombies are left out.

    Reads ``/proc`` where there is one, else asks ``/bin/ps`` (then ``started`` is empty).
    """
    if os.path.isdir("/proc/self"):
        return _proc_table()
    listing = subprocess.run(
        ["/bin/ps", "-axo", "pid=,ppid=,pgid=,stat=,rss="], capture_output=True, text=True, check=False
    )
    table: dict[int, Process] = {}
    for line in listing.stdout.splitlines():
        fields = line.split()
        if len(fields) == 5 and not fields[3].startswith("Z"):
            table[int(fields[0])] = Process(int(fields[1]), int(fields[2]), "", int(fields[4]) * 1024)
    return table


def descendants(root: int, table: Mapping[int, Process]) -> list[int]:
    """Return the ids below ``root``, parents before children, without ``root`` itself.

    Where orphans go to the system's first process (no subreaper), those of ``root``'s group are included.
    """
    children: dict[int, list[int]] = {}
    for pid, row in table.items():
        children.setdefault(row.parent, []).append(pid)
    found: list[int] = []
    seen = {root}
    queue = [root]
    while queue:
        for pid in children.get(queue.pop(0), ()):
            if pid not in seen:
                seen.add(pid)
                found.append(pid)
                queue.append(pid)
    if not _ON_LINUX:
        found.extend(pid for pid, row in table.items() if row.group == root and pid not in seen)
    return found


def signal_all(pids: Iterable[int], number: int) -> None:
    """Send a signal to each process that still exists and is ours."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def kill_descendants(root: int) -> bool:
    """Kill everything below ``root``: stop first, so that nothing forks away; then kill, until none is left.

    Returns whether the tree was empty within five seconds.
    """
    deadline = time.monotonic() + _KILL_SECONDS
    stopped: set[int] = set()
    while True:
        found = set(descendants(root, process_table()))
        if not found:
            return True
        if found - stopped and len(stopped) < 100_000:
            signal_all(found - stopped, signal.SIGSTOP)
            stopped |= found
        else:
            signal_all(found, signal.SIGKILL)
            _reap()
            time.sleep(0.01)
        if time.monotonic() > deadline:
            signal_all(found, signal.SIGKILL)
            return False


def _proc_table() -> dict[int, Process]:
    page = os.sysconf("SC_PAGE_SIZE")
    table: dict[int, Process] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                text = file.read()
        except OSError:
            continue
        # The command name, in parentheses, may hold anything: fields are counted after its last parenthesis.
        fields = text[text.rfind(b")") + 2 :].split()
        if len(fields) > 21 and fields[0] not in (b"Z", b"X"):
            started = fields[19].decode("ascii")
            table[int(name)] = Process(int(fields[1]), int(fields[2]), started, int(fields[21]) * page)
    return table


def _reap() -> dict[int, tuple[int, int]]:
    """Collect ended children without waiting: id to (status, peak resident bytes)."""
    ended: dict[int, tuple[int, int]] = {}
    while True:
        try:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        unit = 1024 if _ON_LINUX else 1
        ended[pid] = (status, usage.ru_maxrss * unit)


def _prctl(option: int, value: int) -> None:
    if _ON_LINUX:
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _start(argv: list[str], file_bytes: int, supervisor: int) -> tuple[int, int]:
    """Fork and execute; return the child's id and the error number of a failed start (0 when it runs)."""
    error_read, error_write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(error_write)
        with os.fdopen(error_read, "rb") as pipe:
            failure = pipe.read(16)
        return pid, int(failure or b"0")
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(127)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        size = file_bytes if hard == resource.RLIM_INFINITY else min(hard, file_bytes)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        os.execv(argv[0], argv)
    except OSError as error:
        os.write(error_write, str(error.errno or 1).encode("ascii"))
    finally:
        os._exit(127)


def _hold(control: int, report: int, argv: list[str], file_bytes: int) -> None:
    """Start the program, wait for its end or for the end of CONTROL, kill what is left, report one line."""
    # The program must neither hold these open nor write a report of its own.
    os.set_inheritable(control, False)
    os.set_inheritable(report, False)
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    pid, failure = _start(argv, file_bytes, os.getpid())
    if failure:
        os.write(report, b"error %d\n" % failure)
        return
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    ended: tuple[int, int] | None = None
    while ended is None:
        ready, _, _ = select.select([control, wake_read], [], [], 1.0)
        if wake_read in ready:
            os.read(wake_read, 4096)
        ended = _reap().get(pid)
        if control in ready:
            break
    kill_descendants(os.getpid())
    ended = ended or _reap().get(pid, (0, 0))
    with contextlib.suppress(BrokenPipeError):
        os.write(report, b"ended %d %d\n" % (os.waitstatus_to_exitcode(ended[0]), ended[1]))


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _hold(int(sys.argv[1]), int(sys.argv[2]), sys.argv[5:], int(sys.argv[3]))
