"""Decide what one ignore file says about a path, as git does.

Works on bytes, as git does, so ``?`` stands for one byte. Patterns come from a hostile tree: each is
translated so that matching cannot backtrack through the stars (atomic groups, leftmost chunk first),
and one that is malformed matches nothing. This module reads no files and knows no folders.

The rules are those of gitignore(5) and of git's wildmatch, checked in the tests against git itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_SPECIAL = re.compile(rb"[*?\[\\]")
_SEPARATOR = 0x2F
_MOST_PATTERNS = 20_000
_CLASSES: dict[bytes, frozenset[int]] = {
    b"alnum": frozenset(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    b"alpha": frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    b"blank": frozenset(b" \t"),
    b"cntrl": frozenset([*range(32), 127]),
    b"digit": frozenset(b"0123456789"),
    b"graph": frozenset(range(33, 127)),
    b"lower": frozenset(b"abcdefghijklmnopqrstuvwxyz"),
    b"print": frozenset(range(32, 127)),
    b"punct": frozenset(b"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    b"space": frozenset(b" \t\n\v\f\r"),
    b"upper": frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    b"xdigit": frozenset(b"0123456789abcdefABCDEF"),
}


class _Pattern(NamedTuple):
    order: int
    ignores: bool
    folders_only: bool
    whole_path: bool
    suffix: bytes | None
    regex: re.Pattern[bytes] | None


class IgnoreRules:
    """The patterns of one ignore file; paths are given relative to the folder that file stands in."""

    __slots__ = ("_by_name", "_others")

    def __init__(self, lines: Iterable[bytes]) -> None:
        by_name: dict[bytes, list[_Pattern]] = {}
        others: list[_Pattern] = []
        for order, line in enumerate(lines):
            if order >= _MOST_PATTERNS:
                break
            _add(by_name, others, order, line)
        others.reverse()
        self._by_name = by_name
        self._others = others

    def __bool__(self) -> bool:
        return bool(self._by_name or self._others)

    def verdict(self, path: bytes, is_folder: bool) -> bool | None:
        """Return whether the last pattern that matches ``path`` ignores it; None if no pattern matches."""
        name = path[path.rfind(b"/") + 1 :]
        found: _Pattern | None = None
        for pattern in reversed(self._by_name.get(name, ())):
            if is_folder or not pattern.folders_only:
                found = pattern
                break
        for pattern in self._others:
            if found is not None and pattern.order < found.order:
                break
            if pattern.folders_only and not is_folder:
                continue
            if pattern.suffix is not None:
                if not name.endswith(pattern.suffix):
                    continue
            elif pattern.regex is None or not pattern.regex.match(path if pattern.whole_path else name):
                continue
            found = pattern
            break
        return None if found is None else found.ignores


def parse_ignore_file(data: bytes) -> IgnoreRules:
    """Return the rules of an ignore file's content (a byte order mark and CRLF are accepted, as by git)."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return IgnoreRules(line[:-1] if len(line) > 1 and line.endswith(b"\r") else line for line in lines)


def _add(by_name: dict[bytes, list[_Pattern]], others: list[_Pattern], order: int, line: bytes) -> None:
    if line.startswith(b"#"):
        return
    text = _without_trailing_spaces(line)
    ignores = not text.startswith(b"!")
    if not ignores:
        text = text[1:]
    folders_only = text.endswith(b"/")
    if folders_only:
        text = text[:-1]
    if not text:
        return
    if b"/" in text:
        regex = _translate(text.removeprefix(b"/"))
        others.append(_Pattern(order, ignores, folders_only, True, None, regex))
    elif not _SPECIAL.search(text):
        by_name.setdefault(text, []).append(_Pattern(order, ignores, folders_only, False, None, None))
    elif text.startswith(b"*") and not _SPECIAL.search(text, 1):
        others.append(_Pattern(order, ignores, folders_only, False, text[1:], None))
    else:
        others.append(_Pattern(order, ignores, folders_only, False, None, _translate(text)))


def _without_trailing_spaces(line: bytes) -> bytes:
    kept = len(line.rstrip(b" "))
    if kept == len(line):
        return line
    backslashes = kept - len(line[:kept].rstrip(b"\\"))
    return line[: kept + backslashes % 2]


# --- wildmatch, translated --------------------------------------------------------------------------
# A pattern becomes a list of tokens: a byte, a set of bytes, or one of the three kinds of stars below.

_STAR = "*"  # any bytes but a slash
_FOLDERS = "**/"  # nothing, or anything that ends in a slash
_REST = "**"  # anything to the end
_Token = int | frozenset[int] | str


