"""The second engine: scip-typescript, where a person asks for it in place of our own driver.

Our script in ``scip_typescript/`` runs it over all projects in one process that writes below the private run
folder only: it is never told to infer a configuration, which it would write into the workspace. What it
writes is read by its quirk profile, and the unit says which engine answered. This module must not know
projects.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from codetrail.model.units import Problem, UnitSpec
from codetrail.providers import node_driver, process
from codetrail.providers.acceptance import accept, hidden_folders
from codetrail.providers.base import Limits, Progress, RunOutcome, Tool
from codetrail.providers.events import Events
from codetrail.providers.managed import installed_versions
from codetrail.providers.node_run import Around, heap_mib, run_in_heap
from codetrail.providers.node_runtime import Node, memory_mib
from codetrail.providers.npm_packages import global_packages, package_version
from codetrail.providers.proof import Subject
from codetrail.providers.typescript.engine import SENTENCES as DRIVER_SENTENCES
from codetrail.providers.typescript.projects import Projects

ENGINE = "scip-typescript"
PACKAGE = "@sourcegraph/scip-typescript"
VERSION = "0.4.0"
"""The one version whose insides our script knows."""
CODE = "second_engine"
MISSING = "second_engine_missing"
INFERRING = "--infer-tsconfig"
_ENTRY = "dist/src/main.js"
_HEAP_MIB_A_FILE = 2.7
_SELF_TEST = {
    "tsconfig.json": '{"include": ["*.ts"]}',
    "shelf.ts": "export class Book {}\n",
    "use.js": 'import { Book } from "./shelf";\nnew Book();\n',
}

SENTENCES = DRIVER_SENTENCES | {
    "tool_unknown": "scip-typescript is not laid out as expected.",
    "config_error": "The configuration cannot be read; its files were taken without it.",
}
_SENTENCE = (
    "scip-typescript answered, as was asked for. It loses uses through renamed exports and between"
    " projects that are not built, gives members of object literals no use in other files, and knows neither"
    " reads and writes nor most overridden members; edits of JSON modules and inside packages go unnoticed."
)


def find(node: Node, root: str, env: Mapping[str, str]) -> Tool | Problem:
    """Return the tool that was installed for us, or by npm for this user or machine, outside ``root``.

    ``root`` is a real path.
    """
    other = ""
    for folder, origin in _candidates(node, root, env):
        version = package_version(folder, PACKAGE) or ""
        if version == VERSION and os.path.isfile(os.path.join(folder, _ENTRY)):
            details = (("folder", folder), ("node", node.origin))
            return Tool(ENGINE, version, origin, (node.program,), details)
        other = other or version
    seen = f"; {other:.40} is not that version" if other else ""
    sentence = f"The configuration asks for scip-typescript {VERSION}, which is not installed{seen}."
    return Problem(MISSING, sentence)


def _candidates(node: Node, root: str, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for _, folder in installed_versions(ENGINE, env):
        yield os.path.join(folder, "node_modules", PACKAGE), "installed by codetrail"
    yield from global_packages(PACKAGE, (ENGINE,), node, root, env)


def is_second(tool: Tool) -> bool:
    """Tell whether a tool of the provider is scip-typescript, run by our script."""
    return tool.name == ENGINE and bool(tool.details)


def refusal(command: Tool | Problem) -> Problem | None:
    """Return why a person's own command is not run: it would write configurations into the workspace."""
    if isinstance(command, Problem) or INFERRING not in command.argv:
        return None
    sentence = f"{command.origin} has {INFERRING}, which writes a tsconfig.json into the workspace."
    return Problem("engine_refused", sentence)


def subject_of(tool: Tool) -> Subject:
    """Return what a proof of the tool rests on."""
    return Subject(ENGINE, tool.version, digest(), os.path.join(_package(tool), _ENTRY))


def digest() -> str:
    """Return the SHA-256 (hex) over the files of our script."""
    return node_driver.digest_of(_script())


def remark() -> Problem:
    """Return what a unit says of being answered by this engine."""
    return Problem(CODE, _SENTENCE)


def run(
    unit: UnitSpec,
    projects: Projects,
    tool: Tool,
    node: Node,
    root: str,
    env: Mapping[str, str],
    folder: str,
    limits: Limits,
    progress: Progress,
) -> RunOutcome:
    """Run the unit in the private ``folder``; the SCIP file is in the outcome only if it may be believed."""
    files = [file.path for file in sorted(unit.files, key=lambda file: os.fsencode(file.path))]
    request = _request(tool, root, files, projects.configs, folder)
    path = node_driver.write_request(request, folder)
    output = os.path.join(folder, "index.scip")
    around = Around(root, env, folder, SENTENCES, memory_mib())

    def command(heap: int) -> list[str]:
        return _command(node, heap, folder, path, output)

    heap = heap_mib(len(files), around.memory, _HEAP_MIB_A_FILE)
    ran = run_in_heap(command, output, heap, around, limits, progress)
    hide = hidden_folders(root, folder, _package(tool))
    state, problems = accept(output, files, ran.result, ran.events, hide)
    if state not in ("built", "partial"):
        return RunOutcome(state, None, (remark(), *_lost(problems, ran.events.projects)), ran.seconds)
    return RunOutcome(state, output, (remark(), *problems), ran.seconds, left_out=ran.events.left_out)


def _lost(problems: tuple[Problem, ...], projects: tuple[str, ...]) -> tuple[Problem, ...]:
    """Say of each project that it has no rows, and why: they are run together and lost together."""
    *others, failure = problems
    return (*others, *(failure._replace(path=label) for label in projects or (failure.path,)))


def self_test(tool: Tool, node: Node, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    """Index a built-in project in the private ``folder``; None if both of its files have a document."""
    project = os.path.join(folder, "shelf")
    os.mkdir(project)
    for name, text in _SELF_TEST.items():
        with open(os.path.join(project, name), "x", encoding="ascii") as file:
            file.write(text)
    sources = [name for name in _SELF_TEST if not name.endswith(".json")]
    request = _request(tool, os.path.realpath(project), sources, ("tsconfig.json",), folder)
    path = node_driver.write_request(request, folder)
    events = Events(SENTENCES)
    result = process.run(
        _command(node, node_driver.SELF_TEST_MIB, folder, path, os.path.join(folder, "self-test.scip")),
        cwd=folder,
        env=node_driver.driver_environment(root, env, folder),
        limits=Limits(seconds=120, output_bytes=64 << 20, memory_bytes=2 << 30),
        on_stderr_line=events.take,
    )
    os.unlink(path)
    if result.state == "ok" and events.done is not None and events.done.documents == len(sources):
        return None
    detail = events.failed.detail if events.failed else result.stderr.text[-2000:]
    sentence = f"The self-test of {ENGINE} {tool.version} failed ({result.state})."
    if result.state == "interrupted":
        return Problem(result.state, sentence)
    code = node_driver.FAILED if result.state in ("ok", "exit") else node_driver.UNFINISHED
    return Problem(code, sentence, detail=detail or None)


def _request(
    tool: Tool, root: str, files: list[str], configs: tuple[str, ...], folder: str
) -> dict[str, object]:
    return {
        "root": root,
        "tool": _package(tool),
        "files": files,
        "configs": list(configs),
        "folder": folder,
    }


def _command(node: Node, heap: int, folder: str, request: str, output: str) -> list[str]:
    arguments = ("--request", request, "--output", output)
    return node_driver.command_line(_script(), node, heap, folder, *arguments)


def _package(tool: Tool) -> str:
    return dict(tool.details)["folder"]


def _script() -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "scip_typescript")
