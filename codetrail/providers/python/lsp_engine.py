"""The fallback engine: Pyright's own language server, asked for every name by our Python driver.

Its public protocol outlives the internals that the in-process driver needs, at many times the cost. It runs
when the self-test of those internals fails, or when a person asks for it; the unit always says so. This
module must not know the protocol. Why it is made like this: decision record 8.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from functools import partial

from codetrail.model.units import Problem
from codetrail.providers import node_driver, process
from codetrail.providers.base import Limits, Tool
from codetrail.providers.events import Events
from codetrail.providers.node_driver import driver_environment
from codetrail.providers.node_runtime import Node, node_command
from codetrail.providers.python.engine import SENTENCES, Bundle, empty_request

ENGINE = "pyright-lsp"
CODE = "fallback_engine"
ASKED = "asked"
FAILED = "self_test"
_METHOD = "why"
_SECONDS = 180.0
_HEAP_MIB = 1024
_SELF_TEST = {
    "shelf.py": 'class Book:\n    def title(self) -> str:\n        return ""\n',
    "use.py": "from shelf import Book\n\nBook().title()\n",
}

_WHY = {
    ASKED: "The language server answered, as the configuration asks.",
    FAILED: "The language server answered, because the self-test of the in-process engine failed.",
}
_LOSS = (
    " It knows no overridden members, no keyword arguments of decorated callables and no dictionary keys,"
    " lists keywords of overloaded functions under every overload, and knows less of what stands in strings;"
    " files in syntax newer than the Python of CodeTrail have no rows. It does not tell which installed files"
    " it read, so an edit of one by hand is not noticed."
)


def as_fallback(tool: Tool, why: str) -> Tool:
    """Return the language server of the same bundle as an engine of its own, and why it is used."""
    return tool._replace(name=f"{dict(tool.details)['kind']}-lsp", details=(*tool.details, (_METHOD, why)))


def without_fallback(tool: Tool) -> Tool:
    """Return the in-process engine of the same bundle."""
    details = tuple(pair for pair in tool.details if pair[0] != _METHOD)
    return tool._replace(name=dict(details)["kind"], details=details)


def reason(tool: Tool) -> str | None:
    """Return why the fallback is used (``asked``, ``self_test``); None for the in-process engine."""
    return dict(tool.details).get(_METHOD)


def remark(tool: Tool, detail: str | None = None) -> Problem:
    """Return what a unit says of being answered by the fallback engine."""
    return Problem(CODE, _WHY[reason(tool) or ASKED] + _LOSS, detail=detail)


def command(bundle: Bundle, node: Node, heap_mib: int, folder: str, *arguments: str) -> list[str]:
    """Return the command line of the driver, the server's behind it; both write below ``folder`` only."""
    here = _folder()
    server = [*node_command(node, heap_mib, folder), os.path.join(here, "serve.js"), bundle.dist, "--stdio"]
    return [sys.executable, "-I", "-S", os.path.join(here, "main.py"), *arguments, "--", *server]


def command_of(bundle: Bundle) -> partial[list[str]]:
    """Return the maker of command lines for one bundle."""
    return partial(command, bundle)


def digest() -> str:
    """Return the SHA-256 (hex) over the driver's own files and the Python whose parser it uses."""
    digest = hashlib.sha256(f"{sys.version_info[:2]}\0".encode())
    for name in sorted(name for name in os.listdir(_folder()) if name.endswith((".py", ".js"))):
        with open(os.path.join(_folder(), name), "rb") as file:
            content = file.read()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def self_test(node: Node, bundle: Bundle, root: str, env: Mapping[str, str], folder: str) -> Problem | None:
    """Index a built-in project through the server in the private ``folder``; None if every name is found."""
    project = os.path.join(folder, "shelf")
    os.mkdir(project)
    for name, text in _SELF_TEST.items():
        with open(os.path.join(project, name), "x", encoding="ascii") as file:
            file.write(text)
    request = empty_request(bundle, os.path.realpath(project)) | {"files": sorted(_SELF_TEST)}
    path = node_driver.write_request(request, folder)
    events = Events(SENTENCES)
    output = os.path.join(folder, "self-test.scip")
    result = process.run(
        command(bundle, node, _HEAP_MIB, folder, "--request", path, "--output", output),
        cwd=folder,
        env=driver_environment(root, env, folder),
        limits=Limits(seconds=_SECONDS, output_bytes=64 << 20, memory_bytes=2 << 30),
        on_stderr_line=events.take,
    )
    os.unlink(path)
    done = events.done
    if result.state == "ok" and done is not None and (done.documents, done.unresolved) == (2, 0):
        return None
    detail = events.failed.detail if events.failed else result.stderr.text[-2000:]
    sentence = f"The language server of {bundle.kind} {bundle.version} does not answer as expected."
    return Problem(node_driver.FAILED, sentence, detail=detail or None)


def _folder() -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "lsp")
