"""Fold the problems of a unit: one row for each kind and module, the most frequent first.

A tree without its dependencies has thousands of unresolved imports; a person needs to see which modules, not
every line. This module must not know what a code means.
"""

from __future__ import annotations

from collections.abc import Iterable

from codetrail.model.units import Problem

UNRESOLVED_IMPORT = "unresolved_import"
MOST_OF_A_CODE = 20
_MOST_QUOTED = 80


def summarise(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return at most twenty problems a code, ordered by code, then by how often they were met.

    Problems with equal code and subject become one, at the first place. What is beyond twenty is one more
    problem that counts it.
    """
    folded: dict[tuple[str, str], Problem] = {}
    for problem in problems:
        named = _named(problem)
        key = (named.code, named.message)
        before = folded.get(key)
        folded[key] = named if before is None else before._replace(times=before.times + named.times)
    by_code: dict[str, list[Problem]] = {}
    for problem in folded.values():
        by_code.setdefault(problem.code, []).append(problem)
    found: list[Problem] = []
    for code in sorted(by_code):
        ordered = sorted(by_code[code], key=lambda one: (-one.times, one.message, one.path or ""))
        found += ordered[:MOST_OF_A_CODE]
        rest = sum(one.times for one in ordered[MOST_OF_A_CODE:])
        if rest:
            found.append(Problem(code, "More of this kind were met.", times=rest))
    return tuple(found)


def _named(problem: Problem) -> Problem:
    """Put the module of an unresolved import into its sentence; its top-level name is what is installed."""
    if problem.code != UNRESOLVED_IMPORT or not problem.detail:
        return problem
    top = problem.detail.partition(".")[0] or problem.detail
    sentence = f"The module {top[:_MOST_QUOTED]} was not found; names from it are unresolved."
    return problem._replace(message=sentence, detail=None)
