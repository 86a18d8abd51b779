"""Text in type positions: where it is, and where a string stays a string."""

from __future__ import annotations

from itertools import pairwise

import pytest

from codetrail.syntax.extract import extract

CASES = {
    "a parameter": ('def f(x: "Base"): pass', ['"Base"']),
    "what is returned": ("def f() -> 'Alias': pass", ["'Alias'"]),
    "a variable": ('x: "Base" = "Base"', ['"Base"']),
    "inside another type": ('x: Optional["Base"]', ['"Base"']),
    "deep inside": ('x: dict[str, list["A | B"]]', ['"A | B"']),
    "quotes in quotes": ("x: \"list['Base']\"", ["\"list['Base']\""]),
    "a union": ('x: "A" | None', ['"A"']),
    "side by side": ('x: "A" "B"', ['"A"', '"B"']),
    "a call in quotes": ('x: "f(Base)"', ['"f(Base)"']),
    "a call's arguments are values": ('x: Annotated["A", check("B")]', ['"A"']),
    "the argument of a base": ('class A(Generic["T"], List["A"]): pass', ['"T"', '"A"']),
    "a keyword of a class is a value": ('class A(B, name="C"): pass', []),
    "a type statement": ('type X = list["A"]', ['"A"']),
    "an alias that says so": ('X: TypeAlias = "A"', ['"A"']),
    "an alias of typing": ('X: t.TypeAlias = Union["A", "B"]', ['"A"', '"B"']),
    "no alias": ('X: Other = "A"', []),
    "a cast": ('cast("A", x)', ['"A"']),
    "a cast of typing": ('typing.cast("A", "x")', ['"A"']),
    "a cast to something else": ('cast(list["A"], x)', []),
    "another function": ('forecast("A", x)', []),
    "a new type": ('UserId = NewType("UserId", "Base")', ['"Base"']),
    "a type variable": ('T = TypeVar("T", "A", "B", bound="C", name="D")', ['"A"', '"B"', '"C"']),
    "a comment": ("x = []  # type: list[A]", ["# type: list[A]"]),
    "a comment that says nothing": ("x = []  # type: ignore[assignment]", []),
    "a comment about types": ("x = []  # the type: A", []),
    "a type comment in a string": ("x = '# type: A'", []),
    "a default": ('def f(x: int = "A"): pass', []),
    "a plain string": ('x = "A"', []),
    "a string that is formatted": ('x: f"{A}"', []),
    "beyond ASCII": ('é = "é"; x: "Bàse"', ['"Bàse"']),
    "an error": ('def f(x: "A" -> "B":\n  y: "C"', ['"A"', '"B"', '"C"']),
}


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=list(CASES))
def test_strings_in_type_positions(source: str, expected: list[str]) -> None:
    data = source.encode()
    spans = extract(data, "python").quoted_types
    texts = [data[start:end].decode() for start, end in spans]
    assert texts == expected
    assert list(spans) == sorted(spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


def test_other_languages_have_none() -> None:
    assert extract(b'let x: "A" = "A"', "typescript", path="a.ts").quoted_types == ()


def test_depth_costs_no_stack() -> None:
    data = b"x: " + b"list[" * 5000 + b'"A"' + b"]" * 5000 + b"\n" + b"cast(" * 5000 + b'"A"' + b")" * 5000
    assert len(extract(data, "python").quoted_types) == 2
