"""Which files a question is about: a scope turned into a test of paths.

Wildcards and globs are matched by a linear matcher of our own, regular expressions by RE2, which is linear
too and is loaded only when asked for (security.md §3). This module must not know rows or shards.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from codetrail.errors import UsageError
from codetrail.model.identifiers import fold
from codetrail.model.scope import Scope

PathTest = Callable[[str, str], bool]
"""Tells whether the file (root-relative path, full language name) is asked about."""

LONGEST_PATTERN = 512
"""Bytes of the longest pattern (security.md §3)."""

_MODES = ("literal", "wildcard", "glob", "regex")


def path_test(scope: Scope) -> PathTest:
    """Return the test of a scope. Raises UsageError ``invalid_pattern`` for a pattern that cannot be used."""
    if scope.is_everything:
        return lambda _path, _language: True
    directories = tuple(directory + "/" for directory in scope.directories if directory)
    if "" in scope.directories or "." in scope.directories:
        directories = ()
    suffixes = tuple(fold(suffix) for suffix in scope.suffixes)
    patterns = [_pattern_test(pattern, scope) for pattern in scope.patterns]
    wanted = scope.language
    known: dict[str, bool] = {}

    def test(path: str, language: str) -> bool:
        found = known.get(path)
        if found is None:
            found = known[path] = judge(path, language)
        return found

    def judge(path: str, language: str) -> bool:
        if wanted is not None and language != wanted:
            return False
        if directories and not path.startswith(directories):
            return False
        if suffixes and not fold(path).endswith(suffixes):
            return False
        return not patterns or any(matches(path) for matches in patterns)

    return test


def may_hold(scope: Scope, folder: str) -> bool:
    """Tell whether files in or below a folder, whose names are not known, could be in the scope."""
    if not scope.directories:
        return True
    return any(
        not asked or asked == "." or _is_within(folder, asked) or _is_within(asked, folder)
        for asked in scope.directories
    )


def _is_within(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(folder + "/")


def _invalid(message: str) -> UsageError:
    return UsageError(message, code="invalid_pattern", hint="--file-mode literal takes a name as it is")


def _pattern_test(pattern: str, scope: Scope) -> Callable[[str], bool]:
    if scope.pattern_mode not in _MODES:
        raise UsageError(
            "the file mode is one of literal, regex, wildcard, glob", hint="--file-mode wildcard"
        )
    try:
        length = len(pattern.encode())
    except UnicodeEncodeError:
        raise _invalid("the file pattern is not Unicode text") from None
    if not pattern or length > LONGEST_PATTERN:
        raise _invalid(f"a file pattern has between 1 and {LONGEST_PATTERN} bytes")
    if scope.pattern_mode == "regex":
        return _regex_test(pattern, scope.case_sensitive)
    if not scope.case_sensitive:
        pattern = fold(pattern)
    pattern = pattern.removeprefix("./")
    whole_path = "/" in pattern
    if scope.pattern_mode == "literal":
        matches: Callable[[str], bool] = pattern.__eq__ if not whole_path else pattern.lstrip("/").__eq__
    elif scope.pattern_mode == "wildcard":
        matches = partial(_matches_pieces, _wildcard_pieces(pattern.lstrip("/")))
    else:
        matches = partial(_matches_glob, _glob_segments(pattern))

    def test(path: str) -> bool:
        held = path if scope.case_sensitive else fold(path)
        return matches(held if whole_path else held.rpartition("/")[2])

    return test


def _regex_test(pattern: str, case_sensitive: bool) -> Callable[[str], bool]:
    import re2

    options = re2.Options()
    options.case_sensitive = case_sensitive
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        compiled = re2.compile(pattern, options)
    except re2.error:
        raise _invalid("the file pattern is no regular expression that RE2 reads") from None
    return lambda path: compiled.search(path) is not None


_ANY = ""
"""A piece that matches any run of characters; other pieces are sets of single characters."""

_ANY_CHARACTER = "?"


class _Set:
    """One character out of (or, negated, not out of) single characters and spans."""

    __slots__ = ("_negated", "_spans")

    def __init__(self, spans: list[tuple[str, str]], negated: bool) -> None:
        self._spans = spans
        self._negated = negated

    def __contains__(self, char: object) -> bool:
        return any(low <= str(char) <= high for low, high in self._spans) != self._negated


_Piece = str | _Set
"""``""`` any run, ``"?"`` any character, a set, or ``"=c"`` the character c itself."""


def _wildcard_pieces(pattern: str) -> list[_Piece]:
    """Read ``*`` (any run, slashes too), ``?`` (any character) and everything else as itself."""
    return [_ANY if char == "*" else _ANY_CHARACTER if char == "?" else "=" + char for char in pattern]


def _matches_pieces(pieces: list[_Piece], text: str) -> bool:
    """Match with one remembered star: at most len(pieces) x len(text) steps, no recursion."""
    piece = position = 0
    star, resume = -1, 0
    while position < len(text):
        if piece < len(pieces) and pieces[piece] == _ANY:
            star, resume = piece, position
            piece += 1
        elif piece < len(pieces) and _fits(pieces[piece], text[position]):
            piece += 1
            position += 1
        elif star >= 0:
            piece = star + 1
            resume += 1
            position = resume
        else:
            return False
    return all(rest == _ANY for rest in pieces[piece:])


def _fits(piece: _Piece, char: str) -> bool:
    if isinstance(piece, _Set):
        return char in piece
    return piece == _ANY_CHARACTER or piece == "=" + char


_DEEP = "**"
_Segment = list[_Piece] | str


def _glob_segments(pattern: str) -> list[_Segment]:
    """Read a glob: ``*`` and ``?`` stay inside a path segment, ``**`` is any number of whole segments."""
    segments: list[_Segment] = []
    for segment in pattern.strip("/").split("/"):
        if segment != _DEEP:
            segments.append(_glob_pieces(segment))
        elif not segments or segments[-1] != _DEEP:
            segments.append(_DEEP)
    return segments


def _glob_pieces(segment: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    position = 0
    while position < len(segment):
        char = segment[position]
        position += 1
        if char == "*":
            pieces.append(_ANY)
        elif char == "?":
            pieces.append(_ANY_CHARACTER)
        elif char == "[":
            found, position = _glob_set(segment, position)
            pieces.append(found)
        else:
            pieces.append("=" + char)
    return pieces


def _glob_set(segment: str, position: int) -> tuple[_Set, int]:
    start = position
    negated = segment.startswith(("!", "^"), position)
    if negated:
        position += 1
    close = segment.find("]", position + 1)
    if close < 0:
        raise _invalid("a '[' of the file pattern is not closed")
    spans: list[tuple[str, str]] = []
    start = position
    while start < close:
        if start + 2 < close and segment[start + 1] == "-":
            spans.append((segment[start], segment[start + 2]))
            start += 3
        else:
            spans.append((segment[start], segment[start]))
            start += 1
    return _Set(spans, negated), close + 1


def _matches_glob(segments: list[_Segment], path: str) -> bool:
    """Match segment by segment with one remembered ``**``, as ``_matches_pieces`` does with characters."""
    parts = path.split("/")
    segment = position = 0
    deep, resume = -1, 0
    while position < len(parts):
        here = segments[segment] if segment < len(segments) else None
        if here == _DEEP:
            deep, resume = segment, position
            segment += 1
        elif isinstance(here, list) and _matches_pieces(here, parts[position]):
            segment += 1
            position += 1
        elif deep >= 0:
            segment = deep + 1
            resume += 1
            position = resume
        else:
            return False
    return all(rest == _DEEP for rest in segments[segment:])
