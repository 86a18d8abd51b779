"""Say where CodeTrail keeps what ``index-provider install`` fetched, and look there.

Each provider has a folder, each version of what it needs one below it: ``$XDG_DATA_HOME/codetrail/providers/
<name>/<version>``. A folder is there whole or not at all. This module must not know how anything is fetched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from codetrail.providers.private import OURS
from codetrail.providers.programs import others_can_write


def providers_home(env: Mapping[str, str]) -> str:
    """Return ``$XDG_DATA_HOME``, or ``~/.local/share`` where that is unset or relative."""
    value = env.get("XDG_DATA_HOME", "")
    home = env.get("HOME", "")
    if os.path.isabs(value):
        return value
    return os.path.join(home if os.path.isabs(home) else os.path.expanduser("~"), ".local", "share")


def managed_folder(name: str, version: str, env: Mapping[str, str]) -> str:
    """Return the absolute folder of one version, there or not."""
    return os.path.join(providers_home(env), OURS, "providers", name, version)


def installed_versions(name: str, env: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return (version, absolute folder) of what is installed for a provider, the highest version first.

    A folder that others could write to is not ours to trust and is left out.
    """
    parent = os.path.dirname(managed_folder(name, "0", env))
    try:
        found = [entry for entry in os.listdir(parent) if entry[:1].isdigit()]
    except OSError:
        return ()
    ordered = sorted(found, key=_order, reverse=True)
    folders = [(version, os.path.join(parent, version)) for version in ordered]
    return tuple((version, path) for version, path in folders if not others_can_write(path))


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdigit() else 0 for part in version.replace("+", ".").split("."))
