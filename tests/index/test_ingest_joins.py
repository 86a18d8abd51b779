"""What syntax adds to the compiler's facts: uses, the callable around a place, extents, unbound tokens."""

from __future__ import annotations

import pytest

from codetrail.index.joins import count_tokens
from codetrail.index.symbol_names import gives_value
from codetrail.model import kinds
from codetrail.model.documents import DocumentFacts
from codetrail.model.facts import (
    ORIGIN_SCIP,
    ORIGIN_SYNTAX,
    ROLE_DEFINITION,
    ROLE_IMPORT,
    ROLE_READ,
    ROLE_WRITE,
    USES,
)
from codetrail.model.ranges import Range
from codetrail.scip import scip_pb2
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax
from tests.index.ingesting import ingest, span_of
from tests.scip_bytes import SYMBOL, information, occurrence

CLASS, FUNCTION = kinds.NUMBERS["class"], kinds.NUMBERS["function"]
F = SYMBOL + "f()."
A = SYMBOL + "A#"
V = SYMBOL + "v."


def use(source: str, name: str, symbol: str, roles: int = 0, nth: int = 0, **options: object) -> str:
    """Ingest a source with one occurrence and return its use."""
    made = occurrence(span_of(source, name, nth), symbol, roles)
    facts, _ = ingest(source, [made], **options)  # type: ignore[arg-type]
    return USES[facts.occurrences[0].use]


P = SYMBOL + "A#p()."
G = SYMBOL + "A#`<get>p`()."
FIELD = SYMBOL + "A#p."


USED = {
    "call": ("v = f()\n", "f", F, 0, "call"),
    "method-call": ("a.f()\n", "f", F, 0, "call"),
    "value": ("g(f)\n", "f", F, ROLE_READ, "value"),
    "decorator": ("@f\ndef g(): ...\n", "f", F, 0, "decorator"),
    "decorator-call": ("@f(1)\ndef g(): ...\n", "f", F, 0, "decorator"),
    "class-decorator-call": ("@A(1)\ndef g(): ...\n", "A", A, 0, "decorator"),
    "construct": ("v = A()\n", "A", A, 0, "construct"),
    "type": ("v: A\n", "A", A, 0, "type"),
    "base-class": ("class B(A): ...\n", "A", A, 0, "type"),
    "quoted-type": ("v: 'list[A]'\n", "A", A, 0, "type"),
    "quoted-type-behind-wide-characters": ("w = '𝒳'; v: 'é[A]'\n", "A", A, 0, "type"),
    "call-in-a-quoted-type": ("v: 'f()'\n", "f", F, 0, "type"),
    "quoted-cast": ("cast('A', v)\n", "A", A, 0, "type"),
    "type-comment": ("v = []  # type: list[A]\n", "A", A, 0, "type"),
    "a-string-that-is-no-type": ("__all__ = ['f']; v: 'A'\n", "f", F, 0, "value"),
    "after-a-quoted-type": ("v: 'A' = f\n", "f", F, 0, "value"),
    "write": ("v = 1\n", "v", V, ROLE_WRITE, "write"),
    "augmented": ("v += 1\n", "v", V, ROLE_READ | ROLE_WRITE, "write"),
    "write-by-role-alone": ("g(v)\n", "v", V, ROLE_WRITE, "write"),
    "call-before-write": ("v()\n", "v", V, ROLE_WRITE, "call"),
    "import": ("from a import f\n", "f", F, ROLE_IMPORT, "import"),
    "import-by-syntax-alone": ("from a import f\n", "f", F, 0, "import"),
    "import-before-all": ("f()\n", "f", F, ROLE_IMPORT | ROLE_WRITE, "import"),
    "definition": ("def f(): ...\n", "f", F, ROLE_DEFINITION, ""),
    "definition-by-assignment": ("v = 1\n", "v", V, ROLE_DEFINITION | ROLE_WRITE, ""),
}


