"""The oracle itself: what it answers on a small monorepo whose references can be counted by eye."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.language_service import Place, references, syntax

FILES = {
    "a/tsconfig.json": {"compilerOptions": {"composite": True, "outDir": "out"}, "include": ["*.ts"]},
    "a/shape.ts": "export class Shape {\n  area() { return 0; }\n}\n",
    "b/tsconfig.json": {"references": [{"path": "../a"}], "include": ["*.ts"]},
    "b/square.ts": (
        'import { Shape as Base } from "../a/out/shape";\n'
        "export class Square extends Base {\n  area() { return new Base().area(); }\n}\n"
    ),
    "loose.js": 'import { Square } from "./b/square";\nnew Square().area();\n',
}
SHAPE = Place("a/shape.ts", 0, 13, 18)
AREA = Place("a/shape.ts", 1, 2, 6)
OVERRIDING = Place("b/square.ts", 2, 2, 6)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Write the files; nothing of it is built."""
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content if isinstance(content, str) else json.dumps(content))
    return tmp_path


def test_references_cross_projects_that_are_not_built(tree: Path) -> None:
    (found,) = references(tree, [SHAPE])
    assert {place for place, own in found.items() if own} == {
        SHAPE,
        Place("b/square.ts", 0, 9, 14),
        Place("b/square.ts", 0, 18, 22),
        Place("b/square.ts", 1, 28, 32),
        Place("b/square.ts", 2, 22, 26),
    }


def test_what_overrides_a_member_is_listed_as_another_symbol(tree: Path) -> None:
    (found,) = references(tree, [AREA])
    assert found == {AREA: True, Place("b/square.ts", 2, 29, 33): True, OVERRIDING: False}


def test_files_of_no_configuration_are_searched_as_well(tree: Path) -> None:
    square = Place("b/square.ts", 1, 13, 19)
    without, with_them = references(tree, [square])[0], references(tree, [square], ["loose.js"])[0]
    assert set(with_them) - set(without) == {Place("loose.js", 0, 9, 15), Place("loose.js", 1, 4, 10)}


def test_syntax_names_the_nodes_around_a_place(tree: Path) -> None:
    assert syntax(tree, [AREA])[AREA][:3] == (
        ("Identifier", "name"),
        ("MethodDeclaration", "members"),
        ("ClassDeclaration", "statements"),
    )
