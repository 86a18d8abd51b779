"""Fold the problems of a unit: one row for each kind and module, the most frequent first.

A tree without its dependencies has thousands of unresolved imports; a person needs to see which modules, not
every line. This module must not know what a code means.
"""

from __future__ import annotations

from collections.abc import Iterable

from codetrail.model.units import Problem

UNRESOLVED_IMPORT = "unresolved_import"
CONFIG_ERROR = "config_error"
MOST_OF_A_CODE = 20
MOST_PATHS = 5
_MOST_QUOTED = 80


def summarise(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return at most twenty problems a code, ordered by code, then by how often they were met.

    Problems with equal code and subject become one, at the first place. What is beyond twenty is one more
    problem that counts it.
    """
    folded: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        folded.setdefault((problem.code, _subject(problem)), []).append(problem)
    by_code: dict[str, list[Problem]] = {}
    for alike in folded.values():
        by_code.setdefault(alike[0].code, []).append(_as_one(alike))
    found: list[Problem] = []
    for code in sorted(by_code):
        ordered = sorted(by_code[code], key=lambda one: (-one.times, one.message, one.path or ""))
        found += ordered[:MOST_OF_A_CODE]
        rest = sum(one.times for one in ordered[MOST_OF_A_CODE:])
        if rest:
            found.append(Problem(code, "More of this kind were met.", times=rest))
    return tuple(found)


def _subject(problem: Problem) -> str:
    """Return what a problem is about; an unresolved import is about its top-level name, as installed."""
    if problem.code == UNRESOLVED_IMPORT and problem.detail:
        return problem.detail.partition(".")[0] or problem.detail
    if problem.code == CONFIG_ERROR and problem.detail:
        # What the compiler says of each is what has to be mended.
        return f"{problem.path}\0{problem.line}\0{problem.detail}"
    return problem.message


def _as_one(alike: list[Problem]) -> Problem:
    """Fold problems with one subject; of imports, name a module that was truly not found, else the paths.

    Of ``app.missing`` the package ``app`` may well be there.
    """
    first = alike[0]._replace(times=sum(one.times for one in alike))
    if first.code != UNRESOLVED_IMPORT or not first.detail:
        told = [path for one in alike for path in (one.paths or (one.path,)) if path is not None]
        paths = tuple(dict.fromkeys(told))[:MOST_PATHS]
        return first._replace(paths=paths if len(paths) > 1 else ())
    top = _subject(first)
    modules = {one.detail or top for one in alike}
    shown = min(modules, key=lambda module: (module != top, module))[:_MOST_QUOTED]
    if top in modules or len(modules) == 1:
        sentence = f"The module {shown} was not found; names from it are unresolved."
    else:
        sentence = (
            f"The module {shown} and others of {top[:_MOST_QUOTED]} were not found; "
            "names from them are unresolved."
        )
    return first._replace(message=sentence, detail=shown)
