"""Start the drivers that we wrote for Node: their files, command lines, environment, requests, self-tests.

A driver is a folder with a ``main.js`` that shares ``providers/node/`` with the others, reads a request file,
writes SCIP and speaks the events of ``events``. This module must not know any language.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping

from codetrail.model.units import Problem
from codetrail.providers import process, programs
from codetrail.providers.base import Limits
from codetrail.providers.events import Events
from codetrail.providers.node_runtime import Node, node_command
from codetrail.workspace.encodings import encoding_tables

FAILED = "self_test_failed"
UNFINISHED = "self_test_unfinished"
"""The driver ended without the right answers, or was ended: by time-out, for its memory, from elsewhere."""
SELF_TEST_MIB = 1024
_SELF_TEST_SECONDS = 120.0

SENTENCES = {
    FAILED: "The engine gave other answers than expected on the built-in test project.",
    "request_invalid": "The driver does not understand what it was asked.",
    "usage": "The driver does not understand how it was started.",
    "engine_crashed": "The engine failed on the whole unit.",
    "engine_error": "The engine reported an error of its own.",
    "file_missing": "The file was gone when the engine came to it.",
    "file_failed": "The engine failed on the file; it has no precise rows.",
    "file_too_large": "The file is too large to be indexed; it has no precise rows.",
    "syntax_errors": "The file has syntax errors; rows are missing where it could not be parsed.",
    "unresolved_import": "An imported module was not found; names from it are unresolved.",
}
"""Our sentence for each code that any driver may report."""


def digest_of(folder: str) -> str:
    """Return the SHA-256 (hex) over a driver's own and shared files: another driver may give other rows.

    ``folder`` is the driver's; what all drivers share stands in ``node`` beside the folder above it.
    """
    shared = os.path.join(os.path.dirname(os.path.dirname(folder)), "node")
    digest = hashlib.sha256()
    for one in (shared, folder):
        for name in sorted(name for name in os.listdir(one) if name.endswith((".js", ".json"))):
            with open(os.path.join(one, name), "rb") as file:
                content = file.read()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def command_line(driver: str, node: Node, heap_mib: int, folder: str, *arguments: str) -> list[str]:
    """Return the whole command line of the driver in ``driver``, which may write below ``folder`` only."""
    return [*node_command(node, heap_mib, folder), os.path.join(driver, "main.js"), *arguments]


def driver_environment(root: str, env: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return the environment of a driver run: the basic variables, and its own folder for temporary files."""
    return programs.child_environment(env, root, extra={"TMPDIR": folder, "NODE_NO_WARNINGS": "1"})


def driver_encodings() -> dict[str, dict[str, str]]:
    """Return the tables by which a driver decodes source, so that its columns are those of our text."""
    tables = encoding_tables()
    return {"names": tables.names, "oneByte": tables.one_byte, "manyBytes": tables.many_bytes}


def write_request(request: Mapping[str, object], folder: str, name: str = "REQUEST.json") -> str:
    """Write a request into the private run folder; return its path."""
    path = os.path.join(folder, name)
    with open(path, "x", encoding="ascii") as file:
        json.dump(request, file, ensure_ascii=True, separators=(",", ":"))
    return path


def run_self_test(
    command: list[str],
    label: str,
    sentences: Mapping[str, str],
    root: str,
    env: Mapping[str, str],
    folder: str,
) -> Problem | None:
    """Let a driver index its built-in project in the private ``folder``; None if the answers are right.

    ``label`` is the engine's name and version, for the problem.
    """
    events = Events(sentences)
    result = process.run(
        command,
        cwd=folder,
        env=driver_environment(root, env, folder),
        limits=Limits(seconds=_SELF_TEST_SECONDS, output_bytes=64 << 20, memory_bytes=2 << 30),
        on_stderr_line=events.take,
    )
    if result.state == "ok" and events.done is not None and events.failed is None:
        return None
    detail = events.failed.detail if events.failed else result.stderr.text[-2000:]
    sentence = f"The self-test of {label} failed ({result.state})."
    if result.state == "interrupted":
        return Problem(result.state, sentence)
    return Problem(FAILED if result.state in ("ok", "exit") else UNFINISHED, sentence, detail=detail or None)
