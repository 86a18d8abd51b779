"""Small programs that misbehave in one way each: every run must end in its state and leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.providers import process, supervise
from codetrail.providers.base import Limits
from codetrail.providers.capture import LINE_BYTES, Captured

ENV = {"PATH": "/usr/bin:/bin"}


def python(code: str) -> list[str]:
    return [sys.executable, "-I", "-c", code]


def run(code: str, folder: Path, **options: object) -> process.ProcessResult:
    options.setdefault("limits", Limits(seconds=30))
    return process.run(python(code), cwd=str(folder), env=ENV, **options)  # type: ignore[arg-type]


def is_running(pid: int) -> bool:
    return pid in supervise.process_table()


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open("pid.tmp", "w").write(str(os.getpid()))
        os.rename("pid.tmp", "pid")
        time.sleep(600)
    os._exit(0)
while not os.path.exists("pid"):
    time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("code", "state", "returncode"),
    [
        pytest.param("print('x')", "ok", 0, id="ends well"),
        pytest.param("raise SystemExit(3)", "exit", 3, id="exit status"),
        pytest.param("import os; os.kill(os.getpid(), 11)", "signal", -signal.SIGSEGV, id="crash"),
        pytest.param("import os; os.kill(os.getpid(), 9)", "signal", -signal.SIGKILL, id="killed"),
    ],
)
def test_how_a_program_ends(tmp_path: Path, code: str, state: str, returncode: int) -> None:
    result = run(code, tmp_path)
    assert (result.state, result.returncode) == (state, returncode)


def test_a_program_that_is_not_there_is_not_started(tmp_path: Path) -> None:
    result = process.run([str(tmp_path / "none")], cwd=str(tmp_path), env=ENV, limits=Limits())
    assert (result.state, result.returncode) == ("not_started", None)


@pytest.mark.parametrize("argv", [["python3"], ["./python3"]])
def test_a_program_must_be_named_absolutely(tmp_path: Path, argv: list[str]) -> None:
    with pytest.raises(ValueError, match="absolute"):
        process.run(argv, cwd=str(tmp_path), env=ENV, limits=Limits())


def test_arguments_are_not_read_by_a_shell(tmp_path: Path) -> None:
    argv = ["/bin/echo", "$(touch canary)", ";", "touch", "canary", "a b"]
    result = process.run(argv, cwd=str(tmp_path), env=ENV, limits=Limits())
    assert result.stdout.text == "$(touch canary) ; touch canary a b\n"
    assert not (tmp_path / "canary").exists()


def test_both_streams_and_stdin_are_moved_together(tmp_path: Path) -> None:
    code = "import sys; d = sys.stdin.read(); sys.stderr.write(d[::-1]); sys.stdout.write(d)"
    text = "ab" * 500_000
    result = run(code, tmp_path, stdin=text.encode())
    assert (result.stdout.text, result.stderr.text) == (text, text[::-1])


def test_stdin_is_closed_unless_given(tmp_path: Path) -> None:
    assert run("import sys; print(repr(sys.stdin.read()))", tmp_path).stdout.text == "''\n"


def test_the_time_limit_covers_a_program_that_never_reads_stdin(tmp_path: Path) -> None:
    result = run(
        "import time; time.sleep(600)", tmp_path, stdin=b"x" * 10_000_000, limits=Limits(seconds=0.5)
    )
    assert (result.state, result.returncode) == ("timed_out", None)


def test_streams_keep_head_and_tail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "KEPT_BYTES", 100)
    code = "import sys; sys.stdout.write('H' * 50 + 'm' * 300_000 + 'T' * 50)"
    stdout = run(code, tmp_path).stdout
    assert stdout == Captured(b"H" * 50, b"T" * 50, 300_000)
    assert "[300000 bytes left out]" in stdout.text


def test_lines_of_stderr_arrive_whole_and_bounded(tmp_path: Path) -> None:
    lines: list[bytes] = []
    code = "import sys; w = sys.stderr.write; w('one\\ntwo'); w('2\\n' + 'x' * 200_000 + '\\nlast')"
    run(code, tmp_path, on_stderr_line=lines.append)
    assert lines == [b"one", b"two2", b"x" * LINE_BYTES, b"last"]


@pytest.mark.parametrize(
    ("ending", "state"),
    [
        pytest.param("", "ok", id="program ends before its daemon"),
        pytest.param("raise SystemExit(1)", "exit", id="program fails before its daemon"),
        pytest.param("time.sleep(600)", "timed_out", id="time-out"),
    ],
)
def test_a_descendant_that_left_the_group_is_killed(tmp_path: Path, ending: str, state: str) -> None:
    result = run(DAEMON + ending, tmp_path, limits=Limits(seconds=5))
    assert result.state == state
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_a_tree_that_ignores_signals_and_forks_on_is_killed(tmp_path: Path) -> None:
    code = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for n in range(5):
    if os.fork() == 0:
        os.setsid()
        for again in range(3):
            open(f"pid-{os.getpid()}", "w").close()
            if os.fork():
                time.sleep(600)
time.sleep(600)
"""
    assert run(code, tmp_path, limits=Limits(seconds=1)).state == "timed_out"
    pids = [int(path.name[4:]) for path in tmp_path.glob("pid-*")]
    assert len(pids) >= 5
    assert not [pid for pid in pids if is_running(pid)]


