"""Both engines say the same of every name, in a package of hard cases and in a real one.

The in-process engine is the measure. Where both name something they name the same; what only one of them sees
is explained by a rule that looks at the text, not at an answer.
"""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.model.kinds import NUMBERS
from codetrail.providers.python import engine, lsp_engine
from codetrail.providers.python.site_packages import installed_in, prefixes_of
from codetrail.scip import scip_pb2
from tests import downloads
from tests.providers.cleanliness import violations
from tests.providers.python.driver_index import (
    Run,
    drive,
    python_files,
    request_for,
    signature_of,
    write_tree,
)
from tests.providers.python.hard_package import HARD, ODD, ODD_REQUEST
from tests.providers.python.lsp_index import drive_lsp

HTTPX = ("__init__", "_auth", "_content", "_exceptions", "_types", "_urls", "_utils")
"""Modules of the real package that are indexed; the others are there to be imported."""

Place = tuple[str, tuple[int, ...]]


class Both(NamedTuple):
    """The same files through both engines."""

    measure: Run
    fallback: Run


def run_both(root: Path, folder: Path, **changes: object) -> Both:
    request = request_for(root, **changes)
    both = Both(drive(request, folder / "measure"), drive_lsp(request, folder / "fallback"))
    for run in both:
        assert (run.code, run.events[-1]["event"]) == (0, "done"), run.events[-3:]
    return both


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp("hard")
    write_tree(folder / "ws", HARD)
    return run_both(folder / "ws", folder)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp("odd")
    write_tree(folder / "ws", ODD)
    both = run_both(folder / "ws", folder, **ODD_REQUEST)
    for run in both:
        run.texts["latin.py"] = bytes(ODD["latin.py"]).decode("latin-1")  # type: ignore[arg-type]
    return both


@pytest.fixture(scope="module")
def httpx(tmp_path_factory: pytest.TempPathFactory) -> Both:
    folder = tmp_path_factory.mktemp("httpx")
    shutil.copytree(downloads.sdist("httpx") / "httpx", folder / "ws" / "httpx")
    (site,) = (downloads.interpreter().parent.parent / "lib").glob("python3*/site-packages")
    owned = prefixes_of(installed_in(str(site)).distributions)
    distributions = [
        {"prefix": prefix, "name": one.name, "version": one.version}
        for one, prefixes in owned.items()
        for prefix in prefixes
    ]
    python = {"version": "3.11", "platform": None, "searchPaths": [str(site)], "interpreter": None}
    files = [f"httpx/{name}.py" for name in HTTPX]
    return run_both(folder / "ws", folder, files=files, python=python, distributions=distributions)


@pytest.fixture(params=["hard", "odd", "httpx"])
def both(request: pytest.FixtureRequest) -> Both:
    found: Both = request.getfixturevalue(request.param)
    return found


def named(run: Run) -> dict[Place, frozenset[str]]:
    """Return the symbols of every place; a local one is named by where its document defines it."""
    found: dict[Place, set[str]] = defaultdict(set)
    for document in run.index.documents:
        firsts: dict[str, str] = {}
        for one in document.occurrences:
            if one.symbol.startswith("local ") and one.symbol_roles & 1:
                firsts.setdefault(one.symbol, f"local at {list(one.range)}")
        for one in document.occurrences:
            if one.symbol:
                symbol = firsts.get(one.symbol, one.symbol)
                found[document.relative_path, tuple(one.range)].add(symbol)
    return {place: frozenset(symbols) for place, symbols in found.items()}


def facts(run: Run) -> dict[tuple[Place, str], tuple[int, tuple[int, ...]]]:
    """Return roles and enclosing range of every global occurrence."""
    return {
        ((document.relative_path, tuple(one.range)), one.symbol): (
            one.symbol_roles,
            tuple(one.enclosing_range),
        )
        for document in run.index.documents
        for one in document.occurrences
        if one.symbol and not one.symbol.startswith("local ")
    }


