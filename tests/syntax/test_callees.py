"""What calls mean inside one file: each answer written by hand, a question mark where names leave it open."""

from __future__ import annotations

import pytest

from codetrail.model.kinds import CALLABLE, NUMBERS, TYPES
from codetrail.syntax.callees import read_calls
from codetrail.syntax.file_calls import Callee, FileCalls
from codetrail.syntax.scope_reader import MAX_DEPTH

PYTHON = {
    "a_function_of_the_file": ("def f(): pass\nf()", "f=f"),
    "before_it_is_defined": ("def g():\n    f()\ndef f(): pass", "f=f"),
    "a_class_is_constructed": ("class A: pass\nA()", "A=A"),
    "nothing_of_that_name": ("f()", "f=?"),
    "defined_twice": ("def f(): pass\ndef f(): pass\nf()", "f=?"),
    "defined_on_a_condition": ("if x:\n    def f(): pass\nelse:\n    def f(): pass\nf()", "f=?"),
    "defined_or_imported": ("try:\n    from m import f\nexcept E:\n    def f(): pass\nf()", "f=?"),
    "assigned_again": ("def f(): pass\nf = g\nf()", "f=?"),
    "wrapped": ("def f(): pass\nf = f(f)\nf()", "f=? f=?"),
    "rebound_by_global": ("def f(): pass\ndef g():\n    global f\n    f = 1\nf()", "f=?"),
    "deleted": ("def f(): pass\ndel f\nf()", "f=?"),
    "a_parameter": ("def f(): pass\ndef g(f):\n    f()", "f=?"),
    "a_starred_parameter": ("def f(): pass\ndef g(*f):\n    f()", "f=?"),
    "a_parameter_of_a_lambda": ("def f(): pass\nlambda f: f()", "f=?"),
    "a_local_variable": ("def f(): pass\ndef g():\n    f = 1\n    f()", "f=?"),
    "a_loop_variable": ("def f(): pass\ndef g():\n    for f in x: f()", "f=?"),
    "a_variable_of_a_comprehension": ("def f(): pass\ndef g(): return [f() for f in x]", "f=?"),
    "a_variable_of_with": ("def f(): pass\ndef g():\n    with x as f: f()", "f=?"),
    "a_captured_exception": ("def f(): pass\ndef g():\n    try: 1\n    except E as f: f()", "f=?"),
    "a_pattern": ("def f(): pass\ndef g(x):\n    match x:\n        case [f, 1]: f()", "f=?"),
    "a_walrus": ("def f(): pass\ndef g():\n    (f := 1)\n    f()", "f=?"),
    "an_import_in_a_function": ("def f(): pass\ndef g():\n    from m import f\n    f()", "f=<m:f>"),
    "a_nested_function": ("def g():\n    def f(): pass\n    f()", "f=g.f"),
    "no_nested_function_of_another": ("def g():\n    def f(): pass\ndef h():\n    f()", "f=?"),
    "a_nested_one_is_no_member": ("def g():\n    def f(): pass\ng.f()", "f=?"),
    "a_method_is_no_bare_name": ("class A:\n    def f(self): pass\n    def g(self):\n        f()", "f=?"),
    "in_the_class_body": ("class A:\n    def f(): pass\n    x = f()", "f=A.f"),
    "a_default_value_is_of_the_class": (
        "def f(): pass\nclass A:\n    def f(): pass\n    def g(self, x=f()):\n        f()",
        "f=A.f f=f",
    ),
    "self": ("class A:\n    def f(self): pass\n    def g(self):\n        self.f()", "f=A.f"),
    "self_in_a_nested_function": (
        "class A:\n    def f(self): pass\n    def g(self):\n        def h():\n            self.f()\n",
        "f=A.f",
    ),
    "cls": ("class A:\n    def f(self): pass\n    @c\n    def g(cls):\n        cls.f()", "c=? f=A.f"),
    "self_of_an_inherited_method": ("class A(B):\n    def g(self):\n        self.f()", "f=?"),
    "self_assigned": (
        "class A:\n    def f(self): pass\n    def g(self):\n        self = x\n        self.f()",
        "f=?",
    ),
    "self_of_a_function": ("class A:\n    def f(self): pass\ndef g(self):\n    self.f()", "f=?"),
    "a_method_and_a_field": (
        "class A:\n    def f(self): pass\n    def g(self):\n        self.f = 1\n        self.f()",
        "f=?",
    ),
    "a_method_of_a_named_class": ("class A:\n    def f(self): pass\nA.f(1)", "f=A.f"),
    "an_unknown_receiver": ("def f(): pass\nclass A:\n    def f(self): pass\ndef g(x):\n    x.f()", "f=?"),
    "what_a_call_returns": ("def f(): pass\nx().f()", "x=? f=?"),
    "super": ("class A:\n    def f(self): pass\n    def g(self):\n        super().f()", "super=? f=?"),
    "a_decorator": ("def f(x): pass\n@f\ndef g(): pass", "f=f"),
    "overloads_are_one": (
        "@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\ndef f(x): pass\nf(1)",
        "overload=? overload=? f=f",
    ),
    "a_later_star_may_rebind": ("def f(): pass\nfrom m import *\nf()", "f=?"),
    "an_earlier_star_does_not": ("from m import *\ndef f(): pass\nf()", "f=f"),
    "a_star_alone": ("from m import *\nf()", "f=?"),
    "imported": ("from .m import f\nf()", "f=<.m:f>"),
    "imported_under_a_name": ("from m import f as g\ng()", "g=<m:f>"),
    "a_module": ("import m\nm.f()", "f=<m>.f"),
    "a_dotted_module": ("import a.b\na.b.f()", "f=<a.b>.f"),
    "a_module_under_a_name": ("import a.b as c\nc.D.f()", "f=<a.b>.D.f"),
    "a_module_is_not_called": ("import a.b\na()", "a=?"),
    "an_imported_class": ("from m import A\nA.f()", "f=<m:A>.f"),
    "hidden_import": ("import m\ndef g(m):\n    m.f()", "f=?"),
    "a_lambda": ("f = lambda: 1\nf()", "f=f"),
    "behind_an_error": ("def f(): pass\nf()\nx = = 1\nf()", "f=f f=?"),
}

