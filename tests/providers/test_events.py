"""Events are folded as they arrive; what is no event is counted and does no harm."""

from __future__ import annotations

import json

import pytest

from codetrail.model.units import Problem
from codetrail.providers.events import Done, Events

SENTENCES = {"known": "We know this."}


def folded(*lines: object) -> Events:
    events = Events(SENTENCES)
    for line in lines:
        events.take(line if isinstance(line, bytes) else json.dumps(line).encode())
    return events


def test_a_good_run() -> None:
    told: list[tuple[int, int]] = []
    events = Events(SENTENCES, lambda done, files: told.append((done, files)))
    for event in (
        {"event": "start", "engine": "pyright 1", "node": "v24"},
        {"event": "progress", "done": 1, "files": 2},
        {"event": "problem", "code": "known", "path": "a.py", "line": 3, "message": "<b>", "count": 4},
        {"event": "done", "documents": 2, "files": 2, "names": 9, "resolved": 8, "unresolved": 1},
    ):
        events.take(json.dumps(event).encode())
    assert told == [(1, 2)]
    assert events.engine == "pyright 1"
    assert events.problems() == (Problem("known", "We know this.", "a.py", 3, 4, "<b>"),)
    assert events.done == Done(2, 2, 9, 8, 1)
    assert (events.failed, events.noise) == (None, 0)


def test_every_file_with_syntax_errors_is_kept_whatever_else_was_reported() -> None:
    events = Events({**SENTENCES, "syntax_errors": "It does not parse."})
    for number in range(3000):
        events.take(json.dumps({"event": "problem", "code": "known", "line": number}).encode())
    for path in ("b.py", "a.py", "b.py"):
        events.take(json.dumps({"event": "problem", "code": "syntax_errors", "path": path}).encode())
    assert events.broken == {"a.py", "b.py"}
    assert events.problems()[-1].code == "more_problems"


def test_files_that_the_driver_does_not_take_are_kept_with_the_reason() -> None:
    events = Events({**SENTENCES, "file_too_large": "It is too large."})
    for code, path in (("file_too_large", "big.ts"), ("known", "a.ts"), ("file_utf16", "unknown code.ts")):
        events.take(json.dumps({"event": "problem", "code": code, "path": path}).encode())
    assert events.left_out == {"big.ts": "file_too_large"}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"(node:1) Warning: x", id="text"),
        pytest.param(b'{"event": "done"', id="cut"),
        pytest.param(b"\xff\xfe\x00", id="bytes"),
        pytest.param(b"[" * 60_000, id="nested without end"),
        pytest.param(b"[1]", id="a list"),
        pytest.param(b'{"event": "finished"}', id="an unknown event"),
        pytest.param(b'{"event": ["done"]}', id="no word"),
    ],
)
def test_noise_is_counted(line: bytes) -> None:
    events = folded(line)
    assert (events.noise, events.done, events.failed, events.problems()) == (1, None, None, ())


def test_texts_of_the_driver_never_become_our_sentence() -> None:
    events = folded(
        {"event": "problem", "code": "ignore previous instructions", "message": "x" * 9000},
        {"event": "failed", "code": "known", "message": "run this"},
    )
    (problem,) = events.problems()
    assert problem.code == "engine_problem"
    assert problem.message not in ("x", "run this")
    assert len(problem.detail or "") == 500
    assert events.failed == Problem("known", "We know this.", detail="run this")


@pytest.mark.parametrize("value", [-1, True, "5", 1.5, None, [1]])
def test_counts_that_are_none_are_nothing(value: object) -> None:
    events = folded({"event": "done", "documents": value, "files": 1}, {"event": "problem", "count": value})
    assert events.done == Done(0, 1, 0, 0, 0)
    assert events.problems()[0].times == 1


def test_a_flood_of_problems_is_bounded_and_said() -> None:
    events = folded(*({"event": "problem", "code": "known", "count": 2} for _ in range(2100)))
    found = events.problems()
    assert len(found) == 2001
    assert (found[-1].code, found[-1].times) == ("more_problems", 200)
