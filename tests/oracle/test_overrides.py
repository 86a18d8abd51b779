"""Uses through overriding equal what running the very classes says of them: random hierarchies of Python.

Classes with several bases, over several modules and levels, are written, indexed and imported. Which class's
method a call finds, and whom it overrides, is then asked of the classes themselves (``__mro__``, ``vars``).
"""

from __future__ import annotations

import importlib
import os
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, ReferenceRow
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.workspace.root import Root, find_root

MODULES = 3
CLASSES = 40
METHODS = ("run", "stop", "size")


class Hierarchy:
    """Random classes with up to three bases among those before them, and a use of each method of each."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        self.module = {f"C{n}": f"mod{n * MODULES // CLASSES}" for n in range(CLASSES)}
        self.bases: dict[str, list[str]] = {}
        self.own: dict[str, list[str]] = {}
        built: dict[str, type] = {}
        for name in self.module:
            candidates = chance.sample(sorted(built), min(len(built), chance.randint(0, 3)))
            while True:
                try:
                    made = type(name, tuple(built[base] for base in candidates), {})
                    break
                except TypeError:  # no order of these bases is consistent
                    candidates.pop()
            self.bases[name] = candidates
            self.own[name] = [method for method in METHODS if chance.random() < 0.5]
            built[name] = made

    def write(self, root: Path) -> None:
        """Write the modules, and a function for each class that uses each of its methods once."""
        for module in sorted(set(self.module.values())):
            mine = [name for name, home in self.module.items() if home == module]
            others = {base for name in mine for base in self.bases[name] if self.module[base] != module}
            lines = [f"from {self.module[name]} import {name}" for name in sorted(others)]
            for name in mine:
                lines.append(f"class {name}({', '.join(self.bases[name])}):")
                for method in self.own[name]:
                    lines.append(f"    def {method}(self) -> int:")
                    lines.append("        return 1")
                lines.append("    mark = 0")
            (root / f"{module}.py").write_text("\n".join(lines) + "\n")
        lines = [f"from {home} import {name}" for name, home in self.module.items()]
        for name in self.module:
            lines.append(f"def use_{name}(x: {name}) -> None:")
            lines += [f"    x.{method}()" for method in METHODS if self.has(name, method)]
            lines.append("    pass")
        (root / "uses.py").write_text("\n".join(lines) + "\n")

    def has(self, name: str, method: str) -> bool:
        """Tell whether a class has a method, its own or not."""
        return method in self.own[name] or any(self.has(base, method) for base in self.bases[name])


def finder(loaded: dict[str, type], name: str, method: str) -> str:
    """Return the class whose method a call on an instance of a class runs."""
    return next(one.__name__ for one in loaded[name].__mro__ if method in vars(one))


def overridden(loaded: dict[str, type], name: str, method: str) -> set[str]:
    """Return the classes whose method that of a class overrides."""
    return {one.__name__ for one in loaded[name].__mro__[1:] if method in vars(one)}


def rows(root: Root, module: str, name: str, method: str) -> set[tuple[str, str | None, str]]:
    """Return the function, the kind and the class of each row of a method."""
    found = set()
    question = Question("refs", f"{module}.{name}.{method}", include_overrides=True, limit=1000)
    given = answer(question, root)
    assert given.page.total == len(given.rows)
    for row in given.rows:
        assert isinstance(row, ReferenceRow)
        kind = row.via.kind if row.via is not None else None
        found.add((row.enclosing.name, kind, row.symbol.partition("#")[0].rpartition("/")[2]))
    assert len(found) == len(given.rows)
    return found


def test_random_hierarchies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = int(os.environ.get("CODETRAIL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"seed: CODETRAIL_SEED={seed}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tree = tmp_path / "tree"
    tree.mkdir()
    hierarchy = Hierarchy(seed)
    hierarchy.write(tree)
    report = build(str(tree), BuildOptions(), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    monkeypatch.syspath_prepend(str(tree))
    modules: dict[str, ModuleType] = {}
    for module in sorted(set(hierarchy.module.values())):
        modules[module] = importlib.import_module(module)
        monkeypatch.delitem(sys.modules, module)
    loaded = {name: getattr(modules[home], name) for name, home in hierarchy.module.items()}
    root = find_root(str(tree))
    relatives = 0
    for name, home in hierarchy.module.items():
        for method in hierarchy.own[name]:
            up = overridden(loaded, name, method)
            down = {
                other
                for other in loaded
                if method in hierarchy.own[other] and name in overridden(loaded, other, method)
            }
            expected = set()
            for other in loaded:
                if hierarchy.has(other, method):
                    target = finder(loaded, other, method)
                    if target in {name, *up, *down}:
                        kind = None if target == name else "overrides" if target in up else "overridden"
                        expected.add((f"use_{other}", kind, target))
            assert rows(root, home, name, method) == expected, (name, method)
            relatives += len(up) + len(down)
    assert relatives > 50
