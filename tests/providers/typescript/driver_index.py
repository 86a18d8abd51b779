"""Run the real driver over a folder and read its answers place by place, in a short form for tables.

A symbol of the workspace's package reads ``file.ts/descriptors``, one of another package begins with the
package, and one that only its document knows is ``local name@line``, the 1-based line of its definition.
Roles are letters: D definition, F forward definition, I import, W write, R read, T test; no letter is a
plain mention.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from codetrail.scip import scip_pb2
from tests.providers.typescript.projects_index import DRIVER, NODE, request_for

ROLES = {1: "D", 64: "F", 2: "I", 4: "W", 8: "R", 32: "T"}
Answer = dict[str, str]
"""Roles by symbol."""


@dataclass(frozen=True)
class Indexed:
    """What the driver wrote of a folder whose package is ``own`` (name and version)."""

    root: Path
    index: scip_pb2.Index
    events: tuple[dict[str, object], ...]
    own: str
    texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def documents(self) -> dict[str, scip_pb2.Document]:
        return {one.relative_path: one for one in self.index.documents}

    def text(self, path: str) -> str:
        """Return the text of a document, without a byte order mark."""
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_bytes().decode("utf-8").removeprefix("\ufeff")
        return self.texts[path]

    def at(self, path: str, line: str, name: str, nth: int = 0) -> Answer:
        """Return what stands on the nth ``name`` from ``line`` on, in the first line that holds it."""
        lines = re.split(r"\r\n|\r|\n", self.text(path))
        number = next(index for index, text in enumerate(lines) if line in text)
        start = lines[number].index(line)
        for _ in range(nth + 1):
            start = lines[number].index(name, start) + 1
        column = len(lines[number][: start - 1].encode("utf-16-le")) // 2
        place = [number, column, column + len(name.encode("utf-16-le")) // 2]
        document = self.documents[path]
        return {
            self.short(document, one.symbol): letters(one.symbol_roles)
            for one in document.occurrences
            if list(one.range) == place and one.symbol
        }

    def short(self, document: scip_pb2.Document, symbol: str) -> str:
        if symbol.startswith("local "):
            [information] = (one for one in document.symbols if one.symbol == symbol)
            first = next(one for one in document.occurrences if one.symbol == symbol and one.symbol_roles & 1)
            return f"local {information.display_name}@{first.range[0] + 1}"
        short = symbol.removeprefix(f"codetrail-ts npm {self.own} ").removeprefix("codetrail-ts npm ")
        return short.replace("`", "", 2) if short != symbol else symbol

    def information(self, path: str, symbol: str) -> scip_pb2.SymbolInformation:
        document = self.documents[path]
        [found] = (one for one in document.symbols if self.short(document, one.symbol) == symbol)
        return found

    def definitions(self, symbol: str) -> list[tuple[str, int, str]]:
        """Return (path, 1-based line, roles) of every definition of a symbol, in order."""
        return [
            (document.relative_path, one.range[0] + 1, letters(one.symbol_roles))
            for document in self.index.documents
            for one in document.occurrences
            if one.symbol_roles & 1 and self.short(document, one.symbol) == symbol
        ]

    def extent(self, path: str, symbol: str, nth: int = 0) -> str:
        """Return the text of the enclosing range of the nth definition of a symbol in a document."""
        document = self.documents[path]
        found = [
            one
            for one in document.occurrences
            if one.symbol_roles & 1 and self.short(document, one.symbol) == symbol
        ]
        around = list(found[nth].enclosing_range)
        first, start, last, end = around if len(around) == 4 else [around[0], around[1], around[0], around[2]]
        lines = self.text(path).split("\n")[first : last + 1]
        lines[-1] = lines[-1][:end]
        lines[0] = lines[0][start:]
        return "\n".join(lines)

    def relationships(self, path: str, symbol: str) -> dict[str, str]:
        """Return how a symbol relates to others: ``i`` implementation, ``r`` reference."""
        document = self.documents[path]
        return {
            self.short(document, one.symbol): "i" * one.is_implementation + "r" * one.is_reference
            for one in self.information(path, symbol).relationships
        }


def signature_of(information: scip_pb2.SymbolInformation) -> str:
    """Return the signature text; the generated stub takes the field's type for an enum member."""
    return str(getattr(information.signature_documentation, "text", ""))


def letters(roles: int) -> str:
    """Return the letters of a role set."""
    return "".join(letter for role, letter in ROLES.items() if roles & role)


def index_folder(root: Path, folder: Path, own: str, **changes: object) -> Indexed:
    """Index every source below a folder with the real driver and insist that the run ended well."""
    folder.mkdir(parents=True, exist_ok=True)
    request, output = folder / "REQUEST.json", folder / "out.scip"
    request.write_text(json.dumps(request_for(root, **changes)), encoding="ascii")
    command = [NODE, str(DRIVER / "main.js"), "--request", str(request), "--output", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    events = tuple(json.loads(line) for line in done.stderr.splitlines())
    assert done.returncode == 0, events[-3:]
    assert done.stdout == ""
    return Indexed(root, scip_pb2.Index.FromString(output.read_bytes()), events, own)
