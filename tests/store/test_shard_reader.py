"""Opening shards: what is refused, and that every SELECT seeks."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

import codetrail.store
from codetrail.errors import CodeTrailError, IndexUnusable, SystemFailure
from codetrail.store import (
    read_documents,
    read_names,
    read_occurrences,
    read_symbols,
    schema,
    shard_reader,
)
from codetrail.store.shard_reader import Shard, open_shard
from tests.store.builders import FUNCTION, cart, write

READERS = (shard_reader, read_names, read_symbols, read_occurrences, read_documents)
STATEMENTS = [(name, text, scans) for module in READERS for name, text, scans in module.SELECTS]
MAY_SCAN = {"schema", "meta", "names containing", "packages", "listed symbols", "all syntax definitions"}


@pytest.mark.parametrize(
    ("name", "text", "scans"), STATEMENTS, ids=[statement[0] for statement in STATEMENTS]
)
def test_every_select_is_a_search(shard_of: Callable[..., Shard], name: str, text: str, scans: bool) -> None:
    assert scans == (name in MAY_SCAN)
    shard = shard_of(cart())
    values = 3 if "?3" in text else text.count("?")
    plan = [row[3] for row in shard.rows(f"EXPLAIN QUERY PLAN {text}", (1,) * values)]
    assert plan
    for step in plan:
        if not step.startswith(("SEARCH ", "SCAN j VIRTUAL TABLE")):
            assert scans or step.startswith(("CORRELATED SCALAR SUBQUERY", "USE TEMP B-TREE FOR LAST")), step


def test_no_select_of_the_readers_is_left_out() -> None:
    listed = {text for _, text, _ in STATEMENTS}
    for module in READERS:
        constants = [
            value for key, value in vars(module).items() if key.startswith("_") and isinstance(value, str)
        ]
        assert {text for text in constants if text.startswith("SELECT ")} <= listed
    written = ("shard_writer", "shard_placement", "shard_symbols", "symbol_ids")
    for info in pkgutil.iter_modules(codetrail.store.__path__):
        module = importlib.import_module(f"codetrail.store.{info.name}")
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        if re.search(r"\bSELECT\b", source.replace("SELECTs", "")) and info.name not in written:
            assert module in READERS, f"{info.name} has a SELECT that no plan is tested of"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return the path of a good shard."""
    record = write(tmp_path, [cart(path=f"shop/{number:03d}.py") for number in range(40)])
    return tmp_path / f"{record.sha256}.db"


def refused(path: Path) -> str:
    with pytest.raises(IndexUnusable) as caught:
        open_shard(str(path)).close()
    assert caught.value.exit_status == 6
    assert str(path.parent) not in caught.value.message
    return caught.value.code


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        pytest.param("CREATE VIEW loot AS SELECT * FROM doc", "index_corrupt", id="a view"),
        pytest.param(
            "CREATE TRIGGER t AFTER INSERT ON doc BEGIN SELECT 1; END", "index_corrupt", id="a trigger"
        ),
        pytest.param("CREATE TABLE more(x)", "index_corrupt", id="a table too many"),
        pytest.param("CREATE INDEX more ON doc(lang)", "index_corrupt", id="an index too many"),
        pytest.param("DROP INDEX occ_place", "index_corrupt", id="an index too few"),
        pytest.param("CREATE VIRTUAL TABLE v USING fts5(x)", "index_corrupt", id="a virtual table"),
        pytest.param("ALTER TABLE dep ADD COLUMN x ANY", "index_corrupt", id="a column too many"),
        pytest.param("ANALYZE", "index_corrupt", id="statistics"),
        pytest.param("PRAGMA application_id=7", "index_corrupt", id="another application"),
        pytest.param("PRAGMA user_version=999", "index_incompatible", id="another version"),
        pytest.param("DELETE FROM meta WHERE key='complete'", "index_corrupt", id="not complete"),
        pytest.param(
            "UPDATE meta SET value=99 WHERE key='least_reader_version'",
            "index_incompatible",
            id="later reader",
        ),
        pytest.param(
            "UPDATE meta SET value='x' WHERE key='least_reader_version'",
            "index_incompatible",
            id="odd reader",
        ),
    ],
)
def test_a_changed_shard_is_refused(whole: Path, statement: str, code: str) -> None:
    with apsw.Connection(str(whole)) as db:
        for _ in db.execute(statement):
            pass
    db.close()
    assert refused(whole) == code


