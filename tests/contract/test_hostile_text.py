"""Names, paths and lines made to take in a terminal, a shell or a reader: shown, not acted on (contract §8).

The workspace holds files whose names and texts carry escape sequences, links, bidi overrides, tags, markup
and line ends. What is printed of them is judged character by character, and pasted into a real shell.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

from codetrail.output.escaping import visible
from tests.contract.running import ask, judge_text, run
from tests.contract.states import HOSTILE_NAMES, HOSTILE_TEXT, own_homes, write_hostile
from tests.query.conftest import Tree

PACKAGE = "codetrail-python python shop 1.0"


def portable(name: str) -> bool:
    """Tell whether a provider can be given a file of this name."""
    return not any(ord(char) < 32 or 127 <= ord(char) < 160 or char == "\\" for char in name)


PRECISE = [name for name in HOSTILE_NAMES if portable(name)]
PARSED = [name for name in HOSTILE_NAMES if not portable(name)]


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Index the files that a provider can be given; the others are new to the index."""
    top = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patch:
        own_homes(top / "homes", patch)
        (top / "work").mkdir()
        tree = Tree(top / "work")
        unit = tree.unit()
        for name in PRECISE:
            facts = tree.file(unit, f"odd/{name}", HOSTILE_TEXT, PACKAGE)
            module = name.removesuffix(".py").replace("`", "``")
            facts.define("twin", f"`{module}`/twin().", "function", 2, f"def twin({name!r})")
            facts.use("twin", f"`{module}`/twin().", "value")
        tree.store()
        write_hostile(tree.path)
        yield tree.path


QUESTIONS = {
    "defs": ("defs", "twin"),
    "refs": ("refs", "twin", "--include-definitions"),
    "symbols": ("symbols", "win", "--explain"),
    "refs_explained": ("refs", "twin", "--explain"),
    "callers": ("callers", "twin", "--use", "call", "--use", "value", "--explain"),
    "callers_overriding": ("callers", "twin", "--include-overrides", "--fields", "short"),
    "calls": ("calls", "twin"),
    "calls_of_a_module": ("calls", "odd.-dash"),
    "call_hierarchy": ("call-hierarchy", "twin", "--depth", "4", "--explain"),
    "call_hierarchy_short": ("call-hierarchy", "twin", "--include-overrides", "--fields", "short"),
    "page": ("defs", "twin", "--limit", "3", "--dir", "odd"),
    "code": ("defs", "twin", "--include-code"),
    "changed_scope": ("defs", "twin", "--file-pattern", "*\u202e*"),
    "counts": ("symbols", "--counts"),
    "overrides": ("refs", "twin", "--include-overrides"),
    "no_match": ("defs", "\x1b[2J\u202e[red]\U000e0041"),
    "no_rows": ("refs", "twin", "--use", "write"),
    "ambiguous": ("refs", "nowhere.py:1#twin"),
    "failure": ("refs", "twin", "--file-mode", "\x1b]8;;x\x07"),
    "verbose": ("refs", "twin", "--verbose"),
}


@pytest.mark.parametrize("case", QUESTIONS)
def test_nothing_printed_can_act_or_hide(odd: Path, case: str) -> None:
    argv = QUESTIONS[case]
    judge_text(odd, run(odd, *argv))
    ask(odd, *argv)
    for line in run(odd, "-o", "jsonl", *argv).out.split("\n"):
        assert line.isprintable()


def test_every_hostile_file_is_listed_under_its_own_name(odd: Path) -> None:
    printed = ask(odd, "defs", "twin").json
    found = {row["path"]: row["reliability"] for row in printed["results"]}
    assert found == {
        **{f"odd/{name}": "precise_fact" for name in PRECISE},
        **{f"odd/{name}": "parser_fact" for name in PARSED},
    }
    text = run(odd, "defs", "twin").out
    for name in HOSTILE_NAMES:
        shown = visible(name.replace("\\", "\\\\") if visible(name) != name else name)
        assert shown.replace("'", "'\"'\"'") in text or shown in text


def test_json_escapes_what_hides_and_keeps_every_character(odd: Path) -> None:
    out = ask(odd, "defs", "twin").out
    for raw, escaped in (
        ("\u202e", "\\u202e"),
        ("\u200b", "\\u200b"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("\u3164", "\\u3164"),
        ("\u009b", "\\u009b"),
        ("\x1b", "\\u001b"),
    ):
        assert raw not in out
        assert escaped in out
    assert "naïve.py" in out


def test_source_lines_are_shown_whole_with_their_tabs(odd: Path) -> None:
    row = next(row for row in ask(odd, "refs", "twin").json["results"] if row["path"] == "odd/a b.py")
    line = HOSTILE_TEXT.split("\n")[1]
    assert row["text"] == line.rstrip()
    (shown,) = [one for one in run(odd, "refs", "twin").out.split("\n") if one.startswith("'odd/a b.py:2")]
    assert shown == f"'odd/a b.py:2:12': {chr(9).join(map(visible, line.rstrip().split(chr(9))))}"
    assert "[red]x[/red]" in shown
    assert "\\x1b]8;;http://x\\x07link" in shown
    assert "\t" in shown


def pasted(words: list[str], folder: Path) -> list[str]:
    """Have a shell read words as they were printed, and return what a program is given."""
    script = "".join(f"printf '%s\\0' {word}\n" for word in words)
    shell = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"LC_ALL": "C.UTF-8"},
        capture_output=True,
        timeout=60,
    )
    assert shell.stderr == b""
    return shell.stdout.decode().split("\0")[:-1]


