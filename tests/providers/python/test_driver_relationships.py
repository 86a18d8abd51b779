"""A relationship names only what somebody defines, whoever assigns the members of classes."""

from __future__ import annotations

import pytest

from tests.providers import cleanliness
from tests.providers.python.driver_index import Run, index_tree, short, write_tree

FILES = {
    "views.py": """\
from typing import ClassVar


class View:
    methods: ClassVar[list | None] = None
    kept: int

    def setup(self):
        self.late = 1


class MethodView(View):
    def __init_subclass__(cls):
        cls.methods = [1]

    def setup(self):
        self.kept = 2
        self.late = 2


class Top(MethodView):
    methods = [2]
    kept = 3
    late = 3

    def setup(self):
        self.late = 4


MethodView.methods
""",
    "use.py": """\
from views import MethodView


class Far(MethodView):
    methods = [3]
""",
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("relationships")
    write_tree(folder / "work", FILES)
    return index_tree(folder / "work", folder / "run")


@pytest.mark.parametrize(
    ("path", "symbol", "related"),
    [
        ("views.py", "views/Top#methods.", {"views/View#methods."}),
        ("views.py", "views/Top#kept.", {"views/View#kept."}),
        ("views.py", "views/Top#late.", {"views/MethodView#late.", "views/View#late."}),
        ("views.py", "views/MethodView#late.", {"views/View#late."}),
        ("views.py", "views/Top#setup().", {"views/MethodView#setup().", "views/View#setup()."}),
        ("use.py", "use/Far#methods.", {"views/View#methods."}),
        ("use.py", "use/Far#", {"views/MethodView#"}),
    ],
)
def test_overridden_members_are_those_that_are_defined(
    run: Run, path: str, symbol: str, related: set[str]
) -> None:
    assert {short(one.symbol) for one in run.information(path, symbol).relationships} == related


def test_what_a_base_declares_is_written_not_defined_again(run: Run) -> None:
    assert run.symbols_at("views.py", "cls.methods", "methods") == {"views/View#methods."}
    assert run.symbols_at("views.py", "MethodView.methods", "methods") == {"views/View#methods."}
    assert run.definitions("views/MethodView#methods.") == []


def test_all_of_it_is_clean(run: Run) -> None:
    assert cleanliness.violations(run.index, run.text) == []
