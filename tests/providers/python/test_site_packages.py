"""What is installed is read as data, however hostile the folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from codetrail.providers.python import site_packages


def install(site: Path, name: str, version: str, record: str | None, **files: str) -> None:
    """Make a ``*.dist-info`` and the modules its RECORD lists."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: other\n"
    )
    if record is not None:
        (info / "RECORD").write_text(record)
    for file, text in files.items():
        (info / file).write_text(text)


def owned(site: Path) -> Mapping[str, list[str]]:
    found = site_packages.installed_in(str(site)).distributions
    prefixes = site_packages.prefixes_of(found)
    return {one.name: [os.path.relpath(path, site) for path in prefixes[one]] for one in found}


def test_each_distribution_owns_its_shortest_paths(tmp_path: Path) -> None:
    install(tmp_path, "google-auth", "2.0", "google/auth/a.py,,\ngoogle/oauth2/b.py,,\n")
    install(
        tmp_path, "protobuf", "7.1", "google/protobuf/c.py,,\ngoogle/_upb/_m.so,,\ngoogle/protobuf/d/e.py,,"
    )
    install(
        tmp_path,
        "six",
        "1.16",
        "six.py,sha256=x,1\n__pycache__/six.cpython-311.pyc,,\nsix-1.16.dist-info/RECORD,,",
    )
    install(tmp_path, "attrs", "24", "attr/__init__.py,,\nattrs/__init__.py,,\n")
    assert owned(tmp_path) == {
        "attrs": ["attr", "attrs"],
        "google-auth": ["google/auth", "google/oauth2"],
        "protobuf": ["google/_upb", "google/protobuf"],
        "six": ["six.py"],
    }


def test_a_file_that_two_claim_belongs_to_neither(tmp_path: Path) -> None:
    install(tmp_path, "a", "1", "tests/__init__.py,,\ntests/a.py,,\n")
    install(tmp_path, "b", "1", "tests/__init__.py,,\nb.py,,\n")
    assert owned(tmp_path) == {"a": ["tests/a.py"], "b": ["b.py"]}


@pytest.mark.parametrize(
    "record",
    [
        pytest.param("../../../bin/x,,\n../../etc/passwd,,\n", id="above"),
        pytest.param("/etc/passwd,,\n", id="absolute"),
        pytest.param("a/../../x.py,,\n./a.py,,\n", id="dots"),
        pytest.param("a\\..\\..\\x.py,,\n", id="backslashes"),
        pytest.param("\n\n,,\n", id="empty"),
        pytest.param("/".join("d" * 100) + "/x.py,,\n", id="deep"),
        pytest.param('"' + "x" * 200_000 + "\n", id="open quote"),
        pytest.param("a\0b.py,,\n", id="NUL"),
    ],
)
def test_record_lines_that_lead_elsewhere_own_nothing(tmp_path: Path, record: str) -> None:
    install(tmp_path, "evil", "1", record + "good.py,,\n" if not record.startswith('"') else record)
    assert set(owned(tmp_path)["evil"]) <= {"good.py"}
    assert record.startswith('"') or owned(tmp_path)["evil"] == ["good.py"]


def test_a_record_too_large_to_read_is_not_read(tmp_path: Path) -> None:
    install(tmp_path, "huge", "1", "")
    with (tmp_path / "huge-1.dist-info" / "RECORD").open("wb") as file:
        file.truncate(1 << 40)
    (tmp_path / "huge.py").write_text("")
    assert owned(tmp_path) == {"huge": ["huge.py"]}


def test_many_lines_stay_cheap_and_right(tmp_path: Path) -> None:
    install(tmp_path, "wide", "1", "".join(f"wide/m{n}.py,,\n" for n in range(50_000)))
    assert owned(tmp_path) == {"wide": ["wide"]}


def test_without_a_record_declared_names_count(tmp_path: Path) -> None:
    for name in ("top", "other", "Old_Name"):
        (tmp_path / name).mkdir()
    install(tmp_path, "declared", "1", None, **{"top_level.txt": "top\nmissing\n../x\n"})
    install(tmp_path, "Old-Name", "1", None)
    assert owned(tmp_path) == {"Old-Name": ["Old_Name"], "declared": ["top"]}


