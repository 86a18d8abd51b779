"""Drivers that fail in every way they can; only what is whole is believed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers import node_run, node_runtime, supervise
from codetrail.providers.base import Limits, RunOutcome
from codetrail.providers.node_driver import write_request
from codetrail.providers.node_run import heap_mib, may_double
from codetrail.providers.node_runtime import Node
from codetrail.providers.python import driver_run, engine
from codetrail.providers.python.engine import Bundle

FILES = ("a.py", "b.py")
BUNDLE = Bundle("basedpyright", "1.40.2", "/nowhere/dist", "test")

PRELUDE = """
const fs = require("fs"), path = require("path"), { spawn } = require("child_process");
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const request = JSON.parse(fs.readFileSync(option("--request")));
const output = option("--output");
const emit = (event) => fs.writeSync(2, JSON.stringify(event) + "\\n");
const text = (s) => Buffer.concat([Buffer.from([10, s.length]), Buffer.from(s)]);
const field = (n, b) => Buffer.concat([Buffer.from([n * 8 + 2, b.length]), b]);
const metadata = field(1, field(2, Buffer.concat([text("fake"), Buffer.from([18, 1, 49])])));
const scip = (names) => Buffer.concat([metadata, ...names.map((name) => field(2, text(name)))]);
const finish = (names, count) => {
  fs.writeFileSync(output, scip(names));
  emit({ event: "done", documents: count ?? names.length, files: request.files.length });
};
"""


@pytest.fixture(scope="session")
def node(tmp_path_factory: pytest.TempPathFactory) -> Node:
    found = node_runtime.find_node(None, str(tmp_path_factory.mktemp("empty")), os.environ)
    assert isinstance(found, Node), "these tests need Node: install codetrail[node]"
    asked = node_runtime.ask_version(found, "/nowhere", os.environ)
    assert isinstance(asked, Node)
    return asked


Drive = Callable[..., RunOutcome]


@pytest.fixture
def drive(tmp_path: Path, node: Node, monkeypatch: pytest.MonkeyPatch) -> Drive:
    """Return a function that runs a driver with the given body over two files."""
    for name in ("ws", "run", "driver"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(engine, "driver_folder", lambda: str(tmp_path / "driver"))

    def run(body: str, limits: Limits | None = None, permitted: bool = True, **env: str) -> RunOutcome:
        (tmp_path / "driver" / "main.js").write_text(PRELUDE + body)
        files = tuple(SourceFile(path, "0" * 64, 1, "python") for path in FILES)
        unit = UnitSpec(".", "", "python", "python", "0", "basedpyright", "1.40.2", files)
        request = engine.empty_request(BUNDLE, str(tmp_path / "ws")) | {"files": list(FILES)}
        return driver_run.run_driver(
            unit,
            request,
            node if permitted else node._replace(version=()),
            BUNDLE,
            str(tmp_path / "ws"),
            {**os.environ, **env},
            str(tmp_path / "run"),
            limits or Limits(seconds=60),
            lambda *_: None,
        )

    return run


def codes(outcome: RunOutcome) -> list[str]:
    return [problem.code for problem in outcome.problems]


def test_a_good_run_is_believed(drive: Drive) -> None:
    outcome = drive("finish(request.files);")
    assert (outcome.state, outcome.problems) == ("built", ())
    assert outcome.scip_path is not None
    assert Path(outcome.scip_path).read_bytes().endswith(b"b.py")


@pytest.mark.parametrize(
    ("body", "state", "code"),
    [
        pytest.param("finish(['a.py']);", "partial", "documents_missing", id="one document less"),
        pytest.param(
            "finish(['a.py', 'b.py', 'c.py']);", "partial", "documents_foreign", id="a foreign document"
        ),
        pytest.param(
            "finish(['a.py', 'b.py', '../x.py']);", "partial", "documents_foreign", id="a path above"
        ),
        pytest.param("finish(['x.py', 'y.py']);", "failed", "no_documents", id="no document of the unit"),
        pytest.param("finish([]);", "failed", "no_documents", id="empty index"),
        pytest.param("finish(['a.py'], 2);", "failed", "documents_differ", id="said more than it wrote"),
        pytest.param(
            "finish(['a.py', 'b.py'], 1);", "failed", "documents_differ", id="wrote more than it said"
        ),
        pytest.param("fs.writeFileSync(output, scip(['a.py']));", "failed", "no_done_record", id="no done"),
        pytest.param("emit({event: 'done', documents: 2, files: 2});", "failed", "io_error", id="no file"),
        pytest.param(
            "fs.writeFileSync(output, 'no protobuf at all'); emit({event: 'done', documents: 2});",
            "failed",
            "scip_invalid",
            id="no SCIP",
        ),
        pytest.param(
            "finish(request.files); process.exit(1);", "failed", "provider_failed", id="done, then exit 1"
        ),
        pytest.param(
            "finish(request.files); process.kill(process.pid, 'SIGSEGV'); setInterval(() => 0, 1000);",
            "failed",
            "provider_crashed",
            id="done, then crash",
        ),
        pytest.param(
            "fs.writeFileSync(output, scip(['a.py'])); process.kill(process.pid, 'SIGKILL');",
            "failed",
            "provider_crashed",
            id="killed in the middle",
        ),
        pytest.param(
            "emit({event: 'failed', code: 'bundle_unknown', message: 'm'}); process.exit(3);",
            "failed",
            "bundle_unknown",
            id="refused",
        ),
        pytest.param(
            "finish(request.files); emit({event: 'failed', code: 'bundle_unknown', message: 'm'});",
            "failed",
            "bundle_unknown",
            id="done and failed",
        ),
        pytest.param("throw new Error('x');", "failed", "provider_failed", id="an exception"),
        pytest.param(
            "process.stderr.write('done\\n'); ", "failed", "no_done_record", id="garbage for an event"
        ),
    ],
)
def test_what_is_believed(drive: Drive, body: str, state: str, code: str) -> None:
    outcome = drive(body)
    assert (outcome.state, codes(outcome)) == (state, [code])
    assert (outcome.scip_path is None) == (state == "failed")


def test_a_driver_that_hangs_is_ended(drive: Drive) -> None:
    outcome = drive("finish(request.files); setInterval(() => 0, 1000);", Limits(seconds=2))
    assert (outcome.state, codes(outcome), outcome.scip_path) == ("timed_out", ["timed_out"], None)


def test_noise_and_floods_on_both_streams_do_no_harm(drive: Drive) -> None:
    outcome = drive(
        "const noise = 'x'.repeat(100000);"
        "for (let n = 0; n < 300; n++) { fs.writeSync(2, noise); fs.writeSync(1, noise); }"
        "fs.writeSync(2, '\\n'); finish(request.files);"
    )
    assert (outcome.state, outcome.problems) == ("built", ())


def test_output_beyond_its_limit_ends_the_run(drive: Drive) -> None:
    outcome = drive(
        "for (;;) fs.appendFileSync(output, Buffer.alloc(1 << 20));", Limits(seconds=60, output_bytes=8 << 20)
    )
    assert outcome.state == "failed"
    assert codes(outcome) in (["output_limit"], ["provider_failed"])
    assert outcome.scip_path is None


def test_memory_beyond_its_limit_ends_the_run(drive: Drive) -> None:
    body = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20 << 20, 1)), 20);"
    outcome = drive(body, Limits(seconds=60, memory_bytes=300 << 20))
    assert (outcome.state, codes(outcome)) == ("failed", ["memory_limit"])


def machine(monkeypatch: pytest.MonkeyPatch, memory: int) -> None:
    """Pretend to a machine with so many MiB, where a heap starts as small as it may."""
    monkeypatch.setattr(node_run, "_LEAST_HEAP_MIB", 0)
    monkeypatch.setattr(node_run, "_TREE_SHARE", 1 << 10)
    monkeypatch.setattr(driver_run, "memory_mib", lambda: memory)


BIG_HEAP = """
const heap = Number(process.execArgv[0].split("=")[1]), kept = [];
fs.appendFileSync(path.join(path.dirname(output), "heaps"), heap + " ");
if (heap < 300) for (;;) kept.push(new Array(10000).fill(1.5).map(Math.sqrt));
finish(request.files);
"""


def test_a_full_heap_is_tried_once_more_with_twice_as_much(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, 1000)
    assert drive(BIG_HEAP).state == "built"
    assert (tmp_path / "run" / "heaps").read_text() == "256 512 "


def test_a_heap_that_may_not_grow_is_said(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, 500)
    outcome = drive(BIG_HEAP)
    assert (outcome.state, codes(outcome)) == ("failed", ["heap_exhausted"])
    assert (tmp_path / "run" / "heaps").read_text() == "256 "


@pytest.mark.parametrize(
    ("files", "memory", "heap", "doubles"),
    [
        (10, 24_000, 2048, True),
        (4000, 24_000, 6000, True),
        (9000, 24_000, 13_500, False),
        (10, 2000, 1200, False),
    ],
)
def test_heap_sizes(files: int, memory: int, heap: int, doubles: bool) -> None:
    assert heap_mib(files, memory, driver_run._HEAP_MIB_A_FILE) == heap
    assert may_double(heap, memory) is doubles


def test_a_child_that_left_the_group_is_killed(drive: Drive, tmp_path: Path) -> None:
    body = """
