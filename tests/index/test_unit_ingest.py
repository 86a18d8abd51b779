"""From a SCIP file to shards: which files get rows and in what state, parts, imports between documents,
recordings of real producers, and hostile files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codetrail.errors import DataError
from codetrail.index.unit_ingest import IngestReport, ingest_unit
from codetrail.model import kinds
from codetrail.model.documents import DocumentFacts, LocalOccurrence, Occurrence, SymbolInfo
from codetrail.model.facts import DOC_STATES, ROLE_ALIAS, ROLE_IMPORT, ROLE_SAFE_MODE, USES
from codetrail.model.units import SourceFile, UnitSpec
from codetrail.scip.limits import Limits
from codetrail.syntax.extract import extract
from codetrail.syntax.file_syntax import FileSyntax
from codetrail.workspace.digests import line_hashes
from codetrail.workspace.encodings import utf8_source
from tests.scip_bytes import SYMBOL, document, field, index, index_file, information, occurrence

FIXTURES = Path(__file__).parents[2] / "fixtures" / "scip"
F = SYMBOL + "f()."
SOURCE = b"def f(): ...\nf()\n"
PLACES = [occurrence([0, 4, 5], F, 1, [0, 0, 12]), occurrence([1, 0, 1], F)]


class Shelf:
    """A writer that keeps what it was given."""

    def __init__(self) -> None:
        self.documents: list[DocumentFacts] = []
        self.externals: list[SymbolInfo] = []
        self.ended = ""

    def add(self, document: DocumentFacts) -> None:
        self.documents.append(document)

    def add_external(self, info: SymbolInfo) -> None:
        self.externals.append(info)

    def finish(self) -> Shelf:
        self.ended = "finished"
        return self

    def abort(self) -> None:
        self.ended = "aborted"


class Run:
    """One ingest of an index over files held in memory."""

    def __init__(
        self, folder: Path, files: dict[str, bytes], root: str = "", language: str = "python"
    ) -> None:
        self.folder = folder
        self.files = files
        self.shelves: list[Shelf] = []
        sources = tuple(
            SourceFile(path, hashlib.sha256(data).hexdigest(), len(data), language)
            for path, data in files.items()
        )
        self.unit = UnitSpec(".", root, language, language, "1", "engine", "1", sources)

    def open_writer(self, part: int, parts: int) -> Shelf:
        assert part == len(self.shelves) < parts
        self.shelves.append(Shelf())
        return self.shelves[-1]

    def __call__(
        self,
        data: bytes,
        *,
        limits: Limits | None = None,
        most: int = 10**9,
        syntax: bool = True,
        left_out: dict[str, str] | None = None,
    ) -> IngestReport:
        def syntax_of(content: bytes, language: str, path: str) -> FileSyntax | None:
            return extract(utf8_source(content, language), language, path=path) if syntax else None

        path = index_file(self.folder, data)
        return ingest_unit(
            path,
            self.unit,
            self.files.get,
            self.open_writer,
            syntax_of,
            left_out=left_out or {},
            limits=limits,
            most_occurrences=most,
        )

    @property
    def documents(self) -> dict[str, DocumentFacts]:
        return {made.path: made for shelf in self.shelves for made in shelf.documents}


def states(run: Run) -> dict[str, tuple[str, str]]:
    return {path: (DOC_STATES[made.state], made.reason) for path, made in run.documents.items()}


def problems(report: IngestReport) -> dict[str, tuple[str | None, int]]:
    return {problem.code: (problem.path, problem.times) for problem in report.problems}


def test_every_owned_file_gets_one_row_in_the_order_of_path_bytes(tmp_path: Path) -> None:
    run = Run(tmp_path, dict.fromkeys(("é.py", "b.py", "a/z.py", "a.py", "Z.py"), SOURCE))
    report = run(index(*(document(path, PLACES) for path in ("é.py", "a/z.py", "Z.py", "b.py", "a.py"))))
    assert [made.path for made in run.shelves[0].documents] == ["Z.py", "a.py", "a/z.py", "b.py", "é.py"]
    assert report.problems == ()
    assert (report.counts["documents"], report.counts["occurrences"]) == (5, 10)
    assert report.shards == (run.shelves[0],)
    assert run.shelves[0].ended == "finished"


def test_document_order_does_not_change_the_facts(tmp_path: Path) -> None:
    made = [document(path, PLACES, [information(F, 17)]) for path in ("a.py", "b.py", "c/d.py")]
    files = dict.fromkeys(("a.py", "b.py", "c/d.py"), SOURCE)
    one, two = Run(tmp_path, files), Run(tmp_path, dict(reversed(files.items())))
    one(index(*made))
    two(index(*reversed(made)))
    assert one.shelves[0].documents == two.shelves[0].documents


def test_documents_of_other_files_are_skipped_and_counted(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    report = run(index(document("a.py", PLACES), document("other.py", PLACES), document("zz.py", PLACES)))
    assert states(run) == {"a.py": ("precise", "")}
    assert problems(report) == {"document_not_owned": ("other.py", 2)}


def test_paths_outside_the_root_are_refused_and_nothing_outside_is_read(tmp_path: Path) -> None:
    bad = ["../x.py", "/abs/x.py", "C:\\x.py", "a/../../x.py", "a//b.py"]
    run = Run(tmp_path, {"a.py": SOURCE})
    asked: list[str] = []

    def read(path: str) -> bytes | None:
        asked.append(path)
        return run.files.get(path)

    data = index(document("a.py", PLACES), *(document(path, PLACES) for path in bad))
    path = index_file(tmp_path, data)
    report = ingest_unit(path, run.unit, read, run.open_writer, lambda *_: None)
    assert asked == ["a.py"]
    assert problems(report) == {"document_path_refused": (None, 5)}


def test_a_file_without_document_is_failed_and_keeps_what_syntax_shows(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE})
    report = run(index(document("a.py", PLACES)))
    assert states(run) == {"a.py": ("precise", ""), "b.py": ("failed", "document_missing")}
    assert problems(report) == {"document_missing": ("b.py", 1)}
    failed = run.documents["b.py"]
    assert [(made.symbol, made.name) for made in failed.extents] == [("", "f")]
    assert (failed.tokens, failed.bound, failed.unbound) == (2, 0, {"f": 2})
    assert (failed.occurrences, failed.definitions) == ((), ())
    assert len(failed.line_hashes) == 8


def test_a_file_that_the_provider_does_not_take_keeps_its_reason(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE, "c.py": SOURCE})
    report = run(index(document("a.py", PLACES)), left_out={"b.py": "file_minified"})
    assert states(run) == {
        "a.py": ("precise", ""),
        "b.py": ("failed", "file_minified"),
        "c.py": ("failed", "document_missing"),
    }
    assert problems(report) == {"document_missing": ("c.py", 1)}
    assert [made.name for made in run.documents["b.py"].extents] == ["f"]
    assert run.documents["b.py"].unbound == {"f": 2}


def test_a_document_that_is_too_large_says_so_of_its_file(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE})
    large = document("b.py", PLACES, [information(F, 17, "x" * 5000)])
    report = run(index(document("a.py", PLACES), large), limits=Limits(message_bytes=1000))
    assert states(run) == {"a.py": ("precise", ""), "b.py": ("failed", "document_too_large")}
    assert problems(report) == {"document_too_large": (None, 1)}


def test_utf16_is_no_source_of_python(tmp_path: Path) -> None:
    data = SOURCE.decode().encode("utf-16")
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": data})
    report = run(index(document("a.py", PLACES), document("b.py", [])))
    assert states(run) == {"a.py": ("precise", ""), "b.py": ("failed", "file_utf16")}
    assert problems(report) == {"file_utf16": ("b.py", 1)}


def test_a_broken_document_costs_its_own_rows(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE})
    broken = field(2, field(1, b"b.py") + field(4, b"\xff"))
    report = run(index(document("a.py", PLACES)) + broken)
    assert states(run) == {"a.py": ("precise", ""), "b.py": ("failed", "document_invalid")}
    assert problems(report) == {"document_invalid": ("b.py", 1)}


READ_OTHERWISE = {
    "ours, Korean beyond its decoder": ("codetrail-x", "# coding: cp949\n# 갂\n".encode("cp949"), True),
    "ours, latin-1": ("codetrail-x", "# coding: latin-1\n# Ã©\n".encode("latin-1"), False),
    "another's, latin-1 that reads as UTF-8": ("x", "# coding: latin-1\n# Ã©\n".encode("latin-1"), True),
    "another's, latin-1": ("x", "# coding: latin-1\n# é\n".encode("latin-1"), False),
}


@pytest.mark.parametrize(("tool", "head", "out"), READ_OTHERWISE.values(), ids=list(READ_OTHERWISE))
def test_a_text_that_its_producer_may_read_otherwise_has_no_precise_rows(
    tmp_path: Path, tool: str, head: bytes, out: bool
) -> None:
    run = Run(tmp_path, {"a.py": head + SOURCE})
    report = run(index(document("a.py", [occurrence([2, 4, 5], F, 1)]), tool=tool))
    assert states(run) == {"a.py": ("failed", "document_encoding") if out else ("precise", "")}
    assert problems(report) == ({"document_encoding": ("a.py", 1)} if out else {})
    made = run.documents["a.py"]
    assert [extent.name for extent in made.extents] == ["f"]
    assert made.sha256 == hashlib.sha256(head + SOURCE).digest()
    assert made.line_hashes == line_hashes((head + SOURCE).splitlines())


def test_a_file_that_changed_or_vanished_keeps_only_its_row(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE, "c.py": SOURCE})
    run.files = {"a.py": SOURCE, "b.py": SOURCE + b"\n"}
    report = run(index(*(document(path, PLACES) for path in ("a.py", "b.py", "c.py"))))
    assert states(run) == {
        "a.py": ("precise", ""),
        "b.py": ("changed_during_build", "changed_during_build"),
        "c.py": ("unreadable", "unreadable"),
    }
    assert problems(report) == {"changed_during_build": ("b.py", 1), "unreadable": ("c.py", 1)}
    assert {made.sha256 for made in run.documents.values()} == {hashlib.sha256(SOURCE).digest()}
    assert run.documents["b.py"].extents == run.documents["c.py"].extents == ()


@pytest.mark.parametrize("data", [b"", index()], ids=["empty", "metadata-only"])
def test_an_index_without_documents_is_a_problem(data: bytes, tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    report = run(data)
    assert problems(report) == {"document_missing": ("a.py", 1), "no_documents": (None, 1)}


def test_duplicate_documents_count_once(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    once, twice = document("a.py", PLACES), document("a.py", PLACES)
    report = run(index(once, twice))
    assert len(run.documents["a.py"].occurrences) == 2
    assert report.counts["occurrence_repeated"] == 2
    assert len(run.documents["a.py"].definitions) == 1


def test_duplicate_documents_with_other_symbols_unite(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    other = "t python other 2 `demo.a`/f()."
    run(index(document("a.py", PLACES), document("a.py", [occurrence([1, 0, 1], other)])))
    assert [made.symbol for made in run.documents["a.py"].occurrences] == [F, F, other]


def test_pieces_of_a_document_that_disagree_on_the_unit_are_left_out(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    run(index(document("a.py", PLACES, unit=1), document("a.py", PLACES, unit=2)))
    assert states(run) == {"a.py": ("failed", "document_units_differ")}


@pytest.mark.parametrize(
    ("tool", "path"),
    [("scip-python", "a.py"), ("codetrail-python", "pkg/sub/a.py")],
    ids=["unit", "workspace"],
)
def test_paths_are_relative_to_the_unit_or_to_the_workspace(tool: str, path: str, tmp_path: Path) -> None:
    run = Run(tmp_path, {"pkg/sub/a.py": SOURCE}, root="pkg/sub")
    run(index(document(path, PLACES), tool=tool))
    assert states(run) == {"pkg/sub/a.py": ("precise", "")}


def test_safe_mode_is_a_role_of_every_place(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    run.unit = UnitSpec(".", "", "python", "p", "1", "e", "1", run.unit.files, trust="safe_mode")
    run(index(document("a.py", PLACES)))
    assert [made.roles for made in run.documents["a.py"].occurrences] == [1 | ROLE_SAFE_MODE, ROLE_SAFE_MODE]


def test_externals_reach_every_part_without_locals(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a/a.py": SOURCE, "b/b.py": SOURCE})
    outside = [information("local 1"), information(SYMBOL + "x.", 61, "x", documentation=" Says. ")]
    padding = [occurrence([1, 0, 1], F)] * 10
    run(index(document("a/a.py", padding), document("b/b.py", padding), externals=outside), most=4)
    kept = SymbolInfo(SYMBOL + "x.", 61, "x", "", "Says.", "")
    assert [shelf.externals for shelf in run.shelves] == [[kept], [kept]]


def test_a_class_of_another_document_or_package_is_constructed(tmp_path: Path) -> None:
    alias, outside = SYMBOL + "Alias.", "t python lib 1 lib/Outer."
    run = Run(tmp_path, {"a.py": b"Alias()\nOuter()\nf()\n", "b.py": b"Alias = int\n"})
    run(
        index(
            document(
                "a.py",
                [
                    occurrence([0, 0, 5], alias),
                    occurrence([1, 0, 5], outside),
                    occurrence([2, 0, 1], F),
                ],
            ),
            document(
                "b.py", [occurrence([0, 0, 5], alias, 1)], [information(alias, kinds.NUMBERS["typealias"])]
            ),
            externals=[information(outside, kinds.NUMBERS["class"])],
        )
    )
    assert [USES[made.use] for made in run.documents["a.py"].occurrences] == [
        "construct",
        "construct",
        "call",
    ]


def test_a_symbol_defined_in_two_files_has_both_definitions_and_its_uses_once(tmp_path: Path) -> None:
    run = Run(tmp_path, {"A.cs": b"C\n", "B.cs": b"C\n", "C.cs": b"C\n"}, language="csharp")
    symbol = "scip-dotnet nuget . . TestB/C#"
    roles = {"A.cs": 1, "B.cs": 1, "C.cs": 0}
    run(index(*(document(path, [occurrence([0, 0, 1], symbol, role)]) for path, role in roles.items())))
    assert {path: len(made.definitions) for path, made in run.documents.items()} == roles
    assert [len(made.occurrences) for made in run.documents.values()] == [1, 1, 1]


def test_a_reference_that_nothing_defines_is_kept_and_joined_to_nothing(tmp_path: Path) -> None:
    """A relative import named without its package: another module's symbol is close, and not it."""
    here, there = "t python p 1 `base`/__init__:", "t python p 1 `pkg.base`/__init__:"
    run = Run(tmp_path, {"pkg/a.py": b"from . import base\n", "pkg/base.py": b""})
    run(
        index(
            document("pkg/a.py", [occurrence([0, 14, 18], here, ROLE_IMPORT)]),
            document("pkg/base.py", [occurrence([0, 0, 0], there, 1)], [information(there, 29)]),
        )
    )
    assert [made.symbol for made in run.documents["pkg/a.py"].occurrences] == [here]
    assert run.documents["pkg/a.py"].imports == ()


