"""What the writer writes is what protobuf reads, and what our own reader takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from codetrail.scip import scip_pb2
from codetrail.scip.reader import scan
from codetrail.scip.writer import Document, Information, Occurrence, Relationship, Remark, ScipWriter

SYMBOL = "codetrail-test python demo 1.0 `demo.a`/f()."
LONG = "é𝒳" * 40_000

DOCUMENT = Document(
    "a.py",
    "python",
    [
        Occurrence((0, 0, 0, 1), SYMBOL, 1, (0, 0, 300, 7)),
        Occurrence((5, 1, 5, 200), SYMBOL, 8),
        Occurrence((6, 0, 6, 3), "", 0, None, Remark(1, "unresolved_import", "x.y")),
    ],
    [Information(SYMBOL, 17, "f", "def f()", LONG, "owner", (Relationship("other", True, True),))],
)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "index.scip"
    with ScipWriter(str(path), "tool", "1") as writer:
        writer.document(DOCUMENT)
        writer.document(Document("empty.py", "python", [], []))
        writer.external_symbols([Information("ext", 29, "json")], "python")
    return path


def test_protobuf_reads_every_field(written: Path) -> None:
    index = scip_pb2.Index.FromString(written.read_bytes())
    assert (index.metadata.tool_info.name, index.metadata.tool_info.version) == ("tool", "1")
    assert index.metadata.text_document_encoding == scip_pb2.UTF8
    first, empty = index.documents
    assert (first.relative_path, first.language, first.position_encoding) == ("a.py", "python", 2)
    assert [list(one.range) for one in first.occurrences] == [[0, 0, 1], [5, 1, 200], [6, 0, 3]]
    assert [one.symbol_roles for one in first.occurrences] == [1, 8, 0]
    assert list(first.occurrences[0].enclosing_range) == [0, 0, 300, 7]
    (remark,) = first.occurrences[2].diagnostics
    assert (remark.severity, remark.code, remark.message) == (1, "unresolved_import", "x.y")
    (information,) = first.symbols
    assert (information.symbol, information.kind, information.display_name) == (SYMBOL, 17, "f")
    assert (list(information.documentation), information.enclosing_symbol) == ([LONG], "owner")
    (related,) = information.relationships
    assert (related.symbol, related.is_reference, related.is_implementation) == ("other", True, True)
    assert (empty.relative_path, len(empty.occurrences)) == ("empty.py", 0)
    assert [(one.symbol, one.kind) for one in index.external_symbols] == [("ext", 29)]


def test_the_reader_takes_it(written: Path) -> None:
    with scan(str(written)) as index:
        assert [entry.path for entry in index.documents] == ["a.py", "empty.py"]
        assert len(index.document(0).occurrences) == 2


def test_an_existing_file_is_not_written_over(written: Path) -> None:
    with pytest.raises(FileExistsError):
        ScipWriter(str(written), "tool", "1")