const child = spawn("/bin/sleep", ["600"], { detached: true, stdio: "ignore" });
child.unref();
fs.writeFileSync(path.join(path.dirname(output), "pid"), String(child.pid));
finish(request.files);
"""
    assert drive(body, permitted=False).state == "built"
    assert int((tmp_path / "run" / "pid").read_text()) not in supervise.process_table()


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(
            "fs.writeFileSync(path.join(request.root, 'canary'), '')", id="writes into the workspace"
        ),
        pytest.param(
            "fs.writeFileSync(path.join(require('os').homedir(), 'canary'), '')", id="writes at home"
        ),
        pytest.param("require('child_process').execFileSync('/bin/true')", id="starts a program"),
        pytest.param("new (require('worker_threads').Worker)('', {eval: true})", id="starts a worker"),
    ],
)
def test_the_permission_model_holds_a_driver_in_its_folder(drive: Drive, node: Node, attempt: str) -> None:
    assert node.version >= (22,), "the Node that comes with codetrail[node] has the permission model"
    outcome = drive(f"try {{ {attempt}; }} catch (e) {{ fs.writeSync(2, e.code); process.exit(4); }}")
    assert outcome.state == "failed"
    assert outcome.problems[0].detail == "ERR_ACCESS_DENIED"


def test_the_environment_of_a_driver(drive: Drive, tmp_path: Path) -> None:
    body = (
        "fs.writeFileSync(path.join(path.dirname(output), 'env'), JSON.stringify(process.env));finish(FILES);"
    )
    drive(
        body.replace("FILES", "request.files"),
        NODE_OPTIONS="--require=/canary.js",
        NODE_PATH="/canary",
        PYTHONPATH="/canary",
        LD_LIBRARY_PATH="/canary",
        GITHUB_TOKEN="canary",
        SSH_AUTH_SOCK="/canary",
        PATH=f".:{tmp_path}/ws:/usr/bin",
    )
    env = json.loads((tmp_path / "run" / "env").read_text())
    assert "canary" not in json.dumps(env)
    assert env["PATH"] == "/usr/bin"
    assert env["TMPDIR"] == str(tmp_path / "run")
    assert (env["CI"], env["NO_COLOR"], env["GIT_TERMINAL_PROMPT"]) == ("1", "1", "0")


def test_what_is_kept_of_stderr_hides_folders_and_is_short(drive: Drive, tmp_path: Path) -> None:
    outcome = drive(
        "for (let n = 0; n < 50; n++)"
        " fs.writeSync(2, `${n} ${request.root}/a.py ${output} ` + 'x'.repeat(2000) + '\\n');"
        "process.exit(1);"
    )
    detail = outcome.problems[0].detail or ""
    assert str(tmp_path) not in detail
    assert detail.startswith("30 a.py index.scip xxx")
    assert len(detail.splitlines()) == 20
    assert max(map(len, detail.splitlines())) <= 500


def test_the_request_says_what_the_protocol_asks(tmp_path: Path) -> None:
    path = write_request(engine.empty_request(BUNDLE, str(tmp_path)), str(tmp_path))
    request = json.loads(Path(path).read_text())
    assert sorted(request) == [
        *("bundle", "distributions", "encodings", "files", "packages", "python", "root", "roots"),
        "toolVersion",
    ]
    assert sorted(request["python"]) == ["interpreter", "platform", "searchPaths", "version"]


SELF_TESTS = [
    pytest.param("emit({event: 'done', documents: 1, files: 1});", None, id="right answers"),
    pytest.param("emit({event: 'failed', code: 'self_test_failed', message: 'm'});", "m", id="wrong answers"),
    pytest.param("throw new Error('broken');", "broken", id="crash"),
    pytest.param("", "", id="says nothing"),
]


@pytest.mark.parametrize(("body", "detail"), SELF_TESTS)
def test_self_test(
    tmp_path: Path, node: Node, monkeypatch: pytest.MonkeyPatch, body: str, detail: str | None
) -> None:
    monkeypatch.setattr(engine, "driver_folder", lambda: str(tmp_path))
    (tmp_path / "main.js").write_text(PRELUDE + body)
    found = engine.self_test(node, BUNDLE, "/nowhere", os.environ, str(tmp_path))
    if detail is None:
        assert found is None
    else:
        assert isinstance(found, Problem)
        assert found.code == "self_test_failed"
        assert detail in (found.detail or "")
    assert not (tmp_path / "REQUEST.json").exists()
