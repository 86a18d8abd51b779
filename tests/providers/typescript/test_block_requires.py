"""Names that ``require`` binds hold in their block alone, though the binder gives them to the function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.providers import cleanliness
from tests.providers.typescript.driver_index import Answer, Indexed
from tests.providers.typescript.names import excuse
from tests.providers.typescript.test_driver_symbols import index_files

OPTIONS = {"compilerOptions": {"lib": ["es2022"], "types": [], "module": "commonjs", "allowJs": True}}
ONE = "exports.a = function () {};\nexports.b = 1;\nexports.c = { n: { d: 1 } };\n"
TWO = "exports.b = function () {};\nexports.a = 2;\n"
SOURCE = """\
function f(x) {
  if (x) { const m = require("./one"); m.a(1); }
  else { const m = require("./two"); m.b(2); const z = m; z.a; }
}
{ const k = require("./one"); k.a(5); }
{ const k = require("./two"); k.a(6); }
k.a(7);
{ const u = require("gone"); u.b(8); }
{ const u = require("lost"); u.b(9); }
{ const { a } = require("./one"); a(10); }
{ const { a } = require("./two"); a(11); }
{ const q = require("./one"); q.a(12); }
let q = { a: 1 };
q.a = 14;
var v = { a: 2 };
{ const v = require("./one"); v.a(16); }
v.a = 17;
switch (v) { case 1: const s = require("./one"); s.a(18); }
function g() { const s = require("./two"); { s.b(19); } }
for (const t = require("./one"); t.a(20); ) { t.b; }
{ const w = require("./one").b; w(21); }
{ const w = require("./two").b; w(22); }
function h(m, n) {
  { const m = require("./one"); m.a(24); }
  { const { n } = require("./one").c; n.d = 25; }
  return [m.a, n.d, 26];
}
{ const C = require("./one"); C.a(28); }
class C { static a = 1 }
C.a = 30;
{ const o = require("./one"); { const o = require("./two"); o.a(31); } o.a(32); }
const p = require("./two");
{ const p = require("./one"); p.a(33); }
p.a(34);
function e() { return e; }
{ const e = require("./two"); e.b(36); }
e(37);
"""

CASES: dict[str, tuple[tuple[str, str], Answer]] = {
    "first of two": (("m.a(1)", "a"), {"one.js/a.": "R"}),
    "second of two": (("m.b(2)", "m"), {"two.js/": "R"}),
    "member of the second": (("m.b(2)", "b"), {"two.js/b.": "R"}),
    "what was taken from the second": (("z.a", "a"), {"two.js/a.": "R"}),
    "first block of a file": (("k.a(5)", "a"), {"one.js/a.": "R"}),
    "second block of a file": (("k.a(6)", "a"), {"two.js/a.": "R"}),
    "outside of both": (("k.a(7)", "k"), {}),
    "first that is not found": (("u.b(8)", "u"), {"local u@8": "R"}),
    "second that is not found": (("u.b(9)", "u"), {"local u@9": "R"}),
    "pattern in the first": (("a(10)", "a"), {"one.js/a.": "R"}),
    "pattern in the second": (("a(11)", "a"), {"two.js/a.": "R"}),
    "before a variable": (("q.a(12)", "a"), {"one.js/a.": "R"}),
    "variable after a block": (("q.a = 14", "a"), {"a.js/1:q.a.": "W"}),
    "after a variable": (("v.a(16)", "a"), {"one.js/a.": "R"}),
    "variable around a block": (("v.a = 17", "a"), {"a.js/v.a.": "W"}),
    "case": (("s.a(18)", "a"), {"one.js/a.": "R"}),
    "function that has a block": (("s.b(19)", "b"), {"two.js/b.": "R"}),
    "head of a loop": (("t.a(20)", "a"), {"one.js/a.": "R"}),
    "member of the first": (("w(21)", "w"), {"one.js/b.": "R"}),
    "member of the second, bound": (("w(22)", "w"), {"two.js/b.": "R"}),
    "block in a function with such a parameter": (("m.a(24)", "a"), {"one.js/a.": "R"}),
    "pattern in a function with such a parameter": (("n.d = 25", "d"), {"one.js/c.n.d.": "W"}),
    "parameter": (("[m.a", "m"), {"local m@23": "R"}),
    "parameter of a pattern's name": (("n.d, 26", "n"), {"local n@23": "R"}),
    "before a class": (("C.a(28)", "a"), {"one.js/a.": "R"}),
    "class after a block": (("C.a = 30", "a"), {"a.js/C#a.": "W"}),
    "inner block": (("o.a(31)", "a"), {"two.js/a.": "R"}),
    "after an inner block": (("o.a(32)", "a"), {"one.js/a.": "R"}),
    "block below a file's own": (("p.a(33)", "a"), {"one.js/a.": "R"}),
    "a file's own": (("p.a(34)", "a"), {"two.js/a.": "R"}),
    "block after a function": (("e.b(36)", "b"), {"two.js/b.": "R"}),
    "function before a block": (("e(37)", "e"), {"a.js/e().": "R"}),
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    folder = tmp_path_factory.mktemp("requires")
    return index_files(folder, {"a.js": SOURCE, "one.js": ONE, "two.js": TWO, "tsconfig.json": OPTIONS})


@pytest.mark.parametrize(("place", "expected"), CASES.values(), ids=CASES.keys())
def test_a_required_name_means_the_module_of_its_block(
    indexed: Indexed, place: tuple[str, str], expected: Answer
) -> None:
    assert indexed.at("a.js", *place) == expected


def test_everything_that_is_mentioned_is_described(indexed: Indexed) -> None:
    assert cleanliness.violations(indexed.index, indexed.text, excuse) == []


def test_two_programs_that_share_a_script_agree(tmp_path: Path) -> None:
    files: dict[str, str | bytes | object] = {
        "tsconfig.json": {"files": []},
        "a/tsconfig.json": {**OPTIONS, "include": [".", "../shared.js"]},
        "a/own.js": 'const { both } = require("../shared");\nboth;\n',
        "b/tsconfig.json": {**OPTIONS, "include": [".", "../shared.js"]},
        "b/own.js": 'const { both } = require("../shared");\nboth;\n',
        "one.js": ONE,
        "two.js": TWO,
        "shared.js": '{ const k = require("./one"); k.a; }\n'
        '{ const k = require("./two"); k.a(2); exports.both = k.b; }\n',
    }
    indexed = index_files(tmp_path, files)
    assert indexed.at("shared.js", "k.a;", "a") == {"one.js/a.": "R"}
    assert indexed.at("shared.js", "k.a(2)", "a") == {"two.js/a.": "R"}
    for own in ("a/own.js", "b/own.js"):
        assert indexed.at(own, "both;", "both") == {"two.js/b.": "R"}