def test_every_coordinate_pastes_back_through_a_shell(odd: Path) -> None:
    printed = ask(odd, "defs", "twin").json["results"]
    lines = run(odd, "defs", "twin").out.split("\n")
    words = [
        re.split("  (?:parser_fact|inferred)", line.split("  defs=")[1])[0]
        for line in lines
        if "  defs=" in line
    ]
    assert pasted(words, odd) == [row["queryInputs"]["defs"] for row in printed]
    for row in printed:
        (again,) = ask(odd, "defs", "--", row["queryInputs"]["defs"]).json["results"]
        assert (again["path"], again["range"]) == (row["path"], row["range"])
        assert "matchedInputVariant" not in again


def test_the_next_page_of_a_hostile_question_pastes_back(odd: Path) -> None:
    argv = ("symbols", "twin", "--dir", "odd/Ω\u202e", "--dir", "odd", "--limit", "2", "--ext=.py")
    command = run(odd, *argv).out.rstrip("\n").split("next page: codetrail ")[1]
    (given,) = [pasted([command], odd)]
    follow = run(odd, *given, "-o", "json").json
    whole = ask(odd, *argv[:-3], "--ext=.py").json
    assert follow["results"] == whole["results"][2:4]


# Terminals.


def command(*argv: str) -> list[str]:
    return [sys.executable, "-m", "codetrail", *argv]


def on_a_terminal(folder: Path, columns: int, environment: dict[str, str], *argv: str) -> bytes:
    """Run the program with a terminal of that width as its output, and return what the terminal got."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 10, columns, 0, 0))
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    given = clean | {"TERM": "xterm", "COLUMNS": str(columns)} | environment
    with subprocess.Popen(command(*argv), cwd=folder, stdout=follower, stderr=follower, env=given) as program:
        os.close(follower)
        got = b""
        try:
            while piece := os.read(leader, 4096):
                got += piece
        except OSError:
            pass  # Linux says EIO when the other side has closed.
        finally:
            os.close(leader)
        assert program.wait(60) == 0
    return got.replace(b"\r\n", b"\n")


COLOUR = re.compile(rb"\x1b\[[0-9]+m")


@pytest.mark.parametrize("columns", [1, 20, 40, 400])
def test_lines_are_the_same_on_a_terminal_of_any_width(odd: Path, columns: int) -> None:
    piped = run(odd, "refs", "twin").out.encode()
    got = on_a_terminal(odd, columns, {}, "refs", "twin")
    assert COLOUR.search(got)
    assert COLOUR.sub(b"", got) == piped


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["no_color", "dumb"])
def test_no_colour_where_none_is_wanted(odd: Path, environment: dict[str, str]) -> None:
    assert on_a_terminal(odd, 40, environment, "refs", "twin") == run(odd, "refs", "twin").out.encode()


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "latin-1:replace"},
        {"LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0"},
        {"COLUMNS": "20"},
        {"FORCE_COLOR": "1", "TERM": "xterm-256color", "CLICOLOR_FORCE": "1"},
    ],
    ids=["ascii", "c_locale", "latin_1", "latin_1_locale", "narrow", "forced_colour"],
)
def test_a_pipe_gets_the_same_bytes_whatever_the_environment(odd: Path, environment: dict[str, str]) -> None:
    for argv in (("defs", "twin"), ("refs", "twin", "-o", "json"), ("defs", "größe\u202e")):
        here = run(odd, *argv)
        done = subprocess.run(
            command(*argv), cwd=odd, env=os.environ | environment, capture_output=True, timeout=60
        )
        assert (done.returncode, done.stdout.decode(), done.stderr) == (here.status, here.out, b"")


# Readers that leave.


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Index a file whose one answer is larger than any pipe holds."""
    top = tmp_path_factory.mktemp("long")
    with pytest.MonkeyPatch.context() as patch:
        own_homes(top / "homes", patch)
        (top / "work").mkdir()
        tree = Tree(top / "work")
        line = f"run(); {'x' * 180}"
        facts = tree.file(tree.unit(), "a.py", "def run(): pass\n" + f"{line}\n" * 1000)
        facts.define("run", "`a`/run().", "function", 1)
        for _ in range(1000):
            facts.use("run", "`a`/run().")
        tree.store()
        yield tree.path


@pytest.mark.parametrize("output", ["text", "json", "jsonl"])
@pytest.mark.parametrize("taken", [0, 1, 70_000], ids=["at_once", "in_the_first_line", "in_the_middle"])
def test_a_reader_that_leaves_is_no_error(long: Path, output: str, taken: int) -> None:
    argv = command("refs", "run", "--limit", "1000", "-o", output)
    with subprocess.Popen(argv, cwd=long, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert len(program.stdout.read(taken)) == taken
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait(60) == 0


def test_head_in_a_shell_sees_success(long: Path) -> None:
    script = 'set -o pipefail; "$0" -m codetrail refs run --limit 1000 -o jsonl | head -n 2'
    done = subprocess.run(["bash", "-c", script, sys.executable], cwd=long, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line)["event"] for line in done.stdout.splitlines()] == ["result", "result"]
