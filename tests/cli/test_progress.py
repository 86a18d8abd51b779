"""Progress is drawn on a terminal only, and what it draws is escaped."""

from __future__ import annotations

import io
import sys

import pytest

from codetrail.cli.progress import watching
from codetrail.model.reports import BuildEvent

EVENTS = (
    BuildEvent("planned", "", 0, 2, 0.0),
    BuildEvent("started", "python:a\x1b]52;c;x\x07[bold]", 0, 5, 0.0),
    BuildEvent("advanced", "python:a\x1b]52;c;x\x07[bold]", 3, 5, 0.1),
    BuildEvent("ingesting", "python:a\x1b]52;c;x\x07[bold]", 5, 5, 0.2),
    BuildEvent("finished", "python:a\x1b]52;c;x\x07[bold]", 1, 2, 0.3),
    BuildEvent("finished", "never:started", 2, 2, 0.3),
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_nothing_is_drawn_and_rich_is_not_loaded_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    stream = io.StringIO()
    for place in (stream, None):
        with watching(place) as progress:
            for event in EVENTS:
                progress(event)
    assert stream.getvalue() == ""
    assert "rich" not in sys.modules


def test_units_are_drawn_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    stream = Terminal()
    with watching(stream) as progress:
        for event in EVENTS[:4]:
            progress(event)
    drawn = stream.getvalue()
    assert "units" in drawn
    assert "python:a\\x1b]52;c;x\\x07[bold]" in drawn
    assert "5/5" in drawn
    assert "\x1b]52" not in drawn


def test_a_unit_that_is_done_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with watching(Terminal()) as progress:
        for event in EVENTS:
            progress(event)
        tasks = progress._bars.tasks  # type: ignore[attr-defined]
        assert [(task.description, task.completed, task.total) for task in tasks] == [("units", 2, 2)]
