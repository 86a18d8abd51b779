"""A client of TypeScript's own checker: what it says that each call of a project calls.

The checker itself is asked by ``compiler_calls.js``.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests import downloads
from tests.oracle.language_service import Place

_SCRIPT = Path(__file__).with_suffix(".js")


class Call(NamedTuple):
    """One call, by the places (0-based, UTF-16) of names: of what is called, and of the function around it.

    ``syntax`` is ``call``, ``new``, ``decorator``, ``tag`` or ``jsx``. ``declared`` are the declarations of
    the callee's symbol inside the project, ``external`` is its name where there are none; ``signature`` is
    the function whose signature was chosen.
    """

    at: Place
    syntax: str
    declared: tuple[Place, ...]
    signature: Place | None
    external: str | None
    inside: Place | None


def compiler_calls(root: Path, configuration: str = "tsconfig.json") -> list[Call]:
    """Return every call in the sources of a project whose callee has a name."""
    request = {
        "typescript": str(downloads.typescript_folder()),
        "root": str(root.resolve()),
        "configuration": configuration,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(request, file)
        file.flush()
        command = [str(downloads.node()), str(_SCRIPT), file.name]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"the compiler failed:\n{done.stderr[-2000:]}")
    return [
        Call(
            Place(*one["at"]),
            one["syntax"],
            tuple(Place(*place) for place in one["declared"]),
            Place(*one["signature"]) if one["signature"] else None,
            one["external"],
            Place(*one["inside"]) if one["inside"] else None,
        )
        for one in json.loads(done.stdout)["calls"]
    ]
