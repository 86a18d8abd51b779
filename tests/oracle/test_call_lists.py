"""The lists of calls that people wrote are right, as far as anything but CodeTrail can tell.

They say the same in both directions; Python's own parser sees every call that is listed and no other, and so
does TypeScript's own checker, with the same targets; what ran when the Python project's tests ran is listed,
or ran for a named reason.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests import downloads
from tests.oracle.call_truth import FIXTURES, Lines, Truth, difference
from tests.oracle.compiler_calls import Call, compiler_calls
from tests.oracle.language_service import Place
from tests.oracle.python_calls import calls

PYTHON = "calls-python"
REACT = "calls-react"


@pytest.mark.parametrize("project", [PYTHON, REACT])
def test_callers_are_the_calls_turned_round(project: str) -> None:
    truth = Truth(project)
    callers = truth.turned()
    wrong = [
        line for name, one in truth.symbols.items() for line in difference(name, callers[name], one.callers)
    ]
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("project", [PYTHON, REACT])
def test_overridden_is_overrides_turned_round(project: str) -> None:
    symbols = Truth(project).symbols
    upwards = {(name, other) for name, one in symbols.items() for other in one.overrides}
    downwards = {(other, name) for name, one in symbols.items() for other in one.overridden}
    assert upwards == downwards
    assert upwards


def test_python_sees_the_calls_that_are_listed() -> None:
    truth = Truth(PYTHON)
    wrong: list[str] = []
    for path in sorted({one.path for one in truth.symbols.values()}):
        seen = Counter(
            f"{call.line} {call.use} {call.name} in {call.caller}"
            for call in calls((FIXTURES / PYTHON / path).read_text(encoding="utf-8"))
        )
        listed: Lines = Counter()
        for one in truth.symbols.values():
            if one.path != path:
                continue
            for call in one.calls.elements():
                line, use, callee = call.split(" ", 2)
                shown = "decorator" if use == "decorator" else "call"
                listed[f"{line} {shown} {_leaf(callee)} in {one.name}"] += 1
            listed += Counter(f"{call} in {one.name}" for call in one.unknown.elements())
        wrong += difference(path, seen, listed)
    assert wrong == [
        # The package gives it another name.
        "wsgi.py: only told: 6 call make_slug in ",
        "wsgi.py: only listed: 6 call slug in ",
    ], "\n".join(wrong)


def _leaf(callee: str) -> str:
    """Return the last name of a listed callee."""
    return callee.partition(" [")[0].rpartition(") ")[2].rpartition("#")[2].rpartition(".")[2]


def test_what_ran_is_listed(tmp_path: Path) -> None:
    truth = Truth(PYTHON)
    listed = {
        f"{call.split(' ')[0]} {caller} -> {call.split(' ', 2)[2]}"
        for caller, one in truth.symbols.items()
        for call in one.calls
    }
    beside = tomllib.loads((FIXTURES / PYTHON / "ran.toml").read_text(encoding="utf-8"))
    explained = Counter(line for lines in beside.values() for line in lines)
    ran = Counter(line for line in _ran(tmp_path) if line not in listed)
    wrong = list(difference("the run", ran, explained))
    assert wrong == [], "\n".join(wrong)
    assert all(beside.values())


def _ran(folder: Path) -> set[str]:
    """Run the tests of the project, and return who called what, named as in the list."""
    root = folder / PYTHON
    shutil.copytree(FIXTURES / PYTHON, root, ignore=shutil.ignore_patterns("__pycache__"))
    script = Path(__file__).with_name("traced_calls.py")
    command = [str(downloads.flask_interpreter()), str(script), str(root)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return {
        f"{line} {'#'.join(filter(None, caller))} -> {'#'.join(filter(None, callee))}"
        for caller, line, callee in json.loads(done.stdout)
    }


def test_the_compiler_sees_the_calls_that_are_listed() -> None:
    truth = Truth(REACT)
    root = downloads.npm_workspace(FIXTURES / REACT)
    told: dict[str, Lines] = {name: Counter() for name in truth.symbols}
    for call in compiler_calls(root):
        caller = call.at.path if call.inside is None else _at(truth, root, call.inside)
        told[caller][f"{call.at.line + 1} {_target(truth, root, call)}"] += 1
    wrong: list[str] = []
    for name, one in truth.symbols.items():
        listed = Counter(
            f"{line} {_bare(callee)}" for line, callee in map(_without_use, one.calls.elements())
        )
        wrong += difference(name, told[name], listed)
    assert wrong == [
        # Call syntax at an accessor calls what the accessor returned.
        "packages/core/src/task.ts#Item.render: only told: 35 packages/core/src/task.ts#Item.formatter",
    ], "\n".join(wrong)


def _without_use(call: str) -> tuple[str, str]:
    line, _, callee = call.split(" ", 2)
    return line, callee


def _bare(callee: str) -> str:
    """Leave out what stands elsewhere: the owner of what is external, the kind of a local."""
    if callee.endswith("]"):
        return callee.partition(" [")[0].rpartition(".")[2]
    return callee.rpartition(") ")[2]


def _target(truth: Truth, root: Path, call: Call) -> str:
    if call.external is not None:
        return call.external
    text = _text(root, call.at)
    # `super(…)` names the class; what it calls is the constructor that was chosen.
    declared = (call.signature,) if text == "super" and call.signature else call.declared
    names = {_at(truth, root, place) for place in declared}
    return text if names == {""} else ", ".join(sorted(names))


def _at(truth: Truth, root: Path, place: Place) -> str:
    """Return the listed symbol whose name stands at a place, ``""`` where it is none."""
    text = _text(root, place)
    for name, one in truth.symbols.items():
        if one.path == place.path and one.lines.start == place.line + 1 and not one.is_module:
            leaf = one.name.rpartition(".")[2]
            if leaf == text or one.name.endswith('")'):
                return name
    return ""


def _text(root: Path, place: Place) -> str:
    line = (root / place.path).read_text(encoding="utf-8").split("\n")[place.line]
    return line[place.start : place.end]
