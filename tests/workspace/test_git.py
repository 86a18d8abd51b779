from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from codetrail.errors import SystemFailure
from codetrail.workspace import git as module
from codetrail.workspace.git import head_commit, tracked_files
from codetrail.workspace.root import Root, find_root

WriteTree = Any
RunGit = Any
OwnState = Any


@pytest.fixture
def repository(write: WriteTree, git: RunGit, top: Path) -> Path:
    write({"a.py": "a", "sub/b.py": "b", "sub/é\n.py": "c", "untracked.py": ""})
    git("init", "-q", "-b", "main")
    git("add", "a.py", "sub")
    git("commit", "-q", "-m", "x")
    return top


def script(path: Path, text: str) -> None:
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


@pytest.mark.parametrize(
    "prepare",
    [
        [],
        [("pack-refs", "--all")],
        [("checkout", "-q", "--detach")],
        [("checkout", "-q", "-b", "feature/x.y")],
        [
            ("tag", "-a", "-m", "t", "t1"),
            ("pack-refs", "--all"),
            ("commit", "-q", "--allow-empty", "-m", "y"),
        ],
    ],
    ids=["loose", "packed", "detached", "nested-name", "loose-over-packed"],
)
def test_head_commit_agrees_with_git(repository: Path, git: RunGit, prepare: list[tuple[str, ...]]) -> None:
    for arguments in prepare:
        git(*arguments)
    assert head_commit(find_root(str(repository))) == git("rev-parse", "HEAD").decode().strip()


@pytest.mark.parametrize("pack", [False, True], ids=["loose", "packed"])
@pytest.mark.usefixtures("repository")
def test_head_commit_of_a_linked_work_tree(git: RunGit, tmp_path: Path, pack: bool) -> None:
    other = tmp_path / "other"
    git("worktree", "add", "-q", "-b", "side", str(other))
    git("commit", "-q", "--allow-empty", "-m", "side", cwd=other)
    if pack:
        git("pack-refs", "--all")
    assert head_commit(find_root(str(other))) == git("rev-parse", "side").decode().strip()


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/unborn\n",
        "ref: refs/../../../secret\n",
        "ref: /etc/passwd\n",
        "ref: refs/heads/loop\n",
        "ref: refs/heads/a\0b\n",
        "zz" * 20,
        "",
        "x" * 100_000,
    ],
    ids=lambda text: text[:30],
)
def test_head_that_names_no_commit(repository: Path, head: str) -> None:
    (repository / ".git/HEAD").write_text(head)
    (repository / ".git/refs/heads/loop").write_text("ref: refs/heads/loop\n")
    (repository.parent / "secret").write_text("0" * 40)
    root = Root(str(repository), str(repository / ".git"), str(repository))
    assert head_commit(root) is None


def test_no_head_outside_git(root: Root) -> None:
    assert head_commit(root) is None
    assert tracked_files(root) == ()


def test_tracked_files(repository: Path, git: RunGit) -> None:
    found = tracked_files(find_root(str(repository)))
    assert found is not None
    assert [(file.path, file.mode) for file in found] == [
        ("a.py", "100644"),
        ("sub/b.py", "100644"),
        ("sub/é\n.py", "100644"),
    ]
    assert found[0].object_id == git("rev-parse", ":a.py").decode().strip()


def test_tracked_files_below_the_git_top(repository: Path, own_state: OwnState) -> None:
    own_state(repository / "sub")
    found = tracked_files(find_root(str(repository / "sub")))
    assert found is not None
    assert [file.path for file in found] == ["b.py", "é\n.py"]


