"""Name files: which package a file belongs to and what its module is called.

The same rules as the in-process engine's ``driver/modules.js``, so that both engines write the same symbols;
a test holds them together. Knows paths only, no syntax trees.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from codetrail.model.symbols import META, NAMESPACE, Descriptor, format_descriptor, normal_package_name

_SCHEME = "codetrail-py"
_MANAGER = "python"
_STDLIB = "python-stdlib"
_STUB_FOLDER = "typings"
_STUB_SUFFIX = "-stubs"
_MODULE_MARK = "__init__"
_NATIVE = re.compile(r"\.(?:cpython|abi3|cp\d)[^/]*\.(?:so|pyd)$|\.(?:so|pyd)$")
_LIBRARY = re.compile(r"python3?\.?\d*(?:/lib-dynload)?$")
_STUB_NAME = re.compile(r"^types-|-stubs$", re.IGNORECASE)


class Module(NamedTuple):
    """A module: symbol prefix of its package, dotted name, root-relative path if the request lists it.

    ``folder`` says that it is a package without a file.
    """

    prefix: str
    name: str
    file: str | None = None
    folder: bool = False

    @property
    def members(self) -> str:
        """Return what the symbols of its members begin with."""
        return self.prefix + format_descriptor(Descriptor(self.name, NAMESPACE))

    @property
    def symbol(self) -> str:
        """Return the symbol of the module itself."""
        return self.members + format_descriptor(Descriptor(_MODULE_MARK, META))


def package_prefix(name: str, version: str | None) -> str:
    """Return the start of the symbols of a distribution."""
    parts = [(part or ".").replace(" ", "  ") for part in (_MANAGER, name, version)]
    return f"{_SCHEME} {' '.join(parts)} "


def dotted_name(file: str) -> str:
    """``a/b/__init__.py`` is ``a.b``; a lone ``__init__.py`` keeps its name."""
    parts = _NATIVE.sub("", re.sub(r"\.pyi?$", "", file)).split("/")
    if len(parts) > 1 and parts[-1] == _MODULE_MARK:
        parts.pop()
    parts[0] = parts[0].removesuffix(_STUB_SUFFIX)
    return ".".join(parts)


class Modules:
    """The naming of one run."""

    def __init__(self, request: Mapping[str, Any], dist: str, python_version: str) -> None:
        """``dist`` is the real folder of the bundle; ``python_version`` is ``<major>.<minor>``."""
        self._root: str = request["root"]
        self._own = _Own(request)
        self._external = _External(request, dist, python_version)
        self._cache: dict[str, Module] = {}

    def of(self, absolute: str) -> Module:
        """Return the module of a file by its absolute path."""
        module = self._cache.get(absolute)
        if module is None:
            file = _below(self._root, absolute)
            own = self._own.by_file.get(file) if file is not None else None
            module = own or self._external.locate(absolute) or self._own.unlisted(file, absolute)
            self._cache[absolute] = module
        return module

    def namespace(self, name: str, user: Module) -> Module:
        """Return the module of a package without a file, by its dotted name and the module that names it."""
        known = self._own.namespaces
        module = known.get(user.prefix + name) or known.get(name)
        module = module or Module(package_prefix("", ""), name, None, True)
        return self._own.by_name.get(module.prefix + name, module)

    def is_own_folder(self, module: Module) -> bool:
        """Tell whether a package without a file is a folder of listed files."""
        return not module.folder or self._own.namespaces.get(module.prefix + module.name) == module


class _Own:
    """Modules of the files that the request lists."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        projects = request.get("environments") or [{"root": "", "roots": request["roots"]}]
        self._projects = sorted(projects, key=lambda item: len(item["root"]), reverse=True)
        self._packages: list[Mapping[str, Any]] = sorted(
            request["packages"], key=lambda item: len(item["root"]), reverse=True
        )
        self._listed = frozenset(request["files"])
        self._stems: dict[str, _Claim] = {}
        self.by_file: dict[str, Module] = {}
        self.by_name: dict[str, Module] = {}
        self.namespaces: dict[str, Module] = {}
        for file in request["files"]:
            self._add(file)

    def _add(self, file: str) -> None:
        prefix, natural = self._prefix(file), self._name(file)
        # Symbols join whatever version their package has, so one package has one module of a name.
        package = self._package(file)
        key = normal_package_name(_MANAGER, package["name"] if package else "") + " " + natural
        module = Module(prefix, natural if self._claim(key, file) else file, file)
        self.by_file[file] = module
        self.by_name.setdefault(prefix + module.name, module)
        parent = natural.rpartition(".")[0]
        while parent:
            folder = Module(prefix, parent, None, True)
            self.namespaces.setdefault(parent, folder)
            self.namespaces.setdefault(prefix + parent, folder)
            parent = parent.rpartition(".")[0]

    def _claim(self, key: str, file: str) -> bool:
        """Decide who has a module name: the first file in path order, and the stub or source with it."""
        stub = file.endswith(".pyi")
        stem = re.sub(r"\.pyi?$", "", file)
        owner = self._stems.get(key)
        if owner is None:
            self._stems[key] = _Claim(stem, stub)
            return True
        if owner.stem == stem:
            return True
        partner = stem + (".py" if stub else ".pyi") in self._listed
        owner_partner = owner.stem + (".py" if owner.stub else ".pyi") in self._listed
        if owner.stub == stub or owner.both or partner or owner_partner:
            return False
        self._stems[key] = owner._replace(both=True)
        return True

    def _prefix(self, file: str) -> str:
        found = self._package(file)
        return package_prefix(found["name"], found["version"]) if found else package_prefix("", "")

    def _package(self, file: str) -> Mapping[str, Any] | None:
        return next((item for item in self._packages if _holds(item["root"], file)), None)

    def _name(self, file: str) -> str:
        root = self._root(file)
        return dotted_name(file[len(root) + 1 :] if root else file)

    def _root(self, file: str) -> str:
        """Return the longest root of the file's project, else of a project around that one."""
        for project in self._projects:
            if not _holds(project["root"], file):
                continue
            roots = [*project["roots"], *([] if project["root"] else [_STUB_FOLDER])]
            around: list[str] = [folder for folder in roots if folder and _holds(folder, file)]
            if around:
                return max(around, key=len)
        return ""

    def unlisted(self, file: str | None, absolute: str) -> Module:
        """Return the module of a file that is neither listed nor installed."""
        if file is None:
            return Module(package_prefix("", ""), dotted_name(os.path.basename(absolute)))
        return Module(self._prefix(file), self._name(file))


