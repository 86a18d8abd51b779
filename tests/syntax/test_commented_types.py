"""Types that JSDoc writes in comments: which text holds them, and which only mentions something."""

from __future__ import annotations

import pytest

from codetrail.syntax.extract import extract

CASES = {
    "a parameter": ("/** @param {Foo} x */ function f(x) {}", ["{Foo}"]),
    "an import": ("/** @type {import('./x').Foo} */ let a;", ["{import('./x').Foo}"]),
    "braces in braces": ("/** @type {{a: Foo, b: {c: Bar}}} */ let a;", ["{{a: Foo, b: {c: Bar}}}"]),
    "several": ("/**\n * @param {A} x\n * @returns {B}\n */\nfunction f(x) {}", ["{A}", "{B}"]),
    "several comments": ("/** @type {A} */ let a; /** @type {B} */ let b;", ["{A}", "{B}"]),
    "a cast": ("const a = /** @type {A} */ (b);", ["{A}"]),
    "a link": ("/** See {@link Foo} and { @linkcode Bar }. */ let a;", []),
    "a type after a link": ("/** {@link Foo} @type {A} */ let a;", ["{A}"]),
    "a link after what is not closed": ("/** opens { and {@link Foo} @type {A} */ let a;", ["{A}"]),
    "not closed": ("/** @type {A */ let a = { b: 1 };", []),
    "closed too often": ("/** } } @type {A} */ let a;", ["{A}"]),
    "code": ("let a = { b: 1 }; /** none */", []),
    "another comment": ("/* @type {A} */ let a; // @type {B}", []),
    "a string": ("let a = '/** @type {A} */';", []),
    "text that is not ASCII": ("/** Größe @type {A} */ let a;", ["{A}"]),
}


@pytest.mark.parametrize(("text", "spans"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_braces_in_comments(text: str, spans: list[str], language: str) -> None:
    data = text.encode()
    found = extract(data, language).quoted_types
    assert [data[start:end].decode() for start, end in found] == spans


def test_other_languages_write_no_types_in_comments() -> None:
    assert extract(b"/** {Foo} */ class A {}", "java").quoted_types == ()
