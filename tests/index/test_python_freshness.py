"""What Pyright read besides source is held against the disk: questions, status and build agree."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.index.status import status
from tests.index.building import Bench, states

SITE = ".venv/lib/python3.11/site-packages"
PAD = f"{SITE}/pad/__init__.py"
TREE = {
    ".gitignore": ".venv/\ngenerated.py\ngone.py\npad.py\n*_pb2.py\nmade/\n__builtins__.pyi\n",
    ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.4\n",
    f"{SITE}/pad-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: pad\nVersion: 1.0\n",
    f"{SITE}/pad-1.0.dist-info/RECORD": "pad/__init__.py,,\npad/inner.py,,\npad/unread.py,,\n",
    PAD: "from pad.inner import left\n",
    f"{SITE}/pad/inner.py": "def left(x: int) -> int: return x\n",
    f"{SITE}/pad/unread.py": "ONE = 1\n",
    "generated.py": "from own import own as call\n",
    "own.py": "def own() -> None: ...\n",
    "use.py": "from pad import left\nimport generated\n\nleft(1)\ngenerated.call()\n",
    "app/__init__.py": "",
    "space/here.py": "HERE = 1\n",
    "hopes.py": (
        "import gone\nimport made.later\nfrom app import one_pb2\nfrom space import here, two_pb2\n"
        "from pad import hope\n\ngone.call()\none_pb2.call()\ntwo_pb2.call()\nhope.call()\n"
    ),
    "space/inner.py": "from . import three_pb2\nfrom .deep.four_pb2 import run\n\nthree_pb2.call()\nrun()\n",
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
CALL = "from own import own as call\n"
COMING: dict[str, tuple[str, str | None]] = {
    "a module": ("gone.py", "gone.py"),
    "a package": ("made/later.py", "made"),
    "a module in a package": ("app/one_pb2.py", "app/one_pb2.py"),
    "a module in a folder that is imported for others": ("space/two_pb2.py", "space/two_pb2.py"),
    "a sibling": ("space/three_pb2.py", "space/three_pb2.py"),
    "a folder of a sibling": ("space/deep/four_pb2.py", "space/deep"),
    "what comes before an installed module": ("pad.py", "pad.py"),
    "builtins": ("__builtins__.pyi", "__builtins__.pyi"),
    "an installed module": (f"{SITE}/gone.py", None),
    "an installed module in a package": (f"{SITE}/pad/hope.py", None),
    "an installed package in a package": (f"{SITE}/pad/hope/__init__.py", None),
    "a stub beside an installed module": (f"{SITE}/pad/inner.pyi", None),
    "stubs of an installed package": (f"{SITE}/pad-stubs/__init__.pyi", None),
}
"""What is written, and the workspace file or folder that is named; None for what is the environment's."""


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


@pytest.mark.parametrize(("path", "named"), COMING.values(), ids=COMING)
def test_what_was_looked_for_in_vain_is_watched_and_built_again(
    shop: Bench, path: str, named: str | None
) -> None:
    assert changed(shop) == {}
    shop.put(path, CALL)
    said = changed(shop)
    assert said == ({"inputs_changed": (named,)} if named else {"environment_changed": ()})
    assert checked(shop) == (6, set(said))
    assert built(shop) == "built"
    assert changed(shop) == {}
    assert checked(shop) == (0, set())
    assert built(shop) == "reused"


def test_uses_through_a_module_that_came_are_found(shop: Bench) -> None:
    assert shop.refs("own") == ["use.py:5"]
    for path in (
        "gone.py",
        "app/one_pb2.py",
        "space/two_pb2.py",
        "space/three_pb2.py",
        f"{SITE}/pad/hope.py",
    ):
        shop.put(path, CALL)
    assert built(shop) == "built"
    assert shop.refs("own") == [
        "hopes.py:7",
        "hopes.py:8",
        "hopes.py:9",
        "hopes.py:10",
        "space/inner.py:4",
        "use.py:5",
    ]
    (shop.path / "gone.py").unlink()
    assert changed(shop) == {"inputs_changed": ("gone.py",)}
    assert built(shop) == "built"
    assert "hopes.py:7" not in shop.refs("own")


@pytest.mark.parametrize("path", ["other_pb2.py", "app/other_pb2.py", "made/other.py", "app/pad.py"])
def test_ignored_modules_that_nothing_imports_change_nothing(shop: Bench, path: str) -> None:
    shop.put("made/later.py", "")
    shop.build()
    shop.put(path, CALL)
    assert changed(shop) == {}
    assert checked(shop) == (0, set())
    assert built(shop) == "reused"


@pytest.mark.parametrize(
    ("path", "text"),
    [("pad/__init__.py", "right = 1\n"), ("pad/hope.py", CALL), ("pad/inner.pyi", ""), ("gone.py", CALL)],
)
def test_an_environment_outside_the_workspace_is_watched_alike(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, text: str
) -> None:
    outside = Bench(tmp_path / "outside")
    for name, content in TREE.items():
        (outside if name.startswith(".venv/") else bench).put(name, content)
    monkeypatch.setenv("VIRTUAL_ENV", str(outside.path / ".venv"))
    bench.build()
    assert changed(bench) == {}
    assert built(bench) == "reused"
    outside.put(f"{SITE}/{path}", text)
    assert changed(bench) == {"environment_changed": ()}
    assert checked(bench) == (6, {"environment_changed"})
    assert built(bench) == "built"
    assert changed(bench) == {}
    assert built(bench) == "reused"


def test_caches_of_python_in_what_was_read_change_nothing(shop: Bench) -> None:
    shop.put(f"{SITE}/pad/__pycache__/inner.cpython-311.pyc", "")
    shop.put("__pycache__/own.cpython-311.pyc", "")
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
