"""The workspace that the contract is held against: small, and with everything that makes a name hard.

One string holds all files, each under a line ``==> path``; the numbers that tests expect are the lines below
that header, counted from 1. Two packages share names (``Cart``, ``add``, ``total``), one re-exports under
another name, imports rename, one import finds nothing, two files have one module name, one is not Python, and
some names and paths are such that a shell, a terminal or a normal form would change them.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

_FILES = '''\
==> Makefile
add:
	echo add Cart
==> pyproject.toml
[project]
name = "shop"
version = "1.0"

[tool.pyright]
extraPaths = ["one", "two"]
==> README.md
The Cart has an add.
==> shop/__init__.py
"""A small shop."""

from shop.cart import Cart as Basket
from shop.cart import add_item

__all__ = ["Basket", "add_item"]
==> shop/cart.py
"""Carts and what is in them."""

from __future__ import annotations

from typing import overload

LIMIT = 10


class Item:
    """One thing."""

    def __init__(self, price: int) -> None:
        self.price = price

    @property
    def total(self) -> int:
        return self.price

    @total.setter
    def total(self, value: int) -> None:
        self.price = value


class Cart:
    size = 0

    def __init__(self) -> None:
        self.items: list[Item] = []

    def add(self, item: Item) -> None:
        self.items.append(item)
        self.size += 1

    def total(self) -> int:
        def one(item: Item) -> int:
            return item.total

        return sum(one(item) for item in self.items)


@overload
def add_item(cart: Cart, item: Item) -> None: ...
@overload
def add_item(cart: Cart, item: int) -> None: ...
def add_item(cart: Cart, item: Item | int) -> None:
    if isinstance(item, int):
        item = Item(item)
    cart.add(item)
==> shop/orders.py
"""Orders."""

from shop import Basket, add_item as put
from shop.cart import LIMIT, Cart, Item


class Order(Cart):
    def __init__(self) -> None:
        self.cart = Basket()

    def add(self, item: Item) -> None:
        self.cart.add(item)

    def find_item(self, price: int) -> Item | None:
        for item in self.cart.items:
            if item.total == price:
                return item
        return None


def add(order: Order, price: int) -> Cart:
    put(order.cart, price)
    order.add(Item(price)); order.cart.add(Item(LIMIT))
    keep = order.cart.add
    return order.cart
==> lib/__init__.py
==> lib/cart.py
"""Another cart; nothing but its names is that of the shop."""


class Cart:
    def add(self, item):
        return item

    def findItem(self):
        return self.add(1)

    class Row:
        def add(self):
            return Cart


def N():
    return 1


class Box:
    N = N()
    def N(self): return N()


async def match(case):
    return case
==> lib/names.py
größe = 1


class Straße:
    def naïve(self):
        return größe


def ﬁnd():
    return Straße().naïve()


def MixedCase():
    return mixedcase


mixedcase = MixedCase
_private = 2
==> lib/odd names & more.py
def shown():
    return "[bold]rich[/bold]"


class it_is:
    done = shown()  # \x1b[2J\x1b]0;title\x07 \u202egnp.exe [bold]rich[/bold]
==> lib/wide.py
def far():
	return 1


def near():
	return	far()  	
@LONG@ + str(far()) + "@LONG@"
==> -dash.py
def dashed():
    return 1
==> tests/test_cart.py
from shop.cart import Cart, Item
from missing.thing import helper, Cart as Other


def test_add():
    cart = Cart()
    cart.add(Item(1))
    cart.add(helper())
    Other().add(2)


def add():
    return helper()
==> tools/deploy.js
function add(item) {
  return item;
}
class Cart {
  total() { return add(1); }
}
==> one/app/main.py
def run():
    return 1
==> one/app/__init__.py
==> two/app/__init__.py
==> two/app/main.py
def run():
    return 2
'''

LONG = 'long = "' + "x" * 300 + '"'
"""The beginning of a line that is too long to be shown whole."""

NFD_NAME = unicodedata.normalize("NFD", "naïve")
"""The method of ``Straße`` as its definition writes it; its use writes the composed form."""


def files() -> dict[str, str]:
    """Return the text of every file by its path."""
    found: dict[str, list[str]] = {}
    for line in _FILES.splitlines(keepends=True):
        if line.startswith("==> "):
            found[line[4:-1]] = lines = []
        else:
            lines.append(line)
    whole = {path: "".join(text) for path, text in found.items()}
    names = whole["lib/names.py"]
    whole["lib/wide.py"] = whole["lib/wide.py"].replace("@LONG@", LONG, 1).replace("@LONG@", "y" * 300)
    whole["lib/names.py"] = names.replace("def naïve", f"def {NFD_NAME}")
    return whole


def write(folder: Path) -> None:
    """Write the workspace into ``folder``, as the top of a git work tree."""
    for path, text in files().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
