"""Answers made short for tables: what a row is about, in one word.

Nothing here judges; the words are made of the printed JSON alone.
"""

from __future__ import annotations

from typing import Any

Printed = dict[str, Any]


def definitions(printed: Printed) -> list[str]:
    """Return the coordinate of each definition row."""
    return [row["queryInputs"]["defs"] for row in printed["results"]]


def uses(printed: Printed) -> list[str]:
    """Return ``path:line:column`` of each reference row."""
    return [
        f"{row['path']}:{row['range']['start']['line']}:{row['range']['start']['column']}"
        for row in printed["results"]
    ]


def matched(printed: Printed) -> list[str]:
    """Return the coordinates of the symbols that the question was about."""
    return [one["coordinate"] for one in printed["page"]["matched"]]


def variants(printed: Printed) -> set[tuple[str, str] | None]:
    """Return how the rows say the identifier matched: kind and value, None for as typed."""
    found = [row.get("matchedInputVariant") for row in printed["results"]]
    return {(one["kind"], one["value"]) if one else None for one in found}
