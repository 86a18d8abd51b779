"""The calls of two projects as people listed them, and answers brought into the same words.

``truth.toml`` beside each project says what is listed and how. It must not know how answers are made.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

FIXTURES = Path(__file__).parents[2] / "fixtures"
TRUTH = "truth.toml"

_CONSTRUCTORS = ("__init__", "constructor")

Lines = Counter[str]
"""What is listed of one symbol in one respect; a line may be there twice."""


class Symbol(NamedTuple):
    """What is true of one symbol.

    ``lines`` are those of a class, and of everything else its first alone; ``also`` are the first lines of
    its other definitions. ``inherits`` names the constructor that a class without one runs. ``holds``: all
    calls within it are its own, as of a module or class.
    """

    path: str
    name: str
    lines: range
    also: tuple[int, ...]
    inherits: str
    holds: bool
    calls: Lines
    callers: Lines
    values: Lines
    unknown: Lines
    overrides: tuple[str, ...]
    overridden: tuple[str, ...]

    @property
    def coordinate(self) -> str:
        """Return what asks for it."""
        return f"{self.path}:{self.lines.start}#{self.name or self._module}"

    @property
    def _module(self) -> str:
        """Return the name of the module or script that the file is."""
        if self.path.endswith(".py"):
            return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return self.path.rpartition("/")[2]

    @property
    def is_module(self) -> bool:
        return not self.name


class Truth:
    """All that is listed of one project, by the names that the list uses."""

    def __init__(self, project: str) -> None:
        listed = tomllib.loads((FIXTURES / project / TRUTH).read_text(encoding="utf-8"))
        self.hierarchies: dict[str, dict[str, str]] = listed.pop("hierarchies", {})
        self.symbols = {name: _symbol(name, facts) for name, facts in listed.items()}
        self._names = {
            (one.path, line, one.name): name
            for name, one in self.symbols.items()
            for line in (one.lines.start, *one.also)
        }

    def name_of(self, node: Mapping[str, Any]) -> str:
        """Name what a node of an answer stands for as the list does; what is not listed by its place."""
        if node["kind"] == "module":
            return str(node.get("path") or node["qualifiedName"])
        if "external" in node:
            return f"{node['qualifiedName']} [{node['external']['package']}]"
        name = self._names.get((node["path"], node["line"], node["qualifiedName"]))
        if name is not None:
            return name
        if node["kind"] == "parameter":
            return f"(parameter) {node['name']}"
        if node.get("symbol", "").startswith("local "):
            return f"(local) {node['name']}"
        return f"{node['path']}:{node['line']}#{node['qualifiedName']}"

    def calls_in(self, name: str, *, unknown: bool = False) -> Lines:
        """Return the calls of a symbol with a known target, or without; of a module or class, all in it."""
        asked = self.symbols[name]
        found = Counter(_calls(asked, unknown))
        if not asked.holds:
            return found
        for other in self.symbols.values():
            if other is asked or other.path != asked.path:
                continue
            if asked.is_module or other.name.startswith(f"{asked.name}."):
                found += _calls(other, unknown)
            elif other.is_module:
                every = _calls(other, unknown).elements()
                found += Counter(line for line in every if _number(line) in asked.lines)
        return found

    def turned(self) -> dict[str, Lines]:
        """Return the callers of every symbol as they follow from the calls alone."""
        found: dict[str, Lines] = {name: Counter() for name in self.symbols}
        for caller, one in self.symbols.items():
            for call in one.calls.elements():
                line, use, callee = call.split(" ", 2)
                if callee in found:
                    found[callee][f"{line} {use} {caller}"] += 1
        for name in self.symbols:
            owner, _, leaf = name.rpartition(".")
            if leaf in _CONSTRUCTORS:
                found[name] += _constructions(found[owner])
        for name, one in self.symbols.items():
            if one.inherits:
                found[one.inherits] += _constructions(found[name])
        return found


def _constructions(callers: Lines) -> Lines:
    return Counter(made for made in callers.elements() if " construct " in made)


def _calls(one: Symbol, unknown: bool) -> Lines:
    return one.unknown if unknown else one.calls


def _symbol(name: str, facts: Mapping[str, Any]) -> Symbol:
    path, _, rest = name.partition("#")
    line = facts.get("line", 1)
    if not rest.endswith('")'):
        rest = rest.partition(":")[0]
    lists = {key: Counter(facts.get(key, ())) for key in ("calls", "callers", "values", "unknown")}
    names = {key: tuple(facts.get(key, ())) for key in ("overrides", "overridden")}
    return Symbol(
        path,
        rest,
        range(line, facts.get("end", line) + 1),
        tuple(facts.get("also", ())),
        facts.get("inherits", ""),
        not rest or "end" in facts,
        lists["calls"],
        lists["callers"],
        lists["values"],
        lists["unknown"],
        names["overrides"],
        names["overridden"],
    )


def _number(line: str) -> int:
    return int(line.split(" ", 1)[0])


def difference(asked: str, told: Lines, listed: Lines) -> Iterable[str]:
    """Yield a line for each thing that only the answer or only the list has."""
    yield from (f"{asked}: only told: {line}" for line in sorted((told - listed).elements()))
    yield from (f"{asked}: only listed: {line}" for line in sorted((listed - told).elements()))
