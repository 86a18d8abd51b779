"""Tell whether configurations can be read at all, before a compiler has looked at them.

The compiler takes JSON with comments and commas at the end, and nothing at all for an empty object; Node and
the package managers take plain JSON. What a configuration says is not this module's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from codetrail.providers.typescript.projects import Projects
from codetrail.workspace.configuration_text import Unparsable, parse_json

_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_CLOSED = re.compile(r"/\*.*\*/\Z", re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|[\[{,]\s*,|,(?=\s*[}\]])')


def faults(projects: Projects, read: Callable[[str], bytes | None]) -> Iterator[tuple[str, str]]:
    """Yield the path of each configuration and package.json that is no object, and why it is none."""
    for path in projects.configs:
        yield from _fault(path, _without_comments(read(path)))
    for path in projects.manifests:
        yield from _fault(path, read(path))


def _fault(path: str, text: bytes | str | None) -> Iterator[tuple[str, str]]:
    if text is None:
        return
    try:
        value = parse_json(text)
    except Unparsable as error:
        yield path, str(error)
        return
    if not isinstance(value, dict):
        yield path, "it holds no object"


def _without_comments(data: bytes | None) -> bytes | str | None:
    """Return what is to be plain JSON, every line where it was; what is not UTF-8 as it is."""
    if data is None:
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data
    plain = _LAST_COMMA.sub(_kept_text, _COMMENT.sub(_kept_text, text))
    return plain if plain.strip() else "{}"


def _kept_text(found: re.Match[str]) -> str:
    """Return a string as it is, of a comment and a last comma the blank it leaves.

    An open comment and a comma after nothing stay: they are errors to the compiler too.
    """
    text = found[0]
    if text.startswith(('"', "[", "{")) or (text.startswith(",") and len(text) > 1):
        return text
    if text.startswith("/*") and not _CLOSED.match(text):
        return text
    return re.sub(r"[^\n]", " ", text)