SCRIPT = {
    "a_function": ("function f() {}\nf();", "f=f"),
    "hoisted": ("f();\nfunction f() {}", "f=f"),
    "an_arrow_in_a_constant": ("const f = () => 1;\nf();", "f=f"),
    "a_class": ("class A {}\nnew A();", "A=A"),
    "assigned_again": ("function f() {}\nf = 1;\nf();", "f=?"),
    "assigned_elsewhere": ("function f() {}\nfunction g() { f = 1; }\nf();", "f=?"),
    "a_parameter": ("function f() {}\nfunction g(f) { f(); }", "f=?"),
    "a_parameter_of_an_arrow": ("function f() {}\nx.map(f => f());", "map=? f=?"),
    "a_pattern": ("function f() {}\nfunction g({ f }) { f(); }", "f=?"),
    "a_variable_of_a_block": ("function f() {}\n{ let f = 1; f(); }\nf();", "f=? f=f"),
    "a_hoisted_variable": ("function f() {}\nfunction g() { f(); if (x) { var f = 1; } }", "f=?"),
    "a_caught_error": ("function f() {}\ntry { } catch (f) { f(); }", "f=?"),
    "a_loop_variable": ("function f() {}\nfor (const f of x) { f(); }", "f=?"),
    "this": ("class A { f() {} g() { this.f(); } }", "f=A.f"),
    "this_in_an_arrow": ("class A { f() {} g() { x(() => this.f()); } }", "x=? f=A.f"),
    "this_in_a_function": ("class A { f() {} g() { x(function () { this.f(); }); } }", "x=? f=?"),
    "this_in_an_object": ("class A { f() {} g() { return { h() { this.f(); } }; } }", "f=?"),
    "this_of_an_inherited_method": ("class A extends B { g() { this.f(); } }", "f=?"),
    "static_and_not": ("class A { f() {} static f() {} g() { this.f(); } }", "f=?"),
    "a_getter_is_not_called": ("class A { get f() { return x; } g() { this.f(); } }", "f=?"),
    "a_method_is_no_bare_name": ("class A { f() {} g() { f(); } }", "f=?"),
    "a_member_of_an_object": ("const o = { f() {} };\no.f();", "f=o.f"),
    "an_unknown_receiver": ("function f() {}\nfunction g(x) { x.f(); x?.f(); }", "f=? f=?"),
    "a_nested_one_is_no_member": ("function g() { function f() {} }\ng.f();", "f=?"),
    "imported": ("import { f } from './m';\nf();", "f=<./m:f>"),
    "imported_under_a_name": ("import { f as g } from './m';\ng();", "g=<./m:f>"),
    "the_default": ("import f from './m';\nf();", "f=<./m:default>"),
    "a_namespace": ("import * as n from './m';\nn.f();", "f=<./m>.f"),
    "required": ("const m = require('./m');\nm.f();", "require=? f=<./m>.f"),
    "required_in_part": ("const { f: g } = require('./m');\ng();", "require=? g=<./m:f>"),
    "a_spread": ("function f() {}\nx(...f());", "x=? f=f"),
    "behind_an_error": ("function f() {}\nf();\nlet = ;\nf();", "f=f f=?"),
}

