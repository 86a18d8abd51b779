"""Calls, callers, value uses and overrides of two real projects are exactly those that people listed.

Each symbol of the list is asked for by its coordinate, in both directions; a row too many counts as much as a
row too few. That the lists are right is shown elsewhere (``test_call_lists``).
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.reports import BuildOptions
from tests import downloads
from tests.contract.running import ask
from tests.oracle.call_truth import FIXTURES, TRUTH, Lines, Truth, difference

PROJECTS = ("calls-python", "calls-react")


class Project(NamedTuple):
    """An indexed copy of a project and the list that goes with it."""

    root: Path
    truth: Truth


@pytest.fixture(scope="module", params=PROJECTS)
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Build the index of a copy of a project, its dependencies installed."""
    name = request.param
    root = tmp_path_factory.mktemp("calls") / name
    with pytest.MonkeyPatch.context() as patch:
        if name == "calls-python":
            shutil.copytree(FIXTURES / name, root, ignore=shutil.ignore_patterns("__pycache__"))
            patch.setenv("CODETRAIL_PYTHON", str(downloads.flask_interpreter()))
        else:
            shutil.copytree(downloads.npm_workspace(FIXTURES / name), root, symlinks=True)
            patch.setenv("CODETRAIL_TYPESCRIPT", str(downloads.typescript_folder()))
        (root / TRUTH).unlink()
        report = build(str(root), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    return Project(root, Truth(name))


def test_calls_are_those_listed(project: Project) -> None:
    wrong: list[str] = []
    for name in project.truth.symbols:
        told = Counter(
            f"{_line(row)} {row['use']} {project.truth.name_of(row['callee'])}"
            for row in _rows(project, name, "calls")
        )
        wrong += difference(name, told, project.truth.calls_in(name))
    assert wrong == [], "\n".join(wrong)


def test_calls_whose_target_nobody_told_are_counted(project: Project) -> None:
    wrong: list[str] = []
    for name, one in project.truth.symbols.items():
        coverage = ask(project.root, "calls", one.coordinate).json["page"]["coverage"]
        counted, listed = (
            coverage.get("unresolvedCalls", 0),
            project.truth.calls_in(name, unknown=True).total(),
        )
        if counted != listed:
            wrong.append(f"{name}: {counted} calls counted, {listed} listed")
    assert wrong == [], "\n".join(wrong)


def test_every_call_names_its_caller(project: Project) -> None:
    wrong: list[str] = []
    for name, one in project.truth.symbols.items():
        if one.is_module:
            found: dict[str, Lines] = {}
            for row in _rows(project, name, "calls"):
                callee = project.truth.name_of(row["callee"])
                line = f"{_line(row)} {row['use']} {callee}"
                found.setdefault(project.truth.name_of(row["caller"]), Counter())[line] += 1
            for other, listed in project.truth.symbols.items():
                if listed.path == one.path:
                    wrong += difference(other, found.pop(other, Counter()), listed.calls)
            wrong += [f"{other}: is not listed" for other in found]
    assert wrong == [], "\n".join(wrong)


def test_callers_are_those_listed(project: Project) -> None:
    wrong: list[str] = []
    for name, one in _called(project):
        told = Counter(_caller(project, row) for row in _rows(project, name, "callers"))
        wrong += difference(name, told, one.callers)
    assert wrong == [], "\n".join(wrong)


def test_value_uses_are_those_listed(project: Project) -> None:
    wrong: list[str] = []
    for name, one in _called(project):
        rows = _rows(project, name, "callers", "--use", "value")
        told = Counter(f"{_line(row)} {project.truth.name_of(row['caller'])}" for row in rows)
        wrong += difference(name, told, one.values)
        counted = ask(project.root, "callers", one.coordinate).json["page"].get("valueUses", 0)
        if counted != one.values.total():
            wrong.append(f"{name}: {counted} value uses counted, {one.values.total()} listed")
    assert wrong == [], "\n".join(wrong)


def test_callers_through_overriding_are_those_listed(project: Project) -> None:
    wrong: list[str] = []
    symbols = project.truth.symbols
    for name, one in _called(project):
        told: Lines = Counter()
        for row in _rows(project, name, "callers", "--include-overrides"):
            via = f" {row['via']['kind']} {project.truth.name_of(row['callee'])}" if "via" in row else ""
            told[f"{_caller(project, row)}{via}"] += 1
        listed = Counter(one.callers)
        for kind, others in (("overrides", one.overrides), ("overridden", one.overridden)):
            for other in others:
                # A construction names its class: no other class's constructor can run in its place.
                calls = (line for line in symbols[other].callers.elements() if " construct " not in line)
                listed += Counter(f"{line} {kind} {other}" for line in calls)
        wrong += difference(name, told, listed)
    assert wrong == [], "\n".join(wrong)


def _called(project: Project) -> Iterator[tuple[str, Any]]:
    """Give the symbols that have callers: modules and callbacks have none."""
    for name, one in project.truth.symbols.items():
        if not one.is_module and not name.endswith('")'):
            yield name, one


def _rows(project: Project, name: str, *argv: str) -> list[dict[str, Any]]:
    one = project.truth.symbols[name]
    asked = one.coordinate
    outcome = ask(project.root, *argv[:1], asked, *argv[1:], "--limit", "1000")
    answer = outcome.json
    assert not answer.get("error"), (name, answer)
    assert outcome.status == 0, (name, answer["page"])
    assert [one["coordinate"] for one in answer["page"]["matched"]] == [asked] or one.is_module, answer[
        "page"
    ]
    assert answer["page"]["coverage"]["state"] == "complete", answer["page"]
    assert not answer["page"]["truncated"]
    rows: list[dict[str, Any]] = answer["results"]
    return rows


def _line(row: dict[str, Any]) -> int:
    line: int = row["range"]["start"]["line"]
    return line


def _caller(project: Project, row: dict[str, Any]) -> str:
    return f"{_line(row)} {row['use']} {project.truth.name_of(row['caller'])}"


@pytest.mark.parametrize("direction", ["incoming", "outgoing"])
def test_hierarchies_are_those_listed(project: Project, direction: str) -> None:
    wrong: list[str] = []
    for name, trees in project.truth.hierarchies.items():
        if direction not in trees:
            continue
        asked = project.truth.symbols[name].coordinate
        outcome = ask(project.root, "call-hierarchy", asked, "--direction", direction, "--depth", "3")
        (row,) = outcome.json["results"]
        assert not outcome.json["page"]["truncated"]
        told = list(_tree(project, row[f"{direction}Calls"]))
        listed = trees[direction].strip("\n").splitlines()
        if told != listed:
            wrong += [f"{name}, {direction}:", *unified_diff(listed, told, "listed", "told", lineterm="")]
    assert wrong == [], "\n".join(wrong)


def _tree(project: Project, branches: list[dict[str, Any]], depth: int = 0) -> Iterator[str]:
    """Draw a tree as it is listed: lines of the calls, the node, and its mark."""
    for branch in branches:
        lines = ",".join(str(site["start"]["line"]) for site in branch["fromRanges"])
        node = project.truth.name_of(branch.get("from") or branch["to"])
        marks = "".join(f" {mark}" for mark in ("cycle", "repeated") if branch.get(mark))
        yield f"{'  ' * depth}{lines}: {node}{marks}"
        yield from _tree(project, branch.get("children", []), depth + 1)
