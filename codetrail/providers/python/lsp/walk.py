"""Index one file: decide what every name is and, by the server's answers, what it refers to.

Names that a statement binds need no answer, Python's scoping rules name them. This
module must not know files other than the one it is given.
"""

from __future__ import annotations

import ast
import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from codetrail.providers.python.lsp import describe
from codetrail.providers.python.lsp.document import IMPORT, READ, WRITE, DocumentBuilder
from codetrail.providers.python.lsp.modules import Modules
from codetrail.providers.python.lsp.naming import File, LocalNames, Naming, class_of_member
from codetrail.providers.python.lsp.questions import Answers
from codetrail.providers.python.lsp.scopes import BINDING, Import, Mention, Scope
from codetrail.providers.python.lsp.targets import Target, Targets
from codetrail.scip.writer import Document, Information, Relationship, Remark

_ROLES = {"write": WRITE, "declare": 0, "augment": READ | WRITE, "delete": WRITE}
_ERROR = 1
_OBJECT = "`builtins`/object#"


class BrokenImport(NamedTuple):
    """A module that was not found: 1-based line and dotted name."""

    line: int
    module: str


@dataclass(slots=True)
class Indexed:
    """One file's document and what was counted on the way."""

    document: Document
    names: int
    resolved: int
    unresolved: int
    broken: list[BrokenImport]


Follow = Callable[[File, Mention], list[Target]]
"""Finds what an import that the server does not resolve leads to in the end."""


def index_file(
    path: str,
    file: File,
    answers: Answers,
    naming: Naming,
    targets: Targets,
    modules: Modules,
    search_paths: Sequence[str],
    follow: Follow,
) -> Indexed:
    """Make the document of the root-relative ``path`` from what the server said."""
    return _Walk(path, file, answers, naming, targets, modules, search_paths, follow).run()


