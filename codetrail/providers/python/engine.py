"""Find the published Pyright bundle that our driver loads, and prove that both still understand each other.

In this order: ``basedpyright`` beside CodeTrail, what ``index-provider install`` fetched, an npm ``pyright``
outside the workspace. Nothing of the workspace's ``node_modules`` is looked at. This module must not know
units or the workspace's content.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from codetrail import __version__
from codetrail.model.units import Problem
from codetrail.providers import node_driver
from codetrail.providers.installed import installed_package
from codetrail.providers.managed import installed_versions
from codetrail.providers.node_runtime import Node
from codetrail.providers.npm_packages import global_packages, package_version
from codetrail.providers.proof import Subject

OLDEST = {"basedpyright": (1, 28, 0), "pyright": (1, 1, 380)}
ENTRY = "pyright-langserver.js"
MANAGED_DIST = "site/basedpyright/dist"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")

SENTENCES = node_driver.SENTENCES | {
    "bundle_unknown": "The Pyright bundle is not laid out as the driver expects.",
    "bundle_too_old": "The Pyright bundle is too old for the driver.",
    "server_ended": "The language server ended before it was asked to.",
    "server_failed": "The language server refused to begin.",
    "server_garbage": "The language server sent something that is no message of its protocol.",
    "server_silent": "The language server did not answer in time.",
}
"""Our sentence for each code that a driver reports."""


class Bundle(NamedTuple):
    """A bundle: ``basedpyright`` or ``pyright``, its version, its absolute ``dist``, where it was found."""

    kind: str
    version: str
    dist: str
    origin: str


def subject_of(bundle: Bundle) -> Subject:
    """Return what a proof of the bundle rests on."""
    return Subject(bundle.kind, bundle.version, driver_digest(), os.path.join(bundle.dist, ENTRY))


def find_bundle(node: Node, root: str, env: Mapping[str, str]) -> Bundle | Problem:
    """Return the first bundle that is new enough, without loading it; else what is missing or too old."""
    old: Bundle | None = None
    for bundle in _candidates(node, root, env):
        found = _VERSION.match(bundle.version)
        if found is not None and tuple(map(int, found.groups())) >= OLDEST[bundle.kind]:
            return bundle
        old = old or bundle
    if old is not None:
        oldest = ".".join(map(str, OLDEST[old.kind]))
        return Problem(
            "engine_too_old", f"{old.kind} ({old.origin}) is too old: {oldest} or later is needed."
        )
    return Problem("engine_missing", "No Pyright is installed beside CodeTrail or for this user.")


def driver_folder() -> str:
    """Return the absolute folder of the Python driver."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "driver")


def driver_digest() -> str:
    """Return the SHA-256 (hex) over the driver's own files: another driver may give other rows."""
    return node_driver.digest_of(driver_folder())


def driver_command(node: Node, heap_mib: int, folder: str, *arguments: str) -> list[str]:
    """Return the whole command line of a driver run that may write below ``folder`` only."""
    return node_driver.command_line(driver_folder(), node, heap_mib, folder, *arguments)


def empty_request(bundle: Bundle, root: str) -> dict[str, object]:
    """Return a request without files, to be filled; every key of the protocol is there."""
    return {
        "root": root,
        "files": [],
        "bundle": {"kind": bundle.kind, "dist": bundle.dist},
        "python": {"version": None, "platform": None, "searchPaths": [], "interpreter": None},
        "roots": [""],
        "packages": [],
        "distributions": [],
        "encodings": node_driver.driver_encodings(),
        "toolVersion": __version__,
    }


def self_test(node: Node, bundle: Bundle, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    """Let the driver index its built-in project in the private ``folder``; None if the answers are right."""
    path = node_driver.write_request(empty_request(bundle, folder), folder)
    words = driver_command(node, node_driver.SELF_TEST_MIB, folder, "--self-test", "--request", path)
    label = f"{bundle.kind} {bundle.version}"
    problem = node_driver.run_self_test(words, label, SENTENCES, root, env, folder)
    os.unlink(path)
    return problem


def _candidates(node: Node, root: str, env: Mapping[str, str]) -> Iterator[Bundle]:
    package = installed_package("basedpyright", "basedpyright")
    if package is not None:
        dist = os.path.join(package.folder, "dist")
        if os.path.isfile(os.path.join(dist, ENTRY)):
            yield Bundle("basedpyright", package.version, dist, "codetrail[python]")
    for version, folder in installed_versions("python", env):
        dist = os.path.join(folder, MANAGED_DIST)
        if os.path.isfile(os.path.join(dist, ENTRY)):
            yield Bundle("basedpyright", version, dist, "installed by codetrail")
    for folder, origin in global_packages("pyright", ("pyright", "pyright-langserver"), node, root, env):
        dist = os.path.join(folder, "dist")
        if os.path.isfile(os.path.join(dist, ENTRY)):
            yield Bundle("pyright", package_version(folder, "pyright") or "", dist, origin)
