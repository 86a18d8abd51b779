"""References of real TypeScript equal those of its own language service, or differ for a named reason.

A hundred definitions that other files may use and a hundred local ones are drawn from each tree at random;
the seed is printed and can be set with ``CODETRAIL_SEED``. The former are asked of ``refs``, the latter read
from the SCIP that the build believed.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import defaultdict
from collections.abc import Iterator
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

    def draw(self, chance: random.Random, *, local: bool) -> list[Place]:
        """Draw definitions whose symbols are all local, or not all of them."""
        drawn = [at for at, symbols in self.defined.items() if all(path for path, _ in symbols) is local]
        return chance.sample(sorted(drawn), min(DRAWN, len(drawn)))


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


@pytest.mark.parametrize("name", ["monorepo", "rxjs"])
def test_references_are_those_of_the_language_service(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = int(os.environ.get("CODETRAIL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"seed: CODETRAIL_SEED={seed}")
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(downloads.typescript_folder()))
    tree = _trees(name)
    root = tmp_path / name
    # What a package was built into is left out: a checkout has the sources alone.
    shutil.copytree(tree.source, root, symlinks=True, ignore=lambda at, _: _built(Path(at), tree.source))
    index = _index(root, tmp_path / "kept")
    facts = Facts(index)
    chance = random.Random(seed)
    asked, local = facts.draw(chance, local=False), facts.draw(chance, local=True)
    assert (len(asked), len(local)) == (DRAWN, DRAWN)
    workspace = find_root(str(root))
    ours = [
        set().union(*(_listed(symbol, workspace) for path, symbol in facts.defined[place] if not path))
        | set().union(*(facts.places[one] for one in facts.defined[place] if one[0]))
        for place in asked
    ]
    ours += [set().union(*(facts.places[one] for one in facts.defined[place])) for place in local]
    theirs = references(root, [*asked, *local], tree.leftovers, tree.paths)
    differences = list(_differences(root, [*asked, *local], ours, theirs))
    unexplained = [_told(one, root) for one in differences if not is_explained(one)]
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
    return (root / path).read_text(encoding="utf-8-sig").split("\n")[number]


def _differences(
    root: Path, drawn: list[Place], ours: list[set[Place]], theirs: list[dict[Place, bool]]
) -> Iterator[Difference]:
    found = []
    for definition, mine, listed in zip(drawn, ours, theirs, strict=True):
        found += [(definition, place, True, False) for place in sorted(mine - listed.keys())]
        found += [(definition, place, False, listed[place]) for place in sorted(listed.keys() - mine)]
    seen = syntax(root, sorted({at for definition, place, _, _ in found for at in (definition, place)}))
    for definition, place, is_ours, own in found:
        requires = "require(" in (root / place.path).read_text(encoding="utf-8")
        yield Difference(definition, place, is_ours, own, seen[place], seen[definition], requires)


def _told(found: Difference, root: Path) -> str:
    side = "ours" if found.ours else "theirs"
    at, place = found.definition, found.place
    line = _line(root, place.path, place.line).strip()
    asked = f"{at.path}:{at.line + 1}:{at.start}"
    return f"only {side}: {asked} at {place.path}:{place.line + 1}:{place.start}: {line}"
