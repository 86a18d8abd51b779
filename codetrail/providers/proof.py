"""Prove engines by their self-tests, and remember for exactly the files that took part how that ended.

A record lies in the user's private cache and is named after everything the proof rests on: engine, Node and
driver. ``doctor`` never looks here, it always runs the test. This module must not know what the test does.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from codetrail.errors import SystemFailure
from codetrail.model.units import Problem
from codetrail.providers import private
from codetrail.providers.base import Tool
from codetrail.providers.node_driver import FAILED
from codetrail.providers.node_runtime import Node, ask_version
from codetrail.providers.small_files import read_bounded

_FOLDER = "proven"
_REFUSED = "refused"


class Subject(NamedTuple):
    """What is proven together with Node: an engine's name and version, its driver's digest, its main file."""

    engine: str
    version: str
    driver: str
    entry: str


SubjectOf = Callable[[Tool], Subject | None]
"""Returns what a proof of a tool rests on; None where nothing is remembered and each run proves it anew."""

SelfTest = Callable[[Tool, Node, str, Mapping[str, str], str], Problem | None]
"""Tests a tool, given its Node, the root, a person's environment and a private folder; None: it passed."""


class Prover:
    """Proves the tools of one provider, each once; one object serves one build."""

    def __init__(self, env: Mapping[str, str], subject_of: SubjectOf, self_test: SelfTest) -> None:
        self._env = env
        self._subject_of = subject_of
        self._self_test = self_test
        self._proven: dict[Tool, Node | Problem] = {}

    def prove(self, tool: Tool, root: str) -> Node | Problem:
        """Return the Node that passed the self-test with this tool, here or in an earlier process."""
        if tool in self._proven:
            return self._proven[tool]
        subject = self._subject_of(tool)
        if subject is None:
            return ask_version(node_of(tool), root, self._env)
        return recall(node_of(tool), subject, self._env) or self.test(tool, root)

    def test(self, tool: Tool, root: str) -> Node | Problem:
        """Ask Node for its version and run the self-test, once for each tool.

        Raises SystemFailure when no private folder can be had.
        """
        if tool not in self._proven:
            self._proven[tool] = self._run_test(tool, root)
        return self._proven[tool]

    def _run_test(self, tool: Tool, root: str) -> Node | Problem:
        # Loaded only for a test: planning must be quick where nothing changed.
        from codetrail.providers.run_folder import run_folder

        node = ask_version(node_of(tool), root, self._env)
        if isinstance(node, Problem):
            return node
        with run_folder(root, self._env) as folder:
            problem = self._self_test(tool, node, root, self._env, folder)
        subject = self._subject_of(tool)
        if subject is not None and problem is None:
            remember(node, subject, self._env)
            forget_failure(node, subject, self._env)
        elif subject is not None and problem is not None and problem.code == FAILED:
            remember_failure(node, subject, self._env)
        return problem or node


def node_of(tool: Tool) -> Node:
    """Return the Node that a tool is started with, its version not asked."""
    return Node(tool.argv[0], dict(tool.details)["node"])


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