TYPESCRIPT = {
    "overloads_are_one": ("function f(x: string): void;\nfunction f(x: any) {}\nf(1);", "f=f"),
    "declared_only": ("declare function f(): void;\nf();", "f=f"),
    "a_field_that_holds_an_arrow": ("class A { f = () => 1; g() { this.f(); } }", "f=A.f"),
    "a_component": ("const F = () => 1;\nconst g = () => F();", "F=F"),
    "an_abstract_class": ("abstract class A { static f() {} }\nA.f();", "f=A.f"),
}

RUST = {
    "a_function": ("fn f() {}\nfn g() { f(); }", "f=f"),
    "a_nested_function": ("fn g() { fn f() {} f(); }\nfn h() { f(); }", "f=g.f f=?"),
    "a_closure_hides": ("fn f() {}\nfn g() { let f = |x| x; f(1); }", "f=g.f"),
    "a_variable_hides": ("fn f() {}\nfn g() { let f = x; f(1); }", "f=?"),
    "a_parameter": ("fn f() {}\nfn g(f: fn()) { f(); }", "f=?"),
    "a_pattern": ("fn f() {}\nfn g(x: X) { match x { X(f) => f(), _ => () } }", "f=?"),
    "if_let": ("fn f() {}\nfn g() { if let Some(f) = x { f(); } }", "f=?"),
    "a_method_of_self": ("struct S;\nimpl S { fn f(&self) {} fn g(&self) { self.f(); } }", "f=S.f"),
    "in_another_impl": (
        "struct S;\nimpl S { fn f(&self) {} }\nimpl T for S { fn g(&self) { self.f(); } }",
        "f=S.f",
    ),
    "several_impls": (
        "impl A for S { fn f(&self) {} }\nimpl B for S { fn f(&self) {} }\n"
        "impl S { fn g(&self) { self.f() } }",
        "f=?",
    ),
    "of_self_type": ("struct S;\nimpl S { fn f() {} fn g() { Self::f(); } }", "f=S.f"),
    "of_a_type": ("struct S;\nimpl S { fn f() {} }\nfn g() { S::f(); }", "f=S.f"),
    "a_tuple_struct": ("struct S(u8);\nfn g() { S(1); }", "S=S"),
    "a_field_is_no_path": ("mod x { pub fn f() {} }\nimpl S { fn g(&self) { self.x.f(); } }", "f=?"),
    "an_unknown_receiver": ("fn f() {}\nfn g(x: X) { x.f(); }", "f=?"),
    "imported": ("use crate::m::f;\nfn g() { f(); }", "f=<crate::m:f>"),
    "imported_module": ("use crate::m;\nfn g() { m::f(); }", "f=<crate:m>.f"),
    "a_list": ("use crate::m::{self, f as h};\nfn g() { h(); m::k(); }", "h=<crate::m:f> k=<crate:m>.k"),
    "a_path": ("fn g() { crate::m::f(); }", "f=<crate::m>.f"),
    "a_module_in_the_file": ("mod m { pub fn f() {} }\nfn g() { m::f(); }", "f=m.f"),
    "a_module_does_not_see_out": ("fn f() {}\nmod m { fn g() { f(); super::f(); } }", "f=? f=f"),
    "a_module_that_looks_out": ("fn f() {}\nmod m { use super::*; fn g() { f(); } }", "f=f"),
    "a_macro": ("macro_rules! m { () => {} }\nfn g() { m!(); m(); }", "m=m m=?"),
    "in_a_known_macro": ("fn f() {}\nfn g() { assert_eq!(f(), 1); }", "assert_eq=? f=f"),
    "a_member_in_a_macro": ('fn f() {}\nfn g() { println!("{}", x.f()); }', "println=? f=?"),
    "in_an_unknown_macro": ("fn f() {}\nfn g() { quote! { f() }; }", "quote=? f=?"),
    "a_closure_in_a_macro": ("fn f() {}\nfn g() { assert!(x(|f| f())); }", "assert=? x=? f=?"),
    "in_a_macro_definition": ("fn f() {}\nmacro_rules! m { () => { f() } }\nfn g() { f(); }", "f=f"),
    "on_two_configurations": ("#[cfg(a)] fn f() {}\n#[cfg(b)] fn f() {}\nfn g() { f(); }", "cfg=? cfg=? f=?"),
}

