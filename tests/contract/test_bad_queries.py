"""Questions that cannot be answered: each has its code, its exit status, a sentence and a hint (contract §7).

What every failure owes its caller is judged in ``running``; here stands which code each mistake has, in all
forms of output, and that near misses are told what may have been meant.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.running import ask, judge_events, judge_text, run
from tests.contract.states import own_homes
from tests.index.building import Bench, FakeProvider, serve_only

SCOPE = ("--file-mode", "regex", "--file-pattern")

BAD: dict[str, tuple[tuple[str, ...], str, str]] = {
    # Options.
    "option_unknown": (("refs", "x", "--nothing-like-it"), "usage_error", "codetrail refs --help"),
    "option_near_miss": (("refs", "x", "--dri", "src"), "usage_error", "--dir"),
    "option_near_miss_joined": (("refs", "x", "--limt=3"), "usage_error", "--limit"),
    "option_near_miss_before": (("--languag", "py", "refs", "x"), "usage_error", "--lang"),
    "option_cut_short": (("refs", "x", "--include-definition"), "usage_error", "--include-definitions"),
    "option_of_another_verb": (("symbols", "x", "--use", "call"), "usage_error", "codetrail refs"),
    "option_short_unknown": (("refs", "x", "-z"), "usage_error", "codetrail refs --help"),
    "option_without_value": (("refs", "x", "--limit"), "usage_error", "codetrail"),
    "flag_with_value": (("refs", "x", "--explain=yes"), "usage_error", "codetrail"),
    "option_hostile": (("refs", "x", "--a\x1b[31m\u202eb"), "usage_error", "codetrail refs --help"),
    "option_not_utf8": (("refs", "x", "--a\udcff"), "usage_error", "codetrail refs --help"),
    "option_endless": (("refs", "x", "--" + "a" * 100_000), "usage_error", "codetrail refs --help"),
    # Verbs and operands.
    "verb_missing": ((), "usage_error", "codetrail --help"),
    "verb_near_miss": (("ref", "x"), "usage_error", "refs"),
    "verb_unknown": (("grep", "x"), "usage_error", "codetrail --help"),
    "verb_hostile": (("\x1b]8;;x\x07\u202e",), "usage_error", "codetrail --help"),
    "verb_endless": (("v" * 100_000,), "usage_error", "codetrail --help"),
    "operand_missing": (("defs",), "usage_error", "codetrail defs"),
    "operand_missing_of_calls": (("calls",), "usage_error", "codetrail calls"),
    "operand_missing_of_trees": (("call-hierarchy",), "usage_error", "codetrail call-hierarchy"),
    "verb_near_miss_of_callers": (("caller", "x"), "usage_error", "callers"),
    "query_missing": (("symbols",), "usage_error", "codetrail symbols QUERY"),
    "operands_two": (("refs", "a", "b"), "usage_error", "codetrail refs"),
    "operands_endless": (("refs", "a", "b" * 100_000), "usage_error", "codetrail refs"),
    "operand_with_dash": (("refs", "-9"), "usage_error", "goes after --"),
    "operand_with_dashes": (("defs", "-main.py:1"), "usage_error", "goes after --"),
    # Identifiers.
    "identifier_empty": (("refs", ""), "usage_error", "codetrail refs NAME"),
    "identifier_blank": (("symbols", " \t\n "), "usage_error", "codetrail symbols NAME"),
    "identifier_of_invisible_blanks": (("defs", "\u3000\u2028"), "usage_error", "codetrail defs NAME"),
    "identifier_of_a_megabyte": (("defs", "x" * 1_000_000), "usage_error", "type a name"),
    "identifier_with_nul": (("refs", "a\0b"), "usage_error", "type a name"),
    "identifier_outside": (("refs", "../../x.py:1"), "scope_outside_workspace", "relative to the root"),
    "identifier_outside_absolute": (("defs", "/etc/passwd:1"), "scope_outside_workspace", "root"),
    "identifier_linked_outside": (("defs", "link/passwd:1"), "scope_outside_workspace", "root"),
    # Folders.
    "dir_outside": (("refs", "x", "--dir", ".."), "scope_outside_workspace", "relative to the root"),
    "dir_outside_absolute": (("refs", "x", "--dir", "/etc"), "scope_outside_workspace", "root"),
    "dir_root_of_all": (("refs", "x", "--dir", "/"), "scope_outside_workspace", "root"),
    "dir_linked_outside": (("refs", "x", "--dir", "link"), "scope_outside_workspace", "root"),
    "dir_through_link": (("refs", "x", "--dir", "link/ssl"), "scope_outside_workspace", "root"),
    "dir_missing": (("refs", "x", "--dir", "nothing"), "scope_not_found", "relative to the root"),
    "dir_is_file": (("refs", "x", "--dir", "a.py"), "scope_not_found", "--file-pattern"),
    "dir_below_file": (("refs", "x", "--dir", "a.py/b"), "scope_not_found", "root"),
    "dir_empty": (("refs", "x", "--dir", ""), "scope_not_found", "root"),
    "dir_nul": (("refs", "x", "--dir", "a\0"), "scope_not_found", "root"),
    "dir_endless": (("refs", "x", "--dir", "d" * 100_000), "scope_not_found", "root"),
    "dir_not_utf8": (("refs", "x", "--dir", "d\udcff"), "scope_not_found", "root"),
    "dir_loop": (("refs", "x", "--dir", "loop"), "scope_not_found", "--file-pattern"),
    "path_missing": (("--path", "nothing", "refs", "x"), "workspace_not_found", "--path"),
    "path_is_file": (("--path", "a.py", "refs", "x"), "workspace_not_found", "--path"),
    "path_empty": (("--path", "", "refs", "x"), "usage_error", "--path"),
    "path_endless": (("--path", "p" * 100_000, "refs", "x"), "workspace_not_found", "--path"),
    "path_nul": (("--path", "p\0", "refs", "x"), "workspace_not_found", "--path"),
    # Patterns.
    "regex_open": (("refs", "x", *SCOPE, "("), "invalid_pattern", "--file-mode"),
    "regex_lookahead": (("refs", "x", *SCOPE, "(?=a)"), "invalid_pattern", "--file-mode"),
    "regex_backreference": (("refs", "x", *SCOPE, r"(a)\1"), "invalid_pattern", "--file-mode"),
    "regex_too_large": (("refs", "x", *SCOPE, "((a{1000}){1000}){1000}"), "invalid_pattern", "--file-mode"),
    "regex_too_long": (("refs", "x", *SCOPE, "a" * 513), "invalid_pattern", "--file-pattern"),
    "regex_empty": (("refs", "x", *SCOPE, ""), "invalid_pattern", "--file-pattern"),
    "regex_not_utf8": (("refs", "x", *SCOPE, "a\udcff"), "invalid_pattern", "--file-mode"),
    "glob_open_set": (
        ("refs", "x", "--file-mode", "glob", "--file-pattern", "[a"), "invalid_pattern", "--file-mode",
    ),
    "pattern_nul": (("refs", "x", "--file-pattern", "a\0"), "invalid_pattern", "--file-pattern"),
    "suffix_empty": (("refs", "x", "--ext", ""), "usage_error", "--file-pattern"),
    "suffix_dot": (("refs", "x", "--ext", "."), "usage_error", "--file-pattern"),
    "suffix_star": (("refs", "x", "--ext", "*.py"), "usage_error", "--file-pattern"),
    "suffix_path": (("refs", "x", "--ext", "a/b"), "usage_error", "--file-pattern"),
    # Words of closed vocabularies.
    "output": (("refs", "x", "--file-mode", "regx"), "usage_error", "--file-mode regex"),
    "file_mode_empty": (("refs", "x", "--file-mode", ""), "usage_error", "--file-mode"),
    "input_mode": (("refs", "x", "--input-mode", "Strict"), "usage_error", "--input-mode strict"),
    "use": (("refs", "x", "--use", "cal"), "usage_error", "--use call"),
    "use_that_is_no_call": (("callers", "x", "--use", "import"), "usage_error", "--use call"),
    "use_of_calls": (("calls", "x", "--use", "call"), "usage_error", "codetrail refs, codetrail callers"),
    "use_of_trees": (("call-hierarchy", "x", "--use", "call"), "usage_error", "codetrail refs"),
    "direction": (("call-hierarchy", "x", "--direction", "in"), "usage_error", "--direction incoming"),
    "direction_of_calls": (("calls", "x", "--direction", "both"), "usage_error", "codetrail call-hierarchy"),
    "depth_of_callers": (("callers", "x", "--depth", "3"), "usage_error", "codetrail call-hierarchy"),
    "to_empty": (("call-hierarchy", "x", "--to", " "), "usage_error", "--to NAME"),
    "to_outside": (("call-hierarchy", "x", "--to", "../../x.py:1"), "scope_outside_workspace", "root"),
    "use_several": (("refs", "x", "--use", "call,write"), "usage_error", "--use"),
    "freshness": (("refs", "x", "--freshness", "ful"), "usage_error", "--freshness full"),
    "language": (("refs", "x", "--lang", "cobol"), "unsupported_language", ""),
    "language_empty": (("refs", "x", "--lang", ""), "unsupported_language", ""),
    "fields_unknown": (("refs", "x", "--fields", "path,nothing"), "usage_error", "--fields takes"),
    "fields_empty": (("refs", "x", "--fields", ""), "usage_error", "--fields takes"),
    "fields_empty_part": (("refs", "x", "--fields", "path,,text"), "usage_error", "--fields takes"),
    "fields_of_another_verb": (("defs", "x", "--fields", "text"), "usage_error", "--fields takes"),
    "fields_of_callers": (("callers", "x", "--fields", "symbol"), "usage_error", "--fields takes"),
    "fields_of_trees": (("call-hierarchy", "x", "--fields", "caller"), "usage_error", "--fields takes"),
    "fields_of_calls": (("calls", "x", "--fields", "enclosing"), "usage_error", "--fields takes"),
    "via_of_nothing": (("calls", "x", "--fields", "via"), "usage_error", "--include-overrides"),
    "fields_word_among_keys": (("refs", "x", "--fields", "short,path"), "usage_error", "--fields takes"),
    "fields_endless": (("refs", "x", "--fields", "f" * 100_000), "usage_error", "--fields takes"),
    # Contradictions.
    "case_both": (("refs", "x", "--case-sensitive", "--ignore-case"), "usage_error", "one of them"),
    "case_both_sides": (("--ignore-case", "refs", "x", "--case-sensitive"), "usage_error", "one of them"),
    "fresh_and_off": (("refs", "x", "--require-fresh", "--freshness", "off"), "usage_error", "leave out"),
    "context_alone": (("defs", "x", "--code-context", "3"), "usage_error", "--include-code"),
    "counts_of_callers": (("callers", "x", "--counts"), "usage_error", "codetrail defs, codetrail symbols"),
    "definitions_of_calls": (("calls", "x", "--include-definitions"), "usage_error", "codetrail refs"),
    "code_of_callers": (("callers", "x", "--include-code"), "usage_error", "codetrail defs, codetrail"),
    "counts_of_references": (("refs", "x", "--counts"), "usage_error", "codetrail defs, codetrail symbols"),
    "overrides_of_definitions": (("defs", "x", "--include-overrides"), "usage_error", "codetrail refs"),
    "counts_of_nothing": (("defs", "--counts"), "usage_error", "codetrail defs"),
    "counts_of_blanks": (("symbols", " ", "--counts"), "usage_error", "codetrail symbols NAME"),
    "lines_alone": (("symbols", "x", "--code-max-lines", "3"), "usage_error", "--include-code"),
}  # fmt: skip

NUMBERS = {
    "limit": (
        "0",
        "-1",
        "1001",
        "9" * 40,
        "1e3",
        "1.0",
        " 5",
        "5 ",
        "５",
        "٣",
        "0x10",
        "1_0",
        "+5",
        "",
        "five",
    ),
    "max-bytes": ("0", "-1", "9" * 40, "1e3", " 5", "５", "", "24k"),
    "code-context": ("-1", "1e3", "５", ""),
    "code-max-lines": ("0", "2001", "-1", "５", ""),
}
BAD_NUMBERS = [
    (key, value) for key, values in NUMBERS.items() for value in values
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Index a small workspace that holds links out of itself."""
    top = tmp_path_factory.mktemp("bad")
    provider = FakeProvider()
    with pytest.MonkeyPatch.context() as patch:
        own_homes(top / "homes", patch)
        serve_only(provider, patch)
        bench = Bench(top / "work")
        bench.write(a="def x():\n    pass\n" + "x()\n" * 30, src__b="import a\nx()\n")
        (bench.path / "link").symlink_to("/etc")
        (bench.path / "loop").symlink_to("loop")
        bench.build()
        yield bench.path


