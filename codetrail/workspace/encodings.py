"""Turn the bytes of a source file into the UTF-8 in which every layer reads it.

A Python file may declare another encoding (PEP 263). Drivers decode such a file by the tables that this
module hands them, so that their columns are counted in the very text that is shown, parsed and searched here.
Hashes of content and of lines stay those of the original bytes. Knows nothing of drivers.
"""

from __future__ import annotations

import re
from encodings.aliases import aliases
from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")
_WINDOW = 4096
"""Bytes in which a declaration is looked for; drivers look no further either."""
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_PUNCTUATION = re.compile("[^a-z0-9]+")
_WITH_SUFFIX = re.compile("(?:utf_8|latin_1|iso_8859_1|iso_latin_1)(?=_)")
"""Names to which Python lets an editor's line-end convention be appended: ``latin-1-unix``."""

ONE_BYTE = (
    *(f"cp{page}" for page in (437, 720, 737, 775, 850, 852, 855, 856, 857, 858, 860, 861, 862, 863, 865)),
    *(f"cp{page}" for page in (866, 869, 874, 1006, 1125, *range(1250, 1259))),
    *(f"iso8859_{part}" for part in range(2, 17) if part != 12),
    *(f"koi8_{letter}" for letter in "rtu"),
    *(f"mac_{script}" for script in ("croatian", "cyrillic", "greek", "iceland", "latin2", "roman")),
    *("mac_romanian", "mac_turkish", "hp_roman8", "kz1048", "latin_1", "palmos", "ptcp154", "tis_620"),
)
"""Python's codecs in which a byte is a character and ASCII is itself."""

MANY_BYTES = {
    "big5": "big5",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "cp950": "big5",
    "euc_jp": "euc-jp",
    "euc_kr": "euc-kr",
    "gb18030": "gb18030",
    "gb2312": "gbk",
    "gbk": "gbk",
    "shift_jis": "shift_jis",
}
"""Python's codecs of several bytes a character, with the label of the decoder that drivers find at hand.

What both decode has the same columns, though a few punctuation marks become others.
"""

_NOT_SHARED = {
    "cp932": re.compile("[\x80\uf8f0-\uf8f3\ue000-\ue757]"),
    "cp949": re.compile("[\u20ac\xae]"),
    "euc_kr": re.compile("[\u20ac\xae]"),
}
"""Characters that Python's codec reads and the drivers' decoder does not."""
_KOREAN = frozenset({"cp949", "euc_kr"})
"""Codecs of which drivers decode the two-byte sequences of EUC-KR only: neither cp949's others, nor the
syllables that Python reads in eight bytes, which begin as ``_SPELLED_OUT``."""
_SPELLED_OUT = b"\xa4\xd4"

_OURS = frozenset(
    (
        *(f"iso2022_{part}" for part in ("jp", "jp_1", "jp_2", "jp_2004", "jp_3", "jp_ext", "kr")),
        *("big5hkscs", "euc_jis_2004", "euc_jisx0213", "hz", "johab", "mac_arabic", "mac_farsi"),
        *("shift_jis_2004", "shift_jisx0213"),
    )
)
"""Codecs that Python reads and drivers do not."""
_NOBODYS = frozenset({"utf_7", "unicode_escape", "raw_unicode_escape", "punycode", "idna"})
"""Codecs under which a file's code is not what its bytes show; nobody here follows them."""


class EncodingTables(NamedTuple):
    """What a driver needs to decode as we do.

    ``names`` maps each spelling, lower-cased, its punctuation made ``_``, to a codec; ``one_byte`` holds the
    characters of the bytes 128 to 255 of a codec, U+FFFD where it has none; ``many_bytes`` the label of a
    decoder. A file whose declaration is in no table, or does not fit its bytes, is UTF-8.
    """

    names: dict[str, str]
    one_byte: dict[str, str]
    many_bytes: dict[str, str]


