"""Who answers for a file where a provider of this machine and an imported index both know it."""

from __future__ import annotations

import pytest

from codetrail.index.doctor import doctor
from codetrail.index.status import status
from codetrail.model.answers import SymbolRow
from codetrail.model.reports import SummaryRow
from codetrail.model.units import Problem
from tests.index.building import FAILED, Bench, FakeProvider, codes, scip_documents
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

MISSING = Problem("engine_missing", "The engine is not installed.")
LOCAL, IMPORTED = {None}, {"import"}


@pytest.fixture
def home(bench: Bench, fake: FakeProvider) -> Bench:  # noqa: ARG001
    """Return a workspace, not indexed, whose provider works."""
    for path, text in FILES.items():
        bench.put(path, text)
    return bench


def test_what_a_provider_covers_an_import_leaves_to_it(home: Bench) -> None:
    home.build()
    row = row_of(bring(home, FILES))
    assert (row.stored, row.used, row.unused) == (2, 0, (("covered_by_provider", 2),))
    assert (home.refs("ring"), origins(home, "ring")) == (USES, LOCAL)
    found = home.ask("refs", "ring")
    assert (found.page.coverage.state, found.page.notes, found.page.matched_total) == ("complete", (), 1)


def test_what_a_tool_loses_concerns_only_answers_that_rest_on_it(home: Bench, fake: FakeProvider) -> None:
    fake.missing = MISSING
    bring(home, FILES, tool="scip-typescript")
    assert home.reasons("ring") == {"second_engine"}
    fake.missing = None
    home.build()
    assert home.reasons("ring") == set()


def test_what_no_provider_covers_an_import_serves_beside_it(home: Bench, fake: FakeProvider) -> None:
    fake.units = ("web",)
    home.put("web/gate.py", "def gate():\n    pass\n")
    fake.failing = frozenset({"python:."})
    home.build()
    assert home.refs("ring") == []
    row = row_of(bring(home, {**FILES, "web/gate.py": "def gate():\n    pass\n"}))
    assert (row.stored, row.used, row.unused) == (3, 2, (("covered_by_provider", 1),))
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)
    assert origins(home, "gate", "defs") == LOCAL
    assert home.ask("refs", "ring").page.coverage.state == "complete"
    failed = units(home)["python:."]
    assert (failed.state, failed.files, codes(failed)) == (
        "failed",
        0,
        ["provider_failed", "served_by_import"],
    )


@pytest.mark.parametrize(
    ("verb", "total", "matched"),
    [("defs", 1, 1), ("refs", 2, 1), ("callers", 1, 1), ("symbols", 1, 1)],
    ids=["defs", "refs", "callers", "symbols"],
)
def test_symbols_that_stand_in_masked_documents_only_do_not_exist(
    home: Bench, fake: FakeProvider, verb: str, total: int, matched: int
) -> None:
    files = {**FILES, "web/gate.py": "def gate():\n    pass\n", "web/way.py": "import gate\n\ngate()\n"}
    fake.units, fake.failing = ("web",), frozenset({"python:."})
    for path, text in files.items():
        home.put(path, text)
    home.build()
    bring(home, files, scheme="scip-fake")
    page = home.ask(verb, "gate").page
    assert (page.total, page.matched_total, origins(home, "gate", verb)) == (total, matched, LOCAL)
    assert home.ask("refs", "scip-fake python demo 1.0 `web.gate`/gate().").page.matched_total == 0
    assert home.ask("refs", "scip-fake python demo 1.0 `bell`/ring().").page.total == 3


def test_a_build_keeps_imports_and_takes_over_what_it_covers(home: Bench, fake: FakeProvider) -> None:
    fake.missing = MISSING
    bring(home, FILES)
    before = home.key
    report = home.build()
    assert [row.state for row in report.rows if row.origin == "import"] == ["reused"]
    assert home.key == before
    fake.missing = None
    home.build()
    assert (home.refs("ring"), origins(home, "ring")) == (USES, LOCAL)
    assert (units(home)[NAME].documents, codes(units(home)[NAME])[-1]) == (0, "covered_by_provider")


def test_a_provider_that_fails_gives_its_files_back(home: Bench, fake: FakeProvider) -> None:
    home.build()
    bring(home, FILES)
    changed = CALLED + "# Changed.\n"
    home.put("bell.py", changed)
    fake.outcome = FAILED
    home.build()
    # The provider's rows are those of an earlier build: of door.py, which stands as it was, they still hold.
    assert units(home)["python:."].state == "failed"
    assert home.defs("ring") == [("bell.py:1", "inferred_candidate")]
    row = row_of(bring(home, {**FILES, "bell.py": changed}, scheme="scip-fake"))
    assert (row.used, row.unused) == (1, (("covered_by_provider", 1),))
    assert (home.defs("ring"), origins(home, "ring", "defs")) == ([("bell.py:1", "precise_fact")], IMPORTED)
    assert home.reasons("ring") == {"engines_mixed", "provider_failed"}


def test_an_import_that_is_preferred_answers_first(home: Bench) -> None:
    home.build()
    row = row_of(bring(home, FILES, prefer=True))
    assert (row.used, row.unused) == (2, ())
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)
    local = units(home)["python:."]
    assert (local.documents, codes(local)) == (0, ["served_by_import"])
    home.build(force=True)
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)
    drop(home)
    assert (home.refs("ring"), origins(home, "ring")) == (USES, LOCAL)
    assert (units(home)["python:."].documents, codes(units(home)["python:."])) == (2, [])


