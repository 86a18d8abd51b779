"""Names in JSON modules have places in the data, as long as it is what the compiler read."""

from __future__ import annotations

import json

import pytest

from tests.downloads import typescript_folder
from tests.index.building import Bench, lines, states

TREE = {
    "package.json": '{\n  "name": "shop",\n  "version": "1.0.0"\n}\n',
    "tsconfig.json": json.dumps({"compilerOptions": {"resolveJsonModule": True, "esModuleInterop": True}}),
    "src/data.json": '{\n  "amount": 1,\n  "nested": { "deep": true },\n  "unused": 2\n}\n',
    ".gitignore": "hidden.json\n",
    "src/hidden.json": '{ "secret": 1 }\n',
    "src/hide.ts": 'import hidden from "./hidden.json";\nexport const shown = hidden.secret;\n',
    "src/other.json": '{ "amount": 1 }\n',
    "src/use.ts": (
        'import data from "./data.json";\n'
        'import { version } from "../package.json";\n'
        "export const all = [data.amount, data.nested.deep, version];\n"
    ),
    "src/plain.js": 'const { amount } = require("./data.json");\nmodule.exports = amount;\n',
}


@pytest.fixture
def shop(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return a workspace that is indexed."""
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(typescript_folder()))
    for path, text in TREE.items():
        bench.put(path, text)
    bench.build()
    return bench


def defined(bench: Bench, name: str) -> list[str]:
    return lines(bench.ask("defs", name))


@pytest.mark.parametrize(
    ("name", "definition", "uses"),
    [
        ("amount", "src/data.json:2", ["src/plain.js:1", "src/plain.js:2", "src/use.ts:3"]),
        ("deep", "src/data.json:3", ["src/use.ts:3"]),
        ("unused", "src/data.json:4", []),
        ("version", "package.json:3", ["src/use.ts:2", "src/use.ts:3"]),
    ],
)
def test_names_in_data_are_defined_there(shop: Bench, name: str, definition: str, uses: list[str]) -> None:
    assert definition in defined(shop, name)
    assert "src/other.json:1" not in defined(shop, name)
    found = shop.ask("refs", f"{definition}#{'nested.deep' if name == 'deep' else name}")
    assert lines(found) == uses
    assert (found.page.coverage.state, found.page.coverage.unresolved) == ("complete", 0)


@pytest.mark.parametrize(
    ("path", "name"), [("src/data.json", "amount"), ("package.json", "version")], ids=["module", "manifest"]
)
def test_places_in_data_that_changed_are_gone(shop: Bench, path: str, name: str) -> None:
    shop.put(path, TREE[path].replace(f'"{name}"', '"renamed"'))
    given = shop.ask("defs", name)
    assert not [line for line in lines(given) if line.startswith(path)]
    assert "inputs_changed" in {reason.code for reason in given.page.coverage.reasons}
    assert states(shop.build())["typescript:."] == "built"
    assert defined(shop, "renamed")[0].startswith(path)


def test_data_that_nothing_changes_is_taken_over(shop: Bench) -> None:
    assert states(shop.build())["typescript:."] == "reused"
    assert "src/data.json:2" in defined(shop, "amount")


def test_ignored_data_has_no_places(shop: Bench) -> None:
    """Uses of its names are facts of the sources; that it stays out of the index is no problem."""
    assert defined(shop, "secret") == []
    assert shop.refs("secret") == ["src/hide.ts:2"]
    assert shop.ask("refs", "secret").page.coverage.state == "complete"
