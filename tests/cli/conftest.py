"""Run the program in this process, with an engine whose answers the test gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.cli import app, queries
from codetrail.model.answers import Answer, Coverage, Matched, Node, Page, Question, SymbolRow
from codetrail.model.facts import PRECISE_FACT
from codetrail.model.ranges import Range
from codetrail.workspace.root import Root

CART = Node(
    "class", "Cart", "Cart", "class Cart", "python", "cart.py", Range(2, 6, 2, 10), "python . . . Cart#"
)
MATCHED = (Matched("cart.py:3#Cart", "class", 1),)
FOUND = Answer(
    (SymbolRow(CART, None, PRECISE_FACT, True, 0),),
    Page(Coverage("complete"), total=1, matched=MATCHED, matched_total=1),
)


class Outcome(NamedTuple):
    """What one run of the program left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


class Engine:
    """Stands where the query engine stands; keeps the questions and gives ``reply`` (or raises it)."""

    def __init__(self) -> None:
        self.reply: Answer | BaseException = FOUND
        self.questions: list[Question] = []
        self.roots: list[Root] = []

    def __call__(self, question: Question, root: Root, seen: queries.Seen) -> Answer:
        self.questions.append(question)
        self.roots.append(root)
        if isinstance(self.reply, BaseException):
            raise self.reply
        return seen(self.reply)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a git work tree with two folders and stand in it."""
    root = tmp_path / "tree"
    for folder in (".git", "src/deep", "tests"):
        (root / folder).mkdir(parents=True)
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / "src" / "a.py").write_text("x = 1\n")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Put an engine of the test's own in place."""
    double = Engine()
    monkeypatch.setattr(queries, "ask", double)
    return double


@pytest.fixture
def program(workspace: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Outcome]:  # noqa: ARG001
    """Run the program on a command line and return what it left."""

    def run(*argv: str) -> Outcome:
        status = app.run(list(argv))
        out, err = capfdbinary.readouterr()
        return Outcome(status, out.decode(), err.decode())

    return run


Program = Callable[..., Outcome]
