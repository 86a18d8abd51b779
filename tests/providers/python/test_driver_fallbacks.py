"""Names that are declared more than once: every use means all of it, each declaration is what it is."""

from __future__ import annotations

import pytest

from codetrail.model.kinds import NUMBERS
from tests.providers import cleanliness
from tests.providers.python.driver_index import Run, index_tree, request_for, signature_of, write_tree
from tests.providers.python.lsp_index import drive_lsp

FILES = {
    "compat.py": """\
import sys
from typing import TYPE_CHECKING
try:
    from json import loads
except ImportError:
    def loads(s): return s
try:
    from collections import OrderedDict
except ImportError:
    class OrderedDict(dict): pass
try:
    import json as js
except ImportError:
    js = None
if TYPE_CHECKING:
    from json import dumps
else:
    from pickle import dumps
if sys.platform == "win32":
    from ntpath import join
else:
    from posixpath import join
if sys.version_info >= (3, 0):
    from functools import cache
else:
    def cache(f): return f
try:
    from nowhere import Klass
except ImportError:
    class Klass: pass
try:
    from nowhere import gone
except ImportError:
    gone = None
from json import JSONDecoder

loads, OrderedDict, js, dumps, join, cache, Klass, gone, JSONDecoder  # here
__all__ = ["loads", "OrderedDict", "js", "dumps", "join", "cache", "Klass", "gone", "JSONDecoder"]
""",
    "taken.py": """\
from compat import loads, OrderedDict, js, dumps, join, cache, Klass, gone, JSONDecoder  # import
loads, OrderedDict, js, dumps, join, cache, Klass, gone, JSONDecoder  # use
def inside():
    from compat import loads
    return loads  # inside
""",
    "whole.py": """\
import compat as c
c.loads, c.OrderedDict, c.js, c.dumps, c.join, c.cache, c.Klass, c.gone, c.JSONDecoder  # use
""",
    "again.py": "from taken import *\n",
    "chain.py": """\
from again import loads as L1, OrderedDict as O1, js as S1, Klass as K1, gone as G1, JSONDecoder as J1
L1, O1, S1, K1, G1, J1  # use
""",
    "starred.py": """\
from compat import *
loads, OrderedDict, js, dumps, join, cache, Klass, gone, JSONDecoder  # use
""",
    "ring_a.py": """\
try:
    from ring_b import turn
except ImportError:
    def turn(): ...
from ring_a import turn as same  # itself
""",
    "ring_b.py": "try:\n    from ring_a import turn\nexcept ImportError:\n    turn = None\n",
    "ring.py": "from ring_b import turn\nturn  # use\n",
    "pack/__init__.py": "try:\n    from . import part\nexcept ImportError:\n    part = None\n",
    "pack/part.py": "",
    "packed.py": "from pack import part\npart  # use\n",
    "kinds.py": """\
def shadow(x):
    x  # before
    class x: pass
    return x  # after
def inner(y):
    def y(): pass
    return y  # after
def plain(a):
    a = 1  # assigned
    return a  # parameter
def changing():
    step = None
    def step(): pass
    return step  # both
class Box:
    size = 1
    def size(self): pass  # method
    def fill(self):
        self.size = 2  # fill
class Twice: pass  # class
Twice = None
def both(): pass  # function
class both: pass  # class
made = None
def make():
    global made  # statement
    def made(): pass  # function
Twice, both, made, Box.size, Box().size  # here
del both
""",
    "kinds_use.py": "from kinds import Twice, both, made\nTwice, both, made  # use\n",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("fallbacks")
    write_tree(folder / "work", FILES)
    return index_tree(folder / "work", folder / "run")


LIBRARY = "python-stdlib 3.12 "
MEANT = {
    "loads": {f"{LIBRARY}json/loads().", "compat/loads()."},
    "OrderedDict": {f"{LIBRARY}collections/OrderedDict#", "compat/OrderedDict#"},
    "js": {f"{LIBRARY}json/__init__:", "compat/js."},
    "dumps": {f"{LIBRARY}json/dumps()."},
    "join": {f"{LIBRARY}ntpath/join().", f"{LIBRARY}posixpath/join()."},
    "cache": {f"{LIBRARY}functools/cache()."},
    "Klass": {"compat/Klass.", "compat/Klass#"},
    "gone": {"compat/gone."},
    "JSONDecoder": {f"{LIBRARY}`json.decoder`/JSONDecoder#"},
}
WAYS = {
    "in the module itself": ("compat.py", "# here"),
    "export": ("compat.py", "__all__"),
    "import": ("taken.py", "# import"),
    "imported": ("taken.py", "# use"),
    "attribute": ("whole.py", "# use"),
    "star import": ("starred.py", "# use"),
}


@pytest.mark.parametrize("name", MEANT)
@pytest.mark.parametrize(("path", "mark"), WAYS.values(), ids=list(WAYS))
def test_each_way_to_a_name_means_all_of_it(run: Run, path: str, mark: str, name: str) -> None:
    line = next(text for text in run.text(path).splitlines() if mark in text)
    assert run.symbols_at(path, line, name) == MEANT[name]


CHAIN = {"loads": "L1", "OrderedDict": "O1", "js": "S1", "Klass": "K1", "gone": "G1", "JSONDecoder": "J1"}


@pytest.mark.parametrize(("name", "alias"), CHAIN.items(), ids=list(CHAIN))
def test_renamed_through_a_chain(run: Run, name: str, alias: str) -> None:
    assert run.symbols_at("chain.py", f"{name} as", name) == MEANT[name]
    assert run.symbols_at("chain.py", f"as {alias}", alias) == MEANT[name]
    assert run.symbols_at("chain.py", "L1, O1", alias) == MEANT[name]


def test_imported_inside_of_a_function(run: Run) -> None:
    assert run.symbols_at("taken.py", "return loads", "loads") == MEANT["loads"]


IMPORTS = {
    "of a function": ("from json import loads", "loads", f"{LIBRARY}json/loads()."),
    "of a class": ("from collections", "OrderedDict", f"{LIBRARY}collections/OrderedDict#"),
    "of a module": ("as js", "js", f"{LIBRARY}json/__init__:"),
    "in the arm of checkers": ("from json import dumps", "dumps", f"{LIBRARY}json/dumps()."),
    "in the other arm": ("from pickle", "dumps", f"{LIBRARY}_pickle/dumps()."),
    "of a platform": ("from ntpath", "join", f"{LIBRARY}ntpath/join()."),
}


@pytest.mark.parametrize(("line", "name", "symbol"), IMPORTS.values(), ids=list(IMPORTS))
def test_an_import_that_is_found_means_what_it_imports_and_defines_nothing(
    run: Run, line: str, name: str, symbol: str
) -> None:
    found = run.at("compat.py", line, name)
    assert run.symbols_at("compat.py", line, name) == {symbol}
    assert [one.symbol_roles for one in found] == [2]


def test_an_import_that_is_not_found_defines_a_variable(run: Run) -> None:
    assert [path for path, *_ in run.definitions("compat/Klass#")] == ["compat.py"]
    assert run.definitions("compat/Klass.") == [("compat.py", 27, 3)]
    assert run.definitions("compat/gone.") == [("compat.py", 31, 3), ("compat.py", 33, 5)]


def test_rings_of_imports_end(run: Run) -> None:
    meant = {"ring_a/turn().", "ring_b/turn."}
    assert run.symbols_at("ring.py", "turn  # use", "turn") == meant
    assert "ring_a/turn()." in run.symbols_at("ring_a.py", "from ring_a", "same")


def test_a_submodule_with_a_fallback(run: Run) -> None:
    meant = {"`pack.part`/__init__:", "pack/part."}
    assert run.symbols_at("pack/__init__.py", "from .", "part") == {"`pack.part`/__init__:"}
    assert run.symbols_at("packed.py", "from pack", "part") == meant
    assert run.symbols_at("packed.py", "part  # use", "part") == meant


PLACES = {
    "parameter": ("def shadow", "x", {"shadow().(x)"}),
    "class that shadows it": ("class x", "x", {"shadow().x#"}),
    "use before": ("x  # before", "x", {"shadow().(x)", "shadow().x#"}),
    "use behind": ("x  # after", "x", {"shadow().(x)", "shadow().x#"}),
    "parameter and function": ("def inner", "y", {"inner().(y)"}),
    "function that shadows it": ("def y", "y", {"inner().y()."}),
    "use of both": ("y  # after", "y", {"inner().(y)", "inner().y()."}),
    "parameter that is assigned": ("a = 1", "a", {"plain().(a)"}),
    "its use": ("a  # parameter", "a", {"plain().(a)"}),
    "local variable": ("step = None", "step", {"local 0"}),
    "local function": ("def step", "step", {"changing().step()."}),
    "local of two kinds": ("step  # both", "step", {"local 0", "changing().step()."}),
    "field": ("size = 1", "size", {"Box#size."}),
    "method": ("size(self): pass  # method", "size", {"Box#size()."}),
    "assigned in a method": ("size = 2", "size", {"Box#size.", "Box#size()."}),
    "member of a class": ("Box.size,", "size", {"Box#size.", "Box#size()."}),
    "member of an object": ("Box().size", "size", {"Box#size.", "Box#size()."}),
    "class": ("Twice: pass", "Twice", {"Twice#"}),
    "class that is replaced": ("Twice = None", "Twice", {"Twice."}),
    "class and variable": ("Twice, both", "Twice", {"Twice#", "Twice."}),
    "function": ("both(): pass", "both", {"both()."}),
    "class of its name": ("both: pass", "both", {"both#"}),
    "function and class": ("both, made", "both", {"both().", "both#"}),
    "deleted": ("del both", "both", {"both().", "both#"}),
    "global variable": ("made = None", "made", {"made."}),
    "global statement": ("made  # statement", "made", {"made.", "made()."}),
    "global function": ("made(): pass", "made", {"made()."}),
    "both of them": ("made, Box", "made", {"made.", "made()."}),
}


@pytest.mark.parametrize(("line", "name", "symbols"), PLACES.values(), ids=list(PLACES))
def test_each_declaration_has_the_symbol_of_its_kind(
    run: Run, line: str, name: str, symbols: set[str]
) -> None:
    named = {one if one.startswith("local") else f"kinds/{one}" for one in symbols}
    assert run.symbols_at("kinds.py", line, name) == named


@pytest.mark.parametrize("line", ["from kinds", "Twice, both, made  # use"])
@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("Twice", {"kinds/Twice#", "kinds/Twice."}),
        ("both", {"kinds/both().", "kinds/both#"}),
        ("made", {"kinds/made.", "kinds/made()."}),
    ],
)
def test_kinds_from_elsewhere(run: Run, line: str, name: str, symbols: set[str]) -> None:
    assert run.symbols_at("kinds_use.py", line, name) == symbols


