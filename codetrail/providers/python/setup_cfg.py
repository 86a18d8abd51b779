"""Read one section of ``setup.cfg`` in one pass.

``configparser`` keeps a message for every bad line and joins them anew each time, which never ends on a
hostile file. Only what setuptools writes is understood: section headers, ``key = value``, indented
continuations (passed over), comments. This module must not know what the values mean.
"""

from __future__ import annotations

import re

_SECTION = re.compile(r"\[([^\]]+)\]")
_COMMENTS = ("#", ";")


def read_section(text: str, wanted: str) -> dict[str, str]:
    """Return the one-line values of section ``wanted`` by lower-cased key; of equal keys the first.

    Raises ValueError at the first line that is none of those above, and where a section stands twice.
    """
    values: dict[str, str] = {}
    seen: set[str] = set()
    section: str | None = None
    for line in text.splitlines():
        content = line.strip()
        if not content or content.startswith(_COMMENTS):
            continue
        if header := _SECTION.match(line):
            section = header[1]
            if section in seen:
                raise ValueError("a section stands twice")
            seen.add(section)
        elif section is None:
            raise ValueError("a line stands before the first section")
        elif not line[0].isspace():
            key, separator, value = _split(line)
            if not separator:
                raise ValueError("a line is no setting")
            if section == wanted:
                values.setdefault(key.strip().lower(), value.strip())
    return values


def _split(line: str) -> tuple[str, str, str]:
    """Cut at the first of ``=`` and ``:``."""
    found = re.search("[=:]", line)
    return (line[: found.start()], found[0], line[found.end() :]) if found else (line, "", "")
