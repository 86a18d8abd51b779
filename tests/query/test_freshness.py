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
    ("mode", "labels"), [("full", {"parser_fact"}), ("answer", {"parser_fact"}), ("off", {"precise_fact"})]
)
def test_definitions_of_a_changed_file(tree: Any, mode: str, labels: set[str]) -> None:
    build(tree)
    tree.write("a.py", "\n" + DEFINES)
    given = tree.defs("run", freshness=mode)
    assert {row.reliability for row in given.rows} == labels
    if mode != "off":
        assert [row.node.range.line for row in given.rows] == [1]


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
        tree.write(name, "# " + DEFINES)
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


def test_the_definition_of_a_changed_file_is_not_shown_with_its_old_line(tree: Any) -> None:
    build(tree)
    tree.write("a.py", "\n" + DEFINES)
    given = tree.refs("run")
    assert [(row.path, row.definition) for row in given.rows] == [("b.py", None), ("c.py", None)]


def test_definitions_behind_a_use_come_from_the_present_text(tree: Any) -> None:
    build(tree)
    tree.write("a.py", "\n\n" + DEFINES)
    for typed in ("b.py:1:1", "codetrail-python python shop 1.0 `m`/run()."):
        given = tree.defs(typed)
        assert [(row.node.path, row.node.range.line, row.reliability) for row in given.rows] == [
            ("a.py", 2, "parser_fact")
        ]