def utf8_source(data: bytes, language: str) -> bytes:
    """Return a file's content as UTF-8 with the same lines: ``data`` itself unless it declares otherwise.

    As Python, a byte order mark goes before any declaration; that of UTF-16 is followed in other
    languages (Python refuses it). A declaration that is unknown or does not fit the bytes is passed over
    (Python refuses to run such a file), and bytes that are no UTF-8 stay, to be read with
    ``errors="replace"``. Never raises.
    """
    if language != "python" and is_utf16(data):
        return _from_utf16(data)
    codec = _codec(data, language)
    if codec is None or codec in _NOBODYS or (data.isascii() and codec not in _OURS):
        return data
    return _transcoded(data, codec) or data


def is_utf16(data: bytes) -> bool:
    """Tell whether content begins with the byte order mark of UTF-16."""
    return data.startswith(_WIDE_BOMS)


def _from_utf16(data: bytes) -> bytes:
    try:
        return data.decode("utf-16").encode("utf-8")
    except UnicodeError:
        return data


def is_read_otherwise(data: bytes, language: str, *, by_tables: bool) -> bool:
    """Tell whether a producer's columns may be other than those of ``utf8_source``.

    ``by_tables``: it decodes by our tables. Others were seen to read UTF-8, whatever a file declares.
    """
    codec = _codec(data, language)
    if codec is None or (data.isascii() and (codec in ONE_BYTE or codec in MANY_BYTES)):
        return False
    if codec in _NOBODYS:
        return True
    if codec in _OURS:
        return utf8_source(data, language) != data
    if codec in ONE_BYTE:
        return not by_tables and len(data.decode("utf-8", "replace")) != len(data)
    return not by_tables or _is_doubtful(data, codec)


def _is_doubtful(data: bytes, codec: str) -> bool:
    """Tell whether Python's codec and the drivers' decoder may read content otherwise than each other."""
    text = _transcoded(data, codec)
    if text is None:
        return True
    decoded = text.decode("utf-8")
    if codec in _NOT_SHARED and _NOT_SHARED[codec].search(decoded):
        return True
    return codec in _KOREAN and (_SPELLED_OUT in data or decoded.encode("euc_kr", "replace") != data)


def encoding_tables() -> EncodingTables:
    """Return the tables by which a driver decodes as ``utf8_source`` does."""
    shared = {codec: codec for codec in (*ONE_BYTE, *MANY_BYTES)}
    names = shared | {name: codec for name, codec in aliases.items() if codec in shared}
    high = bytes(range(128, 256))
    one_byte = {codec: high.decode(codec, "replace") for codec in ONE_BYTE}
    return EncodingTables(names, one_byte, dict(MANY_BYTES))


def _codec(data: bytes, language: str) -> str | None:
    """Return the codec a file declares, of those we know; None: UTF-8."""
    if language != "python" or data.startswith(_BOM) or b"coding" not in (head := data[:_WINDOW]):
        return None
    spelled = _declared(head)
    codec = aliases.get(spelled, spelled) if spelled is not None else None
    known = codec in ONE_BYTE or codec in MANY_BYTES or codec in _OURS or codec in _NOBODYS
    return codec if known else None


def _declared(head: bytes) -> str | None:
    """Return the declared name as the tables spell it: of line one, or of two below a comment or nothing."""
    for line in head.splitlines()[:2]:
        found = _COOKIE.match(line)
        if found:
            name = _PUNCTUATION.sub("_", found.group(1).decode("ascii").lower()).strip("_")
            suffixed = _WITH_SUFFIX.match(name)
            return suffixed.group() if suffixed else name
        if not _BLANK.match(line):
            return None
    return None


def _transcoded(data: bytes, codec: str) -> bytes | None:
    """Return the content as UTF-8, or None where it does not decode or would have other lines."""
    try:
        text = data.decode(codec).encode("utf-8")
    except UnicodeError:
        return None
    return text if len(text.splitlines()) == len(data.splitlines()) else None
