"""Check what was typed and make a question of it.

The one place where texts of the command line become numbers, words of closed vocabularies, scopes and paths.
Everything wrong is a UsageError with a hint; nothing is guessed and nothing contradictory is let through.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from codetrail.cli.options import CALLER_USES, OUTPUTS, USES
from codetrail.cli.typed import Values
from codetrail.errors import ScopeError, UsageError
from codetrail.model.answers import Question
from codetrail.model.scope import Scope
from codetrail.output.escaping import quoted
from codetrail.workspace.languages import resolve_language
from codetrail.workspace.root import Root, absolute, current_folder, find_root, relative

_MODES = ("literal", "regex", "wildcard", "glob")
_INPUT_MODES = ("compatible", "strict")
_FRESHNESS = ("full", "answer", "off")
_DIRECTIONS = ("incoming", "outgoing", "both")
_MOST_DEPTH, _USUAL_DEPTH = 8, 2
_LONGEST_REGEX = 512
"""Bytes of a pattern (security.md §3)."""

_KEYS_OF_OPTIONS = {
    "source": "include_code",
    "relations": "include_code",
    "counts": "counts",
    "via": "include_overrides",
}
"""Keys of rows that only these options bring."""

_MOST_ROWS = 1000
_MOST_LINES = 2000
_MOST_CONTEXT = 1000
_MOST_BYTES = 1 << 40


def workspace(values: Values) -> Root:
    """Return the workspace that ``--path`` or the current folder belongs to."""
    typed = text(values, "path")
    return find_root(os.curdir if typed is None else not_empty("path", typed))


def output_format(values: Values) -> str:
    """Return ``text``, ``json`` or ``jsonl``."""
    output = word(values, "output", OUTPUTS, "text")
    return "json" if output == "compact-json" else output


def question(verb: str, operand: str | None, values: Values, root: Root) -> Question:
    """Return the question that was typed. Raises UsageError and ScopeError."""
    _check_operand(verb, operand, values)
    _check_code_options(values)
    return Question(
        verb=verb,
        identifier=operand or "",
        scope=_scope(values, root),
        limit=number(values, "limit", 1, _MOST_ROWS) or 100,
        cursor=text(values, "cursor"),
        max_bytes=number(values, "max_bytes", 1, _MOST_BYTES),
        input_mode=word(values, "input_mode", _INPUT_MODES, "compatible"),
        include_definitions="include_definitions" in values,
        include_overrides="include_overrides" in values,
        uses=_uses(verb, values),
        direction=word(values, "direction", _DIRECTIONS, "both"),
        depth=number(values, "depth", 1, _MOST_DEPTH) or _USUAL_DEPTH,
        to=_sought(values),
        counts="counts" in values,
        include_code="include_code" in values,
        code_context=_or(number(values, "code_context", 0, _MOST_CONTEXT), 20),
        code_max_lines=_or(number(values, "code_max_lines", 1, _MOST_LINES), 200),
        fields=_fields(verb, values),
        explain="explain" in values,
        require_fresh="require_fresh" in values,
        freshness=_freshness(values),
        typed_from=_typed_from(root),
    )


def text(values: Values, key: str) -> str | None:
    """Return the text of a single option, or None when it was not typed."""
    value = values.get(key)
    return value if isinstance(value, str) else None


def texts(values: Values, key: str) -> Sequence[str]:
    """Return the texts of a repeatable option."""
    value = values.get(key)
    return value if isinstance(value, list) else ()


def not_empty(key: str, value: str) -> str:
    """Return the value of an option that takes a path. Raises UsageError where nothing was typed."""
    if not value:
        raise UsageError(f"{_flag(key)} needs a folder", hint=f"{_flag(key)} DIR")
    return value


def word(values: Values, key: str, known: Sequence[str], default: str) -> str:
    """Return a word of a closed vocabulary. Raises UsageError for another one."""
    value = text(values, key)
    if value is None:
        return default
    _check_word(key, value, known)
    return value


def number(values: Values, key: str, least: int, most: int) -> int | None:
    """Return a whole number within bounds, or None when it was not typed. Raises UsageError."""
    value = text(values, key)
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) <= 15 and least <= int(value) <= most:
        return int(value)
    raise UsageError(
        f"{_flag(key)} takes a whole number from {least} to {most}, not {quoted(value)}",
        hint=f"{_flag(key)} {_nearest(value, least, most)}",
    )


def _nearest(value: str, least: int, most: int) -> int:
    """Return what may have been meant: the nearer bound, or a usual value for what is no number."""
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return min(most, max(least, 100))
    return least if value.startswith("-") or (len(digits) <= 15 and int(digits) < least) else most


def _sought(values: Values) -> str | None:
    typed = text(values, "to")
    if typed is not None and not typed.strip():
        raise UsageError("the identifier of --to is empty", hint="--to NAME")
    return typed


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _check_operand(verb: str, operand: str | None, values: Values) -> None:
    if operand is None:
        if "counts" not in values:
            raise UsageError(f"{verb} needs a QUERY", hint=f"codetrail {verb} QUERY")
    elif not operand.strip():
        raise UsageError("the identifier is empty", hint=f"codetrail {verb} NAME")


def _check_code_options(values: Values) -> None:
    if "include_code" in values:
        return
    for key in ("code_context", "code_max_lines"):
        if key in values:
            raise UsageError(f"{_flag(key)} needs --include-code", hint=f"--include-code {_flag(key)} N")


def _fields(verb: str, values: Values) -> tuple[str, ...]:
    typed = text(values, "fields")
    if typed is None:
        return ("full",)
    from codetrail.output.short import check_fields

    fields = tuple(part.strip() for part in typed.split(","))
    check_fields(verb, fields)
    for key, option in _KEYS_OF_OPTIONS.items():
        if key in fields and option not in values:
            raise UsageError(f"the key {key} needs {_flag(option)}", hint=f"{_flag(option)} --fields {key}")
    return fields


def _freshness(values: Values) -> str:
    freshness = word(values, "freshness", _FRESHNESS, "full")
    if "require_fresh" in values and freshness == "off":
        raise UsageError(
            "--require-fresh and --freshness off contradict each other",
            hint="leave out one of them, or type --freshness answer",
        )
    return freshness


def _uses(verb: str, values: Values) -> tuple[str, ...]:
    uses = tuple(dict.fromkeys(texts(values, "use")))
    for use in uses:
        _check_word("use", use, CALLER_USES if verb == "callers" else USES)
    return uses


def _scope(values: Values, root: Root) -> Scope:
    language = text(values, "lang")
    mode = word(values, "file_mode", _MODES, "wildcard")
    return Scope(
        directories=tuple(dict.fromkeys(scope_folder(root, typed) for typed in texts(values, "dir"))),
        suffixes=tuple(dict.fromkeys(_suffix(typed) for typed in texts(values, "ext"))),
        patterns=tuple(dict.fromkeys(_pattern(typed) for typed in texts(values, "file_pattern"))),
        pattern_mode=mode,
        case_sensitive="case_sensitive" in values,
        language=None if language is None else resolve_language(language),
    )


def scope_folder(root: Root, typed: str) -> str:
    """Return a folder of ``--dir`` relative to the root; what is typed is never relative to anything else.

    Raises ScopeError.
    """
    path = relative(root, typed, root.path)
    if not os.path.isdir(absolute(root, path)):
        raise ScopeError(f"{quoted(typed)} is not a folder", hint="--file-pattern takes files")
    return path


def _suffix(typed: str) -> str:
    suffix = typed.strip()
    bare = suffix.removeprefix(".")
    if not bare or "/" in bare or any(char in bare for char in "*?[]"):
        raise UsageError(
            f"--ext takes a suffix such as java or .java, not {quoted(typed)}",
            hint="--file-pattern takes patterns",
        )
    return f".{bare}"


def _pattern(typed: str) -> str:
    if not typed or "\0" in typed:
        raise UsageError("a file pattern is empty", code="invalid_pattern", hint="--file-pattern '*_test.py'")
    if len(typed.encode("utf-8", "surrogateescape")) > _LONGEST_REGEX:
        raise UsageError(
            f"a file pattern is longer than {_LONGEST_REGEX} bytes",
            code="invalid_pattern",
            hint="--file-pattern may be repeated; --dir takes folders",
        )
    return typed


def _check_word(key: str, value: str, known: Sequence[str]) -> None:
    if value in known:
        return
    from difflib import get_close_matches

    near = get_close_matches(value, known, n=1)
    hint = f"did you mean {_flag(key)} {near[0]}?" if near else f"{_flag(key)} {known[0]}"
    raise UsageError(f"{_flag(key)} takes {', '.join(known)}, not {quoted(value)}", hint=hint)


def _flag(key: str) -> str:
    return f"--{key.replace('_', '-')}"


def _typed_from(root: Root) -> str:
    """Return the folder the caller stands in, relative to the root; ``""`` when it is outside."""
    here = current_folder()
    if here is None or here == root.path:
        return ""
    prefix = root.path.rstrip("/") + "/"
    return here[len(prefix) :] if here.startswith(prefix) else ""
