"""Language servers that misbehave: late, dead, silent, full of rubbish. No empty answer is recorded."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codetrail.providers import process
from codetrail.providers.base import Limits
from codetrail.providers.python.lsp import server as server_module
from codetrail.providers.python.lsp.events import DriverFailure
from codetrail.providers.python.lsp.server import Location, Server, ServerRefusal

PRELUDE = r"""
import json, os, sys, time
state = {"listed": False, "opened": []}

def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()

def read():
    size = 0
    while (line := sys.stdin.buffer.readline().strip()):
        size = int(line.partition(b":")[2])
    return json.loads(sys.stdin.buffer.read(size)) if size else sys.exit(0)

def log(text):
    send({"method": "window/logMessage", "params": {"type": 3, "message": text}})

def place(request, line, end_line=None, column=4):
    uri = request["params"]["textDocument"]["uri"]
    span = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}
    return [{"uri": uri, "range": span}]

def answer(request):
    send({"id": request["id"], "result": place(request, request["params"]["position"]["line"])})

def serve(on_request, ready=lambda: log("Found 1 source file")):
    asked = 0
    while True:
        message = read()
        method = message.get("method")
        if method == "initialize":
            send({"id": message["id"], "result": {"capabilities": {}}})
        elif method == "initialized":
            ready()
        elif method == "textDocument/didOpen":
            state["opened"].append(message["params"]["textDocument"]["uri"])
        elif method == "shutdown":
            send({"id": message["id"], "result": None})
        elif method == "exit":
            sys.exit(0)
        elif method == "textDocument/declaration":
            asked += 1
            on_request(message, asked)
"""

GOOD = "serve(lambda request, n: answer(request))"


class Started:
    """Starts servers with a given body, and ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: list[Server] = []

    def __call__(self, body: str) -> Server:
        program = self._folder / "server.py"
        program.write_text(PRELUDE + body)
        self._running.append(Server([sys.executable, "-I", str(program)], str(self._folder), {}))
        return self._running[-1]

    def close(self) -> None:
        for one in self._running:
            one.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Started]:
    started = Started(tmp_path)
    yield started
    started.close()


def test_answers_come_in_the_order_of_the_questions(start: Started) -> None:
    # Answers go out backwards, in groups as large as the window.
    server = start(
        """
held = []
def late(request, n):
    held.append(request)
    if len(held) == 64 or n == 200:
        while held: answer(held.pop())
serve(late)
"""
    )
    answers = server.ask("/w/a b.py", [(line, 0) for line in range(200)])
    assert answers == [(Location("/w/a b.py", (line, 4), (line, 5)),) for line in range(200)]


