"""The map names only what is there, and leaves out no room."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text()


def test_every_file_on_the_map_exists() -> None:
    rows = [line for line in MAP.splitlines() if line.startswith("| ") and "`" in line]
    named = [path for row in rows for path in re.findall(r"`([\w/.]+)`", row)]
    assert len(named) > 20
    places = [(ROOT / path, ROOT / "codetrail" / path) for path in named]
    assert [
        path for path, found in zip(named, places, strict=True) if not any(p.exists() for p in found)
    ] == []


def test_every_room_is_on_the_map() -> None:
    folders = sorted(path.name for path in (ROOT / "codetrail").iterdir() if (path / "__init__.py").exists())
    (rooms,) = re.findall(r"```\n(cli .*?)```", MAP, re.DOTALL)
    assert len(folders) >= 9
    assert [name for name in folders if not re.search(rf"\b{name}\b", rooms)] == []


def test_every_decision_has_its_number() -> None:
    records = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("0*.md"))
    for number, name in enumerate(records, 1):
        first = (ROOT / "docs" / "decisions" / name).read_text().splitlines()[0]
        assert (name[:4], first.partition(".")[0]) == (f"{number:04}", f"# {number}")
