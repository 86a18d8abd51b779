"""References of real packages equal those of Pyright's own language server, or differ for a named reason.

A hundred definitions of each package are drawn at random; the seed is printed and can be set with
``CODETRAIL_SEED``. Every difference must be explained by one of the named rules below, each of which looks at
the source text and not at our answer.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, ReferenceRow
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.scip import scip_pb2
from codetrail.store.read_documents import documents
from codetrail.store.read_symbols import definitions_in, symbol
from codetrail.store.snapshots import open_snapshot
from codetrail.workspace.root import Root, find_root
from tests import downloads
from tests.oracle.language_server import LanguageServer, Place
from tests.providers.cleanliness import violations

DRAWN = 100
_ALL_LINES = 1 << 30

PACKAGES = {
    "httpx": ("httpx/_urls.py", "class URL"),
    "rich": ("rich/text.py", "class Text"),
}
"""Packages with a definition that certainly has references, to know when the server is ready."""


class Drawn(NamedTuple):
    """A definition to ask about: its symbol and where its name stands (0-based, code points)."""

    symbol: str
    path: str
    line: int
    column: int


class Sources:
    """The lines of a tree, and columns in UTF-16 units as the protocol counts them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[str]] = {}
        self._manifold: dict[str, set[str]] | None = None

    def line(self, path: str, number: int) -> str:
        """Return a line (0-based)."""
        if path not in self._lines:
            self._lines[path] = (self._root / path).read_text(encoding="utf-8").split("\n")
        return self._lines[path][number]

    def lines(self, path: str) -> list[str]:
        """Return all lines of a file."""
        self.line(path, 0)
        return self._lines[path]

    def tree(self, path: str) -> Iterator[ast.AST]:
        """Yield every node of a file, as Python itself reads it."""
        return ast.walk(ast.parse("\n".join(self.lines(path))))

    def manifold(self, word: str) -> set[str]:
        """Return the files in which one scope binds a name by several kinds of statements."""
        if self._manifold is None:
            self._manifold = {}
            for file in sorted(self._root.rglob("*.py")):
                path = file.relative_to(self._root).as_posix()
                for scope in self.tree(path):
                    if not isinstance(scope, ast.Module | ast.ClassDef | ast.FunctionDef):
                        continue
                    kinds: dict[str, set[str]] = {}
                    for name, kind in (one for statement in scope.body for one in _binders(statement)):
                        kinds.setdefault(name, set()).add(kind)
                    for name in (name for name, found in kinds.items() if len(found) > 1):
                        self._manifold.setdefault(name, set()).add(path)
        return self._manifold.get(word, set())

    def word(self, drawn: Drawn) -> str:
        """Return the identifier at a definition."""
        found = re.match(r"\w+", self.line(drawn.path, drawn.line)[drawn.column :])
        return found.group() if found else ""

    def utf16(self, path: str, number: int, column: int) -> int:
        """Turn a column in code points into UTF-16 units."""
        return len(self.line(path, number)[:column].encode("utf-16-le")) // 2


class Difference(NamedTuple):
    """A place that only one side has, with what a rule may look at."""

    drawn: Drawn
    place: Place
    ours: bool
    sources: Sources

    @property
    def before(self) -> str:
        """Return the text of the line up to the place."""
        return self._units(0, self.place.start)

    @property
    def after(self) -> str:
        """Return the text of the line from the end of the place."""
        return self._units(self.place.end, None)

    @property
    def text(self) -> str:
        """Return the text at the place."""
        return self._units(self.place.start, self.place.end)

    def _units(self, start: int, end: int | None) -> str:
        """Return a part of the line, given in UTF-16 units."""
        line = self.sources.line(self.place.path, self.place.line).encode("utf-16-le")
        return line[2 * start : None if end is None else 2 * end].decode("utf-16-le")


