"""The Python provider: one unit a workspace, indexed by our driver on Pyright's own modules.

Joins what the other modules of this room find: projects, environment, engine. Nothing of the workspace is
run; a virtual environment inside it is read. This module must not know how the driver does its work, nor what
becomes of its SCIP.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace

from codetrail import __version__
from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem, UnitSpec
from codetrail.providers import proof, trust
from codetrail.providers.base import Limits, Plan, Progress, RunOutcome, Tool, Workspace
from codetrail.providers.command import find_command
from codetrail.providers.node_driver import FAILED, UNFINISHED
from codetrail.providers.node_runtime import Node, find_node
from codetrail.providers.python import lsp_engine
from codetrail.providers.python.configuration import Projects, read_projects
from codetrail.providers.python.engine import Bundle, driver_digest, find_bundle, self_test, subject_of
from codetrail.providers.python.environment import PythonEnvironment, Wish, find_environment
from codetrail.scip.document_paths import is_portable
from codetrail.workspace.config import Settings
from codetrail.workspace.root import current_folder

_SELF_TEST_CODES = (FAILED, UNFINISHED)


class PythonProvider:
    """Pyright's modules in our own Node driver, or its language server.

    One object serves one build; it remembers what it proved.
    """

    name = "python"
    languages = ("python",)
    executes_workspace_code = False

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._env = dict(os.environ if env is None else env)
        self._prover = proof.Prover(self._env, _subject, _self_test)

    def locate(self, settings: Settings, root: str) -> Tool | Problem:
        """Find Node and the bundle, or a person's own command, outside the real path ``root``."""
        command = find_command("python", settings, root, self._env)
        if command is not None:
            return command
        node = find_node(settings.node, root, self._env)
        if isinstance(node, Problem):
            return node
        bundle = find_bundle(node, root, self._env)
        if isinstance(bundle, Problem):
            return bundle
        details = (("kind", bundle.kind), ("dist", bundle.dist), ("node", node.origin))
        tool = Tool(bundle.kind, bundle.version, bundle.origin, (node.program,), details)
        if settings.python_engine == lsp_engine.ENGINE:
            return lsp_engine.as_fallback(tool, lsp_engine.ASKED)
        if proof.failed_before(node, subject_of(bundle), self._env):
            return lsp_engine.as_fallback(tool, lsp_engine.FAILED)
        return tool

    def probe(self, settings: Settings, root: str) -> Tool | Problem:
        """Find the engine, ask Node for its version, and run the self-test; fall back where it fails."""
        tool = self.locate(settings, root)
        if isinstance(tool, Problem):
            return tool
        if not tool.details:
            return tool
        tool, proven = self._settle(tool, root)
        return proven if isinstance(proven, Problem) else tool

    def plan(self, workspace: Workspace, tool: Tool) -> Plan:
        """Return the one unit that owns every Python file, and what its rows depend on besides them."""
        projects, environment = self.surroundings(workspace)
        problems = (*projects.problems, *environment.problems)
        mine = [file for file in workspace.files if file.language in self.languages]
        files = tuple(file for file in mine if is_portable(file.path))
        owned = {file.path for file in files}
        outside = tuple((file.path, "path_not_portable") for file in mine if file.path not in owned)
        if not files:
            return Plan((), outside, problems)
        unit = UnitSpec(
            repository=workspace.repository,
            root="",
            language="python",
            provider=self.name,
            provider_version=__version__,
            engine=tool.name,
            engine_version=tool.version,
            files=files,
            inputs=tuple((path, workspace.others[path]) for path in projects.inputs),
            options=_options(projects, tool),
            environment=environment.facts(workspace.root),
        )
        return Plan((unit,), outside, problems, environment.watched)

    def run(
        self,
        unit: UnitSpec,
        workspace: Workspace,
        tool: Tool,
        folder: str,
        limits: Limits,
        progress: Progress,
    ) -> RunOutcome:
        """Prove the engine, then run the unit in ``folder``; refuse an environment changed since planning.

        Raises SystemFailure when no private folder can be had for the self-test.
        """
        # What a run needs is loaded only for one: planning must be quick where nothing changed.
        from codetrail.providers.command import run_command
        from codetrail.providers.python.driver_run import make_request, run_driver

        node = self._prover.prove(tool, workspace.root) if tool.details else None
        if isinstance(node, Problem) and node.code in _SELF_TEST_CODES and lsp_engine.reason(tool) is None:
            return self._fall_back(node, workspace, tool, folder, limits, progress)
        if isinstance(node, Problem):
            return RunOutcome("failed", None, (node,))
        projects, environment = self.surroundings(workspace)
        if environment.facts(workspace.root) != unit.environment or _options(projects, tool) != unit.options:
            sentence = "The Python environment or its configuration changed while the build was running."
            return RunOutcome("failed", None, (Problem("environment_changed", sentence),))
        if node is None:
            return run_command(unit, tool, workspace.root, self._env, folder, limits)
        bundle = _bundle(tool)
        request = make_request(unit, bundle, workspace.root, projects, environment)
        root = workspace.root
        if lsp_engine.reason(tool) is None:
            return run_driver(unit, request, node, bundle, root, self._env, folder, limits, progress)
        command = lsp_engine.command_of(bundle)
        outcome = run_driver(unit, request, node, bundle, root, self._env, folder, limits, progress, command)
        if outcome.scip_path is None:
            return outcome
        # A language server does not tell which files it could parse.
        return replace(outcome, problems=(lsp_engine.remark(tool), *outcome.problems), syntax_errors=None)

    def _fall_back(
        self,
        failure: Problem,
        workspace: Workspace,
        tool: Tool,
        folder: str,
        limits: Limits,
        progress: Progress,
    ) -> RunOutcome:
        """Let the language server answer, in a unit that says so, and what is wrong with the other engine."""
        tool = lsp_engine.as_fallback(tool, lsp_engine.FAILED)
        (unit,) = self.plan(workspace, tool).units
        outcome = self.run(unit, workspace, tool, folder, limits, progress)
        return replace(outcome, problems=(*outcome.problems, failure), unit=unit)

    def check(self, settings: Settings, workspace: Workspace | None) -> tuple[CheckRow, ...]:
        """Return what ``index doctor`` says about Python here; runs the self-test."""
        from codetrail.providers import findings
        from codetrail.providers.python import checks

        root = workspace.root if workspace is not None else current_folder() or "/"
        tool = self.locate(settings, root)
        proven: Tool | Node | Problem = tool
        rows: list[CheckRow] = []
        if isinstance(tool, Tool) and tool.details:
            tool, proven = self._settle(tool, root)
            rows += checks.fallback_rows(tool)
        rows.insert(0, checks.engine_row(tool, proven))
        if isinstance(tool, Problem) and (node := findings.node_problem(settings, root, self._env, tool)):
            rows.append(checks.problem_row(node))
        if workspace is not None:
            projects, environment = self.surroundings(workspace)
            rows += checks.environment_rows(environment)
            rows += checks.configuration_rows(projects)
            rows += findings.file_rows((file.path for file in workspace.files), self.name)
        rows += findings.path_rows(self._env, root, self.name)
        return tuple(findings.with_variables(rows, settings, self.name))

    def advise(self, workspace: Workspace, problems: tuple[Problem, ...]) -> tuple[CheckRow, ...]:  # noqa: ARG002
        """Return nothing: what is missing in an environment only its owner can name."""
        return ()

    def surroundings(self, workspace: Workspace) -> tuple[Projects, PythonEnvironment]:
        """Read the projects of a workspace and choose its environment."""
        settings = workspace.settings
        paths = [file.path for file in workspace.files if file.language in self.languages]
        projects = read_projects(workspace.read, workspace.others, paths, settings.python_roots)
        venv = projects.pyright.venv
        venv = os.path.join(workspace.root, venv) if venv is not None else None
        wishes = self._wishes(settings, workspace.root)
        return projects, find_environment(workspace.root, self._env, wishes, venv)

    def _wishes(self, settings: Settings, root: str) -> tuple[Wish, ...]:
        value = settings.python_interpreter
        if value is None:
            return ()
        origin = settings.origins.get("python.interpreter", "the command line")
        if origin != "workspace":
            named = {"environment": "CODETRAIL_PYTHON", "user": "the user's configuration"}
            return (Wish(value, named.get(origin, origin), True),)
        execution = trust.Execution(commands=((value,),))
        trusted = trust.state(root, execution, self._env).trusted
        path = os.path.join(root, value) if "/" in value else value
        return (Wish(path, "codetrail.toml", trusted),)

    def _settle(self, tool: Tool, root: str) -> tuple[Tool, Node | Problem]:
        """Return the engine that answers, proven now: the one that was found, or its fallback.

        A failure recorded earlier is not believed: the in-process engine is tested again.
        """
        if lsp_engine.reason(tool) == lsp_engine.ASKED:
            return tool, self._prover.test(tool, root)
        first = lsp_engine.without_fallback(tool)
        proven = self._prover.test(first, root)
        if isinstance(proven, Node) or proven.code not in _SELF_TEST_CODES:
            return first, proven
        tool = lsp_engine.as_fallback(first, lsp_engine.FAILED)
        return tool, self._prover.test(tool, root)


def _subject(tool: Tool) -> proof.Subject | None:
    """Return what a proof rests on; each run of the language server begins with a question of its own."""
    return None if lsp_engine.reason(tool) is not None else subject_of(_bundle(tool))


def _self_test(tool: Tool, node: Node, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    test = self_test if lsp_engine.reason(tool) is None else lsp_engine.self_test
    return test(node, _bundle(tool), root, env, folder)


def _bundle(tool: Tool) -> Bundle:
    details = dict(tool.details)
    return Bundle(details["kind"], tool.version, details["dist"], tool.origin)


def _options(projects: Projects, tool: Tool) -> tuple[tuple[str, str], ...]:
    """Return what the rows depend on besides files: driver or command line, packages, import roots."""
    packages = [[one.root, one.name, one.version] for one in projects.packages]
    engine = (
        ("driver", _digest(tool)) if tool.details else ("command", json.dumps([tool.name, *tool.argv[1:]]))
    )
    return (
        engine,
        ("packages", json.dumps(packages)),
        ("roots", json.dumps(projects.environments)),
    )


def _digest(tool: Tool) -> str:
    return driver_digest() if lsp_engine.reason(tool) is None else lsp_engine.digest()
