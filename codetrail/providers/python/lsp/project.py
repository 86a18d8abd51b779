"""Lay out the server's own workspace: a private folder whose configuration names the real files.

The server never sees the configuration of the indexed tree: it is told files, import roots, version and
platform as the in-process engine is. No interpreter is named to it. A folder in the form of a virtual
environment leads by path files to the packages that were found; nothing in it can be run. This module must
not know the protocol.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CANARY = "canary.py"
_CANARY_TEXT = "class Canary: ...\n\n\nCanary()\n"
CANARY_POINT = (3, 0)
_ENVIRONMENT = "environment"
_STUBS = "typings"
_SPECIAL = frozenset("*?[]{}")
NEWEST = "3.14"
"""The version of Python that is assumed where no interpreter was found."""

SECTIONS: dict[str, object] = {
    "python": {"analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": False}},
    "python.analysis": {
        "diagnosticMode": "openFilesOnly",
        "autoSearchPaths": False,
        "logLevel": "Information",
    },
    "basedpyright": {"analysis": {"diagnosticMode": "openFilesOnly", "autoSearchPaths": False}},
    "basedpyright.analysis": {
        "diagnosticMode": "openFilesOnly",
        "autoSearchPaths": False,
        "logLevel": "Information",
    },
    "pyright": {"disableOrganizeImports": True},
}
"""What the server is told when it asks for settings; ``pythonPath`` is never among them."""


class Layout(NamedTuple):
    """Where the server works: its folder, the file whose answer is known, and the files it does not list."""

    folder: str
    canary: str
    unlisted: frozenset[str]


def lay_out(folder: str, request: Mapping[str, Any]) -> Layout:
    """Make the server's workspace below the private ``folder``. Raises OSError."""
    base = os.path.realpath(folder)
    home = os.path.join(base, "project")
    os.mkdir(home)
    canary = os.path.join(home, CANARY)
    with open(canary, "x", encoding="ascii") as file:
        file.write(_CANARY_TEXT)
    root: str = request["root"]
    listed = [path for path in request["files"] if not _SPECIAL & set(path)]
    python = request["python"]
    projects = request.get("environments") or [{"root": "", "roots": request["roots"]}]
    # What other projects hold is looked for last, behind the standard library and installed packages.
    far = [os.path.join(root, folder) if folder else root for folder in request["roots"]]
    _make_environment(base, python["version"] or NEWEST, [*python["searchPaths"], *far])
    configuration: dict[str, object] = {
        "include": [CANARY, *(os.path.relpath(os.path.join(root, path), home) for path in listed)],
        "exclude": ["nothing-is-excluded"],
        "executionEnvironments": [{"root": ".", "extraPaths": []}, *_environments(root, projects)],
        "pythonVersion": python["version"] or NEWEST,
        "pythonPlatform": python["platform"] or "All",
        "venvPath": base,
        "venv": _ENVIRONMENT,
        "typeCheckingMode": "off",
        "useLibraryCodeForTypes": True,
    }
    stubs = os.path.join(root, _STUBS)
    if os.path.isdir(stubs):
        configuration["stubPath"] = stubs
    with open(os.path.join(home, "pyrightconfig.json"), "x", encoding="ascii") as file:
        json.dump(configuration, file)
    return Layout(home, canary, frozenset(request["files"]) - frozenset(listed))


def _environments(root: str, projects: Sequence[Mapping[str, Any]]) -> list[dict[str, object]]:
    """Return where each project's files import from: its own roots, then those of the workspace itself."""
    whole: Sequence[str] = next((item["roots"] for item in projects if not item["root"]), [])
    found: list[dict[str, object]] = []
    for project in sorted(projects, key=lambda item: len(item["root"]), reverse=True):
        if project["root"]:
            folders = [*project["roots"], "", *whole]
            paths = [os.path.join(root, folder) if folder else root for folder in dict.fromkeys(folders)]
            found.append({"root": os.path.join(root, project["root"]), "extraPaths": paths})
    inside = [os.path.join(root, folder) for folder in whole if folder]
    return [*found, {"root": root, "extraPaths": inside}]


def _make_environment(folder: str, minor: str, search_paths: Sequence[str]) -> None:
    """Make a folder that looks like a virtual environment and holds only one path file."""
    site = os.path.join(folder, _ENVIRONMENT, "lib", f"python{minor}", "site-packages")
    os.makedirs(site)
    lines = [path for path in search_paths if path == path.strip() and "\n" not in path]
    with open(os.path.join(site, "codetrail.pth"), "x", encoding="utf-8", errors="surrogateescape") as file:
        file.write("".join(f"{path}\n" for path in lines))
