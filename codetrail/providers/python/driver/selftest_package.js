"use strict";
/*
 * The package that the self-test indexes, and what every good engine says about it. Each answer is
 * `file line:column-column symbol roles`, 0-based, with the symbol's package left out.
 */
const FILES = {
  "shop/__init__.py": "from .items import Item as Item, price\n",
  "shop/items.py": `from typing import overload

class Item:
    def __init__(self, name: str) -> None:
        self.name = name
    def label(self) -> str:
        return self.name

class Book(Item):
    def label(self) -> str:
        return f"{self.name!r} {price(1):>{len(self.name)}}"

@overload
def price(value: int) -> int: ...
@overload
def price(value: str) -> str: ...
def price(value):
    return value
`,
  "shop/use.py": `from shop import Item as Thing
import shop.items as goods

def show(thing: "Thing") -> str:
    book = goods.Book(name="a")
    return thing.label() + book.label()
`,
};

const ANSWERS = [
  "shop/__init__.py 0:6-11 `shop.items`/__init__: 2",
  "shop/__init__.py 0:19-23 `shop.items`/Item# 2",
  "shop/__init__.py 0:27-31 `shop.items`/Item# 2",
  "shop/__init__.py 0:33-38 `shop.items`/price(). 2",
  "shop/items.py 4:13-17 `shop.items`/Item#name. 5",
  "shop/items.py 9:8-13 `shop.items`/Book#label(). 1",
  "shop/items.py 10:23-27 `shop.items`/Item#name. 8",
  "shop/items.py 10:32-37 `shop.items`/price(). 8",
  "shop/items.py 10:52-56 `shop.items`/Item#name. 8",
  "shop/items.py 13:4-9 `shop.items`/price(). 65",
  "shop/items.py 16:4-9 `shop.items`/price(). 1",
  "shop/use.py 0:25-30 `shop.items`/Item# 2",
  "shop/use.py 1:21-26 `shop.items`/__init__: 2",
  "shop/use.py 3:17-22 `shop.items`/Item# 8",
  "shop/use.py 4:17-21 `shop.items`/Book# 8",
  "shop/use.py 4:22-26 `shop.items`/Item#__init__().(name) 0",
  "shop/use.py 5:17-22 `shop.items`/Item#label(). 8",
  "shop/use.py 5:32-37 `shop.items`/Book#label(). 8",
];

const OVERRIDES = [["`shop.items`/Book#label().", "`shop.items`/Item#label()."]];

module.exports = { FILES, ANSWERS, OVERRIDES };
