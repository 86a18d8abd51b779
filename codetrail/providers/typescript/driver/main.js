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
 *   a label is the configuration's path; `(inferred)` is that of the files that no configuration lists. Before the
 *   end {event: "read", files}: what was read besides the files of the request, in parts; see ../../node/read_files.js.
 *   Codes of problems stand in run.js, documents.js, limits.js, configurations.js and dependencies.js.
 *   Exit 0 only after `done`; 3 after `failed`.
 * Nothing of the workspace is executed or loaded as code, and no plugin of a configuration is loaded.
 */
const { runDriver } = require("../../node/driver_main.js");
const { loadCompiler } = require("./compiler.js");
const { readRequest } = require("./request.js");
const { run } = require("./run.js");
const { selfTest } = require("./selftest.js");

function openEngine(request) {
  const engine = loadCompiler(request.typescript);
  return { engine, label: `typescript ${engine.version}` };
}

runDriver({ readRequest, openEngine, run, selfTest });
