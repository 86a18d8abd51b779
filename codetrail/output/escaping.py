"""Make strings from the workspace safe to print: visible escapes, shell quoting, JSON escapes.

The single place that decides what may reach a terminal or a reader as it is (contract §8). Whatever Python
does not call printable (controls, ESC, format characters such as bidi overrides and zero-width joiners, tags,
separators, surrogates) and the invisible letters and variation selectors below are never written raw. This
module knows nothing of rows.
"""

from __future__ import annotations

from collections.abc import Sequence

_INVISIBLE = frozenset(
    [
        *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)),
        *map(chr, range(0x180B, 0x1810)),
        *map(chr, range(0xFE00, 0xFE10)),
        *map(chr, range(0xE0100, 0xE01F0)),
    ]
)
"""Characters that are printable by category and yet show nothing: fillers, blanks, variation selectors."""

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\x1b": "\\x1b"}
_PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:#@+,=-"
"""The characters that need no shell quoting (contract §8)."""

_BAD_FIRST = "-#="
"""Plain characters that mean something to a shell or to an option parser at the start of a word."""

QUOTE_LIMIT = 80
"""How much of a path or identifier one of our sentences quotes, in code points (contract §8)."""


def _is_safe(text: str) -> bool:
    return text.isprintable() and (text.isascii() or _INVISIBLE.isdisjoint(text))


def _is_shown(char: str) -> bool:
    return char.isprintable() and char not in _INVISIBLE


def _is_plain(text: str) -> bool:
    return bool(text) and not text.strip(_PLAIN)


def _escape(char: str) -> str:
    """Write one character as an escape that both a person and ``$'…'`` of bash and zsh understand."""
    short = _SHORT.get(char)
    if short is not None:
        return short
    code = ord(char)
    if code < 0x80:
        return f"\\x{code:02x}"
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def visible(text: str) -> str:
    """Return ``text`` with every character that could act or hide shown as an escape.

    A byte that was no UTF-8 (a surrogate of ``os.fsdecode``) shows as ``\\xNN``.
    """
    if _is_safe(text):
        return text
    return "".join(char if _is_shown(char) else _escape(char) for char in text)


def source_line(text: str) -> str:
    """Return a line of source text for the terminal: as ``visible``, but tabs stay tabs (contract §4)."""
    if _is_safe(text):
        return text
    return "\t".join(visible(part) for part in text.split("\t"))


def word(text: str) -> str:
    """Quote one shell word; the result is printable and pastes back as ``text`` into bash and zsh."""
    if _is_plain(text) and text[0] not in _BAD_FIRST:
        return text
    if _is_safe(text):
        return "'" + text.replace("'", "'\"'\"'") + "'"
    body = text.replace("\\", "\\\\").replace("'", "\\'")
    return "$'" + visible(body) + "'"


def pasteable(value: str) -> str:
    """Quote a value that will be pasted as an operand; one that begins with ``-`` stands after ``--``."""
    if not value.startswith("-"):
        return word(value)
    return f"-- {value}" if _is_plain(value) else f"-- {word(value)}"


def command(argv: Sequence[str]) -> str:
    """Join a command line, each word quoted where it must be; options stay bare."""
    return " ".join(arg if arg.startswith("-") and _is_plain(arg) else word(arg) for arg in argv)


def clip(text: str, limit: int) -> str:
    """Shorten ``text`` to ``limit`` code points, the last being an ellipsis where something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def quoted(text: str) -> str:
    """Quote a path or identifier inside one of our own sentences: escaped, at most 80 characters."""
    return "'" + clip(visible(clip(text, QUOTE_LIMIT)), QUOTE_LIMIT) + "'"


def json_text(dumped: str) -> str:
    """Escape what a JSON encoder left raw: format and tag characters, separators, lone surrogates.

    ``dumped`` is JSON made with ``ensure_ascii=False``; such characters can only stand inside its strings, so
    the value it reads back as does not change. Characters beyond the BMP become surrogate pairs.
    """
    if _is_safe(dumped):
        return dumped
    return "".join(char if _is_shown(char) else _json_escape(ord(char)) for char in dumped)


def _json_escape(code: int) -> str:
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
