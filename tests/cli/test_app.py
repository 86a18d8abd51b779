"""The program as a whole: exit statuses, forms of failure, streams, signals."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from codetrail import errors
from codetrail.cli import index
from codetrail.model.answers import Answer, Coverage, Matched, Note, Page
from tests.cli.conftest import FOUND, MATCHED, Engine, Program

NO_MATCH = Answer((), Page(Coverage("complete"), total=0))
NO_ROWS = Answer((), Page(Coverage("complete"), total=0, matched=MATCHED, matched_total=1))
AMBIGUOUS = Answer(
    (),
    Page(Coverage("complete"), matched=MATCHED, matched_total=1, notes=(Note("ambiguous_place", "several"),)),
)

pytestmark = pytest.mark.usefixtures("workspace")

FAKE = """
import sys, time
from codetrail.cli import app, queries
from codetrail.model.answers import Answer, Coverage, Matched, Node, Page, SymbolRow
from codetrail.model.ranges import Range

node = Node("class", "Cart", "Cart", None, "python", "cart.py", Range(2, 6, 2, 10), "s")
row = SymbolRow(node, None, "precise_fact", True, 0)

def ask(question, root, seen):
    if question.identifier == "slow":
        sys.stderr.write("asking\\n")
        sys.stderr.flush()
        time.sleep(60)
    rows = (row,) * (20000 if question.identifier == "many" else 1)
    matched = (Matched("cart.py:3", "class", 1),)
    return Answer(rows, Page(Coverage("complete"), total=1, matched=matched, matched_total=1))

