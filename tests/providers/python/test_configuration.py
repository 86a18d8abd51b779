"""Names, versions and import roots of projects; broken and hostile files cost themselves only."""

from __future__ import annotations

import pytest

from codetrail.providers.python.configuration import Package, Projects, inner_path, read_projects


def read(text: str, *files: str, extra: tuple[str, ...] = ()) -> Projects:
    """Read projects from one string of several files: ``--- path`` begins each; ``files`` are sources."""
    contents: dict[str, bytes] = {}
    for part in text.split("--- ")[1:]:
        path, _, body = part.partition("\n")
        contents[path.strip()] = body.encode("utf-8", "surrogateescape")
    return read_projects(contents.get, contents, files or ("m.py", "src/m.py"), extra)


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        pytest.param(
            '--- pyproject.toml\n[project]\nname = "a"\nversion = "1.2"\n', [("", "a", "1.2")], id="PEP 621"
        ),
        pytest.param(
            '--- pyproject.toml\n[project]\nname = "a"\ndynamic = ["version"]\n',
            [("", "a", None)],
            id="dynamic",
        ),
        pytest.param(
            '--- pyproject.toml\n[tool.poetry]\nname = "p"\nversion = "3"\n', [("", "p", "3")], id="poetry"
        ),
        pytest.param(
            "--- setup.cfg\n[metadata]\nname = s\nversion = 1.0\n", [("", "s", "1.0")], id="setup.cfg"
        ),
        pytest.param(
            "--- setup.cfg\n[metadata]\nname = s\nversion = attr: s.__version__\n",
            [("", "s", None)],
            id="attr",
        ),
        pytest.param(
            "--- pyproject.toml\n[tool.ruff]\n--- setup.cfg\n[metadata]\nname = s\n",
            [("", "s", None)],
            id="both",
        ),
        pytest.param(
            '--- b/pyproject.toml\n[project]\nname = "b"\n--- a/x/setup.cfg\n[metadata]\nname = ax\n',
            [("a/x", "ax", None), ("b", "b", None)],
            id="monorepo",
        ),
        pytest.param('--- pyproject.toml\n[project]\nname = "../../x"\n', [], id="a path as name"),
        pytest.param('--- pyproject.toml\n[project]\nname = "a b`"\nversion = "1"\n', [], id="no name"),
        pytest.param('--- pyproject.toml\n[project]\nname = 5\nversion = ["1"]\n', [], id="other types"),
        pytest.param(
            '--- pyproject.toml\n[project]\nname = "a"\nversion = "1 `x`"\n',
            [("", "a", None)],
            id="bad version",
        ),
        pytest.param('--- pyproject.toml\nproject = "a"\ntool = 3\n', [], id="no tables"),
        pytest.param(
            "--- setup.cfg\n# c\n[o]\nname = o\n[metadata]\nName : s\nkeywords =\n  name = d\nversion=2\n",
            [("", "s", "2")],
            id="setup.cfg with sections and continuations",
        ),
    ],
)
def test_packages(text: str, packages: list[tuple[str, str, str | None]]) -> None:
    found = read(text)
    assert found.packages == tuple(Package(*one) for one in packages)
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param("--- pyproject.toml\n[project\n", "pyproject.toml", id="no TOML"),
        pytest.param("--- pyproject.toml\nname = '\udcff'\n", "pyproject.toml", id="no UTF-8"),
        pytest.param("--- pyproject.toml\na = " + "[" * 20_000, "pyproject.toml", id="nested"),
        pytest.param("--- pyproject.toml\n#" + "x" * (1 << 20), "pyproject.toml", id="too large"),
        pytest.param("--- pyproject.toml\n" + "a." * 40_000 + "a = 1", "pyproject.toml", id="long key"),
        pytest.param("--- pyproject.toml\na = " + "9" * 5000, "pyproject.toml", id="endless number"),
        pytest.param("--- setup.cfg\n[metadata]\n" + "a\n" * 200_000, "setup.cfg", id="many bad lines"),
        pytest.param("--- setup.cfg\nname = s\n", "setup.cfg", id="no section"),
        pytest.param("--- setup.cfg\n[a]\n[a]\n", "setup.cfg", id="section twice"),
        pytest.param('--- pyrightconfig.json\n{"a"}\n', "pyrightconfig.json", id="no JSON"),
        pytest.param("--- pyrightconfig.json\n" + "[" * 100_000, "pyrightconfig.json", id="nested JSON"),
        pytest.param("--- pyrightconfig.json\n[" + "9" * 5000 + "]", "pyrightconfig.json", id="JSON number"),
        pytest.param(
            '--- pyrightconfig.json\n{"venvPath": ".", "venv": "\\ud800"}',
            "pyrightconfig.json",
            id="half a surrogate pair",
        ),
    ],
)
def test_a_broken_file_is_a_problem_and_the_others_are_read(text: str, path: str) -> None:
    found = read(text + '\n--- z/pyproject.toml\n[project]\nname = "z"\n')
    assert [(one.code, one.path) for one in found.problems] == [("configuration_unreadable", path)]
    assert found.packages == (Package("z", "z", None),)


def test_setup_py_marks_a_project_and_is_not_run() -> None:
    found = read("", "a/setup.py", "a/src/m.py")
    assert (found.roots, found.packages) == (("", "a", "a/src"), ())


