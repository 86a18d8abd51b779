"""Doctor finds what stops precise answers, and never proposes a command that the workspace wrote."""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import codetrail
from codetrail.errors import SystemFailure
from codetrail.index.doctor import doctor
from codetrail.index.unit_findings import DOUBTS, ENDINGS
from codetrail.model.reports import CheckRow
from codetrail.model.units import Problem
from codetrail.providers import findings
from codetrail.providers.python import checks
from codetrail.providers.typescript import checks as typescript_checks
from codetrail.providers.typescript import package_managers
from codetrail.query.coverage import _OF_UNITS
from tests.index.building import FAILED, Bench, FakeProvider, unprivileged

BUILD = (("codetrail", "index", "build"),)
COMMANDS = {
    ("codetrail", "index", "build"),
    ("codetrail", "index-provider", "install", "python"),
    ("pip", "install", "--upgrade", "codetrail[python]"),
    ("python3", "-m", "venv", ".venv"),
    ("codetrail", "index-provider", "install", "typescript"),
    ("codetrail", "index", "build", "--jobs", "1"),
    ("codetrail", "index", "build", "--timeout", "3600"),
    ("npm", "ci", "--ignore-scripts"),
    ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"),
    ("codetrail", "index-provider", "install", "scip-typescript"),
    ("pnpm", "install", "--frozen-lockfile", "--ignore-scripts"),
    ("pnpm", "install", "--ignore-scripts"),
    ("yarn", "install", "--frozen-lockfile", "--ignore-scripts"),
    ("yarn", "install", "--immutable", "--mode=skip-build"),
    ("bun", "install", "--frozen-lockfile", "--ignore-scripts"),
    ("npm", "install", "--save-dev", "--ignore-scripts", "@types/node"),
    ("pnpm", "add", "--save-dev", "--ignore-scripts", "@types/node"),
    ("pnpm", "add", "--workspace-root", "--save-dev", "--ignore-scripts", "@types/node"),
    ("yarn", "add", "--dev", "--ignore-scripts", "@types/node"),
    ("yarn", "add", "-W", "--dev", "--ignore-scripts", "@types/node"),
    ("yarn", "add", "--dev", "--mode=skip-build", "@types/node"),
    ("bun", "add", "--dev", "--ignore-scripts", "@types/node"),
    ("unset", "CODETRAIL_NODE"),
    ("unset", "CODETRAIL_TYPESCRIPT"),
    ("unset", "CODETRAIL_SCIP_PYTHON"),
    ("unset", "CODETRAIL_SCIP_TYPESCRIPT"),
}
"""Every command that doctor may propose, besides the folder of one (decision 3)."""


def checked(bench: Bench, *, deep: bool = False) -> dict[str, CheckRow]:
    return {row.code: row for row in doctor(str(bench.path), deep)}


@pytest.fixture
def built(bench: Bench, fake: FakeProvider) -> Bench:  # noqa: ARG001
    bench.write(a="def f():\n    f()\n")
    bench.build()
    return bench


@pytest.mark.parametrize("entry", ["", ".", "lib", "{top}", "{top}/lib"])
def test_modules_taken_from_the_workspace_are_a_warning(
    built: Bench, monkeypatch: pytest.MonkeyPatch, entry: str
) -> None:
    assert "import_path_unsafe" not in checked(built)
    monkeypatch.syspath_prepend(entry.format(top=built.path))
    assert checked(built)["import_path_unsafe"].severity == "warning"


def test_a_healthy_workspace(built: Bench) -> None:
    rows = doctor(str(built.path), deep=True)
    assert [(row.code, row.severity) for row in rows] == [
        ("engine_ready", "ok"),
        ("resolved_share", "ok"),
        ("index_fresh", "ok"),
        ("summary", "ok"),
    ]
    assert rows[-1].message == "python (1 file): precise"


def edit(bench: Bench) -> None:
    bench.write(a="def g(): pass\n")


def add(bench: Bench) -> None:
    bench.write(b="x = 1\n")


def configure(bench: Bench) -> None:
    bench.put("setup.cfg", "[metadata]\n")


def break_settings(bench: Bench) -> None:
    bench.put("codetrail.toml", "[index]\nexclud = []\n")


def copy_from_elsewhere(bench: Bench) -> None:
    (bench.path / ".codetrail/scip" / bench.key / "local").write_text("0" * 64 + "\n{}\n")


def forget(bench: Bench) -> None:
    (bench.path / ".codetrail/current").unlink()


def lose_shard(bench: Bench) -> None:
    for shard in bench.shards():
        (bench.pool / shard).unlink()


def cut_shard(bench: Bench) -> None:
    for shard in bench.shards():
        os.truncate(bench.pool / shard, 4096)


