"""Say what a configuration file may hold, and check one against it.

A table of keys and checks; unknown keys and wrong types are errors that name the nearest known key. Reads
no files.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from codetrail.errors import ConfigError, UsageError
from codetrail.workspace.languages import LANGUAGES, resolve_language
from codetrail.workspace.root import Root

ENGINES = ("pyright", "pyright-lsp")
TYPESCRIPT_ENGINES = ("typescript", "scip-typescript")
PROTOCOLS = ("scip", "edges")
_LONGEST = 4096
_MOST = 1000
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_.-]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REPOSITORY_ID = re.compile(r"[A-Za-z0-9_./:@+-]{1,200}")

_Check = Callable[[Any, Root | None], Any]
"""Return the checked value; raise ValueError with what was expected. Root: the file is the workspace's."""


def refuse(label: str, what: str, *, hint: str | None = None) -> ConfigError:
    """Return the error for the configuration file ``label``."""
    return ConfigError(f"{label}: {what}", hint=hint)


def check_table(table: Mapping[str, Any], label: str, root: Root | None) -> dict[str, Any]:
    """Return the values of a parsed file as ``{"section.key": value}``, ``provider`` as a list of tables.

    ``root`` is given for the workspace's own file: its paths must stay inside, and keys that only a user
    may set are refused. Raises ConfigError.
    """
    values: dict[str, Any] = {}
    for section, content in table.items():
        if section == "provider":
            values[section] = _providers(content, label, root)
        elif section == "trusted_roots":
            if root is not None:
                raise refuse(label, "trusted_roots can only stand in the user's own configuration")
            values[section] = _checked(_absolute_folders, content, label, section, root)
        elif section not in _SECTIONS:
            raise _unknown(label, section, [*_SECTIONS, "provider", *(() if root else ("trusted_roots",))])
        elif not isinstance(content, dict):
            raise refuse(label, f"[{section}] must be a table")
        else:
            checks = _SECTIONS[section]
            for key, value in content.items():
                if key not in checks:
                    raise _unknown(label, f"{section}.{key}", [f"{section}.{name}" for name in checks])
                name = f"{section}.{key}"
                values[name] = _checked(checks[key], value, label, name, root)
    return values


def _providers(content: Any, label: str, root: Root | None) -> list[dict[str, Any]]:
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise refuse(label, "provider must be written as [[provider]] tables")
    rows: list[dict[str, Any]] = []
    for row in content:
        for key in row:
            if key not in _PROVIDER:
                raise _unknown(label, f"provider.{key}", [f"provider.{name}" for name in _PROVIDER])
        for key in ("name", "command", "languages"):
            if key not in row:
                raise refuse(label, f"a [[provider]] lacks {key}")
        rows.append({k: _checked(_PROVIDER[k], v, label, f"provider.{k}", root) for k, v in row.items()})
    if len({row["name"] for row in rows}) != len(rows):
        raise refuse(label, "two [[provider]] tables have the same name")
    return rows


def _checked(check: _Check, value: Any, label: str, name: str, root: Root | None) -> Any:
    try:
        return check(value, root)
    except ValueError as error:
        raise refuse(label, f"{name} must be {error}") from None


def _unknown(label: str, key: str, known: Iterable[str]) -> ConfigError:
    plain = key.isascii() and key.isprintable() and len(key) <= 80
    shown = (key if _PLAIN_KEY.fullmatch(key) else repr(key)) if plain else "a key"
    near = difflib.get_close_matches(key, list(known), n=1, cutoff=0.5)
    return refuse(label, f"unknown key {shown}", hint=f"did you mean {near[0]}?" if near else None)


def _text(value: Any, _: Root | None) -> str:
    if not isinstance(value, str) or not value or len(value) > _LONGEST or "\0" in value:
        raise ValueError("a text that is not empty")
    return value


def _flag(value: Any, _: Root | None) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _milliseconds(value: Any, _: Root | None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 86_400_000:
        raise ValueError("a number of milliseconds, at most one day")
    return value


def _list_of(check: _Check, what: str) -> _Check:
    def checked(value: Any, root: Root | None) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > _MOST:
            raise ValueError(f"a list of {what}")
        return tuple(check(item, root) for item in value)

    return checked


def _one_of(*words: str) -> _Check:
    def checked(value: Any, _: Root | None) -> str:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return value

    return checked


def _matching(pattern: re.Pattern[str], what: str) -> _Check:
    def checked(value: Any, _: Root | None) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise ValueError(what)
        return value

    return checked


def _inner_path(value: Any, root: Root | None) -> str:
    """Accept a relative path that stays inside the real root; return it in its shortest form."""
    text = _text(value, None)
    shortest = os.path.normpath(text)
    if os.path.isabs(text) or shortest == ".." or shortest.startswith("../"):
        raise ValueError("a path inside the workspace, relative to its root")
    if root is not None:
        real = os.path.realpath(os.path.join(root.path, text))
        if real != root.path and not real.startswith(root.path.rstrip("/") + "/"):
            raise ValueError("a path inside the workspace: it leads out through a link")
    return shortest


def _program(value: Any, root: Root | None) -> str:
    """Accept a bare name or a path: an absolute one in the user's file, an inner one in the workspace's."""
    text = _text(value, None)
    if "/" not in text:
        return text
    if root is not None:
        return _lexically_inner(text)
    if not os.path.isabs(text):
        raise ValueError("an absolute path or a name to be found on the PATH")
    return text


def _lexically_inner(text: str) -> str:
    """Check an inner path without resolving links: an interpreter of a virtual environment is one."""
    return str(_inner_path(text, None))


def _absolute_folders(value: Any, _: Root | None) -> tuple[str, ...]:
    def folder(item: Any, _: Root | None) -> str:
        text = os.path.expanduser(_text(item, None))
        if not os.path.isabs(text):
            raise ValueError("a list of absolute folders")
        return os.path.normpath(text)

    return tuple(_list_of(folder, "absolute folders")(value, None))


def _language(value: Any, _: Root | None) -> str:
    try:
        return resolve_language(_text(value, None))
    except UsageError:
        raise ValueError(f"a list out of {', '.join(LANGUAGES)}") from None


_texts = _list_of(_text, "texts")
_inner_paths = _list_of(_inner_path, "paths")

_SECTIONS: dict[str, dict[str, _Check]] = {
    "index": {
        "exclude": _texts,
        "include_generated": _flag,
        "id": _matching(_REPOSITORY_ID, "a short name of letters, digits and _./:@+-"),
    },
    "python": {"interpreter": _program, "roots": _inner_paths, "engine": _one_of(*ENGINES)},
    "typescript": {"projects": _inner_paths, "engine": _one_of(*TYPESCRIPT_ENGINES)},
    "rust": {},
    "java": {},
}

_PROVIDER: dict[str, _Check] = {
    "name": _matching(_NAME, "a short name of letters, digits and _.-"),
    "command": _program,
    "args": _texts,
    "languages": _list_of(_language, "languages"),
    "protocol": _one_of(*PROTOCOLS),
    "strict": _flag,
    "compiler_grade": _flag,
    "timeout_ms": _milliseconds,
}