def test_imports_lead_from_document_to_document(tmp_path: Path) -> None:
    a, b = "t python p 1 `demo.a`/__init__:", "t python p 1 `demo.b`/__init__:"
    run = Run(tmp_path, {"demo/a.py": b"from demo import b\nimport a\n", "demo/b.py": b"", "demo/b.pyi": b""})
    run(
        index(
            document(
                "demo/a.py",
                [
                    occurrence([0, 0, 0], a, 1),
                    occurrence([0, 17, 18], b, ROLE_IMPORT),
                    occurrence([1, 7, 8], a, ROLE_IMPORT),
                ],
                [information(a, 29)],
            ),
            document("demo/b.py", [occurrence([0, 0, 0], b, 1)], [information(b, 29)]),
            document("demo/b.pyi", [occurrence([0, 0, 0], b, 1)], [information(b, 29)]),
            tool="codetrail-python",
        )
    )
    assert run.documents["demo/a.py"].imports == (("demo/b.py", True), ("demo/b.pyi", True))


def test_a_module_that_very_many_files_define_names_none_of_them(tmp_path: Path) -> None:
    package = "t go p 1 pkg/"
    paths = [f"f{number}.go" for number in range(70)]
    run = Run(tmp_path, dict.fromkeys([*paths, "main.go"], b"pkg\n"), language="go")
    definers = [
        document(path, [occurrence([0, 0, 3], package, 1)], [information(package, 30)]) for path in paths
    ]
    run(index(*definers, document("main.go", [occurrence([0, 0, 3], package, ROLE_IMPORT)])))
    assert run.documents["main.go"].imports == ()