GO = {
    "a_function": ("func f() {}\nfunc g() { f() }", "f=f"),
    "a_parameter": ("func f() {}\nfunc g(f func()) { f() }", "f=?"),
    "a_variable": ("func f() {}\nfunc g() { f := x; f() }", "f=?"),
    "a_variable_of_if": ("func f() {}\nfunc g() { if f := x; f != nil { f() }; f() }", "f=? f=f"),
    "a_range_variable": ("func f() {}\nfunc g() { for _, f := range x { f() } }", "f=?"),
    "a_function_in_a_variable": ("func g() { f := func() {}; f() }", "f=g.f"),
    "one_assigned_again": ("func g() { f := func() {}; f = x; f() }", "f=?"),
    "a_method_of_the_receiver": ("func (s *S) f() {}\nfunc (s *S) g() { s.f() }", "f=S.f"),
    "a_receiver_that_is_hidden": ("func (s *S) f() {}\nfunc (s *S) g() { s := x; s.f() }", "f=?"),
    "a_receiver_hidden_in_a_function": (
        "func (s *S) f() {}\nfunc (s *S) g() { func(s T) { s.f() }(x) }",
        "f=?",
    ),
    "a_receiver_of_another_type": ("func (s *S) f() {}\nfunc (t *T) g() { t.f() }", "f=?"),
    "a_field_of_the_receiver": ("func (s *S) f() {}\nfunc (s *S) g() { s.x.f() }", "f=?"),
    "an_unknown_receiver": ("func (s *S) f() {}\nfunc g(x X) { x.f() }", "f=?"),
    "a_method_is_no_bare_name": ("func (s *S) f() {}\nfunc (s *S) g() { f() }", "f=?"),
    "a_literal": ("type T struct{}\nvar x = T{}", "T=T"),
    "a_list_that_may_be_empty": ("type T struct{}\nvar x = []T{}\nvar y = map[string]*T{}", "T=? T=?"),
    "a_package": ('import "a/b"\nfunc g() { b.F() }', "F=<a/b>.F"),
}

JAVA = {
    "a_method": ("class A { void f() {} void g() { f(); } }", "f=A.f"),
    "overloads": ("class A { void f(int a) {} void f() {} void g() { f(); } }", "f=?"),
    "a_variable_does_not_hide": ("class A { void f() {} void g(int f) { f(); } }", "f=A.f"),
    "an_inherited_method": ("class A { void f() {} class B extends C { void g() { f(); } } }", "f=?"),
    "of_the_outer_class": ("class A { void f() {} class B { void g() { f(); } } }", "f=A.f"),
    "what_every_class_has": (
        "class A { public String toString() {} class B { void g() { toString(); } } }",
        "toString=?",
    ),
    "in_a_nameless_class": (
        "class A { void f() {} Object g() { return new B() { void h() { f(); } }; } }",
        "B=? f=?",
    ),
    "this": ("class A { void f() {} void g() { this.f(); } }", "f=A.f"),
    "in_a_lambda": ("class A { void f() {} void g() { x(() -> f()); } }", "x=? f=A.f"),
    "a_class": ("class A { } class B { A a = new A(); }", "A=A"),
    "a_static_method": ("class A { static void f() {} } class B { void g() { A.f(); } }", "f=A.f"),
    "an_unknown_receiver": ("class A { void f() {} void g(X x) { x.f(); x().f(); } }", "f=? x=? f=?"),
    "a_variable_like_a_class": ("class A { static void f() {} } class B { void g(X A) { A.f(); } }", "f=?"),
    "imported": ("import a.B;\nclass C { void g() { B.f(); new B(); } }", "f=<a.B>.f B=<a.B>"),
    "imported_statically": ("import static a.B.f;\nclass C { void g() { f(); } }", "f=<a.B:f>"),
    "all_of_a_package": ("import a.*;\nclass C { void g() { B.f(); } }", "f=?"),
}

