"""Say what ``index doctor`` says of any language: Node, variables that decide, paths, entries of PATH.

Messages quote no path of the machine. This module must not know any engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from codetrail.model.counting import counted
from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem
from codetrail.providers.node_driver import FAILED, UNFINISHED
from codetrail.providers.node_runtime import UNRESPONSIVE, ask_version, find_node
from codetrail.providers.programs import clean_path
from codetrail.scip.document_paths import is_portable
from codetrail.workspace.config import Settings
from codetrail.workspace.config_schema import TYPESCRIPT_ENGINES

_OF_NODE = frozenset({"node_missing", "node_too_old", UNRESPONSIVE})
_OF_ENGINE = frozenset({"engine_missing", "engine_too_old", "engine_too_new"})
_OF_BOTH = frozenset({FAILED, UNFINISHED})
NODE_VARIABLE, TYPESCRIPT_VARIABLE = "CODETRAIL_NODE", "CODETRAIL_TYPESCRIPT"
UNSET = {
    NODE_VARIABLE: ("unset", "CODETRAIL_NODE"),
    TYPESCRIPT_VARIABLE: ("unset", "CODETRAIL_TYPESCRIPT"),
    "CODETRAIL_SCIP_PYTHON": ("unset", "CODETRAIL_SCIP_PYTHON"),
    "CODETRAIL_SCIP_TYPESCRIPT": ("unset", "CODETRAIL_SCIP_TYPESCRIPT"),
}
"""What lets CodeTrail choose again where a variable of the environment decides."""


def node_problem(settings: Settings, root: str, env: Mapping[str, str], found: Problem) -> Problem | None:
    """Return why Node cannot be used either, where something else was found missing without starting it."""
    node = find_node(settings.node, root, env)
    node = node if isinstance(node, Problem) else ask_version(node, root, env)
    return node if isinstance(node, Problem) and node.code != found.code else None


def with_variables(rows: Iterable[CheckRow], settings: Settings, language: str) -> Iterator[CheckRow]:
    """Yield the findings; where a variable decides what is used, what is to be done is done to that.

    An installation would change nothing then: what it brings is not looked at.
    """
    for row in rows:
        variables = [name for name in _deciding(row.code, settings, language) if row.severity == "error"]
        if not variables:
            yield row
            continue
        verb = "decides" if len(variables) == 1 else "decide"
        sentence = f"{row.message} {' and '.join(variables)} {verb} what is used: correct or unset that."
        yield row._replace(message=sentence, next=tuple(UNSET[name] for name in variables))


def _deciding(code: str, settings: Settings, language: str) -> Iterator[str]:
    """Yield the variables that are set and decide what a finding of this code is about."""
    of_command = f"CODETRAIL_SCIP_{language.upper()}"
    if language in settings.commands:
        if code in _OF_ENGINE and of_command in UNSET:
            yield of_command
        return
    if settings.node and code in _OF_NODE | _OF_BOTH:
        yield NODE_VARIABLE
    chosen = language == TYPESCRIPT_ENGINES[0] == settings.typescript_engine
    if settings.typescript and chosen and code in _OF_ENGINE | _OF_BOTH:
        yield TYPESCRIPT_VARIABLE


def file_rows(paths: Iterable[str], language: str) -> Iterator[CheckRow]:
    """Yield the finding on those of the paths that no engine can be given, if there are any."""
    number = sum(1 for path in paths if not is_portable(path))
    if number:
        sentence = (
            f"{number} [file has|files have] control characters or backslashes in [its path|their paths];"
            " no engine can be given [it|them], and definitions in [it|them] come from syntax alone."
        )
        yield CheckRow("path_not_portable", "warning", counted(number, sentence), language)


def path_rows(env: Mapping[str, str], root: str, language: str) -> Iterator[CheckRow]:
    """Yield one finding for each reason for which entries of PATH are not searched for programs."""
    words = {
        "relative": "[is|are] relative",
        "inside_workspace": "[lies|lie] inside the workspace",
        "writable_by_others": "can be written by others",
    }
    dropped = [reason for _, reason in clean_path(env, root).dropped]
    for reason, text in words.items():
        if reason in dropped:
            number = dropped.count(reason)
            sentence = f"{number} [entry|entries] of PATH {text} and [is|are] not searched for programs."
            yield CheckRow("path_entries_dropped", "warning", counted(number, sentence), language)
