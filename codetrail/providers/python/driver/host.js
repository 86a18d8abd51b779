"use strict";
/*
 * What Pyright asks of its surroundings, answered from the request: no interpreter is run, nothing
 * of the workspace's own configuration is read, no temporary file is written.
 */
const fs = require("node:fs");
const path = require("node:path");

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

/** Tell whether the file system of `folder` is case sensitive, by looking, not by writing. */
function isCaseSensitive(folder) {
  const swapped = folder.replace(/\p{L}/gu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  if (swapped === folder) return process.platform !== "win32" && process.platform !== "darwin";
  try {
    const mine = fs.statSync(folder);
    const other = fs.statSync(swapped);
    return mine.ino !== other.ino || mine.dev !== other.dev;
  } catch {
    return true;
  }
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
