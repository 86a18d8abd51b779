"""Whole sessions, as a person or a program sees them: each was read against the contract before it was kept.

What differs between machines, builds and Pythons is replaced by words in capitals: cursors, snapshots, times,
versions. ``CODETRAIL_REFRESH_GOLDEN=1`` rewrites the files; read the difference before committing.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.contract.conftest import run_in

ROOT = ""
SESSIONS: dict[str, list[tuple[str, str]]] = {
    # (folder below the root, command line)
    "definitions.txt": [
        (ROOT, "defs Cart"),
        (ROOT, "defs Cart.add"),
        (ROOT, "defs add_item"),
        (ROOT, "defs app.main"),
        (ROOT, "defs Cart::total"),
        (ROOT, "defs find-item"),
        (ROOT, "defs 'find_item(price)'"),
        (ROOT, "defs find_item --explain"),
        (ROOT, "defs größe"),
        (ROOT, "defs Basket"),
    ],
    "references.txt": [
        (ROOT, "refs Cart"),
        (ROOT, "refs shop/cart.py:31#Cart.add"),
        (ROOT, "refs Item.total"),
        (ROOT, "refs Item --use construct --use import"),
        (ROOT, "refs LIMIT --include-definitions"),
        (ROOT, "refs helper"),
        (ROOT, "refs match"),
    ],
    "calls.txt": [
        (ROOT, "callers shop/cart.py:31#Cart.add"),
        (ROOT, "callers Cart --use construct --use value"),
        (ROOT, "callers Item.__init__"),
        (ROOT, "callers Item.total"),
        (ROOT, "callers Cart.add --include-overrides --dir shop"),
        (ROOT, "callers add_item"),
        (ROOT, "callers match"),
        (ROOT, "callers helper"),
        (ROOT, "calls shop/orders.py:21#add"),
        (ROOT, "calls shop/cart.py:35#Cart.total"),
        (ROOT, "calls shop/cart.py:25#Cart"),
        (ROOT, "calls lib.cart"),
        (ROOT, "calls test_add"),
        (ROOT, "calls shop/orders.py:21#add --include-overrides"),
        (ROOT, "calls LIMIT"),
        (ROOT, "calls deploy.add"),
        (ROOT, "calls zzz"),
    ],
    "hierarchies.txt": [
        (ROOT, "call-hierarchy shop/cart.py:31#Cart.add"),
        (ROOT, "call-hierarchy shop/cart.py:31#Cart.add --direction incoming --depth 1"),
        (ROOT, "call-hierarchy shop/cart.py:31#Cart.add --include-overrides"),
        (ROOT, "call-hierarchy shop/orders.py:21#add --direction outgoing --depth 3"),
        (ROOT, "call-hierarchy lib/cart.py:5 --limit 3"),
        (ROOT, "call-hierarchy add --limit 4"),
        (ROOT, "call-hierarchy Item --direction incoming"),
        (ROOT, "call-hierarchy shop/cart.py:31#Cart.add --to test_add"),
        (ROOT, "call-hierarchy match --to nothing_of_the_kind"),
        (ROOT, "call-hierarchy Cart.add --fields short -o json"),
        (ROOT, "call-hierarchy zzz"),
    ],
    "symbols.txt": [
        (ROOT, "symbols item"),
        (ROOT, "symbols Order.f"),
        (ROOT, "symbols tot --lang js"),
        (ROOT, "symbols it --dir lib --file-pattern '*names*'"),
    ],
    "places.txt": [
        ("shop", "defs cart.py:31"),
        ("shop", "refs cart.py:31"),
        ("shop", "refs cart.py:31:9"),
        ("shop", "refs cart.py:38"),
        ("shop", "refs orders.py:999#Order.find_item"),
        ("shop", "refs gone.py:1#Cart.total"),
        ("shop", "refs gone.py:1#Cart"),
        ("shop", "refs '  File \"orders.py\", line 12, in add'"),
        ("shop", "refs 'at Order.add (orders.py:12:19)'"),
        ("shop", "defs orders.py:12#add"),
        ("shop", "callers cart.py:31"),
        ("shop", "calls orders.py:12"),
        ("shop", "calls orders.py:22:1"),
        ("shop", "callers cart.py:1"),
    ],
    "hostile.txt": [
        (ROOT, "refs shown"),
        (ROOT, "symbols shown --explain"),
        (ROOT, "refs -- -dash.py:1#dashed"),
        (ROOT, "defs dashed"),
        (ROOT, "refs far"),
        (ROOT, "callers shown"),
        (ROOT, "callers shown -o json --fields short"),
        (ROOT, "calls 'lib/odd names & more.py:5#it_is'"),
        (ROOT, "calls -- -dash.py:1#dashed"),
    ],
    "pages.txt": [
        (ROOT, "symbols add --limit 4"),
        (ROOT, "symbols add --limit 4 --cursor LAST"),
        (ROOT, "symbols add --limit 4 --cursor LAST"),
        (ROOT, "refs add --cursor LAST"),
        (ROOT, "refs Cart --dir tests --limit 1"),
        (ROOT, "calls lib.cart --limit 1"),
        (ROOT, "calls lib.cart --limit 1 --cursor LAST"),
        (ROOT, "callers lib.cart --cursor LAST"),
    ],
    "failures.txt": [
        (ROOT, "refs zzz"),
        (ROOT, "refs zzz --ext py"),
        (ROOT, "refs"),
        (ROOT, "refs Cart --sideways"),
        (ROOT, "refs Cart --dir nowhere"),
        (ROOT, "refs Cart --dir .."),
        (ROOT, "refs Cart --limit 0"),
        (ROOT, "refs Cart --file-mode regex --file-pattern '('"),
        (ROOT, "--ignore-case refs Cart --case-sensitive"),
        (ROOT, "refs ../x.py:1"),
        (ROOT, "-p nowhere refs Cart"),
        (ROOT, "refs Cart --lang pithon"),
        (ROOT, "callers Cart --use import"),
        (ROOT, "calls Cart --use call"),
        (ROOT, "calls"),
    ],
    "definitions.json": [
        (ROOT, "defs Cart.add -o json"),
        (ROOT, "defs total -o json"),
        (ROOT, "defs total -o json --fields short"),
        (ROOT, "defs total -o json --fields kind,path"),
        (ROOT, "defs find_item -o json --explain"),
    ],
    "references.json": [
        (ROOT, "refs LIMIT -o json --include-definitions"),
        (ROOT, "refs shop/cart.py:25#Cart -o json --fields short"),
        (ROOT, "refs Cart.add -o json --fields short --dir shop"),
        (ROOT, "refs shop/cart.py:32:20 -o json"),
        ("shop", "refs cart.py:31 -o json"),
        (ROOT, "refs zzz -o json"),
        (ROOT, "refs zzz -o json --dir nowhere"),
    ],
    "calls.json": [
        (ROOT, "callers lib/cart.py:16#N -o json"),
        (ROOT, "callers shop/cart.py:31#Cart.add -o json --fields short"),
        (ROOT, "callers LIMIT -o json"),
        (ROOT, "calls shop/cart.py:35#Cart.total -o json"),
        (ROOT, "calls shop/cart.py:35#Cart.total -o json --fields short"),
        (ROOT, "calls test_add -o json --fields caller,use"),
        (ROOT, "calls find -o json --explain"),
        ("shop", "calls cart.py:31#Cart.add -o json --dir lib"),
        (ROOT, "callers zzz -o json"),
    ],
    "events.jsonl": [
        (ROOT, "defs N -o jsonl"),
        (ROOT, "refs N -o jsonl"),
        (ROOT, "refs Item -o jsonl --fields short --use construct"),
        (ROOT, "refs zzz -o jsonl"),
        (ROOT, "refs zzz -o jsonl --cursor x"),
        (ROOT, "callers N -o jsonl --fields short"),
        (ROOT, "calls N -o jsonl --fields short"),
    ],
}


def changed(root: Path) -> None:
    """Edit one file, remove one, add one."""
    orders = root / "shop" / "orders.py"
    orders.write_text("\n" + orders.read_text())
    (root / "lib" / "names.py").unlink()
    (root / "shop" / "more.py").write_text("class Cart:\n    def add(self):\n        return self.add\n")


def without_index(root: Path) -> None:
    """Take the index away."""
    shutil.rmtree(root / ".codetrail")


AFTER: dict[str, tuple[Callable[[Path], None], list[tuple[str, str]]]] = {
    "changed.txt": (
        changed,
        [
            (ROOT, "refs shop/cart.py:31#Cart.add"),
            (ROOT, "defs Cart.add"),
            (ROOT, "defs Order.add"),
            (ROOT, "refs shop/orders.py:15#Order.find_item"),
            (ROOT, "defs größe"),
            (ROOT, "refs Cart.add --freshness off"),
            (ROOT, "refs Cart.add --dir tests"),
            (ROOT, "callers shop/cart.py:31#Cart.add"),
            (ROOT, "calls shop/orders.py:21#add"),
            (ROOT, "calls test_add"),
            (ROOT, "callers Order.add"),
            (ROOT, "refs Cart.add --require-fresh"),
            (ROOT, "index status --check"),
        ],
    ),
    "no_index.txt": (
        without_index,
        [
            (ROOT, "defs Cart.add"),
            (ROOT, "symbols find"),
            (ROOT, "defs zzz"),
            (ROOT, "refs Cart.add"),
            (ROOT, "refs Cart.add -o json"),
            (ROOT, "callers Cart.add"),
            (ROOT, "calls Cart.add -o json"),
            (ROOT, "index status"),
        ],
    ),
}

_MACHINE = [
    (re.compile(r"--cursor[ =][A-Za-z0-9_-]{40,}"), "--cursor CURSOR"),
    (re.compile(r"(\"nextCursor\":\")[A-Za-z0-9_-]{40,}"), r"\1CURSOR"),
    (re.compile(r"(snapshot=|\"snapshot\":\")[0-9a-f]{64}"), r"\1SNAPSHOT"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
    (re.compile(r"(engineVersion=|\"engineVersion\":\")[0-9][0-9.+]*"), r"\1VERSION"),
    (re.compile(r"python-stdlib 3\.\d+"), "python-stdlib 3.X"),
    (re.compile(r"(\"package\":\"python-stdlib\",\"version\":\")3\.\d+"), r"\g<1>3.X"),
    (re.compile(r"seconds=[0-9.]+"), "seconds=TIME"),
    (re.compile(r"(basedpyright|tree-sitter) [0-9][0-9.+]*"), r"\1 VERSION"),
]


def transcript(root: Path, session: list[tuple[str, str]]) -> str:
    """Run a session and write it down; ``LAST`` in a command is the cursor of the page before."""
    parts = []
    last = ""
    for below, line in session:
        outcome = run_in(root / below, *shlex.split(line.replace("--cursor LAST", f"--cursor={last}")))
        found = re.search(r"--cursor[ =]([A-Za-z0-9_-]+)", outcome.out)
        last = found[1] if found else last
        ends = f"[{outcome.status}]\n" if outcome.status else ""
        parts.append(f"{below}$ codetrail {line}\n{outcome.out}{outcome.err}{ends}")
    text = "\n".join(parts)
    for pattern, word in _MACHINE:
        text = pattern.sub(word, text)
    return text


@pytest.mark.parametrize("name", SESSIONS)
def test_session(name: str, shop: Path, golden: Callable[[str, str], None]) -> None:
    golden(name, transcript(shop, SESSIONS[name]))


@pytest.mark.parametrize("name", AFTER)
def test_session_after_a_change(name: str, copy: Path, golden: Callable[[str, str], None]) -> None:
    change, session = AFTER[name]
    change(copy)
    golden(name, transcript(copy, session))


def test_every_golden_file_belongs_to_a_session() -> None:
    folder = Path(__file__).parent / "golden"
    assert {path.name for path in folder.iterdir()} == {*SESSIONS, *AFTER}
