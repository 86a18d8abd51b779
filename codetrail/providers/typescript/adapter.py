"""The TypeScript provider: one unit a workspace, all TypeScript and JavaScript in it, indexed by our driver.

Joins what the other modules of this room find: engine, configurations, dependencies. The compiler's own
configuration reader, inside the driver, decides which project a file belongs to. Nothing of the workspace is
run: neither its ``node_modules/typescript`` nor a plugin it configures. This module must not know how the
driver does its work, nor what becomes of its SCIP.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace

from codetrail import __version__
from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem, UnitSpec
from codetrail.providers import proof
from codetrail.providers.base import Limits, Plan, Progress, RunOutcome, Tool, Workspace
from codetrail.providers.command import find_command
from codetrail.providers.node_runtime import Node, find_node
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.providers.typescript.dependencies import Dependencies, look_at
from codetrail.providers.typescript.engine import (
    NAME,
    TypeScript,
    driver_digest,
    find_typescript,
    self_test,
    subject_of,
)
from codetrail.providers.typescript.projects import EXTENDS, Projects, read_projects
from codetrail.scip.document_paths import is_portable
from codetrail.workspace.config import Settings
from codetrail.workspace.root import current_folder


class TypeScriptProvider:
    """The ``typescript`` package in our own Node driver, or scip-typescript where a person asks for it.

    One object serves one build; it remembers what it proved.
    """

    name = NAME
    languages = ("typescript", "javascript")
    executes_workspace_code = False

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = dict(os.environ if env is None else env)
        self._prover = proof.Prover(self._env, _subject, _self_test)

    def locate(self, settings: Settings, root: str) -> Tool | Problem:
        """Find Node and ``typescript``, or a person's own command, outside the real path ``root``."""
        command = find_command(NAME, settings, root, self._env)
        if command is not None:
            return scip_typescript_engine.refusal(command) or command
        node = find_node(settings.node, root, self._env)
        if isinstance(node, Problem):
            return node
        if settings.typescript_engine == scip_typescript_engine.ENGINE:
            return scip_typescript_engine.find(node, root, self._env)
        found = find_typescript(settings.typescript, node, root, self._env)
        if isinstance(found, Problem):
            return found
        details = (("folder", found.folder), ("node", node.origin))
        return Tool(NAME, found.version, found.origin, (node.program,), details)

    def probe(self, settings: Settings, root: str) -> Tool | Problem:
        """Find the engine, ask Node for its version, and run the self-test."""
        tool = self.locate(settings, root)
        if isinstance(tool, Problem) or not tool.details:
            return tool
        proven = self._prover.test(tool, root)
        return proven if isinstance(proven, Problem) else tool

    def plan(self, workspace: Workspace, tool: Tool) -> Plan:
        """Return the one unit that owns every file, and what its rows depend on besides them."""
        projects, dependencies = surroundings(workspace)
        mine = [file for file in workspace.files if file.language in self.languages]
        files = tuple(file for file in mine if is_portable(file.path))
        outside = tuple((file.path, "path_not_portable") for file in mine if not is_portable(file.path))
        if not files:
            return Plan((), outside, projects.problems)
        unit = UnitSpec(
            repository=workspace.repository,
            root="",
            language=NAME,
            provider=self.name,
            provider_version=__version__,
            engine=tool.name,
            engine_version=tool.version,
            files=files,
            inputs=tuple((path, workspace.others[path]) for path in projects.inputs),
            options=_options(projects, tool),
            environment=_facts(projects, dependencies),
        )
        extended = tuple(os.path.join(workspace.root, path) for path, _ in projects.extended)
        return Plan((unit,), outside, projects.problems, (*dependencies.watched, *extended))

    def run(
        self,
        unit: UnitSpec,
        workspace: Workspace,
        tool: Tool,
        folder: str,
        limits: Limits,
        progress: Progress,
    ) -> RunOutcome:
        """Prove the engine, then run the unit in ``folder``; refuse dependencies changed since planning.

        Raises SystemFailure when no private folder can be had for the self-test.
        """
        # What a run needs is loaded only for one: planning must be quick where nothing changed.
        from codetrail.providers.command import run_command
        from codetrail.providers.typescript.driver_run import make_request, run_driver

        projects, dependencies = surroundings(workspace)
        if _facts(projects, dependencies) != unit.environment or _options(projects, tool) != unit.options:
            sentence = "The installed dependencies or configurations changed while the build was running."
            return RunOutcome("failed", None, (Problem("environment_changed", sentence),))
        if not tool.details:
            outcome = run_command(unit, tool, workspace.root, self._env, folder, limits)
            return replace(outcome, problems=(*outcome.problems, scip_typescript_engine.remark()))
        node = self._prover.prove(tool, workspace.root)
        if isinstance(node, Problem):
            return RunOutcome("failed", None, (node,))
        if scip_typescript_engine.is_second(tool):
            return scip_typescript_engine.run(
                unit, projects, tool, node, workspace.root, self._env, folder, limits, progress
            )
        typescript = typescript_of(tool)
        request = make_request(unit, typescript, workspace.root, projects)
        return run_driver(
            unit, request, node, typescript, workspace.root, self._env, folder, limits, progress
        )

    def check(self, settings: Settings, workspace: Workspace | None) -> tuple[CheckRow, ...]:
        """Return what ``index doctor`` says about TypeScript and JavaScript here; runs the self-test."""
        from codetrail.providers import findings
        from codetrail.providers.typescript import checks
        from codetrail.providers.typescript.configuration_syntax import faults
        from codetrail.providers.typescript.package_managers import install_commands

        root = workspace.root if workspace is not None else current_folder() or "/"
        tool = self.locate(settings, root)
        proven: Tool | Node | Problem = tool
        if isinstance(tool, Tool) and tool.details:
            proven = self._prover.test(tool, root)
        rows = [checks.engine_row(tool, proven)]
        if isinstance(tool, Problem) and (node := findings.node_problem(settings, root, self._env, tool)):
            rows.append(checks.engine_row(node, node))
        if workspace is not None and workspace.files:
            projects, dependencies = surroundings(workspace)
            rows += checks.project_rows(projects, len(workspace.files))
            rows += checks.syntax_rows(faults(projects, workspace.read))
            installs = install_commands(dependencies.missing, projects, workspace.read)
            rows += checks.dependency_rows(dependencies, projects, installs)
            rows += checks.own_typescript_rows(dependencies, tool)
            rows += findings.file_rows((file.path for file in workspace.files), self.name)
        rows += findings.path_rows(self._env, root, self.name)
        return tuple(findings.with_variables(rows, settings, self.name))

    def advise(self, workspace: Workspace, problems: tuple[Problem, ...]) -> tuple[CheckRow, ...]:
        """Return how many imports found no module, which packages they miss, and what would install them."""
        from codetrail.providers.typescript.advice import missing_rows

        projects, dependencies = surroundings(workspace)
        return tuple(missing_rows(problems, workspace, projects, dependencies))


