"""The side file beside a manifest: what is true of a snapshot on this machine only, under a seal.

One line with the seal, one line of JSON, then blocks of records sorted by path: signatures and hashes of all
files, folders and ignore files as the build saw them. The JSON line holds each block's first path and
digest, so the seal covers everything although a question reads only the blocks it needs. This module must
not know what a signature is compared with.
"""

from __future__ import annotations

import json
import os
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import chain, groupby, islice, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from codetrail.errors import IndexUnusable
from codetrail.store.snapshot_folder import HINT, foreign
from codetrail.workspace.changes import Recorded, RecordedFile
from codetrail.workspace.reading import FolderStat
from codetrail.workspace.seal import is_sealed, seal
from codetrail.workspace.surroundings import Surrounding

if TYPE_CHECKING:
    pass

FORMAT = 3
_BLOCK = 128
_HEADER_LIMIT = 64 << 20
_NO_HASH = bytes(32)


class UnitTime(NamedTuple):
    """When the rows of a unit were made (nanoseconds since the epoch) and how long that took."""

    indexed_ns: int
    seconds: float


class ShardStat(NamedTuple):
    """The signature of a shard's file: as long as it stays, the bytes are those that were hashed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Times(NamedTuple):
    """When the build began and ended, in nanoseconds since the epoch, and each unit's time by digest."""

    started_ns: int
    finished_ns: int
    units: Mapping[str, UnitTime]


class _Block(NamedTuple):
    first: str
    offset: int
    size: int
    records: int
    sha256: str