VALUES = {
    "a property is read": ("a.p()\n", "python", P, "property", "value"),
    "a property that decorates": ("@a.p\ndef g(): ...\n", "python", P, "property", "value"),
    "a method is called": ("a.p()\n", "python", P, "method", "call"),
    "a field is called": ("a.p()\n", "python", FIELD, "property", "call"),
    "a getter is read": ("a.p();\n", "typescript", P, "getter", "value"),
    "a setter is read": ("a.p();\n", "typescript", P, "setter", "value"),
    "a getter gives a class": ("new a.p();\n", "typescript", P, "getter", "value"),
    "a getter by its symbol": ("a.p();\n", "typescript", G, "", "value"),
    "a getter that is written": ("a.p = 1;\n", "typescript", G, "", "write"),
}


@pytest.mark.parametrize("told", ["here", "elsewhere"])
@pytest.mark.parametrize("case", VALUES)
def test_what_an_accessor_gives_is_called_not_the_accessor(case: str, told: str) -> None:
    source, language, symbol, kind, expected = VALUES[case]
    number = kinds.NUMBERS.get(kind, 0)
    facts, _ = ingest(
        source,
        [occurrence(span_of(source, "p"), symbol)],
        [information(symbol, kind=number)] if told == "here" else [],
        language=language,
        values=[symbol] if told == "elsewhere" and gives_value(symbol, number) else [],
    )
    assert USES[facts.occurrences[0].use] == expected
    assert bool(facts.open_calls) == (expected == "value")


OPEN = """\
@lost
def f():
    lost(); a.lost(x); known(); [lost]
    def g(y):
        return lost() + y()
lost
"""


def test_calls_that_nobody_bound_are_kept_with_the_callable_around_them() -> None:
    made = [
        occurrence(span_of(OPEN, "f"), F, ROLE_DEFINITION),
        occurrence(span_of(OPEN, "g"), SYMBOL + "f().g().", ROLE_DEFINITION),
        occurrence(span_of(OPEN, "known"), SYMBOL + "known()."),
        occurrence(span_of(OPEN, "y"), "local 0", ROLE_DEFINITION),
        occurrence(span_of(OPEN, "y", 1), "local 0"),
    ]
    facts, _ = ingest(OPEN, made)
    names = [facts.extents[one.encl].name if one.encl >= 0 else "" for one in facts.open_calls]
    places = [(one.line + 1, one.column + 1) for one in facts.open_calls]
    assert list(zip(places, names, strict=True)) == [
        ((1, 2), ""),
        ((3, 5), "f"),
        ((3, 15), "f"),
        ((5, 16), "g"),
    ]


def test_calls_through_no_name_are_kept_too() -> None:
    source = "def f():\n    f()()\n(lambda: f)()()\n"
    made = [
        occurrence(span_of(source, "f"), F, ROLE_DEFINITION),
        occurrence(span_of(source, "f", 1), F),
        occurrence(span_of(source, "f", 2), F),
    ]
    facts, _ = ingest(source, made)
    names = [facts.extents[one.encl].name if one.encl >= 0 else "" for one in facts.open_calls]
    assert [(*one[:2], name) for one, name in zip(facts.open_calls, names, strict=True)] == [
        (1, 6, "f"),
        (2, 12, ""),
    ]


def test_a_call_of_a_local_whose_import_found_nothing_is_one_of_these() -> None:
    source = "def f():\n    from lost import g\n    g()\n"
    made = [
        occurrence(span_of(source, "g"), "local 0", ROLE_DEFINITION | ROLE_IMPORT),
        occurrence(span_of(source, "g", 1), "local 0"),
    ]
    facts, _ = ingest(source, made)
    assert [one[:2] for one in facts.open_calls] == [(2, 4)]


@pytest.mark.parametrize("case", USED)
def test_use(case: str) -> None:
    source, name, symbol, roles, expected = USED[case]
    assert use(source, name, symbol, roles) == expected


@pytest.mark.parametrize(
    ("roles", "expected"), [(0, "value"), (ROLE_WRITE, "write"), (ROLE_IMPORT, "import")], ids=str
)
def test_use_without_syntax_is_what_roles_tell(roles: int, expected: str) -> None:
    assert use("f()\n", "f", F, roles, syntax=False) == expected


