"""Say what ``index doctor`` says about TypeScript and JavaScript: engine, configurations, dependencies.

Each finding has a stable code, a sentence and, where a command helps, the command to type. Messages quote no
path of the machine. This module must not find anything itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from codetrail.model.counting import counted
from codetrail.model.reports import NO_PACKAGES, CheckRow
from codetrail.model.units import Problem
from codetrail.providers.base import Tool
from codetrail.providers.node_driver import FAILED, UNFINISHED
from codetrail.providers.node_runtime import UNRESPONSIVE, Node
from codetrail.providers.pins import TYPESCRIPT
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.providers.typescript.dependencies import Dependencies
from codetrail.providers.typescript.engine import INSTALLED, MISSING, NAME, NATIVE, OLDEST, TOO_NEW, TOO_OLD
from codetrail.providers.typescript.projects import Projects

_INSTALL = (("codetrail", "index-provider", "install", "typescript"),)
_MISSING = ("node_missing", "node_too_old", UNRESPONSIVE, MISSING, TOO_OLD, NATIVE, FAILED, UNFINISHED)
_NEXT = dict.fromkeys(_MISSING, _INSTALL) | {
    scip_typescript_engine.MISSING: (
        ("codetrail", "index-provider", "install", scip_typescript_engine.ENGINE),
    )
}
NO_CONFIGURATION = "no_configuration"
OWN_TYPESCRIPT = "workspace_typescript"
PLUG_AND_PLAY = "plug_and_play"
CONFIG_ERROR = "config_error"
_MOST_FAULTS = 5


def engine_row(tool: Tool | Problem, proven: Tool | Node | Problem) -> CheckRow:
    """Return the finding on the engine: ready, or the first thing that is missing."""
    if isinstance(proven, Problem):
        following = (
            () if _is_newest(tool) and proven.code in (FAILED, UNFINISHED) else _NEXT.get(proven.code, ())
        )
        return CheckRow(proven.code, "error", proven.message, NAME, following)
    assert isinstance(tool, Tool)
    if not tool.details:
        sentence = (
            f"Precise TypeScript and JavaScript answers come from the command that {tool.origin} sets;"
            " it was not run."
        )
        return CheckRow("engine_override", "ok", sentence, NAME)
    node = dict(tool.details)["node"]
    version = ".".join(map(str, proven.version)) if isinstance(proven, Node) else ""
    if scip_typescript_engine.is_second(tool):
        problem = scip_typescript_engine.remark()
        return CheckRow(problem.code, "ok", problem.message, NAME)
    sentence = (
        f"Precise TypeScript and JavaScript answers come from TypeScript {tool.version} ({tool.origin})"
        f" on Node {version} ({node}); its self-test passed."
    )
    return CheckRow("engine_ready", "ok", sentence, NAME)


def _is_newest(tool: Tool | Problem) -> bool:
    """Tell whether a tool is what an installation would bring: another one would change nothing."""
    return isinstance(tool, Tool) and (tool.origin, tool.version) == (INSTALLED, TYPESCRIPT.version)


def syntax_rows(faults: Iterable[tuple[str, str]]) -> Iterator[CheckRow]:
    """Yield that a configuration or package.json cannot be read, and why."""
    for path, why in islice(faults, _MOST_FAULTS):
        yield CheckRow(CONFIG_ERROR, "warning", f"In {path!a:.80}: {why}. Mend that file.", NAME)


def project_rows(projects: Projects, files: int) -> Iterator[CheckRow]:
    """Yield the findings on configurations; ``files`` is how many source files there are."""
    if projects.configs:
        configs, manifests = len(projects.configs), len(projects.manifests)
        sentence = counted(configs, f"{configs} [configuration|configurations], ") + counted(
            manifests, f"{manifests} [package|packages]."
        )
        yield CheckRow("configuration", "ok", sentence, NAME)
    else:
        sentence = (
            f"No tsconfig.json or jsconfig.json stands here: {files} [file is|files are] taken as one project"
            " with the compiler's usual settings."
        )
        yield CheckRow(NO_CONFIGURATION, "ok", counted(files, sentence), NAME)
    for problem in projects.problems:
        yield CheckRow(problem.code, "warning", f"{problem.message} ({problem.path!a:.80})", NAME)


def dependency_rows(
    dependencies: Dependencies, projects: Projects, commands: tuple[tuple[str, ...], ...]
) -> Iterator[CheckRow]:
    """Yield that packages are not installed, with the commands that install them and run no scripts."""
    if dependencies.plug_and_play:
        sentence = (
            "Yarn's Plug'n'Play keeps packages where they are not read; imports of them are unresolved."
            " With nodeLinker: node-modules they would be resolved."
        )
        yield CheckRow(PLUG_AND_PLAY, "warning", sentence, NAME)
    elif dependencies.missing:
        number, total = len(dependencies.missing), len(projects.manifests)
        sentence = (
            f"{number} of {total} {counted(total, '[package|packages]')}"
            f" {counted(number, '[asks|ask] for others and [has|have] no node_modules that is read')}:"
            f" what {counted(number, '[it imports|they import]')} is unresolved until those are installed."
        )
        yield CheckRow(NO_PACKAGES, "ok", sentence, NAME, commands)


def own_typescript_rows(dependencies: Dependencies, tool: Tool | Problem) -> Iterator[CheckRow]:
    """Yield that the workspace has a TypeScript of its own that does not answer; it is never loaded."""
    own = dependencies.typescript
    if own is None:
        return
    why = ""
    if _release(own) >= TOO_NEW:
        why = ", which has no JavaScript interface"
    elif _release(own) < OLDEST:
        why = ", which is too old"
    if isinstance(tool, Problem):
        if tool.code != MISSING:
            return
        instead = f"one of CodeTrail's own is needed, {TYPESCRIPT.version} for example"
    elif tool.name != NAME or not tool.details or _release(own) == _release(tool.version):
        return
    else:
        instead = f"answers come from {tool.version}"
    sentence = f"The workspace has TypeScript {own:.40}{why}; it is not loaded, {instead}."
    yield CheckRow(OWN_TYPESCRIPT, "ok", sentence, NAME)


def _release(version: str) -> tuple[int, ...]:
    parts = version.split(".")[:2]
    return tuple(int(part) if part.isdigit() else 0 for part in parts)
