"""``make demo`` as people run it: engines fetched, both projects indexed, questions across packages."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"
PRICE = "web/packages/prices/src/price.ts"


@pytest.fixture(scope="module")
def printed() -> dict[str, str]:
    """Run the demonstration; return what each command printed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["sh", str(FIXTURES / "demo.sh"), str(FIXTURES)],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
        timeout=500,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    commands = run.stdout.split("\n$ codetrail ")[1:]
    return {one.partition("\n")[0]: one.partition("\n")[2].strip() for one in commands}


def test_both_languages_are_indexed(printed: dict[str, str]) -> None:
    assert [line.split()[:3] for line in printed["index build"].splitlines()] == [
        ["unit", "python:.", "built"],
        ["unit", "typescript:.", "built"],
    ]


def test_a_method_is_told_from_its_namesake_in_two_packages(printed: dict[str, str]) -> None:
    assert printed["refs Price.format"].splitlines() == [
        f"method  Price.format  {PRICE}:6  defs={PRICE}:6#Price.format",
        "web/packages/page/src/offer.ts:10:40:   return price ? `${title} for ${price.format()}` : title;",
        f"{PRICE}:28:71: export const label = (price: Price, month: Month): string =>"
        " `${price.format()} since ${month.format()}`;",
    ]


def test_a_renaming_export_of_an_unbuilt_package_is_followed(printed: dict[str, str]) -> None:
    places = [line.split(" ")[0] for line in printed["refs cheapest"].splitlines()[1:]]
    assert places == [
        "web/packages/page/src/offer.ts:1:10:",
        "web/packages/page/src/offer.ts:9:17:",
        "web/packages/prices/src/index.ts:1:17:",
        "web/packages/prices/src/index.ts:1:29:",
    ]


def test_python_answers_as_in_the_readme(printed: dict[str, str]) -> None:
    readme = (FIXTURES.parent / "README.md").read_text(encoding="utf-8")
    for command in ("defs Catalog.find", "refs Catalog.find", "callers Voucher", "symbols voucher"):
        assert f"$ codetrail {command}\n{printed[command]}\n" in readme