def test_values_of_another_type_are_found_before_a_foreign_shard_is_believed(whole: Path) -> None:
    with apsw.Connection(str(whole)) as db:
        db.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        ((strict,),) = db.execute("SELECT sql FROM sqlite_schema WHERE name='doclines'").fetchall()
        loose = str(strict).removesuffix(" STRICT")
        db.execute("UPDATE sqlite_schema SET sql=? WHERE name='doclines'", (loose,))
    db.close()
    with apsw.Connection(str(whole)) as db:
        db.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        db.execute("UPDATE doclines SET hashes=1000000000000 WHERE doc=1")
        db.execute("UPDATE sqlite_schema SET sql=? WHERE name='doclines'", (strict,))
    db.close()
    shard = open_shard(str(whole))
    with pytest.raises(IndexUnusable) as caught:
        shard_reader.check_contents(shard)
    shard.close()
    assert caught.value.code == "index_corrupt"


def test_a_good_shard_passes_the_check_of_its_contents(whole: Path) -> None:
    shard = open_shard(str(whole))
    shard_reader.check_contents(shard)
    shard.close()


def test_a_view_that_stands_for_a_table_is_refused(whole: Path) -> None:
    db = apsw.Connection(str(whole))
    db.execute("DROP TABLE local")
    db.execute(
        "CREATE VIEW local AS WITH RECURSIVE r(doc, packed) AS (SELECT 1, 2 UNION ALL"
        " SELECT doc, packed FROM r) SELECT * FROM r"
    )
    db.close()
    assert refused(whole) == "index_corrupt"


