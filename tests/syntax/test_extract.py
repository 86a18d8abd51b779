"""Small Python inputs, each with everything that is read from them."""

from __future__ import annotations

import sys

import pytest
from tree_sitter import Parser

from codetrail.model.facts import USES
from codetrail.syntax.extract import MAX_BYTES, definitions_of, extract
from codetrail.syntax.file_syntax import FileSyntax, qualified_name
from codetrail.syntax.grammars import grammar


def shown_extents(data: bytes, syntax: FileSyntax) -> list[str]:
    """Write each extent as ``kind qualified.name | text``, the text cut at its first line end."""
    return [
        f"{extent.kind} {qualified_name(syntax.extents, index)} | "
        + data[extent.start : extent.end].decode().splitlines()[0]
        for index, extent in enumerate(syntax.extents)
    ]


def shown_uses(data: bytes, syntax: FileSyntax) -> str:
    """Write each token with its use, if it has one: ``name:call``."""
    return " ".join(
        data[start:end].decode() + (f":{USES[syntax.uses[start]]}" if start in syntax.uses else "")
        for start, end in syntax.tokens
    )


EXTENTS: dict[str, tuple[str, list[str]]] = {
    "nested functions": (
        "def a():\n  def b():\n    def c(): pass\n  x = 1\n",
        ["function a | def a():", "function a.b | def b():", "function a.b.c | def c(): pass"],
    ),
    "async": ("async def a(): pass\n", ["function a | async def a(): pass"]),
    "decorated": (
        "@x\n@y.z(1)\ndef a(): pass\n@w\nclass B: pass\n",
        ["function a | @x", "class B | @w"],
    ),
    "class in a function": (
        "def a():\n  class B:\n    k = 1\n    def m(self): self.f = 1\n",
        [
            "function a | def a():",
            "class a.B | class B:",
            "field a.B.k | k = 1",
            "method a.B.m | def m(self): self.f = 1",
            "field a.B.f | self.f = 1",
        ],
    ),
    "kinds of methods": (
        "class A:\n"
        "  def __init__(self): pass\n"
        "  @property\n  def p(self): pass\n"
        "  @p.setter\n  def p(self, v): pass\n"
        "  @staticmethod\n  def s(a): a.no = 1\n"
        "  @classmethod\n  def c(cls): cls.made = 1\n"
        "  @other.property\n  def q(self): pass\n"
        "@property\ndef f(): pass\n",
        [
            "class A | class A:",
            "method A.__init__ | def __init__(self): pass",
            "property A.p | @property",
            "property A.p | @p.setter",
            "staticmethod A.s | @staticmethod",
            "method A.c | @classmethod",
            "field A.made | cls.made = 1",
            "method A.q | @other.property",
            "function f | @property",
        ],
    ),
    "fields": (
        "class A:\n"
        "  x: int\n"
        "  def m(this, o):\n"
        "    this.x = this.y = 1\n"
        "    (this.z, [o.no, *this.r]), loc = o\n"
        "    this.y += 1\n"
        "    this.deep.no = 1\n"
        "    def inner(): this.no = 1\n"
        "  def n(self: 'A'): self.n2: int = 1\n",
        [
            "class A | class A:",
            "field A.x | x: int",
            "method A.m | def m(this, o):",
            "field A.y | this.y = 1",
            "field A.z | (this.z, [o.no, *this.r]), loc = o",
            "field A.r | (this.z, [o.no, *this.r]), loc = o",
            "function A.m.inner | def inner(): this.no = 1",
            "method A.n | def n(self: 'A'): self.n2: int = 1",
            "field A.n2 | self.n2: int = 1",
        ],
    ),
    "module variables": (
        "A_B = 1\nx, (y, *z) = q\nx = 2\nd[0] = o.p = 3\nt: int\nfor i in x: j = i\nv += 1\n",
        [
            "constant A_B | A_B = 1",
            "variable x | x, (y, *z) = q",
            "variable y | x, (y, *z) = q",
            "variable z | x, (y, *z) = q",
            "variable t | t: int",
            "variable j | j = i",
        ],
    ),
    "lambdas with a name": (
        "f = lambda: 0\n"
        "g: T = lambda: 0\n"
        "o.h = lambda: 0\n"
        "d['k'] = lambda: 0\n"
        "p((w := lambda: 0), key=lambda: 0)\n"
        "class A:\n  l = lambda self: 0\n  def m(self):\n    self.c = lambda: 0\n    n = lambda: 0\n",
        [
            "function f | f = lambda: 0",
            "function g | g: T = lambda: 0",
            "function h | o.h = lambda: 0",
            "function w | w := lambda: 0",
            "class A | class A:",
            "method A.l | l = lambda self: 0",
            "method A.m | def m(self):",
            "method A.c | self.c = lambda: 0",
            "function A.m.n | n = lambda: 0",
        ],
    ),
    "a lambda in a decorator comes after what it decorates": (
        "@(w := lambda f: f)\ndef a():\n  def b(): pass\n",
        ["function a | @(w := lambda f: f)", "function w | w := lambda f: f", "function a.b | def b(): pass"],
    ),
    "conditional definitions": (
        "if a:\n  def f(): pass\n  X = 1\nelse:\n  def f(): pass\n  X = 2\n",
        ["function f | def f(): pass", "constant X | X = 1", "function f | def f(): pass"],
    ),
    "type parameters and aliases": (
        "type A[T] = list[T]\nclass B[T](C[T]): pass\ndef f[T: int](x: T) -> T:\n  type L = int\n",
        [
            "typealias A | type A[T] = list[T]",
            "class B | class B[T](C[T]): pass",
            "function f | def f[T: int](x: T) -> T:",
        ],
    ),
    "a call of type is no alias": ("type(m).x = 1\ntype = 2\n", ["variable type | type = 2"]),
    "a syntax error around": (
        "def a(): pass\nx = = 1\nclass B:\n  def m(self): pass\n",
        [
            "function a | def a(): pass",
            "variable x | x = = 1",
            "class B | class B:",
            "method B.m | def m(self): pass",
        ],
    ),
    "empty": ("", []),
    "byte-order mark": ("\ufeffdef a(): pass\n", ["function a | def a(): pass"]),
    "carriage returns": (
        "def a():\r\n  pass\r\nclass B: pass\r\n",
        ["function a | def a():", "class B | class B: pass"],
    ),
    "wide characters": ("é = '𝒳'; def_ü = 1\n", ["variable é | é = '𝒳'", "variable def_ü | def_ü = 1"]),
}


