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
 * stdout: nothing. stderr: events, see ../../node/events.js. Before the end {event: "read", files}: source that was
 *   read besides the files of the request, in parts; see ../../node/read_files.js. Exit 0 only after `done`; 3 after
 *   `failed`.
 * No interpreter is run, and nothing of the workspace is executed or loaded as code or configuration.
 */
const { runDriver } = require("../../node/driver_main.js");
const { loadBundle } = require("./bundle.js");
const { createEngine } = require("./engine.js");
const { readRequest } = require("./request.js");
const { run } = require("./run.js");
const { selfTest } = require("./selftest.js");

function openEngine(request) {
  const engine = createEngine(loadBundle(request.bundle));
  return { engine, label: engine.label };
}

runDriver({ readRequest, openEngine, run, selfTest });
