"""Which environment is chosen, and that nothing of the workspace runs while it is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from codetrail.providers.python import environment
from codetrail.providers.python.environment import Wish, find_environment


class Place:
    """A workspace and folders outside of it, with a canary that planted programs would leave behind."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = base / "ws"
        self.outside = base / "outside"
        self.canary = base / "canary"
        for folder in (self.root, self.outside):
            folder.mkdir()

    def plant(self, path: Path) -> Path:
        """Put a program that gives itself away when it runs, and pretends to be an interpreter."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n: > '{self.canary}'\necho '{{}}'\n")
        path.chmod(0o755)
        return path

    def venv(self, folder: Path, version: str = "3.10.4", more: str = "", planted: bool = True) -> Path:
        minor = ".".join(version.split(".")[:2])
        site = folder / "lib" / f"python{minor}" / "site-packages"
        site.mkdir(parents=True)
        (folder / "pyvenv.cfg").write_text(f"home = {self.outside}/base/bin\nversion = {version}\n{more}")
        if planted:
            for name in ("python", "python3"):
                self.plant(folder / "bin" / name)
        return site

    def find(self, *wishes: Wish, venv: str | None = None, **env: str) -> environment.PythonEnvironment:
        found = find_environment(str(self.root), env or {"PATH": ""}, wishes, venv)
        assert not self.canary.exists(), "a program of the workspace ran"
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def codes(found: environment.PythonEnvironment) -> list[str]:
    return [problem.code for problem in found.problems]


def test_what_another_environment_would_show_in(place: Place) -> None:
    """The one chosen, what would be preferred to it should it come, and each folder imports are sought in."""
    site = place.venv(place.root / "venv")
    (site / "linked.pth").write_text(f"{place.root}/src\n")
    (place.root / "src").mkdir()
    watched = place.find().watched
    assert watched == (
        f"{place.root}/.venv/pyvenv.cfg",
        f"{place.root}/venv/pyvenv.cfg",
        f"{place.root}/venv/bin/python",
        f"{site}/linked.pth",
        str(site),
        f"{place.root}/src",
    )


def test_where_there_is_none_one_may_come(place: Place) -> None:
    watched = place.find().watched
    assert watched == tuple(f"{place.root}/{name}/pyvenv.cfg" for name in (".venv", "venv", "env"))


@pytest.mark.parametrize(
    ("number", "origin", "version"),
    [
        (0, "CODETRAIL_PYTHON", "3.14.0"),
        (1, "VIRTUAL_ENV", "3.13.1"),
        (2, ".venv", "3.12.2"),
        (3, "venv", "3.11.3"),
        (4, "env", "3.10.4"),
        (5, "venv of the Pyright configuration", "3.9.5"),
        (6, "CONDA_PREFIX", "3.8.6"),
        (7, "none", None),
    ],
)
def test_the_order_of_choice(place: Place, number: int, origin: str, version: str | None) -> None:
    """Everything from ``number`` on is there; the first of it wins."""
    wishes: tuple[Wish, ...] = ()
    env = {"PATH": ""}
    if number <= 0:
        place.venv(place.outside / "named", "3.14.0")
        wishes = (Wish(str(place.outside / "named"), "CODETRAIL_PYTHON", True),)
    if number <= 1:
        place.venv(place.outside / "active", "3.13.1")
        env["VIRTUAL_ENV"] = str(place.outside / "active")
    for step, name, its_version in ((2, ".venv", "3.12.2"), (3, "venv", "3.11.3"), (4, "env", "3.10.4")):
        if number <= step:
            place.venv(place.root / name, its_version)
    if number <= 5:
        place.venv(place.outside / "pyright", "3.9.5")
    if number <= 6:
        (place.outside / "conda" / "conda-meta").mkdir(parents=True)
        (place.outside / "conda" / "conda-meta" / "python-3.8.6-h123_0.json").write_text("{}")
        env["CONDA_PREFIX"] = str(place.outside / "conda")
    found = place.find(*wishes, venv=str(place.outside / "pyright"), **env)
    assert (found.origin, found.version) == (origin, version)
    assert codes(found) == ([] if version else ["no_interpreter"])


def test_a_virtual_environment_of_the_workspace_is_read_and_not_run(place: Place) -> None:
    site = place.venv(place.root / ".venv")
    found = place.find(PATH=str(place.root / ".venv" / "bin"), VIRTUAL_ENV=str(place.root / ".venv"))
    assert (found.label, found.search_paths) == ("Python 3.10.4 (VIRTUAL_ENV)", (str(site),))


@pytest.mark.parametrize("name", [".venv/bin/python", ".venv"])
@pytest.mark.parametrize("by_person", [True, False])
def test_naming_the_workspaces_interpreter_reads_its_environment(
    place: Place, name: str, by_person: bool
) -> None:
    place.venv(place.root / ".venv")
    found = place.find(Wish(str(place.root / name), "CODETRAIL_PYTHON", by_person))
    assert (found.version, codes(found)) == ("3.10.4", [])


@pytest.mark.parametrize(
    ("by_person", "code"), [pytest.param(True, "interpreter_unusable", id="a person"), (False, "untrusted")]
)
def test_a_program_of_the_workspace_never_runs_as_interpreter(
    place: Place, by_person: bool, code: str
) -> None:
    place.plant(place.root / "tools" / "python3")
    found = place.find(Wish(str(place.root / "tools" / "python3"), "a setting", by_person))
    assert codes(found) == [code, "no_interpreter"]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("{ws}/bin", id="on PATH"),
        pytest.param(".", id="in the current folder"),
        pytest.param("{out}/bin", id="behind a link outside"),
        pytest.param("{out}/linked", id="in a linked folder"),
    ],
)
def test_planted_interpreters_do_not_run(place: Place, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    planted = place.plant(place.root / "bin" / "python3")
    place.plant(place.root / "python3")
    monkeypatch.chdir(place.root)
    (place.outside / "bin").mkdir()
    (place.outside / "bin" / "python3").symlink_to(planted)
    (place.outside / "linked").symlink_to(place.root / "bin")
    found = place.find(PATH=path.format(ws=place.root, out=place.outside))
    assert codes(found) == ["no_interpreter"]


def test_an_interpreter_on_path_is_asked_in_isolation(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither PYTHON* variables nor modules of the current folder take part."""
    folder = Path(os.path.realpath(sys.executable)).parent
    (place.root / "site.py").write_text(f"open({str(place.canary)!r}, 'w')")
    (place.root / "json.py").write_text(f"open({str(place.canary)!r}, 'w')")
    monkeypatch.chdir(place.root)
    startup = place.root / "site.py"
    found = place.find(
        PATH=str(folder), PYTHONPATH=str(place.root), PYTHONSTARTUP=str(startup), PYTHONHOME="/x"
    )
    assert found.version == "{}.{}.{}".format(*sys.version_info[:3])
    assert found.origin == "python3 on PATH"
    assert os.path.dirname(os.__file__) in found.search_paths
    assert not [path for path in found.search_paths if path.startswith(str(place.root))]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("exit 1", id="fails"),
        pytest.param("echo '['", id="no JSON"),
        pytest.param(
            'echo \'{"version": 3, "executable": "x", "library": [], "sites": []}\'', id="other types"
        ),
        pytest.param(
            'echo \'{"version": "2.7.18", "executable": "/x", "library": [], "sites": []}\'',
            id="another Python",
        ),
        pytest.param(
            'echo \'{"version": "3.9.1", "executable": "x", "library": [5], "sites": []}\'', id="numbers"
        ),
    ],
)
def test_an_interpreter_that_answers_something_else_is_not_used(place: Place, answer: str) -> None:
    program = place.outside / "bin" / "python3"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    assert codes(place.find(PATH=f"{program.parent}")) == ["no_interpreter"]


