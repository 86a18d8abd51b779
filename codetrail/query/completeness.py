"""What an answer says of what it does not know: coverage of the files that can hold its rows, and counts.

Which verb is judged by what stands here; how coverage is judged and how names are counted does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from codetrail.model.answers import Coverage, Question
from codetrail.query.coverage import Judged, judge, judge_files
from codetrail.query.freshness import Freshness
from codetrail.query.ranked import Groups
from codetrail.query.scoping import PathTest
from codetrail.query.snapshot import View
from codetrail.query.sources import Sources

if TYPE_CHECKING:
    from codetrail.query.overrides import Overrides

MOST_COUNTED = 2_000
"""Groups whose rows are counted for totals; beyond, those may not be known cheaply."""


class Asked(NamedTuple):
    """A question with what it matched; ``languages`` are those whose files can name that (empty: all).

    ``ambiguous``: a place means several symbols, so that none of them is answered for.
    """

    question: Question
    view: View
    groups: Groups
    ambiguous: bool
    languages: frozenset[str]
    test: PathTest
    freshness: Freshness
    sources: Sources


def judge_answer(asked: Asked, maker: object, dropped: int) -> Judged:
    """Judge coverage over the files that can hold rows: of ``calls`` those of the callers.

    ``maker`` made the rows; ``dropped`` counts those that were left out.
    """
    question, view, groups, _, languages, test, freshness, _ = asked
    if question.verb == "calls" and groups:
        from codetrail.query.calls import Calls

        if isinstance(maker, Calls):
            paths = maker.paths(groups, MOST_COUNTED)
            return judge_files(view, paths, languages, question.scope, test, freshness, dropped)
    return judge(view, languages, question.scope, test, freshness, dropped)


def value_uses(asked: Asked, maker: object) -> int | None:
    """Count what ``callers`` leaves out because it is a use as a value."""
    if asked.question.verb != "callers" or asked.ambiguous:
        return None
    from codetrail.query.callers import Callers

    return maker.value_uses(asked.groups, MOST_COUNTED) if isinstance(maker, Callers) else None


def _with_open_calls(coverage: Coverage, asked: Asked, maker: object) -> Coverage:
    from codetrail.query.hierarchy import Hierarchies

    if asked.ambiguous or not isinstance(maker, Hierarchies):
        return coverage
    return coverage._replace(unresolved_calls=maker.open_calls)


def with_unknown(
    coverage: Coverage, asked: Asked, maker: object, overrides: Overrides | None, typed: set[str]
) -> Coverage:
    """Add what no compiler told: tokens of the name (``refs``, ``callers``), targets of calls (``calls``).

    ``typed`` are the names that count where nothing matched; locals are not counted by name.
    """
    verb = asked.question.verb
    if verb == "calls":
        from codetrail.query.calls import Calls

        if asked.ambiguous or not isinstance(maker, Calls):
            return coverage
        return coverage._replace(unresolved_calls=maker.open_calls(asked.groups, MOST_COUNTED))
    if verb == "call-hierarchy":
        coverage = _with_open_calls(coverage, asked, maker)
        if asked.question.direction == "outgoing":
            return coverage
    if verb not in ("refs", "callers", "call-hierarchy") or any(group.local for group in asked.groups):
        return coverage
    ours = list(asked.groups)
    if verb != "refs":
        from codetrail.query.inheritance import Inheritance

        # Who constructs a class calls its constructor, under the name of the class.
        inheritance = Inheritance(asked.view)
        ours += [one for group in asked.groups for one in inheritance.constructed(group)]
    names = {name for group in ours for name in group.simple_names} or typed
    if not names:
        return coverage
    from codetrail.query.unresolved import count_unresolved

    def in_question(path: str, language: str) -> bool:
        return (not asked.languages or language in asked.languages) and asked.test(path, language)

    if overrides is not None:
        ours += overrides.of_all(asked.groups)
    found = count_unresolved(asked.view, names, ours, in_question, asked.freshness, asked.sources)
    return coverage._replace(
        unresolved=found.tokens, unresolved_in=found.places, bound_elsewhere=found.bound_elsewhere
    )
