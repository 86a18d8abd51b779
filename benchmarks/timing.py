"""Measure what whole processes cost, as ratios to a control measured in the same run.

Machines differ and wander, so no figure here means anything by itself: a command and its control run in turn,
and the medians of their processor time are divided.
"""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Sequence
from typing import NamedTuple


class Cost(NamedTuple):
    """Processor seconds (user and system) and peak resident bytes of one finished process."""

    seconds: float
    peak: int


class Comparison(NamedTuple):
    """Medians over all runs; ``ratio`` divides processor seconds."""

    command: Cost
    control: Cost

    @property
    def ratio(self) -> float:
        """Return how many times the control's processor time the command takes."""
        return self.command.seconds / self.control.seconds


def run(command: Sequence[str], folder: str | None = None, expected: Sequence[int] = (0,)) -> Cost:
    """Run a command to its end, its output thrown away.

    Raises RuntimeError when its exit code is none of the ``expected``.
    """
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in expected:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def compare(
    command: Sequence[str], control: Sequence[str], *, folder: str | None = None, runs: int = 15
) -> Comparison:
    """Run command and control in turn, once to warm up and then ``runs`` times."""
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    for number in range(runs + 1):
        for kept, line in zip(costs, (command, control), strict=True):
            cost = run(line, folder)
            if number:
                kept.append(cost)
    return Comparison(*(_median(kept) for kept in costs))


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.seconds for cost in costs), int(statistics.median(cost.peak for cost in costs))
    )