FINDINGS: dict[str, tuple[Callable[[Bench], None], str, str, tuple[tuple[str, ...], ...]]] = {
    "an edited file": (edit, "files_changed", "warning", BUILD),
    "a new file": (add, "files_new", "warning", BUILD),
    "other inputs": (configure, "inputs_changed", "warning", BUILD),
    "broken settings": (break_settings, "config_invalid", "error", ()),
    "an index from elsewhere": (copy_from_elsewhere, "index_foreign", "error", BUILD),
    "a lost shard": (lose_shard, "index_corrupt", "error", BUILD),
    "a cut shard": (cut_shard, "index_corrupt", "error", BUILD),
    "no index": (forget, "index_missing", "warning", BUILD),
}


@pytest.mark.parametrize(("change", "code", "severity", "command"), FINDINGS.values(), ids=FINDINGS)
def test_findings_have_a_code_and_a_command(
    built: Bench,
    change: Callable[[Bench], None],
    code: str,
    severity: str,
    command: tuple[tuple[str, ...], ...],
) -> None:
    change(built)
    rows = checked(built)
    assert (rows[code].severity, rows[code].next) == (severity, command)
    assert "index_fresh" not in rows
    assert list(rows)[-1] == "summary"
    assert rows["summary"].severity == (
        "error" if severity == "error" else "warning" if code in ("index_missing", "files_new") else "ok"
    )


