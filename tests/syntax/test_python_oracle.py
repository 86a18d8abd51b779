"""Definitions, calls and writes of real files against Python's own parser."""

from __future__ import annotations

import ast
import random
import re
import sysconfig
import warnings
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codetrail.model.facts import USES
from codetrail.syntax.extract import extract

if TYPE_CHECKING:
    from collections.abc import Iterable

CALL, WRITE, DECORATOR = map(USES.index, ("call", "write", "decorator"))


def _read(path: Path) -> tuple[bytes, ast.Module] | None:
    data = path.read_bytes()
    try:
        data.decode("utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return data, ast.parse(data)
    except (SyntaxError, ValueError):  # test data that is wrong on purpose, or in another encoding
        return None


def _sample() -> list[Path]:
    library = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in library.rglob("*.py") if "site-packages" not in path.parts)
    random.Random(5).shuffle(files)
    return list(islice((path for path in files if _read(path) is not None), 150))


class Places:
    """Byte offsets of what the tree of Python's parser holds."""

    def __init__(self, data: bytes, tree: ast.Module) -> None:
        self.data = data
        bom = 3 if data.startswith(b"\xef\xbb\xbf") else 0
        self.starts = [bom, *(match.end() for match in re.finditer(rb"\r\n|\n|\r", data))]
        self.definitions: set[tuple[int, int, str]] = set()
        self.calls: set[int] = set()
        self.writes: set[int] = set()
        self.names: set[int] = set()
        self.bound_texts: set[str] = set()
        """Names that statements and patterns bind without a node of their own."""
        for node in ast.walk(tree):
            self._add(node)

    def at(self, line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return self.starts[line - 1] + column

    def _add(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            start = self.at(node.lineno, node.col_offset)
            if node.decorator_list:
                first = node.decorator_list[0]
                start = self.data.rindex(b"@", 0, self.at(first.lineno, first.col_offset))
            self.definitions.add((start, self.at(node.end_lineno, node.end_col_offset), node.name))
        elif isinstance(node, ast.Call):
            name = self._name(node.func)
            if name is not None:
                self.calls.add(name)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            self.bound_texts.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            self.bound_texts.add(node.rest)
        name = self._name(node)
        if name is not None:
            self.names.add(name)
            if not isinstance(getattr(node, "ctx", None), ast.Load):
                self.writes.add(name)

    def _name(self, node: ast.AST) -> int | None:
        if isinstance(node, ast.Name):
            return self.at(node.lineno, node.col_offset)
        if isinstance(node, ast.Attribute):
            return self.at(node.end_lineno, node.end_col_offset) - len(node.attr.encode())
        return None


@pytest.fixture(scope="module")
def sample() -> list[Path]:
    return _sample()


def test_real_files_read_as_python_reads_them(sample: list[Path]) -> None:
    assert len(sample) == 150
    differences: list[tuple[str, str, object]] = []
    unparsed = 0
    for path in sample:
        read = _read(path)
        assert read is not None
        data, tree = read
        syntax = extract(data, "python", path=str(path))
        if syntax.errors:  # a place that the grammar does not know; what follows it may be lost
            unparsed += 1
            continue
        places = Places(data, tree)
        found = {
            (extent.start, extent.end, extent.name)
            for extent in syntax.extents
            if data[: extent.name_start].rstrip().endswith((b"def", b"class"))
        }
        calls = {start for start, use in syntax.uses.items() if use == CALL}
        writes = {start for start, use in syntax.uses.items() if use == WRITE}
        decorators = {start for start, use in syntax.uses.items() if use == DECORATOR}
        texts = {start: data[start:end].decode() for start, end in syntax.tokens}
        differs: dict[str, Iterable[object]] = {
            "definition": found ^ places.definitions,
            "call": (calls | decorators & places.calls) ^ places.calls,
            "write missing": places.writes - writes,
            "write": {at for at in writes - places.writes if texts[at] not in places.bound_texts},
            "token": places.names - texts.keys(),
        }
        differences += [(path.name, what, place) for what, all_ in differs.items() for place in all_]
    assert differences == []
    assert unparsed <= 2
