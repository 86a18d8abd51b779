"""The SCIP writer and the symbol strings that both Node drivers share, read back with protobuf."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from codetrail import providers
from codetrail.scip import scip_pb2
from tests.providers.cleanliness import BadSymbol, parse_symbol
from tests.providers.python.driver_index import NODE, signature_of

SHARED = os.path.join(os.path.dirname(providers.__file__), "node")


def in_node(script: str, *arguments: str) -> str:
    """Run a script in the folder of the shared modules; return what it prints."""
    done = subprocess.run(
        [NODE, "-e", script, *arguments], cwd=SHARED, capture_output=True, text=True, check=True
    )
    return done.stdout


WRITE = """
const { ScipWriter } = require("./scip_writer.js");
const [path, documents] = [process.argv[1], JSON.parse(process.argv[2])];
const writer = new ScipWriter(path);
writer.metadata("tool", "1");
for (const { repeat, ...document } of documents) {
  document.symbols = document.symbols.map((one) => ({ ...one, signature: one.signature.repeat(repeat) }));
  writer.document(document);
}
writer.externalSymbols([{ symbol: "s m p v a.", kind: 7, display: "a" }], "python");
writer.close();
"""


def written(folder: Path, documents: list[dict[str, object]]) -> scip_pb2.Index:
    path = folder / "out.scip"
    in_node(WRITE, str(path), json.dumps(documents))
    return scip_pb2.Index.FromString(path.read_bytes())


def document(path: str, signature: str, repeat: int) -> dict[str, object]:
    information = {
        "symbol": "s m p v a.",
        "kind": 61,
        "display": "é𝒳",
        "signature": signature,
        "documentation": "About a.",
        "enclosing": "s m p v b/",
        "relationships": [{"symbol": "s m p v c.", "reference": True, "implementation": True}],
    }
    place = {"range": [70000, 3, 300], "symbol": "s m p v a.", "roles": 65, "enclosing": [1, 0, 70001, 2]}
    return {
        "path": path,
        "language": "python",
        "occurrences": [place],
        "symbols": [information],
        "repeat": repeat,
    }


SIZES = {"one byte": 1, "two bytes": 200, "three bytes": 20_000, "four bytes": 3_000_000}


@pytest.mark.parametrize("repeat", SIZES.values(), ids=list(SIZES))
def test_lengths_of_every_size_are_right(tmp_path: Path, repeat: int) -> None:
    index = written(tmp_path, [document("a.py", "x", repeat), document("b.py", "y", 1)])
    first, second = index.documents
    assert (first.relative_path, second.relative_path) == ("a.py", "b.py")
    assert [signature_of(one.symbols[0]) for one in (first, second)] == ["x" * repeat, "y"]


def test_every_field_arrives(tmp_path: Path) -> None:
    index = written(tmp_path, [document("a.py", "x", 1)])
    assert (index.metadata.tool_info.name, index.metadata.tool_info.version) == ("tool", "1")
    assert index.metadata.text_document_encoding == scip_pb2.UTF8
    [one] = index.documents
    assert (one.language, one.position_encoding) == ("python", 2)
    [place] = one.occurrences
    assert (list(place.range), place.symbol, place.symbol_roles) == ([70000, 3, 300], "s m p v a.", 65)
    assert list(place.enclosing_range) == [1, 0, 70001, 2]
    [information] = one.symbols
    assert (information.kind, information.display_name) == (61, "é𝒳")
    assert (list(information.documentation), information.enclosing_symbol) == (["About a."], "s m p v b/")
    [relationship] = information.relationships
    assert (relationship.symbol, relationship.is_reference, relationship.is_implementation) == (
        "s m p v c.",
        True,
        True,
    )
    assert [external.symbol for external in index.external_symbols] == ["s m p v a."]


NAMES = ["plain", "with.dot", "back`tick", "sp ace", "ünï", "a-b+$_9", "a/b.py", "()", "``"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "shape", ["namespace", "type", "term", "method", "typeParameter", "parameter", "meta"]
)
def test_names_come_back_from_symbols(shape: str, name: str) -> None:
    script = (
        'const s = require("./scip_symbols.js"); const [shape, name] = process.argv.slice(1);'
        'process.stdout.write(s.packagePrefix("scheme", "m", "two words", "") + s[shape](name));'
    )
    symbol = in_node(script, shape, name)
    [descriptor] = parse_symbol(symbol)
    assert descriptor.name == name
    assert symbol.startswith("scheme m two  words . ")


BAD_SYMBOLS = [
    "",
    "scheme m p v ",
    "scheme m p v a",
    "scheme m p v `plain`.",
    "scheme m p v ``.",
    "scheme m p v a().b",
    "scheme m p v (a",
    "local ",
    "local 1(a)",
    "scheme m p a.",
]


@pytest.mark.parametrize("symbol", BAD_SYMBOLS)
def test_the_checker_refuses_bad_symbols(symbol: str) -> None:
    with pytest.raises(BadSymbol):
        parse_symbol(symbol)