def typescript_of(tool: Tool) -> TypeScript:
    """Return the package that a tool of this provider stands for."""
    return TypeScript(tool.version, dict(tool.details)["folder"], tool.origin)


def surroundings(workspace: Workspace) -> tuple[Projects, Dependencies]:
    """Read what the workspace has of configurations and packages, and what is installed of the latter."""
    projects = read_projects(workspace.read, workspace.others, workspace.settings.typescript_projects)
    return projects, look_at(workspace.root, projects, workspace.read)


def _subject(tool: Tool) -> proof.Subject:
    if scip_typescript_engine.is_second(tool):
        return scip_typescript_engine.subject_of(tool)
    return subject_of(typescript_of(tool))


def _self_test(tool: Tool, node: Node, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    if scip_typescript_engine.is_second(tool):
        return scip_typescript_engine.self_test(tool, node, root, env, folder)
    return self_test(node, typescript_of(tool), root, env, folder)


def _options(projects: Projects, tool: Tool) -> tuple[tuple[str, str], ...]:
    """Return what the rows depend on besides files: driver or command line, and the projects chosen."""
    if not tool.details:
        engine = ("command", json.dumps([tool.name, *tool.argv[1:]]))
    elif scip_typescript_engine.is_second(tool):
        engine = ("driver", scip_typescript_engine.digest())
    else:
        engine = ("driver", driver_digest())
    return (engine, ("configs", json.dumps(projects.configs)))


def _facts(projects: Projects, dependencies: Dependencies) -> tuple[tuple[str, str], ...]:
    """Return what answers depend on outside the inventory: dependencies, and files that are extended."""
    extended = ((EXTENDS + path, digest) for path, digest in projects.extended)
    return tuple(sorted((*dependencies.facts, *extended)))