class _Claim(NamedTuple):
    stem: str
    stub: bool
    both: bool = False


class _External:
    """Modules of the standard library, of bundled stubs and of installed distributions."""

    def __init__(self, request: Mapping[str, Any], dist: str, python_version: str) -> None:
        fallback = os.path.join(dist, "typeshed-fallback")
        self._standard = os.path.join(fallback, "stdlib")
        self._stubs = os.path.join(fallback, "stubs")
        self._stdlib = package_prefix(_STDLIB, python_version)
        self._paths = sorted(_with_real(request["python"]["searchPaths"]), key=len, reverse=True)
        distributions = request["distributions"]
        self._installed = {normal_package_name(_MANAGER, item["name"]): item for item in distributions}
        self._owners: dict[str, Mapping[str, str]] = {
            prefix: item for item in distributions for prefix in _with_real([item["prefix"].rstrip("/")])
        }

    def locate(self, absolute: str) -> Module | None:
        """Return the module of a file outside the workspace; None when it lies in no known place."""
        file = _below(self._standard, absolute)
        if file is not None:
            return Module(self._stdlib, dotted_name(file))
        file = _below(self._stubs, absolute)
        if file is not None:
            name, _, inside = file.partition("/")
            return Module(self._named(name), dotted_name(inside))
        folder = next((item for item in self._paths if _below(item, absolute) is not None), None)
        if folder is None:
            return None
        file = _below(folder, absolute) or ""
        owner = self._owner(absolute)
        if owner is not None:
            return Module(self._distribution(owner, file), dotted_name(file))
        library = _LIBRARY.search(folder) is not None
        return Module(self._stdlib if library else package_prefix("", ""), dotted_name(file))

    def _named(self, name: str) -> str:
        real = self._installed.get(normal_package_name(_MANAGER, name))
        return package_prefix(real["name"], real["version"]) if real else package_prefix(name, "")

    def _distribution(self, owner: Mapping[str, str], file: str) -> str:
        """Stubs of a distribution (``types-X``, ``X-stubs``) stand for X, with its version when installed."""
        stubs = file.partition("/")[0].endswith(_STUB_SUFFIX)
        name = _STUB_NAME.sub("", owner["name"]) if stubs else owner["name"]
        return package_prefix(name, owner["version"]) if name == owner["name"] else self._named(name)

    def _owner(self, absolute: str) -> Mapping[str, str] | None:
        at = absolute
        while at not in self._owners:
            parent = os.path.dirname(at)
            if parent == at:
                return None
            at = parent
        return self._owners[at]


def _with_real(paths: Sequence[str]) -> list[str]:
    """Return paths and, where they differ, the real paths that the server may answer with."""
    return list(dict.fromkeys([*paths, *map(os.path.realpath, paths)]))


def _below(folder: str, absolute: str) -> str | None:
    start = folder if folder.endswith("/") else folder + "/"
    return absolute[len(start) :] if absolute.startswith(start) else None


def _holds(folder: str, file: str) -> bool:
    return folder == "" or file.startswith(folder + "/")
