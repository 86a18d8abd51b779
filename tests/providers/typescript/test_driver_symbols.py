"""Positions are those of the text, and symbols depend on the sources alone: not on order or machine."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from codetrail.model import kinds
from codetrail.scip import scip_pb2
from tests.downloads import typescript_folder
from tests.providers import cleanliness
from tests.providers.typescript.driver_index import Indexed, index_folder
from tests.providers.typescript.names import excuse
from tests.providers.typescript.projects_index import write_tree

FIXTURE = Path(__file__).parents[3] / "fixtures" / "typescript-tricky"
OWN = "tricky 1.0.0"
PACKAGE = {"name": "tricky", "version": "1.0.0"}
CLOSED = {"compilerOptions": {"lib": ["es2022"], "types": [], "strict": True, "module": "esnext"}}


def index_files(folder: Path, files: dict[str, str | bytes | object], **changes: object) -> Indexed:
    root = folder / "work"
    write_tree(root, {"package.json": PACKAGE, "tsconfig.json": CLOSED, **files})
    return index_folder(root, folder / "run", OWN, **changes)


POSITIONS = {
    "astral text before": "const text = '😀😀', name = text; name;\n",
    "astral identifier": "const 𠮷 = 1, name = 𠮷; name;\n",
    "carriage returns": "const a = 1;\r\nconst name = a;\r\nname;\r\n",
    "old carriage returns": "const a = 1;\rconst name = a;\rname;\r",
    "byte order mark": "\ufeffconst name = 1; name;\n",
    "line separators in a comment": "/* a\u2028b\u2029c */ const name = 1; name;\n",
    "form feed and tab": "\f\tconst name = 1; name;\n",
}


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS.keys())
def test_columns_are_utf16_units_of_lines(tmp_path: Path, text: str) -> None:
    indexed = index_files(tmp_path, {"a.ts": text + "export {};"})
    lines = indexed.text("a.ts").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = []
    for one in indexed.documents["a.ts"].occurrences:
        if one.symbol.endswith("/name."):
            line, start, end = one.range
            found.append(lines[line].encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le"))
    assert found == ["name", "name"]
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []


def places(index: scip_pb2.Index) -> dict[str, list[tuple[tuple[int, ...], str, int]]]:
    """Return (range, symbol, roles) of every occurrence, by path."""
    return {
        document.relative_path: [
            (tuple(one.range), one.symbol, one.symbol_roles) for one in document.occurrences
        ]
        for document in index.documents
    }


def tricky(folder: Path, configuration: dict[str, object] | None = None, **changes: object) -> Indexed:
    root = folder / "work"
    shutil.copytree(FIXTURE, root)
    if configuration is not None:
        whole = json.loads((root / "tsconfig.json").read_text()) | configuration
        (root / "tsconfig.json").write_text(json.dumps(whole))
    return index_folder(root, folder / "run", OWN, **changes)


def test_order_and_folder_change_nothing(tmp_path: Path) -> None:
    ordinary = tricky(tmp_path / "one")
    files = sorted((f"src/{path.name}" for path in (FIXTURE / "src").glob("*.*s*")), reverse=True)
    reversed_files = [path for path in files if not path.endswith(".json")]
    turned = tricky(tmp_path / "a longer folder", {"include": [], "files": reversed_files})
    assert places(turned.index) == places(ordinary.index)
    assert sorted(one.symbol for one in turned.index.external_symbols) == sorted(
        one.symbol for one in ordinary.index.external_symbols
    )


def test_no_path_of_the_machine_is_written(tmp_path: Path) -> None:
    indexed = tricky(tmp_path)
    written = (tmp_path / "run" / "out.scip").read_bytes()
    assert os.fsencode(os.path.realpath(tmp_path)) not in written
    assert os.fsencode(os.path.realpath(typescript_folder())) not in written
    assert len(indexed.documents) > 30


def test_the_compiler_before_says_the_same(tmp_path: Path) -> None:
    newest = tricky(tmp_path / "newest")
    before = tricky(tmp_path / "before", typescript=str(typescript_folder("5.9.3")))
    library = "codetrail-ts npm typescript "

    def told(indexed: Indexed, version: str) -> dict[str, list[tuple[tuple[int, ...], str, int]]]:
        return {
            path: [
                (place, symbol.replace(f"{library}{version} ", library), roles)
                for place, symbol, roles in all_of
            ]
            for path, all_of in places(indexed.index).items()
        }

    assert told(before, "5.9.3") == told(newest, "6.0.3")


def test_two_projects_name_what_they_share_alike(tmp_path: Path) -> None:
    indexed = index_files(
        tmp_path,
        {
            "tsconfig.json": {"files": []},
            "core/tsconfig.json": CLOSED,
            "core/shape.ts": "export interface Shape { side: number }\nexport const unit = {} as Shape;\n",
            "app/tsconfig.json": CLOSED,
            "app/use.ts": 'import { unit } from "../core/shape";\nunit.side;\n[1].map(String);\n',
            "app/more.ts": 'declare module "../core/shape" { interface Shape { extra?: 1 } }\nexport {};\n',
        },
    )
    assert indexed.at("app/use.ts", "unit.side", "side") == {"core/shape.ts/Shape#side.": "R"}
    assert indexed.at("app/more.ts", "extra", "extra") == {"core/shape.ts/Shape#extra.": "D"}
    assert indexed.at("app/use.ts", "map", "map") == {"typescript 6.0.3 lib/Array#map().": "R"}
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []


def test_edits_elsewhere_in_a_file_rename_nothing(tmp_path: Path) -> None:
    body = "export function make() {\n  return { run() {} };\n}\n"
    short = index_files(tmp_path / "short", {"a.ts": body})
    long = index_files(tmp_path / "long", {"a.ts": "[].map(() => ({ x: 1 }));\nfunction other() {}\n" + body})
    name = "a.ts/make().anon0:run()."
    assert short.at("a.ts", "run()", "run") == long.at("a.ts", "run()", "run") == {name: "D"}


DEEP = {
    "a long sum": "export const sum = " + " + ".join(["1"] * 20_000) + ";\nsum;\n",
    "deep brackets": "export const sum = " + "[" * 400 + "]" * 400 + ";\nsum;\n",
    "a long chain": "declare const c: { m(): typeof c };\nexport const sum = c" + ".m()" * 200 + ";\nsum;\n",
    "many branches": "export function sum(x: number) {\n"
    + "".join(f"  {'else ' if n else ''}if (x === {n}) return {n};\n" for n in range(800))
    + "}\nsum(1);\n",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_code_is_walked(tmp_path: Path, text: str) -> None:
    indexed = index_files(tmp_path, {"a.ts": text})
    found = [
        one.symbol_roles & 1
        for one in indexed.documents["a.ts"].occurrences
        if one.symbol.endswith(("/sum.", "/sum()."))
    ]
    assert found == [1, 0]


def test_a_cycle_of_re_exports_ends(tmp_path: Path) -> None:
    indexed = index_files(
        tmp_path,
        {
            "a.ts": 'export * from "./b";\nexport { lost } from "./b";\n',
            "b.ts": 'export * from "./a";\nexport { lost } from "./a";\nexport const kept = 1;\n',
            "c.ts": 'import { kept, lost } from "./a";\nkept;\nlost;\n',
        },
    )
    assert indexed.at("c.ts", "kept;", "kept") == {"b.ts/kept.": "R"}
    assert indexed.at("c.ts", "lost;", "lost") == {"local lost@1": "R"}
    assert indexed.at("c.ts", "import", "lost") == {"local lost@1": "DI"}


@pytest.mark.parametrize("left", ["exports.A", "module.exports.A"])
@pytest.mark.parametrize(
    ("name", "definition"), [("B ", "class B"), ("", "A = class")], ids=["named", "unnamed"]
)
def test_a_class_that_is_assigned_to_exports_is_one_thing(
    tmp_path: Path, left: str, name: str, definition: str
) -> None:
    indexed = index_files(
        tmp_path,
        {
            "x.js": f"{left} = class {name}{{ m() {{}} }};\n",
            "y.js": 'const { A } = require("./x");\nnew A().m();\nrequire("./x").A;\n',
        },
    )
    uses = [
        indexed.at("y.js", "new A", "A"),
        indexed.at("y.js", "A } =", "A"),
        indexed.at("y.js", ").A", "A"),
    ]
    (symbol,) = {one for use in uses for one in use}
    assert symbol == "x.js/A."
    assert "D" in indexed.at("x.js", definition, name.strip() or "A")[symbol]
    assert indexed.at("y.js", ".m()", "m") == {"x.js/A.m().": "R"}


MERGED = {
    "interface before the class": (
        {"a.ts": "export interface A {}\nexport class A {}\n"},
        [("a.ts", 1, "DF"), ("a.ts", 2, "D")],
        "class",
    ),
    "namespace of a class": (
        {"a.ts": "declare namespace A { const b: 1 }\ndeclare class A {}\nexport { A };\n"},
        [("a.ts", 1, "DF"), ("a.ts", 2, "D")],
        "class",
    ),
    "namespace of an enumeration": (
        {"a.ts": "export namespace A { export const b = 1 }\nexport enum A { C }\n"},
        [("a.ts", 1, "DF"), ("a.ts", 2, "D")],
        "enum",
    ),
    "class that another module adds to": (
        {"0.ts": 'import "./a";\ndeclare module "./a" { interface A {} }\n', "a.ts": "export class A {}\n"},
        [("0.ts", 2, "DF"), ("a.ts", 1, "D")],
        "class",
    ),
    "interface that another module adds to": (
        {
            "0.ts": 'import "./a";\ndeclare module "./a" { interface A {} }\n',
            "a.ts": "export interface A {}\n",
        },
        [("0.ts", 2, "DF"), ("a.ts", 1, "D")],
        "interface",
    ),
    "interfaces of one module": (
        {"a.ts": "export interface A {}\nexport interface A {}\n"},
        [("a.ts", 1, "D"), ("a.ts", 2, "D")],
        "interface",
    ),
}


@pytest.mark.parametrize(("files", "definitions", "kind"), MERGED.values(), ids=MERGED.keys())
def test_what_only_adds_to_a_definition_is_a_forward_one(
    tmp_path: Path, files: dict[str, str | bytes | object], definitions: list[tuple[str, int, str]], kind: str
) -> None:
    indexed = index_files(tmp_path, files)
    assert indexed.definitions("a.ts/A#") == definitions
    found = {int(indexed.information(path, "a.ts/A#").kind) for path, _, _ in definitions}
    assert found == {kinds.NUMBERS[kind]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            'const all = require("./gone");\nconst { a } = all;\n', [(1, 8, 9)], id="of what was not found"
        ),
        pytest.param("export const f = ({ a, ...b }: any) => [a, b];\n", [(0, 20, 21)], id="of anything"),
        pytest.param(
            "declare const r: Record<string, 1>;\nconst { a } = r;\n", [(1, 8, 9)], id="of an index"
        ),
        pytest.param("const { a } = { a: 1 };\n", [], id="found"),
        pytest.param("export const f = ({ b: a }: any) => a;\n", [], id="under another name"),
        pytest.param("export const f = ([a]: any) => a;\n", [], id="of a list"),
    ],
)
def test_members_that_a_pattern_takes_and_nobody_found_are_told(
    tmp_path: Path, text: str, told: list[tuple[int, int, int]]
) -> None:
    indexed = index_files(tmp_path, {"a.ts": text + "export {};\n"})
    found = [
        tuple(one.range)
        for one in indexed.documents["a.ts"].occurrences
        if any(remark.code == "unresolved_member" for remark in one.diagnostics)
    ]
    assert found == told


def test_a_literal_that_its_own_inferred_type_is_expected_of_names_what_others_declare(
    tmp_path: Path,
) -> None:
    text = (
        "type Case = { reducer(n: number): void; prepare?: Function };\n"
        "type Valid<T> = T & { [K in keyof T]: { prepare(...a: never[]): object } };\n"
        "declare function make<T extends { [k: string]: Case }>(cases: Valid<T>): void;\n"
        "make({ add: { reducer(n) {}, prepare: (a: number) => ({}) } });\n"
        "export {};\n"
    )
    indexed = index_files(tmp_path, {"a.ts": text})
    (declared,) = indexed.at("a.ts", "{ prepare(...", "prepare")
    assert indexed.at("a.ts", "prepare: (a", "prepare").get(declared) == "W"


DEFINED_OTHERWISE = {
    "property of what is exported": (
        'Object.defineProperty(exports, "dp", { value: 1 });\n',
        ("dp", "dp"),
        {"a.js/dp.": "DW"},
    ),
    "property of a function": (
        'function f() {}\nObject.defineProperty(f, "dp", { value: 1 });\nf.dp;\n',
        ("dp", "dp"),
        {"a.js/f().dp.": "DW"},
    ),
    "property of a prototype": (
        'class K {}\nObject.defineProperty(K.prototype, "dp", { get() { return 1; } });\n',
        ("dp", "dp"),
        {"a.js/K#dp.": "DW"},
    ),
    "second time": (
        'class K { constructor() { this.dp = 1; } }\nObject.defineProperty(K.prototype, "dp", {});\n',
        ('"dp"', "dp"),
        {"a.js/K#dp.": "W"},
    ),
    "member that parameter tags spell out": (
        "/**\n * @param {object} [o]\n * @param {boolean} [o.dp=false]\n */\n"
        "exports.f = function (o) { return o.dp; };\n",
        ("[o.dp", "dp"),
        {"a.js/anon0:dp.": "D"},
    ),
}


@pytest.mark.parametrize(
    ("text", "place", "expected"), DEFINED_OTHERWISE.values(), ids=DEFINED_OTHERWISE.keys()
)
def test_what_no_declaration_declares_is_defined_where_its_name_stands(
    tmp_path: Path, text: str, place: tuple[str, str], expected: dict[str, str]
) -> None:
    options = {"lib": ["es2022"], "types": [], "module": "commonjs", "allowJs": True}
    indexed = index_files(tmp_path, {"a.js": text, "tsconfig.json": {"compilerOptions": options}})
    assert indexed.at("a.js", *place) == expected
    assert [one.symbol for one in indexed.index.external_symbols if " tricky " in one.symbol] == []
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []


def test_a_type_that_is_written_in_place_is_no_ancestor(tmp_path: Path) -> None:
    source = """\