def dump(
    key: bytes, snapshot: str, recorded: Recorded, times: Times, shards: Mapping[str, ShardStat]
) -> bytes:
    """Return the bytes of the side file of the snapshot with that key, sealed."""
    body = bytearray()
    files = sorted(recorded.files)
    header: dict[str, Any] = {
        "format": FORMAT,
        "started": times.started_ns,
        "finished": times.finished_ns,
        "recorded": recorded.started_ns,
        "exclude": list(recorded.exclude),
        "surroundings": _around(body, recorded.surroundings),
        "units": {digest: list(unit) for digest, unit in sorted(times.units.items())},
        "shards": {file: list(stat) for file, stat in sorted(shards.items())},
        "files": _blocks(body, files, hashed=True),
        "folders": _blocks(body, sorted(recorded.folders), hashed=False),
        "ignoreFiles": _blocks(body, sorted(recorded.ignore_files), hashed=True),
    }
    line = json.dumps(header, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode("ascii")
    mark = seal(key, snapshot.encode("ascii"), line)
    return b"\n".join((mark.encode("ascii"), line, bytes(body)))


def _blocks(body: bytearray, records: Sequence[tuple[Any, ...]], hashed: bool) -> list[list[str | int]]:
    """Append records (path, numbers…, and a hash when ``hashed``) and return their table of blocks."""
    blocks: list[list[str | int]] = []
    for start in range(0, len(records), _BLOCK):
        part = records[start : start + _BLOCK]
        paths, *columns = zip(*part, strict=True)
        hashes = columns.pop() if hashed else ()
        inodes = columns.pop()
        data = b"".join(
            [
                *[struct.pack(f"<{len(part)}q", *column) for column in columns],
                struct.pack(f"<{len(part)}Q", *inodes),
                *[bytes.fromhex(digest) or _NO_HASH for digest in hashes],
                "\0".join(paths).encode("utf-8"),
            ]
        )
        blocks.append([paths[0], len(body), len(data), len(part), sha256(data).hexdigest()])
        body += data
    return blocks


def _around(body: bytearray, recorded: Iterable[Surrounding]) -> dict[str, list[list[str | int]]]:
    """Append what answers depend on outside the tree, and return the tables of blocks by language."""
    found: dict[str, list[list[str | int]]] = {}
    ordered = sorted(recorded)
    for language, group in groupby(ordered, key=lambda one: one.language):
        blocks: list[list[str | int]] = []
        while part := tuple(islice(group, _BLOCK)):
            _, paths, mtimes, ctimes, inodes, digests = zip(*part, strict=True)
            data = b"".join(
                [
                    struct.pack(f"<{len(part)}q", *mtimes),
                    struct.pack(f"<{len(part)}q", *ctimes),
                    struct.pack(f"<{len(part)}Q", *inodes),
                    "\0".join((*paths, *digests)).encode("utf-8", "surrogateescape"),
                ]
            )
            blocks.append(["", len(body), len(data), len(part), sha256(data).hexdigest()])
            body += data
        found[language] = blocks
    return found


class LocalFacts:
    """The opened side file. Times are nanoseconds since the epoch."""

    __slots__ = ("_blocks", "_body", "_handle", "_surroundings", "exclude", "recorded_ns", "shards", "times")

    def __init__(self, handle: int, body: int, header: dict[str, Any]) -> None:
        self._handle = handle
        self._body = body
        self._blocks = {
            name: [_Block(*block) for block in header[name]] for name in ("files", "folders", "ignoreFiles")
        }
        self.recorded_ns: int = header["recorded"]
        self.exclude: tuple[str, ...] = tuple(header["exclude"])
        self._surroundings = {
            language: [_Block(*block) for block in blocks]
            for language, blocks in header["surroundings"].items()
        }
        self.shards = {file: ShardStat(*stat) for file, stat in header["shards"].items()}
        units = {digest: UnitTime(*unit) for digest, unit in header["units"].items()}
        self.times = Times(header["started"], header["finished"], units)

    def recorded(self) -> Recorded:
        """Return everything the build saw of the tree, for a check of the whole scope."""
        from codetrail.workspace.files import IgnoreFile

        files = chain.from_iterable(map(self._files, self._blocks["files"]))
        folders = chain.from_iterable(map(self._folders, self._blocks["folders"]))
        ignore_files = [
            IgnoreFile(*file[:5], "" if file.size < 0 else file.sha256)
            for block in self._blocks["ignoreFiles"]
            for file in self._files(block)
        ]
        surroundings = chain.from_iterable(map(self.surroundings, self._surroundings))
        return Recorded(
            tuple(files),
            tuple(folders),
            tuple(ignore_files),
            self.recorded_ns,
            self.exclude,
            tuple(surroundings),
        )

    def surroundings(self, language: str) -> list[Surrounding]:
        """Return what answers about a language depend on outside the tree, sorted by path."""
        found: list[Surrounding] = []
        for block in self._surroundings.get(language, ()):
            data = self._read(block)
            count = block.records
            numbers = struct.unpack_from(f"<{2 * count}q{count}Q", data)
            texts = data[24 * count :].decode("utf-8", "surrogateescape").split("\0")
            columns = (numbers[start : start + count] for start in range(0, 3 * count, count))
            found += map(
                Surrounding._make,
                zip(repeat(language, count), texts[:count], *columns, texts[count:], strict=True),
            )
        return found

    def recorded_files(self, paths: Iterable[str]) -> Recorded:
        """Return what the build saw of some files only; reads just the blocks that hold them."""
        blocks = self._blocks["files"]
        firsts = [block.first for block in blocks]
        wanted: dict[int, set[str]] = {}
        for path in paths:
            wanted.setdefault(bisect_right(firsts, path) - 1, set()).add(path)
        found: list[RecordedFile] = []
        for index in sorted(wanted.keys() - {-1}):
            columns = self._columns(blocks[index], 4, hashed=True)
            known = columns[0]
            for path in sorted(wanted[index]):
                place = bisect_left(known, path)
                if place < len(known) and known[place] == path:
                    found.append(RecordedFile._make([column[place] for column in columns]))
        return Recorded(tuple(found), (), (), self.recorded_ns, self.exclude)

    def _files(self, block: _Block) -> list[RecordedFile]:
        return list(map(RecordedFile._make, zip(*self._columns(block, 4, hashed=True), strict=True)))

    def _folders(self, block: _Block) -> list[FolderStat]:
        return list(map(FolderStat._make, zip(*self._columns(block, 3, hashed=False), strict=True)))

    def _columns(self, block: _Block, numbers: int, *, hashed: bool) -> list[Sequence[Any]]:
        """Read one block as columns: paths, numbers, hashes. Whole columns are read several times faster
        than records, and a check of a large tree reads all of them."""
        data = self._read(block)
        count = block.records
        end = 8 * count * numbers
        values = struct.unpack_from(f"<{count * (numbers - 1)}q{count}Q", data)
        columns: list[Sequence[Any]] = [
            values[start : start + count] for start in range(0, len(values), count)
        ]
        if hashed:
            text = data[end : end + 32 * count].hex()
            columns.append([text[start : start + 64] for start in range(0, len(text), 64)])
            end += 32 * count
        return [data[end:].decode("utf-8").split("\0"), *columns]

    def _read(self, block: _Block) -> bytes:
        data = os.pread(self._handle, block.size, self._body + block.offset)
        if sha256(data).hexdigest() != block.sha256:
            raise foreign("its record of the files was changed")
        return data

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def load(handle: int, key: bytes, snapshot: str) -> LocalFacts:
    """Read the side file behind a handle, which the result then owns.

    Raises IndexUnusable ``index_foreign`` where the seal is not that of ``key`` over this snapshot.
    """
    start = os.pread(handle, 1 << 16, 0)
    size = os.fstat(handle).st_size
    end = start.find(b"\n", 65)
    while end < 0 and len(start) < min(size, _HEADER_LIMIT):
        more = os.pread(handle, len(start), len(start))
        if not more:
            break
        end = start.find(b"\n", len(start))
        start += more
        end = start.find(b"\n", 65)
    mark = start[:64].decode("ascii", "replace")
    if end < 0 or start[64:65] != b"\n" or not is_sealed(key, mark, snapshot.encode("ascii"), start[65:end]):
        raise foreign("it was not made by this user on this machine")
    header = json.loads(start[65:end])
    if header["format"] != FORMAT:
        raise IndexUnusable(
            "The index was made by another version of CodeTrail.", code="index_incompatible", hint=HINT
        )
    return LocalFacts(handle, end + 1, header)