def test_what_is_constructed_may_not_look_like_a_type() -> None:
    """An alias of a class is a term; that it names a type is told by its document, or by another."""
    source = "v()\n"
    made = occurrence(span_of(source, "v"), V)
    told = information(V, kinds.NUMBERS["typealias"])
    here, _ = ingest(source, [made], [told])
    there, _ = ingest(source, [made], types=[V])
    nowhere, _ = ingest(source, [made])
    assert [USES[facts.occurrences[0].use] for facts in (here, there, nowhere)] == [
        "construct",
        "construct",
        "call",
    ]


def test_use_is_joined_by_byte_offset_behind_wide_characters() -> None:
    assert use('v = "é🪙"; f()\n', "f", F) == "call"


NESTED = """\
@deco(make())
def outer(a=default(), b: Kind = None):
    first()

    def inner():
        second()
        return lambda: third()

    fourth()


fifth()
"""
OUTER, INNER = SYMBOL + "outer().", SYMBOL + "outer().inner()."


def nested_facts(**options: object) -> DocumentFacts:
    names = ["deco", "make", "default", "Kind", "first", "second", "third", "fourth", "fifth"]
    occurrences = [occurrence(span_of(NESTED, name), SYMBOL + name + "().") for name in names]
    occurrences.append(occurrence(span_of(NESTED, "outer"), OUTER, 1, [0, 0, 8, 12]))
    occurrences.append(occurrence(span_of(NESTED, "inner"), INNER, 1, [4, 4, 6, 30]))
    facts, _ = ingest(NESTED, occurrences, **options)  # type: ignore[arg-type]
    return facts


AROUND = {
    "deco": None,
    "make": None,
    "outer": None,
    "default": "outer",
    "Kind": "outer",
    "first": "outer",
    "inner": "outer",
    "second": "outer.inner",
    "third": "outer.inner",
    "fourth": "outer",
    "fifth": None,
}


@pytest.mark.parametrize("name", AROUND)
@pytest.mark.parametrize("syntax", [True, False], ids=["with-syntax", "without-syntax"])
def test_the_callable_around_a_place(name: str, syntax: bool) -> None:
    facts = nested_facts(syntax=syntax)
    encl = {
        NESTED.splitlines()[made.range.line][made.range.column : made.range.end_column]: made.encl
        for made in facts.occurrences
    }[name]
    assert (facts.extents[encl].qualified if encl >= 0 else None) == AROUND[name]


def test_what_stands_before_the_name_is_inside_in_languages_without_decorators() -> None:
    """A return type is part of the method; the method's own name is not inside it."""
    source = "class Cart {\n  Money price(Item item) { return pay(); }\n}\n"
    cart, price = "scip-java maven . . Cart#", "scip-java maven . . Cart#price()."
    facts, _ = ingest(
        source,
        [
            occurrence([0, 6, 10], cart, 1, [0, 0, 2, 1]),
            occurrence([1, 8, 13], price, 1, [1, 2, 1, 42]),
            occurrence([1, 2, 7], "scip-java maven . . Money#"),
            occurrence([1, 34, 37], "scip-java maven . . Cart#pay()."),
        ],
        language="java",
        path="Cart.java",
    )
    around = {made.symbol.rpartition(" ")[2]: made.encl for made in facts.occurrences}
    assert facts.extents[around["Money#"]].symbol == price
    assert facts.extents[around["Cart#pay()."]].symbol == price
    assert (around["Cart#price()."], around["Cart#"]) == (-1, -1)


def test_calls_are_attributed_to_the_function_they_stand_in() -> None:
    source = "def a():\n    b()\ndef b():\n    pass\ndef main():\n    a()\n"
    a, b, main = (SYMBOL + name + "()." for name in ("a", "b", "main"))
    facts, _ = ingest(
        source,
        [
            occurrence([0, 4, 5], a, 1, [0, 0, 1, 7]),
            occurrence([1, 4, 5], b),
            occurrence([2, 4, 5], b, 1, [2, 0, 3, 8]),
            occurrence([4, 4, 8], main, 1, [4, 0, 5, 7]),
            occurrence([5, 4, 5], a),
        ],
    )
    calls = {
        (made.symbol, facts.extents[made.encl].symbol)
        for made in facts.occurrences
        if USES[made.use] == "call"
    }
    assert calls == {(b, a), (a, main)}


