"""Python's hard cases for whoever names things: scopes, imports, redefinitions, patterns, strings."""

HARD = {
    "pkg/__init__.py": """\
from .base import Base as Base, helper
from .star import *
__all__ = ['Base', 'helper']
""",
    "pkg/base.py": """\
from __future__ import annotations
import abc
from typing import overload, NamedTuple, TypedDict, Protocol
from dataclasses import dataclass
from collections import namedtuple
from enum import Enum

class Base(abc.ABC):
    LIMIT = 3
    x, y = 1, 2
    key = lambda v: v
    def __init__(self, name: str, *args: int, **kw: str) -> None:
        self.name = name
        self._cache: dict[str, int] = {}
        self.a, self.b = 1, 2
    @abc.abstractmethod
    def run(self, n: int) -> int: ...
    @property
    def size(self) -> int:
        return 1
    @size.setter
    def size(self, v: int) -> None:
        self._cache["s"] = v
    @classmethod
    def make(cls, n: str) -> Base:
        return cls(name=n)

@overload
def helper(a: int) -> int: ...
@overload
def helper(a: str) -> str: ...
def helper(a):
    return a

@dataclass
class Point:
    x: int
    y: int = 0

class Opts(TypedDict):
    verbose: bool

class Pair(NamedTuple):
    left: int
    right: int = 0

Old = namedtuple("Old", ["one", "two"])
class Color(Enum):
    RED = 1
    GREEN, BLUE = 2, 3
class Runner(Protocol):
    def run(self, n: int) -> int: ...
""",
    "pkg/child.py": """\
import sys
from pkg import Base as B2, helper
import pkg.base as pb
import pkg.sub.mod, os.path
from . import star as st, nothing
from .missing import gone
try:
    import fast_mod as fast
except ImportError:
    fast = None
from typing import TYPE_CHECKING, cast
if TYPE_CHECKING:
    from .late import Late

total = 0

class Child(B2, pb.Runner):
    __slots__ = ("slot", "name")
    def run(self, n: int) -> int:
        global total
        total += n
        self.a += 1
        del self.b
        self.slot = 3
        return super().run(n) + self.size
    def quoted(self, p: "pb.Point | None", q: "Late") -> "list[Child]":
        return cast("list[Child]", [self])
    class Inner:
        z = 1

def outer(arg, /, *rest, kw=1, **others):
    count = 0
    def inner():
        nonlocal count
        count += 1
        return count, arg
    class Local:
        field = arg
    if (w := inner()) and [i for i in range(3) if (h := i)]:
        print(w, h)
    for a, (b, *c) in rest:
        print(a, b, c)
    with open("x") as f, open("y") as (g):
        f.read()
    try:
        pass
    except (ValueError) as err:
        print(err)
    return Local().field, inner, (lambda q, r=kw: q + r + kw)

def matcher(p):
    match p:
        case pb.Point(x=px, y=0) as whole:
            return px, whole
        case {"k": v, **rest}:
            return v, rest
        case [first, *others] | (first, others):
            return first, others
        case pb.Color.RED:
            return 0
        case name:
            return name

c = Child("n", k="v")
b: B2 = c
b.run(2)
c.size = 4
pt = pb.Point(x=1, y=2)
pt.x
o = pb.Opts(verbose=True)
o["verbose"]
pr = pb.Pair(left=1)
pr.left, pb.Old(one=1, two=2).one, pb.Color.RED.value, pb.Color.BLUE
helper(1), helper("s")
pkg.sub.mod.func()
starred()
st.starred
gone, nothing.x, fast.y
print(f"{c.name!r} {pt.y:>{pr.right}} {helper(2)}")
"é𝒳"; helper(3)
if sys.version_info >= (3, 12):
    def cond(): ...
else:
    def cond(): ...
cond()
if sys.platform == "win32":
    helper(4)
B2.make(n="z").run(n=2)
x: list["Child"] = []
def deco(fn): return fn
@deco
def later(a: int = total) -> None: ...
@deco
class Decorated(Child):
    attr: int
    attr2: "int" = 3
    (par, en) = 1, 2
getattr(c, "run")(1)
def typed(a):  # type: (Child) -> Child
    return a
from pkg.stubbed import S, T
S().m(); T
""",
    "pkg/star.py": """\
__all__ = ['starred']
def starred(): ...
def hidden(): ...
""",
    "pkg/sub/mod.py": """\
from pkg.child import *
import pkg.sub
from pkg import sub
def func(): return outer
""",
    "pkg/late.py": """\
from .child import fast, gone
class Late: ...
fast
""",
    "pkg/stubbed.py": """\
class S:
    def m(self): ...
    k = 1
T = make()
""",
    "pkg/stubbed.pyi": """\
class S:
    def m(self) -> int: ...
    k: int
class T: ...
""",
    "empty.py": "",
    "tests/test_x.py": """\
from pkg.child import Child as C
C
été = 1
ﬁ = 2
print(fi)
""",
    "src/lib/__init__.py": "V = 1\n",
    "use.py": """\
import lib
lib.V
from lib import V as W
import tests.test_x
""",
}

ODD: dict[str, str | bytes] = {
    "one/pyproject.toml": "",
    "one/src/app/__init__.py": "from . import core\nfrom .core import run\n",
    "one/src/app/core.py": "import settings\nimport shared.base\n"
    "def run(): return settings.NAME, shared.base.B\n",
    "one/src/settings.py": "NAME = 1\n",
    "two/app/__init__.py": "",
    "two/app/core.py": "import settings\ndef run(): return settings.NAME\n",
    "two/settings.py": "NAME = 2\n",
    "two/use.py": "from app.core import run\nrun()\n",
    "shared/base.py": "class B: ...\n",
    "typings/stubbed/__init__.pyi": "def made() -> int: ...\n",
    "uses_stub.py": "import stubbed\nstubbed.made()\n",
    "[odd] {name}.py": "odd = 1\nprint(odd)\nimport shared.base as sb\nsb.B\n",
    "latin.py": b"# -*- coding: latin-1 -*-\nname = '\xe9'; other = name\n"
    b"from shared.base import B\nx = '\xe9\xe9'; B\n",
    "marked.py": b"\xef\xbb\xbffrom shared.base import B\nB\n",
    "returns.py": b"from shared.base import B\r\nB\rB\r\n",
    "empty.py": "",
    "only_comment.py": "# nothing\n",
    "module_stub.pyi": "class M: ...\nv: int\n",
}
"""Many projects with equal names, stubs, encodings, line ends, file names that mean something to a glob."""
ODD_REQUEST = {
    "roots": ["", "one/src", "two"],
    "environments": [
        {"root": "", "roots": [""]},
        {"root": "one", "roots": ["one/src"]},
        {"root": "two", "roots": ["two"]},
    ],
    "packages": [
        {"root": "one", "name": "one", "version": "1"},
        {"root": "two", "name": "two", "version": None},
        {"root": "", "name": "own", "version": "1.0"},
    ],
}
