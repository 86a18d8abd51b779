"""Lines of an earlier text found again in a later one: the same text, in the same order, each once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codetrail.workspace import line_map
from codetrail.workspace.digests import line_hashes
from codetrail.workspace.line_map import map_lines


def mapped(before: str, after: str) -> list[int | None]:
    """Map texts whose lines are single letters; return for each line before which one it is after."""
    found = map_lines(*(line_hashes([letter.encode() for letter in text]) for text in (before, after)))
    return [found.now(number) for number in range(len(before))]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("", "abc", [], id="from-nothing"),
        pytest.param("abc", "", [None] * 3, id="to-nothing"),
        pytest.param("abc", "abc", [0, 1, 2], id="equal"),
        pytest.param("abc", "xabc", [1, 2, 3], id="line-before"),
        pytest.param("abc", "axbc", [0, 2, 3], id="line-between"),
        pytest.param("abc", "axc", [0, None, 2], id="line-changed"),
        pytest.param("abc", "bac", [None, 0, 2], id="lines-that-changed-places"),
        pytest.param("a}b}c}", "}a}x}b}c}", [1, 4, 5, 6, 7, 8], id="lines-that-stand-often"),
        pytest.param("aaa", "aaaa", [0, 1, 2], id="only-lines-that-stand-often"),
        pytest.param("xf}yg}", "qf}rg}", [None, 1, 2, None, 4, 5], id="two-changes"),
        pytest.param("pabq", "rcabds", [None, 2, 3, None], id="a-block-between-other-lines"),
        pytest.param("p-a-q", "r-x-a-y-s", [None, 3, 4, 5, None], id="neighbours-of-what-stands-once"),
    ],
)
def test_lines_found_again(before: str, after: str, expected: list[int | None]) -> None:
    assert mapped(before, after) == expected


LINES = st.lists(st.sampled_from("ab}xyz01234567"), max_size=40).map("".join)


@given(LINES, LINES)
def test_what_is_found_is_the_same_text_in_the_same_order(before: str, after: str) -> None:
    pairs = [(then, now) for then, now in enumerate(mapped(before, after)) if now is not None]
    assert all(before[then] == after[now] for then, now in pairs)
    assert all(one < other for one, other in pairwise(pairs))
    assert len({now for _, now in pairs}) == len(pairs)
    both = map_lines(*(line_hashes([letter.encode() for letter in text]) for text in (before, after)))
    assert [both.then(now) for _, now in pairs] == [then for then, _ in pairs]


@given(LINES, st.integers(0, 40), LINES)
def test_one_insertion_leaves_every_line(text: str, at: int, inserted: str) -> None:
    after = text[:at] + inserted + text[at:]
    assert None not in mapped(text, after)


def test_depth_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    before = "".join(chr(200 + number) for number in range(200))
    monkeypatch.setattr(line_map, "_DEEPEST", 0)
    assert mapped("p" + before + "q", "r" + before + "s") == [None] * 202