@pytest.mark.parametrize("name", EXTENTS)
def test_extents(name: str) -> None:
    source, expected = EXTENTS[name]
    data = source.encode()
    assert shown_extents(data, extract(data, "python")) == expected


USED: dict[str, tuple[str, str]] = {
    "imports": (
        "import a.b, c as d\nfrom .e.f import (g as h, i)\nfrom j import *\nfrom __future__ import k\n",
        "a:import b:import c:import d:import e:import f:import g:import h:import i:import j:import "
        "__future__:import k:import",
    ),
    "calls": (
        "f(x, k=v)(y)\na.b.c(d)\n(e)(1)\n((a.g))(2)\n[h][0](3)\nprint(4)\n"
        "[*i(5)]\nj(*k(6), **l(7))\nm(n for n in o)\n",
        "f:call x k v y a b c:call d e:call a g:call h print:call i:call j:call k:call l:call "
        "m:call n n:write o",
    ),
    "decorators": (
        "@f\n@g(x)\n@a.b(y)\n@c.d\n@(e)\n@h[0]\n@i(1)(2)\n@j(3).k\ndef z(): pass\n",
        "f:decorator g:decorator x a b:decorator y c d:decorator e:decorator h i:call j:call k:decorator z",
    ),
    "assignments": (
        "a = b.c = d\ne.f[g] = h\ni += j\nk.l -= m\nn: o = p\n(q) = (r, *s), [t, u.v] = w\n(x := y)\n",
        "a:write b c:write d e f g h i:write j k l:write m n:write o:type p q:write r:write s:write t:write "
        "u v:write w x:write y",
    ),
    "loops and comprehensions": (
        "for a, b.c in d: pass\nasync def f(): return {k: v async for k, (v, *w) in e if (g := k)}\n",
        "a:write b c:write d f k v k:write v:write w:write e g:write k",
    ),
    "targets inside the subscript of a target": (
        "a[[b for b, c in d]], e = f\n",
        "a b b:write c:write d e:write f",
    ),
    "with, del, except": (
        "with a() as b, c as (d, e.f): pass\ndel g, h.i, (j, k[l])\n"
        "try: pass\nexcept M as n: pass\nexcept (O, p.Q): pass\n",
        "a:call b:write c d:write e f:write g:write h i:write j:write k l "
        "M:type n:write O:type p:type Q:type",
    ),
    "exception groups": ("try: pass\nexcept* E as e: pass\n", "E:type e:write"),
    "types": (
        "def f(a: A, *b: B, c: C[D, e.F] = g, **h: 'H') -> I | J: pass\n",
        "f a A:type b B:type c C:type D:type e:type F:type g h I:type J:type",
    ),
    "calls in annotations": (
        "x: Annotated[int, F(y, [z])]\n",
        "x:write Annotated:type int:type F:call y z",
    ),
    "base classes": (
        "class A(B, c.D, E[F], g(H), *i, metaclass=J): pass\n",
        "A B:type c:type D:type E:type F:type g:call H i metaclass J",
    ),
    "isinstance": ("isinstance(a, B)\n", "isinstance:call a B"),
    "type statements": (
        "type A[T: B, *C] = D[T]\n",
        "A T:type B:type C:type D:type T:type",
    ),
    "a call of type": ("type(a).b = c\ntype(d)\n", "type:call a b:write c type:call d"),
    "patterns": (
        "match a:\n"
        "  case B(c, d=e) as f: pass\n"
        "  case g.H | {'k': i, **j} | [k, *l]: pass\n"
        "  case (m, n.o) if p: pass\n"
        "  case _: pass\n",
        "a B c:write d e:write f:write g H i:write j:write k:write l:write m:write n o p",
    ),
    "format strings": (
        "f\"{a!r:>{b}} {c.d()} {f'{e}'} {{no}}\"\n",
        "a b c d:call e",
    ),
    "nothing in strings and comments": ('\'a\' # b\n"""c"""\n', ""),
    "global and nonlocal": ("def f():\n  global a, b\n  nonlocal c\n", "f a b c"),
    "keywords of another Python": ("print >> f, x\nprint = exec\n", "print f x print:write exec"),
    "soft keywords": (
        "match = case(type)\n_ = match[type]\n",
        "match:write case:call type _:write match type",
    ),
    "lambda parameters": ("lambda a, *b, c=d: a\n", "a b c d a"),
    "a name that is missing": ("x.\ny = z.if(1)\n", "x y:write z:call"),
}


