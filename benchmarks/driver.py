"""What our Python driver costs, over scip-python on the same tree with the same Node.

Usage: ``python -m benchmarks.driver PROJECT``. scip-python comes from npm into the user's cache folder, once,
and none of its install scripts run. Processor time of all processes either starts; ours is the provider's run
alone, from the request to accepted SCIP, without its one-time self-test.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from benchmarks.figures import Figure, show
from benchmarks.timing import Cost, run
from codetrail.index.plan import make_plan
from codetrail.providers.base import Limits, Workspace
from codetrail.providers.run_folder import run_folder
from codetrail.workspace.config import load_settings
from codetrail.workspace.inventory import take_inventory
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import find_root

PACKAGE = "@sourcegraph/scip-python@0.6.6"
_LARGEST = 64 << 20


def figures(project: str, runs: int = 3) -> list[Figure]:
    """Measure both on ``project``."""
    _in_a_process(project)  # proves the engine, which is remembered
    ours: list[Cost] = []
    theirs: list[Cost] = []
    node = _node(project)
    script = _scip_python()
    for _ in range(runs):
        ours.append(_in_a_process(project))
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "index.scip")
            line = [node, script, "index", ".", "--project-name", "benchmark", "--output", output]
            theirs.append(run(line, project))
    return [
        Figure("Python driver ÷ scip-python", _seconds(ours) / _seconds(theirs), 0.65),
        Figure("peak memory ÷ scip-python's", _peak(ours) / _peak(theirs)),
        Figure("driver peak memory, MiB", _peak(ours) / 2**20),
        Figure("scip-python peak memory, MiB", _peak(theirs) / 2**20),
    ]


def _seconds(costs: list[Cost]) -> float:
    return statistics.median(cost.seconds for cost in costs)


def _peak(costs: list[Cost]) -> float:
    return statistics.median(cost.peak for cost in costs)


def _in_a_process(project: str) -> Cost:
    line = [sys.executable, "-m", "benchmarks.driver", "--ours", project]
    done = subprocess.run(line, check=True, stdout=subprocess.PIPE)
    return Cost(*json.loads(done.stdout)["cost"])


def _node(project: str) -> str:
    line = [sys.executable, "-m", "benchmarks.driver", "--node", project]
    return subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def _scip_python() -> str:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(home, "codetrail-benchmarks")
    script = os.path.join(folder, "node_modules", "@sourcegraph", "scip-python", "index.js")
    if not os.path.exists(script):
        os.makedirs(folder, exist_ok=True)
        line = ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", PACKAGE]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    return script


def _ours(project: str, *, only_node: bool) -> None:
    root = find_root(project)
    settings = load_settings(root)
    with opened_root(root.path) as handle:

        def read(path: str) -> bytes | None:
            return read_source(handle, path, _LARGEST).data

        plan = make_plan(
            root.path, settings, take_inventory(root, settings.exclude, time.time_ns(), None), read
        )
        (planned,) = (unit for unit in plan.units if unit.spec.language == "python")
        if only_node:
            print(planned.tool.argv[0])
            return
        spec = planned.spec
        workspace = Workspace(root.path, spec.repository, spec.files, dict(spec.inputs), read, settings)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with run_folder(root.path, os.environ) as folder:
            outcome = planned.provider.run(spec, workspace, planned.tool, folder, Limits(), _silent)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome.scip_path is None:
        raise SystemExit(f"the driver failed: {outcome.problems}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"cost": [seconds, after.ru_maxrss * 1024]}))


def _silent(done: int, of: int) -> None:
    del done, of


if __name__ == "__main__":
    if sys.argv[1] in ("--ours", "--node"):
        _ours(sys.argv[2], only_node=sys.argv[1] == "--node")
    else:
        show(figures(sys.argv[1]))
