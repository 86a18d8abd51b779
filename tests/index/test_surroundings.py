"""Configuration and environments that changed since the build reach every answer (contract §4, §6)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import pytest

from codetrail.errors import IndexUnusable
from tests.index.building import FAILED, Bench, FakeProvider

TREE: dict[str, str | bytes] = {
    "a": "def total(x):\n    return x\n",
    "b": "from a import total\n\ntotal(1)\n",
}
ROWS = ["b.py:1", "b.py:3"]


@pytest.fixture
def built(bench: Bench, fake: FakeProvider) -> Bench:
    """Return a workspace after a good build, with a virtual environment that the walk does not enter."""
    bench.write(**TREE)
    bench.put("pyproject.toml", '[project]\nname = "demo"\n')
    bench.put("package.json", "{}\n")
    bench.put(".venv/pyvenv.cfg", "version = 3.11\n")
    bench.put(".venv/site-packages/one-1.0.dist-info/METADATA", "Name: one\n")
    venv = bench.path / ".venv"
    fake.surroundings = tuple(str(venv / name) for name in ("pyvenv.cfg", "site-packages"))
    fake.surroundings += (str(bench.path), str(bench.path / "venv/pyvenv.cfg"))
    bench.build()
    return bench


def reasons(bench: Bench) -> dict[str, tuple[int | None, tuple[str, ...]]]:
    return {one.code: (one.times, one.paths) for one in bench.ask("refs", "total").page.coverage.reasons}


def edit_configuration(bench: Bench) -> None:
    bench.put("pyproject.toml", '[project]\nname = "other"\n')


def add_configuration(bench: Bench) -> None:
    bench.put("sub/pyrightconfig.json", "{}\n")


def delete_configuration(bench: Bench) -> None:
    (bench.path / "pyproject.toml").unlink()


def edit_settings(bench: Bench) -> None:
    bench.put("codetrail.toml", "[index]\n")


INPUTS: dict[str, tuple[Callable[[Bench], None], str]] = {
    "edited": (edit_configuration, "pyproject.toml"),
    "new": (add_configuration, "sub/pyrightconfig.json"),
    "deleted": (delete_configuration, "pyproject.toml"),
    "settings": (edit_settings, "codetrail.toml"),
}


@pytest.mark.parametrize(("change", "path"), INPUTS.values(), ids=INPUTS)
def test_changed_configuration_is_a_reason_and_costs_no_row(
    built: Bench, change: Callable[[Bench], None], path: str
) -> None:
    change(built)
    assert built.refs("total") == ROWS
    assert reasons(built) == {"inputs_changed": (1, (path,))}
    coverage = built.ask("refs", "total").page.coverage
    assert (coverage.state, coverage.next) == ("partial", ("codetrail", "index", "build"))
    with pytest.raises(IndexUnusable) as caught:
        built.ask("refs", "total", require_fresh=True)
    assert (caught.value.code, caught.value.exit_status) == ("index_stale", 6)


def test_configuration_of_other_languages_does_not_concern_the_answer(built: Bench) -> None:
    built.put("package.json", '{"name": "other"}\n')
    page = built.ask("refs", "total", require_fresh=True).page
    assert (page.coverage.state, page.coverage.reasons) == ("complete", ())


def install(bench: Bench) -> None:
    (bench.path / ".venv/site-packages/two-1.0.dist-info").mkdir()


def install_again(bench: Bench) -> None:
    """Replace a distribution by one of the same name and version."""
    folder = bench.path / ".venv/site-packages/one-1.0.dist-info"
    other = folder.with_name("new")
    other.mkdir()
    (folder / "METADATA").unlink()
    folder.rmdir()
    other.rename(folder)


def uninstall(bench: Bench) -> None:
    (bench.path / ".venv/site-packages/one-1.0.dist-info/METADATA").unlink()
    (bench.path / ".venv/site-packages/one-1.0.dist-info").rmdir()


def remove(bench: Bench) -> None:
    (bench.path / ".venv").rename(bench.path.parent / "gone")


def other_version(bench: Bench) -> None:
    bench.put(".venv/pyvenv.cfg", "version = 3.12\n")


def come(bench: Bench) -> None:
    bench.put("venv/pyvenv.cfg", "version = 3.12\n")


@pytest.mark.parametrize("change", [install, install_again, uninstall, remove, other_version, come])
def test_another_environment_is_a_reason_and_costs_no_row(
    built: Bench, change: Callable[[Bench], None]
) -> None:
    assert built.ask("refs", "total", require_fresh=True).page.coverage.state == "complete"
    change(built)
    assert built.refs("total") == ROWS
    assert reasons(built) == {"environment_changed": (None, ())}
    page = built.ask("refs", "total").page
    assert (page.coverage.state, page.coverage.next) == ("partial", ("codetrail", "index", "build"))
    assert str(built.path.parent) not in str(page)
    for verb in ("refs", "defs"):
        with pytest.raises(IndexUnusable) as caught:
            built.ask(verb, "total", require_fresh=True)
        assert (caught.value.code, caught.value.exit_status) == ("index_stale", 6)
    built.build()
    assert built.ask("refs", "total", require_fresh=True).page.coverage.state == "complete"


def compile_modules(bench: Bench) -> None:
    (bench.path / ".venv/site-packages/__pycache__").mkdir()
    (bench.path / ".venv/site-packages/.cache").mkdir()


def touch(bench: Bench) -> None:
    (bench.path / ".venv/pyvenv.cfg").touch()


def add_file(bench: Bench) -> None:
    """Change a folder that answers depend on and the walk knows: the root."""
    bench.put("notes.txt", "text\n")


@pytest.mark.parametrize("change", [compile_modules, touch, add_file])
def test_what_changes_no_answer_is_no_other_environment(
    built: Bench, change: Callable[[Bench], None]
) -> None:
    change(built)
    assert built.ask("refs", "total", require_fresh=True).page.coverage.state == "complete"


def test_an_environment_that_changes_while_the_build_plans_is_never_taken_for_the_old(
    bench: Bench, fake: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(**TREE)
    site = bench.path.parent / "site"
    site.mkdir()
    fake.surroundings = (str(site),)
    plan = fake.plan

    def plan_while_installing(*given: object) -> object:
        if not any(site.iterdir()):
            (site / "one-1.0.dist-info").mkdir()
            # The clock of the file system may lag behind that of the build.
            os.utime(site, ns=(time.time_ns(), time.time_ns()))
        return plan(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(fake, "plan", plan_while_installing)
    bench.build()
    assert reasons(bench) == {"environment_changed": (None, ())}
    bench.build()
    assert reasons(bench) == {}


@pytest.mark.parametrize("change", [edit_configuration, delete_configuration, install, remove, come])
@pytest.mark.parametrize("how", ["failed", "not asked"])
def test_kept_rows_rest_on_what_they_were_made_with(
    built: Bench, fake: FakeProvider, change: Callable[[Bench], None], how: str
) -> None:
    change(built)
    built.write(new="x = 1\n")
    before = set(reasons(built)) - {"files_new"}
    fake.outcome = FAILED if how == "failed" else None
    for _ in range(2):
        built.build(no_semantic=how != "failed")
        assert built.refs("total") == ROWS
        assert set(reasons(built)) >= before | {"provider_failed" if how == "failed" else "not_built"}
        with pytest.raises(IndexUnusable):
            built.ask("refs", "total", require_fresh=True)
    fake.outcome = None
    built.build()
    assert built.ask("refs", "total", require_fresh=True).page.coverage.state == "complete"
