"""The page on configuration names every setting and every variable that the program knows, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import codetrail
from codetrail.providers import registry
from codetrail.providers.typescript import scip_typescript_engine
from codetrail.workspace.config import _SETTINGS, load_settings
from codetrail.workspace.config_schema import ENGINES, TYPESCRIPT_ENGINES
from codetrail.workspace.root import find_root

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
_ROW = re.compile(r"(?m)^\| (`[^|]+`) \|")
_VARIABLE = re.compile(r"\bCODETRAIL_[A-Z]+(?:_[A-Z]+)*\b")
_INSIDE = {"CODETRAIL_UTF8", "CODETRAIL_SCIP"}
"""Not for people: a mark between two processes of ours, and the beginning of other names."""


def told(prefix: str = "") -> set[str]:
    names = {name for row in _ROW.findall(PAGE) for name in re.findall(r"`([^`]+)`", row)}
    return {name for name in names if name.startswith(prefix)}


def test_every_setting_is_told() -> None:
    assert {name for name in told() if not name.startswith("CODETRAIL_")} == set(_SETTINGS)
    for engine in (*ENGINES, *TYPESCRIPT_ENGINES):
        assert f"`{engine}`" in PAGE


def test_every_variable_is_told() -> None:
    package = Path(codetrail.__file__).parent
    named = {name for path in package.rglob("*.py") for name in _VARIABLE.findall(path.read_text("utf-8"))}
    commands = {f"CODETRAIL_SCIP_{name.upper()}" for name in registry.names()}
    assert told("CODETRAIL_") == (named - _INSIDE) | commands


def test_the_example_is_valid(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "codetrail.toml").write_text(example)
    settings = load_settings(find_root(str(tmp_path)), {})
    assert settings.typescript_engine == scip_typescript_engine.ENGINE
    assert (settings.typescript_projects, settings.python_roots) == (("packages/web",), ("src",))


@pytest.mark.parametrize("engine", TYPESCRIPT_ENGINES)
def test_the_engine_is_chosen_as_the_page_says(tmp_path: Path, engine: str) -> None:
    (tmp_path / "codetrail.toml").write_text(f'[typescript]\nengine = "{engine}"\n')
    assert load_settings(find_root(str(tmp_path)), {}).typescript_engine == engine
