"""Escaping: what is visible, what is quoted, what JSON keeps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.output.escaping import clip, command, json_text, pasteable, quoted, source_line, visible, word

VISIBLE = {
    "plain": ("Cart.add", "Cart.add"),
    "letters": ("größe 名前 😀", "größe 名前 😀"),
    "escape": ("\x1b[2J", "\\x1b[2J"),
    "bell": ("\x07", "\\x07"),
    "newline_tab": ("a\nb\tc\r", "a\\nb\\tc\\r"),
    "c1": ("\x9b31m", "\\u009b31m"),
    "delete": ("\x7f", "\\x7f"),
    "bidi_override": ("\u202egpj", "\\u202egpj"),
    "bidi_isolate": ("\u2066x\u2069", "\\u2066x\\u2069"),
    "zero_width": ("a\u200bb\u200d\ufeff", "a\\u200bb\\u200d\\ufeff"),
    "line_separator": ("\u2028", "\\u2028"),
    "no_break_space": ("a\u00a0b", "a\\u00a0b"),
    "tag": ("\U000e0041", "\\U000e0041"),
    "variation_selector": ("\ufe0f\U000e0100", "\\ufe0f\\U000e0100"),
    "hangul_filler": ("\u3164", "\\u3164"),
    "not_utf8": ("\udcff", "\\xff"),
    "lone_surrogate": ("\ud800", "\\ud800"),
    "markup": ("[bold]x[/]", "[bold]x[/]"),
}


@pytest.mark.parametrize("case", sorted(VISIBLE))
def test_visible(case: str) -> None:
    raw, shown = VISIBLE[case]
    assert visible(raw) == shown


def test_source_lines_keep_their_tabs() -> None:
    assert source_line("\t\tx\x1b\ty") == "\t\tx\\x1b\ty"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a/b.py:3#C.d", "a/b.py:3#C.d"),
        ("a@b+c,d=e-f_g", "a@b+c,d=e-f_g"),
        ("", "''"),
        ("a b", "'a b'"),
        ("it's", "'it'\"'\"'s'"),
        ("größe", "'größe'"),
        ("#x", "'#x'"),
        ("=ls", "'=ls'"),
        ("~", "'~'"),
        ("a\nb", "$'a\\nb'"),
        ("it's\x1b", "$'it\\'s\\x1b'"),
        ("a\\b\x1b", "$'a\\\\b\\x1b'"),
    ],
)
def test_word(raw: str, shown: str) -> None:
    assert word(raw) == shown


@pytest.mark.parametrize(
    ("raw", "shown"), [("-x", "-- -x"), ("-x y", "-- '-x y'"), ("x", "x"), ("-\n", "-- $'-\\n'")]
)
def test_pasteable(raw: str, shown: str) -> None:
    assert pasteable(raw) == shown


def test_command_quotes_words_and_leaves_options_bare() -> None:
    argv = ["codetrail", "refs", "--dir", "a b", "--use=x", "--dir=-a b", "--", "-y"]
    assert command(argv) == "codetrail refs --dir 'a b' --use=x '--dir=-a b' -- -y"


@pytest.mark.parametrize(("text", "limit", "cut"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 3, "")])
def test_clip(text: str, limit: int, cut: str) -> None:
    assert clip(text, limit) == cut


def test_quoted_is_short_however_much_was_escaped() -> None:
    assert len(quoted("\x1b" * 500)) == 82


@given(st.text(st.characters(exclude_categories=())))
def test_json_text_hides_nothing_and_loses_nothing(raw: str) -> None:
    dumped = json_text(json.dumps(raw, ensure_ascii=False))
    assert dumped.isprintable()
    # Two lone surrogates side by side are one character to any JSON reader.
    expected = raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert json.loads(dumped) == expected


@given(st.text(st.characters(exclude_categories=())))
def test_visible_and_word_are_printable(raw: str) -> None:
    assert visible(raw).isprintable()
    assert word(raw).isprintable()