def test_syntax_draws_the_body_of_a_definition_that_came_without() -> None:
    """Some producers give the second of two overloads, or a getter, no enclosing range."""
    source = "def f():\n    g()\n"
    facts, _ = ingest(source, [occurrence([0, 4, 5], F, 1), occurrence([1, 4, 5], SYMBOL + "g().")])
    assert facts.definitions[0].body is None
    assert [(made.symbol, made.body, made.origin) for made in facts.extents] == [
        (F, Range(0, 0, 1, 7), ORIGIN_SCIP)
    ]
    assert facts.occurrences[1].encl == 0


def test_a_body_beside_its_name_begins_with_the_name() -> None:
    source = "const run = (x) => { go() }\n"
    run, go = "t npm . . `a.ts`/run.", "t npm . . `a.ts`/go()."
    facts, _ = ingest(
        source,
        [occurrence([0, 6, 9], run, 1, [0, 12, 27]), occurrence([0, 21, 23], go)],
        [information(run, FUNCTION)],
        language="typescript",
        path="a.ts",
        syntax=False,
    )
    assert facts.extents[0].body == Range(0, 6, 0, 27)
    assert [made.encl for made in facts.occurrences] == [-1, 0]


def test_a_named_function_value_holds_calls_whatever_its_kind() -> None:
    source = "f = lambda: g()\n"
    variable = information(V, kinds.NUMBERS["variable"])
    facts, _ = ingest(
        source, [occurrence([0, 0, 1], V, 1, [0, 0, 15]), occurrence([0, 12, 13], F)], [variable]
    )
    assert [(made.symbol, kinds.WORDS[made.kind]) for made in facts.extents] == [(V, "function")]
    assert [made.encl for made in facts.occurrences] == [-1, 0]


def test_a_property_holds_the_calls_of_its_getter() -> None:
    source = "class A:\n    @property\n    def size(self):\n        return f()\n"
    size = A + "size."
    facts, _ = ingest(
        source,
        [
            occurrence([0, 6, 7], A, 1, [0, 0, 3, 18]),
            occurrence([2, 8, 12], size, 1, [1, 4, 3, 18]),
            occurrence([3, 15, 16], F),
        ],
        [information(A, CLASS), information(size, kinds.NUMBERS["property"])],
    )
    around = facts.occurrences[-1].encl
    assert (facts.extents[around].symbol, kinds.WORDS[facts.extents[around].kind]) == (size, "property")


def test_a_field_of_a_class_in_a_script_holds_no_calls_but_a_function_in_it_does() -> None:
    """A field is no callable: whatever its value calls is called where the class stands."""
    source = "class A {\n  v = f();\n  w = () => f();\n}\n"
    v, w = A + "v.", A + "w."
    facts, _ = ingest(
        source,
        [
            occurrence([0, 6, 7], A, 1, [0, 0, 3, 1]),
            occurrence([1, 2, 3], v, 1, [1, 2, 1, 10]),
            occurrence([1, 6, 7], F),
            occurrence([2, 2, 3], w, 1, [2, 2, 2, 16]),
            occurrence([2, 12, 13], F),
        ],
        [information(one, kinds.NUMBERS["property"]) for one in (v, w)],
        language="typescript",
        path="a.ts",
    )
    field, function = (made.encl for made in facts.occurrences if made.symbol == F)
    assert field == -1
    assert facts.extents[function].symbol == w


def test_super_calls_a_constructor_only_where_it_is_called() -> None:
    source = "class B extends A {\n  constructor() { super(super.f); }\n}\n"
    constructor = A + "`<constructor>`()."
    called, owner = ([1, column, column + 5] for column in (18, 24))
    facts, _ = ingest(
        source,
        [occurrence(called, constructor), occurrence(owner, A)],
        language="typescript",
        path="a.ts",
    )
    assert {made.symbol: USES[made.use] for made in facts.occurrences} == {constructor: "call", A: "value"}


