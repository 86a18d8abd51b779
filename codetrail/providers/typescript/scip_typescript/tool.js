"use strict";
/*
 * Loads scip-typescript and keeps it from what it does beyond indexing: printing, and naming folders above the
 * workspace in symbols where no package.json stands. Must not know projects.
 */
const fs = require("node:fs");
const path = require("node:path");
const { createRequire } = require("node:module");
const { DriverFailure, problem } = require("../../node/events.js");

const PARTS = ["main.js", "ProjectIndexer.js", "Packages.js", "ScipSymbol.js"];

/**
 * @param {string} folder absolute folder of the package
 * @param {string} root absolute real root of the workspace
 * @returns {{version, ts, indexCommand, ProjectIndexer}}
 * @throws {DriverFailure} tool_unknown
 */
function loadTool(folder, root) {
  const manifest = path.join(folder, "package.json");
  const from = createRequire(manifest);
  let modules;
  try {
    modules = PARTS.map((name) => from(path.join(folder, "dist", "src", name)));
  } catch (error) {
    throw new DriverFailure("tool_unknown", `The tool cannot be loaded: ${error.message}`);
  }
  const [{ indexCommand }, { ProjectIndexer }, { Packages }, { ScipSymbol }] = modules;
  const parts = [indexCommand, ProjectIndexer?.prototype.index, Packages?.prototype.symbol];
  if (!parts.every((one) => typeof one === "function") || typeof ScipSymbol?.anonymousPackage !== "function")
    throw new DriverFailure("tool_unknown", "The tool is not laid out as expected.");
  silence();
  keepBelow(root, Packages, ScipSymbol);
  return { version: from(manifest).version, ts: from("typescript"), indexCommand, ProjectIndexer };
}

/** Its remarks go to stdout, which stays empty; its errors become problems. */
function silence() {
  console.log = () => {};
  process.stdout.write = () => true;
  console.error = (...words) => problem("engine_error", { message: words.map(String).join(" ") });
}

/** Look for no package above the root: the path to it on this machine must not get into symbols. */
function keepBelow(root, Packages, ScipSymbol) {
  const named = Packages.prototype.symbol;
  const isPackage = fs.existsSync(path.join(root, "package.json"));
  Packages.prototype.symbol = function (file) {
    return file === root && !isPackage ? ScipSymbol.anonymousPackage() : named.call(this, file);
  };
}

module.exports = { loadTool };
