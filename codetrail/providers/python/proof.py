"""Remember how a self-test ended, for exactly the files it was made with, so that builds need not repeat it.

A record lies in the user's private cache and is named after everything the proof rests on: bundle, Node and
driver. ``doctor`` never looks here, it always runs the test. This module must not know what the test does.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

from codetrail.errors import SystemFailure
from codetrail.providers import private
from codetrail.providers.node_runtime import Node
from codetrail.providers.python.engine import ENTRY, Bundle, driver_digest
from codetrail.providers.python.site_packages import read_bounded

_FOLDER = "proven"
_REFUSED = "refused"


def remember_failure(node: Node, bundle: Bundle, env: Mapping[str, str]) -> None:
    """Record that the bundle gave wrong answers, so that the next plan names the engine that will answer."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        with open(os.path.join(folder, _key(node, bundle)), "w", encoding="ascii"):
            pass
    except (SystemFailure, OSError):
        return


def forget_failure(node: Node, bundle: Bundle, env: Mapping[str, str]) -> None:
    """Forget a recorded failure: the bundle passed since."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        os.unlink(os.path.join(folder, _key(node, bundle)))
    except (SystemFailure, OSError):
        return


def failed_before(node: Node, bundle: Bundle, env: Mapping[str, str]) -> bool:
    """Tell whether a failure is recorded for exactly this Node, bundle and driver."""
    try:
        folder = private.private_folder(private.cache_home(env), _REFUSED)
        return os.path.isfile(os.path.join(folder, _key(node, bundle)))
    except (SystemFailure, OSError):
        return False


def recall(node: Node, bundle: Bundle, env: Mapping[str, str]) -> Node | None:
    """Return the Node with its version if it passed with this bundle and driver, nothing changed since."""
    try:
        path = os.path.join(private.private_folder(private.cache_home(env), _FOLDER), _key(node, bundle))
        version = json.loads(read_bounded(path, 1 << 10) or b"null")
    except (SystemFailure, OSError, ValueError):
        return None
    if not isinstance(version, list) or not version or not all(isinstance(part, int) for part in version):
        return None
    return node._replace(version=tuple(version))


def remember(node: Node, bundle: Bundle, env: Mapping[str, str]) -> None:
    """Record that the self-test passed. Where that cannot be written, the next build tests again."""
    try:
        folder = private.private_folder(private.cache_home(env), _FOLDER)
        path = os.path.join(folder, _key(node, bundle))
        with open(path + ".new", "w", encoding="ascii") as file:
            json.dump(node.version, file)
        os.replace(path + ".new", path)
    except (SystemFailure, OSError):
        return


def _key(node: Node, bundle: Bundle) -> str:
    """Name a proof: paths, sizes and change times of what takes part. Raises OSError if something is gone."""
    facts: list[object] = [driver_digest(), bundle.kind, bundle.version]
    for path in (node.program, os.path.join(bundle.dist, ENTRY)):
        found = os.stat(path)
        facts += [path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