def test_what_only_syntax_knows_is_an_extent_labelled_so() -> None:
    """A function that the compiler made local, or did not reach, still holds its calls."""
    source = "def f():\n    def g():\n        h()\n"
    facts, _ = ingest(
        source,
        [
            occurrence([0, 4, 5], F, 1, [0, 0, 2, 11]),
            occurrence([1, 8, 9], "local 0", 1),
            occurrence([2, 8, 9], SYMBOL + "h()."),
        ],
    )
    assert [(made.symbol, made.qualified, made.parent, made.origin) for made in facts.extents] == [
        (F, "f", -1, ORIGIN_SCIP),
        ("", "f.g", 0, ORIGIN_SYNTAX),
    ]
    assert [made.encl for made in facts.occurrences] == [-1, 1]
    assert [made.encl for made in facts.locals] == [0]


def test_a_function_that_is_assigned_is_that_of_what_it_is_assigned_to() -> None:
    source = "let late;\nlate = function () { go(); };\nother.late = () => go();\nlate();\n"
    late, foreign, go = "a b c . `a.js`/late.", "a b d . `b.js`/late.", "a b c . `b.js`/go()."
    facts, _ = ingest(
        source,
        [
            occurrence(span_of(source, "late"), late, roles=1),
            occurrence(span_of(source, "late", 1), late),
            occurrence(span_of(source, "late", 2), foreign),
            occurrence(span_of(source, "late", 3), late),
            *(occurrence(span_of(source, "go", nth), go) for nth in range(2)),
        ],
        path="a.js",
        language="javascript",
    )
    assert [(one.name_range.line, one.symbol, one.qualified) for one in facts.extents] == [
        (0, late, "late"),
        (1, late, "late"),
        # What another document defines is not this function's name.
        (2, "", "late"),
    ]
    assert [(one.range.line, one.encl) for one in facts.occurrences if one.symbol == go] == [(1, 1), (2, 2)]


def test_a_callback_holds_its_calls_and_lends_its_name_to_none() -> None:
    source = 'it("a", () => {\n  f(); function g() { f() }\n});\n'
    f = "t npm p 1 `a.ts`/f()."
    facts, _ = ingest(
        source, [occurrence([1, 2, 3], f), occurrence([1, 22, 23], f)], language="typescript", path="a.ts"
    )
    assert [(made.kind, made.qualified, made.parent, made.name_range) for made in facts.extents] == [
        (kinds.CALLBACK, 'it("a")', -1, Range(0, 3, 0, 6)),
        (FUNCTION, "g", 0, Range(1, 16, 1, 17)),
    ]
    assert [made.encl for made in facts.occurrences] == [0, 1]


def test_modules_hold_the_file_but_no_calls() -> None:
    source = "f()\nx = 1\n"
    module = "t python p 1 `demo.a`/__init__:"
    facts, _ = ingest(source, [occurrence([0, 0, 0], module, 1), occurrence([0, 0, 1], F)], syntax=False)
    assert [(made.name, kinds.WORDS[made.kind], made.body) for made in facts.extents] == [
        ("demo.a", "module", Range(0, 0, 2, 0))
    ]
    assert [made.encl for made in facts.occurrences] == [-1, -1]


def test_parameters_are_definitions_but_no_extents() -> None:
    source = "def f(x): ...\n"
    facts, _ = ingest(
        source, [occurrence([0, 4, 5], F, 1, [0, 0, 13]), occurrence([0, 6, 7], F + "(x)", 1, [0, 6, 7])]
    )
    assert [made.symbol for made in facts.extents] == [F]
    assert [made.symbol for made in facts.definitions] == [F, F + "(x)"]


def test_extents_that_overlap_are_nested_all_the_same() -> None:
    source = "a b c d e f g h i j k l\n"
    one, two, three = (f"t python p 1 {name}()." for name in ("a", "d", "h"))
    facts, _ = ingest(
        source,
        [
            occurrence([0, 0, 1], one, 1, [0, 0, 12]),
            occurrence([0, 6, 7], two, 1, [0, 6, 20]),
            occurrence([0, 14, 15], three, 1, [0, 14, 23]),
        ],
        syntax=False,
    )
    assert [(made.name, made.parent, made.body.end_column) for made in facts.extents] == [
        ("a", -1, 12),
        ("d", 0, 12),
        ("h", -1, 23),
    ]


