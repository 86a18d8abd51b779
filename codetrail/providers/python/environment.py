"""Choose the Python environment whose packages a workspace is read with, and say why that one.

The order is: named by a person or configuration, activated, found in the workspace, named by Pyright's
configuration, conda, PATH. What lies inside the workspace is read and never run. This module must not know
Pyright or SCIP. Order: design research on project discovery, held by tests.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codetrail.model.units import Problem
from codetrail.providers import programs
from codetrail.providers.python.prefix import (
    CONFIGURATION,
    Prefix,
    ask_interpreter,
    prefix_of_program,
    read_prefix,
)
from codetrail.providers.python.site_packages import Distribution, installed_in, path_files_of

_IN_WORKSPACE = (".venv", "venv", "env")


class Wish(NamedTuple):
    """An environment that somebody named: an absolute path or a name for the PATH, where, and by whom.

    ``by_person`` is false for what the workspace's own configuration says: its program is not run, and
    folders it leads to stay inside the workspace.
    """

    path: str
    origin: str
    by_person: bool


@dataclass(frozen=True, slots=True)
class PythonEnvironment:
    """The environment that was chosen: full version or None, where it was found, what can be imported.

    ``origin`` says in words where it was named or found. ``search_paths`` are absolute existing folders in
    the order Python would search them. ``problems`` cost rows; ``notes`` are for ``doctor`` only. ``watched``
    are the absolute paths whose change, or coming, may make it another environment.
    """

    version: str | None
    origin: str
    search_paths: tuple[str, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    watched: tuple[str, ...] = ()

    @property
    def minor(self) -> str | None:
        """Return ``3.11`` of ``3.11.7``."""
        return ".".join(self.version.split(".")[:2]) if self.version else None

    @property
    def label(self) -> str | None:
        """Return version and origin for people, without a path of the machine."""
        return f"Python {self.version} ({self.origin})" if self.version else None

    def facts(self, root: str) -> tuple[tuple[str, str], ...]:
        """Return what answers depend on, as sorted pairs without absolute paths, for a unit's digest."""
        pairs = [("python", self.version or "none")]
        pairs += [(f"distribution {one.name}", f"{one.version} {one.digest}") for one in self.distributions]
        inside = (path for path in self.search_paths if programs.is_inside(path, root))
        pairs += [("path", os.path.relpath(os.path.realpath(path), root)) for path in inside]
        return tuple(sorted(pairs))


def find_environment(
    root: str, env: Mapping[str, str], wishes: tuple[Wish, ...], pyright_venv: str | None
) -> PythonEnvironment:
    """Return the first usable environment for the real path ``root``.

    ``wishes`` are what was named explicitly, first choice first; ``pyright_venv`` is the folder that
    Pyright's configuration names, absolute. An explicit wish that cannot be used is a problem, and the search
    goes on. With no interpreter at all the result has no version, and the problem ``no_interpreter``.
    """
    problems: list[Problem] = []
    # Where an environment was looked for in vain, one may come.
    passed: list[str] = []
    for wish in wishes:
        prefix, problem = _fulfil(wish, root, env)
        if prefix is not None:
            return _describe(prefix, wish.origin, root, not wish.by_person, tuple(problems), passed)
        if problem is not None:
            problems.append(problem)
        passed += [wish.path] if os.path.isabs(wish.path) else []
    for folder, origin, bounded in _folders(root, env, pyright_venv):
        prefix = read_prefix(folder)
        if prefix is not None:
            return _describe(prefix, origin, root, bounded, tuple(problems), passed)
        passed.append(os.path.join(folder, CONFIGURATION))
    for name in ("python3", "python"):
        program = programs.find_program(name, env, root)
        prefix = _from_program(program, root, env) if program else None
        if prefix is not None:
            passed.append(str(program))
            return _describe(prefix, f"{name} on PATH", root, False, tuple(problems), passed)
    problems.append(
        Problem("no_interpreter", "No Python interpreter was found: installed packages cannot be resolved.")
    )
    return PythonEnvironment(None, "none", problems=tuple(problems), watched=tuple(passed))


