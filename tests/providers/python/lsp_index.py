"""Run the real fallback engine over a folder, for the tests that hold it against the in-process one."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from codetrail.providers.node_runtime import Node, ask_version
from codetrail.providers.python import lsp_engine
from codetrail.providers.python.engine import Bundle
from tests.providers.python.driver_index import DIST, NODE, Run

BUNDLE = Bundle("basedpyright", "1.40.2", DIST, "test")
HEAP_MIB = 2048


def node() -> Node:
    """Return the Node of the development environment with its version."""
    found = ask_version(Node(NODE, "test"), "/nowhere", os.environ)
    assert isinstance(found, Node)
    return found


def drive_lsp(request: Mapping[str, object], folder: Path) -> Run:
    """Run the fallback engine on a request; its files go into ``folder``, not the indexed one."""
    folder.mkdir(parents=True, exist_ok=True)
    path, output = folder / "REQUEST.json", folder / "out.scip"
    path.write_text(json.dumps(request), encoding="ascii")
    words = ["--request", str(path), "--output", str(output)]
    command = lsp_engine.command(BUNDLE, node(), HEAP_MIB, str(folder), *words)
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    events = tuple(json.loads(line) for line in done.stderr.splitlines() if line.startswith("{"))
    return Run(done.returncode, events, done.stdout, Path(str(request["root"])), output)
