"""Callers say how often a name stands where nobody could resolve it; with the import root told, they list it.

With the real engines: a tree whose imports lead nowhere, and the same tree with a line of configuration more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codetrail.index.build import build
from codetrail.model.reports import BuildOptions
from tests import downloads
from tests.contract.running import ask


class Tree(NamedTuple):
    """A tree whose imports miss a root, what is asked, and the file that ends it.

    ``known`` and ``missed`` are the callers that are listed at once and those listed only afterwards, by path
    and line; ``unresolved`` counts the tokens of the name until then, the import's own among them.
    """

    files: dict[str, str]
    asked: str
    configuration: tuple[str, str]
    known: tuple[str, ...]
    missed: tuple[str, ...]
    unresolved: dict[str, int]


TREES = {
    "python": Tree(
        {
            "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
            "libs/money/__init__.py": "",
            "libs/money/rates.py": "def convert(n: int) -> int:\n    return n\n\n\nONE = convert(1)\n",
            "app/pay.py": "from money.rates import convert\n\n\ndef pay(n):\n    return convert(n)\n",
            "app/refund.py": "from money import rates\n\nback = rates.convert(rates.convert(2))\n",
        },
        "libs/money/rates.py:1#convert",
        (
            "pyproject.toml",
            '[project]\nname = "shop"\nversion = "1"\n\n[tool.pyright]\nextraPaths = ["libs"]\n',
        ),
        ("libs/money/rates.py:5",),
        ("app/pay.py:5", "app/refund.py:3", "app/refund.py:3"),
        {"app/pay.py": 2, "app/refund.py": 2},
    ),
    "typescript": Tree(
        {
            "tsconfig.json": '{"compilerOptions": {"strict": true}}',
            "libs/rates.ts": "export function convert(n: number) { return n; }\nconvert(1);\n",
            "app/pay.ts": 'import { convert } from "~money/rates";\n\nconst pay = () => convert(2);\n',
            "app/refund.ts": 'import * as rates from "~money/rates";\n\nrates.convert(rates.convert(2));',
        },
        "libs/rates.ts:1#convert",
        ("tsconfig.json", '{"compilerOptions": {"strict": true, "paths": {"~money/*": ["./libs/*"]}}}'),
        ("libs/rates.ts:2",),
        ("app/pay.ts:3", "app/refund.ts:3", "app/refund.ts:3"),
        {"app/pay.ts": 2, "app/refund.ts": 2},
    ),
}


@pytest.mark.parametrize("language", TREES)
def test_what_was_unresolved_is_counted_and_then_listed(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = TREES[language]
    monkeypatch.setenv("CODETRAIL_TYPESCRIPT", str(downloads.typescript_folder()))
    for path, text in tree.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")

    rows, coverage = _callers(tmp_path, tree)
    assert rows == sorted(tree.known)
    assert coverage["unresolvedNames"] == sum(tree.unresolved.values())
    assert {one["path"]: one["count"] for one in coverage["unresolvedIn"]} == tree.unresolved

    path, text = tree.configuration
    (tmp_path / path).write_text(text, encoding="utf-8")
    rows, coverage = _callers(tmp_path, tree)
    assert rows == sorted([*tree.known, *tree.missed])
    assert (coverage["state"], coverage["reasons"], coverage["unresolvedNames"]) == ("complete", [], 0)
    assert "unresolvedIn" not in coverage


def _callers(root: Path, tree: Tree) -> tuple[list[str], dict[str, Any]]:
    """Build, ask, and return the places of the rows with the coverage."""
    report = build(str(root), BuildOptions(), lambda _: None)
    assert {row.state for row in report.rows} == {"built"}, report.rows
    answer = ask(root, "callers", tree.asked).json
    (matched,) = answer["page"]["matched"]
    assert matched["coordinate"] == tree.asked
    places = [f"{row['path']}:{row['range']['start']['line']}" for row in answer["results"]]
    return sorted(places), answer["page"]["coverage"]
