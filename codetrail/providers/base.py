"""What every provider answers: is the tool here, which units are there, and run this one.

A provider turns one unit into SCIP documents (design: architecture invariant 2). It knows neither the store
nor the syntax layer; ``index`` brings them together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.workspace.config import Settings
from codetrail.workspace.surroundings import Surrounding


class Tool(NamedTuple):
    """A program or library that was found *and* answered: what it is, where it came from, how it is started.

    ``argv`` is the start of a command line with an absolute program path; ``origin`` says in words where it
    was found (``codetrail[python]``, ``CODETRAIL_NODE``, ``PATH``). ``details`` are what else its provider
    needs to start it, as pairs that only this provider reads.
    """

    name: str
    version: str
    origin: str
    argv: tuple[str, ...]
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Workspace:
    """What planning may look at: the root, the files of the provider's languages, and other files by name.

    ``root`` is the absolute real path (used only to start processes and to read below it); ``files`` are
    sorted by path bytes; ``others`` maps configuration and lock files (root-relative) to their SHA-256.
    ``read`` returns the bytes of a root-relative file, opened without following links, or None.
    """

    root: str
    repository: str
    files: tuple[SourceFile, ...]
    others: Mapping[str, str]
    read: Callable[[str], bytes | None]
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True)
class Plan:
    """The units of one provider in a workspace, and every file it was offered but does not own, with why.

    ``surroundings`` are absolute paths outside the tree, or left out of it, that answers depend on and whose
    change shows by one ``stat``: there now, or not there and of weight should they come.
    """

    units: tuple[UnitSpec, ...]
    outside: tuple[tuple[str, str], ...] = ()
    problems: tuple[Problem, ...] = ()
    surroundings: tuple[str, ...] = ()


class Limits(NamedTuple):
    """What one run may use: seconds, bytes of output, bytes of memory over the whole process tree."""

    seconds: float = 600.0
    output_bytes: int = 4 << 30
    memory_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came of running one unit: its SCIP file (None unless it may be believed) and its problems.

    ``state`` is ``built``, ``partial``, ``failed``, ``timed_out``, ``untrusted`` or ``skipped``. ``unit`` is
    given where another engine than the planned one answered: the unit as a plan with that engine has it.
    ``syntax_errors`` are the files that could not be parsed whole; None where the provider does not tell.
    ``left_out`` maps the files that the provider does not take to the code of the reason.
    ``read`` is what the engine read besides the unit's files and inputs, as far as the provider tells;
    ``data`` are files of the workspace that are no source and may have documents all the same.
    """

    state: str
    scip_path: str | None
    problems: tuple[Problem, ...] = ()
    seconds: float = 0.0
    unit: UnitSpec | None = None
    syntax_errors: frozenset[str] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    read: tuple[Surrounding, ...] = ()
    data: tuple[SourceFile, ...] = ()


Progress = Callable[[int, int], None]
"""Called with (files done, files in the unit) while a unit runs."""


class Provider(Protocol):
    """One language's way to precise facts."""

    name: str
    languages: tuple[str, ...]
    executes_workspace_code: bool

    def locate(self, settings: Settings, root: str) -> Tool | Problem:
        """Find the engine without starting anything, outside the real path ``root``; say what is missing.

        Enough to plan: an unchanged workspace is recognised with no process started. ``run`` proves the
        engine before it believes it.
        """
        ...

    def probe(self, settings: Settings, root: str) -> Tool | Problem:
        """Find the engine and *run* it (version and self-test); say what is missing otherwise."""
        ...

    def plan(self, workspace: Workspace, tool: Tool) -> Plan:
        """Divide the workspace into units; lose no file."""
        ...

    def run(
        self,
        unit: UnitSpec,
        workspace: Workspace,
        tool: Tool,
        folder: str,
        limits: Limits,
        progress: Progress,
    ) -> RunOutcome:
        """Run one unit in the private folder ``folder`` and return the path of its SCIP output."""
        ...

    def check(self, settings: Settings, workspace: Workspace | None) -> tuple[CheckRow, ...]:
        """Return what ``index doctor`` says about this provider here."""
        ...

    def advise(self, workspace: Workspace, problems: tuple[Problem, ...]) -> tuple[CheckRow, ...]:
        """Return what ``index doctor`` says about problems of the last build, besides naming them."""
        ...
