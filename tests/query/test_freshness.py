"""Files that changed, went or came since the index was built (contract §6)."""

from __future__ import annotations

import os
from typing import Any

import pytest

from codetrail.errors import IndexUnusable

DEFINES = "def run(): pass\nrun()\n"


def build(tree: Any) -> None:
    unit = tree.unit()
    tree.file(unit, "a.py", DEFINES).define("run", "`m`/run().", "function", 1).use("run", "`m`/run().")
    tree.file(unit, "b.py", "run()\n").use("run", "`m`/run().")
    tree.file(unit, "c.py", "run()\n").use("run", "`m`/run().")
    tree.store()


def changed(given: Any) -> Any:
    (reason,) = (reason for reason in given.page.coverage.reasons if reason.code == "files_changed")
    return reason


def test_nothing_changed(tree: Any) -> None:
    build(tree)
    os.utime(tree.path / "b.py")
    given = tree.refs("run", require_fresh=True)
    assert len(given.rows) == given.page.total == 3
    assert given.page.coverage == given.page.coverage._replace(state="complete", reasons=(), next=None)


@pytest.mark.parametrize("what", ["changed", "deleted", "ignored", "link", "unreadable"])
def test_rows_of_a_file_that_differs_are_left_out(tree: Any, what: str) -> None:
    build(tree)
    path = tree.path / "b.py"
    match what:
        case "changed":
            path.write_text("run() # now\n")
        case "deleted":
            path.unlink()
        case "ignored":
            (tree.path / ".gitignore").write_text("b.py\n")
        case "link":
            path.unlink()
            path.symlink_to(tree.path / "a.py")
        case "unreadable":
            path.unlink()
            path.mkdir()
    given = tree.refs("run")
    assert [row.path for row in given.rows] == ["a.py", "c.py"]
    assert (given.page.total, given.page.truncated) == (None, True)
    assert given.page.matched[0].rows is None
    reason = changed(given)
    assert (reason.times, reason.paths, reason.dropped_rows) == (1, ("b.py",), 1)
    assert given.page.coverage.state == "partial"
    assert given.page.coverage.next == ("codetrail", "index", "build")


def test_equal_size_and_time_but_other_bytes_are_seen_when_read(tree: Any) -> None:
    build(tree)
    path = tree.path / "b.py"
    before = path.stat()
    path.write_text("nur()\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [row.path for row in tree.refs("run").rows] == ["a.py", "c.py"]


@pytest.mark.parametrize("mode", ["answer", "off"])
def test_other_modes_look_at_less_and_say_so(tree: Any, mode: str) -> None:
    build(tree)
    (tree.path / "d.py").write_text("run()\n")
    (tree.path / "b.py").write_text("other()\n")
    given = tree.refs("run", freshness=mode)
    # The text of a row is never shown from bytes that are not those its facts were made from.
    assert [row.path for row in given.rows] == ["a.py", "c.py"]
    assert {reason.code for reason in given.page.coverage.reasons} == {"files_changed", "freshness_unchecked"}
    assert given.page.total is None


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("full", (1, "inferred_candidate", "moved")),
        ("answer", (1, "inferred_candidate", "moved")),
        ("off", (0, "precise_fact", None)),
    ],
)
def test_definitions_of_a_changed_file(tree: Any, mode: str, found: tuple[object, ...]) -> None:
    build(tree)
    tree.write("a.py", "\n" + DEFINES)
    given = tree.defs("run", freshness=mode)
    # One row: what syntax sees at that place is the same definition.
    assert [(row.node.range.line, row.reliability, row.freshness) for row in given.rows] == [found]
    assert given.page.total == 1


def test_a_definition_whose_line_changed_is_what_syntax_says(tree: Any) -> None:
    build(tree)
    tree.write("a.py", "def run(more): pass\nrun()\n")
    given = tree.defs("run")
    assert [(row.node.symbol, row.reliability, row.freshness) for row in given.rows] == [
        (None, "parser_fact", None)
    ]
    assert changed(given).dropped_rows == 1


def test_a_definition_under_another_owner_now_is_what_syntax_says(tree: Any) -> None:
    text = "class A:\n    def go(self): pass\n"
    unit = tree.unit()
    tree.file(unit, "a.py", text).define("A", "`m`/A#", "class", 2).define("go", "`m`/A#go().", "method", 1)
    tree.store()
    tree.write("a.py", text.replace("A", "B"))
    assert [(row.node.qualified_name, row.reliability) for row in tree.defs("B.go").rows] == [
        ("B.go", "parser_fact")
    ]
    assert tree.defs("A.go").rows == ()


def test_a_use_points_to_no_definition_under_another_owner(tree: Any) -> None:
    text = "class A:\n    def go(self): pass\n"
    unit = tree.unit()
    tree.file(unit, "a.py", text).define("A", "`m`/A#", "class", 2).define("go", "`m`/A#go().", "method", 1)
    tree.file(unit, "b.py", "a.go()\n").use("go", "`m`/A#go().")
    tree.store()
    for owner, line in (("A", 2), ("B", None)):
        tree.write("a.py", "\n" + text.replace("A", owner))
        (row,) = tree.refs("A.go").rows
        assert (row.definition.range.line if row.definition else None) == line