@pytest.mark.parametrize("case", BAD)
def test_each_mistake_has_its_code_and_a_hint(folder: Path, case: str) -> None:
    argv, code, hint = BAD[case]
    outcome = ask(folder, *argv)
    assert outcome.code == code
    assert hint in outcome.json["error"]["hint"]
    assert len(outcome.json["error"]["hint"]) < 600
    events = run(folder, "-o", "jsonl", *argv)
    judge_events(folder, events)
    assert json.loads(events.out) == {"event": "error", "error": outcome.json["error"]}
    text = run(folder, *argv)
    judge_text(folder, text)
    assert f"({code})\nhint: " in text.err


@pytest.mark.parametrize(
    ("key", "value"), BAD_NUMBERS, ids=[f"{key}={value[:9]!a}" for key, value in BAD_NUMBERS]
)
def test_numbers_are_whole_and_within_bounds(folder: Path, key: str, value: str) -> None:
    verb, more = ("defs", ("--include-code",)) if key.startswith("code") else ("refs", ())
    outcome = ask(folder, verb, "x", *more, f"--{key}={value}")
    assert outcome.code == "usage_error"
    assert f"--{key} takes a whole number from" in outcome.json["error"]["message"]
    assert outcome.json["error"]["hint"].startswith(f"--{key} ")
    judge_text(folder, run(folder, verb, "x", *more, f"--{key}={value}"))