def _is_construction(found: Difference) -> bool:
    """The server lists calls of a class under ``__init__`` as well; ours are uses of the class."""
    return (
        not found.ours
        and found.drawn.symbol.endswith(("#__init__().", "#__new__()."))
        and found.after[:1] == "("
    )


def _is_overload_not_chosen(found: Difference) -> bool:
    """The server lists a keyword under the parameters of all overloads; ours are uses of the one chosen."""
    line = found.drawn.line + 1
    return (
        not found.ours
        and _names_an_argument(found)
        and any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and any(ast.unparse(one).rpartition(".")[2] == "overload" for one in node.decorator_list)
            and node.lineno <= line <= node.body[0].lineno
            for node in found.sources.tree(found.drawn.path)
        )
    )


def _names_an_argument(found: Difference) -> bool:
    return re.match(r"\s*=(?!=)", found.after) is not None


def _is_keyword(found: Difference) -> bool:
    """The server does not follow keyword arguments through ``cls(…)`` and decorated callees."""
    return found.ours and _names_an_argument(found)


def _is_renamed(found: Difference) -> bool:
    """The server looks only where the definition's own name stands; ours follow ``import … as``."""
    name = found.sources.word(found.drawn)
    return found.ours and any(
        bound.asname == found.text and bound.name.rpartition(".")[2] == name
        for node in found.sources.tree(found.place.path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for bound in node.names
    )


def _is_slot(found: Difference) -> bool:
    """A string in ``__slots__`` declares the field; the server does not list it."""
    line = found.place.line + 1
    return found.ours and any(
        isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "__slots__" for target in node.targets)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in found.sources.tree(found.place.path)
    )


