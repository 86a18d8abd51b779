"""Say what ``index doctor`` says of any language: Node, paths that no engine can be given, entries of PATH.

Messages quote no path of the machine. This module must not know any engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem
from codetrail.providers.node_runtime import ask_version, find_node
from codetrail.providers.programs import clean_path
from codetrail.scip.document_paths import is_portable
from codetrail.workspace.config import Settings


def node_problem(settings: Settings, root: str, env: Mapping[str, str], found: Problem) -> Problem | None:
    """Return why Node cannot be used either, where something else was found missing without starting it."""
    node = find_node(settings.node, root, env)
    node = node if isinstance(node, Problem) else ask_version(node, root, env)
    return node if isinstance(node, Problem) and node.code != found.code else None


def file_rows(paths: Iterable[str], language: str) -> Iterator[CheckRow]:
    """Yield the finding on those of the paths that no engine can be given, if there are any."""
    number = sum(1 for path in paths if not is_portable(path))
    if number:
        sentence = (
            f"{number} files have control characters or backslashes in their paths;"
            " no engine can be given them, and definitions in them come from syntax alone."
        )
        yield CheckRow("path_not_portable", "warning", sentence, language)


def path_rows(env: Mapping[str, str], root: str, language: str) -> Iterator[CheckRow]:
    """Yield one finding for each reason for which entries of PATH are not searched for programs."""
    words = {
        "relative": "are relative",
        "inside_workspace": "lie inside the workspace",
        "writable_by_others": "can be written by others",
    }
    dropped = [reason for _, reason in clean_path(env, root).dropped]
    for reason, text in words.items():
        if reason in dropped:
            sentence = f"{dropped.count(reason)} entries of PATH {text} and are not searched for programs."
            yield CheckRow("path_entries_dropped", "warning", sentence, language)
