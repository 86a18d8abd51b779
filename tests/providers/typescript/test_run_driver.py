"""Runs over the unit, and over its projects in groups where the engine dies on some of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.model.units import SourceFile, UnitSpec
from codetrail.providers import node_run
from codetrail.providers.base import Limits, RunOutcome
from codetrail.providers.node_runtime import Node
from codetrail.providers.typescript import driver_run, engine
from codetrail.providers.typescript.engine import TypeScript
from codetrail.scip.reader import scan
from tests.providers.typescript.fakes import real_node, write_driver

FILES = ("a/x.ts", "b/y.ts", "b/z.js", "c/w.ts")
PROJECTS = (
    '{ "a/tsconfig.json": ["a/x.ts"], "b/tsconfig.json": ["b/y.ts", "b/z.js"], "(inferred)": ["c/w.ts"] }'
)
REST = driver_run.INFERRED
TYPESCRIPT = TypeScript("6.0.3", "/nowhere/typescript", "test")


@pytest.fixture(scope="session")
def node() -> Node:
    return real_node()


Drive = Callable[..., RunOutcome]


@pytest.fixture
def drive(tmp_path: Path, node: Node, monkeypatch: pytest.MonkeyPatch) -> Drive:
    """Return a function that runs a driver with the given body over four files of three projects."""
    for name in ("ws", "run"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(engine, "driver_folder", lambda: str(tmp_path / "driver"))

    def run(body: str, limits: Limits | None = None) -> RunOutcome:
        write_driver(tmp_path / "driver", body)
        files = tuple(SourceFile(path, "0" * 64, 1, "typescript") for path in FILES)
        unit = UnitSpec(".", "", "typescript", "typescript", "0", "typescript", "6.0.3", files)
        request = engine.empty_request(TYPESCRIPT, str(tmp_path / "ws")) | {"files": list(FILES)}
        return driver_run.run_driver(
            unit,
            request,
            node,
            TYPESCRIPT,
            str(tmp_path / "ws"),
            {},
            str(tmp_path / "run"),
            limits or Limits(seconds=60),
            lambda *_: None,
        )

    return run


def documents(outcome: RunOutcome) -> list[str]:
    assert outcome.scip_path is not None
    with scan(outcome.scip_path) as index:
        return sorted(entry.path for entry in index.documents)


def problems(outcome: RunOutcome) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.path) for problem in outcome.problems]


def asked(tmp_path: Path) -> list[list[str] | None]:
    """Return the projects that each run was restricted to, in order."""
    paths = sorted((tmp_path / "run").glob("REQUEST-*.json"), key=lambda path: int(path.stem[8:]))
    return [json.loads(path.read_text())["only"] for path in paths]


def test_a_whole_unit_takes_one_run(drive: Drive, tmp_path: Path) -> None:
    outcome = drive(f"finish(projects({PROJECTS}));")
    assert (outcome.state, outcome.problems, documents(outcome)) == ("built", (), sorted(FILES))
    assert asked(tmp_path) == [None]


DIES_ON_B = f"""
const names = projects({PROJECTS});
if (names.includes("b/y.ts")) die();
emit({{ event: "problem", code: "syntax_errors", path: names[0] }});
finish(names);
"""


def test_a_project_that_kills_the_engine_costs_itself_only(drive: Drive, tmp_path: Path) -> None:
    outcome = drive(DIES_ON_B)
    assert (outcome.state, documents(outcome)) == ("partial", ["a/x.ts", "c/w.ts"])
    assert problems(outcome) == [
        ("syntax_errors", "a/x.ts"),
        ("project_failed", "b/tsconfig.json"),
        ("syntax_errors", "c/w.ts"),
        ("documents_missing", None),
    ]
    assert outcome.syntax_errors == frozenset({"a/x.ts", "c/w.ts"})
    assert asked(tmp_path) == [
        None,
        ["a/tsconfig.json"],
        ["b/tsconfig.json", REST],
        ["b/tsconfig.json"],
        [REST],
    ]


FULL = """
const heap = Number(process.execArgv[0].split("=")[1]), kept = [];
fs.appendFileSync(path.join(path.dirname(output), "heaps"), heap + " ");
const fill = () => { for (;;) kept.push(new Array(10000).fill(1.5).map(Math.sqrt)); };
"""


def machine(monkeypatch: pytest.MonkeyPatch, memory: int) -> None:
    """Pretend to a machine with so many MiB, where a heap starts as small as it may."""
    monkeypatch.setattr(node_run, "_LEAST_HEAP_MIB", 0)
    monkeypatch.setattr(node_run, "_TREE_SHARE", 1 << 10)
    monkeypatch.setattr(driver_run, "memory_mib", lambda: memory)


def test_a_full_heap_is_doubled_before_anything_is_divided(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, 1000)
    outcome = drive(FULL + f"const names = projects({PROJECTS}); if (heap < 300) fill(); finish(names);")
    assert (outcome.state, documents(outcome)) == ("built", sorted(FILES))
    assert (tmp_path / "run/heaps").read_text() == "256 512 "


def test_a_project_too_large_for_any_heap_costs_itself_only(
    drive: Drive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(monkeypatch, 500)
    outcome = drive(
        FULL + f"const names = projects({PROJECTS}); if (names.includes('c/w.ts')) fill(); finish(names);"
    )
    assert (outcome.state, documents(outcome)) == ("partial", ["a/x.ts", "b/y.ts", "b/z.js"])
    assert problems(outcome) == [("heap_exhausted", REST), ("documents_missing", None)]
    assert (tmp_path / "run/heaps").read_text().split() == ["256"] * 5


@pytest.mark.parametrize(
    ("body", "code"),
    [
        pytest.param("die();", "provider_crashed", id="before any project is known"),
        pytest.param(f"projects({PROJECTS}); die();", "no_documents", id="on every project"),
        pytest.param(
            "projects({ '(inferred)': ['a/x.ts'] }); die();", "provider_crashed", id="without any project"
        ),
        pytest.param(
            f"projects({PROJECTS}); emit({{event: 'failed', code: 'usage', message: 'm'}}); process.exit(3);",
            "usage",
            id="a refusal is no crash",
        ),
        pytest.param("finish(['a/x.ts'], 2);", "documents_differ", id="said more than it wrote"),
    ],
)
def test_what_cannot_be_believed_is_not(drive: Drive, body: str, code: str) -> None:
    outcome = drive(body)
    assert (outcome.state, outcome.scip_path) == ("failed", None)
    assert code in [problem.code for problem in outcome.problems]


def test_a_run_in_groups_that_lies_is_not_joined(drive: Drive) -> None:
    body = f"""