GOOD: dict[str, tuple[tuple[str, ...], int]] = {
    "single_option_twice": (("refs", "x", "--limit", "5", "--limit", "3"), 3),
    "single_option_on_both_sides": (("--limit", "5", "refs", "x", "--limit", "2"), 2),
    "flag_twice": (("refs", "x", "--include-definitions", "--include-definitions"), 32),
    "same_case_flag_on_both_sides": (("--ignore-case", "refs", "x", "--ignore-case"), 31),
    "use_twice": (("refs", "x", "--use", "call", "--use", "call"), 31),
    "callers": (("callers", "x"), 31),
    "callers_by_use": (("callers", "x", "--use", "call", "--use", "call", "--use", "decorator"), 31),
    "callers_as_values": (("callers", "x", "--use", "value"), 0),
    "callers_not_utf8": (("callers", "\udcff\udcfe"), 0),
    "tree": (("call-hierarchy", "x"), 1),
    "tree_that_leads_nowhere": (("call-hierarchy", "x", "--to", "\udcff\ud800"), 1),
    "calls_of_what_calls_nothing": (("calls", "x"), 0),
    "calls_with_surrogates": (("calls", "\ud800\udfff"), 0),
    "calls_at_a_place_that_is_not_utf8": (("calls", "a\udcff.py:1"), 0),
    "catastrophic_regex": (("refs", "x", *SCOPE, "(a|a)*(a|a)*(a|a)*(.*)*b"), 1),
    "catastrophic_wildcard": (("refs", "x", "--file-pattern", "*a" * 200), 0),
    "catastrophic_glob": (("refs", "x", "--file-mode", "glob", "--file-pattern", "**/" * 150 + "*b*"), 1),
    "fields_twice": (("refs", "x", "--fields", "path,text,path"), 31),
    "link_inside": (("refs", "x", "--dir", "./src/../src/"), 1),
    "language_alias_in_capitals": (("refs", "x", "--lang", "PY"), 31),
    "control_characters": (("refs", "\x1b[31m\x07\x01"), 0),
    "not_utf8": (("refs", "\udcff\udcfe"), 0),
    "lone_surrogates": (("symbols", "\ud800\udfff"), 0),
    "not_utf8_place": (("defs", "a\udcff.py:1"), 0),
    "not_utf8_suffix": (("refs", "x", "--ext", "p\udcff"), 0),
    "dash_after_dashes": (("refs", "--", "-9"), 0),
    "dashes_after_dashes": (("refs", "--", "--"), 0),
    "nothing_but_punctuation": (("defs", "`'\"()#.::"), 0),
    "longest_identifier": (("defs", "x" * 4096), 0),
}


