"""Follow the events that a driver writes on stderr: one JSON object a line (design ``providers`` §1).

``start``, ``plan``, ``progress``, ``problem``, ``read``, ``done``, ``failed``; the rest is counted as noise.
``plan`` lists the ``projects`` that a run can be restricted to, before the first of them is begun. The texts
in events come from a program that read hostile files: they become ``detail``, never a message. This module
must not know any driver.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.model.units import Problem
from codetrail.providers.base import Progress
from codetrail.providers.read_files import ReadFile, parse_read_file

_MOST_PROBLEMS = 2000
_MOST_TEXT = 500

SYNTAX_ERRORS = "syntax_errors"
LEFT_OUT = frozenset({"file_minified", "file_not_source", "file_too_large", "file_utf16"})
"""Codes under which a driver says that it does not take a file, whatever is in it."""


class Done(NamedTuple):
    """What a driver says it wrote; every count is at least 0.

    ``missed`` of the ``imports`` found no module; both are 0 where a driver does not count them.
    """

    documents: int
    files: int
    names: int
    resolved: int
    unresolved: int
    imports: int = 0
    missed: int = 0


class Events:
    """The events of one run, folded as they arrive.

    ``broken`` are all files with syntax errors, ``left_out`` those that the driver does not take with the
    code that says why, ``projects`` the labels of the projects in the unit, ``read`` what was read besides
    the unit's files, by absolute path.
    """

    def __init__(self, sentences: Mapping[str, str], progress: Progress | None = None) -> None:
        """Take our own sentence for each code a driver may report, and who is told of progress."""
        self._sentences = sentences
        self._progress = progress
        self._problems: list[Problem] = []
        self._left_out = 0
        self.engine: str | None = None
        self.done: Done | None = None
        self.failed: Problem | None = None
        self.noise = 0
        self.broken: set[str] = set()
        self.left_out: dict[str, str] = {}
        self.projects: tuple[str, ...] = ()
        self.read: dict[str, ReadFile] = {}

    def take(self, line: bytes) -> None:
        """Take one line of stderr, without its end."""
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            event = None
        kind = event.get("event") if isinstance(event, dict) else None
        if kind == "start":
            self.engine = _text(event.get("engine"))
        elif kind == "plan":
            self.projects = _labels(event.get("projects"))
        elif kind == "progress" and self._progress is not None:
            self._progress(_count(event.get("done")), _count(event.get("files")))
        elif kind == "problem":
            self._add(self._problem(event))
        elif kind == "read":
            files = event.get("files")
            told = map(parse_read_file, files if isinstance(files, list) else ())
            self.read.update(one for one in told if one is not None)
        elif kind == "done":
            self.done = Done(*(_count(event.get(name)) for name in Done._fields))
        elif kind == "failed":
            self.failed = self._problem(event)
        elif kind != "progress" and line.strip():
            self.noise += 1

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems reported, at most 2000; how many more there were is one problem."""
        if not self._left_out:
            return tuple(self._problems)
        more = Problem("more_problems", "More problems were reported than are kept.", times=self._left_out)
        return (*self._problems, more)

    def _add(self, problem: Problem) -> None:
        if problem.code == SYNTAX_ERRORS and problem.path is not None:
            self.broken.add(problem.path)
        if problem.code in LEFT_OUT and problem.path is not None:
            self.left_out[problem.path] = problem.code
        if len(self._problems) < _MOST_PROBLEMS:
            self._problems.append(problem)
        else:
            self._left_out += problem.times

    def _problem(self, event: Mapping[str, object]) -> Problem:
        code = _text(event.get("code")) or ""
        known = code in self._sentences
        return Problem(
            code if known else "engine_problem",
            self._sentences.get(code, "The engine reported a problem that has no sentence of its own."),
            _text(event.get("path")),
            _count(event.get("line")) or None,
            max(1, _count(event.get("count"))),
            _text(event.get("message")) if known else _text(f"{code}: {event.get('message')}"),
        )


def _text(value: object) -> str | None:
    return value[:_MOST_TEXT] if isinstance(value, str) and value else None


def _labels(value: object) -> tuple[str, ...]:
    found = [one.get("label") for one in value if isinstance(one, dict)] if isinstance(value, list) else []
    return tuple(label for label in found if isinstance(label, str))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