queries.ask = ask
sys.exit(app.main())
"""


def started(*argv: str, **streams: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", FAKE, *argv]
    return subprocess.Popen(command, **streams)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (FOUND, 0),
        (NO_ROWS, 0),
        (NO_MATCH, 2),
        (AMBIGUOUS, 2),
        (errors.UsageError("x", code="invalid_cursor"), 1),
        (errors.ScopeError("x"), 1),
        (errors.ConfigError("x"), 1),
        (errors.IndexUnavailable("x"), 2),
        (errors.IndexUnusable("x", code="index_stale"), 6),
        (errors.ProviderError("x"), 1),
        (errors.DataError("x"), 1),
        (errors.SystemFailure("x", code="timed_out"), 1),
        (PermissionError(13, "no", "/secret/place"), 1),
        (KeyboardInterrupt(), 130),
        (RecursionError("deep"), 1),
        (MemoryError(), 1),
        (ValueError("/secret/place"), 1),
    ],
    ids=[
        *("found", "no_rows", "no_match", "ambiguous_place", "cursor", "scope", "config", "unavailable"),
        *("unusable", "provider", "data", "system", "os_error", "interrupt", "recursion", "memory", "defect"),
    ],
)
@pytest.mark.parametrize("output", ["text", "json", "jsonl", "compact-json"])
def test_exit_status_and_form(
    program: Program, engine: Engine, reply: Answer | BaseException, status: int, output: str
) -> None:
    engine.reply = reply
    outcome = program("refs", "Cart", "--output", output)
    assert outcome.status == status
    assert "Traceback" not in outcome.err
    assert "secret" not in outcome.out + outcome.err
    if output == "text":
        failed = isinstance(reply, BaseException)
        assert outcome.err.startswith("error: ") == failed
        assert bool(outcome.out) != failed
        return
    assert outcome.err == ""
    lines = [json.loads(line) for line in outcome.out.splitlines()]
    assert len(lines) == 1 or output == "jsonl"
    assert ("error" in lines[-1]) == isinstance(reply, BaseException)


def test_interrupt_and_defects_have_fixed_codes(program: Program, engine: Engine) -> None:
    for reply, code in ((KeyboardInterrupt(), "interrupted"), (ValueError("x"), "internal_error"),
                        (OSError(28, "x"), "io_error")):  # fmt: skip
        engine.reply = reply
        assert json.loads(program("refs", "x", "-o", "json").out)["error"]["code"] == code


def test_a_traceback_is_shown_to_who_asks_and_escaped(program: Program, engine: Engine) -> None:
    engine.reply = ValueError("\x1b]52;c;x\x07")
    quiet = program("refs", "x")
    loud = program("refs", "x", "-v")
    assert "Traceback" not in quiet.err
    assert "Traceback" in loud.err
    assert "\x1b" not in loud.err
    assert loud.out == ""


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "missing"),
        (("index",), "missing"),
        (("ref", "x"), "there is no command 'ref'"),
        (("refs",), "missing argument 'ID'"),
        (("refs", "a", "b"), "unexpected argument 'b'"),
        (("refs", "a", "--include-definition"), "'--include-definition'"),
        (("refs", "a", "--limit"), "requires an argument"),
        (("refs", "a", "--explain=yes"), "does not take a value"),
        (("refs", "-x"), "there is no option '-x'"),
        (("refs", "x", "--counts"), "codetrail refs has no option --counts"),
        (("--case-sensitive", "refs", "a", "--ignore-case"), "contradict"),
        (("index", "build", "--jobs", "0"), "--jobs takes"),
        (("call", "x"), "there is no command 'call'"),
        (("schema", "nothing"), "no schema 'nothing'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_usage_errors_exit_1_in_the_asked_form(program: Program, argv: tuple[str, ...], message: str) -> None:
    text = program(*argv)
    assert (text.status, text.out) == (1, "")
    assert message in text.err
    assert "\nhint: " in text.err
    whole = program("-o", "json", *argv)
    assert (whole.status, whole.err) == (1, "")
    assert json.loads(whole.out)["error"]["code"] == "usage_error"
    assert message in json.loads(whole.out)["error"]["message"]
    line = program("--output=jsonl", *argv)
    assert json.loads(line.out)["event"] == "error"


def test_a_very_long_mistake_is_cut(program: Program) -> None:
    outcome = program("refs", "a", "b" * 100_000)
    assert len(outcome.err) < 500


def test_operand_that_begins_with_a_dash(program: Program, engine: Engine) -> None:
    assert program("refs", "--", "--output").status == 0
    assert program("refs", "-o", "json", "--", "-x").status == 0
    assert [one.identifier for one in engine.questions] == ["--output", "-x"]


def test_options_before_and_after_the_verb_reach_the_question(program: Program, engine: Engine) -> None:
    program("--dir", "src", "--limit", "7", "-o", "json", "refs", "x", "--dir", "tests", "--limit", "9")
    (question,) = engine.questions
    assert question.scope.directories == ("src", "tests")
    assert question.limit == 9


def test_next_page_command_repeats_the_question(program: Program, engine: Engine) -> None:
    page = FOUND.page._replace(truncated=True, next_cursor="c1", total=9)
    engine.reply = FOUND._replace(page=page)
    outcome = program("--dir", "src", "refs", "my name", "--cursor", "c0", "--limit", "1")
    assert outcome.out.splitlines()[-1] == (
        "left out: more rows (1 of 9 on this page); next page: "
        "codetrail refs --dir src --limit 1 --cursor c1 'my name'"
    )


@pytest.mark.parametrize(
    ("here", "path", "root"),
    [(".", ".", None), ("src", ".", ".."), ("src/deep", "../..", "../.."), ("..", "tree", "tree")],
    ids=["at_the_root", "below", "below_with_path", "beside"],
)
def test_the_page_says_where_the_root_is(
    program: Program, engine: Engine, workspace: Path, here: str, path: str, root: str | None
) -> None:
    os.chdir(workspace / here)
    outcome = program("--path", path, "defs", "x", "-o", "json")
    assert engine.roots[0].path == str(workspace)
    assert json.loads(outcome.out)["page"].get("root") == root


def test_max_bytes_and_fields_reach_the_question(program: Program, engine: Engine) -> None:
    outcome = program("defs", "x", "-o", "json", "--fields", "path", "--max-bytes", "9")
    assert json.loads(outcome.out)["results"] == [{"path": "cart.py", "reliability": "precise_fact"}]
    assert engine.questions[0].max_bytes == 9


@pytest.mark.parametrize("columns", ["1", "20", "400"])
def test_help_on_any_width(program: Program, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for argv in (["--help"], ["refs", "--help"], ["index", "build", "--help"]):
        outcome = program(*argv)
        assert outcome.status == 0
        assert "Options:" in outcome.out
        assert "\x1b" not in outcome.out


def test_version(program: Program) -> None:
    assert program("--version") == (0, "codetrail 0.1.0\n", "")


READ_BY_NO_ONE = [
    ("defs", "many"),
    ("defs", "many", "-o", "json"),
    ("defs", "x"),
    ("--help",),
    ("--version",),
    ("schema",),
    ("-o", "json", "nothing"),
]


@pytest.mark.parametrize("argv", READ_BY_NO_ONE, ids=" ".join)
def test_a_reader_that_has_gone_is_no_error(argv: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    run = started(*argv, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    _, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (0, b"")


def test_head_takes_a_line_and_all_is_well() -> None:
    run = started("defs", "many", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None
    assert run.stderr is not None
    assert run.stdout.readline() == b"class  Cart  cart.py:3  defs=cart.py:3#Cart\n"
    run.stdout.close()
    assert run.wait(60) == 0
    assert run.stderr.read() == b""
    run.stderr.close()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("output", ["text", "json", "jsonl"])
def test_a_full_disk_is_an_io_error(output: str) -> None:
    with open("/dev/full", "wb") as full:
        run = started("defs", "x", "-o", output, stdout=full, stderr=subprocess.PIPE)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 1
    assert err == b"error: the system refused: no space left on device (io_error)\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_show_no_traceback(closed: str) -> None:
    command = f'"$0" -c "$1" defs x {closed}'
    run = subprocess.run(["sh", "-c", command, sys.executable, FAKE], capture_output=True, timeout=60)
    assert run.returncode == (1 if ">&-" in closed.replace("2>&-", "") else 0)
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("output", ["text", "json"])
def test_interrupt_by_signal_exits_130(output: str) -> None:
    run = started("defs", "slow", "-o", output, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stderr is not None
    assert run.stderr.readline() == b"asking\n"
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert b"Traceback" not in err
    if output == "text":
        assert err == b"error: interrupted (interrupted)\n"
    else:
        assert json.loads(out)["error"]["code"] == "interrupted"


def on_a_terminal(environment: dict[str, str], *argv: str) -> bytes:
    """Run with a terminal as standard output and return what it got."""
    leader, follower = pty.openpty()
    clean = {
        key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM", "FORCE_COLOR")
    }
    run = started(*argv, stdout=follower, stderr=subprocess.DEVNULL, env=clean | environment)
    os.close(follower)
    got = b""
    try:
        while piece := os.read(leader, 4096):
            got += piece
    except OSError:
        pass  # Linux says EIO when the other side has closed.
    finally:
        os.close(leader)
    assert run.wait(60) == 0
    return got


@pytest.mark.parametrize(
    ("environment", "argv", "coloured"),
    [
        ({"TERM": "xterm"}, (), True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, (), False),
        ({"TERM": "xterm", "NO_COLOR": ""}, (), True),
        ({"TERM": "dumb"}, (), False),
        ({"TERM": "xterm"}, ("-o", "json"), False),
        ({"TERM": "xterm"}, ("-o", "jsonl"), False),
    ],
    ids=["terminal", "no_color", "no_color_empty", "dumb", "json", "jsonl"],
)
def test_colour_on_a_terminal_only(
    environment: dict[str, str], argv: tuple[str, ...], coloured: bool
) -> None:
    assert (b"\x1b[" in on_a_terminal(environment, "defs", "x", *argv)) == coloured


def test_no_colour_in_a_pipe() -> None:
    run = started("defs", "x", stdout=subprocess.PIPE, env=os.environ | {"TERM": "xterm", "FORCE_COLOR": "1"})
    out, _ = run.communicate(timeout=60)
    assert b"\x1b" not in out
    assert out == b"class  Cart  cart.py:3  defs=cart.py:3#Cart\n"


def test_output_is_utf8_whatever_the_locale() -> None:
    fake = FAKE.replace('"Cart", "Cart"', '"größe", "größe"')
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    run = subprocess.run(
        [sys.executable, "-c", fake, "defs", "x"], capture_output=True, env=environment, timeout=60
    )
    assert run.stdout.decode().startswith("class  'größe'  ")


HEAVY = (
    "typer",
    "rich",
    "pydantic",
    "google",
    "tree_sitter",
    "dataclasses",
    "inspect",
    "codetrail.providers",
)


QUERIES = [("defs", "x"), ("refs", "x", "-o", "json"), ("-v", "symbols", "x", "-o", "jsonl")]


@pytest.mark.parametrize("argv", QUERIES, ids=" ".join)
def test_a_query_loads_nothing_heavy(argv: tuple[str, ...]) -> None:
    fake = FAKE.replace("sys.exit(app.main())", "app.main()\nprint(*sys.modules, sep='\\n', file=sys.stderr)")
    run = subprocess.run([sys.executable, "-c", fake, *argv], capture_output=True, text=True, timeout=60)
    loaded = run.stderr.split()
    assert "codetrail.cli.app" in loaded
    assert [
        name for name in loaded if name.split(".")[0] in HEAVY or name.startswith("codetrail.providers")
    ] == []


def test_help_and_version_load_no_rich() -> None:
    fake = FAKE.replace("sys.exit(app.main())", "app.main()\nprint(*sys.modules, sep='\\n', file=sys.stderr)")
    run = subprocess.run(
        [sys.executable, "-c", fake, "--version"], capture_output=True, text=True, timeout=60
    )
    loaded = run.stderr.split()
    assert "typer" in loaded
    assert not {"rich", "pydantic", "tree_sitter", "google.protobuf", "apsw"} & set(loaded)


def test_module_and_console_script_are_the_same_program() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "codetrail", "--version"], capture_output=True, text=True, timeout=60
    )
    assert (run.returncode, run.stdout) == (0, "codetrail 0.1.0\n")


def test_the_home_folder_is_not_built(
    program: Program, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workspace))
    outcome = program("index", "build", "-o", "json")
    assert outcome.status == 1
    assert "home folder" in json.loads(outcome.out)["error"]["message"]


def test_every_index_command_is_carried_out_somewhere() -> None:
    from codetrail.cli.options import COMMANDS

    assert {command.words[1] for command in COMMANDS if command.words[0] == "index"} == set(index._RUN)


def test_matched_words_are_printed_when_there_are_no_rows(program: Program, engine: Engine) -> None:
    matched = (Matched("-a.py:1#x", "class", 0),)
    engine.reply = NO_ROWS._replace(page=NO_ROWS.page._replace(matched=matched))
    assert program("refs", "x").out == "no rows for 'x', which matches:\nclass  defs=-- -a.py:1#x\n"


def test_an_ambiguous_place_is_called_that(program: Program, engine: Engine) -> None:
    matched = (Matched("a.py:1#x", "class", 0), Matched("b.py:1#x", "class", 0))
    notes = (Note("ambiguous_place", "several"),)
    engine.reply = NO_ROWS._replace(page=NO_ROWS.page._replace(matched=matched, matched_total=2, notes=notes))
    assert program("refs", "c.py:1#x").out.startswith(
        "'c.py:1#x' is ambiguous: ask again with one of\nclass  defs=a.py:1#x\nclass  defs=b.py:1#x\n"
    )