def test_a_new_file_gives_parser_rows_to_defs_only(tree: Any) -> None:
    build(tree)
    tree.write("new/n.py", "class New:\n    def run(self): run()\n")
    given = tree.defs("New.run")
    assert [(row.node.path, row.reliability, row.node.symbol) for row in given.rows] == [
        ("new/n.py", "parser_fact", None)
    ]
    (reason,) = given.page.coverage.reasons
    assert (reason.code, reason.times, reason.paths) == ("files_new", 1, ("new/n.py",))
    assert given.page.coverage.next == ("codetrail", "index", "build")
    tree.write("b.py", "other()\n")
    both = tree.refs("run").page.coverage.reasons
    assert {(one.code, one.times, one.paths) for one in both} == {
        ("files_changed", 1, ("b.py",)),
        ("files_new", 1, ("new/n.py",)),
    }
    tree.write("b.py", "run()\n")
    assert {row.path for row in tree.refs("run").rows} == {"a.py", "b.py", "c.py"}
    assert tree.refs("New.run", input_mode="strict").page.matched == ()


def test_files_of_no_language_change_nothing(tree: Any) -> None:
    build(tree)
    tree.write("README.md", "run\n")
    assert tree.refs("run").page.coverage.state == "complete"


def test_changes_outside_the_scope_do_not_count(tree: Any) -> None:
    build(tree)
    tree.write("b.py", "other()\n")
    given = tree.refs("run", scope={"patterns": ("c.py",)})
    assert (given.page.coverage.state, given.page.total) == ("complete", 1)


def test_all_that_was_precise_has_changed(tree: Any) -> None:
    build(tree)
    for name in ("a.py", "b.py", "c.py"):
        tree.write(name, "# now\nrun();\n")
    given = tree.refs("run")
    assert (given.rows, given.page.coverage.state, changed(given).dropped_rows) == ((), "stale", 3)


@pytest.mark.parametrize("what", ["changed", "deleted", "new"])
def test_require_fresh(tree: Any, what: str) -> None:
    build(tree)
    if what == "deleted":
        (tree.path / "b.py").unlink()
    else:
        tree.write("b.py" if what == "changed" else "d.py", "other()\n")
    for verb in ("refs", "defs"):
        with pytest.raises(IndexUnusable) as caught:
            tree.ask(verb, "run", require_fresh=True)
        assert (caught.value.code, caught.value.exit_status) == ("index_stale", 6)
    assert len(tree.refs("run", require_fresh=True, scope={"patterns": ("a.py",)}).rows) == 1


def test_the_definition_of_a_changed_file_is_shown_where_its_line_is_now(tree: Any) -> None:
    build(tree)
    tree.write("a.py", "\n" + DEFINES)
    given = tree.refs("run")
    assert [(row.path, row.range.line, row.freshness, row.reliability) for row in given.rows] == [
        ("a.py", 2, "moved", "inferred_candidate"),
        ("b.py", 0, None, "precise_fact"),
        ("c.py", 0, None, "precise_fact"),
    ]
    assert {row.definition.range.line for row in given.rows} == {1}
    assert [one.coordinate for one in given.page.matched] == ["a.py:2#run"]
    assert (given.page.total, given.page.truncated, given.page.coverage.state) == (3, False, "partial")
    tree.write("a.py", "def run(more): pass\nrun()\n")
    given = tree.refs("run")
    assert [(row.path, row.definition) for row in given.rows] == [
        ("a.py", None),
        ("b.py", None),
        ("c.py", None),
    ]


def test_definitions_behind_a_use_come_from_the_present_text(tree: Any) -> None:
    build(tree)
    tree.write("a.py", "\n\n" + DEFINES)
    for typed in ("b.py:1:1", "codetrail-python python shop 1.0 `m`/run()."):
        given = tree.defs(typed)
        assert [(row.node.path, row.node.range.line, row.reliability) for row in given.rows] == [
            ("a.py", 2, "inferred_candidate")
        ]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pages_go_on_in_a_file_that_changed_between_them(tree: Any, limit: int) -> None:
    unit = tree.unit()
    text = "def run(): pass\n" + "run()  # {}\n" * 5
    made = tree.file(unit, "a.py", text.format(*range(5))).define("run", "`m`/run().", "function", 1)
    for _ in range(5):
        made.use("run", "`m`/run().")
    tree.store()
    first = tree.refs("run", limit=limit)
    tree.write("a.py", ("# new\n" + text).format(*range(5)))
    texts = [row.text for row in first.rows]
    cursor = first.page.next_cursor
    while cursor:
        given = tree.refs("run", limit=limit, cursor=cursor)
        texts += [row.text for row in given.rows]
        cursor = given.page.next_cursor
    assert texts == [f"run()  # {number}" for number in range(5)]


@pytest.mark.parametrize("what", ["deleted", "huge", "utf16"])
def test_nothing_is_moved_to_where_no_text_is(tree: Any, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    build(tree)
    path = tree.path / "b.py"
    match what:
        case "deleted":
            path.unlink()
        case "huge":
            monkeypatch.setattr("codetrail.query.freshness.LARGE_FILE", 30)
            tree.write("b.py", "run()\n" + "# more\n" * 10)
        case "utf16":
            path.write_bytes("run()\n".encode("utf-16"))
    assert [row.path for row in tree.refs("run").rows] == ["a.py", "c.py"]
