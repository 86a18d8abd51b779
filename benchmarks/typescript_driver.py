"""What our TypeScript driver costs, over ``tsc --noEmit`` of the same compiler with the same Node.

Usage: ``python -m benchmarks.typescript_driver [PACKAGES | PROJECT]``. Of PROJECT, a folder with a
``tsconfig.json`` and its dependencies installed, it measures what that configuration takes in. Else it writes
a monorepo of that many small packages with dependencies from npm, twice: as projects that refer to each other
and as one project; the difference is what splitting costs. Processor time of whole processes.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import Figure, show
from benchmarks.timing import Cost, run
from tests.downloads import npm, typescript_folder
from tests.providers.typescript.projects_index import DRIVER, NODE, request_for

_DEPENDENCIES = {"zod": "3.23.8", "rxjs": "7.8.1", "@types/react": "18.3.3", "@types/node": "20.14.0"}
_FILES = 8
_METHODS = 12
_HEAP_MIB = 4096
_CHECKED = (0, 2)
"""How ``tsc --noEmit`` ends when it has checked: without errors, and with errors of types."""
_OPTIONS = {
    "strict": True,
    "target": "es2022",
    "module": "esnext",
    "moduleResolution": "bundler",
    "skipLibCheck": True,
    "types": ["*"],
    "lib": ["es2022", "dom"],
}


def figures(packages: int = 50, runs: int = 3) -> list[Figure]:
    """Measure both on a generated monorepo; the two layouts hold the same sources."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        split, whole = folder / "split", folder / "whole"
        _write(split, packages, _solution)
        npm("install", cwd=split)
        _write(whole, packages, _single)
        shutil.copytree(split / "node_modules", whole / "node_modules", symlinks=True)
        many = _median([_drive(split, folder) for _ in range(runs)])
        one = _median([_drive(whole, folder) for _ in range(runs)])
        theirs = _median([_check(whole) for _ in range(runs)])
    extra = (many.seconds - one.seconds) / (packages - 1)
    return [
        Figure("TypeScript driver ÷ tsc --noEmit", one.seconds / theirs.seconds, 1.25),
        Figure("peak memory ÷ that of tsc", one.peak / theirs.peak),
        Figure(f"{packages} projects ÷ one with the same files", many.seconds / one.seconds),
        Figure("an extra project ÷ the whole as one", extra / one.seconds),
        Figure(f"peak memory of {packages} projects ÷ of one", many.peak / one.peak),
        Figure(f"peak memory of {packages} projects, MiB", many.peak / 2**20),
    ]


def figures_of(project: Path, runs: int = 3) -> list[Figure]:
    """Measure both on ``project``, in turn. Raises SystemExit when there is nothing to index."""
    if not request_for(project)["files"]:
        raise SystemExit(f"{project} has no sources outside of node_modules and dist.")
    ours: list[Cost] = []
    theirs: list[Cost] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            ours.append(_drive(project, Path(folder)))
            theirs.append(_check(project))
    driver, checker = _median(ours), _median(theirs)
    return [
        Figure("TypeScript driver ÷ tsc --noEmit", driver.seconds / checker.seconds, 1.25),
        Figure("peak memory ÷ that of tsc", driver.peak / checker.peak),
        Figure("driver peak memory, MiB", driver.peak / 2**20),
        Figure("tsc peak memory, MiB", checker.peak / 2**20),
    ]


def _median(costs: list[Cost]) -> Cost:
    seconds = statistics.median(cost.seconds for cost in costs)
    return Cost(seconds, int(statistics.median(cost.peak for cost in costs)))


def _drive(root: Path, folder: Path) -> Cost:
    request = folder / "request.json"
    request.write_text(json.dumps(request_for(root)), encoding="ascii")
    heap = f"--max-old-space-size={_HEAP_MIB}"
    files = ["--request", str(request), "--output", str(folder / "index.scip")]
    return run([NODE, heap, os.path.join(DRIVER, "main.js"), *files])


def _check(root: Path) -> Cost:
    compiler = str(typescript_folder() / "lib" / "tsc.js")
    return run(
        [NODE, f"--max-old-space-size={_HEAP_MIB}", compiler, "--noEmit", "-p", str(root)], expected=_CHECKED
    )


def _write(root: Path, packages: int, configure: Callable[[Path, int], None]) -> None:
    manifest = {"private": True, "workspaces": ["packages/*"], "dependencies": _DEPENDENCIES}
    _put(root / "package.json", {"name": "monorepo", **manifest})
    for number in range(packages):
        used = _used(number)
        folder = root / "packages" / f"p{number}"
        dependencies = {f"@m/p{one}": "1.0.0" for one in used}
        fields = {"version": "1.0.0", "types": "dist/index.d.ts", "dependencies": dependencies}
        _put(folder / "package.json", {"name": f"@m/p{number}", **fields})
        for part in range(_FILES):
            _put(folder / "src" / f"m{part}.ts", _module(number, part, used))
        exported = (f'export * from "./m{part}";\n' for part in range(_FILES))
        _put(folder / "src" / "index.ts", "".join(exported))
    configure(root, packages)


def _used(number: int) -> list[int]:
    return sorted({number // 2, number * 2 // 3} - {number})


def _solution(root: Path, packages: int) -> None:
    _put(root / "tsconfig.base.json", {"compilerOptions": {**_OPTIONS, "composite": True}})
    for number in range(packages):
        config = {
            "extends": "../../tsconfig.base.json",
            "compilerOptions": {"rootDir": "src", "outDir": "dist"},
            "include": ["src"],
            "references": [{"path": f"../p{one}"} for one in _used(number)],
        }
        _put(root / "packages" / f"p{number}" / "tsconfig.json", config)


def _single(root: Path, packages: int) -> None:
    del packages
    options = {**_OPTIONS, "paths": {"@m/*": ["./packages/*/src"]}}
    _put(root / "tsconfig.json", {"compilerOptions": options, "include": ["packages"]})


def _module(number: int, part: int, used: list[int]) -> str:
    own = f"{number}x{part}"
    lines = ['import { z } from "zod";', 'import { Observable, filter, map } from "rxjs";']
    lines.append('import * as path from "node:path";')
    lines += [f'import {{ Service{one}x{part}, schema{one}x{part} }} from "@m/p{one}";' for one in used]
    lines.append(f"export const schema{own} = z.object({{ id: z.string(), tags: z.array(z.string()) }});")
    lines.append(f"export type Model{own} = z.infer<typeof schema{own}>;")
    lines.append(f"export class Service{own} {{ constructor(private readonly base: string) {{}}")
    for method in range(_METHODS):
        lines.append(f"  run{method}(input: Model{own}): Observable<number> {{")
        lines.append("    const joined = path.join(this.base, input.id, ...input.tags);")
        lines.append("    const seen = new Observable<number>((sink) => sink.next(joined.length));")
        lines.append(
            f"    return seen.pipe(map((value) => value + {method}), filter((value) => value > 0)); }}"
        )
    lines.append("}")
    for one in used:
        call = f"service.run1(schema{one}x{part}.parse({{}}))"
        lines.append(f"export const use{own}x{one} = (service: Service{one}x{part}) => {call};")
    return "\n".join(lines) + "\n"


def _put(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8")


if __name__ == "__main__":
    [wanted] = sys.argv[1:] or ["50"]
    show(figures(int(wanted)) if wanted.isdigit() else figures_of(Path(wanted).resolve()))