def _is_missing_module(found: Difference) -> bool:
    """A name bound by an import that fails here is a variable to us, and nothing at all to the server."""
    name = found.sources.word(found.drawn)
    return found.ours and any(
        (bound.asname or bound.name.partition(".")[0]) == name and _is_missing(_module(node, bound))
        for node in found.sources.tree(found.drawn.path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for bound in node.names
    )


def _module(node: ast.Import | ast.ImportFrom, bound: ast.alias) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else bound.name


@cache
def _is_missing(module: str) -> bool:
    """Ask the interpreter itself whether it has the top-level package of a module."""
    program = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    command = [str(downloads.interpreter()), "-I", "-c", program, module.partition(".")[0]]
    return bool(module) and subprocess.run(command).returncode == 1


def _is_fallback(found: Difference) -> bool:
    """``try: from m import f`` / ``except: def f``: the server joins the fallback with the imported ``f``."""
    return not found.ours and (
        re.search(r"\b(def|class) $", found.before) is not None
        or (
            found.place.path == found.drawn.path
            and any(
                node.lineno <= found.place.line + 1 <= (node.end_lineno or node.lineno)
                for node in found.sources.tree(found.place.path)
                if isinstance(node, ast.ImportFrom)
            )
        )
    )


def _is_declared_differently(found: Difference) -> bool:
    """A name that an import, a class, a function and a variable bind side by side: the server joins them, and
    follows other modules to one of them. Ours are told apart, and every use means all of them."""
    word = found.sources.word(found.drawn)
    own = found.drawn.path in found.sources.manifold(word)
    return own or (found.ours and bool(found.sources.manifold(word)))


def _binders(statement: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (name, kind) of all that a statement binds, without entering classes and functions in it."""
    pending = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, "class" if isinstance(node, ast.ClassDef) else "function"
            continue
        if isinstance(node, ast.comprehension):
            pending += [node.iter, *node.ifs]
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            for bound in node.names:
                yield bound.asname or bound.name.partition(".")[0], "import"
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, "variable"
        pending += ast.iter_child_nodes(node)


def _is_quoted_alias(found: Difference) -> bool:
    """Types quoted in the value of an alias are parsed when it is evaluated, which the server need not do."""
    line, column = found.place.line + 1, len(found.before.encode())
    return found.ours and any(
        isinstance(text, ast.Constant)
        and isinstance(text.value, str)
        and text.lineno == line
        and text.col_offset < column < (text.end_col_offset or 0)
        for node in found.sources.tree(found.place.path)
        if isinstance(node, ast.Assign)
        for text in ast.walk(node.value)
    )


RULES: tuple[Callable[[Difference], bool], ...] = (
    _is_construction,
    _is_overload_not_chosen,
    _is_keyword,
    _is_renamed,
    _is_slot,
    _is_missing_module,
    _is_fallback,
    _is_declared_differently,
    _is_quoted_alias,
)


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_references_are_those_of_the_language_server(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = int(os.environ.get("CODETRAIL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"seed: CODETRAIL_SEED={seed}")
    interpreter = downloads.interpreter()
    monkeypatch.setenv("CODETRAIL_PYTHON", str(interpreter))
    tree = tmp_path / package
    shutil.copytree(downloads.sdist(package), tree)
    kept = tmp_path / "kept"
    report = build(str(tree), BuildOptions(keep_scip=str(kept)), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    _check_cleanliness(kept, tree)
    root = find_root(str(tree))
    candidates = sorted(_definitions(root))
    assert len(candidates) > 20 * DRAWN
    sources = Sources(tree)
    unexplained: list[str] = []
    path, header = PACKAGES[package]
    with LanguageServer(tree, interpreter) as server:
        line = next(n for n, text in enumerate(sources.lines(path)) if text.startswith(header))
        server.wait_until_ready(path, line, len("class "))
        for drawn in random.Random(seed).sample(candidates, DRAWN):
            column = sources.utf16(drawn.path, drawn.line, drawn.column)
            theirs = server.references(drawn.path, drawn.line, column)
            ours = _ours(root, drawn.symbol, sources)
            differences = [Difference(drawn, place, True, sources) for place in sorted(ours - theirs)]
            differences += [Difference(drawn, place, False, sources) for place in sorted(theirs - ours)]
            unexplained += [_told(one) for one in differences if not any(rule(one) for rule in RULES)]
    assert unexplained == [], "\n".join(unexplained)


def _check_cleanliness(kept: Path, tree: Path) -> None:
    """Hold the SCIP that the build believed to the strictest reading of the format."""
    (file,) = kept.glob("*.scip")
    index = scip_pb2.Index.FromString(file.read_bytes())
    assert len(index.documents) > 50
    assert violations(index, lambda path: (tree / path).read_text(encoding="utf-8-sig")) == []


def _definitions(root: Root) -> Iterator[Drawn]:
    with closing(open_snapshot(root.path)) as snapshot:
        for entry in snapshot.manifest.entries:
            shard = snapshot.shard(entry)
            for document in documents(shard):
                for row in definitions_in(shard, document.id, 0, _ALL_LINES):
                    known = symbol(shard, row.symbol)
                    # A module is defined at no text that the server could be asked about.
                    if known is not None and row.name[:2] != row.name[2:]:
                        yield Drawn(known.string, document.path, row.name.line, row.name.column)


def _ours(root: Root, name: str, sources: Sources) -> set[Place]:
    found: set[Place] = set()
    cursor: str | None = None
    while True:
        page = answer(Question("refs", name, limit=1000, cursor=cursor, include_definitions=True), root)
        for row in page.rows:
            assert isinstance(row, ReferenceRow)
            line, column, end_line, end_column = row.range
            assert line == end_line
            ends = (sources.utf16(row.path, line, column), sources.utf16(row.path, line, end_column))
            found.add(Place(row.path, line, *ends))
        cursor = page.page.next_cursor
        if cursor is None:
            return found


def _told(found: Difference) -> str:
    side = "ours" if found.ours else "theirs"
    line = found.sources.line(found.place.path, found.place.line).strip()
    return f"only {side}: {found.drawn.symbol} at {found.place.path}:{found.place.line + 1}: {line}"
