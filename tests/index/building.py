"""Build indexes in tests: a small workspace of one's own, and a provider that does what a test tells it to.

The provider finds ``def NAME`` and every use of NAME in the files of its unit, so rows are easy to foretell,
and writes them as SCIP through ``scip_pb2``. Its ``before`` and ``spoil`` let a test edit the tree while it
"runs" and damage what it wrote.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Answer, Question, SymbolRow
from codetrail.model.hierarchy import HierarchyRow
from codetrail.model.reports import BuildEvent, BuildOptions, BuildReport, CheckRow, UnitRow
from codetrail.model.scope import Scope
from codetrail.model.units import Problem, SourceFile, UnitSpec
from codetrail.providers import registry
from codetrail.providers.base import Limits, Plan, Progress, RunOutcome, Tool, Workspace
from codetrail.query.engine import answer
from codetrail.scip import scip_pb2
from codetrail.store.manifest import Manifest
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.config import Settings
from codetrail.workspace.root import find_root
from tests.scip_bytes import document, index, information, occurrence

DEFINITION = 1
_WORD = re.compile(r"\w+")
_DEFINED = re.compile(r"^def (\w+)", re.MULTILINE)


def scip_documents(files: dict[str, str]) -> list[scip_pb2.Document]:
    """Return the documents that say which function of ``files`` each word names."""
    symbols = {
        name: f"codetrail-fake python demo 1.0 `{path.removesuffix('.py').replace('/', '.')}`/{name}()."
        for path, text in files.items()
        for name in _DEFINED.findall(text)
    }
    found = []
    for path, text in files.items():
        occurrences, infos = [], []
        for number, line in enumerate(text.splitlines()):
            for word in _WORD.finditer(line):
                symbol = symbols.get(word.group())
                if symbol is None:
                    continue
                defines = line.startswith(f"def {word.group()}")
                roles = DEFINITION if defines else 0
                occurrences.append(occurrence([number, word.start(), word.end()], symbol, roles))
                if defines:
                    infos.append(information(symbol, 17, word.group()))
        found.append(document(path, occurrences, infos))
    return found


class FakeProvider:
    """A provider of Python that a test directs; ``units`` names the folders that are units of their own."""

    name = "python"
    languages: tuple[str, ...] = ("python",)
    executes_workspace_code = False

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.units: tuple[str, ...] = ("",)
        self.options: tuple[tuple[str, str], ...] = ()
        self.problems: tuple[Problem, ...] = ()
        self.syntax_errors: frozenset[str] | None = None
        self.surroundings: tuple[str, ...] = ()
        self.missing: Problem | None = None
        self.outcome: RunOutcome | None = None
        self.failing: frozenset[str] = frozenset()
        self.state = "built"
        self.reverse = False
        self.before: Callable[[], object] = lambda: None
        self.after: Callable[[], object] = lambda: None
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self.limits: Limits | None = None

    def locate(self, settings: Settings, root: str) -> Tool | Problem:  # noqa: ARG002
        return self.missing or Tool("fake", "1.0", "test", ("/bin/false",))

    probe = locate

    def plan(self, workspace: Workspace, tool: Tool) -> Plan:
        mine: dict[str, list[SourceFile]] = {}
        for file in workspace.files:
            folder = next((unit for unit in self.units if unit and file.path.startswith(unit + "/")), "")
            mine.setdefault(folder, []).append(file)
        inputs = tuple(sorted(workspace.others.items()))
        units = [
            UnitSpec(
                repository=workspace.repository,
                root=folder,
                language="python",
                provider=self.name,
                provider_version="1",
                engine=tool.name,
                engine_version=tool.version,
                files=tuple(files),
                inputs=inputs,
                options=self.options,
            )
            for folder, files in sorted(mine.items())
        ]
        return Plan(tuple(units), surroundings=self.surroundings)

    def run(
        self,
        unit: UnitSpec,
        workspace: Workspace,
        tool: Tool,  # noqa: ARG002
        folder: str,
        limits: Limits,
        progress: Progress,
    ) -> RunOutcome:
        self.runs.append(unit.name)
        self.limits = limits
        texts = {file.path: (workspace.read(file.path) or b"").decode() for file in unit.files}
        self.before()
        if self.outcome is not None:
            return self.outcome
        if unit.name in self.failing:
            return RunOutcome(
                "failed", None, (Problem("provider_failed", "The engine ended with an error."),)
            )
        documents = scip_documents(texts)
        if self.reverse:
            documents.reverse()
        path = os.path.join(folder, "index.scip")
        Path(path).write_bytes(self.spoil(index(*documents, tool="codetrail-fake")))
        progress(len(texts), len(texts))
        self.after()
        return RunOutcome(self.state, path, self.problems, 0.1, syntax_errors=self.syntax_errors)

    def advise(self, workspace: Workspace, problems: tuple[Problem, ...]) -> tuple[CheckRow, ...]:  # noqa: ARG002
        return ()

    def check(self, settings: Settings, workspace: Workspace | None) -> tuple[CheckRow, ...]:
        tool = self.locate(settings, "" if workspace is None else workspace.root)
        if isinstance(tool, Problem):
            return (CheckRow(tool.code, "error", tool.message, "python"),)
        return (CheckRow("engine_ready", "ok", "The engine is ready.", "python"),)


def serve_only(provider: FakeProvider, patch: pytest.MonkeyPatch) -> None:
    """Let ``provider`` serve its languages, and nothing else serve any."""
    patch.setattr(registry, "_PROVIDERS", dict.fromkeys(provider.languages, provider.name))
    patch.setattr(registry, "provider_for", lambda _language: provider)


FAILED = RunOutcome("failed", None, (Problem("provider_crashed", "The engine was killed or crashed."),))
TIMED_OUT = RunOutcome("timed_out", None, (Problem("timed_out", "The engine did not end in time."),))


class Bench:
    """A workspace on disk that is built and asked."""

    def __init__(self, path: Path) -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.events: list[BuildEvent] = []

    def write(self, **files: str | bytes) -> None:
        """Write files; ``a__b`` names ``a/b.py``."""
        for name, content in files.items():
            self.put(name.replace("__", "/") + ".py", content)

    def put(self, path: str, content: str | bytes) -> Path:
        place = self.path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def build(self, **options: Any) -> BuildReport:
        return build(str(self.path), BuildOptions(**options), self.events.append)

    def ask(self, verb: str, identifier: str, **options: Any) -> Answer:
        scope = Scope(**options.pop("scope", {}))
        return answer(Question(verb, identifier, scope, **options), find_root(str(self.path)))

    def refs(self, name: str, **options: Any) -> list[str]:
        """Return the uses of a name as ``path:line`` (1-based)."""
        return lines(self.ask("refs", name, **options))

    def defs(self, name: str) -> list[tuple[str, str]]:
        """Return the definitions of a name as (``path:line``, reliability)."""
        found = self.ask("defs", name)
        return [(at, row.reliability) for at, row in zip(lines(found), found.rows, strict=True)]

    def reasons(self, name: str) -> set[str]:
        """Return the codes of the coverage of ``refs``."""
        return {reason.code for reason in self.ask("refs", name).page.coverage.reasons}

    @property
    def manifest(self) -> Manifest:
        with closing(open_snapshot(str(self.path))) as snapshot:
            return snapshot.manifest

    @property
    def key(self) -> str:
        return (self.path / ".codetrail/current").read_text().strip()

    @property
    def manifest_bytes(self) -> bytes:
        return (self.path / ".codetrail/scip" / self.key / "manifest.json").read_bytes()

    @property
    def pool(self) -> Path:
        return self.path / ".codetrail/scip/shards"

    def shards(self) -> set[str]:
        """Return the names of the shards in the pool, each of which is the hash of its bytes."""
        return set(os.listdir(self.pool))


def lines(found: Answer) -> list[str]:
    """Return rows as ``path:line`` (1-based)."""
    said = []
    for row in found.rows:
        assert not isinstance(row, HierarchyRow)
        named = row.node if isinstance(row, SymbolRow) else row
        path, span = named.path, named.range
        assert span is not None
        said.append(f"{path}:{span.line + 1}")
    return said


def states(report: BuildReport) -> dict[str, str]:
    """Return the state of each unit by provider and root."""
    return {f"{row.provider}:{row.root or '.'}": row.state for row in report.rows}


def codes(row: UnitRow) -> list[str]:
    """Return the codes of a unit's problems."""
    return [problem.code for problem in row.problems]


def program(folder: Path, *argv: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "codetrail", *argv],
        cwd=folder,
        env={**os.environ, **(env or {})},
        capture_output=True,
        text=True,
        timeout=300,
    )


_WITHOUT_OVERRIDE = """
import ctypes, sys
if sys.platform == "linux":
    # Give up the superuser's right to read and write what the mode of a file forbids (capabilities 1 and 2).
    head, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    libc = ctypes.CDLL(None)
    assert libc.capget(head, data) == 0
    data[0] &= ~6
    data[1] &= ~6
    assert libc.capset(head, data) == 0
from codetrail.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def unprivileged(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a folder as one for whom the modes of files hold."""
    return subprocess.run(
        [sys.executable, "-c", _WITHOUT_OVERRIDE, *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
