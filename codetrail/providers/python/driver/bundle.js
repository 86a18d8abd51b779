"use strict";
/*
 * Loads a published Pyright bundle without starting its server, and finds the bundle's modules by
 * the names they export: export, class, method and property names survive minification, module
 * numbers do not. Two layouts are known: basedpyright (one readable file with modules keyed by
 * path) and npm pyright (entry, vendor chunk and internal chunk). Runs nothing but the bundle.
 */
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { DriverFailure } = require("../../node/events.js");

const ENTRY = "pyright-langserver.js";
const OLDEST_PYRIGHT = 380;
const OLDEST_BASEDPYRIGHT = 28;
const EXPORTS_MARK = "var __webpack_exports__ = {};";
const SOURCE_MODULES = "pyright-internal";

/**
 * Load the bundle that the request names.
 * @param {{kind: string, dist: string}} bundle `kind` is `basedpyright` or `pyright`
 * @returns {{find: function, label: string, dist: string}} `find(name, accept?)` gives the module that exports `name`
 * @throws {DriverFailure} bundle_unknown, bundle_too_old
 */
function loadBundle(bundle) {
  const dist = path.resolve(bundle.dist);
  const version = packageVersion(dist);
  refuseOld(bundle.kind, version);
  global.__rootDirectory = dist + path.sep;
  giveWritablePath(dist);
  let table;
  try {
    table = bundle.kind === "basedpyright" ? loadSingleFile(dist) : loadSplit(dist);
  } catch (error) {
    if (error instanceof DriverFailure) throw error;
    throw new DriverFailure("bundle_unknown", `The ${bundle.kind} bundle cannot be loaded: ${error.message}`);
  }
  return { find: finder(table), label: `${bundle.kind} ${table.version ?? version}`, dist };
}

function packageVersion(dist) {
  try {
    return String(JSON.parse(fs.readFileSync(path.join(dist, "..", "package.json"), "utf8")).version);
  } catch {
    throw new DriverFailure(
      "bundle_unknown",
      "The bundle has no readable package.json next to its dist folder.",
    );
  }
}

function refuseOld(kind, version) {
  const upstream = /^1\.1\.(\d+)/.exec(version);
  const own = /^1\.(\d+)/.exec(version);
  if (upstream ? Number(upstream[1]) < OLDEST_PYRIGHT : own && Number(own[1]) < OLDEST_BASEDPYRIGHT) {
    throw new DriverFailure(
      "bundle_too_old",
      `${kind} ${version} is too old; 1.1.${OLDEST_PYRIGHT} is the oldest that works.`,
    );
  }
}

/**
 * Node's permission model makes the functions of `path` read-only, and a library in the bundle
 * overwrites them on an object derived from it: hand the bundle's files a copy.
 */
function giveWritablePath(dist) {
  if (Object.getOwnPropertyDescriptor(path, "resolve").writable) return;
  const copy = { ...path, posix: { ...path.posix }, win32: { ...path.win32 } };
  const load = Module._load;
  Module._load = (request, parent, isMain) =>
    (request === "path" || request === "node:path") && parent?.filename?.startsWith(dist + path.sep)
      ? copy
      : load(request, parent, isMain);
}

/** basedpyright: compile the file without its last part, which would start the server. */
function loadSingleFile(dist) {
  const file = path.join(dist, ENTRY);
  const text = fs.readFileSync(file, "utf8");
  const cut = text.lastIndexOf(EXPORTS_MARK);
  if (cut < 0)
    throw new DriverFailure(
      "bundle_unknown",
      "The basedpyright bundle has a layout this driver does not know.",
    );
  const loaded = new Module(file);
  loaded.filename = file;
  loaded.paths = Module._nodeModulePaths(dist);
  const tail = "\nmodule.exports = { load: __webpack_require__, modules: __webpack_modules__ };\n})();";
  loaded._compile(text.slice(0, cut) + tail, file);
  const { load, modules } = loaded.exports;
  const keys = Object.keys(modules).filter((key) => key.includes(SOURCE_MODULES));
  const versionKey = keys.find((key) => key.endsWith("/src/version.json"));
  return { load, modules, keys, version: versionKey ? String(load(versionKey)) : undefined };
}

/** npm pyright: replace only the module whose `main` the entry calls, and keep the require it is given. */
function loadSplit(dist) {
  const entry = path.join(dist, ENTRY);
  const start = /\(0,\s*\w+\((\d+)\)\.main\)\(/.exec(fs.readFileSync(entry, "utf8"));
  const chunks = ["vendor.js", "pyright-internal.js"].map((name) => require(path.join(dist, name)));
  const internal = start && chunks.find((chunk) => chunk.modules?.[start[1]]);
  if (!internal)
    throw new DriverFailure("bundle_unknown", "The pyright bundle has a layout this driver does not know.");
  let load;
  internal.modules[start[1]] = (_module, exports, bundleRequire) => {
    load = bundleRequire;
    exports.main = () => {};
  };
  require(entry);
  if (!load)
    throw new DriverFailure("bundle_unknown", "The pyright bundle did not hand over its module table.");
  return { load, modules: internal.modules, keys: Object.keys(internal.modules) };
}

/** Search module texts for an assignment to `<something>.<name>` and return the first that really exports it. */
function finder({ load, modules, keys }) {
  const texts = new Map();
  const textOf = (key) => {
    if (!texts.has(key)) texts.set(key, modules[key].toString());
    return texts.get(key);
  };
  return (name, accept = () => true) => {
    const assignment = new RegExp(`(?:\\.${name}\\s*=|\\b${name}\\s*:|"${name}")`);
    for (const key of keys) {
      if (!assignment.test(textOf(key))) continue;
      const exported = load(key);
      if (exported && exported[name] !== undefined && accept(exported)) return exported;
    }
    throw new DriverFailure("bundle_unknown", `The bundle exports no ${name}.`);
  };
}

module.exports = { loadBundle };
