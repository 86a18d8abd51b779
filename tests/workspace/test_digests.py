from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from codetrail.workspace.digests import (
    content_hash,
    hash_source,
    line_hashes,
    split_lines,
)
from codetrail.workspace.reading import opened_root

WriteTree = Any


def test_content_hash_is_sha256_of_all_bytes() -> None:
    assert content_hash(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\n\n", [b"a", b""]),
        (b"a\r\nb\rc\nd", [b"a", b"b", b"c", b"d"]),
        (b"a\r\r\nb", [b"a", b"", b"b"]),
        ("a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg".encode(), ["a\x0bb\x0cc\x85d\u2028e\u2029f\x1cg".encode()]),
        (b"a\0b\n", [b"a\0b"]),
    ],
    ids=repr,
)
def test_split_lines(data: bytes, lines: list[bytes]) -> None:
    assert split_lines(data) == lines


def test_line_hashes_are_four_bytes_each() -> None:
    expected = [hashlib.blake2b(line).digest()[:4] for line in (b"a", b"", b"a")]
    hashes = line_hashes([b"a", b"", b"a"])
    assert [hashes[i : i + 4] for i in range(0, 12, 4)] == expected
    assert line_hashes([]) == b""


def test_five_megabytes_on_one_line() -> None:
    data = b"x=1;" * 1_300_000
    assert len(split_lines(data)) == 1
    assert len(line_hashes(split_lines(data))) == 4


def test_hash_source_reads_files_of_any_size(top: Path, write: WriteTree) -> None:
    data = b"x" * 3_000_000 + b"y"
    write({"a/x.py": data})
    with opened_root(str(top)) as handle:
        found = hash_source(handle, "a/x.py")
        assert not isinstance(found, str)
        assert found[0].path == "a/x.py"
        assert found[0].size == len(data)
        assert found[1] == content_hash(data)
        assert hash_source(handle, "a/none.py") == "missing"


def test_hash_source_sees_a_write_during_the_read(
    top: Path, write: WriteTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"x.py": "one"})
    real = os.read

    def read_then_write(handle: int, count: int) -> bytes:
        data = real(handle, count)
        (top / "x.py").write_bytes(b"something else")
        return data

    monkeypatch.setattr(os, "read", read_then_write)
    with opened_root(str(top)) as handle:
        assert hash_source(handle, "x.py") == "changed"
