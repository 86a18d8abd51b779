"""Show a running build to people: units, files and seconds, on standard error, only on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from codetrail.model.reports import BuildEvent
from codetrail.output.escaping import clip, visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_WORDS = {"started": "starting", "advanced": "indexing", "ingesting": "storing", "finished": "done"}
_UNIT_WIDTH = 40


@contextmanager
def watching(stream: TextIO | None) -> Iterator[Callable[[BuildEvent], None]]:
    """Give a callback for build events; it draws only while ``stream`` is a terminal."""
    if stream is None or not stream.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(file=stream, markup=False, highlight=False, emoji=False)
    with Progress(*columns, console=console, transient=True) as bars:
        yield Watch(bars)


class Watch:
    """Bars for the build as a whole and for each unit that runs."""

    __slots__ = ("_bars", "_tasks")

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: BuildEvent) -> None:
        """Show one event."""
        if event.kind in ("planned", "finished"):
            self._show("", "units", event.done, event.total)
        if event.kind == "finished":
            done = self._tasks.pop(event.unit, None)
            if done is not None and event.unit:
                self._bars.remove_task(done)
        elif event.kind != "planned":
            unit = clip(visible(event.unit), _UNIT_WIDTH)
            self._show(event.unit, f"{_WORDS.get(event.kind, event.kind)} {unit}", event.done, event.total)

    def _show(self, unit: str, text: str, done: int, total: int) -> None:
        task = self._tasks.get(unit)
        if task is None:
            self._tasks[unit] = self._bars.add_task(text, completed=done, total=total or None)
        else:
            self._bars.update(task, description=text, completed=done, total=total or None)


def _silent(event: BuildEvent) -> None:  # noqa: ARG001 - the shape of a progress callback
    return