def test_what_is_not_indexed_is_not_called_precise(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.write(a="def f():\n    f()\n")
    row = checked(bench)["summary"]
    assert (row.severity, row.message, row.next) == ("warning", "python (1 file): not indexed yet", BUILD)
    bench.build()
    row = checked(bench)["summary"]
    assert (row.severity, row.message, row.next) == ("ok", "python (1 file): precise", ())
    lose_shard(bench)
    row = checked(bench)["summary"]
    assert (row.severity, row.message, row.next) == (
        "error",
        "python (1 file): the index cannot be used",
        BUILD,
    )


@pytest.mark.parametrize("number", [1, 5, 7])
def test_broken_configurations_are_named(bench: Bench, fake: FakeProvider, number: int) -> None:
    bench.write(a="def f():\n    f()\n")
    fake.problems = tuple(
        Problem(
            "config_error", "It cannot be read.", f"p{one}/tsconfig.json", 3, detail=f"'{one}' \n is odd."
        )
        for one in range(number)
    )
    bench.build()
    rows = [row for row in doctor(str(bench.path), deep=False) if row.code == "config_error"]
    # Another build of the same files would find the same: none is proposed.
    assert {(row.severity, row.next) for row in rows} == {("warning", ())}
    assert [row.message for row in rows] == [
        f"It cannot be read. In 'p{one}/tsconfig.json', line 3: \"'{one}' is odd.\". Mend that file."
        for one in range(number)
    ]
    (reason,) = bench.ask("refs", "f").page.coverage.reasons
    paths = tuple(f"p{one}/tsconfig.json" for one in range(min(number, 5)))
    assert (reason.code, reason.times, reason.paths) == ("config_error", number, paths)


@pytest.mark.parametrize(
    ("number", "last"),
    [
        (0, None),
        (5, None),
        (6, "1 more module was not found."),
        (30, "More than 15 more modules were not found."),
    ],
)
def test_missing_modules_are_named(bench: Bench, fake: FakeProvider, number: int, last: str | None) -> None:
    bench.write(a="def f():\n    f()\n")
    fake.problems = tuple(
        Problem("unresolved_import", "Not found.", "a.py", detail=f"mod{module:02}.sub")
        for module in range(number)
        for _ in range(number - module)
    )
    empty = CheckRow("no_packages", "ok", "No packages.", "python")
    check = fake.check
    fake.check = lambda *given: (*check(*given), empty)  # type: ignore[method-assign]
    bench.build()
    rows = doctor(str(bench.path), deep=False)
    found = [row for row in rows if row.code == "unresolved_import"]
    named = [
        f"The module mod{module:02}.sub was not found; names from it are unresolved."
        + (f" ({number - module} times)" if number - module > 1 else "")
        for module in range(min(number, 5))
    ]
    assert [row.message for row in found] == [*named, *([last] if last else [])]
    assert {(row.severity, row.language, row.next) for row in found} <= {("warning", "python", ())}
    # That nothing is installed matters only where something is missed.
    (packages,) = (row for row in rows if row.code == "no_packages")
    assert packages.severity == ("warning" if number else "ok")


def test_only_a_deep_look_reads_every_byte(built: Bench) -> None:
    (shard,) = built.shards()
    place = built.pool / shard
    before = place.stat()
    # One byte is another and the signature is what it was: a disk that forgets, not a program that writes.
    data = bytearray(place.read_bytes())
    data[-100] ^= 1
    place.write_bytes(data)
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
    row = checked(built, deep=True)["index_corrupt"]
    assert (row.severity, row.next) == ("error", BUILD)


def test_a_missing_engine_is_an_error_where_it_is_needed(bench: Bench, fake: FakeProvider) -> None:
    fake.missing = Problem("engine_missing", "No Pyright was found.")
    assert "engine_missing" not in checked(bench)
    bench.write(a="x = 1\n")
    rows = checked(bench)
    assert rows["engine_missing"].severity == "error"
    assert (rows["summary"].severity, rows["summary"].message) == ("error", "python (1 file): syntax only")


def test_a_failed_unit_is_found(bench: Bench, fake: FakeProvider) -> None:
    bench.write(a="def f(): pass\n")
    fake.outcome = FAILED
    bench.build()
    assert (checked(bench)["unit_failed"].severity, checked(bench)["unit_failed"].language) == (
        "warning",
        "python",
    )


def test_languages_without_a_provider_are_named(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    bench.put("a.rs", "fn f() {}\n")
    bench.put("b.rs", "fn g() {}\n")
    rows = checked(bench)
    assert rows["no_provider"].message.startswith("2 files ")
    assert rows["no_provider"].language == "rust"
    assert rows["summary"].message == "rust (2 files): syntax only"


def test_folders_that_cannot_be_read_are_counted(bench: Bench) -> None:
    bench.put("vault/a.rs", "fn f() {}\n")
    (bench.path / "vault").chmod(0)
    try:
        run = unprivileged(bench.path, "index", "doctor", "-o", "json")
    finally:
        (bench.path / "vault").chmod(0o700)
    rows = {row["code"]: row for row in json.loads(run.stdout)["results"]}
    assert rows["unreadable_folder"]["severity"] == "warning"
    assert rows["unreadable_folder"]["message"].startswith("1 part of the tree ")


def test_an_empty_folder_has_a_verdict(bench: Bench, fake: FakeProvider) -> None:  # noqa: ARG001
    assert checked(bench)["summary"].message == "There are no source files here."


def test_a_check_that_fails_is_a_finding(
    bench: Bench, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> tuple[CheckRow, ...]:
        raise SystemFailure("A private folder cannot be made.")

    monkeypatch.setattr(fake, "check", fail)
    bench.write(a="x = 1\n")
    row = checked(bench)["io_error"]
    assert (row.severity, row.language) == ("error", "python")


def test_a_low_share_is_a_warning(built: Bench) -> None:
    built.write(a="def f():\n    unknown.names(everywhere, here)\n")
    built.build()
    row = checked(built)["resolved_share"]
    assert (row.severity, row.message) == (
        "warning",
        "20.0% of the identifier tokens carry a precise occurrence.",
    )
    row = checked(built)["summary"]
    assert (row.severity, row.next) == ("warning", ())
    assert row.message == "python (1 file): precise, but many names are unresolved"


def test_what_installs_an_engine_stands_before_the_build_that_needs_it(
    bench: Bench, fake: FakeProvider
) -> None:
    bench.write(a="def f(): pass\n")
    install = ("codetrail", "index-provider", "install", "python")
    check = fake.check
    missing = CheckRow("engine_missing", "error", "No engine.", "python", (install,))
    fake.check = lambda *given: (*check(*given), missing)  # type: ignore[method-assign]
    assert checked(bench)["summary"].next == (install, *BUILD)
    break_settings(bench)
    assert checked(bench)["summary"].next == (install,)


HOSTILE = "$(touch pwned); pip install evil"


def hostile_project(bench: Bench) -> None:
    bench.put("pyproject.toml", f'[project]\nname = "{HOSTILE}"\nversion = "{HOSTILE}"\n')


def broken_project(bench: Bench) -> None:
    bench.put("pyproject.toml", f"[{HOSTILE}\n")


def hostile_settings(bench: Bench) -> None:
    bench.put("codetrail.toml", f'[python]\ninterpreter = "./{HOSTILE}/python"\n')


def hostile_engine(bench: Bench) -> None:
    bench.put("codetrail.toml", f'[python]\nengine = "{HOSTILE}"\n')


def hostile_environment(bench: Bench) -> None:
    bench.put(".venv/pyvenv.cfg", f"home = {HOSTILE}\nversion = {HOSTILE}\n")
    bench.put(".venv/bin/python", f"#!/bin/sh\n{HOSTILE}\n").chmod(0o755)


def hostile_names(bench: Bench) -> None:
    bench.put(f"{HOSTILE}/{HOSTILE}.py", "import evil\n")


def no_node(bench: Bench) -> None:
    (bench.path / "empty").mkdir()


@pytest.mark.parametrize(
    "plant",
    [
        hostile_project,
        broken_project,
        hostile_settings,
        hostile_engine,
        hostile_environment,
        hostile_names,
        no_node,
    ],
)
def test_the_real_provider_proposes_constant_commands_only(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, plant: Callable[[Bench], None]
) -> None:
    bench.write(a="import yaml\n")
    plant(bench)
    if plant is no_node:
        monkeypatch.setenv("CODETRAIL_NODE", str(bench.path / "empty/node"))
    rows = doctor(str(bench.path), deep=False)
    proposed = {command for row in rows for command in row.next}
    assert proposed <= COMMANDS
    assert rows[-1].code == "summary"
    assert not (bench.path / "pwned").exists()
    if plant is no_node:
        # What an installation brings would not be looked at: the variable decides.
        assert proposed >= {("unset", "CODETRAIL_NODE")}
        assert ("codetrail", "index-provider", "install", "python") not in proposed


def test_what_the_python_checks_may_propose_is_on_the_list() -> None:
    assert {command for commands in checks._NEXT.values() for command in commands} <= COMMANDS


def test_languages_without_files_have_no_rows(bench: Bench) -> None:
    bench.put("a.rs", "fn f() {}\n")
    assert {row.language for row in doctor(str(bench.path), deep=False)} == {"rust", None}


def test_what_is_lost_is_not_called_precise(bench: Bench, fake: FakeProvider) -> None:
    fake.units = ("lib", "app")
    bench.put("lib/a.py", "def f(): pass\n")
    bench.put("app/b.py", "def g(): pass\n")
    fake.failing = frozenset({"python:app"})
    bench.build()
    row = checked(bench)["summary"]
    assert (row.severity, row.message) == ("warning", "python (2 files): precise in 1 of them")
    fake.failing = frozenset({"python:app", "python:lib"})
    bench.put("app/b.py", "def h(): pass\n")
    (bench.path / "lib/a.py").unlink()
    bench.build()
    assert checked(bench)["summary"].message == "python (1 file): no precise facts"


@pytest.mark.parametrize("code", sorted(DOUBTS - {"engines_mixed"}))
def test_what_makes_a_unit_doubtful_is_explained(bench: Bench, fake: FakeProvider, code: str) -> None:
    bench.write(a="def f():\n    f()\n")
    fake.problems = (Problem(code, "It is so.", "lib/place"),)
    bench.build()
    row = checked(bench)[code]
    assert (row.severity, row.message, row.next) == ("warning", "It is so. In 'lib/place'.", ())


def test_what_coverage_says_of_units_is_among_the_findings() -> None:
    # What the provider itself says: packages that are not installed, with what installs them, and its engine.
    assert _OF_UNITS - {"dependencies_missing", "second_engine"} <= DOUBTS


def test_no_build_is_proposed_where_the_engine_is_missing(bench: Bench, fake: FakeProvider) -> None:
    bench.write(a="def f(): pass\n")
    fake.outcome = FAILED
    bench.build()
    assert checked(bench)["unit_failed"].next == BUILD
    check = fake.check
    missing = CheckRow("engine_missing", "error", "No engine.", "python")
    fake.check = lambda *given: (*check(*given), missing)  # type: ignore[method-assign]
    assert checked(bench)["unit_failed"].next == ()


def test_what_the_typescript_checks_may_propose_is_on_the_list() -> None:
    assert {command for commands in typescript_checks._NEXT.values() for command in commands} <= COMMANDS
    assert {*package_managers.FROZEN.values(), package_managers.BERRY} <= COMMANDS
    assert {*package_managers.NODE_TYPES.values(), package_managers.BERRY_NODE_TYPES} <= COMMANDS
    assert {*findings.UNSET.values()} <= COMMANDS
    assert {command for commands in ENDINGS.values() for command in commands} <= COMMANDS


def hints() -> Iterator[tuple[str, str]]:
    """Yield every text in our source that becomes a hint or a next command outside doctor's checks."""
    package = Path(codetrail.__file__).parent
    for path in sorted(package.rglob("*.py")):
        if path.name == "checks.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg in ("hint", "next"):
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield path.name, part.value


def test_no_other_hint_installs_or_trusts() -> None:
    found = list(hints())
    assert ("root.py", "codetrail index build --path DIR") in found
    assert [
        hint for hint in found if any(word in hint[1] for word in ("install", "trust", "CODETRAIL_", "pip "))
    ] == []