def test_preferred_for_some_files_it_leaves_the_others(home: Bench) -> None:
    home.build()
    bring(home, {"door.py": CALLING, "bell.py": "\n\n" + CALLED}, prefer=True)
    assert home.defs("ring") == [("bell.py:1", "precise_fact")]
    assert origins(home, "ring", "defs") == LOCAL
    # Both sides name the symbol alike, so the uses of one join the definition of the other, each place once.
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)
    assert home.ask("refs", "ring").page.total == 3


@pytest.mark.parametrize(("scheme", "mixed"), [("codetrail-fake", False), ("scip-fake", True)])
def test_two_engines_whose_symbols_do_not_join_are_told(home: Bench, scheme: str, mixed: bool) -> None:
    home.build()
    bring(home, {"door.py": CALLING, "bell.py": "\n\n" + CALLED}, prefer=True, scheme=scheme)
    told = {reason.code for reason in home.ask("refs", "bell.py:1#ring").page.coverage.reasons}
    assert ("engines_mixed" in told) is mixed
    assert ("engines_mixed" in codes(units(home)["python:."])) is mixed
    assert ("engines_mixed" in {row.code for row in doctor(str(home.path), deep=False)}) is mixed
    bring(home, FILES, prefer=True, scheme=scheme)
    assert codes(units(home)["python:."]) == ["served_by_import"]


def test_counts_leave_out_what_is_masked(home: Bench) -> None:
    home.build()
    bring(home, {"door.py": CALLING, "bell.py": "\n\n" + CALLED}, prefer=True)
    (row,) = home.ask("symbols", "ring", counts=True).rows
    assert isinstance(row, SymbolRow)
    assert row.counts is not None
    assert (row.counts.refs, row.counts.calls, row.counts.imports) == (2, 2, 1)


def test_it_defines_no_symbol_of_a_package_of_this_machine(home: Bench, fake: FakeProvider) -> None:
    fake.units = ("web",)
    fake.failing = frozenset({"python:."})
    home.put("web/gate.py", "def gate():\n    pass\n")
    home.build()
    # Symbols of the provider that directs this test: both name the package ``demo``.
    documents = scip_documents({**FILES})
    row = row_of(take(home, write_index(home, documents)))
    assert {one.code: one.times for one in row.problems}["definitions_refused"] == 1
    assert home.defs("ring") == [("bell.py:1", "parser_fact")]
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)


def test_documents_that_define_its_symbols_go_when_such_a_unit_comes(home: Bench, fake: FakeProvider) -> None:
    fake.units = ("web",)
    fake.outcome = FAILED
    home.put("web/gate.py", "def gate():\n    pass\n")
    home.build()
    bring(home, FILES)
    assert origins(home, "ring", "defs") == IMPORTED
    fake.outcome, fake.failing = None, frozenset({"python:."})
    home.build()
    assert "package_defined_here" in codes(units(home)[NAME])
    assert units(home)[NAME].documents == 1
    assert home.defs("ring") == [("bell.py:1", "parser_fact")]
    assert (home.refs("ring"), origins(home, "ring")) == (USES, IMPORTED)


def test_a_unit_that_failed_stays_as_it_failed(home: Bench, fake: FakeProvider) -> None:
    fake.outcome = FAILED
    home.build()
    runs = list(fake.runs)
    for _ in range(2):
        bring(home, {"door.py": CALLING, "bell.py": "\n\n" + CALLED})
    found = units(home)["python:."]
    assert (found.state, found.files) == ("failed", 1)
    assert codes(found) == ["provider_crashed", "served_by_import"]
    assert fake.runs == runs
    assert home.reasons("ring") == {"provider_crashed", "provider_failed"}


def test_rows_of_earlier_builds_stay(home: Bench) -> None:
    home.build()
    home.put("new.py", "from bell import ring\nring(9)\n")
    bring(home, {"new.py": "from bell import ring\nring(9)\n", "bell.py": CALLED})
    assert home.refs("ring") == [*USES, "new.py:1", "new.py:2"]
    assert origins(home, "ring") == LOCAL | IMPORTED


def test_nothing_of_an_import_is_left_where_it_cannot_be_read(home: Bench, fake: FakeProvider) -> None:
    fake.missing = MISSING
    bring(home, FILES)
    (entry,) = [one for one in home.manifest.entries if one.origin]
    shard = home.pool / entry.file
    data = bytearray(shard.read_bytes())
    data[5000] ^= 255
    shard.write_bytes(data)
    report = home.build()
    assert [note.code for note in report.notes if note.code == "import_lost"] == ["import_lost"]
    assert NAME not in units(home)
    assert home.defs("ring") == [("bell.py:1", "parser_fact")]


def test_status_counts_only_what_questions_see(home: Bench) -> None:
    home.build()
    bring(home, FILES)
    (summary,) = status(str(home.path), True, False).rows
    assert isinstance(summary, SummaryRow)
    assert summary.documents == 2
    assert [(one.language, one.documents) for one in summary.languages] == [("python", 2)]
