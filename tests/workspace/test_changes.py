from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace import changes as module
from codetrail.workspace.changes import Changes, Recorded, RecordedFile, compare
from codetrail.workspace.digests import hash_source
from codetrail.workspace.files import walk
from codetrail.workspace.reading import RACY_NS, opened_root
from codetrail.workspace.root import Root, find_root

WriteTree = Any
RunGit = Any
OwnState = Any

TREE = {
    "a.py": "a = 1\n",
    "b.py": "b = 1\n",
    "pkg/c.py": "c = 1\n",
    "pkg/deep/d.py": "d = 1\n",
    "other/e.py": "e = 1\n",
    "other/notes.txt": "",
    "ignored/f.py": "",
    ".gitignore": "ignored/\n*_gen.py\n",
}


def record(root: Root, *, racy: bool = False, exclude: tuple[str, ...] = ()) -> Recorded:
    """Record the tree as a build would; unless ``racy``, as one that began long after the last edit."""
    listing = walk(root, exclude=exclude)
    files = []
    with opened_root(root.path) as handle:
        for file in listing.files:
            found = hash_source(handle, file.path)
            assert not isinstance(found, str)
            files.append(RecordedFile(*found[0], found[1]))
    newest = max((*(f.ctime_ns for f in listing.files), *(f.ctime_ns for f in listing.folders)), default=0)
    newest = max((newest, *(f.ctime_ns for f in listing.ignore_files)))
    started = 0 if racy else newest + RACY_NS + 1
    return Recorded(files, listing.folders, listing.ignore_files, started, exclude)


@pytest.fixture
def recorded(write: WriteTree, root: Root) -> Recorded:
    write(TREE)
    return record(root)