@pytest.mark.usefixtures("repository")
def test_tracked_files_of_a_linked_work_tree(git: RunGit, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git("worktree", "add", "-q", "-b", "side", str(other))
    git("rm", "-q", "a.py", cwd=other)
    found = tracked_files(find_root(str(other)))
    assert found is not None
    assert [file.path for file in found] == ["sub/b.py", "sub/é\n.py"]


def test_submodules_are_left_out(repository: Path, git: RunGit) -> None:
    commit = git("rev-parse", "HEAD").decode().strip()
    git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    found = tracked_files(find_root(str(repository)))
    assert found is not None
    assert "module" not in [file.path for file in found]


def test_nothing_that_the_repository_configures_runs(
    repository: Path, git: RunGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = tmp_path / "canary"
    trap = tmp_path / "trap"
    script(trap, f"echo \"$0 $*\" >> '{canary}'\n")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "query-watchman", "reference-transaction"):
        script(hooks / hook, f"echo {hook} >> '{canary}'\n")
    settings = {
        "core.fsmonitor": str(trap),
        "core.hooksPath": str(hooks),
        "core.pager": str(trap),
        "core.editor": str(trap),
        "core.sshCommand": str(trap),
        "pager.ls-files": "true",
        "alias.ls-files": f"!{trap}",
        "filter.x.clean": str(trap),
        "diff.external": str(trap),
    }
    for key, value in settings.items():
        git("config", key, value)
    (repository / ".gitattributes").write_text("* filter=x\n")
    os.utime(repository / "a.py", ns=(1, 1))
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_EDITOR", "GIT_ASKPASS"):
        monkeypatch.setenv(name, str(trap))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_TRACE", str(canary))
    found = tracked_files(find_root(str(repository)))
    assert found is not None
    assert len(found) == 3
    assert not canary.exists()
    # The trap does bite where git is run without care.
    git("status")
    assert canary.exists()


def test_flags_and_environment_are_those_of_the_rule(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    seen = tmp_path / "seen"
    script(folder / "git", f"printf '%s\\n' \"$@\" > '{seen}'; env > '{seen}.env'\n")
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    assert tracked_files(find_root(str(repository))) == ()
    arguments = seen.read_text().splitlines()
    assert arguments[:4] == ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    assert arguments[-3:] == ["ls-files", "-s", "-z"]
    environment = dict(line.split("=", 1) for line in Path(f"{seen}.env").read_text().splitlines())
    assert environment["GIT_NO_LAZY_FETCH"] == "1"
    assert environment["GIT_ALLOW_PROTOCOL"] == "none"
    assert environment["GIT_OPTIONAL_LOCKS"] == "0"
    assert not {"GIT_CONFIG_COUNT", "SECRET_TOKEN"} & set(environment)


@pytest.mark.parametrize(
    "place", ["inside", "relative", "world-writable", "link-in-world-writable", "link-to-inside"]
)
def test_git_that_the_workspace_or_others_control_is_not_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    canary = tmp_path / "canary"
    folder = tmp_path / "bin"
    folder.mkdir()
    inside = repository / "bin"
    inside.mkdir()
    script(inside / "git", f"touch '{canary}'\n")
    script(folder / "git", f"touch '{canary}'\n")
    entry = str(folder)
    if place == "inside":
        entry = str(inside)
    elif place == "relative":
        monkeypatch.chdir(tmp_path)
        entry = "bin"
    elif place == "world-writable":
        folder.chmod(folder.stat().st_mode | stat.S_IWOTH)
    elif place == "link-in-world-writable":
        folder.chmod(folder.stat().st_mode | stat.S_IWOTH)
        (tmp_path / "safe").mkdir()
        (folder / "git").rename(tmp_path / "safe" / "git")
        (folder / "git").symlink_to(tmp_path / "safe" / "git")
    else:
        (folder / "git").unlink()
        (folder / "git").symlink_to(inside / "git")
    monkeypatch.setenv("PATH", entry)
    assert tracked_files(find_root(str(repository))) is None
    assert not canary.exists()


@pytest.fixture
def fake_git(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(text: str) -> Root:
        folder = tmp_path / "bin"
        folder.mkdir()
        script(folder / "git", text)
        monkeypatch.setenv("PATH", str(folder))
        return find_root(str(repository))

    return install


def still_runs(pid: str) -> bool:
    """Tell whether a process does anything but wait to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_git_that_does_not_answer_is_ended_with_its_children(fake_git: Any, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    root = fake_git(f"sleep 600 & echo $! > '{pids}'; wait\n")
    with pytest.raises(SystemFailure) as caught:
        tracked_files(root, timeout=5.0)
    assert caught.value.code == "timed_out"
    child = pids.read_text().strip()
    # The signal has been sent; a busy machine may need a while to end its receiver, who is not our child.
    for _ in range(1000):
        if not still_runs(child):
            return
        threading.Event().wait(0.02)
    raise AssertionError(f"process {child} outlived git")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exit 128\n", None),
        ("yes\n", None),
        ("printf 'nonsense\\0100644 x\\0'\n", ()),
        ("printf '100644 %040d 0\\t\\377.py\\0' 1\n", ()),
    ],
    ids=["fails", "floods", "nonsense", "not-unicode"],
)
def test_git_that_misbehaves(
    fake_git: Any, monkeypatch: pytest.MonkeyPatch, text: str, expected: tuple[()] | None
) -> None:
    monkeypatch.setattr(module, "_OUTPUT_LIMIT", 100_000)
    assert tracked_files(fake_git(text)) == expected


def _fifo(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _sparse(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(3 << 30)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("name", ["index", "config", "packed-refs", "config.worktree"])
def test_a_fifo_that_git_would_wait_for_is_seen_first(repository: Path, name: str) -> None:
    _fifo(repository / ".git" / name)
    assert tracked_files(find_root(str(repository)), timeout=600) is None


@pytest.mark.parametrize("spoil", [_sparse, _folder], ids=["huge", "folder"])
def test_an_index_that_is_no_file_of_usual_size_is_not_read(repository: Path, spoil: Any) -> None:
    spoil(repository / ".git/index")
    assert tracked_files(find_root(str(repository))) is None


def test_without_an_index_nothing_is_tracked(repository: Path, tmp_path: Path) -> None:
    assert tracked_files(Root(str(tmp_path))) == ()
    (repository / ".git/index").unlink()
    assert tracked_files(find_root(str(repository))) == ()


def test_git_does_not_outlive_a_killed_build(repository: Path, tmp_path: Path) -> None:
    """The child waits for good and its parent is killed: the child ends too."""
    folder = tmp_path / "bin"
    folder.mkdir()
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    script(folder / "git", f"exec 3>'{heard}'; echo $$ >&3; read forever < '{tmp_path / 'never'}'\n")
    os.mkfifo(tmp_path / "never")
    run = (
        "import sys; from codetrail.workspace.git import tracked_files;"
        "from codetrail.workspace.root import find_root; tracked_files(find_root(sys.argv[1]), timeout=600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", run, str(repository)], env={"PATH": str(folder), "HOME": str(tmp_path)}
    )
    with heard.open("rb") as pipe:
        assert pipe.readline().strip().isdigit()
        parent.kill()
        parent.wait()
        # The pipe ends only when the child that holds it does.
        assert pipe.read() == b""
