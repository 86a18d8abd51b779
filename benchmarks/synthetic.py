"""Write a tree of Python files and the SCIP index of it, of any size, without running an engine.

Usage: ``python -m benchmarks.synthetic FOLDER OCCURRENCES`` makes ``FOLDER/tree`` and ``FOLDER/index.scip``
and indexes the one with the other. One reference in ten is to the function ``hot``; the others are spread
over all functions. What compilers make is less regular, so ratios of ingest and size come from real indexes;
this shows how costs grow.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

from codetrail.scip import scip_pb2

_FUNCTIONS = 70
_REFERENCES = 9
_STEP = 7919
"""A prime, so that neighbours refer to functions far from each other."""


def write_index(folder: str, occurrences: int) -> int:
    """Write tree and index and return how many occurrences there are (at least as many as asked for)."""
    files = -(-occurrences // (_FUNCTIONS * (_REFERENCES + 1)))
    tree = os.path.join(folder, "tree")
    written = 0
    os.makedirs(tree, exist_ok=True)
    with open(os.path.join(folder, "index.scip"), "wb") as out:
        metadata = scip_pb2.Metadata(project_root=f"file://{tree}")
        metadata.tool_info.name = "synthetic"
        out.write(scip_pb2.Index(metadata=metadata).SerializeToString())
        for number in range(files):
            path = _path(number)
            text, document = _document(number, path, files)
            os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
            with open(os.path.join(tree, path), "w", encoding="ascii") as file:
                file.write(text)
            out.write(scip_pb2.Index(documents=[document]).SerializeToString())
            written += len(document.occurrences)
    return written


def index_tree(folder: str) -> str:
    """Have CodeTrail index the tree from the written SCIP file, and return the tree."""
    tree = os.path.join(folder, "tree")
    copy = ["sh", "-c", 'cp "$0" "$2"', os.path.join(folder, "index.scip")]
    env = {**os.environ, "CODETRAIL_SCIP_PYTHON": shlex.join(copy)}
    line = [sys.executable, "-m", "codetrail", "index", "build", "--strict"]
    subprocess.run(line, cwd=tree, env=env, check=True, stdout=subprocess.DEVNULL)
    return tree


def _path(number: int) -> str:
    return f"part{number // 100:03}/module{number:05}.py"


def _name(number: int) -> str:
    return "hot" if number == 0 else f"function_{number:07}"


def _symbol(number: int) -> str:
    module = _path(number // _FUNCTIONS).removesuffix(".py").replace("/", ".")
    return f"synthetic python load 1 `{module}`/{_name(number)}()."


def _document(number: int, path: str, files: int) -> tuple[str, scip_pb2.Document]:
    """Make one file: each function calls nine others, the last of which is ``hot``."""
    document = scip_pb2.Document(
        relative_path=path, language="python", position_encoding="UTF32CodeUnitOffsetFromLineStart"
    )
    lines: list[str] = []
    everything = files * _FUNCTIONS
    for function in range(number * _FUNCTIONS, (number + 1) * _FUNCTIONS):
        line = len(lines)
        lines.append(f"def {_name(function)}():")
        definition = document.occurrences.add(symbol=_symbol(function), symbol_roles=1)
        definition.range.extend([line, 4, 4 + len(_name(function))])
        for reference in range(_REFERENCES):
            last = reference == _REFERENCES - 1
            other = 0 if last else (function + (reference + 1) * _STEP) % everything
            lines.append(f"    {_name(other)}()")
            place = document.occurrences.add(symbol=_symbol(other))
            place.range.extend([len(lines) - 1, 4, 4 + len(_name(other))])
        definition.enclosing_range.extend([line, 0, len(lines) - 1, len(lines[-1])])
        document.symbols.add(symbol=_symbol(function), kind=17)
    return "\n".join([*lines, ""]), document


if __name__ == "__main__":
    print(write_index(sys.argv[1], int(sys.argv[2])), "occurrences in", index_tree(sys.argv[1]))
