"""What a user may type, and what it is read as (contract §3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.errors import CodeTrailError, UsageError
from codetrail.model.identifiers import (
    LONGEST,
    Name,
    NameVariant,
    Place,
    SymbolText,
    fold,
    name_variants,
    parse,
    split_owners,
    style_key,
    without_signature,
)

SYMBOL = "codetrail-python python shop 1.0 `pkg.mod`/Cart#add()."


def frame(path: str, line: int, column: int | None = None, name: str | None = None) -> Place:
    return Place(path, line, column, name, is_frame=True)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("a/b.py:12", Place("a/b.py", 11), id="line"),
        pytest.param("a/b.py:12:3", Place("a/b.py", 11, 2), id="line-column"),
        pytest.param("a/b.py:12:", Place("a/b.py", 11), id="line-colon"),
        pytest.param("  a/b.py:12  ", Place("a/b.py", 11), id="spaces-around"),
        pytest.param("a/b.py:12#Cart.add", Place("a/b.py", 11, None, "Cart.add"), id="coordinate"),
        pytest.param("a:7/b.py:12", Place("a:7/b.py", 11), id="colon-in-folder"),
        pytest.param("my dir/b.py:12", Place("my dir/b.py", 11), id="space-in-folder"),
        pytest.param("c#/b.py:12#f", Place("c#/b.py", 11, None, "f"), id="hash-in-folder"),
        pytest.param('File "a/b.py", line 4, in add', frame("a/b.py", 3, None, "add"), id="python-trace"),
        pytest.param('  File "a b.py", line 4', frame("a b.py", 3), id="python-trace-bare"),
        pytest.param('File "b.py", line 4, in <module>', frame("b.py", 3), id="python-trace-module"),
        pytest.param(
            'File "b.py", line 4, in f.<locals>.C.g', frame("b.py", 3, None, "f.C.g"), id="python-trace-local"
        ),
        pytest.param(
            'File "b.py", line 4, in run\n    super().run()\n    ~~~~~~~^^',
            frame("b.py", 3, None, "run"),
            id="python-trace-with-its-line",
        ),
        pytest.param("a:3#b.py:1#f", Place("a:3#b.py", 0, None, "f"), id="coordinate-in-a-file-name"),
        pytest.param("    at add (src/a.ts:3:5)", frame("src/a.ts", 2, 4, "add"), id="js-trace"),
        pytest.param(
            "at async Cart.add (src/a.ts:3:5)",
            frame("src/a.ts", 2, 4, "add"),
            id="js-trace-async",
        ),
        pytest.param(
            "at Object.<anonymous> (/w/a.ts:3:5)",
            frame("/w/a.ts", 2, 4),
            id="js-trace-anonymous",
        ),
        pytest.param("at src/a.ts:3:5", frame("src/a.ts", 2, 4), id="js-trace-bare"),
        pytest.param(SYMBOL, SymbolText(SYMBOL), id="scip"),
        pytest.param(f" {SYMBOL}\n", SymbolText(SYMBOL), id="scip-pasted-with-spaces"),
        pytest.param("s m p 1 broken", SymbolText("s m p 1 broken"), id="scip-that-breaks-the-grammar"),
        pytest.param("a b c d e/x.py:3", Place("a b c d e/x.py", 2), id="place-with-spaces"),
        pytest.param("local 3", SymbolText("local 3"), id="scip-local"),
        pytest.param("Cart.add", Name("Cart.add"), id="name"),
        pytest.param("Cart::add", Name("Cart::add"), id="name-colons"),
        pytest.param("a.py:0", Name("a.py:0"), id="line-zero-is-no-place"),
        pytest.param("a.py:" + "9" * 10, Name("a.py:" + "9" * 10), id="line-too-large-is-no-place"),
    ],
)
def test_parse(typed: str, expected: object) -> None:
    assert parse(typed) == expected


@pytest.mark.parametrize(
    "typed", ["", "  ", "a\0b", "a" * (LONGEST + 1)], ids=["empty", "blank", "nul", "long"]
)
def test_parse_refuses(typed: str) -> None:
    with pytest.raises(UsageError):
        parse(typed)


def _kinds(typed: str) -> list[tuple[str, str]]:
    return [(variant.kind, variant.value) for variant in name_variants(typed)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        pytest.param("find", [("as_typed", "find"), ("style", "find"), ("case_folded", "find")], id="simple"),
        pytest.param(
            " `find(Long)` ",
            [
                ("as_typed", " `find(Long)` "),
                ("trimmed", "find(Long)"),
                ("signature_cut", "find"),
                ("style", "find"),
                ("case_folded", "find"),
            ],
            id="trimmed-and-signature",
        ),
        pytest.param(
            "Repo#find_user",
            [
                ("as_typed", "Repo#find_user"),
                ("qualified", "Repo.find_user"),
                ("last_part", "find_user"),
                ("style", "repo#finduser"),
                ("style", "repo.finduser"),
                ("style", "finduser"),
                ("case_folded", "repo#find_user"),
                ("case_folded", "repo.find_user"),
                ("case_folded", "find_user"),
            ],
            id="qualified",
        ),
    ],
)
def test_variants_in_order_of_closeness(typed: str, expected: list[tuple[str, str]]) -> None:
    assert _kinds(typed) == expected


@pytest.mark.parametrize("separator", [".", "#", "::"])
def test_every_separator_gives_the_same_owners(separator: str) -> None:
    typed = separator.join(("pkg", "Cart", "add"))
    assert NameVariant("qualified", "pkg.Cart.add", ("pkg", "Cart"), "add") in name_variants(typed)


def test_a_dotted_name_is_read_whole_and_as_owners() -> None:
    first, second, *_ = name_variants("pkg.mod")
    assert first == NameVariant("as_typed", "pkg.mod", (), "pkg.mod")
    assert second == NameVariant("as_typed", "pkg.mod", ("pkg",), "mod", whole=True)


@pytest.mark.parametrize("typed", ["add", "add()"])
def test_strict_takes_the_name_as_typed_with_or_without_parentheses(typed: str) -> None:
    assert name_variants(typed, strict=True) == (NameVariant("as_typed", "add", (), "add"),)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("find(Long)", "find"),
        ("find<T>(x)", "find"),
        ("find[int]", "find"),
        ("find", "find"),
        ("<get>x", "<get>x"),
        ("f (x)", "f"),
    ],
)
def test_signature_is_cut(typed: str, expected: str) -> None:
    assert without_signature(typed) == expected


@pytest.mark.parametrize("typed", ["find_user", "findUser", "find-user", "FIND_USER", "FindUser"])
def test_all_spellings_share_a_style_key(typed: str) -> None:
    assert style_key(typed) == "finduser"


@pytest.mark.parametrize(
    ("one", "other"), [("STRASSE", "straße"), ("Größe", "GRÖSSE"), ("ﬁnd", "find"), ("ΣΑΣ", "σας")]
)
def test_folding_is_unicodes(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize("typed", ["..", "a..b", ".a", ":::"])
def test_empty_owners_are_no_owners(typed: str) -> None:
    assert split_owners(typed) == ()


@given(st.text(max_size=60) | st.text(alphabet="ab.:#/()`'\"< >1٣\n\t-_", max_size=40))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        parsed = parse(typed)
    except CodeTrailError:
        return
    assert isinstance(parsed, Place | SymbolText | Name)
    variants = name_variants(typed)
    assert variants[0].value == typed
    assert len(variants) <= 16
    assert all(variant.name for variant in variants)
