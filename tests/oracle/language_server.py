"""A small client of Pyright's language server: the independent oracle for references.

Requests that reach the server before it has listed its sources answer empty without an error, so the client
waits for a known definition to answer (python.md §2.2).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple, Self


class Place(NamedTuple):
    """A place as the protocol gives it: root-relative path, 0-based line, 0-based UTF-16 columns."""

    path: str
    line: int
    start: int
    end: int


class LanguageServer:
    """A running server for one root, as a context manager."""

    def __init__(self, root: Path, interpreter: Path) -> None:
        self._root = root.resolve()
        self._interpreter = interpreter
        self._next = 0

    def __enter__(self) -> Self:
        program = Path(sys.executable).with_name("basedpyright-langserver")
        self._process = subprocess.Popen(
            [str(program), "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        uri = self._root.as_uri()
        capabilities = {"workspace": {"configuration": True, "workspaceFolders": True}}
        self._request(
            "initialize",
            {
                "processId": None,
                "rootUri": uri,
                "capabilities": capabilities,
                "workspaceFolders": [{"uri": uri, "name": "root"}],
            },
        )
        self._send({"method": "initialized", "params": {}})
        return self

    def __exit__(self, *_: object) -> None:
        self._request("shutdown", None)
        self._send({"method": "exit"})
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait(timeout=30)

    def wait_until_ready(self, path: str, line: int, column: int) -> None:
        """Wait until a place that has references answers some. Raises TimeoutError after two minutes."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if self.references(path, line, column):
                return
            time.sleep(0.3)
        raise TimeoutError(f"no references at {path}:{line}:{column}")

    def references(self, path: str, line: int, column: int) -> set[Place]:
        """Ask ``textDocument/references`` with declarations; places outside the root are left out."""
        found = self._request(
            "textDocument/references",
            {
                "textDocument": {"uri": (self._root / path).as_uri()},
                "position": {"line": line, "character": column},
                "context": {"includeDeclaration": True},
            },
        )
        return {place for location in found or () if (place := self._place(location)) is not None}

    def _place(self, location: dict[str, Any]) -> Place | None:
        prefix = self._root.as_uri() + "/"
        if not location["uri"].startswith(prefix):
            return None
        span = location["range"]
        start, end = span["start"], span["end"]
        return Place(location["uri"][len(prefix) :], start["line"], start["character"], end["character"])

    def _request(self, method: str, params: object) -> Any:
        self._next += 1
        number = self._next
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message.get("result")
            if "id" in message and "method" in message:
                self._send({"id": message["id"], "result": self._answer(message)})

    def _answer(self, message: dict[str, Any]) -> Any:
        if message["method"] != "workspace/configuration":
            return None
        python = {"pythonPath": str(self._interpreter)}
        analysis = {"diagnosticMode": "workspace", "autoSearchPaths": True}
        sections = {"python": python, "python.analysis": analysis, "basedpyright.analysis": analysis}
        return [sections.get(item.get("section", ""), {}) for item in message["params"]["items"]]

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)  # type: ignore[union-attr]
        self._process.stdin.flush()  # type: ignore[union-attr]

    def _receive(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        length = 0
        while (header := stream.readline().strip()) != b"":
            name, _, value = header.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if not length:
            raise RuntimeError("the language server ended")
        received: dict[str, Any] = json.loads(stream.read(length))
        return received
