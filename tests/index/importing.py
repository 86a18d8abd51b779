"""Import made-up SCIP files into the workspace of a test."""

from __future__ import annotations

from collections.abc import Iterable

from codetrail.index.importing import import_scip, remove_import
from codetrail.index.status import status
from codetrail.model.reports import ImportReport, ImportRow, UnitRow
from codetrail.scip import scip_pb2
from tests.index.building import Bench, scip_documents
from tests.scip_bytes import index

CALLED = "def ring(times):\n    return times\n"
CALLING = "from bell import ring\n\nring(1)\nring(2)\n"
FILES = {"bell.py": CALLED, "door.py": CALLING}
"""A function and the file that calls it: ``ring`` is used at ``door.py:1``, ``:3`` and ``:4``."""
USES = ["door.py:1", "door.py:3", "door.py:4"]
NAME = "import:scip-fake:."
"""The unit that an import of ``write_index`` makes at the root."""


def write_index(
    bench: Bench,
    documents: Iterable[scip_pb2.Document],
    *,
    tool: str = "scip-fake",
    root: str = "",
    name: str = "made.scip",
) -> str:
    """Write a SCIP file beside the workspace and return its path; ``root`` is the project root it names."""
    made = scip_pb2.Index.FromString(index(*documents, tool=tool))
    made.metadata.project_root = root
    path = bench.path.parent / name
    path.write_bytes(made.SerializeToString())
    return str(path)


def bring(
    bench: Bench,
    files: dict[str, str],
    *,
    folder: str | None = None,
    prefer: bool = False,
    scheme: str = "codetrail-fake",
    **said: str,
) -> ImportReport:
    """Import what a producer would say of ``files``, whatever stands in the workspace.

    ``scheme`` is that of its symbols; the usual one is that of the provider that a test directs.
    """
    documents = scip_documents(files)
    for one in documents:
        for place in one.occurrences:
            place.symbol = place.symbol.replace("codetrail-fake", scheme)
        for info in one.symbols:
            info.symbol = info.symbol.replace("codetrail-fake", scheme)
    return take(bench, write_index(bench, documents, **said), folder=folder, prefer=prefer)


def take(bench: Bench, path: str, *, folder: str | None = None, prefer: bool = False) -> ImportReport:
    """Import a file."""
    return import_scip(str(bench.path), path, folder, prefer)


def drop(bench: Bench, name: str = NAME) -> ImportReport:
    """Drop an imported unit."""
    return remove_import(str(bench.path), name)


def row_of(report: ImportReport) -> ImportRow:
    """Return the one row of an import."""
    (row,) = report.rows
    return row


def units(bench: Bench) -> dict[str, UnitRow]:
    """Return the units that status shows, by name."""
    rows = [row for row in status(str(bench.path), False, False).rows if isinstance(row, UnitRow)]
    return {f"{row.provider}:{row.root or '.'}": row for row in rows}


def origins(bench: Bench, name: str, verb: str = "refs") -> set[str | None]:
    """Return the origins of the rows of an answer."""
    return {row.origin for row in bench.ask(verb, name).rows}
