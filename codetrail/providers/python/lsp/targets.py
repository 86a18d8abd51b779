"""Name what the server says a name refers to, and remember what belongs to other distributions.

A place is turned into a symbol by reading the file it lies in: module and qualified name, never a position.
What cannot be read gives no target; nothing is guessed from spelling. Where a module declares a name more
than once, the server tells other modules of one declaration, or of those with a type: so do the rows of this
engine, while the in-process one names all of them (``driver/fallbacks.js``). This module must not know
occurrences.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from codetrail.model.symbols import is_local
from codetrail.providers.python.lsp import describe
from codetrail.providers.python.lsp.files import Files
from codetrail.providers.python.lsp.modules import Module
from codetrail.providers.python.lsp.naming import File, LocalNames
from codetrail.providers.python.lsp.scopes import Mention
from codetrail.providers.python.lsp.server import Location, Server
from codetrail.scip.writer import Information

_MOST_SIGNATURE = 300
_MODULE_START = (0, 0)
_MOST_STEPS = 64


class Target(NamedTuple):
    """What a name refers to: its symbol and where it is bound (None: it is a module)."""

    symbol: str
    binding: Mention | None


class Targets:
    """Names targets for one run; ``externals`` are the symbols met that no listed file defines."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.externals: dict[str, Information] = {}

    def of(self, locations: Iterable[Location], file: File, locals_: LocalNames) -> list[Target]:
        """Return the distinct targets of an answer about a name in ``file``."""
        found: dict[str, Target] = {}
        for location in locations:
            target = self._target(location, file, locals_)
            if target is not None:
                found.setdefault(target.symbol, target)
        return list(found.values())

    def module(self, module: Module) -> Target:
        """Return the target that is a module."""
        if module.file is None:
            kind = describe.NAMESPACE if module.folder else describe.MODULE
            self.externals.setdefault(module.symbol, Information(module.symbol, kind, module.name))
        return Target(module.symbol, None)

    def follow(self, server: Server, file: File, one: Mention, steps: int = _MOST_STEPS) -> list[Target]:
        """Follow an import whose source is missing: the name that the last import in the chain binds.

        Answers nothing where ``file`` is the last one itself.
        """
        parts = one.module.parts if one.module is not None and one.kind == "imported" else []
        if not parts or not isinstance(one.node, ast.alias) or one.owner in parts or steps == 0:
            return []
        (answer,) = server.ask(file.path, [file.source.point(parts[-1].start)])
        start = next((item.path for item in answer if item.start == item.end == _MODULE_START), None)
        other = self._files.find(start) if start is not None else None
        name = one.node.name
        if other is None or other is file or other.module.file is None:
            return []
        bindings = other.reading.module.bound.get(name, [])
        imports = [item for item in bindings if item.kind == "imported"]
        if bindings and len(imports) == len(bindings):
            further = self.follow(server, other, imports[-1], steps - 1)
            if further:
                return further
        symbol = self._files.naming(other).of(bindings[-1], None) if bindings else None
        return [Target(symbol, bindings[-1])] if symbol else []

    def external(self) -> list[Information]:
        """Return what belongs to other distributions, by symbol in code unit order."""
        return sorted(
            self.externals.values(), key=lambda one: one.symbol.encode("utf-16-be", "surrogatepass")
        )

    def _target(self, location: Location, file: File, locals_: LocalNames) -> Target | None:
        if location.start == location.end == _MODULE_START:
            return self.module(self._files.modules.of(location.path))
        other = file if location.path == file.path else self._files.find(location.path)
        binding = other.binding_at(location.start, location.end) if other else None
        if other is None or binding is None:
            return None
        naming = self._files.naming(other)
        # The server answers with an import where it gives up: what else declares the name stands for it.
        declared = naming.declared(binding.scope, binding.name) if binding.binds else []
        symbol = declared[0] if declared else naming.of(binding, locals_ if other is file else None)
        if symbol is None:
            return None
        if other.module.file is None and not is_local(symbol):
            self._note(symbol, binding, other)
        return Target(symbol, binding)

    def _note(self, symbol: str, binding: Mention, file: File) -> None:
        if symbol not in self.externals:
            signature = describe.signature_of(binding, file.source)[:_MOST_SIGNATURE]
            self.externals[symbol] = Information(symbol, describe.kind_of(binding), binding.name, signature)