@dataclass(slots=True)
class _Walk:
    path: str
    file: File
    answers: Answers
    naming: Naming
    targets: Targets
    modules: Modules
    search_paths: Sequence[str]
    follow: Follow
    names: int = 0
    resolved: int = 0
    unresolved: int = 0
    broken: list[BrokenImport] = field(default_factory=list)
    builder: DocumentBuilder = field(init=False)
    locals: LocalNames = field(init=False)
    around: dict[int, Mention] = field(init=False)
    """Member accesses by the identity of the expression before their dot."""

    def run(self) -> Indexed:
        source, reading = self.file.source, self.file.reading
        self.builder = DocumentBuilder(self.path, source)
        self.locals = LocalNames(reading.module)
        members = [one for one in reading.mentions if one.kind == "member"]
        self.around = {id(one.node.value): one for one in members if isinstance(one.node, ast.Attribute)}
        self.builder.module(self.file.module.symbol, len(source.text))
        imports: dict[int, Import] = {}
        missing: set[int] = set()
        for one in reading.mentions:
            self._visit(one)
            if one.module is not None:
                imports.setdefault(id(one.module), one.module)
                if id(one) in self.answers.missing:
                    missing.add(id(one.module))
        for key in sorted(missing, key=lambda key: imports[key].parts[0].start if imports[key].parts else 0):
            self._check_import(imports[key])
        related = self._relationships()
        document = self.builder.build(
            lambda one, symbol, owner: self._information(one, symbol, owner, related)
        )
        return Indexed(document, self.names, self.resolved, self.unresolved, self.broken)

    def _visit(self, one: Mention) -> None:
        self.names += one.kind not in ("quoted", "field", "exported")
        match one.kind:
            case "function":
                self._function(one)
            case "class" | "type" | "type_parameter" | "parameter":
                self._defined(one)
            case "name":
                self._name(one)
            case "declaration":
                self._settle(one, self._bound(one), 0)
            case "module_part":
                self._module_part(one)
            case "imported":
                self._imported(one)
            case "use":
                self._settle(one, self._used(one), READ)
            case "member":
                self._member(one)
            case "keyword":
                pattern = isinstance(one.node, ast.MatchClass)
                self._settle(one, self._keyword(one), READ if pattern else 0)
            case "quoted" | "exported":
                found = self._asked(one) if one.kind == "quoted" else self._exported(one)
                for target in found:
                    self.builder.occur(one.start, one.end, target.symbol, READ if one.kind == "quoted" else 0)
            case "field":
                symbol = self.naming.of(one, None)
                if symbol:
                    self.builder.bind(one, symbol, self.naming.owner(one.scope), 0, weak=True)

    def _asked(self, one: Mention) -> list[Target]:
        return self.targets.of(self.answers.places.get(id(one), ()), self.file, self.locals)

    def _accessed(self, one: Mention) -> list[Target]:
        """Targets of ``x`` in ``a.x``. Of a folder the server says what it says of ``a.x.y`` around it."""
        found = self._asked(one)
        around = self.around.get(id(one.node))
        while around is not None:
            if around.name != one.name and self.answers.places.get(id(around)) == self.answers.places.get(
                id(one)
            ):
                return [item for item in found if item.binding is None or item.binding.name == one.name]
            around = self.around.get(id(around.node))
        return found

    def _settle(self, one: Mention, found: Sequence[Target], roles: int) -> None:
        """Record a use: one occurrence for each target, or one more unresolved name."""
        if found:
            self.resolved += 1
        else:
            self.unresolved += 1
        for target in found:
            self.builder.occur(one.start, one.end, target.symbol, roles)

    def _function(self, one: Mention) -> None:
        overload = describe.is_overload(one)
        symbol = self.naming.of(one, self.locals)
        self.resolved += 1
        if symbol is not None:
            roles = 64 if overload else 0
            extent = describe.extent(one, self.file.source)
            self.builder.define(one, symbol, self.naming.owner_of(one), roles, extent, not overload)

    def _defined(self, one: Mention) -> None:
        symbol = self.naming.of(one, self.locals)
        self.resolved += 1
        if symbol is not None:
            extent = describe.extent(one, self.file.source)
            self.builder.define(one, symbol, self.naming.owner_of(one), 0, extent)

    def _name(self, one: Mention) -> None:
        roles = _ROLES[one.use]
        if one.use == "delete":
            self._settle(one, self._bound(one), roles)
            return
        symbol = self.naming.of(one, self.locals)
        if symbol is None:
            self._settle(one, [], roles)
            return
        self.resolved += 1
        scope = one.scope.owner_of(one.name)
        extent = describe.extent(one, self.file.source)
        owner = self.naming.owner(scope)
        defines = one.use != "augment" and scope.kind in ("module", "class") and one.scope is scope
        if defines:
            self.builder.define(one, symbol, owner, roles, extent)
        else:
            self.builder.bind(one, symbol, owner, roles, extent)

    def _member(self, one: Mention) -> None:
        if not one.use:
            self._settle(one, self._accessed(one), READ)
            return
        roles = _ROLES[one.use]
        place = (self.file.path, self.file.source.point(one.start))
        answer = self.answers.places.get(id(one), ())
        own = one.use != "delete" and any((item.path, item.start) == place for item in answer)
        symbol = self.naming.of(one, None) if own else None
        if symbol is None:
            self._settle(one, self._asked(one), roles)
            return
        self.resolved += 1
        owner = self.naming.owner(class_of_member(one) or one.scope)
        self.builder.bind(one, symbol, owner, roles)

    def _module_part(self, one: Mention) -> None:
        found = self._asked(one) or self._namespace(one)
        if found or not one.binds or id(one) not in self.answers.missing:
            self._settle(one, found, IMPORT)
        else:
            self._broken(one)

    def _namespace(self, one: Mention) -> list[Target]:
        """A part that is no file: a folder of listed files, or one in which a later part was found."""
        assert one.module is not None
        if one.module.dots:
            return []
        parts = one.module.parts
        index = parts.index(one)
        name = ".".join(part.name for part in parts[: index + 1])
        module = self.modules.namespace(name, self.file.module)
        later = any(self.answers.places.get(id(part)) for part in parts[index + 1 :])
        return [self.targets.module(module)] if later or self.modules.is_own_folder(module) else []

    def _imported(self, one: Mention) -> None:
        found = self._import_targets(one)
        own = self.naming.of(one, self.locals) if one.binds else None
        if one.binds and (found or self._is_missing(one)) and all(target.symbol == own for target in found):
            self._broken(one)
        else:
            self._settle(one, found, IMPORT)

    def _import_targets(self, one: Mention) -> list[Target]:
        """Targets of an imported name: not what else binds the name here, nor the module it is taken from."""
        found = self._asked(one)
        if not found and one.owner is not None:
            found = self._asked(one.owner)
        if not found:
            return self.follow(self.file, one)
        module = (
            [item.symbol for item in self._asked(one.module.parts[-1])]
            if one.module and one.module.parts
            else []
        )
        if self.file.module.symbol not in module:
            others = self._beside(one)
            found = [target for target in found if target.symbol not in others]
        if len(found) > 1 and isinstance(one.node, ast.alias) and one.module is not None:
            found = [target for target in found if target.symbol not in module] or found
        return found

    def _beside(self, one: Mention) -> set[str | None]:
        """Return the symbols of whatever else than imports binds the name of an import in its scope."""
        name = one.node.asname or one.name if isinstance(one.node, ast.alias) else one.name
        bindings = one.scope.owner_of(name).bound.get(name, ())
        return {self.naming.of(item, self.locals) for item in bindings if item.kind in BINDING}

    def _is_missing(self, one: Mention) -> bool:
        """Tell whether an import was not found: the server says so, or names what else binds the name."""
        return id(one) in self.answers.missing or bool(self.answers.places.get(id(one)))

    def _broken(self, one: Mention) -> None:
        """An import that was not found still binds a name of this module."""
        symbol = self.naming.of(one, self.locals)
        if symbol is None:
            self._settle(one, [], IMPORT)
            return
        self.unresolved += 1
        self.builder.define(one, symbol, self.naming.owner(one.scope.owner_of(one.name)), IMPORT)

    def _check_import(self, module: Import) -> None:
        """Say that a module was not found, if that is why a name of it is missing."""
        parts = module.parts
        if not parts or self.answers.places.get(id(parts[-1])):
            return
        name = ".".join(part.name for part in parts)
        if self._namespace(parts[-1]) or self._is_native(name, module.dots):
            return
        name = "." * module.dots + name
        remark = Remark(_ERROR, "unresolved_import", name)
        self.builder.remark(self._with_dots(module), parts[-1].end, remark)
        self.broken.append(BrokenImport(self.file.source.point(parts[0].start)[0] + 1, name))

    def _with_dots(self, module: Import) -> int:
        """Return where a module name starts, the dots before it included."""
        text = self.file.source.text
        start = at = module.parts[0].start
        while module.dots and text[at - 1] in ". \t\f\\\n":
            at -= 1
            start = at if text[at] == "." else start
        return start

    def _is_native(self, name: str, dots: int) -> bool:
        """Tell whether a module is a compiled one, or a folder without files of its own."""
        folders = [os.path.dirname(self.file.path), *self.search_paths]
        for folder in folders[:1] if dots else folders:
            path = os.path.join(glob.escape(folder), *map(glob.escape, name.split(".")))
            if os.path.isdir(path) or glob.glob(path + ".*so") or glob.glob(path + ".*pyd"):
                return True
        return False

    def _keyword(self, one: Mention) -> list[Target]:
        """A parameter or field of this name; the server names the whole callable for what ``**`` takes up."""
        return [
            target
            for target in self._asked(one)
            if target.binding is not None
            and target.binding.name == one.name
            and not target.binding.positional
        ]

    def _used(self, one: Mention) -> list[Target]:
        """Targets of a plain name. Where an import was not found the server names only its stand-in."""
        scope = one.scope.lexical(one.name)
        found = self._asked(one)
        if not found or scope is None:
            return found or self._looked_up(scope, one.name)
        known = {target.symbol for target in found}
        for binding in scope.bound.get(one.name, ()):
            symbol = self.naming.of(binding, self.locals) if id(binding) in self.answers.missing else None
            if symbol is not None and symbol not in known:
                known.add(symbol)
                found.append(Target(symbol, binding))
        return found

    def _looked_up(self, scope: Scope | None, name: str) -> list[Target]:
        """Name what the server holds unreachable by Python's lookup rules, which need no types."""
        found: dict[str, Target] = {}
        bindings = scope.bound.get(name, []) if scope is not None else []
        for binding in bindings:
            for target in self._bound_by(binding, alone=len(bindings) == 1):
                found.setdefault(target.symbol, target)
        return list(found.values())

    def _bound_by(self, binding: Mention, *, alone: bool) -> list[Target]:
        """Name what one statement binds a name to."""
        if binding.kind in ("imported", "module_part"):
            found = self._import_targets(binding) if binding.kind == "imported" else self._asked(binding)
            found = found or (self._namespace(binding) if binding.kind == "module_part" else [])
            if found or (alone and id(binding) not in self.answers.missing):
                return found
        symbol = self.naming.of(binding, self.locals)
        return [Target(symbol, None)] if symbol else []

    def _bound(self, one: Mention) -> list[Target]:
        """Name what ``global``, ``nonlocal`` or ``del`` mentions: everything that the name is bound to."""
        scope = one.scope.owner_of(one.name)
        if len(scope.bound.get(one.name, ())) > 1 or one.name in scope.declared:
            return self._looked_up(scope, one.name)
        symbol = self.naming.of(one, self.locals)
        return [Target(symbol, None)] if symbol else []

    def _exported(self, one: Mention) -> list[Target]:
        """Everything that a name in ``__all__`` is bound to in the module."""
        module = self.file.reading.module
        found: dict[str, Target] = {}
        for binding in module.bound.get(one.name, ()):
            imported = binding.kind == "imported"
            targets = (self._asked(binding) or self._import_targets(binding)) if imported else []
            unreached = imported and len(module.bound[one.name]) > 1 and not self._is_missing(binding)
            symbol = None if targets or unreached else self.naming.of(binding, None)
            for target in targets or ([Target(symbol, None)] if symbol else []):
                found.setdefault(target.symbol, target)
        return list(found.values())

    def _relationships(self) -> dict[str, dict[str, Relationship]]:
        """Relate each class to the bases that its header names."""
        at_node = {id(one.node): one for one in self.file.reading.mentions if one.kind in ("use", "member")}
        found: dict[str, dict[str, Relationship]] = {}
        for one in self.file.reading.mentions:
            symbol = self.naming.of(one, self.locals) if one.kind == "class" else None
            if symbol is None or not isinstance(one.node, ast.ClassDef):
                continue
            for base in one.node.bases:
                named = at_node.get(id(base.value if isinstance(base, ast.Subscript) else base))
                for target in self._used(named) if named is not None else ():
                    is_class = target.binding is not None and target.binding.kind == "class"
                    if is_class and target.symbol != symbol and not target.symbol.endswith(_OBJECT):
                        relationship = Relationship(target.symbol, False, True)
                        found.setdefault(symbol, {})[target.symbol] = relationship
        return found

    def _information(
        self, one: Mention | None, symbol: str, owner: str, related: dict[str, dict[str, Relationship]]
    ) -> Information:
        if one is None:
            documentation = describe.documentation_of(self.file.reading.tree)
            return Information(symbol, describe.MODULE, self.file.module.name, "", documentation)
        relationships = sorted(related.get(symbol, {}).values())
        return Information(
            symbol,
            describe.kind_of(one),
            one.name,
            describe.signature_of(one, self.file.source),
            describe.documentation_of(one.node),
            owner,
            tuple(relationships),
        )