def _translate(pattern: bytes) -> re.Pattern[bytes] | None:
    """Return a pattern's regular expression over a whole path or name; None if it can match nothing."""
    tokens = _tokens(pattern)
    if tokens is None:
        return None
    chunks: list[list[_Token]] = [[]]
    for token in tokens:
        if token == _FOLDERS:
            chunks.append([])
        else:
            chunks[-1].append(token)
    parts = [_chunk(chunks[0])]
    parts += [b"(?>(?:.*?/)??" + _chunk(chunk) + b")" for chunk in chunks[1:-1]]
    if len(chunks) > 1:
        parts.append(b"(?:.*/)?" + _chunk(chunks[-1]))
    return re.compile(b"".join(parts) + rb"\Z", re.DOTALL)


def _tokens(pattern: bytes) -> list[_Token] | None:
    tokens: list[_Token] = []
    at = 0
    # Git compares the part before the first special character as plain text and lets wildmatch begin
    # after it: so `a**/b` is read like `a` followed by a `**/` that stands at the start.
    special = _SPECIAL.search(pattern)
    start = special.start() if special else len(pattern)
    while at < len(pattern):
        byte = pattern[at]
        if byte == 0x5C:
            if at + 1 >= len(pattern):
                return None
            tokens.append(pattern[at + 1])
            at += 2
        elif byte == 0x3F:
            tokens.append(frozenset(range(256)) - {_SEPARATOR})
            at += 1
        elif byte == 0x5B:
            parsed = _bracket(pattern, at)
            if parsed is None:
                return None
            members, at = parsed
            tokens.append(members - {_SEPARATOR})
        elif byte == 0x2A:
            end = at
            while pattern[end : end + 1] == b"*":
                end += 1
            opens = at == start or pattern[at - 1] == _SEPARATOR
            if end - at >= 2 and opens and end == len(pattern):
                tokens.append(_REST)
            elif end - at >= 2 and opens and pattern[end : end + 1] == b"/":
                tokens.append(_FOLDERS)
                end += 1
            elif end - at >= 2 and opens and pattern[end : end + 2] == b"\\/":
                tokens.append(_REST)
            else:
                tokens.append(_STAR)
            at = end
        else:
            tokens.append(byte)
            at += 1
    return tokens


def _bracket(pattern: bytes, at: int) -> tuple[frozenset[int], int] | None:
    """Parse the set that opens at ``at``; return its bytes and the position after it, None if malformed."""
    at += 1
    negated = pattern[at : at + 1] in {b"!", b"^"}
    at += negated
    members: set[int] = set()
    previous = -1
    first = True
    while first or pattern[at : at + 1] != b"]":
        first = False
        if at >= len(pattern):
            return None
        byte = pattern[at]
        following = pattern[at + 1 : at + 2]
        if byte == 0x5C:
            at += 1
            if at >= len(pattern):
                return None
            previous = pattern[at]
            members.add(previous)
        elif byte == 0x2D and previous >= 0 and following not in {b"", b"]"}:
            at += 1
            if pattern[at] == 0x5C:
                at += 1
                if at >= len(pattern):
                    return None
            members.update(range(previous, pattern[at] + 1))
            previous = -1
        elif byte == 0x5B and following == b":":
            close = pattern.find(b"]", at + 2)
            if close < 0:
                return None
            if pattern[close - 1] == 0x3A and close - 1 >= at + 2:
                named = _CLASSES.get(pattern[at + 2 : close - 1])
                if named is None:
                    return None
                members |= named
                previous = -1
                at = close
            else:
                previous = byte
                members.add(byte)
        else:
            previous = byte
            members.add(byte)
        at += 1
    return frozenset(range(256)) - members if negated else frozenset(members), at + 1


def _chunk(tokens: list[_Token]) -> bytes:
    """Translate tokens between two ``**/``: slash by slash, because no star crosses a slash."""
    segments: list[list[_Token]] = [[]]
    for token in tokens:
        if token == _SEPARATOR:
            segments.append([])
        else:
            segments[-1].append(token)
    return b"/".join(_segment(segment) for segment in segments)


def _segment(tokens: list[_Token]) -> bytes:
    """Translate one segment: the leftmost place of each inner piece is as good as any, so it is kept."""
    rest = b""
    if tokens and tokens[-1] == _REST:
        tokens, rest = tokens[:-1], b".*"
    pieces: list[bytes] = [b""]
    for token in tokens:
        if token == _STAR:
            pieces.append(b"")
        elif token == _REST:
            pieces[-1] += b".*"
        else:
            pieces[-1] += _one(token)
    if len(pieces) == 1:
        return pieces[0] + rest
    inner = b"".join(b"(?>[^/]*?" + piece + b")" for piece in pieces[1:-1])
    return pieces[0] + inner + b"[^/]*" + pieces[-1] + rest


def _one(token: _Token) -> bytes:
    if isinstance(token, int):
        return b"\\x%02x" % token
    assert isinstance(token, frozenset)
    if not token:
        return b"(?!)"
    return b"[" + b"".join(b"\\x%02x" % byte for byte in sorted(token)) + b"]"
