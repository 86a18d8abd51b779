"""What our TypeScript driver costs, over scip-typescript on the same files with the same Node.

Usage: ``python -m benchmarks.second_engine PROJECT``, dependencies of the project installed. ``typescript``
is found as ``index build`` finds it; scip-typescript comes from npm into the user's cache folder, once, and
none of its install scripts run. Both run as their provider runs them, from the request to accepted SCIP,
without the one-time self-test; processor time and memory are those of all processes they start.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import replace

from benchmarks.figures import Figure, show
from benchmarks.timing import Cost
from codetrail.index.plan import make_plan
from codetrail.providers.base import Limits, Workspace
from codetrail.providers.run_folder import run_folder
from codetrail.providers.typescript.scip_typescript_engine import ENGINE, PACKAGE, VERSION
from codetrail.workspace.config import load_settings
from codetrail.workspace.config_schema import TYPESCRIPT_ENGINES
from codetrail.workspace.inventory import take_inventory
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import find_root

_LARGEST = 64 << 20


def figures(project: str, runs: int = 3) -> list[Figure]:
    """Measure both on ``project``."""
    environment = {**os.environ, "NPM_CONFIG_PREFIX": _prefix()}
    costs: dict[str, list[Cost]] = {engine: [] for engine in TYPESCRIPT_ENGINES}
    for number in range(runs + 1):
        for engine, found in costs.items():
            cost = _in_a_process(engine, project, environment)
            if number:  # the first run proves the engine, which is remembered
                found.append(cost)
    ours, theirs = costs.values()
    return [
        Figure(f"TypeScript driver ÷ {ENGINE}", _seconds(ours) / _seconds(theirs), 1.0),
        Figure(f"peak memory ÷ {ENGINE}'s", _peak(ours) / _peak(theirs)),
        Figure("driver peak memory, MiB", _peak(ours) / 2**20),
        Figure(f"{ENGINE} peak memory, MiB", _peak(theirs) / 2**20),
    ]


def _seconds(costs: list[Cost]) -> float:
    return statistics.median(cost.seconds for cost in costs)


def _peak(costs: list[Cost]) -> float:
    return statistics.median(cost.peak for cost in costs)


def _prefix() -> str:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(home, "codetrail-benchmarks", ENGINE)
    if not os.path.exists(os.path.join(folder, "lib", "node_modules", PACKAGE)):
        os.makedirs(folder, exist_ok=True)
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund")
        line = ["npm", "install", "--global", "--prefix", folder, *quiet, f"{PACKAGE}@{VERSION}"]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    return folder


def _in_a_process(engine: str, project: str, environment: dict[str, str]) -> Cost:
    line = [sys.executable, "-m", "benchmarks.second_engine", "--run", engine, project]
    done = subprocess.run(line, check=True, stdout=subprocess.PIPE, env=environment)
    return Cost(*json.loads(done.stdout))


def _run(engine: str, project: str) -> Cost:
    root = find_root(project)
    settings = replace(load_settings(root), typescript_engine=engine)
    with opened_root(root.path) as handle:

        def read(path: str) -> bytes | None:
            return read_source(handle, path, _LARGEST).data

        inventory = take_inventory(root, settings.exclude, time.time_ns(), None)
        plan = make_plan(root.path, settings, inventory, read)
        planned = next(unit for unit in plan.units if unit.spec.provider == "typescript")
        spec = planned.spec
        workspace = Workspace(root.path, spec.repository, spec.files, dict(spec.inputs), read, settings)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with run_folder(root.path, os.environ) as folder:
            outcome = planned.provider.run(spec, workspace, planned.tool, folder, Limits(), _silent)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome.scip_path is None:
        raise SystemExit(f"{engine} failed: {outcome.problems}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, after.ru_maxrss * 1024)


def _silent(done: int, of: int) -> None:
    del done, of


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        print(json.dumps(_run(sys.argv[2], sys.argv[3])))
    else:
        show(figures(sys.argv[1]))
