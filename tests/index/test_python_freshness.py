"""What Pyright read besides source is held against the disk: questions, status and build agree."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from codetrail.index.status import status
from tests.index.building import Bench, states

SITE = ".venv/lib/python3.11/site-packages"
PAD = f"{SITE}/pad/__init__.py"
TREE = {
    ".gitignore": ".venv/\ngenerated.py\n",
    ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.4\n",
    f"{SITE}/pad-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: pad\nVersion: 1.0\n",
    f"{SITE}/pad-1.0.dist-info/RECORD": "pad/__init__.py,,\npad/inner.py,,\npad/unread.py,,\n",
    PAD: "from pad.inner import left\n",
    f"{SITE}/pad/inner.py": "def left(x: int) -> int: return x\n",
    f"{SITE}/pad/unread.py": "ONE = 1\n",
    "generated.py": "from own import own as call\n",
    "own.py": "def own() -> None: ...\n",
    "use.py": "from pad import left\nimport generated\n\nleft(1)\ngenerated.call()\n",
}


@pytest.fixture
def shop(bench: Bench) -> Bench:
    """Return a workspace that is indexed, with an environment and a module that git ignores."""
    for path, text in TREE.items():
        bench.put(path, text)
    bench.build()
    return bench


def changed(bench: Bench) -> dict[str, tuple[str, ...]]:
    return {one.code: one.paths for one in bench.ask("refs", "own").page.coverage.reasons}


def checked(bench: Bench) -> tuple[int, set[str]]:
    report = status(str(bench.path), summary=False, check=True)
    assert report.coverage is not None
    return report.exit_status, {reason.code for reason in report.coverage.reasons}


def built(bench: Bench) -> str:
    return states(bench.build())["python:."]


def edit_as_old(bench: Bench) -> None:
    """Edit a module without another size or time of modification."""
    place = bench.path / SITE / "pad/inner.py"
    before = place.stat()
    place.write_text(place.read_text().replace("left", "lift"))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def remove_installed(bench: Bench) -> None:
    (bench.path / PAD).unlink()


def write(path: str, text: str) -> Callable[[Bench], None]:
    def change(bench: Bench) -> None:
        bench.put(path, text)

    return change


CHANGES: dict[str, tuple[Callable[[Bench], None], str]] = {
    "an installed module": (write(PAD, "right = 1\n"), PAD),
    "an installed module that it imports": (edit_as_old, f"{SITE}/pad/inner.py"),
    "an installed module that goes": (remove_installed, PAD),
    "an ignored module": (write("generated.py", "call = 1\n"), "generated.py"),
}


@pytest.mark.parametrize(("change", "path"), CHANGES.values(), ids=CHANGES)
def test_what_was_read_is_watched_and_built_again(
    shop: Bench, change: Callable[[Bench], None], path: str
) -> None:
    assert changed(shop) == {}
    assert checked(shop) == (0, set())
    change(shop)
    said = changed(shop)
    assert said["inputs_changed"] == (path,)
    assert set(said) <= {"inputs_changed", "environment_changed"}
    assert checked(shop) == (6, set(said))
    assert built(shop) == "built"
    assert changed(shop) == {}
    assert checked(shop) == (0, set())
    assert built(shop) == "reused"


def test_uses_through_an_ignored_module_are_those_of_its_present_text(shop: Bench) -> None:
    assert shop.refs("own") == ["use.py:5"]
    shop.put("generated.py", "call = 1\n")
    assert built(shop) == "built"
    assert shop.refs("own") == []


def test_what_was_not_read_changes_nothing(shop: Bench) -> None:
    shop.put(f"{SITE}/pad/unread.py", "TWO = 2\n")
    os.utime(shop.path / PAD, (1, 1))
    assert changed(shop) == {}
    assert checked(shop) == (0, set())
    assert built(shop) == "reused"
