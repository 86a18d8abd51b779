"""What it costs to turn a SCIP file into a shard, over a streaming parse of the same file.

Usage: ``python -m benchmarks.ingest ROOT INDEX.scip [LANGUAGE [RUNS]]``: the folder that was indexed and the
SCIP file that ``codetrail index build --keep-scip`` kept of it. Each figure is a median of fresh processes;
controls run in turn with what is compared to them. ``ingest`` is processor time from the SCIP file to the
renamed shard, the syntax join apart; memory is the peak beyond what the process held when its modules were
loaded, over the size of the SCIP file.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile

from benchmarks.figures import Figure, show

_STEPS = ("parse", "bare", "syntax", "facts", "ingest")


def figures(root: str, scip: str, language: str = "python", runs: int = 5) -> list[Figure]:
    """Measure one SCIP file; ``root`` is the folder whose files it describes."""
    found: dict[str, list[dict[str, float]]] = {step: [] for step in _STEPS}
    for _ in range(runs):
        for step in _STEPS:
            found[step].append(_in_a_process(step, root, scip, language))

    def median(step: str, key: str) -> float:
        return statistics.median(one[key] for one in found[step])

    size = os.path.getsize(scip)
    parse = median("parse", "seconds")
    ingest = median("ingest", "seconds")
    return [
        Figure("ingest ÷ streaming parse", ingest / parse, 90),
        Figure("  of that, decoding and joining", median("facts", "seconds") / parse),
        Figure(
            "syntax join ÷ bare tree-sitter parse",
            median("ingest", "syntax") / median("bare", "seconds"),
            2.3,
        ),
        Figure("  both in turn, file by file", median("syntax", "seconds") / median("syntax", "bare")),
        Figure("ingest memory beyond the modules ÷ index.scip", median("ingest", "memory") / size, 0.3),
        Figure("occurrence tables ÷ index.scip", median("ingest", "occurrence_bytes") / size, 0.55),
        Figure("shard ÷ index.scip", median("ingest", "shard_bytes") / size, 0.75),
        Figure("ingest, µs an occurrence", ingest * 1e6 / median("ingest", "occurrences")),
        Figure("occurrences, thousands", median("ingest", "occurrences") / 1000),
        Figure("ingest peak memory, MiB", median("ingest", "peak") / 2**20),
        Figure("parse peak memory, MiB", median("parse", "peak") / 2**20),
        Figure("index.scip, MiB", size / 2**20),
    ]


def _in_a_process(step: str, root: str, scip: str, language: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as pool:
        line = [sys.executable, "-m", "benchmarks.ingest_steps", step, root, scip, language, pool]
        done = subprocess.run(line, check=True, stdout=subprocess.PIPE)
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    root, scip, *others = sys.argv[1:]
    language, runs = [*others, "python", "5"][:2] if len(others) != 1 else (others[0], "5")
    show(figures(root, scip, language, int(runs)))
