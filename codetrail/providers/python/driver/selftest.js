"use strict";
/*
 * Proves that this bundle answers as expected before anything is indexed with it: Pyright's
 * internals may move in any release, and a wrong answer must stop the run, not reach an index.
 */
const fs = require("node:fs");
const path = require("node:path");
const { DriverFailure } = require("../../node/events.js");
const { run } = require("./run.js");
const { FILES, ANSWERS, OVERRIDES } = require("./selftest_package.js");

const FOLDER_PREFIX = "self-test-";
const SYMBOL_START = /^codetrail-py python \S+ \S+ /;

/**
 * Index the built-in package below `folder` and compare with the pinned answers.
 * @returns totals of the `done` event
 * @throws {DriverFailure} self_test_failed, with the first answer that is missing
 */
function selfTest(engine, request, folder) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(folder, FOLDER_PREFIX)));
  try {
    for (const [file, text] of Object.entries(FILES)) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), text);
    }
    const documents = [];
    const sink = { metadata() {}, document: (document) => documents.push(document), externalSymbols() {} };
    const packages = [{ root: "", name: "shop", version: "1" }];
    const own = {
      ...request,
      root,
      files: Object.keys(FILES).sort(),
      roots: [""],
      packages,
      distributions: [],
    };
    const totals = run(engine, own, sink);
    compare(documents);
    return totals;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function compare(documents) {
  const given = new Set(documents.flatMap(answersOf));
  const missing = ANSWERS.find((answer) => !given.has(answer));
  if (missing !== undefined) {
    throw new DriverFailure("self_test_failed", `This Pyright does not give the expected answer: ${missing}`);
  }
  const overrides = new Set(documents.flatMap(overridesOf));
  for (const pair of OVERRIDES) {
    if (!overrides.has(pair.join(" "))) {
      throw new DriverFailure(
        "self_test_failed",
        `This Pyright does not see that ${pair[0]} overrides ${pair[1]}`,
      );
    }
  }
}

function answersOf({ path: file, occurrences }) {
  return occurrences.map(
    ({ range: [line, start, end], symbol, roles }) =>
      `${file} ${line}:${start}-${end} ${bare(symbol)} ${roles}`,
  );
}

function overridesOf({ symbols }) {
  return symbols.flatMap(({ symbol, relationships }) =>
    relationships.map((item) => `${bare(symbol)} ${bare(item.symbol)}`),
  );
}

const bare = (symbol) => symbol.replace(SYMBOL_START, "");

module.exports = { selfTest };
