"""Small documents that the tests of the store write and read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from codetrail.model import facts, kinds
from codetrail.model.documents import Definition, DocumentFacts, Extent, Occurrence, Relation, SymbolInfo
from codetrail.model.ranges import Range
from codetrail.store import schema
from codetrail.store.build_lock import build_lock
from codetrail.store.local_facts import Times, UnitTime
from codetrail.store.manifest import Manifest, ManifestEntry
from codetrail.store.shard_writer import ShardRecord, ShardWriter
from codetrail.store.snapshot_folder import opened
from codetrail.store.snapshots import publish
from codetrail.workspace.changes import Recorded, RecordedFile
from codetrail.workspace.files import IgnoreFile
from codetrail.workspace.reading import FolderStat

PACKAGE = "codetrail-python python shop 1.0"
CLASS = f"{PACKAGE} `shop.cart`/Cart#"
METHOD = f"{PACKAGE} `shop.cart`/Cart#add()."
FUNCTION = f"{PACKAGE} `shop.cart`/total()."
MODULE = f"{PACKAGE} `shop.cart`/__init__:"
EXTERNAL = "codetrail-python python requests 2.0 `requests.api`/get()."
CALL = facts.USES.index("call")
IMPORT = facts.USES.index("import")
VALUE = facts.USES.index("value")


def span(line: int, column: int = 0, width: int = 4) -> Range:
    """Return a range on one line."""
    return Range(line, column, line, column + width)


def cart(**changes: Any) -> DocumentFacts:
    """Return a document that has something in every part of a shard."""
    given: dict[str, Any] = {
        "path": "shop/cart.py",
        "language": "python",
        "sha256": bytes(range(32)),
        "size": 400,
        "flags": 0,
        "state": 0,
        "tokens": 30,
        "bound": 28,
        "line_hashes": bytes(range(40)),
        "occurrences": (
            Occurrence(CLASS, span(0, 6), facts.ROLE_DEFINITION, 0, -1),
            Occurrence(METHOD, span(1, 8), facts.ROLE_DEFINITION, 0, 1),
            Occurrence(FUNCTION, span(2, 8), facts.ROLE_READ, CALL, 1),
            Occurrence(FUNCTION, span(4, 4), facts.ROLE_DEFINITION, 0, 2),
            Occurrence(EXTERNAL, span(5, 4), facts.ROLE_READ, CALL, 2),
            Occurrence(FUNCTION, span(6, 4), facts.ROLE_READ, CALL, 2),
        ),
        "definitions": (
            Definition(CLASS, span(0, 6), Range(0, 0, 3, 0)),
            Definition(METHOD, span(1, 8), Range(1, 4, 3, 0)),
            Definition(FUNCTION, span(4, 4), None),
        ),
        "extents": (
            Extent(CLASS, kinds.NUMBERS["class"], "Cart", "Cart", -1, span(0, 6), Range(0, 0, 3, 0), 0),
            Extent(METHOD, kinds.NUMBERS["method"], "add", "Cart.add", 0, span(1, 8), Range(1, 4, 3, 0), 0),
            Extent(
                FUNCTION, kinds.NUMBERS["function"], "total", "total", -1, span(4, 4), Range(4, 0, 8, 0), 0
            ),
            Extent("", kinds.NUMBERS["class"], "Hidden", "total.Hidden", 2, span(7, 8), Range(7, 4, 8, 0), 1),
        ),
        "symbols": (
            SymbolInfo(CLASS, kinds.NUMBERS["class"], "Cart", "class Cart", "A cart.", ""),
            SymbolInfo(METHOD, 0, "", "def add(self)", "", CLASS),
        ),
        "relations": (Relation(METHOD, f"{PACKAGE} `shop.base`/Base#add().", facts.REL_IMPLEMENTATION),),
        "imports": (("shop/base.py", True), ("stripe", False)),
        "unbound": {"checkout": 2},
    }
    return DocumentFacts(**{**given, **changes})


def write(
    pool: Path,
    documents: Iterable[DocumentFacts],
    *,
    unit: str = "python:.",
    externals: Iterable[SymbolInfo] = (),
) -> ShardRecord:
    """Write a shard into a folder."""
    pool.mkdir(parents=True, exist_ok=True)
    writer = ShardWriter(str(pool), meta={"provider": "python"}, unit=unit)
    for info in externals:
        writer.add_external(info)
    for document in documents:
        writer.add(document)
    return writer.finish()


UNIT_DIGEST = "d" * 64


def entry(record: ShardRecord, **changes: Any) -> ManifestEntry:
    """Return the manifest entry of a shard of the only unit."""
    given: dict[str, Any] = {
        "unit": "python:.",
        "unit_digest": UNIT_DIGEST,
        "kind": "occurrences",
        "language": "python",
        "provider": "python",
        "provider_version": "1",
        "engine": "pyright",
        "engine_version": "1.40",
        "repository": ".",
        "root": "",
        "state": "built",
        "file": f"{record.sha256}.db",
        "size": record.size,
        "sha256": record.sha256,
        "schema_version": schema.SCHEMA_VERSION,
        "first_path": record.first_path,
        "last_path": record.last_path,
    }
    return ManifestEntry(**{**given, **changes})


def recorded(count: int = 3) -> Recorded:
    """Return what a build saw of a tree: files, folders, and an ignore file that is not there."""
    return Recorded(
        tuple(
            RecordedFile(
                f"shop/f{number:05d}.py",
                number,
                10**18 + number,
                -number,
                2**64 - 1 - number,
                f"{number:064x}",
            )
            for number in range(count)
        ),
        (FolderStat("", 1, 2, 3), FolderStat("shop", 4, 5, 6)),
        (IgnoreFile(".gitignore", -1, 0, 0, 0, ""), IgnoreFile("shop/.gitignore", 3, 1, 2, 4, "ab" * 32)),
        12345,
        ("build/",),
    )


TIMES = Times(10, 20, {UNIT_DIGEST: UnitTime(15, 2.5)})


def build(root: str, env: Mapping[str, str], *, commit: str = "", **options: Any) -> str:
    """Publish a snapshot of one shard, as a build does, and return its key."""
    with opened(root, create=True) as folder, build_lock(folder):
        record = write(Path(folder.pool), [cart(size=len(commit))])
        listed = Manifest((entry(record),), commit=commit, kind=options.pop("kind", "build"))
        return publish(folder, listed, recorded(), TIMES, env=env, **options)
