"""Parse TOML and JSON that somebody else wrote, within bounds of size and depth that are checked first.

The standard parsers take time and memory that grow with the square of a dotted key's parts, and recurse with
each bracket: a few kilobytes of either could end a build. This module must not know what a file is for.
"""

from __future__ import annotations

import re
from typing import Any

LARGEST = 1 << 20
"""Bytes above which no configuration file is parsed."""

_MOST_PARTS = 16
"""Parts of one dotted key or table name: more than any tool's settings have, and parsing costs the square."""

_DEEPEST = 64
"""Brackets that may be open at once."""

# Every alternative matches up to where it must end, or to where the parser would give up: no place twice.
_TOML = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)'
    r'|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?'
    r"|\#[^\n]*|(?P<mark>[\[\]{}.,=\n])",
    re.DOTALL,
)
_JSON = re.compile(r'"(?:[^"\\]|\\.)*"?|(?P<mark>[\[\]{}])', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Unparsable(ValueError):
    """A text that is not what it should be, or beyond the bounds; the argument says why, quoting nothing."""


def parse_toml(data: bytes) -> dict[str, Any]:
    """Return the table that ``data`` holds. Raises Unparsable."""
    import tomllib

    text = _decoded(data)
    _check_toml(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unparsable(f"it is not TOML ({_place(str(error))})") from None
    except (ValueError, RecursionError):
        # A number of more digits than Python converts is no syntax error to the parser.
        raise Unparsable("it holds a value beyond all bounds") from None


def parse_json(data: bytes | str) -> Any:
    """Return the value that ``data`` holds; all its texts are Unicode. Raises Unparsable."""
    import json

    text = _decoded(data) if isinstance(data, bytes) else data
    depth = 0
    for found in _JSON.finditer(text):
        depth = _deeper(depth, found["mark"])
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            # Half of a pair stands for no character, and a path that held it could not be opened or printed.
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        raise Unparsable(f"it is not JSON (at line {error.lineno}, column {error.colno})") from None
    except UnicodeEncodeError:
        raise Unparsable("it holds half of a surrogate pair") from None
    except (ValueError, RecursionError):
        raise Unparsable("it holds a value beyond all bounds") from None
    return value


def _decoded(data: bytes) -> str:
    if len(data) > LARGEST:
        raise Unparsable("it is larger than 1 MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unparsable("it is not UTF-8") from None


def _check_toml(text: str) -> None:
    parts, depth = 1, 0
    for found in _TOML.finditer(text):
        mark = found["mark"]
        if mark == ".":
            parts += 1
            if parts > _MOST_PARTS:
                raise Unparsable(f"a key has more than {_MOST_PARTS} parts")
        elif mark is not None:
            parts = 1
            depth = _deeper(depth, mark)


def _deeper(depth: int, mark: str | None) -> int:
    if mark in ("[", "{"):
        if depth == _DEEPEST:
            raise Unparsable("it is nested too deeply")
        return depth + 1
    return max(0, depth - 1) if mark in ("]", "}") else depth


def _place(message: str) -> str:
    """Keep only where the parser stopped: its message may quote the file."""
    _, found, place = message.rpartition("(at ")
    return "at " + place.rstrip(")") if found else "see the file"