@pytest.mark.parametrize("case", GOOD)
def test_what_is_odd_but_sound_is_answered(folder: Path, case: str) -> None:
    argv, rows = GOOD[case]
    outcome = ask(folder, *argv)
    assert outcome.code is None
    assert len(outcome.json["results"]) == rows
    judge_text(folder, run(folder, *argv))


def _cursor(folder: Path, *argv: str) -> str:
    cursor: str = ask(folder, *argv, "--limit", "4").json["page"]["nextCursor"]
    assert cursor
    return cursor


ASKED = ("refs", "x", "--dir", ".")

OTHERS = {
    "other_verb": ("defs", "x", "--dir", "."),
    "callers": ("callers", "x", "--dir", "."),
    "calls": ("calls", "x", "--dir", "."),
    "trees": ("call-hierarchy", "x", "--dir", "."),
    "other_name": ("refs", "pass", "--dir", "."),
    "other_folder": ("refs", "x", "--dir", "src"),
    "no_folder": ("refs", "x"),
    "other_suffix": (*ASKED, "--ext", "py"),
    "other_language": (*ASKED, "--lang", "py"),
    "other_pattern": (*ASKED, "--file-pattern", "a*"),
    "other_mode": (*ASKED, "--input-mode", "strict"),
    "other_uses": (*ASKED, "--use", "call"),
    "with_definitions": (*ASKED, "--include-definitions"),
    "case_sensitive": (*ASKED, "--case-sensitive"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_cursor_of_another_question_or_scope_is_refused(folder: Path, case: str) -> None:
    cursor = _cursor(folder, *ASKED)
    outcome = ask(folder, *OTHERS[case], "--cursor", cursor)
    assert outcome.code == "cursor_scope_mismatch"


MALFORMED = {
    "empty": "",
    "blank": " ",
    "word": "next",
    "padding": "====",
    "not_ascii": "Ｗ１",
    "not_utf8": "\udcff",
    "control": "\x1b[2J",
    "huge": "A" * 1_000_000,
    "deep": base64.urlsafe_b64encode(b"[" * 9_000).decode(),
    "json_object": base64.urlsafe_b64encode(b'{"a":1}').decode(),
    "binary": base64.urlsafe_b64encode(bytes(range(256))).decode(),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_what_is_no_cursor_is_refused(folder: Path, case: str) -> None:
    argv = (*ASKED, f"--cursor={MALFORMED[case]}")
    assert ask(folder, *argv).code == "invalid_cursor"
    judge_text(folder, run(folder, *argv))


def test_a_cursor_that_was_changed_anywhere_is_refused(folder: Path) -> None:
    cursor = _cursor(folder, *ASKED)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    changed = {cursor[:end] for end in range(0, len(cursor), 7)}
    for at in range(len(cursor)):
        flipped = alphabet[alphabet.index(cursor[at]) ^ (1 << at % 6)]
        changed |= {cursor[:at] + flipped + cursor[at + 1 :], cursor[:at] + "%" + cursor[at:]}
    changed |= {cursor + "A", cursor + "=", "A" + cursor, cursor.upper(), cursor[::-1], cursor + cursor}
    changed -= {cursor}
    refused = {text: ask(folder, *ASKED, f"--cursor={text}").code for text in sorted(changed)}
    assert {text: code for text, code in refused.items() if code != "invalid_cursor"} == {}


def test_the_same_cursor_in_another_alphabet_is_not_ours(folder: Path) -> None:
    cursor = _cursor(folder, *ASKED)
    raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    for text in (base64.b32encode(raw).decode(), raw.hex(), raw.decode("latin-1")):
        assert ask(folder, *ASKED, f"--cursor={text}").code == "invalid_cursor"


def test_a_cursor_of_a_snapshot_that_is_gone_is_refused(folder: Path, tmp_path: Path) -> None:
    cursor = _cursor(folder, *ASKED)
    (tmp_path / "a.py").write_text("x = 1\n")
    elsewhere = ask(tmp_path, *ASKED, "--cursor", cursor)
    assert elsewhere.code == "cursor_snapshot_mismatch"


def test_arguments_that_are_no_text_reach_the_program_as_bytes(folder: Path) -> None:
    argv = [b"refs", b"\xff\xfe", b"--dir", b"\xf0\x28", b"-o", b"json"]
    command = [os.fsencode(sys.executable), b"-m", b"codetrail", *argv]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout)["error"]["code"] == "scope_not_found"
