"""Read the syntax of a file as every unit stores it."""

from __future__ import annotations

from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax
from codetrail.workspace.encodings import utf8_source


def syntax_of(data: bytes, language: str, path: str) -> FileSyntax | None:
    """Return the syntax of a file with these bytes; None where there is no grammar or it is too large."""
    return extract(utf8_source(data, language), language, path=path)