KOTLIN = {
    "a_function": ("fun f() {}\nfun g() { f() }", "f=f"),
    "a_method": ("class A { fun f() {}\n fun g() { f() }\n}", "f=A.f"),
    "a_parameter": ("fun f() {}\nfun g(f: () -> Unit) { f() }", "f=?"),
    "a_variable": ("fun f() {}\nfun g() { val f = x\n f() }", "f=?"),
    "an_inherited_method": ("fun f() {}\nclass A : B() { fun g() { f() }\n}", "B=? f=?"),
    "a_companion_hides": (
        "fun f() {}\nclass A { companion object { fun f() {}\n }\n fun g() { f() }\n}",
        "f=?",
    ),
    "an_extension_is_no_bare_name": ("fun A.f() {}\nfun g() { f() }", "f=?"),
    "in_an_extension": ("fun f() {}\nfun A.g() { f() }", "f=?"),
    "in_a_lambda_of_unknown_receiver": ("fun f() {}\nfun g() { x.apply { f() } }", "apply=? f=?"),
    "in_a_lambda_with_parameters": ("fun f() {}\nfun g() { x.map { y -> f() } }", "map=? f=f"),
    "this": ("class A { fun f() {}\n fun g() { this.f() }\n}", "f=A.f"),
    "this_of_an_extension": ("class A { fun f() {}\n fun B.g() { this.f() }\n}", "f=?"),
    "of_the_languages_own": ("class A { fun require(x: Int) {}\n fun g() { require(x) }\n}", "require=?"),
    "a_class": ("class A\nfun g() { A() }", "A=A"),
    "of_an_object": ("object O {\n fun f() {}\n}\nfun g() { O.f() }", "f=O.f"),
    "an_unknown_receiver": ("fun f() {}\nfun g(x: X) { x.f(); x?.f() }", "f=? f=?"),
    "imported": ("import a.B\nfun g() { B.f() }", "f=<a.B>.f"),
    "imported_and_defined": ("import a.f\nfun f() {}\nfun g() { f() }", "f=?"),
}

CALLED = (CALLABLE | TYPES) - {NUMBERS["getter"]}

CASES = [
    pytest.param(language, text, expected, id=f"{language}_{name}")
    for language, cases in {
        "python": PYTHON,
        "javascript": SCRIPT,
        "typescript": {**SCRIPT, **TYPESCRIPT},
        "rust": RUST,
        "go": GO,
        "java": JAVA,
        "kotlin": KOTLIN,
    }.items()
    for name, (text, expected) in cases.items()
]


def read(text: str, language: str) -> FileCalls:
    found = read_calls(text.encode(), language, "")
    assert found is not None
    return found


def said(found: FileCalls, callee: Callee | None) -> str:
    if callee is None:
        return "?"
    if callee.imported is None:
        is_called = NUMBERS[found.extents[callee.extent].kind] in CALLED
        return found.qualified(callee.extent) if is_called else "?"
    one = callee.imported
    member = f":{one.member}" if one.member is not None else ""
    return ".".join([f"<{one.module}{member}>", *callee.members])


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_what_calls_mean(language: str, text: str, expected: str) -> None:
    found = read(text, language)
    data = text.encode()
    given = [
        f"{data[call.start : call.end].decode() or 'super'}={said(found, call.callee)}"
        for call in found.calls
    ]
    assert " ".join(given) == expected


@pytest.mark.parametrize("depth", [MAX_DEPTH - 10, MAX_DEPTH + 10], ids=["within", "too_deep"])
def test_what_is_too_deep_is_not_looked_into(depth: int) -> None:
    text = "function f() {}\n" + "{" * depth + "f()" + "}" * depth
    callee = read(text, "javascript").calls[0].callee
    assert (callee is not None) == (depth < MAX_DEPTH)


