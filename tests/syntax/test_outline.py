"""Small inputs in the other languages, each with its definitions, and its calls and imports."""

from __future__ import annotations

import pytest
from tree_sitter import Parser

from codetrail.model.facts import USES
from codetrail.model.kinds import NUMBERS
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import qualified_name
from codetrail.syntax.grammars import grammar
from codetrail.syntax.languages import OUTLINES

EXTENTS: dict[str, tuple[str, str, str]] = {
    "typescript classes": (
        "typescript",
        "export class A<T> extends B { x = 1; #p?: T; static s() {} get v() { return 1 } set v(n) {}\n"
        "constructor(q: C) { super(); } f = () => 1; [k] = 2 }\n"
        "abstract class D { abstract m(): void }",
        "class A, property A.x, property A.#p, method A.s, getter A.v, setter A.v, constructor "
        "A.constructor, method A.f, class D, method D.m",
    ),
    "typescript types": (
        "typescript",
        "interface I { a: string; m(x: number): void; new (x): I }\n"
        "enum E { P, Q = 2 }\n"
        "type T = I;\n"
        "namespace N { export const c = 1; function f(): void }",
        "interface I, property I.a, method I.m, enum E, enummember E.P, enummember E.Q, typealias "
        "T, namespace N, variable N.c, function N.f",
    ),
    "javascript functions": (
        "javascript",
        "function* g() { const no = 1; function h() {} }\n"
        "const f = (a) => a, m = async function k() {};\n"
        "x.y = function() {}; module.exports.z = () => { let no; const cb = () => 1 };\n"
        "it('x', () => { const no = 1 }); export default function () {}",
        "function g, function g.h, function f, function m, function y, function z, function z.cb, "
        'callback it("x")',
    ),
    "javascript patterns": (
        "javascript",
        "var {a, b: [c], d = no, ...e} = o, [f, , g] = h; let i;",
        "variable a, variable c, variable d, variable e, variable f, variable g, variable i",
    ),
    "javascript objects": (
        "javascript",
        "const o = { a: 1, m() {}, f: () => 1, get q() { return 1 } }; class C { static { let no } d = 1 }",
        "variable o, method o.m, function o.f, getter o.q, class C, property C.d",
    ),
    "tsx": (
        "tsx",
        "export const View = (p: P) => <div onClick={() => p.go()}>{p.x}</div>;",
        "function View",
    ),
    "rust": (
        "rust",
        "mod m { pub fn f() { let no = 1; let c = || 1; fn g() {} } }\n"
        "struct S { a: u8 }\n"
        "union U { b: u8 }\n"
        "enum E { A, B(u8), C { d: u8 } }\n"
        "trait T { const K: u8; type Y; fn h(&self); }\n"
        "impl<X> T for p::S<X> { fn h(&self) {} }\n"
        "const K: u8 = 1; static Z: u8 = 2; type L = u8;\n"
        "macro_rules! mm { () => {} }",
        "module m, function m.f, function m.f.c, function m.f.g, struct S, field S.a, union U, "
        "field U.b, enum E, enummember E.A, enummember E.B, enummember E.C, field E.C.d, trait T, "
        "constant T.K, associatedtype T.Y, method T.h, method S.h, constant K, variable Z, "
        "typealias L, macro mm",
    ),
    "java": (
        "java",
        "class X { int a = 1, b; static { int no; } X() {} void f() { int no; Runnable r = () -> {}; }\n"
        "enum E { P, Q { void m() {} }; int z; } interface I { void k(); int C = 1; }\n"
        "record R(int p) { R {} } @interface N { int v(); } }",
        "class X, field X.a, field X.b, constructor X.X, method X.f, function X.f.r, enum X.E, "
        "enummember X.E.P, enummember X.E.Q, method X.E.Q.m, field X.E.z, interface X.I, method "
        "X.I.k, field X.I.C, class X.R, field X.R.p, constructor X.R.R, interface X.N, method X.N.v",
    ),
    "kotlin": (
        "kotlin",
        "class X(val p: Int) : Y() {\n"
        " val a = 1\n"
        " fun f() { val no = 1 }\n"
        " init { val no = 2 }\n"
        " companion object {\n"
        "  fun m() {}\n"
        " }\n"
        "}\n"
        "enum class E { P, Q }\n"
        "interface I {\n"
        " fun k()\n"
        "}\n"
        "object O\n"
        "fun String.ext() = 1\n"
        "typealias A = B\n"
        "val (u, v) = w\n",
        "class X, property X.p, property X.a, method X.f, method X.m, enum E, enummember E.P, enummember"
        " E.Q, interface I, method I.k, object O, function ext, typealias A, property u, property v",
    ),
    "go": (
        "go",
        "package p\n"
        "type S struct { a int; b, c string }\n"
        "type I interface { M(x int) string }\n"
        "type A = B\n"
        "type N int\n"
        "func f() { var no = 1 }\n"
        "func (s *S[T]) M() {}\n"
        "func (N) O() {}\n"
        "const K, L = 1, 2\n"
        "var v = 1\n",
        "struct S, field S.a, field S.b, field S.c, interface I, method I.M, typealias A, type N, "
        "function f, method S.M, method N.O, constant K, constant L, variable v",
    ),
}