def test_unchanged_tree_reads_nothing(
    root: Root, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("looked into a file or folder")

    monkeypatch.setattr(module, "_check_content", refuse)
    monkeypatch.setattr(module, "_list_again", refuse)
    assert compare(root, recorded) == Changes(checked=5)
    assert compare(root, recorded).none


def test_unchanged_tree_imports_neither_hashing_nor_patterns(root: Root, recorded: Recorded) -> None:
    program = (
        "import sys\n"
        "from codetrail.workspace.changes import Recorded, compare\n"
        "from codetrail.workspace.root import Root\n"
        f"recorded = Recorded({[tuple(f) for f in recorded.files]}, {[tuple(f) for f in recorded.folders]},"
        f" {[tuple(f) for f in recorded.ignore_files]}, {recorded.started_ns})\n"
        f"assert compare(Root({root.path!r}), recorded).none\n"
        "print(*sorted({'hashlib', 'pathspec', 'subprocess', 'tomllib', 'codetrail.workspace.files',"
        " 'codetrail.workspace.ignore', 'codetrail.workspace.digests'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")


def rewrite(path: str, content: str) -> Callable[[Path], None]:
    def edit(top: Path) -> None:
        (top / path).write_text(content)

    return edit


def rewrite_keeping_the_time(top: Path) -> None:
    before = (top / "a.py").stat()
    (top / "a.py").write_text("a = 2\n")
    os.utime(top / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def replace_by_link(top: Path) -> None:
    (top / "a.py").rename(top / "kept.txt")
    (top / "a.py").symlink_to("kept.txt")


def replace_folder_by_link(top: Path) -> None:
    (top / "pkg").rename(top.parent / "moved")
    (top / "pkg").symlink_to("../moved")


def rename_folder(top: Path) -> None:
    (top / "pkg").rename(top / "renamed")


def become_fifo(top: Path) -> None:
    (top / "a.py").unlink()
    os.mkfifo(top / "a.py")


def add(*paths: str) -> Callable[[Path], None]:
    def edit(top: Path) -> None:
        for path in paths:
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_text("new = 1\n")

    return edit


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        pytest.param(rewrite("a.py", "a = 2\n"), {"changed": ("a.py",)}, id="same-size"),
        pytest.param(rewrite("a.py", "longer = 2\n"), {"changed": ("a.py",)}, id="other-size"),
        pytest.param(rewrite_keeping_the_time, {"changed": ("a.py",)}, id="mtime-set-back"),
        pytest.param(rewrite("other/notes.txt", "x"), {}, id="not-a-source-file"),
        pytest.param(lambda top: (top / "pkg/c.py").unlink(), {"deleted": ("pkg/c.py",)}, id="deleted"),
        pytest.param(replace_by_link, {"deleted": ("a.py",)}, id="file-became-link"),
        pytest.param(become_fifo, {"deleted": ("a.py",)}, id="file-became-fifo"),
        pytest.param(
            replace_folder_by_link, {"deleted": ("pkg/c.py", "pkg/deep/d.py")}, id="folder-became-link"
        ),
        pytest.param(
            rename_folder,
            {"deleted": ("pkg/c.py", "pkg/deep/d.py"), "new": ("renamed/c.py", "renamed/deep/d.py")},
            id="folder-renamed",
        ),
        pytest.param(add("pkg/n.py"), {"new": ("pkg/n.py",)}, id="new-file"),
        pytest.param(add("pkg/x/y/n.py", "n.ts"), {"new": ("n.ts", "pkg/x/y/n.py")}, id="new-folder"),
        pytest.param(add("pkg/n.txt", "ignored/n.py", "pkg/n_gen.py"), {}, id="new-but-not-ours"),
        pytest.param(
            rewrite(".gitignore", "other/\n"),
            {"new": ("ignored/f.py",), "ignored": ("other/e.py",)},
            id="root-rules-changed",
        ),
        pytest.param(
            lambda top: (top / ".gitignore").unlink(), {"new": ("ignored/f.py",)}, id="root-rules-gone"
        ),
        pytest.param(rewrite("pkg/.gitignore", "d.py\n"), {"ignored": ("pkg/deep/d.py",)}, id="new-rules"),
        pytest.param(rewrite(".gitignore", TREE[".gitignore"]), {}, id="rules-rewritten-alike"),
        pytest.param(
            add("pkg/pyvenv.cfg"),
            {"ignored": ("pkg/c.py", "pkg/deep/d.py")},
            id="became-a-virtual-environment",
        ),
    ],
)
def test_edit(
    root: Root, top: Path, recorded: Recorded, edit: Callable[[Path], None], expected: dict[str, Any]
) -> None:
    edit(top)
    found = compare(root, recorded)
    assert found._replace(touched=()) == Changes(checked=5, **expected)
    assert found.none is not bool(expected)


def test_touched_file_is_unchanged_and_its_new_signature_is_told(
    root: Root, top: Path, recorded: Recorded
) -> None:
    (top / "a.py").write_text(TREE["a.py"])
    found = compare(root, recorded)
    assert found.none
    again = recorded._replace(files=[*found.touched, *recorded.files[1:]])
    assert [file.path for file in found.touched] == ["a.py"]
    assert compare(root, again).touched == ()


def test_racy_file_is_hashed_though_its_signature_is_equal(write: WriteTree, root: Root) -> None:
    write(TREE)
    racy = record(root, racy=True)
    # What a coarse clock would hide: other bytes under the very same signature.
    forged = [file._replace(sha256="0" * 64) if file.path == "a.py" else file for file in racy.files]
    assert compare(root, racy).none
    assert compare(root, racy._replace(files=forged)).changed == ("a.py",)
    quiet = record(root)._replace(files=forged)
    assert compare(root, quiet).none


def test_racy_folder_is_listed_though_its_signature_is_equal(write: WriteTree, root: Root) -> None:
    write(TREE)
    racy = record(root, racy=True)
    without = racy._replace(files=[file for file in racy.files if file.path != "pkg/c.py"])
    assert compare(root, without).new == ("pkg/c.py",)


def test_racy_ignore_file_is_read_though_its_signature_is_equal(
    write: WriteTree, root: Root, top: Path
) -> None:
    write(TREE)
    racy = record(root, racy=True)
    forged = [file._replace(sha256="0" * 64) for file in racy.ignore_files]
    quiet_folders = record(root)
    assert compare(root, quiet_folders._replace(ignore_files=forged)).none
    (top / "ignored").rename(top / "seen")
    assert compare(root, racy._replace(ignore_files=forged)).new == ("seen/f.py",)


