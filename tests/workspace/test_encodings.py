"""One text for one file: what Python decodes, what we read, and that other lines never come of it."""

from __future__ import annotations

import io
import random
import tokenize
from encodings.aliases import aliases

import pytest

from codetrail.workspace.encodings import (
    MANY_BYTES,
    ONE_BYTE,
    encoding_tables,
    is_read_otherwise,
    is_utf16,
    utf8_source,
)

SAMPLES = {
    "latin-1": "café = 'naïve'",
    "Latin_1": "café",
    "iso-8859-1": "café",
    "iso-8859-1-unix": "café",
    "latin-1-dos": "café",
    "iso-8859-15": "prix = '5 €'",
    "cp1252": "prix = '5 €' # „déjà“",
    "windows-1252": "déjà",
    "cp1251": "чай = 'зелёный'",
    "koi8-r": "чай = 'зелёный'",
    "KOI8-U": "чай = 'їжак'",
    "cp437": "café = '░'",
    "mac-roman": "café = '∂'",
    "shift_jis": "茶 = 'お茶ｱｲ表'",
    "sjis": "茶",
    "cp932": "茶 = '①'",
    "euc-jp": "茶 = 'お茶'",
    "gbk": "茶 = '绿茶'",
    "gb2312": "茶",
    "gb18030": "茶 = '𝒳'",
    "big5": "茶 = '綠茶'",
    "euc-kr": "차 = '녹차'",
    "utf-8": "café",
    "utf-8-unix": "café",
    "utf-8-sig": "café",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_text_is_what_python_decodes(name: str) -> None:
    text = f"#!/usr/bin/python\n# -*- coding: {name} -*-\r\n{SAMPLES[name]}\rx = 1\n"
    encoding = name.removesuffix("-unix").removesuffix("-dos").replace("-sig", "")
    data = text.encode(encoding)
    seen, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    assert data.decode(seen) == text
    assert utf8_source(data, "python") == text.encode()
    assert utf8_source(data, "go") is data
    assert not is_read_otherwise(data, "python", by_tables=True)


UNTOUCHED = {
    "nothing declared": b"x = '\xe9'\n",
    "a mark goes before a declaration": b"\xef\xbb\xbf# coding: latin-1\nx = '\xc3\xa9'\n",
    "ascii with other bytes": b"# coding: ascii\nx = '\xe9'\n",
    "no such encoding": b"# coding: bogus\nx = '\xe9'\n",
    "a name that is in every dictionary": b"# coding: __class__\nx = '\xe9'\n",
    "no encoding of source": b"# coding: rot13\nx = '\xe9'\n",
    "utf-16, which Python refuses": "# coding: utf-16\nx = 'é'\n".encode("utf-16"),
    "utf-16 declared in ASCII": b"# coding: utf-16\nx = '\xe9'\n",
    "a byte without a character": b"# coding: cp1252\nx = '\xe9\x81'\n",
    "broken multi-byte text": b"# coding: euc-jp\nx = '\xa4'\n",
    "line three": b"\n\n# coding: latin-1\nx = '\xe9'\n",
    "below code": b"x = 1\n# coding: latin-1\ny = '\xe9'\n",
    "code before it": b"x = 1 # coding: latin-1\ny = '\xe9'\n",
    "beyond where it is looked for": b"#" + b"-" * 5000 + b"coding: latin-1\nx = '\xe9'\n",
    "ASCII only": b"# coding: latin-1\nx = 1\n",
    "utf-7": b"# coding: utf-7\nx = '+AOk-'\n",
    "nothing at all": b"",
}


@pytest.mark.parametrize("data", UNTOUCHED.values(), ids=list(UNTOUCHED))
def test_what_is_not_clearly_declared_is_utf8(data: bytes) -> None:
    assert utf8_source(data, "python") is data


READ_OTHERWISE = {
    "latin-1": (b"# coding: latin-1\nx = '\xe9'\n", False, False),
    "latin-1 that reads as UTF-8": ("# coding: latin-1\nx = 'é'\n".encode(), False, True),
    "undeclared": (b"x = '\xe9'\n", False, False),
    "bogus": (b"# coding: bogus\nx = '\xe9'\n", False, False),
    "ASCII in shift_jis": (b"# coding: shift_jis\nx = 1\n", False, False),
    "shift_jis": ("# coding: shift_jis\nx = '茶'\n".encode("shift_jis"), False, True),
    "broken shift_jis": (b"# coding: shift_jis\nx = '\x87\x40'\n", True, True),
    "Python's own cp932": (b"# coding: cp932\nx = '\xf0\x40'\n", True, True),
    "Korean beyond KS X 1001": ("# coding: cp949\nx = '갂'\n".encode("cp949"), True, True),
    "iso-2022-jp": ("# coding: iso-2022-jp\nx = '茶'\n".encode("iso-2022-jp"), True, True),
    "iso-2022-jp in ASCII": (b"# coding: iso-2022-jp\nx = 1\n", False, False),
    "utf-7": (b"# coding: utf-7\nx = 1\n", True, True),
    "escapes": (b"# coding: unicode_escape\nx = 1\n", True, True),
}


@pytest.mark.parametrize(("data", "ours", "others"), READ_OTHERWISE.values(), ids=list(READ_OTHERWISE))
def test_columns_that_another_reading_may_shift_are_known(data: bytes, ours: bool, others: bool) -> None:
    assert is_read_otherwise(data, "python", by_tables=True) is ours
    assert is_read_otherwise(data, "python", by_tables=False) is others
    assert not is_read_otherwise(data, "go", by_tables=False)


def test_other_encodings_are_shown_as_python_reads_them() -> None:
    text = "# coding: iso-2022-jp\nx = 'お茶'\n"
    assert utf8_source(text.encode("iso-2022-jp"), "python") == text.encode()


@pytest.mark.parametrize("codec", [*ONE_BYTE, *MANY_BYTES])
def test_lines_are_those_of_the_bytes(codec: str) -> None:
    source = random.Random(codec)
    characters = [char for char in map(chr, range(0xFFFF)) if is_known(char, codec)]
    for _ in range(50):
        lines = ["".join(source.choices(characters, k=20)) for _ in range(9)]
        ends = source.choices(["\n", "\r\n", "\r"], k=9)
        body = "".join(map("".join, zip(lines, ends, strict=True)))
        text = f"# coding: {codec}\n{body}"
        data = text.encode(codec)
        known = utf8_source(data, "python")
        assert known == data.decode(codec).encode()
        assert len(known.splitlines()) == len(data.splitlines())


def is_known(char: str, codec: str) -> bool:
    """Tell whether a codec has a character, other than those that end lines."""
    try:
        return char.encode(codec) != b"" and char not in "\r\n" and not "\ud800" <= char <= "\udfff"
    except UnicodeEncodeError:
        return False


def test_every_spelling_that_python_knows_is_in_the_tables() -> None:
    tables = encoding_tables()
    assert {name for name, codec in aliases.items() if codec in ONE_BYTE} <= tables.names.keys()
    assert all(len(high) == 128 and high.isascii() is False for high in tables.one_byte.values())
    assert set(tables.names.values()) == {*tables.one_byte, *tables.many_bytes}


WIDE = "export const café = 1;\r\nconst \u0a0a = '𝒳';\n"


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_the_mark_of_utf16_is_followed_where_a_language_allows_it(mark: str) -> None:
    data = ("\ufeff" + WIDE).encode(mark)
    assert utf8_source(data, "typescript") == WIDE.encode()
    assert utf8_source(data, "python") is data
    assert is_utf16(data)


@pytest.mark.parametrize("data", [b"\xff\xfea", b"\xff\xfe\x00\xd8a\x00"], ids=["half a unit", "half a pair"])
def test_what_is_no_utf16_behind_its_mark_stays(data: bytes) -> None:
    assert utf8_source(data, "typescript") is data
