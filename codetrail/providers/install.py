"""Fetch what a provider lacks from the package registries into CodeTrail's own folder.

Pinned versions with hashes, through pip and npm as this user has them configured, in a fresh folder that
becomes the real one by a rename when all of it is there. Nothing of a workspace is read, run or written, and
no package runs a script. This module must not know what the packages are for. Rules: design ``providers`` §6.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from codetrail.errors import ProviderError, SystemFailure, UsageError
from codetrail.model.units import Problem
from codetrail.providers import private, process, programs
from codetrail.providers.acceptance import last_lines
from codetrail.providers.base import Limits
from codetrail.providers.fresh_folder import fresh_folder
from codetrail.providers.managed import managed_folder, providers_home
from codetrail.providers.node_runtime import (
    MANAGED,
    MANAGED_PROGRAM,
    Node,
    ask_version,
    find_node,
    managed_node,
)
from codetrail.providers.pins import BASEDPYRIGHT, NODE, SCIP_TYPESCRIPT, TYPESCRIPT, Pin
from codetrail.providers.run_folder import remove
from codetrail.workspace.config import Settings

INSTALLED, PRESENT, PLANNED = "installed", "present", "planned"
SITE = "site"
_SECONDS = 1800.0
_REACH_SECONDS = 30.0
"""Within which a registry answers a small question; npm itself waits for a silent proxy without end."""
_UNREACHED = re.compile(
    r"\b(?:ECONN\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET\w*"
    r"|ProxyError|NewConnectionError|ConnectTimeoutError|ReadTimeoutError)\b"
)
"""What npm and pip say of a registry that they cannot reach."""
_NPM_BOUNDS = (
    *("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"),
    "--fetch-timeout=60000",
)
_PIP_BOUNDS = ("--timeout", "15", "--retries", "1")
_NPM = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
_PIP = (
    *("-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--no-deps"),
    *("--only-binary", ":all:", "--require-hashes", "--target", SITE, "--requirement", "requirements.txt"),
)
_NPM_CLI = ("lib/node_modules/npm/bin/npm-cli.js", "node_modules/npm/bin/npm-cli.js")
_CERTIFICATES = (
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
)
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
_CLIENTS = (
    *("PIP_CONFIG_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"),
    *("PIP_CERT", "PIP_CLIENT_CERT", "PIP_PROXY", "PIP_TRUSTED_HOST", "PIP_DEFAULT_TIMEOUT"),
    *("NPM_CONFIG_USERCONFIG", "NPM_CONFIG_GLOBALCONFIG", "NPM_CONFIG_REGISTRY", "NPM_CONFIG_CAFILE"),
    *("XDG_CONFIG_HOME", "XDG_CACHE_HOME"),
)
ALLOWED = (
    *_CERTIFICATES,
    *_PROXIES,
    *(name.lower() for name in _PROXIES),
    *_CLIENTS,
    *(name.lower() for name in _CLIENTS if name.startswith("NPM_")),
)
"""What the clients may know of this user besides the basic variables: where packages come from."""


_SAY_HINT = "repeat with --verbose to see what it said"
_REACH_HINT = "look at the network, HTTPS_PROXY and NO_PROXY, then repeat; --verbose shows what it said"


class InstallFailed(ProviderError):
    """A client failed; ``said`` are the last lines of what it wrote, folders of the machine hidden."""

    def __init__(self, message: str, said: str, code: str = "provider_failed") -> None:
        unreached = code == "timed_out" or _UNREACHED.search(said) is not None
        sentence = f"{message}: its registry could not be reached." if unreached else message
        super().__init__(sentence, code=code, hint=_REACH_HINT if unreached else _SAY_HINT)
        self.said = said


class Step(NamedTuple):
    """One package to have, and how it is fetched.

    ``folder`` is the provider's folder, ``entry`` a file in it that tells that the package is whole;
    ``command`` is the command line to show, its program by name.
    """

    pin: Pin
    folder: str
    entry: str
    command: tuple[str, ...]


class Done(NamedTuple):
    """What became of a step: ``installed``, ``present`` or ``planned``."""

    step: Step
    state: str


_RUNTIME = Step(NODE, MANAGED, MANAGED_PROGRAM, ("python", *_PIP))
_BUNDLE = f"{SITE}/basedpyright/dist/pyright-langserver.js"
_STEPS = {
    "python": Step(BASEDPYRIGHT, "python", _BUNDLE, _RUNTIME.command),
    "typescript": Step(TYPESCRIPT, "typescript", "node_modules/typescript/lib/typescript.js", ("npm", *_NPM)),
    "scip-typescript": Step(
        SCIP_TYPESCRIPT,
        "scip-typescript",
        "node_modules/@sourcegraph/scip-typescript/dist/src/main.js",
        ("npm", *_NPM),
    ),
}
NAMES = ("python", "typescript", "scip-typescript")
"""What can be installed by name; each brings Node where there is none that can be used."""


def steps_of(name: str) -> tuple[Step, ...]:
    """Return what a provider needs: Node, and its own package. Raises UsageError ``provider_unknown``."""
    if name not in NAMES:
        raise UsageError(
            "there is no such provider to install", code="provider_unknown", hint=f"one of {', '.join(NAMES)}"
        )
    return (_RUNTIME, _STEPS[name])


def is_present(step: Step, env: Mapping[str, str]) -> bool:
    """Tell whether the package is in CodeTrail's own folder, whole."""
    folder = managed_folder(step.folder, step.pin.version, env)
    return os.path.isfile(os.path.join(folder, step.entry)) and not programs.others_can_write(folder)


