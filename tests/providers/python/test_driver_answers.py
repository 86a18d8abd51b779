"""What Pyright knows of the tricky fixture, place by place; right is what Python's reference says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codetrail.scip import scip_pb2
from tests.providers import cleanliness
from tests.providers.python.driver_index import Run, index_tree, short, signature_of

FIXTURE = Path(__file__).parents[3] / "fixtures" / "python-tricky"
BASE, CHILD, TOP = "src/pkg/base.py", "src/pkg/child.py", "top.py"
MODERN, DEAD, SCOPES, SHAPES = (
    "src/pkg/modern.py",
    "src/pkg/dead.py",
    "src/pkg/scopes.py",
    "src/pkg/shapes.py",
)
PKG, READER, ONE = "src/pkg/__init__.py", "typed/reader.py", "tools/one/run.py"

DEF, IMPORT, WRITE, READ, TEST, FORWARD = 1, 2, 4, 8, 32, 64
PROTOBUF = {"prefix": "/site/google/protobuf", "name": "protobuf", "version": "7.1"}


@pytest.fixture(scope="session")
def tricky(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("tricky")
    root = folder / "work"
    shutil.copytree(FIXTURE, root)
    roots = ["", "src", "tools/one", "tools/two"]
    return index_tree(root, folder / "run", roots=roots, distributions=[PROTOBUF])


PLACES = {
    "1 re-export, name before as": (PKG, "Base as Base", "Base", 0, {"`pkg.base`/Base#"}, IMPORT),
    "1 re-export, name after as": (PKG, "Base as Base", "Base", 1, {"`pkg.base`/Base#"}, IMPORT),
    "1 import through a re-export": (CHILD, "from pkg import Base", "Base", 0, {"`pkg.base`/Base#"}, IMPORT),
    "1 relative module name": (PKG, "from .base", "base", 0, {"`pkg.base`/__init__:"}, IMPORT),
    "2 name through a star import": (CHILD, "starred();", "starred", 0, {"`pkg.star`/starred()."}, READ),
    "3 first part of a dotted import": (CHILD, "import pkg.sub.mod", "pkg", 0, {"pkg/__init__:"}, IMPORT),
    "3 middle part": (CHILD, "import pkg.sub.mod", "sub", 0, {"`pkg.sub`/__init__:"}, IMPORT),
    "3 last part": (CHILD, "import pkg.sub.mod", "mod", 0, {"`pkg.sub.mod`/__init__:"}, IMPORT),
    "3 module alias": (CHILD, "mod as m", "m", 1, {"`pkg.sub.mod`/__init__:"}, IMPORT),
    "3 use of the alias": (CHILD, "m.func()", "m", 0, {"`pkg.sub.mod`/__init__:"}, READ),
    "3 use of the first part": (CHILD, "pkg.sub.mod.func()", "pkg", 0, {"pkg/__init__:"}, READ),
    "3 function behind the parts": (CHILD, "pkg.sub.mod.func()", "func", 0, {"`pkg.sub.mod`/func()."}, READ),
    "4 overloaded function": (CHILD, "helper(n)", "helper", 0, {"`pkg.base`/helper()."}, READ),
    "5 property write": (CHILD, "c.size = 4", "size", 0, {"`pkg.base`/Base#size()."}, WRITE),
    "6 narrowed on assignment": (CHILD, "b.run(2)", "run", 0, {"`pkg.child`/Child#run()."}, READ),
    "6 declared protocol": (CHILD, "r.run(3)", "run", 0, {"`pkg.base`/Runner#run()."}, READ),
    "8 dataclass keyword": (CHILD, "Point(x=1", "x", 0, {"`pkg.base`/Point#x."}, 0),
    "8 dataclass field": (CHILD, "    p.x", "x", 0, {"`pkg.base`/Point#x."}, READ),
    "8 pattern keyword": (CHILD, "Point(x=a", "x", 0, {"`pkg.base`/Point#x."}, READ),
    "9 TypedDict keyword": (CHILD, "Opts(verbose", "verbose", 0, {"`pkg.base`/Opts#verbose."}, 0),
    "9 TypedDict key": (CHILD, 'o["verbose"]', "verbose", 0, {"`pkg.base`/Opts#verbose."}, READ),
    "9 key of a display": (SHAPES, '"verbose": True', "verbose", 0, {"`pkg.base`/Opts#verbose."}, READ),
    "9 deleted key": (SHAPES, 'del opts["level"]', "level", 0, {"`pkg.base`/Opts#level."}, WRITE),
    "10 NamedTuple keyword": (CHILD, "Pair(left", "left", 0, {"`pkg.base`/Pair#left."}, 0),
    "10 NamedTuple field": (CHILD, "q.left", "left", 0, {"`pkg.base`/Pair#left."}, READ),
    "11 behind __getattr__": (CHILD, "self.dyn.go()", "dyn", 0, set(), 0),
    "11 after that": (CHILD, "self.dyn.go()", "go", 0, set(), 0),
    "12 version-dependent function": (CHILD, "cond();", "cond", 0, {"`pkg.base`/cond()."}, READ),
    "13 fallback for a missing module": (CHILD, "fast.thing", "fast", 0, {"`pkg.base`/fast."}, READ),
    "13 its import elsewhere": (CHILD, "deco, fast", "fast", 0, {"`pkg.base`/fast."}, IMPORT),
    "13 the missing module": (BASE, "nonexistent_mod", "nonexistent_mod", 0, set(), 0),
    "14 import under TYPE_CHECKING": (BASE, "    from .child", "Child", 0, {"`pkg.child`/Child#"}, IMPORT),
    "14 quoted return type": (BASE, '-> "Child"', "Child", 0, {"`pkg.child`/Child#"}, READ),
    "14 quoted union": (CHILD, '"Point | None"', "Point", 0, {"`pkg.base`/Point#"}, READ),
    "14 quoted argument of cast": (SHAPES, 'cast("Shade"', "Shade", 0, {"`pkg.shapes`/Shade#"}, READ),
    "15 f-string call": (CHILD, "{p.norm()}", "norm", 0, {"`pkg.base`/Point#norm()."}, READ),
    "15 nested f-string, outer": (MODERN, 'f(f"', "f", 0, {"`pkg.modern`/f()."}, READ),
    "15 nested f-string, inner": (MODERN, "f('a')", "f", 0, {"`pkg.modern`/f()."}, READ),
    "15 width field": (MODERN, "{len(nested", "nested_width", 0, {"`pkg.modern`/nested_width."}, READ),
    "18 field of the base": (CHILD, "return self.name", "name", 0, {"`pkg.base`/Base#name."}, READ),
    "18 later assignment": (BASE, "self.limit = v", "limit", 0, {"`pkg.base`/Base#limit."}, WRITE),
    "19 super": (CHILD, "super().size", "size", 0, {"`pkg.base`/Base#size()."}, READ),
    "19 result of a call": (CHILD, '("z").run(2)', "run", 0, {"`pkg.child`/Child#run()."}, READ),
    "19 result of an index": (CHILD, '("q").run(4)', "run", 0, {"`pkg.child`/Child#run()."}, READ),
    "20 unannotated parameter": (CHILD, "any_thing.run(1)", "run", 0, set(), 0),
    "21 type parameter of a class": (MODERN, "item: T", "T", 0, {"`pkg.modern`/Box#[T]"}, READ),
    "21 type parameter of a function": (MODERN, "kept: T", "T", 0, {"`pkg.modern`/first().[T]"}, READ),
    "21 type parameter of an alias": (MODERN, "tuple[K, V]", "V", 0, {"`pkg.modern`/Pair#[V]"}, READ),
    "23 function behind a decorator": (CHILD, "c.extra()", "extra", 0, {"`pkg.child`/Child#extra()."}, READ),
    "24 whole part of a broken file": (
        "src/pkg/broken.py",
        "whole(1",
        "whole",
        0,
        {"`pkg.broken`/whole()."},
        READ,
    ),
    "namespace package": (TOP, "from ns_pkg.inner import", "ns_pkg", 0, {"ns_pkg/__init__:"}, IMPORT),
    "module in a namespace package": (TOP, "leaf.nsf()", "leaf", 0, {"`ns_pkg.inner.leaf`/__init__:"}, READ),
    "function in it": (TOP, "leaf.nsf()", "nsf", 0, {"`ns_pkg.inner.leaf`/nsf()."}, READ),
    "stub and source share symbols": (TOP, "stubbed.go(1)", "go", 0, {"stubbed/go()."}, READ),
    "keyword of a stubbed function": (READER, "width=3", "width", 0, {"`typed.shelf`/make().(width)"}, 0),
    "method known from a stub": (READER, ".put(", "put", 0, {"`typed.shelf`/Shelf#put()."}, READ),
    "bundled stubs of a distribution": (
        TOP,
        "import Message",
        "Message",
        0,
        {"protobuf 7.1 `google.protobuf.message`/Message#"},
        IMPORT,
    ),
    "standard library": (
        BASE,
        "functools.wraps",
        "wraps",
        0,
        {"python-stdlib 3.12 functools/wraps()."},
        READ,
    ),
    "same module name, own folder first": (ONE, "common.VALUE", "VALUE", 0, {"common/VALUE."}, READ),
    "global in a function": (SCOPES, "    count += 1", "count", 0, {"`pkg.scopes`/count."}, READ | WRITE),
    "name of a nested function": (
        SCOPES,
        "return inner",
        "inner",
        0,
        {"`pkg.scopes`/outer().inner()."},
        READ,
    ),
    "member of a class in a function": (
        SCOPES,
        "self.size",
        "size",
        0,
        {"`pkg.scopes`/outer().inner().Local#size."},
        READ,
    ),
    "parameter written again": (SCOPES, "    a = 3", "a", 0, {"`pkg.scopes`/outer().(a)"}, WRITE),
    "private name": (SCOPES, "self.__hidden", "__hidden", 0, {"`pkg.scopes`/Holder#__hidden."}, READ),
    "name in parentheses": (SCOPES, "(wrapped)", "wrapped", 0, {"`pkg.scopes`/Holder#wrapped."}, DEF | WRITE),
    "name beyond ASCII": (SCOPES, "naïve = ", "naïve", 0, {"`pkg.scopes`/`naïve`."}, DEF | WRITE),
    "namedtuple field": (SHAPES, "py=2).px", "px", 0, {"`pkg.shapes`/Spot.px."}, READ),
    "namedtuple field in its list": (SHAPES, '["px"', "px", 0, {"`pkg.shapes`/Spot.px."}, DEF),
    "functional NamedTuple keyword": (SHAPES, "Typed(nx", "nx", 0, {"`pkg.shapes`/Typed.nx."}, 0),
    "functional TypedDict key": (SHAPES, 'shape["wide"]', "wide", 0, {"`pkg.shapes`/Shape.wide."}, WRITE),
    "slot bound elsewhere": (SHAPES, '("one"', "one", 0, {"`pkg.shapes`/Slotted#one."}, 0),
    "slot bound nowhere": (SHAPES, '"two")', "two", 0, {"`pkg.shapes`/Slotted#two."}, DEF),
    "enum member": (SHAPES, "else Shade.DARK", "DARK", 0, {"`pkg.shapes`/Shade#DARK."}, READ),
    "keyword of cls()": (SHAPES, "cls(size=1)", "size", 0, {"`pkg.shapes`/Made#__new__().(size)"}, 0),
    "keyword of an overload": (
        SHAPES,
        "Many(number",
        "number",
        0,
        {"`pkg.shapes`/Many#__init__().(number)"},
        0,
    ),
    "keyword of __call__": (SHAPES, "(loud=True)", "loud", 0, {"`pkg.shapes`/Many#__call__().(loud)"}, 0),
    "keyword under a decorator": (SHAPES, 'opened(path="a")', "path", 0, {"`pkg.shapes`/opened().(path)"}, 0),
    "name in __all__": (PKG, '"helper"', "helper", 0, {"`pkg.base`/helper()."}, 0),
    "name in __all__ from a star import": (PKG, '"starred"', "starred", 0, {"`pkg.star`/starred()."}, 0),
    "module in __all__": (PKG, '"sub"', "sub", 0, {"`pkg.sub`/__init__:"}, 0),
    "keyword of _replace": (SHAPES, "_replace(left", "left", 0, {"`pkg.base`/Pair#left."}, 0),
    "keyword of dataclasses.replace": (SHAPES, "Point(1), y", "y", 0, {"`pkg.base`/Point#y."}, 0),
    "keyword into **rest": (SHAPES, "positional(1, first=2)", "first", 0, set(), 0),
    "name on another platform": (
        DEAD,
        "winreg.OpenKey",
        "OpenKey",
        0,
        {"python-stdlib 3.12 winreg/OpenKey()."},
        READ,
    ),
    "parameter in a dead method": (
        DEAD,
        "step + self.kept",
        "step",
        0,
        {"`pkg.dead`/Gone#move().(step)"},
        READ,
    ),
    "import in a dead arm": (DEAD, "Point as Spot", "Spot", 0, {"`pkg.base`/Point#"}, IMPORT),
    "its use there": (DEAD, "], Spot", "Spot", 0, {"`pkg.base`/Point#"}, READ),
    "function that only a dead arm defines": (
        DEAD,
        ", only_old()",
        "only_old",
        0,
        {"`pkg.dead`/only_old()."},
        READ,
    ),
    "statement after return": (DEAD, "late = LIMIT", "LIMIT", 0, {"`pkg.dead`/LIMIT."}, READ),
}


@pytest.mark.parametrize(
    ("path", "line", "name", "nth", "symbols", "roles"), PLACES.values(), ids=list(PLACES)
)
def test_place(tricky: Run, path: str, line: str, name: str, nth: int, symbols: set[str], roles: int) -> None:
    found = tricky.at(path, line, name, nth)
    assert tricky.symbols_at(path, line, name, nth) == symbols
    assert {one.symbol_roles for one in found} <= {roles}


LOCALS = {
    "lambda parameter": ((SCOPES, "lambda n: n", "n", 0), (SCOPES, "lambda n: n", "n", 1)),
    "walrus in a comprehension": ((SCOPES, "(last := a)", "last", 0), (SCOPES, "key), last", "last", 0)),
    "comprehension variable": ((SCOPES, "for a in args", "a", 0), (SCOPES, "[a for", "a", 0)),
    "loop variable": ((SCOPES, "for i in range", "i", 0), (SCOPES, "i = i + 1", "i", 1)),
    "written again": ((SCOPES, "for i in range", "i", 0), (SCOPES, "i = i + 1", "i", 0)),
    "deleted": ((SCOPES, "squares = [", "squares", 0), (SCOPES, "del squares", "squares", 0)),
    "exception": ((SCOPES, "as problem", "problem", 0), (SCOPES, "raise problem", "problem", 0)),
    "with": ((SCOPES, "as handle", "handle", 0), (SCOPES, "handle.read", "handle", 0)),
    "tuple target of with": (
        (SCOPES, "(left, right):", "right", 0),
        (SCOPES, "right, made_late", "right", 0),
    ),
    "nonlocal": ((SCOPES, "depth = 0", "depth", 0), (SCOPES, "self.seen = depth", "depth", 0)),
    "nested tuple target": ((CHILD, "(j, k) in", "k", 0), (CHILD, "{j:>{k}}", "k", 0)),
    "match keyword capture": ((CHILD, "Point(x=a", "a", 0), (CHILD, "return a", "a", 0)),
    "match mapping rest": ((SCOPES, "**rest}", "rest", 0), (SCOPES, "found, rest", "rest", 0)),
    "match star": ((SCOPES, "*tail] as", "tail", 0), (SCOPES, "head, tail", "tail", 0)),
    "match as": ((SCOPES, "as whole", "whole", 0), (SCOPES, "tail, whole", "whole", 0)),
    "in a dead method": ((DEAD, "far = step", "far", 0), (DEAD, "range(far)", "far", 0)),
    "comprehension in a dead method": ((DEAD, "for each in", "each", 0), (DEAD, "[each for", "each", 0)),
}


@pytest.mark.parametrize(("definition", "use"), LOCALS.values(), ids=list(LOCALS))
def test_locals_are_defined_once_and_found(
    tricky: Run, definition: tuple[str, str, str, int], use: tuple[str, str, str, int]
) -> None:
    [defined], [used] = tricky.at(*definition), tricky.at(*use)
    assert defined.symbol.startswith("local ")
    assert defined.symbol == used.symbol
    assert (defined.symbol_roles & DEF, used.symbol_roles & DEF) == (DEF, 0)


def test_comprehension_and_parameter_of_one_name_differ(tricky: Run) -> None:
    [comprehension], [again] = tricky.at(SCOPES, "[a for", "a"), tricky.at(SCOPES, "    a = 3", "a")
    assert comprehension.symbol != again.symbol


def test_a_wildcard_pattern_has_no_occurrence(tricky: Run) -> None:
    assert tricky.at(SCOPES, "case _:", "_") == []


def test_the_fixture_is_clean(tricky: Run) -> None:
    assert cleanliness.violations(tricky.index, tricky.text) == []
    assert set(cleanliness.excused(tricky.index, tricky.text)) <= {
        "module_definition",
        "module_name",
        "module_alias",
        "import_alias",
        "renamed_by_a_library",
    }


DEFINITIONS = {
    "overloads and implementation": (
        "`pkg.base`/helper().",
        [(BASE, DEF | FORWARD), (BASE, DEF | FORWARD), (BASE, DEF)],
    ),
    "property getter and setter": ("`pkg.base`/Base#size().", [(BASE, DEF), (BASE, DEF)]),
    "both arms of a version test": ("`pkg.base`/cond().", [(BASE, DEF), (BASE, DEF)]),
    "import and fallback": ("`pkg.base`/fast.", [(BASE, DEF | IMPORT), (BASE, DEF | WRITE)]),
    "source and stub": ("stubbed/go().", [("stubbed.py", DEF), ("stubbed.pyi", DEF | FORWARD)]),
    "field of source and stub": (
        "`typed.shelf`/Shelf#size.",
        [("typed/shelf.py", DEF | WRITE), ("typed/shelf.pyi", DEF | FORWARD)],
    ),
    "function in the stub, lambda in the source": (
        "`typed.shelf`/make().",
        [("typed/shelf.py", DEF | WRITE), ("typed/shelf.pyi", DEF | FORWARD)],
    ),
    "first assignment of a field only": ("`pkg.base`/Base#name.", [(BASE, DEF | WRITE)]),
    "class body before methods": ("`pkg.base`/Base#limit.", [(BASE, DEF | WRITE)]),
    "no definition in a re-export": ("`pkg.base`/Base#", [(BASE, DEF)]),
    "second module of a name": ("`tools/two/common.py`/VALUE.", [("tools/two/common.py", DEF | WRITE)]),
    "package without a file": ("ns_pkg/__init__:", []),
    "class in one arm": ("`pkg.dead`/Gone#", [(DEAD, DEF)]),
    "variable in the other": ("`pkg.dead`/Gone.", [(DEAD, DEF | WRITE)]),
    "global made in a function": ("`pkg.scopes`/made_late.", [(SCOPES, DEF | WRITE)]),
    "star parameters, without stars": ("`pkg.scopes`/outer().(args)", [(SCOPES, DEF)]),
}


@pytest.mark.parametrize(("symbol", "places"), DEFINITIONS.values(), ids=list(DEFINITIONS))
def test_definitions(tricky: Run, symbol: str, places: list[tuple[str, int]]) -> None:
    assert [(path, roles) for path, _, roles in tricky.definitions(symbol)] == places


def test_modules_are_defined_with_zero_width_over_the_whole_file(tricky: Run) -> None:
    for document in tricky.index.documents:
        [first] = [one for one in document.occurrences if list(one.range) == [0, 0, 0]]
        lines = tricky.text(document.relative_path).split("\n")
        assert first.symbol.endswith("/__init__:")
        ends = list(first.enclosing_range)
        assert ends[:2] == [0, 0]
        assert ends[-2:] == ([len(lines) - 1, len(lines[-1])] if len(lines) > 1 else [0, len(lines[0])])


def test_a_star_has_no_occurrence(tricky: Run) -> None:
    line = tricky.text(PKG).splitlines().index("from .star import *")
    assert [list(one.range) for one in tricky.document(PKG).occurrences if one.range[0] == line] == [
        [line, 6, 10]
    ]


def test_columns_are_utf16(tricky: Run) -> None:
    [place] = tricky.at(CHILD, 'return "é𝒳", w', "w")
    assert list(place.range)[1:] == [44, 45]
    assert tricky.document(CHILD).position_encoding == 2


RELATIONSHIPS = {
    "override of an abstract method": (
        CHILD,
        "`pkg.child`/Child#run().",
        {("`pkg.base`/Base#run().", True, True)},
    ),
    "overridden field": (CHILD, "`pkg.child`/Child#limit.", {("`pkg.base`/Base#limit.", True, True)}),
    "base class": (CHILD, "`pkg.child`/Child#", {("`pkg.base`/Base#", False, True)}),
    "no base but object": (SHAPES, "`pkg.shapes`/Slotted#", set()),
    "a method that overrides nothing": (CHILD, "`pkg.child`/Child#extra().", set()),
    "a protocol met only by shape": (BASE, "`pkg.base`/Base#run().", set()),
}


@pytest.mark.parametrize(("path", "symbol", "related"), RELATIONSHIPS.values(), ids=list(RELATIONSHIPS))
def test_relationships(tricky: Run, path: str, symbol: str, related: set[tuple[str, bool, bool]]) -> None:
    information = tricky.information(path, symbol)
    found = {
        (short(one.symbol), one.is_reference, one.is_implementation) for one in information.relationships
    }
    assert found == related


KINDS = {
    "module": (BASE, "`pkg.base`/__init__:", "Module", "pkg.base", ""),
    "class": (BASE, "`pkg.base`/Base#", "Class", "Base", "class Base(ABC)"),
    "protocol": (BASE, "`pkg.base`/Runner#", "Protocol", "Runner", "class Runner(Protocol)"),
    "function described by its implementation": (
        BASE,
        "`pkg.base`/helper().",
        "Function",
        "helper",
        "def helper(x)",
    ),
    "method": (CHILD, "`pkg.child`/Child#run().", "Method", "run", "def run(self, n: int) -> int"),
    "source signature under a decorator": (
        CHILD,
        "`pkg.child`/Child#extra().",
        "Method",
        "extra",
        "def extra(self)",
    ),
    "static method": (BASE, "`pkg.base`/Base#util().", "StaticMethod", "util", "def util(x)"),
    "property": (BASE, "`pkg.base`/Base#size().", "Property", "size", "def size(self) -> int"),
    "field": (BASE, "`pkg.base`/Base#name.", "Field", "name", "self.name = name"),
    "annotated field": (BASE, "`pkg.base`/Point#x.", "Field", "x", "x: int"),
    "enum": (SHAPES, "`pkg.shapes`/Shade#", "Enum", "Shade", "class Shade(enum.Enum)"),
    "enum member": (SHAPES, "`pkg.shapes`/Shade#DARK.", "EnumMember", "DARK", "DARK = 1"),
    "constant": (DEAD, "`pkg.dead`/LIMIT.", "Constant", "LIMIT", "LIMIT = 1"),
    "variable": (SCOPES, "`pkg.scopes`/count.", "Variable", "count", "count = 0"),
    "parameter": (SCOPES, "`pkg.scopes`/outer().(key)", "Parameter", "key", "key=1"),
    "type parameter": (MODERN, "`pkg.modern`/Box#[T]", "TypeParameter", "T", "T"),
    "type alias": (MODERN, "`pkg.modern`/Pair#", "TypeAlias", "Pair", "type Pair[K, V] = tuple[K, V]"),
    "local": (CHILD, "local 0", "Variable", "c", 'c = Child("a")'),
}


@pytest.mark.parametrize(("path", "symbol", "kind", "display", "signature"), KINDS.values(), ids=list(KINDS))
def test_information(tricky: Run, path: str, symbol: str, kind: str, display: str, signature: str) -> None:
    found = tricky.information(path, symbol)
    assert scip_pb2.SymbolInformation.Kind.Name(found.kind) == kind
    assert (found.display_name, signature_of(found)) == (display, signature)


OWNERS = {
    "method": (CHILD, "`pkg.child`/Child#run().", "`pkg.child`/Child#"),
    "parameter": (CHILD, "`pkg.child`/Child#run().(n)", "`pkg.child`/Child#run()."),
    "local": (CHILD, "local 0", "`pkg.child`/use()."),
    "nested class": (SCOPES, "`pkg.scopes`/Holder#Inner#", "`pkg.scopes`/Holder#"),
    "field set in a method": (BASE, "`pkg.base`/Base#name.", "`pkg.base`/Base#"),
    "type parameter": (MODERN, "`pkg.modern`/first().[T]", "`pkg.modern`/first()."),
    "class": (CHILD, "`pkg.child`/Child#", "`pkg.child`/__init__:"),
}


@pytest.mark.parametrize(("path", "symbol", "owner"), OWNERS.values(), ids=list(OWNERS))
def test_enclosing_symbol(tricky: Run, path: str, symbol: str, owner: str) -> None:
    assert tricky.information(path, symbol).enclosing_symbol.endswith(owner)


def test_documentation_is_the_first_paragraph(tricky: Run) -> None:
    assert list(tricky.information(BASE, "`pkg.base`/Base#").documentation) == ["Base doc."]


EXTENTS = {
    "function": (BASE, "def deco(fn)", "deco", "def deco(fn):", "return wrapper"),
    "decorated method, decorators included": (CHILD, "def extra", "extra", "@deco", "return self.name"),
    "class": (CHILD, "class Child", "Child", "class Child", "return self.name"),
    "class-level field": (BASE, "limit = 3", "limit", "limit = 3", "limit = 3"),
    "declared field": (BASE, "    left: int", "left", "left: int", "left: int"),
    "field in a tuple target": (SCOPES, "east, (north", "north", "east, (", "(2, 3)"),
    "name of a lambda": (SCOPES, "double = ", "double", "double = lambda", "lambda n: n * depth"),
}


@pytest.mark.parametrize(("path", "line", "name", "first", "last"), EXTENTS.values(), ids=list(EXTENTS))
def test_enclosing_range(tricky: Run, path: str, line: str, name: str, first: str, last: str) -> None:
    [place] = tricky.at(path, line, name)
    around = list(place.enclosing_range)
    lines = tricky.text(path).splitlines()
    start, end = (around[0], around[1]), (around[-2] if len(around) == 4 else around[0], around[-1])
    assert lines[start[0]][start[1] :].startswith(first)
    assert lines[end[0]][: end[1]].endswith(last)


def test_every_occurrence_of_a_test_file_says_so(tricky: Run) -> None:
    assert {one.symbol_roles & TEST for one in tricky.document("tests/test_child.py").occurrences} == {TEST}
    assert {one.symbol_roles & TEST for one in tricky.document(CHILD).occurrences} == {0}


def test_problems_are_named_once(tricky: Run) -> None:
    assert [(one["path"], one["line"], one["message"]) for one in tricky.problems("unresolved_import")] == [
        (BASE, 61, "nonexistent_mod")
    ]
    [broken] = tricky.problems("syntax_errors")
    assert broken["path"] == "src/pkg/broken.py"
    assert int(str(broken["count"])) >= 1


def test_external_symbols_say_what_they_are(tricky: Run) -> None:
    found = {one.symbol.removeprefix("codetrail-py python "): one for one in tricky.index.external_symbols}
    assert signature_of(found["python-stdlib 3.12 functools/wraps()."]).startswith("def wraps(")
    assert found["python-stdlib 3.12 builtins/int#"].display_name == "int"
    assert not any(symbol.startswith("own 1.0 pkg") for symbol in found)


def test_a_missing_module_is_remarked_on_its_name(tricky: Run) -> None:
    text = tricky.text(BASE).splitlines()
    line = next(number for number, found in enumerate(text) if "nonexistent_mod" in found)
    start = text[line].index("nonexistent_mod")
    place = [line, start, start + len("nonexistent_mod")]
    assert tricky.remarks(BASE) == [(place, "unresolved_import", "nonexistent_mod")]
