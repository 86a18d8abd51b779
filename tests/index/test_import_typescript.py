"""An index that scip-typescript wrote gives the same rows imported as from the engine run here."""

from __future__ import annotations

from pathlib import Path

import pytest

from codetrail.model.answers import Answer, ReferenceRow, SymbolRow
from codetrail.model.calls import CallRow
from codetrail.model.facts import PARSER_FACT
from tests import downloads
from tests.index.building import Bench
from tests.index.importing import row_of, take
from tests.index.test_typescript import MONOREPO

QUESTIONS = [
    ("defs", "Cart"),
    ("defs", "packages/cart/src/index.ts:2"),
    ("symbols", ""),
    ("symbols", "a"),
    ("refs", "Cart"),
    ("refs", "Cart.add"),
    ("refs", "price"),
    ("refs", "packages/cart/src/index.ts:4:24"),
    ("callers", "Cart.add"),
    ("calls", "packages/cart/src/index.ts:4#price"),
]


def said(answer: Answer) -> list[SymbolRow | ReferenceRow | CallRow]:
    """Return the rows of an answer without their origin."""
    return [row._replace(origin=None) for row in said_with_origin(answer)]


def said_with_origin(answer: Answer) -> list[SymbolRow | ReferenceRow | CallRow]:
    """Return the rows of an answer, none of which is a tree."""
    rows = [row for row in answer.rows if isinstance(row, SymbolRow | ReferenceRow | CallRow)]
    assert len(rows) == len(answer.rows)
    return rows


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ask for the second engine, which npm's global folder has; return where its index is kept."""
    monkeypatch.setenv("NPM_CONFIG_PREFIX", str(downloads.scip_typescript_prefix()))
    monkeypatch.delenv("CODETRAIL_TYPESCRIPT", raising=False)
    folder = tmp_path / "config" / "codetrail"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('[typescript]\nengine = "scip-typescript"\n')
    return tmp_path / "kept"


def test_imported_or_run_here_the_rows_are_the_same(bench: Bench, asked: Path, tmp_path: Path) -> None:
    there = Bench(tmp_path / "there")
    for path, text in MONOREPO.items():
        if not path.endswith(".py"):
            bench.put(path, text)
            there.put(path, text)
    assert bench.build(keep_scip=str(asked)).rows[0].engine == "scip-typescript"
    (file,) = asked.glob("*.scip")
    row = row_of(take(there, str(file)))
    assert (row.engine, row.stored, row.used, row.skipped) == ("scip-typescript", 3, 3, ())
    compared = 0
    for verb, identifier in QUESTIONS:
        if not identifier:
            here, imported = (one.ask(verb, "", counts=True) for one in (bench, there))
        else:
            here, imported = (one.ask(verb, identifier) for one in (bench, there))
        assert said(imported) == said(here), (verb, identifier)
        assert {one.origin for one in here.rows} <= {None}
        # What only syntax shows was read here, whoever else knows the file.
        by_parser = {(one.reliability == PARSER_FACT, one.origin) for one in said_with_origin(imported)}
        assert by_parser <= {(False, "import"), (True, None)}
        assert imported.page.coverage == here.page.coverage
        compared += len(here.rows)
    assert compared > 20


PROVED = {
    "x.ts": "export function run() {}\nexport class Late { base64 = 1 }\n",
    "y.ts": "export function run() {}\nexport default class Deep { go() {} }\n",
    "m.ts": (
        'import { run, Late as Early } from "./x";\nimport Other from "./y.js";\n'
        'import * as all from "./deep";\n'
        "class A { go() {} }\nclass B extends A { constructor() { super(); new.target; } }\n"
        "function f(p: A) { p.go(); run(); all; }\n"
        "const o = { k1: new Early().base64, f, [String(1)]: new Other() };\nexport { o as p, A as Given };\n"
    ),
    "deep/index.ts": 'export { run as start } from "../x";\nexport { default } from "../y";\n',
}
EDITS = {
    "nothing": ("", "", ()),
    "another class of the file": ("p: A", "p: B", ("m.ts",)),
    "something global": ("p: A", "p: Date", ("m.ts",)),
    "another name that is imported": ("new Other()", "new Early()", ("m.ts",)),
    "another module": ('"./x"', '"./y"', ("m.ts",)),
    "another module, by an index": ('"./deep"', '"./deeper"', ("m.ts",)),
    "a constructor of another class": ("new Early()", "new B()", ("m.ts",)),
}


@pytest.mark.parametrize(("old", "new", "refused"), EDITS.values(), ids=EDITS.keys())
def test_a_document_counts_if_every_name_in_it_may_mean_its_symbol(
    bench: Bench, asked: Path, tmp_path: Path, old: str, new: str, refused: tuple[str, ...]
) -> None:
    there = Bench(tmp_path / "there")
    for path, text in PROVED.items():
        bench.put(path, text)
        there.put(path, text.replace(old, new, 1) if path == "m.ts" else text)
    bench.build(keep_scip=str(asked))
    (file,) = asked.glob("*.scip")
    row = row_of(take(there, str(file)))
    assert row.skipped == ((("document_differs", len(refused)),) if refused else ())
    assert row.stored == len(PROVED) - len(refused)
