"""Read one Python installation or virtual environment as data: version and folders it imports from.

A ``Prefix`` comes from ``pyvenv.cfg`` (PEP 405), from a conda environment's own records, or, for an
interpreter outside the workspace only, from asking it in isolation. This module must not know which one was
chosen or why, and never runs anything that lies inside the workspace.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.providers import process
from codetrail.providers.base import Limits
from codetrail.providers.programs import child_environment, is_inside
from codetrail.providers.small_files import read_bounded

CONFIGURATION = "pyvenv.cfg"
_CONFIGURATION_BYTES = 64 << 10
_VERSION = re.compile(r"(3\.\d{1,2})(?:\.\d{1,3})?")
_LIBRARY = re.compile(r"(?:python|pypy)(3\.\d{1,2})t?\Z")
_CONDA = re.compile(r"python-(3\.\d{1,2}\.\d{1,3})-[^/]*\.json\Z")
_SECONDS = 20.0

_QUESTION = """
import json, site, sys
print(json.dumps({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "executable": sys.executable,
    "library": sys.path,
    "sites": site.getsitepackages() + [site.getusersitepackages()],
}))
"""


class Prefix(NamedTuple):
    """What an environment imports from: full version (``3.11.7``), library folders, site-packages folders.

    All folders are absolute and exist; ``library`` holds the standard library, if it was found. ``folder`` is
    the environment itself.
    """

    folder: str
    version: str
    library: tuple[str, ...]
    sites: tuple[str, ...]


def read_prefix(folder: str) -> Prefix | None:
    """Read the environment at the absolute ``folder``; None when it is neither a virtual nor a conda one."""
    configuration = read_bounded(os.path.join(folder, CONFIGURATION), _CONFIGURATION_BYTES)
    if configuration is not None:
        return _read_venv(folder, _settings(configuration))
    for name in sorted(_names(os.path.join(folder, "conda-meta"))):
        found = _CONDA.match(name)
        if found:
            version = found[1]
            return Prefix(folder, version, _library(folder, _minor(version)), _sites(folder, _minor(version)))
    return None


def prefix_of_program(program: str) -> str | None:
    """Return the environment folder that an interpreter's own path lies in, without following its link."""
    folder = os.path.dirname(os.path.dirname(program))
    markers = (CONFIGURATION, "conda-meta")
    return folder if any(os.path.lexists(os.path.join(folder, name)) for name in markers) else None


def ask_interpreter(program: str, root: str, env: Mapping[str, str]) -> Prefix | None:
    """Run an interpreter outside the workspace, isolated, and return what it imports from.

    No ``.pth`` file, ``sitecustomize`` or ``PYTHON*`` variable takes part (``-I -S``). None when it lies
    inside the workspace, fails, does not end within 20 s, or answers something else.
    """
    if is_inside(program, root) or is_inside(os.path.dirname(program), root):
        return None
    result = process.run(
        [program, "-I", "-S", "-B", "-c", _QUESTION],
        cwd="/",
        env=child_environment(env, root, ("PYENV_ROOT", "PYENV_VERSION")),
        limits=Limits(seconds=_SECONDS, output_bytes=0, memory_bytes=1 << 30),
    )
    if result.state != "ok":
        return None
    try:
        answer = json.loads(result.stdout.head)
        version, executable = answer["version"], answer["executable"]
        library = tuple(path for path in answer["library"] if os.path.isdir(path))
        sites = tuple(dict.fromkeys(path for path in answer["sites"] if os.path.isdir(path)))
        good = bool(_VERSION.fullmatch(version)) and os.path.isabs(executable)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not good:
        return None
    # A shim may start an interpreter of a virtual environment: without ``site`` it does not know that.
    inner = prefix_of_program(executable)
    environment = read_prefix(inner) if inner else None
    return environment or Prefix(os.path.dirname(os.path.dirname(executable)), version, library, sites)


def _read_venv(folder: str, settings: Mapping[str, str]) -> Prefix | None:
    stated = _VERSION.match(settings.get("version_info", settings.get("version", "")))
    minors = _minors(folder)
    if stated is not None:
        version = stated[0]
    elif len(minors) == 1:
        version = minors[0]
    else:
        return None
    minor = _minor(version)
    home = settings.get("home", "")
    base = os.path.dirname(os.path.normpath(home)) if os.path.isabs(home) and "\0" not in home else None
    sites = _sites(folder, minor)
    if base is not None and settings.get("include-system-site-packages", "").lower() == "true":
        sites += _sites(base, minor)
    return Prefix(folder, version, _library(base, minor) if base else (), sites)


def _settings(configuration: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in configuration.decode("utf-8", "replace").splitlines():
        key, equals, value = line.partition("=")
        if equals:
            found.setdefault(key.strip().lower(), value.strip())
    return found


def _minor(version: str) -> str:
    return ".".join(version.split(".")[:2])


def _minors(folder: str) -> list[str]:
    found = {match[1] for name in _names(os.path.join(folder, "lib")) if (match := _LIBRARY.match(name))}
    return sorted(found)


def _library(base: str, minor: str) -> tuple[str, ...]:
    for parent in ("lib", "lib64"):
        for name in (f"python{minor}", f"python{minor}t", f"pypy{minor}"):
            folder = os.path.join(base, parent, name)
            if os.path.isfile(os.path.join(folder, "os.py")):
                dynamic = os.path.join(folder, "lib-dynload")
                return (folder, dynamic) if os.path.isdir(dynamic) else (folder,)
    windows = os.path.join(base, "Lib")
    return (windows,) if os.path.isfile(os.path.join(windows, "os.py")) else ()


def _sites(folder: str, minor: str) -> tuple[str, ...]:
    """Return the existing site-packages folders of an environment, one for each real folder."""
    places = [
        *(f"{lib}/{name}{minor}/site-packages" for lib in ("lib", "lib64") for name in ("python", "pypy")),
        f"lib/python{minor}t/site-packages",
        "Lib/site-packages",
        f"local/lib/python{minor}/dist-packages",
        "lib/python3/dist-packages",
    ]
    found: dict[str, str] = {}
    for place in places:
        path = os.path.join(folder, place)
        if os.path.isdir(path):
            found.setdefault(os.path.realpath(path), path)
    return tuple(found.values())


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
