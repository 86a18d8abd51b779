"""Our matcher against git's own answer: the table holds the known traps, the random part looks for others."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace.ignore import IgnoreRules, parse_ignore_file

RunGit = Any

ATOMS = [
    *(
        "a",
        "b",
        "c",
        "/",
        "a",
        "b",
        "/",
        "*",
        "**",
        "?",
        ".",
        "!",
        "-",
        "é",
        " ",
        "\\ ",
        "\\*",
        "\\",
        "#",
        "\\/",
    ),
    *(
        "[ab]",
        "[!a]",
        "[^b-]",
        "[a-c]",
        "[c-a]",
        "[[:alpha:]]",
        "[[:nope:]]",
        "[]a]",
        "[a",
        "[\\]a]",
        "[a[:b]",
    ),
    *("**/", "/**", "/**/", "***", "*/"),
]
NAMES = [
    "a",
    "b",
    "c",
    "ab",
    "ba",
    "abc",
    ".a",
    "a*",
    "é",
    "a b",
    "a ",
    "c.a",
    "[a",
    "-",
    "A",
    "#a",
    "!a",
    "a\\",
]


def ignored(rules: IgnoreRules, path: str) -> bool:
    """Ask as the walk does: a path below an ignored folder is never reached."""
    parts = path.split("/")
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
    return any(rules.verdict(folder.encode(), True) for folder in above) or bool(
        rules.verdict(path.encode(), False)
    )


def git_says(git: RunGit, paths: list[str]) -> set[str]:
    output = git(
        "check-ignore", "-z", "--no-index", "--stdin", stdin=b"".join(p.encode() + b"\0" for p in paths)
    )
    return {path.decode() for path in output.split(b"\0") if path}


@pytest.mark.parametrize(
    ("content", "ignored_paths", "other_paths"),
    [
        (b"*.pyc\n", ["a.pyc", "d/e.pyc"], ["a.py"]),
        (b"build\n", ["build", "d/build", "build/x"], ["builds", "a.build"]),
        (b"build/\n", ["build/x", "d/build/x"], ["build"]),
        (b"/build\n", ["build", "build/x"], ["d/build"]),
        (b"d/x\n", ["d/x"], ["e/d/x"]),
        (b"*\n!*/\n!*.py\n", ["a.txt", "d/a.txt"], ["a.py", "d/e/a.py"]),
        (b"d/*\n!d/keep.py\n", ["d/x", "d/e/keep.py"], ["d/keep.py", "x"]),
        (b"d\n!d/keep.py\n", ["d/keep.py"], []),
        (b"**/x\n", ["x", "d/x", "d/e/x"], ["ax"]),
        (b"d/**\n", ["d/x", "d/e/x"], ["d", "e/d/x"]),
        (b"a/**/z\n", ["a/z", "a/b/z", "a/b/c/z"], ["az", "b/a/z"]),
        (b"a**/z\n", ["a/z", "ab/z", "ab/c/z"], ["z"]),
        (b"x  \n", ["x"], ["x  "]),
        (b"x\\ \n", ["x "], ["x"]),
        (b"x\t\n", ["x\t"], ["x"]),
        (b"\\#x\n\\!y\n#z\n", ["#x", "!y"], ["#z", "z"]),
        (b"x\r\ny\r\n", ["x", "y"], ["x\r"]),
        (b"\xef\xbb\xbfx\n", ["x"], ["\ufeffx"]),
        (b"?.py\n", ["a.py"], ["ab.py", "é.py"]),
        (b"[!a]x\n", ["bx"], ["ax", "x"]),
        (b"x[\n", [], ["x", "x["]),
        (b"x\\\n", [], ["x", "x\\"]),
        (b"/\n\n!\n//\n", [], ["x", "d/x"]),
        (b"x", ["x"], []),
    ],
    ids=repr,
)
def test_verdict(
    git: RunGit, top: Path, content: bytes, ignored_paths: list[str], other_paths: list[str]
) -> None:
    git("init", "-q")
    (top / ".gitignore").write_bytes(content)
    rules = parse_ignore_file(content)
    paths = ignored_paths + other_paths
    assert [path for path in paths if ignored(rules, path)] == ignored_paths
    assert git_says(git, paths) == set(ignored_paths)


@pytest.mark.parametrize("seed", range(6))
def test_random_patterns_agree_with_git(git: RunGit, top: Path, seed: int) -> None:
    chosen = random.Random(seed)
    git("init", "-q")
    differing: list[tuple[list[str], list[str]]] = []
    for _ in range(40):
        lines = ["".join(chosen.choices(ATOMS, k=chosen.randint(1, 6))) for _ in range(chosen.randint(1, 4))]
        paths = ["/".join(chosen.choices(NAMES, k=chosen.randint(1, 4))) for _ in range(60)]
        content = "\n".join(lines).encode()
        (top / ".gitignore").write_bytes(content)
        rules = parse_ignore_file(content)
        ours = {path for path in paths if ignored(rules, path)}
        if differs := ours ^ git_says(git, paths):
            differing.append((lines, sorted(differs)))
    assert differing == []


@pytest.mark.parametrize(
    "pattern",
    [b"*a" * 60 + b"b", b"**/a" * 60 + b"/b", b"a*/" * 60 + b"b", b"[a-z]*" * 60 + b"!"],
    ids=["stars", "folders", "segments", "sets"],
)
def test_hostile_pattern_ends(pattern: bytes) -> None:
    # A backtracking matcher would not end within the life of the universe.
    rules = IgnoreRules([pattern])
    path = b"/".join([b"a" * 60] * 60)
    assert rules.verdict(path, False) is None
    assert rules.verdict(b"a" * 250, False) is None


def test_rules_know_whether_they_say_anything() -> None:
    assert not parse_ignore_file(b"# only a comment\n\n")
    assert parse_ignore_file(b"x\n")
