"""What a shard promises of its bytes and its rows."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from codetrail.errors import SystemFailure
from codetrail.model import facts, kinds
from codetrail.model.documents import (
    Definition,
    DocumentFacts,
    LocalOccurrence,
    Occurrence,
    Relation,
    SymbolInfo,
)
from codetrail.model.ranges import Range
from codetrail.store import read_documents, read_names, read_occurrences, read_symbols, schema
from codetrail.store.shard_reader import Shard
from codetrail.store.shard_writer import ShardWriter
from tests.store.builders import (
    CALL,
    CLASS,
    EXTERNAL,
    FUNCTION,
    IMPORT,
    METHOD,
    MODULE,
    PACKAGE,
    VALUE,
    cart,
    span,
    write,
)

MakeShard = Callable[..., Shard]


def shuffled(document: DocumentFacts, seed: int) -> DocumentFacts:
    """Return the same facts in another order wherever the order says nothing; extents have an order."""
    random = Random(seed)

    def mixed(values: tuple) -> tuple:  # type: ignore[type-arg]
        found = list(values)
        random.shuffle(found)
        return tuple(found)

    return document._replace(
        occurrences=mixed(document.occurrences),
        definitions=mixed(document.definitions),
        symbols=mixed(document.symbols),
        relations=mixed(document.relations),
        imports=mixed(document.imports),
        unbound=dict(mixed(tuple(document.unbound.items()))),
    )


def many(count: int) -> list[DocumentFacts]:
    """Return documents that share symbols, enough to fill several pages of every table."""
    found = []
    for number in range(count):
        name = f"{PACKAGE} `shop.part{number:03d}`/work()."
        body = Range(0, 0, 40, 0)
        uses = tuple(Occurrence(FUNCTION, span(line, 4), 8, CALL, 0) for line in range(1, 30))
        other = f"{PACKAGE} `shop.part{(number * 7) % count:03d}`/work()."
        found.append(
            cart(
                path=f"shop/part{number:03d}.py",
                occurrences=(
                    Occurrence(name, span(0, 4), 1, 0, 0),
                    *uses,
                    Occurrence(other, span(30), 8, VALUE, 0),
                ),
                definitions=(Definition(name, span(0, 4), body),),
                extents=(),
                symbols=(SymbolInfo(name, 17, "", f"def work{number}()", "Words. " * 20, ""),),
                relations=(Relation(name, other, facts.REL_REFERENCE),),
                unbound={f"loose{number % 9}": 1, "shared": 2},
            )
        )
    return found


def test_equal_facts_give_equal_bytes_in_any_folder(tmp_path: Path) -> None:
    documents = many(60)
    first = write(tmp_path / "a", documents)
    again = write(tmp_path / "a", documents)
    elsewhere = write(tmp_path / "some" / "other folder?#%", documents)
    assert first == again == elsewhere
    data = (tmp_path / "a" / f"{first.sha256}.db").read_bytes()
    assert hashlib.sha256(data).hexdigest() == first.sha256
    assert first.size == len(data)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_inside_a_document_does_not_matter(tmp_path: Path, seed: int) -> None:
    external = [
        SymbolInfo(EXTERNAL, 17, "", "def get(url)", "", ""),
        SymbolInfo(EXTERNAL, 26, "", "", "Gets.", ""),
    ]
    documents = [cart(), *many(20)]
    plain = write(tmp_path, documents, externals=external)
    mixed = write(tmp_path, [shuffled(one, seed) for one in documents], externals=external[::-1])
    assert mixed == plain


def test_bytes_do_not_depend_on_the_process(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from tests.store.builders import cart, write;"
        "print(write(pathlib.Path(sys.argv[1]), [cart()]).sha256)"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed, zone in [("1", "UTC"), ("2", "Asia/Tokyo")]
    }
    assert len(found) == 1


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"sha256": bytes(32)}, id="content hash"),
        pytest.param({"unbound": {"checkout": 3}}, id="a count"),
        pytest.param({"flags": facts.DOC_TEST}, id="a flag"),
        pytest.param({"line_hashes": b"abcd"}, id="line hashes"),
    ],
)
def test_other_facts_give_other_bytes(tmp_path: Path, change: dict[str, object]) -> None:
    assert write(tmp_path, [cart(**change)]).sha256 != write(tmp_path, [cart()]).sha256


def test_the_file_has_no_free_pages_no_statistics_and_no_history(tmp_path: Path) -> None:
    record = write(tmp_path, many(60))
    path = tmp_path / f"{record.sha256}.db"
    header = path.read_bytes()[:100]
    assert header[16:18] == schema.PAGE_SIZE.to_bytes(2, "big")
    assert header[18:20] == b"\x01\x01", "no write-ahead log"
    assert header[96:100] == bytes(4)
    assert header[24:28] == header[92:96] == b"\0\0\0\1"
    with apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY) as db:
        assert db.execute("PRAGMA freelist_count").fetchall() == [(0,)]
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema")}
    assert not [name for name in tables if name.startswith("sqlite_")]
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("paths", "refused"),
    [
        (["a.py", "b.py"], False),
        (["b.py", "a.py"], True),
        (["a.py", "a.py"], True),
        (["a/b.py", "a.py"], True),
        (["Z.py", "a.py"], False),
        (["\uffff.py", "\U00010000.py"], False),
    ],
)
def test_documents_must_come_in_the_order_of_path_bytes(
    tmp_path: Path, paths: list[str], refused: bool
) -> None:
    documents = [cart(path=path) for path in paths]
    if not refused:
        assert write(tmp_path, documents).documents == len(paths)
        return
    writer = ShardWriter(str(tmp_path), meta={}, unit="u")
    writer.add(documents[0])
    with pytest.raises(ValueError, match="order"):
        writer.add(documents[1])
    writer.abort()
    writer.abort()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"extents": cart().extents[:1] + cart().extents[3:]},
        {"locals": (LocalOccurrence(-1, span(0), 0, 0, -1),)},
        {"path": "a.py"},
    ],
    ids=["extent before its parent", "impossible local", "path out of order"],
)
def test_a_refused_document_leaves_no_trace(tmp_path: Path, change: dict[str, Any]) -> None:
    documents = [cart(path="b.py"), cart(path="d.py")]
    writer = ShardWriter(str(tmp_path), meta={"provider": "python"}, unit="python:.")
    writer.add(documents[0])
    with pytest.raises(ValueError, match=r"extent|local|order"):
        writer.add(cart(**{"path": "c.py", "unbound": {"unheard": 1}, **change}))
    writer.add(documents[1])
    assert writer.finish() == write(tmp_path, documents)


def test_meta_may_not_take_the_shards_own_words(tmp_path: Path) -> None:
    writer = ShardWriter(str(tmp_path), meta={"complete": 1}, unit="u")
    writer.add(cart())
    with pytest.raises(ValueError, match="complete"):
        writer.finish()
    writer.abort()
    assert list(tmp_path.iterdir()) == []


def test_the_record_counts_what_was_written(tmp_path: Path) -> None:
    record = write(tmp_path, [cart(), cart(path="shop/other.py")])
    assert (record.documents, record.occurrences, record.definitions) == (2, 12, 6)
    assert (record.first_path, record.last_path) == ("shop/cart.py", "shop/other.py")
    assert [key.name for key in record.packages_defined] == ["shop"]
    assert [key.name for key in record.packages_mentioned] == ["requests"]
    assert record.symbols == 5, "three defined, one external, one met in a relation only"


def symbol_of(shard: Shard, string: str, unit: str = "python:.") -> read_symbols.SymbolRow:
    from codetrail.model.symbols import join_key

    (found,) = read_symbols.symbols_by_key(shard, join_key(string, unit))
    assert found.string == string
    return found


def test_counts_of_a_symbol(shard_of: MakeShard) -> None:
    test_file = cart(
        path="tests/test_cart.py",
        flags=facts.DOC_TEST,
        occurrences=(
            Occurrence(FUNCTION, span(0), facts.ROLE_IMPORT, IMPORT, -1),
            Occurrence(FUNCTION, span(3), facts.ROLE_READ, CALL, -1),
            Occurrence(FUNCTION, span(3), facts.ROLE_READ, CALL, -1),
            Occurrence(FUNCTION, span(4), facts.ROLE_READ, VALUE, -1),
        ),
        definitions=(),
        extents=(),
    )
    shard = shard_of(cart(), test_file)
    row = symbol_of(shard, FUNCTION)
    assert row.references == 5
    assert row.calls == 3
    assert row.tests == 3
    assert row.imports == 1
    assert row.inside == 1, "the call on line 6 stands in total() itself"
    assert row.flags == facts.SYM_CALLABLE | facts.SYM_DEFINED
    assert (row.doc, row.line) == (1, 4)


def test_what_stands_twice_at_a_place_is_one_row(shard_of: MakeShard) -> None:
    place = span(2, 8)
    twice = (
        Occurrence(FUNCTION, place, facts.ROLE_READ, VALUE, -1),
        Occurrence(FUNCTION, place, facts.ROLE_IMPORT, 0, 1),
        Occurrence(FUNCTION, place, 0, CALL, -1),
        Occurrence(CLASS, place, 0, VALUE, -1),
    )
    shard = shard_of(cart(occurrences=twice, definitions=(), relations=()))
    rows = read_occurrences.occurrences(shard, symbol_of(shard, FUNCTION).id, limit=9)
    assert [row[2:] for row in rows] == [(*place, facts.ROLE_READ | facts.ROLE_IMPORT, CALL, 1)]
    assert len(read_occurrences.occurrences_at(shard, 1, 2)) == 2


@pytest.mark.parametrize(
    ("symbol", "name", "owner", "other"),
    [
        pytest.param(METHOD, "add", "Cart", None, id="method"),
        pytest.param(FUNCTION, "total", None, None, id="function: its module is no owner"),
        pytest.param(MODULE, "shop.cart", None, "cart", id="module by __init__"),
        pytest.param(f"{PACKAGE} src/`cart.ts`/", "src.cart.ts", None, "cart.ts", id="module by namespace"),
        pytest.param(f"{PACKAGE} `solo`/__init__:", "solo", None, None, id="module without dots"),
        pytest.param(f"{PACKAGE} outer().inner().", "inner", "outer", None, id="function in a function"),
    ],
)
def test_names_of_symbols(
    shard_of: MakeShard, symbol: str, name: str, owner: str | None, other: str | None
) -> None:
    shard = shard_of(
        cart(
            occurrences=(Occurrence(symbol, span(1), 8, VALUE, -1),), definitions=(), extents=(), relations=()
        )
    )
    number = symbol_of(shard, symbol).id
    for text in filter(None, [name, other]):
        (name_id,) = read_names.names_exact(shard, text)
        rows = [row for row in read_names.symbols_named(shard, name_id) if row.symbol == number]
        assert [read_names.name_text(shard, row.owner) for row in rows] == [owner or ""]
        assert rows[0].doc == -1


def test_a_string_that_is_no_symbol_stays_a_row(shard_of: MakeShard) -> None:
    odd = "this is not a symbol"
    shard = shard_of(cart(occurrences=(Occurrence(odd, span(1), 8, VALUE, -1),), definitions=(), extents=()))
    row = symbol_of(shard, odd)
    assert (row.package, row.kind, row.references) == (None, 0, 1)


def test_what_documents_say_comes_before_what_externals_say(shard_of: MakeShard) -> None:
    external = SymbolInfo(CLASS, kinds.NUMBERS["struct"], "", "struct Cart", "", "")
    unused = SymbolInfo(f"{PACKAGE} nobody#", 7, "", "", "", "")
    get = SymbolInfo(EXTERNAL, 0, "fetch", "def get(url)", "Gets.", "")
    shard = shard_of(cart(), externals=[external, unused, get])
    row = symbol_of(shard, CLASS)
    assert row.kind == kinds.NUMBERS["class"]
    assert read_symbols.documentation(shard, row.id) == ("class Cart", "A cart.")
    fetched = symbol_of(shard, EXTERNAL)
    assert fetched.flags & facts.SYM_EXTERNAL
    assert (fetched.display, fetched.kind) == ("fetch", kinds.NUMBERS["function"])
    assert read_names.names_exact(shard, "nobody") == ()


def test_owner_comes_from_the_producer_or_the_descriptors(shard_of: MakeShard) -> None:
    shard = shard_of(cart(symbols=()))
    assert symbol_of(shard, METHOD).owner == symbol_of(shard, CLASS).id
    assert symbol_of(shard, CLASS).owner == 0
    told = shard_of(cart(symbols=(SymbolInfo(METHOD, 0, "", "", "", FUNCTION),)))
    assert symbol_of(told, METHOD).owner == symbol_of(told, FUNCTION).id


def test_a_decorator_before_the_name_marks_its_symbol(shard_of: MakeShard) -> None:
    decorator = facts.USES.index("decorator")
    document = cart()
    shard = shard_of(
        cart(occurrences=(*document.occurrences, Occurrence(EXTERNAL, span(1, 4, 2), 8, decorator, -1)))
    )
    assert symbol_of(shard, METHOD).flags & facts.SYM_DECORATED
    assert not symbol_of(shard, CLASS).flags & facts.SYM_DECORATED


def test_failed_files_have_their_row_too(shard_of: MakeShard) -> None:
    broken = DocumentFacts(
        "a.py", "python", bytes(32), 9, 0, facts.DOC_STATES.index("failed"), "syntax_error"
    )
    shard = shard_of(broken, cart())
    rows = list(read_documents.documents(shard))
    assert [(row.path, row.state, row.reason) for row in rows] == [
        ("a.py", 2, "syntax_error"),
        ("shop/cart.py", 0, ""),
    ]
    assert read_documents.line_hashes(shard, 1) == b""


_FILL = """
import resource, signal, sys, pathlib
from codetrail.errors import SystemFailure
from tests.store.builders import cart
from codetrail.store.shard_writer import ShardWriter
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
try:
    writer = ShardWriter(sys.argv[1], meta={}, unit="u")
    for number in range(4000):
        writer.add(cart(path=f"{number:05d}.py", line_hashes=bytes(400)))
    writer.finish()
except SystemFailure as error:
    writer.abort()
    print(error.code)
"""


def test_a_full_disk_is_io_error_and_leaves_nothing(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _FILL, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert (run.stdout, run.stderr) == ("io_error\n", "")
    assert list(tmp_path.iterdir()) == []


def test_a_pool_that_is_not_there_is_io_error(tmp_path: Path) -> None:
    with pytest.raises(SystemFailure) as caught:
        ShardWriter(str(tmp_path / "nowhere"), meta={}, unit="u")
    assert caught.value.code == "io_error"


def test_a_damaged_shard_of_the_same_name_is_replaced(tmp_path: Path) -> None:
    record = write(tmp_path, [cart()])
    path = tmp_path / f"{record.sha256}.db"
    path.write_bytes(b"damaged")
    assert write(tmp_path, [cart()]) == record
    assert hashlib.sha256(path.read_bytes()).hexdigest() == record.sha256


def test_a_shard_that_is_there_keeps_its_file(tmp_path: Path) -> None:
    record = write(tmp_path, [cart()])
    before = (tmp_path / f"{record.sha256}.db").stat().st_ino
    write(tmp_path, [cart()])
    assert (tmp_path / f"{record.sha256}.db").stat().st_ino == before
