"""List the providers and what each has, and install what one lacks.

A workspace matters only for what is never taken from it. This module must not know how anything is fetched.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from codetrail.errors import CodeTrailError, UsageError
from codetrail.model.reports import InstallRow, ProviderRow
from codetrail.model.units import Problem
from codetrail.providers import install, registry
from codetrail.providers.node_runtime import find_node
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.workspace.config import Settings, load_settings
from codetrail.workspace.languages import resolve_language
from codetrail.workspace.root import find_root

_FOLDER = "codetrail/providers"


def list_providers(root_path: str) -> tuple[ProviderRow, ...]:
    """Return a row for each provider, found from the workspace at ``root_path``; starts nothing."""
    root = find_root(root_path)
    settings = load_settings(root)
    rows = [_row(name, settings, root.path) for name in registry.names()]
    return (*rows, _second_engine(settings, root.path))


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
    names = [_installable(name) for name in names]
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


def _installable(typed: str) -> str:
    """Return what can be installed that ``typed`` names: itself, or the provider of a language (``ts``).

    Raises UsageError ``provider_unknown``.
    """
    if typed not in install.NAMES:
        with suppress(UsageError):
            typed = registry.name_for(resolve_language(typed)) or typed
    install.steps_of(typed)
    return typed


def _second_engine(settings: Settings, root: str) -> ProviderRow:
    """Return the row of the engine that answers for our TypeScript driver where a person asks for it."""
    name = scip_typescript_engine.ENGINE
    languages = registry.provider_for("typescript").languages
    node = find_node(settings.node, root, os.environ)
    found = node if isinstance(node, Problem) else scip_typescript_engine.find(node, root, os.environ)
    installs = _installs(name)
    if isinstance(found, Problem):
        following = (("codetrail", "index-provider", "install", name),)
        sentence = (
            'It answers only where the configuration asks for it: [typescript] engine = "scip-typescript".'
        )
        return ProviderRow(name, languages, "missing", message=sentence, installs=installs, next=following)
    return ProviderRow(name, languages, "found", found.name, found.version, found.origin, installs=installs)


def _installs(name: str) -> tuple[tuple[str, str, bool], ...]:
    return tuple(
        (step.pin.package, step.pin.version, install.is_present(step, os.environ))
        for step in (install.steps_of(name) if name in install.NAMES else ())
    )


def _row(name: str, settings: Settings, root: str) -> ProviderRow:
    provider = registry.provider_for(name)
    found = provider.locate(settings, root)
    installs = _installs(name)
    if isinstance(found, Problem):
        following = (("codetrail", "index-provider", "install", name),) if installs else ()
        return ProviderRow(
            name, provider.languages, "missing", message=found.message, installs=installs, next=following
        )
    return ProviderRow(
        name, provider.languages, "found", found.name, found.version, found.origin, installs=installs
    )
