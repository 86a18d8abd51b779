"""Functions of one name are one symbol; what is inside of each is its own."""

from __future__ import annotations

import pytest

from codetrail.model.symbols import parse, qualified_name
from tests.providers import cleanliness
from tests.providers.python.driver_index import OWN, Run, index_tree, write_tree

FILES = {
    "several.py": """\
from functools import singledispatch
from typing import overload

@singledispatch
def show(arg):
    return arg

@show.register
def _(arg: int):
    def inner(kept):
        return arg, kept  # int
    return inner

@show.register
def _(arg: str):
    def inner(kept):
        return arg, kept  # str
    class Local:
        def take(self, given):
            return given
    return inner, Local  # str

class Box:
    @property
    def size(self):
        return self._size  # getter

    @size.setter
    def size(self, value):
        self._size = value

    @overload
    def __init__(self, a: int): ...  # int
    @overload
    def __init__(self, a: str, b: int = 1): ...  # str
    def __init__(self, a, b=1):
        print(a, b)

@overload
def over[T](a: T, n: int) -> T: ...  # first
@overload
def over[T](a: list[T]) -> T: ...  # second
def over(a, n=1):
    return a, n

over(a=[1])
over(a=1, n=2)
over(a=1, n=2, wrong=3)
Box(a=1)
Box(a="s", b=2)

if Box:
    class Twin:
        def meet(self, one): return one  # first
else:
    class Twin:
        def meet(self, one): return one  # second

def late():
    global made
    def made(x): return x  # inside

def made(x): return x  # outside
""",
    "typed.pyi": """\
from typing import overload
@overload
def go(x: int) -> int: ...
@overload
def go(x: str, y: int = ...) -> str: ...
""",
    "typed.py": "def go(x, y=1):\n    return x, y\n",
    "use.py": "import typed\ntyped.go(x=1)\ntyped.go(x='', y=2)\n",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("redefinitions")
    write_tree(folder / "work", FILES)
    return index_tree(folder / "work", folder / "run")


PLACES = {
    "first of two functions": ("def _(arg: int", "arg", "_().(arg)"),
    "its use": ("arg, kept  # int", "arg", "_().(arg)"),
    "second of two functions": ("def _(arg: str", "arg", "_(+1).(arg)"),
    "its use in there": ("arg, kept  # str", "arg", "_(+1).(arg)"),
    "the function itself": ("def _(arg: str", "_", "_()."),
    "function in the first": ("return inner", "inner", "_().inner()."),
    "function in the second": ("inner, Local  # str", "inner", "_(+1).inner()."),
    "parameter of a function in it": ("kept  # str", "kept", "_(+1).inner().(kept)"),
    "class in the second": ("Local  # str", "Local", "_(+1).Local#"),
    "parameter of its method": ("return given", "given", "_(+1).Local#take().(given)"),
    "getter": ("self._size  # getter", "self", "Box#size().(self)"),
    "setter": ("self._size = value", "self", "Box#size(+1).(self)"),
    "field set in the setter": ("self._size = value", "_size", "Box#_size."),
    "field used in the getter": ("self._size  # getter", "_size", "Box#_size."),
    "implementation of overloads": ("a, n", "n", "over(+2).(n)"),
    "type parameter of the first": ("T](a: T", "T", "over().[T]"),
    "type parameter of the second": ("T](a: list", "T", "over(+1).[T]"),
    "keyword of the overload chosen": ("over(a=[1])", "a", "over(+1).(a)"),
    "keyword of the other": ("over(a=1, n=2)", "a", "over().(a)"),
    "keyword of a constructor's first": ("Box(a=1)", "a", "Box#__init__().(a)"),
    "keyword of a constructor's second": ('Box(a="s"', "b", "Box#__init__(+1).(b)"),
    "method of the first class": ("return one  # first", "one", "Twin#meet().(one)"),
    "method of the second class": ("return one  # second", "one", "Twin#meet(+1).(one)"),
    "global function made in another": ("x  # inside", "x", "made().(x)"),
    "the same at the outside": ("x  # outside", "x", "made(+1).(x)"),
}


@pytest.mark.parametrize(("line", "name", "symbol"), PLACES.values(), ids=list(PLACES))
def test_place(run: Run, line: str, name: str, symbol: str) -> None:
    assert run.symbols_at("several.py", line, name) == {f"several/{symbol}"}


def test_a_keyword_that_fits_no_overload_may_mean_each(run: Run) -> None:
    assert run.symbols_at("several.py", "wrong=3", "wrong") == set()
    assert run.symbols_at("several.py", "over(a=1, n=2, wrong", "a") == {
        "several/over().(a)",
        "several/over(+1).(a)",
    }


def test_a_stub_numbers_its_own(run: Run) -> None:
    assert run.symbols_at("use.py", "go(x=1)", "x") == {"typed/go().(x)"}
    assert run.symbols_at("use.py", "y=2", "y") == {"typed/go(+1).(y)"}
    assert [path for path, *_ in run.definitions("typed/go().(x)")] == ["typed.py", "typed.pyi"]
    assert [path for path, *_ in run.definitions("typed/go(+1).(y)")] == ["typed.pyi"]


@pytest.mark.parametrize(
    ("symbol", "owner", "name"),
    [
        ("_(+1).(arg)", "_().", "_.arg"),
        ("_(+1).inner().", "_().", "_.inner"),
        ("_(+1).inner().(kept)", "_(+1).inner().", "_.inner.kept"),
        ("Box#size(+1).(value)", "Box#size().", "Box.size.value"),
        ("over(+1).[T]", "over().", "over.T"),
    ],
)
def test_what_is_inside_belongs_to_the_one_symbol(run: Run, symbol: str, owner: str, name: str) -> None:
    information = run.information("several.py", f"several/{symbol}")
    assert information.enclosing_symbol == f"{OWN}several/{owner}"
    assert qualified_name(parse(information.symbol, strict=True).descriptors) == name


def test_all_of_it_is_clean(run: Run) -> None:
    assert cleanliness.violations(run.index, run.text) == []
