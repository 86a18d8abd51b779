"""Find the ``typescript`` package that our driver loads, and prove that both still understand each other.

In this order: the folder that ``CODETRAIL_TYPESCRIPT`` names, what ``index-provider install`` fetched, npm's
global folder. Never the workspace's own ``node_modules``: loading it would run code of the workspace. This
module must not know units or the workspace's content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from codetrail import __version__
from codetrail.model.units import Problem
from codetrail.providers import node_driver
from codetrail.providers.managed import installed_versions
from codetrail.providers.node_runtime import Node
from codetrail.providers.npm_packages import global_packages, package_version
from codetrail.providers.proof import Subject

NAME = "typescript"
ENTRY = "lib/typescript.js"
OLDEST, TOO_NEW = (5, 0), (7, 0)
IMPORTS_MISSED = "imports_missed"
"""The problem of a unit that says how many of its imports found no module."""
MISSING, TOO_OLD, NATIVE = "engine_missing", "engine_too_old", "engine_too_new"
VARIABLE = "CODETRAIL_TYPESCRIPT"
INSTALLED = "installed by codetrail"
"""The origin of a package that ``index-provider install`` fetched."""
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")

SENTENCES = node_driver.SENTENCES | {
    "typescript_unknown": "The typescript package is not laid out as the driver expects.",
    "typescript_missing": "The typescript package was gone when the driver came to it.",
    "typescript_native": "TypeScript 7 and later have no JavaScript interface; 6.0 is needed.",
    "typescript_too_old": "The typescript package is too old for the driver.",
    "config_error": "The configuration has errors; what could be read of it was used.",
    "too_many_projects": "There are more configurations than are read.",
    "project_failed": "The engine failed on the project; its files were taken without its configuration.",
    "ignored_used": "Files that ignore rules leave out take part; they have no rows of their own.",
    "dependencies_unread": "Links to dependencies lead where nothing is read; what they give is unresolved.",
    "files_inferred": "Files belong to no configuration; they were taken with the compiler's usual settings.",
    "file_minified": "The file is minified; it has no precise rows.",
    "file_not_source": "The file holds something else than its ending says; it has no precise rows.",
    "names_failed": "The engine failed on single names; those are unresolved.",
    "file_not_utf8": "Bytes of the file are not UTF-8; they were read as replacement characters.",
    "file_utf16": "The file is UTF-16; its types are known, but it has no rows of its own.",
    "dependencies_missing": "Packages ask for others that are not installed; what they import is unresolved.",
    "imports_unexplained": "Modules were not found that no dependency explains; they may be the workspace's.",
    "pnp_unsupported": "Yarn's Plug'n'Play is not read; imports of packages are unresolved.",
}
"""Our sentence for each code that the driver reports."""


class TypeScript(NamedTuple):
    """A ``typescript`` package: its version, its absolute folder, where it was found."""

    version: str
    folder: str
    origin: str


def find_typescript(named: str | None, node: Node, root: str, env: Mapping[str, str]) -> TypeScript | Problem:
    """Return the first package that has the interface the driver needs, without loading it; else why not.

    ``named`` is what ``CODETRAIL_TYPESCRIPT`` says: where it is set, nothing else is looked at.
    """
    if named:
        folder = os.path.expanduser(named)
        version = package_version(folder, NAME) if os.path.isabs(folder) else None
        if version is None:
            return Problem(MISSING, f"{VARIABLE} names no folder of the typescript package.")
        found = TypeScript(version, folder, VARIABLE)
        return objection(found) or found
    problem: Problem | None = None
    for found in _candidates(node, root, env):
        objected = objection(found)
        if objected is None:
            return found
        problem = problem or objected
    return problem or Problem(MISSING, "TypeScript is not installed where CodeTrail may load it.")


def objection(found: TypeScript) -> Problem | None:
    """Return why a package cannot be used: too old, native (from 7 on), or without its library."""
    version = _VERSION.match(found.version)
    numbers = tuple(map(int, version.groups())) if version is not None else (0, 0, 0)
    label = f"TypeScript {found.version:.40} ({found.origin})"
    if numbers >= TOO_NEW:
        return Problem(
            NATIVE, f"{label} has no JavaScript interface, as all versions from 7 on; 6.0 is needed."
        )
    if numbers < OLDEST:
        return Problem(TOO_OLD, f"{label} is too old: 5.0 or later is needed, before 7.")
    if not os.path.isfile(os.path.join(found.folder, ENTRY)):
        return Problem(MISSING, f"{label} lacks its library.")
    return None


def subject_of(typescript: TypeScript) -> Subject:
    """Return what a proof of the package rests on."""
    entry = os.path.join(typescript.folder, ENTRY)
    return Subject(NAME, typescript.version, driver_digest(), entry)


def driver_folder() -> str:
    """Return the absolute folder of the TypeScript driver."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "driver")


def driver_digest() -> str:
    """Return the SHA-256 (hex) over the driver's own files: another driver may give other rows."""
    return node_driver.digest_of(driver_folder())


def driver_command(node: Node, heap_mib: int, folder: str, *arguments: str) -> list[str]:
    """Return the whole command line of a driver run that may write below ``folder`` only."""
    return node_driver.command_line(driver_folder(), node, heap_mib, folder, *arguments)


def empty_request(typescript: TypeScript, root: str) -> dict[str, object]:
    """Return a request without files, to be filled; every key of the protocol is there."""
    return {
        "root": root,
        "files": [],
        "typescript": typescript.folder,
        "configs": [],
        "manifests": [],
        "only": None,
        "encodings": node_driver.driver_encodings(),
        "toolVersion": __version__,
        "fileSeconds": None,
    }


def self_test(
    node: Node, typescript: TypeScript, root: str, env: Mapping[str, str], folder: str
) -> Problem | None:
    """Let the driver index its built-in project in the private ``folder``; None if the answers are right."""
    path = node_driver.write_request(empty_request(typescript, folder), folder)
    words = driver_command(node, node_driver.SELF_TEST_MIB, folder, "--self-test", "--request", path)
    label = f"TypeScript {typescript.version}"
    problem = node_driver.run_self_test(words, label, SENTENCES, root, env, folder)
    os.unlink(path)
    return problem


def _candidates(node: Node, root: str, env: Mapping[str, str]) -> Iterator[TypeScript]:
    for version, folder in installed_versions(NAME, env):
        package = os.path.join(folder, "node_modules", NAME)
        if package_version(package, NAME) == version:
            yield TypeScript(version, package, INSTALLED)
    for folder, origin in global_packages(NAME, ("tsc",), node, root, env):
        yield TypeScript(package_version(folder, NAME) or "", folder, origin)
