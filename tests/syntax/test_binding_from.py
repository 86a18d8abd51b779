"""From where on a name that a block declares holds, by the rules of each language.

``f`` outside is the function of the file. What the code of a block means before it declares ``f`` itself is
that one, behind it the local one: ``g.f`` where a function is bound to it, a question mark where it is some
other variable. The answers are those of the languages' references; Kotlin's leaves the initializer open.
"""

from __future__ import annotations

import pytest

from tests.syntax.test_callees import read, said

GO = {
    "before_a_short_declaration": ("f(); f := func() {}; f()", "f=f f=g.f"),
    "in_its_own_initializer": ("f := f(); _ = f", "f=f"),
    "before_var": ("f(); var f = func() {}; f()", "f=f f=g.f"),
    "in_the_initializer_of_var": ("var f = f(); _ = f", "f=f"),
    "in_a_block_before": ("{ f() }; f := func() {}; { f() }", "f=f f=g.f"),
    "behind_the_block_that_declares": ("{ f := func() {}; f() }; f()", "f=g.f f=f"),
    "in_the_condition": ("if f := f(); true { f() } else { f() }; f()", "f=f f=? f=? f=f"),
    "in_a_loop": ("for f := range f() { f() }; f()", "f=f f=? f=f"),
    "in_a_closure": ("g := func() { f(); f := func() {}; f() }; g(); f()", "f=f f=g.g.f g=g.g f=f"),
    "assigned_before": ("h := func() {}; { h = nil; h := func() {}; h() }; h()", "h=g.h h=?"),
    "in_a_case": ("switch { case true: f(); f := func() {}; f(); default: f() }", "f=f f=g.f f=f"),
}
RUST = {
    "before_let": ("f(); let f = || {}; f();", "f=f f=g.f"),
    "in_its_own_initializer": ("let f = f(); f;", "f=f"),
    "in_its_own_closure": ("let f = || f(); f();", "f=f f=g.f"),
    "in_the_else_of_let": ("let Some(f) = f() else { f(); return }; f();", "f=f f=f f=?"),
    "behind_the_block_that_declares": ("{ let f = || {}; f(); } f();", "f=g.f f=f"),
    "a_function_of_the_block": ("f(); fn f() {} f();", "f=g.f f=g.f"),
    "in_the_condition": ("if let Some(f) = f() { f(); }", "f=f f=?"),
    "in_a_match": ("match f() { Some(f) => f(), None => f() };", "f=f f=? f=f"),
    "what_a_glob_of_the_block_may_give": ("use other::*; f();", "f=?"),
    "what_a_glob_around_may_give": ("use other::*; { f(); }", "f=?"),
    "what_a_glob_of_another_block_gives": ("{ use other::*; } f();", "f=f"),
    "what_the_block_names_itself": ("use other::*; fn f() {} f();", "f=g.f"),
    "what_a_glob_of_the_module_above_may_give": ("use super::*; f();", "f=?"),
    "a_macro_before_its_rules": ("m!(); macro_rules! m { () => {} } m!();", "m=? m=g.m"),
}
JAVA = {
    "before_a_local_class": ("new F(); class F {} new F();", "F=A.F F=A.g.F"),
    "in_a_local_class": ("class F { F next() { return new F(); } }", "F=A.g.F"),
    "behind_the_block": ("{ class F {} new F(); } new F();", "F=A.g.F F=A.F"),
    "a_variable_hides_no_method": ("f(); int f = f(); f();", "f=A.f f=A.f f=A.f"),
}
KOTLIN = {
    "before_val": ("f(); val f = { }; f()", "f=f f=g.f"),
    "in_its_own_initializer": ("val f = f()", "f=?"),
    "before_a_local_function": ("f(); fun f() { }; f()", "f=f f=g.f"),
    "in_a_local_function": ("fun f() { f() }", "f=g.f"),
    "before_a_local_class": ("F(); class F; F()", "F=F F=g.F"),
    "taken_apart": ("f(); val (a, f) = pair; f()", "f=f f=?"),
    "behind_the_block": ("if (x) { val f = { }; f() }\n f()", "f=g.f f=f"),
}
AROUND = {
    "go": "package p\nfunc f() {{}}\nfunc g() {{ {} }}\n",
    "rust": "fn f() {{}}\nfn g() {{ {} }}\n",
    "java": "class A {{ int f() {{ return 1; }} class F {{}} void g() {{ {} }} }}\n",
    "kotlin": "fun f() {{}}\nclass F\nfun g() {{ {} }}\n",
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        pytest.param(language, text, expected, id=f"{language}_{name}")
        for language, cases in {"go": GO, "rust": RUST, "java": JAVA, "kotlin": KOTLIN}.items()
        for name, (text, expected) in cases.items()
    ],
)
def test_what_calls_mean_before_and_behind_a_declaration(language: str, text: str, expected: str) -> None:
    whole = AROUND[language].format(text.replace("; ", "\n") if language in ("kotlin",) else text)
    found = read(whole, language)
    data = whole.encode()
    given = [f"{data[call.start : call.end].decode()}={said(found, call.callee)}" for call in found.calls]
    assert " ".join(given) == expected
