"""What an answer rests on, sentence by sentence of contract §4."""

from __future__ import annotations

from typing import Any

import pytest

from codetrail.model.units import Problem


def build(tree: Any, **entry: Any) -> list[Any]:
    unit: list[Any] = tree.unit(**entry)
    tree.file(unit, "a.py", "def run(): pass\nrun()\n").define("run", "`m`/run().", "function", 1).use(
        "run", "`m`/run()."
    )
    return unit


def reasons(given: Any) -> list[tuple[Any, ...]]:
    return [(one.code, one.language, one.times, one.paths) for one in given.page.coverage.reasons]


@pytest.mark.parametrize(
    ("state", "reason", "code"),
    [
        ("failed", "document_missing", "file_failed"),
        ("failed", "file_failed", "file_failed"),
        ("parser", "engine_missing", "provider_missing"),
        ("parser", "no_provider", "provider_missing"),
        ("parser", "timed_out", "timed_out"),
        ("parser", "untrusted", "untrusted"),
        ("parser", "failed", "provider_failed"),
        ("parser", "not_asked", "not_built"),
        ("parser", "", "files_outside_projects"),
        ("parser", "path_not_portable", "path_not_portable"),
        ("excluded", "excluded_by_config", "excluded_by_config"),
        ("changed_during_build", "changed_during_build", "changed_during_build"),
        ("too_large", "", "file_too_large"),
        ("failed", "document_too_large", "file_too_large"),
        ("failed", "file_too_large", "file_too_large"),
        ("failed", "file_minified", "file_minified"),
        ("failed", "file_not_source", "file_not_source"),
        ("failed", "file_utf16", "file_utf16"),
        ("failed", "document_encoding", "file_not_utf8"),
        ("unreadable", "unreadable", "file_unreadable"),
    ],
    ids=lambda value: value or "none",
)
def test_files_without_precise_facts(tree: Any, state: str, reason: str, code: str) -> None:
    unit = build(tree)
    for number in range(7):
        tree.file(unit, f"x{number}.py", "y = 1\n").not_precise(state, reason)
    tree.store()
    coverage = tree.refs("run").page.coverage
    assert coverage.state == "partial"
    (found,) = coverage.reasons
    assert (found.code, found.language, found.times) == (code, "python", 7)
    assert found.paths == tuple(f"x{number}.py" for number in range(5))
    assert found.message
    assert "x0" not in found.message
    scoped = tree.refs("run", scope={"patterns": ("a.py",)}).page.coverage
    assert (scoped.state, scoped.reasons) == ("complete", ())


def test_names_that_no_provider_can_be_given_have_no_remedy(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "x\x01.py", "y = 1\n").not_precise("parser", "path_not_portable")
    tree.store()
    given = tree.refs("run")
    assert reasons(given) == [("path_not_portable", "python", 1, ("x\x01.py",))]
    assert given.page.coverage.next is None


def test_files_that_do_not_parse(tree: Any) -> None:
    unit = build(tree)
    for number in range(7):
        tree.file(unit, f"x{number}.py", "run(\n").broken()
    tree.file(unit, "y.ts", "run(\n").broken()
    tree.store()
    coverage = tree.refs("run").page.coverage
    (reason,) = coverage.reasons
    assert (reason.code, reason.language, reason.times) == ("syntax_errors", "python", 7)
    assert reason.paths == tuple(f"x{number}.py" for number in range(5))
    # Nothing that CodeTrail can be asked to do mends them.
    assert (coverage.state, coverage.next) == ("partial", None)
    assert tree.refs("run", scope={"patterns": ("a.py",)}).page.coverage.state == "complete"
    for number in range(7):
        tree.write(f"x{number}.py", "run()\n")
    assert {one[0] for one in reasons(tree.refs("run"))} == {"files_changed"}


