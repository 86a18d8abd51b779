"""Divide the tree into units, and say of every other file why no unit owns it.

Planning starts nothing: an engine is located, not proven, so an unchanged workspace is recognised without
a process. Which languages have a provider is the registry's knowledge; what a unit costs is the build's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from codetrail import __version__
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers import registry
from codetrail.providers.base import Provider, Tool, Workspace
from codetrail.workspace.changes import UNREAD
from codetrail.workspace.config import Settings
from codetrail.workspace.inputs import is_input
from codetrail.workspace.inventory import Inventory
from codetrail.workspace.languages import EMBEDDED_SCRIPT, SCRIPT_HOLDERS, is_generated, language_of
from codetrail.workspace.reading import opened_root, read_head

NO_PROVIDER = "no_provider"
EXCLUDED = "excluded_by_config"
TOO_LARGE = "file_too_large"
UNSEEN = {"unreadable": "unreadable", "changed": "changed_during_build"}
"""Files that are there but were not read: how taking stock says it, and the reason that their rows give."""
MOST_BYTES = 64 << 20
"""Bytes of the largest file that any provider is given."""
_HEAD = 4096


class PlannedUnit(NamedTuple):
    """A unit with what can run it."""

    spec: UnitSpec
    provider: Provider
    tool: Tool


class MissingUnit(NamedTuple):
    """A unit that cannot even be described, because its engine was not found.

    ``language`` is the one that the provider's units stand under.
    """

    language: str
    provider: str
    problem: Problem
    files: int


class BuildPlan(NamedTuple):
    """All units, and every source file that none of them owns with a reason.

    ``problems`` concern planning itself (a broken ``pyproject.toml``), by language; ``surroundings`` are
    absolute paths that answers depend on, by language.
    """

    units: tuple[PlannedUnit, ...]
    missing: tuple[MissingUnit, ...]
    uncovered: tuple[tuple[SourceFile, str], ...]
    problems: tuple[tuple[str, Problem], ...]
    surroundings: tuple[tuple[str, tuple[str, ...]], ...] = ()


def source_files(inventory: Inventory) -> tuple[SourceFile, ...]:
    """Return the inventory's files that have a language, sorted by path bytes."""
    found = []
    for file in inventory.files:
        language = language_of(file.path)
        if language is not None:
            found.append(SourceFile(file.path, file.sha256, file.size, language))
    return tuple(found)


def make_plan(
    root: str,
    settings: Settings,
    inventory: Inventory,
    read: Callable[[str], bytes | None],
) -> BuildPlan:
    """Plan every provider that has files; one that serves several languages has them all together.

    ``root`` is the absolute real path and ``read`` reads a root-relative file without following links.
    """
    inputs = {file.path: file.sha256 for file in inventory.files if is_input(file.path)}
    generated = frozenset[str]() if settings.include_generated else _generated(root, inventory)
    by_provider: dict[str, list[SourceFile]] = {}
    uncovered = _unseen(inventory)
    for file in source_files(inventory):
        name = registry.name_for(file.language)
        if reason := _left_out(file, inventory, generated):
            uncovered.append((file, reason))
        elif name is None:
            uncovered.append((file, EMBEDDED_SCRIPT if file.language in SCRIPT_HOLDERS else NO_PROVIDER))
        else:
            by_provider.setdefault(name, []).append(file)
    units: list[PlannedUnit] = []
    missing: list[MissingUnit] = []
    problems: list[tuple[str, Problem]] = []
    surroundings: list[tuple[str, tuple[str, ...]]] = []
    for language, mine in sorted(by_provider.items()):
        provider = registry.provider_for(language)
        tool = provider.locate(settings, root)
        if isinstance(tool, Problem):
            missing.append(MissingUnit(language, provider.name, tool, len(mine)))
            uncovered += [(file, tool.code) for file in mine]
            continue
        workspace = Workspace(root, settings.repository_id, tuple(mine), inputs, read, settings)
        plan = provider.plan(workspace, tool)
        units += [PlannedUnit(spec, provider, tool) for spec in plan.units]
        reasons = dict(plan.outside)
        uncovered += [(file, reasons[file.path]) for file in mine if file.path in reasons]
        problems += [(language, problem) for problem in plan.problems]
        surroundings.append((language, plan.surroundings))
    return BuildPlan(tuple(units), tuple(missing), tuple(uncovered), tuple(problems), tuple(surroundings))


def _unseen(inventory: Inventory) -> list[tuple[SourceFile, str]]:
    return [
        (SourceFile(path, UNREAD, 0, language), UNSEEN[state])
        for path, state in inventory.unreadable
        if state in UNSEEN and (language := language_of(path)) is not None
    ]


def _generated(root: str, inventory: Inventory) -> frozenset[str]:
    """Return the source files that look generated, by their paths and first bytes."""
    with opened_root(root) as root_fd:
        return frozenset(
            file.path
            for file in source_files(inventory)
            if is_generated(file.path, read_head(root_fd, file.path, _HEAD))
        )


def _left_out(file: SourceFile, inventory: Inventory, generated: frozenset[str]) -> str | None:
    if file.path in inventory.excluded:
        return EXCLUDED
    if file.size > MOST_BYTES:
        return TOO_LARGE
    if file.path in generated:
        return EXCLUDED
    return None


def parser_unit(repository: str, files: Sequence[tuple[SourceFile, str]], grammars: str) -> UnitSpec:
    """Describe the unit of the files that no provider covers: what syntax alone shows of them.

    ``grammars`` is the version of the grammars; the reasons are part of the digest because rows carry them.
    """
    ordered = sorted(files, key=lambda entry: entry[0].path.encode("utf-8", "surrogateescape"))
    return UnitSpec(
        repository=repository,
        root="",
        language="",
        provider="syntax",
        provider_version=__version__,
        engine="tree-sitter",
        engine_version=grammars,
        files=tuple(file for file, _ in ordered),
        options=tuple((file.path, reason) for file, reason in ordered),
    )
