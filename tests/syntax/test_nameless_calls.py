"""Calls of what has no name at the place: they have no edge, so they must at least be seen."""

from __future__ import annotations

import pytest

from codetrail.syntax.extract import extract

CASES: dict[str, tuple[str, str, list[str]]] = {
    "python results": ("python", "f()()\nf()()()\n", ["f()", "f()", "f()()"]),
    "python elements": ("python", "x[0](1)\nx[0].run()\n", ["x[0]"]),
    "python choices": ("python", "(a or b)()\n(a if b else c)()\n", ["(a or b)", "(a if b else c)"]),
    "python names": ("python", "f()\nx.y()\n(f)(1)\n((x.y))()\nx().y()\n[*f(x)]\n", []),
    "python functions written there": ("python", "(lambda: 1)()\n", []),
    "python decorators": ("python", "@f()()\ndef g(): ...\n@f()\ndef h(): ...\n", ["f()"]),
    "script results": ("javascript", "f()(); f()()(); f?.()?.();", ["f()", "f()", "f()()", "f?.()"]),
    "script modules": ("javascript", "require('a')();", ["require('a')"]),
    "script elements": ("javascript", "x[0](1); x[`y`](); x['y']();", ["x[0]", "x[`y`]"]),
    "script choices": ("javascript", "(a || b)(); (a ? b : c)();", ["(a || b)", "(a ? b : c)"]),
    "script constructions": ("javascript", "new (g())(); new x[0]();", ["(g())", "x[0]"]),
    "script templates": ("javascript", "f`a``b`;", ["f`a`"]),
    "script names": ("javascript", "f(); x.y(); x?.y?.(); (f)(); (0, f)(); new x.Y(); f`a`; x.#p();", []),
    "script keywords": ("javascript", "import('a'); class A extends B { constructor() { super(); } }", []),
    "functions written there": (
        "javascript",
        "(function () {})(); (() => 1)(); (async () => {})(); new (class {})(); !function () {}();",
        [],
    ),
    "named functions written there": (
        "javascript",
        "(function f() {})(); (async function g() {})(); new (class A {})(); !function h() {}();",
        ["(function f() {})", "(async function g() {})", "(class A {})", "function h() {}("],
    ),
    "typescript": ("typescript", "f<T>()(); x[0]!();", ["f<T>()", "x[0]!"]),
    "typescript names": ("typescript", "(f as any)(); (<any>f)(); f!(); f<T>();", []),
    "rust": ("rust", "fn f() { g()(); x[0](); (|x| x)(1); }", ["g()", "x[0]"]),
    "rust names": ("rust", "fn f() { (h)(); (self.f)(1); A::<u8>::new(); }", []),
    "go, where it may be a conversion": ("go", "package a\nfunc f() { (*T)(z); []int(y); g()() }", []),
}


@pytest.mark.parametrize(("language", "text", "expected"), CASES.values(), ids=CASES.keys())
def test_what_is_called_through_no_name(language: str, text: str, expected: list[str]) -> None:
    ends = extract(text.encode(), language).nameless_calls
    assert list(ends) == sorted(ends)
    assert len(ends) == len(expected)
    assert all(text[: end + 1].endswith(callee) for end, callee in zip(ends, expected, strict=True))
