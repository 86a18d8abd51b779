"""Workspaces of several projects: an import means what the importing file's own project has of that name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from codetrail.providers.python.configuration import read_projects
from tests.providers import cleanliness
from tests.providers.python.driver_index import Run, index_tree, write_tree


def index_projects(folder: Path, files: Mapping[str, str], extra: tuple[str, ...] = ()) -> Run:
    """Index a workspace as the provider does: with the projects that its configuration files tell of."""
    root = folder / "work"
    write_tree(root, files)
    contents = {path: text.encode() for path, text in files.items()}
    others = [path for path in files if not path.endswith((".py", ".pyi"))]
    sources = [path for path in files if path.endswith((".py", ".pyi"))]
    projects = read_projects(contents.get, others, sources, extra)
    run = index_tree(
        root,
        folder / "run",
        roots=list(projects.roots),
        environments=[one._asdict() for one in projects.environments],
        packages=[{"root": one.root, "name": one.name, "version": "1"} for one in projects.packages],
    )
    assert cleanliness.violations(run.index, run.text) == []
    return run


def project(name: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return a project's files below a folder of its name."""
    text = f'[project]\nname = "{name}"\n'
    return {f"{name}/pyproject.toml": text} | {f"{name}/{path}": body for path, body in files.items()}


FLAT = {
    "common/__init__.py": "def both(): ...\n",
    "main.py": "from common import both\nboth()\n",
    "tests/util.py": "def fixt(): ...\n",
    "tests/test_it.py": "from tests.util import fixt\nimport tests.util\nfixt(), tests.util.fixt()\n",
}
SOURCE = {
    "src/common/__init__.py": "def both(): ...\n",
    "src/app.py": "from common import both\nboth()\n",
    "tests/test_it.py": "import common\ncommon.both()\n",
}
NAMESPACE = {
    "lib/one.py": "def made(): ...\n",
    "run.py": "from lib import one\nimport lib.one\none.made(), lib.one.made()\n",
}
REGULAR = {"lib/__init__.py": "", "lib/one.py": "def made(): ...\n"}


@pytest.mark.parametrize(
    ("layout", "path", "line", "name", "nth", "symbol"),
    [
        (FLAT, "main.py", "from common", "common", 0, "common/__init__:"),
        (FLAT, "main.py", "from common", "both", 0, "common/both()."),
        (FLAT, "main.py", "both()", "both", 0, "common/both()."),
        (FLAT, "tests/test_it.py", "from tests", "tests", 0, "tests/__init__:"),
        (FLAT, "tests/test_it.py", "from tests", "fixt", 0, "`tests.util`/fixt()."),
        (FLAT, "tests/test_it.py", "fixt(), tests", "tests", 0, "tests/__init__:"),
        (FLAT, "tests/test_it.py", "fixt(), tests", "fixt", 1, "`tests.util`/fixt()."),
        (SOURCE, "src/app.py", "both()", "both", 0, "common/both()."),
        (SOURCE, "tests/test_it.py", "common.both", "both", 0, "common/both()."),
        (NAMESPACE, "run.py", "from lib", "lib", 0, "lib/__init__:"),
        (NAMESPACE, "run.py", "one.made()", "made", 0, "`lib.one`/made()."),
        (NAMESPACE, "run.py", "one.made()", "made", 1, "`lib.one`/made()."),
    ],
    ids=[
        *(
            "flat module",
            "flat import",
            "flat use",
            "tests module",
            "tests import",
            "tests part",
            "tests use",
        ),
        *("src use", "tests of src", "namespace", "in a namespace", "by its whole name"),
    ],
)
def test_namesakes_are_looked_for_in_the_own_project(
    tmp_path: Path, layout: dict[str, str], path: str, line: str, name: str, nth: int, symbol: str
) -> None:
    files = project("aa", layout) | project("bb", layout)
    if layout is NAMESPACE:
        files |= REGULAR | project("zz", REGULAR)
    run = index_projects(tmp_path, files)
    for own in ("aa", "bb"):
        assert run.symbols_at(f"{own}/{path}", line, name, nth) == {f"{own} 1 {symbol}"}


def test_what_the_own_project_lacks_comes_from_the_workspace_then_from_the_first_other(
    tmp_path: Path,
) -> None:
    there = "def made(): ...\n"
    files = (
        project("aa", {"both.py": there, "all.py": there, "logging.py": there})
        | project("bb", {"both.py": there, "src/all.py": there})
        | project("user", {"use.py": "import both, all, logging, extra, deep\nboth.made(), all.made()\n"})
        | {"all.py": there, "lib/extra.py": there, "aa/extra.py": there, "bb/vendor/deep.py": there}
        | {"bb/use.py": "import deep\n"}
    )
    run = index_projects(tmp_path, files, ("lib", "bb/vendor"))
    use = "user/use.py"
    assert run.symbols_at(use, "both.made", "made", 0) == {"aa 1 both/made()."}
    assert run.symbols_at(use, "all.made", "made", 0) == {". . all/made()."}
    assert run.symbols_at(use, "import", "logging") == {"python-stdlib 3.12 logging/__init__:"}
    assert run.symbols_at(use, "import", "extra") == {". . extra/__init__:"}
    assert run.symbols_at(use, "import", "deep") == {"bb 1 deep/__init__:"}
    assert run.symbols_at("bb/use.py", "import", "deep") == {"bb 1 deep/__init__:"}


def test_references_join_across_projects(tmp_path: Path) -> None:
    files = project("aa", {"src/alpha/__init__.py": "class A: ...\n"})
    files |= project("bb", {"src/beta.py": "import alpha\nalpha.A()\n"}) | {
        "use.py": "from beta import alpha\n"
    }
    run = index_projects(tmp_path, files)
    assert run.symbols_at("bb/src/beta.py", "alpha.A", "A") == {"aa 1 alpha/A#"}
    assert run.symbols_at("use.py", "alpha", "alpha") == {"aa 1 alpha/__init__:"}


def test_projects_without_names_share_theirs_in_path_order(tmp_path: Path) -> None:
    same = {"setup.py": "", "mod.py": "def made(): ...\n", "use.py": "import mod\nmod.made()\n"}
    files = {f"{own}/{path}": text for own in ("aa", "bb") for path, text in same.items()}
    run = index_projects(tmp_path, files)
    assert run.symbols_at("aa/use.py", "mod.made", "made") == {". . mod/made()."}
    assert run.symbols_at("bb/use.py", "mod.made", "made") == {". . `bb/mod.py`/made()."}


def test_a_project_inside_another_is_one_of_its_own(tmp_path: Path) -> None:
    files = project("aa", {"common.py": "A = 1\n", "use.py": "import common\ncommon.A\n"})
    inner = project("inner", {"common.py": "A = 1\n", "use.py": "import common\ncommon.A\n"})
    run = index_projects(tmp_path, files | {f"aa/{path}": text for path, text in inner.items()})
    assert run.symbols_at("aa/use.py", "common.A", "A") == {"aa 1 common/A."}
    assert run.symbols_at("aa/inner/use.py", "common.A", "A") == {"inner 1 common/A."}