PARTS = {
    "all-in-one": (1000, [["a/1.py", "a/2.py", "b/1.py", "c.py"]]),
    "at-folder-borders": (25, [["a/1.py", "a/2.py"], ["b/1.py", "c.py"]]),
    "between-files-of-a-large-folder": (12, [["a/1.py"], ["a/2.py"], ["b/1.py"], ["c.py"]]),
}


@pytest.mark.parametrize("case", PARTS)
def test_large_units_are_cut_at_folder_borders(case: str, tmp_path: Path) -> None:
    most, expected = PARTS[case]
    run = Run(tmp_path, dict.fromkeys(("a/1.py", "a/2.py", "b/1.py", "c.py"), SOURCE))
    places = [occurrence([1, 0, 1], SYMBOL + "x" * 76 + f"{number:04}.") for number in range(10)]
    report = run(index(*(document(path, places) for path in run.files)), most=most)
    assert [[made.path for made in shelf.documents] for shelf in run.shelves] == expected
    assert list(report.shards) == run.shelves


def test_a_unit_without_files_makes_one_empty_part(tmp_path: Path) -> None:
    run = Run(tmp_path, {})
    report = run(index())
    assert [shelf.documents for shelf in run.shelves] == [[]]
    assert report.problems == ()


def test_a_failing_writer_is_aborted(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})

    class Full(Shelf):
        def add(self, document: DocumentFacts) -> None:  # noqa: ARG002
            raise OSError("no space")

    full = Full()
    with pytest.raises(OSError, match="no space"):
        ingest_unit(
            index_file(tmp_path, index(document("a.py", PLACES))),
            run.unit,
            run.files.get,
            lambda _part, _parts: full,
            lambda *_: None,
        )
    assert full.ended == "aborted"


