"use strict";
/*
 * Indexes TypeScript and JavaScript with the compiler API of `typescript` and writes SCIP.
 *
 *   node main.js --request REQUEST.json --output OUT.scip
 *   node main.js --request REQUEST.json --self-test [--output FOLDER]
 *
 * REQUEST.json: {root, files, typescript, configs, manifests, only, encodings, toolVersion, fileSeconds}
 *   root and typescript (the folder of that package) are absolute; files (what the unit owns), configs
 *   (tsconfig*.json and jsconfig.json) and manifests (package.json) are relative to root, in path order;
 *   only is null or the labels of the projects to run. encodings is not needed here: JavaScript declares none.
 * stdout: nothing. stderr: events, see ../../node/events.js, and once {event: "plan", projects: [{label, files}]}:
 *   a label is the configuration's path; `(inferred)` is that of the files that no configuration lists.
 *   Codes of problems stand in run.js, documents.js, limits.js, configurations.js and dependencies.js.
 *   Exit 0 only after `done`; 3 after `failed`.
 * Nothing of the workspace is executed or loaded as code, and no plugin of a configuration is loaded.
 */
const path = require("node:path");
const { DriverFailure, emit } = require("../../node/events.js");
const { ScipWriter } = require("../../node/scip_writer.js");
const { loadCompiler } = require("./compiler.js");
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
  const ts = loadCompiler(request.typescript);
  emit({ event: "start", engine: `typescript ${ts.version}`, node: process.version });
  const totals = options.selfTest
    ? selfTest(ts, request, folderFor(options))
    : index(ts, request, options.output);
  emit({ event: "done", ...totals });
}

function index(ts, request, output) {
  const writer = new ScipWriter(output);
  const totals = run(ts, request, writer);
  writer.close();
  return totals;
}

/** The self-test writes its package next to the request, which lies in the caller's private folder. */
const folderFor = (options) => path.resolve(options.output ?? path.dirname(options.request));

function fail(error) {
  const code = error instanceof DriverFailure ? error.code : "engine_crashed";
  const message = String(error?.message ?? error).split(/\r?\n/, 1)[0];
  emit({ event: "failed", code, message: message.slice(0, 500) });
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