@pytest.mark.parametrize(
    ("text", "files", "extra", "roots"),
    [
        pytest.param("", ["m.py"], (), [""], id="root alone"),
        pytest.param("", ["src/p/m.py"], (), ["", "src"], id="src"),
        pytest.param("", ["src/__init__.py"], (), [""], id="src is a package"),
        pytest.param(
            "--- a/setup.cfg\n--- b/setup.cfg", ["a/src/m.py"], (), ["", "a", "a/src"], id="no files in b"
        ),
        pytest.param("--- a/setup.cfg", ["a/__init__.pyi"], (), [""], id="a project that is a package"),
        pytest.param("", ["lib/x/m.py"], ("lib", "none"), ["", "lib"], id="settings"),
        pytest.param(
            '--- pyrightconfig.json\n{"extraPaths": ["lib/x", "../up", "/abs"]}',
            ["lib/x/m.py"],
            (),
            ["", "lib/x"],
            id="extraPaths",
        ),
        pytest.param(
            '--- pyproject.toml\ntool.pyright.executionEnvironments = [5, {root="lib", extraPaths=["e"]}]',
            ["lib/m.py", "e/m.py"],
            (),
            ["", "e", "lib"],
            id="executionEnvironments",
        ),
    ],
)
def test_import_roots(text: str, files: list[str], extra: tuple[str, ...], roots: list[str]) -> None:
    assert read(text, *files, extra=extra).roots == tuple(roots)


@pytest.mark.parametrize(
    ("text", "files", "extra", "environments"),
    [
        pytest.param("", ["m.py", "src/n.py"], (), {"": ["", "src"]}, id="one project"),
        pytest.param(
            "--- a/setup.cfg\n--- b/setup.cfg",
            ["a/m.py", "a/src/m.py", "b/src/m.py"],
            (),
            {"": [""], "a": ["a", "a/src"], "b": ["b", "b/src"]},
            id="two projects",
        ),
        pytest.param(
            "--- a/setup.cfg",
            ["a/lib/m.py"],
            ("a/lib",),
            {"": ["", "a/lib"], "a": ["a", "a/lib"]},
            id="settings",
        ),
        pytest.param("--- a/setup.cfg", ["a/__init__.py"], (), {"": [""]}, id="a project that is a package"),
        pytest.param(
            "--- a/setup.cfg",
            ["a/__init__.py", "a/src/m.py"],
            (),
            {"": [""], "a": ["a/src"]},
            id="a package with sources",
        ),
        pytest.param(
            "--- a/setup.cfg\n--- a/src/setup.cfg",
            ["a/m.py", "a/src/m.py"],
            (),
            {"": [""], "a": ["a"], "a/src": ["a/src"]},
            id="a project inside another",
        ),
    ],
)
def test_each_project_has_roots_of_its_own(
    text: str, files: list[str], extra: tuple[str, ...], environments: dict[str, list[str]]
) -> None:
    found = read(text, *files, extra=extra).environments
    assert {one.root: list(one.roots) for one in found} == environments


def test_folders_that_lead_out_are_counted() -> None:
    found = read('--- pyrightconfig.json\n{"extraPaths": ["../up", "/abs", "C:/x", "a/../../b", 5]}')
    assert [(one.code, one.times) for one in found.problems] == [("path_outside_workspace", 5)]


@pytest.mark.parametrize(
    ("text", "source", "venv"),
    [
        pytest.param(
            '--- pyrightconfig.json\n// said\n{"venvPath": "..", /* so */ "venv": "x // y",}',
            "pyrightconfig.json",
            "../x // y",
            id="comments and commas",
        ),
        pytest.param('--- pyrightconfig.json\n\ufeff{"venv": "v"}', "pyrightconfig.json", "./v", id="BOM"),
        pytest.param(
            '--- pyproject.toml\n[tool.pyright]\nvenvPath = "/home/me"\nvenv = "v"\n',
            "pyproject.toml",
            "/home/me/v",
            id="pyproject",
        ),
        pytest.param(
            '--- pyrightconfig.json\n{}\n--- pyproject.toml\n[tool.pyright]\nvenv = "v"\n',
            "pyrightconfig.json",
            None,
            id="the file wins",
        ),
        pytest.param('--- sub/pyrightconfig.json\n{"venv": "v"}', None, None, id="not below the root"),
        pytest.param('--- pyrightconfig.json\n{"venv": ["v"]}', "pyrightconfig.json", None, id="other type"),
    ],
)
def test_pyright_settings(text: str, source: str | None, venv: str | None) -> None:
    found = read(text).pyright
    assert (found.source, found.venv) == (source, venv)


@pytest.mark.parametrize("filler", ["/*", '"\\', '/* "', ",\n", '"\n'])
def test_text_left_open_many_times_is_read_once(filler: str) -> None:
    """Patterns that start again at every place would not come to an end here."""
    found = read("--- pyrightconfig.json\n" + filler * (500_000 // len(filler)))
    assert [one.code for one in found.problems] == ["configuration_unreadable"]


def test_a_flood_of_projects_is_cut_and_said() -> None:
    text = "".join(f"--- p{n:05}/setup.cfg\n[metadata]\nname = p{n}\n" for n in range(2003))
    found = read(text)
    assert len(found.packages) == 2000
    assert [(one.code, one.times) for one in found.problems] == [("too_many_projects", 3)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""),
        (".", ""),
        ("a//b/", "a/b"),
        ("a\\b", "a/b"),
        ("a/../b", "b"),
        ("..", None),
        ("/a", None),
        (None, None),
    ],
)
def test_inner_path(path: object, expected: str | None) -> None:
    assert inner_path(path) == expected


def test_configuration_beyond_an_allowance_is_left_out_and_said() -> None:
    filler = "#" * ((1 << 20) - 100)
    text = "".join(f'--- p{n:02}/pyproject.toml\n[project]\nname = "n{n}"\n{filler}\n' for n in range(20))
    found = read(text)
    assert [one.name for one in found.packages] == [f"n{n}" for n in range(17)]
    assert [(one.code, one.times) for one in found.problems] == [("too_many_projects", 3)]
