"""An engine is proven once by a provider, and once by a machine for the same files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codetrail.model.units import Problem
from codetrail.providers import proof
from codetrail.providers.base import Tool
from codetrail.providers.node_driver import FAILED, UNFINISHED
from codetrail.providers.node_runtime import Node
from codetrail.providers.proof import Prover, Subject, failed_before, recall
from tests.providers.typescript.fakes import real_node


class Engine:
    """An engine whose self-test a test directs."""

    def __init__(self, folder: Path) -> None:
        node = real_node()
        self.env = {"XDG_CACHE_HOME": str(folder / "cache"), "HOME": str(folder), "PATH": "/usr/bin:/bin"}
        self.tool = Tool("fake", "1", "test", (node.program,), (("node", node.origin),))
        (folder / "entry.js").write_text("")
        self.subject: Subject | None = Subject("fake", "1", "digest", str(folder / "entry.js"))
        self.answer: Problem | None = None
        self.tested = 0

    def prover(self) -> Prover:
        return Prover(self.env, lambda _: self.subject, self.self_test)

    def self_test(
        self, tool: Tool, node: Node, root: str, env: Mapping[str, str], folder: str
    ) -> Problem | None:
        assert (tool, env) == (self.tool, self.env)
        assert node.version is not None
        assert Path(folder).is_dir()
        assert root == "/nowhere"
        self.tested += 1
        return self.answer

    def recorded(self) -> tuple[bool, bool]:
        """Tell whether a success and whether a failure is on record."""
        node = proof.node_of(self.tool)
        subject = Subject("fake", "1", "digest", str(Path(self.env["HOME"]) / "entry.js"))
        return recall(node, subject, self.env) is not None, failed_before(node, subject, self.env)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return Engine(tmp_path)


def test_what_passed_is_not_tested_again(engine: Engine) -> None:
    prover = engine.prover()
    assert isinstance(prover.prove(engine.tool, "/nowhere"), Node)
    assert isinstance(prover.prove(engine.tool, "/nowhere"), Node)
    assert isinstance(engine.prover().prove(engine.tool, "/nowhere"), Node)
    assert (engine.tested, engine.recorded()) == (1, (True, False))
    assert isinstance(engine.prover().test(engine.tool, "/nowhere"), Node)
    assert engine.tested == 2


@pytest.mark.parametrize(("code", "remembered"), [(FAILED, True), (UNFINISHED, False)])
def test_only_wrong_answers_are_held_against_an_engine_and_until_it_passes(
    engine: Engine, code: str, remembered: bool
) -> None:
    engine.answer = Problem(code, "It failed.")
    prover = engine.prover()
    assert prover.prove(engine.tool, "/nowhere") == engine.answer
    assert prover.test(engine.tool, "/nowhere") == engine.answer
    assert (engine.tested, engine.recorded()) == (1, (False, remembered))
    engine.answer = None
    assert isinstance(engine.prover().test(engine.tool, "/nowhere"), Node)
    assert engine.recorded() == (True, False)


def test_of_an_engine_that_each_run_proves_nothing_is_remembered(engine: Engine) -> None:
    engine.subject = None
    prover = engine.prover()
    assert isinstance(prover.prove(engine.tool, "/nowhere"), Node)
    assert engine.tested == 0
    engine.answer = Problem(FAILED, "It failed.")
    assert prover.test(engine.tool, "/nowhere") == engine.answer
    assert (engine.tested, engine.recorded()) == (1, (False, False))
    assert prover.prove(engine.tool, "/nowhere") == engine.answer
