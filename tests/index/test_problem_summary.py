"""Problems of a unit, folded: the most frequent first, nothing lost from the count."""

from __future__ import annotations

import pytest

from codetrail.index.problem_summary import MOST_OF_A_CODE, summarise
from codetrail.model.units import Problem


def unresolved(module: str, path: str = "a.py", times: int = 1) -> Problem:
    return Problem("unresolved_import", "An imported module was not found.", path, 3, times, detail=module)


CASES = {
    "nothing": ([], []),
    "equal problems are one, at the first place": (
        [
            Problem("x", "said", "a.py", 1),
            Problem("x", "said", "b.py", 2),
            Problem("x", "said", "c.py", 9, 5),
        ],
        [Problem("x", "said", "a.py", 1, times=7, paths=("a.py", "b.py", "c.py"))],
    ),
    "codes are in order, then frequency, then words": (
        [Problem("b", "rare"), Problem("b", "often", times=3), Problem("a", "last"), Problem("b", "both")],
        [Problem("a", "last"), Problem("b", "often", times=3), Problem("b", "both"), Problem("b", "rare")],
    ),
    "modules are named by what is installed": (
        [unresolved("numpy.linalg"), unresolved("numpy"), unresolved("yaml", times=2)],
        [
            Problem(
                "unresolved_import",
                "The module numpy was not found; names from it are unresolved.",
                "a.py",
                3,
                2,
                detail="numpy",
            ),
            Problem(
                "unresolved_import",
                "The module yaml was not found; names from it are unresolved.",
                "a.py",
                3,
                2,
                detail="yaml",
            ),
        ],
    ),
    "a package that may be there is not called missing": (
        [unresolved("shop.nothing"), unresolved("shop.nothing"), unresolved("yaml.nodes")],
        [
            Problem(
                "unresolved_import",
                "The module shop.nothing was not found; names from it are unresolved.",
                "a.py",
                3,
                2,
                detail="shop.nothing",
            ),
            Problem(
                "unresolved_import",
                "The module yaml.nodes was not found; names from it are unresolved.",
                "a.py",
                3,
                detail="yaml.nodes",
            ),
        ],
    ),
    "several modules of one package are one problem": (
        [unresolved("shop.y"), unresolved("shop.x")],
        [
            Problem(
                "unresolved_import",
                "The module shop.x and others of shop were not found; names from them are unresolved.",
                "a.py",
                3,
                2,
                detail="shop.x",
            )
        ],
    ),
    "relative imports stay whole": (
        [unresolved(".sibling")],
        [
            Problem(
                "unresolved_import",
                "The module .sibling was not found; names from it are unresolved.",
                "a.py",
                3,
                detail=".sibling",
            )
        ],
    ),
    "each error of a configuration stays by itself": (
        [
            Problem("config_error", "said", "a.json", line, detail=said)
            for line, said in ((1, "x"), (2, "x"), (1, "x"))
        ],
        [
            Problem("config_error", "said", "a.json", 1, 2, detail="x"),
            Problem("config_error", "said", "a.json", 2, detail="x"),
        ],
    ),
    "what a provider said stays beside": (
        [Problem("crashed", "The engine crashed.", detail="Segmentation fault")],
        [Problem("crashed", "The engine crashed.", detail="Segmentation fault")],
    ),
}


@pytest.mark.parametrize(("given", "expected"), CASES.values(), ids=CASES)
def test_problems_are_folded(given: list[Problem], expected: list[Problem]) -> None:
    assert list(summarise(given)) == expected


def test_at_most_five_paths_are_named_each_once() -> None:
    given = [Problem("x", "said", f"{number % 8}.json", number + 1) for number in range(20)]
    assert summarise(
        [*given, Problem("y", "said", "only.json", 2), Problem("y", "said", "only.json", 9)]
    ) == (
        Problem("x", "said", "0.json", 1, 20, paths=("0.json", "1.json", "2.json", "3.json", "4.json")),
        Problem("y", "said", "only.json", 2, 2),
    )


def test_the_order_met_changes_neither_rows_nor_counts() -> None:
    given = [unresolved(f"m{number % 7}") for number in range(50)] + [Problem("x", "said")]
    there, back = summarise(given), summarise(reversed(given))
    assert [(one.code, one.message, one.times) for one in there] == [
        (one.code, one.message, one.times) for one in back
    ]
    assert sum(one.times for one in there) == 51


def test_a_long_list_ends_with_the_count_of_the_rest() -> None:
    given = [unresolved(f"module{number:03}", times=100 - number) for number in range(60)]
    found = summarise(given)
    assert len(found) == MOST_OF_A_CODE + 1
    assert found[0].message.startswith("The module module000 ")
    assert (found[-1].message, found[-1].path) == ("More of this kind were met.", None)
    assert sum(one.times for one in found) == sum(100 - number for number in range(60))


def test_a_name_of_any_length_is_cut() -> None:
    (found,) = summarise([unresolved("x" * 5000 + ".y"), unresolved("x" * 5000 + ".z")])
    assert len(found.message) < 300
