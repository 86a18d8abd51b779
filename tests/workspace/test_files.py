from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace.files import Listing, WalkProblem, walk, walk_folders
from codetrail.workspace.reading import open_folder
from codetrail.workspace.root import Root, find_root

WriteTree = Any
RunGit = Any
OwnState = Any


def paths(listing: Listing) -> list[str]:
    return [file.path for file in listing.files]


def skipped(listing: Listing) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {skip.reason: (skip.entries, skip.paths) for skip in listing.skipped}


def test_source_files_and_folders_sorted_by_bytes(write: WriteTree, root: Root) -> None:
    write(
        {
            "b.py": "1",
            "a/x.py": "",
            "a.py": "",
            "Z.py": "",
            "é.py": "",
            "𝒳.py": "",
            "～.py": "",
            "a/readme.md": "",
        }
    )
    listing = walk(root)
    assert paths(listing) == ["Z.py", "a.py", "a/x.py", "b.py", "é.py", "～.py", "𝒳.py"]
    assert paths(listing) == sorted(paths(listing), key=str.encode)
    assert [folder.path for folder in listing.folders] == ["", "a"]
    status = os.stat(Path(root.path) / "b.py")
    assert listing.files[3] == ("b.py", 1, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    assert (listing.problems, listing.skipped, listing.excluded) == ((), (), ())


def test_keep_chooses_the_files(write: WriteTree, root: Root) -> None:
    write({"a.py": "", "pyproject.toml": "", "x/package.json": ""})
    assert paths(walk(root, keep=lambda path: path.endswith((".toml", ".json")))) == [
        "pyproject.toml",
        "x/package.json",
    ]


def test_ignore_files_outside_git_are_obeyed(write: WriteTree, root: Root) -> None:
    write(
        {
            ".gitignore": "a.py\n",
            "a.py": "",
            "b.py": "",
            "d/.gitignore": "!a.py\nb.py",
            "d/a.py": "",
            "d/b.py": "",
        }
    )
    listing = walk(root)
    assert paths(listing) == ["b.py", "d/a.py"]
    assert [(file.path, file.size) for file in listing.ignore_files] == [
        (".gitignore", 5),
        ("d/.gitignore", 10),
    ]
    assert skipped(listing) == {"ignored": (2, ("a.py", "d/b.py"))}


def test_tracked_or_not_ignored_files_are_left_out(write: WriteTree, git: RunGit, top: Path) -> None:
    write({"a.py": "", "b.py": "", ".gitignore": "a.py\n"})
    git("init", "-q")
    git("add", "-f", "a.py", "b.py")
    assert paths(walk(find_root(str(top)))) == ["b.py"]


def test_info_exclude_is_obeyed_and_weaker_than_ignore_files(
    write: WriteTree, git: RunGit, own_state: OwnState, top: Path
) -> None:
    git("init", "-q")
    write({".git/info/exclude": "a.py\nb.py\n/sub/c.py\n", ".gitignore": "!b.py\n", "x": ""})
    write({"a.py": "", "b.py": "", "sub/a.py": "", "sub/c.py": "", "c.py": ""})
    assert paths(walk(find_root(str(top)))) == ["b.py", "c.py"]
    own_state(top / "sub")
    sub = find_root(str(top / "sub"))
    listing = walk(sub)
    assert (sub.path, paths(listing)) == (str(top / "sub"), [])
    assert [file.path for file in listing.ignore_files] == ["../.git/info/exclude", "../.gitignore"]


def test_linked_work_tree_uses_the_shared_info_exclude(write: WriteTree, git: RunGit, tmp_path: Path) -> None:
    write({"a.py": "", "b.py": ""})
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "x")
    write({".git/info/exclude": "a.py\n"})
    git("worktree", "add", "-q", str(tmp_path / "other"))
    assert paths(walk(find_root(str(tmp_path / "other")))) == ["b.py"]


def test_global_excludes_of_the_user_are_not_obeyed(
    write: WriteTree, git: RunGit, top: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q")
    write({"a.py": "", "../config/git/ignore": "*.py\n"})
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert paths(walk(find_root(str(top)))) == ["a.py"]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("node_modules/x.js", "fixed_rule"),
        ("pkg/__pycache__/x.py", "fixed_rule"),
        ("env/pyvenv.cfg", "virtual_environment"),
    ],
)
def test_folders_left_out_are_counted(write: WriteTree, root: Root, entry: str, reason: str) -> None:
    write({"a.py": "", entry: "", os.path.dirname(entry) + "/lib/y.py": ""})
    listing = walk(root)
    assert paths(listing) == ["a.py"]
    assert skipped(listing) == {reason: (1, (os.path.dirname(entry),))}