def test_an_egg_info_file_is_a_distribution(tmp_path: Path) -> None:
    (tmp_path / "legacy.egg-info").write_text("Name: legacy\nVersion: 0.1\n")
    (tmp_path / "legacy.py").write_text("")
    assert owned(tmp_path) == {"legacy": ["legacy.py"]}


@pytest.mark.parametrize(
    "metadata",
    [
        pytest.param("Version: 1\n", id="no name"),
        pytest.param("Name: a\n", id="no version"),
        pytest.param("Name: ../../x\nVersion: 1\n", id="a path as name"),
        pytest.param("Name: a\x1b[31m\nVersion: 1\n", id="an escape sequence"),
        pytest.param("Name: a b\nVersion: 1\n", id="a space"),
        pytest.param("Name: a\nVersion: 1 `x`\n", id="a bad version"),
        pytest.param("Name: " + "a" * 500 + "\nVersion: 1\n", id="too long"),
    ],
)
def test_metadata_that_names_nothing_is_counted(tmp_path: Path, metadata: str) -> None:
    (tmp_path / "x-1.dist-info").mkdir()
    (tmp_path / "x-1.dist-info" / "METADATA").write_text(metadata)
    assert site_packages.installed_in(str(tmp_path)) == ((), 1)


@pytest.mark.parametrize("kind", ["fifo", "link to a device", "folder", "missing"])
def test_metadata_that_is_no_file_does_not_block(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "x-1.dist-info"
    folder.mkdir()
    if kind == "fifo":
        os.mkfifo(folder / "METADATA")
    elif kind == "link to a device":
        (folder / "METADATA").symlink_to("/dev/zero")
    elif kind == "folder":
        (folder / "METADATA").mkdir()
    assert site_packages.installed_in(str(tmp_path)) == ((), 1)


def test_the_digest_follows_the_record(tmp_path: Path) -> None:
    install(tmp_path, "a", "1", "a.py,sha256=one,1\n")
    before = site_packages.installed_in(str(tmp_path)).distributions[0].digest
    (tmp_path / "a-1.dist-info" / "RECORD").write_text("a.py,sha256=two,1\n")
    assert site_packages.installed_in(str(tmp_path)).distributions[0].digest != before


def test_path_files_add_folders_and_never_run(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "below").mkdir(parents=True)
    (tmp_path / "src").mkdir()
    canary = tmp_path / "canary"
    (site / "a.pth").write_text(
        f"# a remark\nimport os; os.system('touch {canary}')\nimport\tos\n"
        f"{tmp_path}/src\n\nbelow\nnone\n../src\n"
    )
    (site / ".hidden.pth").write_text(f"{tmp_path}\n")
    (site / "zeros.pth").write_bytes(b"\0\n" * 1000)
    found = site_packages.path_files_of(str(site))
    assert found[:2] == ((f"{tmp_path}/src", f"{site}/below"), 2)
    assert found.read == tuple(sorted(str(path) for path in site.glob("[!.]*.pth")))
    assert not canary.exists()


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            '{"url": "file://ROOT/my%20project", "dir_info": {"editable": true}}', True, id="editable"
        ),
        pytest.param('{"url": "file://ROOT/my%20project", "dir_info": {}}', False, id="not editable"),
        pytest.param('{"url": "http://ROOT", "dir_info": {"editable": true}}', False, id="web"),
        pytest.param('{"url": "file://host/ROOT", "dir_info": {"editable": true}}', False, id="another host"),
        pytest.param(
            r'{"url": "file:///x\ud800", "dir_info": {"editable": true}}', False, id="half a surrogate pair"
        ),
        pytest.param("[" * 50_000, False, id="nested"),
        pytest.param('{"url": "file:relative", "dir_info": {"editable": true}}', False, id="relative"),
        pytest.param('{"url": "file:///none/%00", "dir_info": {"editable": true}}', False, id="NUL"),
        pytest.param('{"url": 5, "dir_info": {"editable": true}}', False, id="no text"),
        pytest.param("[" * 60_000, False, id="nested without end"),
    ],
)
def test_editable_installs_name_their_project(tmp_path: Path, content: str, expected: bool) -> None:
    (tmp_path / "my project").mkdir()
    install(tmp_path, "mine", "1", "", **{"direct_url.json": content.replace("ROOT", str(tmp_path))})
    found = site_packages.installed_in(str(tmp_path)).distributions[0]
    assert found.editable == (str(tmp_path / "my project") if expected else None)