const names = projects({PROJECTS});
if (names.length > 2) die();
finish(names, names.includes("a/x.ts") ? 7 : undefined);
"""
    outcome = drive(body)
    assert (outcome.state, documents(outcome)) == ("partial", ["b/y.ts", "b/z.js", "c/w.ts"])
    assert problems(outcome) == [("documents_differ", "a/tsconfig.json"), ("documents_missing", None)]


def test_a_file_that_two_groups_take_is_joined_once(drive: Drive) -> None:
    body = f"""
const names = projects({PROJECTS});
if (names.length > 3) die();
finish([...new Set([...names, "c/w.ts"])]);
"""
    outcome = drive(body)
    assert (outcome.state, outcome.problems, documents(outcome)) == ("built", (), sorted(FILES))
    assert outcome.scip_path is not None
    with scan(outcome.scip_path) as index:
        assert [len(entry.pieces) for entry in index.documents] == [1, 1, 1, 1]


def test_time_is_shared_by_all_runs(drive: Drive) -> None:
    body = f"""
const names = projects({PROJECTS});
if (request.only === null) die();
while (names.includes("b/y.ts"));
finish(names);
"""
    outcome = drive(body, Limits(seconds=6))
    assert (outcome.state, documents(outcome)) == ("partial", ["a/x.ts"])
    assert problems(outcome) == [
        ("timed_out", "b/tsconfig.json"),
        ("timed_out", REST),
        ("documents_missing", None),
    ]


def test_the_driver_calls_the_rest_by_the_same_label() -> None:
    text = (Path(engine.driver_folder()) / "run.js").read_text(encoding="utf-8")
    assert f'const INFERRED = "{REST}";' in text


def test_the_request_says_what_the_protocol_asks(tmp_path: Path) -> None:
    assert sorted(engine.empty_request(TYPESCRIPT, str(tmp_path))) == [
        *("configs", "encodings", "fileSeconds", "files", "manifests", "only", "root", "toolVersion"),
        "typescript",
    ]