@pytest.mark.parametrize(
    ("language", "text", "known"),
    [
        ("python", "def f(): pass\n" + "f = 1\n" * 3_000 + "f()\n" * 3_000, 0),
        ("python", "".join(f"def f{n}():\n    f{n}()\n" for n in range(3_000)), 3_000),
        ("python", "x = " + "(" * 3_000 + "f()" + ")" * 3_000, 0),
        ("python", "x" + ".a()" * 3_000, 0),
        ("python", "x" + ".a" * 30_000 + "()", 0),
        ("javascript", "a=>" * 3_000 + "f()", 0),
        ("javascript", "f(" * 3_000, 0),
        ("rust", "use " + "a::{" * 3_000 + "b" + "}" * 3_000 + ";\nfn f() { b() }", 0),
        ("kotlin", "fun f() { " + "g { x -> " * 500 + "f()" + "}" * 500 + "}", 0),
    ],
    ids=[
        "rebound",
        "many",
        "parentheses",
        "chain",
        "long_name",
        "arrows",
        "unfinished",
        "use_lists",
        "lambdas",
    ],
)
def test_hostile_text_is_read(language: str, text: str, known: int) -> None:
    assert sum(call.callee is not None for call in read(text, language).calls) == known


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("export function f() {}", "f", "f"),
        ("export const f = () => 1;", "f", "f"),
        ("function f() {}\nexport { f as g };", "g", "f"),
        ("function f() {}\nexport { f as g };", "f", "?"),
        ("export default function f() {}", "default", "f"),
        ("export { f as g } from './m';", "g", "<./m:f>"),
        ("export * from './m';", "f", "?"),
        ("function f() {}\nmodule.exports = f;", "default", "f"),
        ("function f() {}\nmodule.exports = { f, g: f };", "g", "f"),
        ("module.exports = { f() {} };", "f", "f"),
        ("exports.f = function () {};", "f", "f"),
        ("function f() {}\nexports.f = function () {};", "f", "f@2"),
        ("function f() {}\nexports.f = wrap(f);", "f", "?"),
        ("function f() {}\nmodule.exports = f;\nmodule.exports = wrap(f);", "default", "?"),
        ("function f() {}\nfunction g() {}\nexports.f = f;\nexports.f = g;", "f", "?"),
        ("function f() {}", "f", "?"),
    ],
)
def test_what_a_script_gives(text: str, name: str, expected: str) -> None:
    found = read(text, "javascript")
    callee = found.top(name)
    given = said(found, callee)
    if callee is not None and expected.endswith("@2"):
        given += f"@{text[: found.extents[callee.extent].start].count(chr(10)) + 1}"
    assert given == expected


@pytest.mark.parametrize(
    ("language", "text", "name", "values", "takes"),
    [
        ("java", "class A { void f(int a, int b) {} }", "f", 2, True),
        ("java", "class A { void f(int a, int b) {} }", "f", 1, False),
        ("java", "class A { void f(int a, int... b) {} }", "f", 7, True),
        ("kotlin", "fun f(a: Int, b: Int = 1) {}", "f", 1, True),
        ("kotlin", "fun f(a: Int, b: Int = 1) {}", "f", 3, False),
        ("kotlin", "fun f(vararg a: Int) {}", "f", 9, True),
        ("python", "def f(a): pass", "f", 9, True),
        ("java", "class A { void f() {} }", "f", None, True),
    ],
)
def test_how_many_values_a_function_takes(
    language: str, text: str, name: str, values: int | None, takes: bool
) -> None:
    found = read(text, language)
    extent = next(index for index, one in enumerate(found.extents) if one.name == name)
    assert found.takes(extent, values) is takes


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("java", "class A { void g() { this.f(1, /* x */ 2); } }", 2),
        ("kotlin", "fun g() { f(1) { 2 } }", 2),
        ("kotlin", "fun g() { x.f { 2 } }", 1),
        ("python", "f(1)", None),
    ],
)
def test_how_many_values_a_call_gives(language: str, text: str, values: int | None) -> None:
    assert read(text, language).calls[0].values == values


@pytest.mark.parametrize(
    ("language", "text", "package"),
    [
        ("java", "// x\npackage a.b;\nclass C {}", "a.b"),
        ("kotlin", "package a.`in`\nclass C", "a.in"),
        ("java", "class C {}", ""),
        ("python", "package = 1", ""),
    ],
)
def test_the_package_that_a_file_says(language: str, text: str, package: str) -> None:
    assert read(text, language).package == package


def test_a_language_without_a_table_has_no_calls() -> None:
    found = read("x()", "ruby")
    assert (found.calls, found.extents) == ((), ())
