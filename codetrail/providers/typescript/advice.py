"""Say what ``index doctor`` says about modules that the last build did not find, and what would install them.

Commands are chosen by lock file, run no scripts, and name no package but the declarations of Node's own
modules (decision 3). This module must not know how a build ran.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem
from codetrail.providers.base import Workspace
from codetrail.providers.npm_packages import package_version
from codetrail.providers.typescript.dependencies import (
    FOLDER,
    Dependencies,
    asked_packages,
    command_to_add_node_types,
)
from codetrail.providers.typescript.engine import IMPORTS_MISSED, NAME
from codetrail.providers.typescript.projects import Projects, folder_of

NODE_TYPES = "@types/node"
NO_NODE_TYPES = "node_types_missing"
_UNRESOLVED = "unresolved_import"
_NODE_MODULES = frozenset(
    {
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "cluster",
        "console",
        "constants",
        "crypto",
        "dgram",
        "diagnostics_channel",
        "dns",
        "domain",
        "events",
        "fs",
        "http",
        "http2",
        "https",
        "inspector",
        "module",
        "net",
        "os",
        "path",
        "perf_hooks",
        "process",
        "punycode",
        "querystring",
        "readline",
        "repl",
        "stream",
        "string_decoder",
        "sys",
        "timers",
        "tls",
        "trace_events",
        "tty",
        "url",
        "util",
        "v8",
        "vm",
        "wasi",
        "worker_threads",
        "zlib",
    }
)
"""What Node brings itself, with and without ``node:`` (``module.builtinModules``, without subpaths)."""
_NAMED = 5


def missing_rows(
    problems: Iterable[Problem], workspace: Workspace, projects: Projects, dependencies: Dependencies
) -> Iterator[CheckRow]:
    """Yield how many imports found nothing, of which packages, and that declarations of Node are missing."""
    problems = tuple(problems)
    modules = {
        problem.detail: problem.times
        for problem in problems
        if problem.code == _UNRESOLVED and problem.detail is not None
    }
    own = sorted(module for module in modules if is_of_node(module))
    packages: Counter[str] = Counter()
    for module, times in modules.items():
        if not is_of_node(module) and not module.startswith((".", "/")):
            packages[package_of(module)] += times
    asked = asked_packages(projects, workspace.read)
    for problem in problems:
        if problem.code == IMPORTS_MISSED:
            most = sorted(packages.items(), key=lambda item: (-item[1], item[0]))[:_NAMED]
            named = ", ".join(f"{name!a:.80} ({times})" for name, times in most)
            installs = dependencies.missing or not asked.isdisjoint(packages)
            yield CheckRow(
                IMPORTS_MISSED,
                "warning",
                f"{problem.message} Packages missed most: {named}." if named else problem.message,
                NAME,
                (dependencies.command,) if installs and not dependencies.plug_and_play else (),
            )
    if own:
        yield _node_row(own, workspace, projects, dependencies, NODE_TYPES in asked)


def is_of_node(module: str) -> bool:
    """Tell whether a module is one that Node brings itself."""
    return module.startswith("node:") or module.partition("/")[0] in _NODE_MODULES


def package_of(module: str) -> str:
    """Return the package of a module that is no path: its first part, of a scope the first two."""
    parts = module.split("/")
    return "/".join(parts[: 2 if module.startswith("@") else 1])


def _node_row(
    modules: list[str], workspace: Workspace, projects: Projects, dependencies: Dependencies, is_asked: bool
) -> CheckRow:
    named = ", ".join(f"{module!a:.80}" for module in modules[:_NAMED])
    more = " and others" if len(modules) > _NAMED else ""
    sentence = f"Modules of Node itself were not found ({named}{more}): "
    folders = {"", *map(folder_of, projects.manifests)}
    places = (os.path.join(workspace.root, folder, FOLDER, NODE_TYPES) for folder in folders)
    if any(package_version(place, NODE_TYPES) is not None for place in places):
        sentence += (
            f"{NODE_TYPES} is installed, but not for all files, or compilerOptions.types leaves it out."
        )
        return CheckRow(NO_NODE_TYPES, "warning", sentence, NAME)
    if is_asked:
        sentence += f"{NODE_TYPES} is asked for, but not installed."
        return CheckRow(NO_NODE_TYPES, "warning", sentence, NAME, (dependencies.command,))
    sentence += f"their declarations come with {NODE_TYPES}."
    command = command_to_add_node_types(projects, workspace.read)
    return CheckRow(NO_NODE_TYPES, "warning", sentence, NAME, (command,))
