"""Say what the units of the last build tell of what stops precise answers, for ``index doctor``.

Their problems, the share of names that are bound, the modules that were not found. Of what a person mends by
hand no build is proposed: it would find the same again. This module must not know how any provider works.
"""

from __future__ import annotations

from collections.abc import Iterator

from codetrail.index.entries import PARTIAL_CODES
from codetrail.index.problem_summary import CONFIG_ERROR, MOST_OF_A_CODE, UNRESOLVED_IMPORT
from codetrail.index.status import LEAST_SHARE
from codetrail.model.counting import counted
from codetrail.model.reports import CheckRow, UnitRow
from codetrail.model.units import Problem

RESOLVED_SHARE = "resolved_share"
ENDINGS = {
    "heap_exhausted": (("codetrail", "index", "build", "--jobs", "1"),),
    "memory_limit": (("codetrail", "index", "build", "--jobs", "1"),),
    "provider_crashed": (),
    "timed_out": (("codetrail", "index", "build", "--timeout", "3600"),),
}
"""How a run of an engine can have ended in the last build, and what may help."""
DOUBTS = frozenset(
    {
        CONFIG_ERROR,
        "dependencies_unread",
        "engines_mixed",
        "imports_unexplained",
        "project_failed",
        "project_missing",
        "too_many_projects",
    }
)
"""What makes the answers of a whole unit doubtful; each is mended by hand, and no command is proposed."""
_MODULES = 5
"""Modules that were not found and are named one by one."""


def unit_findings(unit: UnitRow) -> Iterator[CheckRow]:
    """Yield the findings on one unit of the last build."""
    for problem in unit.problems:
        if problem.code in PARTIAL_CODES and unit.state == "partial":
            sentence = f"{problem.message} ({problem.times}){_named(problem)}"
            yield CheckRow(problem.code, "warning", sentence, unit.language)
        elif problem.code in ENDINGS:
            sentence = f"{problem.message}{_named(problem)}"
            yield CheckRow(problem.code, "warning", sentence, unit.language, ENDINGS[problem.code])
        elif problem.code in DOUBTS:
            yield CheckRow(problem.code, "warning", _doubt(problem), unit.language)
    if unit.resolved_share is not None and unit.provider != "syntax":
        low = unit.resolved_share < LEAST_SHARE
        sentence = f"{unit.resolved_share:.1%} of the identifier tokens carry a precise occurrence."
        yield CheckRow(RESOLVED_SHARE, "warning" if low else "ok", sentence, unit.language)
    yield from _missing_modules(unit)


def _doubt(problem: Problem) -> str:
    """Return what is wrong, where, and of a configuration what the compiler says of it."""
    if problem.code != CONFIG_ERROR or problem.detail is None or problem.path is None:
        return f"{problem.message}{_named(problem)}"
    line = "" if problem.line is None else f", line {problem.line}"
    said = " ".join(problem.detail.split())
    return f"{problem.message} In {problem.path!a:.80}{line}: {said!a:.200}. Mend that file."


def _named(problem: Problem) -> str:
    """Return the paths that a problem concerns, each escaped and cut, as the end of a sentence."""
    paths = problem.paths or ((problem.path,) if problem.path else ())
    more = " and more" if problem.paths and problem.times > len(paths) else ""
    return f" In {', '.join(f'{path!a:.80}' for path in paths)}{more}." if paths else ""


def _missing_modules(unit: UnitRow) -> Iterator[CheckRow]:
    """Yield one finding for each of the modules that most imports seek in vain, and one for the rest."""
    # Sorted by how often they were met; the last counts the imports of those that the unit does not name.
    found = [problem for problem in unit.problems if problem.code == UNRESOLVED_IMPORT]
    for problem in found[:_MODULES]:
        sentence = f"{problem.message} ({problem.times} times)" if problem.times > 1 else problem.message
        yield CheckRow(UNRESOLVED_IMPORT, "warning", sentence, unit.language)
    rest = found[_MODULES:]
    if rest:
        number = f"More than {len(rest) - 1}" if len(found) > MOST_OF_A_CODE else str(len(rest))
        sentence = counted(len(rest), f"{number} more [module was|modules were] not found.")
        yield CheckRow(UNRESOLVED_IMPORT, "warning", sentence, unit.language)
