"use strict";
/*
 * Proves that this compiler answers as expected before anything is indexed with it: parts that the driver relies
 * on are internal and may move in any release, and a wrong answer must stop the run, not reach an index.
 */
const fs = require("node:fs");
const path = require("node:path");
const { DriverFailure } = require("../../node/events.js");
const { run } = require("./run.js");
const { FILES } = require("./selftest_package.js");

const FOLDER_PREFIX = "self-test-";

/**
 * Index the built-in workspace below `folder`, and insist that every import and name of it has a target.
 * @returns totals of the `done` event
 * @throws {DriverFailure} self_test_failed, with what was not as expected
 */
function selfTest(ts, request, folder) {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(folder, FOLDER_PREFIX)));
  try {
    for (const [file, text] of Object.entries(FILES)) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), text);
    }
    const named = (pattern) => Object.keys(FILES).filter((file) => pattern.test(file)).sort();
    const documents = [];
    const sink = { metadata() {}, document: (document) => documents.push(document), externalSymbols() {} };
    const own = {
      ...request,
      root: root.replaceAll("\\", "/"),
      files: named(/\.[jt]s$/),
      configs: named(/tsconfig\.json$/),
      manifests: named(/package\.json$/),
      only: null,
    };
    const totals = run(ts, own, sink);
    compare(own, documents, totals);
    return totals;
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

function compare({ files }, documents, { names, unresolved }) {
  const missing = files.find((file) => !documents.some((document) => document.path === file));
  if (missing !== undefined) disagree(`it does not index ${missing}`);
  if (names === 0 || unresolved > 0) disagree(`it finds no target for ${unresolved} of ${names} names`);
}

function disagree(what) {
  throw new DriverFailure("self_test_failed", `This TypeScript does not work as expected: ${what}`);
}

module.exports = { selfTest };