def informations(run: Run) -> dict[str, tuple[object, ...]]:
    return {
        one.symbol: (one.kind, one.display_name, list(one.documentation), one.enclosing_symbol)
        for document in run.index.documents
        for one in document.symbols
        if not one.symbol.startswith("local ")
    }


def around(run: Run, place: Place) -> tuple[str, str]:
    """Return the text of the line before and behind a place."""
    path, (line, start, *_, end) = place
    text = run.text(path).split("\n")[line].encode("utf-16-le")
    return text[: start * 2].decode("utf-16-le"), text[end * 2 :].decode("utf-16-le")


def is_keyword(before: str, after: str) -> bool:  # noqa: ARG001 - every rule is given both sides
    """A keyword argument of ``cls(...)`` or of a decorated callable: the server does not follow it."""
    return re.match(r"\s*=(?!=)", after) is not None


def is_whole_string(before: str, after: str) -> bool:
    """A name that is all there is between quotes: an export of ``import *``, a key, a type in a subscript."""
    return before[-1:] in ("'", '"') and after[:1] == before[-1:]


def merged(symbols: Iterable[str]) -> set[str]:
    """Return parameters without which overload has them: the server names those of every overload."""
    return {re.sub(r"\(\+\d+\)(?=\.\([^()]+\)$)", "()", symbol) for symbol in symbols}


Rule = Callable[[str, str], bool]
ONLY_MEASURE: tuple[Rule, ...] = (is_keyword, is_whole_string)
ONLY_FALLBACK: tuple[Rule, ...] = (is_whole_string,)


def test_both_engines_name_the_same_thing_at_every_place_that_both_name(both: Both) -> None:
    measure, fallback = named(both.measure), named(both.fallback)
    shared = measure.keys() & fallback.keys()
    assert len(shared) > 0.9 * len(measure) > 50
    differing = [
        place
        for place in shared
        if measure[place] != fallback[place] and merged(measure[place]) != merged(fallback[place])
    ]
    assert {place: (measure[place], fallback[place]) for place in differing} == {}


@pytest.mark.parametrize("side", ["measure", "fallback"])
def test_what_only_one_engine_sees_is_explained_by_the_text(both: Both, side: str) -> None:
    measure, fallback = named(both.measure), named(both.fallback)
    alone = measure.keys() - fallback.keys() if side == "measure" else fallback.keys() - measure.keys()
    rules = ONLY_MEASURE if side == "measure" else ONLY_FALLBACK
    texts = {place: around(both.measure, place) for place in sorted(alone)}
    assert [place for place, text in texts.items() if not any(rule(*text) for rule in rules)] == []
    assert len(alone) < len(measure) / 25


def test_roles_and_enclosing_ranges_are_the_same(both: Both) -> None:
    measure, fallback = facts(both.measure), facts(both.fallback)
    shared = measure.keys() & fallback.keys()
    assert {one: (measure[one], fallback[one]) for one in shared if measure[one] != fallback[one]} == {}


def test_kinds_names_owners_and_documentation_are_the_same(both: Both) -> None:
    measure, fallback = informations(both.measure), informations(both.fallback)
    assert measure.keys() == fallback.keys()
    assert {one: (measure[one], fallback[one]) for one in measure if measure[one] != fallback[one]} == {}


def test_the_index_is_clean(both: Both) -> None:
    run = both.fallback
    assert violations(run.index, run.text) == []
    assert run.stdout == ""


def relations(run: Run, flag: str) -> set[tuple[str, str]]:
    return {
        (one.symbol, other.symbol)
        for document in run.index.documents
        for one in document.symbols
        for other in one.relationships
        if getattr(other, flag)
    }


def test_bases_are_those_of_the_other_engine_and_overrides_are_not_claimed(both: Both) -> None:
    measure = relations(both.measure, "is_implementation") - relations(both.measure, "is_reference")
    fallback = relations(both.fallback, "is_implementation")
    assert fallback <= measure
    # What is made by a call, and what the standard library puts between, is not seen in a header.
    assert {base for _, base in measure - fallback if " python-stdlib " not in base} == set()
    assert relations(both.fallback, "is_reference") == set()


