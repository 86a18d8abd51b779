"""The engine as a whole: whatever is typed is answered or refused, and little is loaded for it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.errors import CodeTrailError, UsageError
from codetrail.model.answers import Answer

SYMBOL = "codetrail-python python shop 1.0 `m`/run()."


def build(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def run(): pass\nrun()\n").define("run", "`m`/run().", "function", 1).use(
        "run", "`m`/run()."
    )
    tree.file(unit, "b.py", "x = run\n").local("x", 0, defines=True).use("run", "`m`/run().", "value")
    tree.store()


@pytest.fixture
def built(tree: Any) -> Any:
    build(tree)
    return tree


_PIECES = st.sampled_from(
    [
        "run",
        "a.py",
        "b.py",
        ":",
        "1",
        "#",
        ".",
        "::",
        "()",
        " ",
        SYMBOL,
        "local 0",
        "/",
        "..",
        "`",
        "\udcff",
        "É",
    ]
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(["refs", "defs", "symbols"]),
    st.text(max_size=30) | st.lists(_PIECES, max_size=7).map("".join),
    st.sampled_from(["compatible", "strict"]),
)
def test_whatever_is_typed_is_answered_or_refused(built: Any, verb: str, typed: str, mode: str) -> None:
    try:
        answered = built.ask(verb, typed, input_mode=mode)
    except CodeTrailError:
        return
    assert isinstance(answered, Answer)
    assert len(answered.rows) <= 100
    if answered.rows:
        assert answered.page.matched_total


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=40))
def test_any_cursor_is_used_or_refused(built: Any, cursor: str) -> None:
    with pytest.raises(UsageError) as caught:
        built.refs("run", cursor=cursor)
    assert caught.value.code == "invalid_cursor"


def test_coordinates_and_symbols_paste_back(built: Any) -> None:
    for typed in (built.defs("run").page.matched[0].coordinate, built.defs("run").rows[0].node.symbol):
        assert [row.path for row in built.refs(typed).rows] == ["a.py", "b.py"]


def test_answers_are_equal_each_time(built: Any) -> None:
    for verb, typed in (("refs", "run"), ("defs", "run"), ("symbols", "r")):
        assert built.ask(verb, typed) == built.ask(verb, typed)


_ASK = """
import sys
from codetrail.model.answers import Question
from codetrail.query.engine import answer
from codetrail.workspace.root import Root
given = answer(Question(sys.argv[1], sys.argv[2]), Root(sys.argv[3]))
print(len(given.rows), *sorted(sys.modules))
"""

_NEVER = (
    "google",
    "rich",
    "typer",
    "pydantic",
    "mcp",
    "re2",
    "codetrail.providers",
    "codetrail.scip",
    "codetrail.index",
    "codetrail.query.source_blocks",
    "codetrail.model.source_block",
)
_PARSER = ("tree_sitter", "codetrail.syntax")


def loaded_by(tree: Any, verb: str, typed: str) -> tuple[int, set[str]]:
    ran = subprocess.run(
        [sys.executable, "-c", _ASK, verb, typed, str(tree.path)],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
    )
    rows, *modules = ran.stdout.split()
    return int(rows), {module for module in modules if module.startswith(("codetrail", *_NEVER, *_PARSER))}


@pytest.mark.parametrize(("verb", "rows"), [("refs", 2), ("defs", 1), ("symbols", 1)])
def test_a_question_loads_no_parser_and_no_provider(built: Any, verb: str, rows: int) -> None:
    found, modules = loaded_by(built, verb, "run")
    assert found == rows
    assert not [module for module in modules if module.startswith((*_NEVER, *_PARSER))]


def test_only_a_changed_file_that_holds_the_name_loads_the_parser(built: Any) -> None:
    built.write("c.py", "other\n")
    _, modules = loaded_by(built, "defs", "run")
    assert not [module for module in modules if module.startswith(_PARSER)]
    built.write("c.py", "class run: pass\n")
    found, modules = loaded_by(built, "defs", "run")
    assert found == 2
    assert "codetrail.syntax.extract" in modules
    assert not [module for module in modules if module.startswith(_NEVER)]
    _, modules = loaded_by(built, "refs", "run")
    assert not [module for module in modules if module.startswith(_PARSER)]