def test_nothing_is_asked_before_the_sources_are_listed_and_a_known_name_is_found(
    start: Started, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    server = start(
        f"""
def ready():
    time.sleep(0.4)
    open({str(seen)!r}, "w").write("listed")
    log("Found 2 source files")
def slow(request, n):
    if not os.path.exists({str(seen)!r}) or n < 4: send({{"id": request["id"], "result": []}})
    else: answer(request)
serve(slow, ready)
"""
    )
    server.wait_until_ready("/w/canary.py", (1, 0))
    assert seen.read_text() == "listed"
    assert server.ask("/w/a.py", [(3, 0)]) == [(Location("/w/a.py", (3, 4), (3, 5)),)]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("serve(lambda r, n: send({'id': r['id'], 'result': []}))", "server_silent", id="empty"),
        pytest.param("serve(lambda r, n: None)", "server_silent", id="no answer"),
        pytest.param("serve(lambda r, n: None, lambda: None)", "server_silent", id="never lists its sources"),
        pytest.param("serve(lambda r, n: sys.exit(3))", "server_ended", id="ends in the middle"),
        pytest.param(
            "serve(lambda r, n: (sys.stdout.write('Content-Length: 9\\r\\n\\r\\n{'), sys.exit(0)))",
            "server_ended",
            id="ends in a message",
        ),
        pytest.param(
            "serve(lambda r, n: print('hello', flush=True))", "server_garbage", id="a line that is no header"
        ),
        pytest.param(
            "serve(lambda r, n: print('Content-Length: 2\\r\\n\\r\\n[]', end='', flush=True))",
            "server_garbage",
            id="no object",
        ),
        pytest.param(
            "serve(lambda r, n: print('Content-Length: 999999999999\\r\\n\\r\\n', end='', flush=True))",
            "server_garbage",
            id="a giant message",
        ),
        pytest.param(
            "serve(lambda r, n: print('X: y\\r\\n\\r\\n{}', end='', flush=True))",
            "server_garbage",
            id="no length",
        ),
    ],
)
def test_a_server_that_is_not_ready_in_time_or_talks_rubbish_fails(
    start: Started, monkeypatch: pytest.MonkeyPatch, body: str, code: str
) -> None:
    monkeypatch.setattr(server_module, "_SILENT_SECONDS", 2.0)
    server = start(body)
    with pytest.raises(DriverFailure) as raised:
        server.wait_until_ready("/w/a.py", (0, 0), seconds=1.5)
    assert raised.value.code == code


def test_a_server_that_cannot_be_started_or_refuses_to_begin(tmp_path: Path, start: Started) -> None:
    with pytest.raises(DriverFailure) as raised:
        Server([str(tmp_path / "missing")], str(tmp_path), {})
    assert raised.value.code == "server_ended"
    with pytest.raises(DriverFailure) as raised:
        start("m = read(); send({'id': m['id'], 'error': {'code': 1, 'message': 'no'}}); read()")
    assert raised.value.code == "server_failed"


@pytest.mark.parametrize(
    "result",
    [
        pytest.param("None", id="null"),
        pytest.param("7", id="a number"),
        pytest.param("[{'uri': 'file:///x'}]", id="no range"),
        pytest.param("[{'uri': 'http://x/y', 'range': place(r, 1)[0]['range']}]", id="no file"),
        pytest.param("[{'uri': 3, 'range': place(r, 1)[0]['range']}]", id="uri is a number"),
        pytest.param("[[]]", id="a list"),
    ],
)
def test_results_of_another_shape_are_no_places(start: Started, result: str) -> None:
    server = start(f"serve(lambda r, n: send({{'id': r['id'], 'result': {result}}}))")
    assert server.ask("/w/a.py", [(0, 0)]) == [()]


def test_a_question_disturbed_by_a_change_is_asked_again(start: Started) -> None:
    error = "{'code': -32801, 'message': 'content modified'}"
    server = start(f"serve(lambda r, n: answer(r) if n > 2 else send({{'id': r['id'], 'error': {error}}}))")
    assert server.ask("/w/a.py", [(5, 0)]) == [(Location("/w/a.py", (5, 4), (5, 5)),)]


@pytest.mark.parametrize("code", [-32603, -32801])
def test_an_error_for_an_answer_costs_the_file(start: Started, code: int) -> None:
    error = f"{{'code': {code}, 'message': 'no'}}"
    server = start(f"serve(lambda r, n: send({{'id': r['id'], 'error': {error}}}))")
    with pytest.raises(ServerRefusal):
        server.ask("/w/a.py", [(0, 0)])


