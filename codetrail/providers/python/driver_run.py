"""Run the Python driver over one unit: its request, its heap, and whether its output may be believed.

This module must not know how the environment or the engine was found.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from codetrail.model.units import UnitSpec
from codetrail.providers import programs
from codetrail.providers.acceptance import accept, hidden_folders
from codetrail.providers.base import Limits, Progress, RunOutcome
from codetrail.providers.node_driver import write_request
from codetrail.providers.node_run import Around, heap_mib, run_in_heap
from codetrail.providers.node_runtime import Node, memory_mib
from codetrail.providers.python.configuration import Projects
from codetrail.providers.python.engine import SENTENCES, Bundle, driver_command, empty_request
from codetrail.providers.python.environment import PythonEnvironment
from codetrail.providers.python.site_packages import prefixes_of
from codetrail.providers.read_files import ReadFile, surroundings_of
from codetrail.workspace.surroundings import ABSENT, Surrounding, look

Command = Callable[..., list[str]]
"""Makes a command line of Node, heap in MiB, writable folder and the driver's arguments."""

LANGUAGE = "python"
"""Under which what was read stands among the surroundings."""

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

    ``command`` makes the command line of another driver with the same events.
    """
    memory = memory_mib()
    started_ns = time.time_ns()
    path = write_request(request, folder)
    output = os.path.join(folder, "index.scip")
    ran = run_in_heap(
        lambda heap: command(node, heap, folder, "--request", path, "--output", output),
        output,
        heap_mib(len(unit.files), memory, _HEAP_MIB_A_FILE),
        Around(root, env, folder, SENTENCES, memory),
        limits,
        progress,
    )
    hide = hidden_folders(root, folder, bundle.dist)
    state, problems = accept(output, (file.path for file in unit.files), ran.result, ran.events, hide)
    accepted = output if state in ("built", "partial") else None
    broken = frozenset(ran.events.broken)
    known = {file.path for file in unit.files} | {path for path, _ in unit.inputs}
    return RunOutcome(
        state,
        accepted,
        problems,
        ran.seconds,
        syntax_errors=broken,
        left_out=ran.events.left_out,
        read=(
            *surroundings_of(LANGUAGE, ran.events.read, root, known),
            *_folders_of(ran.events.read, root, started_ns),
        ),
    )


def _folders_of(read: Mapping[str, ReadFile], root: str, started_ns: int) -> tuple[Surrounding, ...]:
    """Return the folders outside the workspace that modules were read from: the next one may come there."""
    start = root.rstrip("/") + "/"
    found = (path for path, file in read.items() if file.digest != ABSENT and not path.startswith(start))
    return look(LANGUAGE, map(os.path.dirname, found), root, (), started_ns)


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
