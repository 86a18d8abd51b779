"""Long blocks of comments: read fast, and never mistaken for what only looks like them."""

from __future__ import annotations

import random

import pytest

from codetrail.syntax import comment_blocks
from codetrail.syntax.comment_blocks import LONG, without_blocks
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax

BLOCK = '# a comment, it\'s "quoted" {here}\n' * LONG
UNQUOTED = BLOCK.replace("'", "")


def read_whole(data: bytes, monkeypatch: pytest.MonkeyPatch) -> FileSyntax:
    """Read a text with all its comments in place."""
    with monkeypatch.context() as patch:
        patch.setattr(comment_blocks, "LONG", len(data) + 1)
        return extract(data, "python", budget_ms=60_000)


SOURCES = {
    "between functions": f"def f():\n    pass\n{BLOCK}def g():\n    return f()\n",
    "inside a function": f"def f():\n    a()\n    {BLOCK}    b()\nc()\n",
    "after a function": f"class A:\n    def f(self):\n        pass\n    {BLOCK}",
    "at the start": f"#!/usr/bin/python\n{BLOCK}import a\n",
    "inside brackets": f"x = [\n{BLOCK}f(),\n]\n",
    "in a string": f"x = '''\n{UNQUOTED}''' + f()\n",
    "in a string that ends within": f"x = '''\n{UNQUOTED}# end ''' + f()\n{BLOCK}g()\n",
    "in a formatted string": f"x = f'''\n{'# {f(a)}' + chr(10)}{UNQUOTED}'''\n",
    "with a type comment": f"{BLOCK}# type: ignore\n{BLOCK}x = []  # type: list[A]\n",
    "with a type comment that ends a string": f"'''\n{UNQUOTED}# type: ''' + f()\n{BLOCK}g()\n",
    "after a backslash": f"x = 1 \\\n{BLOCK}y = f()\n",
    "in a text with errors": f"def f(:\n{BLOCK}g()\n",
    "a string without end": f"x = '''\n{BLOCK}y = f()\n",
    "carriage returns": f"f()\r{BLOCK}g()\n".replace("\n", "\r"),
    "both line ends": f"f()\r\n{BLOCK}g()\n".replace("\n", "\r\n"),
    "beyond ASCII": f"é = 1\n{BLOCK.replace('quoted', 'épée')}naïve(é)\n",
    "no line end": f"f()\n{BLOCK}# end",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
def test_the_same_is_read_as_with_all_comments(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = source.encode()
    assert without_blocks(data) is not None
    found = extract(data, "python", budget_ms=60_000)
    assert found == read_whole(data, monkeypatch)
    assert found.tokens


PIECES = (
    *("# one\n", "# it's\n", "# {f(x)}\n", "    # inner\n", "# ''' type: x\n", "\n", "# type: A\n"),
    *("f(a)\n", "def g():\n    h()\n", "class A:\n    # one\n    # two\n    b = 1\n", "z = f'{a}'\n"),
    *("x = '''\n# a\n# b\n# c\n'''\n", 'y = f"""\n# {f(x)}\n# b\n# c\n"""\n', "'a' \\\n# b\n# c\n# d\n"),
    *('"""\n# it\n# is\n# {no}\n# so """ + f(\n# a\n# b\n# c\n)\n', "'''\n# a\n# '''\n# b\n# c\n# d\n"),
    *("y = f'''{\n# a\n# b\n# c\nf(x)}'''\n", "y = f'''{x:\n# {b}\n# c\n# d\n}'''\n"),
    *("x = '''\n", '"""\n'),
)
"""Mixtures of all but the last two mostly parse."""


@pytest.mark.parametrize("seed", range(300))
def test_any_mixture_reads_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(seed)
    data = "".join(
        source.choices(PIECES, weights=(12,) * 7 + (3,) * 4 + (0.5,) * 7 + (0.1,) * 2, k=25)
    ).encode()
    whole = read_whole(data, monkeypatch)
    monkeypatch.setattr(comment_blocks, "LONG", 3)
    assert extract(data, "python") == whole


def test_offsets_and_lines_stay() -> None:
    data = SOURCES["both line ends"].encode()
    reduced = without_blocks(data)
    assert reduced is not None
    assert [len(line) for line in reduced.data.splitlines()] == [len(line) for line in data.splitlines()]
    assert [reduced.data[start:end].strip() for start, end in reduced.taken] == [b""]


def test_short_blocks_stay() -> None:
    line = "# a comment\n"
    assert without_blocks((line * (LONG - 1) + "f()\n" + line).encode()) is None


def test_a_hundred_thousand_lines_of_comments_are_read_within_the_budget() -> None:
    data = b"def f():\n    pass\n" + b"    # it's a comment\n" * 100_000 + b"def g(): f()\n"
    found = extract(data, "python", budget_ms=60_000)
    assert not found.truncated
    assert [extent.name for extent in found.extents] == ["f", "g"]
