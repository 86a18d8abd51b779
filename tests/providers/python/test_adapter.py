"""The provider as ``index`` sees it: probe, plan, run and check on small workspaces, with the real engine."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from codetrail.model.units import SourceFile, UnitSpec
from codetrail.providers import proof, registry, trust
from codetrail.providers.base import Limits, RunOutcome, Tool, Workspace
from codetrail.providers.python import adapter, engine
from codetrail.providers.python.adapter import PythonProvider
from codetrail.providers.run_folder import run_folder
from codetrail.scip.reader import scan
from codetrail.workspace.config import Settings

TOOL = Tool("basedpyright", "1.40.2", "test", ("/node",), (("kind", "x"), ("dist", "/d"), ("node", "x")))

SHOP = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n',
    "src/shop/__init__.py": "",
    "src/shop/cart.py": "class Cart:\n    def add(self) -> int:\n        return 1\n",
    "tests/test_cart.py": "from shop.cart import Cart\n\nCart().add()\n",
}


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """A person's environment whose private folders lie in the test's own."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }


@pytest.fixture
def provider(env: dict[str, str]) -> PythonProvider:
    return PythonProvider(env)


Make = Callable[..., Workspace]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return a function that writes a workspace and looks at it as ``index`` does."""

    def workspace(files: dict[str, str], settings: Settings | None = None) -> Workspace:
        root = tmp_path / "ws"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        digests = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
        sources = [SourceFile(path, digests[path], len(text), "python") for path, text in files.items()]
        return Workspace(
            os.path.realpath(root),
            ".",
            tuple(sorted(one for one in sources if one.path.endswith((".py", ".pyi")))),
            {path: digest for path, digest in digests.items() if not path.endswith((".py", ".pyi"))},
            lambda path: (root / path).read_bytes(),
            settings or Settings(),
        )

    return workspace


def tool_of(provider: PythonProvider, workspace: Workspace) -> Tool:
    tool = provider.locate(workspace.settings, workspace.root)
    assert isinstance(tool, Tool), "these tests need the engine: install codetrail[python]"
    return tool


def unit_of(provider: PythonProvider, workspace: Workspace, tool: Tool = TOOL) -> UnitSpec:
    (unit,) = provider.plan(workspace, tool).units
    return unit


def run(provider: PythonProvider, workspace: Workspace, folder: Path) -> RunOutcome:
    tool = tool_of(provider, workspace)
    folder.mkdir()
    unit = unit_of(provider, workspace, tool)
    return provider.run(unit, workspace, tool, str(folder), Limits(seconds=300), lambda *_: None)


def test_the_registry_gives_this_provider() -> None:
    assert "python" in registry.languages()
    assert isinstance(registry.provider_for("python"), PythonProvider)


def test_a_workspace_is_indexed(provider: PythonProvider, make: Make, tmp_path: Path) -> None:
    outcome = run(provider, make(SHOP), tmp_path / "run")
    assert (outcome.state, outcome.problems) == ("built", ())
    assert outcome.scip_path is not None
    with scan(outcome.scip_path) as index:
        documents = {entry.path: index.document(n) for n, entry in enumerate(index.documents)}
    assert sorted(documents) == ["src/shop/__init__.py", "src/shop/cart.py", "tests/test_cart.py"]
    defined = {symbol for *_, symbol, roles, _ in documents["src/shop/cart.py"].occurrences if roles & 1}
    used = {occurrence[4] for occurrence in documents["tests/test_cart.py"].occurrences}
    (method,) = (symbol for symbol in defined if symbol.endswith("Cart#add()."))
    assert "python shop 1.0 `shop.cart`/" in method
    assert method in used


def test_projects_keep_their_names_apart(provider: PythonProvider, make: Make, tmp_path: Path) -> None:
    files = {
        "setup.cfg": "[metadata]\nname = {}\n",
        "common.py": "A = 1\n",
        "use.py": "from common import A\n",
    }
    workspace = make(
        {f"{own}/{path}": text.format(own) for own in ("aa", "bb") for path, text in files.items()}
    )
    outcome = run(provider, workspace, tmp_path / "run")
    assert outcome.scip_path is not None
    with scan(outcome.scip_path) as index:
        documents = {entry.path: index.document(n) for n, entry in enumerate(index.documents)}
    for own in ("aa", "bb"):
        used = {occurrence[4] for occurrence in documents[f"{own}/use.py"].occurrences}
        assert f"codetrail-py python {own} . common/A." in used


def test_nothing_the_workspace_ships_runs(make: Make, env: dict[str, str], tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    shell = f"#!/bin/sh\n: > '{canary}'\n"
    script = f"require('fs').writeFileSync({str(canary)!r}, '')\n"
    python = f"open({str(canary)!r}, 'w')\n"
    workspace = make(
        SHOP
        | {
            ".venv/pyvenv.cfg": "home = /nowhere/bin\nversion = 3.11.1\n",
            ".venv/lib/python3.11/site-packages/evil.pth": f"import os; os.system('touch {canary}')\n",
            ".venv/lib/python3.11/site-packages/sitecustomize.py": python,
            ".venv/lib/python3.11/site-packages/basedpyright/dist/pyright-langserver.js": script,
            "node_modules/pyright/package.json": '{"name": "pyright", "version": "1.1.999"}',
            "node_modules/pyright/dist/pyright-langserver.js": script,
            "package.json": '{"type": "module"}',
            "sitecustomize.py": python,
            "setup.py": python,
            "conftest.py": python,
            "pyrightconfig.json": '{"venvPath": ".", "venv": ".venv", "stubPath": "stubs"}',
        }
    )
    root = Path(workspace.root)
    planted = [".venv/bin/python", ".venv/bin/python3", "node_modules/.bin/pyright", "node_modules/.bin/node"]
    for name in (*planted, "node", "python3", "pyright", "npm", "git"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(shell)
        (root / name).chmod(0o755)
    env["PATH"] = f"{root}/.venv/bin:{root}/node_modules/.bin:{root}:.:" + env["PATH"]
    env["VIRTUAL_ENV"] = f"{root}/.venv"
    env["NODE_OPTIONS"] = f"--require {root}/node_modules/pyright/dist/pyright-langserver.js"
    env["PYTHONPATH"] = str(root)
    hostile = PythonProvider(env)
    outcome = run(hostile, workspace, tmp_path / "run")
    hostile.check(workspace.settings, workspace)
    assert outcome.state == "built"
    assert not canary.exists()


def test_an_environment_that_changed_since_planning_is_refused(
    provider: PythonProvider, make: Make, tmp_path: Path
) -> None:
    workspace = make(
        SHOP | {".venv/pyvenv.cfg": "version = 3.11.1\n", ".venv/lib/python3.11/site-packages/x": ""}
    )
    tool = tool_of(provider, workspace)
    unit = unit_of(provider, workspace, tool)
    (Path(workspace.root) / ".venv" / "pyvenv.cfg").write_text("version = 3.12.1\n")
    outcome = provider.run(unit, workspace, tool, str(tmp_path), Limits(), lambda *_: None)
    assert (outcome.state, [one.code for one in outcome.problems]) == ("failed", ["environment_changed"])


def test_planning_starts_nothing_and_loses_no_file(
    provider: PythonProvider, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make(
        SHOP
        | {
            ".venv/pyvenv.cfg": "version = 3.11.1\n",
            "a\\b.py": "",
            "line\nbreak.py": "",
            "é.py": "",
            "stub.pyi": "",
        }
    )
    monkeypatch.setattr("subprocess.Popen", None)
    tool = provider.locate(workspace.settings, workspace.root)
    assert isinstance(tool, Tool)
    plan = provider.plan(workspace, tool)
    owned = [file.path for file in plan.units[0].files]
    assert plan.outside == (("a\\b.py", "path_not_portable"), ("line\nbreak.py", "path_not_portable"))
    assert sorted([*owned, *(path for path, _ in plan.outside)]) == sorted(
        one.path for one in workspace.files
    )


def test_a_workspace_without_python_has_no_unit(provider: PythonProvider, make: Make) -> None:
    assert provider.plan(make({"README.md": ""}), TOOL).units == ()


def test_plans_of_equal_workspaces_are_equal(env: dict[str, str], make: Make, tmp_path: Path) -> None:
    one = unit_of(PythonProvider(env), make(SHOP))
    (tmp_path / "ws").rename(tmp_path / "other")
    two = unit_of(PythonProvider(env), make(SHOP))
    assert one.digest() == two.digest()


VENV = {
    ".venv/pyvenv.cfg": "version = 3.11.1\n",
    ".venv/lib/python3.11/site-packages/a-1.dist-info/METADATA": "Name: a\nVersion: 1\n",
}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"src/shop/cart.py": "x = 1\n"}, id="a source file"),
        pytest.param({"src/shop/new.py": ""}, id="a new file"),
        pytest.param(
            {"pyproject.toml": '[project]\nname = "shop"\nversion = "2.0"\n'}, id="the project's version"
        ),
        pytest.param({"pyrightconfig.json": "{}"}, id="Pyright's configuration"),
        pytest.param({".venv/pyvenv.cfg": "version = 3.11.2\n"}, id="the interpreter"),
        pytest.param(
            {".venv/lib/python3.11/site-packages/a-1.dist-info/METADATA": "Name: a\nVersion: 2\n"},
            id="a package",
        ),
    ],
)
def test_the_digest_follows_every_input(provider: PythonProvider, make: Make, change: dict[str, str]) -> None:
    before = unit_of(provider, make(SHOP | VENV)).digest()
    assert unit_of(provider, make(SHOP | VENV | change)).digest() != before


def test_the_digest_follows_settings_and_engine(provider: PythonProvider, make: Make) -> None:
    workspace = make(SHOP)
    seen = {
        unit_of(provider, workspace).digest(),
        unit_of(provider, replace(workspace, settings=Settings(python_roots=("tests",)))).digest(),
        unit_of(provider, workspace, TOOL._replace(version="1.40.3")).digest(),
        unit_of(provider, replace(workspace, repository="other")).digest(),
    }
    assert len(seen) == 4


def interpreter_setting(value: str, origin: str) -> Settings:
    return Settings(python_interpreter=value, origins={"python.interpreter": origin})


@pytest.mark.parametrize("trusted", [False, True])
def test_a_program_that_codetrail_toml_names_takes_trust(
    make: Make, env: dict[str, str], tmp_path: Path, trusted: bool
) -> None:
    script = tmp_path / "bin" / "mypython"
    script.parent.mkdir()
    script.write_text(f"#!/bin/sh\n: > '{tmp_path}/canary'\nexit 1\n")
    script.chmod(0o755)
    env["PATH"] = f"{script.parent}:" + env["PATH"]
    workspace = make(SHOP, interpreter_setting("mypython", "workspace"))
    if trusted:
        trust.grant(workspace.root, trust.Execution(commands=(("mypython",),)), env)
    problems = PythonProvider(env).plan(workspace, TOOL).problems
    assert [one.code for one in problems] == ["interpreter_unusable" if trusted else "untrusted"]
    assert (tmp_path / "canary").exists() is trusted


def test_a_proof_holds_for_the_same_files_only(
    provider: PythonProvider, make: Make, env: dict[str, str], tmp_path: Path
) -> None:
    workspace = make(SHOP)
    tool = tool_of(provider, workspace)
    node, subject = proof.node_of(tool), engine.subject_of(adapter._bundle(tool))
    assert proof.recall(node, subject, env) is None
    assert provider.probe(workspace.settings, workspace.root) == tool
    recalled = proof.recall(node, subject, env)
    assert recalled is not None
    assert recalled.version >= (18,)
    other = tmp_path / "node"
    shutil.copy(node.program, other)
    assert proof.recall(node._replace(program=str(other)), subject, env) is None
    assert proof.recall(node, subject._replace(driver="another driver"), env) is None


def test_check_says_what_is_in_force(provider: PythonProvider, make: Make) -> None:
    workspace = make(SHOP | VENV)
    rows = {row.code: row for row in provider.check(workspace.settings, workspace)}
    assert (rows["engine_ready"].severity, rows["engine_ready"].language) == ("ok", "python")
    assert "Python 3.11.1 (.venv)" in rows["interpreter"].message
    assert "1 named project, 2 import roots" in rows["configuration"].message
    assert not [row for row in rows.values() if workspace.root in row.message]


def test_check_names_what_is_missing(
    env: dict[str, str], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codetrail.providers.installed.site_folders", lambda: ())
    env["PATH"] = "/none"
    workspace = make(SHOP | {"pyproject.toml": "["})
    rows = {row.code: row for row in PythonProvider(env).check(workspace.settings, workspace)}
    assert sorted(rows) == ["configuration", "configuration_unreadable", "no_interpreter", "node_missing"]
    assert rows["node_missing"].next == (("codetrail", "index-provider", "install", "python"),)
    assert "pyproject.toml" in rows["configuration_unreadable"].message


def test_every_code_of_the_driver_has_a_sentence() -> None:
    codes: set[str] = set()
    shared = Path(engine.driver_folder()).parents[1] / "node"
    for path in (*Path(engine.driver_folder()).glob("*.js"), *shared.glob("*.js")):
        codes |= set(re.findall(r'(?:\bproblem|DriverFailure)\("(\w+)"', path.read_text()))
    assert "bundle_unknown" in codes
    assert codes <= set(engine.SENTENCES)


def test_run_folders_of_the_self_test_are_gone(
    provider: PythonProvider, make: Make, env: dict[str, str]
) -> None:
    workspace = make(SHOP)
    provider.probe(workspace.settings, workspace.root)
    with run_folder(workspace.root, env) as folder:
        assert os.listdir(os.path.dirname(folder)) == [os.path.basename(folder)]
