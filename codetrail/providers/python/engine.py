"""Find the published Pyright bundle that our driver loads, and prove that both still understand each other.

In this order: ``basedpyright`` beside CodeTrail, an npm ``pyright`` outside the workspace. Nothing of the
workspace's ``node_modules`` is looked at. This module must not know units or the workspace's content.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from codetrail import __version__
from codetrail.model.units import Problem
from codetrail.providers import process, programs
from codetrail.providers.base import Limits
from codetrail.providers.events import Events
from codetrail.providers.installed import installed_package
from codetrail.providers.node_runtime import Node, node_command
from codetrail.providers.python.site_packages import read_bounded
from codetrail.workspace.encodings import encoding_tables

OLDEST = {"basedpyright": (1, 28, 0), "pyright": (1, 1, 380)}
ENTRY = "pyright-langserver.js"
FAILED = "self_test_failed"
UNFINISHED = "self_test_unfinished"
"""The driver ended without the right answers, or was ended: by time-out, for its memory, from elsewhere."""
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_SELF_TEST_MIB = 1024
_SELF_TEST_SECONDS = 120.0

SENTENCES = {
    "bundle_unknown": "The Pyright bundle is not laid out as the driver expects.",
    "bundle_too_old": "The Pyright bundle is too old for the driver.",
    "self_test_failed": "The engine gave other answers than expected on the built-in test project.",
    "request_invalid": "The driver does not understand what it was asked.",
    "usage": "The driver does not understand how it was started.",
    "engine_crashed": "The engine failed on the whole unit.",
    "engine_error": "The engine reported an error of its own.",
    "file_missing": "The file was gone when the engine came to it.",
    "file_failed": "The engine failed on the file; it has no precise rows.",
    "syntax_errors": "The file has syntax errors; rows are missing where it could not be parsed.",
    "server_ended": "The language server ended before it was asked to.",
    "server_failed": "The language server refused to begin.",
    "server_garbage": "The language server sent something that is no message of its protocol.",
    "server_silent": "The language server did not answer in time.",
    "unresolved_import": "An imported module was not found; names from it are unresolved.",
}
"""Our sentence for each code that a driver reports."""


class Bundle(NamedTuple):
    """A bundle: ``basedpyright`` or ``pyright``, its version, its absolute ``dist``, where it was found."""

    kind: str
    version: str
    dist: str
    origin: str


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
    shared = os.path.join(os.path.dirname(os.path.dirname(driver_folder())), "node")
    digest = hashlib.sha256()
    for folder in (shared, driver_folder()):
        for name in sorted(name for name in os.listdir(folder) if name.endswith((".js", ".json"))):
            with open(os.path.join(folder, name), "rb") as file:
                content = file.read()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def driver_command(node: Node, heap_mib: int, folder: str, *arguments: str) -> list[str]:
    """Return the whole command line of a driver run that may write below ``folder`` only."""
    return [*node_command(node, heap_mib, folder), os.path.join(driver_folder(), "main.js"), *arguments]


def driver_environment(root: str, env: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return the environment of a driver run: the basic variables, and its own folder for temporary files."""
    return programs.child_environment(env, root, extra={"TMPDIR": folder, "NODE_NO_WARNINGS": "1"})


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
        "encodings": driver_encodings(),
        "toolVersion": __version__,
    }


def driver_encodings() -> dict[str, dict[str, str]]:
    """Return the tables by which the driver decodes source, so that its columns are those of our text."""
    tables = encoding_tables()
    return {"names": tables.names, "oneByte": tables.one_byte, "manyBytes": tables.many_bytes}


def write_request(request: Mapping[str, object], folder: str) -> str:
    """Write a request into the private run folder; return its path."""
    path = os.path.join(folder, "REQUEST.json")
    with open(path, "x", encoding="ascii") as file:
        json.dump(request, file, ensure_ascii=True, separators=(",", ":"))
    return path


def self_test(node: Node, bundle: Bundle, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    """Let the driver index its built-in project in the private ``folder``; None if the answers are right."""
    path = write_request(empty_request(bundle, folder), folder)
    events = Events(SENTENCES)
    result = process.run(
        driver_command(node, _SELF_TEST_MIB, folder, "--self-test", "--request", path),
        cwd=folder,
        env=driver_environment(root, env, folder),
        limits=Limits(seconds=_SELF_TEST_SECONDS, output_bytes=64 << 20, memory_bytes=2 << 30),
        on_stderr_line=events.take,
    )
    os.unlink(path)
    if result.state == "ok" and events.done is not None and events.failed is None:
        return None
    detail = events.failed.detail if events.failed else result.stderr.text[-2000:]
    sentence = f"The self-test of {bundle.kind} {bundle.version} failed ({result.state})."
    if result.state == "interrupted":
        return Problem(result.state, sentence)
    return Problem(FAILED if result.state in ("ok", "exit") else UNFINISHED, sentence, detail=detail or None)


def _candidates(node: Node, root: str, env: Mapping[str, str]) -> Iterator[Bundle]:
    package = installed_package("basedpyright", "basedpyright")
    if package is not None:
        dist = os.path.join(package.folder, "dist")
        if os.path.isfile(os.path.join(dist, ENTRY)):
            yield Bundle("basedpyright", package.version, dist, "codetrail[python]")
    for folder, origin in _npm_folders(node, root, env):
        bundle = _npm_bundle(folder, origin)
        if (
            bundle is not None
            and not programs.is_inside(folder, root)
            and not programs.others_can_write(folder)
        ):
            yield bundle


def _npm_folders(node: Node, root: str, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield where npm puts a global ``pyright``: behind the program on PATH, beside Node, in npm's prefix."""
    for name in ("pyright", "pyright-langserver"):
        program = programs.find_program(name, env, root)
        if program is not None:
            yield os.path.dirname(os.path.realpath(program)), f"{name} on PATH"
    bases = [os.path.dirname(os.path.dirname(os.path.realpath(node.program)))]
    prefix = env.get("NPM_CONFIG_PREFIX", "")
    bases += [prefix] if os.path.isabs(prefix) else []
    for base in bases:
        for modules in ("lib/node_modules", "node_modules"):
            yield os.path.join(base, modules, "pyright"), "npm's global folder"


def _npm_bundle(folder: str, origin: str) -> Bundle | None:
    try:
        content = json.loads(read_bounded(os.path.join(folder, "package.json"), 1 << 20) or b"null")
    except (ValueError, RecursionError):
        return None
    version = (
        content.get("version") if isinstance(content, dict) and content.get("name") == "pyright" else None
    )
    dist = os.path.join(folder, "dist")
    if not isinstance(version, str) or not os.path.isfile(os.path.join(dist, ENTRY)):
        return None
    return Bundle("pyright", version, dist, origin)
