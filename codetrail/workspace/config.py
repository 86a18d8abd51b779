"""Read CodeTrail's settings: environment, the user's file, the workspace's ``codetrail.toml``.

Parsed once into one plain value; nothing here acts on a setting. What the workspace's file names as a
program is carried apart, because it may only run with a person's trust (providers.md §3). Knows no
providers beyond the names of their tables.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from codetrail.errors import ConfigError
from codetrail.workspace.config_schema import (
    ENGINES,
    PROTOCOLS,
    TYPESCRIPT_ENGINES,
    check_table,
    refuse,
)
from codetrail.workspace.languages import LANGUAGES
from codetrail.workspace.reading import opened_root, read_source
from codetrail.workspace.root import Root

WORKSPACE_FILE = "codetrail.toml"
USER_FILE = "config.toml"
_LIMIT = 1 << 20
_COMMAND_FALLBACK = {"kotlin": "java"}


@dataclass(frozen=True, slots=True)
class ExternalProvider:
    """One ``[[provider]]`` table (providers.md §5); ``from_workspace`` means it needs trust."""

    name: str
    command: str
    args: tuple[str, ...]
    languages: tuple[str, ...]
    protocol: str
    strict: bool
    compiler_grade: bool
    timeout_ms: int | None
    from_workspace: bool


@dataclass(frozen=True, slots=True)
class Program:
    """A program that the workspace's own file names: which setting, and the command line it asks for."""

    setting: str
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings in force.

    Paths are root-relative POSIX, except ``python_interpreter``, ``node``, ``typescript`` and ``commands``
    (as given: an absolute path, a name for the PATH, or root-relative where the workspace's file gave it) and
    ``trusted_roots`` (absolute). ``commands`` maps a language to the command line of
    ``CODETRAIL_SCIP_<LANGUAGE>``. ``origins`` maps each setting that is not built in to ``environment``,
    ``user`` or ``workspace``; ``needs_trust`` lists the programs in force that the workspace named.
    """

    exclude: tuple[str, ...] = ()
    include_generated: bool = True
    repository_id: str = "."
    python_interpreter: str | None = None
    python_roots: tuple[str, ...] = ()
    python_engine: str = ENGINES[0]
    typescript_projects: tuple[str, ...] = ()
    typescript_engine: str = TYPESCRIPT_ENGINES[0]
    node: str | None = None
    typescript: str | None = None
    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    providers: tuple[ExternalProvider, ...] = ()
    trusted_roots: tuple[str, ...] = ()
    needs_trust: tuple[Program, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)


_SETTINGS = {
    "index.exclude": "exclude",
    "index.include_generated": "include_generated",
    "index.id": "repository_id",
    "python.interpreter": "python_interpreter",
    "python.roots": "python_roots",
    "python.engine": "python_engine",
    "typescript.projects": "typescript_projects",
    "typescript.engine": "typescript_engine",
    "trusted_roots": "trusted_roots",
}


def load_settings(root: Root, environment: Mapping[str, str] | None = None) -> Settings:
    """Return the settings in force for ``root``: environment over user file over workspace file.

    Options of the command line are laid over the result by the caller. Raises ConfigError
    ``config_invalid`` for a file that cannot be read or holds something it may not; the message names the
    file and the key, never a value.
    """
    env = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    providers: list[ExternalProvider] = []
    for origin, table in (("workspace", _workspace_table(root)), ("user", _user_table(env))):
        if table is None:
            continue
        label = WORKSPACE_FILE if origin == "workspace" else USER_FILE
        checked = check_table(table, label, root if origin == "workspace" else None)
        for setting, name in _SETTINGS.items():
            if setting in checked:
                values[name] = checked[setting]
                origins[setting] = origin
        providers[:0] = [_provider(row, origin) for row in checked.get("provider", ())]
    if interpreter := env.get("CODETRAIL_PYTHON"):
        values["python_interpreter"] = interpreter
        origins["python.interpreter"] = "environment"
    if node := env.get("CODETRAIL_NODE"):
        values["node"] = node
        origins["node"] = "environment"
    if typescript := env.get("CODETRAIL_TYPESCRIPT"):
        values["typescript"] = typescript
        origins["typescript"] = "environment"
    commands = _commands(env)
    origins.update({f"{language}.command": "environment" for language in commands})
    unique = _first_of_each_name(providers)
    return Settings(
        **values,
        commands=commands,
        providers=unique,
        origins=origins,
        needs_trust=_needs_trust(values, origins, unique),
    )


def _needs_trust(
    values: Mapping[str, Any], origins: Mapping[str, str], providers: tuple[ExternalProvider, ...]
) -> tuple[Program, ...]:
    programs: list[Program] = []
    if origins.get("python.interpreter") == "workspace":
        programs.append(Program("python.interpreter", (values["python_interpreter"],)))
    programs += [
        Program(f"provider.{provider.name}", (provider.command, *provider.args))
        for provider in providers
        if provider.from_workspace
    ]
    return tuple(programs)


def _first_of_each_name(providers: list[ExternalProvider]) -> tuple[ExternalProvider, ...]:
    """Let the user's provider win over one of the same name in the workspace's file."""
    found: dict[str, ExternalProvider] = {}
    for provider in providers:
        found.setdefault(provider.name, provider)
    return tuple(found.values())


def _provider(row: Mapping[str, Any], origin: str) -> ExternalProvider:
    return ExternalProvider(
        name=row["name"],
        command=row["command"],
        args=row.get("args", ()),
        languages=row["languages"],
        protocol=row.get("protocol", PROTOCOLS[0]),
        strict=row.get("strict", False),
        compiler_grade=row.get("compiler_grade", False),
        timeout_ms=row.get("timeout_ms"),
        from_workspace=origin == "workspace",
    )


def _commands(env: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    commands: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        for source in (language, _COMMAND_FALLBACK.get(language, language)):
            variable = f"CODETRAIL_SCIP_{source.upper()}"
            if line := env.get(variable, "").strip():
                commands[language] = _split(variable, line)
                break
    return commands


def _split(variable: str, line: str) -> tuple[str, ...]:
    import shlex

    try:
        return tuple(shlex.split(line))
    except ValueError:
        raise ConfigError(f"{variable} is not a command line: a quote or escape is left open") from None


def _workspace_table(root: Root) -> dict[str, Any] | None:
    try:
        with opened_root(root.path) as root_fd:
            read = read_source(root_fd, WORKSPACE_FILE, _LIMIT)
    except OSError:
        raise ConfigError("the workspace folder cannot be opened", code="io_error") from None
    if read.state == "missing":
        return None
    if read.state != "ok":
        raise ConfigError(f"{WORKSPACE_FILE} is not a readable regular file below 1 MiB ({read.state})")
    return _parse(read.data, WORKSPACE_FILE)


def _user_table(env: Mapping[str, str]) -> dict[str, Any] | None:
    folder = env.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        home = env.get("HOME", "")
        if not os.path.isabs(home):
            return None
        folder = os.path.join(home, ".config")
    path = os.path.join(folder, "codetrail", USER_FILE)
    try:
        with open(path, "rb") as file:
            data = file.read(_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        raise ConfigError(f"the user's {USER_FILE} cannot be read") from None
    if len(data) > _LIMIT:
        raise ConfigError(f"the user's {USER_FILE} is larger than 1 MiB")
    return _parse(data, USER_FILE)


def _parse(data: bytes, label: str) -> dict[str, Any]:
    from codetrail.workspace.configuration_text import Unparsable, parse_toml

    try:
        return parse_toml(data)
    except Unparsable as reason:
        raise refuse(label, str(reason)) from None
