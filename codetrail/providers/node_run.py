"""Run a Node driver in a bounded heap, and once more in twice the heap where the first was too small.

This module must not know what a driver indexes, nor whether its output may be believed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from codetrail.providers import process
from codetrail.providers.acceptance import is_heap_failure
from codetrail.providers.base import Limits, Progress
from codetrail.providers.events import Events
from codetrail.providers.node_driver import driver_environment
from codetrail.providers.process import ProcessResult

_HEAP_SHARE = 0.6
_TREE_SHARE = 0.8
_LEAST_HEAP_MIB = 2048


class Around(NamedTuple):
    """What all runs of one unit share.

    The real path ``root`` of the workspace, a person's environment, the private run ``folder``, our sentence
    for each code a driver may report, and the memory of the machine in MiB.
    """

    root: str
    env: Mapping[str, str]
    folder: str
    sentences: Mapping[str, str]
    memory: int


class DriverRun(NamedTuple):
    """How the last try ended, what it told, and the seconds of all tries together."""

    result: ProcessResult
    events: Events
    seconds: float


def run_in_heap(
    command: Callable[[int], list[str]],
    output: str,
    heap: int,
    around: Around,
    limits: Limits,
    progress: Progress,
) -> DriverRun:
    """Run a driver that writes ``output``; ``command`` makes its command line for a heap in MiB.

    A run that fails for its heap is done once more with twice the heap, and again, while that is under 60 %
    of memory; the time-out covers all of them.
    """
    if limits.memory_bytes is None:
        limits = limits._replace(memory_bytes=int(around.memory * _TREE_SHARE) << 20)
    seconds = 0.0
    while True:
        events = Events(around.sentences, progress)
        result = process.run(
            command(heap),
            cwd=around.folder,
            env=driver_environment(around.root, around.env, around.folder),
            limits=limits,
            on_stderr_line=events.take,
            watch_output=output,
            watch_folder=around.folder,
        )
        seconds += result.seconds
        if (
            not is_heap_failure(result)
            or not may_double(heap, around.memory)
            or result.seconds >= limits.seconds
        ):
            return DriverRun(result, events, seconds)
        heap *= 2
        limits = limits._replace(seconds=limits.seconds - result.seconds)
        if os.path.lexists(output):
            os.unlink(output)


def heap_mib(files: int, memory: int, mib_a_file: float) -> int:
    """Return the heap in MiB to begin with, for a number of files on a machine with ``memory`` MiB."""
    wanted = max(_LEAST_HEAP_MIB, int(files * mib_a_file))
    return max(256, min(wanted, int(memory * _HEAP_SHARE)))


def may_double(heap: int, memory: int) -> bool:
    """Tell whether twice the heap still is under 60 % of memory; both in MiB."""
    return 2 * heap <= memory * _HEAP_SHARE
