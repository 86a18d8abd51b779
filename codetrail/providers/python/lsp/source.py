"""Decode a Python file and turn places of its syntax tree into lines and UTF-16 columns.

Offsets count code points of the text with every line end made ``\\n``, which changes neither lines nor
columns. This module must not know names or symbols.
"""

from __future__ import annotations

import bisect
import codecs
import re
import unicodedata
from collections.abc import Iterator

from codetrail.scip.writer import Range
from codetrail.workspace.encodings import utf8_source

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_LINE_END = re.compile(r"\r\n?")


class Source:
    """The text of one file. ``plain`` says that it is UTF-8 without a byte order mark."""

    def __init__(self, data: bytes) -> None:
        text, self.plain = _decode(data)
        self.text = _LINE_END.sub("\n", text)
        self.starts = [0, *(match.end() for match in re.finditer("\n", self.text))]
        self._wide: dict[int, bool] = {}

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a 1-based line and a column in UTF-8 bytes, as ``ast`` gives them."""
        start = self.starts[line - 1]
        if not self._is_wide(line - 1):
            return start + column
        return start + len(
            self._line(line - 1).encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace")
        )

    def point(self, offset: int) -> tuple[int, int]:
        """Return 0-based line and UTF-16 column of an offset."""
        line = bisect.bisect_right(self.starts, offset) - 1
        column = offset - self.starts[line]
        if self._is_wide(line):
            column = len(self._line(line)[:column].encode("utf-16-le", "surrogatepass")) // 2
        return line, column

    def range(self, start: int, end: int) -> Range:
        """Return the SCIP range of two offsets."""
        return (*self.point(start), *self.point(end))

    def identifier(self, name: str, offset: int) -> tuple[int, int] | None:
        """Return where the next identifier ``name`` from ``offset`` on stands (NFKC is the same)."""
        for match in _IDENTIFIER.finditer(self.text, offset):
            if same(match.group(), name):
                return match.span()
        return None

    def identifier_ending(self, name: str, end: int) -> tuple[int, int] | None:
        """Return where the identifier ``name`` stands that ends at ``end``."""
        start = end
        while start > 0 and (self.text[start - 1].isalnum() or ("a" + self.text[start - 1]).isidentifier()):
            start -= 1
        return (start, end) if same(self.text[start:end], name) else None

    def identifiers(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where identifiers stand between two offsets."""
        for match in _IDENTIFIER.finditer(self.text, start, end):
            yield match.span()

    def _line(self, line: int) -> str:
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[line] : end]

    def _is_wide(self, line: int) -> bool:
        if line not in self._wide:
            self._wide[line] = not self._line(line).isascii()
        return self._wide[line]


def same(written: str, name: str) -> bool:
    """Tell whether an identifier as written is ``name`` as Python reads it."""
    return written == name or (not written.isascii() and unicodedata.normalize("NFKC", written) == name)


def _decode(data: bytes) -> tuple[str, bool]:
    """Decode as every layer here does, without a byte order mark; U+FFFD stands for what is no UTF-8."""
    content = utf8_source(data, "python")
    marked = content.startswith(codecs.BOM_UTF8)
    text = content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    return text, content is data and not marked and "\ufffd" not in text