DESCRIBED = {
    "fallback class": ("compat.py", "compat/Klass#", "class", "class Klass"),
    "import not found": ("compat.py", "compat/Klass.", "variable", "Klass"),
    "variable for it": ("compat.py", "compat/gone.", "variable", "gone = None"),
    "fallback function": ("compat.py", "compat/loads().", "function", "def loads(s)"),
    "class in a function": ("kinds.py", "kinds/shadow().x#", "class", "class x"),
    "its parameter": ("kinds.py", "kinds/shadow().(x)", "parameter", "x"),
    "class": ("kinds.py", "kinds/Twice#", "class", "class Twice"),
    "variable": ("kinds.py", "kinds/Twice.", "variable", "Twice = None"),
    "function": ("kinds.py", "kinds/both().", "function", "def both()"),
    "class of its name": ("kinds.py", "kinds/both#", "class", "class both"),
    "method": ("kinds.py", "kinds/Box#size().", "method", "def size(self)"),
    "field": ("kinds.py", "kinds/Box#size.", "field", "size = 1"),
    "global variable": ("kinds.py", "kinds/made.", "variable", "made = None"),
    "global function": ("kinds.py", "kinds/made().", "function", "def made()"),
}


@pytest.mark.parametrize(("path", "symbol", "kind", "signature"), DESCRIBED.values(), ids=list(DESCRIBED))
def test_each_symbol_is_described_by_its_own_declaration(
    run: Run, path: str, symbol: str, kind: str, signature: str
) -> None:
    information = run.information(path, symbol)
    assert (information.kind, signature_of(information)) == (NUMBERS[kind], signature)


