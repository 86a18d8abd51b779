from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from codetrail.errors import CodeTrailError, ScopeError, UsageError
from codetrail.workspace.root import Root, find_root, refuse_unbuildable, relative

WriteTree = Any
RunGit = Any
OwnState = Any


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home-of-user"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder.resolve()


def test_without_marks_the_start_is_the_root(write: WriteTree, top: Path) -> None:
    write({"a/b/x.py": ""})
    assert find_root(str(top / "a" / "b")) == Root(str(top / "a" / "b"))


def test_nearest_state_folder_wins_over_the_git_top(
    own_state: OwnState, write: WriteTree, git: RunGit, top: Path
) -> None:
    write({"a/b/x.py": ""})
    git("init", "-q")
    own_state(top / "a")
    assert find_root(str(top / "a" / "b")) == Root(str(top / "a"), str(top / ".git"), str(top))
    assert find_root(str(top)) == Root(str(top), str(top / ".git"), str(top))


def test_search_stops_at_the_git_top(own_state: OwnState, write: WriteTree, git: RunGit, top: Path) -> None:
    write({"inner/x.py": ""})
    own_state(top)
    git("init", "-q", cwd=top / "inner")
    assert find_root(str(top / "inner")).path == str(top / "inner")


def test_linked_work_tree_is_found_through_its_gitfile(
    write: WriteTree, git: RunGit, top: Path, tmp_path: Path
) -> None:
    write({"x.py": ""})
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "x")
    other = tmp_path / "other"
    git("worktree", "add", "-q", str(other))
    found = find_root(str(other))
    assert found.path == found.git_top == str(other.resolve())
    assert found.git_dir == str(top / ".git" / "worktrees" / "other")


def test_search_stops_at_a_folder_of_another_user(
    own_state: OwnState, top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a/b/x.py": ""})
    own_state(top)
    real = os.stat

    def stat_as_if_given_away(path: Any, **options: Any) -> os.stat_result:
        status = real(path, **options)
        if str(path) != str(top / "a"):
            return status
        fields = list(status)
        fields[4] = 12345
        return os.stat_result(fields)

    monkeypatch.setattr(os, "stat", stat_as_if_given_away)
    assert find_root(str(top / "a" / "b")).path == str(top / "a" / "b")


def test_search_stops_at_a_file_system_border(
    own_state: OwnState, top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a/b/x.py": ""})
    own_state(top)
    real = os.stat

    def stat_as_if_mounted(path: Any, **options: Any) -> os.stat_result:
        status = real(path, **options)
        if str(path) != str(top / "a" / "b"):
            return status
        fields = list(status)
        fields[2] += 1
        return os.stat_result(fields)

    monkeypatch.setattr(os, "stat", stat_as_if_mounted)
    assert find_root(str(top / "a" / "b")).path == str(top / "a" / "b")


def test_search_stops_before_the_home_folder(own_state: OwnState, home: Path, git: RunGit) -> None:
    (home / "project").mkdir()
    git("init", "-q", cwd=home)
    own_state(home)
    assert find_root(str(home / "project")) == Root(str(home / "project"))
    assert find_root(str(home)).path == str(home)


@pytest.mark.parametrize("content", ["", "gitdir: nowhere\n", "gitdir: a\0b", "x" * 5000], ids=repr)
def test_git_file_that_leads_nowhere_is_no_repository(top: Path, write: WriteTree, content: str) -> None:
    write({"a/.git": content, "a/x.py": ""})
    assert find_root(str(top / "a")) == Root(str(top / "a"))


def test_git_mark_that_is_a_fifo_does_not_hang(top: Path) -> None:
    os.mkfifo(top / ".git")
    assert find_root(str(top)) == Root(str(top))


@pytest.mark.parametrize("start", ["missing", "file.py", "nul\0"], ids=repr)
def test_start_that_is_no_folder(top: Path, write: WriteTree, start: str) -> None:
    write({"file.py": ""})
    with pytest.raises(UsageError) as caught:
        find_root(os.path.join(top, start))
    assert caught.value.code == "workspace_not_found"


def test_home_and_file_system_root_are_not_built(home: Path, top: Path) -> None:
    for path in ("/", str(home)):
        with pytest.raises(CodeTrailError):
            refuse_unbuildable(Root(path))
    refuse_unbuildable(Root(str(top)))


@pytest.mark.parametrize(
    ("typed", "cwd", "expected"),
    [
        ("src/a.py", ".", "src/a.py"),
        ("a.py", "src", "src/a.py"),
        ("both.py", "src", "both.py"),
        ("./src/../src/", ".", "src"),
        (".", ".", ""),
        ("inner/a.py", ".", "src/a.py"),
        ("{top}/src/a.py", "src", "src/a.py"),
        ("{top}", "src", ""),
        ("..", "src", ""),
    ],
)
def test_relative(top: Path, write: WriteTree, typed: str, cwd: str, expected: str) -> None:
    write({"src/a.py": "", "both.py": "", "src/both.py": ""})
    (top / "inner").symlink_to("src")
    assert relative(Root(str(top)), typed.format(top=top), str(top / cwd)) == expected


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("missing.py", "scope_not_found"),
        ("src/missing.py", "scope_not_found"),
        ("../outside.py", "scope_outside_workspace"),
        ("../nothing.py", "scope_outside_workspace"),
        ("/etc/passwd", "scope_outside_workspace"),
        ("passwd", "scope_outside_workspace"),
        ("outer/x.py", "scope_outside_workspace"),
        ("{top}-sibling/x.py", "scope_outside_workspace"),
        ("loop/x.py", "scope_not_found"),
        ("", "scope_not_found"),
        ("a\0b", "scope_not_found"),
    ],
    ids=repr,
)
def test_relative_refuses(top: Path, write: WriteTree, typed: str, code: str) -> None:
    write({"src/a.py": "", "../outside.py": "", "../tree-sibling/x.py": ""})
    (top / "passwd").symlink_to("/etc/passwd")
    (top / "outer").symlink_to("../tree-sibling")
    (top / "loop").symlink_to("loop")
    with pytest.raises(ScopeError) as caught:
        relative(Root(str(top)), typed.format(top=top), str(top))
    assert caught.value.code == code
