"""Ranges against the text: units of columns, aliases, token borders, what is skipped and counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.index.columns import SourceLines
from codetrail.model.facts import (
    ROLE_ALIAS,
    ROLE_DEFINITION,
    ROLE_FORWARD_DEFINITION,
    ROLE_READ,
    ROLE_UNIT_CORRECTED,
    ROLE_WRITE,
)
from codetrail.model.ranges import UTF8, UTF16, UTF32, LineIndex, Range
from tests.index.ingesting import ingest, places, span_of
from tests.scip_bytes import SYMBOL, information, occurrence

F = SYMBOL + "spam()."
WIDE = 'label = "é🪙"; spam(label); spam("🪙"); other = spam\n'
"""Names behind characters of two, and of four bytes: all three units differ at each of them."""


@pytest.mark.parametrize("unit", [UTF8, UTF16, UTF32], ids=["utf-8", "utf-16", "utf-32"])
def test_declared_unit_is_converted_to_code_points(unit: int) -> None:
    occurrences = [occurrence(span_of(WIDE, "spam", nth, unit), F) for nth in range(3)]
    facts, counts = ingest(WIDE, occurrences, unit=unit)
    assert [made.range.column for made in facts.occurrences] == [14, 27, 46]
    assert {WIDE[made.range.column : made.range.end_column] for made in facts.occurrences} == {"spam"}
    assert [made.roles for made in facts.occurrences] == [0, 0, 0]
    assert counts == {}


@pytest.mark.parametrize(
    ("tool", "unit"),
    [("scip-go", UTF8), ("scip-typescript", UTF16), ("codetrail-python", UTF16), ("nobody-knows", UTF32)],
)
def test_undeclared_unit_is_the_producers_or_settled_by_the_text(tool: str, unit: int) -> None:
    facts, counts = ingest(WIDE, [occurrence(span_of(WIDE, "spam", 0, unit), F)], tool=tool)
    assert [made.range for made in facts.occurrences] == [Range(0, 14, 0, 18)]
    assert "unit_corrected" not in counts
    assert facts.occurrences[0].roles == 0


@pytest.mark.parametrize("real", [UTF8, UTF32], ids=["utf-8", "utf-32"])
def test_a_wrong_unit_is_found_out_and_marked(real: int) -> None:
    occurrences = [occurrence(span_of(WIDE, "spam", nth, real), F, ROLE_READ) for nth in range(3)]
    facts, counts = ingest(WIDE, occurrences, unit=UTF16)
    assert [made.range.column for made in facts.occurrences] == [14, 27, 46]
    assert {made.roles for made in facts.occurrences} == {ROLE_READ | ROLE_UNIT_CORRECTED}
    assert counts == {"unit_corrected": 1}


def test_one_odd_place_does_not_overrule_the_known_unit() -> None:
    """Two names read right as UTF-16; one that would read right as bytes only is left out."""
    occurrences = [occurrence(span_of(WIDE, "spam", nth, UTF16), F) for nth in range(2)]
    occurrences.append(occurrence(span_of(WIDE, "spam", 2, UTF8), F))
    facts, counts = ingest(WIDE, occurrences, unit=UTF16)
    assert [made.range.column for made in facts.occurrences] == [14, 27]
    assert counts == {"range_outside": 1}


def test_a_column_inside_a_character_is_no_place() -> None:
    source = 'x = "🪙"\n'
    facts, counts = ingest(source, [occurrence([0, 6, 7], F)], unit=UTF16)
    assert facts.occurrences == ()
    assert counts == {"range_outside": 1}


def test_the_byte_order_mark_belongs_to_no_column() -> None:
    facts, counts = ingest(b"\xef\xbb\xbfspam()\n", [occurrence([0, 0, 4], F)])
    assert places(facts) == [("spam().", 0, 0)]
    assert (facts.tokens, facts.bound, counts) == (1, 1, {})


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_line_ends(end: str) -> None:
    source = f"x = 1{end}# \x0c \u2028 no line end{end}spam(){end}"
    facts, _ = ingest(source.encode(), [occurrence([2, 0, 4], F)])
    assert places(facts) == [("spam().", 2, 0)]


def test_bytes_that_are_not_utf8_count_as_replacement_characters() -> None:
    facts, counts = ingest(b"x = '\xff\xfe'; spam()\n", [occurrence([0, 10, 14], F)], unit=UTF16)
    assert places(facts) == [("spam().", 0, 10)]
    assert (facts.bound, counts) == (1, {})


SKIPPED = {
    "line-after-the-end": ([9, 0, 4], "range_outside"),
    "end-line-after-the-end": ([0, 0, 9, 1], "range_outside"),
    "column-after-the-line": ([0, 40, 44], "range_outside"),
    "end-after-the-line": ([0, 0, 44], "range_outside"),
    "huge": ([2**31 - 1, 2**31 - 1, 2**31 - 1], "range_outside"),
    "inside-a-word": ([0, 1, 3], "range_not_a_token"),
    "ends-inside-a-word": ([0, 0, 3], "range_not_a_token"),
    "starts-inside-a-word": ([0, 1, 4], "range_not_a_token"),
    "blank": ([1, 0, 4], "range_not_a_token"),
    "empty-reference": ([0, 0, 0], "range_not_a_token"),
}


@pytest.mark.parametrize("case", SKIPPED)
def test_ranges_that_cannot_be_believed_are_skipped_and_counted(case: str) -> None:
    span, reason = SKIPPED[case]
    source = "spam(x)\n    spam(y)\n"
    facts, counts = ingest(source, [occurrence(span, F), occurrence([1, 4, 8], F)])
    assert places(facts) == [("spam().", 1, 4)]
    assert counts == {reason: 1}


PLAIN = {
    "name": ("spam()", "spam", SYMBOL + "spam()."),
    "module-last-part": ("import pkg.base", "base", "t python p 1 `pkg.base`/__init__:"),
    "module-dotted": ("import pkg.base", "pkg.base", "t python p 1 `pkg.base`/__init__:"),
    "constructor": ("new Cart()", "Cart", "scip-java maven . . com/acme/Cart#`<init>`(+1)."),
    "constructor-keyword": ("constructor(x)", "constructor", "t npm . . a/Cart#`<constructor>`()."),
    "accessor": ("it.total", "total", "t npm . . a/Cart#`<get>total`()."),
    "backticks": ("fun `a b`()", "`a b`", "t maven . . a/`a b`()."),
    "raw-identifier": ("r#type", "r#type", "rust-analyzer cargo a 1 type()."),
    "compatibility-letters": ("\ufb01le", "\ufb01le", SYMBOL + "file."),
    "not-in-backticks": ("Größe()", "Größe", "scip-java maven . . com/acme/Größe#"),
}


@pytest.mark.parametrize("case", PLAIN)
def test_texts_that_read_as_the_name(case: str) -> None:
    source, text, symbol = PLAIN[case]
    column = source.index(text)
    facts, _ = ingest(source, [occurrence([0, column, column + len(text)], symbol)], unit=UTF32, language="x")
    assert [made.roles for made in facts.occurrences] == [0]


ALIASES = {
    "import-alias": ("from a import spam as eggs\n", "eggs", F),
    "this": ("this.x\n", "this", "t maven . . a/Cart#"),
    "operator": ("a + b\n", "+", "t python . . a/A#__add__()."),
    "module-string": ('import "./till.js"\n', '"./till.js"', "t npm . . src/`till.ts`/"),
    "unparsable-symbol": ("spam()\n", "spam", "x y z 1.0 A#f"),
    "no-fields": ("spam()\n", "spam", "weird"),
}


@pytest.mark.parametrize("case", ALIASES)
def test_texts_that_are_not_the_name_stay_and_are_marked(case: str) -> None:
    source, text, symbol = ALIASES[case]
    column = source.index(text)
    facts, counts = ingest(source, [occurrence([0, column, column + len(text)], symbol)])
    assert [(made.symbol, made.roles) for made in facts.occurrences] == [(symbol, ROLE_ALIAS)]
    assert counts == {}


def test_a_display_name_makes_a_broken_symbols_text_its_name() -> None:
    broken = "x y z 1.0 A#f"
    facts, _ = ingest("spam()\n", [occurrence([0, 0, 4], broken)], [information(broken, display="spam")])
    assert [made.roles for made in facts.occurrences] == [0]


@pytest.mark.parametrize(
    ("descriptor", "written", "name"),
    [
        pytest.param('`"odd key"0`:', '"odd key"', "odd key", id="in quotes"),
        pytest.param("key12:", "key", "key", id="a number of two digits"),
        pytest.param("base640:", "base64", "base64", id="a key that ends in digits"),
        pytest.param("e16412:", "e164", "e164", id="digits and a number of two"),
        pytest.param('`"a-1"0`:', '"a-1"', "a-1", id="digits in quotes"),
    ],
)
def test_numbered_object_keys_read_without_their_number(descriptor: str, written: str, name: str) -> None:
    symbol = f"scip-typescript npm . . `a.ts`/{descriptor}"
    source = f"x = {{{written}: 1}}\n"
    facts, _ = ingest(
        source,
        [occurrence([0, 5, 5 + len(written)], symbol, 1)],
        tool="scip-typescript",
        language="typescript",
    )
    assert [made.roles for made in facts.occurrences] == [ROLE_DEFINITION]
    assert facts.symbols[0].display == name


def test_empty_module_definitions_are_legal_and_bind_no_token() -> None:
    facts, counts = ingest("spam()\n", [occurrence([0, 0, 0], SYMBOL + "__init__:", 1)])
    assert [made.name for made in facts.definitions] == [Range(0, 0, 0, 0)]
    assert (facts.tokens, facts.bound, facts.unbound, counts) == (1, 0, {"spam": 1}, {})


def test_repeated_occurrences_become_one_with_the_roles_of_both() -> None:
    """Field and use share a range where a tool generated code; a producer may also just repeat itself."""
    facts, counts = ingest(
        "spam = 1\n",
        [
            occurrence([0, 0, 4], F, ROLE_READ),
            occurrence([0, 0, 4], F, ROLE_WRITE),
            occurrence([0, 0, 4], F, ROLE_DEFINITION),
        ],
    )
    assert [(made.range, made.roles, made.use) for made in facts.occurrences] == [
        (Range(0, 0, 0, 4), ROLE_READ | ROLE_WRITE | ROLE_DEFINITION, 0)
    ]
    assert len(facts.definitions) == 1
    assert counts == {"occurrence_repeated": 2}


def test_a_repeated_occurrence_that_was_skipped_stays_skipped() -> None:
    facts, counts = ingest("spam = 1\n", [occurrence([0, 1, 3], F), occurrence([0, 1, 3], F, 1)])
    assert (facts.occurrences, facts.definitions) == ((), ())
    assert counts == {"range_not_a_token": 1, "occurrence_repeated": 1}


def test_several_symbols_may_share_a_range() -> None:
    get, put = SYMBOL + "A#`<get>x`().", SYMBOL + "A#`<set>x`()."
    facts, _ = ingest("it.x += 1\n", [occurrence([0, 3, 4], put), occurrence([0, 3, 4], get)])
    assert [made.symbol for made in facts.occurrences] == [get, put]


def test_one_symbol_may_have_several_definitions() -> None:
    source = "def spam(): ...\ndef spam(): ...\n"
    facts, _ = ingest(source, [occurrence([line, 4, 8], F, 1, [line, 0, 15]) for line in (1, 0)])
    assert [(made.name.line, made.body) for made in facts.definitions] == [
        (0, Range(0, 0, 0, 15)),
        (1, Range(1, 0, 1, 15)),
    ]


def test_a_forward_definition_is_a_definition_site() -> None:
    facts, _ = ingest("def spam(): ...\n", [occurrence([0, 4, 8], F, ROLE_FORWARD_DEFINITION)])
    assert facts.occurrences[0].roles == ROLE_FORWARD_DEFINITION | ROLE_DEFINITION
    assert len(facts.definitions) == 1


def test_unknown_role_bits_are_dropped() -> None:
    facts, _ = ingest("spam()\n", [occurrence([0, 0, 4], F, -1 << 7 | ROLE_READ)])
    assert facts.occurrences[0].roles == ROLE_READ


BODIES = {
    "holds-the-name": ([0, 0, 1, 8], Range(0, 0, 1, 8)),
    "beside-the-name": ([0, 11, 1, 8], Range(0, 4, 1, 8)),
    "none": ([], None),
    "turned-round": ([1, 0, 0, 0], None),
    "negative": ([-1, 0, 1, 0], None),
    "after-the-end-of-the-file": ([0, 0, 99, 0], Range(0, 0, 2, 0)),
    "after-the-end-of-the-line": ([0, 0, 1, 99], Range(0, 0, 1, 8)),
}


@pytest.mark.parametrize("case", BODIES)
def test_bodies_are_the_union_of_name_and_enclosing_range(case: str) -> None:
    enclosing, expected = BODIES[case]
    facts, _ = ingest("def spam(x):\n    pass\n", [occurrence([0, 4, 8], F, 1, enclosing)], syntax=False)
    assert [made.body for made in facts.definitions] == [expected]


LOCALS = {"plain": "local 3", "lambda-parameter": "local 2(n)", "empty": "local "}


@pytest.mark.parametrize("case", LOCALS)
def test_locals_stay_in_their_document(case: str) -> None:
    symbol = LOCALS[case]
    source = "n = 1; spam(n)\n"
    facts, counts = ingest(source, [occurrence([0, 12, 13], symbol), occurrence([0, 0, 1], symbol, 1)])
    assert (facts.occurrences, facts.definitions, facts.symbols) == ((), (), ())
    assert [(made.symbol, made.range.column, made.roles) for made in facts.locals] == [(0, 0, 1), (0, 12, 0)]
    assert len(facts.local_kinds) == 1
    assert counts == {}


def test_a_scheme_that_only_begins_like_a_local_is_global() -> None:
    facts, _ = ingest("f()\n", [occurrence([0, 0, 1], "localx . . . f().")])
    assert [made.symbol for made in facts.occurrences] == ["localx . . . f()."]


def test_locals_are_held_to_token_borders() -> None:
    facts, counts = ingest(
        "spam(eggs)\n", [occurrence([0, 1, 4], "local 0"), occurrence([0, 5, 9], "local 1")]
    )
    assert [made.range.column for made in facts.locals] == [5]
    assert counts == {"range_not_a_token": 1}


LONG = "x" * 3000


@pytest.mark.parametrize(
    ("source", "symbols"),
    [(LONG + "\n", ("local 0", "local 1")), (LONG + " é\n", ("local 0",)), (LONG + "\n", ("x y z w",))],
    ids=["ascii-locals", "wide-local", "global"],
)
def test_a_range_too_long_for_a_name_is_never_compared(source: str, symbols: tuple[str, ...]) -> None:
    """It stays, being a token, but no name is taken from it: a hostile index could ask for gigabytes."""
    facts, counts = ingest(source, [occurrence([0, 0, 3000], symbol, 1) for symbol in symbols], syntax=False)
    assert len(facts.locals) + len(facts.occurrences) == len(symbols)
    assert [info.display for info in facts.symbols] == []
    assert counts == {}


@pytest.mark.parametrize("line", [b"spam; " * 1000, "é".encode() * 10], ids=["long", "wide"])
def test_lines_are_decoded_once(line: bytes) -> None:
    lines = SourceLines(line)
    assert lines.text(0) is lines.text(0)


@given(
    st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\xff", b"\xe2\x82", "€🪙é\ufeff\ufffd".encode(), b" "]))
)
def test_lines_and_columns_are_those_of_the_line_index(parts: list[bytes]) -> None:
    data = b"".join(parts)
    lines, expected = SourceLines(data), LineIndex(data)
    assert lines.lines == [expected.line_bytes(line) for line in range(len(expected))]
    for line in range(len(expected)):
        for points in range(lines.length(line) + 1):
            offset = expected.offset(line, points)
            assert (lines.offset(line, points), lines.position(lines.offset(line, points))) == (
                offset,
                (line, points),
            )
            for unit in (UTF16, UTF32):
                assert lines.points(line, points, unit) == expected.column(line, points, unit)


def test_a_wide_line_with_many_places_is_measured_once() -> None:
    """Sorted places share the table of their line, so a long line costs no square of its length."""
    source = "é; " + "spam; " * 2000
    starts = [3 + 6 * number for number in range(2000)]
    facts, _ = ingest(source, [occurrence([0, start, start + 4], F) for start in starts], unit=UTF16)
    assert [made.range.column for made in facts.occurrences] == starts
