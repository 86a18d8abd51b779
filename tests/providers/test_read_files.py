"""What a driver says it read is believed only in its exact form, and never twice differently."""

from __future__ import annotations

from pathlib import Path

import pytest

from codetrail.providers.events import Events
from codetrail.providers.read_files import NOT_THERE, ReadFile, merge, parse_read_file, surroundings_of
from codetrail.workspace.surroundings import Surrounding

DIGEST = "ab" * 32
OTHER = "cd" * 32


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (["/w/a.json", "1", "2", "3", DIGEST], ("/w/a.json", ReadFile(1, 2, 3, DIGEST))),
        (["/w/a.json", "1", "2", "3", ""], ("/w/a.json", ReadFile(1, 2, 3, ""))),
        (["/w/a.json"], ("/w/a.json", NOT_THERE)),
        (["a.json", "1", "2", "3", DIGEST], None),
        (["/w/\ud800", "1", "2", "3", DIGEST], None),
        (["/w/a\0", "1", "2", "3", DIGEST], None),
        (["/w/a.json", "-1", "2", "3", DIGEST], None),
        (["/w/a.json", "²", "2", "3", DIGEST], None),
        (["/w/a.json", "1" * 5000, "2", "3", DIGEST], None),
        (["/w/a.json", "1", "2", "3", "ab"], None),
        (["/w/a.json", "1", "2", DIGEST], None),
        (["/w/a.json", 1, 2, 3, DIGEST], None),
        ([], None),
        ({}, None),
        (None, None),
    ],
)
def test_records_have_one_form(value: object, found: object) -> None:
    assert parse_read_file(value) == found


def test_events_collect_what_was_read() -> None:
    events = Events({})
    events.take(b'{"event": "read", "files": [["/w/a"], 7]}')
    events.take(b'{"event": "read", "files": [["/w/b"]]}')
    events.take(b'{"event": "read"}')
    assert events.read == {"/w/a": NOT_THERE, "/w/b": NOT_THERE}
    assert events.noise == 0


def test_what_two_runs_saw_differently_equals_nothing() -> None:
    one, two = ReadFile(1, 1, 1, DIGEST), ReadFile(2, 1, 1, OTHER)
    found = {"/w/a": one, "/w/b": one}
    merge(found, {"/w/a": two, "/w/b": one, "/w/c": two})
    assert found == {"/w/a": two._replace(digest=""), "/w/b": one, "/w/c": two}


def test_paths_in_the_workspace_are_relative_and_those_watched_anyway_left_out() -> None:
    file = ReadFile(1, 2, 3, DIGEST)
    read = dict.fromkeys(("/w/tsconfig.json", "/w/a.json", "/w2/b.json", "/b.json"), file)
    assert surroundings_of("ts", read, "/w", {"tsconfig.json"}) == (
        Surrounding("ts", "/b.json", *file),
        Surrounding("ts", "a.json", *file),
        Surrounding("ts", "/w2/b.json", *file),
    )


def test_what_is_missing_is_one_record_for_each_folder_there_is(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    root = str(tmp_path)
    names = ("one.py", "two.py", "app/x.py", "app/y", "gone/z.py")
    read = dict.fromkeys((*(f"{root}/{name}" for name in names), "/nowhere-at-all"), NOT_THERE)
    found = surroundings_of("python", read, root, {"two.py"})
    assert [(one.path, one.digest) for one in found] == [
        ("/nowhere-at-all", "absent"),
        ("app", "lacks x.py/y"),
        ("gone/z.py", "absent"),
        ("", "lacks one.py"),
    ]
    assert found[1][2:5] == ((at := (tmp_path / "app").stat()).st_mtime_ns, at.st_ctime_ns, at.st_ino)