def test_other_bytes_raise_before_any_writer_is_opened(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE})
    with pytest.raises(DataError) as error:
        run(b"not an index")
    assert error.value.code == "scip_invalid"
    assert run.shelves == []


def test_a_wrong_unit_is_reported(tmp_path: Path) -> None:
    source = 'x = "🪙🪙"; spam()\n'.encode()
    run = Run(tmp_path, {"a.py": source})
    report = run(index(document("a.py", [occurrence([0, 10, 14], SYMBOL + "spam().")], unit=2)))
    assert problems(report) == {"unit_corrected": ("a.py", 1)}


def test_skipped_places_and_symbols_are_reported_with_their_number(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a.py": SOURCE, "b.py": SOURCE})
    wrong = [occurrence([9, 0, 1], F), occurrence([0, 0, 2], F), occurrence([], F), occurrence([0, -1, 1], F)]
    long = occurrence([1, 0, 1], F + "x" * 100)
    report = run(
        index(document("a.py", PLACES), document("b.py", [*wrong, long, *PLACES])),
        limits=Limits(symbol_length=99),
    )
    assert problems(report) == {"places_skipped": ("b.py", 4), "symbols_skipped": ("b.py", 1)}
    assert len(run.documents["b.py"].occurrences) == 2


RECORDINGS = {
    "scip-typescript": ("typescript", "index.scip", "typescript", (".ts",)),
    "scip-python": ("python", "index.scip", "python", (".py",)),
    "scip-java-typed": ("java", "index.scip", "java", (".java",)),
    "scip-java-packed": ("java", "index-0.10.3.scip", "java", (".java",)),
}


def recorded(case: str, folder: Path) -> tuple[Run, IngestReport]:
    name, scip, language, suffixes = RECORDINGS[case]
    root = FIXTURES / name
    files = {
        found.relative_to(root).as_posix(): found.read_bytes()
        for found in sorted(root.rglob("*"))
        if found.suffix in suffixes
    }
    run = Run(folder, files, language=language)
    return run, run((root / scip).read_bytes(), syntax=language == "python")


TABBED = {"range_not_a_token": 1, "range_outside": 1}
"""javac counts a tab as eight columns, so two places behind tabs inside a line of ``Main.java`` are wrong."""


@pytest.mark.parametrize(
    ("case", "lost"),
    [("scip-typescript", {}), ("scip-python", {}), ("scip-java-typed", TABBED), ("scip-java-packed", TABBED)],
)
def test_recordings_lose_no_file_and_only_places_that_are_wrong(
    case: str, lost: dict[str, int], tmp_path: Path
) -> None:
    run, report = recorded(case, tmp_path)
    assert {state for state, _ in states(run).values()} == {"precise"}
    assert {reason: times for reason, times in report.counts.items() if reason.startswith("range_")} == lost
    main = "app/src/main/java/com/acme/app/Main.java"
    assert problems(report) == ({"places_skipped": (main, 2)} if lost else {})


def read_wrong(run: Run) -> Iterable[str]:
    """Yield the texts of global places that do not read as the symbol and are not marked as aliases."""
    for path, made in run.documents.items():
        lines = run.files[path].decode().split("\n")
        for place in made.occurrences:
            text = lines[place.range.line][place.range.column : place.range.end_column]
            if not place.roles & ROLE_ALIAS and text not in place.symbol:
                yield f"{path}:{place.range.line}: {text} {place.symbol}"


@pytest.mark.parametrize("case", RECORDINGS)
def test_places_of_recordings_read_as_their_names(case: str, tmp_path: Path) -> None:
    run, _ = recorded(case, tmp_path)
    assert list(read_wrong(run)) == []


ALIASES = {
    "scip-typescript": {'"./till.js"', "Item", "constructor", "twice", "till"},
    "scip-python": {"Thing", "goods", "Item as Thing"},
}


@pytest.mark.parametrize("case", ALIASES)
def test_aliases_of_recordings_are_the_expected_ones(case: str, tmp_path: Path) -> None:
    run, _ = recorded(case, tmp_path)
    found = set()
    for path, made in run.documents.items():
        lines = run.files[path].decode().split("\n")
        for place in made.occurrences:
            if place.roles & ROLE_ALIAS and place.range[:2] != place.range[2:]:
                found.add(lines[place.range.line][place.range.column : place.range.end_column])
    assert found <= ALIASES[case]
    assert found


def test_typed_and_packed_ranges_of_one_source_tell_the_same_places(tmp_path: Path) -> None:
    """Two versions of scip-java read one file with umlauts; only the newer writes typed ranges."""
    path = "app/src/main/java/com/acme/app/ünï/Größe.java"
    typed, _ = recorded("scip-java-typed", tmp_path)
    packed, _ = recorded("scip-java-packed", tmp_path)
    newer = {made.range for made in typed.documents[path].occurrences}
    older = {made.range for made in packed.documents[path].occurrences}
    assert len(newer & older) >= 12


def test_callers_in_a_recording(tmp_path: Path) -> None:
    """The decorator of ``double`` belongs to the module, the default of ``price`` to ``price``."""
    run, _ = recorded("scip-python", tmp_path)
    made = run.documents["till/items.py"]
    found = set()
    for place in made.occurrences:
        if USES[place.use] in ("call", "decorator", "construct"):
            around = made.extents[place.encl].qualified if place.encl >= 0 else "module"
            found.add((place.symbol.rpartition("/")[2], USES[place.use], around))
    assert ("twice().", "decorator", "module") in found
    assert ("double().", "call", "Item.price") in found
    assert ("Item#price().", "call", "Item.total") in found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_hostile_indexes_end_in_a_report_or_in_scip_invalid(tmp_path: Path, data: st.DataObject) -> None:
    root = FIXTURES / "python"
    files = {f"till/{name}": (root / "till" / name).read_bytes() for name in ("items.py", "sale.py")}
    whole = bytearray((root / "index.scip").read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    run = Run(tmp_path, files)
    try:
        run(bytes(whole))
    except DataError:
        assert run.shelves == []
    else:
        assert list(run.documents) == sorted(files)


numbers = st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 12)
symbols = st.sampled_from(
    [F, "local 0", "local ", "", " ", "x", "x y z 1.0 A#f", "a b c d `e", SYMBOL + "A#"]
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.lists(numbers, max_size=5),
            symbols | st.text(max_size=12),
            numbers,
            st.lists(numbers, max_size=4),
        ),
        max_size=12,
    ),
    st.integers(0, 4),
    st.binary(max_size=40) | st.text(max_size=40).map(str.encode),
)
def test_any_occurrences_over_any_text_become_sorted_unique_places_inside_it(
    tmp_path: Path,
    made: list[tuple[list[int], str, int, list[int]]],
    unit: int,
    source: bytes,
) -> None:
    run = Run(tmp_path, {"a.py": source})
    run(index(document("a.py", [occurrence(*parts) for parts in made], unit=unit)))
    facts = run.documents["a.py"]
    lines = source.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    places = [(place.range, place.symbol) for place in facts.occurrences]
    assert places == sorted(set(places))
    for span, _ in places:
        assert (0, 0) <= span[:2] <= span[2:]
        assert span.end_line <= len(lines)
        assert span.end_column <= len(lines)
    for number, extent in enumerate(facts.extents):
        assert -1 <= extent.parent < number
        assert extent.body[:2] <= extent.body[2:]
    both: list[Occurrence | LocalOccurrence] = [*facts.occurrences, *facts.locals]
    for place in both:
        assert -1 <= place.encl < len(facts.extents)
        assert 0 <= place.roles < 1 << 19
        assert (place.use == 0) == bool(place.roles & 1)
