"""References of real TypeScript equal those of its own language service, or differ for a named reason.

Every definition in the SCIP that a build believed is asked of the service. A hundred that other files may use
are drawn at random and asked of ``refs`` as well; the seed is printed and can be set with ``CODETRAIL_SEED``.
Each rule that explains a difference looks at the source, not at our answer.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.answers import Question, ReferenceRow
from codetrail.model.reports import BuildOptions
from codetrail.query.engine import answer
from codetrail.scip import scip_pb2
from codetrail.workspace.root import Root, find_root
from tests import downloads
from tests.oracle.language_service import Place, references, syntax
from tests.oracle.typescript_rules import Difference, is_explained
from tests.providers.cleanliness import violations
from tests.providers.typescript.names import excuse

DRAWN = 100
_MONOREPO = Path(__file__).parent.parent.parent / "fixtures" / "typescript-monorepo"
_DEFINITION = 1


class Tree(NamedTuple):
    """A tree to index: its files, those of no configuration, and sources of unbuilt packages by name."""

    source: Path
    leftovers: tuple[str, ...]
    paths: dict[str, str]


class Facts:
    """The places of every symbol of an index; symbols of one file are told apart by its path."""

    def __init__(self, index: scip_pb2.Index) -> None:
        self.places: dict[tuple[str, str], set[Place]] = defaultdict(set)
        self.defined: dict[Place, set[tuple[str, str]]] = defaultdict(set)
        for document in index.documents:
            for place, one in _on_one_line(document):
                symbol = (document.relative_path if _is_local(one.symbol) else "", one.symbol)
                self.places[symbol].add(place)
                if one.symbol_roles & _DEFINITION and place.start != place.end:
                    self.defined[place].add(symbol)

    def of(self, place: Place) -> set[Place]:
        """Return the places of every symbol that is defined at a place."""
        return set().union(*(self.places[symbol] for symbol in self.defined[place]))


class Indexed(NamedTuple):
    """A tree that was built: where, what the SCIP says, and the files and packages the service must know."""

    root: Path
    scip: scip_pb2.Index
    facts: Facts
    tree: Tree


def _trees(name: str) -> Tree:
    if name == "rxjs":
        return Tree(downloads.npm_source("rxjs"), ("src/Rx.global.js",), {})
    leftovers = (
        "scripts/release.ts",
        "scripts/version.ts",
        "tools/Panel.jsx",
        "tools/check.mjs",
        "tools/paths.mjs",
    )
    paths = {"@market/core": "packages/core/src/index.ts"}
    return Tree(downloads.npm_workspace(_MONOREPO), leftovers, paths)


@pytest.fixture(scope="module", params=["monorepo", "rxjs"])
def indexed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    """Build the index of a copy of a tree."""
    tree = _trees(request.param)
    folder = tmp_path_factory.mktemp("tree")
    root = folder / request.param
    # What a package was built into is left out: a checkout has the sources alone.
    shutil.copytree(tree.source, root, symlinks=True, ignore=lambda at, _: _built(Path(at), tree.source))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CODETRAIL_TYPESCRIPT", str(downloads.typescript_folder()))
        index = _index(root, folder / "kept")
    return Indexed(root, index, Facts(index), tree)


def test_the_index_is_clean(indexed: Indexed) -> None:
    text = partial(_text, indexed.root)
    assert violations(indexed.scip, text, excuse) == []


def test_all_places_of_all_definitions_are_those_of_the_language_service(indexed: Indexed) -> None:
    definitions = sorted(indexed.facts.defined)
    assert len(definitions) > 2 * DRAWN
    _compare(indexed, {place: indexed.facts.of(place) for place in definitions})


def test_refs_are_those_of_the_language_service(indexed: Indexed) -> None:
    seed = int(os.environ.get("CODETRAIL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"seed: CODETRAIL_SEED={seed}")
    defined = indexed.facts.defined
    usable = sorted(place for place, symbols in defined.items() if not any(path for path, _ in symbols))
    workspace = find_root(str(indexed.root))
    ours = {
        place: set().union(*(_listed(symbol, workspace) for _, symbol in defined[place]))
        for place in random.Random(seed).sample(usable, DRAWN)
    }
    _compare(indexed, ours)


@pytest.mark.parametrize("indexed", ["rxjs"], indirect=True)
def test_a_place_too_few_or_too_many_is_noticed(indexed: Indexed) -> None:
    definition = Place("src/internal/operators/map.ts", 46, 16, 19)
    places = indexed.facts.of(definition)
    used = next(place for place in sorted(places) if place != definition)
    _compare(indexed, {definition: places})
    with pytest.raises(AssertionError, match=f"only theirs: .* at {used.path}:{used.line + 1}:"):
        _compare(indexed, {definition: places - {used}})
    with pytest.raises(AssertionError, match=r"only ours: .* at src/index\.ts:1:"):
        _compare(indexed, {definition: {*places, Place("src/index.ts", 0, 0, 3)}})


def _compare(indexed: Indexed, ours: dict[Place, set[Place]]) -> None:
    theirs = references(indexed.root, list(ours), indexed.tree.leftovers, indexed.tree.paths)
    differences = _differences(indexed.root, list(ours), list(ours.values()), theirs)
    unexplained = [_told(one, indexed.root) for one in differences if not is_explained(one)]
    assert unexplained == [], "\n".join(unexplained)


def _built(folder: Path, source: Path) -> set[str]:
    return {"dist"} if folder == source else set()


def _index(root: Path, kept: Path) -> scip_pb2.Index:
    report = build(str(root), BuildOptions(keep_scip=str(kept)), lambda _: None)
    assert [row.state for row in report.rows] == ["built"], report.rows
    (file,) = kept.glob("*.scip")
    return scip_pb2.Index.FromString(file.read_bytes())


def _on_one_line(document: scip_pb2.Document) -> Iterator[tuple[Place, scip_pb2.Occurrence]]:
    for one in document.occurrences:
        if one.symbol and len(one.range) == 3:
            yield Place(document.relative_path, *one.range), one


def _is_local(symbol: str) -> bool:
    return symbol.startswith("local ")


def _listed(symbol: str, root: Root) -> set[Place]:
    """Return all places that ``refs`` lists, definitions included, in UTF-16 units."""
    found: set[Place] = set()
    cursor: str | None = None
    while True:
        page = answer(Question("refs", symbol, limit=1000, cursor=cursor, include_definitions=True), root)
        for row in page.rows:
            assert isinstance(row, ReferenceRow)
            line, column, end_line, end_column = row.range
            text = _line(Path(root.path), row.path, line)
            if line == end_line and column != end_column:
                found.add(Place(row.path, line, _units(text[:column]), _units(text[:end_column])))
        cursor = page.page.next_cursor
        if cursor is None:
            return found


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _line(root: Path, path: str, number: int) -> str:
    return _text(root, path).split("\n")[number]


@cache
def _text(root: Path, path: str) -> str:
    return (root / path).read_text(encoding="utf-8-sig")


def _differences(
    root: Path, drawn: list[Place], ours: list[set[Place]], theirs: list[dict[Place, bool]]
) -> Iterator[Difference]:
    found = []
    for definition, mine, listed in zip(drawn, ours, theirs, strict=True):
        found += [(definition, place, True, False) for place in sorted(mine - listed.keys())]
        found += [(definition, place, False, listed[place]) for place in sorted(listed.keys() - mine)]
    seen = syntax(root, sorted({at for definition, place, _, _ in found for at in (definition, place)}))
    for definition, place, is_ours, own in found:
        requires = "require(" in _text(root, place.path)
        yield Difference(definition, place, is_ours, own, seen[place], seen[definition], requires)


def _told(found: Difference, root: Path) -> str:
    side = "ours" if found.ours else "theirs"
    at, place = found.definition, found.place
    line = _line(root, place.path, place.line).strip()
    asked = f"{at.path}:{at.line + 1}:{at.start}"
    return f"only {side}: {asked} at {place.path}:{place.line + 1}:{place.start}: {line}"