@pytest.mark.parametrize("name", EXTENTS)
def test_extents(name: str) -> None:
    language, source, expected = EXTENTS[name]
    syntax = extract(source.encode(), language)
    assert not syntax.errors
    shown = [f"{e.kind} {qualified_name(syntax.extents, i)}" for i, e in enumerate(syntax.extents)]
    assert ", ".join(shown) == expected


USED = {
    "typescript": (
        'import { a as b } from "c"; f(x); a.b(c); new D(); new p.Q(); a?.b(); g<T>(x); (h)(y);',
        "a:import b:import f:call b:call D:construct Q:construct b:call g:call T:type h:call",
    ),
    "javascript": ("import a from 'b'; f(g(x));", "a:import f:call g:call"),
    "rust": (
        "use a::{b, c as d}; fn f() { g(); x.h(); a::i(); j!(k); }",
        "a:import b:import c:import d:import g:call h:call i:call j:call",
    ),
    "java": (
        "import a.B; class X { void f() { new B(); g(); h.i(); } }",
        "a:import B:import B:construct g:call i:call",
    ),
    "kotlin": ("import a.B\nfun f() { g(); h.i() }\n", "a:import B:import g:call i:call"),
    "go": ("package p\nfunc f() { g(); h.I() }\n", "g:call I:call"),
}


SCRIPT_USES = {
    "annotation": ("typescript", "let a: B<C.D, typeof e> | f;", "B:type C:type D:type e:type f:type"),
    "type_arguments": ("typescript", "g<B>(x as C);", "g:call B:type C:type"),
    "heritage": (
        "typescript",
        "x = class extends a.B<C> implements D {}; y = class extends mixin(E) {};",
        "x:write B:type C:type D:type y:write mixin:call",
    ),
    "heritage_of_javascript": (
        "javascript",
        "x(class extends a.B {}, class extends c(d) {})",
        "x:call B:type c:call",
    ),
    "decorators": (
        "typescript",
        "@a @b.c() class K { @d(e) m() {} @f p = 1 }",
        "a:decorator c:decorator d:decorator f:decorator",
    ),
    "assignments": (
        "typescript",
        "a = b; c.d += e; f++; --g.h; i!.j = k; l[m] = n;",
        "a:write d:write f:write h:write j:write",
    ),
    "patterns": (
        "javascript",
        "({ a, b: c.d, e: [f = g], ...h } = i); [j, [k]] = l; for (m of n) {} for (const o of p) {}",
        "a:write d:write f:write h:write j:write k:write m:write o:write",
    ),
    "call_before_write": ("javascript", "f(a = b); c().d = e;", "f:call a:write c:call d:write"),
    "elements": (
        "tsx",
        "const a = (b: C) => <D e={f()}><g.H /><i-j k={l} /><p>{m}</p><n.o></n.o></D>;",
        "C:type D:call f:call H:call o:call",
    ),
    "elements_of_javascript": ("javascript", "f(<A.B>{c()}</A.B>, <d />);", "f:call B:call c:call"),
    "around_a_callee": (
        "typescript",
        "(a)(b); c!(d); (e as F)(g); (0, h.i)(j); (k satisfies L)!(m); (<N>o)(p); (q = r)(s);",
        "a:call c:call e:call F:type i:call k:call L:type N:type o:call q:write",
    ),
    "operators_before_a_callee": (
        "typescript",
        "!a!(b); c && !d.e!(f); await g!(h); (i || j)(k); (-l)(m);",
        "a:call e:call g:call",
    ),
    "super": (
        "typescript",
        "class A extends B { constructor() { super(c()); super.d(); } }",
        "B:type c:call d:call",
    ),
}