type Replace<A, B> = Omit<A, keyof B> & B;
interface Old { a: 1; b: 2 }
type Both = Replace<Old, { b?: string }>;
interface New extends Both { c: 3 }
type Plain = { d: 4 };
interface Other extends Plain { b?: string }
"""
    indexed = index_files(tmp_path, {"a.ts": source})
    assert indexed.relationships("a.ts", "a.ts/New#") == {
        "a.ts/Both#": "i",
        "typescript 6.0.3 lib/Omit#": "i",
    }
    assert indexed.relationships("a.ts", "a.ts/Other#") == {"a.ts/Plain#": "i"}
    assert [one.symbol for one in indexed.index.external_symbols if " tricky " in one.symbol] == []


def test_template_tags_of_typescript_speak_of_the_type_parameters_below(tmp_path: Path) -> None:
    source = """\
/** @template T of a function */
export function fn<T>(first: T) { return first; }
/** @template U, V of a class */
export class Box<U, V> { u?: U; v?: V;
  /** @template W of a method */
  of<W>(w: W) { return w; }
}
/** @template X of a variable's function @template Gone */
export const make = <X,>(x: X) => x;
/** @template Y of an alias */
export type Only<Y> = Y;
"""
    indexed = index_files(tmp_path, {"a.ts": source})
    for tag, line in {"T of": 2, "U, V": 4, "V of": 4, "W of": 6, "X of": 9, "Y of": 11}.items():
        assert indexed.at("a.ts", tag, tag[0]) == {f"local {tag[0]}@{line}": ""}
    assert indexed.at("a.ts", "Gone", "Gone") == {}
    assert indexed.events[-1]["unresolved"] == 0
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []
