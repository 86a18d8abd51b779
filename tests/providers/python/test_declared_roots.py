"""Where build tools say that packages lie, and what becomes of it."""

from __future__ import annotations

import tomllib

import pytest

from codetrail.providers.python.configuration import Environment, read_projects
from codetrail.providers.python.declared_roots import declared_roots

DECLARED = {
    "poetry": ('[tool.poetry]\npackages = [{include = "pk", from = "lib"}, {include = "x"}]', ["lib"]),
    "setuptools, where": ('[tool.setuptools.packages.find]\nwhere = ["lib"]', ["lib"]),
    "setuptools, package-dir": ('[tool.setuptools]\npackage-dir = {"" = "lib"}', ["lib"]),
    "hatch, packages": ('[tool.hatch.build.targets.wheel]\npackages = ["srcs/pk"]', ["srcs"]),
    "hatch, sources": ('[tool.hatch.build.targets.wheel]\nsources = ["lib"]', ["lib"]),
    "pdm": ('[tool.pdm.build]\npackage-dir = "lib"', ["lib"]),
    "pytest": ('[tool.pytest.ini_options]\npythonpath = "lib"', ["lib"]),
    "pyright": ('[tool.pyright]\nextraPaths = ["lib"]', ["lib"]),
    "nothing": ('[project]\nname = "x"', []),
    "other types": ('[tool]\npoetry = 1\nsetuptools = "x"\nhatch = []\npdm = {build = 3}', []),
}


@pytest.mark.parametrize(("text", "expected"), DECLARED.values(), ids=list(DECLARED))
def test_declared_roots(text: str, expected: list[str]) -> None:
    assert list(declared_roots(tomllib.loads(text))) == expected


def test_a_declared_folder_is_a_root_of_its_project_alone() -> None:
    texts = {"app/pyproject.toml": b'[tool.poetry]\npackages = [{include = "pk", from = "lib"}]\n'}
    files = ["app/lib/pk/__init__.py", "app/main.py", "top.py"]
    projects = read_projects(texts.get, texts, files, ())
    assert projects.roots == ("", "app", "app/lib")
    assert projects.environments == (Environment("", ("",)), Environment("app", ("app", "app/lib")))


@pytest.mark.parametrize("outside", ["../lib", "/lib", "..", "a/../../b"])
def test_a_folder_outside_the_workspace_is_no_root(outside: str) -> None:
    texts = {"pyproject.toml": f'[tool.pytest.ini_options]\npythonpath = ["{outside}"]\n'.encode()}
    assert read_projects(texts.get, texts, ["a.py"], ()).roots == ("",)
