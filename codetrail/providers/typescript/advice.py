"""Say what ``index doctor`` says about modules that the last build did not find, and what would install them.

Packages of the workspace itself are no matter of installing. This module must not know how a build ran, nor
which package manager wants what.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem
from codetrail.providers.base import Workspace
from codetrail.providers.npm_packages import package_version
from codetrail.providers.typescript.dependencies import FOLDER, Dependencies, Packages, packages_of
from codetrail.providers.typescript.engine import IMPORTS_MISSED, NAME
from codetrail.providers.typescript.package_managers import command_to_add_node_types, install_commands
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
OWN_PACKAGES = "own_packages_missed"
_OWN = (
    "Packages of the workspace itself were imported and not found: {named}. Unless another version of them"
    " is asked for, no install brings them: what their package.json leads to is not built, and no"
    " configuration tells of which source it is made. Build them, or name outDir and rootDir in their"
    " tsconfig.json."
)


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
    of_node = sorted(module for module in modules if is_of_node(module))
    missed: Counter[str] = Counter()
    for module, times in modules.items():
        if not is_of_node(module) and not module.startswith((".", "/")):
            missed[package_of(module)] += times
    packages = packages_of(projects, workspace.read)
    own = {name: times for name, times in missed.items() if name in packages.own}
    foreign = {name: times for name, times in missed.items() if name not in own}
    for problem in problems:
        if problem.code == IMPORTS_MISSED:
            named = f" Packages missed most: {_most(foreign)}." if foreign else ""
            asking = [
                folder
                for folder, asked in packages.asked.items()
                if any(_lacks(workspace.root, folder, name) for name in asked.intersection(foreign))
            ]
            installs = install_commands({*dependencies.missing, *asking}, projects, workspace.read)
            yield CheckRow(
                IMPORTS_MISSED,
                "warning",
                f"{problem.message}{named}",
                NAME,
                () if dependencies.plug_and_play else installs,
            )
    if own:
        yield CheckRow(OWN_PACKAGES, "warning", _OWN.format(named=_most(own)), NAME)
    if of_node:
        yield _node_row(of_node, workspace, projects, packages)


def _lacks(root: str, folder: str, name: str) -> bool:
    """Tell whether a package stands in no ``node_modules`` at or above a folder of the workspace."""
    while not os.path.isdir(os.path.join(root, folder, FOLDER, name)):
        if not folder:
            return True
        folder = folder_of(folder)
    return False


def _most(packages: Mapping[str, int]) -> str:
    """Return the packages that most imports missed, with how many did."""
    most = sorted(packages.items(), key=lambda item: (-item[1], item[0]))[:_NAMED]
    return ", ".join(f"{name!a:.80} ({times})" for name, times in most)


def is_of_node(module: str) -> bool:
    """Tell whether a module is one that Node brings itself."""
    return module.startswith("node:") or module.partition("/")[0] in _NODE_MODULES


def package_of(module: str) -> str:
    """Return the package of a module that is no path: its first part, of a scope the first two."""
    parts = module.split("/")
    return "/".join(parts[: 2 if module.startswith("@") else 1])


def _node_row(modules: list[str], workspace: Workspace, projects: Projects, packages: Packages) -> CheckRow:
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
    asking = [folder for folder, asked in packages.asked.items() if NODE_TYPES in asked]
    if asking:
        sentence += f"{NODE_TYPES} is asked for, but not installed."
        installs = install_commands(asking, projects, workspace.read)
        return CheckRow(NO_NODE_TYPES, "warning", sentence, NAME, installs)
    sentence += f"their declarations come with {NODE_TYPES}."
    command = command_to_add_node_types(projects, workspace.read)
    return CheckRow(NO_NODE_TYPES, "warning", sentence, NAME, (command,) if command else ())
