"""Index Python through Pyright's language server and write SCIP.

``python -I -S main.py --request REQUEST.json --output OUT.scip -- SERVER ARGUMENT...``

The request is that of the in-process driver (``driver/main.js``); SERVER is the absolute path of a program.
stdout: nothing. stderr: events. Exit 0 only after ``done``; 3 after ``failed``. Runs the server as its only
child; what watches the run ends both.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from typing import Any

if __name__ == "__main__":
    # Run as a file, without ``site``: the package is found from here, and nothing else is.
    # Last, so that nothing beside CodeTrail stands in for a module of the standard library.
    sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4)))

from codetrail.providers.python.lsp import events, project, questions, walk
from codetrail.providers.python.lsp.events import DriverFailure
from codetrail.providers.python.lsp.files import Files, Unreadable
from codetrail.providers.python.lsp.modules import Modules
from codetrail.providers.python.lsp.server import Server, ServerRefusal
from codetrail.providers.python.lsp.targets import Targets
from codetrail.scip.writer import ScipWriter

_EXIT_FAILED = 3
_RECURSION = 10_000
_TOOL = "codetrail-python-lsp"


def run(request: Mapping[str, Any], output: str, argv: list[str]) -> dict[str, int]:
    """Index every file of the request; return the counts of the ``done`` event."""
    layout = project.lay_out(tempfile.mkdtemp(dir=os.path.dirname(output)), request)
    server = Server(argv, layout.folder, project.SECTIONS)
    try:
        server.wait_until_ready(layout.canary, project.CANARY_POINT)
        with ScipWriter(output, _TOOL, str(request["toolVersion"])) as writer:
            return _index(request, layout, server, writer)
    finally:
        server.close()


def _index(
    request: Mapping[str, Any], layout: project.Layout, server: Server, writer: ScipWriter
) -> dict[str, int]:
    python = request["python"]
    dist = os.path.realpath(request["bundle"]["dist"])
    modules = Modules(request, dist, python["version"] or project.NEWEST)
    files = Files(request, modules)
    targets = Targets(files)
    totals = {"documents": 0, "files": len(request["files"]), "names": 0, "resolved": 0, "unresolved": 0}
    progress = events.ProgressReporter(totals["files"])
    for number, path in enumerate(request["files"], 1):
        absolute = os.path.join(request["root"], path)
        try:
            file = files.load(absolute)
            answers = questions.ask_all(server, file, path in layout.unlisted or not file.source.plain)
        except Unreadable as problem:
            events.problem(problem.code, str(problem), path=path)
            continue
        except ServerRefusal as problem:
            events.problem("file_failed", str(problem), path=path)
            continue
        found = walk.index_file(
            path,
            file,
            answers,
            files.naming(file),
            targets,
            modules,
            python["searchPaths"],
            partial(targets.follow, server),
        )
        writer.document(found.document)
        totals["documents"] += 1
        totals["names"] += found.names
        totals["resolved"] += found.resolved
        totals["unresolved"] += found.unresolved
        for broken in found.broken:
            events.problem("unresolved_import", broken.module, path=path, line=broken.line)
        progress(number)
    writer.external_symbols(targets.external(), "python")
    return totals


def main(words: list[str]) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--request", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("server", nargs="+")
    options = parser.parse_args(words)
    sys.setrecursionlimit(_RECURSION)
    try:
        with open(options.request, encoding="ascii") as file:
            request = json.load(file)
        bundle = request["bundle"]
        events.emit("start", engine=f"{bundle['kind']}-lsp")
        events.emit("done", **run(request, os.path.abspath(options.output), options.server))
    except DriverFailure as failure:
        events.emit("failed", code=failure.code, message=str(failure))
        return _EXIT_FAILED
    except OSError as error:
        events.emit("failed", code="engine_crashed", message=os.strerror(error.errno or 0))
        return _EXIT_FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
