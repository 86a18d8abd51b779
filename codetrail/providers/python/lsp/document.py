"""Gather the occurrences and symbols of one document, and put them in final form: sorted, without repeats.

The same rules as the in-process engine's ``node/document.js``. This module must not know the server.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from codetrail.model.symbols import is_local
from codetrail.providers.python.lsp.scopes import Mention
from codetrail.providers.python.lsp.source import Source
from codetrail.scip.writer import Document, Information, Occurrence, Remark

DEFINITION, IMPORT, WRITE, READ, TEST, FORWARD = 1, 2, 4, 8, 32, 64
"""SCIP symbol roles."""

_TEST_FILE = re.compile(r"(^|/)(tests?/.*|test_[^/]*|[^/]*_test|conftest)\.pyi?$")

Describe = Callable[[Mention | None, str, str], Information]
"""Makes the information of a symbol: where it is defined (None: the module), the symbol, its owner."""


@dataclass(slots=True)
class _Place:
    start: int
    end: int
    symbol: str
    roles: int
    extent: tuple[int, int] | None = None
    remark: Remark | None = None


@dataclass(slots=True)
class _Known:
    subject: Mention | None
    owner: str
    primary: bool
    weak: bool = False
    extent: tuple[int, int] | None = None


class DocumentBuilder:
    """One document in the making; places are offsets into its source."""

    def __init__(self, path: str, source: Source) -> None:
        self._path = path
        self._source = source
        self._common = TEST if _TEST_FILE.search(path) else 0
        self._definition = DEFINITION | (FORWARD if path.endswith(".pyi") else 0)
        self._places: dict[tuple[int, int, str], _Place] = {}
        self._definitions: dict[str, _Known] = {}
        self._candidates: dict[str, _Known] = {}

    def occur(self, start: int, end: int, symbol: str, roles: int) -> _Place:
        """Add a place; the same place of the same symbol becomes one with the roles of both."""
        place = self._places.setdefault((start, end, symbol), _Place(start, end, symbol, 0))
        place.roles |= roles
        return place

    def module(self, symbol: str, length: int) -> None:
        """Define the module itself, at the start of the text."""
        self.occur(0, 0, symbol, self._definition).extent = (0, length)
        self._definitions[symbol] = _Known(None, "", False)

    def define(
        self,
        one: Mention,
        symbol: str,
        owner: str,
        roles: int = 0,
        extent: tuple[int, int] | None = None,
        primary: bool = False,
    ) -> None:
        """Add a defining place. A ``primary`` one describes the symbol even if it is not the first, an import
        that was not found only if alone."""
        defining = DEFINITION if is_local(symbol) else self._definition
        place = self.occur(one.start, one.end, symbol, defining | roles)
        place.extent = extent or place.extent
        known = self._definitions.get(symbol)
        if known is None or (primary and not known.primary) or (known.weak and not one.binds):
            self._definitions[symbol] = _Known(one, owner, primary, one.binds)

    def bind(
        self,
        one: Mention,
        symbol: str,
        owner: str,
        roles: int,
        extent: tuple[int, int] | None = None,
        weak: bool = False,
    ) -> None:
        """Add a place that binds: the first defines if nothing else does, a ``weak`` one only if alone."""
        self.occur(one.start, one.end, symbol, roles)
        known = self._candidates.get(symbol)
        earlier = known is None or known.subject is None or one.start < known.subject.start
        if known is None or (known.weak and not weak) or (known.weak == weak and earlier):
            self._candidates[symbol] = _Known(one, owner, False, weak, extent)

    def remark(self, start: int, end: int, remark: Remark) -> None:
        """Say something of a place where no symbol stands."""
        self.occur(start, end, "", 0).remark = remark

    def build(self, describe: Describe) -> Document:
        """Finish the document."""
        for symbol, known in self._candidates.items():
            if symbol not in self._definitions:
                assert known.subject is not None
                self.define(known.subject, symbol, known.owner, extent=known.extent)
        symbols = [
            describe(known.subject, symbol, known.owner) for symbol, known in self._definitions.items()
        ]
        symbols.sort(key=lambda one: one.symbol.encode("utf-16-be", "surrogatepass"))
        places = sorted(self._places.values(), key=lambda one: (one.start, one.end, one.symbol))
        return Document(self._path, "python", [self._finished(one) for one in places], symbols)

    def _finished(self, one: _Place) -> Occurrence:
        where = self._source.range(one.start, one.end)
        if one.remark is not None:
            return Occurrence(where, "", 0, None, one.remark)
        around = self._source.range(*one.extent) if one.extent else None
        return Occurrence(where, one.symbol, one.roles | self._common, around)
