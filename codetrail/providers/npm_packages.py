"""Find packages that npm installed for this user or machine, outside the workspace, as data.

This module must not know what a package is for, and runs nothing: not even npm.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from codetrail.providers import programs
from codetrail.providers.node_runtime import Node
from codetrail.providers.small_files import read_bounded
from codetrail.workspace.configuration_text import Unparsable, parse_json

_MANIFEST_BYTES = 1 << 20
_DEEPEST = 3
"""How far below the folder of its package the program behind a command lies at most."""


def global_packages(
    name: str, commands: Sequence[str], node: Node, root: str, env: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield (absolute folder, where it was found) of a package of that name, the likeliest first.

    Behind its ``commands`` on the cleaned PATH, beside Node, in npm's prefix. What lies in the workspace
    (its real path is ``root``), or what others could change, is left out.
    """
    for folder, origin in _candidates(name, commands, node, root, env):
        if (
            package_version(folder, name) is not None
            and not programs.is_inside(folder, root)
            and not programs.others_can_write(folder)
        ):
            yield folder, origin


def package_version(folder: str, name: str) -> str | None:
    """Return the version in the ``package.json`` of a package's folder; None if it is not that package's."""
    data = read_bounded(os.path.join(folder, "package.json"), _MANIFEST_BYTES)
    try:
        content = parse_json(data or b"null")
    except Unparsable:
        return None
    if not isinstance(content, dict) or content.get("name") != name:
        return None
    version = content.get("version")
    return version if isinstance(version, str) else None


def _candidates(
    name: str, commands: Sequence[str], node: Node, root: str, env: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    for command in commands:
        program = programs.find_program(command, env, root)
        if program is not None:
            folder = os.path.realpath(program)
            for _ in range(_DEEPEST):
                folder = os.path.dirname(folder)
                yield folder, f"{command} on PATH"
    bases = [os.path.dirname(os.path.dirname(os.path.realpath(node.program)))]
    prefix = env.get("NPM_CONFIG_PREFIX", "")
    bases += [prefix] if os.path.isabs(prefix) else []
    for base in bases:
        for modules in ("lib/node_modules", "node_modules"):
            yield os.path.join(base, modules, name), "npm's global folder"
