"""Run the program in this process and judge what every run owes its caller (contract §§4, 7 and 8).

Knows no questions: what a test asks, and what must come of it beyond this, stands in the test.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from codetrail.cli import app
from codetrail.output.schema_files import bundle

ANSWER = Draft202012Validator(bundle("answer"))
EVENT = Draft202012Validator(bundle("event"))
ERROR = Draft202012Validator(bundle("error"))

EXIT_STATUS = {
    **dict.fromkeys(
        (
            *("usage_error", "workspace_not_found", "scope_outside_workspace", "scope_not_found"),
            *("invalid_pattern", "invalid_cursor", "cursor_scope_mismatch", "cursor_snapshot_mismatch"),
            *("unsupported_language", "invalid_argument"),
        ),
        1,
    ),
    "index_missing": 2,
    "index_stale": 6,
}
"""The codes that a question may end with, and what the process then ends with. ``internal_error`` and
``io_error`` are codes of contract §7 too, but no question may bring them about."""

AMBIGUOUS = "ambiguous_place"


class Outcome(NamedTuple):
    """What one run left: exit status, standard output, standard error."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Return standard output as the JSON value it is."""
        value: dict[str, Any] = json.loads(self.out)
        return value

    @property
    def code(self) -> str | None:
        """Return the code of the failure that was printed as JSON, None for an answer."""
        code: str | None = self.json.get("error", {}).get("code")
        return code


def run(folder: Path, *argv: str) -> Outcome:
    """Run the program on a command line, as if started in ``folder``."""
    with _streams() as (out, err), _standing_in(folder):
        status = app.run(argv)
    return Outcome(status, out.getvalue().decode(), err.getvalue().decode())


def ask(folder: Path, *argv: str) -> Outcome:
    """Ask for JSON, and hold the outcome to what every outcome owes."""
    outcome = run(folder, "--output", "json", *argv)
    judge_json(folder, outcome)
    return outcome


def judge_json(folder: Path, outcome: Outcome) -> None:
    """Hold JSON output to its schema and to the exit statuses of contract §7."""
    judge_streams(folder, outcome)
    assert outcome.err == ""
    assert outcome.out.count("\n") == 1
    assert outcome.out[:-1].isprintable()
    value = outcome.json
    error = value.get("error")
    (ANSWER if error is None else ERROR).validate(value)
    if error is not None:
        judge_failure(outcome.status, error)
        assert value["results"] == []
        return
    assert outcome.status == answered(value["page"])


def judge_events(folder: Path, outcome: Outcome) -> None:
    """Hold JSONL output to its schema: result events, then one page event; or a single error."""
    judge_streams(folder, outcome)
    assert outcome.err == ""
    events = [json.loads(line) for line in outcome.out.splitlines()]
    for event in events:
        EVENT.validate(event)
    kinds = [event["event"] for event in events]
    if kinds == ["error"]:
        judge_failure(outcome.status, events[0]["error"])
        return
    assert kinds == ["result"] * (len(events) - 1) + ["page"]
    assert outcome.status == answered(events[-1]["page"])


def judge_text(folder: Path, outcome: Outcome) -> None:
    """Hold text output to contract §8: nothing that could act or hide, failures on standard error only."""
    judge_streams(folder, outcome)
    for line in (outcome.out + outcome.err).split("\n"):
        assert line.replace("\t", "").isprintable(), ascii(line)
    if outcome.err:
        error, hint, end = outcome.err.split("\n")
        assert error.startswith("error: ")
        assert hint.startswith("hint: ")
        assert (outcome.out, end) == ("", "")
        code = error[error.rindex("(") + 1 : -1]
        assert EXIT_STATUS[code] == outcome.status
    else:
        assert outcome.out
        assert outcome.status in (0, 2)


def judge_failure(status: int, error: dict[str, Any]) -> None:
    """Hold a failure to a code that questions may end with, its exit status, a sentence and a hint."""
    assert EXIT_STATUS[error["code"]] == status, error
    assert len(error["message"].split()) > 2, error
    assert len(error["message"]) < 400, error
    assert error["message"].isprintable(), error
    assert error.get("hint"), error
    assert error["hint"].isprintable(), error


def judge_streams(folder: Path, outcome: Outcome) -> None:
    """Hold both streams to what goes for any output: no traceback, no path of this machine."""
    everything = outcome.out + outcome.err
    assert "Traceback" not in everything
    assert str(folder) not in everything
    assert os.path.expanduser("~/") not in everything


def answered(page: dict[str, Any]) -> int:
    """Return the exit status that goes with an answer."""
    ambiguous = any(note["code"] == AMBIGUOUS for note in page.get("notes", ()))
    return 0 if page["matched"] and not ambiguous else 2


def follow(folder: Path, argv: Sequence[str], sizes: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Read an answer page by page, with each of ``sizes`` in turn, and return the pages.

    Each of ``sizes`` holds the options that size one page.
    """
    pages: list[dict[str, Any]] = []
    onward: tuple[str, ...] = ()
    while True:
        size = sizes[len(pages) % len(sizes)]
        outcome = ask(folder, *size, *onward, *argv)
        assert outcome.code is None, outcome.json
        pages.append(outcome.json)
        cursor = outcome.json["page"]["nextCursor"]
        if cursor is None:
            return pages
        assert outcome.json["results"]
        assert outcome.json["page"]["truncated"]
        assert len(pages) < 2_000
        onward = ("--cursor", cursor)


@contextmanager
def _streams() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = io.TextIOWrapper(out), io.TextIOWrapper(err)
    try:
        yield out, err
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        # Detached, so that what was written outlives them.
        sys.stdout.detach()
        sys.stderr.detach()
        sys.stdout, sys.stderr = before


@contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