def test_memory_is_that_of_the_whole_tree(tmp_path: Path) -> None:
    code = """
import os, time
if os.fork():
    time.sleep(600)
block = b"x" * 200_000_000
time.sleep(600)
"""
    result = run(code, tmp_path, limits=Limits(seconds=30, memory_bytes=100 << 20))
    assert result.state == "memory"
    assert result.peak_rss > 100 << 20


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("open('out', 'wb').write(b'x' * 4_000_000)", id="in one go"),
        pytest.param(
            "import time; f = open('out', 'wb', 0)\nwhile True: f.write(b'x' * 300_000); time.sleep(0.02)",
            id="little by little",
        ),
        pytest.param(
            "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "try: open('out', 'wb').write(b'x' * 4_000_000)\nexcept OSError: pass",
            id="ignoring the signal",
        ),
    ],
)
def test_the_output_file_may_not_outgrow_its_limit(tmp_path: Path, code: str) -> None:
    limits = Limits(seconds=30, output_bytes=1_000_000)
    result = run(code, tmp_path, limits=limits, watch_output=str(tmp_path / "out"))
    assert result.state == "output_limit"
    assert (tmp_path / "out").stat().st_size <= 1_000_000


def test_the_run_folder_may_not_outgrow_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "FOLDER_BYTES", 500_000)
    code = """
import time
for n in range(10):
    open(f"f{n}", "wb").write(bytes([n]) * 100_000)
time.sleep(600)
"""
    assert run(code, tmp_path, watch_folder=str(tmp_path)).state == "output_limit"


def wait_for(path: Path, then: Callable[[], object]) -> threading.Thread:
    def watch() -> None:
        while not path.exists():
            threading.Event().wait(0.01)
        then()

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_an_interrupt_kills_the_tree_and_goes_on(tmp_path: Path) -> None:
    thread = wait_for(tmp_path / "pid", lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        run(DAEMON + "time.sleep(600)", tmp_path)
    thread.join()
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_runs_in_other_threads_can_be_interrupted(tmp_path: Path) -> None:
    thread = wait_for(tmp_path / "pid", process.interrupt_all)
    result = run(DAEMON + "time.sleep(600)", tmp_path)
    thread.join()
    assert result.state == "interrupted"
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_an_error_of_the_line_callback_kills_the_tree(tmp_path: Path) -> None:
    def refuse(line: bytes) -> None:
        raise RuntimeError(line.decode())

    code = DAEMON + "sys.stderr.write('a line\\n'); sys.stderr.flush(); time.sleep(600)"
    with pytest.raises(RuntimeError, match="a line"):
        run(code, tmp_path, on_stderr_line=refuse)
    assert not is_running(int((tmp_path / "pid").read_text()))


def caller(code: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start another CodeTrail that runs ``code`` and return once its daemon is up."""
    script = """
import sys
from codetrail.providers.base import Limits
from codetrail.providers.process import run
run([sys.executable, "-I", "-c", sys.argv[1]], cwd=sys.argv[2], env={}, limits=Limits())
"""
    started = subprocess.Popen([sys.executable, "-c", script, code, str(folder)])
    wait_for(folder / "pid", lambda: None).join()
    return started


def gone(pid: int) -> bool:
    """Wait until a process is gone; give up when it is clearly staying."""
    for _ in range(1500):
        if not is_running(pid):
            return True
        threading.Event().wait(0.02)
    return False


def test_nothing_outlives_a_caller_that_was_killed(tmp_path: Path) -> None:
    running = caller(DAEMON + "time.sleep(600)", tmp_path)
    running.kill()
    running.wait()
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_program_that_kills_its_supervisor_does_not_escape(tmp_path: Path) -> None:
    code = """
import os, signal, time
supervisor = os.getppid()
if os.fork() == 0:
    os.setsid()
    open("pid.tmp", "w").write(str(os.getpid()))
    os.rename("pid.tmp", "pid")
    time.sleep(600)
time.sleep(1)
os.kill(supervisor, signal.SIGKILL)
time.sleep(600)
"""
    result = run(code, tmp_path)
    assert (result.state, result.returncode) == ("signal", None)
    assert gone(int((tmp_path / "pid").read_text()))


def test_many_runs_leave_no_descriptor_open(tmp_path: Path) -> None:
    run("pass", tmp_path)
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        with contextlib.suppress(RuntimeError):
            run("pass", tmp_path, stdin=b"unread")
    assert len(os.listdir("/dev/fd")) == before


def test_a_program_inherits_the_standard_streams_only(tmp_path: Path) -> None:
    result = run(
        "import os; print([n for n in range(3, 64) if os.path.exists(f'/proc/self/fd/{n}')])", tmp_path
    )
    assert result.stdout.text == "[]\n"
