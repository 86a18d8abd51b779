"""Talk to a language server over its stdin and stdout: start it, ask many things at once, believe little.

Requests that come before the server has listed its sources answer empty without an error (measured), so
``wait_until_ready`` looks for the line in its log *and* for the answer to a question whose answer is known.
What the server sends comes from a program that reads hostile files: sizes, depth and silence are bounded.
This module must not know Python or symbols.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from codetrail.providers.python.lsp.events import DriverFailure

WINDOW = 64
_MOST_HEADER = 1 << 12
_MOST_MESSAGE = 64 << 20
_READY = re.compile(r"Found \d+ source files?|No source files found")
_READY_SECONDS = 120.0
_SILENT_SECONDS = 180.0
_RETRY_SECONDS = 0.25
_LAST_WORDS_SECONDS = 5.0
_CONTENT_MODIFIED = (-32801, -32802, -32800)
_MOST_RETRIES = 5

Point = tuple[int, int]
"""0-based line and UTF-16 column."""


class Location(NamedTuple):
    """An answer: absolute path, start and end."""

    path: str
    start: Point
    end: Point


class Server:
    """A running language server. Everything raises DriverFailure when it ends, is silent or talks rubbish."""

    def __init__(self, argv: Sequence[str], folder: str, configuration: Mapping[str, object]) -> None:
        """Start the server in the absolute ``folder``, which is its workspace too.

        ``configuration`` maps the sections it may ask for to their content.
        """
        self._configuration = configuration
        self._number = 0
        self._listed = False
        self._messages: queue.SimpleQueue[dict[str, Any] | DriverFailure] = queue.SimpleQueue()
        try:
            # The tree of this process is held by the supervisor of the run; stderr is drained there.
            self._process = subprocess.Popen(
                list(argv), cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=True
            )
        except OSError as error:
            raise DriverFailure("server_ended", f"The server cannot be started: {error.strerror}.") from None
        threading.Thread(target=self._read_all, daemon=True).start()
        uri = uri_of(folder)
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "general": {"positionEncodings": ["utf-16"]},
        }
        folders = [{"uri": uri, "name": "codetrail"}]
        self._call(
            "initialize",
            {"processId": None, "rootUri": uri, "capabilities": capabilities, "workspaceFolders": folders},
        )
        self._send({"method": "initialized", "params": {}})

    def wait_until_ready(self, path: str, point: Point, seconds: float = _READY_SECONDS) -> None:
        """Wait until the sources are listed and the name at ``point`` of ``path`` is found. Bounded."""
        deadline = time.monotonic() + seconds
        while not self._listed:
            self._take(self._next(deadline))
        while not self.ask(path, [point])[0]:
            if time.monotonic() > deadline:
                raise DriverFailure("server_silent", "The server knows nothing of a file that it was given.")
            time.sleep(_RETRY_SECONDS)

    def ask(self, path: str, points: Sequence[Point]) -> list[tuple[Location, ...]]:
        """Return where the names at ``points`` of the absolute ``path`` are declared, in the same order."""
        return [_locations(result) for result in self._results(_DECLARATION, path, points)]

    def are_imports(self, path: str, points: Sequence[Point]) -> list[bool]:
        """Tell which names the server knows to be bound by an import. Of names in code that it holds to be
        unreachable it does not say so (measured)."""
        return [_is_import(result) for result in self._results(_HOVER, path, points)]

    def _results(self, method: str, path: str, points: Sequence[Point]) -> list[object]:
        answers: list[object] = [None] * len(points)
        waiting: dict[int, int] = {}
        pending = list(range(len(points) - 1, -1, -1))
        retries: dict[int, int] = {}
        document = {"uri": uri_of(path)}
        while pending or waiting:
            while pending and len(waiting) < WINDOW:
                index = pending.pop()
                line, character = points[index]
                position = {"line": line, "character": character}
                waiting[self._request(method, {"textDocument": document, "position": position})] = index
            message = self._next()
            index = waiting.pop(message.get("id", -1), -1) if "method" not in message else -1
            if index < 0:
                self._take(message)
            elif "error" not in message:
                answers[index] = message.get("result")
            else:
                retries[index] = retries.get(index, 0) + 1
                code = message["error"].get("code") if isinstance(message["error"], dict) else None
                if code not in _CONTENT_MODIFIED or retries[index] > _MOST_RETRIES:
                    raise ServerRefusal("The server answered a question with an error.")
                pending.append(index)
        return answers

    def open(self, path: str, text: str) -> None:
        """Hand the server the text of a file that it does not list itself."""
        document = {"uri": uri_of(path), "languageId": "python", "version": 1, "text": text}
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def close(self) -> None:
        """Ask the server to end, and end it."""
        with contextlib.suppress(DriverFailure, subprocess.TimeoutExpired):
            self._call("shutdown", None)
            self._send({"method": "exit"})
            self._process.wait(5)
        self._process.kill()
        self._process.wait()

    def _call(self, method: str, params: object) -> object:
        number = self._request(method, params)
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                if "error" in message:
                    raise DriverFailure("server_failed", f"The server refused {method}.")
                return message.get("result")
            self._take(message)

    def _request(self, method: str, params: object) -> int:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def _take(self, message: Mapping[str, Any]) -> None:
        """Take a message that answers nothing: a line of the log, or something the server asks."""
        method, params = message.get("method"), message.get("params")
        if method == "window/logMessage" and isinstance(params, dict):
            text = params.get("message")
            self._listed = self._listed or (isinstance(text, str) and _READY.search(text) is not None)
        if method is None or "id" not in message:
            return
        result: object = None
        if method == "workspace/configuration" and isinstance(params, dict):
            items = params.get("items")
            result = [
                self._configuration.get(item.get("section", "") if isinstance(item, dict) else "", {})
                for item in (items if isinstance(items, list) else ())
            ]
        self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, object]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=True).encode("ascii")
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self._process.stdin.flush()
        except OSError:
            # What it said last tells more than that it is gone.
            deadline = time.monotonic() + _LAST_WORDS_SECONDS
            while True:
                self._next(deadline)

    def _next(self, deadline: float | None = None) -> dict[str, Any]:
        left = _SILENT_SECONDS if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            message = self._messages.get(timeout=left)
        except queue.Empty:
            raise DriverFailure("server_silent", "The server did not answer in time.") from None
        if isinstance(message, DriverFailure):
            self._messages.put(message)
            raise message
        return message

    def _read_all(self) -> None:
        """Read messages until the end, in a thread of its own: the server must never wait to be read."""
        try:
            while True:
                self._messages.put(self._read_one())
        except DriverFailure as failure:
            self._messages.put(failure)

    def _read_one(self) -> dict[str, Any]:
        stream = self._process.stdout
        assert stream is not None
        size = -1
        while header := stream.readline(_MOST_HEADER):
            name, colon, value = header.strip().partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                size = int(value)
            elif not name:
                break
            elif not colon:
                raise DriverFailure("server_garbage", "The server sent something that is no message.")
        else:
            raise DriverFailure("server_ended", "The server ended before it was asked to.")
        if not 0 <= size <= _MOST_MESSAGE:
            raise DriverFailure("server_garbage", "The server sent a message without a usable length.")
        body = stream.read(size)
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            message = None
        if len(body) < size:
            raise DriverFailure("server_ended", "The server ended before it was asked to.")
        if not isinstance(message, dict):
            raise DriverFailure("server_garbage", "The server sent a message that is no JSON object.")
        return message


class ServerRefusal(Exception):
    """The server answered a question about a file with an error."""


# Declarations, not definitions: the same resolution, without mapping stubs to sources, which would name
# external symbols otherwise than the in-process engine does.
_DECLARATION = "textDocument/declaration"
_HOVER = "textDocument/hover"
_IMPORT_WITHIN = 40


def uri_of(path: str) -> str:
    """Return the ``file`` URI of an absolute path."""
    return "file://" + quote(path, safe="/")


def _is_import(hover: object) -> bool:
    contents = hover.get("contents") if isinstance(hover, dict) else None
    text = contents.get("value") if isinstance(contents, dict) else contents
    return isinstance(text, str) and "(import) " in text[:_IMPORT_WITHIN]


def _locations(result: object) -> tuple[Location, ...]:
    items = result if isinstance(result, list) else [result] if isinstance(result, dict) else []
    return tuple(found for item in items if (found := _location(item)) is not None)


def _location(item: object) -> Location | None:
    try:
        uri, span = item["uri"], item["range"]  # type: ignore[index]
        start, end = span["start"], span["end"]
        points = [(int(one["line"]), int(one["character"])) for one in (start, end)]
    except (KeyError, TypeError, ValueError):
        return None
    if not isinstance(uri, str) or not uri.startswith("file:///"):
        return None
    return Location(unquote(uri[len("file://") :]), points[0], points[1])
