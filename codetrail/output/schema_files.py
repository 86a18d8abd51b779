"""Read the JSON Schemas (2020-12) that stand beside this module and bundle them into compound documents."""

from __future__ import annotations

import json
import os
from typing import Any

NAMES = (
    "answer",
    "error",
    "event",
    "definition",
    "reference",
    "call",
    "hierarchy",
    "short",
    "chosen",
    "page",
    "unit",
    "summary",
    "check",
    "import",
    "prune",
    "provider",
    "install",
    "parts",
)
"""What ``codetrail schema`` prints by name; each is the file ``schemas/NAME.json``."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_FOLDER = os.path.join(os.path.dirname(__file__), "schemas")


def read(name: str) -> dict[str, Any]:
    """Return one schema as it stands in its file."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
        schema: dict[str, Any] = json.load(file)
    return schema


def bundle(name: str | None = None) -> dict[str, Any]:
    """Return a compound document: one schema with all it refers to, or (without a name) all of them.

    Bundling follows JSON Schema 2020-12 §9.3: each schema keeps its ``$id`` inside ``$defs``.
    """
    wanted = _reachable(name) if name is not None else list(NAMES)
    document: dict[str, Any] = {"$schema": _DIALECT, "$id": f"urn:codetrail:{name or 'all'}"}
    if name is not None:
        document |= read(name)
        wanted.remove(name)
    document["$defs"] = dict(document.get("$defs", {})) | {other: read(other) for other in wanted}
    return document


def _reachable(name: str) -> list[str]:
    found: list[str] = []
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.append(one)
            text = json.dumps(read(one))
            waiting += [other for other in NAMES if f'"urn:codetrail:{other}' in text]
    return sorted(found)