def test_the_question_is_put_without_site_and_in_the_root_of_the_file_system(place: Place) -> None:
    program = place.plant(place.outside / "bin" / "python3")
    program.write_text(f'#!/bin/sh\n: > "{place.outside}/asked $1 $2 $3 $4 ${{#PWD}}"\n')
    place.find(PATH=str(program.parent))
    assert (place.outside / "asked -I -S -B -c 1").exists()


def test_a_shim_of_a_virtual_environment_leads_to_it(place: Place) -> None:
    site = place.venv(place.outside / "real", "3.9.9")
    shim = place.outside / "bin" / "python3"
    shim.parent.mkdir()
    executable = place.outside / "real" / "bin" / "python3"
    answer = f'{{"version": "3.9.9", "executable": "{executable}", "library": [], "sites": []}}'
    shim.write_text(f"#!/bin/sh\necho '{answer}'\n")
    shim.chmod(0o755)
    assert place.find(PATH=str(shim.parent)).search_paths == (str(site),)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("version = four\n", id="no version"),
        pytest.param("version = 3.10.4\nhome = ../../..\n", id="relative home"),
        pytest.param("version = 3.10.4\nhome = \0/x\n", id="NUL"),
        pytest.param("version = 3.10.4\nhome = " + "x" * 60_000, id="long"),
        pytest.param("\x1b]0;title\x07 = \udcff", id="bytes"),
        pytest.param("x" * (1 << 20), id="too large"),
    ],
)
def test_a_hostile_pyvenv_cfg_is_only_text(place: Place, content: str) -> None:
    (place.root / ".venv").mkdir()
    (place.root / ".venv" / "pyvenv.cfg").write_bytes(content.encode("utf-8", "surrogateescape"))
    place.plant(place.root / ".venv" / "bin" / "python")
    found = place.find()
    assert found.version in (None, "3.10.4")
    assert found.search_paths == ()


