"""Run a command line that a person put in the place of an engine: ``CODETRAIL_SCIP_<LANGUAGE>``.

It writes SCIP to the path appended as ``--output FILE`` and speaks no event protocol, so it is believed with
exit 0 and documents that match. The command runs in the workspace's root, where such tools look for their
configuration. This module must not know languages. Rules: design ``providers`` §4.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from codetrail.model.units import Problem, UnitSpec
from codetrail.providers import process, programs
from codetrail.providers.base import Limits, RunOutcome, Tool
from codetrail.workspace.config import Settings

_UNKNOWN_VERSION = "unknown"


def find_command(
    language: str, settings: Settings, root: str, env: Mapping[str, str]
) -> Tool | Problem | None:
    """Return the command that a person set for ``language``; None if there is none.

    A program that is neither absolute nor on the cleaned PATH is a problem: the built-in engine does not step
    in silently.
    """
    words = settings.commands.get(language)
    if not words:
        return None
    origin = f"CODETRAIL_SCIP_{language.upper()}"
    program = programs.resolve_override(words[0], env, root)
    if program is None:
        return Problem("engine_missing", f"{origin} names no program that can be run.")
    return Tool(os.path.basename(program), _UNKNOWN_VERSION, origin, (program, *words[1:]))


def run_command(
    unit: UnitSpec, tool: Tool, root: str, env: Mapping[str, str], folder: str, limits: Limits
) -> RunOutcome:
    """Run the command over the workspace; its SCIP file lies in the private ``folder``."""
    # Loaded for a run only: planning asks ``find_command`` where nothing changed.
    from codetrail.providers.acceptance import accept_output, hidden_folders

    output = os.path.join(folder, "index.scip")
    result = process.run(
        [*tool.argv, "--output", output],
        cwd=root,
        env=programs.child_environment(env, root, extra={"TMPDIR": folder}),
        limits=limits,
        watch_output=output,
        watch_folder=folder,
    )
    state, problems = accept_output(
        output, (file.path for file in unit.files), result, hidden_folders(root, folder)
    )
    return RunOutcome(state, output if state in ("built", "partial") else None, problems, result.seconds)
