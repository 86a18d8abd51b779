"""Run the Python driver over one unit: its request, its heap, one more try when the heap was too small.

This module must not know how the environment or the engine was found.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from codetrail.model.units import UnitSpec
from codetrail.providers import process, programs
from codetrail.providers.acceptance import accept, hidden_folders, is_heap_failure
from codetrail.providers.base import Limits, Progress, RunOutcome
from codetrail.providers.events import Events
from codetrail.providers.node_runtime import Node, memory_mib
from codetrail.providers.process import ProcessResult
from codetrail.providers.python.configuration import Projects
from codetrail.providers.python.engine import (
    SENTENCES,
    Bundle,
    driver_command,
    driver_environment,
    empty_request,
    write_request,
)
from codetrail.providers.python.environment import PythonEnvironment
from codetrail.providers.python.site_packages import prefixes_of

Command = Callable[..., list[str]]
"""Makes a command line of Node, heap in MiB, writable folder and the driver's arguments."""

_HEAP_SHARE = 0.6
_TREE_SHARE = 0.8
_LEAST_HEAP_MIB = 2048
_HEAP_MIB_A_FILE = 1.5
"""Measured: 885 files needed 1.1 GB in all, most of it for the types of what they import."""


def run_driver(
    unit: UnitSpec,
    request: Mapping[str, object],
    node: Node,
    bundle: Bundle,
    root: str,
    env: Mapping[str, str],
    folder: str,
    limits: Limits,
    progress: Progress,
    command: Command = driver_command,
) -> RunOutcome:
    """Run one unit in the private ``folder``; the SCIP file is in the outcome only if it may be believed.

    A run that fails for its heap is done once more with twice the heap, while that is under 60 % of memory;
    the time-out covers both. ``command`` makes the command line of another driver with the same
    events.
    """
    memory = memory_mib()
    heap = heap_mib(len(unit.files), memory)
    if limits.memory_bytes is None:
        limits = limits._replace(memory_bytes=int(memory * _TREE_SHARE) << 20)
    path = write_request(request, folder)
    output = os.path.join(folder, "index.scip")
    seconds = 0.0
    while True:
        events = Events(SENTENCES, progress)
        words = command(node, heap, folder, "--request", path, "--output", output)
        result = _once(words, output, root, env, folder, limits, events)
        seconds += result.seconds
        if not is_heap_failure(result) or not may_double(heap, memory) or result.seconds >= limits.seconds:
            break
        heap *= 2
        limits = limits._replace(seconds=limits.seconds - result.seconds)
        if os.path.lexists(output):
            os.unlink(output)
    hide = hidden_folders(root, folder, bundle.dist)
    state, problems = accept(output, (file.path for file in unit.files), result, events, hide)
    accepted = output if state in ("built", "partial") else None
    return RunOutcome(state, accepted, problems, seconds, syntax_errors=frozenset(events.broken))


def heap_mib(files: int, memory: int) -> int:
    """Return the heap in MiB to begin with, for a number of files on a machine with ``memory`` MiB."""
    wanted = max(_LEAST_HEAP_MIB, int(files * _HEAP_MIB_A_FILE))
    return max(256, min(wanted, int(memory * _HEAP_SHARE)))


def may_double(heap: int, memory: int) -> bool:
    """Tell whether twice the heap still is under 60 % of memory; both in MiB."""
    return 2 * heap <= memory * _HEAP_SHARE


def make_request(
    unit: UnitSpec, bundle: Bundle, root: str, projects: Projects, environment: PythonEnvironment
) -> dict[str, object]:
    """Return the driver's request for a unit: the only place where its absolute paths are written down.

    Distributions inside the workspace's own tree, outside any ``site-packages``, are the workspace itself
    installed in editable form, and are named by ``packages`` instead.
    """
    request = empty_request(bundle, root)
    owned = prefixes_of(environment.distributions)
    request["files"] = [file.path for file in sorted(unit.files, key=lambda file: os.fsencode(file.path))]
    request["roots"] = list(projects.roots)
    request["environments"] = [one._asdict() for one in projects.environments]
    request["packages"] = [package._asdict() for package in projects.packages]
    request["python"] = {
        "version": environment.minor,
        "platform": None,
        "searchPaths": list(environment.search_paths),
        "interpreter": environment.label,
    }
    request["distributions"] = [
        {"prefix": prefix, "name": one.name, "version": one.version}
        for one, prefixes in owned.items()
        for prefix in prefixes
        if prefix != one.editable or not programs.is_inside(prefix, root)
    ]
    return request


def _once(
    command: list[str],
    output: str,
    root: str,
    env: Mapping[str, str],
    folder: str,
    limits: Limits,
    events: Events,
) -> ProcessResult:
    return process.run(
        command,
        cwd=folder,
        env=driver_environment(root, env, folder),
        limits=limits,
        on_stderr_line=events.take,
        watch_output=output,
        watch_folder=folder,
    )
