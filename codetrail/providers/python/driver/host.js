"use strict";
/*
 * What Pyright asks of its surroundings, answered from the request: no interpreter is run, nothing
 * of the workspace's own configuration is read, no temporary file is written.
 */
const path = require("node:path");
const { isCaseSensitive } = require("../../node/letter_case.js");

/** A host object that answers search paths and version, and runs nothing. */
function createHost(NoAccessHost, searchPaths, version) {
  return new (class extends NoAccessHost {
    getPythonSearchPaths() {
      return { paths: searchPaths, prefix: undefined };
    }

    getPythonVersion() {
      return version;
    }
  })();
}

/** A temporary-file service that knows about letter case and refuses to make files. */
function createCaseDetector(root) {
  const sensitive = isCaseSensitive(path.resolve(root));
  const refuse = () => {
    throw new Error("temporary files are not allowed");
  };
  return {
    isCaseSensitive: () => sensitive,
    tmpdir: refuse,
    tmpfile: refuse,
    mktmpdir: refuse,
    dispose() {},
  };
}

/** A console that keeps quiet; `onError` gets what Pyright calls an error. */
function createConsole(onError) {
  const quiet = () => {};
  return {
    error: onError,
    warn: quiet,
    info: quiet,
    log: quiet,
    debug: quiet,
    logLevel: "error",
    maxLevel: "error",
  };
}

module.exports = { createHost, createCaseDetector, createConsole };