def install(
    name: str,
    settings: Settings,
    root: str,
    env: Mapping[str, str],
    *,
    dry_run: bool,
    telling: Callable[[tuple[str, ...]], None],
) -> Iterator[Done]:
    """Install what provider ``name`` lacks, in order; ``telling`` is given each command before it runs.

    Node is fetched only where the one that would be used is missing or too old. ``root`` is the real path of
    a workspace whose programs are not taken. Raises UsageError ``provider_unknown``, ProviderError
    ``provider_failed`` where a client fails or delivers something else and ``timed_out`` where its registry
    is silent, SystemFailure.
    """
    runtime, own = steps_of(name)
    node = _usable_node(settings, root, env)
    needs_npm = own.command[0] == "npm"
    if isinstance(node, Problem) or (needs_npm and _npm(node, root, env) is None):
        yield _carry_out(runtime, root, env, [sys.executable, *_PIP], dry_run, telling)
        node = managed_node(env) or node
    if is_present(own, env):
        yield Done(own, PRESENT)
        return
    if not needs_npm:
        yield _carry_out(own, root, env, [sys.executable, *_PIP], dry_run, telling)
        return
    npm = None if isinstance(node, Problem) else _npm(node, root, env)
    if npm is None and not dry_run:
        raise ProviderError("npm was not found, nor does it come with the Node that was installed.")
    yield _carry_out(own, root, env, [*(npm or ()), *_NPM], dry_run, telling)


def _usable_node(settings: Settings, root: str, env: Mapping[str, str]) -> Node | Problem:
    found = find_node(settings.node, root, env)
    return found if isinstance(found, Problem) else ask_version(found, root, env)


def _npm(node: Node, root: str, env: Mapping[str, str]) -> list[str] | None:
    """Return how npm is started: the one that came with Node, else one on the cleaned PATH."""
    base = os.path.dirname(os.path.dirname(os.path.realpath(node.program)))
    for cli in _NPM_CLI:
        path = os.path.join(base, cli)
        if os.path.isfile(path):
            return [node.program, path]
    program = programs.find_program("npm", env, root)
    return None if program is None else [program]


def _carry_out(
    step: Step,
    root: str,
    env: Mapping[str, str],
    command: list[str],
    dry_run: bool,
    telling: Callable[[tuple[str, ...]], None],
) -> Done:
    if is_present(step, env):
        return Done(step, PRESENT)
    if dry_run:
        return Done(step, PLANNED)
    parent = private.private_folder(providers_home(env), "providers", step.folder)
    target = os.path.join(parent, step.pin.version)
    try:
        with fresh_folder(parent) as made:
            _write_wishes(step, made)
            telling(step.command)
            _run(step, command, root, env, made)
            if not os.path.isfile(os.path.join(made, step.entry)):
                raise ProviderError(f"{step.pin.package} {step.pin.version} is not laid out as expected.")
            if os.path.lexists(target):
                remove(target)
            os.rename(made, target)
    except OSError as error:
        raise SystemFailure(f"The package cannot be stored: {error.strerror}.") from error
    return Done(step, INSTALLED)


def _write_wishes(step: Step, folder: str) -> None:
    """Write what the client reads: the package, its version and the hashes that it refuses to differ from."""
    pin = step.pin
    if step.command[0] == "npm":
        wanted = {"name": "codetrail-provider", "version": "0.0.0", "private": True}
        wanted["dependencies"] = {pin.package: pin.version}
        packages = {f"node_modules/{one.package}": _locked(one) for one in (pin, *pin.needs)}
        lock = {
            "name": wanted["name"],
            "version": wanted["version"],
            "lockfileVersion": 3,
            "packages": {"": wanted, **packages},
        }
        _write(folder, "package.json", json.dumps(wanted))
        _write(folder, "package-lock.json", json.dumps(lock))
    else:
        hashes = "".join(f" --hash={one}" for one in pin.hashes)
        _write(folder, "requirements.txt", f"{pin.package}=={pin.version}{hashes}\n")


def _locked(pin: Pin) -> dict[str, object]:
    """Return a package as npm's lock file has it; what it needs is pruned unless it is named there."""
    locked: dict[str, object] = {"version": pin.version, "integrity": pin.hashes[0]}
    if pin.needs:
        locked["dependencies"] = {one.package: one.version for one in pin.needs}
    return locked


def _write(folder: str, name: str, text: str) -> None:
    with open(os.path.join(folder, name), "x", encoding="ascii") as file:
        file.write(text)


def _run(step: Step, command: list[str], root: str, env: Mapping[str, str], folder: str) -> None:
    """Let the client fetch a package; of npm only when its registry has answered at all."""

    def ran(words: list[str], seconds: float) -> process.ProcessResult:
        return process.run(
            words,
            cwd=folder,
            env=programs.child_environment(env, root, allow=ALLOWED, extra={"TMPDIR": folder}),
            limits=Limits(seconds=seconds),
        )

    pin = step.pin
    client, bounds = ("npm", _NPM_BOUNDS) if step.command[0] == "npm" else ("pip", _PIP_BOUNDS)
    if client == "npm":
        npm = command[: -len(_NPM)]
        asked = ran([*npm, "view", f"{pin.package}@{pin.version}", "version", *bounds], _REACH_SECONDS)
        if asked.state == "timed_out":
            raise InstallFailed(f"npm did not install {pin.package} {pin.version}", "", "timed_out")
    result = ran([*command, *bounds], _SECONDS)
    if result.state == "ok":
        return
    said = last_lines(result, (folder, os.path.expanduser("~"))) or ""
    code = "timed_out" if result.state == "timed_out" else "provider_failed"
    raise InstallFailed(f"{client} did not install {pin.package} {pin.version} ({result.state})", said, code)
