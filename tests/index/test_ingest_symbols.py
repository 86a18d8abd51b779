"""Symbols of a document: names of the 20 known shapes, information, relationships, imports, diagnostics."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from codetrail.index.document_symbols import DocumentSymbols
from codetrail.index.symbol_names import SymbolName, descriptors_of, leaf, name_of
from codetrail.model import kinds
from codetrail.model.documents import Diagnostic, Relation, SymbolInfo
from codetrail.model.facts import (
    DOC_GENERATED,
    DOC_STUB,
    DOC_TEST,
    REL_IMPLEMENTATION,
    REL_REFERENCE,
    REL_TYPE_DEFINITION,
    ROLE_GENERATED,
    ROLE_IMPORT,
    ROLE_TEST,
)
from codetrail.model.symbols import SymbolError, format_descriptor, is_local, parse
from codetrail.scip.quirks import Profile
from tests.index.ingesting import ingest, span_of
from tests.scip_bytes import SYMBOL, information, occurrence, remark

F = SYMBOL + "f()."
A, B = SYMBOL + "A#", SYMBOL + "B#"

VECTORS = {
    "3 scheme like local": ("localx . . . f().", "f", "f", "f", "function"),
    "4 trait impl": (
        "rust-analyzer cargo shop 0.3.0 cart/impl#[Cart][`From<Vec<Item>>`]from().",
        "from",
        "from",
        "impl.Cart.From<Vec<Item>>.from",
        "method",
    ),
    "5 version is a URL": (
        "rust-analyzer cargo core https://github.com/rust-lang/rust/library/core option/Option#unwrap().",
        "unwrap",
        "unwrap",
        "Option.unwrap",
        "method",
    ),
    "6 macro": ("rust-analyzer cargo shop 0.3.0 macros/bag!", "bag", "bag", "bag", "macro"),
    "7 crate root": ("rust-analyzer cargo shop 0.3.0 crate/", "crate", "crate", "crate", "namespace"),
    "8 overload": (
        "scip-java maven maven/com.acme/shop 2.1 com/acme/Cart#add(+2).",
        "add",
        "add",
        "Cart.add",
        "method",
    ),
    "9 constructor": (
        "scip-java maven . . com/acme/Cart#`<init>`(+1).",
        "<init>",
        "Cart",
        "Cart.Cart",
        "constructor",
    ),
    "10 nested type": ("scip-java maven jdk 17 java/util/Map#Entry#", "Entry", "Entry", "Map.Entry", "class"),
    "11 not in backticks": ("scip-java maven . . com/acme/Größe#", "Größe", "Größe", "Größe", "class"),
    "12 getter": (
        "scip-typescript npm @acme/shop 1.2.3 src/`cart.test.ts`/Cart#`<get>total`().",
        "<get>total",
        "total",
        "Cart.total",
        "getter",
    ),
    "13 quoted numbered key": (
        'scip-typescript npm . . `a.ts`/`"odd key"0`:',
        '"odd key"0',
        "odd key",
        "odd key",
        "property",
    ),
    "14 spaces in the package": (
        "scip-python python my  proj 1  0 `my mod`/f().(x)",
        "x",
        "x",
        "f.x",
        "parameter",
    ),
    "15 module": (
        "scip-python python acme-shop 0.3.1 `pkg.base`/__init__:",
        "base",
        "pkg.base",
        "pkg.base",
        "module",
    ),
    "16 no version": (
        "scip-go gomod github.com/acme/x . `github.com/acme/x/cart`/Cart#Add().",
        "Add",
        "Add",
        "Cart.Add",
        "method",
    ),
    "17 hash as disambiguator": (
        "cxx . . $ acme/Cart#add(455f465bc33b4cdf).",
        "add",
        "add",
        "Cart.add",
        "method",
    ),
    "18 macro by place": (
        "cxx . . $ `<file>/src/cart.h:12:9`!",
        "<file>/src/cart.h:12:9",
        "<file>/src/cart.h:12:9",
        "<file>/src/cart.h:12:9",
        "macro",
    ),
    "19 .ctor": ("scip-dotnet nuget . . Acme/Cart#`.ctor`().", ".ctor", "Cart", "Cart.Cart", "constructor"),
    "20 backtick in the name": ("x y z w `a``b`.", "a`b", "a`b", "a`b", "variable"),
}


@pytest.mark.parametrize("case", VECTORS)
def test_names_and_kinds_of_symbols(case: str) -> None:
    symbol, last, name, qualified, kind = VECTORS[case]
    assert leaf(symbol) == last
    found = name_of(symbol, numbered_keys=True)
    assert found is not None
    assert (found.name, found.qualified, kinds.WORDS[found.kind]) == (name, qualified, kind)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(sorted(VECTORS)), st.data())
def test_symbols_read_from_their_end_are_what_parsing_gives(case: str, data: st.DataObject) -> None:
    """Damaged symbols too: the quick way must never see a name where the grammar sees none, nor another."""
    damaged = list(VECTORS[case][0])
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(damaged)))
        damaged[place : place + data.draw(st.integers(0, 1))] = data.draw(
            st.text("/#.:!()[]` ab+$", max_size=2)
        )
    symbol = "".join(damaged)
    assume(not is_local(symbol))
    try:
        expected = parse(symbol).descriptors
    except SymbolError:
        assert descriptors_of(symbol) is None
    else:
        assert descriptors_of(symbol) == expected


@pytest.mark.parametrize("step", ["(a$b)", "[a-b]", "a+b.", "(größe)", "a$b(+1)."])
def test_all_simple_characters_may_stand_in_every_kind_of_descriptor(step: str) -> None:
    found = descriptors_of("t npm . . a/f()." + step)
    assert found is not None
    assert format_descriptor(found[-1]).replace("`", "") == step


UNPARSABLE = [
    "",
    "x",
    "x y z 1.0 A#f",
    "x y z w `open",
    " . . . A#",
    "x y z w `/A#",
    "x y z w ",
    "x y z w f(",
    "x y z w )",
]


@pytest.mark.parametrize("symbol", UNPARSABLE)
def test_symbols_that_do_not_parse_have_no_name(symbol: str) -> None:
    assert name_of(symbol, numbered_keys=False) is None


def test_a_symbol_that_does_not_parse_is_kept_and_called_by_the_source() -> None:
    broken = "x y z 1.0 A#f"
    facts, counts = ingest("def f(): ...\n", [occurrence([0, 4, 5], broken, 1, [0, 0, 13])])
    assert [made.symbol for made in facts.definitions] == [broken]
    assert facts.symbols == (SymbolInfo(broken, 0, "f", "", "", ""),)
    assert [(made.name, made.qualified) for made in facts.extents] == [("f", "f")]
    assert counts == {}


def test_a_definition_that_nobody_described_is_a_definition() -> None:
    facts, _ = ingest("def f(): ...\n", [occurrence([0, 4, 5], F, 1, [0, 0, 13])])
    assert [(made.symbol, made.name.column) for made in facts.definitions] == [(F, 4)]
    assert [(made.name, kinds.WORDS[made.kind]) for made in facts.extents] == [("f", "function")]
    assert facts.symbols == ()


def test_what_was_said_of_a_symbol() -> None:
    info = information(F, 17, "f", signature="def f() -> int", documentation=" Does it. ", enclosing=A)
    facts, _ = ingest("def f(): ...\n", [occurrence([0, 4, 5], F, 1)], [info, information(F, 7, "other")])
    assert facts.symbols == (SymbolInfo(F, 17, "f", "def f() -> int", "Does it.", A),)


@pytest.mark.parametrize(
    ("display", "shown"),
    [("<init>", "Cart"), ("RED(1)", "Cart"), ("", "Cart"), ("Nice", "Nice")],
    ids=["constructor", "arguments", "none", "good"],
)
def test_display_names_that_are_no_names_are_not_shown(display: str, shown: str) -> None:
    symbol = "t maven . . Cart#`<init>`()."
    facts, _ = ingest("new Cart()\n", [], [information(symbol, 0, display)])
    assert [(made.display, kinds.WORDS[made.kind]) for made in facts.symbols] == [(shown, "constructor")]


@pytest.mark.parametrize(
    ("documentation", "signature", "rest"),
    [
        ("```python\n(function) def f() -> int\n```", "(function) def f() -> int", ""),
        ("```ts\nfunction f(): number\n```\nDoes it.", "function f(): number", "Does it."),
        ("Does it.", "", "Does it."),
        ("```", "", "```"),
    ],
    ids=["fence", "fence-and-text", "text", "half-a-fence"],
)
def test_signatures_in_fences(documentation: str, signature: str, rest: str) -> None:
    info = information(F, documentation=documentation)
    facts, _ = ingest("f()\n", [], [info], tool="scip-python")
    assert [(made.signature, made.documentation) for made in facts.symbols] == [(signature, rest)]


def test_relationships_are_united_sorted_and_leave_locals_out() -> None:
    info = information(
        A,
        related=[
            (B, "is_implementation"),
            (B, "is_reference"),
            ("local 4", "is_reference"),
            (A, "is_reference"),
            (SYMBOL + "0#", "is_type_definition"),
        ],
    )
    facts, counts = ingest("", [], [info])
    assert facts.relations == (
        Relation(A, SYMBOL + "0#", REL_TYPE_DEFINITION),
        Relation(A, B, REL_IMPLEMENTATION | REL_REFERENCE),
    )
    assert counts == {"relationship_refused": 2}


def test_relationships_of_locals_are_left_out() -> None:
    facts, _ = ingest("", [], [information("local 9", related=[(B, "is_implementation")])])
    assert (facts.relations, facts.symbols) == ((), ())


@pytest.mark.parametrize(("tool", "kept"), [("scip-java", 2), ("somebody-else", 4)])
def test_inverse_relationships_of_the_producer_that_writes_them_are_dropped(tool: str, kept: int) -> None:
    """The overridden member, and the type that permits another, claim what only the others may."""
    base, derived = "t maven . . Base#", "t maven . . Derived#"
    both = ("is_implementation", "is_reference")
    symbols = [
        information(derived, related=[(base, "is_implementation")]),
        information(derived + "m().", related=[(base + "m().", flag) for flag in both]),
        information(base, related=[(derived, flag) for flag in both]),
        information(base + "m().", related=[(derived + "m().", flag) for flag in both]),
    ]
    facts, counts = ingest("", [], symbols, tool=tool, language="java", path="A.java")
    assert (derived, base) in {made[:2] for made in facts.relations}
    assert (derived + "m().", base + "m().") in {made[:2] for made in facts.relations}
    assert len(facts.relations) == kept
    assert counts.get("relationship_inverse", 0) == 4 - kept


MODULE = "t python p 1 `pkg.base`/__init__:"
MODULES = {MODULE: ("pkg/base.py", "pkg/base.pyi"), "t python p 1 `demo.a`/__init__:": ("demo/a.py",)}


def test_imports_lead_to_the_files_that_define_the_module() -> None:
    source = "from pkg.base import f\nimport os\n"
    facts, _ = ingest(
        source,
        [
            occurrence(span_of(source, "base"), MODULE, ROLE_IMPORT),
            occurrence(span_of(source, "f"), F, ROLE_IMPORT),
            occurrence(span_of(source, "os"), "t python python-stdlib 3.11 os/__init__:", ROLE_IMPORT),
        ],
        modules=MODULES,
        tool="codetrail-python",
    )
    assert facts.imports == (("pkg/base.py", True), ("pkg/base.pyi", True))


def test_uses_of_a_module_after_its_import_and_the_own_module_are_no_imports() -> None:
    source = "base.run(a)\n"
    own = "t python p 1 `demo.a`/__init__:"
    facts, _ = ingest(
        source,
        [
            occurrence(span_of(source, "base"), MODULE, 8),
            occurrence([0, 0, 0], own, 1),
            occurrence(span_of(source, "a"), own, ROLE_IMPORT),
        ],
        modules=MODULES,
        tool="codetrail-python",
    )
    assert facts.imports == ()


def test_a_producer_without_import_roles_imports_by_mentioning_a_module() -> None:
    source = 'import { f } from "./base.js"\n'
    module = "scip-typescript npm . . `base.ts`/"
    facts, _ = ingest(
        source,
        [occurrence([0, 18, 29], module)],
        modules={module: ("base.ts",)},
        tool="scip-typescript",
        language="typescript",
        path="main.ts",
    )
    assert facts.imports == (("base.ts", True),)


def test_unresolved_imports_are_imports_that_were_not_found() -> None:
    source = 'x = "🪙"; import gone.deep\n'
    facts, counts = ingest(
        source,
        [
            remark([0, 18, 27], "unresolved_import", "gone.deep"),
            remark([7, 0, 1], "unresolved_import", "elsewhere"),
            remark([0, 0, 1], "odd", "said"),
        ],
        unit=2,
    )
    assert facts.diagnostics == (
        Diagnostic(0, 0, "odd", "said"),
        Diagnostic(0, 17, "unresolved_import", "gone.deep"),
    )
    assert facts.imports == (("elsewhere", False), ("gone.deep", False))
    assert facts.occurrences == ()
    assert counts == {"diagnostic_outside": 1}


def test_a_name_that_is_also_a_member_that_nobody_found_is_half_bound() -> None:
    source = "'🪙'; const { a } = x;\na();\n"
    facts, _ = ingest(
        source,
        [
            occurrence([0, 14, 15], "t npm p 1 a.", 1),
            remark([0, 14, 15], "unresolved_member", ""),
            remark([9, 0, 1], "unresolved_member", ""),
            occurrence([1, 0, 1], "t npm p 1 a."),
        ],
        unit=2,
        language="javascript",
        path="a.js",
    )
    assert [one.range.line for one in facts.occurrences] == [0, 1]
    assert (facts.bound, facts.unbound, facts.diagnostics) == (1, {"a": 1, "x": 1}, ())


FILES = {
    "plain": ("demo/a.py", "f()\n", 0, 0),
    "test": ("tests/test_a.py", "f()\n", DOC_TEST, ROLE_TEST),
    "generated": ("demo/a_pb2.py", "f()\n", DOC_GENERATED, ROLE_GENERATED),
    "stub": ("demo/a.pyi", "f()\n", DOC_STUB, 0),
}


@pytest.mark.parametrize("case", FILES)
def test_flags_of_the_file_are_roles_of_its_places(case: str) -> None:
    path, source, flags, roles = FILES[case]
    facts, _ = ingest(source, [occurrence([0, 0, 1], F)], path=path)
    assert (facts.flags, facts.occurrences[0].roles) == (flags, roles)


def test_kinds_of_locals() -> None:
    facts, _ = ingest(
        "a = b\n",
        [occurrence([0, 0, 1], "local 7", 1), occurrence([0, 4, 5], "local 1")],
        [information("local 1", kinds.NUMBERS["parameter"]), information("local 7", 999)],
    )
    assert [kinds.WORDS[kind] for kind in facts.local_kinds] == ["variable", "parameter"]


def test_names_without_a_document() -> None:
    symbols = DocumentSymbols((), Profile(""))
    assert symbols.kind_and_name("weird", "text") == (0, SymbolName("text", "text", 0))
