"""A driver and a ``typescript`` package that are not the real ones, for tests of what is around them.

The driver is a script that a test writes; it can list projects, write documents by name, and die.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from codetrail.providers import node_runtime
from codetrail.providers.node_runtime import Node

PRELUDE = """
const fs = require("fs"), path = require("path");
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const request = JSON.parse(fs.readFileSync(option("--request")));
const selfTest = process.argv.includes("--self-test");
const output = option("--output");
const emit = (event) => fs.writeSync(2, JSON.stringify(event) + "\\n");
const text = (s) => Buffer.concat([Buffer.from([10, s.length]), Buffer.from(s)]);
const field = (n, b) => Buffer.concat([Buffer.from([n * 8 + 2, b.length]), b]);
const metadata = field(1, field(2, Buffer.concat([text("fake"), Buffer.from([18, 1, 49])])));
const scip = (names) => Buffer.concat([metadata, ...names.map((name) => field(2, text(name)))]);
const finish = (names, count) => {
  if (output !== "--self-test" && !selfTest) fs.writeFileSync(output, scip(names));
  emit({ event: "done", documents: count ?? names.length, files: names.length });
};
const projects = (table) => {
  const labels = Object.keys(table).filter((label) => label !== "(inferred)");
  emit({ event: "plan", projects: labels.map((label) => ({ label, files: table[label].length })) });
  const asked = request.only ?? Object.keys(table);
  return asked.flatMap((label) => table[label] ?? []);
};
const die = () => { process.kill(process.pid, "SIGSEGV"); for (;;); };
if (selfTest) { finish([]); process.exit(0); }
"""


def write_driver(folder: Path, body: str) -> None:
    """Write a driver that does what ``body`` says, after the prelude."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.js").write_text(PRELUDE + body)


def write_typescript(folder: Path, version: str, *, library: bool = True, name: str = "typescript") -> str:
    """Write what looks like the package of TypeScript, and return its folder."""
    (folder / "lib").mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))
    if library:
        (folder / "lib" / "typescript.js").write_text("")
    return str(folder)


def real_node() -> Node:
    """Return the Node that runs the tests, with its version."""
    found = node_runtime.find_node(None, "/nowhere", os.environ)
    assert isinstance(found, Node), "these tests need Node: install codetrail[node]"
    asked = node_runtime.ask_version(found, "/nowhere", os.environ)
    assert isinstance(asked, Node)
    return asked
