"""A client of TypeScript's own language service: the independent oracle for references, and its parser.

The service itself is asked by ``language_service.js``, which also says how projects are made.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests import downloads

_SCRIPT = Path(__file__).with_suffix(".js")
_HEAP = "--max-old-space-size=3072"


class Place(NamedTuple):
    """A place in a file: root-relative path, 0-based line, 0-based UTF-16 columns."""

    path: str
    line: int
    start: int
    end: int


Steps = tuple[tuple[str, str], ...]
"""Ancestors of a token, innermost first: (kind of node, property of its parent that holds it)."""


def references(
    root: Path,
    questions: Sequence[Place],
    leftovers: Sequence[str] = (),
    paths: Mapping[str, str] | None = None,
) -> list[dict[Place, bool]]:
    """Ask for the references of each place, definitions included; True for those of its very own symbol.

    ``leftovers`` are the files of no configuration; ``paths`` maps package names to root-relative sources.
    """
    request = {"leftovers": list(leftovers), "paths": dict(paths or {}), "questions": _starts(questions)}
    answers = _run([], root, request)["references"]
    return [{Place(*found[:4]): found[4] for found in one} for one in answers]


def syntax(root: Path, places: Sequence[Place]) -> dict[Place, Steps]:
    """Return what the parser alone sees at each place."""
    steps = _run(["--syntax"], root, {"places": _starts(places)})["steps"]
    return {place: tuple(tuple(step) for step in one) for place, one in zip(places, steps, strict=True)}


def _starts(places: Sequence[Place]) -> list[tuple[str, int, int]]:
    return [place[:3] for place in places]


def _run(arguments: list[str], root: Path, request: Mapping[str, object]) -> Any:
    typescript = str(downloads.typescript_folder())
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump({"typescript": typescript, "root": str(root.resolve()), **request}, file)
        file.flush()
        command = [str(downloads.node()), _HEAP, str(_SCRIPT), *arguments, file.name]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise RuntimeError(f"the language service failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)
