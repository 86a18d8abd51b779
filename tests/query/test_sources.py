"""The line that a row shows (contract §4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from codetrail.model.ranges import LineIndex, Range
from codetrail.query.sources import WINDOW, Sources, SourceText, shown_line, written
from codetrail.workspace.digests import content_hash
from codetrail.workspace.root import Root

LONG = "a" * 500 + "NAME" + "b" * 500


@pytest.mark.parametrize(
    ("line", "name", "expected"),
    [
        pytest.param("\tx = 1  \t", "x", "\tx = 1", id="tabs-kept-right-trimmed"),
        pytest.param("NAME" + "b" * 500, "NAME", "NAME" + "b" * 196, id="window-at-the-start"),
        pytest.param("a" * 500 + "NAME", "NAME", "a" * 196 + "NAME", id="window-at-the-end"),
        pytest.param(LONG, "NAME", "a" * 98 + "NAME" + "b" * 98, id="window-around"),
        pytest.param("é" * 300 + "NAME", "NAME", "é" * 196 + "NAME", id="window-in-characters"),
        pytest.param("N" * 300, "N" * 300, "N" * 200, id="name-longer-than-the-window"),
        pytest.param("x" * WINDOW, "x", "x" * WINDOW, id="just-short-enough"),
    ],
)
def test_shown_line(line: str, name: str, expected: str) -> None:
    start = line.index(name)
    shown = shown_line(SourceText(line.encode()), Range(0, start, 0, start + len(name)))
    assert shown == expected
    assert len(shown) <= WINDOW


@pytest.mark.parametrize(
    ("data", "span", "expected"),
    [
        pytest.param(b"import a as b\n", Range(0, 12, 0, 13), "b", id="one-line"),
        pytest.param(b"x" * 5000 + b"NAME", Range(0, 5000, 0, 5004), "NAME", id="far-right"),
        pytest.param("é\U0001f40d=ß".encode(), Range(0, 3, 0, 4), "ß", id="in-characters"),
        pytest.param(b"\xef\xbb\xbfab", Range(0, 0, 0, 1), "a", id="byte-order-mark"),
        pytest.param(b"a\r\nbc\n", Range(0, 0, 1, 1), "a\r\nb", id="several-lines"),
        pytest.param(b"y" * WINDOW, Range(0, 0, 0, WINDOW), "y" * WINDOW, id="just-short-enough"),
        pytest.param(b"y" * 5000, Range(0, 0, 0, 5000), "y" * (WINDOW - 1) + "…", id="too-long"),
        pytest.param(b"a\n", Range(9, 0, 9, 1), "", id="outside"),
        pytest.param(b"a\n", Range(0, 0, 9, 1), "", id="outside-over-lines"),
    ],
)
def test_written(data: bytes, span: Range, expected: str) -> None:
    assert written(SourceText(data), span) == expected


def test_a_range_over_several_lines_shows_its_first() -> None:
    assert shown_line(SourceText(b"a(\nb)\n"), Range(0, 0, 1, 2)) == "a("
    assert shown_line(SourceText(b"a\n"), Range(9, 0, 9, 1)) == ""


def test_bytes_are_read_once_and_held_against_their_hash(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"one\n")
    digest = bytes.fromhex(content_hash(b"one\n"))
    with Sources(Root(str(tmp_path))) as sources:
        first = sources.text("a.py", digest)
        assert first is not None
        file.write_bytes(b"two\n")
        assert sources.text("a.py", digest) is first
        assert sources.text("a.py", bytes(32)) is None
        assert sources.text("gone.py") is None
    with Sources(Root(str(tmp_path))) as sources:
        assert sources.text("a.py", digest) is None
        assert sources.text("a.py") is not None


def test_nothing_outside_the_root_is_read(tmp_path: Path) -> None:
    (tmp_path / "out.py").write_text("x")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.py").symlink_to(tmp_path / "out.py")
    with Sources(Root(str(tmp_path / "in"))) as sources:
        assert sources.text("../out.py") is None
        assert sources.text("link.py") is None


@pytest.mark.parametrize(
    "data", [b"", b"a\nb", b"a\r\nb\rc\n", b"\xef\xbb\xbfa\n\xffb", b"a\x0cb\xe2\x80\xa8c\n"]
)
def test_lines_are_those_of_the_line_index(data: bytes) -> None:
    text = SourceText(data)
    index = LineIndex(data)
    assert text.index.data == data
    for number in range(len(index) + 1):
        expected = index.line_text(number) if number < len(index) else ""
        assert text.line(number) == expected