def test_schema_text_that_lies_about_itself_is_refused(whole: Path) -> None:
    db = apsw.Connection(str(whole))
    db.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
    db.execute("UPDATE sqlite_schema SET type='view', rootpage=0 WHERE name='local'")
    db.close()
    assert refused(whole) == "index_corrupt"


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: data[:0], id="empty"),
        pytest.param(lambda data: b"#!/bin/sh\n" * (len(data) // 10), id="not a database"),
        pytest.param(lambda data: data[:100], id="header only"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut in half"),
        pytest.param(lambda data: data[:4096] + b"\xff" * 4096 + data[8192:], id="a page overwritten"),
        pytest.param(lambda data: data[:100] + bytes(len(data) - 100), id="zeros"),
    ],
)
def test_damage_is_refused_at_once_or_when_met(whole: Path, spoil: Callable[[bytes], bytes]) -> None:
    whole.write_bytes(spoil(whole.read_bytes()))
    with pytest.raises(IndexUnusable) as caught:
        read_all(whole)
    assert caught.value.code == "index_corrupt"


def read_all(path: Path, offset: int = 0, size: int | None = None) -> None:
    """Open a shard and read most of it."""
    shard = open_shard(str(path), offset=offset, size=size)
    try:
        for doc in range(1, 41):
            read_documents.extents(shard, doc)
            read_occurrences.locals_of(shard, doc)
            for row in read_occurrences.occurrences_in(shard, doc, 0, 99):
                read_symbols.symbol(shard, row.symbol)
    finally:
        shard.close()


def test_a_flipped_byte_never_raises_anything_else(whole: Path) -> None:
    data = bytearray(whole.read_bytes())
    outcomes = set()
    for place in range(0, len(data), 1999):
        spoiled = bytearray(data)
        spoiled[place] ^= 0x41
        whole.write_bytes(spoiled)
        try:
            read_all(whole)
            outcomes.add("read")
        except CodeTrailError as error:
            outcomes.add(error.code)
    assert outcomes <= {"read", "index_corrupt", "index_incompatible"}
    assert {"read", "index_corrupt"} <= outcomes


@pytest.mark.parametrize("make", ["nothing", "a folder", "in no folder"])
def test_what_is_no_file_is_refused(tmp_path: Path, make: str) -> None:
    path = tmp_path / "x.db"
    if make == "a folder":
        path.mkdir()
    elif make == "in no folder":
        path = tmp_path / "a" / "x.db"
    assert refused(path) == "index_corrupt"
    assert path.exists() == (make == "a folder")


def test_a_shard_cannot_be_written_through_the_reader(whole: Path) -> None:
    shard = open_shard(str(whole))
    before = whole.read_bytes()
    for text in (
        "DELETE FROM doc",
        "CREATE TABLE x(y)",
        "PRAGMA writable_schema=1",
        "ATTACH ':memory:' AS m",
    ):
        try:
            shard.rows(text)
        except IndexUnusable:
            continue
        assert text.startswith("PRAGMA"), text
    with pytest.raises(IndexUnusable):
        shard.rows("UPDATE sqlite_schema SET sql = ''")
    with pytest.raises(IndexUnusable):
        shard.rows("SELECT load_extension('x')")
    shard.close()
    assert whole.read_bytes() == before


def test_a_read_that_takes_too_long_is_timed_out(whole: Path) -> None:
    shard = open_shard(str(whole))
    shard.seconds = 0.0
    with pytest.raises(SystemFailure) as caught:
        shard.rows("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r")
    assert caught.value.code == "timed_out"
    shard.seconds = 20.0
    assert read_documents.document(shard, "shop/000.py")


def test_a_part_of_a_file_answers_as_the_whole(whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    packed = tmp_path / "packed?#%.bin"
    packed.write_bytes(b"x" * 1000 + data + data)
    alone = open_shard(str(whole))
    parts = [
        open_shard(str(packed), offset=1000, size=len(data)),
        open_shard(str(packed), offset=1000 + len(data)),
    ]
    for part in parts:
        assert list(read_documents.documents(part)) == list(read_documents.documents(alone))
        (name,) = read_names.names_exact(part, "total")
        (named,) = read_names.symbols_named(part, name)
        symbol = read_symbols.symbol(part, named.symbol)
        assert symbol is not None
        assert symbol.string == FUNCTION
        assert read_occurrences.occurrences(part, named.symbol, limit=200) == read_occurrences.occurrences(
            alone, named.symbol, limit=200
        )
        with pytest.raises(IndexUnusable):
            part.rows("DELETE FROM doc")
        part.close()
    alone.close()


@pytest.mark.parametrize(
    ("offset", "size"),
    [(0, 10**9), (10**9, 4096), (0, 4096), (4096, 8192), (1, None)],
)
def test_a_part_that_is_no_shard_is_refused(whole: Path, offset: int, size: int | None) -> None:
    with pytest.raises(IndexUnusable) as caught:
        read_all(whole, offset, size)
    assert caught.value.code == "index_corrupt"


def test_the_meta_of_a_shard(whole: Path) -> None:
    shard = open_shard(str(whole))
    assert shard.meta["unit"] == "python:."
    assert shard.meta["provider"] == "python"
    assert shard.meta["documents"] == 40
    assert shard.meta["schema_version"] == schema.SCHEMA_VERSION
    shard.close()


def test_reading_loads_no_module_a_question_can_do_without() -> None:
    modules = [
        "shard_reader",
        "read_names",
        "read_symbols",
        "read_occurrences",
        "read_documents",
        "snapshots",
        "locals",
    ]
    script = "import sys\n" + "".join([f"import codetrail.store.{name}\n" for name in modules])
    script += "print([m for m in ('dataclasses', 'pathlib', 'tempfile', 'codetrail.store.shard_writer',"
    script += " 'codetrail.store.part_of_file', 'google.protobuf', 'tree_sitter') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
