"""Reading SCIP files: what comes out, what is refused, and that nothing else happens to any bytes."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.errors import DataError, SystemFailure
from codetrail.scip import scip_pb2
from codetrail.scip.document_paths import refused_path
from codetrail.scip.documents import DocumentError, ScipDocument, ScipSymbol
from codetrail.scip.limits import Limits
from codetrail.scip.reader import scan
from tests.scip_bytes import (
    SYMBOL,
    document,
    field,
    index,
    index_file,
    information,
    occurrence,
    remark,
    varint,
)

FIXTURES = Path(__file__).parents[2] / "fixtures" / "scip"
F = SYMBOL + "f()."


def read(folder: Path, data: bytes, limits: Limits | None = None) -> SimpleNamespace:
    """Read everything: metadata, paths, documents by path (or why not), externals, skipped counts."""
    with scan(index_file(folder, data), limits) as file:
        documents: dict[str, ScipDocument | str] = {}
        for number, entry in enumerate(file.documents):
            try:
                documents[entry.path] = file.document(number)
            except DocumentError as error:
                documents[entry.path] = str(error)
        return SimpleNamespace(
            metadata=file.metadata,
            documents=documents,
            externals=list(file.external_symbols()),
            skipped=file.skipped,
        )


def only(folder: Path, *occurrences: scip_pb2.Occurrence) -> ScipDocument:
    found = read(folder, index(document("a.py", occurrences))).documents["a.py"]
    assert isinstance(found, ScipDocument)
    return found


RANGES = {
    "three-numbers": (occurrence([1, 2, 3], F), (1, 2, 1, 3)),
    "four-numbers": (occurrence([1, 2, 3, 4], F), (1, 2, 3, 4)),
    "typed-one-line": (occurrence([1, 2, 3], F, typed=True), (1, 2, 1, 3)),
    "typed-many-lines": (occurrence([1, 2, 3, 4], F, typed=True), (1, 2, 3, 4)),
    "empty-is-legal": (occurrence([0, 0, 0], F, 1), (0, 0, 0, 0)),
}


@pytest.mark.parametrize("case", RANGES)
def test_ranges(case: str, tmp_path: Path) -> None:
    made, expected = RANGES[case]
    assert [found[:5] for found in only(tmp_path, made).occurrences] == [(*expected, F)]


def test_typed_range_wins_over_the_packed_one(tmp_path: Path) -> None:
    both = occurrence([7, 7, 8], F, 1, [7, 0, 9, 0])
    both.MergeFrom(occurrence([1, 2, 3], F, 1, [1, 0, 5, 0], typed=True))
    assert both.range[:] == [7, 7, 8]
    assert only(tmp_path, both).occurrences == [(1, 2, 1, 3, F, 1, (1, 0, 5, 0))]


BAD_RANGES = {
    "none": ([], "range_missing"),
    "two-numbers": ([1, 2], "range_missing"),
    "five-numbers": ([1, 2, 3, 4, 5], "range_missing"),
    "negative-line": ([-1, 2, 3], "range_invalid"),
    "negative-column": ([1, -2, 3], "range_invalid"),
    "ends-before-start": ([1, 5, 3], "range_invalid"),
    "ends-lines-before": ([3, 5, 1, 9], "range_invalid"),
}


@pytest.mark.parametrize("case", BAD_RANGES)
def test_bad_ranges_are_counted_and_cost_only_themselves(case: str, tmp_path: Path) -> None:
    span, reason = BAD_RANGES[case]
    found = only(tmp_path, occurrence(span, F), occurrence([0, 0, 1], F))
    assert len(found.occurrences) == 1
    assert found.skipped == {reason: 1}


def test_enclosing_ranges_are_read_of_definitions_only(tmp_path: Path) -> None:
    found = only(
        tmp_path,
        occurrence([0, 4, 5], F, 1, [0, 0, 9, 0]),
        occurrence([1, 4, 5], F, 1, [1, 0, 8]),
        occurrence([2, 4, 5], F, 1, [1, 0]),
        occurrence([3, 4, 5], F, 8, [0, 0, 9, 0]),
    )
    assert [made[6] for made in found.occurrences] == [(0, 0, 9, 0), (1, 0, 1, 8), (), ()]


def test_diagnostics_without_symbol_are_no_occurrences(tmp_path: Path) -> None:
    found = only(tmp_path, remark([3, 7, 9], "unresolved_import", "gone"), occurrence([0, 0, 1], F))
    assert len(found.occurrences) == 1
    assert found.diagnostics == [(3, 7, 3, 9, "unresolved_import", "gone")]


def test_symbol_information(tmp_path: Path) -> None:
    info = information(
        F,
        17,
        "f",
        [("a b c d e#", "is_reference"), ("a b c d e#", "is_implementation"), ("x", "is_type_definition")],
        signature="def f()",
        documentation="Does it.",
        enclosing="o",
    )
    found = read(tmp_path, index(document("a.py", [], [info]))).documents["a.py"]
    related = (("a b c d e#", 1), ("a b c d e#", 2), ("x", 4))
    assert found.symbols == [ScipSymbol(F, 17, "f", "def f()", ("Does it.",), "o", related)]


def test_documents_are_sorted_by_path_bytes_and_pieces_of_one_path_are_joined(tmp_path: Path) -> None:
    first = document("b.py", [occurrence([0, 0, 1], F)], [information(F)])
    second = document("b.py", [occurrence([1, 0, 1], F)], [information(SYMBOL + "g().")])
    found = read(tmp_path, index(first, document("é.py"), document("a/z.py"), second, document("a.py")))
    assert list(found.documents) == ["a.py", "a/z.py", "b.py", "é.py"]
    joined = found.documents["b.py"]
    assert [made[0] for made in joined.occurrences] == [0, 1]
    assert [info.symbol for info in joined.symbols] == [F, SYMBOL + "g()."]
    assert found.skipped == {"document_repeated": 1}


def test_concatenated_messages_are_one_index(tmp_path: Path) -> None:
    data = index(document("a.py")) + index(document("b.py"), tool="", version="") + b""
    found = read(tmp_path, data)
    assert list(found.documents) == ["a.py", "b.py"]
    assert (found.metadata.tool, found.metadata.tool_version) == ("codetrail-test", "1.0")


def test_externals_without_locals_and_broken_ones(tmp_path: Path) -> None:
    outside = [information("local 1"), information(F, 7), information("")]
    data = index(externals=outside) + field(3, b"\x0a\xff")
    assert [info.symbol for info in read(tmp_path, data).externals] == [F]


REFUSED_PATHS = {
    "empty": "",
    "parent": "../x.go",
    "parent-inside": "a/../../x.go",
    "absolute": "/abs/x.go",
    "drive": "C:\\x.go",
    "drive-slash": "C:/x.go",
    "backslash": "a\\x.go",
    "double-slash": "a//b.go",
    "dot": "./x.go",
    "trailing-slash": "a/",
    "nul": "a\0.go",
    "newline": "a\nb.go",
    "escape": "a\x1b[2J.go",
    "c1-control": "a\x9b.go",
}


@pytest.mark.parametrize("case", REFUSED_PATHS)
def test_paths_that_leave_the_root_are_refused_and_counted(case: str, tmp_path: Path) -> None:
    found = read(tmp_path, index(document(REFUSED_PATHS[case]), document("ok.go")))
    assert list(found.documents) == ["ok.go"]
    assert found.skipped == {"document_path_refused": 1}


@pytest.mark.parametrize("path", ["a", "a b/c d.py", "ünï/Größe.java", "..a/b..py", "a/.hidden", "-x.py"])
def test_ordinary_paths_are_accepted(path: str) -> None:
    assert not refused_path(path)


def test_the_path_may_stand_anywhere_in_its_document(tmp_path: Path) -> None:
    body = field(2, occurrence([0, 0, 1], F).SerializeToString()) + field(1, b"late.py")
    found = read(tmp_path, field(2, body))
    assert len(found.documents["late.py"].occurrences) == 1


def test_a_path_that_is_told_twice_is_not_believed(tmp_path: Path) -> None:
    body = field(1, b"first.py") + field(1, b"second.py")
    assert read(tmp_path, field(2, body)).documents == {"first.py": "document_invalid"}


BROKEN_DOCUMENTS = {
    "truncated-inside": field(1, b"bad.py") + field(2, b"\x12\x7fabc"),
    "not-utf8": field(1, b"bad.py") + field(4, b"\xff\xfe"),
    "wrong-type": field(1, b"bad.py") + b"\x10\x01" + field(2, b"\x0b"),
}


@pytest.mark.parametrize("case", BROKEN_DOCUMENTS)
def test_a_broken_document_costs_only_itself(case: str, tmp_path: Path) -> None:
    data = index(document("a.py")) + field(2, BROKEN_DOCUMENTS[case]) + field(2, field(1, b"z.py"))
    found = read(tmp_path, data)
    assert found.documents["bad.py"] == "document_invalid"
    assert isinstance(found.documents["a.py"], ScipDocument)
    assert isinstance(found.documents["z.py"], ScipDocument)


def test_a_path_that_is_not_text_is_counted(tmp_path: Path) -> None:
    found = read(tmp_path, field(2, field(1, b"\xff.py")) + index(document("a.py")))
    assert list(found.documents) == ["a.py"]
    assert found.skipped == {"document_invalid": 1}


INVALID = {
    "text": b"Traceback (most recent call last):\n",
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "metadata-as-number": b"\x08\x01",
    "document-as-number": b"\x10\x01",
    "group": b"\x0b\x0c",
    "field-zero": b"\x02\x01a",
    "length-beyond-the-file": b"\x12" + varint(2**31 - 2) + b"abc",
    "length-of-63-bits": b"\x12" + varint(2**63) + b"abc",
    "endless-varint": b"\x12" + b"\xff" * 12,
    "head-cut-off": b"\x12",
    "metadata-broken": field(1, b"\x12\x05ab"),
    "unknown-field-cut-off": b"\x7a\x05ab",
}


@pytest.mark.parametrize("case", INVALID)
def test_other_bytes_are_scip_invalid(case: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as error:
        read(tmp_path, INVALID[case])
    assert error.value.code == "scip_invalid"


def test_unknown_fields_are_skipped(tmp_path: Path) -> None:
    unknown = b"\x78\x05" + b"\x7d1234" + b"\x7912345678" + field(15, b"x" * 100_000)
    found = read(tmp_path, unknown + index(document("a.py")) + unknown)
    assert list(found.documents) == ["a.py"]


def test_an_index_without_anything_is_empty(tmp_path: Path) -> None:
    found = read(tmp_path, b"")
    assert (found.documents, found.metadata.tool) == ({}, "")


@pytest.mark.parametrize("cut", range(1, 40))
def test_every_tail_that_is_cut_inside_a_message_is_refused(cut: int, tmp_path: Path) -> None:
    tail = field(2, document("z" * 20, [occurrence([0, 0, 1], "s" * 40)]).SerializeToString())
    with pytest.raises(DataError):
        read(tmp_path, index(document("a.py")) + tail[: len(tail) - cut])


def test_a_file_that_is_missing_or_special_is_a_system_failure(tmp_path: Path) -> None:
    link = tmp_path / "link.scip"
    link.symlink_to(index_file(tmp_path, index()))
    for path in (tmp_path / "none.scip", link):
        with pytest.raises(SystemFailure):
            scan(str(path))


def test_a_file_above_two_gibibytes_is_read(tmp_path: Path) -> None:
    """A hole in the file stands for gigabytes of an unknown field; a document lies behind it."""
    path = tmp_path / "large.scip"
    hole = (1 << 31) + 5
    head = b"\x7a" + varint(hole)
    with path.open("wb") as file:
        file.write(head)
        file.seek(len(head) + hole)
        file.write(index(document("after.py", [occurrence([0, 0, 1], F)])))
    with scan(str(path)) as found:
        assert found.size > 1 << 31
        assert found.document(0).occurrences == [(0, 0, 0, 1, F, 0, ())]


LIMITED = {
    "file": (Limits(file_bytes=10), None),
    "documents": (Limits(documents=1), None),
    "externals": (Limits(external_symbols=1), None),
    "metadata": (Limits(metadata_bytes=3), None),
    "message": (Limits(message_bytes=40), "skipped"),
    "occurrences": (Limits(occurrences=1), "document_too_large"),
    "symbols": (Limits(symbols=1), "document_too_large"),
}


@pytest.mark.parametrize("case", LIMITED)
def test_limits(case: str, tmp_path: Path) -> None:
    limits, kind = LIMITED[case]
    big = document(
        "big.py",
        [occurrence([0, 0, 1], F), occurrence([1, 0, 1], F)],
        [information(F), information(SYMBOL + "g().")],
    )
    outside = [information(F), information(SYMBOL + "h().")]
    data = index(document("a.py"), big, externals=outside)
    if kind is None:
        with pytest.raises(DataError) as error:
            read(tmp_path, data, limits)
        assert error.value.code == "scip_invalid"
        return
    found = read(tmp_path, data, limits)
    assert isinstance(found.documents["a.py"], ScipDocument)
    if kind == "skipped":
        assert found.skipped == {"document_too_large": 1}
    else:
        assert found.documents["big.py"] == kind


def test_long_symbols_and_many_relationships_cost_themselves(tmp_path: Path) -> None:
    long = SYMBOL + "x" * 100 + "."
    many = information(F, related=[(f"a b c d x{number}#", "is_reference") for number in range(4)])
    data = index(
        document("a.py", [occurrence([0, 0, 1], long), occurrence([1, 0, 1], F)], [information(long), many])
    )
    found = read(tmp_path, data, Limits(symbol_length=80, relationships=3)).documents["a.py"]
    assert [made[4] for made in found.occurrences] == [F]
    assert found.symbols == []
    assert found.skipped == {"symbol_refused": 3}


def test_long_texts_are_cut(tmp_path: Path) -> None:
    info = information(F, documentation="d" * 50, signature="s" * 50)
    found = read(tmp_path, index(document("a.py", [], [info])), Limits(text_length=10)).documents["a.py"]
    assert (found.symbols[0].documentation, found.symbols[0].signature) == (("d" * 10,), "s" * 10)


BOMBS = {
    "empty-occurrences": b"\x12\x00" * 2_500_000,
    "empty-symbols": b"\x1a\x00" * 1_200_000,
    "empty-relationships": field(3, b"\x22\x00" * 1_200_000),
    "empty-diagnostics": field(2, b"\x32\x00" * 9_000_000),
    "empty-texts": field(3, b"\x1a\x00" * 9_000_000),
}


@pytest.mark.parametrize("case", BOMBS)
def test_bombs_are_refused_before_they_are_decoded(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    decode = scip_pb2.Document.FromString

    class Watched:
        @staticmethod
        def FromString(data: bytes) -> scip_pb2.Document:
            decoded.append(len(data))
            return decode(data)

    monkeypatch.setattr(scip_pb2, "Document", Watched)
    data = field(2, field(1, b"bomb.py") + BOMBS[case]) + index_after_bomb()
    found = read(tmp_path, data)
    assert found.documents["bomb.py"] == "document_too_large"
    assert isinstance(found.documents["ok.py"], ScipDocument)
    assert max(decoded) < 1000


def index_after_bomb() -> bytes:
    return field(2, field(1, b"ok.py"))


def test_a_bomb_among_externals_is_left_out(tmp_path: Path) -> None:
    data = field(3, field(1, F.encode()) + b"\x22\x00" * 1_200_000) + index(externals=[information(F)])
    assert len(read(tmp_path, data).externals) == 1


def outcome(folder: Path, data: bytes) -> set[str]:
    """Return why a file or parts of it were refused; any other exception passes."""
    try:
        return set(read(folder, data).skipped)
    except DataError as error:
        return {error.code}


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path: Path, data: bytes) -> None:
    assert outcome(tmp_path, data) <= {
        "scip_invalid",
        "document_invalid",
        "document_path_refused",
        "document_repeated",
        "document_too_large",
    }


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_damaged_index_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    whole = (FIXTURES / "typescript" / "index.scip").read_bytes()
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    assert outcome(tmp_path, bytes(damaged[:cut])) <= {
        "scip_invalid",
        "document_invalid",
        "document_path_refused",
        "document_repeated",
        "document_too_large",
    }


@pytest.mark.parametrize(
    ("recording", "occurrences"),
    [("typescript/index.scip", 65), ("java/index.scip", 533)],
)
def test_recordings_lose_nothing(recording: str, occurrences: int) -> None:
    whole = scip_pb2.Index.FromString((FIXTURES / recording).read_bytes())
    with scan(str(FIXTURES / recording)) as file:
        documents = [file.document(number) for number in range(len(file.documents))]
    assert {made.path for made in documents} == {made.relative_path for made in whole.documents}
    assert sum(len(made.occurrences) for made in documents) == occurrences
    assert occurrences == sum(len(made.occurrences) for made in whole.documents)
    assert all(made.skipped == {} for made in documents)


def test_the_file_is_closed(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with scan(index_file(tmp_path, index(document("a.py")))):
        pass
    with pytest.raises(DataError):
        scan(index_file(tmp_path, b"\x12"))
    assert len(os.listdir("/proc/self/fd")) == before if before else True