@pytest.mark.parametrize("name", [".git", ".hg", ".svn", ".codetrail"])
def test_administration_is_left_out_in_silence(write: WriteTree, root: Root, name: str) -> None:
    write({f"{name}/hooks/x.py": "", f"sub/{name}/y.py": "", "a.py": ""})
    listing = walk(root)
    assert (paths(listing), listing.skipped) == (["a.py"], ())


def test_nested_repository_inside_a_work_tree_is_left_out_as_by_git(
    write: WriteTree, git: RunGit, top: Path
) -> None:
    write({"a.py": "", "inner/x.py": "", "fake/.git/x": "", "fake/y.py": ""})
    git("init", "-q")
    git("init", "-q", cwd=top / "inner")
    listing = walk(find_root(str(top)))
    assert paths(listing) == ["a.py", "fake/y.py"]
    assert skipped(listing)["nested_repository"] == (1, ("inner",))
    assert listing.closed == ("inner",)
    listed = git("ls-files", "-o", "--exclude-standard", "-z").decode().split("\0")
    assert sorted(path for path in listed if path.endswith(".py")) == ["a.py", "fake/y.py"]


def test_repositories_below_a_plain_folder_are_ordinary_folders(
    write: WriteTree, git: RunGit, root: Root, top: Path
) -> None:
    write({"one/x.py": "", "two/y.py": ""})
    git("init", "-q", cwd=top / "one")
    git("init", "-q", cwd=top / "two")
    assert paths(walk(root)) == ["one/x.py", "two/y.py"]


def test_links_loops_and_special_files_are_counted_not_followed(
    write: WriteTree, root: Root, top: Path
) -> None:
    write({"a.py": "", "d/b.py": "", "../outside/secret.py": "", "folder.py/": ""})
    (top / "passwd.py").symlink_to("/etc/passwd")
    (top / "d" / "up").symlink_to("..")
    (top / "self.py").symlink_to("self.py")
    (top / "outside").symlink_to("../outside")
    os.mkfifo(top / "fifo.py")
    listing = walk(root)
    assert paths(listing) == ["a.py", "d/b.py"]
    found = skipped(listing)
    assert set(found["link"][1]) == {"passwd.py", "d/up", "self.py", "outside"}
    assert found["special"] == (1, ("fifo.py",))


def test_ignore_file_that_is_a_link_is_not_read(write: WriteTree, root: Root, top: Path, git: RunGit) -> None:
    write({"a.py": "", "../patterns": "*.py\n"})
    (top / ".gitignore").symlink_to("../patterns")
    assert paths(walk(root)) == ["a.py"]
    git("init", "-q")
    assert b"a.py" in git("ls-files", "-o", "--exclude-standard", "-z").split(b"\0")


def test_names_that_are_not_unicode_are_counted(write: WriteTree, root: Root, top: Path) -> None:
    write({"a.py": "", "new\nline.py": "", "tab\t\x1b.py": ""})
    with open(os.fsencode(top) + b"/caf\xe9.py", "wb"):
        pass
    os.mkdir(os.fsencode(top) + b"/d\xff")
    listing = walk(root)
    assert paths(listing) == ["a.py", "new\nline.py", "tab\t\x1b.py"]
    entries, sample = skipped(listing)["not_utf8"]
    assert (entries, sorted(sample)) == (2, ["caf\ufffd.py", "d\ufffd"])
    assert listing.problems == (WalkProblem("unreadable_name", ""),)


def test_names_that_are_not_unicode_count_where_they_could_hold_source(
    write: WriteTree, root: Root, top: Path
) -> None:
    write({"a.py": "", "pictures/b.py": "", "sub/c.py": "", ".gitignore": "ignored*"})
    below = os.fsencode(top)
    for name in (b"/pictures/caf\xe9.png", b"/sub/x\xe9.py", b"/sub/y\xe9.py", b"/ignored\xe9.py"):
        with open(below + name, "wb"):
            pass
    os.symlink("a.py", below + b"/pictures/link\xe9.py")
    assert walk(root).problems == (WalkProblem("unreadable_name", "sub"),)


def test_samples_are_bounded(write: WriteTree, root: Root) -> None:
    write({".gitignore": "*.py", **{f"{number}.py": "" for number in range(20)}})
    assert [(skip.entries, len(skip.paths)) for skip in walk(root).skipped] == [(20, 5)]