def test_files_that_do_not_parse_and_have_no_precise_facts(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "x.py", "run(\n").not_precise("parser", "no_provider").broken()
    tree.store()
    assert reasons(tree.refs("run")) == [
        ("provider_missing", "python", 1, ("x.py",)),
        ("syntax_errors", "python", 1, ("x.py",)),
    ]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("failed", "provider_failed"),
        ("timed_out", "timed_out"),
        ("untrusted", "untrusted"),
        ("skipped", "not_built"),
    ],
)
def test_units_without_shards(tree: Any, state: str, code: str) -> None:
    build(tree)
    tree.unit("python:gone", root="gone", state=state, files=3)
    tree.store()
    given = tree.refs("run")
    assert reasons(given) == [(code, "python", 3, ())]
    assert given.page.coverage.state == "partial"
    assert given.page.notes == ()


@pytest.mark.parametrize(
    ("directories", "told"),
    [((), True), (("vault",), True), (("vault/deep",), True), (("a",), True), (("other",), False)],
)
def test_folders_that_could_not_be_read(tree: Any, directories: tuple[str, ...], told: bool) -> None:
    build(tree)
    tree.store(unseen=("a/b", "vault"))
    given = tree.refs("run", scope={"directories": directories})
    codes = [code for code, *_ in reasons(given)]
    assert ("folder_unreadable" in codes) is told
    assert (given.page.coverage.state == "partial") is told


def test_trouble_in_other_languages_is_a_note(tree: Any) -> None:
    build(tree)
    tree.unit("rust:.", language="rust", state="failed", files=3)
    unit = tree.unit("syntax:.", kind="parser", language="", provider="syntax")
    tree.file(unit, "lib.rs", "fn run() {}\n").not_precise("parser", "no_provider")
    tree.store()
    given = tree.refs("run")
    assert given.page.coverage.state == "complete"
    assert [note.code for note in given.page.notes] == ["other_units_failed"]


def test_when_nothing_matched_all_files_are_judged(tree: Any) -> None:
    build(tree)
    tree.unit("rust:.", language="rust", state="failed", files=3)
    tree.store()
    given = tree.refs("nothing")
    assert reasons(given) == [("provider_failed", "rust", 3, ())]
    assert given.page.notes == ()


@pytest.mark.parametrize(
    ("one", "other", "concerned"),
    [("a.ts", "b.js", True), ("a.java", "b.kt", True), ("a.py", "b.ts", False), ("a.js", "b.java", False)],
)
def test_languages_that_name_each_other(tree: Any, one: str, other: str, concerned: bool) -> None:
    unit = tree.unit()
    tree.file(unit, one, "run\n").define("run", "`m`/run().", "function")
    tree.file(unit, other, "x\n").not_precise("parser", "no_provider")
    tree.store()
    assert (tree.refs("run").page.coverage.state == "partial") is concerned


def test_nothing_is_precise(tree: Any) -> None:
    unit = tree.unit("syntax:.", kind="parser", language="", provider="syntax")
    tree.file(unit, "a.py", "def run(): pass\nrun()\n").not_precise("parser", "engine_missing").parsed(
        "run", "function"
    )
    tree.store()
    given = tree.defs("run")
    assert [row.reliability for row in given.rows] == ["parser_fact"]
    assert given.page.coverage.state == "partial"
    assert given.page.coverage.next == ("codetrail", "index", "doctor")
    given = tree.refs("run")
    assert (given.page.matched, given.page.coverage.unresolved) == ((), 2)


def test_no_index(tree: Any) -> None:
    tree.write("a.py", "def run(): pass\n")
    coverage = tree.defs("run").page.coverage
    assert (coverage.state, [one.code for one in coverage.reasons]) == ("missing", ["index_missing"])
    assert coverage.next == ("codetrail", "index", "build")
    assert coverage.unresolved is None


# Names that nobody bound


def test_unresolved_names_count_tokens_of_the_very_name(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "b.py", "x.run(); Run; running\n")
    tree.file(unit, "c.py", "run; run\n")
    tree.file(unit, "broken.py", "run(\n").not_precise("failed", "file_failed")
    tree.store()
    coverage = tree.refs("run").page.coverage
    assert coverage.unresolved == 4
    assert coverage.unresolved_in == (("c.py", 2), ("b.py", 1), ("broken.py", 1))
    assert tree.refs("run", scope={"patterns": ("b.py",)}).page.coverage.unresolved == 1


