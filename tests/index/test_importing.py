"""What comes of an index that was made elsewhere: what is believed, what is refused, what stays."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError, UsageError
from codetrail.index import importing as module
from codetrail.index.status import status
from codetrail.model.answers import ReferenceRow
from codetrail.model.units import Problem
from codetrail.scip import scip_pb2
from tests.index.building import Bench, FakeProvider, codes, scip_documents
from tests.index.importing import (
    CALLED,
    CALLING,
    FILES,
    NAME,
    USES,
    bring,
    drop,
    origins,
    row_of,
    take,
    units,
    write_index,
)
from tests.scip_bytes import document, field, index, occurrence

MISSING = Problem("engine_missing", "The engine is not installed.")


@pytest.fixture
def home(bench: Bench, fake: FakeProvider) -> Bench:
    """Return a workspace with two files of a language whose engine is not installed here."""
    fake.missing = MISSING
    for path, text in FILES.items():
        bench.put(path, text)
    return bench


def test_where_nothing_was_indexed_an_import_answers(home: Bench) -> None:
    report = bring(home, FILES)
    row = row_of(report)
    assert (report.exit_status, row.state, row.read, row.stored, row.used) == (0, "stored", 2, 2, 2)
    assert (row.provider, row.engine, row.version, row.skipped) == (
        "import:scip-fake",
        "scip-fake",
        "1.0",
        (),
    )
    found = home.ask("refs", "ring")
    assert home.refs("ring") == USES
    assert {row.reliability for row in found.rows if hasattr(row, "reliability")} == {"precise_fact"}
    assert home.defs("ring") == [("bell.py:1", "precise_fact")]
    assert found.page.coverage.state == "complete"
    assert found.page.coverage.unresolved == 0
    assert [note.code for note in found.page.notes] == ["import_unproved"]


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols", "callers", "call-hierarchy"])
def test_every_row_says_where_it_came_from(home: Bench, verb: str) -> None:
    bring(home, FILES)
    assert origins(home, "ring", verb) == {"import"}


def test_a_local_and_the_source_of_a_row_say_it_too(home: Bench) -> None:
    documents = scip_documents(FILES)
    documents[0].occurrences.extend(
        [occurrence([0, 9, 14], "local 0", 1), occurrence([1, 11, 16], "local 0")]
    )
    take(home, write_index(home, documents))
    assert home.refs("bell.py:1:10") == ["bell.py:2"]
    assert origins(home, "bell.py:1:10", "defs") == origins(home, "bell.py:1:10") == {"import"}
    (row,) = home.ask("defs", "ring", explain=True).rows
    provenance = row.provenance
    assert provenance is not None
    assert (provenance.provider, provenance.engine, provenance.unit) == (
        "import:scip-fake",
        "scip-fake",
        NAME,
    )


def test_status_shows_the_unit_and_what_it_took_over(home: Bench) -> None:
    bring(home, FILES)
    found = units(home)
    assert (found[NAME].origin, found[NAME].state, found[NAME].documents) == ("import", "built", 2)
    assert (found["python:."].state, found["python:."].files) == ("failed", 0)
    assert codes(found["python:."]) == ["engine_missing", "served_by_import"]
    coverage = status(str(home.path), False, False).coverage
    assert coverage is not None
    assert coverage.state == "complete"


def test_a_file_that_no_document_is_of_stays_without_precise_layer(home: Bench) -> None:
    home.put("gate.py", "from bell import ring\nring(3)\n")
    bring(home, FILES)
    coverage = home.ask("refs", "ring").page.coverage
    assert {(reason.code, reason.times) for reason in coverage.reasons} == {("provider_missing", 1)}
    assert (coverage.state, coverage.unresolved, coverage.unresolved_in) == ("partial", 2, (("gate.py", 2),))


def _with_text(text: str) -> Callable[[Bench], list[scip_pb2.Document]]:
    def make(_: Bench) -> list[scip_pb2.Document]:
        documents = scip_documents(FILES)
        documents[1].text = text
        return documents

    return make


def _of(path: str, text: str) -> Callable[[Bench], list[scip_pb2.Document]]:
    def make(_: Bench) -> list[scip_pb2.Document]:
        return scip_documents({"bell.py": CALLED, path: text})

    return make


def _at(path: str) -> Callable[[Bench], list[scip_pb2.Document]]:
    def make(_: Bench) -> list[scip_pb2.Document]:
        (called, calling) = scip_documents(FILES)
        calling.relative_path = path
        return [called, calling]

    return make


def _linked_file(bench: Bench) -> list[scip_pb2.Document]:
    (bench.path.parent / "outside.py").write_text(CALLING)
    (bench.path / "link.py").symlink_to(bench.path.parent / "outside.py")
    return _at("link.py")(bench)


def _linked_folder(bench: Bench) -> list[scip_pb2.Document]:
    (bench.path.parent / "outside").mkdir()
    (bench.path.parent / "outside" / "door.py").write_text(CALLING)
    (bench.path / "lib").symlink_to(bench.path.parent / "outside")
    return _at("lib/door.py")(bench)


def _ignored(bench: Bench) -> list[scip_pb2.Document]:
    bench.put(".gitignore", "door.py\n")
    return scip_documents(FILES)


def _excluded(bench: Bench) -> list[scip_pb2.Document]:
    bench.put("codetrail.toml", '[index]\nexclude = ["door.py"]\n')
    return scip_documents(FILES)


def _generated(bench: Bench) -> list[scip_pb2.Document]:
    bench.put("codetrail.toml", "[index]\ninclude_generated = false\n")
    bench.put("door.py", CALLING + "# @generated\n")
    return scip_documents(FILES)


def _utf16(bench: Bench) -> list[scip_pb2.Document]:
    bench.put("door.py", CALLING.encode("utf-16"))
    return scip_documents(FILES)


def _other_units(_: Bench) -> list[scip_pb2.Document]:
    called, calling = scip_documents(FILES)
    again = scip_pb2.Document.FromString(calling.SerializeToString())
    calling.position_encoding, again.position_encoding = 1, 2  # type: ignore[assignment]
    return [called, calling, again]


def _other_texts(_: Bench) -> list[scip_pb2.Document]:
    called, calling = scip_documents(FILES)
    again = scip_pb2.Document.FromString(calling.SerializeToString())
    calling.text, again.text = CALLING, CALLED
    return [called, calling, again]


def _renamed(bench: Bench) -> list[scip_pb2.Document]:
    bench.put("door.py", "def wing(times):\n    return times\n")
    return scip_documents({"bell.py": CALLED, "door.py": "def sing(times):\n    return times\n"})


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(_other_texts, "document_texts_differ", id="twice with different texts"),
        pytest.param(_renamed, "document_differs", id="a definition renamed since"),
        pytest.param(_with_text(CALLING + "x = 1\n"), "document_differs", id="another text written down"),
        pytest.param(_of("door.py", "\n" + CALLING), "document_differs", id="a line less since"),
        pytest.param(_of("door.py", CALLING.split("\n", 1)[1]), "document_differs", id="a line more since"),
        pytest.param(_of("gone.py", CALLING), "document_not_found", id="no such file"),
        pytest.param(_at("DOOR.py"), "document_not_found", id="a name in capitals"),
        pytest.param(_at("README.md"), "document_not_source", id="no source file"),
        pytest.param(_at("../door.py"), "document_path_refused", id="above the root"),
        pytest.param(_at("lib/../door.py"), "document_path_refused", id="up and down again"),
        pytest.param(_at("/etc/door.py"), "document_path_refused", id="absolute"),
        pytest.param(_at("C:\\door.py"), "document_path_refused", id="a drive"),
        pytest.param(_at("door.py\0"), "document_path_refused", id="NUL"),
        pytest.param(_at("./door.py"), "document_path_refused", id="not canonical"),
        pytest.param(_at(""), "document_path_refused", id="no path"),
        pytest.param(_linked_file, "document_not_found", id="a link out of the workspace"),
        pytest.param(_linked_folder, "document_not_found", id="below a link out of the workspace"),
        pytest.param(_ignored, "document_not_found", id="ignored by git"),
        pytest.param(_excluded, "excluded_by_config", id="excluded by configuration"),
        pytest.param(_generated, "excluded_by_config", id="generated"),
        pytest.param(_utf16, "file_utf16", id="UTF-16"),
        pytest.param(_other_units, "document_units_differ", id="twice in different units"),
    ],
)
def test_a_document_that_is_not_of_a_file_here_is_left_out_and_counted(
    home: Bench, make: Callable[[Bench], list[scip_pb2.Document]], reason: str
) -> None:
    row = row_of(take(home, write_index(home, make(home))))
    assert row.skipped == ((reason, 1),)
    assert (row.stored, row.used) == (1, 1)
    assert home.defs("ring") == [("bell.py:1", "precise_fact")]
    assert home.refs("ring") == []


@pytest.mark.parametrize(
    ("text", "disk"),
    [
        pytest.param(CALLING, CALLING, id="equal"),
        pytest.param(CALLING, CALLING.replace("\n", "\r\n"), id="other line ends"),
        pytest.param(CALLING, "\ufeff" + CALLING, id="a byte-order mark"),
    ],
)
def test_a_text_that_is_the_same_proves_its_document(home: Bench, text: str, disk: str) -> None:
    home.put("door.py", disk)
    documents = scip_documents(FILES)
    documents[0].text, documents[1].text = CALLED, text
    report = take(home, write_index(home, documents))
    assert (row_of(report).stored, row_of(report).problems) == (2, ())
    assert home.refs("ring") == USES
    assert home.ask("refs", "ring").page.notes == ()


def test_a_document_that_comes_twice_is_one(home: Bench) -> None:
    documents = scip_documents(FILES)
    row = row_of(take(home, write_index(home, [*documents, documents[1]])))
    assert (row.read, row.stored, row.skipped) == (3, 2, ())
    assert [problem.code for problem in row.problems] == ["document_repeated", "document_unproved"]
    assert home.refs("ring") == USES


def test_a_broken_document_costs_itself(home: Bench) -> None:
    called, calling = (one.SerializeToString() for one in scip_documents(FILES))
    broken = field(2, calling + field(2, b"\x0a\xff"))
    path = home.path.parent / "made.scip"
    path.write_bytes(index(tool="scip-fake") + field(2, called) + broken)
    assert row_of(take(home, str(path))).skipped == (("document_invalid", 1),)
    assert home.defs("ring") == [("bell.py:1", "precise_fact")]


@pytest.mark.parametrize("tool", ["other", "scip-typescript"])
@pytest.mark.parametrize("shift", [(0, 1), (1, 0), (0, 0)], ids=["columns", "lines", "as they are"])
def test_ranges_that_point_at_other_names_serve_nothing_even_in_the_same_text(
    home: Bench, tool: str, shift: tuple[int, int]
) -> None:
    # Each line has two names; the symbols name the first ones of even lines.
    lines = ("cc{0}=0;dd{0}=0\n", "aa{0}=0;bb{0}=0\n")
    text = "".join(lines[line % 2].format(line) for line in range(20))
    home.put("long.py", text)
    down, right = shift
    spans = [
        occurrence([line + down, right * 6, right * 6 + 3], f"scip-fake python demo 1.0 long/cc{line}.", 1)
        for line in range(0, 10, 2)
    ]
    made = document("long.py", spans)
    made.text = text
    row = row_of(take(home, write_index(home, [made], tool=tool)))
    serves = shift == (0, 0)
    assert (row.stored, dict(row.skipped)) == ((1, {}) if serves else (0, {"document_differs": 1}))
    assert [at for at, _ in home.defs("cc0")] == ["long.py:1"]
    assert [kind for _, kind in home.defs("cc0")] == (["precise_fact"] if serves else ["parser_fact"])


def test_an_import_counts_the_occurrences_that_status_counts(home: Bench) -> None:
    documents = scip_documents(FILES)
    documents[1].occurrences.append(documents[1].occurrences[0])
    row = row_of(take(home, write_index(home, documents)))
    assert row.occurrences == units(home)[NAME].occurrences


@pytest.mark.parametrize(
    ("tool", "missing", "outcome"),
    [
        pytest.param("other", 2, (1, {"document_unproved": 1, "places_skipped": 2}), id="two of 302"),
        pytest.param("other", 3, (1, {"document_unproved": 1, "places_skipped": 3}), id="three of 303"),
        pytest.param("other", 4, (0, {}), id="four of 304"),
        pytest.param("codetrail-python", 0, (1, {"document_unproved": 1}), id="none of an exact tool's"),
        pytest.param("scip-typescript", 1, (0, {}), id="one of an exact tool's"),
        pytest.param("codetrail-python", 1, (0, {}), id="one of our driver's"),
    ],
)
def test_one_place_in_a_hundred_may_miss(
    home: Bench, tool: str, missing: int, outcome: tuple[int, dict[str, int]]
) -> None:
    home.put("long.py", "x = 0\n" * 300)
    symbol = "scip-fake python demo 1.0 long/x."
    spans = [occurrence([line, 0, 1], symbol, int(line == 0)) for line in range(300)]
    spans += [occurrence([400 + line, 0, 1], symbol) for line in range(missing)]
    row = row_of(take(home, write_index(home, [document("long.py", spans)], tool=tool)))
    assert (row.stored, {one.code: one.times for one in row.problems}) == outcome
    if row.stored:
        assert len(home.refs("x", limit=400)) == 299


@pytest.mark.parametrize(
    ("written", "code", "word"),
    [
        pytest.param(b"", "scip_invalid", "no SCIP index", id="empty"),
        pytest.param(b"\x00\x01garbage" * 50, "scip_invalid", "not a SCIP index", id="garbage"),
        pytest.param(b"#!/bin/sh\nrm -rf /\n" * 9, "scip_invalid", "not a SCIP index", id="a script"),
        pytest.param(b"\x20\x01", "scip_invalid", "no SCIP index", id="fields of something else"),
        pytest.param(gzip.compress(index(tool="t")), "scip_invalid", "gzip", id="gzip"),
        pytest.param(b"PK\x03\x04" + bytes(40), "scip_invalid", "zip", id="zip"),
        pytest.param(index(*scip_documents(FILES), tool="t")[:-3], "scip_invalid", "longer", id="cut off"),
        pytest.param(field(2, bytes(8))[:-1], "scip_invalid", "longer", id="a field that is too long"),
    ],
)
def test_what_is_no_index_is_refused_in_a_sentence_and_nothing_is_lost(
    home: Bench, written: bytes, code: str, word: str
) -> None:
    bring(home, FILES)
    before = home.key
    path = home.path.parent / "other.scip"
    path.write_bytes(written)
    with pytest.raises(CodeTrailError) as refused:
        take(home, str(path))
    assert (refused.value.code, refused.value.exit_status) == (code, 1)
    assert word in refused.value.message
    assert str(home.path.parent) not in refused.value.message
    assert home.key == before
    assert home.refs("ring") == USES


def test_a_large_file_of_something_else_is_not_read(home: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home.path.parent / "large.scip"
    with path.open("wb") as file:
        file.write(b"\x0a\x02ab\x12\x01c\x00 and so on")
        file.truncate(1 << 40)
    monkeypatch.setattr(module, "_CHUNK", None)  # what reads pieces of it fails
    with pytest.raises(CodeTrailError) as failure:
        take(home, str(path))
    assert failure.value.code == "scip_invalid"


@pytest.mark.parametrize("kind", ["missing", "a folder", "a pipe", "an empty name"])
def test_what_cannot_be_read_is_refused(home: Bench, kind: str) -> None:
    path = home.path.parent / "other.scip"
    if kind == "a folder":
        path.mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    with pytest.raises(CodeTrailError) as refused:
        take(home, "nothing\0" if kind == "an empty name" else str(path))
    assert refused.value.code == "io_error"
    assert not (home.path / ".codetrail").exists()


@pytest.mark.parametrize(
    ("documents", "skipped"),
    [
        pytest.param([], (), id="no documents"),
        pytest.param(scip_documents({"a.py": CALLED}), (("document_not_found", 1),), id="of another tree"),
        pytest.param(
            scip_documents({"bell.py": "\n\n" + CALLED}), (("document_differs", 1),), id="of other texts"
        ),
    ],
)
@pytest.mark.parametrize("indexed", [True, False], ids=["indexed before", "nothing before"])
def test_an_index_without_anything_of_use_is_no_success(
    home: Bench, documents: list[scip_pb2.Document], skipped: tuple[tuple[str, int], ...], indexed: bool
) -> None:
    if indexed:
        bring(home, FILES)
    before = home.key if indexed else None
    report = take(home, write_index(home, documents, tool="scip-other"))
    row = row_of(report)
    assert (report.exit_status, row.state, row.stored, row.skipped) == (2, "refused", 0, skipped)
    assert [note.code for note in report.notes] == ["nothing_stored"]
    assert (home.key if (home.path / ".codetrail/current").exists() else None) == before


@pytest.mark.parametrize(
    ("root", "folder", "expected"),
    [
        pytest.param("", "web", "web", id="--root"),
        pytest.param("file://{work}/web", None, "web", id="made here"),
        pytest.param("file://{work}/web/", None, "web", id="made here, with a slash"),
        pytest.param("file://{work}/we%62", None, "web", id="made here, percent-encoded"),
        pytest.param("file:///build/elsewhere", "web", "web", id="made elsewhere, --root"),
        pytest.param("file://{work}", "web", "web", id="--root against what the file says"),
        pytest.param("file:///build/web", None, None, id="made elsewhere"),
        pytest.param("file://{work}/../web", None, None, id="outside"),
        pytest.param("nonsense", None, None, id="no address"),
    ],
)
def test_what_paths_are_relative_to(home: Bench, root: str, folder: str | None, expected: str | None) -> None:
    for path, text in FILES.items():
        (home.path / path).unlink()
        home.put(f"web/{path}", text)
    row = row_of(bring(home, FILES, root=root.format(work=home.path), folder=folder))
    if expected is None:
        assert (row.stored, row.skipped) == (0, (("document_not_found", 2),))
        return
    assert (row.stored, row.root) == (2, expected)
    assert home.refs("ring") == [f"web/{path}" for path in USES]
    assert "import:scip-fake:web" in units(home)


@pytest.mark.parametrize(
    ("tool", "unit"),
    [
        pytest.param("\x1b[31mred\x07/a b", "import:31mred-a-b:.", id="control characters"),
        pytest.param("..", "import:..:.", id="dots"),
        pytest.param("python", "import:python:.", id="the name of a provider"),
        pytest.param("--remove", "import:remove:.", id="an option"),
        pytest.param("名前", "import:unknown:.", id="nothing that can be typed"),
        pytest.param("x" * 500, f"import:{'x' * 80}:.", id="very long"),
    ],
)
def test_whatever_the_tool_is_called_the_name_of_its_unit_can_be_typed(
    home: Bench, tool: str, unit: str
) -> None:
    bring(home, FILES, tool=tool)
    assert set(units(home)) == {unit, "python:."}
    assert row_of(drop(home, unit)).state == "removed"


def test_an_import_of_several_languages_serves_them_all(home: Bench) -> None:
    home.put("main.go", "package main\n\nfunc main() {}\n")
    symbol = "scip-fake gomod demo 1 main/main()."
    documents = [*scip_documents(FILES), document("main.go", [occurrence([2, 5, 9], symbol, 1)])]
    assert row_of(take(home, write_index(home, documents))).used == 3
    for name, path in (("ring", "bell.py:1"), ("main", "main.go:3")):
        assert home.defs(name) == [(path, "precise_fact")]
        assert [note.code for note in home.ask("defs", name).page.notes] == ["import_unproved"]


def test_the_same_file_again_changes_nothing(home: Bench) -> None:
    bring(home, FILES)
    before = home.manifest_bytes
    row = row_of(bring(home, FILES))
    assert (row.state, home.manifest_bytes) == ("replaced", before)
    assert home.refs("ring") == USES


def test_a_newer_index_of_the_same_tool_takes_the_place_of_the_older(home: Bench) -> None:
    bring(home, FILES)
    home.put("door.py", CALLING + "ring(3)\n")
    row = row_of(bring(home, {**FILES, "door.py": CALLING + "ring(3)\n"}))
    assert row.state == "replaced"
    assert [name for name in units(home) if name.startswith("import:")] == [NAME]
    assert home.refs("ring") == [*USES, "door.py:5"]


def test_of_two_tools_the_newer_import_answers_for_a_file(home: Bench) -> None:
    bring(home, FILES, tool="scip-older")
    row = row_of(bring(home, {"door.py": CALLING, "bell.py": CALLED}))
    assert (row.state, row.used) == ("stored", 2)
    older = units(home)["import:scip-older:."]
    assert (older.documents, codes(older)[-1]) == (0, "covered_by_import")
    assert home.refs("ring") == USES
    drop(home)
    assert units(home)["import:scip-older:."].documents == 2
    assert home.refs("ring") == USES


def test_an_import_is_dropped_by_its_name(home: Bench) -> None:
    bring(home, FILES)
    row = row_of(drop(home))
    assert (row.state, row.dropped) == ("removed", 2)
    assert home.refs("ring") == []
    assert home.reasons("ring") == {"provider_missing"}
    with pytest.raises(UsageError) as refused:
        drop(home)
    assert refused.value.code == "invalid_argument"


def test_an_edit_shows_at_once_and_a_build_cannot_undo_it(home: Bench) -> None:
    bring(home, FILES)
    home.put("door.py", CALLING + "# Edited.\n")
    assert home.refs("ring") == USES
    rows = home.ask("refs", "ring").rows
    assert {row.reliability for row in rows if isinstance(row, ReferenceRow)} == {"inferred_candidate"}
    assert home.reasons("ring") == {"files_changed"}
    home.build()
    assert home.refs("ring") == []
    coverage = home.ask("refs", "ring").page.coverage
    assert {(one.code, one.paths) for one in coverage.reasons} == {
        ("import_outdated", ("door.py",)),
        ("provider_missing", ()),
    }
    assert coverage.unresolved == 3
    assert home.defs("ring") == [("bell.py:1", "precise_fact")]
    assert (units(home)[NAME].documents, codes(units(home)[NAME])[-1]) == (1, "import_outdated")
    home.put("door.py", CALLING)
    home.build()
    assert home.refs("ring") == USES


def test_a_deleted_file_has_no_rows_and_a_build_says_so(home: Bench) -> None:
    bring(home, FILES)
    (home.path / "door.py").unlink()
    assert home.refs("ring") == []
    home.build()
    assert (units(home)[NAME].documents, codes(units(home)[NAME])[-1]) == (1, "file_gone")
    assert home.ask("refs", "ring").page.coverage.state == "complete"


def _crowded(folder: Path) -> str:
    """Write an index with a million occurrences of one symbol at one place."""
    called = scip_documents(FILES)[0]
    use = occurrence([2, 0, 4], called.symbols[0].symbol).SerializeToString()
    crowd = field(1, b"door.py") + field(2, use) * 1_000_000
    path = folder / "crowded.scip"
    path.write_bytes(index(called, tool="scip-crowd") + field(2, crowd))
    return str(path)


def test_an_index_of_a_million_places_in_one_document(home: Bench) -> None:
    row = row_of(take(home, _crowded(home.path.parent)))
    assert (row.stored, row.skipped) == (2, ())
    assert home.refs("ring") == ["door.py:3"]


def test_a_decoder_that_takes_too_long_is_ended(home: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SECONDS", 0.0)
    monkeypatch.setattr(module, "_SECONDS_A_MIB", 0.0)
    with pytest.raises(CodeTrailError) as refused:
        bring(home, FILES)
    assert refused.value.code == "timed_out"


def test_a_decoder_that_takes_too_much_memory_is_ended(home: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MEMORY", 1 << 20)
    with pytest.raises(CodeTrailError) as refused:
        take(home, _crowded(home.path.parent))
    assert refused.value.code == "scip_invalid"
    assert "memory" in refused.value.message


def test_an_interrupt_leaves_what_was_there(home: Bench, tmp_path: Path) -> None:
    bring(home, FILES)
    before, shards = home.key, home.shards()
    path = _crowded(tmp_path)
    argv = [sys.executable, "-m", "codetrail", "index", "import", path]
    runs = tmp_path / "cache/codetrail/runs"
    with subprocess.Popen(argv, cwd=home.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not list(runs.glob("*/run-*/task.json")):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
    assert home.key == before
    assert not list(runs.glob("*/run-*"))
    assert home.refs("ring") == USES
    home.build()
    assert (home.key, home.shards()) == (before, shards)
