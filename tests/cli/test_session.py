"""The whole program on a real project: build, ask, page, paste, and look after the index."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codetrail.output.schema_files import bundle

BOOKSHOP = Path(__file__).parents[2] / "fixtures" / "bookshop"
ANSWER = Draft202012Validator(bundle("answer"))
EVENT = Draft202012Validator(bundle("event"))
ERROR = Draft202012Validator(bundle("error"))

Ask = Callable[..., subprocess.CompletedProcess[str]]


def asked(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "codetrail", *argv]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Index a copy of the bundled project once."""
    folder = tmp_path_factory.mktemp("session") / "shop"
    shutil.copytree(BOOKSHOP, folder, ignore=shutil.ignore_patterns(".codetrail"))
    built = asked(folder, "index", "build", "-o", "json")
    assert (built.returncode, built.stderr) == (0, "")
    rows = json.loads(built.stdout)["results"]
    assert [(row["kind"], row["state"], row["root"]) for row in rows] == [("unit", "built", ".")]
    ANSWER.validate(json.loads(built.stdout))
    return folder


def results(folder: Path, *argv: str) -> dict[str, Any]:
    run = asked(folder, "--output", "json", *argv)
    assert run.returncode == 0, run.stdout + run.stderr
    printed: dict[str, Any] = json.loads(run.stdout)
    ANSWER.validate(printed)
    return printed


COMMANDS = [
    ("defs", "Catalog.find"),
    ("refs", "Catalog.find", "--include-definitions", "--explain"),
    ("refs", "Catalog", "--fields", "short"),
    ("defs", "Catalog.find", "--include-code"),
    ("symbols", "a", "--include-code", "--fields", "short", "--code-context", "0"),
    ("symbols", "a"),
    ("symbols", "a", "--fields", "short", "--limit", "3"),
    ("defs", "find", "--fields", "path,range"),
    ("refs", "src/bookshop/catalog.py:29#Catalog.find"),
    ("index", "status"),
    ("index", "status", "--summary"),
    ("index", "status", "--check"),
    ("index", "doctor"),
    ("index", "prune"),
]


@pytest.mark.parametrize("argv", COMMANDS, ids=" ".join)
def test_every_command_prints_text_json_and_jsonl(shop: Path, argv: tuple[str, ...]) -> None:
    whole = results(shop, *argv)
    lines = asked(shop, *argv, "-o", "jsonl")
    events = [json.loads(line) for line in lines.stdout.splitlines()]
    for event in events:
        EVENT.validate(event)
    assert [event["event"] for event in events] == ["result"] * (len(events) - 1) + ["page"]
    assert events[-1]["page"]["total"] == whole["page"]["total"]
    text = asked(shop, *argv)
    assert (text.returncode, text.stderr, lines.stderr) == (0, "", "")
    assert len(text.stdout.splitlines()) >= len(whole["results"]) > 0
    assert str(shop) not in text.stdout + lines.stdout


def test_references_in_text(shop: Path) -> None:
    assert asked(shop, "refs", "Catalog.find").stdout == (
        "method  Catalog.find  src/bookshop/catalog.py:29  defs=src/bookshop/catalog.py:29#Catalog.find\n"
        "src/bookshop/orders.py:20:29:         book = self.catalog.find(isbn)\n"
        'tests/test_orders.py:20:28:     assert order().catalog.find("2") is None\n'
    )


@pytest.mark.parametrize(
    "typed",
    ["Catalog", "Catalog.find", "price_of", "Percent.percent", "bookshop.pricing", "isbn", "Order.total"],
)
def test_source_is_what_the_file_holds(shop: Path, typed: str) -> None:
    rows = results(shop, "defs", typed, "--include-code", "--code-context", "0")["results"]
    shown = [row for row in rows if "source" in row]
    assert shown
    for row in shown:
        source = row["source"]
        lines = (shop / row["path"]).read_text().splitlines()
        assert source["content"] == "\n".join(lines[source["startLine"] - 1 : source["endLine"]])
        start = row.get("bodyRange", row["range"])["start"]
        assert (source["path"], source["startLine"], source["truncated"]) == (
            row["path"],
            start["line"],
            False,
        )
        assert row["kind"] == "module" or row["name"] in source["content"]


def test_source_in_text(shop: Path) -> None:
    argv = ("defs", "Discount.apply", "--include-code", "--code-context", "0")
    assert asked(shop, *argv).stdout == (
        "method  Discount.apply  src/bookshop/pricing.py:15  defs=src/bookshop/pricing.py:15#Discount.apply\n"
        "  14 |     @abstractmethod\n"
        "  15 |     def apply(self, price: int) -> int:\n"
        '  16 |         """Return the new price."""\n'
        "  caller  Order.total(self)  src/bookshop/orders.py:31  defs=src/bookshop/orders.py:27#Order.total\n"
    )


