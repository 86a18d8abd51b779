"""Which file of the workspace an import means, by the rules of its language (contract §5).

Exactly one file, or none: where two could be meant nothing is said. This module must not import syntax, nor
know what is called.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from functools import cached_property
from sys import stdlib_module_names
from typing import NamedTuple

from codetrail.query.freshness import Freshness
from codetrail.query.snapshot import View
from codetrail.workspace.languages import language_of

_SCRIPT_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_TYPED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""What a written suffix stands for in TypeScript, where imports name what is emitted."""
_JVM = {"java": ".java", "kotlin": ".kt"}
_CRATE_ROOTS = ("lib.rs", "main.rs")
_DEEPEST = 40
"""Parts of a module's name that are read."""


class Found(NamedTuple):
    """A file, and what is taken of it, one name after another.

    ``package`` is the one that the file has to say it is of, None where it says none.
    """

    path: str
    members: tuple[str, ...]
    package: str | None = None


class ModuleFiles:
    """Finds the files of modules in one snapshot, as the tree is now."""

    def __init__(self, view: View, freshness: Freshness) -> None:
        self._view = view
        self._gone = set(freshness.gone)
        self._new = set(freshness.new)
        self._known: dict[str, bool] = {}

    def find(
        self, importer: str, language: str, module: str, member: str | None, members: Sequence[str]
    ) -> Found | None:
        """Return the file that ``member`` (None: the module itself) and then ``members`` are taken of."""
        taken = (*(() if member is None else (member,)), *members)
        if language == "python":
            return self._python(importer, module, taken)
        if language in ("javascript", "typescript"):
            path = self._script(importer, module)
            return None if path is None else Found(path, taken)
        if language in _JVM:
            return self._jvm(module, taken)
        if language == "rust":
            return self._rust(importer, module, taken)
        return None

    def submodule(self, package: str, name: str) -> str | None:
        """Return the file of a Python module directly in the package whose ``__init__`` is at ``package``."""
        folder = posixpath.dirname(package)
        is_package = posixpath.basename(package).startswith("__init__.")
        return self._python_file(posixpath.join(folder, name)) if is_package else None

    def exists(self, path: str) -> bool:
        """Tell whether a file is one of the workspace's, as far as is known."""
        if path not in self._known:
            there = path in self._new or next(self._view.holding(path), None) is not None
            self._known[path] = there and path not in self._gone
        return self._known[path]

    def _one(self, paths: Iterable[str]) -> str | None:
        found = [path for path in dict.fromkeys(paths) if self.exists(path)]
        return found[0] if len(found) == 1 else None

    def _python(self, importer: str, module: str, taken: tuple[str, ...]) -> Found | None:
        name = module.lstrip(".")
        dots = len(module) - len(name)
        parts = name.split(".") if name else []
        if len(parts) > _DEEPEST or (not dots and parts[0] in stdlib_module_names):
            return None  # which file hides a module of the standard library depends on how a program starts
        if dots:
            folder = posixpath.dirname(importer)
            for _ in range(dots - 1):
                if not folder:
                    return None
                folder = posixpath.dirname(folder)
            return self._python_below(folder, parts, taken)
        found = {self._python_below(root, parts, taken) for root in self._python_roots(importer)} - {None}
        return found.pop() if len(found) == 1 else None

    def _python_below(self, folder: str, parts: list[str], taken: tuple[str, ...]) -> Found | None:
        base = posixpath.join(folder, *parts)
        path = self._python_file(base) if base != folder else self._one([posixpath.join(base, "__init__.py")])
        if path is not None:
            return Found(path, taken)
        # A folder without ``__init__`` gives its modules only.
        if not taken or self.exists(posixpath.join(base, "__init__.pyi")):
            return None
        below = self._python_file(posixpath.join(base, taken[0]))
        return None if below is None else Found(below, taken[1:])

    def _python_file(self, base: str) -> str | None:
        """Return the file of a module: a package hides a file of its name."""
        package = posixpath.join(base, "__init__.py")
        return package if self.exists(package) else self._one([base + ".py"])

    def _python_roots(self, importer: str) -> list[str]:
        """Return the folders that imports start from: the workspace, its ``src``, those of units, and where
        the importing file's own package stands."""
        own = posixpath.dirname(importer)
        while own and self.exists(posixpath.join(own, "__init__.py")):
            own = posixpath.dirname(own)
        units = {part.entry.root for part in self._view.parts if part.entry.language == "python"}
        roots = sorted({"", *units})
        return list(dict.fromkeys([*roots, *(posixpath.join(root, "src") for root in roots), own]))

    def _script(self, importer: str, module: str) -> str | None:
        if not module.startswith(("./", "../")) and module not in (".", ".."):
            return None
        base = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if base.startswith(".."):
            return None
        base = "" if base == "." else base
        stem, suffix = posixpath.splitext(base)
        typed = [stem + other for other in _TYPED.get(suffix, ())]
        index = posixpath.join(base, "index")
        steps = (
            [base, *typed],
            [base + other for other in _SCRIPT_SUFFIXES],
            [index + other for other in _SCRIPT_SUFFIXES],
        )
        for paths in steps:
            found = [path for path in paths if self.exists(path) and language_of(path)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    @cached_property
    def _jvm_files(self) -> dict[str, list[str]]:
        """Return the files of Java and Kotlin by name."""
        found: dict[str, list[str]] = {}
        stored = (row.path for part in self._view.parts for row in part.documents() if row.language in _JVM)
        suffixes = tuple(_JVM.values())
        for path in sorted({*stored, *(path for path in self._new if path.endswith(suffixes))} - self._gone):
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    def _jvm(self, module: str, taken: tuple[str, ...]) -> Found | None:
        """Find the file of a class by the end of its path; an inner class is a member of an outer one's."""
        parts = module.split(".")
        if len(parts) > _DEEPEST:
            return None
        for length in range(len(parts), 1, -1):
            ends = ["/".join(parts[:length]) + suffix for suffix in _JVM.values()]
            found = [
                path
                for end in ends
                for path in self._jvm_files.get(posixpath.basename(end), ())
                if path == end or path.endswith("/" + end)
            ]
            if found:
                members = (*parts[length - 1 :], *taken)
                package = ".".join(parts[: length - 1])
                return Found(found[0], members, package) if len(found) == 1 else None
        return None

    def _rust(self, importer: str, module: str, taken: tuple[str, ...]) -> Found | None:
        parts = module.split("::")
        if len(parts) + len(taken) > _DEEPEST:
            return None
        start = self._rust_start(importer, parts)
        if start is None:
            return None
        folder, file, rest = start
        names = (*rest, *taken)
        # The last name is an item; those before it are modules as far as there are files of them.
        for length in range(len(names) - 1, 0, -1):
            base = posixpath.join(folder, *names[:length])
            paths = [path for path in (base + ".rs", posixpath.join(base, "mod.rs")) if self.exists(path)]
            if paths:
                return Found(paths[0], names[length:]) if len(paths) == 1 else None
        return Found(file, names) if file is not None and names else None

    def _rust_start(self, importer: str, parts: list[str]) -> tuple[str, str | None, list[str]] | None:
        """Return the folder and the file of the module that a path starts from, and what is left of it."""
        first = parts[0]
        if first == "crate":
            root = self._crate(importer)
            if root is None:
                return None
            roots = [posixpath.join(root, name) for name in _CRATE_ROOTS]
            own = importer if importer in roots else self._one(roots)
            return root, own, parts[1:]
        if first not in ("self", "super"):
            return None
        folder, name = posixpath.split(importer)
        file: str | None = importer
        below = folder if name in ("mod.rs", *_CRATE_ROOTS) else posixpath.join(folder, name[: -len(".rs")])
        rest = parts[1:] if first == "self" else list(parts)
        while rest and rest[0] == "super":
            rest = rest[1:]
            if file is not None and posixpath.basename(file) in _CRATE_ROOTS:
                return None
            below = posixpath.dirname(below)
            inside = [posixpath.join(below, name) for name in ("mod.rs", *_CRATE_ROOTS)]
            file = self._one([*inside, *([below + ".rs"] if below else [])])
        return below, file, rest

    def _crate(self, importer: str) -> str | None:
        folder = posixpath.dirname(importer)
        while True:
            if any(self.exists(posixpath.join(folder, name)) for name in _CRATE_ROOTS):
                return folder
            if not folder:
                return None
            folder = posixpath.dirname(folder)
