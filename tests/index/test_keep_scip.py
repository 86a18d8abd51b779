"""Copies of SCIP files go where the user said, and over nothing that is not one of ours."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codetrail.errors import CodeTrailError, SystemFailure, UsageError
from codetrail.index.keep_scip import keeper
from codetrail.scip.reader import scan
from tests.index.building import Bench, FakeProvider, states
from tests.scip_bytes import document, index


def test_copies_are_whole_indexes(bench: Bench, fake: FakeProvider, tmp_path: Path) -> None:
    fake.units = ("app", "lib/core")
    bench.write(app__m="def f(): pass\n", lib__core__m="def g(): pass\n", main="f()\n")
    kept = tmp_path / "kept"
    bench.build(keep_scip=str(kept))
    assert sorted(os.listdir(kept)) == ["python-app.scip", "python-lib-core.scip", "python.scip"]
    with scan(str(kept / "python-app.scip")) as file:
        assert [entry.path for entry in file.documents] == ["app/m.py"]
    # Again over its own copies, with nothing left beside them.
    bench.build(keep_scip=str(kept), force=True)
    assert len(os.listdir(kept)) == 3


def test_a_failed_unit_leaves_no_copy(bench: Bench, fake: FakeProvider, tmp_path: Path) -> None:
    bench.write(a="def f(): pass\n")
    fake.failing = frozenset({"python:."})
    bench.build(keep_scip=str(tmp_path / "kept"))
    assert os.listdir(tmp_path / "kept") == []


def put_file(place: Path) -> None:
    place.write_text("my notes\n")


def put_link(place: Path) -> None:
    (place.parent / "elsewhere.scip").write_bytes(index(document("a.py")))
    place.symlink_to("elsewhere.scip")


def put_dangling_link(place: Path) -> None:
    place.symlink_to("/nowhere/at/all")


def put_folder(place: Path) -> None:
    place.mkdir()


def put_pipe(place: Path) -> None:
    os.mkfifo(place)


@pytest.mark.parametrize("put", [put_file, put_link, put_dangling_link, put_folder, put_pipe])
def test_what_is_no_index_is_not_replaced(
    bench: Bench, fake: FakeProvider, tmp_path: Path, put: object
) -> None:
    assert callable(put)
    bench.write(a="def f(): pass\n")
    kept = tmp_path / "kept"
    kept.mkdir()
    put(kept / "python.scip")
    before = os.lstat(kept / "python.scip")
    with pytest.raises(SystemFailure):
        bench.build(keep_scip=str(kept))
    assert fake.runs == []
    after = os.lstat(kept / "python.scip")
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert states(bench.build()) == {"python:.": "built"}


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("mine\n")
    with pytest.raises(UsageError):
        keeper(str(tmp_path / "kept"), ["python:."])
    assert (tmp_path / "kept").read_text() == "mine\n"


def test_no_two_units_share_a_copy(tmp_path: Path) -> None:
    units = ["python:a/b", "python:a-b", "python:a b", "python:."]
    keep = keeper(str(tmp_path / "kept"), units)
    assert keep is not None
    for number, unit in enumerate(units):
        source = tmp_path / f"{number}.scip"
        source.write_bytes(index(document(f"{number}.py")))
        keep(unit, str(source))
    assert len(os.listdir(tmp_path / "kept")) == 4


def test_a_copy_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    keep = keeper(str(tmp_path / "kept"), ["python:."])
    assert keep is not None
    with pytest.raises(CodeTrailError) as raised:
        keep("python:.", str(tmp_path / "missing.scip"))
    assert (raised.value.code, os.listdir(tmp_path / "kept")) == ("io_error", [])


def test_no_folder_means_no_copies() -> None:
    assert keeper(None, ["python:."]) is None
