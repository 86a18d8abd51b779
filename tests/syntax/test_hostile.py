"""Bytes made to hurt: nothing raises, nothing recurses, every offset lies in the file."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codetrail.model.facts import USES
from codetrail.syntax.callbacks import CALLBACK
from codetrail.syntax.extract import MAX_BYTES, extract
from codetrail.syntax.file_syntax import MAX_OWNERS, FileSyntax
from codetrail.syntax.languages import OUTLINES

PYTHON_WORDS = [
    *keyword.kwlist, *keyword.softkwlist, "print", "exec", "a", "b.c", "é", "x1", "self", "property",
    "(", ")", "[", "]", "{", "}", ":", ",", ".", "=", ":=", "+=", "*", "**", "@", "->", ";", "\\\n",
    "\n", "\r\n", "\r", "\n  ", "\n    ", "\n\t", "\f", "\0", "'", '"', '"""', "f'{", "}'", "#", "\ufeff",
    "0", " ",
]  # fmt: skip


def check(data: bytes, syntax: FileSyntax) -> None:
    """Assert what holds of every result."""
    size = len(data)
    assert syntax.tokens == sorted(set(syntax.tokens))
    for start, end in syntax.tokens:
        assert 0 <= start < end <= size
    starts = {start for start, _ in syntax.tokens}
    assert syntax.uses.keys() <= starts
    assert all(0 < use < len(USES) for use in syntax.uses.values())
    assert [extent.start for extent in syntax.extents] == sorted(extent.start for extent in syntax.extents)
    for index, extent in enumerate(syntax.extents):
        assert extent.parent == -1 or extent.parent != index
        if extent.kind == CALLBACK:
            assert 0 <= extent.name_start < extent.name_end < extent.start < extent.end <= size
            continue
        assert 0 <= extent.start <= extent.name_start < extent.name_end <= extent.end <= size
        assert extent.name == data[extent.name_start : extent.name_end].decode("utf-8", "replace")


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(
        st.binary(), st.lists(st.sampled_from(PYTHON_WORDS)).map(lambda words: " ".join(words).encode())
    )
)
def test_any_python_bytes(data: bytes) -> None:
    syntax = extract(data, "python")
    check(data, syntax)
    for start, end in syntax.tokens:
        assert data[start:end].decode().isidentifier()


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(sorted(OUTLINES)), st.text("abc(){}[]<>=:;,.*&#@!|'\"`\\ \n=>fnclasvtrx01"))
def test_any_text_of_other_languages(language: str, text: str) -> None:
    data = text.encode()
    check(data, extract(data, language))


DEEP = 10_000
HOSTILE = {
    "brackets": b"x = " + b"[" * DEEP + b"]" * DEEP,
    "open brackets": b"(" * DEEP,
    "calls in calls": b"f(" * DEEP + b")" * DEEP,
    "a chain of calls": b"x" + b".f()" * DEEP,
    "a chain of attributes": b"x" + b".f" * DEEP + b" = 1",
    "targets in targets": b"(" * DEEP + b"a" + b",)" * DEEP + b" = b",
    "assignments": b"a = " * DEEP + b"b",
    "lambdas": b"f = " + b"lambda: " * DEEP + b"0",
    "decorators": b"@a\n" * DEEP + b"def f(): pass",
    "patterns": b"match x:\n case " + b"[" * DEEP + b"a" + b"]" * DEEP + b": pass\n",
    "types": b"x: " + b"A[" * DEEP + b"B" + b"]" * DEEP,
    "type statements": b"type " * DEEP,
    "conditions": b"if x:\n" + b"elif x:\n" * DEEP,
    "signs": b"- " * DEEP + b"x",
    "comments": b"def f():\n  pass\n" + b"  # a\n" * 1_000,
    "format strings": b"f'{" * 200 + b"x" + b"}'" * 200,
    "NUL": b"\0" * DEEP,
    "one line": b"x=[" + b"f(a),b.c," * 20_000 + b"]",
    "one name": b"a" * 1_000_000,
    "one string": b'"' + b"a" * (MAX_BYTES - 2) + b'"',
    "5 MB in one line": b"f(a);" * 50_000 + b'"' + b"a" * (MAX_BYTES - 250_002) + b'"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_shapes(name: str) -> None:
    data = HOSTILE[name]
    check(data, extract(data, "python"))


def test_a_call_at_any_depth_is_found() -> None:
    syntax = extract(HOSTILE["calls in calls"], "python")
    assert (len(syntax.tokens), set(syntax.uses.values())) == (DEEP, {USES.index("call")})


def test_what_is_nested_too_deep_is_left_out_and_told() -> None:
    depth = MAX_OWNERS + 50
    data = b"".join(b" " * level + b"def f():\n" for level in range(depth)) + b" " * depth + b"pass\n"
    syntax = extract(data, "python")
    assert (len(syntax.extents), syntax.truncated, syntax.errors) == (MAX_OWNERS + 1, True, False)
    data = b"function f(){" * depth + b"}" * depth
    syntax = extract(data, "javascript")
    assert (len(syntax.extents), syntax.truncated, syntax.errors) == (MAX_OWNERS + 1, True, False)
