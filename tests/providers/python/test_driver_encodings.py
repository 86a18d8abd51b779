"""The driver's decoder and ours read the same characters, byte by byte, and end to end the same columns."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from codetrail.model.ranges import UTF16, LineIndex
from codetrail.providers.node_driver import driver_encodings
from codetrail.providers.python import engine
from codetrail.workspace.encodings import (
    MANY_BYTES,
    ONE_BYTE,
    encoding_tables,
    is_read_otherwise,
    utf8_source,
)
from tests.providers.python.driver_index import NODE, index_tree, write_tree
from tests.workspace.test_encodings import READ_OTHERWISE, SAMPLES, UNTOUCHED, is_known

_LINE_END = re.compile(r"\r\n|\r|\n")
_READ = """
const { decodeSource } = require(process.argv[1]);
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk)).on("end", () => {
  const { encodings, files } = JSON.parse(Buffer.concat(chunks));
  const read = files.map((file) => decodeSource(Buffer.from(file, "latin1"), encodings));
  process.stdout.write(JSON.stringify(read));
});
"""


def read_by_driver(files: list[bytes]) -> list[str]:
    """Return the texts that the driver's decoder makes of files."""
    decoder = os.path.join(engine.driver_folder(), "source_text.js")
    request = {"encodings": driver_encodings(), "files": [file.decode("latin-1") for file in files]}
    done = subprocess.run(
        [NODE, "-e", _READ, decoder], input=json.dumps(request).encode(), capture_output=True, check=True
    )
    texts: list[str] = json.loads(done.stdout)
    return texts


def read_by_us(file: bytes) -> str:
    return utf8_source(file, "python").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")


def test_files_read_alike() -> None:
    files = [f"# coding: {name}\n{text}\n".encode(_plain(name)) for name, text in SAMPLES.items()]
    files += [file for file in UNTOUCHED.values() if not is_read_otherwise(file, "python", by_tables=True)]
    files += [file for file, ours, _ in READ_OTHERWISE.values() if not ours]
    assert read_by_driver(files) == [read_by_us(file) for file in files]


def _plain(name: str) -> str:
    return name.removesuffix("-unix").removesuffix("-dos").replace("-sig", "")


def test_every_spelling_and_every_byte_reads_alike() -> None:
    names = encoding_tables().names
    files = [
        f"\n# vim: set fileencoding={name.upper()} :\n".encode() + bytes([byte]) + b"x"
        for name, codec in names.items()
        if codec in ONE_BYTE
        for byte in range(128, 256)
        if name == codec or byte == 0xC3
    ]
    assert read_by_driver(files) == [read_by_us(file) for file in files]


@pytest.mark.parametrize("codec", MANY_BYTES)
def test_every_sequence_of_bytes_has_the_same_columns(codec: str) -> None:
    head = f"# coding: {codec}\n".encode()
    bodies = [bytes([one]) for one in range(128, 256)]
    bodies += [bytes([one, two]) for one in range(128, 256) for two in range(256)]
    if codec == "euc_jp":
        bodies += [bytes([0x8F, one, two]) for one in range(0xA0, 256) for two in range(0xA0, 256)]
    if codec == "gb18030":
        bodies += [chr(point).encode(codec) for point in range(0x10000, 0x110000, 997)]
        bodies += [chr(point).encode(codec) for point in range(0x80, 0xD800, 7)]
    files = [head + b"'" + body + b"' x" for body in bodies]
    sure = [file for file in files if not is_read_otherwise(file, "python", by_tables=True)]
    assert len(sure) > 5000
    for file, text in zip(sure, read_by_driver(sure), strict=True):
        ours = read_by_us(file)
        assert [*map(_units, text)] == [*map(_units, ours)], file
        assert text[-3:] == ours[-3:]


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_the_driver_counts_columns_in_that_text(tmp_path: Path) -> None:
    files = {
        f"m{number}.py": f'# coding: {name}\ns = """{text}"""; name = 1\nname\n'.encode(_plain(name))
        for number, (name, text) in enumerate(SAMPLES.items())
    }
    write_tree(tmp_path / "work", files)
    run = index_tree(tmp_path / "work", tmp_path / "run")
    for path, content in files.items():
        run.texts[path] = read_by_us(content)
        assert run.symbols_at(path, "name = 1", "name") == {f"{path[:-3]}/name."}, content


def test_columns_of_any_text_are_those_of_pythons_own_decoding() -> None:
    source = random.Random(263)
    files = []
    for codec in (*ONE_BYTE, *MANY_BYTES, "utf_8"):
        characters = [char for char in map(chr, range(0x20, 0x3000)) if is_known(char, codec)]
        characters += [char for char in ("茶", "綠", "표", "𝒳", "🍵", "ｱ") if is_known(char, codec)]
        for _ in range(8):
            lines = ["".join(source.choices(characters, k=source.randrange(30))) for _ in range(6)]
            text = f"# coding: {codec}\n" + source.choice(("\n", "\r\n", "\r")).join(lines)
            data = text.encode(codec)
            files.append((data.decode(codec), data))  # some characters come back as their twins
    sure = [pair for pair in files if not is_read_otherwise(pair[1], "python", by_tables=True)]
    assert len(sure) > len(files) * 0.9
    for (text, data), read in zip(sure, read_by_driver([data for _, data in sure]), strict=True):
        index = LineIndex(utf8_source(data, "python"))
        ours, theirs = _LINE_END.split(text), _LINE_END.split(read)
        assert len(index) == len(ours) == len(theirs)
        for number, (line, seen) in enumerate(zip(ours, theirs, strict=True)):
            assert index.line_text(number) == line
            assert _units(seen) == _units(line)
            for column in range(len(line) + 1):
                assert index.column(number, _units(seen[:column]), UTF16) == column
