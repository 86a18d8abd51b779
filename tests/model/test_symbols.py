"""The SCIP symbol grammar: twenty strings that producers write, and strings that are wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.model.symbols import (
    MACRO,
    META,
    METHOD,
    NAMESPACE,
    PARAMETER,
    TERM,
    TYPE,
    TYPE_PARAMETER,
    Descriptor,
    Package,
    Symbol,
    SymbolError,
    format_symbol,
    is_local,
    is_under_path,
    join_key,
    kind_of,
    module_of,
    names,
    parse,
    qualified_name,
    split_package,
)

D = Descriptor

VECTORS = [
    pytest.param(
        "localx . . . f().", Package("localx", "", "", ""), [D("f", METHOD)], "f", id="03-scheme-localx"
    ),
    pytest.param(
        "rust-analyzer cargo shop 0.3.0 cart/impl#[Cart][`From<Vec<Item>>`]from().",
        Package("rust-analyzer", "cargo", "shop", "0.3.0"),
        [
            D("cart", NAMESPACE),
            D("impl", TYPE),
            D("Cart", TYPE_PARAMETER),
            D("From<Vec<Item>>", TYPE_PARAMETER),
            D("from", METHOD),
        ],
        None,
        id="04-rust-impl",
    ),
    pytest.param(
        "rust-analyzer cargo core https://github.com/rust-lang/rust/library/core option/Option#unwrap().",
        Package("rust-analyzer", "cargo", "core", "https://github.com/rust-lang/rust/library/core"),
        [D("option", NAMESPACE), D("Option", TYPE), D("unwrap", METHOD)],
        "Option.unwrap",
        id="05-version-is-a-url",
    ),
    pytest.param(
        "rust-analyzer cargo shop 0.3.0 macros/bag!",
        Package("rust-analyzer", "cargo", "shop", "0.3.0"),
        [D("macros", NAMESPACE), D("bag", MACRO)],
        "bag",
        id="06-macro",
    ),
    pytest.param(
        "rust-analyzer cargo shop 0.3.0 crate/",
        Package("rust-analyzer", "cargo", "shop", "0.3.0"),
        [D("crate", NAMESPACE)],
        "crate",
        id="07-crate-root",
    ),
    pytest.param(
        "scip-java maven maven/com.acme/shop 2.1 com/acme/Cart#add(+2).",
        Package("scip-java", "maven", "maven/com.acme/shop", "2.1"),
        [D("com", NAMESPACE), D("acme", NAMESPACE), D("Cart", TYPE), D("add", METHOD, "+2")],
        "Cart.add",
        id="08-overload",
    ),
    pytest.param(
        "scip-java maven . . com/acme/Cart#`<init>`(+1).",
        Package("scip-java", "maven", "", ""),
        [D("com", NAMESPACE), D("acme", NAMESPACE), D("Cart", TYPE), D("<init>", METHOD, "+1")],
        None,
        id="09-constructor",
    ),
    pytest.param(
        "scip-java maven jdk 17 java/util/Map#Entry#",
        Package("scip-java", "maven", "jdk", "17"),
        [D("java", NAMESPACE), D("util", NAMESPACE), D("Map", TYPE), D("Entry", TYPE)],
        "Map.Entry",
        id="10-nested-type",
    ),
    pytest.param(
        "scip-java maven . . com/acme/Größe#",
        Package("scip-java", "maven", "", ""),
        [D("com", NAMESPACE), D("acme", NAMESPACE), D("Größe", TYPE)],
        "Größe",
        id="11-not-ascii",
    ),
    pytest.param(
        "scip-typescript npm @acme/shop 1.2.3 src/`cart.test.ts`/Cart#`<get>total`().",
        Package("scip-typescript", "npm", "@acme/shop", "1.2.3"),
        [D("src", NAMESPACE), D("cart.test.ts", NAMESPACE), D("Cart", TYPE), D("<get>total", METHOD)],
        None,
        id="12-accessor",
    ),
    pytest.param(
        'scip-typescript npm . . `a.ts`/`"odd key"0`:',
        Package("scip-typescript", "npm", "", ""),
        [D("a.ts", NAMESPACE), D('"odd key"0', META)],
        '"odd key"0',
        id="13-odd-key",
    ),
    pytest.param(
        "scip-python python my  proj 1  0 `my mod`/f().(x)",
        Package("scip-python", "python", "my proj", "1 0"),
        [D("my mod", NAMESPACE), D("f", METHOD), D("x", PARAMETER)],
        "f.x",
        id="14-doubled-spaces",
    ),
    pytest.param(
        "codetrail-ts npm shop 1.0.0 `a.ts`/outer().anon0:1:inner().anon12:x.",
        Package("codetrail-ts", "npm", "shop", "1.0.0"),
        [
            D("a.ts", NAMESPACE),
            D("outer", METHOD),
            D("anon0", META),
            D("1", META),
            D("inner", METHOD),
            D("anon12", META),
            D("x", TERM),
        ],
        "outer.inner.x",
        id="19-unnamed-owners",
    ),
    pytest.param(
        "codetrail-ts npm shop 1.0.0 `a.ts`/anon0.anon1#anon2:",
        Package("codetrail-ts", "npm", "shop", "1.0.0"),
        [D("a.ts", NAMESPACE), D("anon0", TERM), D("anon1", TYPE), D("anon2", META)],
        "anon0.anon1.anon2",
        id="20-names-that-read-as-unnamed",
    ),
    pytest.param(
        "scip-python python acme-shop 0.3.1 `pkg.base`/__init__:",
        Package("scip-python", "python", "acme-shop", "0.3.1"),
        [D("pkg.base", NAMESPACE), D("__init__", META)],
        "pkg.base",
        id="15-module",
    ),
    pytest.param(
        "scip-go gomod github.com/acme/x . `github.com/acme/x/cart`/Cart#Add().",
        Package("scip-go", "gomod", "github.com/acme/x", ""),
        [D("github.com/acme/x/cart", NAMESPACE), D("Cart", TYPE), D("Add", METHOD)],
        "Cart.Add",
        id="16-no-version",
    ),
    pytest.param(
        "cxx . . $ acme/Cart#add(455f465bc33b4cdf).",
        Package("cxx", "", "", "$"),
        [D("acme", NAMESPACE), D("Cart", TYPE), D("add", METHOD, "455f465bc33b4cdf")],
        "Cart.add",
        id="17-disambiguator-is-a-hash",
    ),
    pytest.param(
        "cxx . . $ `<file>/src/cart.h:12:9`!",
        Package("cxx", "", "", "$"),
        [D("<file>/src/cart.h:12:9", MACRO)],
        None,
        id="18-macro-by-place",
    ),
    pytest.param(
        "scip-dotnet nuget . . Acme/Cart#`.ctor`().",
        Package("scip-dotnet", "nuget", "", ""),
        [D("Acme", NAMESPACE), D("Cart", TYPE), D(".ctor", METHOD)],
        None,
        id="19-ctor",
    ),
    pytest.param("x y z w `a``b`.", Package("x", "y", "z", "w"), [D("a`b", TERM)], "a`b", id="20-backtick"),
]


@pytest.mark.parametrize(("text", "package", "descriptors", "qualified"), VECTORS)
def test_vectors(text: str, package: Package, descriptors: list[Descriptor], qualified: str | None) -> None:
    symbol = parse(text)
    assert symbol.package == package
    assert list(symbol.descriptors) == descriptors
    if qualified is not None:
        assert qualified_name(symbol.descriptors) == qualified


@pytest.mark.parametrize(
    ("text", "expected"),
    [("local 42", True), ("local 2(n)", True), ("localx . . . f().", False), ("local", False)],
    ids=["01-local", "02-bad-local", "03-scheme-localx", "no-space"],
)
def test_local_is_a_prefix_and_one_space(text: str, expected: bool) -> None:
    assert is_local(text) is expected


@pytest.mark.parametrize("text", ["local 42", "local 2(n)"])
def test_a_local_symbol_has_no_descriptors(text: str) -> None:
    with pytest.raises(SymbolError):
        parse(text)


WRONG = [
    pytest.param("", id="empty"),
    pytest.param("local ", id="local-without-id"),
    pytest.param("x y z 1.0 A#f", id="no-suffix"),
    pytest.param("x y z w `abc", id="open-backtick"),
    pytest.param(" . . . A#", id="empty-scheme"),
    pytest.param("scip-java maven `my pkg` 1 com/A#", id="backtick-in-package"),
    pytest.param("x y z w ``/A#", id="empty-name"),
    pytest.param("x y z w ", id="no-descriptors"),
    pytest.param("localx . . . f().", id="scheme-begins-with-local"),
    pytest.param("scip-java maven . . com/acme/Größe#", id="not-ascii-without-backticks"),
]


@pytest.mark.parametrize("text", WRONG)
def test_strict_parsing_refuses(text: str) -> None:
    with pytest.raises(SymbolError):
        parse(text, strict=True)


@pytest.mark.parametrize("text", WRONG)
def test_whatever_is_wrong_still_has_a_join_key(text: str) -> None:
    assert join_key(text, "unit") == join_key(text, "unit")
    assert text == "" or join_key(text, "unit") != join_key(text + "x", "unit")


@pytest.mark.parametrize(("text", "package", "descriptors", "qualified"), VECTORS)
def test_what_is_parsed_is_written_back(
    text: str, package: Package, descriptors: list[Descriptor], qualified: str | None
) -> None:
    del package, descriptors, qualified
    symbol = parse(text)
    assert parse(format_symbol(symbol)).descriptors == symbol.descriptors
    if "Größe" not in text:
        assert format_symbol(symbol) == text


_NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
_FIELD = st.text(st.characters(exclude_categories=["Cs"]), max_size=8).filter(
    lambda text: text != "." and not text.startswith(" ") and not text.endswith(" ")
)
_DESCRIPTOR = st.one_of(
    st.builds(
        D,
        _NAME,
        st.sampled_from([NAMESPACE, TYPE, TERM, TYPE_PARAMETER, PARAMETER, META, MACRO]),
        st.just(""),
    ),
    st.builds(D, _NAME, st.just(METHOD), st.sampled_from(["", "+1", "0af"])),
)


@given(
    st.builds(Package, _FIELD.filter(lambda text: bool(text) and text != "local"), _FIELD, _FIELD, _FIELD),
    st.lists(_DESCRIPTOR, min_size=1, max_size=4),
)
def test_any_symbol_survives_writing_and_reading(package: Package, descriptors: list[Descriptor]) -> None:
    text = format_symbol(Symbol(package, "", tuple(descriptors)))
    found = parse(text)
    assert (found.package, list(found.descriptors)) == (package, descriptors)
    assert format_symbol(found) == text


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        symbol = parse(text)
    except SymbolError:
        return
    assert symbol.descriptors
    assert names(symbol.descriptors)
    assert kind_of(symbol.descriptors)


@pytest.mark.parametrize(
    ("one", "other", "joins"),
    [
        pytest.param("s python A.b_C 1 m/f().", "s python a-b-c 2 m/f().", True, id="pep-503-and-version"),
        pytest.param("s npm A.b 1 m/f().", "s npm a-b 1 m/f().", False, id="other-managers-as-is"),
        pytest.param("s python a 1 m/f().", "s python a 1 m/g().", False, id="descriptors"),
        pytest.param("s python . . m/f().", "s python . . m/f().", False, id="no-package-joins-in-unit-only"),
        pytest.param("nonsense", "nonsense", False, id="unparsed-joins-in-unit-only"),
    ],
)
def test_join_key_across_units(one: str, other: str, joins: bool) -> None:
    assert (join_key(one, "unit-1") == join_key(other, "unit-2")) is joins


@pytest.mark.parametrize("text", ["s python . . m/f().", "nonsense"])
def test_within_a_unit_everything_joins(text: str) -> None:
    assert join_key(text, "unit-1") == join_key(text, "unit-1")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("s . p . m/f().", "function"),
        ("s . p . m/C#f().", "method"),
        ("s . p . m/C#", "class"),
        ("s . p . m/C#x.", "field"),
        ("s . p . m/x.", "variable"),
        ("s . p . m/f().(x)", "parameter"),
        ("s . p . m/C#[T]", "typeparameter"),
        ("s . p . m/m!", "macro"),
        ("s . p . m/", "namespace"),
        ("s . p . m/__init__:", "module"),
    ],
)
def test_kind_of_the_last_descriptor(text: str, kind: str) -> None:
    assert kind_of(parse(text).descriptors) == kind


def test_module_is_the_namespaces() -> None:
    assert module_of(parse("s . p . a/`b.c`/C#f().").descriptors) == "a.b.c"
    assert split_package("s . p . a/C#")[1] == "a/C#"


@pytest.mark.parametrize(
    ("namespace", "module"),
    [
        ("app.main", "app.main"),
        ("svc_b/app/main.py", "svc_b.app.main"),
        ("svc_b/app/__init__.py", "svc_b.app"),
        ("src/cli.pyi", "src.cli"),
        ("foo.py", "foo.py"),
        ("src/app.ts", "src/app.ts"),
    ],
)
def test_a_module_that_stands_under_its_path_is_named_with_dots(namespace: str, module: str) -> None:
    descriptors = parse(f"codetrail-py python shop 1 `{namespace}`/__init__:").descriptors
    assert (module_of(descriptors), names(descriptors)) == (module, [module])
    assert is_under_path(descriptors) == (namespace != module)
    assert not is_under_path(parse(f"codetrail-py python shop 1 `{namespace}`/f().").descriptors)


@pytest.mark.parametrize(
    ("symbol", "qualified"),
    [
        ("t npm p 1 `a.ts`/Square#`<get>side`().", ["Square", "side"]),
        ("t npm p 1 `a.ts`/Square#`<set>side`().", ["Square", "side"]),
        ("t npm p 1 `a.ts`/Square#`<constructor>`().", ["Square", "constructor"]),
        ("t npm p 1 `a.ts`/Square#`<get>side`().inner().", ["Square", "side", "inner"]),
        ("t npm p 1 `a.ts`/Square#`<get>`().", ["Square", "<get>"]),
        ("t maven p 1 a/Cart#`<init>`().", ["Cart", "<init>"]),
    ],
)
def test_names_are_those_that_source_speaks_of(symbol: str, qualified: list[str]) -> None:
    assert names(parse(symbol).descriptors) == qualified