@pytest.mark.parametrize("name", USED)
def test_uses(name: str) -> None:
    source, expected = USED[name]
    data = source.encode()
    assert shown_uses(data, extract(data, "python")) == expected


@pytest.mark.parametrize("source", [*EXTENTS.values(), *USED.values()], ids=[*EXTENTS, *USED])
def test_what_the_walk_takes_for_tokens_holds_no_names(source: tuple[str, object]) -> None:
    loaded = grammar("python")
    assert loaded is not None
    first_phrase = loaded.id_for_node_kind("module", True)
    assert first_phrase is not None
    pending = [Parser(loaded).parse(source[0].encode()).root_node]
    while pending:
        node = pending.pop()
        assert node.kind_id >= first_phrase or node.named_child_count == 0
        pending += node.children


def test_an_extent_begins_at_its_decorator_and_names_itself() -> None:
    data = b"# before\n@d\n@e\ndef  name(): # inside\n  pass\n  # after\n# after\n"
    (extent,) = extract(data, "python").extents
    assert data[extent.start : extent.end] == b"@d\n@e\ndef  name(): # inside\n  pass"
    assert data[extent.name_start : extent.name_end] == b"name"


def test_a_comment_after_nested_bodies_belongs_to_none() -> None:
    data = b"class A:\n  def m(self):\n    if x:\n      pass # one\n      # two\n"
    ends = [data[: extent.end].split()[-1] for extent in extract(data, "python").extents]
    assert ends == [b"pass", b"pass"]


def test_offsets_count_bytes_and_a_byte_order_mark() -> None:
    data = "\ufeff'é𝒳'; x = y\n".encode()
    syntax = extract(data, "python")
    assert [data[start:end] for start, end in syntax.tokens] == [b"x", b"y"]


@pytest.mark.parametrize(
    ("data", "errors"),
    [
        pytest.param(b"x = 1\n", False, id="clean"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"x = (1\n", True, id="missing bracket"),
        pytest.param(b"x = = 1\n", True, id="stray sign"),
        pytest.param(b"x = 1\0\ny = 2\n", True, id="NUL byte"),
        pytest.param(b"# \xe9\nx = 1\n", False, id="Latin-1 comment"),
        pytest.param(b"\xe9t\xe9 = 1\n", True, id="Latin-1 name"),
    ],
)
def test_errors_are_told(data: bytes, errors: bool) -> None:
    syntax = extract(data, "python")
    assert (syntax.errors, syntax.truncated) == (errors, False)


def test_a_file_over_the_limit_gives_nothing_and_says_so() -> None:
    assert extract(b"x = 1\n" + b"#" * MAX_BYTES, "python") == FileSyntax((), {}, [], truncated=True)


def test_a_parse_over_its_budget_gives_nothing_and_the_next_file_is_read() -> None:
    assert extract(b"f(x)\n" * 100_000, "python", budget_ms=0) == FileSyntax((), {}, [], truncated=True)
    assert shown_uses(b"f(x)", extract(b"f(x)", "python")) == "f:call x"


@pytest.mark.parametrize("language", ["cobol-85", "", "_native", "yaml"])
def test_a_language_without_tables_gives_nothing(language: str) -> None:
    assert extract(b"a: b\n", language) == FileSyntax((), {}, [])


def test_definitions_of_gives_the_extents_alone() -> None:
    data = b"class A:\n  def m(self): f()\n"
    assert definitions_of(data, "python") == extract(data, "python").extents
    assert [extent.name for extent in definitions_of(data, "python")] == ["A", "m"]


def test_no_source_is_kept_after_its_parse() -> None:
    source = b"def greet(): pass\n" * 3
    before = sys.getrefcount(source)
    extract(source, "python")
    extract(source, "python", budget_ms=-1)
    assert sys.getrefcount(source) == before