def test_all_of_it_is_clean(run: Run) -> None:
    assert cleanliness.violations(run.index, run.text) == []


@pytest.fixture(scope="module")
def fallback(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("fallback-engine")
    write_tree(folder / "work", FILES)
    run = drive_lsp(request_for(folder / "work"), folder / "run")
    assert run.code == 0, run.events[-3:]
    return run


@pytest.mark.parametrize(("path", "mark"), [WAYS["imported"], WAYS["attribute"]])
def test_the_language_server_names_a_part_of_it_in_other_modules(fallback: Run, path: str, mark: str) -> None:
    line = next(text for text in fallback.text(path).splitlines() if mark in text)
    found = {name: fallback.symbols_at(path, line, name) for name in MEANT}
    assert [name for name in MEANT if not found[name] or not found[name] <= MEANT[name]] == []
    assert found["loads"] != MEANT["loads"]


@pytest.mark.parametrize("name", MEANT)
def test_the_language_server_names_all_of_it_in_the_module_itself(fallback: Run, name: str) -> None:
    line = next(text for text in fallback.text("compat.py").splitlines() if "# here" in text)
    assert fallback.symbols_at("compat.py", line, name) == MEANT[name]


@pytest.mark.parametrize(("path", "symbol", "kind", "signature"), DESCRIBED.values(), ids=list(DESCRIBED))
def test_both_engines_describe_alike(
    fallback: Run, path: str, symbol: str, kind: str, signature: str
) -> None:
    information = fallback.information(path, symbol)
    assert (information.kind, signature_of(information)) == (NUMBERS[kind], signature)


def test_all_of_the_fallback_engine_is_clean(fallback: Run) -> None:
    assert cleanliness.violations(fallback.index, fallback.text) == []