def test_a_virtual_environment_brings_the_standard_library_of_its_base(place: Place) -> None:
    library = place.outside / "base" / "lib" / "python3.10"
    (library / "lib-dynload").mkdir(parents=True)
    (library / "os.py").write_text("")
    (library / "site-packages").mkdir()
    site = place.venv(place.root / ".venv")
    assert place.find().search_paths == (str(library), str(library / "lib-dynload"), str(site))
    (place.root / ".venv" / "pyvenv.cfg").write_text(
        f"home = {place.outside}/base/bin\nversion = 3.10.4\ninclude-system-site-packages = true\n"
    )
    assert str(library / "site-packages") in place.find().search_paths


def test_path_files_of_the_workspace_stay_inside_it(place: Place) -> None:
    site = place.venv(place.root / ".venv")
    (place.root / "src").mkdir()
    (place.outside / "private").mkdir()
    (site / "a.pth").write_text(f"{place.root}/src\n{place.outside}/private\nimport os; os.abort()\n")
    found = place.find()
    assert found.search_paths == (str(site), f"{place.root}/src")
    assert [(problem.code, problem.times) for problem in found.problems] == [("path_outside_workspace", 1)]
    assert [note.code for note in found.notes] == ["pth_import_ignored"]
    activated = place.find(VIRTUAL_ENV=str(place.root / ".venv"), PATH="")
    assert f"{place.outside}/private" in activated.search_paths


def test_a_linked_site_packages_does_not_lead_out_of_the_workspace(place: Place) -> None:
    site = place.venv(place.root / ".venv")
    site.rmdir()
    site.symlink_to(place.outside)
    (place.outside / "private-1.dist-info").mkdir()
    (place.outside / "private-1.dist-info" / "METADATA").write_text("Name: private\nVersion: 1\n")
    found = place.find()
    assert (found.version, found.search_paths, found.distributions) == ("3.10.4", (), ())
    assert codes(found) == ["path_outside_workspace"]


def editable(site: Path, project: Path) -> None:
    info = site / "mine-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: mine\nVersion: 1\n")
    (info / "direct_url.json").write_text(f'{{"url": "file://{project}", "dir_info": {{"editable": true}}}}')


@pytest.mark.parametrize("layout", ["src", "."])
def test_an_editable_install_behind_an_import_hook_is_found(place: Place, layout: str) -> None:
    site = place.venv(place.root / ".venv")
    (place.root / "lib" / layout).mkdir(parents=True, exist_ok=True)
    editable(site, place.root / "lib")
    (site / "__editable__.mine-1.pth").write_text("import __editable___mine_1_finder\n")
    assert place.find().search_paths == (str(site), os.path.normpath(place.root / "lib" / layout))


def test_facts_follow_version_packages_and_folders_but_name_no_place(place: Place) -> None:
    site = place.venv(place.root / ".venv")
    (place.root / "src").mkdir()
    (site / "a.pth").write_text(f"{place.root}/src\n")
    before = place.find().facts(str(place.root))
    assert ("python", "3.10.4") in before
    assert ("path", "src") in before
    assert not [value for pair in before for value in pair if str(place.base) in value]
    editable(site, place.root)
    assert place.find().facts(str(place.root)) != before


def test_names_that_are_not_utf8_or_hold_nul_cost_themselves(tmp_path: Path) -> None:
    """A virtual environment of the workspace brings them in every place that becomes a path."""
    root = os.fsencode(tmp_path)
    site = root + b"/.venv/lib/python3.11/site-packages"
    os.makedirs(site + b"/caf\xe9-1.0.dist-info")
    os.mkdir(site + b"/d\xff")
    os.rename(root + b"/.venv", root + b"/v\xff")
    os.symlink(b"v\xff", root + b"/.venv")
    for name, content in {
        b"/.venv/pyvenv.cfg": b"home = /\xff\0bin\nversion = 3.11.2\ninclude-system-site-packages = true\n",
        b"/.venv/lib/python3.11/site-packages/x\xe9.pth": b"d\xff\n\0\n../\xed\xa0\x80\n",
        b"/.venv/lib/python3.11/site-packages/caf\xe9-1.0.dist-info/METADATA": b"Name: cafe\nVersion: 1.0\n",
        b"/.venv/lib/python3.11/site-packages/caf\xe9-1.0.dist-info/RECORD": b"caf\xe9/x.py,,\nc\0.py,,\n",
    }.items():
        with open(root + name, "wb") as file:
            file.write(content)
    found = find_environment(str(tmp_path), {"PATH": ""}, (), None)
    assert found.version == "3.11.2"
    assert [one.name for one in found.distributions] == ["cafe"]
    assert found.search_paths
    assert all(os.path.isdir(path) for path in found.search_paths)