def _folders(root: str, env: Mapping[str, str], pyright_venv: str | None) -> Iterator[tuple[str, str, bool]]:
    """Yield (absolute folder, origin, whether its path files are bounded by the workspace)."""
    active = env.get("VIRTUAL_ENV", "")
    if os.path.isabs(active):
        yield active, "VIRTUAL_ENV", False
    for name in _IN_WORKSPACE:
        yield os.path.join(root, name), name, True
    if pyright_venv is not None:
        yield pyright_venv, "venv of the Pyright configuration", True
    conda = env.get("CONDA_PREFIX", "")
    if os.path.isabs(conda):
        yield conda, "CONDA_PREFIX", False


def _fulfil(wish: Wish, root: str, env: Mapping[str, str]) -> tuple[Prefix | None, Problem | None]:
    """Read or ask what was named: an environment folder, or an interpreter."""
    path = os.path.expanduser(wish.path) if wish.by_person else wish.path
    if os.path.isabs(path) and os.path.isdir(path):
        prefix = read_prefix(path)
    else:
        program = programs.resolve_override(path, env, root)
        if program is not None and not wish.by_person and not _readable_only(program):
            sentence = f"The interpreter that {wish.origin} names is a program: running it takes trust."
            return None, Problem("untrusted", sentence)
        prefix = _from_program(program, root, env) if program else None
    if prefix is None:
        sentence = f"The interpreter that {wish.origin} names cannot be used; the search went on."
        return None, Problem("interpreter_unusable", sentence)
    return prefix, None


def _readable_only(program: str) -> bool:
    folder = prefix_of_program(program)
    return folder is not None and read_prefix(folder) is not None


def _from_program(program: str, root: str, env: Mapping[str, str]) -> Prefix | None:
    """Read the environment that a program belongs to; ask the program only if that says nothing."""
    folder = prefix_of_program(program)
    prefix = read_prefix(folder) if folder else None
    return prefix or ask_interpreter(program, root, env)


def _describe(
    prefix: Prefix,
    origin: str,
    root: str,
    bounded: bool,
    problems: tuple[Problem, ...],
    passed: Sequence[str],
) -> PythonEnvironment:
    """Collect search paths and distributions; folders a bounded environment leads out to are left out."""
    paths: dict[str, None] = dict.fromkeys(prefix.library)
    distributions: list[Distribution] = []
    path_lists: list[str] = []
    imports = unreadable = outside = 0

    # The base installation of a virtual environment is where its standard library was found.
    bases = [os.path.dirname(os.path.dirname(folder)) for folder in prefix.library[:1]]

    def add(folder: str, *also: str) -> bool:
        nonlocal outside
        allowed = not bounded or any(programs.is_inside(folder, one) for one in (root, prefix.folder, *also))
        if allowed:
            paths[folder] = None
        else:
            outside += 1
        return allowed

    for site in prefix.sites:
        if not add(site, *bases):
            continue
        path_files = path_files_of(site)
        imports += path_files.import_lines
        path_lists += path_files.read
        for folder in path_files.folders:
            add(folder)
        installed = installed_in(site)
        unreadable += installed.unreadable
        for one in installed.distributions:
            distributions.append(one)
            if one.editable and not any(
                programs.is_inside(path, one.editable) for path in path_files.folders
            ):
                # Its import hook is code and is not run; this is where such projects keep their modules.
                source = os.path.join(one.editable, "src")
                add(source if os.path.isdir(source) else one.editable)
    found = [*problems]
    if outside:
        sentence = (
            "Folders outside the workspace that its own environment adds to the search path were left out."
        )
        found.append(Problem("path_outside_workspace", sentence, times=outside))
    if unreadable:
        sentence = "Installed packages have no readable name and version; their symbols carry no package."
        found.append(Problem("distribution_unreadable", sentence, times=unreadable))
    notes = (Problem("pth_import_ignored", "Import lines of .pth files are never run.", times=imports),)
    own = (os.path.join(prefix.folder, CONFIGURATION), os.path.join(prefix.folder, "bin", "python"))
    return PythonEnvironment(
        prefix.version,
        origin,
        tuple(paths),
        tuple(distributions),
        tuple(found),
        notes if imports else (),
        tuple(dict.fromkeys((*passed, *own, *path_lists, *paths))),
    )