@pytest.mark.parametrize(
    ("mode", "paths", "expected"),
    [
        ("off", ("a.py",), Changes()),
        (
            "answer",
            ("a.py", "pkg/c.py", "unknown.py"),
            Changes(changed=("a.py",), deleted=("pkg/c.py",), checked=2),
        ),
        ("answer", ("b.py",), Changes(checked=1)),
        ("full", (), Changes(changed=("a.py",), deleted=("pkg/c.py",), new=("n.py",), checked=5)),
    ],
)
def test_modes(
    root: Root, top: Path, recorded: Recorded, mode: Any, paths: tuple[str, ...], expected: Changes
) -> None:
    (top / "a.py").write_text("changed\n")
    (top / "pkg/c.py").unlink()
    (top / "n.py").write_text("")
    assert compare(root, recorded, mode, paths) == expected


def test_answer_mode_is_not_led_out_by_a_folder_link(root: Root, top: Path, recorded: Recorded) -> None:
    (top / "pkg").rename(top / "real")
    (top.parent / "outside").mkdir()
    (top.parent / "outside" / "c.py").write_text(TREE["pkg/c.py"])
    (top / "pkg").symlink_to("../outside")
    assert compare(root, recorded, "answer", ["pkg/c.py"]).deleted == ("pkg/c.py",)


def test_file_that_cannot_be_read_counts_as_changed(
    root: Root, top: Path, recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(top / "a.py", ns=(1, 1))
    monkeypatch.setattr("codetrail.workspace.digests.open_source", lambda *_: "unreadable")
    assert compare(root, recorded).changed == ("a.py",)


def test_excluded_files_are_not_new(write: WriteTree, root: Root, top: Path) -> None:
    write(TREE)
    recorded = record(root, exclude=("other/", "*_x.py"))
    (top / "pkg" / "n_x.py").write_text("")
    (top / "other" / "n.py").write_text("")
    (top / "pkg" / "n.py").write_text("")
    assert compare(root, recorded).new == ("pkg/n.py",)


def test_repository_that_stops_being_nested_brings_its_files(
    write: WriteTree, git: RunGit, top: Path
) -> None:
    write({"a.py": "", "inner/x/y.py": ""})
    git("init", "-q")
    git("init", "-q", cwd=top / "inner")
    root = find_root(str(top))
    recorded = record(root)
    assert compare(root, recorded) == Changes(checked=1)
    (top / "inner" / ".git").rename(top.parent / "away")
    assert compare(root, recorded).new == ("inner/x/y.py",)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (".git/info/exclude", None, "n.py\n"),
        (".git/info/exclude", "", "n.py\n"),
        (".git/info/exclude", "n.py\n", None),
        (".gitignore", None, "n.py\n"),
        (".gitignore", "n.py\n", "\n"),
    ],
    ids=[
        "exclude-appears",
        "exclude-grows",
        "exclude-goes",
        "ignore-file-above-appears",
        "ignore-file-above-changes",
    ],
)
def test_rules_above_the_root(
    write: WriteTree,
    git: RunGit,
    own_state: OwnState,
    top: Path,
    path: str,
    before: str | None,
    after: str | None,
) -> None:
    git("init", "-q")
    (top / ".git/info/exclude").unlink()
    write({"sub/n.py": ""})
    if before is not None:
        write({path: before})
    own_state(top / "sub")
    root = find_root(str(top / "sub"))
    recorded = record(root)
    assert root.path == str(top / "sub")
    assert compare(root, recorded).none
    if after is None:
        (top / path).unlink()
    else:
        write({path: after})
    hidden_before, hidden_after = "n.py" in (before or ""), "n.py" in (after or "")
    found = compare(root, recorded)
    assert found.ignored == (("n.py",) if hidden_after and not hidden_before else ())
    assert found.new == (("n.py",) if hidden_before and not hidden_after else ())
