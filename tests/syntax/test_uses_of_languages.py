"""What names do at their place in languages other than Python and scripts, each answer read by a person."""

from __future__ import annotations

import re

import pytest

from codetrail.model.facts import USES
from codetrail.syntax.extract import extract

_WORD = re.compile(rb"\w+")

CASES = {
    "rust_imports": (
        "rust",
        "use a::b::{C, d as e};\nextern crate q;",
        "a:import b:import C:import d:import e:import q:import",
    ),
    "rust_attributes": (
        "rust",
        '#[derive(Debug, my::Clone)]\n#[serde(rename = "x")]\n#[test]\nstruct S { a: T }',
        "derive:decorator Debug:decorator Clone:decorator serde:decorator test:decorator T:type",
    ),
    "rust_calls": (
        "rust",
        "fn f() { g(); a::b::h(); x.m(); k::<u8>(1); v.c::<T>(2); (p)(); }",
        "g:call h:call m:call k:call c:call T:type p:call",
    ),
    "rust_literals_and_macros": (
        "rust",
        'fn f() { let s = S { a: 1, ..d }; let t = m::T { b }; println!("{}", q(z)); vec![n(1)]; }',
        "S:construct T:construct println:call q:call vec:call n:call",
    ),
    "rust_writes": (
        "rust",
        "fn f() { a = 1; b.c += 2; (x, y) = p; let z = 3; *d = 4; w[0] = 5; }",
        "a:write c:write x:write y:write",
    ),
    "rust_types": (
        "rust",
        "impl<T: Tr> Tr for S<T> where T: Ord { type A = B; fn f(&self, x: &U) -> V { Self::g() } }",
        "T:type Tr:type Tr:type S:type T:type T:type Ord:type B:type U:type V:type g:call",
    ),
    "rust_values": (
        "rust",
        "fn f() { v.map(h); let k = i; match z { Some(w) => w, E::N => 1, P { a, .. } => a } }",
        "map:call P:type",
    ),
    "java_imports": (
        "java",
        "import a.b.C;\nimport static d.E.f;",
        "a:import b:import C:import d:import E:import f:import",
    ),
    "java_annotations_and_types": (
        "java",
        "@A @B(x = 1) class C extends D implements E, F<G> { @Override H m(I i) throws J { return null; } }",
        "A:decorator B:decorator D:type E:type F:type G:type Override:decorator H:type I:type J:type",
    ),
    "java_calls": (
        "java",
        "class C { void m() { f(); a.g(); this.h(); new T(); new p.U<V>(){}; super.k(); q::w; X::new; } }",
        "f:call g:call h:call T:construct p:type U:construct V:type k:call",
    ),
    "java_constructors": (
        "java",
        "class C extends D { C() { this(x()); } C(int a) { super(a); } }",
        "D:type this:call x:call super:call",
    ),
    "java_writes": (
        "java",
        "class C { void m() { a = 1; b.c += 2; d++; --e; int f = g; h[i] = j; } }",
        "a:write c:write d:write e:write",
    ),
    "java_enum_constants": (
        "java",
        "enum E { P(q), Q { void z(){} } }",
        "P:construct Q:construct",
    ),
    "java_casts_and_lambdas": (
        "java",
        "class C { void m() { (T) a; b instanceof U; W<V> l = null; f(() -> x()); g(1, y -> y.z()); } }",
        "T:type U:type W:type V:type f:call x:call g:call z:call",
    ),
    "kotlin_imports": (
        "kotlin",
        "import a.b.C\nimport d.e as f",
        "a:import b:import C:import d:import e:import f:import",
    ),
    "kotlin_annotations_and_types": (
        "kotlin",
        "@A @B(1) class C(val x: D) : E(2), F, G by g { @H fun m(i: I): J = k() }",
        "A:decorator B:decorator D:type E:call F:type G:type g:call H:decorator I:type J:type k:call",
    ),
    "kotlin_calls": (
        "kotlin",
        "fun f() { g(); a.h(); b?.i(); c!!.j(); X(); p infix q; r { s() }; t<U>(); w::v; Y::class }",
        "g:call h:call i:call j:call X:call infix:call r:call s:call t:call U:type w:type Y:type",
    ),
    "kotlin_writes": (
        "kotlin",
        "fun f() { a = 1; b.c += 2; d++; --e; val k = l; m[0] = 3; val (n, o) = z }",
        "a:write c:write d:write e:write",
    ),
    "kotlin_delegations": (
        "kotlin",
        "class C {\n  constructor(x: Int) : this(y(x))\n  constructor() : super(1)\n}",
        "Int:type this:call y:call super:call",
    ),
    "kotlin_types": (
        "kotlin",
        'fun f() { x is T; y as U; val l: V<W> = e; throw Z("a") }',
        "T:type U:type V:type W:type Z:call",
    ),
    "go_imports": (
        "go",
        'import ( q "a/b"; . "c"; "d" )',
        "q:import",
    ),
    "go_calls": (
        "go",
        "func f() { g(); a.h(); x.m(1); k[int](2); (p)(); go r(); defer s() }",
        "g:call h:call m:call k:call int:type p:call r:call s:call",
    ),
    "go_literals": (
        "go",
        "func f() { t := T{A: 1}; u := &p.U{}; v := []V{w}; m := map[K]L{} }",
        "t:write T:construct u:write U:construct v:write V:construct m:write K:type L:construct",
    ),
    "go_writes": (
        "go",
        "func f() { a = 1; b.c += 2; d++; e, h = 1, 2; k := 3; *l = 4; m[0] = 5; for i = range j {} }",
        "a:write c:write d:write e:write h:write k:write i:write",
    ),
    "go_fields_and_receivers": (
        "go",
        "type S struct { E; *p.F; a T; b *p.U }\nfunc (s *S) M(x V) W { return s.a }",
        "E:type F:type T:type U:type S:type V:type W:type",
    ),
    "go_types": (
        "go",
        "func f() { var x I = y; z.(T); switch r.(type) { case U: }; fn := func(a B) C { return d(a) } }",
        "I:type T:type U:type fn:write B:type C:type d:call",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_uses(case: str) -> None:
    language, source, expected = CASES[case]
    data = source.encode()
    syntax = extract(data, language)
    assert not syntax.errors
    shown = []
    for start, use in sorted(syntax.uses.items()):
        word = _WORD.match(data, start)
        assert word is not None
        shown.append(f"{word.group().decode()}:{USES[use]}")
    assert " ".join(shown) == expected
