"""Nameless functions that are passed to a call whose first argument is a string."""

from __future__ import annotations

import pytest

from codetrail.syntax.callbacks import CALLBACK, LONGEST
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import qualified_name

PASSED: dict[str, tuple[str, str, list[str]]] = {
    "a test": ("javascript", 'it("adds", () => { f() });', ['it("adds") | () => { f() }']),
    "a route": (
        "typescript",
        "app.get('/x', auth, async function (q: Q) {}, (r) => r)",
        ['app.get("/x") | async function (q: Q) {}', 'app.get("/x") | (r) => r'],
    ),
    "a template, an option before": (
        "tsx",
        "test(`n ${v}`, { timeout: 1 }, () => <A b={() => 1} />)",
        ['test("n ${v}") | () => <A b={() => 1} />'],
    ),
    "explicit generics and what may be absent": (
        "typescript",
        'it<T>("a", () => 1); o?.on!("b", () => 2); this.on("c", (() => 3) as any)',
        ['it("a") | () => 1', 'o?.on("b") | () => 2', 'this.on("c") | () => 3'],
    ),
    "a construction": (
        "javascript",
        'new a.Worker("w", () => 1); new Promise((r) => r)',
        ['a.Worker("w") | () => 1'],
    ),
    "tables of tests": (
        "javascript",
        'it.each([1])("a %i", (n) => n); it.each`x|y`("b", function* () {})',
        ['it.each("a %i") | (n) => n', 'it.each("b") | function* () {}'],
    ),
    "what is called has no name": ("javascript", '(a ? b : c)("d", () => 1)', ['("d") | () => 1']),
    "a chain over lines": (
        "javascript",
        'a\n .get("b", () => 1)\n .get("c", () => 2)',
        ['a.get("b") | () => 1', 'get("c") | () => 2'],
    ),
    "one in another": (
        "javascript",
        'describe("a", () => { function f() {} it("b", () => 1) })',
        [
            'describe("a") | () => { function f() {} it("b", () => 1) }',
            "f",
            'describe("a").it("b") | () => 1',
        ],
    ),
    "one in a function": (
        "javascript",
        'function f() { on("a", () => { const g = () => 1 }) }',
        ["f", 'f.on("a") | () => { const g = () => 1 }', "g"],
    ),
    "escapes and quotes": (
        "javascript",
        r"""it('a\'b "c"', () => 1); it("\n", () => 2); it("", () => 3)""",
        [r"""it("a\'b "c"") | () => 1""", r'it("\n") | () => 2', 'it("") | () => 3'],
    ),
    "no string, not first, not passed, a name of its own": (
        "javascript",
        'f(() => 1); f(a, "b", () => 1); f("a" + b, () => 1); f("a", g(() => 1)); f("a", { b() {} });'
        'f("a", [() => 1]); t`a${() => 1}`; import("a"); f("a", h)',
        ["b"],
    ),
    "comments between": ("javascript", 'it(/* a */ "b", /* c */ () => 1)', ['it("b") | () => 1']),
    "a lambda of Python": (
        "python",
        'on("a", lambda: 1)\np.q(r"b" \'c\', key=lambda: (lambda: 2))\n'
        'f("d", x=(lambda: 3))\nf(k="e", l=lambda: 4)\n',
        ['on("a") | lambda: 1', 'p.q("bc") | lambda: (lambda: 2)', 'f("d") | lambda: 3'],
    ),
    "a lambda in a method of Python": (
        "python",
        'class A:\n  def m(self): f"{self}"; on(f"a{b}", lambda: 1)\n',
        [
            "A",
            "m",
            'A.m.on("a{b}") | lambda: 1',
        ],
    ),
    "a lambda of Java": (
        "java",
        'class X { { a.run("b", () -> f()); new T<U>("c", x -> { g(); }); '
        'h("""\n d\n """, Z::new, y -> y); } }',
        [
            "X",
            'X.a.run("b") | () -> f()',
            'X.T("c") | x -> { g(); }',
            'X.h("d") | y -> y',
        ],
    ),
    "lambdas of Kotlin": (
        "kotlin",
        'val u = it("a $b") { f() }\nval v = on<T>("""c""", x = { 1 })\n'
        'val w = a?.g("d", fun() = 2)\nval y = h(i) { 3 }\n',
        [
            "u",
            'u.it("a $b") | { f() }',
            "v",
            'v.on("c") | { 1 }',
            "w",
            'w.a?.g("d") | fun() = 2',
            "y",
        ],
    ),
    "a closure of Rust": (
        "rust",
        'fn f() { a::b("c", |x| 1); d.e(r#"g"#, move || {}); h::<T>("i", &|x| 2); }',
        [
            "f",
            'f.a::b("c") | |x| 1',
            'f.d.e("g") | move || {}',
            'f.h("i") | |x| 2',
        ],
    ),
    "a literal of Go": (
        "go",
        'package p\nfunc F() { t.Run("a", func() {}); t.Run(`b`, func() { g() }) }\n',
        [
            "F",
            'F.t.Run("a") | func() {}',
            'F.t.Run("b") | func() { g() }',
        ],
    ),
    "a syntax error beside": (
        "javascript",
        'it("a", () => { f( }); it("b", () => { g() });',
        ['it("a") | () => { f( }', 'it("b") | () => { g() }'],
    ),
}


@pytest.mark.parametrize("name", PASSED)
def test_callbacks(name: str) -> None:
    language, source, expected = PASSED[name]
    data = source.encode()
    extents = extract(data, language).extents
    assert [
        f"{qualified_name(extents, number)} | {data[one.start : one.end].decode()}"
        if one.kind == CALLBACK
        else one.name
        for number, one in enumerate(extents)
    ] == expected


def test_a_callback_is_named_by_its_string() -> None:
    data = b"  it('adds', () => 1)"
    (extent,) = extract(data, "javascript").extents
    assert (extent.kind, extent.name, extent.parent) == ("callback", 'it("adds")', -1)
    assert data[extent.name_start : extent.name_end] == b"'adds'"


@pytest.mark.parametrize(
    ("string", "called", "expected"),
    [
        pytest.param("x" * LONGEST, "it", f'it("{"x" * LONGEST}")', id="just short enough"),
        pytest.param("x" * 500, "it", f'it("{"x" * LONGEST}…")', id="a long string"),
        pytest.param("a\nb", "it", 'it("a…")', id="two lines"),
        pytest.param("a", f"{'b.' * 100}c", 'c("a")', id="a long chain"),
        pytest.param("a", "d" * 500, f'{"d" * LONGEST}("a")', id="a long name"),
    ],
)
def test_names_are_bounded(string: str, called: str, expected: str) -> None:
    (extent,) = extract(f"{called}(`{string}`, () => 1)".encode(), "javascript").extents
    assert extent.name == expected