def test_unreadable_folder_is_a_problem_and_costs_only_itself(
    write: WriteTree, root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.py": "", "shut/b.py": "", "z/c.py": ""})
    real = open_folder

    def refuse(handle: int, path: str) -> int:
        if path == "shut":
            raise PermissionError(13, "no")
        return real(handle, path)

    monkeypatch.setattr("codetrail.workspace.files.open_folder", refuse)
    listing = walk(root)
    assert paths(listing) == ["a.py", "z/c.py"]
    assert listing.problems == (("unreadable_folder", "shut"),)


def test_unreadable_ignore_file_is_a_problem(write: WriteTree, root: Root) -> None:
    write({"a.py": "", ".gitignore": b"#" * (1 << 20) + b"\n*.py\n"})
    listing = walk(root)
    assert paths(listing) == ["a.py"]
    assert listing.problems == (("unreadable_ignore_file", ".gitignore"),)


def test_very_deep_folders_end(root: Root, top: Path) -> None:
    handle = os.open(top, os.O_RDONLY)
    for _ in range(250):
        os.mkdir("d", dir_fd=handle)
        below = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = below
    os.close(os.open("x.py", os.O_CREAT | os.O_WRONLY, dir_fd=handle))
    os.close(handle)
    listing = walk(root)
    assert (paths(listing), [problem.code for problem in listing.problems]) == ([], ["folder_too_deep"])
    shutil.rmtree(top)


def test_file_that_vanishes_during_the_walk_is_left_out(
    write: WriteTree, root: Root, top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.py": "", "b.py": ""})
    real = os.scandir

    class Vanishing:
        def __init__(self, handle: int) -> None:
            self.entries = list(real(handle))
            (top / "a.py").unlink()

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None:
            return None

    monkeypatch.setattr(os, "scandir", Vanishing)
    listing = walk(root)
    assert (paths(listing), listing.problems) == (["b.py"], ())


def test_exclude_names_every_source_file_it_hides(write: WriteTree, root: Root) -> None:
    write(
        {
            "a.py": "",
            "vendor/x.py": "",
            "vendor/deep/y.py": "",
            "vendor/readme": "",
            "gen/a_pb2.py": "",
            "gen/b.py": "",
        }
    )
    listing = walk(root, exclude=["vendor/", "*_pb2.py"])
    assert paths(listing) == ["a.py", "gen/b.py"]
    assert listing.excluded == ("gen/a_pb2.py", "vendor/deep/y.py", "vendor/x.py")
    assert [folder.path for folder in listing.folders] == ["", "gen"]


def test_walk_folders_skips_what_was_entered(write: WriteTree, root: Root) -> None:
    write(
        {
            ".gitignore": "no.py\n",
            "a/x.py": "",
            "a/no.py": "",
            "a/old/y.py": "",
            "a/fresh/z.py": "",
            "b/w.py": "",
        }
    )
    listing = walk_folders(root, ["a", "gone"], entered={"", "a", "a/old", "b"})
    assert paths(listing) == ["a/fresh/z.py", "a/x.py"]
    assert [folder.path for folder in listing.folders] == ["a", "a/fresh"]


@pytest.mark.parametrize("seed", range(8))
def test_random_trees_agree_with_git(git: RunGit, top: Path, seed: int) -> None:
    chosen = random.Random(seed)
    git("init", "-q")
    names = ["a", "b", "build", "src", "x.py", "y.py", "z.ts", "note.txt"]
    patterns = [
        *("*.py", "build/", "/src", "a/*", "!x.py", "b", "!b/", "src/**/y.py", "**/a", "*", "!*/", "!*.py"),
        *("/a/b", "!a", "[ab]", "x.*", "!/src/x.py", "**/build/*.ts", "src/*/", "!src/"),
    ]
    for _ in range(120):
        target = top.joinpath(*chosen.choices(names[:4], k=chosen.randint(0, 4)), chosen.choice(names[4:]))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.touch()
    folders = sorted(path for path in top.rglob("*") if path.is_dir() and ".git" not in path.parts)
    for folder in [top, *chosen.sample(folders, 6)]:
        lines = chosen.choices(patterns, k=chosen.randint(1, 4))
        (folder / ".gitignore").write_text("\n".join(lines) + "\n")
    (top / ".git" / "info" / "exclude").write_text(chosen.choice(patterns) + "\n")
    listed = git("ls-files", "-o", "--exclude-standard", "-z").decode().split("\0")
    assert paths(walk(find_root(str(top)))) == sorted(p for p in listed if p.endswith((".py", ".ts")))
