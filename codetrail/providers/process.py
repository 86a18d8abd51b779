"""Run one program of a provider: argument list in, everything it said and cost out, nothing left behind.

Each run has its own supervisor (``supervise.py``) that kills the whole process tree at the end, on time-out,
on interrupt and when CodeTrail dies. This module must not know what is run; ``programs`` finds programs and
makes their environment. Rules: design ``providers`` §2 and ``security`` §1.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType

from codetrail.errors import ProviderError
from codetrail.providers import supervise
from codetrail.providers.base import Limits
from codetrail.providers.capture import KEPT_BYTES, Capture, Captured, OnLine

FOLDER_BYTES = 8 << 30
_WATCH_SECONDS = 0.25
_END_SECONDS = 15.0
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """How a run ended.

    ``state``: ``ok`` (exit 0), ``exit`` (another status), ``signal`` (killed from elsewhere), ``timed_out``,
    ``memory``, ``output_limit``, ``interrupted`` or ``not_started``. ``returncode`` is the exit status, or
    minus the signal number; None where the run was ended here. ``peak_rss`` is in bytes: the sum over the
    process tree as sampled four times a second, at least what the program itself reached.
    """

    state: str
    returncode: int | None
    stdout: Captured
    stderr: Captured
    seconds: float
    peak_rss: int


def run(
    argv: list[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    limits: Limits,
    stdin: bytes | None = None,
    on_stderr_line: OnLine | None = None,
    watch_output: str | None = None,
    watch_folder: str | None = None,
) -> ProcessResult:
    """Run ``argv`` without a shell, in exactly the environment given, and wait for the end of its whole tree.

    ``argv[0]`` and ``cwd`` are absolute. stdin is closed unless bytes are given; the time-out covers writing
    them. stdout and stderr are drained together, 16 MiB of each kept. ``watch_output`` may grow to
    ``limits.output_bytes``, ``watch_folder`` to 8 GiB, the tree's resident memory to ``limits.memory_bytes``.
    ``on_stderr_line`` is called in this thread with each line, without its end, cut at 64 KiB.

    Raises ProviderError where there are no POSIX processes. Whatever else is raised meanwhile
    (KeyboardInterrupt, an error of the callback) kills the tree first.
    """
    if os.name != "posix":
        raise ProviderError("Providers can be run on Linux and macOS only.")
    if not os.path.isabs(argv[0]) or not os.path.isabs(cwd):
        raise ValueError("program and working folder must be absolute paths")
    with _Run(argv, cwd, env, limits, stdin, on_stderr_line) as running:
        return running.wait(limits, watch_output, watch_folder)


def interrupt_all() -> None:
    """Make every run of this process end now, in whichever thread; each returns ``interrupted``."""
    with _RUNNING_LOCK:
        for one in _RUNNING:
            one.interrupted = True


_RUNNING_LOCK = threading.Lock()
_RUNNING: set[_Run] = set()


class _Run:
    """One supervised process tree and the pipes to it."""

    def __init__(
        self,
        argv: list[str],
        cwd: str,
        env: Mapping[str, str],
        limits: Limits,
        stdin: bytes | None,
        on_stderr_line: OnLine | None,
    ) -> None:
        self.interrupted = False
        self.started = time.monotonic()
        self.stdout = Capture(KEPT_BYTES)
        self.stderr = Capture(KEPT_BYTES, on_stderr_line)
        self.peak = 0
        self._seen: dict[int, str] = {}
        self._line = b""
        self._pending = memoryview(stdin or b"")
        control_read, self._control = os.pipe()
        self._report, report_write = os.pipe()
        command = [
            *(sys.executable, "-I", "-S", os.path.abspath(supervise.__file__)),
            *(str(control_read), str(report_write), str(limits.output_bytes), "--", *argv),
        ]
        try:
            self._supervisor = subprocess.Popen(
                command,
                cwd=cwd,
                env=dict(env),
                stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(control_read, report_write),
            )
        except BaseException:
            self._close_control()
            os.close(self._report)
            raise
        finally:
            os.close(control_read)
            os.close(report_write)
        self._selector = selectors.DefaultSelector()
        with _RUNNING_LOCK:
            _RUNNING.add(self)

    def __enter__(self) -> _Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kill what is left, collect the supervisor and close every pipe."""
        with _RUNNING_LOCK:
            _RUNNING.discard(self)
        self._close_control()
        try:
            self._supervisor.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            supervise.kill_descendants(self._supervisor.pid)
            self._supervisor.kill()
            self._supervisor.wait()
        if self._supervisor.returncode != 0:
            self._kill_strays()
        self._selector.close()
        os.close(self._report)
        for stream in (self._supervisor.stdin, self._supervisor.stdout, self._supervisor.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def wait(self, limits: Limits, output: str | None, folder: str | None) -> ProcessResult:
        """Move bytes and watch the limits until the supervisor reports the end."""
        self._register()
        deadline = self.started + limits.seconds
        watch_at = self.started
        cause: str | None = None
        while not self._ended():
            now = time.monotonic()
            if cause is None and now >= watch_at:
                watch_at = now + _WATCH_SECONDS
                cause = self._exceeded(limits, deadline, output, folder)
                if cause is not None:
                    self._close_control()
                    deadline = now + _END_SECONDS
            if cause is not None and now > deadline:
                break
            self._turn(min(_WATCH_SECONDS, max(0.0, (deadline if cause else watch_at) - now)))
        self._drain()
        if cause is None and output is not None and _size(output) >= limits.output_bytes:
            cause = "output_limit"
        return self._result(cause)

    def _register(self) -> None:
        streams = self._supervisor
        assert streams.stdout is not None
        assert streams.stderr is not None
        for descriptor, kind in (
            (streams.stdout.fileno(), "stdout"),
            (streams.stderr.fileno(), "stderr"),
            (self._report, "report"),
        ):
            os.set_blocking(descriptor, False)
            self._selector.register(descriptor, selectors.EVENT_READ, kind)
        if streams.stdin is not None:
            os.set_blocking(streams.stdin.fileno(), False)
            self._selector.register(streams.stdin.fileno(), selectors.EVENT_WRITE, "stdin")

    def _ended(self) -> bool:
        return self._report not in self._selector.get_map()

    def _turn(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.data == "stdin":
                self._write()
            else:
                self._read(key.fd, key.data)

    def _read(self, descriptor: int, kind: str) -> bool:
        """Read once; return whether more may follow at once."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._selector.unregister(descriptor)
            return False
        if kind == "report":
            self._line += data
        elif kind == "stdout":
            self.stdout.feed(data)
        else:
            self.stderr.feed(data)
        return True

    def _write(self) -> None:
        stream = self._supervisor.stdin
        assert stream is not None
        try:
            self._pending = self._pending[os.write(stream.fileno(), self._pending[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._pending = self._pending[:0]
        if not self._pending:
            self._selector.unregister(stream.fileno())
            stream.close()

    def _drain(self) -> None:
        """Take what the pipes still hold; the writers are dead, so this ends."""
        for key in list(self._selector.get_map().values()):
            kept = 0
            while key.data in ("stdout", "stderr") and kept < KEPT_BYTES and self._read(key.fd, key.data):
                kept += _CHUNK

    def _exceeded(
        self, limits: Limits, deadline: float, output: str | None, folder: str | None
    ) -> str | None:
        """Return which limit is broken now, if any."""
        if self.interrupted:
            return "interrupted"
        if time.monotonic() >= deadline:
            return "timed_out"
        table = supervise.process_table()
        tree = supervise.descendants(self._supervisor.pid, table)
        self._seen = {pid: table[pid].started for pid in tree}
        resident = sum(table[pid].resident for pid in tree)
        self.peak = max(self.peak, resident)
        if limits.memory_bytes is not None and resident > limits.memory_bytes:
            return "memory"
        if output is not None and _size(output) >= limits.output_bytes:
            return "output_limit"
        if folder is not None and folder_bytes(folder) > FOLDER_BYTES:
            return "output_limit"
        return None

    def _result(self, cause: str | None) -> ProcessResult:
        words = self._line.split()
        code: int | None = None
        if cause is None and len(words) == 3 and words[0] == b"ended":
            code = int(words[1])
            self.peak = max(self.peak, int(words[2]))
            cause = "ok" if code == 0 else "exit" if code > 0 else "signal"
            if code == -signal.SIGXFSZ:
                cause = "output_limit"
        elif cause is None and words[:1] == [b"error"]:
            cause = "not_started"
        stdout, stderr = self.stdout.close(), self.stderr.close()
        seconds = time.monotonic() - self.started
        # No report at all: the supervisor itself was killed from elsewhere.
        return ProcessResult(cause or "signal", code, stdout, stderr, seconds, self.peak)

    def _close_control(self) -> None:
        if self._control >= 0:
            os.close(self._control)
            self._control = -1

    def _kill_strays(self) -> None:
        """Kill what was last seen below a supervisor that died; a reused id has another start mark."""
        table = supervise.process_table()
        for pid, started in self._seen.items():
            if pid in table and table[pid].started == started:
                supervise.signal_all((pid, *supervise.descendants(pid, table)), signal.SIGKILL)


def folder_bytes(folder: str) -> int:
    """Return the bytes that the files below ``folder`` occupy on disk; links are not followed."""
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(base, name)).st_blocks * 512
    return total


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