@pytest.mark.parametrize("depth", [3000], ids=["deep"])
def test_deeply_nested_extents_cost_no_recursion(depth: int) -> None:
    source = "x " * depth
    occurrences = [
        occurrence(
            [0, 2 * number, 2 * number + 1], f"t python p 1 x(+{number}).", 1, [0, 2 * number, 2 * depth]
        )
        for number in range(depth)
    ]
    facts, _ = ingest(source, occurrences, syntax=False)
    assert [made.parent for made in facts.extents] == list(range(-1, depth - 1))
    assert [made.encl for made in facts.occurrences] == list(range(-1, depth - 1))


def test_tokens_without_occurrence_are_counted_by_name() -> None:
    source = "f(x, y, x)\ng = x\n"
    facts, _ = ingest(source, [occurrence([0, 0, 1], F), occurrence([0, 5, 6], "local 0")])
    assert (facts.tokens, facts.bound) == (6, 2)
    assert facts.unbound == {"g": 1, "x": 3}


def test_a_skipped_occurrence_leaves_its_token_unbound() -> None:
    facts, counts = ingest("spam()\n", [occurrence([0, 0, 3], F)])
    assert (facts.bound, facts.unbound, counts) == (0, {"spam": 1}, {"range_not_a_token": 1})


def test_unbound_names_are_composed() -> None:
    """The same name written with a combining accent and with the composed letter is one name."""
    facts, _ = ingest("cafe\u0301 = caf\u00e9\n", [])
    assert facts.unbound == {"caf\u00e9": 2}


def test_long_owner_names_do_not_multiply() -> None:
    members = "".join(f"    def m{number}(self): ...\n" for number in range(50))
    facts, _ = ingest(f"class {'A' * 5000}:\n{members}", [])
    assert len(facts.extents) == 51
    assert sum(len(made.qualified) for made in facts.extents) < 6000


def test_without_grammar_there_are_no_tokens_and_no_syntax_extents() -> None:
    facts, _ = ingest("f x\n", [occurrence([0, 0, 1], F)], language="cobol", path="a.cbl")
    assert (facts.tokens, facts.unbound, facts.extents) == (0, {}, ())


def definition_of(kind: int) -> tuple[scip_pb2.Occurrence, scip_pb2.SymbolInformation]:
    return occurrence([0, 4, 5], F, 1), information(F, kind)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(CLASS, "class"), (0, "function"), (999, "function")],
    ids=["told", "none", "unknown"],
)
def test_kinds_are_told_or_derived_from_the_descriptor(kind: int, expected: str) -> None:
    made, info = definition_of(kind)
    facts, _ = ingest("def f(): ...\n", [made], [info])
    assert kinds.WORDS[facts.extents[0].kind] == expected
    assert facts.symbols[0].kind == (kind if kind != 999 else 0)


def test_words_are_counted_where_a_file_has_no_syntax() -> None:
    """As in changed files every match at identifier borders counts, in strings and comments too."""
    data = "f(1); 3f; // f $f cafe\u0301 caf\u00e9\nconst g = 'f';\n".encode()
    missing = FileSyntax((), {}, [], truncated=True)
    assert count_tokens(missing, set(), data) == (
        0,
        0,
        {"$f": 1, "caf\u00e9": 2, "const": 1, "f": 3, "g": 1},
    )
    assert count_tokens(missing, {0, data.index(b"g =")}, data)[2]["f"] == 2
    assert "g" not in count_tokens(missing, {0, data.index(b"g =")}, data)[2]


def test_a_file_that_parsed_has_tokens_and_not_words() -> None:
    data = b"# f\nf('f')\n"
    assert count_tokens(extract(data, "python"), set(), data) == (1, 0, {"f": 1})
    assert count_tokens(extract(b"# f\n", "python"), set(), b"# f\n") == (0, 0, {})
