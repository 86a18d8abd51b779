"""The source of every function and class of a real package is the one that Python's own parser sees."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, SymbolRow
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.workspace.root import Root, find_root
from tests import downloads

_MOST = 2000


@pytest.fixture(scope="module")
def httpx(tmp_path_factory: pytest.TempPathFactory) -> Root:
    """Index httpx, whose imports may go unresolved: extents do not depend on them."""
    tree = tmp_path_factory.mktemp("package") / "httpx"
    shutil.copytree(downloads.sdist("httpx"), tree)
    report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    return find_root(str(tree))


def _definitions(path: Path) -> list[tuple[int, int, int, str]]:
    """Return line of the name, first and last line with decorators (1-based), and name."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min(node.lineno, *(one.lineno for one in node.decorator_list), node.lineno)
            assert node.end_lineno is not None
            found.append((node.lineno, first, node.end_lineno, node.name))
    return found


@pytest.mark.parametrize("context", [0, 3])
@pytest.mark.parametrize("file", ["_urls.py", "_models.py", "_decoders.py", "_exceptions.py"])
def test_source_is_from_the_decorators_to_the_end(httpx: Root, file: str, context: int) -> None:
    path = f"httpx/{file}"
    lines = (Path(httpx.path) / path).read_text().splitlines()
    definitions = _definitions(Path(httpx.path) / path)
    assert len(definitions) > 10
    for line, first, last, name in definitions:
        asked = Question(
            "defs", f"{path}:{line}", include_code=True, code_context=context, code_max_lines=_MOST,
            freshness="answer",
        )  # fmt: skip
        rows = [row for row in answer(asked, httpx).rows if isinstance(row, SymbolRow)]
        (block,) = [
            row.source
            for row in rows
            if row.node.name == name and row.node.range is not None and row.node.range.line == line - 1
            and row.body is not None
        ]  # fmt: skip
        assert block is not None
        start, stop = max(0, first - 1 - context), min(len(lines), last + context)
        assert (block.first, block.lines, block.truncated) == (start, tuple(lines[start:stop]), False)
