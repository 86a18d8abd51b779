"""The states a workspace may be in when it is asked: each a tree of Python with names of every sort.

The trees are copies of one that Pyright indexed, then changed on disk; a unit that fails is told to by its
provider. Knows no questions.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.model.reports import BuildOptions
from tests.index.building import FakeProvider, serve_only

TRICKY = Path(__file__).parents[2] / "fixtures" / "python-tricky"

HOSTILE_LINE = (
    "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 \u202egpj\u2066 [red]x[/red] "
    "z\u200bw \U000e0041 \t tab \u2028 \x00 \ufe0f end"
)
"""Everything in a line of source that a terminal, a renderer or a reader could be taken in by."""

HOSTILE_NAMES = (
    *("a b.py", "-dash.py", "naïve.py", "quo'te.py", 'dq".py', "do$(x)`y`.py", "co:1.py", "ha#sh.py"),
    *("[red]x.py", "new\nline.py", "tab\tname.py", "\x1b[31mred.py", "\x1b]8;;x\x07l.py", "back\\slash.py"),
    *("\u202eevil.py", "zero\u200bwidth.py", "tag\U000e0041.py", "c1\u009b.py", "fill\u3164.py"),
    "Ω\u202e/in[bold].py",
)
"""Files whose names could act on a terminal, a shell or a parser of coordinates."""

HOSTILE_TEXT = f"def twin():  # {HOSTILE_LINE}\n    return twin  # {HOSTILE_LINE}\n".replace("\x00", "")

STATES = ("fresh", "changed", "deleted", "new", "missing", "failed_unit")


def make_all(top: Path) -> dict[str, Path]:
    """Make a workspace of every state below ``top``; the private folders of the user must be set before."""
    first = top / "fresh"
    shutil.copytree(TRICKY, first)
    write_hostile(first)
    build(str(first), BuildOptions(), lambda _event: None)
    found = {"fresh": first}
    for state, change in _CHANGES.items():
        found[state] = top / state
        shutil.copytree(first, found[state], symlinks=True)
        change(found[state])
    found["failed_unit"] = top / "failed_unit"
    _with_a_failed_unit(found["failed_unit"])
    return found


def write_hostile(folder: Path) -> None:
    """Write the files with hostile names and lines into ``folder/odd``."""
    for name in HOSTILE_NAMES:
        place = folder / "odd" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(HOSTILE_TEXT, encoding="utf-8", newline="")


def own_homes(top: Path, patch: pytest.MonkeyPatch) -> None:
    """Keep state, cache and configuration of this user out of the tests."""
    for name in ("STATE", "CACHE", "CONFIG", "DATA"):
        patch.setenv(f"XDG_{name}_HOME", str(top / name.lower()))


def _change(folder: Path) -> None:
    for path in ("src/pkg/base.py", "src/pkg/scopes.py"):
        place = folder / path
        head, line, rest = place.read_text(encoding="utf-8").partition("\n\n")
        place.write_text(f"{head}{line}# moved\n{rest.replace('count', 'counter')}", encoding="utf-8")


def _delete(folder: Path) -> None:
    (folder / "src/pkg/child.py").unlink()
    shutil.rmtree(folder / "tools")


def _add(folder: Path) -> None:
    (folder / "src/pkg/added.py").write_text("class Base:\n    def added(self):\n        return Base\n")


def _forget(folder: Path) -> None:
    shutil.rmtree(folder / ".codetrail")


_CHANGES: dict[str, Callable[[Path], None]] = {
    "changed": _change,
    "deleted": _delete,
    "new": _add,
    "missing": _forget,
}


def _with_a_failed_unit(folder: Path) -> None:
    """Build two units by a directed provider; the second one never comes to anything."""
    provider = FakeProvider()
    provider.units = ("good", "bad")
    provider.failing = frozenset({"python:bad"})
    shutil.copytree(TRICKY / "src/pkg", folder / "good")
    shutil.copytree(TRICKY / "src/pkg", folder / "bad")
    with pytest.MonkeyPatch.context() as patch:
        serve_only(provider, patch)
        report = build(str(folder), BuildOptions(), lambda _event: None)
    assert {row.root: row.state for row in report.rows if row.provider == "python"} == {
        "good": "built",
        "bad": "failed",
    }


def files_of(folder: Path) -> list[str]:
    """Return the paths of the source files of a workspace, relative and sorted."""
    found = []
    for top, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".codetrail"]
        found += [os.path.relpath(os.path.join(top, name), folder) for name in names]
    return sorted(path for path in found if path.endswith((".py", ".pyi")))
