"""Find files of packages installed beside CodeTrail, without importing them.

Only the site folders of the interpreter that runs CodeTrail count, and the folder CodeTrail itself was
installed into: never the current folder or ``PYTHONPATH``, which a workspace could be. This module must not
know what the packages are for.
"""

from __future__ import annotations

import os
import re
import site
import sysconfig
from typing import NamedTuple

import codetrail

_DIST_INFO = re.compile(r"([^-]+)-([^-]+)\.dist-info")


class InstalledPackage(NamedTuple):
    """A distribution beside CodeTrail: its version and the absolute folder its modules lie in."""

    version: str
    folder: str


def site_folders() -> tuple[str, ...]:
    """Return the absolute folders that hold what was installed together with CodeTrail."""
    folders = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(site.getusersitepackages())
    own = os.path.dirname(os.path.dirname(os.path.abspath(codetrail.__file__)))
    if any(name.startswith("codetrail-") and name.endswith(".dist-info") for name in os.listdir(own)):
        folders.append(own)
    return tuple(dict.fromkeys(folder for folder in folders if os.path.isdir(folder)))


def installed_package(distribution: str, module: str) -> InstalledPackage | None:
    """Return version and module folder of a distribution, or None if it is not installed beside CodeTrail.

    Told by the names of ``*.dist-info`` folders (PEP 376, PEP 503); ``importlib.metadata`` would say the same
    but takes longer to load than everything else that planning needs of this room.
    """
    wanted = _normalised(distribution)
    for site_folder in site_folders():
        folder = os.path.abspath(os.path.join(site_folder, module))
        if not os.path.isdir(folder):
            continue
        for name in sorted(os.listdir(site_folder)):
            found = _DIST_INFO.fullmatch(name)
            if found is not None and _normalised(found[1]) == wanted:
                return InstalledPackage(found[2], folder)
    return None


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