def test_the_server_is_given_its_settings_and_no_interpreter(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    program = tmp_path / "server.py"
    program.write_text(
        PRELUDE
        + f"""
def ready():
    items = [{{"section": "python"}}, {{"section": "other"}}, 3]
    send({{"id": "c", "method": "workspace/configuration", "params": {{"items": items}}}})
    send({{"id": "w", "method": "window/workDoneProgress/create", "params": {{}}}})
    got = [read(), read()]
    open({str(kept)!r}, "w").write(json.dumps(got))
    log("No source files found.")
serve(lambda r, n: answer(r), ready)
"""
    )
    server = Server([sys.executable, "-I", str(program)], str(tmp_path), {"python": {"a": 1}})
    server.wait_until_ready("/w/a.py", (0, 0))
    server.close()
    configuration, progress = json.loads(kept.read_text())
    assert configuration["result"] == [{"a": 1}, {}, {}]
    assert (progress["id"], progress["result"]) == ("w", None)


REQUEST = {
    "bundle": {"kind": "basedpyright", "dist": "/nowhere/dist"},
    "python": {"version": "3.11", "platform": None, "searchPaths": [], "interpreter": None},
    "roots": [""],
    "packages": [],
    "distributions": [],
    "toolVersion": "0",
}
Drive = Callable[..., process.ProcessResult]
CANARY_FIRST = "serve(lambda r, n: answer(r) if 'canary' in r['params']['textDocument']['uri'] else {rest})"


@pytest.fixture
def drive(tmp_path: Path) -> Drive:
    """Return a function that runs the whole driver against a fake server."""
    root = tmp_path / "ws"
    root.mkdir()
    (root / "a.py").write_text("value = 1\nprint(value)\n")
    folder = tmp_path / "run"
    folder.mkdir()
    program = tmp_path / "server.py"
    main = Path(server_module.__file__).with_name("main.py")
    (folder / "REQUEST.json").write_text(json.dumps(REQUEST | {"root": str(root), "files": ["a.py"]}))

    def run(body: str, seconds: float = 60.0) -> process.ProcessResult:
        program.write_text(PRELUDE + body)
        words = ["--request", str(folder / "REQUEST.json"), "--output", str(folder / "out.scip")]
        return process.run(
            [sys.executable, "-I", "-S", str(main), *words, "--", sys.executable, "-I", str(program)],
            cwd=str(folder),
            env={},
            limits=Limits(seconds=seconds),
        )

    return run


def last_event(result: process.ProcessResult) -> dict[str, object]:
    events = [json.loads(line) for line in result.stderr.text.splitlines() if line.startswith("{")]
    found: dict[str, object] = events[-1]
    return found


@pytest.mark.parametrize(
    ("rest", "code"),
    [
        pytest.param("sys.exit(1)", "server_ended", id="crash"),
        pytest.param("os.abort()", "server_ended", id="abort"),
        pytest.param("print('garbage', flush=True)", "server_garbage", id="garbage"),
    ],
)
def test_a_server_that_breaks_in_the_middle_fails_the_run(drive: Drive, rest: str, code: str) -> None:
    result = drive(CANARY_FIRST.format(rest=rest))
    assert (result.state, result.returncode) == ("exit", 3)
    assert (last_event(result)["event"], last_event(result)["code"]) == ("failed", code)


def test_a_server_that_hangs_is_ended_with_its_driver(drive: Drive, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    rest = f"(open({str(pid)!r}, 'w').write(str(os.getpid())), time.sleep(1000))"
    result = drive(CANARY_FIRST.format(rest=rest), seconds=8.0)
    assert result.state == "timed_out"
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_file_the_server_knows_nothing_of_is_handed_to_it(drive: Drive) -> None:
    result = drive(
        CANARY_FIRST.format(rest="(answer(r) if state['opened'] else send({'id': r['id'], 'result': []}))")
    )
    done = last_event(result)
    assert (result.state, done["event"], done["documents"]) == ("ok", "done", 1)
    assert done["resolved"] != 0


def test_an_error_for_an_answer_is_a_problem_of_the_file(drive: Drive) -> None:
    result = drive(CANARY_FIRST.format(rest="send({'id': r['id'], 'error': {'code': 1, 'message': 'x'}})"))
    done = last_event(result)
    assert (done["event"], done["documents"], done["files"]) == ("done", 0, 1)
    assert '"file_failed"' in result.stderr.text
