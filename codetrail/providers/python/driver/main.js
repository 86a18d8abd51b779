"use strict";
/*
 * Indexes Python with Pyright's own modules and writes SCIP.
 *
 *   node main.js --request REQUEST.json --output OUT.scip
 *   node main.js --request REQUEST.json --self-test [--output FOLDER]
 *
 * REQUEST.json: {root, files, bundle: {kind, dist}, python: {version, platform, searchPaths, interpreter},
 *   roots, environments: [{root, roots}], packages: [{root, name, version}],
 *   distributions: [{prefix, name, version}], encodings: {names, oneByte, manyBytes}, toolVersion}
 *   root, dist, searchPaths and prefixes are absolute; files and all other roots are relative to root.
 *   encodings is explained in source_text.js.
 * stdout: nothing. stderr: events, see ../../node/events.js. Exit 0 only after `done`; 3 after `failed`.
 * No interpreter is run, and nothing of the workspace is executed or loaded as code or configuration.
 */
const path = require("node:path");
const { DriverFailure, emit } = require("../../node/events.js");
const { ScipWriter } = require("../../node/scip_writer.js");
const { loadBundle } = require("./bundle.js");
const { createEngine } = require("./engine.js");
const { readRequest } = require("./request.js");
const { run } = require("./run.js");
const { selfTest } = require("./selftest.js");

const EXIT_FAILED = 3;

function parseArguments(words) {
  const options = { request: undefined, output: undefined, selfTest: false };
  for (let index = 0; index < words.length; index++) {
    if (words[index] === "--self-test") options.selfTest = true;
    else if (words[index] === "--request") options.request = words[++index];
    else if (words[index] === "--output") options.output = words[++index];
    else throw new DriverFailure("usage", `Unknown argument ${words[index]}.`);
  }
  if (options.request === undefined) throw new DriverFailure("usage", "--request is missing.");
  if (options.output === undefined && !options.selfTest)
    throw new DriverFailure("usage", "--output is missing.");
  return options;
}

function main(words) {
  const options = parseArguments(words);
  const request = readRequest(options.request);
  const engine = createEngine(loadBundle(request.bundle));
  emit({ event: "start", engine: engine.label, node: process.version });
  emit({
    event: "done",
    ...(options.selfTest
      ? selfTest(engine, request, folderFor(options))
      : index(engine, request, options.output)),
  });
}

function index(engine, request, output) {
  const writer = new ScipWriter(output);
  const totals = run(engine, request, writer);
  writer.close();
  return totals;
}

/** The self-test writes its package next to the request, which lies in the caller's private folder. */
const folderFor = (options) => path.resolve(options.output ?? path.dirname(options.request));

/** Say what went wrong in one event; a bundle's own errors carry its whole text, so only the first line is kept. */
function fail(error) {
  const code = error instanceof DriverFailure ? error.code : "engine_crashed";
  emit({
    event: "failed",
    code,
    message: String(error?.message ?? error)
      .split(/\r?\n/, 1)[0]
      .slice(0, 500),
  });
  process.exit(EXIT_FAILED);
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
try {
  main(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  fail(error);
}