def externals(run: Run) -> dict[str, scip_pb2.SymbolInformation]:
    return {one.symbol: one for one in run.index.external_symbols}


def test_symbols_of_other_distributions_are_named_alike(both: Both) -> None:
    measure, fallback = externals(both.measure), externals(both.fallback)
    assert merged(fallback) <= merged(measure)
    differing = [one for one in fallback.keys() & measure if fallback[one].kind != measure[one].kind]
    # A decorator that is a property under another name is not seen through.
    assert {measure[one].kind for one in differing} <= {NUMBERS["property"]}
    assert all(one.display_name for one in fallback.values())


def test_signatures_are_the_source_as_written(hard: Both) -> None:
    measure = {one.symbol: signature_of(one) for d in hard.measure.index.documents for one in d.symbols}
    fallback = {one.symbol: signature_of(one) for d in hard.fallback.index.documents for one in d.symbols}
    symbols = [symbol for symbol in measure if symbol.endswith(("().", "#"))]
    assert len(symbols) > 20
    assert {one: fallback[one] for one in symbols} == {one: measure[one] for one in symbols}


def test_modules_that_were_not_found_are_said_alike(hard: Both) -> None:
    said = [
        [(event["path"], event["line"], event["message"]) for event in run.problems("unresolved_import")]
        for run in hard
    ]
    assert said[0] == said[1] == [("pkg/child.py", 6, ".missing"), ("pkg/child.py", 8, "fast_mod")]
    assert hard.fallback.remarks("pkg/child.py") == hard.measure.remarks("pkg/child.py")


def test_nothing_is_claimed_of_imports_that_the_server_holds_unreachable(tmp_path: Path) -> None:
    write_tree(
        tmp_path / "ws",
        {
            "base.py": "class B: ...\n",
            "use.py": "raise SystemExit\nfrom base import B\nimport nope, base\n"
            "def f(): return B, nope, base\n",
        },
    )
    run = drive_lsp(request_for(tmp_path / "ws"), tmp_path / "fallback")
    symbols = {one.symbol.partition("`use`")[2] for one in run.document("use.py").occurrences}
    assert (run.remarks("use.py"), run.problems("unresolved_import")) == ([], [])
    assert not [symbol for symbol in symbols if symbol.endswith((".B.", "nope.", "base."))]


def test_a_file_that_cannot_be_read_or_parsed_costs_itself(tmp_path: Path) -> None:
    write_tree(
        tmp_path / "ws",
        {
            "good.py": "def f(): ...\nf()\n",
            "newer.py": "def f(:\n",
            "null.py": "x = 1\0\n",
            "deep.py": "x = " + "(" * 5000 + ")" * 5000,
        },
    )
    (tmp_path / "ws" / "folder.py").mkdir()
    request = request_for(tmp_path / "ws")
    files = [*python_files(tmp_path / "ws"), "folder.py", "gone.py"]
    run = drive_lsp(request | {"files": sorted(set(files))}, tmp_path / "fallback")
    assert [document.relative_path for document in run.index.documents] == ["good.py"]
    failed = {event["path"]: event["code"] for event in run.events if event["event"] == "problem"}
    assert failed == {
        "deep.py": "file_failed",
        "folder.py": "file_failed",
        "gone.py": "file_missing",
        "newer.py": "file_failed",
        "null.py": "file_failed",
    }
    assert (run.code, run.events[-1]["event"], run.events[-1]["documents"]) == (0, "done", 1)


def test_every_code_of_the_driver_has_a_sentence() -> None:
    codes: set[str] = set()
    for path in Path(lsp_engine._folder()).glob("*.py"):
        codes |= set(re.findall(r'(?:problem|DriverFailure|Unreadable)\(\s*"(\w+)"', path.read_text()))
    assert {"server_silent", "file_failed", "unresolved_import"} <= codes
    assert codes <= set(engine.SENTENCES)
