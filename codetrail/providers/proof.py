"""Remember how a self-test ended, for exactly the files it was made with, so that builds need not repeat it.

A record lies in the user's private cache and is named after everything the proof rests on: engine, Node and
driver. ``doctor`` never looks here, it always runs the test. This module must not know what the test does.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.errors import SystemFailure
from codetrail.providers import private
from codetrail.providers.node_runtime import Node
from codetrail.providers.small_files import read_bounded

_FOLDER = "proven"
_REFUSED = "refused"


class Subject(NamedTuple):
    """What is proven together with Node: an engine's name and version, its driver's digest, its main file."""

    engine: str
    version: str
    driver: str
    entry: str


def remember_failure(node: Node, subject: Subject, env: Mapping[str, str]) -> None:
    """Record that the engine gave wrong answers, so that the next plan names the engine that will answer."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        with open(os.path.join(folder, _key(node, subject)), "w", encoding="ascii"):
            pass
    except (SystemFailure, OSError):
        return


def forget_failure(node: Node, subject: Subject, env: Mapping[str, str]) -> None:
    """Forget a recorded failure: the engine passed since."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        os.unlink(os.path.join(folder, _key(node, subject)))
    except (SystemFailure, OSError):
        return


def failed_before(node: Node, subject: Subject, env: Mapping[str, str]) -> bool:
    """Tell whether a failure is recorded for exactly this Node, engine and driver."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        return os.path.isfile(os.path.join(folder, _key(node, subject)))
    except (SystemFailure, OSError):
        return False


def recall(node: Node, subject: Subject, env: Mapping[str, str]) -> Node | None:
    """Return the Node with its version if it passed with this engine and driver, nothing changed since."""
    try:
        path = os.path.join(private.private_folder(private.cache_home(env), _FOLDER), _key(node, subject))
        version = json.loads(read_bounded(path, 1 << 10) or b"null")
    except (SystemFailure, OSError, ValueError):
        return None
    if not isinstance(version, list) or not version or not all(isinstance(part, int) for part in version):
        return None
    return node._replace(version=tuple(version))


def remember(node: Node, subject: Subject, env: Mapping[str, str]) -> None:
    """Record that the self-test passed. Where that cannot be written, the next build tests again."""
    try:
        folder = private.private_folder(private.cache_home(env), _FOLDER)
        path = os.path.join(folder, _key(node, subject))
        with open(path + ".new", "w", encoding="ascii") as file:
            json.dump(node.version, file)
        os.replace(path + ".new", path)
    except (SystemFailure, OSError):
        return


def _key(node: Node, subject: Subject) -> str:
    """Name a proof: paths, sizes and change times of what takes part. Raises OSError if something is gone."""
    facts: list[object] = [subject.driver, subject.engine, subject.version]
    for path in (node.program, subject.entry):
        found = os.stat(path)
        facts += [path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
