"""Say what ``index doctor`` says about Python: engine, interpreter, configuration, PATH.

Each finding has a stable code, a sentence and, where a command helps, the command to type. Messages quote no
path of the machine. This module must not find anything itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from codetrail.model.counting import counted
from codetrail.model.reports import NO_PACKAGES, CheckRow
from codetrail.model.units import Problem
from codetrail.providers.base import Tool
from codetrail.providers.node_runtime import UNRESPONSIVE, Node
from codetrail.providers.python import lsp_engine
from codetrail.providers.python.configuration import Projects
from codetrail.providers.python.environment import PythonEnvironment

_LANGUAGE = "python"
_INSTALL = (("codetrail", "index-provider", "install", "python"),)
_UPGRADE = (("pip", "install", "--upgrade", "codetrail[python]"),)
_NEXT = {
    "node_missing": _INSTALL,
    "node_too_old": _INSTALL,
    UNRESPONSIVE: _INSTALL,
    "engine_missing": _INSTALL,
    "engine_too_old": _INSTALL,
    "self_test_failed": _UPGRADE,
    "self_test_unfinished": _UPGRADE,
    "no_interpreter": (("python3", "-m", "venv", ".venv"),),
}
_TOOLS = frozenset({"pip", "setuptools", "wheel"})
"""What an environment holds before anything is installed."""
_ERRORS = frozenset(_NEXT) - {"no_interpreter"}


def engine_row(tool: Tool | Problem, proven: Tool | Node | Problem) -> CheckRow:
    """Return the finding on the engine: ready, or the first thing that is missing."""
    if isinstance(proven, Problem):
        return problem_row(proven)
    assert isinstance(tool, Tool)
    if not tool.details:
        sentence = f"Precise Python answers come from the command that {tool.origin} sets; it was not run."
        return CheckRow("engine_override", "ok", sentence, _LANGUAGE)
    node = dict(tool.details)["node"]
    version = ".".join(map(str, proven.version)) if isinstance(proven, Node) else ""
    sentence = (
        f"Precise Python answers come from {tool.name} {tool.version} ({tool.origin})"
        f" on Node {version} ({node}); its self-test passed."
    )
    return CheckRow("engine_ready", "ok", sentence, _LANGUAGE)


def fallback_rows(tool: Tool) -> Iterator[CheckRow]:
    """Yield that the fallback engine answers, if it does, why, and what is lost by it."""
    why = lsp_engine.reason(tool)
    if why is not None:
        problem = lsp_engine.remark(tool)
        following = _NEXT["self_test_failed"] if why == lsp_engine.FAILED else ()
        yield CheckRow(problem.code, "warning", problem.message, _LANGUAGE, following)


def environment_rows(environment: PythonEnvironment) -> Iterator[CheckRow]:
    """Yield the findings on the interpreter: which, why, how many packages, and what was passed over."""
    if environment.label is not None:
        number = len(environment.distributions)
        sentence = (
            f"{environment.label} is what imports are resolved with;"
            f" {number} {counted(number, 'installed [package is|packages are]')} visible."
        )
        yield CheckRow("interpreter", "ok", sentence, _LANGUAGE)
        own = {one.name.lower() for one in environment.distributions} - _TOOLS
        on_path = environment.origin.endswith(" on PATH")
        if on_path or not own:
            found = "No virtual environment was found here" if on_path else "No packages are installed"
            sentence = (
                f"{found}: the dependencies of the project have to be installed in the interpreter in use"
                f" ({environment.origin}), or in a virtual environment, before the next build."
            )
            make = _NEXT["no_interpreter"] if on_path else ()
            yield CheckRow(NO_PACKAGES, "ok", sentence, _LANGUAGE, make)
    for problem in environment.problems:
        yield problem_row(problem)
    for note in environment.notes:
        yield CheckRow(note.code, "ok", f"{note.message} ({note.times})", _LANGUAGE)


def configuration_rows(projects: Projects) -> Iterator[CheckRow]:
    """Yield the findings on projects and Pyright's own configuration."""
    source = projects.pyright.source or "none"
    sentence = (
        counted(len(projects.packages), f"{len(projects.packages)} named [project|projects], ")
        + counted(len(projects.roots), f"{len(projects.roots)} import [root|roots];")
        + f" Pyright configuration: {source}."
    )
    yield CheckRow("configuration", "ok", sentence, _LANGUAGE)
    for problem in projects.problems:
        yield problem_row(problem)


def problem_row(problem: Problem) -> CheckRow:
    """Return a problem as a finding, with the command that usually helps."""
    severity = "error" if problem.code in _ERRORS else "warning"
    needs = "a person's decision" if problem.code == "untrusted" else None
    place = f" ({problem.path!a:.80})" if problem.path else ""
    times = f" ({problem.times} times)" if problem.times > 1 else ""
    sentence = f"{problem.message}{place}{times}"
    return CheckRow(problem.code, severity, sentence, _LANGUAGE, _NEXT.get(problem.code, ()), needs)
