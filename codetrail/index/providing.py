"""List the providers and what each has, and install what one lacks.

A workspace matters only for what is never taken from it. This module must not know how anything is fetched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from codetrail.errors import CodeTrailError
from codetrail.model.reports import InstallRow, ProviderRow
from codetrail.model.units import Problem
from codetrail.providers import install, registry
from codetrail.workspace.config import Settings, load_settings
from codetrail.workspace.root import find_root

_FOLDER = "codetrail/providers"


def list_providers(root_path: str) -> tuple[ProviderRow, ...]:
    """Return a row for each provider, found from the workspace at ``root_path``; starts nothing."""
    root = find_root(root_path)
    settings = load_settings(root)
    return tuple(_row(name, settings, root.path) for name in registry.names())


def install_providers(
    names: Sequence[str], root_path: str, dry_run: bool, telling: Callable[[tuple[str, ...]], None]
) -> tuple[InstallRow, ...]:
    """Install what the providers lack; ``telling`` is given each command before it runs.

    Nothing is begun unless all names are known.

    Raises UsageError ``provider_unknown``, ProviderError ``provider_failed``, SystemFailure.
    """
    root = find_root(root_path)
    try:
        settings = load_settings(root)
    except CodeTrailError:
        # What a workspace's file says must not keep a person from installing.
        settings = Settings(node=os.environ.get("CODETRAIL_NODE"))
    for name in names:
        install.steps_of(name)
    return tuple(
        InstallRow(
            name,
            done.step.pin.package,
            done.step.pin.version,
            done.state,
            f"{_FOLDER}/{done.step.folder}/{done.step.pin.version}",
            done.step.command,
        )
        for name in dict.fromkeys(names)
        for done in install.install(name, settings, root.path, os.environ, dry_run=dry_run, telling=telling)
    )


def _row(name: str, settings: Settings, root: str) -> ProviderRow:
    provider = registry.provider_for(name)
    found = provider.locate(settings, root)
    installs = tuple(
        (step.pin.package, step.pin.version, install.is_present(step, os.environ))
        for step in (install.steps_of(name) if name in install.NAMES else ())
    )
    if isinstance(found, Problem):
        following = (("codetrail", "index-provider", "install", name),) if installs else ()
        return ProviderRow(
            name, provider.languages, "missing", message=found.message, installs=installs, next=following
        )
    return ProviderRow(
        name, provider.languages, "found", found.name, found.version, found.origin, installs=installs
    )