@pytest.mark.parametrize("name", SCRIPT_USES)
def test_uses_in_scripts(name: str) -> None:
    language, source, expected = SCRIPT_USES[name]
    assert shown_uses(source, language) == expected.split()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a['b']();", {"b": "call"}),
        ('a?.["b"](); super["c"](1);', {"b": "call", "c": "call"}),
        ("new a['B']();", {"B": "construct"}),
        ("a['b'] = c; a['d']++;", {"b": "write", "d": "write"}),
        ("a['b']`c`; (a['d'])();", {"b": "call", "d": "call"}),
        ("a['b'].c();", {"c": "call"}),
        # What is in the brackets need not be the name: an escape, nothing, a value.
        ("a['b\\u0063'](); a['']();", {}),
        ("a[b]();", {}),
    ],
)
@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_members_that_strings_name(source: str, expected: dict[str, str], language: str) -> None:
    uses = extract(source.encode(), language).uses
    assert {source[start]: USES[use] for start, use in uses.items()} == expected


@pytest.mark.parametrize("language", USED)
def test_calls_and_imports(language: str) -> None:
    source, expected = USED[language]
    assert shown_uses(source, language) == expected.split()


def shown_uses(source: str, language: str) -> list[str]:
    data = source.encode()
    syntax = extract(data, language)
    return [
        f"{data[start:end].decode()}:{USES[syntax.uses[start]]}"
        for start, end in syntax.tokens
        if start in syntax.uses
    ]


TOKENS = {
    "typescript": ("let a: B = { c, d: e.f, #g }; // h\n'i'", "a B c d e f #g"),
    "rust": ("fn a(b: &C) -> D { b.e; S { f, g: h } } // i", "a b C D b e S f g h"),
    "java": ('class A { B c = "d"; }', "A B c"),
    "kotlin": ("val a: B = c.d // e\n", "a B c d"),
    "go": ("package a\nvar b C = d.e // f\n", "a b C d e"),
}


@pytest.mark.parametrize("language", TOKENS)
def test_tokens(language: str) -> None:
    source, expected = TOKENS[language]
    data = source.encode()
    assert [data[start:end].decode() for start, end in extract(data, language).tokens] == expected.split()


@pytest.mark.parametrize("name", EXTENTS)
def test_what_the_walk_takes_for_tokens_holds_no_names(name: str) -> None:
    language, source, _ = EXTENTS[name]
    loaded = grammar(language)
    assert loaded is not None
    first_phrase = loaded.id_for_node_kind(OUTLINES[language].root, True)
    assert first_phrase is not None
    pending = [Parser(loaded).parse(source.encode()).root_node]
    while pending:
        node = pending.pop()
        assert node.kind_id >= first_phrase or node.named_child_count == 0
        pending += node.children


def test_tsx_is_told_by_the_path() -> None:
    data = b"const a = <b>c</b>;"
    assert not extract(data, "typescript", path="x/y.tsx").errors
    assert extract(data, "typescript", path="x/y.ts").errors


def test_every_kind_is_a_word_of_scip() -> None:
    for outline in OUTLINES.values():
        words = {*outline.definitions.values(), *outline.variables.values(), *outline.members.values()}
        assert words | set(outline.variants.values()) <= NUMBERS.keys()
