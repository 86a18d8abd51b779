"""Say what language a file is in, and whether it looks like a test or like generated code.

By name and first bytes only: this module opens nothing and knows nothing of providers.
"""

from __future__ import annotations

import re

from codetrail.errors import UsageError

_SUFFIXES = {
    "py": "python",
    "pyi": "python",
    "pyw": "python",
    "ts": "typescript",
    "tsx": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "js": "javascript",
    "jsx": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "rs": "rust",
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "go": "go",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
    "mdx": "mdx",
}
_ALIASES = {"ts": "typescript", "js": "javascript", "py": "python", "rs": "rust", "kt": "kotlin"}

LANGUAGES: tuple[str, ...] = tuple(dict.fromkeys(_SUFFIXES.values()))
"""Every language, in the order in which they are listed to users."""

SCRIPT_HOLDERS = frozenset({"vue", "svelte", "astro", "mdx"})
"""Languages of files that hold scripts among other things, which no provider indexes."""
EMBEDDED_SCRIPT = "embedded_script"
"""The reason that stands with those files; nothing that a person can type helps."""
DATA = "json"
"""What JSON modules are written in: names in them belong to the scripts that import them."""
_FAMILIES = (
    frozenset({"typescript", "javascript", DATA, *SCRIPT_HOLDERS}),
    frozenset({"java", "kotlin"}),
)

_INTERPRETERS = (
    (re.compile(rb"(?:i?python|pypy|uv)[\d.]*"), "python"),
    (re.compile(rb"(?:node|nodejs|bun|deno|tsx|ts-node)"), "javascript"),
)

_TEST_FOLDERS = {
    "python": frozenset({"test", "tests", "testing"}),
    "typescript": frozenset({"__tests__", "__mocks__", "test", "tests", "spec", "e2e"}),
    "rust": frozenset({"tests", "benches"}),
    "java": frozenset({"test", "tests", "testFixtures", "integrationTest", "androidTest"}),
    "go": frozenset({"testdata"}),
}
for _language in ("javascript", *SCRIPT_HOLDERS):
    _TEST_FOLDERS[_language] = _TEST_FOLDERS["typescript"]
_TEST_FOLDERS["kotlin"] = _TEST_FOLDERS["java"] | {"commonTest", "jvmTest", "jsTest", "nativeTest"}

_GENERATED_ENDS = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.go")
_GENERATED_MARKS = (b"@generated", b"DO NOT EDIT")
_GENERATED_WINDOW = 1024


def language_of(path: str) -> str | None:
    """Return the language of ``path`` by its suffix, or None for a file that is no source file."""
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return _SUFFIXES.get(name[dot + 1 :]) if dot > 0 else None


def is_source(path: str) -> bool:
    """Return whether ``path`` is a source file of a language we know."""
    return language_of(path) is not None


def has_suffix_in_capitals(path: str) -> bool:
    """Tell whether ``path`` would be a source file if its suffix were written small: ``SETUP.PY``."""
    name = path[path.rfind("/") + 1 :]
    suffix = name[name.rfind(".") :]
    return not suffix.islower() and language_of(name.removesuffix(suffix) + suffix.lower()) is not None


def may_hold_page_scripts(name: str) -> bool:
    """Tell whether a file is a web page by its name; whether it holds scripts its content says."""
    return name.lower().endswith((".html", ".htm"))


def script_language(head: bytes) -> str | None:
    """Return the language of a script by the interpreter its first line names; None for any other file."""
    if not head.startswith(b"#!"):
        return None
    words = head[2:].split(b"\n", 1)[0].split()
    names = [word.rpartition(b"/")[2] for word in words if not word.startswith(b"-") and b"=" not in word]
    if names[:1] == [b"env"]:
        names = names[1:]
    return next(
        (language for pattern, language in _INTERPRETERS if names and pattern.fullmatch(names[0])), None
    )


def family_of(language: str) -> frozenset[str]:
    """Return the languages whose files can name the symbols of ``language``, itself included."""
    return next((family for family in _FAMILIES if language in family), frozenset((language,)))


def resolve_language(typed: str) -> str:
    """Return the language a user means by ``typed`` (any case, short names accepted).

    Raises UsageError ``unsupported_language``, with the nearest names as a hint.
    """
    folded = typed.strip().casefold()
    if folded in LANGUAGES:
        return folded
    if folded in _ALIASES:
        return _ALIASES[folded]
    from difflib import get_close_matches

    near = get_close_matches(folded, [*LANGUAGES, *_ALIASES], n=3, cutoff=0.5)
    raise UsageError(
        "this language is not supported",
        code="unsupported_language",
        hint=f"did you mean {', '.join(near)}?" if near else f"one of {', '.join(LANGUAGES)}",
    )


def is_test_path(path: str, language: str) -> bool:
    """Return whether ``path`` is a test by the customs of its language (folder names, file names)."""
    *folders, name = path.split("/")
    if not _TEST_FOLDERS.get(language, frozenset()).isdisjoint(folders):
        return True
    stem = name.partition(".")[0]
    match language:
        case "python":
            return stem.startswith("test_") or stem.endswith("_test") or stem in {"conftest", "tests"}
        case "typescript" | "javascript" | "vue" | "svelte" | "astro" | "mdx":
            middle = name.split(".")[1:-1]
            return "test" in middle or "spec" in middle
        case "rust":
            return stem in {"tests", "test"} or stem.endswith(("_test", "_tests"))
        case "go":
            return stem.endswith("_test")
        case "java" | "kotlin":
            return stem.endswith(("Test", "Tests", "TestCase", "IT"))
    return False


def is_generated(path: str, head: bytes) -> bool:
    """Return whether a file says that a program wrote it; ``head`` is its first kilobyte or more."""
    window = head[:_GENERATED_WINDOW]
    return path.endswith(_GENERATED_ENDS) or any(mark in window for mark in _GENERATED_MARKS)