def test_at_most_five_places(tree: Any) -> None:
    unit = build(tree)
    for number in range(7):
        tree.file(unit, f"x{number}.py", "run\n")
    tree.store()
    coverage = tree.refs("run").page.coverage
    assert (coverage.unresolved, len(coverage.unresolved_in)) == (7, 5)


def test_nothing_unresolved_is_zero(tree: Any) -> None:
    build(tree)
    tree.store()
    coverage = tree.refs("run").page.coverage
    assert (coverage.state, coverage.unresolved, coverage.bound_elsewhere) == ("complete", 0, 0)
    assert tree.defs("run").page.coverage.unresolved is None


def test_changed_and_new_files_count_matches_at_identifier_borders(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "b.py", "run\n")
    tree.store()
    tree.write("b.py", "run; 'run' # run\nrunning prerun run2 $run _run\n")
    tree.write("new.py", "x.run()\n")
    tree.write("new.md", "run\n")
    coverage = tree.refs("run").page.coverage
    assert coverage.unresolved_in == (("b.py", 3), ("new.py", 1))


def test_tokens_of_other_symbols(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "b.py", "def run(): pass\nrun()\nas_other()\n").define(
        "run", "`b`/run().", "function", 1
    ).use("run", "`b`/run().").use("as_other", "`b`/run().", "call", 1 << 16)
    tree.store()
    given = tree.refs("a.py:1#run")
    assert [row.path for row in given.rows] == ["a.py"]
    assert (given.page.coverage.unresolved, given.page.coverage.bound_elsewhere) == (0, 2)
    assert tree.refs("run").page.coverage.bound_elsewhere == 0


def test_tokens_of_local_symbols_belong_to_others_too(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "b.py", "def go(run, x):\n    run(x)\n").local("run", 0, defines=True).local(
        "x", 1, defines=True
    ).local("run", 0).local("x", 1)
    tree.store()
    coverage = tree.refs("run").page.coverage
    assert (coverage.unresolved, coverage.bound_elsewhere) == (0, 2)
    assert tree.refs("run", scope={"patterns": ("a.py",)}).page.coverage.bound_elsewhere == 0


def test_a_number_that_would_not_be_exact_is_left_out(tree: Any) -> None:
    unit = build(tree)
    for number in range(100):
        tree.file(unit, f"x{number}.py", "y = 1\n")
    tree.store()
    assert tree.refs("run").page.coverage.bound_elsewhere is None
    assert tree.refs("run", scope={"patterns": ("a.py", "x1*.py")}).page.coverage.bound_elsewhere == 0
    assert tree.refs("run", freshness="off").page.coverage.bound_elsewhere is None


def test_of_a_name_that_matched_nothing_tokens_are_counted_too(tree: Any) -> None:
    unit = build(tree)
    tree.file(unit, "b.py", "x.missing()\n")
    tree.store()
    given = tree.refs("Some.missing()")
    assert (given.page.matched, given.page.coverage.unresolved) == ((), 1)


def test_what_an_import_that_found_nothing_binds_is_unresolved(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", "def run(): pass\n").define("run", "`a`/run().", "function")
    missing = tree.file(unit, "b.py", "from gone import run\nrun()\n")
    missing.binds("run", "`b`/run.", "variable").use("run", "`b`/run.")
    tree.file(unit, "c.py", "run = 1\nrun\n").define("run", "`c`/run.", "variable").use("run", "`c`/run.")
    tree.store()
    coverage = tree.refs("a.py:1#run").page.coverage
    assert (coverage.unresolved, coverage.unresolved_in, coverage.bound_elsewhere) == (2, (("b.py", 2),), 2)


@pytest.mark.parametrize(
    "code", ["config_error", "dependencies_missing", "imports_unexplained", "second_engine"]
)
def test_what_may_have_cost_uses_in_any_file_is_told_with_its_first_place(tree: Any, code: str) -> None:
    build(tree, problems=(Problem(code, "What the provider says.", "z.py", None, 3),))
    tree.store()
    given = tree.refs("run")
    assert given.page.coverage.state == "partial"
    assert reasons(given) == [(code, "python", 3, ("z.py",))]
    assert [one.message for one in given.page.coverage.reasons] != ["What the provider says."]