@pytest.mark.parametrize("verb", ["defs", "refs", "symbols"])
def test_every_coordinate_that_was_printed_pastes_back(shop: Path, verb: str) -> None:
    for row in results(shop, "symbols", "o")["results"]:
        again = results(shop, verb, "--", row["queryInputs"][verb])
        assert row["qualifiedName"] in {one["coordinate"].split("#")[-1] for one in again["page"]["matched"]}


@pytest.mark.parametrize("limit", ["1", "2", "7"])
def test_following_the_printed_command_gives_every_row_once(shop: Path, limit: str) -> None:
    whole = asked(shop, "symbols", "a").stdout.splitlines()
    assert len(whole) > 7
    gathered: list[str] = []
    argv = ["symbols", "a", "--limit", limit]
    while argv:
        *rows, last = asked(shop, *argv).stdout.splitlines()
        following = last.split("next page: codetrail ")
        gathered += rows if len(following) > 1 else [*rows, last]
        argv = shlex.split(following[1]) if len(following) > 1 else []
    assert gathered == whole


def test_max_bytes_ends_a_page_early_and_the_cursor_goes_on(shop: Path) -> None:
    everything = results(shop, "symbols", "a", "--fields", "short")["results"]
    gathered: list[object] = []
    cursor: list[str] = []
    while True:
        page = results(shop, "symbols", "a", "--fields", "short", "--max-bytes", "500", *cursor)
        assert len(json.dumps(page["results"], separators=(",", ":"))) <= 500 + 2
        gathered += [row["coordinate"] for row in page["results"]]
        if page["page"]["nextCursor"] is None:
            break
        cursor = ["--cursor", page["page"]["nextCursor"]]
    assert gathered == [row["coordinate"] for row in everything]
    assert len(gathered) > 7


@pytest.mark.parametrize(
    ("argv", "status", "code"),
    [
        (("refs", "nosuchname"), 2, None),
        (("refs", "x", "--cursor", "!"), 1, "invalid_cursor"),
        (("refs", "x", "--dir", "nothing"), 1, "scope_not_found"),
        (("refs", "x", "--file-mode", "regex", "--file-pattern", "("), 1, "invalid_pattern"),
        (("--path", "nothing", "refs", "x"), 1, "workspace_not_found"),
    ],
    ids=["no_match", "cursor", "scope", "pattern", "path"],
)
def test_exit_statuses(shop: Path, argv: tuple[str, ...], status: int, code: str | None) -> None:
    run = asked(shop, *argv, "-o", "json")
    printed = json.loads(run.stdout)
    assert (run.returncode, printed.get("error", {}).get("code")) == (status, code)
    (ERROR if code else ANSWER).validate(printed)


def test_from_a_folder_below_the_page_tells_where_the_root_is(shop: Path) -> None:
    printed = results(shop / "src" / "bookshop", "defs", "Catalog.find")
    assert printed["page"]["root"] == "../.."
    assert printed["results"][0]["path"] == "src/bookshop/catalog.py"


def test_without_an_index(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def alone():\n    return 1\n")
    missing = asked(tmp_path, "refs", "alone")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.startswith("error: ")
    assert missing.stderr.endswith(" (index_missing)\nhint: codetrail index build\n")
    parsed = asked(tmp_path, "defs", "alone")
    assert parsed.returncode == 0
    assert parsed.stdout.splitlines()[0] == "function  alone  a.py:1  defs=a.py:1#alone  parser_fact"
    assert parsed.stdout.splitlines()[1].startswith("coverage: missing; ")


def test_a_changed_file_is_told_and_checked(shop: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(shop, copy, symlinks=True)
    orders = copy / "src" / "bookshop" / "orders.py"
    orders.write_text("\n" + orders.read_text())
    run = asked(copy, "refs", "Catalog.find")
    assert run.returncode == 0
    moved = [line for line in run.stdout.splitlines() if line.startswith("src/bookshop/orders.py:")]
    assert moved
    assert all("inferred_candidate" in line and "moved" in line for line in moved)
    assert "files_changed" in run.stdout
    assert asked(copy, "index", "status", "--check").returncode == 6
    fresh = asked(copy, "refs", "Catalog.find", "--require-fresh", "-o", "json")
    assert (fresh.returncode, json.loads(fresh.stdout)["error"]["code"]) == (6, "index_stale")


QUIET = (
    "typer",
    "rich",
    "pydantic",
    "google",
    "tree_sitter",
    "dataclasses",
    "inspect",
    "asyncio",
    "subprocess",
)


@pytest.mark.parametrize("verb", ["refs", "callers", "calls"])
def test_a_real_query_loads_nothing_heavy(verb: str, shop: Path) -> None:
    script = "import sys\nfrom codetrail.cli import app\napp.main()\nprint(*sys.modules, file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", script, verb, "Catalog.find", "-o", "json"],
        cwd=shop,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert json.loads(run.stdout)["results"]
    loaded = run.stderr.split()
    assert "apsw" in loaded
    assert [name for name in loaded if name.split(".")[0] in QUIET] == []
    assert [name for name in loaded if name.startswith(("codetrail.providers", "codetrail.scip"))] == []
